"""The criterion on the final answer: it says the values that were asked for, and is no list of guesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasks.document import CriterionText
from tasks.rubric.asked import Asked, criterion_sql
from tasks.rubric.messages import no_list_of_guesses
from tasks.rubric.says import says


def answer_criterion(values: Sequence[Any], made: Sequence[str], description: str) -> CriterionText:
    """The answer says every value, and no more than a few others of their kinds.

    Args:
        values: JSON values that it must say.
        made: conditions on ``text`` for what the run made.
    """
    conditions = [says("text", value) for value in values] + list(made)
    conditions += no_list_of_guesses("text", values, len(made))
    asked = Asked("answer", "answer", (), tuple(conditions), "no answer")
    sql = criterion_sql([asked], "(SELECT text FROM answer)")
    return CriterionText(name="answer", kind="answer", description=description, sql=sql)
