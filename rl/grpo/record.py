"""What a run of GRPO writes down of the groups that it sampled, and reads again when a step is made anew.

From when the trainer is given a group on, what is kept of it does not change: not by a deletion, not by another
judgement. Until then what the infrastructure failed may be tried again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from rl.errors import TrainingFailed
from rl.grpo.rewards import Scores
from rl.training.runs import Run
from rl.trajectories import Trajectory, trajectory_of

_GROUP = """
INSERT INTO compoworld.grpo_group (run_id, place, step, process, task, group_id)
VALUES (:run, :place, :step, :process, :task, :group)
"""
_ROLLOUTS = """
INSERT INTO compoworld.grpo_rollout (run_id, place, ordinal, rollout_id)
SELECT :run, :place, ordinal, id FROM compoworld.rollout WHERE group_id = :group
"""
_GIVEN = """
UPDATE compoworld.grpo_group SET given_at = clock_timestamp() WHERE group_id = :group RETURNING run_id, place
"""
_SCORED = """
UPDATE compoworld.grpo_rollout SET status = :status, stop_reason = :stop_reason, criteria = :criteria, passed = :passed,
    reward = :reward, advantage = :advantage
WHERE rollout_id = :rollout
"""
_CRITERIA = """
INSERT INTO compoworld.grpo_criterion (run_id, place, ordinal, name, kind, rollouts, passed, weight)
SELECT :run, :place, c.ordinal, c.name, c.kind, :rollouts, v.passed, v.weight
FROM unnest(CAST(:passed AS int[]), CAST(:weights AS double precision[])) WITH ORDINALITY AS v (passed, weight, ordinal)
JOIN compoworld.rollout_group q ON q.id = :group
JOIN compoworld.criterion c ON c.task_id = q.task_id AND c.ordinal = v.ordinal
"""
_LEFT = """
SELECT w.id, count(x.rollout_id) AS left FROM unnest(CAST(:groups AS bigint[])) AS w (id)
LEFT JOIN compoworld.grpo_group g ON g.group_id = w.id
LEFT JOIN compoworld.grpo_rollout x ON x.run_id = g.run_id AND x.place = g.place
GROUP BY w.id HAVING count(x.rollout_id) <> :size ORDER BY w.id LIMIT 1
"""
_ROWS = """
SELECT x.rollout_id, x.reward FROM compoworld.grpo_rollout x
JOIN compoworld.grpo_group g ON g.run_id = x.run_id AND g.place = x.place
WHERE g.group_id = :group ORDER BY x.ordinal
"""


@dataclass(frozen=True)
class Row:
    """One rollout as a trainer takes it.

    Attributes:
        trajectory: its tokens; ``None`` where there are none to train on.
        reward: ``None`` for an unscorable rollout: it is left out of the baseline, and nothing of it is trained.
    """

    rollout: int
    trajectory: Trajectory | None
    reward: float | None


def group_at(connection: Connection, run: Run, place: int) -> int | None:
    """The number of the group at a place of a run; ``None`` where there is none, or it was deleted."""
    found = connection.execute(
        text("SELECT group_id FROM compoworld.grpo_group WHERE run_id = :run AND place = :place"),
        {"run": run.id, "place": place},
    ).scalar()
    return None if found is None else int(found)


def put_group(connection: Connection, run: Run, place: int, step: int, process: int, task: str, group: int) -> None:
    """Write down a group that was made for a place of a run, instead of one that was deleted."""
    values = {"run": run.id, "place": place, "step": step, "process": process, "task": task, "group": group}
    connection.execute(text("DELETE FROM compoworld.grpo_group WHERE run_id = :run AND place = :place"), values)
    connection.execute(text(_GROUP), values)
    connection.execute(text(_ROLLOUTS), values)


def not_given(connection: Connection, groups: Sequence[int]) -> list[int]:
    """Those of these groups that no trainer was given yet."""
    statement = "SELECT group_id FROM compoworld.grpo_group WHERE group_id = ANY (:groups) AND given_at IS NULL"
    return list(connection.execute(text(statement), {"groups": list(groups)}).scalars())


def see_whole(connection: Connection, run: Run, groups: Sequence[int], size: int) -> None:
    """See that these groups have all their rollouts.

    Raises:
        TrainingFailed: some were deleted.
    """
    broken = connection.execute(text(_LEFT), {"groups": list(groups), "size": size}).first()
    if broken is not None:
        raise TrainingFailed(
            f"group {broken.id} has {broken.left} of its {size} rollouts, the others were deleted: a reward is"
            " relative to the whole group",
            hint=f"begin the run anew: compoworld gc --run {run.name} --yes deletes it",
        )


def put_given(connection: Connection, group: int, scores: Scores) -> None:
    """Write down how a group is given to the trainer, which is done once."""
    head = connection.execute(text(_GIVEN), {"group": group}).one()
    connection.execute(text(_SCORED), [vars(item) for item in scores.rollouts])
    connection.execute(
        text(_CRITERIA),
        {
            "run": head.run_id,
            "place": head.place,
            "group": group,
            "rollouts": scores.scored,
            "passed": scores.passed,
            "weights": scores.weights,
        },
    )


def rows_of(connection: Connection, group: int) -> list[Row]:
    """The rollouts of a group as its trainer was given them, by ordinal."""
    return [
        Row(row.rollout_id, trajectory_of(connection, row.rollout_id) if row.reward is not None else None, row.reward)
        for row in connection.execute(text(_ROWS), {"group": group}).all()
    ]
