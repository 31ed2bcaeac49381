"""From a plan to a task: the family tells it, the reference solution runs, the rubric follows from what it changed."""

from __future__ import annotations

from typing import Any

from engine.calls import CallResult
from engine.compositions import Composition
from engine.errors import InputError
from engine.world import World
from tasks.authoring.draft import Draft
from tasks.authoring.family import family_named
from tasks.authoring.plans import Plan
from tasks.document import Counterfactual, CriterionText, InitialState, Origin, Reference, Task
from tasks.errors import DraftError
from tasks.initial import initial_rows, key_of
from tasks.parts import single_parts
from tasks.player import Player
from tasks.rubric import Goal, ReferenceRun, derive, guard

_UNJUDGED = CriterionText(name="unjudged", kind="state", description="Not yet.", sql="SELECT true AS passed")


def write(world: World, plan: Plan) -> Task:
    """Write the task of a plan.

    Raises:
        DraftError: the family cannot tell this plan so that its reference solution works.
        DatabaseUnavailable: the database was lost.
    """
    draft = _told(plan)
    if (few := len(draft.facts)) < (wanted := plan.dials.carried):
        raise DraftError(f"{plan.family}, seed {plan.seed}: {few} facts are carried, the dials ask for {wanted}")
    try:
        composition = world.compose(*plan.services, *plan.distractors)
        changes = [
            Counterfactual(fact=fact, change=_difference(composition, draft.s0(), _told(plan, fact).s0()))
            for fact in draft.facts
        ]
        task = Task(
            name=f"{plan.family}-{plan.seed:08x}",
            title=draft.heading(),
            instruction=draft.instruction(),
            short=plan.dials.short,
            services=list(plan.services),
            distractors=list(plan.distractors),
            start=draft.start,
            person=draft.user.email,
            s0=draft.s0(),
            walk=list(plan.walk),
            reference=Reference(calls=draft.calls, answer=draft.reply),
            criteria=[_UNJUDGED],
            counterfactuals=changes,
            origin=Origin(
                author="family", family=plan.family, area=plan.area, seed=plan.seed, difficulty=plan.dials.document()
            ),
        )
        return task.model_copy(update={"criteria": _rubric(composition, task, draft)})
    except DraftError:
        raise
    except (InputError, ValueError) as error:
        raise DraftError(f"{plan.family}, seed {plan.seed}: {error}") from error


def _told(plan: Plan, otherwise: str | None = None) -> Draft:
    draft = Draft(plan, otherwise)
    family_named(plan.family).tell(draft)
    return draft


def _rubric(composition: Composition, task: Task, draft: Draft) -> list[CriterionText]:
    rows = initial_rows(composition, task)
    snapshot = composition.snapshot(rows, name=f"draft {task.name}", start=task.start, person=task.user())
    with composition.world.lease(composition):
        branch = snapshot.fork(label="task draft")
        try:
            player = Player(task)
            results = player.play(branch)
            _demand_success(task, results)
            run = ReferenceRun.of(
                composition,
                rows,
                branch.events(),
                [single_parts(call.arguments, player.saved) for call in task.reference.calls],
                task.user().email,
            )
            derived = derive(run, _goals(draft), orders=draft.orders, reply=draft.reply, saved=player.saved)
            return [*derived, *draft.criteria, guard(run)]
        finally:
            branch.delete()


def _goals(draft: Draft) -> list[Goal]:
    found: dict[str, Goal] = {}
    for act in draft.acts:
        earlier = found.get(act.goal)
        found[act.goal] = Goal(act.goal, act.kind, (*earlier.calls, act.call) if earlier else (act.call,))
    return list(found.values())


def _demand_success(task: Task, results: list[CallResult]) -> None:
    last = results[-1]
    if not last.ok:
        call = task.reference.calls[len(results) - 1]
        problem = (last.error or {}).get("message") or last.outcome
        raise DraftError(f"{task.name}: call {len(results)} ({call.service}.{call.tool}) fails: {problem}")


def _difference(composition: Composition, base: InitialState, other: InitialState) -> InitialState:
    """What has to be applied after one change of the seed data to get what another one gives.

    Raises:
        DraftError: they delete different rows of the seed data, or change different ones.
    """
    if base.delete != other.delete or {t: list(rows) for t, rows in base.update.items()} != {
        t: list(rows) for t, rows in other.update.items()
    }:
        raise DraftError(
            "a fact decides which rows of the seed data are changed", "plant a row of your own in its place"
        )
    update: dict[str, dict[str, dict[str, Any]]] = {}
    insert: dict[str, list[dict[str, Any]]] = {}
    delete: dict[str, list[str]] = {}
    for table, rows in base.update.items():
        for key, fields in rows.items():
            if fields != other.update[table][key]:
                update.setdefault(table, {})[key] = other.update[table][key]
    for table in dict.fromkeys([*base.insert, *other.insert]):
        keys = composition.entity(table).key_columns()
        before = {_key(row, keys): row for row in base.insert.get(table, [])}
        after = {_key(row, keys): row for row in other.insert.get(table, [])}
        for key, row in before.items():
            if key not in after:
                delete.setdefault(table, []).append(key)
            elif after[key] != row:
                changed = {name: value for name, value in after[key].items() if row.get(name) != value}
                update.setdefault(table, {})[key] = changed
        insert_here = [row for key, row in after.items() if key not in before]
        if insert_here:
            insert[table] = insert_here
    return InitialState(seed=base.seed, delete=delete, update=update, insert=insert)


def _key(row: dict[str, Any], columns: tuple[str, ...]) -> str:
    return key_of([row[name] for name in columns])
