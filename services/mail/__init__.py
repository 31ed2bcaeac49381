"""A mailbox: threads, drafts, labels, search, filters, scheduled mail, signature and automatic replies."""

from pathlib import Path

from engine.kit import Service
from services.mail import seed, tools
from services.mail.state import (
    Attachment,
    Correspondent,
    FilterRule,
    Label,
    Message,
    MessageLabel,
    Recipient,
    Settings,
    Thread,
)

service = Service(
    name="mail",
    title="Mail",
    domain="communication",
    summary=(
        "The user's mailbox: search and read threads, write, reply, forward and schedule mail, "
        "labels, attachments, filters, signature and automatic replies."
    ),
    entities=[
        Label,
        Thread,
        Message,
        Recipient,
        Attachment,
        MessageLabel,
        Correspondent,
        FilterRule,
        Settings,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
