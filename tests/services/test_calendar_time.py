"""The calendar: cancelling, answering, reminders, attendees, people, rooms, free time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.calendar import service
from services.calendar.state import Attendee, Reminder
from tests.services.play import Play
from tests.services.test_calendar import ELENA, FEMKE, HANA, ME, SLOT, TOBIAS, WEEK, create, ids, refused

KENJI = "kenji.watanabe@larkspur.example"


@pytest.fixture
def cal(play: Callable[..., Play]) -> Play:
    return play("calendar")


def test_cancel(cal: Play) -> None:
    made = cal.ok("calendar", "cancel_event", event_id="evt_halcyon_kickoff")
    assert made["cancelled"] == "event" and "noor.haddad@halcyon.example" in made["notified"]
    assert cal.ok("calendar", "get_event", event_id="evt_halcyon_kickoff")["status"] == "cancelled"
    assert "evt_halcyon_kickoff" not in ids(cal.ok("calendar", "list_events", **WEEK))
    assert "evt_halcyon_kickoff" in ids(cal.ok("calendar", "list_events", **WEEK, include_cancelled=True))
    create(cal, start="2026-03-05T14:00:00Z", end="2026-03-05T15:00:00Z", room_id="room_rowan")
    for tool, more in (
        ("cancel_event", {}),
        ("update_event", {"title": "x"}),
        ("add_attendees", {"attendees": [HANA]}),
        ("set_reminders", {"reminders": []}),
    ):
        assert refused(cal, tool, event_id="evt_halcyon_kickoff", **more) == "conflict"


def test_move_event(cal: Play) -> None:
    moved = cal.ok("calendar", "move_event", event_id="evt_ops_standup", calendar_id="cal_operations")
    assert moved["calendar_id"] == "cal_operations" and moved["repeats"]
    again = {"event_id": "evt_ops_standup", "calendar_id": "cal_operations"}
    assert refused(cal, "move_event", **again) == "conflict"
    assert refused(cal, "move_event", event_id="evt_ops_standup", calendar_id="cal_sales") == "forbidden"
    assert refused(cal, "move_event", event_id="evt_ops_standup", calendar_id="cal_elena") == "forbidden"
    assert refused(cal, "move_event", event_id="evt_ops_standup", calendar_id="cal_no") == "not_found"


def test_invitations(cal: Play) -> None:
    waiting = cal.ok("calendar", "list_invitations")
    assert "evt_granite_call" in ids(waiting) and len(set(ids(waiting))) == waiting["total"]
    said = cal.ok("calendar", "respond_to_invitation", event_id="evt_granite_call", response="declined", comment="Away")
    assert said["my_response"] == "declined"
    assert "evt_granite_call" not in ids(cal.ok("calendar", "list_invitations"))
    assert ids(cal.ok("calendar", "list_invitations", response="declined")) == ["evt_granite_call"]
    changed = cal.ok("calendar", "respond_to_invitation", event_id="evt_granite_call", response="tentative")
    assert next(item["comment"] for item in changed["attendees"] if item["email"] == ME) == "Away"
    for event, code in (
        ("evt_halcyon_kickoff", "forbidden"),
        ("evt_apron_quote", "not_found"),
        ("evt_ironbark", "forbidden"),
        ("evt_sales_pipeline", "invalid"),
    ):
        assert refused(cal, "respond_to_invitation", event_id=event, response="accepted") == code


def test_reminders(cal: Play) -> None:
    wanted = [{"method": "email", "minutes_before": 10}, {"method": "notification", "minutes_before": 0}]
    cal.ok("calendar", "set_reminders", event_id="evt_brightwater_prep", reminders=wanted)
    due = cal.ok("calendar", "list_due_reminders", within_minutes=180)["items"]
    times = [(i["remind_at"], i["method"]) for i in due if i["event"]["event_id"] == "evt_brightwater_prep"]
    assert times == [("2026-03-02T11:20:00Z", "email"), ("2026-03-02T11:30:00Z", "notification")]
    cal.ok("calendar", "set_reminders", event_id="evt_brightwater_prep", reminders=[])
    assert not [item for item in cal.rows(Reminder) if item.event_id == "evt_brightwater_prep"]
    assert refused(cal, "set_reminders", event_id="evt_elena_bank", reminders=wanted) == "forbidden"


def test_attendees(cal: Play) -> None:
    event = create(cal)["event_id"]
    assert not [item for item in cal.rows(Attendee) if item.event_id == event]
    added = cal.ok("calendar", "add_attendees", event_id=event, attendees=[HANA], optional_attendees=[FEMKE, ME])
    assert [item["email"] for item in added["attendees"]] == [ME, FEMKE, HANA]
    again = cal.ok("calendar", "add_attendees", event_id=event, optional_attendees=[HANA])
    assert {item["email"]: item["role"] for item in again["attendees"]}[HANA] == "required"
    assert refused(cal, "add_attendees", event_id=event) == "invalid"
    assert refused(cal, "add_attendees", event_id="evt_granite_call", attendees=[ELENA]) == "forbidden"
    cal.ok("calendar", "book_room", event_id=event, room_id="room_alder")
    assert refused(cal, "add_attendees", event_id=event, attendees=[ELENA, TOBIAS]) == "limit"
    assert refused(cal, "remove_attendees", event_id=event, emails=[HANA, TOBIAS]) == "not_found"
    assert refused(cal, "remove_attendees", event_id=event, emails=[ME]) == "forbidden"
    left = cal.ok("calendar", "remove_attendees", event_id=event, emails=[HANA.upper()])
    assert [item["email"] for item in left["attendees"]] == [ME, FEMKE]


def test_clashes_are_told_not_refused(cal: Play) -> None:
    made = create(cal, start="2026-03-05T14:30:00Z", end="2026-03-05T15:00:00Z", attendees=[HANA, FEMKE])
    assert {item["email"] for item in made["attendee_conflicts"]} == {ME, HANA}
    assert create(cal)["attendee_conflicts"] == []


def test_people_and_settings(cal: Play) -> None:
    found = cal.ok("calendar", "list_people", text="ENGINEER", office="tokyo")["items"]
    assert [item["email"] for item in found] == [KENJI]
    assert found[0]["local_time_now"].endswith("+09:00")
    pages = cal.ok("calendar", "list_people", limit=9)
    rest = cal.ok("calendar", "list_people", limit=9, cursor=pages["next_cursor"])
    names = [item["name"] for item in pages["items"] + rest["items"]]
    assert names == sorted(set(names)) and len(names) == 14
    mine = cal.ok("calendar", "get_settings")
    assert mine["email"] == ME and mine["primary_calendar_id"] == "cal_mara"
    changed = cal.ok("calendar", "update_settings", time_zone="Asia/Tokyo", work_days=["FR", "MO"], work_end="12:00")
    assert changed["work_days"] == ["MO", "FR"] and changed["work_start"] == "09:00"
    assert refused(cal, "update_settings") == "invalid"
    assert refused(cal, "update_settings", work_start="12:00") == "invalid"
    assert refused(cal, "update_settings", work_start="25:00") == "invalid_arguments"
    assert refused(cal, "update_settings", time_zone="Nowhere") == "invalid"


def busy_of(cal: Play, email: str, after: str, before: str) -> list[dict[str, Any]]:
    found = cal.ok("calendar", "get_free_busy", emails=[email], after=after, before=before)
    return found["items"][0]["busy"]  # type: ignore[no-any-return]


def test_free_busy(cal: Play) -> None:
    day = {"after": "2026-03-05T00:00:00Z", "before": "2026-03-06T00:00:00Z"}
    found = cal.ok("calendar", "get_free_busy", emails=[HANA, FEMKE], **day)["items"]
    assert [item["known"] for item in found] == [True, False] and found[1]["busy"] == []
    assert {"start": "2026-03-05T14:00:00Z", "end": "2026-03-05T15:00:00Z", "kind": "busy"} in found[0]["busy"]
    invited = busy_of(cal, ME, "2026-03-03T16:30:00Z", "2026-03-03T16:40:00Z")
    assert [item["kind"] for item in invited] == ["busy", "tentative"]
    assert {(item["start"], item["end"]) for item in invited} == {("2026-03-03T16:30:00Z", "2026-03-03T16:40:00Z")}
    cal.ok("calendar", "respond_to_invitation", event_id="evt_granite_call", response="declined")
    assert len(busy_of(cal, ME, "2026-03-03T16:30:00Z", "2026-03-03T16:40:00Z")) == 1
    free = create(cal, show_as="free")["event_id"]
    assert busy_of(cal, ME, SLOT["start"], SLOT["end"]) == []
    cal.ok("calendar", "update_event", event_id=free, show_as="busy")
    assert len(busy_of(cal, ME, SLOT["start"], SLOT["end"])) == 1
    cal.ok("calendar", "cancel_event", event_id=free)
    assert busy_of(cal, ME, SLOT["start"], SLOT["end"]) == []
    long = {"after": "2026-03-01T00:00:00Z", "before": "2026-06-01T00:00:00Z"}
    assert refused(cal, "get_free_busy", emails=[HANA], **long) == "limit"
    assert refused(cal, "get_free_busy", emails=[HANA], after=long["before"], before=long["after"]) == "invalid"


def test_common_slots_keep_to_everybodys_day(cal: Play) -> None:
    query = {"emails": [TOBIAS, ELENA], "duration_minutes": 30}
    found = cal.ok("calendar", "find_common_slots", **query, **WEEK, limit=20)
    assert found["items"] and found["considered"] == sorted([ME, TOBIAS, ELENA])
    for slot in found["items"]:
        assert slot["start"][11:16] >= "16:30" and slot["end"][11:16] <= "17:30"  # half past eight in Seattle
        for email in (ME, TOBIAS, ELENA):
            assert busy_of(cal, email, slot["start"], slot["end"]) == []
    assert cal.ok("calendar", "find_common_slots", emails=[TOBIAS, KENJI], duration_minutes=30, **WEEK)["items"] == []
    anytime = cal.ok("calendar", "find_common_slots", **query, **WEEK, working_hours_only=False, limit=3)["items"]
    assert anytime[0]["start"] == "2026-03-02T09:45:00Z" or anytime[0]["start"][14:16] in ("00", "30")
    alone = cal.ok("calendar", "find_common_slots", emails=[HANA, FEMKE], duration_minutes=60, include_me=False, **WEEK)
    assert alone["unknown"] == [FEMKE] and alone["considered"] == [HANA]
    outside = {"emails": [FEMKE], "duration_minutes": 30, "include_me": False}
    assert refused(cal, "find_common_slots", **outside, **WEEK) == "not_found"


def test_common_slots_with_a_room_can_be_booked(cal: Play) -> None:
    found = cal.ok(
        "calendar",
        "find_common_slots",
        emails=[ELENA, HANA],
        duration_minutes=60,
        **WEEK,
        needs_room=True,
        room_building="london",
        room_equipment=["video", "whiteboard"],
        limit=3,
    )
    for slot in found["items"]:
        assert set(slot["free_room_ids"]) <= {"room_larch", "room_rowan"}
    slot = found["items"][0]
    made = create(cal, start=slot["start"], end=slot["end"], attendees=[ELENA, HANA], room_id=slot["free_room_ids"][0])
    assert made["attendee_conflicts"] == []


def test_conflicts(cal: Play) -> None:
    found = cal.ok("calendar", "find_conflicts", **WEEK)
    assert found["total"] == len(found["items"]) == 1
    pair = found["items"][0]
    assert {item["event_id"] for item in pair["events"]} == {"evt_granite_call", "evt_focus"}
    assert (pair["start"], pair["end"]) == ("2026-03-03T16:30:00Z", "2026-03-03T17:00:00Z")


def test_rooms(cal: Play) -> None:
    rooms = cal.ok("calendar", "list_rooms", building="LONDON", min_capacity=5, equipment=["video"])["items"]
    assert [item["id"] for item in rooms] == ["room_larch", "room_rowan"]
    every = cal.ok("calendar", "list_rooms", include_out_of_service=True)
    assert every["total"] == 8 and every["items"][-1]["id"] == "room_maple"
    window = {"free_from": "2026-03-05T14:30:00Z", "free_until": "2026-03-05T14:45:00Z"}
    free = [item["id"] for item in cal.ok("calendar", "list_rooms", **window)["items"]]
    assert "room_rowan" not in free and "room_larch" in free
    assert refused(cal, "list_rooms", free_from=window["free_from"]) == "invalid"


def test_booking_rooms(cal: Play) -> None:
    event = create(cal)["event_id"]
    booked = cal.ok("calendar", "book_room", event_id=event, room_id="room_larch")
    assert booked["room"]["name"] == "Larch"
    assert refused(cal, "book_room", event_id=event, room_id="room_larch") == "conflict"
    assert refused(cal, "book_room", event_id=event, room_id="room_maple") == "conflict"
    assert refused(cal, "book_room", event_id=event, room_id="room_no") == "not_found"
    assert refused(cal, "book_room", event_id="evt_granite_call", room_id="room_larch") == "forbidden"
    other = create(cal, end="2026-03-05T18:00:00Z")["event_id"]
    error = cal.fails("calendar", "book_room", event_id=other, room_id="room_larch")
    assert error["code"] == "conflict" and ME in error["message"] and error["details"]["start"]
    assert cal.ok("calendar", "release_room", event_id=event)["room"] is None
    assert refused(cal, "release_room", event_id=event) == "conflict"
    cal.ok("calendar", "book_room", event_id=other, room_id="room_larch")
    touching = create(cal, start="2026-03-05T18:00:00Z", end="2026-03-05T18:30:00Z", room_id="room_larch")
    assert touching["room"]["id"] == "room_larch"


def test_every_tool_refuses_unknown_arguments(cal: Play) -> None:
    for name, tool in service.tools.items():
        assert cal.fails("calendar", name, bogus_argument=1)["code"] == "invalid_arguments", name
        assert tool.specification.description.endswith(".")


def test_times_out_of_this_century_are_refused(cal: Play) -> None:
    far = {"after": "0001-01-01T00:00:00+05:00", "before": "9999-12-31T23:59:59-05:00"}
    for tool in ("list_events", "find_conflicts"):
        assert refused(cal, tool, **far) == "invalid_arguments"
    lost = {"event_id": "evt_ops_standup", "occurrence_start": "2099-12-31T23:59:59-12:00"}
    assert refused(cal, "get_event", **lost) == "not_found"
    assert refused(cal, "create_event", title="x", **SLOT, recurrence="FREQ=DAILY;UNTIL=99991231T235959Z") == "invalid"
