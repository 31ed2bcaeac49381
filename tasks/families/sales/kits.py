"""New quotes: what a kit holds, what its articles cost, and what rebate their group gets."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import billing, contacts
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, PRIYA, JONAH, OSCAR = COLLEAGUES[1], COLLEAGUES[2], COLLEAGUES[3], COLLEAGUES[13]
QUOTED = (
    "The customer has a quote for the kit's pieces, sent with the rebate of their group and valid as long as it says."
)


@family(
    "quote-for-a-kit",
    area="sales",
    roles={
        "wish": OFFICE_NOTES,
        "kit": OFFICE_NOTES,
        "books": ("billing",),
        "rebate": OFFICE_NOTES,
        "deal": ("contacts",),
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "wish kit books rebate books deal report",
        "wish kit books rebate books deal log deal report",
    ),
    filed="log",
)
def quote_for_a_kit(d: Draft) -> None:
    """A customer wants to dress a number of people in a kit. The kit's sheet gives article and pieces a head, the price
    list the price and the article's rebate group, the group's rule the rebate and how long quotes stand. A quote goes
    out and a deal opens over its total. Hard: kits and articles that differ in digits, pieces to be computed, rebates
    that were changed, validity in working days, a total that the rebate makes stale.
    """
    seller, size = d.rng.choice((PRIYA, JONAH)), 1 + d.dials.alike
    company, currency = d.draw.company(), d.rng.choice(("EUR", "USD", "GBP"))
    kits, skus, groups = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("KIT", "AR", "RG"))
    heads = d.fact("heads", *d.rng.sample(range(14, 90), 2))
    kit, sku = d.fact("kit", kits[0], kits[1]), d.fact("article", skus[0], skus[1])
    each = d.fact("pieces", *d.rng.sample((2, 3, 4, 5), 2))
    group = d.fact("rebate-group", groups[0], groups[1])
    percent = d.fact("percent", *d.rng.sample((4, 5.5, 6.5, 7.5, 9, 11.5), 2))
    days = d.fact("days", *d.rng.sample((7, 8, 9, 11, 12), 2))
    buyers = [d.draw.person(company) for _ in range(4)]
    chief = d.fact("primary", 0, 1) if d.pattern else 0
    billing.customer(d, company, buyers[0], currency=currency)
    record = contacts.company(d, company, owner=seller.handle.split(".")[0], currency=currency)
    for seat, person in enumerate(buyers):
        contacts.person(d, person, record, title="Team lead", role="primary" if seat == chief else None)
    for place, code in enumerate(skus):
        name = d.draw.product()
        price = d.draw.amount(12, 60)
        text_ = f"Made to order. Rebate group {group if place == 0 else groups[place]}."
        billing.product(d, code, name.capitalize(), {currency: price}, text_)
    d.note("wish").leave(
        d,
        title=f"{company} want a quote",
        text=d.rng.choice(
            (
                f"{company} called. They liked {kit} at the fair and want it for {heads} people, the whole house.",
                f"{company} open a second site and need {kit} for {heads} heads. A quote this week would be good.",
                f"For {company}: {heads} people in {kit}, please. They compare us with two others.",
            )
        ),
        by=seller,
        days_ago=1,
    )
    leave_rules(
        d,
        d.note("kit"),
        title="Contents of {word}",
        by=OSCAR,
        wordings=(
            "{word} is {each} pieces of {sku} for each person, nothing else any more.",
            "What belongs to {word}: {each} pieces of {sku} a head, in the house colour.",
        ),
        rules={
            code: {"each": each if place == 0 else d.beside.randint(2, 5), "sku": sku if place == 0 else skus[place]}
            for place, code in enumerate(kits)
        },
        older={"each": 6, "sku": skus[2]},
        of=kits[0],
    )
    leave_rules(
        d,
        d.note("rebate"),
        title="Rebate group {word}",
        by=TOBIAS,
        wordings=(
            "{word}: {percent} % on the whole quote. Quotes with such goods stand for {days} working days, no longer.",
            "On quotes with articles of {word} we give {percent} %, and they are valid for {days} working days.",
        ),
        rules={
            code: {
                "percent": percent if place == 0 else d.beside.choice((3, 4.5, 6, 8, 10.5)),
                "days": days if place == 0 else d.beside.randint(7, 13),
            }
            for place, code in enumerate(groups)
        },
        older={"percent": 15, "days": 30},
        of=groups[0],
    )
    leave_noise(d, d.note("rebate"), TOBIAS)

    wish = d.note("wish").find(d, company)
    sheet = d.note("kit").find(d, wish.part(r"(KIT-\d+)"))
    customer = d.call("billing", "list_customers", query=company)
    goods = d.call("billing", "list_products", query=sheet.part(r"(AR-\d+)"))
    pieces = calc(
        "heads * each",
        heads=wish.part(r"(\d+) (?:people|heads)", number=True),
        each=sheet.part(r"(\d+) pieces", number=True),
    )
    made = d.act(
        QUOTED,
        "billing",
        "create_quote",
        customer_id=customer.at("data.items.0.id"),
        lines=[{"product_id": goods.at("data.items.0.id"), "quantity": pieces}],
    )
    d.call("billing", "get_quote", quote_id=made.at("data.id"))
    rule = d.note("rebate").find(d, goods.part("data.items.0.description", r"(RG-\d+)"))
    d.act(
        QUOTED,
        "billing",
        "update_quote",
        quote_id=made.at("data.id"),
        discount_percent=rule.part(r"([0-9.]+) %", number=True),
        valid_until=calc(
            "business_days(day, n)", day=made.at("data.created_at"), n=rule.part(r"(\d+) working", number=True)
        ),
    )
    d.act(QUOTED, "billing", "send_quote", quote_id=made.at("data.id"))
    quote = d.call("billing", "get_quote", quote_id=made.at("data.id"))
    firm = contacts.find_company(d, company)
    deal = d.act(
        "A deal at the stage of a proposal is open over the quote's total, until its last day.",
        "contacts",
        "create_deal",
        name=text("Quote {number}", number=quote.at("data.number")),
        company_id=firm,
        amount=quote.at("data.total"),
        close_date=quote.at("data.valid_until"),
        stage_id="proposal",
    )
    where = deal.at("data.id")
    if d.pattern:
        people = d.call("contacts", "list_people", company_id=firm, role="primary")
        where = d.entry("log").add(
            d,
            "It is entered, for the quote's last day, that the primary contact is rung.",
            title=text("Ring about the quote"),
            words=text("{who}: {number}", who=people.at("data.items.0.name"), number=quote.at("data.number")),
            day=quote.at("data.valid_until"),
        )
        goal = "The deal's next step refers to what was entered."
        d.act(goal, "contacts", "update_deal", deal_id=deal.at("data.id"), next_step=text("See {task}", task=where))
        where = d.call("contacts", "get_deal", deal_id=deal.at("data.id")).at("data.weighted_amount")
    d.message("report").send(
        d,
        "The seller knows the quote, its total, its last day and what the deal is.",
        seller,
        text(
            "{number} is out over {total}, valid until {day}. In the pipeline: {deal}.",
            number=quote.at("data.number"),
            total=quote.at("data.total"),
            day=quote.at("data.valid_until"),
            deal=where,
        ),
        about=f"Quote for {company}",
    )
    d.answer("{number} over {total}.", number=quote.at("data.number"), total=quote.at("data.total"))
    _instruct(d, company, seller.name.split()[0])


def _instruct(d: Draft, company: str, seller: str) -> None:
    d.title(f"Quote {company} the kit that they want")
    d.say(
        f"{seller} is on the road and {company} are waiting for a quote. What they want is noted "
        f"{d.note('wish').where(d)}.",
        f"Could you quote {company}? {seller} put their wish {d.note('wish').where(d)}.",
        f"{company} would like to buy a kit from us. {seller} wrote {d.note('wish').where(d)} which one, and how many.",
    )
    d.say(
        f"What is in each kit is noted {d.note('kit').where(d)}; take the newest sheet.",
        f"The contents of our kits are {d.note('kit').where(d)}.{d.stale(' Beware of older sheets.')}",
    )
    d.say(
        "Prices are those of the price list. The article's rebate group decides the rebate on the quote and how "
        f"long it stands, counted from today; the rules are {d.note('rebate').where(d)}.",
        "Quote at list price, with the rebate of the article's group on the whole quote, valid for as long from today "
        f"as the rule for that group allows ({d.note('rebate').where(d)}).",
    )
    d.say("Send it when it is right.", "It should be sent, not left as a draft.")
    d.paragraph()
    d.say(
        "Open a deal of mine for it in Contacts, as a proposal over the total they were quoted, closing on the quote's "
        "last day; the quote's number belongs in the deal's name.",
        "The pipeline needs a deal in my name, at the proposal stage, over that total and until the last day of the "
        "quote, named after the quote's number.",
    )
    if d.pattern:
        d.say(
            f"Make {d.entry('log').what(d)} for that last day: ring their primary contact, by name, about the quote, "
            f"by number. Put {d.entry('log').reference(d)} into the deal's next step.",
        )
    what = "the weighted amount of the deal" if d.pattern else "the deal's id"
    d.say(
        f"Then {d.message('report').how(d, seller)}: number, total, last day, and {what}.",
        f"When it is out, {d.message('report').how(d, seller)} with the quote's number, its total, its last day and "
        f"{what}.",
    )
    d.say("I need the number and the total, too.", "And give me number and total.")
