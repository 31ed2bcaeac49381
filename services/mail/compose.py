"""How messages come to be: threads, recipients, signature, delivery to oneself, filters."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import COLLEAGUES, COMPANIES, CONTACTS, Context
from services.mail.boxes import me, norm
from services.mail.state import (
    Attachment,
    Correspondent,
    FilterRule,
    Message,
    MessageLabel,
    Recipient,
    Settings,
    Thread,
)
from services.mail.views import attachments_of, recipients_of

MAX_RECIPIENTS = 100
MAX_BYTES = 25 * 1024 * 1024
_COMPANY_BY_DOMAIN = {item.domain: item.name for item in COMPANIES}
_NAMES = {item.email: item.name for item in (*COLLEAGUES, *CONTACTS)}
People = dict[str, list[str]]
"""Addresses by kind: ``to``, ``cc``, ``bcc``."""


def settings_of(ctx: Context) -> Settings:
    """The mailbox's settings."""
    return ctx.require(Settings, "settings")


def name_of(ctx: Context, email: str) -> str:
    """The name under which somebody is known; empty for strangers."""
    known = ctx.get(Correspondent, email)
    return known.name if known and known.name else _NAMES.get(email, "")


def people(to: list[str], cc: list[str] | None, bcc: list[str] | None) -> People:
    """Addresses as they are stored, each once: in ``to`` before ``cc`` before ``bcc``."""
    seen: set[str] = set()
    out: People = {}
    for kind, given in (("to", to), ("cc", cc or []), ("bcc", bcc or [])):
        fresh = [item for item in dict.fromkeys(map(norm, given)) if item not in seen]
        seen.update(fresh)
        out[kind] = fresh
    return out


def put_recipients(ctx: Context, message: Message, chosen: People) -> None:
    """Make these the message's recipients."""
    for old in ctx.list(Recipient, Recipient.message_id == message.id):
        ctx.delete(old)
    everybody = [(kind, address) for kind in ("to", "cc", "bcc") for address in chosen[kind]]
    if len(everybody) > MAX_RECIPIENTS:
        ctx.fail("limit", f"A message goes to at most {MAX_RECIPIENTS} addresses; this has {len(everybody)}.")
    for position, (kind, address) in enumerate(everybody):
        name = name_of(ctx, address)
        ctx.add(Recipient(message_id=message.id, email=address, name=name, kind=kind, position=position))


def chosen_of(ctx: Context, message: Message) -> People:
    """The message's recipients by kind."""
    out: People = {"to": [], "cc": [], "bcc": []}
    for item in recipients_of(ctx, [message.id]).get(message.id, []):
        out[item.kind].append(item.email)
    return out


def new_draft(
    ctx: Context,
    chosen: People,
    subject: str,
    body: str,
    *,
    answers: Message | None = None,
    thread: str | None = None,
) -> Message:
    """A draft, in the thread that it answers or in one of its own."""
    thread_id = answers.thread_id if answers else thread
    if thread_id is None:
        thread_id = ctx.add(Thread(id=ctx.new_id("thr"), subject=subject, last_message_at=ctx.now())).id
    message = ctx.add(
        Message(
            id=ctx.new_id("msg"),
            thread_id=thread_id,
            box="drafts",
            from_email=me(ctx),
            from_name=settings_of(ctx).display_name,
            subject=subject,
            body=body,
            at=ctx.now(),
            is_read=True,
            in_reply_to=answers.id if answers else None,
        )
    )
    put_recipients(ctx, message, chosen)
    touch(ctx, thread_id)
    return message


def touch(ctx: Context, thread_id: str) -> None:
    """Keep the thread's time that of its latest message; a thread without messages goes."""
    thread = ctx.require(Thread, thread_id)
    latest = ctx.rows(select(func.max(Message.at)).where(col(Message.thread_id) == thread_id))[0][0]
    if latest is None:
        ctx.delete(thread)
    else:
        thread.last_message_at = latest


def signed(ctx: Context, body: str) -> str:
    """The body with the signature, if it is on and not there already."""
    settings = settings_of(ctx)
    if not settings.signature_on or not settings.signature or body.rstrip().endswith(settings.signature.rstrip()):
        return body
    return f"{body.rstrip()}\n\n-- \n{settings.signature}"


def prefixed(prefix: str, subject: str) -> str:
    """The subject with ``Re:`` or ``Fwd:`` in front, once, cut to what fits."""
    bare = subject.strip()
    if not bare.lower().startswith(prefix.lower() + ":"):
        bare = f"{prefix}: {bare}".strip()
    return bare[:300]


def copy_files(ctx: Context, source: Message, destination: Message) -> None:
    """Attach copies of a message's files to another."""
    for item in attachments_of(ctx, [source.id]).get(source.id, []):
        values = item.values() | {"id": ctx.new_id("att"), "message_id": destination.id}
        ctx.add(Attachment(**values))


def send_out(ctx: Context, message: Message, send_at: datetime | None = None) -> Message:
    """Send a draft now, or schedule it.

    The user's own address among the recipients gets a copy in the inbox, through the filters.
    """
    chosen = chosen_of(ctx, message)
    everybody = [address for kind in ("to", "cc", "bcc") for address in chosen[kind]]
    if not everybody:
        ctx.fail("invalid", "The message has no recipient; give at least one address in to, cc or bcc.")
    if not message.subject.strip() and not message.body.strip():
        ctx.fail("invalid", "The message has neither subject nor text; write one of the two.")
    total = sum(item.size_bytes for item in attachments_of(ctx, [message.id]).get(message.id, []))
    if total > MAX_BYTES:
        ctx.fail("limit", "The attachments are larger than 25 MiB together; remove some.")
    if send_at is not None:
        check_send_at(ctx, send_at)
        message.box, message.scheduled_for, message.at = "scheduled", send_at, ctx.now()
        touch(ctx, message.thread_id)
        return message
    message.box, message.at = "sent", ctx.now()
    for address in everybody:
        known = ctx.get(Correspondent, address)
        if known is None:
            company = _COMPANY_BY_DOMAIN.get(address.split("@")[1], "")
            known = ctx.add(Correspondent(email=address, name=_NAMES.get(address, ""), company=company))
        known.times_written_to += 1
        known.last_written_at = ctx.now()
    if me(ctx) in everybody:
        deliver_copy(ctx, message, chosen)
    touch(ctx, message.thread_id)
    return message


def check_send_at(ctx: Context, send_at: datetime) -> None:
    """Refuse a time that is not at least a minute ahead, or more than a year."""
    if send_at < ctx.now() + timedelta(minutes=1):
        ctx.fail("invalid", "The time to send must be at least one minute ahead.", now=ctx.now())
    if send_at > ctx.now() + timedelta(days=366):
        ctx.fail("limit", "Mail can be scheduled at most 366 days ahead.")


def deliver_copy(ctx: Context, message: Message, chosen: People) -> None:
    """Put a copy of one's own message into one's inbox."""
    values = message.values() | {
        "id": ctx.new_id("msg"),
        "box": "inbox",
        "is_read": False,
        "is_starred": False,
    }
    arrived = ctx.add(Message(**values))
    seen = chosen | {"bcc": [me(ctx)] if me(ctx) in chosen["bcc"] else []}
    put_recipients(ctx, arrived, seen)
    copy_files(ctx, message, arrived)
    run_filters(ctx, arrived)


def run_filters(ctx: Context, message: Message) -> list[str]:
    """Apply every enabled filter that the arriving message meets, in order; the ids of those."""
    met = []
    for rule in ctx.list(FilterRule, col(FilterRule.enabled).is_(True), order_by=[col(FilterRule.position)]):
        if meets(ctx, rule, message):
            apply_rule(ctx, rule, message)
            met.append(rule.id)
    return met


def meets(ctx: Context, rule: FilterRule, message: Message) -> bool:
    """Whether a message meets every condition of a filter."""

    def within(wanted: str | None, *texts: str) -> bool:
        return wanted is None or any(wanted.lower() in text.lower() for text in texts)

    recipients = recipients_of(ctx, [message.id]).get(message.id, [])
    has_files = bool(attachments_of(ctx, [message.id]).get(message.id))
    return (
        within(rule.from_contains, message.from_email, message.from_name)
        and within(rule.to_contains, *(item.email for item in recipients), *(item.name for item in recipients))
        and within(rule.subject_contains, message.subject)
        and within(rule.text_contains, message.subject, message.body)
        and (rule.has_attachment is None or rule.has_attachment == has_files)
    )


def apply_rule(ctx: Context, rule: FilterRule, message: Message) -> None:
    """Do to a message in the inbox what a filter says."""
    label_id = rule.add_label_id
    if label_id is not None and ctx.get(MessageLabel, message.id, label_id) is None:
        ctx.add(MessageLabel(message_id=message.id, label_id=label_id))
    message.is_read = message.is_read or rule.mark_read
    message.is_starred = message.is_starred or rule.star
    if rule.move_to == "trash":
        message.box, message.trashed_from = "trash", "inbox"
    elif rule.move_to is not None and message.box == "inbox":
        message.box = rule.move_to
