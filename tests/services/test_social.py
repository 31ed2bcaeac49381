"""Social media: posts and their approval, the inbox, engagement."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Entity, Seed
from services.social import service
from services.social.rules import hashtags_of
from services.social.state import Channel, Media, Member, Message, Post, Response
from tests.services.play import Play

SOON = "2026-03-06T15:00:00Z"


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("social", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> str:
        error = self.play.fails("social", tool, **arguments)
        assert error["code"] == code, error
        return str(error["message"])

    def all(self, tool: str, **arguments: Any) -> list[Any]:
        return list(self(tool, limit=100, **arguments)["items"])

    def draft(self, channel: str = "chn_notes", text: str = "Good morning. #larkspur", **more: Any) -> str:
        return str(self("create_post", channel_id=channel, text=text, **more)["id"])

    def status(self, post_id: str) -> str:
        return str(self("get_post", post_id=post_id)["status"])


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("social"))


def role(play: Callable[..., Play], wanted: str) -> Desk:
    """The desk with the user in another role."""

    def edit(row: Entity) -> None:
        if isinstance(row, Member) and row.id == "mem_mara":
            row.role = wanted

    return Desk(play("social", edit=edit))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("social", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    colleagues = {person.email: person.name for person in COLLEAGUES}
    contacts = {person.name for person in CONTACTS}
    for name, values in rows(0):
        if name == "Member":
            assert colleagues[values["email"]] == values["name"]
        if name == "Message":
            assert values["author_name"] in contacts


def test_seed_keeps_the_rules(desk: Desk) -> None:
    channels = {row.id: row for row in desk.play.rows(Channel)}
    media = {row.id: row for row in desk.play.rows(Media)}
    posts = {row.id: row for row in desk.play.rows(Post)}
    for post in posts.values():
        channel = channels[post.channel_id]
        assert len(post.text) <= channel.max_length and len(post.hashtags) <= channel.max_hashtags
        assert set(post.media_ids) <= media.keys() and len(post.media_ids) <= channel.max_media
        assert (post.published_at is not None) == (post.status == "published")
        assert post.approver_id not in (post.author_id, post.editor_id)
        if post.status in ("scheduled", "published", "failed"):
            assert bool(post.approver_id) == channel.needs_approval and post.scheduled_at
            assert channel.status == "connected" or post.status != "scheduled"
            assert post.media_ids or not channel.requires_media
    scheduled = sorted(
        (p.channel_id, p.scheduled_at) for p in posts.values() if p.status == "scheduled" and p.scheduled_at
    )
    for (one, early), (other, late) in pairwise(scheduled):
        assert one != other or late - early >= timedelta(minutes=15)
    answered = {row.message_id for row in desk.play.rows(Response)}
    for message in desk.play.rows(Message):
        assert (message.answered_at is not None) == (message.id in answered)
        assert message.status != "new" or message.assignee_id is None
        assert message.post_id is None or posts[message.post_id].channel_id == message.channel_id


def test_channels_labels_media_replies(desk: Desk) -> None:
    assert [item["id"] for item in desk("list_channels", status="disconnected")["items"]] == ["chn_bench"]
    assert len(desk("list_channels", network="professional")["items"]) == 2
    running = {item["id"]: item["running"] for item in desk("list_labels")["items"]}
    assert running["lbl_spring"] and not running["lbl_autumn"]
    assert {item["id"] for item in desk.all("list_media", kind="video")} == {"med_stitch", "med_wash", "med_pick"}
    assert [item["id"] for item in desk.all("list_media", query="OAK LEAF")] == ["med_apron_logo"]
    assert [item["id"] for item in desk("list_saved_replies", query="half sizes")["items"]] == ["svr_sizes"]


def test_hashtags() -> None:
    assert hashtags_of("#Größe und #größe, #a_b! # none #1") == ["größe", "a_b", "1"]


def test_post_is_drafted(desk: Desk) -> None:
    given = {
        "channel_id": "chn_looks",
        "text": "New “coats” #Spring #spring",
        "media_ids": ["med_jacket", "med_pack"],
        "label_id": "lbl_spring",
        "scheduled_at": SOON,
    }
    made = desk("create_post", **given)
    assert (given | {"hashtags": ["spring"], "status": "draft", "author_id": "mem_mara"}).items() <= made.items()
    got = desk("get_post", post_id=made["id"])
    assert made.items() <= got.items() and [item["id"] for item in got["media"]] == given["media_ids"]
    assert desk("list_posts", limit=1)["items"] == [made]
    assert desk("create_post", **given)["id"] != made["id"]


@pytest.mark.parametrize(
    ("code", "bad"),
    [
        ("not_found", {"channel_id": "chn_x"}),
        ("not_found", {"label_id": "lbl_x"}),
        ("not_found", {"media_ids": ["med_x"]}),
        ("invalid", {"text": "x" * 281}),
        ("invalid", {"text": "#a #b #c #d"}),
        ("invalid", {"media_ids": ["med_stitch", "med_pack"]}),
        ("invalid", {"media_ids": ["med_apron", "med_apron_logo", "med_pack", "med_team", "med_shop"]}),
        ("invalid", {"scheduled_at": "2026-03-02T08:59:00Z"}),
        ("invalid", {"scheduled_at": "9999-12-31T23:59:59Z"}),
        ("invalid_arguments", {"text": " \n"}),
        ("invalid_arguments", {"media_ids": ["med_pack", "med_pack"]}),
        ("invalid_arguments", {"scheduled_at": "2026-03-06T15:00:00"}),
    ],
)
def test_post_is_refused(desk: Desk, code: str, bad: dict[str, Any]) -> None:
    desk.no(code, "create_post", **({"channel_id": "chn_notes", "text": "x"} | bad))


def test_approval_is_by_another_person(desk: Desk) -> None:
    post = desk.draft(scheduled_at=SOON)
    desk.no("conflict", "approve_post", post_id=post)
    assert desk("submit_post", post_id=post)["status"] == "needs_approval"
    assert "another approver" in desk.no("forbidden", "approve_post", post_id=post)
    desk.no("forbidden", "reject_post", post_id=post, note="x")
    desk.no("conflict", "submit_post", post_id=post)
    desk.no("conflict", "publish_post", post_id=post)
    done = desk("approve_post", post_id="pst_0031", note="Nice")
    assert (done["status"], done["approver_name"], done["review_note"]) == ("scheduled", "Mara Lindqvist", "Nice")
    back = desk("reject_post", post_id="pst_0032", note="Ask Noor first.")
    assert (back["status"], back["review_note"], back["approver_id"]) == ("draft", "Ask Noor first.", None)
    desk("update_post", post_id="pst_0033", text="Ready to read.")
    desk("submit_post", post_id="pst_0033")
    desk.no("forbidden", "approve_post", post_id="pst_0033")  # she changed it
    for tool, more in (("approve_post", {}), ("reject_post", {"note": "x"}), ("submit_post", {}), ("get_post", {})):
        desk.no("not_found", tool, post_id="pst_x", **more)


def test_roles(play: Callable[..., Play]) -> None:
    author = role(play, "author")
    author.no("forbidden", "approve_post", post_id="pst_0031")
    author.no("forbidden", "update_post", post_id="pst_0031", text="x")
    author.no("forbidden", "delete_post", post_id="pst_0036")
    author("delete_post", post_id="pst_0040")
    author("update_message", message_id="msg_0005", assignee_id="mem_mara")
    viewer = role(play, "viewer")
    for tool, more in (
        ("create_post", {"channel_id": "chn_notes", "text": "x"}),
        ("update_message", {"message_id": "msg_0005", "status": "closed"}),
        ("reply_to_message", {"message_id": "msg_0005", "text": "x"}),
        ("delete_post", {"post_id": "pst_0040"}),
    ):
        viewer.no("forbidden", tool, **more)
    assert viewer("list_posts")["items"]


def test_submission_checks_the_slot(desk: Desk) -> None:
    assert "scheduled_at" in desk.no("invalid", "submit_post", post_id=desk.draft())
    for moment, code in (("12:14", "conflict"), ("11:46", "conflict"), ("12:15", None), ("11:30", None)):
        post = desk.draft(scheduled_at=f"2026-03-03T{moment}:00Z")
        if code:
            assert "pst_0026" in desk.no(code, "submit_post", post_id=post)
        else:
            desk("submit_post", post_id=post)
    desk.no("conflict", "submit_post", post_id=desk.draft("chn_looks", scheduled_at=SOON))  # no media
    desk.no("conflict", "submit_post", post_id=desk.draft("chn_bench", scheduled_at=SOON))  # disconnected
    lobby = desk.draft("chn_looks", media_ids=["med_lobby"], scheduled_at=SOON)
    assert "alternative text" in desk.no("conflict", "submit_post", post_id=lobby)


def test_daily_limit(desk: Desk) -> None:
    for hour in (8, 10, 12):
        post = desk.draft("chn_team", scheduled_at=f"2026-03-06T{hour:02d}:00:00Z")
        assert desk("submit_post", post_id=post)["status"] == "scheduled"
    post = desk.draft("chn_team", scheduled_at="2026-03-06T23:59:59Z")
    desk.no("limit", "submit_post", post_id=post)
    desk("update_post", post_id=post, scheduled_at="2026-03-07T00:00:00Z")
    desk("submit_post", post_id=post)
    for _ in range(3):
        desk("publish_post", post_id=desk.draft("chn_team"))
    desk.no("limit", "publish_post", post_id=desk.draft("chn_team"))


def test_publishing(desk: Desk) -> None:
    desk.no("conflict", "publish_post", post_id=desk.draft())
    early = desk("publish_post", post_id="pst_0026")
    assert early["status"] == "published" and early["published_at"] < early["scheduled_at"]
    again = desk("publish_post", post_id="pst_0042")
    assert (again["status"], again["failure_reason"]) == ("published", "")
    assert "disconnected" in desk.no("conflict", "publish_post", post_id="pst_0041")
    for tool, more in (("update_post", {"text": "x"}), ("delete_post", {}), ("publish_post", {}), ("submit_post", {})):
        desk.no("conflict", tool, post_id="pst_0026", **more)


def test_change_takes_a_post_back(desk: Desk) -> None:
    changed = desk("update_post", post_id="pst_0026", text="New. #Spring", label_id=None, media_ids=["med_pack"])
    assert (changed["status"], changed["approver_id"], changed["label_id"]) == ("draft", None, None)
    got = desk("get_post", post_id="pst_0026")
    assert (got["text"], got["hashtags"], got["media_ids"]) == ("New. #Spring", ["spring"], ["med_pack"])
    assert desk("update_post", post_id="pst_0041", text="Wash it warm.")["failure_reason"] == ""
    desk.no("invalid", "update_post", post_id="pst_0026")
    desk.no("invalid", "update_post", post_id="pst_0026", text="x" * 281)
    desk.no("not_found", "update_post", post_id="pst_x", text="x")


def test_delete(desk: Desk) -> None:
    post = desk.draft()
    assert desk("delete_post", post_id=post) == {"post_id": post, "deleted": True}
    for tool in ("get_post", "delete_post", "submit_post", "publish_post"):
        desk.no("not_found", tool, post_id=post)
    desk.no("conflict", "delete_post", post_id="pst_0026")


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({"status": "failed"}, ["pst_0042", "pst_0041"]),
        ({"channel_id": "chn_bench"}, ["pst_0041", "pst_0011"]),
        ({"label_id": "lbl_care", "status": "scheduled"}, ["pst_0028"]),
        ({"author_id": "mem_hana", "hashtag": "SERVICE", "status": "draft"}, ["pst_0036"]),
        ({"query": "three clinics"}, ["pst_0032"]),
        (
            {"scheduled_from": "2026-03-03T00:00:00Z", "scheduled_to": "2026-03-04T13:00:00Z"},
            ["pst_0026", "pst_0027", "pst_0028", "pst_0031"],
        ),
    ],
)
def test_posts_are_found(desk: Desk, filters: dict[str, Any], ids: list[str]) -> None:
    found = desk("list_posts", **filters)
    assert [item["id"] for item in found["items"]] == ids and found["total"] == len(ids)
