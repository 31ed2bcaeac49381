"""Learning: courses with lessons and quizzes, sessions, enrolments, certificates."""

from pathlib import Path

from engine.kit import Service
from services.learning import seed, state, tools

service = Service(
    name="learning",
    title="Learning",
    domain="education",
    summary="Training of the staff: courses with lessons and quizzes, instructor sessions with seats and waitlists, "
    "enrolments, mandatory assignments with due dates, certificates that expire, completion reports.",
    entities=[
        state.Learner,
        state.Course,
        state.Lesson,
        state.Question,
        state.Session,
        state.Enrolment,
        state.QuizAttempt,
        state.Certificate,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
