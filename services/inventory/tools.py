"""The tools of the warehouse."""

from services.inventory.counts import create_stock_count, list_stock_counts, post_stock_count
from services.inventory.products import (
    close_reservation,
    create_adjustment,
    create_reservation,
    list_movements,
    list_products,
    list_reservations,
    list_warehouses,
    update_product,
)
from services.inventory.purchasing import (
    create_purchase_order,
    list_purchase_orders,
    receive_purchase_order,
    set_purchase_order_status,
)
from services.inventory.transfers import create_transfer, list_transfers, set_transfer_status

__all__ = [
    "close_reservation",
    "create_adjustment",
    "create_purchase_order",
    "create_reservation",
    "create_stock_count",
    "create_transfer",
    "list_movements",
    "list_products",
    "list_purchase_orders",
    "list_reservations",
    "list_stock_counts",
    "list_transfers",
    "list_warehouses",
    "post_stock_count",
    "receive_purchase_order",
    "set_purchase_order_status",
    "set_transfer_status",
    "update_product",
]
