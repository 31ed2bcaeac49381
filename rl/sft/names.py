"""Names in a selection: what does not exist is said, and not that nothing is selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from sqlalchemy import text

from engine.errors import NotFound
from engine.near import did_you_mean
from engine.world import World
from rl.agents import AGENTS, StopReason
from rl.sft.settings import Select
from tasks.sets.document import Member

# A policy may be gone, and what it wrote still be there; one that wrote nothing yet is no mistake.
_KNOWN = {
    "tasks": ("task", "SELECT name FROM compoworld.task"),
    "agents": ("agent", "SELECT DISTINCT agent FROM compoworld.rollout_group"),
    "models": (
        "model",
        "SELECT model FROM compoworld.rollout WHERE model IS NOT NULL"
        " UNION SELECT model FROM compoworld.rollout_group WHERE model IS NOT NULL",
    ),
    "policies": (
        "policy",
        "SELECT name FROM compoworld.policies UNION SELECT policy FROM compoworld.policies"
        " UNION SELECT policy FROM compoworld.trajectory WHERE policy IS NOT NULL"
        " UNION SELECT concat(policy, '@', policy_version) FROM compoworld.trajectory"
        " WHERE policy_version IS NOT NULL",
    ),
    "groups": ("group", "SELECT id FROM compoworld.rollout_group"),
    "ended": ("end of a rollout", None),
}
_LIMITS = ("steps", "tokens", "seconds", "crashed")


def see_names(world: World, select: Select, members: Sequence[Member]) -> None:
    """See that there are the tasks, agents, models, policies and groups that a selection names.

    Args:
        members: the tasks of its sets: they may never have been played.

    Raises:
        NotFound: there is one that is not; the first of each kind is named.
    """
    beside: Mapping[str, Sequence[str]] = {
        "tasks": [member.task.name for member in members],
        "agents": list(AGENTS),
        "ended": [*get_args(StopReason), *_LIMITS],
    }
    problems = []
    for kind, (what, statement) in _KNOWN.items():
        wanted = [str(name) for name in getattr(select, kind)]
        known = set(beside.get(kind, ()))
        if statement is not None and not known.issuperset(wanted):
            with world.database.transaction() as connection:
                known |= {str(name) for name in connection.execute(text(statement)).scalars()}
        missing = [name for name in wanted if name not in known]
        if missing:
            hint = did_you_mean(missing[0], sorted(known), None if kind == "groups" else _there(known))
            problems.append(f"select.{kind}: there is no {what} {missing[0]!r}{f' ({hint})' if hint else ''}")
    if problems:
        raise NotFound("; ".join(problems))


def _there(known: set[str]) -> str | None:
    """All names, where they are few."""
    return f"there are {', '.join(sorted(known))}" if 0 < len(known) <= 12 else None
