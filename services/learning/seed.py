"""Learning as it stands when a story starts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from engine.kit import Entity, Seed
from services.learning.progress import add_months
from services.learning.state import (
    Certificate,
    Course,
    Enrolment,
    Learner,
    Lesson,
    Question,
    QuizAttempt,
    Session,
)

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
"""What is taught and who took it before the start; people by first name, days counted from the start's date."""


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    people = {person.handle.split(".")[0]: person for person in seed.colleagues}
    learners: dict[str, str] = {name: f"lrn_{people[name].handle.replace('.', '_')}" for name in people}
    for name in sorted(learners, key=_depth):
        person, manager = people[name], DATA["managers"][name]
        yield Learner(
            id=learners[name],
            name=person.name,
            email=person.email,
            team=person.team,
            manager_id=learners[manager] if manager else None,
        )
    courses = {course.id: course for course in _courses()}
    yield from courses.values()
    lessons = [
        Lesson(id=key, course_id=course, position=position, title=title, body=body, minutes=minutes)
        for key, course, position, title, body, minutes in DATA["lessons"]
    ]
    yield from lessons
    questions = [
        Question(id=key, course_id=course, position=position, text=text, options=options, answer=answer)
        for key, course, position, text, options, answer in DATA["questions"]
    ]
    yield from questions
    yield from _sessions(seed)
    yield from _enrolments(seed, learners, courses, lessons, questions)


def _depth(name: str) -> int:
    manager = DATA["managers"][name]
    return 0 if manager is None else 1 + _depth(manager)


def _courses() -> Iterator[Course]:
    for row in DATA["courses"]:
        key, code, title, summary, category, kind, minutes, mandatory, before, percent, tries, proof, months, status = (
            row
        )
        yield Course(
            id=key,
            code=code,
            title=title,
            summary=summary,
            category=category,
            format=kind,
            minutes=minutes,
            mandatory=mandatory,
            prerequisite_ids=before,
            pass_percent=percent,
            attempt_limit=tries,
            certificate=proof,
            valid_months=months,
            status=status,
        )


def _sessions(seed: Seed) -> Iterator[Session]:
    for number, row in enumerate(DATA["sessions"], 1):
        course, day, clock, minutes, place, instructor, email, seats, status = row
        begins = seed.at(day, *map(int, clock.split(":")))
        yield Session(
            id=f"ses_{number:04d}",
            course_id=course,
            starts_at=begins,
            ends_at=begins + timedelta(minutes=minutes),
            place=place,
            instructor_name=instructor,
            instructor_email=email,
            seats=seats,
            status=status,
        )


def _enrolments(
    seed: Seed,
    learners: dict[str, str],
    courses: dict[str, Course],
    lessons: list[Lesson],
    questions: list[Question],
) -> Iterator[Entity]:
    attempts: list[QuizAttempt] = []
    certificates: list[Certificate] = []
    for number, row in enumerate(DATA["enrolments"], 1):
        who, key, session, status, done, due, author, day, closed, tries = row
        chance = seed.random(f"enrolment {number}")
        course = courses[key]
        end = None if closed is None else seed.at(closed, 16, chance.randint(0, 59))
        enrolment = Enrolment(
            id=f"enr_{number:04d}",
            learner_id=learners[who],
            course_id=key,
            session_id=f"ses_{session:04d}" if session else None,
            status=status,
            completed_lesson_ids=[item.id for item in lessons if item.course_id == key][:done],
            due_on=None if due is None else seed.at(due).date(),
            assigned_by_id=learners[author] if author else None,
            enrolled_at=seed.at(day, chance.randint(8, 11), chance.randint(0, 59)),
            closed_at=end,
        )
        yield enrolment
        asked = [item for item in questions if item.course_id == key]
        for position, right in enumerate(tries, 1):
            back = len(tries) - position
            score = 100 * right // len(asked)
            attempts.append(
                QuizAttempt(
                    id=f"att_{len(attempts) + 1:04d}",
                    enrolment_id=enrolment.id,
                    number=position,
                    answers=[
                        item.answer if place < right else item.answer % len(item.options) + 1
                        for place, item in enumerate(asked)
                    ],
                    correct=right,
                    score_percent=score,
                    passed=score >= (course.pass_percent or 0),
                    submitted_at=(end or seed.at(-1, 15, 30)) - timedelta(days=back),
                )
            )
        if status == "completed" and course.certificate and end is not None:
            issued = end.date()
            certificates.append(
                Certificate(
                    id="",
                    number="",
                    learner_id=enrolment.learner_id,
                    course_id=key,
                    enrolment_id=enrolment.id,
                    issued_on=issued,
                    expires_on=add_months(issued, course.valid_months) if course.valid_months else None,
                )
            )
    yield from attempts
    certificates.sort(key=lambda item: (item.issued_on, item.enrolment_id))
    for number, certificate in enumerate(certificates, 1):
        certificate.id, certificate.number = f"crt_{number:04d}", f"CERT-{200 + number}"
        yield certificate
