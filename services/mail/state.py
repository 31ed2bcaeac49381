"""Entities of the mailbox."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit import Entity, field, key, ref

EMAIL_LENGTH = 254
BOXES = ("inbox", "archive", "sent", "drafts", "scheduled", "spam", "trash")


class MailEntity(Entity):
    """Base of the mailbox's entities."""

    __service__ = "mail"


class Label(MailEntity, table=True):
    """A label that the user made; boxes are not labels."""

    id: str = key("lbl")
    name: str = field("name", unique=True, min_length=1, max_length=60)
    color: str = field(
        "category", default="grey", choices=("grey", "blue", "green", "red", "orange", "yellow", "purple")
    )


class Thread(MailEntity, table=True):
    """Messages that answer one another."""

    id: str = key("thr")
    subject: str = field("title", default="", max_length=300)
    last_message_at: datetime = field("datetime", index=True)


class Message(MailEntity, table=True):
    """A message, received, sent or in the making. It stands in exactly one box."""

    id: str = key("msg")
    thread_id: str = ref("mail_thread.id", on_delete="cascade")
    box: str = field("status", choices=BOXES, index=True)
    from_email: str = field("email", index=True, max_length=EMAIL_LENGTH)
    from_name: str = field("person", default="", max_length=120)
    subject: str = field("title", default="", max_length=300)
    body: str = field("text", default="", max_length=60_000)
    at: datetime = field("datetime", index=True, description="received, sent, or last changed")
    is_read: bool = field("flag", default=False)
    is_starred: bool = field("flag", default=False)
    in_reply_to: str | None = ref("mail_message.id", default=None, on_delete="set null")
    scheduled_for: datetime | None = field("datetime", default=None)
    trashed_from: str | None = field("status", default=None, choices=("inbox", "archive", "sent", "drafts", "spam"))


class Recipient(MailEntity, table=True):
    """Somebody to whom a message goes; nobody stands twice on one message."""

    message_id: str = ref("mail_message.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=EMAIL_LENGTH)
    name: str = field("person", default="", max_length=120)
    kind: str = field("category", choices=("to", "cc", "bcc"))
    position: int = field("quantity", ge=0)


class Attachment(MailEntity, table=True):
    """A file on a message; its content is kept as the text that can be read in it."""

    id: str = key("att")
    message_id: str = ref("mail_message.id", on_delete="cascade")
    filename: str = field("name", min_length=1, max_length=200)
    media_type: str = field("code", max_length=120)
    size_bytes: int = field("quantity", ge=0)
    text: str = field("text", default="", max_length=60_000)


class MessageLabel(MailEntity, table=True):
    """A label on a message."""

    message_id: str = ref("mail_message.id", key=True, on_delete="cascade")
    label_id: str = ref("mail_label.id", key=True, on_delete="cascade")


class Correspondent(MailEntity, table=True):
    """Somebody with whom the user exchanged mail, for suggestions."""

    email: str = field("email", key=True, max_length=EMAIL_LENGTH)
    name: str = field("person", default="", max_length=120)
    company: str = field("company", default="", max_length=120)
    times_written_to: int = field("quantity", default=0, ge=0)
    last_written_at: datetime | None = field("datetime", default=None)


class FilterRule(MailEntity, table=True):
    """What happens to arriving mail that meets every condition given."""

    id: str = key("flt")
    name: str = field("name", unique=True, min_length=1, max_length=80)
    position: int = field("quantity", ge=1)
    enabled: bool = field("flag", default=True)
    from_contains: str | None = field("text", default=None, min_length=1, max_length=200)
    to_contains: str | None = field("text", default=None, min_length=1, max_length=200)
    subject_contains: str | None = field("text", default=None, min_length=1, max_length=200)
    text_contains: str | None = field("text", default=None, min_length=1, max_length=200)
    has_attachment: bool | None = field("flag", default=None)
    add_label_id: str | None = ref("mail_label.id", default=None)
    move_to: str | None = field("status", default=None, choices=("archive", "spam", "trash"))
    mark_read: bool = field("flag", default=False)
    star: bool = field("flag", default=False)


class Settings(MailEntity, table=True):
    """The mailbox's settings; one row."""

    id: str = key()
    address: str = field("email", max_length=EMAIL_LENGTH)
    display_name: str = field("person", max_length=120)
    signature: str = field("text", default="", max_length=2000)
    signature_on: bool = field("flag", default=True)
    vacation_on: bool = field("flag", default=False)
    vacation_subject: str = field("title", default="", max_length=200)
    vacation_body: str = field("text", default="", max_length=4000)
    vacation_first_day: date | None = field("date", default=None)
    vacation_last_day: date | None = field("date", default=None)
    vacation_known_senders_only: bool = field("flag", default=False)
