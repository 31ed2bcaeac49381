"""Warehouse stock: products, levels, movements, reservations, transfers, purchase orders, counts."""

from pathlib import Path

from engine.kit import Service
from services.inventory import seed, state, tools

service = Service(
    name="inventory",
    title="Inventory",
    domain="operations",
    summary="Stock in several warehouses: levels and reorder points, adjustments, reservations for orders, transfers, "
    "purchase orders to suppliers, stock counts and the trail of every movement.",
    entities=[
        state.Warehouse,
        state.Product,
        state.StockLevel,
        state.Movement,
        state.Reservation,
        state.Transfer,
        state.PurchaseOrder,
        state.StockCount,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
