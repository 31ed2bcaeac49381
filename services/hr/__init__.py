"""People: directory, leave, documents to acknowledge, job changes and onboarding."""

from pathlib import Path

from engine.kit import Service
from services.hr import seed, state, tools

service = Service(
    name="hr",
    title="People desk",
    domain="people",
    summary="Employee directory and organisation chart, leave requests with balances and public holidays, "
    "documents to acknowledge, job changes and onboarding tasks.",
    entities=[
        state.Employee,
        state.LeaveType,
        state.PublicHoliday,
        state.LeaveRequest,
        state.Document,
        state.Acknowledgement,
        state.JobChange,
        state.OnboardingTask,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
