"""The social media desk as it stands when a story starts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from engine.kit import Entity, Person, Seed
from services.social import seed_data as data
from services.social.rules import hashtags_of
from services.social.state import Channel, Label, Media, Member, Message, Post, Response, SavedReply


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    people = {person.handle.split(".")[0]: person for person in seed.colleagues}
    for short, role in data.MEMBERS.items():
        yield Member(id=f"mem_{short}", name=people[short].name, email=people[short].email, role=role)
    for key, name, network, handle, status, approval, length, tags, media, required, daily, followers in data.CHANNELS:
        yield Channel(
            id=key,
            name=name,
            network=network,
            handle=handle,
            status=status,
            needs_approval=approval,
            max_length=length,
            max_hashtags=tags,
            max_media=media,
            requires_media=required,
            daily_limit=daily,
            followers=followers,
        )
    for key, name, start, end in data.LABELS:
        yield Label(id=key, name=name, starts_on=seed.at(start).date(), ends_on=seed.at(end).date())
    for number, (key, name, kind, alt) in enumerate(data.MEDIA):
        ending = "jpg" if kind == "image" else "mp4"
        yield Media(
            id=key,
            name=name,
            kind=kind,
            url=f"https://media.larkspur.example/{key.removeprefix('med_')}.{ending}",
            alt_text=alt,
            added_at=seed.at(-90 + number),
        )
    yield from _published(seed)
    yield from _open(seed)
    for key, title, text in data.SAVED_REPLIES:
        yield SavedReply(id=key, title=title, text=text)
    yield from _inbox(seed)


def _post(number: int, channel: str, label: str, author: str, text: str, media: str, made: datetime) -> Post:
    return Post(
        id=f"pst_{number:04d}",
        channel_id=f"chn_{channel}",
        text=text,
        hashtags=hashtags_of(text),
        media_ids=[f"med_{media}"] if media else [],
        label_id=f"lbl_{label}" if label else None,
        author_id=f"mem_{author}",
        editor_id=f"mem_{author}",
        created_at=made,
        updated_at=made,
    )


def _reviewer(author: str) -> str:
    return "mem_mara" if author == "oscar" else "mem_oscar"


def _published(seed: Seed) -> Iterable[Post]:
    chance = seed.random("engagement")
    followers = {row[0]: row[-1] for row in data.CHANNELS}
    for number, (channel, label, author, day, hour, text, media, interest) in enumerate(data.PUBLISHED, 1):
        moment = seed.at(day, hour, 5)
        post = _post(number, channel, label, author, text, media, moment - timedelta(days=2, hours=3))
        post.status = "published"
        post.scheduled_at = post.published_at = post.updated_at = moment
        post.approver_id = None if channel == "team" else _reviewer(author)
        post.impressions = int(followers[post.channel_id] * chance.uniform(0.25, 0.7))
        done = post.impressions * interest // 100
        post.likes = done * chance.randint(50, 70) // 100
        post.comments = done * chance.randint(2, 8) // 100
        post.shares = done * chance.randint(3, 9) // 100
        post.clicks = done - post.likes - post.comments - post.shares
        yield post


def _open(seed: Seed) -> Iterable[Post]:
    for number, row in enumerate(data.OPEN, len(data.PUBLISHED) + 1):
        channel, label, author, status, made, scheduled, text, media, note = row
        post = _post(number, channel, label, author, text, media, seed.at(made, 14, number))
        post.status = status
        if scheduled:
            day, hour = map(int, scheduled.split())
            post.scheduled_at = seed.at(day, hour)
        if status in ("scheduled", "failed") and channel != "team":
            post.approver_id = _reviewer(author)
        if status == "failed":
            post.failure_reason = note
        else:
            post.review_note = note
        yield post


def _inbox(seed: Seed) -> Iterable[Entity]:
    contacts: dict[str, Person] = {person.name: person for person in seed.contacts}
    answers = []
    for number, row in enumerate(data.MESSAGES, 1):
        channel, post, kind, who, tone, status, holder, day, hour, text, answer = row
        received = seed.at(day, hour, 10 + number)
        answered = received + timedelta(minutes=20 + 7 * number) if answer else None
        yield Message(
            id=f"msg_{number:04d}",
            channel_id=f"chn_{channel}",
            post_id=f"pst_{post:04d}" if post else None,
            kind=kind,
            author_name=who,
            author_handle="@" + contacts[who].handle.replace(".", "_"),
            text=text,
            sentiment=tone,
            status=status,
            assignee_id=f"mem_{holder}" if holder else None,
            received_at=received,
            answered_at=answered,
            updated_at=answered or received,
        )
        if answered is not None:
            answers.append((f"msg_{number:04d}", f"mem_{holder}", answer, answered))
    for number, (message, author, text, moment) in enumerate(answers, 1):
        yield Response(id=f"rsp_{number:04d}", message_id=message, author_id=author, text=text, sent_at=moment)
