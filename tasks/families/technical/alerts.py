"""A host makes noise: one incident for it, and the warnings that belong to it are closed."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.roles import brands, but, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT
from tasks.places import incidents, monitoring
from tasks.places.rules import leave_noise, leave_rules

LUIS, NILS, SOFIA, KENJI = (COLLEAGUES[place] for place in (7, 9, 10, 11))

DECLARED = "One incident is declared for the service of the runbook, with the severity that the runbook gives."
CLOSED = "Every firing warning of the host is resolved with the incident's id in its note."

_TASKS = ("relay", "printer", "cache", "broker", "gateway", "scanner", "indexer", "proxy", "spooler", "poller")


@family(
    "noisy-host",
    area="operations",
    roles={
        "ask": WORD_LEFT,
        "rack": WORD_LEFT,
        "watch": ("monitoring",),
        "runbook": WORD_LEFT,
        "sheet": but(WORD_LEFT, "incidents"),
        "desk": ("incidents",),
        "log": but(LOGGED, "incidents"),
        "tell": TOLD,
    },
    patterns=(
        "ask watch runbook desk watch log tell",
        "ask rack watch runbook sheet desk watch log tell",
    ),
    filed="log",
)
def noisy_host(d: Draft) -> None:
    """Somebody cannot sleep for one host. Its monitor has a runbook that says on which service an incident is
    declared and how bad; whoever is on call there is called by the policy. The warnings are closed with the
    incident's number, the critical alerts stay. Hard: hosts that differ in a digit, a runbook that was rewritten, one
    act for every warning and for none of the others, and a count of what is left that is new afterwards.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([LUIS, NILS, KENJI])
    stem, task = d.rng.choice(brands(d, 1)).lower(), d.rng.choice(_TASKS)
    hosts = [f"{stem}-{number}.larkspur.example" for number in d.rng.sample(range(10, 99), many)]
    names = [f"{brand} {task}" for brand in brands(d, many)]
    services = [f"{brand} lane" for brand in brands(d, many)]
    racks = [d.draw.code("RK") for _ in hosts]
    severities = [d.rng.choice(("sev2", "sev3", "sev4")) for _ in hosts]
    host, name = d.fact("host", hosts[0], hosts[1]), d.fact("monitor", names[0], f"{names[0]} B")
    service = d.fact("service", services[0], services[1])
    rack = d.fact("rack", racks[0], racks[1]) if long else racks[0]
    sheets = [d.draw.code("SH") for _ in hosts]
    sheet = d.fact("sheet", sheets[0], sheets[1]) if long else sheets[0]

    links = [f"Link to {brand} is down" for brand in brands(d, many)]
    link = d.fact("still-firing", links[0], links[1])
    for place, one in enumerate(services):
        crew = (KENJI, SOFIA) if place % 2 else (SOFIA, KENJI)
        incidents.team_service(d, one, incidents.schedule(d, f"{one} duty", crew), owner=NILS)
    for place, target in enumerate(hosts):
        key = monitoring.monitor(d, name if place == 0 else names[place], target)
        fired = d.start - timedelta(hours=5, minutes=7 * d.turn(place))
        for number in range(2):
            monitoring.alert(d, key, f"Queue {number + 1} grows", "warning", fired=fired + timedelta(minutes=number))
        down = link if place == 0 else links[place]
        monitoring.alert(d, key, down, "critical", fired=fired - timedelta(minutes=9))
        for number in range(d.rng.randint(1, 3)):
            at = fired - timedelta(minutes=30 + number)
            monitoring.alert(d, key, f"No answer {number + 1}", "critical", fired=at, status="acknowledged")
        for number in range(d.dials.stale):
            past = fired - timedelta(days=9 + number)
            monitoring.alert(d, key, "Queue 1 grows", "warning", fired=past, status="resolved", note="Restarted.")
    pointer = f"whatever stands in {rack}" if long else f"it is {host}"
    d.note("ask").leave(
        d,
        title="No sleep",
        text=d.rng.choice(
            (
                f"The pager noise of this night has one cause, {pointer}. Can we deal with it today?",
                f"Pager noise again. I looked: {pointer}. The warnings repeat every hour.",
                f"About the pager noise: {pointer}, nothing else. I have not touched it.",
            )
        ),
        by=who,
        days_ago=0,
    )
    for place, (code, target) in enumerate(zip(racks, hosts, strict=True) if long else ()):
        what = host if place == 0 else target
        said = d.rng.choice((f"{code} holds {what}.", f"In {code}, third shelf: {what}."))
        d.note("rack").leave(d, title=f"Rack {code}", text=said, by=KENJI, days_ago=15 + d.turn(place))
    others = [f"{names[0]} B", *names[1:]]
    orders = [{"service": services[n % many], "severity": severities[n % many]} for n in range(many + 1)]
    orders[0] = orders[0] | {"service": service}
    worded = (
        "When {word} complains, declare a {severity} on the {service}. Then resolve its warnings; the rest is left to "
        "whoever is called.",
        "{word}: one incident on the {service}, {severity}, then resolve the warnings. Hands off critical alerts.",
    )
    if long:
        leave_rules(
            d,
            d.note("runbook"),
            title="Runbook {word}",
            by=SOFIA,
            wordings=("When {word} complains, follow {sheet}.", "{word}: by {sheet}, without exceptions."),
            rules={one: {"sheet": sheet if n == 0 else sheets[n % many]} for n, one in enumerate((names[0], *others))},
            older={"sheet": sheets[-1]},
            of=names[0],
        )
    leave_rules(
        d,
        d.note("sheet" if long else "runbook"),
        title="Sheet {word}" if long else "Runbook {word}",
        by=SOFIA,
        wordings=worded,
        rules=dict(zip(sheets if long else (names[0], *others), orders, strict=False)),
        older={"service": services[-1], "severity": "sev1"},
        of=sheets[0] if long else names[0],
    )
    leave_noise(d, d.note("ask"), LUIS)

    told = d.note("ask").find(d, "pager noise")
    if long:
        told = d.note("rack").find(d, told.part(r"(RK-\d+)"))
    target = told.part(r"(\w+-\d+\.larkspur\.example)")
    before = d.call("monitoring", "list_monitors", query=target)
    monitor = before.at("data.items.0.id")
    warnings = d.call("monitoring", "list_alerts", monitor_id=monitor, severity="warning", status="firing")
    runbook = d.note("runbook").find(d, before.at("data.items.0.name"))
    if long:
        runbook = d.note("sheet").find(d, runbook.part(r"(SH-\d+)"))
    owned = d.call("incidents", "list_services", query=runbook.part(r"on the (\w+ lane)"))
    made = d.act(
        DECLARED,
        "incidents",
        "create_incident",
        service_id=owned.at("data.items.0.id"),
        title=text("Warnings of a host at night"),
        severity=runbook.part(r"(sev\d)"),
    )
    number = made.at("data.id")
    for place in range(2):
        note = text("See incident {number}.", number=number)
        d.act(CLOSED, "monitoring", "resolve_alert", alert_id=warnings.at(f"data.items.{place}.id"), note=note)
    after = d.call("monitoring", "list_monitors", query=target)
    firing = d.call("monitoring", "list_alerts", monitor_id=monitor, status="firing")
    left, called_ = after.at("data.items.0.unresolved_alerts"), made.at("data.assignee_email")
    still = firing.at("data.items.0.title")
    said = text(
        "Incident {number} is with {called}; still firing: {still}.", number=number, called=called_, still=still
    )
    kept = d.entry("log").add(
        d, "The incident, who was called and what still fires are on record.", title=text("Noise at night"), words=said
    )
    d.message("tell").send(
        d,
        f"{who.name} knows the incident, who was called, what still fires, how many alerts are left, and the record.",
        who,
        text("{said} Unresolved: {left}. Written up as {kept}.", said=said, left=left, kept=kept),
        about="Noise at night",
    )
    d.answer("Incident {number} is with {called}, {left} alerts are left.", number=number, called=called_, left=left)
    _say(d, called(who), long)


def _say(d: Draft, who: str, long: bool) -> None:
    ask, runbook = d.note("ask").where(d), d.note("runbook").where(d)
    d.title("One host keeps the pager busy")
    d.say(
        f"{who} has found out where the pager noise comes from; the note is {ask}. Let us end it today.",
        f"The pager noise has to stop. {who} says {ask} what causes it.",
        f"Please take care of the pager noise that {who} reported; you can read about it {ask}.",
    )
    if long:
        rack = d.note("rack").where(d)
        d.say(f"Kenji lists {rack} what is in which rack.", f"For the racks there is Kenji's list, {rack}.")
    d.say(
        "Each monitor has a runbook of Sofia's, "
        f"{runbook}{d.stale('; she rewrites them, and the newest is in force')}.",
        "Sofia's runbook for that monitor tells you what to do; the runbooks are "
        f"{runbook}{d.stale(', and older versions do not count')}.",
    )
    if long:
        sheet = d.note("sheet").where(d)
        d.say(
            f"The sheets that it refers to are {sheet}.",
            f"If it sends you to a sheet: those are {sheet}.",
        )
    d.say(
        "Declare the incident as it says, and close every warning of the host that is firing now with the incident's "
        "id as the reason. Do not touch critical alerts.",
        "Declare one incident just as it is written there. Resolve all of the host's firing warnings, each with a "
        "note that gives the id of the incident; its critical alerts stay as they are.",
        "Do what it says: one incident, as bad as it is written there, and its id as the note on each warning of that "
        "host which you resolve. All that are firing, please, but no critical alert.",
    )
    log, tell = d.entry("log"), d.message("tell").how(d, who)
    d.say(
        f"Then leave {log.what(d)}: the incident's id, the address of whoever was called, and what is still firing "
        "there.",
        f"For the others, make {log.what(d)} with the incident's id, who was called (the mail address) and the "
        "alert of the host that is still firing.",
    )
    d.say(
        f"{sentence(tell)} with the same, how many alerts of the host are unresolved now, and {log.reference(d)}. "
        "Tell me the incident, the address and the number.",
        f"{sentence(tell)} with all of that, the number of its unresolved alerts and {log.reference(d)}. I want the "
        "id, the address and the number, too.",
    )
