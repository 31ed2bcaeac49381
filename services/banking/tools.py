"""The bank's tools."""

from services.banking.accounts import (
    get_exchange_rate,
    get_statement,
    list_accounts,
    list_cards,
    list_transactions,
    update_card,
)
from services.banking.payments import (
    approve_transfer,
    cancel_transfer,
    create_payee,
    create_transfer,
    get_payee,
    get_transfer,
    list_payees,
    list_transfers,
)
from services.banking.standing import (
    cancel_standing_order,
    create_standing_order,
    get_standing_order,
    list_standing_orders,
)

__all__ = [
    "approve_transfer",
    "cancel_standing_order",
    "cancel_transfer",
    "create_payee",
    "create_standing_order",
    "create_transfer",
    "get_exchange_rate",
    "get_payee",
    "get_standing_order",
    "get_statement",
    "get_transfer",
    "list_accounts",
    "list_cards",
    "list_payees",
    "list_standing_orders",
    "list_transactions",
    "list_transfers",
    "update_card",
]
