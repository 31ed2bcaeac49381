"""The calendar: repeating events, their exceptions, splits and clock changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import ToolError
from services.calendar.rules import parse
from services.calendar.state import Event, Exclusion
from tests.services.play import Play
from tests.services.test_calendar import HANA, ME, create, ids, refused

SPRING = {"after": "2026-03-01T00:00:00Z", "before": "2026-06-01T00:00:00Z"}
TUESDAY = {"start": "2026-03-17T10:00:00Z", "end": "2026-03-17T10:30:00Z"}


@pytest.fixture
def cal(play: Callable[..., Play]) -> Play:
    return play("calendar")


def series(cal: Play, rule: str = "FREQ=WEEKLY;BYDAY=TU;COUNT=4", **more: Any) -> str:
    made = create(cal, **(TUESDAY | {"recurrence": rule, "time_zone": "Europe/London"} | more))
    return str(made["event_id"])


def shown(cal: Play, event: str) -> list[str]:
    found = cal.ok("calendar", "list_events", **SPRING, limit=200)["items"]
    return [item["start"][5:16] for item in found if item["event_id"] == event]


def starts(cal: Play, event: str) -> list[str]:
    found = cal.ok("calendar", "list_events", **SPRING, limit=200)["items"]
    return [item["occurrence_start"] for item in found if item["event_id"] == event]


def test_occurrences_follow_the_wall_clock(cal: Play) -> None:
    event = series(cal)
    assert shown(cal, event) == ["03-17T10:00", "03-24T10:00", "03-31T09:00", "04-07T09:00"]
    assert shown(cal, series(cal, "rrule:freq=monthly;byday=3tu;until=20260430")) == [
        "03-17T10:00",
        "04-21T09:00",
    ]
    assert shown(cal, series(cal, "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20260331T090000Z")) == [
        "03-17T10:00",
        "03-19T10:00",
        "03-31T09:00",
    ]
    assert shown(cal, series(cal, "FREQ=DAILY;COUNT=2", time_zone="UTC")) == ["03-17T10:00", "03-18T10:00"]
    last_day = {"start": "2026-03-31T10:00:00Z", "end": "2026-03-31T11:00:00Z"}
    assert shown(cal, series(cal, "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2", **last_day)) == [
        "03-31T10:00",
        "04-30T10:00",
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "WEEKLY",
        "FREQ=SECONDLY",
        "FREQ=WEEKLY;COUNT=0",
        "FREQ=WEEKLY;COUNT=3;UNTIL=20260401",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYDAY=2TU",
        "FREQ=WEEKLY;UNTIL=soon",
        "FREQ=WEEKLY;UNTIL=20260231",
        "FREQ=WEEKLY;BYHOUR=3",
        "FREQ=WEEKLY;FREQ=DAILY",
        "FREQ=MONTHLY;BYSETPOS=1",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=DAILY;WKST=NO",
    ],
)
def test_rules_that_are_not_understood(rule: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse(rule)
    assert caught.value.code == "invalid" and caught.value.message.startswith("recurrence: ")


def test_rules_must_fit_the_start(cal: Play) -> None:
    for rule in (
        "FREQ=WEEKLY;BYDAY=WE",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYDAY=1TU",
        "FREQ=WEEKLY;UNTIL=20260301",
    ):
        assert refused(cal, "create_event", title="x", **TUESDAY, recurrence=rule) == "invalid"
    assert refused(cal, "create_event", title="x", **TUESDAY, recurrence="FREQ=DAILY;UNTIL=20300101") == "limit"


def test_scope_is_asked_for(cal: Play) -> None:
    event = series(cal)
    assert refused(cal, "update_event", event_id=event, title="x") == "invalid"
    assert refused(cal, "update_event", event_id=event, title="x", scope="this") == "invalid"
    wrong = {"scope": "this", "occurrence_start": "2026-03-18T10:00:00Z"}
    assert refused(cal, "update_event", event_id=event, title="x", **wrong) == "not_found"
    assert refused(cal, "get_event", event_id=event, occurrence_start="2026-03-18T10:00:00Z") == "not_found"
    single = create(cal)["event_id"]
    assert refused(cal, "get_event", event_id=single, occurrence_start="2026-03-05T17:00:00Z") == "invalid"


def test_one_occurrence_changes_alone(cal: Play) -> None:
    event = series(cal, attendees=[HANA])
    second = starts(cal, event)[1]
    this = {"event_id": event, "scope": "this", "occurrence_start": second}
    changed = cal.ok("calendar", "update_event", **this, title="Special", start="2026-03-25T12:00:00Z")
    assert changed["changed_alone"] and changed["event_id"] == event and changed["occurrence_start"] == second
    assert shown(cal, event) == ["03-17T10:00", "03-25T12:00", "03-31T09:00", "04-07T09:00"]
    assert cal.ok("calendar", "get_event", event_id=event, occurrence_start=second)["title"] == "Special"
    assert cal.ok("calendar", "get_event", event_id=event)["title"] == "T"
    again = cal.ok("calendar", "update_event", **this, location="Roof")
    assert again["start"] == "2026-03-25T12:00:00Z" and again["title"] == "Special"
    assert len([item for item in cal.rows(Event) if item.series_id == event]) == 1
    assert refused(cal, "update_event", **this, recurrence="FREQ=DAILY") == "invalid"
    cal.ok("calendar", "cancel_event", **this)
    assert shown(cal, event) == ["03-17T10:00", "03-31T09:00", "04-07T09:00"]
    assert not [item for item in cal.rows(Event) if item.series_id == event]
    assert refused(cal, "cancel_event", **this) == "not_found"


def test_all_occurrences_move_by_the_same_time(cal: Play) -> None:
    event = series(cal)
    one, two, three, _ = starts(cal, event)
    cal.ok("calendar", "cancel_event", event_id=event, scope="this", occurrence_start=two)
    cal.ok("calendar", "update_event", event_id=event, scope="this", occurrence_start=three, title="Mine")
    everything = {"event_id": event, "scope": "all"}
    moved = cal.ok("calendar", "update_event", **everything, occurrence_start=three, start="2026-03-31T10:00:00Z")
    assert moved["start"] == "2026-03-17T11:00:00Z" and moved["end"] == "2026-03-17T11:30:00Z"
    assert shown(cal, event) == ["03-17T11:00", "03-31T10:00", "04-07T10:00"]
    assert [item.original_start.hour for item in cal.rows(Exclusion) if item.series_id == event] == [11]
    assert one == "2026-03-17T10:00:00Z"
    renamed = cal.ok("calendar", "update_event", **everything, title="All")
    assert renamed["title"] == "All"
    found = cal.ok("calendar", "list_events", **SPRING, text="Mine", limit=200)["items"]
    assert event not in [item["event_id"] for item in found]
    assert refused(cal, "update_event", **everything, start="2026-03-18T10:00:00Z") == "invalid"


def test_a_new_rule_drops_exceptions_that_it_does_not_meet(cal: Play) -> None:
    event = series(cal)
    _, two, three, _ = starts(cal, event)
    cal.ok("calendar", "cancel_event", event_id=event, scope="this", occurrence_start=two)
    cal.ok("calendar", "update_event", event_id=event, scope="this", occurrence_start=three, title="Mine")
    rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=3"
    cal.ok("calendar", "update_event", event_id=event, scope="all", recurrence=rule)
    assert shown(cal, event) == ["03-17T10:00", "03-31T09:00", "04-14T09:00"]
    assert not [item for item in cal.rows(Exclusion) if item.series_id == event]
    assert cal.ok("calendar", "get_event", event_id=event, occurrence_start=three)["title"] == "Mine"


def test_this_and_following_splits_the_series(cal: Play) -> None:
    event = series(cal, attendees=[HANA], reminders=[{"method": "email", "minutes_before": 5}])
    _, two, three, four = starts(cal, event)
    cal.ok("calendar", "cancel_event", event_id=event, scope="this", occurrence_start=four)
    cal.ok("calendar", "update_event", event_id=event, scope="this", occurrence_start=three, title="Mine")
    rest = {"event_id": event, "scope": "following", "occurrence_start": two}
    split = cal.ok("calendar", "update_event", **rest, location="Roof", end="2026-03-24T11:00:00Z")
    new = split["event_id"]
    assert new != event and split["recurrence"] == "FREQ=WEEKLY;BYDAY=TU;COUNT=3"
    assert [item["email"] for item in split["attendees"]] == [ME, HANA] and split["reminders"]
    assert shown(cal, event) == ["03-17T10:00"] and shown(cal, new) == ["03-24T10:00", "03-31T09:00"]
    mine = cal.ok("calendar", "get_event", event_id=new, occurrence_start=three)
    assert (mine["title"], mine["location"]) == ("Mine", "Roof")
    assert refused(cal, "get_event", event_id=new, occurrence_start=four) == "not_found"
    from_first = {"event_id": event, "scope": "following", "occurrence_start": TUESDAY["start"]}
    assert cal.ok("calendar", "update_event", **from_first, title="First")["event_id"] == event


def test_cancelling_following_and_all(cal: Play) -> None:
    event = series(cal)
    _, two, three, _ = starts(cal, event)
    cal.ok("calendar", "update_event", event_id=event, scope="this", occurrence_start=two, title="Mine")
    done = cal.ok("calendar", "cancel_event", event_id=event, scope="following", occurrence_start=three)
    assert done["cancelled"] == "following"
    assert shown(cal, event) == ["03-17T10:00", "03-24T10:00"]
    assert cal.ok("calendar", "cancel_event", event_id=event, scope="all")["cancelled"] == "series"
    assert shown(cal, event) == []
    assert {item.status for item in cal.rows(Event) if event in (item.id, item.series_id)} == {"cancelled"}


def test_rooms_of_series(cal: Play) -> None:
    event = series(cal, room_id="room_rowan")
    clash = {"start": "2026-04-07T09:15:00Z", "end": "2026-04-07T09:45:00Z"}
    assert refused(cal, "create_event", title="x", **clash, room_id="room_rowan") == "conflict"
    last = starts(cal, event)[-1]
    cal.ok("calendar", "release_room", event_id=event, scope="this", occurrence_start=last)
    other = create(cal, **clash, room_id="room_rowan")
    back = {"event_id": event, "scope": "this", "occurrence_start": last, "room_id": "room_rowan"}
    assert refused(cal, "book_room", **back) == "conflict"
    weekly = {"title": "x", "start": "2026-03-17T10:15:00Z", "end": "2026-03-17T10:20:00Z"}
    assert refused(cal, "create_event", **weekly, room_id="room_rowan", recurrence="FREQ=DAILY") == "conflict"
    cal.ok("calendar", "cancel_event", event_id=other["event_id"])
    assert cal.ok("calendar", "book_room", **back)["room"]["id"] == "room_rowan"


def test_answering_a_series(cal: Play) -> None:
    event = "evt_sales_pipeline"
    when = "2026-03-11T15:30:00Z"  # half past eight in Seattle, where the clocks have changed
    answer = {"event_id": event, "response": "declined", "scope": "this", "occurrence_start": when}
    assert cal.ok("calendar", "respond_to_invitation", **answer)["my_response"] == "declined"
    assert cal.ok("calendar", "get_event", event_id=event)["my_response"] == "tentative"
    cal.ok("calendar", "respond_to_invitation", event_id=event, response="accepted", scope="all")
    assert cal.ok("calendar", "get_event", event_id=event, occurrence_start=when)["my_response"] == "accepted"


def test_invitations_name_a_series_once(cal: Play) -> None:
    found = cal.ok("calendar", "list_invitations", response="tentative")
    assert ids(found).count("evt_sales_pipeline") == 1


def test_attendees_of_one_occurrence(cal: Play) -> None:
    event = series(cal)
    second = starts(cal, event)[1]
    this = {"event_id": event, "scope": "this", "occurrence_start": second}
    assert cal.ok("calendar", "add_attendees", **this, attendees=[HANA])["attendee_count"] == 2
    assert cal.ok("calendar", "get_event", event_id=event)["attendees"] == []
    cal.ok("calendar", "remove_attendees", **this, emails=[HANA])
    cal.ok("calendar", "add_attendees", event_id=event, scope="all", attendees=[HANA])
    assert cal.ok("calendar", "get_event", event_id=event, occurrence_start=second)["attendee_count"] == 2


def test_a_single_event_can_start_to_repeat(cal: Play) -> None:
    event = create(cal, **TUESDAY)["event_id"]
    made = cal.ok("calendar", "update_event", event_id=event, recurrence="FREQ=DAILY;COUNT=3")
    assert made["repeats"] and len(shown(cal, event)) == 3


def test_whole_day_series_over_the_clock_change(cal: Play) -> None:
    made = cal.ok("calendar", "create_event", title="Fair", start_date="2026-03-28", recurrence="FREQ=DAILY;COUNT=3")
    found = cal.ok("calendar", "list_events", **SPRING, text="Fair")["items"]
    assert [item["start_date"] for item in found] == ["2026-03-28", "2026-03-29", "2026-03-30"]
    assert [item["start_date"] == item["end_date"] for item in found] == [True] * 3
    second = found[1]["occurrence_start"]
    this = {"event_id": made["event_id"], "scope": "this", "occurrence_start": second}
    assert cal.ok("calendar", "update_event", **this, title="x")["end_date"] == "2026-03-29"
