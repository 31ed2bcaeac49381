"""The criterion on the final answer: it says the values that were asked for, and is no list of guesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasks.document import CriterionText
from tasks.rubric.says import says

MOST_OTHERS = 6
"""Other amounts that an answer may mention beside those asked for."""


def answer_criterion(values: Sequence[Any], made: Sequence[str], description: str) -> CriterionText:
    """The answer says every value, and no more than a few other numbers.

    Args:
        values: JSON values that it must say.
        made: conditions on ``text`` for what the run made.
    """
    conditions = [says("text", value) for value in values] + list(made)
    numbers = sum(isinstance(value, int | float) for value in values)
    conditions.append(f"numbers_in(text) <= {numbers + MOST_OTHERS}")
    sql = f"SELECT coalesce({_joined(conditions)}, false) AS passed, text AS actual\nFROM answer"
    return CriterionText(name="answer", kind="answer", description=description, sql=sql)


def _joined(conditions: Sequence[str]) -> str:
    return "\n       AND ".join(conditions)
