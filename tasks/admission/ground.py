"""What all checks stand on: the task's s0, one playing of its reference solution, and forks that are deleted again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from random import Random
from typing import Any

from engine.branches import Branch
from engine.calls import CallResult
from engine.events import Event
from engine.kit.specification import ToolSpecification
from engine.retention import delete_branches
from engine.states import Change, State, read_state
from engine.verifiers import Check, judge
from engine.world import World
from tasks.admission.occurrences import Occurrences
from tasks.checking import ReferenceRun, play_reference
from tasks.document import ReferenceCall
from tasks.errors import UnresolvedReference
from tasks.parts import Part, parts
from tasks.player import make_call
from tasks.store import StoredTask
from tasks.templates import names_used, resolve

NO_CALL = "no call"
"""Stands for a call that is left out: an event that does nothing, so that later events keep their numbers and with
them the identifiers and times that they make."""

_LABEL = "task admission"


@dataclass(frozen=True)
class Step:
    """One call of a variant of the reference solution.

    Attributes:
        call: what is called; its arguments may be templates.
        left_out: it is not made.
        fails: it is meant to fail.
    """

    call: ReferenceCall
    left_out: bool = False
    fails: bool = False


@dataclass(frozen=True)
class Played:
    """A variant, played.

    Attributes:
        results: of each step, in order.
        arguments: what each was called with; ``None`` where it was left out.
        refused: the steps (places in ``results``) whose call failed though it was not meant to, or the other way round.
        saved: observations by name.
    """

    branch: Branch
    results: list[CallResult]
    arguments: list[dict[str, Any] | None]
    refused: list[int]
    saved: Mapping[str, Any]


class Ground:
    """A stored task on which variants of its reference solution are played.

    Attributes:
        calls: those of its reference solution.
    """

    def __init__(self, world: World, task: StoredTask) -> None:
        self.world = world
        self.task = task
        self._branches: list[int] = []
        self.calls: Sequence[ReferenceCall] = task.task.reference.calls

    @classmethod
    @contextmanager
    def of(cls, world: World, task: StoredTask) -> Iterator[Ground]:
        """The ground; at the end every branch made on it is deleted."""
        ground = cls(world, task)
        try:
            yield ground
        finally:
            delete_branches(world.database, ground._branches)

    def random(self, purpose: str) -> Random:
        """The same draws for the same task and purpose."""
        return Random(f"admission {purpose} {self.task.checksum}")

    # s0

    @cached_property
    def s0(self) -> State:
        """The rows of the initial state."""
        return read_state(self.world.database, self.task.snapshot.id)

    @cached_property
    def seen(self) -> Occurrences:
        """Where values stand in s0."""
        return Occurrences(self.s0)

    def tables(self, service: str) -> set[str]:
        """The tables of a service."""
        return {entity.table().name for entity in self.task.composition.services[service].entities}

    def semantic(self, table: str, column: str) -> str:
        """What a column's values mean (``engine.kit.fields.Semantic``)."""
        return str(self.task.composition.entity(table).table().columns[column].info.get("semantic", ""))

    def choices(self, table: str, column: str) -> tuple[str, ...]:
        """The closed set of texts that a column may take; empty where it takes any."""
        return tuple(self.task.composition.entity(table).table().columns[column].info.get("choices", ()))

    # the reference solution

    @cached_property
    def _playing(self) -> tuple[Branch, ReferenceRun | None, list[str]]:
        branch = self.fresh()
        return (branch, *play_reference(self.task, branch))

    @property
    def base(self) -> Branch:
        """The branch of the playing that all variants are compared with."""
        return self._playing[0]

    @property
    def run(self) -> ReferenceRun | None:
        """That playing; ``None`` where it failed, and then no variant can be played."""
        return self._playing[1]

    @property
    def problems(self) -> list[str]:
        """What is wrong with that playing."""
        return self._playing[2]

    @cached_property
    def events(self) -> list[Event]:
        """Its events, one for each call."""
        return self.base.events()

    @cached_property
    def saved(self) -> dict[str, Any]:
        """Its observations by name."""
        return {call.save: event.observation for call, event in zip(self.calls, self.events, strict=True) if call.save}

    @cached_property
    def parts(self) -> list[list[Part]]:
        """Of each call, the parts of its arguments that matter."""
        return [list(parts(call.arguments, self.saved)) for call in self.calls]

    @cached_property
    def writes(self) -> list[int]:
        """Its calls (from 0) that changed rows."""
        return [number for number, event in enumerate(self.events) if event.changes]

    @cached_property
    def needed(self) -> set[int]:
        """Its calls (from 0) that something comes of: they write, or what writes or answers takes from them.

        A read that is made again later, because it goes stale, counts like the later one.
        """
        used = set(names_used(self.task.task.reference.answer))
        needed: set[int] = set()
        for number in reversed(range(len(self.calls))):
            call, event = self.calls[number], self.events[number]
            again = any(
                (call.service, call.tool) == (self.calls[later].service, self.calls[later].tool)
                and event.arguments == self.events[later].arguments
                for later in needed
            )
            if number in self.writes or call.save in used or (call.save is not None and again):
                needed.add(number)
                used |= self.takes_from(number)
        return needed

    @cached_property
    def visits(self) -> list[list[int]]:
        """Its calls (from 0) by visit."""
        numbered = groupby(enumerate(self.calls), key=lambda item: item[1].service)
        return [[number for number, _ in calls] for _, calls in numbered]

    @cached_property
    def made_in(self) -> dict[str, int]:
        """Name of an observation to the visit (from 0) in which it is kept."""
        return {
            name: visit
            for visit, numbers in enumerate(self.visits)
            for number in numbers
            if (name := self.calls[number].save)
        }

    @cached_property
    def made(self) -> dict[str, tuple[str, int]]:
        """The keys of rows that it inserted: key to table and call."""
        return {
            change.key: (change.table, number)
            for number, event in enumerate(self.events)
            for change in event.changes
            if change.op == "insert"
        }

    def specification(self, call: ReferenceCall) -> ToolSpecification:
        """The specification of the tool that a call names."""
        return self.task.composition.services[call.service].tools[call.tool].specification

    def takes_from(self, number: int) -> set[str]:
        """The observations that a call takes from."""
        return set(names_used(self.calls[number].arguments))

    # variants

    def fresh(self) -> Branch:
        """A fork of s0."""
        return self._kept(self.task.snapshot.fork(label=_LABEL))

    def after(self, calls: int) -> Branch:
        """A fork of the base after its first calls."""
        return self._kept(self.base.fork(at=calls, label=_LABEL))

    def otherwise(self, changes: Sequence[Change]) -> Branch:
        """A fork of s0 with some rows otherwise."""
        return self._kept(self.task.snapshot.fork_with(changes, label=_LABEL))

    def _kept(self, branch: Branch) -> Branch:
        self._branches.append(branch.id)
        return branch

    def play(
        self,
        steps: Sequence[Step],
        *,
        after: int = 0,
        on: Branch | None = None,
        saved: Mapping[str, Any] | None = None,
        stand_in: bool = True,
        until: Callable[[int, CallResult], bool] | None = None,
    ) -> Played:
        """Play steps on a fork of the base, on through errors.

        An observation that a failed or left-out call does not give is that of the base.

        Args:
            after: how many calls of the base come before them.
            on: a branch to play on, in place of a fork of the base.
            saved: observations that stand in for those of the base.
            stand_in: where an observation does not have what a call takes from it, call with what the base's has;
                otherwise the call is left out.
            until: given the place of a step and its result, whether to stop there.
        """
        branch = self.after(after) if on is None else on
        kept = {**self.saved, **(saved or {})}
        results: list[CallResult] = []
        made: list[dict[str, Any] | None] = []
        refused = []
        for place, step in enumerate(steps):
            arguments = None if step.left_out else self._filled(step.call, kept, stand_in)
            if arguments is None:
                result = branch.call(step.call.service, NO_CALL, {})
            else:
                result = make_call(branch, step.call.service, step.call.tool, arguments)
                if result.ok == step.fails:
                    refused.append(place)
                elif result.ok and step.call.save:
                    kept[step.call.save] = result.observation
            results.append(result)
            made.append(arguments)
            if until is not None and until(place, result):
                break
        return Played(branch, results, made, refused, kept)

    def rest(self, start: int) -> list[Step]:
        """The reference's calls from one on."""
        return [Step(call) for call in self.calls[start:]]

    def rest_unchanged(self, start: int) -> list[Step]:
        """The same, each with the arguments that it had in the base."""
        calls = zip(self.calls[start:], self.events[start:], strict=True)
        return [Step(call.model_copy(update={"arguments": event.arguments, "save": None})) for call, event in calls]

    def conclude(self, played: Played, template: Any = None, *, stand_in: bool = True) -> list[Check]:
        """Give the answer of the reference, or another one, on the end of a variant, and judge it; see ``answer``."""
        played.branch.answer(self.answer(played.saved, template, stand_in=stand_in))
        return judge(played.branch, self.task.criteria)

    def answer(self, saved: Mapping[str, Any], template: Any = None, *, stand_in: bool = True) -> Any:
        """What the reference says at the end, with these observations.

        Args:
            template: another answer than the reference's.
            stand_in: say what the base's observations give where these do not; otherwise nothing is said.
        """
        template = self.task.task.reference.answer if template is None else template
        try:
            return resolve(template, saved)
        except UnresolvedReference:
            return resolve(template, self.saved) if stand_in else None

    def _filled(self, call: ReferenceCall, saved: Mapping[str, Any], stand_in: bool) -> dict[str, Any] | None:
        try:
            filled: dict[str, Any] = resolve(call.arguments, saved)
        except UnresolvedReference:
            return resolve(call.arguments, self.saved) if stand_in else None
        return filled


def failed(checks: Sequence[Check]) -> list[str]:
    """The names of the criteria that do not hold."""
    return [item.criterion.name for item in checks if not item.passed]
