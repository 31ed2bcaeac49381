"""The shop: customers and orders of a scenario whose payments agree, over the shop's own articles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from engine.kit import Seed
from engine.kit.cast import Person
from services.retail.seed import document
from tasks.authoring.terms import Seen, Template

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

_PLACES = (
    ("12 Otter Street", "Austin", "TX", "USA", "78702"),
    ("480 Juniper Avenue", "Denver", "CO", "USA", "80203"),
    ("9 Larkhall Place", "Leeds", "WYK", "United Kingdom", "LS6 2AB"),
    ("77 Marine Drive", "Portland", "OR", "USA", "97209"),
    ("31 Calder Way", "Dublin", "D", "Ireland", "D08 F2X1"),
    ("5 Beaconsfield Row", "Toronto", "ON", "Canada", "M6J 3G2"),
)

ENGLAND = ("9 Larkhall Place", "Leeds", "England", "United Kingdom", "LS6 2AB")
"""An address in a country whose towns and postcodes a scenario knows."""


@dataclass(frozen=True)
class Article:
    """A buyable item of the shop."""

    id: str
    product_id: str
    name: str
    price: Decimal
    options: tuple[tuple[str, str], ...]
    available: bool


@cache
def articles() -> tuple[Article, ...]:
    """What the shop sells, product by product."""
    products = document(Seed("retail"))["products"].values()
    return tuple(
        Article(
            one["item_id"],
            product["product_id"],
            product["name"],
            Decimal(str(one["price"])),
            tuple(one["options"].items()),
            one["available"],
        )
        for product in products
        for one in product["variants"].values()
    )


def customer(
    d: Draft,
    who: Person,
    *,
    balance: Decimal = Decimal("400.00"),
    place: tuple[str, str, str, str, str] | None = None,
) -> tuple[str, str, str]:
    """Plant a customer with a credit card and a gift card; gives their id and those of the two.

    Args:
        balance: of the gift card.
        place: street, city, state, country and postcode; drawn where none is given.
    """
    first, last = who.name.split(" ", 1)
    number = d.rng.randint(5000, 9999)
    key = f"{first}_{last}_{number}".lower().replace(" ", "_")
    street, city, state, country, code = place or d.rng.choice(_PLACES)
    d.plant(
        "retail_user",
        id=key,
        first_name=first,
        last_name=last,
        email=who.email,
        address1=street,
        address2="",
        city=city,
        state=state,
        country=country,
        zip=code,
    )
    card, gift = f"credit_card_{number}10", f"gift_card_{number}20"
    method = "retail_payment_method"
    d.plant(method, id=card, user_id=key, position=0, source="credit_card", brand="visa", last_four=f"{number}")
    d.plant(method, id=gift, user_id=key, position=1, source="gift_card", balance=balance)
    return key, card, gift


def order(
    d: Draft,
    number: str,
    user_id: str,
    paid_by: str,
    items: Sequence[Article],
    *,
    status: str = "delivered",
    address2: str = "",
) -> None:
    """Plant an order with its payment and, once it has left, its consignment.

    Args:
        address2: the second line of its address, which is the customer's own otherwise.
    """
    users = {one["id"]: one for one in d.s0().insert["retail_user"]}
    parts = ("address1", "city", "state", "country", "zip")
    position = sum(one["user_id"] == user_id for one in d.s0().insert.get("retail_order", []))
    d.plant(
        "retail_order",
        id=number,
        user_id=user_id,
        position=position,
        status=status,
        address2=address2,
        **{part: users[user_id][part] for part in parts},
    )
    for place, item in enumerate(items):
        key = d.key("oit")
        d.plant(
            "retail_order_item",
            id=key,
            order_id=number,
            position=place,
            product_id=item.product_id,
            item_id=item.id,
            name=item.name,
            price=item.price,
        )
        for at, (name, value) in enumerate(item.options):
            d.plant("retail_order_item_option", order_item_id=key, position=at, name=name, value=value)
    if status in ("processed", "delivered"):
        _consign(d, number, items)
    d.plant(
        "retail_payment",
        order_id=number,
        position=0,
        transaction_type="payment",
        amount=sum((item.price for item in items), Decimal()),
        payment_method_id=paid_by,
    )


def _consign(d: Draft, number: str, items: Sequence[Article]) -> None:
    key = d.key("ful")
    d.plant("retail_fulfillment", id=key, order_id=number, position=0)
    tracking = f"LK{d.rng.randint(10**9, 10**10 - 1)}"
    d.plant("retail_fulfillment_tracking", fulfillment_id=key, position=0, tracking_id=tracking)
    for place, item in enumerate(items):
        d.plant("retail_fulfillment_item", fulfillment_id=key, position=place, item_id=item.id)


def order_numbers(d: Draft, count: int) -> list[str]:
    """Numbers of orders that the shop does not have and that are easily taken for each other."""
    base = d.rng.randint(82, 97)
    tails = ("0146", "0164", "1046", "0416", "1064", "0614", "4016", "0641", "4106", "6014")
    return [f"#W{base}{tail}7" for tail in d.rng.sample(tails, count)]


def read(d: Draft, order_id: Template) -> Seen:
    """One order."""
    return d.call("retail", "get_order_details", order_id=order_id)
