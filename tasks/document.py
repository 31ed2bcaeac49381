"""A task as it is written down. See ``tasks/library`` for examples.

The instruction is what a person would say. ``walk`` names the services in the order in which the reference solution
visits them; a visit is a run of calls to one service. ``s0`` says how the initial state differs from the services'
seed data.
"""

from __future__ import annotations

import hashlib
import unicodedata
from datetime import datetime
from itertools import groupby, pairwise
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    ValidationInfo,
    field_validator,
)

from engine.kit.cast import COLLEAGUES, Person
from engine.kit.seed import DEFAULT_START
from engine.kit.values import canonical_json, unstorable
from engine.verifiers import Criterion, Kind
from tasks.errors import Source
from tasks.templates import names_used, template_problem

SHORTEST_WALK, LONGEST_WALK = 7, 12
LONGEST_SHORT_WALK = 6


def _visible(words: str) -> str:
    """Text that is what it looks like: without control characters, and without what only turns or joins others."""
    for place, char in enumerate(words):
        if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") and char not in "\n\t":
            name = unicodedata.name(char, "a control character").lower()
            raise ValueError(f"character {place} is U+{ord(char):04X} ({name}), which nobody sees: leave it out")
    return words


Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$", max_length=80)]
Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000), AfterValidator(_visible)
]
Row = dict[str, Any]

Area = Literal["sales", "marketing", "operations", "support", "finance", "people", "private life"]
"""What kind of work a task is: six business functions (``people`` is HR) and private life."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class InitialState(_Part):
    """How s0 differs from the seed data: rows to delete, to change, to add, applied in this order.

    Attributes:
        seed: the number of the seed data.
        delete: table to keys.
        update: table to key to field to new value.
        insert: table to rows.

    Keys are texts as in the event log: the value itself, or a JSON array for a key of several columns. Values are
    JSON values, turned into what the field holds (amounts, dates, instants with an offset from UTC).
    """

    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    delete: dict[str, list[str]] = {}
    update: dict[str, dict[str, Row]] = {}
    insert: dict[str, list[Row]] = {}


class ReferenceCall(_Part):
    """One call of the reference solution.

    Attributes:
        arguments: JSON values; references as in ``tasks.templates``.
        save: the name under which later calls find its observation.
    """

    service: Name
    tool: Words
    arguments: dict[str, Any] = {}
    save: Name | None = None


class Reference(_Part):
    """The reference solution: its calls, and what the agent says at the end."""

    calls: Annotated[list[ReferenceCall], Field(min_length=1, max_length=100)]
    answer: Any = None

    @field_validator("calls")
    @classmethod
    def _saved_before_used(cls, calls: list[ReferenceCall]) -> list[ReferenceCall]:
        saved: set[str] = set()
        for number, call in enumerate(calls):
            if problem := template_problem(call.arguments):
                raise ValueError(f"call {number}: {problem}")
            for name in names_used(call.arguments):
                if name not in saved:
                    raise ValueError(f"call {number} uses {name!r}, which no earlier call saves")
            if call.save in saved:
                raise ValueError(f"call {number} saves {call.save!r} a second time")
            if call.save:
                saved.add(call.save)
        return calls

    @field_validator("answer")
    @classmethod
    def _answer_is_text(cls, answer: Any, info: ValidationInfo) -> Any:
        if not (answer is None or isinstance(answer, str) or (isinstance(answer, dict) and "$text" in answer)):
            raise ValueError("the answer is a text, or a {$text: ...}")
        if problem := template_problem(answer):
            raise ValueError(problem)
        saved = {call.save for call in info.data.get("calls", ())}
        for name in names_used(answer):
            if "calls" in info.data and name not in saved:
                raise ValueError(f"it uses {name!r}, which no call saves")
        return answer


class CriterionText(_Part):
    """One criterion: what must hold, for people, and the SELECT that decides it."""

    name: Name
    kind: Kind
    description: Words
    sql: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000), AfterValidator(_visible)
    ]


class Counterfactual(_Part):
    """The same scenario with one fact otherwise, to show that the reference solution takes it from where it stands.

    Attributes:
        fact: what is otherwise, such as ``credit-limit``.
        change: what that changes in s0, applied after the task's own changes.
    """

    fact: Name
    change: InitialState


class Origin(_Part):
    """How a task came to be.

    Attributes:
        author: a scenario family, or a model.
        family: the family; for a model, its own word for the kind of scenario.
        area: the business function, or ``private life``.
        seed: of the draft.
        difficulty: the dials it was made with.
        model: the model that wrote it.
    """

    author: Literal["family", "model"]
    family: Name
    area: Area
    seed: Annotated[int, Field(ge=0)] = 0
    difficulty: dict[str, Any] = {}
    model: str | None = None


class Task(_Part):
    """A task.

    Attributes:
        name: identifies it in the library of tasks.
        short: a short task, for small models: a walk of 1 to 6 visits, which need not come back to a service.
        services: what the solution needs; two at least, one of a short task.
        distractors: what the agent can discover beside them.
        start: where the logical clock starts.
        person: e-mail address of the colleague whose assistant the agent is; by default the cast's user.
        counterfactuals: what shows that information crosses services.
        origin: how it was made; ``None`` for one written by hand.
    """

    name: Name
    title: Words
    instruction: Words
    short: bool = False
    services: Annotated[list[Name], Field(min_length=1)]
    distractors: list[Name] = []
    start: datetime = DEFAULT_START
    person: str | None = None
    s0: InitialState = InitialState()
    walk: list[Name]
    reference: Reference
    criteria: Annotated[list[CriterionText], Field(min_length=1, max_length=50)]
    counterfactuals: Annotated[list[Counterfactual], Field(max_length=50)] = []
    origin: Origin | None = None
    _source: Source = PrivateAttr(default_factory=Source)

    @property
    def source(self) -> Source:
        """The file in which it was written down."""
        return self._source

    def written_in(self, source: Source) -> Task:
        """The same task, with the file from which it was read."""
        task = self.model_copy()
        task._source = source
        return task

    @field_validator("services")
    @classmethod
    def _no_service_twice(cls, services: list[str], info: ValidationInfo) -> list[str]:
        if len(set(services)) != len(services):
            raise ValueError("a service is named twice")
        if len(services) == 1 and not info.data.get("short"):
            raise ValueError("a task needs two services at least, unless it is short")
        return services

    @field_validator("distractors")
    @classmethod
    def _others(cls, distractors: list[str], info: ValidationInfo) -> list[str]:
        both = [name for name in distractors if name in info.data.get("services", ())]
        if both or len(set(distractors)) != len(distractors):
            raise ValueError(f"distractors are other services than the task's, each once; {both or 'one'} is not")
        return distractors

    @field_validator("start")
    @classmethod
    def _has_offset(cls, start: datetime) -> datetime:
        if start.tzinfo is None:
            raise ValueError("needs an offset from UTC, such as 2026-03-02T09:00:00Z")
        return start

    @field_validator("person")
    @classmethod
    def _is_colleague(cls, person: str | None) -> str | None:
        if person is not None and person not in {item.email for item in COLLEAGUES}:
            raise ValueError(f"no colleague of the cast has the address {person!r}")
        return person

    @field_validator("walk")
    @classmethod
    def _is_walk(cls, walk: list[str], info: ValidationInfo) -> list[str]:
        short = bool(info.data.get("short"))
        shortest, longest = (1, LONGEST_SHORT_WALK) if short else (SHORTEST_WALK, LONGEST_WALK)
        if not shortest <= len(walk) <= longest:
            whose = "that of a short task" if short else "a walk"
            raise ValueError(f"{whose} has {shortest} to {longest} visits, this one {len(walk)}")
        for before, after in pairwise(walk):
            if before == after:
                raise ValueError(f"it visits {before!r} twice in a row; that is one visit")
        if "services" in info.data and set(walk) != set(info.data["services"]):
            missed = [f"{name} is not visited" for name in info.data["services"] if name not in walk]
            others = [f"{name} is not one" for name in dict.fromkeys(walk) if name not in info.data["services"]]
            raise ValueError(f"it visits every service of the task and no other: {', '.join(missed + others)}")
        if len(set(walk)) == len(walk) and not short:
            raise ValueError("it comes back to no service")
        return walk

    @field_validator("reference")
    @classmethod
    def _follows_walk(cls, reference: Reference, info: ValidationInfo) -> Reference:
        visits = [service for service, _ in groupby(call.service for call in reference.calls)]
        if "walk" in info.data and visits != info.data["walk"]:
            raise ValueError(f"its calls visit {' → '.join(visits)}, which is not the walk")
        return reference

    @field_validator("criteria")
    @classmethod
    def _names_differ(cls, criteria: list[CriterionText]) -> list[CriterionText]:
        names = [item.name for item in criteria]
        if len(set(names)) != len(names):
            raise ValueError("two criteria have the same name")
        return criteria

    def document(self) -> dict[str, Any]:
        """The task as JSON values, defaults included; equal for equal tasks.

        Raises:
            ValueError: it holds text that Postgres cannot store.
        """
        document: dict[str, Any] = self.model_dump(mode="json")
        if problem := unstorable(document, "task"):
            raise ValueError(problem)
        return document

    def fingerprint(self) -> str:
        """A digest of the document."""
        return hashlib.sha256(canonical_json(self.document()).encode()).hexdigest()

    def user(self) -> Person:
        """Whose assistant the agent is."""
        return next((item for item in COLLEAGUES if item.email == self.person), COLLEAGUES[0])

    def rubric(self) -> list[Criterion]:
        """Its criteria, ready to be judged."""
        return [Criterion(item.name, item.kind, item.description, item.sql) for item in self.criteria]
