"""How many ways there are to have services play the roles of a pattern.

Counting goes role by role. Of what was assigned only two things matter later: the services of those roles that still
have a neighbour to come, and the set of services used so far. Partial assignments that agree on both are counted
together, so the work follows the number of different sets, not that of assignments.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, pairwise

from tasks.sampling.chance import bits
from tasks.sampling.graph import Graph


def sets_of(
    graph: Graph,
    visits: Sequence[int],
    options: Sequence[int],
    *,
    apart: Collection[tuple[int, int]] = (),
    by_set: bool = True,
) -> dict[int, int]:
    """Count the assignments of services to roles whose walk goes along edges, by the set of services that they use.

    Args:
        visits: roles in the order of the visits, numbered in the order of their first ones.
        options: for each role the mask of the services that can play it.
        apart: pairs of roles, the earlier one first, that do not get the same service.
        by_set: whether sets are told apart; all assignments count for the empty one if not, which is faster.

    Returns:
        Mask of a set to the number of assignments that use exactly it.
    """
    edges = set(pairwise(visits))
    if any(before == after for before, after in edges):
        return {}
    pairs = edges | set(apart)
    last_neighbour = [max((max(pair) for pair in pairs if role in pair), default=role) for role in range(len(options))]
    before = graph.before
    states: dict[tuple[tuple[int, ...], int], int] = {((), 0): 1}
    waiting: list[int] = []  # the roles whose services a state keeps: a later role is their neighbour
    for role, playing in enumerate(options):
        checks = [
            (slot, rows)
            for slot, earlier in enumerate(waiting)
            for edge, rows in (((earlier, role), graph.after), ((role, earlier), before))
            if edge in edges
        ]
        others = [slot for slot, earlier in enumerate(waiting) if (earlier, role) in apart]
        kept = [slot for slot, earlier in enumerate(waiting) if last_neighbour[earlier] > role]
        waits = last_neighbour[role] > role
        following: dict[tuple[tuple[int, ...], int], int] = {}
        for (services, used), ways in states.items():
            allowed = playing
            for slot, rows in checks:
                allowed &= rows[services[slot]]
            for slot in others:
                allowed &= ~(1 << services[slot])
            rest = tuple(services[slot] for slot in kept)
            for place in bits(allowed):
                state = ((*rest, place) if waits else rest, used | 1 << place if by_set else 0)
                following[state] = following.get(state, 0) + ways
        states = following
        waiting = [waiting[slot] for slot in kept] + ([role] if waits else [])
    return {used: ways for (_, used), ways in states.items()}


def far_apart(visits: Sequence[int], least: int) -> frozenset[tuple[int, int]]:
    """The pairs of roles, the earlier one first, that have two visits with at least so many from one to the other."""
    first = {role: place for place, role in reversed(list(enumerate(visits)))}
    last = {role: place for place, role in enumerate(visits)}
    return frozenset(
        (one, other)
        for one, other in combinations(sorted(first), 2)
        if max(last[one], last[other]) - min(first[one], first[other]) >= least
    )
