"""On which sets of services a policy was trained, by whatever runs: its own, and those of the policies it came from."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text

from engine.world import World
from rl.local.loading import SMOLLM2
from rl.policies import weights_of
from tasks.sets.document import composition_of

# A run whose policy_from is gone still says what that was called: what it was trained on is not known any more.
_TRAINED = """
WITH RECURSIVE line AS (
    SELECT id, parent_id, made_by FROM compoworld.policy WHERE id = :policy
    UNION
    SELECT p.id, p.parent_id, p.made_by FROM line l JOIN compoworld.policy p ON p.id = l.parent_id
), run AS (
    SELECT r.id, r.policy_from, r.weights FROM line l JOIN compoworld.training_run r ON r.id = l.made_by
)
SELECT t.services FROM run JOIN compoworld.training_example x ON x.run_id = run.id
LEFT JOIN compoworld.rollout r ON r.id = x.rollout_id
LEFT JOIN compoworld.rollout_group g ON g.id = r.group_id
LEFT JOIN compoworld.task t ON t.id = g.task_id OR (g.id IS NULL AND t.name = x.task)
UNION ALL
SELECT t.services FROM run JOIN compoworld.grpo_group x ON x.run_id = run.id
JOIN compoworld.rollout_group g ON g.id = x.group_id JOIN compoworld.task t ON t.id = g.task_id
UNION ALL
SELECT NULL FROM line WHERE made_by IS NULL
UNION ALL
SELECT NULL FROM run WHERE policy_from IS NULL AND weights <> :known
"""


@dataclass(frozen=True)
class Seen:
    """What weights were trained on before.

    Attributes:
        compositions: sets of services of the tasks.
        complete: whether that is all; of a folder of weights, or where runs or tasks were deleted, it is not known.
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
        trained = list(connection.execute(text(_TRAINED), values).scalars())
    compositions = frozenset(composition_of(services) for services in trained if services is not None)
    return Seen(compositions, None not in trained)
