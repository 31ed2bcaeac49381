"""Rubrics: criteria derived from what a reference solution changed, made and said."""

from __future__ import annotations

from tasks.rubric.derive import Goal, derive
from tasks.rubric.guard import guard
from tasks.rubric.reference import ReferenceRun

__all__ = ["Goal", "ReferenceRun", "derive", "guard"]
