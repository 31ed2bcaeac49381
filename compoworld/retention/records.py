"""What is kept by a name of its own: sets, collections, evaluations, runs of training, experiments.

What they are made of goes first and their records last: after an interruption, the same names delete the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from compoworld.retention.heap import Heap, Named
from engine.world import World
from rl.jobs import deletion as jobs
from rl.training import deletion as training
from tasks.sets.deletion import delete_set, see_unmade


def survey(world: World, named: Named, heap: Heap) -> list[int]:
    """Put onto the heap what is named, and what experiments that are named made; the groups of all that.

    Raises:
        NotFound: something named does not exist.
        Refused: it is being made, trained or run.
    """
    heap.experiments = _each(named.experiments)
    heap.sets, heap.collections = _each(named.sets), _each(named.collections)
    heap.evaluations, heap.runs = _each(named.evaluations), _each(named.runs)
    for name in heap.experiments:
        from rl.experiments.deletion import made_by

        for kind, names in made_by(world, name).items():
            setattr(heap, kind, _each([*getattr(heap, kind), *names]))
    for name in heap.sets:
        see_unmade(world, name)
    for name in heap.collections:
        jobs.see_idle(world, name)
    groups: list[int] = []
    if heap.evaluations:
        groups += _of_evaluations(world, heap)
    if heap.runs:
        groups += _of_runs(world, heap)
    with world.database.transaction() as connection:
        groups += jobs.groups_of(connection, heap.collections)
    return groups


def call_off(world: World, heap: Heap) -> None:
    """Cancel the jobs of collections, before anything is deleted.

    Raises:
        Refused: a worker is on a group of one.
    """
    for name in heap.collections:
        jobs.call_off(world, name)


def sweep(world: World, heap: Heap, gone: Heap) -> None:
    """Delete the records, once what they were made of is gone.

    Raises:
        Refused: one was taken up in the meantime, or a file cannot be deleted.
    """
    for name in heap.sets:
        delete_set(world, name)
        gone.sets.append(name)
    for name in heap.collections:
        jobs.delete_collection(world, name)
        gone.collections.append(name)
    for name in heap.evaluations:
        from rl.evaluation.deletion import delete_evaluation

        delete_evaluation(world, name)
        gone.evaluations.append(name)
    for name in heap.runs:
        policies, files = training.delete_run(world, name)
        gone.runs.append(name)
        gone.policies += policies
        gone.files += map(str, files)
    for name in heap.experiments:
        from rl.experiments.deletion import delete_experiment

        delete_experiment(world, name)
        gone.experiments.append(name)


def _of_evaluations(world: World, heap: Heap) -> list[int]:
    # Imported where there is something to do: it takes a second.
    from rl.evaluation.deletion import groups_of
    from rl.evaluation.store import find

    heap.evaluations = _each([find(world, name).name for name in heap.evaluations])
    with world.database.transaction() as connection:
        return groups_of(connection, heap.evaluations)


def _of_runs(world: World, heap: Heap) -> list[int]:
    from rl.training.history import summary

    for name in heap.runs:
        summary(world, name)
    with world.database.transaction() as connection:
        training.see_deletable(connection, heap.runs)
        heap.policies = training.policies_of(connection, heap.runs)
        heap.files = [str(path) for path in training.files_of(connection, heap.runs)]
        return training.groups_of(connection, heap.runs)


def _each(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))
