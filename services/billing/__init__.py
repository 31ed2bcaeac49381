"""Billing: quotes, invoices, payments and what follows when they do not come."""

from pathlib import Path

from engine.kit import Service
from services.billing import seed, state, tools

service = Service(
    name="billing",
    title="Billing",
    domain="finance",
    summary="Customers, prices, quotes, invoices, payments, credit notes, disputes, reminders, statements.",
    entities=[
        state.Staff,
        state.TaxRate,
        state.ExchangeRate,
        state.Product,
        state.Price,
        state.Customer,
        state.Quote,
        state.QuoteLine,
        state.Invoice,
        state.InvoiceLine,
        state.Approval,
        state.Payment,
        state.Refund,
        state.Dispute,
        state.CreditNote,
        state.Reminder,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
