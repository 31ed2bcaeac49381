"""A world model without a model: what it answers is written down beforehand. For tests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from engine.simulation import Budget, Exchange, Prediction, Question

Answer = Any | Callable[[Question], Any]
"""The answer as JSON, or a function that makes it of the question; an exception is raised."""


class ScriptedWorldModel:
    """Answers each question with the next of ``answers``; the last is repeated.

    Attributes:
        questions: what was asked, in order.
    """

    name = "scripted"

    def __init__(self, *answers: Answer, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self.questions: list[Question] = []
        self._answers = answers
        self._lock = threading.Lock()

    def predict(self, question: Question) -> Prediction:
        """The next answer."""
        with self._lock:
            answer = self._answers[min(len(self.questions), len(self._answers) - 1)]
            self.questions.append(question)
        if callable(answer):
            answer = answer(question)
        if isinstance(answer, Exception):
            raise answer
        request = {"tool": question.specification.name, "arguments": question.arguments}
        return Prediction(answer, Exchange(self.name, request, answer))


def done(data: Any, *changes: dict[str, Any]) -> dict[str, Any]:
    """The answer of a call that did what was asked."""
    return {"changes": list(changes), "result": {"ok": True, "data": data}}


def refused(code: str, message: str, **details: Any) -> dict[str, Any]:
    """The answer of a call that says no."""
    return {"changes": [], "result": {"ok": False, "code": code, "message": message, "details": details}}


def insert(entity: str, **values: Any) -> dict[str, Any]:
    """A new row."""
    return {"op": "insert", "entity": entity, "values": values}


def update(entity: str, key: Any, **values: Any) -> dict[str, Any]:
    """Other values in a row."""
    return {"op": "update", "entity": entity, "key": key, "values": values}


def delete(entity: str, key: Any) -> dict[str, Any]:
    """A row that goes."""
    return {"op": "delete", "entity": entity, "key": key}
