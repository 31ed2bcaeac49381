"""Which rollouts are trained on: one query, whose stages are counted and whose rows are streamed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from psycopg.rows import dict_row

from engine.database import Database
from engine.world import World
from rl.messages import Message
from rl.sft.names import see_names
from rl.sft.settings import Select
from rl.training.tasks import members_of, numbers_of
from rl.trajectories import Trajectory

CHUNK = 50
"""Rollouts whose messages are read at a time."""

# Lots instead of an order of ids: whatever is cut off or left out at random says nothing about when it was made.
_STAGES = """
WITH judged AS MATERIALIZED (
    SELECT r.id AS rollout, r.branch_id, r.stop_reason, t.id AS task_id, t.name AS task, t.services,
        bool_and(k.passed) AS success, g.agent, coalesce(r.model, g.model) AS model, g.id AS group_id
    FROM compoworld.rollout r
    JOIN compoworld.rollout_group g ON g.id = r.group_id AND g.finished_at IS NOT NULL
    JOIN compoworld.task t ON t.id = g.task_id
    JOIN compoworld.criterion_check k ON k.rollout_id = r.id
    WHERE r.status = 'finished' AND (%(tasks)s::text[] IS NULL OR t.name = ANY (%(tasks)s))
        AND (%(members)s::bigint[] IS NULL OR t.id = ANY (%(members)s))
    GROUP BY r.id, t.id, g.id
), fitting AS MATERIALIZED (
    SELECT d.rollout, d.task_id, d.task, e.digest, md5(concat(%(seed)s::text, '/', d.rollout)) AS lot,
        (SELECT string_agg(name, ' ' ORDER BY name) FROM unnest(d.services) AS name) AS composition
    FROM judged d
    LEFT JOIN compoworld.trajectory j ON j.rollout_id = d.rollout
    CROSS JOIN LATERAL (
        SELECT count(*) AS calls, count(*) FILTER (WHERE v.produced_by = 'world_model') AS simulated,
            md5(string_agg(concat_ws(' ', v.service, v.tool,
                CASE WHEN %(duplicates)s::text = 'calls' THEN v.arguments::text END), E'\\n' ORDER BY v.seq)) AS digest
        FROM compoworld.event v WHERE v.branch_id = d.branch_id AND NOT v.inherited
    ) e
    WHERE d.success AND d.stop_reason = ANY (%(ended)s)
        AND (%(agents)s::text[] IS NULL OR d.agent = ANY (%(agents)s))
        AND (%(models)s::text[] IS NULL OR d.model = ANY (%(models)s))
        AND (%(groups)s::bigint[] IS NULL OR d.group_id = ANY (%(groups)s))
        AND (%(policies)s::text[] IS NULL OR j.policy = ANY (%(policies)s)
             OR concat(j.policy, '@', j.policy_version) = ANY (%(policies)s))
        AND (%(calls)s::int IS NULL OR e.calls <= %(calls)s)
        AND (%(malformed)s::int IS NULL OR coalesce(j.malformed, 0) <= %(malformed)s)
        AND CASE %(world_model)s::text WHEN 'none' THEN e.simulated = 0 WHEN 'only' THEN e.simulated > 0 ELSE true END
), counted AS (
    SELECT *, CASE WHEN %(duplicates)s::text = 'keep' THEN 1
        ELSE row_number() OVER (PARTITION BY digest ORDER BY lot) END AS copy FROM fitting
), different AS (
    SELECT *, row_number() OVER (PARTITION BY task_id ORDER BY lot) AS of_task FROM counted WHERE copy = 1
), few_of_task AS (
    SELECT *, row_number() OVER (PARTITION BY composition ORDER BY lot) AS of_composition FROM different
    WHERE %(per_task)s::int IS NULL OR of_task <= %(per_task)s
), chosen AS (
    SELECT * FROM few_of_task WHERE %(per_composition)s::int IS NULL OR of_composition <= %(per_composition)s
)
"""
_COUNT = f"""{_STAGES}
SELECT (SELECT count(*) FROM judged), (SELECT count(*) FROM judged WHERE success), (SELECT count(*) FROM fitting),
    (SELECT count(*) FROM different), (SELECT count(*) FROM few_of_task), (SELECT count(*) FROM chosen),
    (SELECT count(DISTINCT task_id) FROM chosen), (SELECT count(DISTINCT composition) FROM chosen)
"""
_CHOSEN = f"{_STAGES} SELECT rollout, task FROM chosen ORDER BY lot"
_THESE = """
SELECT r.id AS rollout, t.name AS task FROM unnest(%(rollouts)s::bigint[]) WITH ORDINALITY AS these (id, place)
JOIN compoworld.rollout r USING (id) JOIN compoworld.rollout_group g ON g.id = r.group_id
JOIN compoworld.task t ON t.id = g.task_id ORDER BY these.place
"""
_MESSAGES = """
SELECT rollout_id, role, content FROM compoworld.message WHERE rollout_id = ANY (%s) ORDER BY rollout_id, ordinal
"""
_TRAJECTORIES = """
SELECT rollout_id, format, prompt_tokens, token_ids, is_agent FROM compoworld.trajectory WHERE rollout_id = ANY (%s)
"""


@dataclass(frozen=True)
class Funnel:
    """How many rollouts are left after each stage of a selection.

    Attributes:
        judged: finished ones of the tasks, in finished groups.
        successful: those in which every criterion holds.
        fitting: those that end, agent, policy, length and world model let through.
        different: without near-duplicates.
        few_of_task, chosen: after the most of a task, and of a composition.
        tasks, compositions: of the chosen.
    """

    judged: int
    successful: int
    fitting: int
    different: int
    few_of_task: int
    chosen: int
    tasks: int
    compositions: int


@dataclass(frozen=True)
class Chosen:
    """A rollout to train on.

    Attributes:
        messages: as they were recorded.
        trajectory: its tokens, where its agent had them; of whatever format.
    """

    rollout: int
    task: str
    messages: list[Message]
    trajectory: Trajectory | None


class Selection:
    """A selection over one database.

    Args:
        seed: of the lots by which rollouts are left out where there are too many.

    Raises:
        InputError: a name in it does not exist, or a set has nothing in the part that is asked for.
    """

    def __init__(self, world: World, select: Select, seed: int) -> None:
        self._database: Database = world.database
        found = members_of(world, select.sets, select.split, "select.split")
        see_names(world, select, found)
        members = numbers_of(world.database, found)
        self._values: dict[str, Any] = {
            **select.model_dump(
                include={"duplicates", "world_model", "calls", "malformed", "per_task", "per_composition"}
            ),
            "ended": list(select.ended),
            "tasks": list(select.tasks) or None,
            # No set means no condition; sets whose tasks were never played mean nothing.
            "members": members if select.sets else None,
            "agents": list(select.agents) or None,
            "models": list(select.models) or None,
            "policies": list(select.policies) or None,
            "groups": list(select.groups) or None,
            "seed": str(seed),
        }

    def count(self) -> Funnel:
        """How many rollouts each stage leaves."""
        with self._database.raw() as connection:
            row = connection.execute(_COUNT, self._values).fetchone()
        assert row is not None
        return Funnel(*row)

    @contextmanager
    def rows(self) -> Iterator[Iterator[Chosen]]:
        """The chosen rollouts, streamed: however many there are, a few are in memory."""
        with _stream(self._database, _CHOSEN, self._values) as found:
            yield found


@contextmanager
def these(database: Database, rollouts: list[int]) -> Iterator[Iterator[Chosen]]:
    """Rollouts by their numbers, in this order, streamed; those that were deleted are left out."""
    with _stream(database, _THESE, {"rollouts": rollouts}) as found:
        yield found


def survey(world: World, select: Select, seed: int = 0) -> Funnel:
    """How many rollouts each stage of a selection leaves.

    Raises:
        InputError: a name in it does not exist, or a set has nothing in the part that is asked for.
    """
    return Selection(world, select, seed).count()


@contextmanager
def _stream(database: Database, query: str, values: dict[str, Any]) -> Iterator[Iterator[Chosen]]:
    with database.raw() as connection, connection.cursor("chosen", row_factory=dict_row) as cursor:
        cursor.itersize = CHUNK
        cursor.execute(query, values)

        def chunks() -> Iterator[Chosen]:
            while rows := cursor.fetchmany(CHUNK):
                yield from _filled(connection, rows)

        yield chunks()


def _filled(connection: Any, rows: list[dict[str, Any]]) -> Iterator[Chosen]:
    numbers = [row["rollout"] for row in rows]
    messages: dict[int, list[Message]] = {number: [] for number in numbers}
    for rollout, role, content in connection.execute(_MESSAGES, (numbers,)):
        messages[rollout].append(Message(role, content))
    tokens = {rollout: Trajectory(*rest) for rollout, *rest in connection.execute(_TRAJECTORIES, (numbers,))}
    for row in rows:
        yield Chosen(row["rollout"], row["task"], messages[row["rollout"]], tokens.get(row["rollout"]))
