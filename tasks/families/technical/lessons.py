"""After an incident: its postmortem is begun, with something to be done by a day that a rule gives."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import brands, but, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT
from tasks.places import code, incidents
from tasks.places.rules import leave_noise, leave_rules

ELENA, HANA, LUIS, NILS, SOFIA, KENJI = (COLLEAGUES[place] for place in (4, 6, 7, 9, 10, 11))

BEGUN = "The incident has its postmortem, owned by the person of the rule."
ITEM = "The postmortem has one task for the same person, due as many working days after the end as the rule says."


@family(
    "lessons-of-an-incident",
    area="operations",
    roles={
        "ask": but(WORD_LEFT, "incidents"),
        "claim": but(WORD_LEFT, "incidents"),
        "desk": ("incidents",),
        "rule": but(WORD_LEFT, "incidents"),
        "team": but(WORD_LEFT, "incidents"),
        "forge": ("code",),
        "log": but(LOGGED, "incidents", "code"),
        "tell": TOLD,
    },
    patterns=(
        "ask desk rule desk forge log tell",
        "ask claim desk rule team desk forge log tell",
    ),
    filed="log",
)
def lessons_of_an_incident(d: Draft) -> None:
    """A customer's reference leads to an incident that is over and was never looked back on. The service concerned
    has a rule: who owns the postmortem, in how many working days its task is due, in which repository the task gets
    an issue. Hard: references that differ in a digit, incidents that have a postmortem already, a rule that was
    tightened, days that are counted from the end of the incident without weekends.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([ELENA, HANA])
    references = [d.draw.code("CSR") for _ in range(many)]
    claims = [d.draw.code("CLM") for _ in references]
    teams = [d.draw.code("TM") for _ in references]
    services = [f"{brand} checkout" for brand in brands(d, many)]
    prefix = brands(d, 1)[0].lower()
    parts = d.rng.sample(
        ("core", "shop", "mobile", "tools", "docs", "theme", "search", "import", "maps", "stock"), many
    )
    repositories = [f"{prefix}-{part}" for part in parts]
    owners = [(NILS, SOFIA, KENJI, LUIS)[n % 4] for n in range(many)]
    waits = [d.draw.count(6, 15) for _ in references]
    reference, service = d.fact("reference", references[0], references[1]), d.fact("service", 0, 1)
    owner, wait = d.fact("owner", owners[0].email, LUIS.email), d.fact("wait", waits[0], waits[0] + 2)
    repository = d.fact("repository", repositories[0], repositories[1])
    claim = d.fact("claim", claims[0], claims[1]) if long else claims[0]
    team = d.fact("team", teams[0], teams[1]) if long else teams[0]

    duty = incidents.schedule(d, f"{prefix.capitalize()} duty", (KENJI, SOFIA))
    owned = [incidents.team_service(d, one, duty, owner=NILS) for one in services]
    for name in repositories:
        code.repository(d, name, labels=("bug", "incident"))
    for place, one in enumerate(references):
        created = d.ago(3 + place, 9, 10 * (place % 6))
        of = owned[service if place == 0 else place]
        note = f"Orders of {d.draw.company()} could not be paid."
        ended = created + timedelta(hours=3, minutes=20)
        incidents.incident(
            d, of, f"Payment refused {place + 1}", severity="sev2", status="resolved", summary=note, reference=one,
            assignee=KENJI, created=created, resolved=ended,
        )  # fmt: skip
        for age in range(d.dials.stale if place == 0 else 0):
            past = d.ago(50 + age, 9)
            incidents.incident(
                d, of, "Payment refused before", status="resolved", assignee=SOFIA, created=past,
                resolved=past + timedelta(hours=1),
            )  # fmt: skip
    pointer = f"claim {claim}" if long else f"reference {reference}"
    d.note("ask").leave(
        d,
        title="What did we learn?",
        text=d.rng.choice(
            (
                f"The customer behind {pointer} asks for lessons learned and I have nothing to show. Was there never a "
                "postmortem?",
                f"Lessons learned for {pointer}: nobody has written any. The customer will not forget it.",
            )
        ),
        by=who,
        days_ago=1,
    )
    for place, (one, of_) in enumerate(zip(claims, references, strict=True) if long else ()):
        what = reference if place == 0 else of_
        said = d.rng.choice((f"{one} is filed under reference {what}.", f"{one}: reference {what} on our side."))
        d.note("claim").leave(d, title=f"Claim {one}", text=said, by=who, days_ago=6 + d.turn(place))
    orders = [
        {
            "owner": owner if n == 0 else owners[n].email,
            "wait": wait if n == 0 else waits[n],
            "repository": repository if n == 0 else repositories[n],
        }
        for n in range(many)
    ]
    if long:
        leave_rules(
            d,
            d.note("rule"),
            title="Postmortems of the {word}",
            by=NILS,
            wordings=(
                "Postmortems of the {word} are a matter of team {team}.",
                "{word}: team {team} looks back on it.",
            ),
            rules={one: {"team": team if n == 0 else teams[n]} for n, one in enumerate(services)},
            older={"team": teams[-1]},
            of=services[0],
        )
    keys = teams if long else services
    leave_rules(
        d,
        d.note("team" if long else "rule"),
        title="Postmortems, {word}",
        by=NILS,
        wordings=(
            "{word}: the postmortem belongs to {owner}. Its task is due {wait} working days after the "
            "incident's end and gets an issue in {repository}.",
            "With {word} it is {owner} who owns the postmortem; its task has {wait} working days, counted from "
            "the end of the incident, and an issue in {repository}.",
        ),
        rules=dict(zip(keys, orders, strict=True)),
        older=orders[-1] | {"wait": 20},
        of=keys[0],
    )
    leave_noise(d, d.note("ask"), LUIS)

    told = d.note("ask").find(d, "lessons learned")
    if long:
        told = d.note("claim").find(d, told.part(r"(CLM-\d+)"))
    found = incidents.find_incident(d, told.part(r"reference (CSR-\d+)"))
    key = found.at("data.items.0.id")
    before = d.call("incidents", "get_incident", incident_id=key)
    rule = d.note("rule").find(d, before.at("data.service_name"))
    if long:
        rule = d.note("team").find(d, rule.part(r"(TM-\d+)"))
    person = rule.part(r"(\w+\.\w+@larkspur\.example)")
    d.act(
        BEGUN,
        "incidents",
        "create_postmortem",
        incident_id=key,
        summary=text("What happened is in the incident."),
        owner_email=person,
    )
    after = d.call("incidents", "get_incident", incident_id=key)
    item = d.act(
        ITEM,
        "incidents",
        "create_action_item",
        postmortem_id=after.at("data.postmortem_id"),
        title=text("Make sure that it cannot happen again"),
        owner_email=person,
        due_on=calc(
            "business_days(end, wait)",
            end=after.part("data.resolved_at", r"(\d{4}-\d\d-\d\d)"),
            wait=rule.part(r"(\d+) working days", number=True),
        ),
    )
    due, task = item.at("data.due_on"), item.at("data.id")
    home = d.call("code", "list_repositories", query=rule.part(rf"({prefix}-\w+)"))
    issue = d.act(
        "The task has an issue in the repository of the rule, assigned to the same person, that gives its id.",
        "code",
        "create_issue",
        repository_id=home.at("data.items.0.id"),
        title=text("Lesson of an incident"),
        body=text("See {task}.", task=task),
        assignee_emails=[person],
    )
    number = issue.at("data.id")
    kept = d.entry("log").add(
        d,
        "The issue is on record for the day on which the task is due.",
        title=text("Lesson of an incident"),
        words=text("Issue {number}.", number=number),
        day=due,
    )
    d.message("tell").send(
        d,
        f"{who.name} knows the postmortem, when its task is due, and the record.",
        who,
        text(
            "Postmortem {postmortem} is begun, its task is due on {due}. See {kept}.",
            postmortem=after.at("data.postmortem_id"),
            due=due,
            kept=kept,
        ),
        about="Lessons learned",
    )
    d.answer("Postmortem {postmortem}, due on {due}.", postmortem=after.at("data.postmortem_id"), due=due)
    _say(d, called(who), long)


def _say(d: Draft, who: str, long: bool) -> None:
    ask, rule = d.note("ask").where(d), d.note("rule").where(d)
    d.title("The lessons of an incident")
    d.say(
        f"{who} has a customer who wants our lessons learned, and there are none. Which incident it was follows from "
        f"what is {ask}.",
        f"We owe a customer the lessons learned from an incident: {who} explains {ask}.",
        f"Could you see to the lessons learned? {who} asks for them {ask}.",
    )
    if long:
        claim = d.note("claim").where(d)
        d.say(f"The reference of each claim is {claim}.", f"Claims are matched with our references {claim}.")
    if long:
        team = d.note("team").where(d)
        d.say(
            f"Nils decides by service which team does the postmortem ({rule}), and each team has its own way of "
            f"doing it, described {team}; if a note has been revised, follow the revision.",
            f"Which team looks back depends on the service; Nils has put that down {rule}. He describes {team} how "
            f"that team does it.{d.stale(' He tightens such things, so do not go by old versions.')}",
        )
    else:
        d.say(
            f"Nils lays down {rule} how postmortems are done for each service; if he has revised it, follow the "
            "revision.",
            "What applies to the service is noted "
            f"{rule}.{d.stale(' Nils tightens such things, so do not go by old versions.')}",
        )
    d.say(
        "Begin the postmortem with the right owner, put the one task into it with the day on which it falls due, "
        "and open an issue that gives the task's id where it belongs. All three go to that person.",
        "We need a postmortem with the right owner, in it one task for the same person with the due date that "
        "follows, and an issue assigned to them which gives the id of the task.",
        "Whoever the rule names gets all of it: the postmortem, the one task in it with its due date, and the issue "
        "that quotes the id of the task.",
    )
    log, tell = d.entry("log"), d.message("tell").how(d, who)
    d.say(
        f"For the due date I want {log.what(d)} that says the issue's id.",
        f"Please also add {log.what(d)} for the day on which it is due, with the id of the issue.",
        f"The issue's id should also stand in {log.what(d)} on the day the task is due.",
    )
    d.paragraph()
    d.say(
        f"{sentence(tell)} with the postmortem's id, the due date, and {log.reference(d)}. I need the first two as "
        "well.",
        f"{sentence(tell)}: the id of the postmortem, when its task is due, and {log.reference(d)}. The id and the "
        "date will do for me.",
    )
