"""Leads: somebody who bought tickets becomes a person, a deal and a subscriber."""

from __future__ import annotations

from decimal import Decimal

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import contacts, events
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, PRIYA, JONAH = COLLEAGUES[1], COLLEAGUES[2], COLLEAGUES[3]
KNOWN = "The buyer stands in Contacts as a person at their company, with a deal worth what the partner's rule says."


@family(
    "lead-from-event-order",
    area="sales",
    roles={
        "tip": OFFICE_NOTES,
        "office": ("events",),
        "partner": OFFICE_NOTES,
        "rule": OFFICE_NOTES,
        "book": ("contacts",),
        "list": ("campaigns",),
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "tip office rule book list book report",
        "tip office partner rule book list book log report",
    ),
    filed="log",
)
def lead_from_event_order(d: Draft) -> None:
    """A group at an event looks like business. The seller's note gives the order, the order its buyer and the code of
    the partner who sent them, the partner's rule what they may be worth and when to ring. Hard: orders of one event
    that differ in a number, a value computed from what they paid, days counted from the event, a tag that is
    found on the company, a pipeline whose forecast the new deal changes.
    """
    size, seller = 1 + d.dials.alike, d.rng.choice((PRIYA, JONAH))
    topic = d.draw.product()
    title = f"{topic.capitalize()} evening"
    companies = [d.draw.company() for _ in range(size)]
    codes = [d.draw.code("PC") for _ in range(size)]
    houses = [d.draw.company() for _ in range(size)]
    orders = d.rng.sample(range(1100, 1890), size)
    tags = [d.draw.code("rg") for _ in range(size)]
    order = d.fact("order", orders[0], orders[1])
    code = d.fact("partner-code", codes[0], codes[1])
    house = d.fact("partner", houses[0], houses[1]) if d.pattern else houses[0]
    factor = d.fact("factor", *d.rng.sample((12, 15, 18, 24, 30), 2))
    days = d.fact("days", *d.rng.sample((15, 18, 20, 25), 2))
    tag = d.fact("tag", tags[0], tags[1])
    price, guests = d.rng.choice(("24.00", "32.00", "45.00")), d.rng.randint(2, 4)
    starts = d.ago(d.rng.choice((-9, -10, -11)), 16)
    evening = events.event(
        d,
        title,
        venue="Cedar Hall",
        city="London",
        starts=starts,
        role="seller",
        kinds=(("Seat", price, 60, size * guests),),
    )
    for place, name in enumerate(companies):
        people = [d.draw.person(name) for _ in range(guests)]
        used = code if place == 0 else codes[place]
        events.discount_code(d, evening, codes[place], "10", used=1)
        events.order(
            d,
            evening,
            orders[place],
            people[0],
            people,
            kind="Seat",
            price=price,
            code=used,
            discount=str(Decimal(price) * guests / 10),
            days_ago=3 + d.turn(place),
        )
        carried = tag if place == 0 else tags[place]
        contacts.company(d, name, owner=seller.handle.split(".")[0], lifecycle="prospect", tags=(carried,))
    d.note("tip").leave(
        d,
        title=f"{title}: somebody to ring",
        text=d.rng.choice(
            (
                f"I looked through who comes to the {title}. EO-{order} is the one to keep an eye on, a whole group "
                f"from a house that buys elsewhere today.",
                f"{title}: the people behind EO-{order} told me on the phone that they dress thirty and are unhappy. "
                f"They are not in our pipeline yet.",
                f"About the {title}. Of all the bookings, EO-{order} smells of real business. The rest come for the "
                "cake.",
            )
        ),
        by=seller,
        days_ago=1,
    )
    if d.pattern:
        for place, used in enumerate(codes):
            whose = house if place == 0 else houses[place]
            words = f"Discount code {used} belongs to {whose}. They hand it to their own customers."
            d.note("partner").leave(d, title=f"Code {used}", text=words, by=TOBIAS, days_ago=70 + d.turn(place))
    keys = houses if d.pattern else codes
    leave_rules(
        d,
        d.note("rule"),
        title="Guests of {word}",
        by=TOBIAS,
        wordings=(
            "Whoever comes through {word}: count on {factor} times what they paid for their tickets, and ring them no "
            "later than {days} days after the event.",
            "{word} sends us {factor} times the ticket money in orders, on average. The deal closes {days} "
            "days after the event or not at all.",
        ),
        rules={
            key: {
                "factor": factor if place == 0 else d.beside.randint(11, 31),
                "days": days if place == 0 else d.beside.randint(14, 26),
            }
            for place, key in enumerate(keys)
        },
        older={"factor": 40, "days": 30},
        of=keys[0],
    )
    leave_noise(d, d.note("rule"), TOBIAS)

    tip = d.note("tip").find(d, title)
    listed = d.call("events", "list_orders", code=tip.part(r"(EO-\d+)"))
    bought = d.call("events", "get_order", order_id=listed.at("data.items.0.id"))
    party = d.call("events", "get_event", event_id=bought.at("data.event_id"))
    word = bought.at("data.discount_code")
    if d.pattern:
        word = d.note("partner").find(d, word).part(r"belongs to (.+?)\.")
    rule = d.note("rule").find(d, word)
    worth = calc("round(paid * factor, 2)", paid=bought.at("data.total"), factor=rule.part(r"(\d+) times", number=True))
    closes = calc("days(start, n)", start=party.at("data.starts_at"), n=rule.part(r"(\d+) days", number=True))
    d.call("contacts", "get_pipeline_summary", currency="EUR")
    firm = d.call("contacts", "list_companies", query=bought.at("data.company"))
    who = d.act(
        KNOWN,
        "contacts",
        "create_person",
        name=bought.at("data.buyer_name"),
        email=bought.at("data.buyer_email"),
        company_id=firm.at("data.items.0.id"),
    )
    deal = d.act(
        KNOWN,
        "contacts",
        "create_deal",
        name=text("{company}, met at the event", company=firm.at("data.items.0.name")),
        company_id=firm.at("data.items.0.id"),
        person_id=who.at("data.id"),
        amount=worth,
        close_date=closes,
    )
    lists = d.call("campaigns", "list_audiences")
    added = d.act(
        "The buyer is on the trade customers' list, with the company's tag.",
        "campaigns",
        "create_subscriber",
        audience_id=lists.at("data.items.[name=Trade customers].id"),
        email=who.at("data.email"),
        name=who.at("data.name"),
        source="event",
        tags=[firm.at("data.items.0.tags.0")],
    )
    d.act(
        "The deal's next step gives the subscriber's id.",
        "contacts",
        "update_deal",
        deal_id=deal.at("data.id"),
        next_step=text("Ring them; on the list as {subscriber}", subscriber=added.at("data.id")),
    )
    after = d.call("contacts", "get_pipeline_summary", currency="EUR")
    forecast = after.at("data.currencies.0.forecast_amount")
    told = {"deal": deal.at("data.id"), "worth": worth, "forecast": forecast}
    if d.pattern:
        told["task"] = d.entry("log").add(
            d,
            "The forecast with the new deal is entered.",
            title=text("Ring the group of the event"),
            words=text("{deal} brings the forecast to {forecast}.", deal=deal.at("data.id"), forecast=forecast),
            day=closes,
        )
    more = " See {task}." if d.pattern else ""
    d.message("report").send(
        d,
        "The seller knows the deal, what it is worth, and the forecast in euros.",
        seller,
        text("New: {deal} over {worth}. The forecast is {forecast} now." + more, **told),
        about="A lead from the event",
    )
    d.answer("The deal is {deal}, over {worth}.", deal=deal.at("data.id"), worth=worth)
    _instruct(d, title, seller.name.split()[0])


def _instruct(d: Draft, title: str, seller: str) -> None:
    d.title(f"Make a lead of a group at the {title}")
    d.say(
        f"{seller} thinks that one of the bookings for our {title} is worth more than a ticket, as you can read "
        f"{d.note('tip').where(d)}. Please make a proper lead of it.",
        f"For the {title} we sold tickets to a group that should be in our pipeline. {seller} says which booking "
        f"{d.note('tip').where(d)}.",
    )
    if d.pattern:
        d.say(
            f"They came with a partner's discount code. The partner is noted {d.note('partner').where(d)}, and "
            f"what we may expect of that partner's guests {d.note('rule').where(d)}.",
        )
    else:
        d.say(
            "They came with a partner's discount code; what we expect of guests who use it, and by when, is "
            f"{d.note('rule').where(d)}.",
            f"Look up the discount code that they used {d.note('rule').where(d)}: it tells what such guests are worth "
            f"and when their deal has to close.",
        )
    d.warn(
        "Those expectations are revised, and the newest holds.",
        "What we expected earlier no longer counts, so go by the latest.",
    )
    d.paragraph()
    d.say(
        "In Contacts, add the buyer to their company (it is there already) and open a deal in my name with the buyer "
        "as contact, over the amount that follows from what they paid, closing on the day that follows from the "
        "event's.",
        "Their company is in Contacts already. Add whoever booked, and open a deal of mine with that person: the "
        "amount and the closing day follow from the rule, what they paid in the end, and the day of the event.",
    )
    d.say(
        "Put the buyer on the mailing list of our trade customers, as somebody from an event, with the tag that their "
        "company has in Contacts.",
        "The buyer belongs on the list Trade customers too, coming from an event, under the tag of their company.",
    )
    d.say(
        "The id that they get there goes into the deal's next step.",
        "Note in the deal's next step under which id they are on the list.",
    )
    if d.pattern:
        d.say(
            f"After that make {d.entry('log').what(d)} for the closing day that gives the deal's id and the new "
            f"forecast of our euro pipeline.",
        )
    told = (
        f"{d.message('report').how(d, seller)}: the deal's id, its amount and what our whole forecast in euros is now"
    )
    d.say(
        f"Then {told}{', and ' + d.entry('log').reference(d) if d.pattern else ''}.",
        f"When it stands, {told}{'. Add ' + d.entry('log').reference(d) if d.pattern else ''}.",
    )
    d.say("I only need the deal's id and amount.", "Tell me the id and the amount of the deal.")
