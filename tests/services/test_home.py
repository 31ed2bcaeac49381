"""Smart home: devices, routines, access, upkeep, shopping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.home import service
from services.home.settings import CAPABILITIES
from services.home.state import Alert, Device, EnergyReading, Member, Routine, Task
from tests.services.play import Play

LAMP, LOCK, SIDE, HEAT, SHED = "dev_living_lamp", "dev_hall_lock", "dev_side_lock", "dev_living_heat", "dev_shed_lock"


class Home:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("home", tool, **arguments)

    def no(self, code: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("home", tool, **arguments)
        assert error["code"] == code, error
        return error

    def device(self, device_id: str) -> Any:
        return self("get_device", device_id=device_id)


@pytest.fixture
def home(play: Callable[..., Play]) -> Home:
    return Home(play("home"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("home", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in COLLEAGUES}
    for name, values in rows(0):
        if name == "Member" and (values["email"] or "").endswith("@larkspur.example"):
            assert cast[values["email"]] == values["name"]


def test_seed_keeps_the_rules(home: Home) -> None:
    devices = {item.id: item for item in home.play.rows(Device)}
    for device in devices.values():
        for name in ("on", "brightness", "colour", "programme", "mode", "target", "locked", "position"):
            assert (getattr(device, name) is None) == (name not in CAPABILITIES[device.kind])
    for routine in home.play.rows(Routine):
        for action in routine.actions:
            assert action.keys() - {"device_id"} <= set(CAPABILITIES[devices[action["device_id"]].kind])
    for member in home.play.rows(Member):
        assert (member.role == "guest") == (member.code is not None) == (member.valid_until is not None)
        assert set(member.lock_ids) <= {item.id for item in devices.values() if item.kind == "lock"}
    tasks = {item.alert_id: item.status for item in home.play.rows(Task) if item.alert_id}
    for alert in home.play.rows(Alert):
        wanted = {"open": (None,), "in_progress": ("open", "scheduled"), "resolved": ("done",)}[alert.status]
        assert tasks.get(alert.id) in wanted


def test_list_devices(home: Home) -> None:
    def ids(**filters: Any) -> set[str]:
        return {item["id"] for item in home("list_devices", limit=100, **filters)["items"]}

    assert ids(kind="lock", locked=False) == {SIDE}
    assert ids(kind="light", room="Living room", on=False) == {LAMP, "dev_living_spots"}
    assert SHED in ids(online=False) and len(ids(online=False)) == 3
    assert ids(query="riegel mini") == {SHED} and ids(room="Attic") == set()
    found = home.device(HEAT)
    assert found["capabilities"] == ["mode", "target"] and found["routine_ids"] == ["rtn_0003", "rtn_0004"]
    assert found["energy"]["kwh"] > 0
    assert home.device("dev_boiler_sensor")["open_alerts"] == ["alr_0001"]
    home.no("not_found", "get_device", device_id="dev_x")


@pytest.mark.parametrize(
    ("device_id", "settings"),
    [
        (LAMP, {"on": True, "brightness": 5, "colour": "cool"}),
        (LOCK, {"locked": True}),
        (HEAT, {"mode": "eco", "target": 18.5}),
        ("dev_bed_blind", {"position": 35}),
        ("dev_washer", {"programme": "quick", "on": True}),
        ("dev_car_plug", {"on": False}),
    ],
)
def test_settings_show(home: Home, device_id: str, settings: dict[str, Any]) -> None:
    assert home("update_device", device_id=device_id, **settings).items() >= settings.items()
    assert home.device(device_id).items() >= settings.items()


@pytest.mark.parametrize(
    ("code", "device_id", "settings"),
    [
        ("invalid", LAMP, {"locked": True}),
        ("invalid", "dev_leak_sensor", {"on": True}),
        ("invalid", LAMP, {"on": False, "brightness": 5}),
        ("conflict", SHED, {"locked": False}),
        ("conflict", "dev_study_heat", {"target": 20}),
        ("conflict", HEAT, {"mode": "off", "target": 20}),
        ("conflict", LAMP, {"name": "Hall light"}),
        ("not_found", "dev_x", {"on": True}),
        ("invalid_arguments", HEAT, {"target": 20.2}),
        ("invalid_arguments", LAMP, {}),
    ],
)
def test_settings_that_are_refused(home: Home, code: str, device_id: str, settings: dict[str, Any]) -> None:
    home.no(code, "update_device", device_id=device_id, **settings)


def test_brightness_switches_on_and_names_change(home: Home) -> None:
    assert home("update_device", device_id=LAMP, brightness=70)["on"]
    assert home("update_device", device_id=SHED, name="Shed door")["name"] == "Shed door"
    assert home("update_device", device_id="dev_study_heat", mode="heat", target=20)["target"] == 20


def test_automations(home: Home) -> None:
    assert home("update_device", device_id=LOCK, locked=True)["triggered"] == []
    opened = home("update_device", device_id=LOCK, locked=False)
    assert opened["triggered"] == ["rtn_0008"]
    assert home.device("dev_hall_light")["brightness"] == 100
    assert home("update_device", device_id=SIDE, locked=True)["triggered"] == []
    assert home("update_device", device_id="dev_study_lamp", on=False)["triggered"] == ["rtn_0011"]
    assert (home.device("dev_study_plug")["on"], home.device("dev_study_heat")["mode"]) == (False, "off")
    home("update_routine", routine_id="rtn_0008", enabled=False)
    home("update_device", device_id=LOCK, locked=True)
    assert home("update_device", device_id=LOCK, locked=False)["triggered"] == []


@pytest.mark.parametrize(
    ("window", "runs"),
    [
        ({"only_from": "08:00"}, True),
        ({"only_from": "08:00", "only_until": "12:00"}, True),
        ({"only_from": "10:00"}, False),
        ({"only_until": "09:00"}, False),
        ({"only_from": "22:00", "only_until": "10:00"}, True),
        ({"only_from": "22:00", "only_until": "06:00"}, False),
    ],
)
def test_part_of_the_day(home: Home, window: dict[str, str], runs: bool) -> None:
    made = home(
        "create_routine",
        name="x",
        kind="automation",
        actions=[{"device_id": LAMP, "on": True}],
        trigger_device_id="dev_car_plug",
        trigger_when="turns_off",
        **window,
    )
    fired = home("update_device", device_id="dev_car_plug", on=False)["triggered"]
    assert fired == ([made["id"]] if runs else []) and home.device(LAMP)["on"] == runs


def test_run_a_scene(home: Home) -> None:
    done = home("run_routine", routine_id="rtn_0003")
    assert done["changed"] == [HEAT, "dev_study_plug", LOCK] and done["skipped"] == ["dev_garden_light"]
    assert done["last_run_at"] and home.device(HEAT)["target"] == 16
    assert home("run_routine", routine_id="rtn_0001")["skipped"] == []
    assert home.device(SIDE)["locked"]
    home.no("conflict", "run_routine", routine_id="rtn_0007")
    home.no("not_found", "run_routine", routine_id="rtn_x")


def test_create_routine(home: Home) -> None:
    action = [{"device_id": LAMP, "brightness": 20}]
    made = home("create_routine", name="Read", kind="schedule", actions=action, at="20:00", days=["monday", "friday"])
    assert (made["enabled"], made["next_run_at"], made["actions"]) == (True, "2026-03-02T20:00:00Z", action)
    assert made in home("list_routines", kind="schedule", device_id=LAMP)["items"]
    early = home("create_routine", name="Early", kind="schedule", actions=action, at="08:00", days=["monday"])
    assert early["next_run_at"] == "2026-03-09T08:00:00Z"
    changed = home("update_routine", routine_id=made["id"], name="Read late", enabled=False)
    assert (changed["name"], changed["next_run_at"]) == ("Read late", None)
    blind = [{"device_id": "dev_bed_blind", "position": 5}]
    assert home("update_routine", routine_id=made["id"], actions=blind)["actions"] == blind
    assert {item["enabled"] for item in home("list_routines", enabled=False)["items"]} == {False}
    assert [item["name"] for item in home("list_routines", query="READ")["items"]] == ["Read late"]
    home.no("conflict", "update_routine", routine_id=made["id"], name="Early")
    home.no("invalid", "update_routine", routine_id=made["id"], actions=blind * 2)
    home.no("not_found", "update_routine", routine_id="rtn_x", enabled=True)


SENSOR = {"trigger_device_id": "dev_air_sensor", "trigger_when": "rises_above"}


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("conflict", {"name": "Good night"}),
        ("invalid", {"kind": "schedule"}),
        ("invalid", {"kind": "schedule", "at": "08:00"}),
        ("invalid", {"at": "08:00", "days": ["monday"]}),
        ("invalid", {"only_from": "08:00"}),
        ("invalid", {"kind": "automation", "trigger_device_id": LAMP}),
        ("invalid", {"kind": "automation", "trigger_device_id": LAMP, "trigger_when": "locks"}),
        (
            "invalid",
            {"kind": "automation", "trigger_device_id": LAMP, "trigger_when": "rises_above", "trigger_value": 1},
        ),
        ("invalid", {"kind": "automation", **SENSOR}),
        ("not_found", {"kind": "automation", "trigger_device_id": "dev_x", "trigger_when": "locks"}),
        ("not_found", {"actions": [{"device_id": "dev_x", "on": True}]}),
        ("invalid", {"actions": [{"device_id": LAMP, "locked": True}]}),
        ("invalid", {"actions": [{"device_id": HEAT, "target": 20}]}),
        ("invalid", {"actions": [{"device_id": LAMP, "on": True}, {"device_id": LAMP, "on": False}]}),
        ("invalid_arguments", {"actions": [{"device_id": LAMP}]}),
        ("invalid_arguments", {"at": "25:00"}),
    ],
)
def test_routines_that_are_refused(home: Home, code: str, given: dict[str, Any]) -> None:
    scene = {"name": "New", "kind": "scene", "actions": [{"device_id": LAMP, "on": True}]}
    home.no(code, "create_routine", **(scene | given))


def test_routine_limit(home: Home) -> None:
    scene = {"kind": "scene", "actions": [{"device_id": LAMP, "on": True}]}
    for number in range(19):
        home("create_routine", name=f"Scene {number}", **scene)
    home.no("limit", "create_routine", name="One more", **scene)


def test_energy(home: Home) -> None:
    rows = home.play.rows(EnergyReading)
    everything = home("list_energy_readings", limit=5)
    assert everything["total_kwh"] == pytest.approx(sum(item.kwh for item in rows), abs=0.01)
    assert everything["total_cost"] == pytest.approx(float(sum(item.cost for item in rows)))
    days = [item["day"] for item in home("list_energy_readings", limit=100)["items"]]
    assert days == sorted(days, reverse=True) and len(days) == 72
    week = home("list_energy_readings", device_id="dev_dryer", since="2026-02-23", until="2026-03-01")
    assert len(week["items"]) == 7 and {item["device_id"] for item in week["items"]} == {"dev_dryer"}
    room = home("list_energy_readings", room="Utility room", limit=100)["items"]
    assert {item["device_id"] for item in room} == {"dev_dryer", "dev_washer"}
    assert home("list_energy_readings", since="9999-12-31")["total_cost"] == 0
    home.no("not_found", "list_energy_readings", device_id="dev_x")


@pytest.mark.parametrize(
    "tool",
    ["list_devices", "list_routines", "list_energy_readings", "list_members", "list_tasks", "list_alerts",
     "list_shopping_items"],
)  # fmt: skip
def test_pages_neither_skip_nor_repeat(home: Home, tool: str) -> None:
    whole = [item["id"] for item in home(tool, limit=100)["items"]]
    paged: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = home(tool, limit=4, **cursor)
        paged += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert paged == whole and len(set(paged)) == len(paged)
    home.no("invalid", tool, cursor="junk")
