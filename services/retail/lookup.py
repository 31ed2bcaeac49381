"""Finding rows for the tools, with the recorded system's error texts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from engine.kit import Context, Entity
from engine.kit.values import unstorable
from services.retail import forms
from services.retail.state import (
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

E = TypeVar("E", bound=Entity)


def find_order(ctx: Context, order_id: str) -> Order:
    """The order, or the tool fails."""
    return _found(ctx, Order, order_id, "Order not found")


def find_user(ctx: Context, user_id: str) -> User:
    """The customer, or the tool fails."""
    return _found(ctx, User, user_id, "User not found")


def find_product(ctx: Context, product_id: str) -> Product:
    """The product, or the tool fails."""
    return _found(ctx, Product, product_id, "Product not found")


def find_item(ctx: Context, item_id: str) -> Variant:
    """The variant with this item id, of whatever product, or the tool fails."""
    return _found(ctx, Variant, item_id, "Item not found")


def find_variant(ctx: Context, product_id: str, item_id: str) -> Variant:
    """The product's variant with this item id, or the tool fails."""
    variant = _found(ctx, Variant, item_id, "Variant not found")
    if variant.product_id != product_id:
        ctx.fail("not_found", "Variant not found")
    return variant


def find_payment_method(ctx: Context, user_id: str, payment_method_id: str) -> PaymentMethod:
    """The customer's payment method, or the tool fails."""
    method = _found(ctx, PaymentMethod, payment_method_id, "Payment method not found")
    if method.user_id != user_id:
        ctx.fail("not_found", "Payment method not found")
    return method


def children(ctx: Context, entity: type[Entity], parents: Collection[str]) -> Mapping[str, list[Any]]:
    """The entity's rows under these parents, by parent and in order of position."""
    if not parents:
        return {}
    parent = getattr(entity, forms.PARENT[entity])
    return forms.grouped(entity, ctx.list(entity, parent.in_(parents)))


def order_document(ctx: Context, order: Order) -> dict[str, Any]:
    """The order as the tools show it."""
    items = children(ctx, OrderItem, [order.id])
    fulfillments = children(ctx, Fulfillment, [order.id])
    consignments = [row.id for row in fulfillments.get(order.id, [])]
    requested = order.exchange_payment_method_id or order.return_payment_method_id
    return forms.order_form(
        order,
        {
            OrderItem: items,
            OrderItemOption: children(ctx, OrderItemOption, [row.id for row in items.get(order.id, [])]),
            Fulfillment: fulfillments,
            FulfillmentTracking: children(ctx, FulfillmentTracking, consignments),
            FulfillmentItem: children(ctx, FulfillmentItem, consignments),
            Payment: children(ctx, Payment, [order.id]),
            RequestedItem: children(ctx, RequestedItem, [order.id] if requested else []),
        },
    )


def user_document(ctx: Context, user: User) -> dict[str, Any]:
    """The customer as the tools show them."""
    owned: forms.Children = {entity: children(ctx, entity, [user.id]) for entity in (PaymentMethod, Order)}
    return forms.user_form(user, owned)


def product_document(ctx: Context, product: Product) -> dict[str, Any]:
    """The product with its variants as the tools show it."""
    variants = children(ctx, Variant, [product.id])
    options = children(ctx, VariantOption, [row.id for row in variants.get(product.id, [])])
    return forms.product_form(product, {Variant: variants, VariantOption: options})


def variant_document(ctx: Context, variant: Variant) -> dict[str, Any]:
    """The item as the tools show it."""
    return forms.variant_form(variant, {VariantOption: children(ctx, VariantOption, [variant.id])})


def _found(ctx: Context, entity: type[E], key: str, message: str) -> E:
    row = None if unstorable(key) else ctx.get(entity, key)
    if row is None:
        ctx.fail("not_found", message)
    return row
