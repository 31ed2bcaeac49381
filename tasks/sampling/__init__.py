"""Sampling: compositions, walks over them, and who plays which role in a scenario family. See ``docs/sampling.md``."""

from __future__ import annotations

from tasks.sampling.compatibility import Compatibility, Crossing
from tasks.sampling.compositions import Composition, Compositions, Count, Wanted
from tasks.sampling.dials import LEVELS, Dials
from tasks.sampling.graph import Graph
from tasks.sampling.patterns import Assignment, Assignments, Casting, Limits, assign
from tasks.sampling.space import FamilySpace, SizeSpace, Space, space
from tasks.sampling.walks import (
    Dependency,
    Revisit,
    Walks,
    dependency_graph,
    revisits,
    staleness,
    valid,
    walks_on_complete,
)

__all__ = [
    "LEVELS",
    "Assignment",
    "Assignments",
    "Casting",
    "Compatibility",
    "Composition",
    "Compositions",
    "Count",
    "Crossing",
    "Dependency",
    "Dials",
    "FamilySpace",
    "Graph",
    "Limits",
    "Revisit",
    "SizeSpace",
    "Space",
    "Walks",
    "Wanted",
    "assign",
    "dependency_graph",
    "revisits",
    "space",
    "staleness",
    "valid",
    "walks_on_complete",
]
