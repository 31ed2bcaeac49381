"""Sets of tasks: made, split, counted, written to files and read again."""

from __future__ import annotations

from tasks.sets.card import card, figures, markdown
from tasks.sets.document import Member, TaskSet
from tasks.sets.files import packaged, packaged_set, read_set, write_set
from tasks.sets.making import Progress, make
from tasks.sets.rules import Rules
from tasks.sets.splits import divided, split
from tasks.sets.store import insert_set, keep_splits, load_set, stored_sets
from tasks.sets.yields import yield_of, yield_written

__all__ = [
    "Member",
    "Progress",
    "Rules",
    "TaskSet",
    "card",
    "divided",
    "figures",
    "insert_set",
    "keep_splits",
    "load_set",
    "make",
    "markdown",
    "packaged",
    "packaged_set",
    "read_set",
    "split",
    "stored_sets",
    "write_set",
    "yield_of",
    "yield_written",
]
