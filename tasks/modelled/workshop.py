"""What the author works with: a scratch branch, a scenario, a reference solution, criteria, and the tools on them."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from engine.errors import CompoWorldError, InputError, NotFound, Refused
from engine.kit import Entity
from engine.kit.values import deeper, unstorable
from engine.metatools import MetaTools
from engine.retention import delete_snapshot
from engine.snapshots import Snapshot
from engine.verifiers import inspect_criterion
from engine.world import World
from synth.dialogue.tools import Arguments, Result, bounded, understood
from tasks.document import ReferenceCall, Task
from tasks.modelled import tools
from tasks.modelled.commission import Commission
from tasks.modelled.explore import MAX_RESULT, changes_text, rows_of, tables
from tasks.modelled.gate import Gate, Ruling
from tasks.modelled.judged import Standing, derived, followed, told, tried
from tasks.modelled.probe import LABEL, Probe, ProbeRefused
from tasks.modelled.scenario import DesignRefused, Scenario, frozen, task_of

ATTEMPTS = 8
"""How often a task may be submitted."""

DEEPEST = 40

_NOTHING_STALE = (
    "still missing: no read is kept in two visits with something that takes from the later one; without that the gate"
    " refuses the task"
)

_KINDS = "4 to 12 criteria, at least one of them state, one must_not_change"


class Workshop:
    """One task in the making.

    Args:
        number: of the run; its snapshots are named after it.
        model: that writes the task.
        gate: decides on what is submitted.

    Attributes:
        attempts: how often a task was submitted.
        ruling: the last word of the gate.
        given_up: why there is no task; ``None``: not given up.
    """

    def __init__(self, world: World, commission: Commission, number: int, model: str, gate: Gate) -> None:
        self._world, self._commission, self._model, self._gate = world, commission, model, gate
        self.composition = world.compose(*commission.services, *commission.distractors)
        self._name = f"task author, run {number}"
        self._scenario = Scenario()
        self._criteria: dict[str, tools.Criterion] = {}
        self._counterfactuals: dict[str, tools.Changes] = {}
        self.attempts = 0
        self.ruling: Ruling | None = None
        self.given_up: str | None = None
        self._snapshot, self._rows = self._frozen(self._scenario.s0)
        self._scratch = self._begin_scratch()
        self._probe = Probe(self._snapshot, commission.walk)

    @property
    def finished(self) -> bool:
        """Whether the task is admitted, given up, or refused too often."""
        admitted = self.ruling is not None and self.ruling.admitted
        return admitted or self.given_up is not None or self.attempts >= ATTEMPTS

    @property
    def phase(self) -> str:
        """Where the work stands: explore, design, probe or submit."""
        if self._scenario == Scenario():
            return "explore"
        if self._scenario.missing():
            return "design"
        return "submit" if self._probe.ended else "probe"

    def use(self, name: str, given: Any) -> Result:
        """Use a tool; anything wrong with the request is said in the result.

        Raises:
            DatabaseUnavailable: the database was lost.
            InfrastructureError: the engine failed.
        """
        if deeper(given, DEEPEST):
            return Result(f"the arguments are nested deeper than {DEEPEST} levels", error=True)
        if problem := unstorable(given, "the arguments"):
            return Result(problem, error=True)
        if name in tools.META:
            found = self._scratch.run(name, given).observation
            return Result(bounded(json.dumps(found, ensure_ascii=False), MAX_RESULT), error=not found["ok"])
        arguments = understood(tools.OWN, name, given)
        if isinstance(arguments, Result):
            return arguments
        try:
            return self._do(arguments)
        except (DesignRefused, ProbeRefused) as error:
            return Result(bounded(str(error), MAX_RESULT), error=True)

    def replay(self, name: str, given: Any, failed: bool) -> None:
        """Do again what a tool did. The gate is not asked again about what it refused."""
        if name == "submit" and failed:
            with contextlib.suppress(DesignRefused):
                self._submission()
                self.attempts += 1
        elif name in ("call_tool", "submit") or (name in tools.OWN and not failed):
            self.use(name, given)

    def doing(self, name: str, given: Any) -> str:
        """The phase and the tool, with the call that it makes."""
        about = ""
        if isinstance(given, dict):
            named = [given.get(part) for part in ("service", "tool")]
            about = ".".join(part for part in named if isinstance(part, str))
        return f"{self.phase}: {name} {about}".strip()

    def close(self) -> None:
        """Delete the branches, and the snapshot if no task stands on it."""
        with contextlib.suppress(CompoWorldError):  # the database may be what is gone
            self._probe.close()
            self._scratch.branch.delete()
            self._forget(self._snapshot)

    def _do(self, arguments: Arguments) -> Result:
        match arguments:
            case tools.Tables(service=service):
                return tables(self.composition, service, self._rows)
            case tools.Rows():
                return rows_of(self.composition, arguments, self._rows)
            case tools.Design():
                return self._design(arguments)
            case tools.Probe():
                return self._call(arguments)
            case tools.ProbeBack(keep=keep):
                self._probe.back(keep)
                return Result(f"{len(self._probe.calls)} calls are kept")
            case tools.ProbeEnd(answer=answer):
                return self._end(answer)
            case tools.Criteria():
                return self._judge(arguments)
            case tools.DeriveRubric():
                found = derived(self._standing(), self._rows, arguments)
                self._criteria = {item.name: item for item in found}
                text, _ = told(self._standing(), found)
                sql = "\n".join(f"-- {item.name} ({item.kind}): {item.description}\n{item.sql}" for item in found)
                return Result(f"{bounded(sql, MAX_RESULT)}\n\n{text}")
            case tools.TrySql(sql=sql):
                text, well = tried(self._standing(), sql)
                return Result(text, error=not well)
            case tools.Counterfactual(fact=fact, change=change):
                return self._counterfactual(fact, change)
            case tools.Submit():
                return self._submit()
            case tools.GiveUp(reason=reason):
                self.given_up = reason
                return Result("the run ends without a task")
        raise AssertionError(type(arguments).__name__)

    def _design(self, design: tools.Design) -> Result:
        scenario = self._scenario.with_(design)
        lost = None
        if design.s0 is not None:
            before = self._snapshot
            self._snapshot, self._rows = self._frozen(scenario.s0)
            self._scratch.branch.delete()
            self._scratch = self._begin_scratch()
            lost = self._probe.moved(self._snapshot)
            if before.id != self._snapshot.id:
                self._forget(before)
        self._scenario = scenario
        parts = [f"designed; the initial state has {len(self._rows)} rows"]
        if missing := scenario.missing():
            parts.append(f"still to be said: {', '.join(missing)}")
        if lost is not None:
            parts.append(f"of the probe {len(self._probe.calls)} calls are kept, for in this state {lost}")
        elif self._probe.calls:
            parts.append(f"all {len(self._probe.calls)} calls of the probe are made again in it")
        return Result("; ".join(parts))

    def _call(self, probe: tools.Probe) -> Result:
        if missing := self._scenario.missing():
            raise ProbeRefused(f"design the scenario first; {', '.join(missing)} is not said yet")
        try:
            call = ReferenceCall(service=probe.service, tool=probe.tool, arguments=probe.arguments, save=probe.save)
        except ValueError as error:
            raise ProbeRefused(str(error)) from None
        result = self._probe.call(call)
        observation = bounded(json.dumps(result.observation, ensure_ascii=False), MAX_RESULT)
        if not result.ok:
            return Result(f"not kept: {observation}", error=True)
        return Result(f"call {len(self._probe.calls) - 1}, {self._probe.where()}\n{observation}")

    def _end(self, answer: Any) -> Result:
        playing = self._probe.end(answer)
        changes = changes_text(playing.branch.diff())
        text = f"the answer: {playing.answer}\n\n"
        if not self._probe.reads_again():
            text += f"{_NOTHING_STALE}\n\n"
        return Result(bounded(f"{text}what the calls changed:\n{changes}", MAX_RESULT))

    def _judge(self, wanted: tools.Criteria) -> Result:
        standing = self._standing()
        for item in wanted.criteria:
            try:
                inspect_criterion(self.composition, item.sql)
            except InputError as error:
                raise DesignRefused(f"criterion {item.name}: {error}; nothing was kept") from None
        for name in wanted.drop:
            self._criteria.pop(name, None)
        self._criteria.update({item.name: item for item in wanted.criteria})
        text, well = told(standing, wanted.criteria)
        kept = ", ".join(f"{item.name} ({item.kind})" for item in self._criteria.values()) or "none"
        return Result(f"kept: {kept}\n{text}".rstrip(), error=not well)

    def _counterfactual(self, fact: str, change: tools.Changes | None) -> Result:
        if change is None:
            known = self._counterfactuals.pop(fact, None) is not None
            return Result(f"{fact} is dropped" if known else f"there is no {fact}", error=not known)
        self._standing()
        snapshot, _ = self._frozen(self._scenario.s0, change)
        text, follows = followed(self._probe, snapshot)
        if snapshot.id != self._snapshot.id:
            self._forget(snapshot)
        if not follows:
            return Result(f"not kept: {text}", error=True)
        self._counterfactuals[fact] = change
        return Result(bounded(f"kept ({', '.join(self._counterfactuals)}):\n{text}", MAX_RESULT))

    def _submit(self) -> Result:
        task = self._submission()
        self.attempts += 1
        self.ruling = self._gate(self._world, task)
        if self.ruling.admitted:
            return Result("admitted")
        findings = "\n".join(f"- {finding}" for finding in self.ruling.findings)
        left = ATTEMPTS - self.attempts
        text = f"refused at {self.ruling.stage!r}; {left} attempts are left\n{findings}"
        return Result(bounded(text, MAX_RESULT), error=True)

    def _submission(self) -> Task:
        if missing := self._scenario.missing():
            raise DesignRefused(f"the design is not complete: {', '.join(missing)}")
        self._standing()
        kinds = [item.kind for item in self._criteria.values()]
        if not 4 <= len(kinds) <= 12 or "state" not in kinds or "must_not_change" not in kinds:
            raise DesignRefused(f"a rubric has {_KINDS}; this one has {', '.join(kinds) or 'none'}")
        return task_of(
            self._commission, self._scenario, self._probe, self._criteria.values(), self._counterfactuals, self._model
        )

    def _standing(self) -> Standing:
        if not self._probe.ended:
            raise DesignRefused("end the probe first: make every visit of the walk, then probe_end")
        return Standing(self._snapshot, self._probe)

    def _frozen(self, s0: tools.Changes, change: tools.Changes | None = None) -> tuple[Snapshot, list[Entity]]:
        return frozen(self.composition, self._commission.seed, s0, change, name=self._name)

    def _forget(self, snapshot: Snapshot) -> None:
        # Under another name the same state was there before: that one is somebody else's.
        if snapshot.name == self._name:
            with contextlib.suppress(NotFound, Refused):  # a task stands on it
                delete_snapshot(self._world.database, snapshot.id)

    def _begin_scratch(self) -> MetaTools:
        branch = self._snapshot.fork(label=LABEL)
        return MetaTools(branch, [*self._commission.services, *self._commission.distractors])
