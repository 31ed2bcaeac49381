"""A version misbehaves in production: it is taken back, and the incident of the known fault says so."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.roles import brands, but, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT
from tasks.places import ci, incidents
from tasks.places.rules import leave_noise, leave_rules

HANA, LUIS, NILS, SOFIA, KENJI = (COLLEAGUES[place] for place in (6, 7, 9, 10, 11))

_PARTS = ("api", "worker", "portal", "feed", "mailer", "bridge", "agent", "viewer", "ledger", "monitor")


@family(
    "take-a-version-back",
    area="operations",
    roles={
        "ask": WORD_LEFT,
        "map": WORD_LEFT,
        "works": ("ci",),
        "known": but(WORD_LEFT, "incidents"),
        "desk": ("incidents",),
        "log": but(LOGGED, "incidents"),
        "tell": TOLD,
    },
    patterns=(
        "ask works known desk works desk tell",
        "ask map works known desk works desk log tell",
    ),
    filed="log",
)
def take_a_version_back(d: Draft) -> None:
    """Support complains about an application. What runs in production is looked up, the version has a known fault
    with an incident, production goes back to the version before, and the incident is mitigated with a note that says
    what runs now. Hard: pipelines of one prefix, versions that differ in the last digit, a fault number that was
    corrected; the version in production is another one after the act, and only the incident says which service is
    concerned.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([HANA, LUIS])
    prefix = brands(d, 1)[0].lower()
    pipelines = [f"{prefix}-{part}" for part in d.rng.sample(_PARTS, many)]
    major = d.rng.randint(2, 9)
    bad = [f"v{major}.{minor}.0" for minor in d.rng.sample(range(20, 60), many)]
    good = [f"v{major}.{minor}.{d.rng.randint(1, 9)}" for minor in d.rng.sample(range(1, 19), many)]
    faults = [d.draw.code("FLT") for _ in pipelines]
    apps = [f"{brand} counter" for brand in brands(d, many)]
    services = [f"{brand} shop floor" for brand in brands(d, many)]
    pipeline = d.fact("pipeline", pipelines[0], pipelines[1])
    version, before = d.fact("version", bad[0], bad[2]), d.fact("version-before", good[0], f"{good[0]}1")
    fault, service = d.fact("fault", faults[0], faults[1]), d.fact("service", 0, 1)
    app = d.fact("application", apps[0], apps[1]) if long else apps[0]

    duty = incidents.schedule(d, f"{prefix.capitalize()} duty", (KENJI, SOFIA))
    owned = [incidents.team_service(d, one, duty, owner=NILS) for one in services]
    for place, name in enumerate(pipelines):
        key = ci.pipeline(d, name, [ci.job("build", 40 + place)])
        to = ci.environment(d, key, "production", name)
        now = version if place == 0 else bad[place]
        for number, (one, status) in enumerate(
            (
                (f"v{major}.0.{place}", "superseded"),
                (before if place == 0 else good[place], "superseded"),
                (now, "deployed"),
            ),
            1,
        ):
            days = 40 - 12 * number
            commit = f"{d.rng.randrange(16**7):07x}"
            made = ci.run(
                d, key, number, "main", commit, "passed", [("build", 40, "passed", "")], created=d.ago(days, 8, number)
            )
            ci.deployment(d, to, made, one, status, days)
        incidents.incident(
            d,
            owned[service if place == 0 else place],
            f"Fault {faults[place]} seen again",
            severity=("sev2", "sev3")[place % 2],
            reference=faults[place],
            assignee=d.user,
            responders=(KENJI,),
            created=d.start - timedelta(hours=3, minutes=d.turn(place)),
        )
    pointer = f"the {app}" if long else f"the pipeline is {pipeline}"
    d.note("ask").leave(
        d,
        title="Complaints since the deployment",
        text=d.rng.choice(
            (
                f"Blank screens in all shops since the deployment! I think {pointer}. Please have it taken back.",
                f"We get blank screens again and again; as far as I can tell {pointer}.",
            )
        ),
        by=who,
        days_ago=0,
    )
    for place, (one, name) in enumerate(zip(apps, pipelines, strict=True) if long else ()):
        of = pipeline if place == 0 else name
        said = d.rng.choice((f"The {one} is built by {of}.", f"{one}: comes out of {of}, do not ask why."))
        d.note("map").leave(d, title=f"What builds the {one}", text=said, by=KENJI, days_ago=30 + d.turn(place))
    leave_rules(
        d,
        d.note("known"),
        title="Known faults of {word}",
        by=SOFIA,
        wordings=(
            "{word} has the fault {fault}. Take it back where it runs, there is no other cure.",
            "Who has {word} in production has {fault} as well. It goes away with the version before.",
        ),
        rules={one: {"fault": fault if n == 0 else faults[n]} for n, one in enumerate(bad)},
        older={"fault": faults[-1]},
        of=bad[0],
    )
    leave_noise(d, d.note("ask"), LUIS if who is HANA else HANA)

    told = d.note("ask").find(d, "blank screens")
    if long:
        told = d.note("map").find(d, told.part(r"the (\w+ counter)"))
    found = d.call("ci", "list_pipelines", query=told.part(rf"({prefix}-\w+)"))
    running = d.call("ci", "list_environments", pipeline_id=found.at("data.items.0.id"), name="production")
    version_ = running.at("data.items.0.current_deployment.version")
    known = d.note("known").find(d, version_)
    incident = incidents.find_incident(d, known.part(r"(FLT-\d+)")).at("data.items.0.id")
    d.act(
        "Production is taken back to the version before, with the incident's id as the reason.",
        "ci",
        "rollback_deployment",
        deployment_id=running.at("data.items.0.current_deployment.id"),
        reason=text("Incident {incident}.", incident=incident),
    )
    again = d.call("ci", "list_environments", pipeline_id=found.at("data.items.0.id"), name="production")
    current = again.at("data.items.0.current_deployment.version")
    d.act(
        "The incident is mitigated, and its summary says which version runs now.",
        "incidents",
        "update_incident",
        incident_id=incident,
        summary=text("Back on {current}.", current=current),
    )
    d.act(
        "The incident is mitigated, and its summary says which version runs now.",
        "incidents",
        "set_incident_status",
        incident_id=incident,
        status="mitigated",
    )
    whole = d.call("incidents", "get_incident", incident_id=incident)
    concerned = whole.at("data.service_name")
    said = text("{concerned} is back on {current}.", concerned=concerned, current=current)
    if long:
        kept = d.entry("log").add(
            d, "The service and the version that runs now are on record.", title=text("Taken back"), words=said
        )
        said = text("{said} Written up as {kept}.", said=said, kept=kept)
    d.message("tell").send(
        d,
        f"{who.name} knows which service it was and which version runs now" + (", and the record." if long else "."),
        who,
        said,
        about="Blank screens",
    )
    d.answer("{concerned} is back on {current}.", concerned=concerned, current=current)
    _say(d, called(who), long)


def _say(d: Draft, who: str, long: bool) -> None:
    ask, known = d.note("ask").where(d), d.note("known").where(d)
    d.title("Blank screens after a deployment")
    d.say(
        f"{who} reports blank screens; have a look {ask}.",
        f"We have blank screens in the shops, says {who}. You will find it {ask}.",
        f"Can you act on the blank screens for me? {who} describes them {ask}.",
    )
    if long:
        where = d.note("map").where(d)
        d.say(
            f"Kenji explains {where} which pipeline builds what.",
            f"Kenji's notes on which pipeline builds what are {where}.",
        )
    d.say(
        "Find out which version is in production there. Sofia keeps the known faults by version "
        f"{known}{d.stale(', corrected more than once, and I trust her latest entry')}.",
        "The version that runs in production has a known fault; Sofia collects those "
        f"{known}.{d.stale(' She got some numbers wrong at first, so go by what she wrote last.')}",
    )
    d.say(
        "There is an open incident for that fault. Take production back to what ran before, giving the incident's id "
        "as the reason, then mark the incident as mitigated, with a summary that says which version is live now.",
        "Roll production back and give the id of the fault's incident as the reason. After that mark the incident "
        "as mitigated, and rewrite its summary so that it names the version in production now.",
        "The fault has an incident that is still open. Production goes back to the version before, with that "
        "incident's id as the reason; then set the incident to mitigated and let its summary say what is live.",
    )
    d.paragraph()
    extra = ""
    if long:
        log = d.entry("log")
        d.say(
            f"Leave {log.what(d)} with the service that the incident is about and the version that is live.",
            f"I want {log.what(d)} that names the incident's service and the version now in production.",
        )
        extra = f", and {log.reference(d)}"
    tell = d.message("tell").how(d, who)
    d.say(
        f"{sentence(tell)}: the service that the incident concerns{',' if long else ' and'} the version in production "
        "now"
        f"{extra}. Tell me service and version.",
        f"{sentence(tell)}: which service it was, as the incident has it, and which version is live now{extra}. "
        "Tell me the same two.",
    )
