"""The attack on one service: find calls that succeed, hold every tool against the laws, judge."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.calls import CallResult
from engine.kit import COLLEAGUES, COMPANIES, CONTACTS, Service
from engine.world import World
from synth.attack import laws_any, laws_lists, laws_things, probing_any, probing_lists, probing_things
from synth.attack.finding import TRIES, find, more
from synth.attack.minimising import minimised, run_case
from synth.attack.model import Writer, Written, guilty
from synth.attack.reaching import every, reach, walk
from synth.attack.report import AttackReport, ToolVerdict
from synth.attack.scene import Scene, whole_listing
from synth.attack.session import Notes, Session
from synth.attack.target import Target
from synth.attack.world_target import WorldTarget

__all__ = ["attack", "attack_service", "laws_any", "laws_lists", "laws_things"]

Progress = Callable[[str], None]

SECONDS = 300.0
"""What the attack on one service may take by default."""

_CLOCK_SECONDS = 1.1
"""A clock of the machine that counts seconds shows only after one."""

_PEOPLE = (*CONTACTS, *COLLEAGUES)
CAST: Mapping[str, Iterable[Any]] = {
    "email": [person.email for person in _PEOPLE],
    "phone": [person.phone for person in _PEOPLE],
    "first_name": [person.name.split()[0] for person in _PEOPLE],
    "last_name": [person.name.split()[-1] for person in _PEOPLE],
    "company": [company.name for company in COMPANIES],
    "domain": [company.domain for company in COMPANIES],
}
"""The people and companies of whom every service's seed data tells; they are documented for all to see."""


def attack_service(
    world: World, service: Service | str, seed: int = 0, *, progress: Progress = lambda _: None
) -> AttackReport:
    """Attack a service in a composition of its own, of which nothing stays behind.

    Args:
        world: whose database is used.
        service: by name, or one that stands in no library.

    Raises:
        NotFound: there is no service of that name.
        DatabaseUnavailable: the database was lost.
    """
    with WorldTarget(world, service) as target:
        return attack(target, seed=seed, version=target.version, progress=progress)


def attack(
    target: Target,
    *,
    seed: int = 0,
    budget: int = 100,
    seconds: float = SECONDS,
    known: Mapping[str, Iterable[Any]] = CAST,
    version: str = "",
    only: Collection[str] | None = None,
    writer: Writer | None = None,
    progress: Progress = lambda _: None,
) -> AttackReport:
    """Attack a service: what it is, is read from its specification and its answers alone.

    Args:
        seed: another seed, other arguments.
        budget: about how many calls a tool may cost.
        seconds: when they are over, the tools with which not everything was tried yet are quarantined.
        known: what a user of the service knows without asking it, by key: the people and companies of the cast.
        writer: writes sequences of calls too, from the specification alone.
        only: the tools that are held against the laws; the others help to reach them. None: all.

    Raises:
        DatabaseUnavailable: the database was lost.
    """
    begun = time.perf_counter()
    timed = _Timed(target, math.inf)
    session = Session(timed, seed, known)
    timed.until = time.monotonic() + seconds
    finished: set[str] = set()
    try:
        for tool in _probe(session, budget, only, progress, begun):
            finished.add(tool)
    except _OutOfTime:
        late, writer = True, None
    else:
        late = False
    timed.until = math.inf
    written = _written(session, writer, progress) if writer is not None else Written([])
    verdicts = []
    for tool, notes in session.notes.items():
        if late and tool not in finished:
            verdicts.append(_verdict(tool, notes, late=True))
            continue
        notes.cases = [minimised(target, case) for case in notes.cases]
        verdicts.append(_verdict(tool, notes))
    calls = sum(notes.calls for notes in session.notes.values())
    return AttackReport(
        target.service,
        version,
        seed,
        tuple(verdicts),
        calls,
        time.perf_counter() - begun,
        writer.name if writer is not None else None,
        tuple(written.conversation),
    )


class _OutOfTime(Exception):
    """The attack has used up its time."""


@dataclass
class _Timed:
    """A target that can be used up to a moment of the monotonic clock."""

    target: Target
    until: float

    def __post_init__(self) -> None:
        self.service, self.specifications = self.target.service, self.target.specifications

    def fork(self, branch: int | None = None) -> int:
        self._check()
        return self.target.fork(branch)

    def call(self, branch: int, tool: str, arguments: dict[str, Any]) -> CallResult:
        self._check()
        return self.target.call(branch, tool, arguments)

    def digest(self, branch: int) -> str:
        self._check()
        return self.target.digest(branch)

    def _check(self) -> None:
        if time.monotonic() > self.until:
            raise _OutOfTime


def _probe(
    session: Session, budget: int, only: Collection[str] | None, progress: Progress, begun: float
) -> Iterator[str]:
    """Hold the tools against the laws; each of them, once all was tried with it."""
    judged = [tool for tool in session.readings if only is None or tool in only]
    _reach_all(session, judged, progress)
    scene = Scene(session)
    for lister in scene.listers:
        session.tool = lister.tool
        whole_listing(session, session.fork(session.stage), lister)
    scene = Scene(session)
    for tool in judged:
        reading = session.readings[tool]
        progress(tool)
        session.tool = tool
        probing_any.twice(session, tool)
        probing_any.wrong_arguments(session, tool, budget // 4)
        probing_any.odd_arguments(session, tool, budget // 8)
        probing_any.unknown_things(session, tool, scene)
        probing_any.refusals(session, tool)
        probing_any.stated_refusals(session, tool, scene)
        if not reading.promises_nothing_changes:
            probing_things.thing(session, scene, tool)
    for lister in scene.listers:
        if lister.tool not in judged:
            continue
        session.tool = lister.tool
        probing_lists.listing(session, scene, lister)
    time.sleep(max(0.0, _CLOCK_SECONDS - (time.perf_counter() - begun)))
    for tool in judged:
        session.tool = tool
        probing_any.later(session, tool)
        yield tool


def _written(session: Session, writer: Writer, progress: Progress) -> Written:
    """Try what a model wrote; what it shows is a case of the tool at which it shows."""
    progress(f"asking {writer.name}")
    written = writer.write(session.target.service, session.target.specifications)
    for case in written.cases:
        finding = run_case(session.target, case)
        for step in case.steps:
            session.notes[step.tool].calls += 1
            session.notes[step.tool].laws.add(case.law)
        if finding is not None:
            failed = replace(case, expected=finding.expected, found=finding.found, tool=guilty(case, finding))
            session.notes[failed.tool].cases.append(failed)
    return written


def _verdict(tool: str, notes: Notes, *, late: bool = False) -> ToolVerdict:
    laws = tuple(sorted(notes.laws))
    if notes.cases:
        first = notes.cases[0]
        reason = f"{first.law}: expected {first.expected}, found {first.found}"[:500]
        return ToolVerdict(tool, "quarantined", reason, laws, notes.calls, tuple(notes.cases))
    if late:
        return ToolVerdict(tool, "quarantined", "the attack ran out of time", laws, notes.calls)
    if notes.success is None:
        often = notes.refusals.most_common(1)
        said = often[0][0] if often else "no arguments of the schema could be made"
        return ToolVerdict(tool, "quarantined", f"no valid call was found: {said}", laws, notes.calls)
    return ToolVerdict(tool, "verified", f"kept {len(laws)} laws", laws, notes.calls)


def _reach_all(session: Session, judged: list[str], progress: Progress) -> None:
    """Find a call that succeeds for every tool: first what reads, then what creates, then the rest."""
    reads = session.tools(lambda item: item.promises_nothing_changes)
    writes = session.tools(lambda item: not item.promises_nothing_changes)
    bare = [tool for tool in reads if not session.target.specifications[tool].required]
    progress("reading")
    _round(session, bare, session.base, TRIES // 2)
    for _ in range(2):
        _round(session, [tool for tool in reads if tool not in bare], session.base, TRIES // 2)
    for _ in range(2):
        for tool in reads:
            session.tool = tool
            more(session, tool, session.base)
    creates = [tool for tool in writes if session.readings[tool].kind == "create"]
    progress("creating")
    for _ in range(2):
        _round(session, creates, session.base, TRIES)
    stage = session.fork(session.base)
    for tool in creates:
        success = session.notes[tool].success
        if success is None:
            continue
        session.tool = tool
        result = session.call(stage, tool, success.arguments)
        session.learn(tool, success.arguments, result)
        session.created(tool, success.arguments, result)
    session.stage = stage
    progress("trying the others")
    order = sorted(writes, key=lambda tool: session.readings[tool].kind == "delete")
    _round(session, order, stage, TRIES)
    _round(session, [*reads, *order], stage, TRIES)
    _everything_on_stage(session)
    for tool in judged:
        if session.notes[tool].success is None:
            session.tool = tool
            session.notes[tool].success = (
                reach(session, tool)
                or find(session, tool, stage, 2 * TRIES)
                or walk(session, tool)
                or every(session, tool)
                or find(session, tool, stage, 4 * TRIES)
            )


def _round(session: Session, tools: list[str], branch: int, tries: int) -> None:
    for tool in tools:
        if session.notes[tool].success is None:
            session.tool = tool
            session.notes[tool].success = find(session, tool, branch, tries)


def _everything_on_stage(session: Session) -> None:
    """Reads that succeeded before the creations are tried on the later state from here on."""
    from synth.attack.session import Success

    for tool, notes in session.notes.items():
        success = notes.success
        if success is None or success.branch == session.stage:
            continue
        session.tool = tool
        branch = session.fork(session.stage)
        result = session.call(branch, tool, success.arguments)
        session.learn(tool, success.arguments, result)
        if result.ok:
            notes.success = Success(session.stage, success.arguments, result)
