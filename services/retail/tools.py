"""The shop's tools: the ones that read here, the ones that change an order in ``order_tools``."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import func

from engine.kit import Context, tool
from engine.kit.values import unstorable
from services.retail.calculator import CalculationError
from services.retail.calculator import calculate as calculated
from services.retail.lookup import (
    find_item,
    find_order,
    find_product,
    find_user,
    order_document,
    product_document,
    user_document,
    variant_document,
)
from services.retail.order_tools import (
    cancel_pending_order,
    exchange_delivered_order_items,
    modify_pending_order_address,
    modify_pending_order_items,
    modify_pending_order_payment,
    return_delivered_order_items,
)
from services.retail.state import Product, User

__all__ = [
    "calculate",
    "cancel_pending_order",
    "exchange_delivered_order_items",
    "find_user_id_by_email",
    "find_user_id_by_name_zip",
    "get_item_details",
    "get_order_details",
    "get_product_details",
    "get_user_details",
    "list_all_product_types",
    "modify_pending_order_address",
    "modify_pending_order_items",
    "modify_pending_order_payment",
    "modify_user_address",
    "return_delivered_order_items",
    "transfer_to_human_agents",
]

_ASCII_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


@tool
def calculate(ctx: Context, expression: str) -> Any:
    """The value of an arithmetic expression, as text."""
    try:
        return calculated(expression)
    except CalculationError as error:
        ctx.fail("invalid", str(error))


@tool
def find_user_id_by_email(ctx: Context, email: str) -> Any:
    """The customer with this address, whatever the case of its letters."""
    wanted = email.translate(_ASCII_LOWER)
    user = None if unstorable(email) else ctx.first(User, func.lower(User.email) == wanted)
    if user is None:
        ctx.fail("not_found", "User not found")
    return user.id


@tool
def find_user_id_by_name_zip(ctx: Context, first_name: str, last_name: str, zip: str) -> Any:
    """The customer with this name and zip, whatever the case of the name."""
    wanted = (first_name.lower(), last_name.lower())
    for user in [] if unstorable(zip) else ctx.list(User, User.zip == zip):
        if (user.first_name.lower(), user.last_name.lower()) == wanted:
            return user.id
    ctx.fail("not_found", "User not found")


@tool
def get_item_details(ctx: Context, item_id: str) -> Any:
    """One buyable item."""
    return variant_document(ctx, find_item(ctx, item_id))


@tool
def get_order_details(ctx: Context, order_id: str) -> Any:
    """One order."""
    return order_document(ctx, find_order(ctx, order_id))


@tool
def get_product_details(ctx: Context, product_id: str) -> Any:
    """One product with its items."""
    return product_document(ctx, find_product(ctx, product_id))


@tool
def get_user_details(ctx: Context, user_id: str) -> Any:
    """One customer."""
    return user_document(ctx, find_user(ctx, user_id))


@tool
def list_all_product_types(ctx: Context) -> Any:
    """A JSON text that maps product names to product ids."""
    return json.dumps({product.name: product.id for product in ctx.list(Product)}, sort_keys=True)


@tool
def modify_user_address(
    ctx: Context, user_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> Any:
    """Give a customer another default address; orders keep theirs."""
    user = find_user(ctx, user_id)
    user.address1, user.address2, user.city = address1, address2, city
    user.state, user.country, user.zip = state, country, zip
    return user_document(ctx, user)


@tool
def transfer_to_human_agents(ctx: Context, summary: str) -> Any:
    """Hand the customer over; nothing is stored."""
    return "Transfer successful"
