"""The home's tools."""

from services.home.access import create_member, delete_member, list_members
from services.home.devices import get_device, list_devices, update_device
from services.home.routines import create_routine, list_routines, run_routine, update_routine
from services.home.shopping import create_shopping_item, list_shopping_items, update_shopping_item
from services.home.upkeep import create_task, list_alerts, list_energy_readings, list_tasks, update_task

__all__ = [
    "create_member",
    "create_routine",
    "create_shopping_item",
    "create_task",
    "delete_member",
    "get_device",
    "list_alerts",
    "list_devices",
    "list_energy_readings",
    "list_members",
    "list_routines",
    "list_shopping_items",
    "list_tasks",
    "run_routine",
    "update_device",
    "update_routine",
    "update_shopping_item",
    "update_task",
]
