"""The tools of the shipping desk."""

from services.shipping.addresses import create_address, list_addresses, list_rates, update_address
from services.shipping.claims import add_claim_evidence, create_claim, list_claims, set_claim_status
from services.shipping.shipments import (
    buy_label,
    create_shipment,
    get_shipment,
    list_shipments,
    set_customs_declaration,
    void_label,
)
from services.shipping.tracking import cancel_pickup, create_pickup, create_tracking_event, list_pickups

__all__ = [
    "add_claim_evidence",
    "buy_label",
    "cancel_pickup",
    "create_address",
    "create_claim",
    "create_pickup",
    "create_shipment",
    "create_tracking_event",
    "get_shipment",
    "list_addresses",
    "list_claims",
    "list_pickups",
    "list_rates",
    "list_shipments",
    "set_claim_status",
    "set_customs_declaration",
    "update_address",
    "void_label",
]
