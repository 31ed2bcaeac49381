"""A figure that is noted in one place and needed in another."""

from __future__ import annotations

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import called
from tasks.families.short.desk import ALONE, NOTES, ROLES, authors, finish, log, note


@family(
    "short-pieces",
    area="operations",
    short=True,
    roles={"order": NOTES, **ROLES},
    patterns=("order log report", "order log", ALONE),
)
def pieces(d: Draft) -> None:
    """A note says how many pieces a customer takes; others take other numbers."""
    orders, entry = note(d, "order"), log(d)
    writer, reader = authors(d, 2)
    names = [d.draw.company() for _ in range(d.dials.alike + 1)]
    counts = [d.draw.count(20, 480) for _ in names]
    many = d.fact("pieces", counts[0], counts[0] + 7)
    for place, (name, count) in enumerate(zip(names, [many, *counts[1:]], strict=True)):
        orders.leave(
            d,
            title=f"Call with {name}",
            text=f"{name} takes {count} pieces this month.",
            by=writer,
            days_ago=2 + d.turn(place),
        )
    found = orders.find(d, names[0]).part(r"takes (\d+) pieces", number=True)
    made = entry.add(
        d,
        "There is a new record of how many pieces are to be packed.",
        title=text("Pieces to pack"),
        words=text("Pack {many} pieces.", many=found),
    )
    d.title("Pieces to pack")
    d.say(
        f"{called(writer)} noted {orders.where(d)} how many pieces {names[0]} takes this month.",
        f"How many pieces {names[0]} takes this month is noted {orders.where(d)}.",
    )
    d.say(
        f"The packers need {entry.what(d)} with that number.",
        f"Please make {entry.what(d)} for the packers that says how many it is.",
    )
    finish(d, reader, made, "the number of pieces", "It is {many} pieces.", many=found)


@family(
    "short-sum",
    area="finance",
    short=True,
    roles={"goods": NOTES, "freight": NOTES, **ROLES},
    patterns=("goods freight log report", "goods freight log", ALONE),
)
def total(d: Draft) -> None:
    """A note gives the price of an order and its number, under which another one has the freight; both are paid."""
    goods, freight, entry = note(d, "goods"), note(d, "freight"), log(d)
    writer, carrier, reader = authors(d, 3)
    names = [d.draw.company() for _ in range(d.dials.alike + 1)]
    prices = [d.draw.amount(200, 900) for _ in names]
    costs = [d.draw.amount(20, 90) for _ in names]
    orders = [d.draw.code("PO") for _ in names]
    order = d.fact("order", orders[0], orders[1])
    price = d.fact("price", prices[0], prices[0] + 50)
    cost = d.fact("freight", costs[0], costs[0] + 8)
    for place, name in enumerate(names):
        goods.leave(
            d,
            title=f"Goods of {name}",
            text=f"The goods of {name} come to EUR {price if place == 0 else prices[place]}; it is order "
            f"{order if place == 0 else orders[place]}.",
            by=writer,
            days_ago=20 + d.turn(place),
        )
        freight.leave(
            d,
            title=f"Freight of {orders[place]}",
            text=f"The freight of {orders[place]} is EUR {cost if place == 0 else costs[place]}.",
            by=carrier,
            days_ago=2 + d.turn(d.dials.alike - place),
        )
    found = goods.find(d, f"goods of {names[0]}")
    second = freight.find(d, found.part(r"order (PO-\d+)")).part(r"EUR ([0-9.]+[0-9])", number=True)
    first = found.part(r"EUR ([0-9.]+[0-9]);", number=True)
    whole = calc("round(price + cost, 2)", price=first, cost=second)
    made = entry.add(
        d,
        "There is a new record of what has to be paid.",
        title=text("To be paid"),
        words=text("EUR {whole} with the freight.", whole=whole),
    )
    d.title("Goods and freight")
    d.say(
        f"What the goods of {names[0]} come to is noted {goods.where(d)}, with the number of the order. What the "
        f"freight of each order costs is noted {freight.where(d)}.",
        f"You will find the price of the goods of {names[0]} {goods.where(d)}. The freight is noted {freight.where(d)} "
        "by the number of the order.",
    )
    d.say(
        f"Add both up and make {entry.what(d)} with the sum.",
        f"I need {entry.what(d)} that says what both come to together.",
    )
    finish(d, reader, made, "the sum", "Together it is EUR {whole}.", whole=whole)


@family(
    "short-cheaper",
    area="operations",
    short=True,
    roles={"first": NOTES, "second": NOTES, **ROLES},
    patterns=("first second log report", "first second log", ALONE),
)
def cheaper(d: Draft) -> None:
    """Two firms have offered the same job in two places; the cheaper one gets it."""
    places, entry = (note(d, "first"), note(d, "second")), log(d)
    writer, other, reader = authors(d, 3)
    jobs = [d.draw.product() for _ in range(d.dials.alike + 1)]
    firms = [d.draw.company() for _ in places]
    tenders = [d.draw.code("TN") for _ in jobs]
    tender = d.fact("tender", tenders[0], tenders[1])
    prices = [d.draw.amount(300, 700) for _ in jobs]
    one = d.fact("first-offer", prices[0], prices[0] - 120)
    two = d.fact("second-offer", prices[0] - 40, prices[0] + 160)
    for place, job in enumerate(jobs):
        asked = one if place == 0 else prices[place]
        places[0].leave(
            d,
            title=f"{firms[0]}: {job}",
            text=f"For the {job} {firms[0]} asks EUR {asked}; "
            f"the tender is {tender if place == 0 else tenders[place]}.",
            by=writer,
            days_ago=20 + d.turn(place),
        )
        asked = two if place == 0 else prices[place] + 20
        places[1].leave(
            d,
            title=f"{firms[1]}: {tenders[place]}",
            text=f"In the tender {tenders[place]} {firms[1]} asks EUR {asked}.",
            by=other,
            days_ago=2 + d.turn(d.dials.alike - place),
        )
    first = places[0].find(d, f"{jobs[0]} {firms[0]}")
    second = places[1].find(d, first.part(r"tender is (TN-\d+)"))
    asks = {
        "one": first.part(r"EUR ([0-9.]+[0-9]);", number=True),
        "two": second.part(r"EUR ([0-9.]+[0-9])", number=True),
    }
    price = calc("min(one, two)", **asks)
    firm = calc(
        "first if one < two else second",
        **asks,
        first=first.part(f"For the {jobs[0]} (.+) asks"),
        second=second.part(r"tender TN-\d+ (.+) asks"),
    )
    made = entry.add(
        d,
        "There is a new record of who gets the order, and for how much.",
        title=text("Order to be placed"),
        words=text("{firm} gets it for EUR {price}.", firm=firm, price=price),
    )
    d.title("The cheaper offer")
    d.say(
        f"{firms[0]} and {firms[1]} have both made us an offer for the {jobs[0]}. The first, with the number of the "
        f"tender, is {places[0].where(d)}; what {firms[1]} ask in each tender is {places[1].where(d)}.",
        f"There are two offers for the {jobs[0]}. That of {firms[0]} is {places[0].where(d)} and gives the number of "
        f"the tender; under this you will find what {firms[1]} ask {places[1].where(d)}.",
    )
    d.say(
        f"The cheaper firm gets the order: make {entry.what(d)} with its name and its price.",
        f"Take the lower price and make {entry.what(d)} that says who it is and what they ask.",
    )
    finish(d, reader, made, "the firm and its price", "{firm} gets it for EUR {price}.", firm=firm, price=price)
