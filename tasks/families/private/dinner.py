"""Dinner: a table that has become too small, and its deposit."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring import Draft, calc, family, text
from tasks.families.private import KEPT, TOLD, WORD_LEFT
from tasks.families.roles import brands, called
from tasks.places import reservations
from tasks.places.rules import leave_noise, leave_rules

PRIYA, ELENA, HANA, RUTH = COLLEAGUES[2], COLLEAGUES[4], COLLEAGUES[6], COLLEAGUES[12]

_OCCASIONS = ("farewell dinner", "housewarming dinner", "engagement dinner", "reunion dinner")


@family(
    "bigger-table",
    area="private life",
    roles={
        "ask": WORD_LEFT,
        "circle": WORD_LEFT,
        "tables": ("reservations",),
        "list": WORD_LEFT,
        "voucher": WORD_LEFT,
        "diary": KEPT,
        "tell": TOLD,
    },
    patterns=(
        "ask tables list tables voucher tables tell",
        "ask circle tables list tables voucher tables diary tell",
    ),
    filed="diary",
)
def bigger_table(d: Draft) -> None:
    """A private dinner has more guests than its table. The booking is in somebody's name, its reference leads to the
    list of guests, and with the larger party the house wants a deposit, payable with the voucher that belongs to the
    house. Hard: namesakes with tables of their own, an older count, vouchers of other houses, an amount that only
    appears after the change.
    """
    many = d.dials.alike + 1
    occasion = d.rng.choice(_OCCASIONS)
    host = d.rng.choice([PRIYA, ELENA, HANA])
    holders = [d.draw.person()]
    while len(holders) < many:
        holders.append(_namesake(d, holders[0].name) if len(holders) < 3 else d.draw.person())
    references = [f"{d.rng.choice('BDKNPR')}{d.draw.count(10_000, 99_999)}" for _ in range(many + 1)]
    houses = [f"{name} {d.rng.choice(('Kitchen', 'Rooms', 'Table'))}" for name in brands(d, many)]
    rates = [str(d.rng.choice([10, 12, 15, 18, 20])) for _ in houses]
    codes = [d.draw.code("GV") for _ in houses]
    circles = [d.draw.code("CL") for _ in holders]

    holder = d.fact("holder", holders[0], holders[1])
    reference = d.fact("reference", references[0], references[-1])
    size = d.fact("guests", 9, 11) if d.rng.random() < 0.5 else d.fact("guests", 8, 12)
    house = d.fact("house", 0, 1)
    code = d.fact("voucher", codes[0], d.draw.code("GV"))
    circle = d.fact("circle", circles[0], circles[1]) if d.pattern == 1 else circles[0]

    places = [
        reservations.restaurant(d, name, per_guest=rate, cuisine=d.rng.choice(("italian", "french", "seafood")))
        for name, rate in zip(houses, rates, strict=True)
    ]
    for place, person in enumerate(holders):
        key = reservations.guest(d, person)
        at = places[house if place == 0 else place]
        starts = d.ago(-d.rng.randint(6, 20), d.rng.randint(17, 20))
        number = reference if place == 0 else references[place]
        reservations.booking(d, at, key, number, d.rng.randint(3, 4), starts, table=1)
        for age in range(d.dials.stale if place == 0 else 0):
            past = d.ago(20 + 9 * age, 19)
            old = f"W{d.draw.count(10_000, 99_999)}"
            reservations.booking(d, at, key, old, 4, past, status="finished", table=2)
    ask, guests, voucher, tell = d.note("ask"), d.note("list"), d.note("voucher"), d.message("tell")
    pointer = f"under {circle} in my contacts list" if d.pattern == 1 else f"in the name of {holder.name}"
    ask.leave(
        d,
        title=f"The {occasion}",
        text=d.rng.choice(
            (
                f"About the {occasion}: more of us are coming, so the table is too small. It is booked {pointer}.",
                f"Hurrah, the {occasion} grows! Somebody has to ask for a bigger table; we have it {pointer}.",
            )
        ),
        by=host,
        days_ago=1,
    )
    if d.pattern == 1:
        for place, (one, person) in enumerate(zip(circles, holders, strict=True)):
            name = holder.name if place == 0 else person.name
            said = d.rng.choice((f"{one} is {name}, reachable after five.", f"{one} is {name}; prefers a call."))
            d.note("circle").leave(d, title=f"Contact {one}", text=said, by=host, days_ago=30 + d.turn(place))
    leave_rules(
        d,
        guests,
        title="Who comes, {word}",
        by=host,
        wordings=(
            "For booking {word} we are {size} now, everybody has answered.",
            "The count for {word}, children included: we are {size} now.",
        ),
        rules={
            one: {"size": size if place in (0, many) else d.rng.randint(7, 14)} for place, one in enumerate(references)
        },
        older={"size": 6},
        of=references[0],
    )
    leave_rules(
        d,
        voucher,
        title="Voucher of {word}",
        by=RUTH,
        wordings=(
            "{word} gave us a voucher for deposits: quote {code} when paying.",
            "Deposits at {word} may be paid with our voucher; the payment reference is {code}.",
        ),
        rules={name: {"code": code if place == 0 else codes[place]} for place, name in enumerate(houses)},
        older={"code": d.draw.code("GV")},
        of=houses[0],
    )
    leave_noise(d, ask, RUTH)

    note = ask.find(d, occasion)
    if d.pattern == 1:
        name = d.note("circle").find(d, note.part(r"(CL-\d+)")).part(r"is (\w+ \w+)[,;]")
    else:
        name = note.part(r"name of (\w+ \w+)")
    known = d.call("reservations", "list_guests", query=name)
    found = d.call("reservations", "list_bookings", guest_id=known.at("data.items.0.id"), status="booked")
    key = found.at("data.items.0.id")
    d.call("reservations", "get_booking", booking_id=key)
    count = guests.find(d, found.at("data.items.0.reference")).part(r"we are (\d+) now", number=True)
    d.act(
        "The table is changed to the number of guests that counts.",
        "reservations",
        "update_booking",
        booking_id=key,
        party_size=count,
    )
    grown = d.call("reservations", "get_booking", booking_id=key)
    quoted = voucher.find(d, grown.at("data.restaurant_name")).part(r"(GV-\d+)")
    d.act(
        "The deposit of the larger table is paid with the house's voucher.",
        "reservations",
        "pay_deposit",
        booking_id=key,
        amount=calc("due - paid", due=grown.at("data.deposit"), paid=grown.at("data.deposit_paid")),
        payment_reference=quoted,
    )
    paid = d.call("reservations", "get_booking", booking_id=key)
    amount, table = paid.at("data.deposit_paid"), paid.at("data.table_name")
    last: dict[str, object] = {}
    if d.pattern == 1:
        by = paid.part("data.cancel_by", r"(\d{4}-\d\d-\d\d)")
        last["kept"] = d.entry("diary").add(
            d,
            "The last day on which the table can be cancelled free of charge is noted, with the deposit.",
            title=text(f"Last day to cancel the {occasion}"),
            words=text("GBP {amount} are paid for {table}.", amount=amount, table=table),
            day=by,
        )
    tell.send(
        d,
        f"{host.name} knows how many the table is for, which table it is and what was paid.",
        host,
        text(
            "We have {table} for {count} now, GBP {amount} paid." + (" Noted as {kept}." if last else ""),
            table=table,
            count=paid.at("data.party_size"),
            amount=amount,
            **last,
        ),
        about=f"The {occasion}",
    )
    d.answer("{table} for {count}; GBP {amount} paid.", table=table, count=paid.at("data.party_size"), amount=amount)
    _say(d, occasion, called(host))


def _say(d: Draft, occasion: str, host: str) -> None:
    long = d.pattern == 1
    ask, listed, voucher = (d.note(role).where(d) for role in ("ask", "list", "voucher"))
    d.title(f"A bigger table for the {occasion}")
    d.say(
        f"The {occasion} is growing and our table is too small. {host} wrote about it {ask}.",
        f"Can you sort out the table for the {occasion}? Look {ask} for what {host} says.",
        f"{host} wants a bigger table for the {occasion}: have a look {ask}.",
    )
    if long:
        circle = d.note("circle").where(d)
        d.say(
            f"The list of contacts that {host} means is {circle}; tables are booked in people's names.",
            f"People's names go by contact number there, and those are explained {circle}.",
        )
    d.say(
        f"{host} has put down {listed} how many we are now for each booking; an earlier count is worth nothing. "
        "Change ours to that number.",
        f"Change our booking to the number of people that is true today. {host} keeps the counts by booking "
        f"reference {listed}, and the newest one is right.",
    )
    d.say(
        f"A larger party may owe a deposit. If so, pay exactly what is due; Ruth has written down {voucher} which "
        "voucher to quote as the payment reference for which restaurant.",
        "If they want a deposit for that many, pay it in full and quote the right voucher as payment reference. Ruth "
        f"listed those {voucher}, by restaurant.",
        "More people may mean a deposit: then it has to be paid today, all of it, and Ruth's voucher for that "
        f"restaurant is the reference to give. You will find her vouchers {voucher}.",
    )
    d.paragraph()
    tell = d.message("tell").how(d, host)
    if long:
        what = d.entry("diary").what(d)
        d.say(
            f"I forget such things, so I need {what} for the last day on which we can still cancel for nothing, "
            "naming the table and the deposit.",
            f"Please add {what} for the last day of free cancellation, with the table and what we paid.",
        )
    more = f", and {d.entry('diary').reference(d)}" if long else ""
    d.say(
        f"In the end {tell} with the table, how many it is for, and what deposit was paid{more}. Tell me the first "
        "three as well.",
        f"Afterwards {tell} with the table, the number of people and the deposit{more}; I want to hear table, number "
        "and deposit as well.",
        f"Then {tell} with what we have now: the table, how many of us it is for, and the deposit{more}. I need the "
        "first three, too.",
    )


def _namesake(d: Draft, name: str) -> Person:
    other = d.draw.near(name)
    return Person(other, f"{other.lower().replace(' ', '.')}@mailbox.example", "", "")
