"""The people desk's tools."""

from services.hr.directory import (
    get_employee,
    get_org_chart,
    list_employees,
    list_job_changes,
    update_emergency_contact,
)
from services.hr.documents import (
    acknowledge_document,
    complete_onboarding_task,
    get_document,
    list_documents,
    list_onboarding_tasks,
)
from services.hr.leave import (
    approve_leave_request,
    cancel_leave_request,
    create_leave_request,
    decline_leave_request,
    get_leave_balance,
    get_leave_request,
    list_leave_requests,
    list_public_holidays,
)

__all__ = [
    "acknowledge_document",
    "approve_leave_request",
    "cancel_leave_request",
    "complete_onboarding_task",
    "create_leave_request",
    "decline_leave_request",
    "get_document",
    "get_employee",
    "get_leave_balance",
    "get_leave_request",
    "get_org_chart",
    "list_documents",
    "list_employees",
    "list_job_changes",
    "list_leave_requests",
    "list_onboarding_tasks",
    "list_public_holidays",
    "update_emergency_contact",
]
