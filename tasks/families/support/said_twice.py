"""The same complaint came in several times: one ticket remains, with what the carrier says and what we offer."""

from __future__ import annotations

from tasks.authoring import Draft, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called, leave_each, sentence
from tasks.places import MESSAGES, shipping, tickets
from tasks.places.rules import leave_noise

MERGED = "The tickets that say the same are merged into the oldest of them, and no others."
OFFERED = "The customer is offered on that ticket what the carrier's arrangement gives, and the ticket waits for them."
_WAYS = (
    "Where is it? Our number for this is {code}.",
    "We asked before, see {code}. Nothing came.",
    "{code}, again: we are still waiting.",
)


@family(
    "said-three-times",
    area="support",
    roles={
        "file": DESK_NOTES,
        "call": but(DESK_NOTES, "tickets"),
        "desk": ("tickets",),
        "ship": ("shipping",),
        "rule": but(DESK_NOTES, "tickets"),
        "log": but(DESK_ENTRIES, "tickets"),
        "report": MESSAGES,
    },
    patterns=(
        "call desk ship rule desk log report",
        "file call desk ship rule log desk report",
    ),
)
def said_three_times(d: Draft) -> None:
    """A customer wrote three times about one consignment, each time with their own number for it, which a colleague has
    noted. The tickets belong together; the consignment's carrier decides what we may offer. The most urgent of the
    three makes the one that remains due earlier.

    Hard: every ticket with the number and none of the others, the oldest one counts, consignments alike, a carrier that
    only the shipment tells, older arrangements, a due time that merging makes stale.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    company = d.draw.company()
    customer = d.draw.person(company)
    callers = [customer.name, *(d.draw.near(customer.name) for _ in range(size - 1))]
    files, codes, vouchers, offers = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("CF", "QN", "GV", "AR"))
    numbers, receivers = shipping.numbers(d, size), [d.draw.company() for _ in range(size)]
    carriers = [f"{d.draw.company().split()[0]} {kind}" for kind in ("Freight", "Parcel", "Couriers", "Haulage")]
    sold = [
        shipping.carrier(d, name, {"standard": (f"{4 + n}.50", "0.60", 2)})["standard"]
        for n, name in enumerate(carriers)
    ]
    filing = d.fact("file", files[0], files[1]) if long else files[0]
    code = d.fact("customer-number", codes[0], codes[1])
    number = d.fact("consignment", numbers[0], numbers[1])
    carrier = d.fact("carrier", 0, 1)
    voucher = d.fact("voucher", vouchers[0], vouchers[1])
    for n in range(size):
        key, _ = shipping.address(d, d.draw.person(receivers[n]))
        shipping.shipment(
            d,
            numbers[n],
            key,
            receivers[n],
            contents=d.draw.product().capitalize() + "s",
            label=sold[carrier if n == 0 else n % 4],
            status="in_transit",
            days_ago=4 + d.turn(n),
        )
        levels = d.rng.sample(("normal", "low"), 2)
        for place, priority in enumerate((levels[0], "high", levels[1])):
            tickets.ticket(
                d,
                customer,
                d.rng.choice(("Still nothing", "Not arrived", "Delivery?", "Where are our goods?")),
                _WAYS[place].format(code=codes[n]),
                created=d.ago(3 - place, 9, 10 + 3 * d.turn(n)),
                kind="incident",
                priority=priority,
                reference=number if n == 0 else numbers[n],
            )
    if long:
        leave_each(
            d,
            "file",
            title="{word} was angry",
            by=asker,
            wordings=(
                "{word} was on the phone and not happy. I filed it as {file}.",
                "Long talk with {word}. You can read it up under {file}.",
            ),
            words=callers,
            values={"file": [filing, *files[1:]]},
            older={"file": d.draw.code("CF")},
        )
    leave_each(
        d,
        "call",
        title="About {word}",
        by=asker,
        wordings=(
            "{word}: it is always the same thing, their number for it is {code}. One answer is enough, but a good one.",
            "The matter of {word} goes by {code} at their end, and they have written about it more than once.",
            "For {word} look out for {code}; whatever has this number belongs together.",
        ),
        words=files if long else callers,
        values={"code": [code, *codes[1:]]},
        older={"code": codes[2]},
    )
    leave_each(
        d,
        "rule",
        title="Late with {word}",
        by=boss,
        wordings=(
            "If it is {word} who are late, we offer voucher {voucher}. The carrier pays half of it.",
            "Late with {word}: the customer gets voucher {voucher} and an apology.",
        ),
        words=carriers,
        values={"voucher": [voucher, *vouchers[1:4]]},
        older={"voucher": offers[0]},
    )
    leave_noise(d, d.note("rule"), asker)

    word = d.note("file").find(d, customer.name).part(r"(CF-\d+)") if long else customer.name
    said = d.note("call").find(d, word)
    found = tickets.find(d, said.part(r"(QN-\d+)"))
    before = tickets.read(d, found.at("data.items.-1.id"))
    listed = shipping.by_number(d, before.at("data.reference"))
    shipment = shipping.read(d, listed.at("data.items.0.id"))
    rule = d.note("rule").find(d, shipment.at("data.carrier_name"))
    gift, target = rule.part(r"voucher ([A-Z]{2}-\d+)"), before.at("data.id")

    def settle(words: str, **values: object) -> None:
        d.act(
            MERGED,
            "tickets",
            "merge_tickets",
            target_id=target,
            source_ids=[found.at("data.items.0.id"), found.at("data.items.1.id")],
        )
        d.act(
            OFFERED,
            "tickets",
            "reply_to_ticket",
            output=True,
            ticket_id=target,
            body=text(words, gift=gift, **values),
            then_status="pending",
        )

    if long:
        record = d.entry("log").add(
            d,
            "An entry names the ticket that remains and the voucher.",
            title=text("One of three"),
            words=text("{ticket} remains, with voucher {gift}.", ticket=target, gift=gift),
        )
        settle("I am sorry. You get voucher {gift}; our reference is {record}.", record=record)
        due = tickets.read(d, target).at("data.resolution_due_at")
    else:
        settle("I am sorry that it is late. You get voucher {gift} from us.")
        due = tickets.read(d, target).at("data.resolution_due_at")
        record = d.entry("log").add(
            d,
            "An entry gives the voucher and the time by which the ticket is to be solved.",
            title=text("One of three"),
            words=text("Voucher {gift}, to be solved by {due}.", gift=gift, due=due),
        )
    told = {"due": due, "record": record}
    d.message("report").send(
        d,
        f"{asker.name} knows by when the ticket is to be solved now, and where it is recorded.",
        asker,
        text("One ticket is left, to be solved by {due}. See {record}.", **told),
        about=customer.name,
    )
    d.answer("One ticket is left; it is to be solved by {due}, see {record}.", **told)

    d.title(f"{customer.name} wrote three times")
    first, log = called(asker), d.entry("log")
    if long:
        d.say(
            f"{customer.name} complained, and {first} filed the call (the number is {d.note('file').where(d)}). "
            f"What each file is about, with the customer's own number, is noted {d.note('call').where(d)}.",
            f"{first} had to listen to {customer.name}. How the call is filed is noted {d.note('file').where(d)}, "
            f"and with that you will find the number the customer uses in writing to us {d.note('call').where(d)}.",
            f"Another complaint from {customer.name}. {first} filed it under a number that is "
            f"{d.note('file').where(d)}; with it you will find the customer's own number for the matter "
            f"{d.note('call').where(d)}.",
        )
    else:
        d.say(
            f"{customer.name} keeps writing about one of several deliveries. {first} found out their own number for "
            f"it; see the note {d.note('call').where(d)}.",
            f"We have too many tickets from {customer.name}. Three of them are about the same thing; {first} says "
            f"{d.note('call').where(d)} which number of theirs they have in common.",
            f"{customer.name} has written three times about one delivery, besides other things. {first} says "
            f"{d.note('call').where(d)} which number of theirs is in all three.",
        )
    d.say(
        "Please merge the tickets with that number into the oldest of them.",
        "Merge all tickets that contain that number into the oldest of them; the rest are about other things.",
        "Put those tickets together: the oldest stays, the others with that number go into it, and nothing else is "
        "merged.",
    )
    extra = f", and give {log.reference(d)} as our reference" if long else ""
    d.say(
        f"What we can offer depends on who carries the consignment; {called(boss)} has noted it "
        f"{d.note('rule').where(d)}. Answer them with that voucher{extra} and set the ticket to pending.",
        "Then reply with the voucher that is arranged for the carrier of that consignment "
        f"({d.note('rule').where(d)}){extra}; after that set the ticket to pending.",
        f"The consignment's carrier decides which voucher they get; {called(boss)} arranged that and wrote it down "
        f"{d.note('rule').where(d)}. Answer with it{extra}, and leave the ticket pending.",
    )
    d.warn(
        "It has been arranged anew with some, so the newest note counts.",
        "What was arranged earlier no longer holds.",
        "If it is noted more than once, take the latest.",
    )
    d.paragraph()
    what = (
        "which ticket remains and which voucher they get" if long else "the voucher and by when it must be solved now"
    )
    d.say(
        f"{'First write' if long else 'Write'} {what} into {log.what(d)}.",
        f"I want {log.what(d)} that says {what}{', made before you answer' if long else ''}.",
        f"{'Begin with' if long else 'Add'} {log.what(d)} for it: {what}.",
    )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the time by which the remaining ticket must be solved "
        f"now, and {log.reference(d)}. I need the same.",
        f"When it is done, {d.message('report').how(d, first)}: by when that ticket has to be solved now, and "
        f"{log.reference(d)}. Tell me, too.",
        f"{first} asked to be kept informed, so {d.message('report').how(d, first)}: by when the remaining ticket "
        f"has to be solved now, and {log.reference(d)}. Keep me informed as well.",
    )
