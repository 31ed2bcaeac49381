"""The mailbox: boxes, labels, filters, settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES
from services.mail import service
from services.mail.state import FilterRule, Message
from tests.services.play import Play

ME = COLLEAGUES[0].email


@pytest.fixture
def mail(play: Callable[..., Play]) -> Play:
    return play("mail")


def ids(result: dict[str, Any]) -> list[str]:
    return [item["id"] for item in result["items"]]


def some(mail: Play, count: int, **filters: Any) -> list[str]:
    return ids(mail.ok("mail", "search_messages", limit=count, **filters))


def test_flags(mail: Play) -> None:
    two = some(mail, 2, unread=True)
    assert mail.ok("mail", "mark_read", message_ids=two) == {"changed": two, "unchanged": []}
    assert mail.ok("mail", "mark_read", message_ids=two) == {"changed": [], "unchanged": two}
    assert mail.ok("mail", "mark_unread", message_ids=two[:1])["changed"] == two[:1]
    assert mail.ok("mail", "get_message", message_id=two[0])["is_read"] is False
    assert mail.ok("mail", "star", message_ids=two)["changed"]
    assert set(two) <= set(some(mail, 100, starred=True))
    assert mail.ok("mail", "unstar", message_ids=two)["changed"] == two
    draft = some(mail, 1, box="drafts")
    assert mail.fails("mail", "mark_unread", message_ids=draft)["code"] == "conflict"
    for tool in ("mark_read", "mark_unread", "star", "unstar", "trash_messages", "restore_messages"):
        error = mail.fails("mail", tool, message_ids=[two[1], "msg_no"])
        assert error["code"] == "not_found" and error["details"]["message_ids"] == ["msg_no"]
    assert mail.fails("mail", "star", message_ids=[])["code"] == "invalid_arguments"
    assert mail.fails("mail", "star", message_ids=[two[0], two[0]])["code"] == "invalid_arguments"


def test_moving(mail: Play) -> None:
    one = some(mail, 1, box="inbox")
    moved = mail.ok("mail", "move_messages", message_ids=one, box="archive")
    assert moved["changed"] == one and moved["items"][0]["box"] == "archive"
    assert one[0] not in some(mail, 100, box="inbox")
    for box in ("sent", "drafts", "scheduled", "trash"):
        other = some(mail, 1, box=box)
        assert mail.fails("mail", "move_messages", message_ids=one + other, box="inbox")["code"] == "conflict"
    assert mail.ok("mail", "get_message", message_id=one[0])["box"] == "archive"
    assert mail.fails("mail", "move_messages", message_ids=one, box="sent")["code"] == "invalid_arguments"


def test_mail_rescued_from_spam_passes_the_filters(mail: Play) -> None:
    (spam,) = some(mail, 1, box="spam", text="ski schools")
    mail.ok("mail", "create_filter", name="Fleece", subject_contains="FLEECE", star=True)
    mail.ok("mail", "move_messages", message_ids=[spam], box="inbox")
    assert mail.ok("mail", "get_message", message_id=spam)["is_starred"] is True


def test_trash_keeps_the_way_back(mail: Play) -> None:
    inbox, sent = some(mail, 1, box="inbox"), some(mail, 1, box="sent")
    mail.ok("mail", "trash_messages", message_ids=inbox + sent)
    assert mail.ok("mail", "trash_messages", message_ids=inbox)["unchanged"] == inbox
    assert inbox[0] in some(mail, 100, box="trash") and inbox[0] not in some(mail, 100)
    back = mail.ok("mail", "restore_messages", message_ids=inbox + sent)
    assert [item["box"] for item in back["items"]] == ["inbox", "sent"]
    assert mail.fails("mail", "restore_messages", message_ids=inbox)["code"] == "conflict"
    assert mail.fails("mail", "delete_forever", message_ids=inbox)["code"] == "conflict"
    mail.ok("mail", "trash_messages", message_ids=inbox)
    thread = mail.ok("mail", "get_message", message_id=inbox[0])["thread_id"]
    shown = mail.ok("mail", "get_thread", thread_id=thread)["messages"]
    assert inbox[0] not in [item["id"] for item in shown]
    shown = mail.ok("mail", "get_thread", thread_id=thread, include_trash=True)["messages"]
    assert inbox[0] in [item["id"] for item in shown]
    assert mail.ok("mail", "delete_forever", message_ids=inbox) == {"deleted": inbox}
    assert mail.fails("mail", "get_message", message_id=inbox[0])["code"] == "not_found"


def test_labels(mail: Play) -> None:
    label = mail.ok("mail", "create_label", name=" Größe XL ", color="red")
    assert label["name"] == "Größe XL"
    assert label["id"] in ids(mail.ok("mail", "list_labels"))
    for name in ("customers", "Inbox", "  "):
        assert mail.fails("mail", "create_label", name=name)["code"] in ("conflict", "invalid")
    assert mail.ok("mail", "update_label", label_id=label["id"], name="Sizes")["color"] == "red"
    assert mail.fails("mail", "update_label", label_id=label["id"], name="FINANCE")["code"] == "conflict"
    assert mail.fails("mail", "update_label", label_id=label["id"])["code"] == "invalid"
    two = some(mail, 2, box="inbox")
    done = mail.ok("mail", "label_messages", message_ids=two, add=[label["id"]])
    assert done["changed"] == two
    assert sorted(some(mail, 10, label_id=label["id"])) == sorted(two)
    counted = next(item for item in mail.ok("mail", "list_labels")["items"] if item["id"] == label["id"])
    assert counted["total"] == 2
    done = mail.ok("mail", "label_messages", message_ids=two, remove=[label["id"]], add=["lbl_team"])
    assert all("Sizes" not in [one["name"] for one in item["labels"]] for item in done["items"])
    assert mail.fails("mail", "label_messages", message_ids=two)["code"] == "invalid"
    both = {"add": [label["id"]], "remove": [label["id"]]}
    assert mail.fails("mail", "label_messages", message_ids=two, **both)["code"] == "invalid"
    assert mail.fails("mail", "label_messages", message_ids=two, add=["lbl_no"])["code"] == "not_found"
    assert mail.ok("mail", "delete_label", label_id=label["id"]) == {"deleted": label["id"]}
    assert mail.fails("mail", "delete_label", label_id=label["id"])["code"] == "not_found"
    assert mail.fails("mail", "delete_label", label_id="lbl_reports")["code"] == "conflict"
    assert {item["box"]: item["total"] for item in mail.ok("mail", "list_labels")["boxes"]}["spam"] == 3


def positions(mail: Play) -> list[tuple[int, str]]:
    return sorted((item.position, item.name) for item in mail.rows(FilterRule))


def test_filters(mail: Play) -> None:
    made = mail.ok("mail", "create_filter", name="Talia", from_contains="TALIA", star=True, position=1)
    assert made["position"] == 1
    assert [number for number, _ in positions(mail)] == [1, 2, 3, 4, 5]
    assert ids(mail.ok("mail", "list_filters"))[0] == made["id"]
    assert ids(mail.ok("mail", "list_filters", enabled=False)) == ["flt_notes"]
    applied = mail.ok("mail", "apply_filter", filter_id=made["id"])
    assert applied["total"] == len(applied["applied_to"]) > 0
    assert set(applied["applied_to"]) <= set(some(mail, 100, starred=True, **{"from": "talia"}))
    for wrong in (
        {"name": "No condition", "star": True},
        {"name": "No action", "from_contains": "a"},
        {"name": " ", "from_contains": "a", "star": True},
    ):
        assert mail.fails("mail", "create_filter", **wrong)["code"] == "invalid"
    same = {"name": "TALIA", "from_contains": "a", "star": True}
    assert mail.fails("mail", "create_filter", **same)["code"] == "conflict"
    gone = {"name": "x", "from_contains": "a", "add_label_id": "lbl_no"}
    assert mail.fails("mail", "create_filter", **gone)["code"] == "not_found"
    changed = mail.ok("mail", "update_filter", filter_id=made["id"], subject_contains="x", from_contains="", position=9)
    assert changed["from_contains"] is None and changed["position"] == 5
    assert mail.fails("mail", "update_filter", filter_id=made["id"], subject_contains="")["code"] == "invalid"
    assert mail.fails("mail", "update_filter", filter_id=made["id"], star=False)["code"] == "invalid"
    assert mail.fails("mail", "update_filter", filter_id=made["id"])["code"] == "invalid"
    assert mail.ok("mail", "update_filter", filter_id=made["id"], attachments="with")["has_attachment"] is True
    moved = mail.ok("mail", "update_filter", filter_id=made["id"], move_to="trash", from_contains="inbox")
    assert (moved["move_to"], moved["from_contains"]) == ("trash", "inbox")
    assert mail.ok("mail", "update_filter", filter_id=made["id"], move_to="inbox")["move_to"] is None
    mail.ok("mail", "delete_filter", filter_id="flt_reports")
    assert [number for number, _ in positions(mail)] == [1, 2, 3, 4]
    for tool in ("delete_filter", "apply_filter"):
        assert mail.fails("mail", tool, filter_id="flt_reports")["code"] == "not_found"


def test_filter_to_trash_can_be_undone(mail: Play) -> None:
    mail.ok("mail", "create_filter", name="Away", subject_contains="throw", move_to="trash")
    mail.ok("mail", "send_message", to=[ME], subject="throw this away", body="b")
    (arrived,) = some(mail, 5, box="trash", subject="throw")
    assert mail.ok("mail", "restore_messages", message_ids=[arrived])["items"][0]["box"] == "inbox"


def test_signature(mail: Play) -> None:
    assert mail.ok("mail", "set_signature", signature="M.")["signature"] == "M."
    sent = mail.ok("mail", "send_message", to=[ME], subject="s", body="b")
    assert sent["body"] == "b\n\n-- \nM."
    assert mail.ok("mail", "set_signature", enabled=False)["signature_on"] is False
    assert mail.ok("mail", "send_message", to=[ME], subject="s", body="b")["body"] == "b"
    assert mail.fails("mail", "set_signature")["code"] == "invalid"
    assert mail.fails("mail", "set_signature", signature=" ", enabled=True)["code"] == "invalid"


def test_vacation_responder(mail: Play) -> None:
    on = mail.ok("mail", "set_vacation_responder", enabled=True, last_day="2026-03-06")
    assert on["vacation_active_today"] and on["vacation_first_day"] == "2026-03-02"
    later = mail.ok("mail", "set_vacation_responder", enabled=True, first_day="2026-04-07")
    assert not later["vacation_active_today"] and later["vacation_last_day"] is None
    for wrong in (
        {"enabled": True, "body": " "},
        {"enabled": True, "first_day": "2026-04-07", "last_day": "2026-04-06"},
        {"enabled": True, "first_day": "2026-02-01", "last_day": "2026-02-06"},
        {"enabled": False, "first_day": "2026-04-07"},
    ):
        assert mail.fails("mail", "set_vacation_responder", **wrong)["code"] == "invalid"
    assert mail.ok("mail", "get_settings") == later
    assert mail.ok("mail", "set_vacation_responder", enabled=False)["vacation_on"] is False
    bad = mail.fails("mail", "set_vacation_responder", enabled=True, last_day="2026-02-30")
    assert bad["code"] == "invalid_arguments"


def test_attachments_and_contacts(mail: Play) -> None:
    found = mail.ok("mail", "list_attachments", filename="FOXGLOVE", media_type="pdf")
    assert found["items"][0]["from_email"] == "ruth.abernathy@larkspur.example"
    assert "1,150" in mail.ok("mail", "get_attachment", attachment_id=found["items"][0]["id"])["text"]
    message = found["items"][0]["message_id"]
    assert len(mail.ok("mail", "list_attachments", message_id=message)["items"]) == 2
    assert len(mail.ok("mail", "list_attachments", thread_id="thr_granite")["items"]) == 2
    assert mail.fails("mail", "list_attachments", message_id="msg_no")["code"] == "not_found"
    assert mail.fails("mail", "get_attachment", attachment_id="att_no")["code"] == "not_found"
    people = mail.ok("mail", "suggest_contacts", text="juniper")["items"]
    assert {item["company"] for item in people} == {"Juniper Lane Hotels"}
    times = [item["times_written_to"] for item in mail.ok("mail", "suggest_contacts", text="a")["items"]]
    assert times == sorted(times, reverse=True)


def test_every_tool_has_a_test_of_its_arguments(mail: Play) -> None:
    for name, tool in service.tools.items():
        error = mail.fails("mail", name, bogus_argument=1)
        assert error["code"] == "invalid_arguments", name
        assert tool.specification.description.endswith(".")
    assert len(mail.rows(Message)) == 95
