"""A whole state between its document form and rows.

The document is ``{"products": {id: ...}, "users": {id: ...}, "orders": {id: ...}}``, as the tools show them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from engine.errors import InputError
from engine.kit import Entity
from services.retail import forms
from services.retail.state import (
    ENTITIES,
    Fulfillment,
    FulfillmentItem,
    FulfillmentTracking,
    Order,
    OrderItem,
    OrderItemOption,
    Payment,
    PaymentMethod,
    Product,
    RequestedItem,
    User,
    Variant,
    VariantOption,
)

COLLECTIONS = ("products", "users", "orders")

_ORDER_FIELDS = (
    "order_id",
    "user_id",
    "address",
    "items",
    "status",
    "fulfillments",
    "payment_history",
    "cancel_reason",
    "exchange_items",
    "exchange_new_items",
    "exchange_payment_method_id",
    "exchange_price_difference",
    "return_items",
    "return_payment_method_id",
)


def rows_from_state(document: Mapping[str, Any]) -> Iterator[Entity]:
    """The document as rows, a referenced one before those that refer to it.

    Raises:
        InputError: an entry is not of the expected form; nothing of it is dropped silently.
    """
    products, users, orders = _take(document, *COLLECTIONS)
    places: dict[str, tuple[str, int]] = {}
    for user_id, user in users.items():
        for position, order_id in enumerate(user["orders"]):
            places[order_id] = (user_id, position)
    if lost := sorted(places.keys() ^ orders.keys()):
        raise InputError(f"order {lost[0]} stands only with its customer or only among the orders")
    yield from _entries("products", products, _product_rows)
    yield from _entries("users", users, _user_rows)
    yield from _entries("orders", orders, lambda key, order: _order_rows(key, order, places[key]))


def state_from_rows(rows: Mapping[type[Entity], Iterable[Any]]) -> dict[str, Any]:
    """The document again, from all rows of each entity (entities, or rows of a query with these columns)."""
    tables: dict[type[Entity], list[Any]] = {entity: list(rows.get(entity, ())) for entity in ENTITIES}
    children = {entity: forms.grouped(entity, tables[entity]) for entity in forms.PARENT}
    made: tuple[tuple[str, type[Entity], Callable[[Any, forms.Children], dict[str, Any]]], ...] = (
        ("products", Product, forms.product_form),
        ("users", User, forms.user_form),
        ("orders", Order, forms.order_form),
    )
    return {name: {row.id: form(row, children) for row in tables[entity]} for name, entity, form in made}


def read_state(read: Callable[[type[Entity]], Iterable[Any]]) -> dict[str, Any]:
    """The document, where ``read`` gives all rows of an entity."""
    return state_from_rows({entity: read(entity) for entity in ENTITIES})


def _entries(
    name: str, entries: Mapping[str, Any], convert: Callable[[str, Any], Iterator[Entity]]
) -> Iterator[Entity]:
    for key, entry in entries.items():
        try:
            made = list(convert(key, entry))
        except (InputError, KeyError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
            raise InputError(f"{name} {key}: {error}") from error
        yield from made


def _take(record: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    """The values under these names, which are all that the record has."""
    if record.keys() != set(names):
        wrong = ", ".join(sorted(record.keys() ^ set(names)))
        raise InputError(f"missing or unexpected: {wrong}")
    return tuple(record[name] for name in names)


def _same(key: str, named: str) -> None:
    if key != named:
        raise ValueError(f"is named {named} inside")


def _cents(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no amount")
    amount = Decimal(str(value))
    if amount != amount.quantize(Decimal("0.01")):
        raise ValueError(f"{value!r} has more than two decimals")
    return amount


def _product_rows(key: str, product: Any) -> Iterator[Entity]:
    name, product_id, variants = _take(product, "name", "product_id", "variants")
    _same(key, product_id)
    yield Product(id=product_id, name=name)
    for position, (variant_key, variant) in enumerate(variants.items()):
        item_id, options, available, price = _take(variant, "item_id", "options", "available", "price")
        _same(variant_key, item_id)
        yield Variant(id=item_id, product_id=product_id, position=position, available=available, price=_cents(price))
        for place, (option, value) in enumerate(options.items()):
            yield VariantOption(variant_id=item_id, position=place, name=option, value=value)


def _user_rows(key: str, user: Any) -> Iterator[Entity]:
    fields = ("user_id", "name", "address", "email", "payment_methods", "orders")
    user_id, name, address, email, methods, _ = _take(user, *fields)
    _same(key, user_id)
    first, last = _take(name, "first_name", "last_name")
    _take(address, *forms.ADDRESS)
    yield User(id=user_id, first_name=first, last_name=last, email=email, **address)
    for position, (method_key, method) in enumerate(methods.items()):
        _same(method_key, method["id"])
        extra: dict[str, Any] = {}
        if method["source"] == "credit_card":
            *_, extra["brand"], extra["last_four"] = _take(method, "id", "source", "brand", "last_four")
        elif method["source"] == "gift_card":
            extra["balance"] = _cents(_take(method, "id", "source", "balance")[2])
        else:
            _take(method, "id", "source")
        yield PaymentMethod(id=method["id"], user_id=user_id, position=position, source=method["source"], **extra)


def _order_rows(key: str, order: Any, place: tuple[str, int]) -> Iterator[Entity]:
    fields = dict(zip(_ORDER_FIELDS, _take(order, *_ORDER_FIELDS), strict=True))
    _same(key, fields["order_id"])
    owner, position = place
    if owner != fields["user_id"]:
        raise ValueError(f"belongs to {fields['user_id']} but is listed with {owner}")
    for items in ("exchange_items", "exchange_new_items", "return_items"):
        method = f"{items.split('_')[0]}_payment_method_id"
        if (fields[method] is None) != (fields[items] is None):
            raise ValueError(f"has only one of {method} and {items}")
    _take(fields["address"], *forms.ADDRESS)
    difference = fields["exchange_price_difference"]
    yield Order(
        id=key,
        user_id=owner,
        position=position,
        status=fields["status"],
        cancel_reason=fields["cancel_reason"],
        exchange_payment_method_id=fields["exchange_payment_method_id"],
        exchange_price_difference=None if difference is None else _cents(difference),
        return_payment_method_id=fields["return_payment_method_id"],
        **fields["address"],
    )
    yield from _item_rows(key, fields["items"])
    yield from _fulfillment_rows(key, fields["fulfillments"])
    for number, payment in enumerate(fields["payment_history"]):
        kind, shown, method = _take(payment, "transaction_type", "amount", "payment_method_id")
        amount, drift = forms.exact_amount(float(shown))
        yield Payment(
            order_id=key,
            position=number,
            transaction_type=kind,
            amount=amount,
            payment_method_id=method,
            drift=drift,
        )
    lists = (
        ("return", "return_items"),
        ("exchange", "exchange_items"),
        ("exchange_new", "exchange_new_items"),
    )
    for kind, name in lists:
        for number, item_id in enumerate(fields[name] or ()):
            yield RequestedItem(order_id=key, kind=kind, position=number, item_id=item_id)


def _item_rows(order_id: str, items: Any) -> Iterator[Entity]:
    for position, item in enumerate(items):
        name, product_id, item_id, price, options = _take(item, "name", "product_id", "item_id", "price", "options")
        row_id = f"{order_id}/{position + 1}"
        yield OrderItem(
            id=row_id,
            order_id=order_id,
            position=position,
            product_id=product_id,
            item_id=item_id,
            name=name,
            price=_cents(price),
        )
        for place, (option, value) in enumerate(options.items()):
            yield OrderItemOption(order_item_id=row_id, position=place, name=option, value=value)


def _fulfillment_rows(order_id: str, fulfillments: Any) -> Iterator[Entity]:
    for position, fulfillment in enumerate(fulfillments):
        numbers, item_ids = _take(fulfillment, "tracking_id", "item_ids")
        row_id = f"{order_id}/f{position + 1}"
        yield Fulfillment(id=row_id, order_id=order_id, position=position)
        for place, tracking_id in enumerate(numbers):
            yield FulfillmentTracking(fulfillment_id=row_id, position=place, tracking_id=tracking_id)
        for place, item_id in enumerate(item_ids):
            yield FulfillmentItem(fulfillment_id=row_id, position=place, item_id=item_id)
