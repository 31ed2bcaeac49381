"""The mailbox of the user: texts in mails received, mails written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.kit.cast import Person
from tasks.authoring.terms import Passage, Seen, Template, text
from tasks.places.base import Message, Note

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft


def receive(d: Draft, *, subject: str, body: str, by: Person, days_ago: int) -> str:
    """Plant a mail to the user in the inbox; gives its key."""
    at = d.ago(days_ago, 8, 17)
    thread, message = d.key("thr"), d.key("msg")
    d.plant("mail_thread", id=thread, subject=subject, last_message_at=at)
    d.plant(
        "mail_message",
        id=message,
        thread_id=thread,
        box="inbox",
        from_email=by.email,
        from_name=by.name,
        subject=subject,
        body=f"Hi {d.user.name.split()[0]},\n\n{body}\n\n{by.name.split()[0]}",
        at=at,
    )
    d.plant("mail_recipient", message_id=message, email=d.user.email, name=d.user.name, kind="to", position=0)
    return message


class MailNote(Note):
    """Mails that the user got."""

    service = "mail"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        receive(d, subject=title, body=text, by=by, days_ago=days_ago)

    def find(self, d: Draft, word: Template) -> Passage:
        found = d.call("mail", "search_messages", text=word)
        # Chosen by the draft's number, so that the pages differ in how they are read.
        if d.plan.seed % 2:
            return Passage(d.call("mail", "get_message", message_id=found.at("data.items.0.id")), "data.body")
        thread = d.call("mail", "get_thread", thread_id=found.at("data.items.0.thread_id"))
        return Passage(thread, "data.messages.0.body")

    def where(self, d: Draft) -> str:
        return d.either("in my inbox", "in my mail", "among my e-mails")


class MailMessage(Message):
    """Mails that the user sends."""

    service = "mail"

    def send(
        self, d: Draft, goal: str, to: Person, words: Template, *, about: str = "", found: Template | None = None
    ) -> Seen:
        address = to.email if found is None else found
        subject = text(about or "A short update")
        return d.act(goal, "mail", "send_message", output=True, to=[address], subject=subject, body=words)

    def how(self, d: Draft, to: str) -> str:
        return d.either(f"mail {to}", f"send {to} a mail", f"send {to} an e-mail")


NOTE = MailNote()
MESSAGE = MailMessage()
