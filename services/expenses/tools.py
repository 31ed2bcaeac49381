"""The tools of expenses."""

from services.expenses.lines import (
    create_expense,
    delete_expense,
    get_exchange_rate,
    get_expense,
    list_card_transactions,
    list_categories,
    list_expenses,
    match_card_transaction,
    update_expense,
)
from services.expenses.reports import (
    approve_report,
    create_report,
    delete_report,
    get_report,
    list_reports,
    reimburse_report,
    reject_report,
    submit_report,
    update_report,
)

__all__ = [
    "approve_report",
    "create_expense",
    "create_report",
    "delete_expense",
    "delete_report",
    "get_exchange_rate",
    "get_expense",
    "get_report",
    "list_card_transactions",
    "list_categories",
    "list_expenses",
    "list_reports",
    "match_card_transaction",
    "reimburse_report",
    "reject_report",
    "submit_report",
    "update_expense",
    "update_report",
]
