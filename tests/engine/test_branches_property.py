"""Random lives of many branches, against a model in memory: no row leaks, is lost or is doubled."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from engine.branches import Branch
from engine.compositions import Composition
from engine.errors import NotFound
from engine.kit import Entity
from engine.snapshots import Snapshot
from engine.world import World
from tests.engine import seeded
from tests.engine.look import check_consistent, prompt, view_state
from tests.engine.model import Tables, attempt, difference
from tests.engine.shop.state import BY_TABLE
from tests.engine.shop.tools import typed
from tests.engine.steps import random_steps

PICK = st.integers(0, 10_000)
SEED = st.integers(0, 2**32 - 1)


class Twin:
    """A branch of the engine beside its states in the model, one after each event."""

    def __init__(self, branch: Branch, states: list[Tables]) -> None:
        self.branch = branch
        self.states = states


def canonical(tables: Tables) -> str:
    """One text per state."""
    return json.dumps(_whole(tables), sort_keys=True)


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


def rows_of(tables: Tables) -> list[Entity]:
    """A state as entities."""
    return [BY_TABLE[table](**typed(BY_TABLE[table], row)) for table, rows in tables.items() for row in rows.values()]


class Branches(RuleBasedStateMachine):
    world: World
    connection: psycopg.Connection[Any]

    def __init__(self) -> None:
        super().__init__()
        self.composition: Composition = self.world.compose("shop")
        empty, seeded = self.composition.snapshot([]), self.composition.snapshot()
        self.bases: list[tuple[Snapshot, Tables]] = [(empty, {}), (seeded, seeded.fork().state())]
        self.twins: list[Twin] = [Twin(base.fork(), [state]) for base, state in self.bases]
        self.digests: dict[str, str] = {}
        self.turns = 0

    def twin(self, pick: int) -> Twin:
        return self.twins[pick % len(self.twins)]

    def random(self, seed: int) -> Random:
        """A generator for this turn: hypothesis likes to give the same small seed again and again."""
        self.turns += 1
        return Random(f"{seed}/{self.turns}")

    @rule(seed=SEED)
    def live(self, seed: int) -> None:
        random = self.random(seed)
        for _ in range(random.randint(4, 12)):
            self.call(random.getrandbits(16), random.getrandbits(32))

    @rule(pick=PICK, seed=SEED)
    def call(self, pick: int, seed: int) -> None:
        twin = self.twin(pick)
        steps = random_steps(self.random(seed), twin.states[-1])
        expected, after = attempt(twin.states[-1], steps)
        result = twin.branch.call("shop", "apply", steps=steps)
        assert result.outcome == expected, f"{result}\nof {steps}"
        assert result.event == len(twin.states)
        twin.states.append(after)
        assert difference(twin.branch.state(), after) == {}

    @rule(pick=PICK, seed=SEED)
    def call_reader(self, pick: int, seed: int) -> None:
        twin = self.twin(pick)
        steps = random_steps(self.random(seed), twin.states[-1])
        expected, after = attempt(twin.states[-1], steps)
        result = twin.branch.call("shop", "peek", steps=steps)
        if expected == "ok" and after != twin.states[-1]:
            assert result.outcome == "fault" and "read-only" in str(result.detail)
        twin.states.append(twin.states[-1])

    @rule(pick=PICK, tool=st.sampled_from(["nope", "apply", "look"]))
    def call_wrongly(self, pick: int, tool: str) -> None:
        twin = self.twin(pick)
        result = twin.branch.call("shop", tool, bogus=1)
        assert result.outcome == ("unknown" if tool == "nope" else "invalid")
        twin.states.append(twin.states[-1])

    @precondition(lambda self: len(self.twins) < 12)
    @rule(pick=PICK)
    def fork_base(self, pick: int) -> None:
        base, state = self.bases[pick % len(self.bases)]
        self.twins.append(Twin(base.fork(), [state]))

    @precondition(lambda self: len(self.twins) < 12)
    @rule(pick=PICK, at=PICK)
    def fork(self, pick: int, at: int) -> None:
        twin = self.twin(pick)
        at %= len(twin.states)
        self.twins.append(Twin(twin.branch.fork(at), twin.states[: at + 1]))

    @precondition(lambda self: len(self.twins) > 2)
    @rule(pick=PICK)
    def delete(self, pick: int) -> None:
        twin = self.twin(pick)
        self.twins.remove(twin)
        twin.branch.delete()
        with pytest.raises(NotFound):
            self.world.branch(twin.branch.id)

    @precondition(lambda self: len(self.bases) < 5)
    @rule(pick=PICK)
    def snapshot_of(self, pick: int) -> None:
        twin = self.twin(pick)
        base = self.composition.snapshot(rows_of(twin.states[-1]))
        assert base.digest == twin.branch.digest()
        self.bases.append((base, twin.states[-1]))

    @rule()
    def park(self) -> None:
        assert self.composition.park() or not self.composition.materialised()

    @rule(pick=PICK)
    def replay(self, pick: int) -> None:
        twin = self.twin(pick)
        report = twin.branch.replay()
        assert report.same, report
        assert report.events == len(twin.states) - 1
        again = self.world.branch(report.replayed_on)
        assert again.digest() == twin.branch.digest()
        again.delete()

    @rule(pick=PICK)
    def look(self, pick: int) -> None:
        self.check(self.twin(pick))

    @rule(a=PICK, b=PICK, at_a=PICK, at_b=PICK)
    def compare(self, a: int, b: int, at_a: int, at_b: int) -> None:
        one, two = self.twin(a), self.twin(b)
        at_a, at_b = at_a % len(one.states), at_b % len(one.states)
        found = {(c.table, c.key): (c.op, c.before, c.after) for c in one.branch.diff(at_a, at_b)}
        assert found == difference(one.states[at_a], one.states[at_b])
        found = {(c.table, c.key): (c.op, c.before, c.after) for c in one.branch.diff(end=at_a, other=two.branch)}
        assert found == difference(one.states[at_a], two.states[-1])

    def check(self, twin: Twin) -> None:
        check_consistent(twin.branch, self.connection)
        for at, state in enumerate(twin.states):
            assert difference(twin.branch.state(at), state) == {}
            digest = twin.branch.digest(at)
            assert self.digests.setdefault(canonical(state), digest) == digest
        assert len(set(self.digests.values())) == len(self.digests)
        middle = len(twin.states) // 2
        assert difference(view_state(self.connection, twin.branch.id, middle), twin.states[middle]) == {}

    def teardown(self) -> None:
        for twin in self.twins:
            self.check(twin)


def test_branches_live_as_their_model_does(shared: World) -> None:
    limits = settings(
        max_examples=25,
        stateful_step_count=40,
        deadline=None,
        backend=seeded.NAME,
        database=None,
        phases=[Phase.generate],  # shrinking takes minutes here, and the failing life is short enough to read
        suppress_health_check=list(HealthCheck),
    )
    with prompt(shared) as connection:
        machine = type("Machine", (Branches,), {"world": shared, "connection": connection})
        run_state_machine_as_test(machine, settings=limits)  # type: ignore[no-untyped-call]
