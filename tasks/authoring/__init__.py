"""The author without a model: scenario families told over sampled compositions."""

from __future__ import annotations

from tasks.authoring.draft import Draft
from tasks.authoring.family import Family, all_families, families, family, family_named
from tasks.authoring.plans import Plan, plans
from tasks.authoring.terms import Passage, Seen, Template, calc, text
from tasks.authoring.writing import write

__all__ = [
    "Draft",
    "Family",
    "Passage",
    "Plan",
    "Seen",
    "Template",
    "all_families",
    "calc",
    "families",
    "family",
    "family_named",
    "plans",
    "text",
    "write",
]
