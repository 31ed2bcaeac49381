"""Payments that repeat: a supplier raises the price, and the contract says how much of that is ours."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import banking
from tasks.places.rules import leave_noise, leave_rules

DARIO, ELENA, HANA = COLLEAGUES[5], COLLEAGUES[4], COLLEAGUES[6]
REPLACED = "The old standing order is ended and one with the new amount takes its place on the same day."


@family(
    "standing-order-rises",
    area="finance",
    roles={
        "request": OFFICE_NOTES,
        "bank": ("banking",),
        "contract": OFFICE_NOTES,
        "letter": OFFICE_NOTES,
        "tariff": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request bank contract letter bank log report",
        "request bank contract letter tariff bank log register report",
    ),
    filed="log",
)
def standing_order_rises(d: Draft) -> None:
    """A monthly service gets dearer. The standing order carries the contract's code, the contract the share of a rise
    that is ours and the letter that counts, the letter (or the tariff in it) the new price. Hard: suppliers of nearly
    one name, letters of other years, a share to compute, two writes that belong together; the amount is another then.
    """
    size = max(3, d.dials.alike) + 1
    currency, what = d.rng.choice(["GBP", "EUR"]), d.rng.choice(("cold store", "van fleet", "alarm service", "archive"))
    town = d.draw.company().split()[0]
    supplier = d.draw.company()
    suppliers = [supplier, *(d.draw.near(supplier) for _ in range(size - 1))]
    contracts, letters, tariffs = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("SV", "LT", "TF"))
    olds = [d.draw.amount(240, 390, "1") for _ in range(size)]
    news = [d.draw.amount(420, 690, "1") for _ in range(size)]
    shares = d.rng.sample(range(20, 85, 5), size)
    firm = d.fact("supplier", suppliers[0], suppliers[1])
    contract = d.fact("contract", contracts[0], contracts[1])
    old = d.fact("old-amount", olds[0], olds[0] + 20)
    letter = d.fact("letter", letters[0], letters[1])
    share = d.fact("share", shares[0], shares[0] + 5)
    tariff = d.fact("tariff", tariffs[0], tariffs[1]) if d.pattern else tariffs[0]
    new = d.fact("new-price", news[0], news[0] + 40)

    d.note("request").leave(
        d,
        title=f"The {what} at {town}",
        text=d.rng.choice(
            (
                f"The {what} at {town} is run by {firm} these days. They wrote that it becomes dearer, and our "
                "standing order still pays the old price.",
                f"About the {what} at {town}: since the sale it belongs to {firm}. The price goes up with the next "
                "payment, so somebody has to change what we send every month.",
                f"{firm} took over the {what} at {town}. Their price rises; our monthly payment does not know that "
                "yet.",
            )
        ),
        by=d.rng.choice([DARIO, HANA]),
        days_ago=1,
    )
    for place, name in enumerate(suppliers):
        key = banking.payee(d, name, banking.account_number(d, banking.COUNTRIES[currency]), currency)
        banking.standing_order(
            d,
            key,
            old if place == 0 else olds[place],
            currency,
            reference=contract if place == 0 else contracts[place],
            frequency="monthly",
            day=d.draw.day(8, 26),
        )
    leave_rules(
        d,
        d.note("contract"),
        title="Service contract {word}",
        by=ELENA,
        wordings=(
            "{word}: if the price rises we bear {share} percent of the rise and they the rest. What counts is "
            "{letter}.",
            "Under {word} only {share} percent of a rise is ours; the rest is theirs. See {letter} for the price "
            "they ask.",
        ),
        rules={
            code: {
                "share": share if place == 0 else shares[place],
                "letter": letter if place == 0 else letters[place],
            }
            for place, code in enumerate(contracts)
        },
        older={"share": shares[1], "letter": letters[2]},
        of=contracts[0],
    )
    named = [f"tariff {tariff if place == 0 else code}" for place, code in enumerate(tariffs)]
    prices = [f"{currency} {new if place == 0 else price:.2f}" for place, price in enumerate(news)]
    asked = named if d.pattern else prices
    leave_rules(
        d,
        d.note("letter"),
        title="Letter {word}",
        by=DARIO,
        wordings=(
            "{word} came in and is filed: from the next payment on they ask {asked} a month.",
            "In {word} they write that we pay {asked} each month, beginning with the next payment.",
        ),
        rules={code: {"asked": asked[place]} for place, code in enumerate(letters)},
        older={"asked": asked[1]},
        of=letters[0],
    )
    leave_noise(d, d.note("request"), DARIO)

    seen = d.note("request").find(d, f"{what} at {town}")
    payees = banking.find_payee(d, seen.part(rf"({supplier.split()[0]} [A-Z]\w+)"))
    payee = payees.at("data.items.0.id")
    before = d.call("banking", "list_standing_orders", payee_id=payee, status="active")
    order = before.at("data.items.0.id")
    terms = d.note("contract").find(d, before.at("data.items.0.reference"))
    price = d.note("letter").find(d, terms.part(r"(LT-\d+)"))
    if d.pattern:
        leave_rules(
            d,
            d.note("tariff"),
            title="Tariff {word}",
            by=ELENA,
            wordings=("{word} costs {price} a month.", "The monthly price under {word} is {price}."),
            rules={code: {"price": prices[place]} for place, code in enumerate(tariffs)},
            older={"price": prices[2]},
            of=tariffs[0],
        )
        price = d.note("tariff").find(d, price.part(r"(TF-\d+)"))
    d.act(REPLACED, "banking", "cancel_standing_order", standing_order_id=order)
    d.act(
        REPLACED,
        "banking",
        "create_standing_order",
        account_id=before.at("data.items.0.account_id"),
        payee_id=payee,
        amount=calc(
            "round(old + (new - old) * share / 100, 2)",
            old=before.at("data.items.0.amount"),
            new=price.part(r"[A-Z]{3} ([0-9.]+[0-9])", number=True),
            share=terms.part(r"(\d+) percent", number=True),
        ),
        frequency=before.at("data.items.0.frequency"),
        next_on=before.at("data.items.0.next_on"),
        reference=before.at("data.items.0.reference"),
    )
    after = d.call("banking", "list_standing_orders", payee_id=payee, status="active")
    amount = after.at("data.items.0.amount")
    record = d.entry("log").add(
        d,
        "The new monthly amount is on record, with the id of the new standing order.",
        title=text(f"New price for the {what} at {town}"),
        words=text("{amount} a month by {order}.", amount=amount, order=after.at("data.items.0.id")),
    )
    year = calc("12 * amount", amount=amount)
    if d.pattern:
        record = d.entry("register").add(
            d,
            "The yearly cost is on record, with the id of the record before.",
            title=text(f"Yearly cost of the {what} at {town}"),
            words=text("{year} a year, see {entry}.", year=year, entry=record),
        )
    d.message("report").send(
        d,
        "Elena knows what it costs a year and the last record.",
        ELENA,
        text("The new price costs us {year} a year, see {entry}.", year=year, entry=record),
        about=f"The {what} at {town}",
    )
    d.answer("We pay {amount} a month now, {year} a year.", amount=amount, year=year)
    _instruct(d, f"{what} at {town}")


def _instruct(d: Draft, service: str) -> None:
    contract, letter, how = (
        d.note("contract").where(d),
        d.note("letter").where(d),
        d.message("report").how(d, "Elena"),
    )
    d.title(f"A new standing order for the {service}")
    d.say(
        f"The {service} is getting more expensive. Who runs it now is noted {d.note('request').where(d)}.",
        f"We still pay the old price for the {service}; look {d.note('request').where(d)} for whom we pay there.",
        f"Our payment for the {service} has to change; somebody wrote about it {d.note('request').where(d)}.",
    )
    d.say(
        f"Their contract ({contract}) limits our share of a rise and says which letter counts; the letters are "
        f"{letter}.",
        f"We do not have to pay all of the rise: the contract, {contract}, gives our share and tells you which of "
        f"their letters ({letter}) holds.",
        f"Read the contract first; it is {contract}. It gives our share of a rise and the letter that counts, and "
        f"the letters are {letter}.",
    )
    if d.pattern:
        tariff = d.note("tariff").where(d)
        d.say(
            f"Letters only name a tariff. What each tariff costs is {tariff}.",
            f"The letter names a tariff rather than a price; the prices of the tariffs are {tariff}.",
            f"For the price behind a tariff look {tariff}.",
        )
    d.warn(
        "They have changed their papers before; the newest of each counts.",
        "Of several versions the latest is in force.",
        "Mind the dates: what was agreed earlier no longer holds.",
    )
    d.say(
        "End the standing order and set up another for the new amount. Everything else stays the same: account, "
        "reference, rhythm and the day of the next payment.",
        "Replace the standing order in Banking; only the amount changes, all the rest (next day, rhythm, reference, "
        "account) stays.",
        "In Banking, end the present order and set up a new one with the new amount and everything else as it was, "
        "including the next date.",
    )
    d.paragraph()
    log = d.entry("log").what(d)
    d.say(
        f"Write the new monthly sum and the id of the new standing order into {log}.",
        f"I want {log} with the new sum per month and the new order's id.",
        f"Leave {log}, too, with the id of the new order and the new amount.",
    )
    last = d.entry("log").reference(d)
    if d.pattern:
        register = d.entry("register").what(d)
        key, last = last, d.entry("register").reference(d)
        d.say(
            f"Controlling wants {register} with the cost of a whole year and {key}.",
            f"Then add {register} that has twelve months' cost and {key}, so that the two are found together.",
            f"What twelve months cost goes into {register}, along with {key}.",
        )
    d.say(
        f"Then {how}: {last} and what we pay in a year now. Tell me the monthly and the yearly sum as well.",
        f"And {how} with {last} and the cost of a year. I need both sums, a month's and a year's.",
        f"In the end {how}; she needs {last} and the yearly cost. I would like to hear the sum per month and per year.",
    )
