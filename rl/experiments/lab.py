"""What the steps of experiments are made of. Each thing has a name, and is gone on with when it is asked for again."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import text

from engine.errors import InfrastructureError, InputError
from engine.world import World
from rl import Limits, make_agent
from rl.evaluation import Evaluation, Moment, Results, evaluate, results_of
from rl.experiments.config import TaskPart, TaskSource, Testing, WithModel
from rl.experiments.division import Composition, divide, see_divided
from rl.grpo import GrpoSettings, train_grpo
from rl.jobs import CollectionStatus, Pace, Told, Worker, collect, collections
from rl.local.loading import load
from rl.policies import weights_of
from rl.sft import SftSettings, train_sft
from rl.sft.selection import Selection
from rl.training.history import Outcome
from rl.training.progress import TrainingProgress
from tasks.sets import Rules, TaskSet, keep_splits, load_set, make
from tasks.sets.by_family import FamilyWorkshop
from tasks.sets.document import Split, composition_of

REFERENCE = "reference"

_TRIED = 5
"""Candidates that are looked at for each task, to see what a set can have at best."""

_PACE = Pace(look=1.0, tend=1.0)
_GROUPS = """
SELECT k.group_id FROM compoworld.collection c JOIN compoworld.collection_group k ON k.collection_id = c.id
WHERE c.name = :name ORDER BY k.ordinal
"""


@dataclass(frozen=True)
class Heard:
    """How far a step is: what is told by whatever it is made of.

    Attributes:
        done, total: of ``what``.
    """

    done: int
    total: int
    what: str


@dataclass(frozen=True)
class Lab:
    """Makes task sets, reference trajectories, policies and evaluations of one experiment.

    Attributes:
        name: of the experiment; all names begin with it.
        told: how far a step is; called from several threads.
    """

    world: World
    name: str
    told: Callable[[Heard], None] = lambda heard: None

    def named(self, what: str) -> str:
        """The name of something of this experiment."""
        return f"{self.name}-{what}"

    def tasks(
        self,
        source: TaskSource,
        called: str,
        jobs: int,
        *,
        families: Sequence[str] = (),
        within: Collection[str] | None = None,
        seen: Collection[Composition] = (),
    ) -> TaskSet:
        """The set of that source, made if it is not there, and divided into its parts. One of somebody's that is
        divided already keeps them.

        Args:
            families: those that are told, of a set that is made; without any, all.
            within, seen: as ``divide`` takes them.

        Raises:
            InputError: the set or the candidates are too few for the parts, or the set is divided in a way that will
                not do.
        """
        parts: dict[Split, TaskPart] = {}
        if source.train is not None:
            parts["train"] = source.train
        if source.test is not None:
            parts["test"] = source.test
        divided = partial(divide, parts=parts, seed=source.seed, within=within, seen=seen)
        if source.set is not None:
            found = load_set(self.world, source.set)
        else:
            if seen:
                # Not after an hour of making: at best there will be these.
                divided(_at_best(source, families))
            found = make(
                self.world,
                source.tasks,
                name=self.set_of(source, called),
                seed=source.seed,
                workshop=FamilyWorkshop(),
                dials=source.dials,
                families=families or None,
                rules=Rules(source.per_composition),
                jobs=jobs,
                most=source.candidates,
                progress=lambda so_far: self.told(Heard(so_far.admitted, so_far.wanted, "tasks")),
            )
        compositions = {member.ordinal: composition_of(member.task.services) for member in found.members}
        before = {member.ordinal: member.split for member in found.members if member.split is not None}
        if before and source.set is not None and within is None:
            see_divided(compositions, before, parts, seen, called=found.name)
            return found
        splits = divided(compositions)
        if before and before != splits:
            raise InputError(
                f"the set {found.name!r} is divided already, in another way",
                hint="name a set that is not, or let one be made (set: null)",
            )
        assert found.id is not None
        keep_splits(self.world, found.id, splits)
        return load_set(self.world, found.name)

    def services(self, task_set: str, part: Split) -> set[str]:
        """Those that the solutions of a set's part need."""
        members = load_set(self.world, task_set).members
        return {name for member in members if member.split == part for name in member.task.services}

    def set_of(self, source: TaskSource, called: str) -> str:
        """The name of the set of a source."""
        return source.set or self.named(called)

    def references(self, task_set: str, called: str, config: WithModel, wanted: int) -> str:
        """Play the reference solutions of a set's part for training, once each.

        Returns:
            What came of it, in words.

        Raises:
            InputError: fewer than ``wanted`` of them can be trained on.
            InfrastructureError: some have not ended.
            KeyboardInterrupt: it was interrupted.
        """
        name = self.named(called)
        endpoint = self.named("experiment")
        made = collect(self.world, task_set, REFERENCE, n=1, split="train", name=name, endpoint=endpoint)
        ended = itertools.count(self._standing(name).groups_finished + 1)

        def heard(what: Told) -> None:
            if what.kind == "finished":
                self.told(Heard(next(ended), made.groups, "trajectories"))

        worker = Worker(self.world, groups=config.jobs, endpoints=[endpoint], until_idle=True, watch=heard, pace=_PACE)
        worker.run()
        if worker.signalled:
            raise KeyboardInterrupt
        standing = self._standing(name)
        if standing.groups_finished < made.groups:
            raise InfrastructureError(
                f"{made.groups - standing.groups_finished} of {made.groups} reference solutions were not played",
                hint=f"compoworld jobs show {name} says why; then the same command again",
            )
        fits = self._fitting(config, name)
        if fits < wanted:
            raise InputError(
                f"{fits} of {made.groups} trajectories succeed and have at most {config.sft_settings.max_tokens}"
                f" tokens, and {wanted} are to be trained on",
                hint="give sft.max_tokens more, or sft.max_observation less",
            )
        return f"{made.groups} trajectories, {fits} of them can be trained on"

    def _standing(self, collection: str) -> CollectionStatus:
        return next(item for item in collections(self.world) if item.collection == collection)

    def _fitting(self, config: WithModel, collection: str) -> int:
        """How many reference trajectories a run of SFT can have."""
        settings = self._selecting(config.sft_settings, collection, None)
        from rl.local.format import ChatFormat
        from rl.sft.examples import make_example

        chat = ChatFormat(load(weights_of(self.world, config.base).source).tokenizer)
        with Selection(self.world, settings.select, settings.seed).rows() as found:
            lengths = [len(make_example(item, chat, settings.max_observation).input_ids) for item in found]
        return sum(length <= settings.max_tokens for length in lengths)

    def _selecting(self, settings: SftSettings, collection: str, limit: int | None) -> SftSettings:
        """Settings for the first ``limit`` trajectories of a collection: one order for all, by lots."""
        with self.world.database.transaction() as connection:
            groups = connection.execute(text(_GROUPS), {"name": collection}).scalars()
            chosen = settings.select.model_copy(
                update={"groups": tuple(groups), "sets": (), "split": "all", "duplicates": "keep", "limit": limit}
            )
        return settings.model_copy(update={"select": chosen})

    def tuned(self, called: str, config: WithModel, references: str, trajectories: int) -> Outcome:
        """The policy that SFT makes of the base with so many reference trajectories.

        Args:
            references: what the collection of them is called.
        """
        settings = self._selecting(config.sft_settings, self.named(references), trajectories)
        weights = weights_of(self.world, config.base)
        done = train_sft(self.world, weights, settings, name=self.named(called), told=self._trained)
        assert done.run.examples == trajectories, "it was seen to that there are as many"
        return done

    def improved(self, called: str, start: str, settings: GrpoSettings) -> Outcome:
        """The policy that GRPO makes of another one."""
        weights = weights_of(self.world, start)
        return train_grpo(self.world, weights, settings, name=self.named(called), told=self._trained)

    def _trained(self, progress: TrainingProgress) -> None:
        if progress.kind in ("begun", "step"):
            self.told(Heard(progress.step, progress.steps, "steps"))

    def tested(self, called: str, policy: str, task_set: str, testing: Testing) -> Evaluation:
        """A policy on the test part of a set. What the infrastructure failed is tried once more.

        Args:
            policy: whatever names weights.

        Raises:
            InfrastructureError: nothing could be scored.
        """
        tasks = [member.task for member in load_set(self.world, task_set).members if member.split == "test"]
        agent = make_agent("transformers", **weights_of(self.world, policy).options(), **testing.agent.model_dump())
        ended: set[tuple[int, int]] = set()

        def heard(moment: Moment) -> None:
            event = moment.rollout
            if event is not None and event.kind in ("finished", "failed"):
                ended.add((moment.place, event.ordinal))
                self.told(Heard(len(ended), len(tasks) * testing.rollouts, "rollouts"))

        for again in (False, True):
            found = evaluate(
                self.world,
                tasks,
                agent,
                n=testing.rollouts,
                name=self.named(called),
                seed=testing.seed,
                limits=Limits(**testing.limits.model_dump()),
                task_set=task_set,
                split="test",
                concurrency=testing.agent.batch,
                retry_failed=again,
                progress=heard,
            )
            if not found.failed:
                break
        if not found.scored:
            raise InfrastructureError(
                f"no rollout of {found.name!r} could be scored", hint=f"compoworld eval show {found.name}"
            )
        return found

    def results(self, called: str) -> Results:
        """What came out of an evaluation of this experiment."""
        return results_of(self.world, self.named(called))


def _at_best(source: TaskSource, families: Sequence[str]) -> dict[int, Composition]:
    """The compositions of the tasks that a source would give if the gate let all candidates through."""
    counts: Counter[Composition] = Counter()
    found: dict[int, Composition] = {}
    tried = min(source.candidates, _TRIED * source.tasks)
    for plan in itertools.islice(FamilyWorkshop().plans(source.seed, source.dials, families or None), tried):
        composition = composition_of(plan.services)
        if counts[composition] < source.per_composition:
            counts[composition] += 1
            found[plan.ordinal] = composition
    return found
