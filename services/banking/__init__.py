"""Business banking: accounts, transfers with second approval, standing orders, statements and cards."""

from pathlib import Path

from engine.kit import Service
from services.banking import seed, state, tools

service = Service(
    name="banking",
    title="Business bank",
    domain="finance",
    summary="Company bank accounts in several currencies: transactions and statements, payees, transfers with daily "
    "limits and second approval, standing orders, cards with freeze and limits, exchange rates.",
    entities=[
        state.Signatory,
        state.Account,
        state.Payee,
        state.Transfer,
        state.StandingOrder,
        state.Card,
        state.Transaction,
        state.ExchangeRate,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
