"""Who the acting user is and which accounts are open to them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func
from sqlmodel import col

from engine.kit import Context
from services.banking.state import Account, Signatory


def me(ctx: Context) -> Signatory:
    """The acting user's own record."""
    found = ctx.first(Signatory, func.lower(col(Signatory.email)) == ctx.user.email.lower())
    if found is None:
        ctx.fail("forbidden", f"{ctx.user.email} has no access to the bank; ask finance.")
    return found


def initiator(ctx: Context) -> Signatory:
    """The acting user, if they may start payments."""
    person = me(ctx)
    if person.role == "viewer":
        ctx.fail("forbidden", "You may look at accounts, but not move money.")
    return person


def visible_accounts(person: Signatory) -> list[Any]:
    """Conditions on ``Account``: those open to somebody."""
    return [] if person.sees_restricted else [col(Account.restricted).is_(False)]


def open_account(ctx: Context, person: Signatory, account_id: str) -> Account:
    """An account that somebody may see."""
    account = ctx.require(Account, account_id)
    if account.restricted and not person.sees_restricted:
        ctx.fail("forbidden", f"{account.name} ({account.id}) is open to finance only.")
    return account


def paying_account(ctx: Context, person: Signatory, account_id: str) -> Account:
    """An account from which somebody may pay."""
    account = open_account(ctx, person, account_id)
    if account.status == "closed":
        ctx.fail("conflict", f"{account.name} ({account.id}) is closed.")
    return account
