"""Write a task with a model: explore, design, probe, submit, in a bounded loop over the gate that every task passes.

What the model writes is data: rows are validated, SQL is inspected and judged under a role that cannot write. Every
message is recorded before the next step, so that a run that was interrupted goes on where it stood.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import InputError, Refused
from engine.world import World
from synth.dialogue.budget import Budget
from synth.dialogue.log import RunLog
from synth.dialogue.talk import Opening, Progress, Talk, see_prices
from synth.models import make_client, model_name
from tasks.modelled.commission import Commission
from tasks.modelled.gate import Gate, admission
from tasks.modelled.prompt import GO_ON, author_version, commission_message, system_prompt
from tasks.modelled.store import RUN, Status, begin_again, end_run, find_run, new_run, turns_of, working_on
from tasks.modelled.tools import tools
from tasks.modelled.workshop import Workshop

if TYPE_CHECKING:
    import anthropic

BUDGET = Budget(turns=150, tokens=12_000_000, seconds=7_200.0)
"""What one task may cost where nothing else is said."""


@dataclass(frozen=True)
class AuthorResult:
    """What became of a run.

    Attributes:
        run: its number in the database.
        status: ``admitted``; ``failed``: see ``detail``; ``stopped``: the budget ended, it can be gone on with.
        phase: where it ended.
        attempts: how often a task was submitted.
        task: number of the admitted task.
        cost_usd: ``None`` where the model's prices are not known.
        seconds: wall time, of all sittings.
    """

    run: int
    status: Status
    detail: str
    phase: str
    attempts: int
    task: int | None
    turns: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    seconds: float


def author_task(
    world: World,
    commission: Commission,
    model: str | None = None,
    budget: Budget | None = None,
    progress: Progress = lambda _: None,
    *,
    client: anthropic.Anthropic | None = None,
    gate: Gate = admission,
    began: Callable[[int], None] = lambda _: None,
) -> AuthorResult:
    """Write a task.

    Args:
        world: where it is written; without a world model, for a reference solution is made of tools with code.
        model: as its server names it; by default ``ANTHROPIC_MODEL`` or a Claude model.
        client: for tests and special servers.
        gate: decides on what is submitted.
        began: told the number of the run, by which ``resume_author`` goes on with it.

    Raises:
        InputError: there is no such service, no key, or the budget has a price for a model whose prices are not known.
        ModelUnavailable: the model could not be asked; ``resume_author`` goes on with the run.
        DatabaseUnavailable: the database was lost.
    """
    _see_world(world)
    commission.check(world)
    name = model_name(model)
    chosen = budget or BUDGET
    see_prices(name, chosen)
    client = client or make_client()
    composition = world.compose(*commission.services, *commission.distractors)
    number = new_run(world.database, composition.id, commission, name, author_version())
    with working_on(world.database, number), _sitting(world, commission, number, name, chosen, progress, gate) as one:
        began(number)
        beside = ", ".join(commission.distractors) or "none"
        progress(f"run {number}")
        progress(f"services: {', '.join(commission.services)}; beside them: {beside}")
        progress(f"walk: {' → '.join(commission.walk)}")
        one.talk.client = client
        one.talk.begin()
        return one.run()


def resume_author(
    world: World,
    run: int,
    budget: Budget | None = None,
    progress: Progress = lambda _: None,
    *,
    client: anthropic.Anthropic | None = None,
    gate: Gate = admission,
) -> AuthorResult:
    """Go on with a run that was interrupted or whose budget ended; one that has ended is only told again.

    Args:
        budget: of the whole run, what was spent before included.

    Raises:
        NotFound: there is no such run.
        Refused: another process works on it, or one of its services has changed since.
        As ``author_task``.
    """
    _see_world(world)
    chosen = budget or BUDGET
    with working_on(world.database, run):
        found = find_run(world.database, run)
        if found.status in ("admitted", "failed"):
            return AuthorResult(
                run=run,
                status=found.status,
                detail=found.detail or "",
                phase=found.phase,
                attempts=found.attempts,
                task=found.task_id,
                turns=found.turns,
                input_tokens=found.input_tokens,
                output_tokens=found.output_tokens,
                cost_usd=found.cost_usd,
                seconds=found.seconds,
            )
        found.commission.check(world)
        composition = world.compose(*found.commission.services, *found.commission.distractors)
        if composition.id != found.composition:
            raise Refused(f"a service of run {run} has changed since", hint="author the task anew")
        see_prices(found.model, chosen)
        client = client or make_client()
        with _sitting(world, found.commission, run, found.model, chosen, progress, gate) as one:
            one.talk.restore(turns_of(world.database, run), found.seconds)
            begin_again(world.database, run)
            one.talk.client = client
            return one.run()


@dataclass(frozen=True)
class _Sitting:
    """A conversation about one workshop."""

    world: World
    number: int
    workshop: Workshop
    talk: Talk
    budget: Budget

    def run(self) -> AuthorResult:
        reason = self.talk.run()
        workshop, ruling = self.workshop, self.workshop.ruling
        status: Status
        task = None
        if reason is not None:
            ended = self.talk.spent.beyond(self.budget) is not None
            status, detail = ("stopped" if ended else "failed"), reason
        elif ruling is not None and ruling.admitted:
            status, detail, task = "admitted", "admitted", ruling.task
        elif workshop.given_up is not None:
            status, detail = "failed", f"the author gave up: {workshop.given_up}"
        else:
            why = "; ".join(ruling.findings) if ruling else ""
            status, detail = "failed", f"refused {workshop.attempts} times, at last: {why}"[:2_000]
        self.talk.note(detail)
        end_run(self.world.database, self.number, status, detail, task)
        spent = self.talk.spent
        return AuthorResult(
            run=self.number,
            status=status,
            detail=detail,
            phase=workshop.phase,
            attempts=workshop.attempts,
            task=task,
            turns=spent.turns,
            input_tokens=spent.input,
            output_tokens=spent.output,
            cost_usd=spent.cost_usd,
            seconds=spent.seconds,
        )


@contextlib.contextmanager
def _sitting(
    world: World, commission: Commission, number: int, model: str, budget: Budget, progress: Progress, gate: Gate
) -> Iterator[_Sitting]:
    workshop = Workshop(world, commission, number, model, gate)
    try:
        log = RunLog(world.database, RUN, number, lambda: {"phase": workshop.phase, "attempts": workshop.attempts})
        opening = Opening(system_prompt(), tools(), commission_message(workshop.composition, commission), GO_ON)
        name = f"run {number} of the author"
        talk = Talk(log, name, workshop, opening, model, budget, progress)
        with world.lease(workshop.composition):
            yield _Sitting(world, number, workshop, talk, budget)
    finally:
        workshop.close()


def _see_world(world: World) -> None:
    if world.world_model is not None:
        raise InputError(
            "tasks are written in a world without a world model",
            hint="a reference solution is made of tools with code, which do the same each time",
        )
