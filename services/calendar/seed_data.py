"""What stands in the calendars at the start; the meetings are in ``seed_meetings.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple


class Meeting(NamedTuple):
    """A meeting of the seed: times on the wall clock of its organizer's zone.

    Attributes:
        day: days from the start.
        who: handles of colleagues (``priya.raman``) or whole addresses; ``?`` before one: optional; a suffix
            ``+``, ``-``, ``~`` says that they accepted, declined, accepted tentatively.
        made: the day on which it was planned, where the story says so; otherwise drawn.
    """

    key: str
    owner: str
    day: int
    clock: str
    minutes: int
    title: str
    who: tuple[str, ...] = ()
    room: str | None = None
    rule: str | None = None
    notes: str = ""
    place: str = ""
    calendar: str | None = None
    private: bool = False
    tentative: bool = False
    made: int | None = None


def meetings() -> list[Meeting]:
    """The meetings of the seed."""
    items = json.loads(Path(__file__).with_name("seed_meetings.json").read_text(encoding="utf-8"))
    return [Meeting(**(item | {"who": tuple(item.get("who", ()))})) for item in items]


OFFICES = {
    "London": ("Europe/London", "09:00", "17:30"),
    "Seattle": ("America/Los_Angeles", "08:30", "17:00"),
    "Lisbon": ("Europe/Lisbon", "09:00", "18:00"),
    "Stockholm": ("Europe/Stockholm", "08:00", "16:30"),
    "Tokyo": ("Asia/Tokyo", "10:00", "18:30"),
    "New York": ("America/New_York", "09:00", "17:30"),
}

PLACES = {
    "mara.lindqvist": "London",
    "tobias.okafor": "Seattle",
    "priya.raman": "London",
    "jonah.whitfield": "Seattle",
    "elena.sorokina": "London",
    "dario.bianchi": "London",
    "hana.takeda": "London",
    "luis.herrera": "New York",
    "amara.diallo": "Lisbon",
    "nils.bergstrom": "Stockholm",
    "sofia.almeida": "Lisbon",
    "kenji.watanabe": "Tokyo",
    "ruth.abernathy": "London",
    "oscar.delacroix": "Seattle",
}

ROOMS = (
    ("room_alder", "Alder", "London, Tanner Street", "1st", 4, ("video",), True),
    ("room_larch", "Larch", "London, Tanner Street", "1st", 6, ("video", "whiteboard"), True),
    ("room_rowan", "Rowan", "London, Tanner Street", "2nd", 12, ("video", "whiteboard", "phone"), True),
    (
        "room_cedar",
        "Cedar Hall",
        "London, Tanner Street",
        "Ground",
        30,
        ("projector", "catering", "step_free"),
        True,
    ),
    ("room_quince", "Quince", "London, Tanner Street", "2nd", 2, ("phone",), True),
    ("room_maple", "Maple", "London, Tanner Street", "2nd", 8, ("video", "projector"), False),
    ("room_hemlock", "Hemlock", "Seattle, Pike Yard", "3rd", 8, ("video", "whiteboard"), True),
    ("room_tamarack", "Tamarack", "Seattle, Pike Yard", "3rd", 16, ("video", "projector", "step_free"), True),
)

CALENDARS = (
    ("cal_operations", "mara.lindqvist", "Operations", "Deliveries, stock counts and site visits.", "teal"),
    ("cal_mara_home", "mara.lindqvist", "Home", "Things outside work.", "grey"),
    ("cal_sales", "tobias.okafor", "Sales", "Customer calls and reviews.", "orange"),
    ("cal_oncall", "nils.bergstrom", "Engineering on call", "Who carries the pager.", "red"),
    ("cal_away", "ruth.abernathy", "Team away days", "Leave and public holidays.", "green"),
    ("cal_launches", "oscar.delacroix", "Launches", "Campaigns and the spring catalogue.", "purple"),
)

SHARES = (
    ("cal_mara", "priya.raman", "reader"),
    ("cal_mara", "ruth.abernathy", "writer"),
    ("cal_mara", "tobias.okafor", "free_busy"),
    ("cal_operations", "hana.takeda", "writer"),
    ("cal_operations", "elena.sorokina", "reader"),
    ("cal_sales", "mara.lindqvist", "writer"),
    ("cal_sales", "priya.raman", "writer"),
    ("cal_sales", "jonah.whitfield", "writer"),
    ("cal_oncall", "mara.lindqvist", "reader"),
    ("cal_away", "mara.lindqvist", "reader"),
    ("cal_launches", "mara.lindqvist", "free_busy"),
    ("cal_elena", "mara.lindqvist", "reader"),
    ("cal_tobias", "mara.lindqvist", "free_busy"),
)

WHOLE_DAYS = (
    ("away_amara", "cal_away", "ruth.abernathy", 9, 11, "Amara on leave"),
    ("away_kenji", "cal_away", "ruth.abernathy", 18, 18, "Public holiday in Japan"),
    ("away_elena", "cal_away", "ruth.abernathy", 23, 25, "Elena on leave"),
    ("oncall_1", "cal_oncall", "nils.bergstrom", 0, 6, "On call: Kenji"),
    ("oncall_2", "cal_oncall", "nils.bergstrom", 7, 13, "On call: Sofia"),
    ("oncall_3", "cal_oncall", "nils.bergstrom", 14, 20, "On call: Kenji"),
    ("juniper_deadline", "cal_sales", "tobias.okafor", 25, 25, "Juniper Lane renewal closes"),
)
