"""The workspace as it stands when a story starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from engine.kit import Entity, Person, Seed
from services.chat.seed_content import ALL, CHANNELS, EMOJI, talk
from services.chat.state import (
    Channel,
    ChannelMember,
    GroupMember,
    Member,
    Mention,
    Message,
    Pin,
    Reaction,
    Reminder,
    ScheduledMessage,
    UserGroup,
)
from services.chat.views import MENTION

GROUPS = (
    ("ugr_support", "support-team", "Support team", "Who answers customers", "hana", "hana luis amara"),
    ("ugr_ops", "ops-team", "Operations team", "Warehouse and carriers", "mara", "mara luis kenji"),
    ("ugr_finance", "finance-team", "Finance team", "Bills and books", "elena", "elena dario"),
    (
        "ugr_account",
        "account-execs",
        "Account executives",
        "Who owns which customer",
        "tobias",
        "priya jonah",
    ),
)
PINS = (
    "Carrier cut-off moves",
    "first answer within",
    "Close date 27 March",
    "The Old Boathouse",
    "New travel policy",
    "Overdue list",
    "a new feed version",
    "Planning notes",
)
STATUSES = {
    "jonah": ("Visiting Ember & Oak", "car", "away"),
    "ruth": ("Interviews until noon", "speech_balloon", "do_not_disturb"),
    "kenji": ("On call this week", "pager", "active"),
    "sofia": ("", "", "away"),
    "oscar": ("Proofreading the lookbook", "books", "active"),
}


def _member_id(person: Person) -> str:
    return "mem_" + person.handle.replace(".", "_")


def _short(person: Person) -> str:
    return person.handle.split(".")[0]


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    guests = [item for item in seed.contacts if item.name in ("Aoife Brennan", "Derek Olsen")]
    ids = {_short(item): _member_id(item) for item in (*seed.colleagues, *guests)}
    yield from _members(seed, guests)
    yield from _groups(seed, ids)
    messages = list(_messages(seed, ids))
    yield from _channels(seed, ids, messages)
    yield from messages
    yield from _mentions(ids, messages, {item.handle: _member_id(item) for item in (*seed.colleagues, *guests)})
    yield from _marks(seed, ids, messages)
    yield from _plans(seed, messages)


def _members(seed: Seed, guests: list[Person]) -> Iterator[Entity]:
    for person in (*seed.colleagues, *guests):
        text, emoji, presence = STATUSES.get(_short(person), ("", "", "active"))
        role = {"ruth": "owner", "nils": "admin"}.get(_short(person), "member")
        yield Member(
            id=_member_id(person),
            handle=person.handle,
            name=person.name,
            email=person.email,
            title=person.title,
            team=person.team or person.company,
            role="guest" if person in guests else role,
            account="deactivated" if person.name == "Derek Olsen" else "active",
            presence=presence,
            status_text=text,
            status_emoji=emoji,
            status_expires_at=seed.at(0, 12) if _short(person) == "ruth" else None,
        )


def _groups(seed: Seed, ids: dict[str, str]) -> Iterator[Entity]:
    for number, (group_id, handle, name, description, owner, _) in enumerate(GROUPS):
        yield UserGroup(
            id=group_id,
            handle=handle,
            name=name,
            description=description,
            created_by=ids[owner],
            created_at=seed.at(-200 + number),
        )
    for group_id, *_, members in GROUPS:
        for short in members.split():
            yield GroupMember(group_id=group_id, member_id=ids[short])


def _messages(seed: Seed, ids: dict[str, str]) -> Iterator[Message]:
    number = 0
    for channel_id, lines in talk().items():
        root = None
        for day, clock, who, text in lines:
            number += 1
            hour, minute = map(int, clock.split(":"))
            message = Message(
                id=f"msg_{number:04d}",
                channel_id=channel_id,
                author_id=ids[who.removeprefix(">")],
                thread_id=root if who.startswith(">") else None,
                text=text,
                posted_at=seed.at(day, hour, minute),
            )
            if not who.startswith(">"):
                root = message.id
            if "label printer" in text:
                message.edited_at = message.posted_at + timedelta(minutes=2)
            yield message


def _channels(seed: Seed, ids: dict[str, str], messages: list[Message]) -> Iterator[Entity]:
    colleagues = [_short(item) for item in seed.colleagues]
    random = seed.random("read")
    places: list[ChannelMember] = []
    for number, (channel_id, name, kind, topic, purpose, who) in enumerate(CHANNELS):
        shorts = ["ruth", *(item for item in colleagues if item != "ruth")] if who == ALL else who.split()
        members = [ids[item] for item in shorts]
        created = seed.at(-400 + number) if kind != "direct" else seed.at(-150 + number)
        yield Channel(
            id=channel_id,
            name=name or None,
            kind=kind,
            topic=topic,
            purpose=purpose,
            status="archived" if name == "holiday-2025" else "active",
            posting="admins" if name == "announcements" else "everyone",
            mandatory=who == ALL,
            direct_key=",".join(sorted(members)) if kind == "direct" else None,
            created_by=members[0],
            created_at=created,
        )
        times = [item.posted_at for item in messages if item.channel_id == channel_id]
        for place, member_id in enumerate(members):
            joined = created + timedelta(minutes=place)
            places.append(
                ChannelMember(
                    channel_id=channel_id,
                    member_id=member_id,
                    role="manager" if place == 0 and kind != "direct" else "member",
                    joined_at=joined,
                    last_read_at=_last_read(times, joined, random.choice((0, 0, 1, 2, 3))),
                )
            )
    yield from places


def _last_read(times: list[datetime], joined: datetime, unread: int) -> datetime:
    # Sorted, since replies stand below an earlier message.
    read = sorted(times)[: max(len(times) - unread, 0)]
    return max([joined, *read])


def _mentions(ids: dict[str, str], messages: list[Message], handles: dict[str, str]) -> Iterator[Entity]:
    inside = {channel_id: [ids[item] for item in who.split()] for channel_id, *_, who in CHANNELS if who != ALL}
    colleagues = [value for key, value in handles.items() if key not in ("aoife.brennan", "derek.olsen")]
    groups = {handle: [ids[item] for item in members.split()] for _, handle, *_, members in GROUPS}
    for message in messages:
        called: dict[str, str] = {}
        words = MENTION.findall(message.text)
        for word in words:
            if word in handles:
                called[handles[word]] = "name"
        for word in words:
            for member_id in groups.get(word, ()):
                if member_id != message.author_id:
                    called.setdefault(member_id, "group")
        if "channel" in words:
            for member_id in inside.get(message.channel_id, colleagues):
                if member_id != message.author_id:
                    called.setdefault(member_id, "channel")
        for member_id, via in called.items():
            yield Mention(message_id=message.id, member_id=member_id, via=via)


def _marks(seed: Seed, ids: dict[str, str], messages: list[Message]) -> Iterator[Entity]:
    random = seed.random("reactions")
    members = {channel_id: who for channel_id, *_, who in CHANNELS}
    colleagues = [_short(item) for item in seed.colleagues]
    for message in messages:
        who = members[message.channel_id]
        crowd = colleagues if who == ALL else who.split()
        others = sorted(ids[item] for item in crowd if ids[item] != message.author_id)
        if random.random() < 0.65:
            continue
        for member_id in random.sample(others, k=min(len(others), random.randint(1, 2))):
            yield Reaction(
                message_id=message.id,
                emoji=random.choice(EMOJI),
                member_id=member_id,
                reacted_at=min(message.posted_at + timedelta(minutes=random.randint(1, 50)), seed.start),
            )
    for message in messages:
        if any(text in message.text for text in PINS):
            yield Pin(
                message_id=message.id,
                channel_id=message.channel_id,
                pinned_by=message.author_id,
                pinned_at=message.posted_at + timedelta(minutes=5),
            )


def _plans(seed: Seed, messages: list[Message]) -> Iterator[Entity]:
    user = _member_id(seed.user)
    planned = (
        (
            "chn_general",
            "Stock count result: see the notice board at Tanner Street.",
            seed.at(7, 15),
            "scheduled",
        ),
        (
            "chn_ops",
            "Reminder: the carrier comes at 15:00 UTC, be ready.",
            seed.at(7, 7, 30),
            "scheduled",
        ),
        ("chn_offsite", "Last call for the offsite poll!", seed.at(2, 10), "scheduled"),
        ("chn_general", "Fire drill at eleven.", seed.at(-20, 9), "cancelled"),
    )
    for number, (channel_id, text, post_at, status) in enumerate(planned, start=1):
        yield ScheduledMessage(
            id=f"sch_{number:04d}",
            channel_id=channel_id,
            author_id=user,
            text=text,
            post_at=post_at,
            status=status,
            created_at=min(seed.at(-3, 16, number), post_at),
        )
    reminders = (
        (
            "Send on-time delivery by site to Tobias",
            seed.at(4, 9),
            _named(messages, "on-time delivery by site"),
            "pending",
        ),
        (
            "Tell Elena whether to credit the third delivery of INV-2041",
            seed.at(1, 9),
            _named(messages, "your view by Tuesday"),
            "pending",
        ),
        ("Ask Joost Mulder for the missing delivery note", seed.at(0, 8), None, "pending"),
        ("Hold replacement stock for GP-778", seed.at(-4, 8), _named(messages, "replacement stock"), "done"),
    )
    for number, (text, remind_at, message_id, status) in enumerate(reminders, start=1):
        yield Reminder(
            id=f"rem_{number:04d}",
            member_id=user,
            text=text,
            remind_at=remind_at,
            message_id=message_id,
            status=status,
            created_at=seed.at(-5 if status == "done" else -3, 17, number),
            completed_at=remind_at if status == "done" else None,
        )


def _named(messages: list[Message], text: str) -> str:
    return next(item.id for item in messages if text in item.text)
