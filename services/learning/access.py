"""Who the acting user is and whose learning they may see."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import func
from sqlmodel import col

from engine.kit import Context
from services.learning.state import Course, Enrolment, Learner

PEOPLE_TEAM = "people"


def me(ctx: Context) -> Learner:
    """The acting user's own record."""
    found = ctx.first(Learner, func.lower(col(Learner.email)) == ctx.user.email.lower())
    if found is None:
        ctx.fail("forbidden", f"{ctx.user.email} is not registered for training; ask the people team.")
    return found


def led_by(ctx: Context, leader: Learner) -> set[str]:
    """Ids of everybody below a leader; everybody else for the people team."""
    if leader.team == PEOPLE_TEAM:
        return {item.id for item in ctx.list(Learner)} - {leader.id}
    found: set[str] = set()
    layer: Iterable[str] = [leader.id]
    while layer:
        reports = ctx.list(Learner, col(Learner.manager_id).in_(layer))
        layer = [item.id for item in reports if item.id not in found and item.id != leader.id]
        found.update(layer)
    return found


def own_enrolment(ctx: Context, enrolment_id: str) -> tuple[Enrolment, Course, Learner]:
    """An enrolment of the user, still under way."""
    person = me(ctx)
    enrolment = ctx.require(Enrolment, enrolment_id)
    if enrolment.learner_id != person.id:
        ctx.fail("forbidden", f"Enrolment {enrolment.id} is not yours.")
    if enrolment.status not in ("enrolled", "waitlisted"):
        ctx.fail("conflict", f"Enrolment {enrolment.id} is {enrolment.status}.")
    return enrolment, ctx.require(Course, enrolment.course_id), person
