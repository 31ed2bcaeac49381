"""Quotes: the discount that a price sheet allows, and what the deal behind the quote is worth then."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import billing, contacts
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, PRIYA, JONAH = COLLEAGUES[1], COLLEAGUES[2], COLLEAGUES[3]
SENT = "The quote is sent with the discount that its price sheet gives."

_SHEETS = (
    "Sheet {word}: {low} % below EUR 4,000 before discount, {middle} % from EUR 4,000, {high} % from EUR 12,000. The "
    "sum of the quote decides, nothing else.",
    "What sheet {word} gives, by the quote's sum before discount: {low} % below EUR 4,000; {middle} % from EUR 4,000; "
    "{high} % from EUR 12,000. Whoever asks for more is told about volume.",
    "{word} was agreed with Elena. {low} % below EUR 4,000, {middle} % from EUR 4,000, {high} % from EUR 12,000, "
    "always before discount.",
)
_BANDS = {"low": (18, 30), "middle": (110, 130), "high": (330, 400)}
_SHARES = {name: rf"([0-9.]+) % {'below' if name == 'low' else 'from'} EUR " for name in _BANDS}
_SHARES["high"] += "12"
_PERCENTS = (2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5)


@family(
    "quote-discount-by-sheet",
    area="sales",
    roles={
        "request": OFFICE_NOTES,
        "quote": ("billing",),
        "swap": OFFICE_NOTES,
        "sheet": OFFICE_NOTES,
        "deal": ("contacts",),
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request quote sheet quote deal log report",
        "request quote swap sheet quote deal log deal report",
    ),
    filed="log",
)
def quote_discount_by_sheet(d: Draft) -> None:
    """A customer with several drafted quotes wants one of them cheaper. The seller's note says which; the quote names a
    price sheet, the sheet gives a percentage by the quote's sum. The quote goes out with it, and the deal takes the
    total. Hard: quotes and deals of one customer that differ in the product alone, a customer who asks for more than
    the sheet gives, sheets that others have replaced, a sum that counts before the discount, totals that go stale.
    """
    seller = d.rng.choice((PRIYA, JONAH))
    company, size = d.draw.company(), 1 + d.dials.alike
    products = [d.draw.product() for _ in range(size)]
    numbers, old = billing.quote_numbers(d, size), [d.draw.code("PS") for _ in range(size)]
    sheets = [d.draw.code("PS") for _ in range(size)] if d.pattern else old
    number = d.fact("quote", numbers[0], numbers[1])
    named = d.fact("sheet", old[0], old[1])
    sheet = d.fact("new-sheet", sheets[0], sheets[1]) if d.pattern else sheets[0]
    band = d.rng.choice(tuple(_BANDS))
    shares = sorted(d.rng.sample(_PERCENTS, 3))
    percents = dict(zip(_BANDS, shares, strict=True))
    percents[band] = d.fact("percent", percents[band], percents[band] + 0.25)
    buyers = [d.draw.person(company) for _ in range(size)]
    buyer = d.fact("buyer", 0, 1)

    customer = billing.customer(d, company, buyers[0])
    record = contacts.company(d, company, owner=seller.handle.split(".")[0])
    people = [contacts.person(d, one, record, title="Buyer") for one in buyers]
    sku = d.rng.choice(("TRS-WRK", "SMK-STU", "WHT-BAK"))
    for place, product in enumerate(products):
        memo = f"{product.capitalize()}s. Price sheet {named if place == 0 else old[place]}."
        _, total = billing.quote(
            d,
            numbers[place],
            customer,
            [(sku, d.rng.randint(*_BANDS[band]))],
            memo=memo,
            days_ago=3 + d.turn(place),
            described=product.capitalize(),
        )
        person = people[buyer if place == 0 else place]
        close = d.draw.day(12, 60)
        contacts.deal(d, f"{product.capitalize()}s, {company}", record, total, close=close, person_id=person)
    asked = d.rng.choice((12, 15, 18))
    d.note("request").leave(
        d,
        title=f"{company} want a better price",
        text=d.rng.choice(
            (
                f"{company} called about {number}. They like it and would sign this week, but they want {asked} % off. "
                f"I have promised an answer, not the percentage.",
                f"Spoke to {company} again. Of everything that we drafted for them they go ahead with {number} only, "
                f"and they ask for {asked} % less. The others can stay drafts.",
                f"It is {number} that {company} are serious about. {asked} % is what they hope for; what they "
                f"get is what the price sheet of that quote says.",
            )
        ),
        by=seller,
        days_ago=1,
    )
    if d.pattern:
        for place, code in enumerate(old):
            swap = sheet if place == 0 else sheets[place]
            words = f"Sheet {code} is closed since 1 February. Whoever still quotes by it takes {swap} in its place."
            d.note("swap").leave(d, title=f"{code} is closed", text=words, by=TOBIAS, days_ago=60 + d.turn(place))
    leave_rules(
        d,
        d.note("sheet"),
        title="Price sheet {word}",
        by=TOBIAS,
        wordings=_SHEETS,
        rules={
            code: percents if place == 0 else dict(zip(_BANDS, sorted(d.beside.sample(_PERCENTS, 3)), strict=True))
            for place, code in enumerate(sheets)
        },
        older={"low": 1, "middle": 4, "high": 11},
        of=sheets[0],
    )
    leave_noise(d, d.note("sheet"), TOBIAS)

    seen = d.note("request").find(d, company)
    before = d.call("billing", "get_quote", quote_id=seen.part(r"(Q-\d+)"))
    word: Template = before.part("data.memo", r"(PS-\d+)")
    if d.pattern:
        word = d.note("swap").find(d, word).part(r"(?:takes|in its place is) (PS-\d+)")
    share = d.note("sheet").find(d, word).part(_SHARES[band], number=True)
    priced = d.act(SENT, "billing", "update_quote", quote_id=before.at("data.id"), discount_percent=share)
    d.act(SENT, "billing", "send_quote", quote_id=priced.at("data.id"))
    after = d.call("billing", "get_quote", quote_id=seen.part(r"(Q-\d+)"))
    deals = d.call("contacts", "list_deals", query=after.part("data.memo", r"^(.+?)\. Price"))
    deal = deals.at("data.items.0.id")
    goal = "The deal's amount is the quote's new total."
    d.act(goal, "contacts", "update_deal", deal_id=deal, amount=after.at("data.total"))
    worth = d.call("contacts", "get_deal", deal_id=deal)
    noted = d.entry("log").add(
        d,
        "The call to the deal's contact is entered.",
        title=text("A call about the quote"),
        words=text("Talk {who} through {quote}.", who=worth.at("data.contact.name"), quote=after.at("data.number")),
    )
    if d.pattern:
        goal = "The deal's next step names the entry."
        d.act(goal, "contacts", "update_deal", deal_id=deal, next_step=text("Call, see {entry}", entry=noted))
        worth = d.call("contacts", "get_deal", deal_id=deal)
    d.message("report").send(
        d,
        "The seller knows the quote's new total, what the deal is worth weighted, and the entry.",
        seller,
        text(
            "{quote} is out at {total}; weighted that is {worth}. The call is in {entry}.",
            quote=after.at("data.number"),
            total=after.at("data.total"),
            worth=worth.at("data.weighted_amount"),
            entry=noted,
        ),
        about=f"Quote for {company}",
    )
    d.answer("It went out at {total}, {share} % off.", total=after.at("data.total"), share=share)
    _instruct(d, company, seller.name.split()[0])


def _instruct(d: Draft, company: str, seller: str) -> None:
    d.title(f"Send {company} the quote that they want, with the discount it may get")
    d.say(
        f"{company} want one of their quotes cheaper. {seller} wrote down which one {d.note('request').where(d)}.",
        f"{seller} left word about {company} {d.note('request').where(d)}: they would sign one of the quotes that "
        "we drafted for them if it cost less.",
        f"One of the quotes for {company} can go out today; see what {seller} says {d.note('request').where(d)}.",
    )
    d.say(
        "They get the discount that the price sheet behind that quote gives for its sum, not what they ask for. "
        f"The sheets are {d.note('sheet').where(d)}, and the newest of a number counts.",
        "Never mind the figure they name. What counts is the price sheet that the quote itself mentions "
        f"({d.note('sheet').where(d)}, in its latest version) and the sum of the quote.",
    )
    if d.pattern:
        d.say(
            f"Some sheets were closed this winter; what replaced them was announced {d.note('swap').where(d)}.",
            f"Check {d.note('swap').where(d)} first whether the sheet was replaced, because several were.",
        )
    d.say("Put the discount into the quote and send it.", "Then send it, with that discount on the whole quote.")
    d.paragraph()
    d.say(
        "The deal for the same goods in Contacts has to show the new total.",
        "Change the matching deal in Contacts to the new total, too.",
    )
    d.say(
        f"Add {d.entry('log').what(d)} so that somebody rings the deal's contact about the quote; name both in it.",
        f"Somebody should ring the person on the deal: add {d.entry('log').what(d)} with their name and the quote's "
        "number.",
    )
    if d.pattern:
        where = d.entry("log").reference(d)
        d.say(f"In the deal, let the next step give {where}.", f"Give {where} in the deal's next step.")
    d.say(
        f"Then {d.message('report').how(d, seller)}: the quote's number, the total "
        f"it has now, what the deal is worth weighted after that, and {d.entry('log').reference(d)}.",
    )
    d.say("And tell me the total and the percentage.", "I need the percentage and the total it comes to.")
