"""The tools of incidents and on-call."""

from services.incidents.handling import (
    create_incident,
    create_note,
    create_status_update,
    escalate_incident,
    get_incident,
    list_incidents,
    set_incident_status,
    update_incident,
)
from services.incidents.learning import (
    create_action_item,
    create_postmortem,
    get_postmortem,
    list_action_items,
    update_action_item,
)
from services.incidents.oncall import (
    create_override,
    delete_override,
    list_on_call,
    list_overrides,
    list_services,
)

__all__ = [
    "create_action_item",
    "create_incident",
    "create_note",
    "create_override",
    "create_postmortem",
    "create_status_update",
    "delete_override",
    "escalate_incident",
    "get_incident",
    "get_postmortem",
    "list_action_items",
    "list_incidents",
    "list_on_call",
    "list_overrides",
    "list_services",
    "set_incident_status",
    "update_action_item",
    "update_incident",
]
