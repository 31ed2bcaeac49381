"""The tools that change an order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from engine.kit import Context, tool
from services.retail.forms import exact_amount, shown_amount
from services.retail.lookup import (
    children,
    find_order,
    find_payment_method,
    find_variant,
    order_document,
)
from services.retail.state import (
    CANCEL_REASONS,
    CANCELLED,
    DELIVERED,
    EXCHANGE_REQUESTED,
    GIFT_CARD,
    PENDING,
    PENDING_MODIFIED,
    RETURN_REQUESTED,
    Order,
    OrderItem,
    OrderItemOption,
    Payment,
    PaymentMethod,
    RequestedItem,
    Variant,
    VariantOption,
)


@tool
def cancel_pending_order(ctx: Context, order_id: str, reason: str) -> Any:
    """Cancel an order: each entry of its payment history is refunded, gift cards at once."""
    order = find_order(ctx, order_id)
    if order.status != PENDING:
        ctx.fail("conflict", "Non-pending order cannot be cancelled")
    if reason not in CANCEL_REASONS:
        ctx.fail("invalid", "Invalid reason")
    # A refund left in the history by an earlier change of the payment method counts like a payment here.
    for payment in _payments(ctx, order):
        method = find_payment_method(ctx, order.user_id, payment.payment_method_id)
        _add_payment(ctx, order, "refund", shown_amount(payment), method)
        _credit(method, shown_amount(payment))
    order.status = CANCELLED
    order.cancel_reason = reason
    return order_document(ctx, order)


@tool
def exchange_delivered_order_items(
    ctx: Context, order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
) -> Any:
    """Ask for other variants of delivered items; nothing is paid yet."""
    order = find_order(ctx, order_id)
    if order.status != DELIVERED:
        ctx.fail("conflict", "Non-delivered order cannot be exchanged")
    items = _items(ctx, order)
    surplus = _surplus(items, item_ids)
    if surplus is not None:
        ctx.fail("not_found", f"Number of {surplus} not found.")
    if len(item_ids) != len(new_item_ids):
        ctx.fail("invalid", "The number of items to be exchanged should match.")
    _, shown = _replacements(ctx, items, item_ids, new_item_ids)
    difference = Decimal(str(round(shown, 2)))
    method = find_payment_method(ctx, order.user_id, payment_method_id)
    if method.source == GIFT_CARD and _balance(method) < float(difference):
        ctx.fail("conflict", "Insufficient gift card balance to pay for the price difference")
    order.status = EXCHANGE_REQUESTED
    order.exchange_payment_method_id = method.id
    order.exchange_price_difference = difference
    _request(ctx, order, "exchange", item_ids)
    _request(ctx, order, "exchange_new", new_item_ids)
    return order_document(ctx, order)


@tool
def modify_pending_order_address(
    ctx: Context, order_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> Any:
    """Send a pending order elsewhere; the customer's default address stays."""
    order = find_order(ctx, order_id)
    if PENDING not in order.status:
        ctx.fail("conflict", "Non-pending order cannot be modified")
    order.address1, order.address2, order.city = address1, address2, city
    order.state, order.country, order.zip = state, country, zip
    return order_document(ctx, order)


@tool
def modify_pending_order_items(
    ctx: Context, order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
) -> Any:
    """Put other variants in place of items, once per order, and settle the price difference."""
    order = find_order(ctx, order_id)
    if order.status != PENDING:
        ctx.fail("conflict", "Non-pending order cannot be modified")
    items = _items(ctx, order)
    surplus = _surplus(items, item_ids)
    if surplus is not None:
        ctx.fail("not_found", f"{surplus} not found")
    if len(item_ids) != len(new_item_ids):
        ctx.fail("invalid", "The number of items to be exchanged should match")
    variants, difference = _replacements(ctx, items, item_ids, new_item_ids, must_differ=True)
    method = find_payment_method(ctx, order.user_id, payment_method_id)
    if method.source == GIFT_CARD and _balance(method) < difference:
        ctx.fail("conflict", "Insufficient gift card balance to pay for the new item")
    _add_payment(ctx, order, "payment" if difference > 0 else "refund", abs(difference), method)
    _credit(method, -difference)
    for item_id, variant in zip(item_ids, variants, strict=True):
        item = next(item for item in items if item.item_id == item_id)
        item.item_id = variant.id
        # As recorded: every changed item gets the price and the options of the last variant in the list.
        item.price = variants[-1].price
        _copy_options(ctx, variants[-1], item)
    order.status = PENDING_MODIFIED
    return order_document(ctx, order)


@tool
def modify_pending_order_payment(ctx: Context, order_id: str, payment_method_id: str) -> Any:
    """Pay a pending order by another method and refund the first; possible once."""
    order = find_order(ctx, order_id)
    if PENDING not in order.status:
        ctx.fail("conflict", "Non-pending order cannot be modified")
    method = find_payment_method(ctx, order.user_id, payment_method_id)
    payments = _payments(ctx, order)
    if len(payments) != 1 or payments[0].transaction_type != "payment":
        ctx.fail("conflict", "There should be exactly one payment for a pending order")
    if payments[0].payment_method_id == payment_method_id:
        ctx.fail("invalid", "The new payment method should be different from the current one")
    amount = shown_amount(payments[0])
    if method.source == GIFT_CARD and _balance(method) < amount:
        ctx.fail("conflict", "Insufficient gift card balance to pay for the order")
    former = find_payment_method(ctx, order.user_id, payments[0].payment_method_id)
    _add_payment(ctx, order, "payment", amount, method)
    _add_payment(ctx, order, "refund", amount, former)
    _credit(method, -amount)
    _credit(former, amount)
    return order_document(ctx, order)


@tool
def return_delivered_order_items(ctx: Context, order_id: str, item_ids: list[str], payment_method_id: str) -> Any:
    """Ask to send delivered items back; nothing is refunded yet."""
    order = find_order(ctx, order_id)
    if order.status != DELIVERED:
        ctx.fail("conflict", "Non-delivered order cannot be returned")
    method = find_payment_method(ctx, order.user_id, payment_method_id)
    original = [payment.payment_method_id for payment in _payments(ctx, order)[:1]]
    if method.source != GIFT_CARD and method.id not in original:
        ctx.fail("invalid", "Payment method should be the original payment method")
    if _surplus(_items(ctx, order), item_ids) is not None:
        ctx.fail("not_found", "Some item not found")
    order.status = RETURN_REQUESTED
    order.return_payment_method_id = method.id
    _request(ctx, order, "return", item_ids)
    return order_document(ctx, order)


def _items(ctx: Context, order: Order) -> list[OrderItem]:
    return ctx.list(OrderItem, OrderItem.order_id == order.id, order_by=OrderItem.position)


def _payments(ctx: Context, order: Order) -> list[Payment]:
    return ctx.list(Payment, Payment.order_id == order.id, order_by=Payment.position)


def _surplus(items: list[OrderItem], item_ids: list[str]) -> str | None:
    """The first id that is asked for more often than the order has it."""
    ordered = [item.item_id for item in items]
    return next((one for one in item_ids if item_ids.count(one) > ordered.count(one)), None)


def _replacements(
    ctx: Context,
    items: list[OrderItem],
    item_ids: list[str],
    new_item_ids: list[str],
    must_differ: bool = False,
) -> tuple[list[Variant], float]:
    """The new variants, and what they cost more, in binary fractions as the recorded system sums it."""
    variants: list[Variant] = []
    difference = 0.0
    for item_id, new_item_id in zip(item_ids, new_item_ids, strict=True):
        if must_differ and item_id == new_item_id:
            ctx.fail("invalid", "The new item id should be different from the old item id")
        item = next(item for item in items if item.item_id == item_id)
        variant = find_variant(ctx, item.product_id, new_item_id)
        if not variant.available:
            ctx.fail("conflict", f"New item {new_item_id} not found or available")
        difference += float(variant.price) - float(item.price)
        variants.append(variant)
    return variants, difference


def _add_payment(ctx: Context, order: Order, kind: str, shown: float, method: PaymentMethod) -> None:
    amount, drift = exact_amount(shown)
    position = ctx.count(Payment, Payment.order_id == order.id)
    ctx.add(
        Payment(
            order_id=order.id,
            position=position,
            transaction_type=kind,
            amount=amount,
            payment_method_id=method.id,
            drift=drift,
        )
    )


def _balance(method: PaymentMethod) -> float:
    return float(method.balance or 0)


def _credit(method: PaymentMethod, amount: float) -> None:
    """Add to a gift card; money to or from other methods moves outside the shop."""
    if method.source == GIFT_CARD:
        method.balance = Decimal(str(round(_balance(method) + amount, 2)))


def _request(ctx: Context, order: Order, kind: str, item_ids: list[str]) -> None:
    for position, item_id in enumerate(sorted(item_ids)):
        ctx.add(RequestedItem(order_id=order.id, kind=kind, position=position, item_id=item_id))


def _copy_options(ctx: Context, variant: Variant, item: OrderItem) -> None:
    for former in children(ctx, OrderItemOption, [item.id]).get(item.id, []):
        ctx.delete(former)
    for option in children(ctx, VariantOption, [variant.id]).get(variant.id, []):
        ctx.add(OrderItemOption(order_item_id=item.id, position=option.position, name=option.name, value=option.value))
