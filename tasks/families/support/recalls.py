"""A customer has goods of a recalled batch: they are exchanged for what the bulletin says, and the ticket is "
"answered."""

from __future__ import annotations

from tasks.authoring import Draft, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, called, leave_each, sentence
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
        "word": DESK_NOTES,
        "shop": ("retail",),
        "bulletin": tuple(name for name in DESK_NOTES if name != "tickets"),
        "desk": ("tickets",),
        "log": tuple(name for name in DESK_ENTRIES if name != "tickets"),
        "report": MESSAGES,
    },
    patterns=(
        "word shop bulletin shop desk log report",
        "word shop bulletin shop desk log desk report",
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
    numbers, batches = retail.order_numbers(d, size), [d.draw.code("BT") for _ in range(size)]
    goods: dict[str, list[retail.Article]] = {}
    for one in retail.articles():
        if one.available:
            goods.setdefault(one.name, []).append(one)
    names = d.rng.sample([name for name, found in goods.items() if len(found) > 2], size)
    lots = [d.rng.sample(goods[name], 3) for name in names]
    number = d.fact("order", numbers[0], numbers[1])
    product = d.fact("product", 0, 1)
    instead = d.fact("replacement", lots[0][1].id, lots[0][2].id)
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
            created=d.ago(2 + n, 10, 7),
            reference=numbers[n],
        )
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
        words=[customer.name, *(d.draw.near(customer.name) for _ in range(size - 1))],
        values={
            "number": [number, *(f"#W{d.rng.randint(81, 98)}{d.rng.randint(10000, 99999)}" for _ in range(size - 1))]
        },
        older={"number": numbers[2]},
    )
    leave_each(
        d,
        "bulletin",
        title="Recall: {word}",
        by=buyer,
        wordings=(
            "{word}, batch {batch}: whoever has one gets article {instead} for it, nothing else.",
            "Batch {batch} of {word} comes back. We send article {instead} instead.",
        ),
        words=names,
        values={
            "batch": [batch, *batches[1:]],
            "instead": [instead, *(lot[1].id for lot in lots[1:])],
        },
        older={"batch": d.draw.code("BT"), "instead": lots[0][2].id},
    )
    leave_noise(d, d.note("bulletin"), asker)

    word = d.note("word").find(d, customer.name)
    before = retail.read(d, word.part(r"(#W\d+)"))
    bulletin = d.note("bulletin").find(d, before.at("data.items.0.name"))
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
    listed = d.call("tickets", "list_tickets", reference=after.at("data.order_id"), status=["open"])
    batch_read, difference = bulletin.part(r"(BT-\d+)"), after.at("data.exchange_price_difference")
    answered = d.act(
        ANSWERED,
        "tickets",
        "reply_to_ticket",
        output=True,
        ticket_id=listed.at("data.items.0.id"),
        body=text(
            "It is batch {batch}. The exchange is arranged; the difference is {difference}.",
            batch=batch_read,
            difference=difference,
        ),
        then_status="pending",
    )
    record = d.entry("log").add(
        d,
        "An entry names the ticket and the batch.",
        title=text("Recall"),
        words=text("{ticket}, batch {batch}.", ticket=answered.at("data.ticket.id"), batch=batch_read),
    )
    told = {"difference": difference, "record": record}
    if long:
        noted = d.act(
            "An internal note on the ticket says where it is recorded.",
            "tickets",
            "add_internal_note",
            ticket_id=answered.at("data.ticket.id"),
            body=text("What was done about this is recorded as {record}.", record=record),
        )
        told["ticket"] = noted.at("data.ticket_id")
    words = "the difference is {difference}, see {record}" + (" and {ticket}" if long else "")
    d.message("report").send(
        d,
        f"{asker.name} knows the price difference and where the case is recorded.",
        asker,
        text(words + ".", **told),
        about=f"The recall and {customer.name}",
    )
    d.answer("The exchange is arranged; " + words + ".", **told)

    d.title(f"A recalled article of {customer.name}")
    first, log, called_by = called(asker), d.entry("log"), customer.name
    d.say(
        f"{called_by} has bought something that we call back. Which order it is in, {first} wrote down "
        f"{d.note('word').where(d)}.",
        f"One of the orders of {called_by} in the shop is hit by a recall; {first} says {d.note('word').where(d)} "
        "which.",
        f"Please help {called_by}: an article in one of the orders is recalled. You find {d.note('word').where(d)} in "
        "which.",
    )
    d.say(
        f"Exchange it for the article that our bulletin for that product names ({d.note('bulletin').where(d)}), with "
        "the "
        "payment method the order was paid with.",
        f"Swap it as our recall bulletin for the product says, which is {d.note('bulletin').where(d)}. Whatever it "
        "costs "
        "more or less goes over the card it was paid with.",
        f"Every product has its own bulletin {d.note('bulletin').where(d)}. Arrange the exchange it asks for, and use "
        "the "
        "payment method of the order.",
    )
    d.paragraph()
    d.say(
        "There is a ticket about that order, too: answer it with the batch and the price difference, and let it wait "
        "for "
        "the customer.",
        "The help desk has a ticket about this order. Reply with the batch number and the difference in price, and "
        "set it "
        "to pending.",
    )
    d.say(
        f"I want {log.what(d)} that gives the ticket's id and the batch.",
        f"Then add {log.what(d)} with the id of the ticket and the batch.",
    )
    if long:
        d.say(
            f"Leave an internal note with {log.reference(d)} on the ticket.",
            f"On the ticket, note {log.reference(d)} for the colleagues only.",
        )
    extra = ", the ticket's id" if long else ""
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the difference{extra} and {log.reference(d)}. I take the "
        "same.",
        f"At the end {d.message('report').how(d, first)}: price difference{extra}, {log.reference(d)}. Tell me these "
        "as "
        "well.",
    )
