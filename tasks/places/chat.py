"""The team chat: texts in channels, messages to one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.kit.cast import Person
from tasks.authoring.terms import Passage, Seen, Template
from tasks.places.base import Message, Note

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

CHANNELS = {
    "sales": ("chn_sales", "sales"),
    "marketing": ("chn_sales", "sales"),
    "operations": ("chn_ops", "ops"),
    "support": ("chn_support", "support-desk"),
    "finance": ("chn_finance", "finance-internal"),
    "people": ("chn_general", "general"),
}
"""The channel in which the user reads about an area: its key and its name. Of private life nobody writes in one."""

_TALKS = {"mara-elena": "chn_dm_elena", "mara-tobias": "chn_dm_tobias"}


def member(person: Person) -> str:
    """The key of a colleague's account."""
    return "mem_" + person.handle.replace(".", "_")


def direct(d: Draft, other: Person) -> str:
    """The direct conversation with a colleague, made unless it is there; gives its key."""
    pair = "-".join(person.handle.split(".")[0] for person in (d.user, other))
    channel = _TALKS.get(pair, f"chn_dm_{pair.replace('-', '_')}")
    if pair in _TALKS or not d.once(channel):
        return channel
    members = sorted((member(d.user), member(other)))
    since = d.ago(400)
    d.plant(
        "chat_channel",
        id=channel,
        kind="direct",
        direct_key=",".join(members),
        created_by=member(other),
        created_at=since,
    )
    for who in members:
        d.plant("chat_channel_member", channel_id=channel, member_id=who, joined_at=since, last_read_at=d.ago(1))
    return channel


class ChatNote(Note):
    """Messages in the channel of the task's area; about private life, to the user alone."""

    service = "chat"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        channel = direct(d, by) if d.plan.area == "private life" else CHANNELS[d.plan.area][0]
        at = d.ago(days_ago, 8, 41)
        d.plant("chat_message", id=d.key("msg"), channel_id=channel, author_id=member(by), text=text, posted_at=at)

    def find(self, d: Draft, word: Template) -> Passage:
        return Passage(d.call("chat", "search_messages", query=word), "data.items.0.text")

    def where(self, d: Draft) -> str:
        if d.plan.area == "private life":
            return d.either("among my direct messages in Chat", "in my direct messages in Chat")
        _, name = CHANNELS[d.plan.area]
        return d.either(f"in the {name} channel", f"in #{name}", f"in our {name} channel")


class ChatMessage(Message):
    """Messages in the direct conversation with a colleague."""

    service = "chat"

    def send(
        self, d: Draft, goal: str, to: Person, words: Template, *, about: str = "", found: Template | None = None
    ) -> Seen:
        direct(d, to)  # there is one already, so that it is known which one the message belongs in
        account = d.call("chat", "list_members", email=to.email if found is None else found)
        talk = d.call("chat", "open_direct_conversation", member_ids=[account.at("data.items.0.id")])
        return d.act(goal, "chat", "post_message", output=True, channel_id=talk.at("data.id"), text=words)

    def how(self, d: Draft, to: str) -> str:
        return d.either(
            f"send {to} a direct message in Chat",
            f"message {to} directly in Chat",
            f"drop {to} a line in our direct chat",
        )


NOTE = ChatNote()
MESSAGE = ChatMessage()
