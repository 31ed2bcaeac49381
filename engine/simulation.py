"""Tools without code: what a world model is asked, and what it answers.

A tool that is left to the world model (``Service(simulated=[...])``) has no function. Its call is a question to a model
about the state, and the answer is row changes and an observation; ``engine/_simulated.py`` makes the call of it. The
engine knows no model: whoever opens a world gives one, or such tools are not offered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from engine.errors import InputError
from engine.kit import Entity, Person, Service, ToolSpecification

NEW_ID = "$new:"
"""What the placeholder of a new identifier begins with: ``$new:<entity>:<number>``, wherever a text stands."""


def new_key_prefix(entity: type[Entity]) -> str:
    """What identifiers of new rows begin with; empty where the application gives the keys of an entity's rows."""
    columns = list(entity.table().primary_key.columns)
    return str(columns[0].info.get("prefix", "")) if len(columns) == 1 else ""


@dataclass(frozen=True)
class Budget:
    """What one call of a simulated tool may take.

    Attributes:
        rows: of the state, shown to the model.
        characters: of these rows as JSON.
        answers: how many the model may give until one is valid.
    """

    rows: int = 200
    characters: int = 60_000
    answers: int = 3

    def __post_init__(self) -> None:
        for name in ("rows", "characters", "answers"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**31:
                raise InputError(f"the world model's {name} are a whole number above 0, not {value!r}")


@dataclass(frozen=True)
class SeenState:
    """The part of a service's state that a question shows.

    Attributes:
        rows: entity name to rows as JSON values; the relevant ones first, then by key.
        left_out: entity name to how many rows are not shown; entities that are shown whole are not in it.
    """

    rows: dict[str, list[dict[str, Any]]]
    left_out: dict[str, int]


@dataclass(frozen=True)
class Exchange:
    """What was sent to a model and came back, for the record.

    Attributes:
        model: its name.
        request: as sent; JSON.
        response: as received; JSON.
        input_tokens: all of the input, the cache's part among it.
        cost_usd: ``None`` where the model's prices are not known.
    """

    model: str
    request: Any
    response: Any
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Prediction:
    """What a world model answered.

    Attributes:
        answer: JSON: ``{"changes": [{"op": "insert" | "update" | "delete", "entity", "key", "values"}, ...], "result":
            {"ok": true, "data"} | {"ok": false, "code", "message", "details"}}``. Nobody has looked at it yet.
        exchange: for the record.
        problem: why there is no answer (the model was cut off, refused, said something else).
    """

    answer: Any
    exchange: Exchange = field(repr=False)
    problem: str | None = None


@dataclass(frozen=True)
class Rejection:
    """A prediction that was not valid, with what is wrong with it."""

    prediction: Prediction
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """What a world model is asked.

    Attributes:
        arguments: valid by the specification.
        person: whose assistant the agent is.
        now: the branch's logical clock.
        event: the number that the call gets.
        rejected: earlier answers to this question.
    """

    service: Service
    specification: ToolSpecification
    arguments: dict[str, Any]
    person: Person
    now: datetime
    event: int
    state: SeenState
    rejected: tuple[Rejection, ...] = ()


class WorldModel(Protocol):
    """What answers the calls of tools without code. Several threads ask at once.

    Attributes:
        name: by which people know it; kept with what it answered.
        budget: what one call may take.
    """

    @property
    def name(self) -> str: ...

    @property
    def budget(self) -> Budget: ...

    def predict(self, question: Question) -> Prediction:
        """Answer a question. It is asked outside any transaction, and must come to an end.

        Raises:
            InfrastructureError: there is no answer to be had; the call is not made.
        """
        ...
