"""What the learning service remembers."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit import Entity, field, key, ref

CATEGORIES = ("safety", "compliance", "product", "skills")
ENROLMENT_STATES = ("enrolled", "waitlisted", "completed", "failed", "withdrawn")


class LearningEntity(Entity):
    """Base of this service's entities."""

    __service__ = "learning"


class Learner(LearningEntity, table=True):
    """A colleague who learns; leads have no manager."""

    id: str = key("lrn")
    name: str = field("person", max_length=120)
    email: str = field("email", max_length=200, unique=True)
    team: str = field("category", max_length=40)
    manager_id: str | None = ref("learning_learner.id", default=None)


class Course(LearningEntity, table=True):
    """A training: self-paced with lessons and perhaps a quiz, or given by an instructor in sessions."""

    id: str = key("crs")
    code: str = field("code", max_length=20, unique=True)
    title: str = field("title", max_length=160)
    summary: str = field("text", max_length=1000)
    category: str = field("category", choices=CATEGORIES)
    format: str = field("category", choices=("self_paced", "instructor"))
    minutes: int = field("minutes", ge=1)
    mandatory: bool = field("flag", default=False)
    prerequisite_ids: list[str] = field("tags", default_factory=list, description="courses to complete before")
    pass_percent: int | None = field("quantity", ge=1, le=100, default=None, description="null: there is no quiz")
    attempt_limit: int = field("quantity", ge=1, default=3)
    certificate: bool = field("flag", default=False)
    valid_months: int | None = field("quantity", ge=1, default=None, description="null: the certificate never expires")
    status: str = field("status", choices=("published", "retired"), default="published")


class Lesson(LearningEntity, table=True):
    """A step of a course, taken in order."""

    id: str = key("les")
    course_id: str = ref("learning_course.id")
    position: int = field("quantity", ge=1)
    title: str = field("title", max_length=160)
    body: str = field("text", max_length=4000)
    minutes: int = field("minutes", ge=1)


class Question(LearningEntity, table=True):
    """A question of a course's quiz with one right option."""

    id: str = key("qst")
    course_id: str = ref("learning_course.id")
    position: int = field("quantity", ge=1)
    text: str = field("text", max_length=500)
    options: list[str] = field("tags")
    answer: int = field("quantity", ge=1, description="number of the right option")


class Session(LearningEntity, table=True):
    """A date on which an instructor gives a course."""

    id: str = key("ses")
    course_id: str = ref("learning_course.id")
    starts_at: datetime = field("datetime", index=True)
    ends_at: datetime = field("datetime")
    place: str = field("place", max_length=120)
    instructor_name: str = field("person", max_length=120)
    instructor_email: str = field("email", max_length=200)
    seats: int = field("quantity", ge=1)
    status: str = field("status", choices=("scheduled", "cancelled"), default="scheduled")


class Enrolment(LearningEntity, table=True):
    """Somebody's way through a course."""

    id: str = key("enr")
    learner_id: str = ref("learning_learner.id")
    course_id: str = ref("learning_course.id")
    session_id: str | None = ref("learning_session.id", default=None)
    status: str = field("status", choices=ENROLMENT_STATES, default="enrolled", index=True)
    completed_lesson_ids: list[str] = field("tags", default_factory=list)
    due_on: date | None = field("date", default=None)
    assigned_by_id: str | None = ref("learning_learner.id", default=None)
    enrolled_at: datetime = field("datetime", index=True)
    closed_at: datetime | None = field("datetime", default=None)


class QuizAttempt(LearningEntity, table=True):
    """Answers to a quiz and what they were worth."""

    id: str = key("att")
    enrolment_id: str = ref("learning_enrolment.id")
    number: int = field("quantity", ge=1)
    answers: list[int] = field("json")
    correct: int = field("quantity", ge=0)
    score_percent: int = field("quantity", ge=0, le=100)
    passed: bool = field("flag")
    submitted_at: datetime = field("datetime")


class Certificate(LearningEntity, table=True):
    """Proof that somebody completed a course."""

    id: str = key("crt")
    number: str = field("code", max_length=20, unique=True)
    learner_id: str = ref("learning_learner.id")
    course_id: str = ref("learning_course.id")
    enrolment_id: str = ref("learning_enrolment.id")
    issued_on: date = field("date")
    expires_on: date | None = field("date", default=None)
