"""Working at home: what the sockets of a room used is claimed from the company."""

from __future__ import annotations

from decimal import Decimal

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.private import KEPT, TOLD, WORD_LEFT
from tasks.families.roles import brands, but, called
from tasks.places import expenses, home
from tasks.places.rules import leave_noise, leave_rules

ELENA, DARIO, RUTH = COLLEAGUES[4], COLLEAGUES[5], COLLEAGUES[12]

_ROOMS = ("Loft", "Annexe", "Studio", "Cabin", "Cellar", "Attic", "Veranda", "Porch", "Workshop", "Nook")


@family(
    "power-of-the-home-office",
    area="private life",
    roles={
        "ask": WORD_LEFT,
        "claims": ("expenses",),
        "meter": ("home",),
        "rate": WORD_LEFT,
        "sheet": WORD_LEFT,
        "log": but(KEPT, "home"),
        "tell": TOLD,
    },
    patterns=(
        "ask claims meter rate claims log tell",
        "ask claims meter rate sheet claims log tell",
    ),
    filed="log",
)
def power_of_the_home_office(d: Draft) -> None:
    """The company pays for the electricity of work at home. A colleague says which draft report waits for it; its
    purpose names sockets and days, their readings add up, and the make of the sockets has a rate. Hard: rooms and
    reports that are named alike, readings of other days, a rate that was raised, pounds in the claim and dollars in
    the report's total, which is new afterwards.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    clerk = d.rng.choice([ELENA, DARIO])
    rooms = d.rng.sample(_ROOMS, many)
    titles = [f"Home office {d.draw.code('HO')}" for _ in rooms]
    makes = [f"{name} Strip" for name in brands(d, many)]
    # Even pence and half kilowatt-hours: every claim is whole pence.
    rates = [Decimal(pence) / 100 for pence in d.rng.sample(range(24, 58, 2), many)]
    sheets = [d.draw.code("PS") for _ in rooms]
    merchants = [f"{name} Energy" for name in brands(d, many)]
    title, room = d.fact("report", titles[0], titles[1]), d.fact("room", rooms[0], rooms[1])
    make, rate = d.fact("make", makes[0], makes[1]), d.fact("rate", rates[0], rates[0] + Decimal("0.06"))
    sheet = d.fact("sheet", sheets[0], sheets[1]) if long else sheets[0]
    merchant = d.fact("merchant", merchants[0], merchants[2]) if long else merchants[0]
    first = d.rng.randint(18, 24)
    since, until = d.on(-first), d.on(-first + d.rng.randint(4, 8))

    for place, name in enumerate(rooms):
        key = home.device(d, f"{name} sockets", room=name, model=make if place == 0 else makes[place])
        for back in range(first + 3, first - 12, -1):
            home.reading(d, key, d.on(-back), d.rng.randint(3, 9) / 2)
        report = title_of = titles[place]
        purpose = f"Power of the {room if place == 0 else name} sockets at home from {since} to {until}."
        report = expenses.report(d, 310 + place, title_of, expenses.MARA, status="draft", purpose=purpose)
        bought = d.draw.amount(12, 19)
        expenses.line(d, report, "supplies", bought, "GBP", merchant="Paperhouse", text="Paper", day=d.on(-first))
    d.note("ask").leave(
        d,
        title="Your electricity claim",
        text=d.rng.choice(
            (
                f"Your electricity claim is still open: the report is called {title}, and the power itself is missing "
                "in it.",
                f"I cannot close the month because of your electricity claim. {title} has paper in it, but no power.",
            )
        ),
        by=clerk,
        days_ago=1,
    )
    named = " Which supplier to name is on sheet {sheet}." if long else ""
    leave_rules(
        d,
        d.note("rate"),
        title="Power with {word}",
        by=RUTH,
        wordings=(
            "Readings of {word} are trusted, so power is paid at GBP {rate} a kilowatt-hour." + named,
            "{word}: whoever works at home with these gets GBP {rate} a kilowatt-hour." + named,
        ),
        rules={
            name: {"rate": f"{rate if n == 0 else rates[n]:.2f}", "sheet": sheet if n == 0 else sheets[n]}
            for n, name in enumerate(makes)
        },
        older={"rate": "0.22", "sheet": sheets[-1]},
        of=makes[0],
    )
    if long:
        leave_rules(
            d,
            d.note("sheet"),
            title="Sheet {word}",
            by=RUTH,
            wordings=("{word}: the merchant on the line is {merchant}.", "By sheet {word} the merchant is {merchant}."),
            rules={code: {"merchant": merchant if n == 0 else merchants[n]} for n, code in enumerate(sheets)},
            older={"merchant": merchants[-1]},
            of=sheets[0],
        )
    leave_noise(d, d.note("ask"), RUTH)

    told = d.note("ask").find(d, "electricity claim").part(r"(Home office HO-\d+)")
    reports = d.call("expenses", "list_reports", query=told, status="draft")
    before = d.call("expenses", "get_report", report_id=reports.at("data.items.0.id"))
    sockets = d.call("home", "list_devices", query=before.part("data.purpose", r"the (\w+ sockets)"))
    used = d.call(
        "home",
        "list_energy_readings",
        device_id=sockets.at("data.items.0.id"),
        since=before.part("data.purpose", r"from (\d{4}-\d\d-\d\d)"),
        until=before.part("data.purpose", r"to (\d{4}-\d\d-\d\d)"),
    )
    rule = d.note("rate").find(d, sockets.at("data.items.0.model"))
    more = {}
    if long:
        more["merchant"] = (
            d.note("sheet").find(d, rule.part(r"sheet (PS-\d+)")).part(r"merchant (?:on the line )?is (.+?)\.")
        )
    categories = d.call("expenses", "list_categories", kind="receipt")
    claimed = d.act(
        "The power is claimed in the right report: kilowatt-hours of those days times the rate, in pounds.",
        "expenses",
        "create_expense",
        report_id=before.at("data.id"),
        category_id=categories.at("data.items.[name=Office and warehouse supplies].id"),
        spent_on=before.part("data.purpose", r"to (\d{4}-\d\d-\d\d)"),
        amount=calc(
            "round(used * rate, 2)", used=used.at("data.total_kwh"), rate=rule.part(r"GBP (0\.\d\d)", number=True)
        ),
        currency="GBP",
        **more,
    )
    after = d.call("expenses", "get_report", report_id=before.at("data.id"))
    amount, total = claimed.at("data.amount"), after.at("data.total_usd")
    kept = d.entry("log").add(
        d,
        "What was claimed and the report's new total are on record.",
        title=text("Power of the home office"),
        words=text("GBP {amount} claimed; the report comes to USD {total}.", amount=amount, total=total),
    )
    d.message("tell").send(
        d,
        f"{clerk.name} knows the claim, the report's new total and what it is filed as.",
        clerk,
        text("GBP {amount} for power are in, USD {total} in all. See {kept}.", amount=amount, total=total, kept=kept),
        about="Electricity claim",
    )
    d.answer("GBP {amount} claimed, the report comes to USD {total}.", amount=amount, total=total)
    _say(d, called(clerk), long)


def _say(d: Draft, clerk: str, long: bool) -> None:
    ask, rate = d.note("ask").where(d), d.note("rate").where(d)
    d.title("Claim the power of the home office")
    d.say(
        f"{clerk} is waiting for my electricity claim and has said {ask} which report it belongs in.",
        f"Before {clerk} asks a third time: my electricity claim. Which report it goes into is noted {ask}.",
        f"I have put off my electricity claim far too long. {clerk} told me {ask} which report it belongs in.",
    )
    d.say(
        "The report's purpose says which sockets at home it is for and on which days, both of these days included. "
        "Add up what they used in the home app and put it into that report in pounds, as office supplies, spent on "
        "the last of those days.",
        "Its purpose tells you the sockets at home and the days, first and last included; the home app knows what "
        "they used. One line in pounds, category office and warehouse supplies, dated on the last day.",
        "What it is for, and from which day to which, is in the purpose of the report. Take the total of those days "
        "(both ends count) from the home app, and enter it as one line of office and warehouse supplies, in pounds, "
        "spent on the last day.",
    )
    d.say(
        f"What is paid for a kilowatt-hour depends on the make of the sockets. Ruth announces it {rate}, and her "
        "latest word counts.",
        f"Ruth has set a rate for each make of sockets, {rate}{d.stale('; it went up lately, so mind the date')}.",
    )
    if long:
        sheet = d.note("sheet").where(d)
        d.say(
            "She also wants a certain merchant on the line: with the rate she names a sheet, and the sheets are "
            f"{sheet}; again her latest word counts.",
            f"The line needs a merchant as well, the one on the sheet that goes with the rate; the sheets are {sheet}, "
            "and the newest of each counts.",
        )
    d.paragraph()
    kept, tell = d.entry("log").what(d), d.message("tell").how(d, clerk)
    d.say(
        f"For my own papers I want {kept} with what was claimed in pounds and what the whole report comes to now in "
        "dollars.",
        f"Keep {kept} for me: the pounds of the claim, the dollars of the whole report with it.",
    )
    d.say(
        f"Then {tell}, with both sums and {d.entry('log').reference(d)}, and tell me both sums.",
        f"After that {tell} with the claim, the new total, and {d.entry('log').reference(d)}. I want the claim and "
        "the total, too. Do not hand the report in yet.",
        f"Finally {tell}: what I claimed, what the report comes to, and {d.entry('log').reference(d)}. The two sums "
        "are for me as well.",
    )
