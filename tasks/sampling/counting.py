"""How many ways there are to have services play the roles of a pattern.

Counting goes role by role. Of what was assigned only two things matter later: the services of those roles that still
have a neighbour to come, and the set of services used so far. Partial assignments that agree on both are counted
together, so the work follows the number of different sets, not that of assignments.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tasks.sampling.chance import bits
from tasks.sampling.graph import Graph


def sets_of(graph: Graph, visits: Sequence[int], options: Sequence[int]) -> dict[int, int]:
    """Count the assignments of services to roles whose walk goes along edges, by the set of services that they use.

    Args:
        visits: roles in the order of the visits, numbered in the order of their first ones.
        options: for each role the mask of the services that can play it.

    Returns:
        Mask of a set to the number of assignments that use exactly it.
    """
    edges = set(pairwise(visits))
    if any(before == after for before, after in edges):
        return {}
    last_neighbour = [max((max(edge) for edge in edges if role in edge), default=role) for role in range(len(options))]
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
        kept = [slot for slot, earlier in enumerate(waiting) if last_neighbour[earlier] > role]
        waits = last_neighbour[role] > role
        following: dict[tuple[tuple[int, ...], int], int] = {}
        for (services, used), ways in states.items():
            allowed = playing
            for slot, rows in checks:
                allowed &= rows[services[slot]]
            rest = tuple(services[slot] for slot in kept)
            for place in bits(allowed):
                state = ((*rest, place) if waits else rest, used | 1 << place)
                following[state] = following.get(state, 0) + ways
        states = following
        waiting = [waiting[slot] for slot in kept] + ([role] if waits else [])
    return {used: ways for (_, used), ways in states.items()}
