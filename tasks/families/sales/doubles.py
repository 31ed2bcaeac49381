"""Doubles: a company that stands in the book twice becomes one again, in its place in the group."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import sentence
from tasks.places import billing, contacts
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, DARIO, HANA = COLLEAGUES[1], COLLEAGUES[5], COLLEAGUES[6]
TOPICS = ("night-shift", "open-sea", "fire-service", "apprentice", "harvest", "festival", "orchestra", "regatta")


@family(
    "company-in-the-book-twice",
    area="sales",
    roles={
        "request": OFFICE_NOTES,
        "hint": OFFICE_NOTES,
        "books": ("billing",),
        "book": ("contacts",),
        "groups": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request books book groups book log report",
        "request hint books book groups book books log report",
    ),
    filed="log",
)
def company_in_the_book_twice(d: Draft) -> None:
    """Accounts stumbled over a customer who stands in Contacts twice. The order on the quote tells which customer it
    is; the record with a domain stays, the other one goes into it, and the company gets its parent and tier as the
    group's rule says. Hard: companies with and without legal form, a merge that cannot be taken back, parents with
    similar names, deals that the merge brings together, a read that is stale after it.
    """
    size = 1 + d.dials.alike
    orders, marks, refs = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("BW", "gk", "CR"))
    marks = [mark.lower() for mark in marks]
    names = [d.draw.company() for _ in range(size)]
    parent = d.draw.company()
    parents = [parent, *(d.draw.near(parent) for _ in range(size - 1))]
    order, mark = d.fact("order", orders[0], orders[1]), d.fact("group-mark", marks[0], marks[1])
    above = d.fact("parent", parents[0], parents[1])
    tier = d.fact("tier", *d.rng.sample(("bronze", "silver", "gold"), 2))
    ref = d.fact("case", refs[0], refs[1]) if d.pattern else refs[0]
    payer = d.fact("payer", 1, 2) if d.pattern else 1
    quoted = d.fact("customer", 0, 1)
    topic, customers = d.rng.choice(TOPICS), list[str]()
    numbers, bills = billing.quote_numbers(d, size), billing.invoice_numbers(d, size)
    for name in parents:
        contacts.company(d, name, owner="tobias", industry="holding")
    for place, name in enumerate(names):
        first, second = sorted((d.key("cmp"), d.key("cmp")))
        people = [d.draw.person(name) for _ in range(3)]
        tag = mark if place == 0 else marks[place]
        keep = contacts.company(d, name, key=first, tags=(tag,), city="Ghent")
        double = contacts.company(d, f"{name} Ltd", key=second, domain=None, lifecycle="prospect")
        for seat, person in enumerate(people):
            pays = (payer if place == 0 else 1) == seat
            contacts.person(d, person, double if seat else keep, role="billing" if pays else None)
        for record, days in ((keep, 34), (double, 12)):
            amount = d.draw.amount(2_000, 14_000)
            contacts.deal(
                d, f"{d.draw.product().capitalize()}s", record, amount, close=d.on(days + d.turn(place)), owner="mara"
            )
        customers.append(billing.customer(d, name, people[0]))
        pieces = d.rng.randint(40, 300)
        billing.invoice(d, bills[place], customers[place], [("TOT-COT", pieces)], days_ago=6 + d.turn(place))
    for place, code in enumerate(orders):
        whose = (quoted, 1 - quoted)[place] if place < 2 else place
        memo = f"For their order {code}."
        billing.quote(d, numbers[place], customers[whose], [("POL-STD", 20 + place)], memo=memo, status="sent")
    told = ref if d.pattern else order
    d.note("request").leave(
        d,
        title=f"The {topic} quote",
        text=d.rng.choice(
            (
                f"The customer for the {topic} has two records in Contacts, and sales ring them twice. I only have the "
                f"reference {told} here. The record without a web domain is the wrong one.",
                f"While I looked for the {topic} I found one customer twice in Contacts. Reference: {told}. Keep the "
                f"one that has a domain, please, the other came out of an import.",
            )
        ),
        by=DARIO,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("hint"),
            title="Case {word}",
            by=HANA,
            wordings=(
                "Case {word} is about their order {order}.",
                "In {word} they complain about order {order} of theirs.",
            ),
            rules={code: {"order": order if place == 0 else orders[place]} for place, code in enumerate(refs)},
            older={"order": orders[2]},
            of=refs[0],
        )
    leave_rules(
        d,
        d.note("groups"),
        title="Group mark {word}",
        by=TOBIAS,
        wordings=(
            "Companies marked {word} belong to {parent} and are {tier} customers, like their parent.",
            "The mark {word} stands for the house of {parent}. All of them are {tier} with us.",
        ),
        rules={
            code: {
                "parent": above if place == 0 else parents[place],
                "tier": tier if place == 0 else d.beside.choice(("bronze", "silver", "gold")),
            }
            for place, code in enumerate(marks)
        },
        older={"parent": parents[2], "tier": "bronze"},
        of=marks[0],
    )
    leave_noise(d, d.note("groups"), TOBIAS)

    word: Template = d.note("request").find(d, topic).part(r"((?:BW|CR)-\d+)")
    if d.pattern:
        word = d.note("hint").find(d, word).part(r"(BW-\d+)")
    quotes = d.call("billing", "list_quotes", query=word)
    found = d.call("contacts", "list_companies", query=quotes.at("data.items.0.customer_name"))
    keep = found.at("data.items.0.id")
    pair = d.call("contacts", "find_duplicates", kind="company", record_id=keep)
    d.call("contacts", "get_company", company_id=keep)
    rule = d.note("groups").find(d, found.at("data.items.0.tags.0"))
    house = contacts.find_company(d, rule.part(r"(?:belong to|house of) (\w+ \w+)"))
    d.act(
        "The two records are one, the one with a domain.",
        "contacts",
        "merge_records",
        kind="company",
        keep_id=keep,
        duplicate_id=pair.at("data.pairs.0.records.1.id"),
    )
    d.act(
        "The company has the parent and the tier of its group.",
        "contacts",
        "update_company",
        company_id=keep,
        parent_id=house,
        tier=rule.part(r"(bronze|silver|gold)"),
    )
    after = d.call("contacts", "get_company", company_id=keep)
    total, first_deal = after.at("data.open_deals.0.amount"), after.at("data.open_deals.0.name")
    said: dict[str, Template] = {"total": total, "deal": first_deal, "parent": after.at("data.parent_name")}
    if d.pattern:
        payers = d.call("contacts", "list_people", company_id=keep, role="billing")
        changed = d.act(
            "Invoices go to the billing contact of the merged record.",
            "billing",
            "update_customer",
            customer_id=quotes.at("data.items.0.customer_id"),
            contact_name=payers.at("data.items.0.name"),
            billing_email=payers.at("data.items.0.email"),
        )
        said["owed"] = d.call("billing", "get_customer", customer_id=changed.at("data.id")).at("data.balance")
    task = d.entry("log").add(
        d,
        "It is entered which of the company's open deals closes first, over how much, and to whom it belongs.",
        title=text("One customer, one owner"),
        words=text("Next: {deal}, {total}. Part of {parent}." + (" They owe {owed}." if d.pattern else ""), **said),
    )
    d.message("report").send(
        d,
        "Dario knows the company, its parent, its next deal and what was entered.",
        DARIO,
        text(
            "{company} is one record now, under {parent}; {deal} closes first. See {task}.",
            company=after.at("data.name"),
            parent=after.at("data.parent_name"),
            deal=first_deal,
            task=task,
        ),
        about="A customer who was there twice",
    )
    d.answer("{company} belongs to {parent}; the next deal is over {total}.", company=after.at("data.name"), **{
        "parent": after.at("data.parent_name"), "total": total
    })  # fmt: skip
    _instruct(d, topic)


def _instruct(d: Draft, topic: str) -> None:
    d.title("Merge a customer who is in Contacts twice")
    d.say(
        f"Dario found a customer that we have twice in Contacts; his note about the {topic} is "
        f"{d.note('request').where(d)}. Please clean that up.",
        f"One of our customers is in the book twice; see what Dario wrote about the {topic} "
        f"{d.note('request').where(d)}. It is embarrassing when two of us ring them, so let us settle it today.",
    )
    if d.pattern:
        d.say(
            f"He only gives a case. What it is about was noted {d.note('hint').where(d)}, and our quote for it in "
            "Billing names the customer.",
        )
    else:
        d.say(
            "He only gives the customer's own order number; our quote for it is in Billing and names them.",
            "The number is that of the customer's order, and a quote in Billing mentions it.",
        )
    d.say(
        "Nothing of either record may be lost, and the right one has to remain.",
        "Merge the wrong record into the right one; mind which is which, it cannot be undone.",
    )
    d.say(
        "The right record carries the mark of a group. Give the company the parent and the tier that go with that "
        f"mark, as it is written {d.note('groups').where(d)}.",
        f"Its group mark is a tag on the record that stays; {d.note('groups').where(d)} it says which house the "
        "mark belongs to and what tier they have. Enter both.",
    )
    d.warn(
        "Groups are sold and bought; the newest note about a mark is right.",
        "There may be an older note on the mark, so take the latest.",
    )
    d.paragraph()
    if d.pattern:
        d.say(
            "Whoever is their billing contact after that should get the invoices in Billing, by name and address.",
            "In Billing, their invoices should then go to the billing contact whom the one record has.",
        )
    d.say(
        f"Make {d.entry('log').what(d)} with the parent and, of their open deals then, the one that closes first and "
        "its amount" + (", and with what they owe us." if d.pattern else "."),
        f"I want {d.entry('log').what(d)} that gives the parent and the deal of theirs that closes next, with its "
        "amount, now that they are together" + (", as well as what they owe us." if d.pattern else "."),
    )
    d.say(
        f"{sentence(d.message('report').how(d, 'Dario'))}: the company, its parent, the deal that closes next, and "
        f"{d.entry('log').reference(d)}.",
        f"Dario should hear of it, so {d.message('report').how(d, 'Dario')}: which company it is, its parent now, "
        f"their next deal to close, and {d.entry('log').reference(d)}.",
    )
    d.say(
        "I need the company, its parent and that amount.",
        "Tell me who it was, under whom they are now, and over how much that deal is.",
    )
