"""Expenses: reports with receipts, policy limits, approval, card matching and reimbursement."""

from pathlib import Path

from engine.kit import Service
from services.expenses import seed, state, tools

service = Service(
    name="expenses",
    title="Expenses",
    domain="finance",
    summary="Expense reports with receipts, category limits, per diems, mileage, currency conversion, company card "
    "transactions to match, approval by the manager and reimbursement.",
    entities=[
        state.Employee,
        state.Category,
        state.PerDiemRate,
        state.ExchangeRate,
        state.Report,
        state.Expense,
        state.CardTransaction,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
