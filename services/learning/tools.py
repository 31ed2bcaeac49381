"""The tools of learning."""

from services.learning.catalogue import (
    get_certificate,
    get_course,
    get_lesson,
    list_certificates,
    list_courses,
    list_sessions,
)
from services.learning.leading import assign_course, get_completion_report, record_attendance
from services.learning.taking import (
    complete_lesson,
    create_enrolment,
    create_quiz_attempt,
    get_enrolment,
    get_quiz,
    list_enrolments,
    list_quiz_attempts,
    update_enrolment,
    withdraw_enrolment,
)

__all__ = [
    "assign_course",
    "complete_lesson",
    "create_enrolment",
    "create_quiz_attempt",
    "get_certificate",
    "get_completion_report",
    "get_course",
    "get_enrolment",
    "get_lesson",
    "get_quiz",
    "list_certificates",
    "list_courses",
    "list_enrolments",
    "list_quiz_attempts",
    "list_sessions",
    "record_attendance",
    "update_enrolment",
    "withdraw_enrolment",
]
