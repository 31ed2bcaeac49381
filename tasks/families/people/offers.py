"""An offer that a candidate wants to be better."""

from __future__ import annotations

from decimal import Decimal

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import recruiting
from tasks.places.rules import leave_noise, leave_rules

ELENA, RUTH, HANA = COLLEAGUES[4], COLLEAGUES[12], COLLEAGUES[6]
REDRAFTED = "The old draft is withdrawn, and a new one meets the wish as far as its band allows."


@family(
    "better-offer",
    area="people",
    roles={
        "request": OFFICE_NOTES,
        "hiring": ("recruiting",),
        "wish": OFFICE_NOTES,
        "band": OFFICE_NOTES,
        "paper": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request hiring wish band hiring log report",
        "request hiring wish band paper log hiring register report",
    ),
    filed="log",
)
def better_offer(d: Draft) -> None:
    """A candidate's draft offer is too low. The offer names a wish, the wish a salary, a notice period and a band, the
    band how much of the gap we close and how long the offer stands; the draft is withdrawn and made anew. Hard: people
    from employers of nearly one name, a computed salary and two computed days, an old band, two writes in one order.
    """
    size = max(3, d.dials.alike) + 1
    long = d.pattern == 1
    post = d.rng.choice(("Cutter", "Dock Planner", "Loom Fitter", "Pattern Maker"))
    town = d.draw.company().split()[0]
    employers = [d.draw.company()]
    employers += [d.draw.near(employers[0]) for _ in range(size - 1)]
    wishes, bands, papers, marks = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("WS", "BD", "PP", "SG"))
    offers = d.rng.sample(range(121, 199), size)
    drafts = [d.draw.amount(31000, 33500, "250") for _ in range(size)]
    asked = [d.draw.amount(35000, 38000, "250") for _ in range(size)]
    weeks, shares = d.rng.sample(range(5, 20), size), d.rng.sample(range(20, 80, 5), size)
    standing = d.rng.sample(range(4, 18), size)
    employer = d.fact("employer", employers[0], employers[1])
    wish = d.fact("wish", wishes[0], wishes[1])
    draft = d.fact("draft-salary", drafts[0], drafts[0] + 500)
    wanted = d.fact("wanted", asked[0], asked[0] + 1000)
    notice = d.fact("notice", weeks[0], weeks[0] + 2)
    band = d.fact("band", bands[0], bands[1])
    share = d.fact("share", shares[0], shares[0] + 10)
    paper = d.fact("paper", papers[0], papers[1]) if long else papers[0]
    mark = d.fact("mark", marks[0], marks[1]) if long else marks[0]

    d.note("request").leave(
        d,
        title=f"{post} in {town}",
        text=d.rng.choice(
            (
                f"{post} in {town}: the person we want, now at {employer}, finds our offer too low. What was said "
                "on the telephone is written down with the draft.",
                f"We may lose the {post} in {town}. It is the one from {employer}; the wishes are kept, the draft "
                "tells you where.",
                f"The offer for the {post} in {town} has to be better. You know, the candidate from {employer}.",
            )
        ),
        by=RUTH,
        days_ago=1,
    )
    opening = recruiting.opening(
        d, d.draw.code("REQ"), post, town, salary=(Decimal(30000), Decimal(40000)), currency="GBP", places=size
    )
    for place in range(size):
        who = d.draw.person()
        key = recruiting.candidate(d, who, company=employers[place], location=town)
        application = recruiting.application(d, opening, key, "offer", days_ago=20 + d.turn(place))
        recruiting.offer(
            d,
            offers[place],
            application,
            draft if place == 0 else drafts[place],
            "GBP",
            starts=d.on(60),
            expires=d.on(12),
            note=f"Talked on the telephone, see {wish if place == 0 else wishes[place]}.",
        )
    leave_rules(
        d,
        d.note("wish"),
        title="Wishes, {word}",
        by=HANA,
        wordings=(
            "{word}: asks for {wanted} a year and has {weeks} weeks of notice. We look at it in band {band}.",
            "{word}: would come for {wanted} a year, after a notice of {weeks} weeks. The band is {band}.",
        ),
        rules={
            code: {
                "wanted": f"GBP {wanted if n == 0 else asked[n]:.2f}",
                "weeks": notice if n == 0 else weeks[n],
                "band": band if n == 0 else bands[n],
            }
            for n, code in enumerate(wishes)
        },
        older={"wanted": f"GBP {asked[0] - 750:.2f}", "weeks": weeks[0] + 1, "band": bands[2]},
        of=wishes[0],
    )
    ending = [f" Each offer in it needs a paper, {paper if n == 0 else code}." for n, code in enumerate(papers)]
    leave_rules(
        d,
        d.note("band"),
        title="Band {word}",
        by=ELENA,
        wordings=(
            "In {word} we close {share} percent of the gap between draft and wish. Such an offer stands for {days} "
            "working days.{ending}",
            "{word}: offers go up by {share} percent of the gap between our draft and the wish and stand for {days} "
            "working days.{ending}",
        ),
        rules={
            code: {
                "share": share if n == 0 else shares[n],
                "days": standing[n],
                "ending": ending[n] if long else "",
            }
            for n, code in enumerate(bands)
        },
        older={"share": shares[1], "days": standing[0] + 1, "ending": ending[1] if long else ""},
        of=bands[0],
    )
    leave_noise(d, d.note("wish"), HANA)

    seen = d.note("request").find(d, f"{post} in {town}")
    found = recruiting.find_candidate(d, seen.part(rf"({employers[0].split()[0]} [A-Z]\w+)"))
    application_id = found.at("data.applications.0.id")
    before = d.call("recruiting", "get_application", application_id=application_id)
    told = d.note("wish").find(d, before.part("data.offers.-1.note", r"(WS-\d+)"))
    rule = d.note("band").find(d, told.part(r"(BD-\d+)"))
    today = d.start.date().isoformat()
    salary = calc(
        "round(old + (new - old) * share / 100, 2)",
        old=before.at("data.offers.-1.salary"),
        new=told.part(r"GBP ([0-9.]+[0-9])", number=True),
        share=rule.part(r"(\d+) percent", number=True),
    )
    reason = text("For {wish}.", wish=before.part("data.offers.-1.note", r"(WS-\d+)"))
    if long:
        leave_rules(
            d,
            d.note("paper"),
            title="Paper {word}",
            by=ELENA,
            wordings=("{word} is signed; its mark is {mark}.", "The mark of {word} is {mark}, signed last week."),
            rules={code: {"mark": mark if n == 0 else marks[n]} for n, code in enumerate(papers)},
            older={"mark": marks[2]},
            of=papers[0],
        )
        signed = d.note("paper").find(d, rule.part(r"(PP-\d+)"))
        entered = d.entry("log").add(
            d,
            "The new salary is entered beforehand with the paper's mark.",
            title=text(f"{post} in {town}: a better offer"),
            words=text("GBP {salary}, {mark}.", salary=salary, mark=signed.part(r"(SG-\d+)")),
        )
        reason = text("See {entry}.", entry=entered)
    d.act(REDRAFTED, "recruiting", "update_offer_status", offer_id=before.at("data.offers.-1.id"), status="withdrawn")
    d.act(
        REDRAFTED,
        "recruiting",
        "create_offer",
        application_id=application_id,
        salary=salary,
        start_date=calc("days(today, 7 * weeks)", today=today, weeks=told.part(r"(\d+) weeks", number=True)),
        expires_on=calc("business_days(today, count)", today=today, count=rule.part(r"(\d+) working", number=True)),
        note=reason,
    )
    after = d.call("recruiting", "get_application", application_id=application_id)
    number = after.at("data.offers.-1.number")
    record = d.entry("register" if long else "log").add(
        d,
        "The new offer's number is entered with the salary.",
        title=text(f"New offer, {post} in {town}"),
        words=text("{number}: GBP {salary}.", number=number, salary=after.at("data.offers.-1.salary")),
    )
    d.message("report").send(
        d,
        "Elena knows the entry and the number of the new offer.",
        ELENA,
        text("The new draft is {number}, see {entry}.", number=number, entry=record),
        about=f"{post} in {town}",
    )
    d.answer(
        "{number} offers GBP {salary} from {start}, until {expires}.",
        number=number,
        salary=after.at("data.offers.-1.salary"),
        start=after.at("data.offers.-1.start_date"),
        expires=after.at("data.offers.-1.expires_on"),
    )
    _instruct(d, f"{post} in {town}", long)


def _instruct(d: Draft, post: str, long: bool) -> None:
    wish, band, last = d.note("wish").where(d), d.note("band").where(d), d.entry("log")
    d.title(f"A better offer for the {post}")
    d.say(
        f"We are about to lose the candidate for the {post}. Ruth says {d.note('request').where(d)} which one it is.",
        f"Our offer for the {post} is too low. Ruth explains {d.note('request').where(d)} which candidate it is about.",
        f"Please improve an offer for me. It is for the {post}, and the candidate is the one Ruth writes about "
        f"{d.note('request').where(d)}.",
    )
    d.say(
        f"The draft in Recruiting names the wishes that the candidate had ({wish}), and these say in which band we "
        f"look at it; the bands are {band}.",
        f"The wishes are {wish}, under the code in our draft. They name a band, and how far we go depends on that; "
        f"the bands are {band}.",
        f"In the draft you see where the wishes are kept, {wish}. They name a band, and the band ({band}) says how "
        "far we may go.",
    )
    d.warn(
        "Both have been revised since they were first noted, so the newest counts.",
        "Candidates change their minds and bands are redrawn, so take the latest of each.",
        "Where one of them is noted twice, the newer note is right.",
    )
    d.say(
        "Withdraw the draft and make a new one. The salary closes the band's share of the gap, the person begins "
        "as many weeks from today as the notice lasts, and the offer ends after the band's working days, counted "
        "from today.",
        "Withdraw the old draft and write a new one: our salary plus the band's share of the difference, starting "
        "when their notice is over if they hand it in today, and open for the band's number of working days from "
        "today.",
        "I want the present draft withdrawn and replaced by one that adds the band's share of what is missing. It "
        "starts once the notice period has passed, counting from today, and expires when the band's working days "
        "are over, also from today.",
    )
    if long:
        log, key, paper = last.what(d), last.reference(d), d.note("paper").where(d)
        last = d.entry("register")
        d.say(
            f"The band asks for a paper ({paper}). Put its mark and the new salary into {log} first, and name "
            f"{key} in the note of the offer.",
            f"Before you do it, make {log} with the new salary and the mark of the band's paper, which is {paper}. "
            f"The offer's note refers to it by {key}.",
            f"First comes {log}: the new salary and the mark of the paper that goes with the band, {paper}. Then "
            f"mention {key} in the note of the new offer.",
        )
    else:
        d.say(
            "The note of the new offer names the code of the wishes, as before.",
            "Let its note give the code of the wishes again.",
            "Mention the code of the wishes in the note of the new draft.",
        )
    d.paragraph()
    record, key, how = last.what(d), last.reference(d), d.message("report").how(d, "Elena")
    d.say(
        f"Then make {record} with the number of the new offer and its salary, and {how}: that number and {key}. "
        "She will approve it.",
        f"Elena has to approve it, so make {record} with offer number and salary and {how} with the number and {key}.",
        f"Leave {record} that gives the number and the salary of the new offer. After that {how}; she needs the "
        f"offer's number and {key}.",
    )
    d.say(
        "Tell me the number, the salary, the first day and the day on which it ends.",
        "I would like to hear the new number, the salary and the two dates.",
        "I need the number, the salary, the first day and the last day of the offer.",
    )
