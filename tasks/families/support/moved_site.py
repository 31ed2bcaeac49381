"""A customer's site has moved: the waiting order follows it, and is paid with the gift card as they asked."""

from __future__ import annotations

from decimal import Decimal

from tasks.authoring import Draft, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, sentence
from tasks.places import MESSAGES, retail, tickets
from tasks.places.rules import leave_noise

SENT_THERE = "The waiting order goes to the address that the site has now."
PAID = "That order is paid with the customer's gift card."
ANSWERED = "The ticket about that order is answered with what is left on the gift card, and waits for the customer."
_STREETS = ("Foundry Lane", "Station Approach", "Quay Street", "Mill Road", "Albion Yard", "Castle Gate", "Market Row")
_TOWNS = ("Bristol", "Sheffield", "Norwich", "Coventry", "Preston", "Exeter", "Hull", "Derby", "Lincoln", "Reading")


@family(
    "order-for-a-moved-site",
    area="support",
    roles={
        "file": DESK_NOTES,
        "word": DESK_NOTES,
        "shop": ("retail",),
        "site": but(DESK_NOTES, "tickets"),
        "desk": ("tickets",),
        "log": but(DESK_ENTRIES, "tickets"),
        "report": MESSAGES,
    },
    patterns=(
        "word shop site shop desk log report",
        "file word shop site shop desk log report",
    ),
    filed="log",
)
def moved_site(d: Draft) -> None:
    """A customer with several waiting orders wants one of them sent to where the site is now, and paid with the gift
    card. A remark tells which; the order names the site that has moved, a list says where every site has gone. What is
    left on the card after that goes into the answer on the customer's ticket.

    Hard: waiting orders and tickets of one customer alike, sites alike, older lists, an address of five parts, a
    balance that paying makes stale.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    customer = d.draw.person(d.draw.company())
    names = [customer.name, *(d.draw.near(customer.name) for _ in range(size - 1))]
    numbers = retail.order_numbers(d, size)
    files, sites = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("CF", "ST"))
    streets = [f"{d.draw.count(3, 98)} {d.rng.choice(_STREETS)}" for _ in range(size)]
    towns = d.rng.sample(_TOWNS, size)
    codes = [f"{town[:2].upper()}{d.rng.randint(1, 19)} {d.rng.randint(1, 9)}QH" for town in towns]
    filing = d.fact("file", files[0], files[1]) if long else files[0]
    number = d.fact("order", numbers[0], numbers[1])
    site = d.fact("site", sites[0], sites[1])
    street = d.fact("street", streets[0], streets[1])
    balance = Decimal(d.rng.randint(4000, 6000)) / 4
    user, card, gift = retail.customer(
        d, customer, balance=d.fact("balance", balance, balance + 36), place=retail.ENGLAND
    )
    goods = [one for one in retail.articles() if one.price < 300]
    for n in range(size):
        items = d.rng.sample(goods, d.rng.randint(1, 3))
        at_site = f"Site {site if n == 0 else sites[n]}"
        retail.order(d, numbers[n], user, card, items, status="pending", address2=at_site)
        tickets.ticket(
            d,
            customer,
            d.rng.choice(("Where does this go?", "Before you send it", "Our order", "A wish for this one")),
            "Please tell us when it is settled, and what we still have on the gift card then.",
            created=d.ago(1 + d.turn(n), 10, 7),
            reference=numbers[n],
        )
    if long:
        leave_each(
            d,
            "file",
            title="{word} called",
            by=asker,
            wordings=(
                "{word} called from the new place. What was agreed I filed as {file}.",
                "Spoke with {word}; the rest you can read under {file}.",
            ),
            words=names,
            values={"file": [filing, *files[1:]]},
            older={"file": d.draw.code("CF")},
        )
    elsewhere = [f"#W{d.rng.randint(81, 98)}{d.rng.randint(10000, 99999)}" for _ in range(size - 1)]
    leave_each(
        d,
        "word",
        title="{word}: which one",
        by=asker,
        wordings=(
            "{word}: it is {number} that must not go to the old place. The others are fine.",
            "About {word}: only {number} has to follow them, the rest was meant for elsewhere anyway.",
        ),
        words=files if long else names,
        values={"number": [number, numbers[3] if long else elsewhere[0], *elsewhere[1:]]},
        older={"number": numbers[2]},
    )
    leave_each(
        d,
        "site",
        title="Site {word}",
        by=boss,
        wordings=(
            "{word} is empty since February. They are now at {street} (second line: Gate {gate}), {town}, {code}.",
            "Nothing goes to {word} any more. The address is now {street} (second line: Gate {gate}), {town}, {code}.",
        ),
        words=sites,
        values={
            "street": [street, *streets[1:]],
            "gate": d.rng.sample(range(2, 30), size),
            "town": towns,
            "code": codes,
        },
        older={"street": streets[2], "gate": 1, "town": towns[2], "code": codes[2]},
    )
    leave_noise(d, d.note("site"), asker)

    filed = d.note("file").find(d, customer.name).part(r"(CF-\d+)") if long else customer.name
    word = d.note("word").find(d, filed)
    order = retail.read(d, word.part(r"(#W\d+)"))
    d.call("retail", "get_user_details", user_id=order.at("data.user_id"))
    moved = d.note("site").find(d, order.part("data.address.address2", r"(ST-\d+)"))
    d.act(
        SENT_THERE,
        "retail",
        "modify_pending_order_address",
        order_id=order.at("data.order_id"),
        address1=moved.part(r"now (?:at )?(\d+ \w+ \w+) \("),
        address2=moved.part(r"line: (Gate \d+)\)"),
        city=moved.part(r"Gate \d+\), (\w+),"),
        state=order.at("data.address.state"),
        country=order.at("data.address.country"),
        zip=moved.part(r"([A-Z]{2}\d+ \d[A-Z]{2})"),
    )
    d.act(
        PAID,
        "retail",
        "modify_pending_order_payment",
        order_id=order.at("data.order_id"),
        payment_method_id=gift,
    )
    left = d.call("retail", "get_user_details", user_id=order.at("data.user_id")).at(
        f"data.payment_methods.{gift}.balance"
    )
    listed = d.call("tickets", "list_tickets", reference=order.at("data.order_id"), status=["open"])
    answered = d.act(
        ANSWERED,
        "tickets",
        "reply_to_ticket",
        output=True,
        ticket_id=listed.at("data.items.0.id"),
        body=text("It is settled. {left} are left on your gift card.", left=left),
        then_status="pending",
    )
    record = d.entry("log").add(
        d,
        "An entry gives the ticket and what is left on the gift card.",
        title=text("A site that moved"),
        words=text("{ticket}: {left} left on the gift card.", ticket=answered.at("data.ticket.id"), left=left),
    )
    told = {"left": left, "record": record}
    d.message("report").send(
        d,
        f"{asker.name} knows what is left on the gift card and where it is recorded.",
        asker,
        text("All is settled, {left} are left on the gift card. See {record}.", **told),
        about=customer.name,
    )
    d.answer("It goes to the new address, {left} are left on the gift card. See {record}.", **told)

    d.title(f"An order from {customer.name} goes to the new site")
    first, log = called(asker), d.entry("log")
    where = d.note("word").where(d)
    if long:
        d.say(
            f"{customer.name} called because of a move. {first} filed the call under a number that is noted "
            f"{d.note('file').where(d)}; which of the waiting orders a file is about is noted {where}.",
            f"{first} talked with {customer.name} and filed the call. You will find the file's number "
            f"{d.note('file').where(d)}, and the order that must go elsewhere now {where}.",
            f"{customer.name} has moved. {first} has a file about it; its number is {d.note('file').where(d)}, and "
            f"you will find {where} which waiting order is meant.",
        )
    else:
        d.say(
            f"{customer.name} has several orders waiting in the shop, and one of them must go elsewhere now. {first} "
            "says "
            f"{where} which.",
            f"One of the waiting orders of {customer.name} is addressed to a place where nobody is any more; which "
            "one, "
            f"{first} noted {where}.",
            f"{customer.name} called because one of the waiting orders would go to the wrong place. {first} left word "
            f"{where} which one it is.",
        )
    d.say(
        f"Send it to the new address of the site named in its address; {called(boss)} keeps the new addresses "
        f"{d.note('site').where(d)} (state and country stay). They also want to pay for it with their gift card "
        "instead.",
        f"Please change its address to the new one of that site, which is {d.note('site').where(d)}; state and country "
        "stay "
        "as they are. And let it be paid with their gift card.",
        f"The site in its address has a new address, which {called(boss)} noted {d.note('site').where(d)}: that is "
        "where it goes now, in the same state and country. The customer would also like to pay for it with the "
        "gift card.",
    )
    d.warn(
        "Where a note was corrected, the newest is right.",
        "Some of these were noted before; the latest counts.",
        "Beware of older notes about the same, and go by the newest.",
    )
    d.paragraph()
    d.say(
        "Then answer their ticket about this order with what is left on the gift card, and set it to pending.",
        "They have a ticket about that order: tell them there what is left on the gift card, and set it to pending.",
        "Answer their ticket about it with the balance of the gift card after that, and leave it pending.",
    )
    d.say(
        f"Put the ticket's id and that balance into {log.what(d)}.",
        f"I want {log.what(d)} that gives the id of the ticket and the balance.",
        f"Note both, the ticket's id and the balance, in {log.what(d)}.",
    )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the balance and {log.reference(d)}, and tell me as well.",
        f"At the end {d.message('report').how(d, first)}: what is left on the gift card, and {log.reference(d)}. I "
        "need the same.",
        f"{first} would like to know how it ended: {d.message('report').how(d, first)} with the balance and "
        f"{log.reference(d)}. Tell me both as well.",
    )
