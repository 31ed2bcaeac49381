"""What each kind of device can set, and how settings are checked and applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.home.state import Device, Routine

CAPABILITIES: dict[str, tuple[str, ...]] = {
    "light": ("on", "brightness", "colour"),
    "plug": ("on",),
    "appliance": ("on", "programme"),
    "thermostat": ("mode", "target"),
    "lock": ("locked",),
    "blind": ("position",),
    "sensor": (),
}
CHILDREN_SET = ("light", "blind")


def device_view(device: Device) -> dict[str, Any]:
    """A device with what can be set."""
    return device.out() | {"capabilities": list(CAPABILITIES[device.kind])}


def require_settings(ctx: Context, device: Device, settings: Mapping[str, Any]) -> None:
    """Refuse settings that a device does not have or that contradict each other."""
    able = CAPABILITIES[device.kind]
    for name in settings:
        if name not in able:
            can = f"can set {', '.join(able)}" if able else "cannot be set"
            ctx.fail("invalid", f"{device.name} is a {device.kind} and {can}, not {name}.")
    if settings.get("on") is False and "brightness" in settings:
        ctx.fail("invalid", f"{device.name} cannot be switched off and have a brightness; give one of them.")


def apply(ctx: Context, device: Device, settings: Mapping[str, Any]) -> list[str]:
    """Set a device; the triggers that the change fires."""
    before = (device.on, device.locked)
    if "target" in settings and settings.get("mode", device.mode) == "off":
        ctx.fail("conflict", f"{device.name} is off; set mode to heat or eco along with target.")
    for name, value in settings.items():
        setattr(device, name, float(value) if name == "target" else value)
    if "brightness" in settings:
        device.on = True
    device.changed_at = ctx.now()
    fired = []
    if device.on is not None and device.on != before[0]:
        fired.append("turns_on" if device.on else "turns_off")
    if device.locked is not None and device.locked != before[1]:
        fired.append("locks" if device.locked else "unlocks")
    return fired


def uses_device(device_id: str) -> Any:
    """The condition that a routine sets a device or is triggered by it."""
    return col(Routine.actions).contains([{"device_id": device_id}]) | (col(Routine.trigger_device_id) == device_id)
