"""An order does not go out after all: its goods leave the store they were held in, by the van that takes them."""

from __future__ import annotations

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, called, leave_each, sentence, strangers
from tasks.places import MESSAGES, inventory
from tasks.places.rules import leave_noise

FREED = "The reservation of the order that falls through is released, and no other."
MOVED = "The pieces that do not stay in Leeds are on their way to West Hall."
COUNTED = "A count of the article in Leeds is planned for the day that the rule gives, named after the entry."


@family(
    "order-falls-through",
    area="operations",
    roles={
        "word": DESK_NOTES,
        "case": DESK_NOTES,
        "stock": ("inventory",),
        "keeping": DESK_NOTES,
        "log": DESK_ENTRIES,
        "report": MESSAGES,
    },
    patterns=(
        "word stock keeping stock log stock report",
        "case word stock keeping stock log stock report",
    ),
)
def order_falls_through(d: Draft) -> None:
    """A customer calls an order off. What was held for it in Leeds is set free; how many pieces of that article Leeds
    keeps is a rule by article, the rest goes to West Hall, and Leeds counts the shelf some working days later, under
    the number of the entry that tells of it.

    Hard: customers and orders alike, several orders of the same customer, older rules, what is left is computed
    from a stock that the release has changed, working days.
    """
    asker, keeper = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    customer = d.draw.company()
    customers = [customer, *(d.draw.near(customer) for _ in range(size - 1))]
    cases = [d.draw.code("CL") for _ in range(size)]
    letters = "".join(d.rng.sample("BDHKRT", 2))
    orders, elsewhere = ([d.draw.code(letters) for _ in range(size)] for _ in range(2))
    skus, supplier = inventory.skus(d, size), strangers(d, 1, customer)[0]
    held, kept = [d.draw.count(24, 60) for _ in range(size)], [d.draw.count(31, 75) for _ in range(size)]
    shelves, waits = [d.draw.code("LS") for _ in range(size)], [d.draw.count(3, 13) for _ in range(size)]
    case = d.fact("call", cases[0], cases[1]) if long else cases[0]
    order = d.fact("order", orders[0], orders[1])
    article = d.fact("article", 0, 1)
    keep = d.fact("kept-back", kept[0], kept[0] + 3)
    wait = d.fact("working-days", waits[0], waits[0] + 2)
    product = d.draw.product().capitalize()
    colours = d.rng.sample(("black", "navy", "olive", "sand", "rust", "grey", "white", "moss", "plum"), size)
    products = []
    for n in range(size):
        free = d.rng.randint(80, 140)
        products.append(
            inventory.product(
                d,
                skus[n],
                f"{product}, {colours[n]}",
                supplier,
                levels={inventory.LEEDS: free + held[0] + held[1], inventory.WEST: d.rng.randint(5, 30)},
                held={inventory.LEEDS: held[n] if n > 1 else held[0] + held[1]},
            )
        )
    for n in range(size):
        which = products[article] if n == 0 else products[n]
        inventory.reservation(d, which, inventory.LEEDS, held[n], orders[n], customer, days_ago=3 + d.turn(n))
    if long:
        leave_each(
            d,
            "case",
            title="{word} called",
            by=asker,
            wordings=(
                "{word} were on the phone. What they want is written up as {case}.",
                "Call from {word}, see {case} for what it was about.",
                "I have put what {word} told us under {case}.",
            ),
            words=customers,
            values={"case": [case, *cases[1:]]},
            older={"case": d.draw.code("CL")},
        )
    leave_each(
        d,
        "word",
        title="Called off: {word}",
        by=asker,
        wordings=(
            "{word}: they do not want {order} any more, and there is nothing to argue about. Nothing of it has left.",
            "The upshot of {word} is that {order} is off. Everything else stands as agreed.",
            "{word} means for us that {order} will not be sent. It was not packed yet.",
        ),
        words=cases if long else customers,
        values={"order": [order, orders[3] if long else elsewhere[1], *elsewhere[2:]]},
        older={"order": orders[2]},
    )
    leave_each(
        d,
        "keeping",
        title="{word} in Leeds",
        by=keeper,
        wordings=(
            "{word}: Leeds keeps {kept} free pieces, the rest goes on the van. {days} working days later they count "
            "shelf {shelf}.",
            "Of {word} there should be {kept} free pieces in Leeds and no more. After the van has been, shelf {shelf} "
            "is "
            "counted, {days} working days on.",
        ),
        words=skus,
        values={"kept": [keep, *kept[1:]], "days": [wait, *waits[1:]], "shelf": shelves},
        older={"kept": f"{kept[0] - 6}", "days": f"{waits[0] + 1}", "shelf": shelves[1]},
    )
    leave_noise(d, d.note("keeping"), asker)

    said = d.note("case").find(d, customer).part(r"(CL-\d+)") if long else customer
    found = d.note("word").find(d, said)
    listed = d.call("inventory", "list_reservations", order_number=found.part(r"([A-KM-Z]{2}-\d{4})"))
    sku, product_id = listed.at("data.items.0.sku"), listed.at("data.items.0.product_id")
    before = inventory.by_sku(d, sku)
    rule = d.note("keeping").find(d, before.at("data.items.0.sku"))
    d.act(
        FREED,
        "inventory",
        "close_reservation",
        reservation_id=listed.at("data.items.0.id"),
        status="released",
    )
    freed = inventory.by_sku(d, sku)
    leeds = "data.items.0.levels.[warehouse_name=Leeds store]"
    lot = calc(
        "free - keep",
        free=freed.at(f"{leeds}.available"),
        keep=rule.part(r"(\d+) free pieces", number=True),
    )
    planned = d.act(
        MOVED,
        "inventory",
        "create_transfer",
        from_warehouse_id=freed.at(f"{leeds}.warehouse_id"),
        to_warehouse_id=freed.at("data.items.0.levels.[warehouse_name=West Hall].warehouse_id"),
        lines=[{"product_id": product_id, "quantity": lot}],
    )
    d.act(MOVED, "inventory", "set_transfer_status", transfer_id=planned.at("data.id"), status="in_transit")
    record = d.entry("log").add(
        d,
        "An entry says which transfer brings how many pieces to West Hall.",
        title=text("Pieces from Leeds"),
        words=text(
            "{lot} pieces come with {transfer}.",
            lot=planned.at("data.lines.0.quantity"),
            transfer=planned.at("data.id"),
        ),
    )
    count = d.act(
        COUNTED,
        "inventory",
        "create_stock_count",
        warehouse_id=freed.at(f"{leeds}.warehouse_id"),
        name=text("Shelf {shelf}, {record}", shelf=rule.part(r"shelf (LS-\d+)"), record=record),
        planned_on=calc(
            "business_days(today, wait)",
            today=d.start.date().isoformat(),
            wait=rule.part(r"(\d+) working days", number=True),
        ),
        product_ids=[product_id],
    )
    after = inventory.by_sku(d, sku)
    told = {"left": after.at(f"{leeds}.on_hand"), "day": count.at("data.planned_on"), "record": record}
    d.message("report").send(
        d,
        f"{keeper.name} knows what still lies in Leeds, when it is counted and where it is written down.",
        keeper,
        text("{left} pieces are left in Leeds; they are counted on {day}. See {record}.", **told),
        about="A shelf in Leeds",
    )
    d.answer("{left} pieces are left in Leeds, the count is on {day}, and {record} tells the rest.", **told)

    d.title(f"An order from {customer} falls through")
    first, log = called(keeper), d.entry("log")
    where = d.note("word").where(d)
    if long:
        d.say(
            f"{customer} rang; {called(asker)} has noted {d.note('case').where(d)} under which number the call is "
            "filed, "
            f"and what came of it is {where}.",
            f"There was a call from {customer}. Its number is {d.note('case').where(d)}, and the outcome is {where}.",
            f"{called(asker)} took a call from {customer} and filed it. The file's number is "
            f"{d.note('case').where(d)}; with it you will find the outcome {where}.",
        )
    else:
        d.say(
            f"{customer} have cancelled an order; {called(asker)} says {where} which one.",
            f"Bad news from {customer}: one of the orders is off. {called(asker)} wrote {where} which it is.",
            f"An order from {customer} will not go out after all. You will find {where} which one it is.",
        )
    d.say(
        "Set free what we hold for that order.",
        "What is reserved for it has to be released.",
        "Please let the reserved goods of that order go back on the shelf.",
    )
    d.say(
        f"Leeds then has more of the article than it should. {first} decides how many free pieces they keep of each "
        f"({d.note('keeping').where(d)}); send the surplus to West Hall, it can go straight on the van.",
        f"How many free pieces of an article Leeds may keep is laid down {d.note('keeping').where(d)}. Put everything "
        "above that on its way to West Hall now.",
        f"With that, Leeds has too much of it. {first}'s rule for the article ({d.note('keeping').where(d)}) says how "
        "many free pieces stay there; everything beyond goes to West Hall and should be on its way today.",
    )
    d.warn(
        "Rules are revised every few months, and the newest is in force.",
        "If something is noted more than once, the latest counts.",
        "Older notes on the same matter are void.",
    )
    d.paragraph()
    d.say(
        f"Say in {log.what(d)} how many pieces are coming and with which transfer. The rule also asks for a count "
        f"in Leeds, so many working days from today; its name should give the shelf and {log.reference(d)}.",
        f"I want {log.what(d)} that gives the transfer and its pieces. Then plan the count that the same rule asks "
        "for, "
        f"reckoned from today and for this article only, with the shelf and {log.reference(d)} in its name.",
        f"Please note the transfer and its number of pieces in {log.what(d)}. The rule also wants a count in Leeds "
        f"of this article alone, so many working days from today; name it with the shelf and {log.reference(d)}.",
    )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with what is left on hand in Leeds, the day of the count "
        f"and {log.reference(d)}. I want to hear the same.",
        f"In the end {d.message('report').how(d, first)}: pieces on hand in Leeds now, the day they count, and "
        f"{log.reference(d)}. Tell me these as well.",
        f"{first} runs that store, so {d.message('report').how(d, first)}: what is on hand there now, when they "
        f"count, and {log.reference(d)}. I need to know, too.",
    )
