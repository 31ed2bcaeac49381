"""The rewards that a run of GRPO trains on."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import text

from engine.world import World
from rl.rewards import LAMBDA, completion_focused

RewardKind = Literal["completion_focused", "uniform", "binary"]

# The view has λ = 0.01 and is what everybody else reads: where it says the same, it is asked.
_FROM_VIEW = """
SELECT r.id AS rollout, CASE CAST(:kind AS text) WHEN 'uniform' THEN w.uniform WHEN 'binary' THEN w.full_success
    ELSE w.completion_focused END AS reward
FROM compoworld.rollout r LEFT JOIN compoworld.rewards w ON w.rollout = r.id AND w.group_id = :group
WHERE r.group_id = :group ORDER BY r.ordinal
"""
_PASSED = """
SELECT r.id AS rollout, array_agg(k.passed ORDER BY k.ordinal) FILTER (WHERE k.passed IS NOT NULL) AS passed
FROM compoworld.rollout r
JOIN compoworld.rollout_group g ON g.id = r.group_id
LEFT JOIN compoworld.criterion_check k ON k.rollout_id = r.id AND r.status = 'finished' AND g.finished_at IS NOT NULL
WHERE r.group_id = :group GROUP BY r.id ORDER BY r.ordinal
"""


def group_rewards(world: World, group: int, kind: RewardKind, lambda_: float = LAMBDA) -> dict[int, float | None]:
    """The reward of each rollout of a group, by its number in the order of the ordinals.

    ``None`` where there is none: the infrastructure failed the rollout, or the group is unfinished.
    """
    if kind != "completion_focused" or lambda_ == LAMBDA:
        with world.database.transaction() as connection:
            rows = connection.execute(text(_FROM_VIEW), {"kind": kind, "group": group}).all()
        return {row.rollout: row.reward for row in rows}
    with world.database.transaction() as connection:
        found = {row.rollout: row.passed for row in connection.execute(text(_PASSED), {"group": group})}
    scored = {rollout: passed for rollout, passed in found.items() if passed}
    rewards = dict(zip(scored, completion_focused(list(scored.values()), lambda_), strict=True))
    return {rollout: rewards.get(rollout) for rollout in found}
