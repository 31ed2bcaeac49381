"""A closed case comes up again: the customer was right, and a follow-up says what they get."""

from __future__ import annotations

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, sentence
from tasks.places import MESSAGES, retail, tickets
from tasks.places.rules import leave_noise

FOLLOWED = "A follow-up of the closed ticket, for the same customer and group, gives refund and goodwill number."


@family(
    "closed-case-again",
    area="support",
    roles={
        "file": DESK_NOTES,
        "call": but(DESK_NOTES, "tickets"),
        "desk": ("tickets",),
        "shop": ("retail",),
        "policy": but(DESK_NOTES, "tickets"),
        "log": but(DESK_ENTRIES, "tickets"),
        "report": MESSAGES,
    },
    patterns=(
        "call desk shop policy desk log report",
        "file call desk shop policy log desk report",
    ),
)
def closed_case_again(d: Draft) -> None:
    """Somebody whose tickets are closed calls about one of them and is right after all. The ticket names an order; the
    policy of its product says which share of the price is refunded and under which number of goodwill. As closed is
    closed, a new ticket follows the old one, and an entry tells it.

    Hard: closed tickets of one customer alike, older policies, a share to compute, links that the follow-up makes.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    customer = d.draw.person(d.draw.company())
    callers = [customer.name, *(d.draw.near(customer.name) for _ in range(size - 1))]
    *numbers, before = retail.order_numbers(d, size + 1)
    files, codes, goodwill = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("CF", "QN", "GW"))
    goods = {one.name: one for one in retail.articles()}
    names = d.rng.sample(sorted(goods), size)
    cents = [int(goods[name].price * 100) for name in names]
    # No refund lies in the middle between two cents.
    clear = [
        one for one in range(51, 95) if all(price * (one + more) % 100 != 50 for price in cents for more in (0, 2))
    ]
    shares = d.rng.sample(clear, size)
    settled = d.draw.code("QN")
    filing = d.fact("file", files[0], files[1]) if long else files[0]
    code = d.fact("customer-number", codes[0], codes[1])
    number = d.fact("order", numbers[0], numbers[1])
    product = d.fact("product", 0, 1)
    share = d.fact("share", shares[0], shares[0] + 2)
    will = d.fact("goodwill-number", goodwill[0], goodwill[1])
    user, card, _ = retail.customer(d, customer)
    for n in range(size):
        retail.order(d, numbers[n], user, card, [goods[names[product if n == 0 else n]]])
        tickets.ticket(
            d,
            customer,
            d.rng.choice(("It does not fit", "Colour not as shown", "Not what we expected", "A seam has come off")),
            f"We would like to send this back, our number is {codes[n]}.",
            created=d.ago(30 + d.turn(n), 10, 9),
            status="closed",
            solved=d.ago(22 + d.turn(n), 15),
            holder=tickets.agent(d.user),
            reference=number if n == 0 else numbers[n],
        )
    # What they called about in the last year.
    retail.order(d, before, user, card, [goods[names[2]]])
    tickets.ticket(
        d,
        customer,
        "A zip is stuck",
        f"Please take this back, our number is {settled}.",
        created=d.ago(320, 10, 9),
        status="closed",
        solved=d.ago(312, 15),
        holder=tickets.agent(d.user),
        reference=before,
    )
    if long:
        leave_each(
            d,
            "file",
            title="{word} rang",
            by=asker,
            wordings=(
                "{word} rang and would not let go. I put it down as {file}.",
                "Call from {word}, half an hour. The file is {file}.",
            ),
            words=callers,
            values={"file": [filing, *files[1:]]},
            older={"file": d.draw.code("CF")},
        )
    leave_each(
        d,
        "call",
        title="{word} again",
        by=asker,
        wordings=(
            "{word} came back to something that we closed, their number for it is {code}, and they have a point.",
            "I had {word} on the line. We were wrong about {code}, I am afraid.",
            "{word}: please look at {code} once more. We should not have said no.",
        ),
        words=files if long else callers,
        values={"code": [code, *codes[1:]]},
        older={"code": settled},
    )
    leave_each(
        d,
        "policy",
        title="When we were wrong about {word}",
        by=boss,
        wordings=(
            "Product {word}, {name}: if we were wrong, {share} percent of the price are refunded, booked as goodwill "
            "{will}.",
            "Were we wrong about product {word} ({name}), the customer gets {share} percent of the price. The "
            "goodwill number is "
            "{will}.",
        ),
        words=[goods[name].product_id for name in names],
        values={"name": names, "share": [share, *shares[1:]], "will": [will, *goodwill[1:]]},
        older={"name": names[0], "share": shares[0] - 4, "will": goodwill[2]},
    )
    leave_noise(d, d.note("policy"), asker)

    filed = d.note("file").find(d, customer.name).part(r"(CF-\d+)") if long else customer.name
    call = d.note("call").find(d, filed)
    found = tickets.find(d, call.part(r"(QN-\d+)"))
    closed = tickets.read(d, found.at("data.items.0.id"))
    d.call("tickets", "list_linked_tickets", ticket_id=closed.at("data.id"))
    order = retail.read(d, closed.at("data.reference"))
    policy = d.note("policy").find(d, order.at("data.items.0.product_id"))
    will = policy.part(r"(GW-\d+)")
    refund = calc(
        "round(price * share / 100, 2)",
        price=order.at("data.items.0.price"),
        share=policy.part(r"(\d+) percent", number=True),
    )
    title, record = text("We were wrong"), None
    if long:
        goal = "An entry gives the refund and its goodwill number."
        words = text("{refund} under {will}.", refund=refund, will=will)
        record = d.entry("log").add(d, goal, title=title, words=words)
    said, values = "You get {refund} back, number {will}.", {"refund": refund, "will": will}
    if record is not None:
        said, values = said + " Our reference is {record}.", values | {"record": record}
    d.act(
        FOLLOWED,
        "tickets",
        "create_ticket",
        requester_id=closed.at("data.requester_id"),
        group_id=closed.at("data.group_id"),
        subject=text("You were right after all"),
        description=text(said, **values),
        follow_up_of=closed.at("data.id"),
    )
    linked = d.call("tickets", "list_linked_tickets", ticket_id=closed.at("data.id"))
    ticket = linked.at("data.items.0.ticket.id")
    if record is None:
        goal = "An entry gives the follow-up and the refund."
        words = text("{ticket}: {refund}.", ticket=ticket, refund=refund)
        record = d.entry("log").add(d, goal, title=title, words=words)
    told = {"refund": refund, "ticket": ticket, "record": record}
    d.message("report").send(
        d,
        f"{asker.name} knows the refund, the follow-up and where it is recorded.",
        asker,
        text("{refund} go back. See {ticket} and {record}.", **told),
        about=f"{customer.name} after all",
    )
    d.answer("{refund} go back; the follow-up is {ticket}, recorded as {record}.", **told)

    d.title(f"{customer.name} was right after all")
    first, log, where = called(asker), d.entry("log"), d.note("call").where(d)
    if long:
        d.say(
            f"{customer.name} called about a ticket that we closed. How {first} filed the call is noted "
            f"{d.note('file').where(d)}, and with that you will find which ticket it is, by the customer's own "
            f"number, {where}.",
            f"{first} had a long call with {customer.name} and filed it; the number of the file is "
            f"{d.note('file').where(d)}. Under it you will find {where} the customer's own number for the ticket.",
            f"It is about a closed ticket from {customer.name}. {first} noted {d.note('file').where(d)} how the "
            f"call is filed; with that you will find the customer's number for the ticket {where}.",
        )
    else:
        d.say(
            f"{customer.name} called about one of the tickets that we closed last month. {first} noted {where} which "
            "it is, "
            "by the customer's own number.",
            f"We closed a ticket of {customer.name} too early. {first} says {where} what the customer's number for it "
            "is.",
            f"It seems that {customer.name} is right about a ticket that we closed; their own number for it is "
            f"{where}.",
        )
    d.say(
        f"What they get back depends on the product in the order that the ticket is about; {called(boss)} has laid "
        "it down product by product "
        f"{d.note('policy').where(d)}.{d.stale(' Whatever was said twice, the newest counts.')}",
        f"We owe them a share of the price of what they ordered. {called(boss)} has written down for each product "
        f"{d.note('policy').where(d)} which share it is, and under what goodwill "
        f"number.{d.stale(' Go by the newest notes throughout.')}",
        "The ticket is about an order, and its product decides what share of the price goes back and which "
        f"goodwill number it has: {called(boss)}'s notes on that are "
        f"{d.note('policy').where(d)}.{d.stale(' Of several notes the newest holds.')}",
    )
    d.paragraph()
    extra = f", the goodwill number and {log.reference(d)}" if long else " and the goodwill number"
    d.say(
        "Closed tickets stay closed, so open a follow-up of it for the same customer in the same group, with the "
        f"refund{extra}.",
        "As it cannot be reopened, make a follow-up ticket for them in the group that had it. It should give the "
        f"refund{extra}.",
        "Write it to them in a follow-up of the old ticket, same customer, same group: it has to give the "
        f"refund{extra}.",
    )
    what = "the refund and the goodwill number" if long else "the id of the follow-up and the refund"
    d.say(
        f"{'Before that add' if long else 'Then add'} {log.what(d)} with {what}.",
        f"I need {log.what(d)} that gives {what}{', and that first' if long else ''}.",
        f"{'Start with' if long else 'Finish with'} {log.what(d)}: {what}.",
    )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the refund, the id of the follow-up and "
        f"{log.reference(d)}. "
        "Tell me the same.",
        f"When you have done that, {d.message('report').how(d, first)} with the refund, the new ticket's id and "
        f"{log.reference(d)}. I would like to know the same.",
        f"{first} promised to call them back, so {d.message('report').how(d, first)}: the refund, the id of the "
        f"follow-up and {log.reference(d)}. I need these three as well.",
    )
