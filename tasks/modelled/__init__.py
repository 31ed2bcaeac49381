"""Tasks that a language model writes: explore, design, probe, submit, and the same gate as for every other task."""

from __future__ import annotations

from tasks.modelled.author import BUDGET, AuthorResult, author_task, resume_author
from tasks.modelled.commission import Commission

__all__ = ["BUDGET", "AuthorResult", "Commission", "author_task", "resume_author"]
