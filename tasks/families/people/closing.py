"""A place is filled: those who are left are told no, but for one."""

from __future__ import annotations

from decimal import Decimal

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import recruiting
from tasks.places.rules import leave_noise, leave_rules

RUTH, HANA = COLLEAGUES[12], COLLEAGUES[6]
FORWARD = "The one who is to be kept applies for the opening that the pool leads to."
ENDED = "Every application that was still open is ended because the position is filled, with the file's mark."


@family(
    "place-is-filled",
    area="people",
    roles={
        "request": OFFICE_NOTES,
        "hiring": ("recruiting",),
        "pool": OFFICE_NOTES,
        "budget": OFFICE_NOTES,
        "file": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request hiring pool budget hiring log report",
        "request hiring pool budget file log hiring register report",
    ),
    filed="log",
)
def place_is_filled(d: Draft) -> None:
    """An opening needs nobody any more. Every active application is ended, no closed one is touched, and the person in
    the interview stage applies elsewhere: a remark names a pool, the pool a budget, the budget the other opening. Hard:
    openings with the same title, applications in three states, a pool that moved, writes over every matching record.
    """
    size = max(3, d.dials.alike) + 1
    long = d.pattern == 1
    post = d.rng.choice(("Cutter", "Dock Planner", "Loom Fitter", "Pattern Maker"))
    town = d.draw.company().split()[0]
    codes, targets, pools, budgets, files, marks = (
        [d.draw.code(prefix) for _ in range(size)] for prefix in ("REQ", "REQ", "PL", "BG", "FL", "SG")
    )
    code = d.fact("opening", codes[0], codes[1])
    pool = d.fact("pool", pools[0], pools[1])
    budget = d.fact("budget", budgets[0], budgets[1])
    target = d.fact("target", targets[0], targets[1])
    file = d.fact("file", files[0], files[1]) if long else files[0]
    mark = d.fact("mark", marks[0], marks[1])
    left = 2 + d.rng.randrange(2)

    pay = (Decimal(30000), Decimal(40000))
    d.note("request").leave(
        d,
        title=f"{post} for {town}",
        text=d.rng.choice(
            (
                f"{post} for {town}: the contract is signed, so {code} is done. Please tell the rest of them no.",
                f"We have our {post} for {town}. All that is still open on {code} can be ended; nobody else is needed.",
                f"The {post} for {town} starts in April. {code} needs no more people, and those who wait should "
                "hear it.",
            )
        ),
        by=RUTH,
        days_ago=1,
    )
    for place in range(size):
        recruiting.opening(d, targets[place], f"Second {post}", "London", salary=pay, currency="GBP", places=3)
        opening = recruiting.opening(d, codes[place], post, "London", salary=pay, currency="GBP", places=4)
        for number in range(left + (3 if place == 0 else d.beside.randint(1, 3))):
            who = recruiting.candidate(d, d.draw.person(), company=d.draw.company(), location="London")
            stage = ("interview", "screening", "applied", "screening")[min(number, 3)]
            status = "active" if number < left else ("rejected", "withdrawn", "rejected")[number - left]
            application = recruiting.application(d, opening, who, stage, status=status, days_ago=12 + number)
            if number == 0:
                told = d.rng.choice(("Too good to lose, into pool {}.", "Kept in pool {} whatever happens here."))
                named = told.format(pool if place == 0 else pools[place])
                recruiting.note(d, application, recruiting.HANA, named, days_ago=3)
    leave_rules(
        d,
        d.note("pool"),
        title="Pool {word}",
        by=HANA,
        wordings=("Whoever is in {word} is paid out of {budget} this year.", "{word} hangs on {budget} since January."),
        rules={name: {"budget": budget if n == 0 else budgets[n]} for n, name in enumerate(pools)},
        older={"budget": budgets[2]},
        of=pools[0],
    )
    ending = [
        f" Closing papers are in {file if n == 0 else name}."
        if long
        else f" Mark what is ended with {mark if n == 0 else marks[n]}."
        for n, name in enumerate(files)
    ]
    leave_rules(
        d,
        d.note("budget"),
        title="Budget {word}",
        by=RUTH,
        wordings=(
            "{word} has room for the opening {target} and for nothing else.{ending}",
            "The free place in {word} is {target}; put good people forward for that.{ending}",
        ),
        rules={
            name: {"target": target if n == 0 else targets[n], "ending": ending[n]} for n, name in enumerate(budgets)
        },
        older={"target": targets[2], "ending": ending[1] if long else f" Mark what is ended with {marks[2]}."},
        of=budgets[0],
    )
    leave_noise(d, d.note("pool"), HANA)

    seen = d.note("request").find(d, f"{post} for {town}")
    before = recruiting.find_opening(d, seen.part(r"(REQ-\d+)"))
    active = d.call("recruiting", "list_applications", opening_id=before.at("data.items.0.id"), status="active")
    # The latest comes first; the one to keep applied last of those who are left.
    kept = d.call("recruiting", "get_application", application_id=active.at("data.items.0.id"))
    person = kept.at("data.candidate_id")
    d.call("recruiting", "get_candidate", candidate_id=person)
    holds = d.note("pool").find(d, kept.part("data.notes.0.body", r"(PL-\d+)"))
    leads = d.note("budget").find(d, holds.part(r"(BG-\d+)"))
    goal: Template = leads.part(r"(REQ-\d+)")
    reason: Template = leads.part(r"(SG-\d+)") if not long else None
    if long:
        leave_rules(
            d,
            d.note("file"),
            title="File {word}",
            by=RUTH,
            wordings=(
                "What is ended in {word} is marked {mark}.",
                "{word} is open; the mark for its papers is {mark}.",
            ),
            rules={name: {"mark": mark if n == 0 else marks[n]} for n, name in enumerate(files)},
            older={"mark": marks[2]},
            of=files[0],
        )
        reason = d.note("file").find(d, leads.part(r"(FL-\d+)")).part(r"(SG-\d+)")
        entered = d.entry("log").add(
            d,
            "The closing is entered beforehand with mark and goal.",
            title=text(f"{post} for {town} is closed"),
            words=text("{mark}; one goes on to {goal}.", mark=reason, goal=goal),
        )
        reason = text("{mark}, see {entry}.", mark=reason, entry=entered)
    other = recruiting.find_opening(d, goal)
    d.act(
        FORWARD,
        "recruiting",
        "create_application",
        opening_id=other.at("data.items.0.id"),
        candidate_id=person,
    )
    for number in range(left):
        d.act(
            ENDED,
            "recruiting",
            "reject_application",
            application_id=active.at(f"data.items.{number}.id"),
            reason="position_filled",
            note=reason,
        )
    after = d.call("recruiting", "get_candidate", candidate_id=person)
    goes_to = after.at("data.applications.0.opening_code")
    record = d.entry("register" if long else "log").add(
        d,
        "The new application of the one who was kept is entered.",
        title=text(f"Kept: one of those for {town}"),
        words=text("{application} for {code}.", application=after.at("data.applications.0.id"), code=goes_to),
    )
    d.message("report").send(
        d,
        "Ruth knows the entry and the opening that the kept one applied for.",
        RUTH,
        text("Closed. One goes on to {code}, see {entry}.", code=goes_to, entry=record),
        about=f"{post} for {town}",
    )
    d.answer("{name} goes on to {code}.", name=after.at("data.name"), code=goes_to)
    _instruct(d, f"{post} for {town}", long)


def _instruct(d: Draft, post: str, long: bool) -> None:
    pool, budget, last = d.note("pool").where(d), d.note("budget").where(d), d.entry("log")
    d.title(f"Close the applications for the {post}")
    d.say(
        f"We have somebody for the {post}, and Ruth has asked me to wrap it up; you will find "
        f"{d.note('request').where(d)} which opening that is.",
        f"Ruth wants the opening for the {post} cleared. Her note about it is {d.note('request').where(d)}.",
        f"We have hired the {post}. Ruth wrote {d.note('request').where(d)} which opening can be closed now.",
    )
    d.say(
        "End every application there that is still active, because the position is filled. But put the one who got "
        "as far as the interview forward for another opening first.",
        "Everybody who is still active there gets a no, as the position is filled; before that, put whoever is in "
        "interviews forward for another opening.",
        "In Recruiting, put the person who had interviews forward for another opening, and then end all active "
        "applications on this one as filled, theirs included.",
    )
    d.say(
        f"A remark on that application names a talent pool. What each pool hangs on is noted {pool}, and the "
        f"budgets, which say where there is room, are {budget}.",
        f"Which opening it is follows from the pool in the remark on their application: each pool ({pool}) hangs on "
        f"a budget, and the budget ({budget}) names the opening.",
        "The other opening is the one with room in their pool's budget. The pool is named in a remark on the "
        f"application; the pools are {pool}, the budgets {budget}.",
    )
    d.warn(
        "Budgets move around in spring, so go by the newest note.",
        "What was noted earlier about the same no longer holds.",
        "If you find two notes about one of them, the later is right.",
    )
    if long:
        log, key, file = last.what(d), last.reference(d), d.note("file").where(d)
        last = d.entry("register")
        d.say(
            f"The budget also names a file with a mark ({file}). First make {log} with that mark and the other "
            f"opening, and give both the mark and {key} in the note of each application that you end.",
            f"First of all, put the mark of the budget's file, {file}, and the other opening into {log}. Every "
            f"application that ends gets the mark and {key} as its note.",
            f"The paperwork needs the mark of the file that goes with the budget; it is {file}. Before anything "
            f"else, enter it with the other opening in {log}, and write the mark and {key} into the note of every "
            "application you end.",
        )
    else:
        d.say(
            "The budget also has a mark, which belongs in the note of each application that you end.",
            "Write the mark that stands with the budget into the note of every application you end.",
            "Each ended application carries in its note the mark from the budget.",
        )
    d.paragraph()
    record, key, how = last.what(d), last.reference(d), d.message("report").how(d, "Ruth")
    d.say(
        f"Then I need {record} with the id of the new application and its opening's code, and {how}: that code and "
        f"{key}.",
        f"Enter the new application's id and the opening's code in {record}, and {how} with the code and {key}.",
        f"Make {record} that gives the id of the new application and the code of the opening. Then {how}; all she "
        f"needs is the code and {key}.",
    )
    d.say(
        "Tell me who was kept and for which opening.",
        "I want to hear the name and the opening's code, too.",
        "Tell me the person's name and the code of the opening.",
    )
