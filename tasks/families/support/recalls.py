"""A customer has goods of a recalled batch: they are exchanged for what the bulletin says, and the ticket is "
"answered."""

from __future__ import annotations

from tasks.authoring import Draft, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, sentence
from tasks.places import MESSAGES, retail, tickets
from tasks.places.rules import leave_noise

SWAPPED = "The recalled article of the order is exchanged for the one that the bulletin names, paid by the same means."
ANSWERED = (
    "The customer's ticket about that order is answered with the batch and the price difference, and waits for them."
)


@family(
    "recalled-article",
    area="support",
    roles={
        "file": DESK_NOTES,
        "word": DESK_NOTES,
        "shop": ("retail",),
        "bulletin": but(DESK_NOTES, "tickets"),
        "desk": ("tickets",),
        "log": but(DESK_ENTRIES, "tickets"),
        "report": MESSAGES,
    },
    patterns=(
        "word shop bulletin shop desk log report",
        "file word shop bulletin shop log desk report",
    ),
)
def recalled_article(d: Draft) -> None:
    """A customer of the shop with several orders has a bad one. A colleague knows in which order; the bulletin of its
    product names the article that replaces the recalled one and the batch. The exchange changes what the order
    costs, and the customer's ticket about that order is answered with it.

    Hard: orders and tickets of the same customer alike, bulletins of other products and older ones, a price difference
    that only the exchange shows.
    """
    asker, buyer = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    company = d.draw.company()
    customer = d.draw.person(company)
    numbers = retail.order_numbers(d, size)
    files, batches = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("CF", "BT"))
    customers = [customer.name, *(d.draw.near(customer.name) for _ in range(size - 1))]
    goods: dict[str, list[retail.Article]] = {}
    for one in retail.articles():
        if one.available:
            goods.setdefault(one.name, []).append(one)
    names = d.rng.sample([name for name, found in goods.items() if len(found) > 2], size)
    lots = [d.rng.sample(goods[name], 3) for name in names]
    number = d.fact("order", numbers[0], numbers[1])
    product = d.fact("product", 0, 1)
    instead = d.fact("replacement", lots[0][1].id, lots[0][2].id)
    filing = d.fact("file", files[0], files[1]) if long else files[0]
    priority = d.fact("priority", *d.rng.sample(("urgent", "high"), 2))
    batch = d.fact("batch", batches[0], batches[1])
    user, card, _ = retail.customer(d, customer)
    for n in range(size):
        sold = lots[product if n == 0 else n][0]
        retail.order(d, numbers[n], user, card, [sold])
        tickets.ticket(
            d,
            customer,
            d.rng.choice(("Please have a look", "Our last order", "Is this still right?", "A question about this one")),
            f"We have read that something may be wrong with what you sent under {numbers[n]}. What happens now?",
            created=d.ago(2 + d.turn(n), 10, 7),
            reference=numbers[n],
        )
    if long:
        leave_each(
            d,
            "file",
            title="{word} called",
            by=asker,
            wordings=(
                "Spoke with {word} about the labels. I put it on file as {file}.",
                "{word} has read about the recall; the talk is filed as {file}.",
            ),
            words=customers,
            values={"file": [filing, *files[1:]]},
            older={"file": d.draw.code("CF")},
        )
    elsewhere = [f"#W{d.rng.randint(81, 98)}{d.rng.randint(10000, 99999)}" for _ in range(size - 1)]
    leave_each(
        d,
        "word",
        title="{word} on the line",
        by=asker,
        wordings=(
            "{word} has one of the bad ones; I compared the labels, it is in order {number}.",
            "Went through everything with {word}. Only {number} is affected, the rest is fine.",
            "{word}: the label that was read out to me belongs to {number}.",
        ),
        words=files if long else customers,
        values={"number": [number, numbers[3] if long else elsewhere[0], *elsewhere[1:]]},
        older={"number": numbers[2]},
    )
    leave_each(
        d,
        "bulletin",
        title="Recall: {word}",
        by=buyer,
        wordings=(
            "Product {word} ({name}), batch {batch}: whoever has one gets article {instead} for it. Tickets about it "
            "have priority "
            "{priority}.",
            "Batch {batch} of product {word} ({name}) comes back. We send article {instead} instead; tickets get "
            "priority {priority}.",
        ),
        words=[lot[0].product_id for lot in lots],
        values={
            "name": names,
            "batch": [batch, *batches[1:]],
            "priority": [priority, *(("high", "urgent")[n % 2] for n in range(1, size))],
            "instead": [instead, *(lot[1].id for lot in lots[1:])],
        },
        older={"name": names[0], "batch": d.draw.code("BT"), "instead": lots[0][2].id, "priority": "normal"},
    )
    leave_noise(d, d.note("bulletin"), asker)

    filed = d.note("file").find(d, customer.name).part(r"(CF-\d+)") if long else customer.name
    word = d.note("word").find(d, filed)
    before = retail.read(d, word.part(r"(#W\d+)"))
    bulletin = d.note("bulletin").find(d, before.at("data.items.0.product_id"))
    d.act(
        SWAPPED,
        "retail",
        "exchange_delivered_order_items",
        order_id=before.at("data.order_id"),
        item_ids=[before.at("data.items.0.item_id")],
        new_item_ids=[bulletin.part(r"article (\d{10})")],
        payment_method_id=before.at("data.payment_history.0.payment_method_id"),
    )
    after = retail.read(d, before.at("data.order_id"))
    batch_read, difference = bulletin.part(r"(BT-\d+)"), after.at("data.exchange_price_difference")
    goal, title = "An entry gives the batch and the price difference.", text("Recall")
    words = text("Batch {batch}, difference {difference}.", batch=batch_read, difference=difference)
    record = d.entry("log").add(d, goal, title=title, words=words) if long else None
    listed = d.call("tickets", "list_tickets", reference=after.at("data.order_id"), status=["open"])
    ticket_id = listed.at("data.items.0.id")
    d.act(
        "The ticket has the priority that the bulletin gives.",
        "tickets",
        "update_ticket",
        ticket_id=ticket_id,
        priority=bulletin.part(r"priority (urgent|high)"),
    )
    answer = "It is batch {batch}. The exchange is arranged; the difference is {difference}."
    values = {"batch": batch_read, "difference": difference}
    if record is not None:
        answer, values = answer + " You can quote {record}.", values | {"record": record}
    d.act(
        ANSWERED,
        "tickets",
        "reply_to_ticket",
        output=True,
        ticket_id=ticket_id,
        body=text(answer, **values),
        then_status="pending",
    )
    due = tickets.read(d, ticket_id).at("data.resolution_due_at")
    if record is None:
        goal = "An entry gives the batch and the time by which the ticket is to be solved."
        words = text("Batch {batch}, to be solved by {due}.", batch=batch_read, due=due)
        record = d.entry("log").add(d, goal, title=title, words=words)
    told = {"difference": difference, "due": due, "record": record}
    said = "the difference is {difference}, the ticket is due by {due}, and it is all recorded as {record}."
    d.message("report").send(
        d,
        f"{asker.name} knows the price difference, the ticket's new time limit and where the case is recorded.",
        asker,
        text(said, **told),
        about=f"The recall and {customer.name}",
    )
    d.answer("The exchange is arranged: " + said, **told)

    d.title(f"A recalled article that {customer.name} bought")
    first, log, called_by = called(asker), d.entry("log"), customer.name
    where = d.note("word").where(d)
    if long:
        d.say(
            f"{called_by} called about the recall. {first} filed the call; its number is {d.note('file').where(d)}, "
            f"and which order it is about is noted {where}.",
            f"{first} talked to {called_by}, who has something that we are recalling; the file's number is "
            f"{d.note('file').where(d)}, and {where} you will find the order that belongs to it.",
            f"We have to help {called_by}, who owns something from a recall. {first} filed the call; look "
            f"{d.note('file').where(d)} for the number, and {where} for the order.",
        )
    else:
        d.say(
            f"{called_by} has bought something that we are recalling. {first} wrote down {where} which order it is in.",
            f"One of the orders of {called_by} in the shop is hit by a recall; {first} says {where} which.",
            f"Please help {called_by}: an article in one of the orders has been recalled. You will find {where} "
            "which order.",
        )
    d.say(
        f"Exchange it for the article that our bulletin for that product names ({d.note('bulletin').where(d)}), with "
        "the "
        "payment method the order was paid with.",
        f"Swap it as our recall bulletin for the product says; you will find it {d.note('bulletin').where(d)}. "
        "Settle any difference in price with the payment method of the order.",
        f"The product has a bulletin of its own, {d.note('bulletin').where(d)}. Arrange the exchange it asks for, and "
        "use the payment method of the order.",
    )
    d.warn(
        "Bulletins get replaced, so the newest about a product holds.",
        "What was noted twice has changed; the latest is right.",
        "Some of those notes replace older ones; go by the newest.",
    )
    d.paragraph()
    if long:
        d.say(
            f"Before you answer anybody, add {log.what(d)} with the batch and the price difference.",
            f"Then make {log.what(d)} that gives the batch and the price difference.",
            f"First of all note the batch and the price difference in {log.what(d)}.",
        )
    extra = f", name {log.reference(d)} in the reply so that they can quote it" if long else ""
    d.say(
        "There is a ticket about that order, too: give it the priority from the bulletin, answer with the "
        f"batch and the price difference{extra}, and set it to pending.",
        f"The help desk has a ticket about this order. Reply with the batch number and the difference in price{extra}, "
        "set it to pending, and see that it has the priority that the bulletin asks for.",
        "Then look for the ticket about that order. Give it the priority that the bulletin wants, answer with the "
        f"batch and the price difference{extra}, and leave it pending.",
    )
    if not long:
        what = "the batch and the time by which the ticket must be solved now"
        d.say(
            f"Then add {log.what(d)} with {what}.",
            f"I want {log.what(d)} that gives {what}.",
            f"After that note {what} in {log.what(d)}.",
        )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the difference, the ticket's time limit for solving as "
        f"it is now, and {log.reference(d)}. I need the same.",
        f"At the end {d.message('report').how(d, first)}: price difference, by when the ticket must be solved now, "
        f"{log.reference(d)}. Tell me these as well.",
        f"{first} follows all recalls, so {d.message('report').how(d, first)}: what the difference is, until when the "
        f"ticket must be solved now, and {log.reference(d)}. I want these three as well.",
    )
