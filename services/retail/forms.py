"""The JSON forms of products, customers and orders, built from rows, for tools' results and for whole states.

A row is an entity or a row of a query: anything with the columns as attributes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from engine.kit import Entity
from services.retail.state import (
    Fulfillment,
    FulfillmentItem,
    FulfillmentTracking,
    Order,
    OrderItem,
    OrderItemOption,
    Payment,
    PaymentMethod,
    RequestedItem,
    Variant,
    VariantOption,
)

PARENT: dict[type[Entity], str] = {
    Variant: "product_id",
    VariantOption: "variant_id",
    PaymentMethod: "user_id",
    Order: "user_id",
    OrderItem: "order_id",
    OrderItemOption: "order_item_id",
    Fulfillment: "order_id",
    FulfillmentTracking: "fulfillment_id",
    FulfillmentItem: "fulfillment_id",
    Payment: "order_id",
    RequestedItem: "order_id",
}
"""The column that names the row to which a row belongs."""

ADDRESS = ("address1", "address2", "city", "country", "state", "zip")

Children = Mapping[type[Entity], Mapping[str, list[Any]]]
"""Rows by entity and parent's key, each list in order of position."""


def grouped(entity: type[Entity], rows: Iterable[Any]) -> Mapping[str, list[Any]]:
    """The entity's rows by their parent's key, each list in order of position."""
    found: defaultdict[str, list[Any]] = defaultdict(list)
    parent = PARENT[entity]
    for row in rows:
        found[getattr(row, parent)].append(row)
    for group in found.values():
        group.sort(key=lambda row: row.position)
    return found


def product_form(product: Any, children: Children) -> dict[str, Any]:
    """A product with its variants; needs ``Variant`` and ``VariantOption``."""
    variants = children[Variant].get(product.id, [])
    return {
        "name": product.name,
        "product_id": product.id,
        "variants": {variant.id: variant_form(variant, children) for variant in variants},
    }


def variant_form(variant: Any, children: Children) -> dict[str, Any]:
    """A buyable item; needs ``VariantOption``."""
    return {
        "item_id": variant.id,
        "options": _options(children[VariantOption].get(variant.id, [])),
        "available": variant.available,
        "price": float(variant.price),
    }


def user_form(user: Any, children: Children) -> dict[str, Any]:
    """A customer; needs ``PaymentMethod`` and ``Order``."""
    methods = children[PaymentMethod].get(user.id, [])
    return {
        "user_id": user.id,
        "name": {"first_name": user.first_name, "last_name": user.last_name},
        "address": {part: getattr(user, part) for part in ADDRESS},
        "email": user.email,
        "payment_methods": {method.id: _payment_method(method) for method in methods},
        "orders": [order.id for order in children[Order].get(user.id, [])],
    }


def order_form(order: Any, children: Children) -> dict[str, Any]:
    """An order; needs everything that hangs on it."""
    requested: dict[str, list[str]] = {"return": [], "exchange": [], "exchange_new": []}
    for row in children[RequestedItem].get(order.id, []):
        requested[row.kind].append(row.item_id)
    # A request without a single item is possible, so the payment method tells whether there is one.
    exchanged = order.exchange_payment_method_id is not None
    returned = order.return_payment_method_id is not None
    return {
        "order_id": order.id,
        "user_id": order.user_id,
        "address": {part: getattr(order, part) for part in ADDRESS},
        "items": [_order_item(item, children) for item in children[OrderItem].get(order.id, [])],
        "status": order.status,
        "fulfillments": [_fulfillment(row, children) for row in children[Fulfillment].get(order.id, [])],
        "payment_history": [_payment(row) for row in children[Payment].get(order.id, [])],
        "cancel_reason": order.cancel_reason,
        "exchange_items": requested["exchange"] if exchanged else None,
        "exchange_new_items": requested["exchange_new"] if exchanged else None,
        "exchange_payment_method_id": order.exchange_payment_method_id,
        "exchange_price_difference": _number(order.exchange_price_difference),
        "return_items": requested["return"] if returned else None,
        "return_payment_method_id": order.return_payment_method_id,
    }


def shown_amount(payment: Any) -> float:
    """A payment's amount as the recorded system shows it."""
    return float(payment.amount) + float(payment.drift)


def exact_amount(shown: float) -> tuple[Decimal, float]:
    """The exact amount and the drift of an amount that binary arithmetic may have shifted a little."""
    amount = Decimal(str(round(shown, 2)))
    return amount, shown - float(amount)


def _options(rows: Iterable[Any]) -> dict[str, str]:
    return {row.name: row.value for row in rows}


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)


def _payment_method(method: Any) -> dict[str, Any]:
    form: dict[str, Any] = {"source": method.source, "id": method.id}
    if method.source == "credit_card":
        form |= {"brand": method.brand, "last_four": method.last_four}
    elif method.source == "gift_card":
        form["balance"] = _number(method.balance)
    return form


def _order_item(item: Any, children: Children) -> dict[str, Any]:
    return {
        "name": item.name,
        "product_id": item.product_id,
        "item_id": item.item_id,
        "price": float(item.price),
        "options": _options(children[OrderItemOption].get(item.id, [])),
    }


def _fulfillment(row: Any, children: Children) -> dict[str, Any]:
    tracking = children[FulfillmentTracking].get(row.id, [])
    return {
        "tracking_id": [number.tracking_id for number in tracking],
        "item_ids": [item.item_id for item in children[FulfillmentItem].get(row.id, [])],
    }


def _payment(row: Any) -> dict[str, Any]:
    return {
        "transaction_type": row.transaction_type,
        "amount": shown_amount(row),
        "payment_method_id": row.payment_method_id,
    }
