"""Tools for audiences, subscribers and suppressed addresses."""

from __future__ import annotations

from typing import Any, NotRequired

from sqlalchemy import and_, func, or_, select
from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context, contains, tool
from services.campaigns.audience import is_suppressed, subscriber_views
from services.campaigns.state import CONSENT, Audience, Campaign, Subscriber, Suppression

MAX_SUBSCRIBERS = 1000
"""Subscribers of one audience, and so the recipients of one campaign."""


class ImportRow(TypedDict):
    """One address of an import."""

    email: str
    name: NotRequired[str]
    company: NotRequired[str]
    country: NotRequired[str]
    tags: NotRequired[list[str]]


@tool
def list_audiences(ctx: Context) -> Any:
    """Audiences with the numbers of their subscribers."""
    columns = [func.count().filter(col(Subscriber.status) == status) for status in CONSENT]
    free = func.count().filter(col(Subscriber.status) == "subscribed", ~is_suppressed())
    counted = ctx.rows(select(col(Subscriber.audience_id), *columns, free).group_by(col(Subscriber.audience_id)))
    counts = {row[0]: row[1:] for row in counted}
    sent = ctx.rows(select(col(Campaign.audience_id), func.max(Campaign.sent_at)).group_by(col(Campaign.audience_id)))
    last = {row[0]: row[1] for row in sent}
    items = []
    for audience in ctx.list(Audience, order_by=[col(Audience.created_at)]):
        *by_status, mailable = counts.get(audience.id, (0, 0, 0, 0))
        items.append(
            audience.out()
            | {f"{status}_count": count for status, count in zip(CONSENT, by_status, strict=True)}
            | {"mailable_count": mailable, "last_sent_at": last.get(audience.id)}
        )
    return {"items": items, "next_cursor": None}


@tool
def list_subscribers(
    ctx: Context,
    audience_id: str | None = None,
    status: str | None = None,
    email: str | None = None,
    company: str | None = None,
    country: str | None = None,
    tag: str | None = None,
    suppressed: bool | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Subscribers that meet every filter."""
    where: list[Any] = []
    equal = (
        (Subscriber.audience_id, audience_id),
        (Subscriber.status, status),
        (Subscriber.email, email),
        (Subscriber.company, company),
        (Subscriber.country, country),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if tag is not None:
        where.append(col(Subscriber.tags).contains([tag]))
    if suppressed is not None:
        where.append(is_suppressed() if suppressed else ~is_suppressed())
    if query is not None:
        where.append(or_(*(contains(item, query) for item in (Subscriber.email, Subscriber.name, Subscriber.company))))
    page = ctx.page(Subscriber, *where, limit=limit, cursor=cursor)
    return {
        "items": subscriber_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Subscriber, *where),
    }


@tool
def create_subscriber(
    ctx: Context,
    audience_id: str,
    email: str,
    source: str,
    name: str = "",
    company: str = "",
    country: str = "",
    tags: list[str] | None = None,
    consent_note: str = "",
) -> Any:
    """Put an address on an audience."""
    audience = ctx.require(Audience, audience_id)
    same = col(Subscriber.audience_id) == audience.id, col(Subscriber.email) == email
    if known := ctx.first(Subscriber, *same):
        ctx.fail("conflict", f"{email} is on {audience.name} already as {known.id} ({known.status}).")
    if ctx.get(Suppression, email) is not None:
        ctx.fail("forbidden", f"{email} is suppressed and may not be put on any audience.")
    _require_room(ctx, audience, 1)
    added = _add(ctx, audience, source, consent_note, email, name, company, country, tags or [])
    return subscriber_views(ctx, [added])[0]


def _require_room(ctx: Context, audience: Audience, more: int) -> None:
    if ctx.count(Subscriber, col(Subscriber.audience_id) == audience.id) + more > MAX_SUBSCRIBERS:
        ctx.fail("limit", f"{audience.name} would have more than {MAX_SUBSCRIBERS} subscribers, the most allowed.")


def _add(
    ctx: Context,
    audience: Audience,
    source: str,
    note: str,
    email: str,
    name: str = "",
    company: str = "",
    country: str = "",
    tags: list[str] | None = None,
) -> Subscriber:
    return ctx.add(
        Subscriber(
            id=ctx.new_id("sub"),
            audience_id=audience.id,
            email=email,
            name=name,
            company=company,
            country=country,
            source=source,
            consent_note=note,
            tags=list(tags or []),
            joined_on=ctx.today(),
            updated_at=ctx.now(),
        )
    )


@tool
def update_subscriber(
    ctx: Context,
    subscriber_id: str,
    name: str | None = None,
    company: str | None = None,
    country: str | None = None,
    tags: list[str] | None = None,
    status: str | None = None,
    consent_note: str | None = None,
) -> Any:
    """Change what is known of a subscriber, or their consent."""
    found = ctx.require(Subscriber, subscriber_id)
    changes = {"name": name, "company": company, "country": country, "tags": tags, "consent_note": consent_note}
    given = {key: value for key, value in changes.items() if value is not None}
    if not given and status is None:
        ctx.fail("invalid", "Nothing to change: give name, company, country, tags, status or consent_note.")
    if status is not None and status != found.status:
        if status == "subscribed":
            if found.status == "bounced":
                ctx.fail(
                    "conflict", f"{found.email} bounced and takes no mail; create a subscriber with a new address."
                )
            if ctx.get(Suppression, found.email) is not None:
                ctx.fail("forbidden", f"{found.email} is suppressed and may not be subscribed again.")
            if not (consent_note or "").strip():
                ctx.fail("invalid", f"{found.email} has unsubscribed; say in consent_note how they agreed again.")
        elif found.status == "bounced":
            ctx.fail("conflict", f"{found.email} bounced; it gets no mail anyway.")
        found.status = status
    for key, value in given.items():
        setattr(found, key, value)
    found.updated_at = ctx.now()
    ctx.flush()
    return subscriber_views(ctx, [found])[0]


@tool
def import_subscribers(
    ctx: Context, audience_id: str, rows: list[ImportRow], consent_note: str, update_existing: bool = False
) -> Any:
    """Put many addresses on an audience; consent that was withdrawn stays withdrawn."""
    audience = ctx.require(Audience, audience_id)
    emails = {row["email"] for row in rows}
    known = {
        item.email: item
        for item in ctx.list(
            Subscriber, and_(col(Subscriber.audience_id) == audience.id, col(Subscriber.email).in_(emails))
        )
    }
    held = {item.email for item in ctx.list(Suppression, col(Suppression.email).in_(emails))}
    _require_room(ctx, audience, len(emails - known.keys() - held))
    seen: set[str] = set()
    created: list[str] = []
    updated: list[str] = []
    skipped: list[dict[str, str]] = []
    for row in rows:
        email = row["email"]
        if email in seen:
            skipped.append({"email": email, "reason": "repeated"})
        elif email in held:
            skipped.append({"email": email, "reason": "suppressed"})
        elif email not in known:
            created.append(_add(ctx, audience, "import", consent_note, **row).id)
        elif not update_existing or known[email].status != "subscribed":
            skipped.append({"email": email, "reason": f"already {known[email].status}"})
        else:
            old = known[email]
            for key in ("name", "company", "country"):
                setattr(old, key, row.get(key) or getattr(old, key))
            old.tags = [*old.tags, *(tag for tag in row.get("tags", []) if tag not in old.tags)][:20]
            old.updated_at = ctx.now()
            updated.append(old.id)
        seen.add(email)
    return {
        "audience_id": audience.id,
        "created_count": len(created),
        "updated_count": len(updated),
        "created_ids": created,
        "updated_ids": updated,
        "skipped": skipped,
    }


@tool
def suppress_address(ctx: Context, email: str, reason: str, note: str = "") -> Any:
    """Stop every campaign to an address, for good."""
    if (known := ctx.get(Suppression, email)) is not None:
        ctx.fail("conflict", f"{email} has been suppressed since {known.suppressed_at.date()} ({known.reason}).")
    added = ctx.add(Suppression(email=email, reason=reason, note=note, suppressed_at=ctx.now()))
    affected = ctx.list(Subscriber, col(Subscriber.email) == email)
    return added.out() | {"subscriber_ids": [item.id for item in affected]}
