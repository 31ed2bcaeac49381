"""On which sets of services a policy was trained, by whatever runs: its own, and those of the policies it came from."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text

from engine.world import World
from rl.local.loading import SMOLLM2
from rl.policies import weights_of
from tasks.sets.document import composition_of

# Of what was deleted only names are left: of a task, of which there may be others of that name, and of what a run began
# with.
_TRAINED = """
WITH RECURSIVE line AS (
    SELECT id, parent_id, made_by FROM compoworld.policy WHERE id = :policy
    UNION
    SELECT p.id, p.parent_id, p.made_by FROM line l JOIN compoworld.policy p ON p.id = l.parent_id
), run AS (
    SELECT r.id, r.policy_from, r.weights FROM line l JOIN compoworld.training_run r ON r.id = l.made_by
), used AS (
    SELECT x.task, r.group_id FROM run JOIN compoworld.training_example x ON x.run_id = run.id
    LEFT JOIN compoworld.rollout r ON r.id = x.rollout_id
    UNION
    SELECT x.task, x.group_id FROM run JOIN compoworld.grpo_group x ON x.run_id = run.id
)
SELECT t.services, u.group_id IS NOT NULL AS sure FROM used u
LEFT JOIN compoworld.rollout_group g ON g.id = u.group_id
LEFT JOIN compoworld.task t ON t.id = g.task_id OR (u.group_id IS NULL AND t.name = u.task)
UNION ALL
SELECT NULL, false FROM line WHERE made_by IS NULL
UNION ALL
SELECT NULL, false FROM run WHERE policy_from IS NULL AND weights <> :known
"""


@dataclass(frozen=True)
class Seen:
    """What weights were trained on before.

    Attributes:
        compositions: sets of services of the tasks; where rollouts were deleted, of all tasks of the same name.
        complete: whether that is all, for sure; of a folder of weights, or where runs, rollouts or tasks were deleted,
            it is not known.
    """

    compositions: frozenset[tuple[str, ...]] = frozenset()
    complete: bool = True


def seen_by(world: World, name: str) -> Seen:
    """What weights were trained on before.

    Args:
        name: whatever names them.

    Raises:
        InputError: there are none of that name.
    """
    weights = weights_of(world, name)
    if weights.policy is None:
        return Seen(complete=weights.source == SMOLLM2)
    with world.database.transaction() as connection:
        values = {"policy": weights.policy.id, "known": SMOLLM2}
        trained = connection.execute(text(_TRAINED), values).all()
    compositions = frozenset(composition_of(row.services) for row in trained if row.services is not None)
    return Seen(compositions, all(row.sure for row in trained))
