"""The mailbox: reading, writing, sorting, labels, filters, settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Seed
from services.mail import service
from services.mail.seed import rows
from services.mail.state import Attachment, Message, MessageLabel, Recipient, Settings, Thread
from tests.services.play import Play

ME = COLLEAGUES[0].email
HANA = "hana.takeda@larkspur.example"
FEMKE = "femke.visser@brightwater.example"


@pytest.fixture
def mail(play: Callable[..., Play]) -> Play:
    return play("mail")


def everything(mail: Play) -> list[Any]:
    return [row.values() for entity in service.entities for row in mail.rows(entity)]


def ids(result: dict[str, Any]) -> list[str]:
    return [item["id"] for item in result["items"]]


def message_about(mail: Play, **filters: Any) -> dict[str, Any]:
    return mail.ok("mail", "search_messages", **filters)["items"][0]  # type: ignore[no-any-return]


def test_seed_is_deterministic_sound_and_of_the_cast(mail: Play) -> None:
    one, two = ([row.values() for row in rows(Seed("mail", 3))] for _ in range(2))
    assert one == two
    assert one != [row.values() for row in rows(Seed("mail", 4))]
    known = {item.email for item in (*COLLEAGUES, *CONTACTS)}
    people = {item.from_email for item in mail.rows(Message) if item.from_name in {c.name for c in COLLEAGUES}}
    assert people <= known
    latest: dict[str, Any] = {}
    for item in mail.rows(Message):
        latest[item.thread_id] = max(item.at, latest.get(item.thread_id, item.at))
    assert latest == {item.id: item.last_message_at for item in mail.rows(Thread)}
    assert 150 <= len(one) <= 500


def test_search_filters_hold(mail: Play) -> None:
    assert {item["box"] for item in mail.ok("mail", "search_messages", box="spam")["items"]} == {"spam"}
    default = mail.ok("mail", "search_messages", limit=100)
    assert not {"spam", "trash"} & {item["box"] for item in default["items"]}
    found = mail.ok("mail", "search_messages", **{"from": "FEMKE"}, subject="inv-2041", starred=True)
    assert [item["from"]["email"] for item in found["items"]] == [FEMKE] and found["total"] == 1
    assert all(not item["is_read"] for item in mail.ok("mail", "search_messages", unread=True)["items"])
    assert all(item["attachment_count"] for item in mail.ok("mail", "search_messages", has_attachment=True)["items"])
    assert mail.ok("mail", "search_messages", text="GATE-LOG")["total"] == 1
    assert mail.ok("mail", "search_messages", to="femke")["total"] >= 1
    early = mail.ok("mail", "search_messages", before="2026-02-24T09:00:00+01:00", after="2026-02-20T00:00:00Z")
    assert all("2026-02-20" <= item["at"] < "2026-02-24T08" for item in early["items"]) and early["total"]
    labelled = mail.ok("mail", "search_messages", label_id="lbl_incidents")
    assert all("Incidents" in [one["name"] for one in item["labels"]] for item in labelled["items"])
    assert mail.ok("mail", "search_messages", text="100%_'\"")["items"] == []
    assert mail.fails("mail", "search_messages", label_id="lbl_no")["code"] == "not_found"
    assert mail.fails("mail", "search_messages", cursor="nonsense")["code"] == "invalid"
    window = {"after": "2026-03-01T00:00:00Z", "before": "2026-02-01T00:00:00Z"}
    assert mail.fails("mail", "search_messages", **window)["code"] == "invalid"
    assert mail.fails("mail", "search_messages", text="a\x00")["code"] == "invalid_arguments"


@pytest.mark.parametrize("tool", ["search_messages", "list_threads", "list_attachments"])
def test_pages_neither_skip_nor_repeat(mail: Play, tool: str) -> None:
    seen: list[str] = []
    cursor = None
    while True:
        page = mail.ok("mail", tool, limit=7, cursor=cursor)
        seen += ids(page)
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == page.get("total", len(mail.rows(Attachment)))


def test_reading_does_not_mark_as_read(mail: Play) -> None:
    item = message_about(mail, unread=True, box="inbox")
    assert mail.ok("mail", "get_message", message_id=item["id"])["is_read"] is False
    thread = mail.ok("mail", "get_thread", thread_id=item["thread_id"])
    assert item["id"] in [one["id"] for one in thread["messages"]]
    assert mail.ok("mail", "get_message", message_id=item["id"])["is_read"] is False
    assert mail.fails("mail", "get_message", message_id="msg_no")["code"] == "not_found"
    assert mail.fails("mail", "get_thread", thread_id="thr_no")["code"] == "not_found"


def test_threads_by_participant_and_box(mail: Play) -> None:
    found = mail.ok("mail", "list_threads", participant="brightwater")
    assert ids(found) == ["thr_brightwater"]
    assert found["items"][0]["message_count"] == 4 and found["items"][0]["unread_count"] == 2
    assert "thr_spam_prize" in ids(mail.ok("mail", "list_threads", box="spam"))
    assert "thr_spam_prize" not in ids(mail.ok("mail", "list_threads", limit=50))


def test_send_is_got_listed_and_remembered(mail: Play) -> None:
    sent = mail.ok(
        "mail",
        "send_message",
        to=[FEMKE.upper(), FEMKE],
        cc=[FEMKE, "ny@nordvik.example"],
        bcc=[HANA],
        subject="Grüße, 'Femke' & co",
        body="Zażółć gęślą jaźń",
        attachment_ids=["att_0001"],
    )
    assert sent["box"] == "sent" and sent["is_read"]
    assert [one["email"] for one in sent["to"]] == [FEMKE] and sent["to"][0]["name"] == "Femke Visser"
    assert [one["email"] for one in sent["cc"]] == ["ny@nordvik.example"]
    assert [one["email"] for one in sent["bcc"]] == [HANA]
    assert sent["body"].endswith(mail.rows(Settings)[0].signature)
    assert sent["attachments"][0]["id"] != "att_0001"
    assert mail.ok("mail", "get_message", message_id=sent["id"]) == sent
    assert ids(mail.ok("mail", "search_messages", box="sent"))[0] == sent["id"]
    assert mail.ok("mail", "suggest_contacts", text="NY@")["items"][0]["times_written_to"] == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"to": [], "subject": "a", "body": "b"}, "invalid_arguments"),
        ({"to": ["nobody"], "subject": "a", "body": "b"}, "invalid_arguments"),
        ({"to": ["a@b.example, c@d.example"], "subject": "a", "body": "b"}, "invalid_arguments"),
        ({"to": [HANA], "subject": "a\nb", "body": "b"}, "invalid_arguments"),
        ({"to": [HANA], "subject": " ", "body": " "}, "invalid"),
        ({"to": [HANA], "subject": "a", "body": "b\x00"}, "invalid_arguments"),
        ({"to": [HANA], "subject": "a", "body": "b", "bogus": 1}, "invalid_arguments"),
        ({"to": [HANA], "subject": "a", "body": "b", "attachment_ids": ["att_no"]}, "not_found"),
        ({"to": [HANA], "subject": "a", "body": "b", "send_at": "2026-03-02T09:00:00Z"}, "invalid"),
        ({"to": [HANA], "subject": "a", "body": "b", "send_at": "2026-03-03T09:00:00"}, "invalid_arguments"),
        ({"to": [HANA], "subject": "a", "body": "b", "send_at": "2028-03-03T09:00:00Z"}, "limit"),
    ],
)
def test_refused_sends_change_nothing(mail: Play, arguments: dict[str, Any], code: str) -> None:
    if arguments["subject"] == " ":
        mail.ok("mail", "set_signature", enabled=False)
    before = everything(mail)
    assert mail.fails("mail", "send_message", **arguments)["code"] == code
    assert everything(mail) == before


def test_reply_and_reply_all(mail: Play) -> None:
    first = message_about(mail, subject="GP-778", **{"from": "Talia"})
    answer = mail.ok("mail", "reply", message_id=first["id"], body="On it.")
    assert [one["email"] for one in answer["to"]] == ["talia.brooks@granitepeak.example"] and not answer["cc"]
    assert answer["thread_id"] == first["thread_id"] and answer["in_reply_to"] == first["id"]
    assert answer["subject"] == "Re: Damaged goods in shipment GP-778"
    everybody = mail.ok("mail", "reply_all", message_id=first["id"], body="All of you")
    assert [one["email"] for one in everybody["cc"]] == [HANA]
    again = mail.ok("mail", "reply", message_id=answer["id"], body="One more thing")
    assert [one["email"] for one in again["to"]] == ["talia.brooks@granitepeak.example"]
    assert again["subject"] == answer["subject"]
    draft = message_about(mail, box="drafts")
    assert mail.fails("mail", "reply", message_id=draft["id"], body="x")["code"] == "conflict"
    mail.ok("mail", "trash_messages", message_ids=[first["id"]])
    assert mail.fails("mail", "reply", message_id=first["id"], body="x")["code"] == "conflict"
    assert mail.fails("mail", "reply_all", message_id="msg_no", body="x")["code"] == "not_found"


def test_forward(mail: Play) -> None:
    first = message_about(mail, has_attachment=True, subject="GP-778")
    sent = mail.ok("mail", "forward", message_id=first["id"], to=[HANA], note="See below")
    assert sent["subject"].startswith("Fwd: ") and len(sent["attachments"]) == first["attachment_count"]
    assert sent["body"].index("See below") < sent["body"].index("From: Talia Brooks")
    bare = mail.ok("mail", "forward", message_id=first["id"], to=[HANA], include_attachments=False)
    assert bare["attachments"] == []
    assert mail.fails("mail", "forward", message_id="msg_no", to=[HANA])["code"] == "not_found"


def test_mail_to_oneself_arrives_through_the_filters(mail: Play) -> None:
    sent = mail.ok("mail", "send_message", to=[ME], bcc=[HANA], subject="Invoice idea", body="x")
    arrived = message_about(mail, box="inbox", subject="invoice idea")
    assert arrived["id"] != sent["id"] and arrived["thread_id"] == sent["thread_id"] and not arrived["is_read"]
    assert [item["name"] for item in arrived["labels"]] == ["Finance"]
    assert mail.ok("mail", "get_message", message_id=arrived["id"])["bcc"] == []


def test_drafts(mail: Play) -> None:
    draft = mail.ok("mail", "create_draft", subject="Plan", body="one")
    assert draft["box"] == "drafts" and draft["to"] == []
    assert mail.fails("mail", "send_draft", draft_id=draft["id"])["code"] == "invalid"
    changed = mail.ok("mail", "update_draft", draft_id=draft["id"], to=[HANA], cc=[FEMKE], subject="Plan B")
    assert changed["body"] == "one" and changed["subject"] == "Plan B"
    assert mail.ok("mail", "get_thread", thread_id=draft["thread_id"])["subject"] == "Plan B"
    assert mail.ok("mail", "update_draft", draft_id=draft["id"], cc=[])["cc"] == []
    assert mail.fails("mail", "update_draft", draft_id=draft["id"])["code"] == "invalid"
    with_file = mail.ok("mail", "add_attachment", draft_id=draft["id"], filename="a.txt", text="né")
    assert with_file["attachments"][0]["size_bytes"] == 3
    twice = mail.fails("mail", "add_attachment", draft_id=draft["id"], filename="A.TXT", text="")
    assert twice["code"] == "conflict"
    bad = mail.fails("mail", "add_attachment", draft_id=draft["id"], filename="../a", text="")
    assert bad["code"] == "invalid"
    sent = mail.ok("mail", "send_draft", draft_id=draft["id"])
    assert sent["box"] == "sent" and sent["id"] == draft["id"]
    attachment = sent["attachments"][0]["id"]
    assert mail.ok("mail", "get_attachment", attachment_id=attachment)["text"] == "né"
    for tool in ("send_draft", "delete_draft"):
        assert mail.fails("mail", tool, draft_id=draft["id"])["code"] == "conflict"
    assert mail.fails("mail", "update_draft", draft_id=draft["id"], body="x")["code"] == "conflict"
    assert mail.fails("mail", "remove_attachment", attachment_id=attachment)["code"] == "conflict"


def test_answering_draft_and_deleting_it(mail: Play) -> None:
    first = message_about(mail, **{"from": "Aoife"})
    draft = mail.ok("mail", "create_draft", in_reply_to=first["id"], attachment_ids=["att_0002"])
    assert draft["subject"].startswith("Re: ") and draft["to"][0]["email"] == "aoife.brennan@kestrel.example"
    gone = mail.ok("mail", "remove_attachment", attachment_id=draft["attachments"][0]["id"])
    assert gone["attachments"] == []
    assert mail.ok("mail", "delete_draft", draft_id=draft["id"]) == {"deleted": draft["id"]}
    assert mail.fails("mail", "get_message", message_id=draft["id"])["code"] == "not_found"
    assert not [item for item in mail.rows(Recipient) if item.message_id == draft["id"]]
    alone = mail.ok("mail", "create_draft", body="x")
    mail.ok("mail", "delete_draft", draft_id=alone["id"])
    assert mail.fails("mail", "get_thread", thread_id=alone["thread_id"])["code"] == "not_found"


def test_scheduled_mail(mail: Play) -> None:
    later = {"to": [HANA], "subject": "s", "body": "b", "send_at": "2026-03-02T09:12:00Z"}
    one = mail.ok("mail", "send_message", **later)
    two = mail.ok("mail", "send_message", **later)
    assert one["box"] == "scheduled" and one["scheduled_for"] == "2026-03-02T09:12:00Z"
    assert {one["id"], two["id"]} <= set(ids(mail.ok("mail", "search_messages", box="scheduled")))
    assert mail.fails("mail", "trash_messages", message_ids=[one["id"]])["code"] == "conflict"
    moved = mail.ok("mail", "reschedule_send", message_id=two["id"], send_at="2026-03-04T08:00:00+01:00")
    assert moved["scheduled_for"] == "2026-03-04T07:00:00Z"
    assert mail.ok("mail", "cancel_scheduled_send", message_id=two["id"])["box"] == "drafts"
    assert mail.fails("mail", "cancel_scheduled_send", message_id=two["id"])["code"] == "conflict"
    for _ in range(6):  # the clock passes 09:12
        mail.ok("mail", "get_settings")
    assert mail.ok("mail", "get_message", message_id=one["id"])["box"] == "sent"
    assert one["id"] in ids(mail.ok("mail", "search_messages", box="sent"))
    assert mail.fails("mail", "cancel_scheduled_send", message_id=one["id"])["code"] == "conflict"
    mail.ok("mail", "trash_messages", message_ids=[one["id"]])
    assert mail.ok("mail", "restore_messages", message_ids=[one["id"]])["items"][0]["box"] == "sent"


def test_links_go_with_their_message(mail: Play) -> None:
    first = message_about(mail, **{"from": "Aoife"})
    mail.ok("mail", "trash_messages", message_ids=[first["id"]])
    mail.ok("mail", "delete_forever", message_ids=[first["id"]])
    assert not [item for item in mail.rows(MessageLabel) if item.message_id == first["id"]]
    assert first["id"] not in [item.in_reply_to for item in mail.rows(Message)]
