"""Goods arrived damaged: the carrier is held to what was agreed with it, with the evidence that it wants."""

from __future__ import annotations

import json
from decimal import Decimal

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, called, leave_each, sentence
from tasks.places import MESSAGES, shipping
from tasks.places.rules import leave_noise

DRAFTED = "There is a damage claim for the consignment over the agreed amount for each damaged piece."
PROVEN = "The claim has the invoice that the carrier wants to see."
SENT = "The claim is submitted."


@family(
    "damaged-on-the-way",
    area="operations",
    roles={
        "word": DESK_NOTES,
        "protocol": DESK_NOTES,
        "ship": ("shipping",),
        "terms": DESK_NOTES,
        "log": DESK_ENTRIES,
        "report": MESSAGES,
    },
    patterns=(
        "word protocol ship terms ship log report",
        "word protocol ship terms ship log ship report",
    ),
)
def damaged_on_the_way(d: Draft) -> None:
    """A surveyor has looked at damaged goods; a remark gives the number of the protocol, the protocol the consignment,
    the pieces and the photos. What a carrier pays for a piece, and which invoice it wants to see, was agreed with each.
    The claim is drafted, proven and submitted, an entry says until when it had to be.

    Hard: surveyors, protocols and consignments alike, an amount to compute, evidence out of two texts, older terms, a
    deadline that only the new claim tells.
    """
    asker, boss = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(4, d.dials.alike + 1)
    surveyor = d.draw.person()
    surveyors = [surveyor.name, *(d.draw.near(surveyor.name) for _ in range(size - 1))]
    protocols, photos, invoices = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("IP", "PH", "PF"))
    numbers, receivers = shipping.numbers(d, size), [d.draw.company() for _ in range(size)]
    carriers = [f"{d.draw.company().split()[0]} {kind}" for kind in ("Freight", "Parcel", "Couriers", "Haulage")]
    sold = [
        shipping.carrier(d, name, {"freight": (f"{5 + n}.50", "0.60", 2)}, claim_days=d.rng.randint(52, 66))["freight"]
        for n, name in enumerate(carriers)
    ]
    pieces = [d.draw.count(6, 28) for _ in range(size)]
    rates = d.rng.sample((7.25, 8.75, 9.25, 10.75, 11.25, 12.75, 13.25), 4)
    protocol = d.fact("protocol", protocols[0], protocols[1])
    number = d.fact("consignment", numbers[0], numbers[1])
    carrier = d.fact("carrier", 0, 1)
    broken = d.fact("pieces", pieces[0], pieces[0] + 2)
    photo = d.fact("photos", photos[0], photos[1])
    rate = d.fact("rate", rates[0], rates[0] + 1)
    invoice = d.fact("invoice", invoices[0], invoices[1])
    # A protocol is nine days old or older (below); what it speaks of had arrived by then.
    turns = d.turns(size)
    if turns[0] == 0:  # it is the age of two notes, so the right ones would be the newest of both
        turns.reverse()
    for n in range(size):
        key, _ = shipping.address(d, d.draw.person(receivers[n]))
        shipping.shipment(
            d,
            numbers[n],
            key,
            receivers[n],
            contents=d.draw.product().capitalize() + "s",
            cartons=d.rng.randint(2, 5),
            value=Decimal(900 + 75 * d.rng.randint(1, 9)),
            label=sold[carrier if n == 0 else n % 4],
            status="delivered",
            days_ago=14 + 3 * turns[n],
            delivered=10 + 3 * turns[n],
        )
    leave_each(
        d,
        "word",
        title="{word} was here",
        by=asker,
        wordings=(
            "{word} has looked at everything. The protocol came this morning and is number {protocol}.",
            "{word} looked at the goods and left protocol {protocol} with me.",
            "I walked {word} through the hall. It is all in protocol {protocol}.",
        ),
        words=surveyors,
        values={"protocol": [protocol, *protocols[1:]]},
        older={"protocol": d.draw.code("IP")},
        turns=turns,
    )
    # A protocol is written once: there are no older ones of the same number.
    said = d.rng.choice(
        (
            "{0}: of {1} {2} pieces cannot be sold any more. Photos are under {3}.",
            "In {0} it says that {2} pieces of {1} are ruined; photos filed as {3}.",
        )
    )
    named = ([number, *numbers[1:]], [broken, *pieces[1:]], [photo, *photos[1:]])
    for n, told_of in enumerate(zip(protocols, *named, strict=True)):
        words = said.format(*told_of)
        d.note("protocol").leave(d, title=f"Protocol {protocols[n]}", text=words, by=asker, days_ago=9 + 3 * turns[n])
    leave_each(
        d,
        "terms",
        title="Damage with {word}",
        by=boss,
        wordings=(
            "{word} pay GBP {rate:.2f} for each damaged piece, whatever it is worth. They want to see invoice "
            "{invoice} with it.",
            "Agreed with {word}: GBP {rate:.2f} a damaged piece, and our invoice {invoice} belongs to every claim.",
        ),
        words=carriers,
        values={"rate": [rate, *rates[1:]], "invoice": [invoice, *invoices[1:4]]},
        older={"rate": rates[0] - 2, "invoice": invoices[2]},
    )
    leave_noise(d, d.note("terms"), asker)

    word = d.note("word").find(d, surveyor.name)
    paper = d.note("protocol").find(d, word.part(r"(IP-\d+)"))
    listed = shipping.by_number(d, paper.part(r"((?!IP|PH)[A-Z]{2}-\d{4})"))
    shipment = shipping.read(d, listed.at("data.items.0.id"))
    d.call("shipping", "list_claims", shipment_id=shipment.at("data.id"))
    terms = d.note("terms").find(d, shipment.at("data.carrier_name"))
    claim = d.act(
        DRAFTED,
        "shipping",
        "create_claim",
        shipment_id=shipment.at("data.id"),
        kind="damage",
        amount=calc(
            "round(pieces * rate, 2)",
            pieces=paper.part(r"(\d+) pieces", number=True),
            rate=terms.part(r"GBP ([0-9.]+\d)", number=True),
        ),
        description=text("Damaged on the way, see the evidence."),
    )
    claim_id = claim.at("data.id")
    for kind, name in (("photo", paper.part(r"(PH-\d+)")), ("invoice", terms.part(r"(PF-\d+)"))):
        d.act(PROVEN, "shipping", "add_claim_evidence", claim_id=claim_id, kind=kind, name=name)
    # Evidence is one list that grows by two calls; what a call leaves in it is judged here.
    wanted = [{"kind": "photo", "name": photos[0]}]
    d.criterion(
        "photos-are-there",
        "state",
        "The photos that the protocol names are among the evidence.",
        f"""SELECT count(*) > 0 AS passed, string_agg(c.evidence::text, ', ') AS actual
FROM shipping_claim c JOIN shipping_shipment s ON s.id = c.shipment_id
WHERE s.number = '{numbers[0]}' AND c.status <> 'withdrawn' AND c.evidence @> '{json.dumps(wanted)}'""",
    )
    if not long:
        d.act(SENT, "shipping", "set_claim_status", claim_id=claim_id, status="submitted")
    after = d.call("shipping", "list_claims", shipment_id=shipment.at("data.id"))
    amount, deadline = after.at("data.items.0.amount"), after.at("data.items.0.deadline")
    record = d.entry("log").add(
        d,
        "An entry gives the claim, its amount and its deadline.",
        title=text("Damaged on the way"),
        words=text(
            "{claim}: GBP {amount}, until {deadline}.",
            claim=after.at("data.items.0.id"),
            amount=amount,
            deadline=deadline,
        ),
    )
    told = {"amount": amount, "deadline": deadline, "record": record}
    words = "GBP {amount} are claimed, the deadline is {deadline}. See {record}"
    if long:
        sent = d.act(
            SENT, "shipping", "set_claim_status", claim_id=claim_id, status="submitted", carrier_reference=record
        )
        told["carrier"], words = sent.at("data.claims_email"), words + "; their address is {carrier}"
    d.message("report").send(
        d,
        f"{boss.name} knows what is claimed, until when it had to be, and where it is recorded.",
        boss,
        text(words + ".", **told),
        about="A claim",
    )
    d.answer(words + ".", **told)

    d.title(f"What {surveyor.name} found")
    first, log = called(boss), d.entry("log")
    d.say(
        f"{surveyor.name} has been to look at damaged goods. {called(asker)} says {d.note('word').where(d)} what "
        "number the "
        f"protocol has; the protocols are {d.note('protocol').where(d)}.",
        f"The survey by {surveyor.name} is in. The protocol's number is {d.note('word').where(d)}, and the "
        f"protocols themselves are {d.note('protocol').where(d)}.",
        f"We can claim for what {surveyor.name} inspected. Look {d.note('word').where(d)} for the number of the "
        "protocol and "
        f"{d.note('protocol').where(d)} for what is in it.",
    )
    d.say(
        f"Please claim the damage from the carrier. {first} has agreed with each of them what we get for a piece "
        f"and which invoice has to go with the claim ({d.note('terms').where(d)}). Add the photos as well.",
        f"File a claim against the carrier for the amount that {first} agreed with them, with the invoice they ask "
        f"for ({d.note('terms').where(d)}), and add the photos.",
        "The carrier has to pay for it. How much per piece, and with which invoice, is agreed carrier by carrier "
        f"and noted {d.note('terms').where(d)}; draw up the claim with that and with the photos.",
    )
    d.warn(
        "Terms were agreed anew with some of them, so the newest note counts.",
        "What was agreed earlier no longer holds; take the latest.",
        "If you find several notes about one thing, the newest is right.",
    )
    d.paragraph()
    if long:
        d.say(
            f"Before it goes out I want {log.what(d)} with the claim's id, the amount and the deadline; then submit "
            "it, and "
            f"give {log.reference(d)} as the reference.",
            f"First write claim, amount and deadline into {log.what(d)}. Then submit the claim with {log.reference(d)} "
            "as "
            "its reference.",
            f"It may only be submitted with a reference of ours. So add {log.what(d)} first, with the claim's id, "
            f"its amount and its deadline, and give {log.reference(d)} as that reference.",
        )
    else:
        d.say(
            f"Submit it, and put the claim's id, the amount and the deadline into {log.what(d)}.",
            f"It can be submitted right away. I also need {log.what(d)} that names the claim, the amount and the "
            "deadline.",
            f"Send the claim off and record its id, the amount and the deadline in {log.what(d)}.",
        )
    extra = ", the carrier's address for claims" if long else ""
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the amount, the deadline{extra} and "
        f"{log.reference(d)}. Please tell me the same.",
        f"Then {d.message('report').how(d, first)}: what we claim, the deadline{extra}, {log.reference(d)}. Tell me "
        "these "
        "things, too.",
        f"{first} wants to follow it: {d.message('report').how(d, first)}, with the amount, the deadline{extra} and "
        f"{log.reference(d)}. I want to know as well.",
    )
