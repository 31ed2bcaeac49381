"""Something that is known of a customer, and what follows from it."""

from __future__ import annotations

from tasks.authoring import Draft, family, text
from tasks.families.roles import called
from tasks.families.short.desk import ALONE, NOTES, ROLES, authors, finish, log, note


@family(
    "short-class",
    area="finance",
    short=True,
    roles={"customer": NOTES, "rule": NOTES, **ROLES},
    patterns=("customer rule log report", "customer rule log", ALONE),
)
def credit_class(d: Draft) -> None:
    """A note says in which class a customer is; another one which credit limit customers of that class have."""
    customers, rules, entry = note(d, "customer"), note(d, "rule"), log(d)
    writer, ruler, reader = authors(d, 3)
    names = [d.draw.company() for _ in range(d.dials.alike + 1)]
    classes = [d.draw.code("CL") for _ in names]
    limits = [100 * d.draw.count(12, 95) for _ in names]
    which = d.fact("class", classes[0], classes[1])
    limit = d.fact("limit", limits[0], limits[0] + 300)
    for place, name in enumerate(names):
        customers.leave(
            d,
            title=f"{name}: credit",
            text=f"The credit check of {name} is done; they are in class {which if place == 0 else classes[place]}.",
            by=writer,
            days_ago=20 + d.turn(place),
        )
    for place, code in enumerate(classes):
        rules.leave(
            d,
            title=f"Limit of {code}",
            text=f"Customers of class {code} may owe us EUR {limit if place == 0 else limits[place]} at most.",
            by=ruler,
            days_ago=2 + d.turn(d.dials.alike - place),
        )
    found = customers.find(d, f"check of {names[0]}").part(r"in class (CL-\d+)")
    allowed = rules.find(d, found).part(r"owe us EUR (\d+)", number=True)
    made = entry.add(
        d,
        "There is a new record of the class and the credit limit.",
        title=text("Credit limit"),
        words=text("Class {found}, at most EUR {allowed}.", found=found, allowed=allowed),
    )
    d.title("Credit limit of a new customer")
    d.say(
        f"{called(writer)} has checked the credit of {names[0]} and noted their class {customers.where(d)}.",
        f"The class in which {names[0]} are for credit is noted {customers.where(d)}.",
    )
    d.say(
        f"How much customers of each class may owe us is noted {rules.where(d)}.",
        f"The limit of each class is noted {rules.where(d)}.",
    )
    d.say(
        f"Make {entry.what(d)} with the class and the limit.",
        f"Please make {entry.what(d)} that gives their class and their limit.",
    )
    finish(d, reader, made, "the limit", "They may owe us EUR {allowed}.", allowed=allowed)


@family(
    "short-code",
    area="sales",
    short=True,
    roles={"order": NOTES, **ROLES},
    patterns=("order log report", "order log", ALONE),
)
def booking(d: Draft) -> None:
    """A note gives the number under which a customer has ordered; others have numbers like it."""
    orders, entry = note(d, "order"), log(d)
    writer, reader = authors(d, 2)
    names = [d.draw.company() for _ in range(d.dials.alike + 1)]
    numbers = [d.draw.code("PO") for _ in names]
    number = d.fact("order", numbers[0], numbers[1])
    for place, name in enumerate(names):
        orders.leave(
            d,
            title=f"{name} has ordered",
            text=f"{name} gave us their order, it has the number {number if place == 0 else numbers[place]}.",
            by=writer,
            days_ago=2 + d.turn(place),
        )
    found = orders.find(d, names[0]).part(r"number (PO-\d+)")
    made = entry.add(
        d,
        "There is a new record of the order's number.",
        title=text("Order to be confirmed"),
        words=text("Confirm {found}.", found=found),
    )
    d.title("An order to be confirmed")
    d.say(
        f"{names[0]} have ordered; {called(writer)} noted under which number {orders.where(d)}.",
        f"The number under which {names[0]} have ordered is noted {orders.where(d)}.",
    )
    d.say(
        f"So that it is confirmed, make {entry.what(d)} with that number.",
        f"Somebody has to confirm it: make {entry.what(d)} that gives the number.",
    )
    finish(d, reader, made, "the order number", "It is {found}.", found=found)


@family(
    "short-day",
    area="support",
    short=True,
    roles={"visit": NOTES, **ROLES},
    patterns=("visit log report", "visit log", ALONE),
)
def visit(d: Draft) -> None:
    """A note says on which day a technician comes to a customer; a record is due on that day."""
    visits, entry = note(d, "visit"), log(d)
    writer, reader = authors(d, 2)
    names = [d.draw.company() for _ in range(d.dials.alike + 1)]
    days = [d.draw.day(4, 40) for _ in names]
    day = d.fact("day", days[0], days[1])
    for place, name in enumerate(names):
        visits.leave(
            d,
            title=f"Technician at {name}",
            text=f"The technician comes to {name} on {day if place == 0 else days[place]}.",
            by=writer,
            days_ago=2 + d.turn(place),
        )
    found = visits.find(d, f"comes to {names[0]}").part(r"on (\d{4}-\d\d-\d\d)")
    made = entry.add(
        d,
        "There is a new record that is due on the day of the visit.",
        title=text("The technician comes"),
        words=text("Let the technician in."),
        day=found,
    )
    d.title("The technician comes")
    d.say(
        f"The day on which the technician comes to {names[0]} is noted {visits.where(d)}.",
        f"{called(writer)} noted {visits.where(d)} on which day the technician comes to {names[0]}.",
    )
    d.say(
        f"Make {entry.what(d)} for that day, so that somebody lets them in.",
        f"Please make {entry.what(d)} for the same day, as a reminder.",
    )
    finish(d, reader, made, "the day", "They come on {found}.", found=found)
