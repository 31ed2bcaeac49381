"""A carrier that does not come: the consignment gets another label, and the customer's gate its booking number."""

from __future__ import annotations

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, called, leave_each, sentence
from tasks.places import MESSAGES, shipping
from tasks.places.rules import leave_noise

LABEL = "The consignment has a label of the carrier that the rule for its former carrier leads to."
PICKUP = "That carrier is booked to fetch it on the day that the rule gives."
_LEVELS = ("economy", "standard", "express", "freight")


@family(
    "carrier-does-not-come",
    area="operations",
    roles={
        "alarm": DESK_NOTES,
        "ship": ("shipping",),
        "rule": DESK_NOTES,
        "gate": DESK_NOTES,
        "log": DESK_ENTRIES,
        "report": MESSAGES,
    },
    patterns=("alarm ship rule ship gate log report", "alarm ship rule ship gate log ship report"),
    filed="log",
)
def carrier_does_not_come(d: Draft) -> None:
    """A driver has not come for a consignment that a colleague names. What happens then depends on the carrier whose
    label is on it: the rule gives a service level, at which the cheapest wins, and after how many working days the
    pickup is. The customer's gate wants a booking number; entry and pickup carry it.

    Hard: consignments whose numbers differ in one digit, five carriers with a rule each and older ones, the cheapest
    of a level, working days, a carrier and a price that the change makes stale.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    size = max(4, d.dials.alike + 1)
    numbers, customers = shipping.numbers(d, size), [d.draw.company() for _ in range(size)]
    town, *others = d.rng.sample(
        ("the mezzanine", "the glass gate", "the north ramp", "the old weighbridge", "the cold dock"), 4
    )
    carriers = [f"{d.draw.company().split()[0]} {kind}" for kind in ("Freight", "Parcel", "Couriers", "Haulage")]
    prices = d.rng.sample(range(4, 30), 16)
    sold = [
        shipping.carrier(
            d,
            name,
            {
                level: (f"{prices[4 * n + m]}.50", f"0.{d.rng.randint(25, 95)}", d.rng.randint(1, 6))
                for m, level in enumerate(_LEVELS)
            },
        )
        for n, name in enumerate(carriers)
    ]
    level, other = d.rng.sample(_LEVELS, 2)
    mine = d.rng.choice([one for one in _LEVELS if one not in (level, other)])
    number = d.fact("consignment", numbers[0], numbers[1])
    label = sold[d.fact("carrier", 0, 1)][mine]
    customer = d.fact("customer", customers[0], customers[1])
    used = d.fact("service-level", level, other)
    waits = [d.draw.count(2, 9) for _ in carriers]
    wait = d.fact("working-days", waits[0], waits[0] + 1)
    bookings = [d.draw.code("BK") for _ in range(size)]
    booking = d.fact("booking", bookings[0], bookings[1])
    for place, one in enumerate(customers):
        key, _ = shipping.address(d, d.draw.person(one))
        shipping.shipment(
            d,
            numbers[place],
            key,
            customer if place == 0 else one,
            contents=d.draw.product().capitalize() + "s",
            cartons=d.rng.randint(1, 3),
            label=label if place == 0 else sold[place % 4][mine],
            days_ago=2 + d.turn(place),
        )
    leave_each(
        d,
        "alarm",
        title="Still standing at {word}",
        by=asker,
        wordings=(
            "Nobody came to {word} for {number}, twice now. It is packed and labelled and just stands there.",
            "{number} is still at {word}. The driver never showed up and nobody answers the phone.",
            "Still waiting at {word} with {number}; the carrier says that they never had the booking.",
        ),
        words=[town, *others],
        values={"number": [number, *numbers[1:]]},
        older={"number": numbers[2]},
    )
    leave_each(
        d,
        "rule",
        title="When {word} do not come",
        by=boss,
        wordings=(
            "{word} left standing: give the label back, go {level} with whoever is cheapest at that level, and have it "
            "fetched in the morning {days} working days from today.",
            "If {word} let us down, we void their label, take the cheapest {level} that there is and book the pickup "
            "for "
            "the morning, {days} working days ahead.",
        ),
        words=carriers,
        values={"level": [used, *(_LEVELS[(n + 1) % 4] for n in range(1, 4))], "days": [wait, *waits[1:]]},
        older={"level": mine, "days": f"{waits[0] + 3}"},
    )
    leave_each(
        d,
        "gate",
        title="Deliveries to {word}",
        by=asker,
        wordings=(
            "The gate at {word} opens for booking {booking} only, whatever the driver says.",
            "{word}: all of March goes under booking {booking}; without it nobody gets past the barrier.",
        ),
        words=customers,
        values={"booking": [booking, *bookings[1:]]},
        older={"booking": d.draw.code("BK")},
    )
    leave_noise(d, d.note("rule"), asker)

    alarm = d.note("alarm").find(d, town)
    listed = shipping.by_number(d, alarm.part(r"([A-Z]{2}-\d{4})"))
    before = shipping.read(d, listed.at("data.items.0.id"))
    rule = d.note("rule").find(d, before.at("data.carrier_name"))
    shipment = before.at("data.id")
    d.act(LABEL, "shipping", "void_label", shipment_id=shipment)
    rates = d.call(
        "shipping",
        "list_rates",
        shipment_id=shipment,
        service_level=rule.part(r"(?:go|cheapest) (economy|standard|express|freight)"),
    )
    d.act(LABEL, "shipping", "buy_label", shipment_id=shipment, rate_id=rates.at("data.items.0.id"))
    after = shipping.read(d, shipment)
    booking_of = {
        "shipment_ids": [shipment],
        "pickup_date": calc(
            "business_days(today, wait)",
            today=d.start.date().isoformat(),
            wait=rule.part(r"(\d+) working days", number=True),
        ),
        "window": "morning",
    }
    pickup = None if d.pattern else d.act(PICKUP, "shipping", "create_pickup", **booking_of)
    gate = d.note("gate").find(d, after.at("data.customer"))
    booked = gate.part(r"(BK-\d+)")
    carrier, cost = after.at("data.carrier_name"), after.at("data.label_price")
    record = d.entry("log").add(
        d,
        "An entry gives the booking number of the gate and what the new label costs.",
        title=text(f"The consignment from {town}"),
        words=text("Booking {booked}. The new label costs GBP {cost}.", booked=booked, cost=cost),
    )
    if pickup is None:
        told = text("Gate booking {booked}, see {record}.", booked=booked, record=record)
        pickup = d.act(PICKUP, "shipping", "create_pickup", **booking_of, instructions=told)
    told = {"carrier": carrier, "day": pickup.at("data.pickup_date"), "pickup": pickup.at("data.id")}
    d.message("report").send(
        d,
        f"{asker.name} knows who comes for it on which day, the pickup's number, and where that is written down.",
        asker,
        text("{carrier} come on {day} in the morning, pickup {pickup}. See {record}.", **told, record=record),
        about=f"What stands at {town}",
    )
    d.answer("{carrier} fetch it on {day}, pickup {pickup}. The new label costs GBP {cost}.", **told, cost=cost)

    d.title(f"Another carrier for what stands at {town}")
    first, gates = called(asker), d.note("gate").where(d)
    d.say(
        f"A driver has not turned up at {town}; {first} left word {d.note('alarm').where(d)} about which "
        "consignment it is.",
        f"{first} is annoyed, and rightly: something was not collected at {town}. Which consignment it was is noted "
        f"{d.note('alarm').where(d)}.",
        f"We have goods stuck at {town} because a carrier did not come. Look at what {first} says "
        f"{d.note('alarm').where(d)}.",
    )
    d.say(
        f"We have agreed what to do for each carrier, and it is written down {d.note('rule').where(d)}. Please do "
        "that "
        "for this one.",
        f"Please handle it the way {called(boss)} laid down for that carrier ({d.note('rule').where(d)}): new label, "
        "new "
        "pickup, nothing else touched.",
        "Get it moving again, with label and pickup as our rule for this carrier says; you will find it "
        f"{d.note('rule').where(d)}. Leave whatever else is packed as it is.",
    )
    d.warn(
        "The rules were revised, and the newest holds.",
        "Of several notes about the same take the latest.",
        "There are older notes about some of that, which no longer count.",
    )
    d.paragraph()
    d.say(
        f"The customer it goes to only lets in lorries with a booking number, which we have {gates}. Put that number "
        "and "
        f"what the new label costs into {d.entry('log').what(d)}.",
        f"Then I want to see in {d.entry('log').what(d)} what the new label costs and the number under which the "
        f"customer's gate expects us; we keep those numbers {gates}.",
        f"Add {d.entry('log').what(d)} that says what we pay for the new label, and the gate's booking number of that "
        f"customer. You find it {gates}.",
    )
    if d.pattern:
        d.say(
            f"The driver has to know both the booking number and {d.entry('log').reference(d)}, so they belong in the "
            "instructions of the pickup.",
            f"Give the driver the booking number and {d.entry('log').reference(d)} in the pickup's instructions.",
            "In the instructions of the pickup the driver should find the booking number as well as "
            f"{d.entry('log').reference(d)}.",
        )
    d.say(
        f"Finally {d.message('report').how(d, first)} with who comes for it now, on which day, the id of the "
        f"pickup, and {d.entry('log').reference(d)}. Tell me the carrier, the day, the pickup and the price.",
        f"{sentence(d.message('report').how(d, first))} with the carrier who comes instead, the day, the pickup's id "
        "and "
        f"{d.entry('log').reference(d)}, and tell me who it is, when they come, as which pickup, and what it costs.",
        f"I owe {first} an answer, so {d.message('report').how(d, first)}: the carrier, the day, the pickup's id, "
        f"and {d.entry('log').reference(d)}. I want to know the carrier, the day, the pickup and the price.",
    )
