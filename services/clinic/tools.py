"""The practice's tools."""

from services.clinic.appointments import (
    cancel_appointment,
    create_appointment,
    get_appointment,
    list_appointments,
    set_appointment_status,
    update_appointment,
)
from services.clinic.people import (
    create_patient,
    get_patient,
    list_patients,
    list_practitioners,
    list_slots,
    update_patient,
)
from services.clinic.records import (
    create_message,
    list_lab_results,
    list_messages,
    list_prescriptions,
    list_referrals,
    refill_prescription,
)

__all__ = [
    "cancel_appointment",
    "create_appointment",
    "create_message",
    "create_patient",
    "get_appointment",
    "get_patient",
    "list_appointments",
    "list_lab_results",
    "list_messages",
    "list_patients",
    "list_practitioners",
    "list_prescriptions",
    "list_referrals",
    "list_slots",
    "refill_prescription",
    "set_appointment_status",
    "update_appointment",
    "update_patient",
]
