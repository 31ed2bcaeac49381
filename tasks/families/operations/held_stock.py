"""Stock held back for a customer's delivery."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring.draft import Draft
from tasks.authoring.family import family
from tasks.authoring.terms import calc, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES
from tasks.places import MESSAGES

_HANA, _ELENA, _LUIS = COLLEAGUES[6], COLLEAGUES[4], COLLEAGUES[7]


@family(
    "held-stock",
    area="operations",
    roles={
        "request": DESK_NOTES,
        "terms": DESK_NOTES,
        "stock": ("inventory",),
        "rule": DESK_NOTES,
        "log": DESK_ENTRIES,
        "report": MESSAGES,
    },
    patterns=("request terms stock rule stock log report",),
    filed="log",
)
def held_stock(d: Draft) -> None:
    """A note names a customer, what was agreed with them names the article, and the supplier's rule says how much more
    than ordered is held back. Others have articles, agreements and rules like them; what is free then is asked.
    """
    request, terms, rule = d.note("request"), d.note("terms"), d.note("rule")
    log, report = d.entry("log"), d.message("report")
    names = [d.draw.company() for _ in range(d.dials.alike + 1)]
    customer = d.fact("customer", names[0], names[1])
    occasion = d.either("reopening", "trade fair stand", "uniform change")
    request.leave(
        d,
        title=f"The {occasion}",
        text=f"It is settled who gets the {occasion} delivery first: {customer}. Please hold their goods back before "
        "anybody else takes them.",
        by=_HANA,
        days_ago=1,
    )
    skus = [d.draw.code("LO") for _ in names]
    suppliers = [d.draw.company() for _ in names]
    orders = [d.draw.code("SO") for _ in names]
    pieces = [d.draw.count(20, 60) for _ in names]
    ordered = d.fact("pieces", pieces[0], pieces[0] + 3)
    sku = d.fact("article", skus[0], skus[1])
    order = d.fact("order", orders[0], orders[1])
    supplier = d.fact("supplier", suppliers[0], suppliers[1])
    extra = d.fact("extra", 15, 25)
    for number, name in enumerate(names):
        article, many = (sku, ordered) if number == 0 else (skus[number], pieces[number])
        terms.leave(
            d,
            title=f"Agreed with {name}",
            text=f"Agreed with {name} on the phone: {many} pieces of {article}, in one delivery. It is order "
            f"{order if number == 0 else orders[number]}.",
            by=_LUIS,
            days_ago=4 + d.turn(number),
        )
        _article(d, skus[number], supplier if number == 0 else suppliers[number])
        share = extra if number == 0 else d.draw.count(4, 30)
        rule.leave(
            d,
            title=f"Reserve for {suppliers[number]}",
            text=f"Goods from {suppliers[number]}: hold {share} percent more than the customer ordered, rounded up to "
            "whole pieces, because of returns.",
            by=_ELENA,
            days_ago=20 + d.turn(number),
        )

    wanted = request.find(d, f"{occasion} delivery")
    agreed = terms.find(d, wanted.part(r"delivery first: ([^.]+)\."))
    before = d.call("inventory", "list_products", sku=agreed.part(r"pieces of (LO-\d+)"))
    reserve = rule.find(d, before.at("data.items.0.supplier"))
    held = d.act(
        "The pieces are held back in the Tanner Street store for the customer's order.",
        "inventory",
        "create_reservation",
        product_id=before.at("data.items.0.id"),
        warehouse_id=before.at("data.items.0.levels.0.warehouse_id"),
        quantity=calc(
            "ceil(many * (100 + share) / 100)",
            many=agreed.part(r"phone: (\d+) pieces", number=True),
            share=reserve.part(r"hold (\d+) percent", number=True),
        ),
        order_number=agreed.part(r"order (SO-\d+)"),
    )
    after = d.call("inventory", "list_products", sku=before.at("data.items.0.sku"))
    left = after.at("data.items.0.available")
    entry = log.add(
        d,
        "It is written down which reservation it is and how much is left.",
        title=text("Held back"),
        words=text("Reservation {id}; {left} pieces are left.", id=held.at("data.id"), left=left),
    )
    report.send(
        d,
        "Luis is told the entry and how much is left.",
        _LUIS,
        text("It is done, see {entry}; {left} are free now.", entry=entry, left=left),
    )
    d.answer("{left} pieces are left.", left=left)
    d.title(f"Hold stock back for the {occasion}")
    d.say(
        f"Hana has written {request.where(d)} whose goods go out first for the {occasion} delivery.",
        f"You will find word from Hana about the {occasion} delivery {request.where(d)}; she says who comes first.",
        f"It is decided who comes first in the {occasion} delivery: see Hana's note {request.where(d)}.",
    )
    d.say(
        f"Luis noted what he agreed with them ({terms.where(d)}).",
        f"What they ordered is what Luis agreed with them on the phone; his notes are {terms.where(d)}.",
    )
    d.say(
        "Please hold that back in the store under the number of the order that he gives, plus whatever Elena's "
        f"reserve rule for the article's supplier adds; her rules are {rule.where(d)}.",
        "Reserve what they get in the store, under the order's number from his note, and do not forget the "
        f"extra that Elena wants for goods of the article's supplier ({rule.where(d)}).",
    )
    d.paragraph()
    d.say(
        f"Then leave {log.what(d)} with the reservation's id and the number of pieces of that article that are "
        "still free.",
        f"When it is done I need {log.what(d)} that says which reservation it is and how many pieces stay free.",
    )
    d.say(
        f"Finally {report.how(d, 'Luis')} with {log.reference(d)} and that number of free pieces, and tell me "
        "the number too.",
        f"And {report.how(d, 'Luis')}: he needs {log.reference(d)} and how many are free. Tell me that number as well.",
    )


def _article(d: Draft, sku: str, supplier: str) -> None:
    product = d.key("prd")
    d.plant(
        "inventory_product",
        id=product,
        sku=sku,
        name=d.draw.product(),
        category="workwear",
        supplier=supplier,
        unit_cost=d.draw.amount(8, 60),
        reorder_point=10,
        reorder_quantity=50,
        updated_at=d.ago(30),
    )
    d.plant(
        "inventory_stock_level", product_id=product, warehouse_id="whs_tanner", on_hand=d.draw.count(120, 300), bin="A1"
    )
