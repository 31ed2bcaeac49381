"""The standard initial state: a small outdoor and workwear shop with customers from the cast."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from engine.kit import Entity, Person, Seed
from services.retail.dataset import rows_from_state
from services.retail.seed_data import CUSTOMERS, PINNED, PRODUCTS, STATUSES


def rows(seed: Seed) -> Iterable[Entity]:
    """12 products, 12 customers and 30 orders; the first orders are the same for every seed number."""
    return rows_from_state(document(seed))


def document(seed: Seed) -> dict[str, Any]:
    """The same in document form."""
    products = _products(seed.random("stock"))
    users = _users(seed.contacts, seed.random("wallets"))
    orders: dict[str, Any] = {}
    chance = seed.random("orders")
    sold = [item["item_id"] for product in products.values() for item in product["variants"].values()]
    names = list(users)
    for handle, status, item_ids, tracking in PINNED:
        _order(orders, products, users[_user_id(handle, users)], status, list(item_ids), tracking, chance)
    for number in range(30 - len(PINNED)):
        owner = users[names[number % len(names)]]
        chosen = chance.sample(sold, chance.randint(1, 4))
        # Shifted on each round, so that a customer's orders are in different states.
        status = STATUSES[(number + number // len(names)) % len(STATUSES)]
        _order(orders, products, owner, status, chosen, None, chance)
    return {"products": products, "users": users, "orders": orders}


def _products(chance: random.Random) -> dict[str, Any]:
    products: dict[str, Any] = {}
    for number, (name, price, options, variants) in enumerate(PRODUCTS, start=1):
        product_id = f"41{number:02d}000000"
        made: dict[str, Any] = {}
        for place, values in enumerate(variants, start=1):
            item_id = f"41{number:02d}{place:02d}{(number * 37 + place * 11) % 10_000:04d}"
            cents = round(price * 100) + 135 * place + (number * 29 + place * 17) % 60
            made[item_id] = {
                "item_id": item_id,
                "options": dict(zip(options, values, strict=True)),
                # The first two of each product can always be had, so that every product has an alternative.
                "available": place <= 2 or chance.random() < 0.75,
                "price": cents / 100,
            }
        products[product_id] = {"name": name, "product_id": product_id, "variants": made}
    return products


def _users(contacts: tuple[Person, ...], chance: random.Random) -> dict[str, Any]:
    by_name = {person.name: person for person in contacts}
    users: dict[str, Any] = {}
    for number, (name, street, suite, city, state, country, zip_code, wallet) in enumerate(CUSTOMERS, start=1):
        first, last = name.split()
        handle = f"{first}_{last}".lower()
        methods: dict[str, Any] = {}
        for place, source in enumerate(wallet, start=1):
            method: dict[str, Any] = {"source": source, "id": f"{source}_{3_100_000 + number * 100 + place}"}
            if source == "credit_card":
                method |= {
                    "brand": chance.choice(("visa", "mastercard")),
                    "last_four": f"{chance.randint(0, 9999):04d}",
                }
            elif source == "gift_card":
                method["balance"] = float(chance.choice((15, 40, 85, 120, 260)))
            methods[method["id"]] = method
        user_id = f"{handle}_{2000 + number * 7}"
        users[user_id] = {
            "user_id": user_id,
            "name": {"first_name": first, "last_name": last},
            "address": {
                "address1": street,
                "address2": suite,
                "city": city,
                "country": country,
                "state": state,
                "zip": zip_code,
            },
            "email": by_name[name].email,
            "payment_methods": methods,
            "orders": [],
        }
    return users


def _user_id(handle: str, users: dict[str, Any]) -> str:
    return next(user_id for user_id in users if user_id.startswith(handle))


def _order(
    orders: dict[str, Any],
    products: dict[str, Any],
    user: dict[str, Any],
    status: str,
    item_ids: list[str],
    tracking: str | None,
    chance: random.Random,
) -> None:
    order_id = f"#W{7_100_001 + len(orders) * 13}"
    catalogue = {key: (product, item) for product in products.values() for key, item in product["variants"].items()}
    items = []
    for item_id in item_ids:
        product, variant = catalogue[item_id]
        items.append(
            {
                "name": product["name"],
                "product_id": product["product_id"],
                "item_id": item_id,
                "price": variant["price"],
                "options": dict(variant["options"]),
            }
        )
    # A gift card has been charged already, its balance is what is left.
    method = chance.choice(list(user["payment_methods"]))
    paid = {
        "transaction_type": "payment",
        "amount": round(sum(item["price"] for item in items), 2),
        "payment_method_id": method,
    }
    history = [paid]
    if status == "cancelled":
        history.append(paid | {"transaction_type": "refund"})
    shipped = status in ("processed", "delivered")
    number = tracking or f"LK{chance.randint(10**9, 10**10 - 1)}"
    orders[order_id] = {
        "order_id": order_id,
        "user_id": user["user_id"],
        "address": dict(user["address"]),
        "items": items,
        "status": status,
        "fulfillments": [{"tracking_id": [number], "item_ids": list(item_ids)}] if shipped else [],
        "payment_history": history,
        "cancel_reason": chance.choice(("no longer needed", "ordered by mistake")) if status == "cancelled" else None,
        "exchange_items": None,
        "exchange_new_items": None,
        "exchange_payment_method_id": None,
        "exchange_price_difference": None,
        "return_items": None,
        "return_payment_method_id": None,
    }
    user["orders"].append(order_id)
