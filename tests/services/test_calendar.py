"""The calendar: calendars and sharing, single events, invitations, people, rooms, free time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Seed
from services.calendar import service
from services.calendar.seed import rows
from services.calendar.state import Attendee, Calendar, Event, Profile
from tests.services.play import Play

ME = COLLEAGUES[0].email
HANA = "hana.takeda@larkspur.example"
ELENA = "elena.sorokina@larkspur.example"
TOBIAS = "tobias.okafor@larkspur.example"
FEMKE = "femke.visser@brightwater.example"
WEEK = {"after": "2026-03-02T00:00:00Z", "before": "2026-03-09T00:00:00Z"}
SLOT = {"start": "2026-03-05T17:00:00+00:00", "end": "2026-03-05T17:30:00+00:00"}


@pytest.fixture
def cal(play: Callable[..., Play]) -> Play:
    return play("calendar")


def ids(result: dict[str, Any]) -> list[str]:
    return [item["event_id"] for item in result["items"]]


def create(cal: Play, **more: Any) -> dict[str, Any]:
    return cal.ok("calendar", "create_event", **({"title": "T"} | SLOT | more))  # type: ignore[no-any-return]


def refused(cal: Play, tool: str, **arguments: Any) -> str:
    """The code of the refusal; nothing must have changed."""
    before = [row.values() for entity in service.entities for row in cal.rows(entity)]
    code = cal.fails("calendar", tool, **arguments)["code"]
    assert [row.values() for entity in service.entities for row in cal.rows(entity)] == before
    return str(code)


def test_seed_is_deterministic_and_of_the_cast(cal: Play) -> None:
    one, two = ([row.values() for row in rows(Seed("calendar", 3))] for _ in range(2))
    assert one == two and 150 <= len(one) <= 400
    assert one != [row.values() for row in rows(Seed("calendar", 4))]
    known = {item.email: item.name for item in (*COLLEAGUES, *CONTACTS)}
    assert {item.email: item.name for item in cal.rows(Attendee)}.items() <= known.items()
    assert {item.email for item in cal.rows(Profile)} == {item.email for item in COLLEAGUES}
    assert all(item.end_at > item.start_at for item in cal.rows(Event))
    primaries = [item.owner_email for item in cal.rows(Calendar) if item.is_primary]
    assert sorted(primaries) == sorted(item.email for item in COLLEAGUES)


def test_seed_books_no_room_twice(cal: Play) -> None:
    for room in cal.ok("calendar", "list_rooms")["items"]:
        booked = []
        for calendar in cal.rows(Calendar):
            if cal.call("calendar", "get_calendar", calendar_id=calendar.id)["ok"]:
                window = {"after": "2026-02-01T00:00:00Z", "before": "2026-05-01T00:00:00Z"}
                shown = cal.ok("calendar", "list_events", **window, calendar_ids=[calendar.id], room_id=room["id"])
                booked += [(item["start"], item["end"]) for item in shown["items"]]
        booked.sort()
        assert all(first[1] <= second[0] for first, second in pairwise(booked))


def test_agenda_and_its_filters(cal: Play) -> None:
    week = cal.ok("calendar", "list_events", **WEEK)
    starts = [item["start"] for item in week["items"]]
    assert starts == sorted(starts) and week["total"] == len(starts)
    assert "evt_halcyon_kickoff" in ids(week) and "evt_fernhill_call" not in ids(week)
    assert ids(week).count("evt_ops_standup") == 4  # Friday's was cancelled alone
    assert ids(cal.ok("calendar", "list_events", **WEEK, text="inv-2041")) == [
        "evt_brightwater_prep",
        "evt_brightwater_call",
    ]
    assert ids(cal.ok("calendar", "list_events", **WEEK, attendee=FEMKE.upper())) == ["evt_brightwater_call"]
    assert set(ids(cal.ok("calendar", "list_events", **WEEK, room_id="room_rowan"))) == {"evt_halcyon_kickoff"}
    open_ones = cal.ok("calendar", "list_events", **WEEK, my_response="needs_action")["items"]
    assert open_ones and {item["my_response"] for item in open_ones} == {"needs_action"}
    seen: list[Any] = []
    cursor = None
    while True:
        page = cal.ok("calendar", "list_events", **WEEK, limit=4, cursor=cursor)
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == week["items"]
    assert refused(cal, "list_events", after=WEEK["before"], before=WEEK["after"]) == "invalid"
    assert refused(cal, "list_events", after=WEEK["after"], before="2028-01-01T00:00:00Z") == "limit"
    assert refused(cal, "list_events", **WEEK, cursor="x") == "invalid"
    assert refused(cal, "list_events", **WEEK, calendar_ids=["cal_nils"]) == "not_found"
    assert refused(cal, "list_events", **WEEK, room_id="room_no") == "not_found"
    assert refused(cal, "list_events", after="2026-03-02T00:00:00", before=WEEK["before"]) == "invalid_arguments"


def test_what_others_calendars_show(cal: Play) -> None:
    elena = cal.ok("calendar", "list_events", **WEEK, calendar_ids=["cal_elena"])["items"]
    bank = next(item for item in elena if item["event_id"] == "evt_elena_bank")
    assert bank["title"] == "Busy" and bank["details_hidden"] and "location" not in bank
    assert any(item["title"] == "Month-end close" for item in elena)
    assert ids(cal.ok("calendar", "list_events", **WEEK, calendar_ids=["cal_elena"], text="bank")) == []
    tobias = cal.ok(
        "calendar",
        "list_events",
        after=WEEK["after"],
        before="2026-03-20T00:00:00Z",
        calendar_ids=["cal_tobias"],
    )["items"]
    assert tobias and {item["title"] for item in tobias} == {"Busy"}
    assert refused(cal, "get_event", event_id="evt_elena_bank") == "forbidden"
    assert refused(cal, "get_event", event_id="evt_sofia_interview") == "not_found"
    assert refused(cal, "get_event", event_id="evt_no") == "not_found"
    assert refused(cal, "update_event", event_id="evt_elena_close", title="x", scope="all") == "forbidden"
    assert refused(cal, "cancel_event", event_id="evt_granite_call") == "forbidden"


def test_calendars(cal: Play) -> None:
    listed = cal.ok("calendar", "list_calendars")["items"]
    assert [item["id"] for item in listed][:1] == ["cal_mara"]
    assert {item["my_role"] for item in cal.ok("calendar", "list_calendars", role="writer")["items"]} == {"writer"}
    made = cal.ok("calendar", "create_calendar", name="Bücher & Tee", color="red")
    assert made["time_zone"] == "Europe/London" and made["my_role"] == "owner"
    assert refused(cal, "create_calendar", name="BÜCHER & Tee".replace("BÜ", "Bü")) == "conflict"
    assert refused(cal, "create_calendar", name=" ") == "invalid"
    assert refused(cal, "create_calendar", name="x", time_zone="Mars/Olympus") == "invalid"
    changed = cal.ok("calendar", "update_calendar", calendar_id=made["id"], name="Tee", time_zone="Asia/Tokyo")
    assert changed["name"] == "Tee" and changed["color"] == "red"
    assert refused(cal, "update_calendar", calendar_id=made["id"]) == "invalid"
    assert refused(cal, "update_calendar", calendar_id="cal_sales", name="x") == "forbidden"
    event = create(cal, calendar_id=made["id"])
    assert cal.ok("calendar", "get_calendar", calendar_id=made["id"])["event_count"] == 1
    assert refused(cal, "delete_calendar", calendar_id=made["id"]) == "conflict"
    cal.ok("calendar", "cancel_event", event_id=event["event_id"])
    assert cal.ok("calendar", "delete_calendar", calendar_id=made["id"]) == {"deleted": made["id"]}
    assert refused(cal, "get_calendar", calendar_id=made["id"]) == "not_found"
    assert refused(cal, "get_event", event_id=event["event_id"]) == "not_found"
    assert refused(cal, "delete_calendar", calendar_id="cal_mara") == "forbidden"


def test_sharing(cal: Play) -> None:
    share = {"calendar_id": "cal_mara_home", "email": HANA}
    cal.ok("calendar", "share_calendar", **share, role="free_busy")
    cal.ok("calendar", "share_calendar", **share, role="reader")
    shown = cal.ok("calendar", "get_calendar", calendar_id="cal_mara_home")
    assert shown["shares"] == [{"email": HANA, "role": "reader"}]
    assert "shares" not in cal.ok("calendar", "get_calendar", calendar_id="cal_sales")
    outside = {"calendar_id": "cal_mara_home", "email": FEMKE}
    assert refused(cal, "share_calendar", **outside, role="writer") == "forbidden"
    assert refused(cal, "share_calendar", calendar_id="cal_mara", email=ME, role="reader") == "invalid"
    assert refused(cal, "share_calendar", calendar_id="cal_sales", email=HANA, role="reader") == "forbidden"
    assert cal.ok("calendar", "unshare_calendar", **share)["removed"]
    assert refused(cal, "unshare_calendar", **share) == "not_found"
    assert refused(cal, "unshare_calendar", calendar_id="cal_sales", email=HANA) == "forbidden"
    assert cal.ok("calendar", "unshare_calendar", calendar_id="cal_oncall", email=ME)["removed"]
    assert refused(cal, "get_calendar", calendar_id="cal_oncall") == "not_found"


def test_created_is_got_and_listed(cal: Play) -> None:
    made = create(
        cal,
        title=" Tür's “Öffnung” ",
        attendees=[HANA.upper(), FEMKE],
        optional_attendees=[HANA, TOBIAS],
        room_id="room_larch",
        reminders=[{"method": "email", "minutes_before": 60}, {"method": "email", "minutes_before": 60}],
        meeting_url="https://meet.larkspur.example/a",
    )
    assert made["title"] == "Tür's “Öffnung”" and made["organizer_email"] == ME
    assert {item["email"]: item["role"] for item in made["attendees"]} == {
        ME: "organizer",
        HANA: "required",
        FEMKE: "required",
        TOBIAS: "optional",
    }
    assert made["my_response"] == "accepted" and made["room"] == {"id": "room_larch", "name": "Larch"}
    assert made["reminders"] == [{"method": "email", "minutes_before": 60}]
    got = cal.ok("calendar", "get_event", event_id=made["event_id"])
    assert got == {key: value for key, value in made.items() if key != "attendee_conflicts"}
    assert made["event_id"] in ids(cal.ok("calendar", "list_events", **WEEK))


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"end": SLOT["start"]}, "invalid"),
        ({"end": "2026-05-05T17:30:00Z"}, "limit"),
        ({"start_date": "2026-03-05"}, "invalid"),
        ({"title": "  "}, "invalid"),
        ({"title": ""}, "invalid_arguments"),
        ({"time_zone": "Europe/Nowhere"}, "invalid"),
        ({"calendar_id": "cal_oncall"}, "forbidden"),
        ({"calendar_id": "cal_nils"}, "not_found"),
        ({"room_id": "room_no"}, "not_found"),
        ({"room_id": "room_maple"}, "conflict"),
        ({"room_id": "room_quince", "attendees": [HANA, TOBIAS]}, "limit"),
        (
            {"room_id": "room_larch", "start": "2026-03-05T09:35:00Z", "end": "2026-03-05T10:00:00Z"},
            "conflict",
        ),
        ({"recurrence": "FREQ=HOURLY"}, "invalid"),
        ({"attendees": ["x"]}, "invalid_arguments"),
        ({"meeting_url": "javascript:1"}, "invalid_arguments"),
        ({"reminders": [{"method": "sms", "minutes_before": 1}]}, "invalid_arguments"),
    ],
)
def test_refused_creations_change_nothing(cal: Play, more: dict[str, Any], code: str) -> None:
    assert refused(cal, "create_event", **({"title": "T"} | SLOT | more)) == code


def test_whole_days(cal: Play) -> None:
    made = cal.ok("calendar", "create_event", title="Fair", start_date="2026-03-28", end_date="2026-03-29")
    assert made["all_day"] and (made["start_date"], made["end_date"]) == ("2026-03-28", "2026-03-29")
    assert made["start"] == "2026-03-28T00:00:00Z" and made["end"] == "2026-03-29T23:00:00Z"  # clocks go forward
    moved = cal.ok("calendar", "update_event", event_id=made["event_id"], start_date="2026-03-30")
    assert moved["end_date"] == "2026-03-30"
    timed = cal.ok("calendar", "update_event", event_id=made["event_id"], **SLOT)
    assert not timed["all_day"] and "start_date" not in timed
    assert refused(cal, "create_event", title="x", start_date="2026-03-28", end_date="2026-03-27") == "invalid"
    assert refused(cal, "create_event", title="x") == "invalid"


def test_update(cal: Play) -> None:
    made = create(cal, attendees=[HANA], meeting_url="https://a.example")
    event = made["event_id"]
    changed = cal.ok("calendar", "update_event", event_id=event, title="New", meeting_url="", location="Café")
    assert (changed["title"], changed["meeting_url"], changed["location"]) == ("New", None, "Café")
    later = cal.ok("calendar", "update_event", event_id=event, start="2026-03-06T17:00:00Z")
    assert later["end"] == "2026-03-06T17:30:00Z"
    assert refused(cal, "update_event", event_id=event) == "invalid"
    assert refused(cal, "update_event", event_id=event, end="2026-03-06T16:00:00Z") == "invalid"
    assert refused(cal, "update_event", event_id=event, scope="following", title="x") == "invalid"
    cal.ok("calendar", "book_room", event_id=event, room_id="room_alder")
    taken = {"start": "2026-03-06T09:45:00Z", "end": "2026-03-06T10:15:00Z"}
    assert refused(cal, "update_event", event_id=event, **taken) == "conflict"


def test_a_new_time_asks_everybody_again(cal: Play) -> None:
    moved = cal.ok("calendar", "update_event", event_id="evt_halcyon_kickoff", start="2026-03-05T15:00:00Z")
    answers = {item["email"]: item["response"] for item in moved["attendees"]}
    assert answers.pop(ME) == "accepted" and set(answers.values()) == {"needs_action"}
    renamed = cal.ok("calendar", "update_event", event_id="evt_brightwater_call", title="x")
    assert "accepted" in {item["response"] for item in renamed["attendees"] if item["email"] != ME}
