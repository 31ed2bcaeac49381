"""Before the books close: what waits for approval goes out, then nothing is deployed until they are closed."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.roles import brands, but, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT
from tasks.places import calendar, ci
from tasks.places.rules import leave_noise, leave_rules

ELENA, DARIO, NILS, SOFIA, KENJI = (COLLEAGUES[place] for place in (4, 5, 9, 10, 11))

OUT = "The deployment that waited is approved with the number of its note, and runs in production."
FROZEN = "Production is frozen for exactly the time of the event, with the number of the note in the reason."

_CLOSES = ("close", "audit", "stocktake", "handover", "migration", "recount", "transfer", "cutover", "review")


@family(
    "freeze-for-the-books",
    area="operations",
    roles={
        "ask": but(WORD_LEFT, "calendar"),
        "calls": but(WORD_LEFT, "calendar"),
        "plans": ("calendar",),
        "works": ("ci",),
        "verdict": WORD_LEFT,
        "ledger": WORD_LEFT,
        "log": LOGGED,
        "tell": TOLD,
    },
    patterns=(
        "ask plans works verdict works log tell",
        "ask calls plans works verdict ledger works log tell",
    ),
    filed="log",
)
def freeze_for_the_books(d: Draft) -> None:
    """Finance needs an application to stand still during an event of the calendar, whose place is the pipeline. What
    waits for approval there has a note with an approval number; it is approved first, because the freeze would hold
    it back, and then production is frozen for exactly that time. Hard: events that are named alike, versions that
    differ in a digit, a number that was replaced, an order that matters, and another version in production
    afterwards.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([ELENA, DARIO])
    stem, prefix = brands(d, 2)
    titles = [f"{stem} {kind}" for kind in d.rng.sample(_CLOSES, many)]
    parts = d.rng.sample(("api", "worker", "portal", "feed", "mailer", "bridge", "agent", "viewer", "ledger"), many)
    pipelines = [f"{prefix.lower()}-{part}" for part in parts]
    major = d.rng.randint(2, 9)
    versions = [f"v{major}.{minor}.0" for minor in d.rng.sample(range(20, 90), many)]
    numbers, calls, ledgers = ([d.draw.code(code) for _ in titles] for code in ("APR", "CC", "LDG"))
    title, pipeline = d.fact("event", titles[0], titles[1]), d.fact("pipeline", pipelines[0], pipelines[2])
    version, number = d.fact("version", versions[0], versions[1]), d.fact("number", numbers[0], numbers[1])
    call = d.fact("call", calls[0], calls[1]) if long else calls[0]
    ledger = d.fact("ledger", ledgers[0], ledgers[1]) if long else ledgers[0]

    for place, name in enumerate(titles):
        starts = d.ago(-(3 + 2 * d.turn(place)), d.rng.randint(6, 14), 30)
        of = pipeline if place == 0 else pipelines[place]
        calendar.event(d, name, starts, minutes=60 * d.rng.randint(4, 9), calendar=calendar.OPERATIONS, place=of)
    for place, name in enumerate(pipelines):
        key = ci.pipeline(d, name, [ci.job("build", 40 + place)])
        to = ci.environment(d, key, "production", name, approvals=1)
        runs = []
        for turn in range(2):
            commit, made = f"{d.rng.randrange(16**10):010x}", d.ago(12 - 11 * turn, 8, 59 - d.turn(place))
            runs.append(ci.run(d, key, 1 + turn, "main", commit, "passed", [("build", 40, "passed", "")], created=made))
        ci.deployment(d, to, runs[0], f"v{major}.1.{place}", "deployed", 11)
        ci.deployment(d, to, runs[1], version if place == 0 else versions[place], "pending_approval", 1)
    pointer = f"under {call} in the closing list" if long else f"it is the {title}"
    d.note("ask").leave(
        d,
        title="Please hold still",
        text=d.rng.choice(
            (
                f"Nothing may move while the books are open, {pointer}. Last time a deployment cost us a night.",
                f"I need the shop quiet while the books are open, {pointer}. What is waiting can still go out before.",
            )
        ),
        by=who,
        days_ago=1,
    )
    for place, (one, name) in enumerate(zip(calls, titles, strict=True) if long else ()):
        what = title if place == 0 else name
        said = d.rng.choice((f"{one}: the {what}, as every year.", f"{one} stands for the {what}."))
        d.note("calls").leave(d, title=f"Closing {one}", text=said, by=who, days_ago=18 + d.turn(place))
    if long:
        leave_rules(
            d,
            d.note("verdict"),
            title="Tests of {word}",
            by=SOFIA,
            wordings=("{word} is tested; its approval is in ledger {ledger}.", "Tested {word}. See ledger {ledger}."),
            rules={one: {"ledger": ledger if n == 0 else ledgers[n]} for n, one in enumerate(versions)},
            older={"ledger": ledgers[-1]},
            of=versions[0],
        )
    keys = ledgers if long else versions
    leave_rules(
        d,
        d.note("ledger" if long else "verdict"),
        title="Approval of {word}",
        by=NILS,
        wordings=("{word} may go out, approval number {number}.", "Approved: {word}, under number {number}."),
        rules={one: {"number": number if n == 0 else numbers[n]} for n, one in enumerate(keys)},
        older={"number": numbers[-1]},
        of=keys[0],
    )
    leave_noise(d, d.note("ask"), KENJI)

    told = d.note("ask").find(d, "books are open")
    if long:
        told = d.note("calls").find(d, told.part(r"(CC-\d+)"))
    found = calendar.find(d, told.part(rf"the ({stem} \w+)"))
    starts_at, ends_at = found.at("data.items.0.start"), found.at("data.items.0.end")
    works = d.call("ci", "list_pipelines", query=found.at("data.items.0.location"))
    of = works.at("data.items.0.id")
    before = d.call("ci", "list_environments", pipeline_id=of, name="production")
    target = before.at("data.items.0.id")
    waiting = d.call("ci", "list_deployments", environment_id=target, status="pending_approval")
    note = d.note("verdict").find(d, waiting.at("data.items.0.version"))
    if long:
        note = d.note("ledger").find(d, note.part(r"(LDG-\d+)"))
    number_ = note.part(r"(APR-\d+)")
    d.act(
        OUT,
        "ci",
        "review_deployment",
        deployment_id=waiting.at("data.items.0.id"),
        decision="approve",
        comment=text("{number}", number=number_),
    )
    window = d.act(
        FROZEN,
        "ci",
        "create_freeze_window",
        environment_id=target,
        starts_at=starts_at,
        ends_at=ends_at,
        reason=text("Books, {number}.", number=number_),
    )
    after = d.call("ci", "list_environments", pipeline_id=of, name="production")
    runs_now, frozen = after.at("data.items.0.current_deployment.version"), window.at("data.id")
    kept = d.entry("log").add(
        d,
        "The freeze window and the version that runs meanwhile are on record for the day.",
        title=text("Nothing is deployed"),
        words=text("Window {frozen}, {version} runs.", frozen=frozen, version=runs_now),
        day=found.part("data.items.0.start", r"(\d{4}-\d\d-\d\d)"),
    )
    d.message("tell").send(
        d,
        f"{who.name} knows from when to when nothing moves, which version runs, and the record.",
        who,
        text(
            "Nothing moves from {start} on; {version} runs. See {kept}.", start=starts_at, version=runs_now, kept=kept
        ),
        about="Books",
    )
    d.answer("{version} runs, frozen by {frozen}.", version=runs_now, frozen=frozen)
    _say(d, called(who), long)


def _say(d: Draft, who: str, long: bool) -> None:
    ask, verdict = d.note("ask").where(d), d.note("verdict").where(d)
    d.title("Nothing moves while the books are open")
    d.say(
        f"{who} wants quiet while the books are open, the request is {ask}.",
        f"Finance asks that nothing moves while the books are open; read what {who} says {ask}.",
        f"While the books are open nothing may be deployed. {who} has written {ask} what it is about.",
    )
    if long:
        calls = d.note("calls").where(d)
        d.say(f"The closing list is {calls}.", f"For the closing list look {calls}.")
    d.say(
        "My Operations calendar gives the time and, as its place, the pipeline that is meant.",
        "The event is in my Operations calendar; instead of a room it gives the pipeline.",
        "My Operations calendar tells you when, and where others put a room it names the pipeline.",
    )
    d.say(
        "One deployment to production waits for my approval there. Sofia and Nils looked at it, so approve it before "
        "you freeze production, with the approval number as the comment.",
        "Before the freeze, approve what is waiting for production there and comment with nothing but its approval "
        "number.",
    )
    if long:
        ledger = d.note("ledger").where(d)
        d.say(
            f"Sofia notes for each version which ledger it is in ({verdict}), and the ledgers themselves are "
            f"{ledger}{d.stale('; where something was corrected, the newest note holds')}.",
            f"The ledger for a version is noted {verdict}, and what each ledger says is "
            f"{ledger}.{d.stale(' Mind that both have been corrected.')}",
        )
    else:
        d.say(
            f"Those numbers are {verdict}, by version{d.stale('; where one was corrected, the newest note holds')}.",
            f"Nils gives the number for each version {verdict}{d.stale(', and what he wrote last is right')}.",
        )
    d.say(
        "The freeze runs from the event's start to its end and gives the same number as its reason.",
        "Then freeze production from the beginning of the event to its end; the reason should name that number as "
        "well.",
        "Freeze it for as long as the event lasts, to the minute, and give that number as the reason.",
    )
    d.paragraph()
    log, tell = d.entry("log"), d.message("tell").how(d, who)
    d.say(
        f"Leave {log.what(d)} for that day with the freeze window's id and the version in production.",
        f"Make {log.what(d)} for the day of it: the id of the freeze window, and what runs in production meanwhile.",
    )
    d.say(
        f"{sentence(tell)} with when it begins, which version runs, and {log.reference(d)}. Tell me the version and "
        "the window's id.",
        f"{sentence(tell)} with the beginning, the version in production and {log.reference(d)}. I want the version "
        "and the window's id.",
    )
