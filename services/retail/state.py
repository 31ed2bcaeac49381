"""The shop's tables: catalogue, customers with their payment methods, orders with all that hangs on them.

A row that is one of several under a parent has a ``position``, counted from 0: lists come back in the order
in which they were made.
"""

from __future__ import annotations

from decimal import Decimal

from engine.kit import Entity, field, key, ref

PENDING = "pending"
PENDING_MODIFIED = "pending (item modified)"
DELIVERED = "delivered"
CANCELLED = "cancelled"
EXCHANGE_REQUESTED = "exchange requested"
RETURN_REQUESTED = "return requested"
ORDER_STATUSES = (
    PENDING,
    PENDING_MODIFIED,
    "processed",
    DELIVERED,
    CANCELLED,
    EXCHANGE_REQUESTED,
    RETURN_REQUESTED,
)
CANCEL_REASONS = ("no longer needed", "ordered by mistake")
GIFT_CARD = "gift_card"
PAYMENT_SOURCES = ("credit_card", "paypal", GIFT_CARD)


class RetailEntity(Entity):
    """Base of the shop's entities."""

    __service__ = "retail"


class Addressed(RetailEntity):
    """What carries a postal address; an order keeps its own, as it was when the order was placed."""

    address1: str = field("address")
    address2: str = field("address")
    city: str = field("place")
    country: str = field("place")
    state: str = field("place")
    zip: str = field("code", index=True)


class Product(RetailEntity, table=True):
    """A product type, such as a jacket, which is sold in several variants."""

    id: str = key()
    name: str = field("name", min_length=1)


class Variant(RetailEntity, table=True):
    """One buyable item of a product: a combination of options with a price of its own."""

    id: str = key()
    product_id: str = ref("retail_product.id")
    position: int = field("quantity", ge=0)
    available: bool = field("flag")
    price: Decimal = field("money", ge=0)


class VariantOption(RetailEntity, table=True):
    """One option of a variant: color = green."""

    variant_id: str = ref("retail_variant.id", key=True)
    position: int = field("quantity", key=True, ge=0)
    name: str = field("name")
    value: str = field("text")


class User(Addressed, table=True):
    """A customer."""

    id: str = key()
    first_name: str = field("name")
    last_name: str = field("name")
    email: str = field("email", unique=True)


class PaymentMethod(RetailEntity, table=True):
    """A way to pay that a customer has on file. Only a card has a brand, only a gift card a balance."""

    id: str = key()
    user_id: str = ref("retail_user.id")
    position: int = field("quantity", ge=0)
    source: str = field("category", choices=PAYMENT_SOURCES)
    brand: str | None = field("category", default=None)
    last_four: str | None = field("code", default=None)
    balance: Decimal | None = field("money", default=None, ge=0)


class Order(Addressed, table=True):
    """An order; ``position`` is its place among its customer's orders."""

    id: str = key()
    user_id: str = ref("retail_user.id")
    position: int = field("quantity", ge=0)
    status: str = field("status", choices=ORDER_STATUSES, index=True)
    cancel_reason: str | None = field("category", default=None, choices=CANCEL_REASONS)
    exchange_payment_method_id: str | None = ref("retail_payment_method.id", default=None)
    exchange_price_difference: Decimal | None = field("money", default=None)
    return_payment_method_id: str | None = ref("retail_payment_method.id", default=None)


class OrderItem(RetailEntity, table=True):
    """A piece in an order, with the price and options as sold."""

    id: str = key()
    order_id: str = ref("retail_order.id")
    position: int = field("quantity", ge=0)
    product_id: str = ref("retail_product.id")
    item_id: str = ref("retail_variant.id")
    name: str = field("name")
    price: Decimal = field("money", ge=0)


class OrderItemOption(RetailEntity, table=True):
    """One option of a piece in an order, as sold."""

    order_item_id: str = ref("retail_order_item.id", key=True)
    position: int = field("quantity", key=True, ge=0)
    name: str = field("name")
    value: str = field("text")


class Fulfillment(RetailEntity, table=True):
    """A consignment of an order."""

    id: str = key()
    order_id: str = ref("retail_order.id")
    position: int = field("quantity", ge=0)


class FulfillmentTracking(RetailEntity, table=True):
    """A carrier's tracking number of a consignment."""

    fulfillment_id: str = ref("retail_fulfillment.id", key=True)
    position: int = field("quantity", key=True, ge=0)
    tracking_id: str = field("code", index=True)


class FulfillmentItem(RetailEntity, table=True):
    """A piece in a consignment."""

    fulfillment_id: str = ref("retail_fulfillment.id", key=True)
    position: int = field("quantity", key=True, ge=0)
    item_id: str = ref("retail_variant.id")


class Payment(RetailEntity, table=True):
    """A payment or refund in an order's payment history.

    ``amount`` is exact. The recorded system subtracts prices as binary fractions and shows what comes out
    (0.10000000000000142 for 0.1): ``drift`` is what has to be added to ``amount`` to show the same. It is 0
    but for price differences of modified items.
    """

    order_id: str = ref("retail_order.id", key=True)
    position: int = field("quantity", key=True, ge=0)
    transaction_type: str = field("category", choices=("payment", "refund"))
    amount: Decimal = field("money", ge=0)
    payment_method_id: str = ref("retail_payment_method.id")
    drift: float = field("ratio", default=0.0)


class RequestedItem(RetailEntity, table=True):
    """An item of a requested return or exchange: given back, or wanted instead (``exchange_new``)."""

    order_id: str = ref("retail_order.id", key=True)
    kind: str = field("category", key=True, choices=("return", "exchange", "exchange_new"))
    position: int = field("quantity", key=True, ge=0)
    item_id: str = ref("retail_variant.id")


ENTITIES: tuple[type[RetailEntity], ...] = (
    Product,
    Variant,
    VariantOption,
    User,
    PaymentMethod,
    Order,
    OrderItem,
    OrderItemOption,
    Fulfillment,
    FulfillmentTracking,
    FulfillmentItem,
    Payment,
    RequestedItem,
)
