"""A group practice: appointments, patients, referrals, prescriptions, messages, laboratory results."""

from pathlib import Path

from engine.kit import Service
from services.clinic import seed, state, tools

service = Service(
    name="clinic",
    title="Group practice",
    domain="health and home",
    summary="A group practice with doctors, dentists and therapists: free slots, appointments, patients with "
    "insurance, referrals, prescriptions, messages and laboratory results.",
    entities=[
        state.Room,
        state.Practitioner,
        state.Patient,
        state.Referral,
        state.Appointment,
        state.Prescription,
        state.Message,
        state.LabResult,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
