"""Build and attack many services: in several processes, with progress, and again only what has changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.database import Database
from engine.errors import DatabaseUnavailable, NotFound
from engine.processes import interruptible, process_pool
from synth.builds import Build, current_build, keep_build, last_build
from synth.errors import told
from synth.ingest.store import StoredSpec, stored
from synth.shelf import world_with_shelf


@dataclass(frozen=True)
class Outcome:
    """What became of one service.

    Attributes:
        status: ``built``, ``failed``, ``attacked``, or ``unchanged`` where nothing was to do.
        tools: how many tools there are.
        code, simulated: of a build: those with code, and those that are left to the world model.
        verified, quarantined: of an attack.
        detail: why it failed.
    """

    name: str
    status: str
    tools: int = 0
    code: int = 0
    simulated: int = 0
    verified: int = 0
    quarantined: int = 0
    calls: int = 0
    seconds: float = 0.0
    detail: str = ""


Progress: TypeAlias = Callable[[Outcome], None]


def chosen(database: Database, names: Iterable[str] = ()) -> list[StoredSpec]:
    """The specifications of these names; without names, all applications.

    Raises:
        NotFound: there is no specification of a name.
    """
    wanted = list(names)
    if not wanted:
        return stored(database, applications=True)
    known = {item.spec.name: item for item in stored(database)}
    for name in wanted:
        if name not in known:
            raise NotFound(f"there is no specification {name!r}", hint="compoworld synth report lists those there are")
    return [known[name] for name in dict.fromkeys(wanted)]


def build_all(
    url: str, specs: Iterable[StoredSpec], *, jobs: int = 1, force: bool = False, progress: Progress = lambda _: None
) -> list[Outcome]:
    """Compile services; those that were compiled of the same specification by the same compiler stay as they are.

    Args:
        url: of the database.
        jobs: how many processes.
        force: compile all of them again.

    Raises:
        DatabaseUnavailable: the database was lost; what was built until then is kept.
    """
    return _run([(_build_one, (url, item, force)) for item in specs], jobs, progress)


def attack_all(
    url: str,
    names: Iterable[str],
    *,
    seed: int = 0,
    jobs: int = 1,
    force: bool = False,
    writer: str | None = None,
    progress: Progress = lambda _: None,
) -> list[Outcome]:
    """Attack services, of the library or built; those that were attacked as they are stay judged as they are.

    Args:
        writer: a language model that writes a part of each attack, from the specification alone.

    Raises:
        DatabaseUnavailable: the database was lost; what was attacked until then is kept.
    """
    return _run([(_attack_one, (url, name, seed, force, writer)) for name in names], jobs, progress)


def _run(
    work: Sequence[tuple[Callable[..., Outcome], tuple[object, ...]]], jobs: int, progress: Progress
) -> list[Outcome]:
    if jobs <= 1 or len(work) <= 1:
        return [_told(function(*arguments), progress) for function, arguments in work]
    with process_pool(jobs) as pool:
        futures = {
            pool.submit(interruptible, function, *arguments): place for place, (function, arguments) in enumerate(work)
        }
        done: dict[int, Outcome] = {}
        for future in as_completed(futures):
            done[futures[future]] = _told(future.result(), progress)
    return [done[place] for place in sorted(done)]


def _told(outcome: Outcome, progress: Progress) -> Outcome:
    progress(outcome)
    return outcome


def _kept_going(name: str, function: Callable[[], Outcome]) -> Outcome:
    """What becomes of one service; whatever goes wrong with it does not end the others."""
    begun = time.perf_counter()
    try:
        return function()
    except DatabaseUnavailable:
        raise
    except Exception as error:
        return Outcome(name, "failed", seconds=time.perf_counter() - begun, detail=told(error))


def _build_one(url: str, item: StoredSpec, force: bool) -> Outcome:
    return _kept_going(item.spec.name, lambda: _built(url, item, force))


def _built(url: str, item: StoredSpec, force: bool) -> Outcome:
    from synth.compiler import VERSION
    from synth.compiler.building import compile_service

    name = item.spec.name
    with world_with_shelf(url) as world:
        last = last_build(world.database, name)
        kept = current_build(world.database, name)
        same = last is not None and (last.spec_digest, last.builder, last.builder_version) == (
            item.digest,
            "compiler",
            VERSION,
        )
        by_model = kept is not None and kept.builder == "model" and kept.spec_digest == item.digest
        if not force and (same or by_model):
            detail = (last.detail or "") if last is not None else ""
            failed = last is not None and last.status == "failed" and not by_model
            return Outcome(name, "failed" if failed else "unchanged", len(item.spec.tools), detail=detail)
        made = compile_service(world, item.spec)
        keep_build(
            world.database,
            spec_id=item.id,
            spec_digest=item.digest,
            builder="compiler",
            version=VERSION,
            files=made.files,
            tools=made.tools,
            entities=made.entities,
            seconds=made.seconds,
            detail=made.detail,
        )
    code = sum(kind == "code" for kind, _ in made.tools.values())
    return Outcome(
        name,
        "failed" if made.files is None else "built",
        len(item.spec.tools),
        code=code,
        simulated=len(made.tools) - code,
        seconds=made.seconds,
        detail=made.detail or "",
    )


def _judged(database: Database, name: str, build: Build | None) -> Outcome:
    """The verdicts of the last attack, which still hold."""
    from synth.attack.store import get_attack, latest_attack

    number = latest_attack(database, name, build_id=build.id if build else None)
    assert number is not None
    kept = get_attack(database, number)
    return Outcome(name, "unchanged", len(kept.tools), verified=len(kept.verified), quarantined=len(kept.quarantined))


def _attack_one(url: str, name: str, seed: int, force: bool, writer: str | None) -> Outcome:
    return _kept_going(name, lambda: _attacked(url, name, seed, force, writer))


def _attacked(url: str, name: str, seed: int, force: bool, writer: str | None) -> Outcome:
    from synth.attack.attack import attack
    from synth.attack.model import AnthropicWriter
    from synth.attack.store import put_attack
    from synth.opening import target_of, version_of
    from synth.shelf import quarantined

    with world_with_shelf(url) as world:
        build = current_build(world.database, name)
        version = version_of(world, name, build)
        if not force and quarantined(world.database, name, version, build) is not None:
            return _judged(world.database, name, build)
        target = target_of(world, name, build)
        with target:
            asked = AnthropicWriter(writer) if writer is not None else None
            report = replace(attack(target, seed=seed, writer=asked), version=version)
        put_attack(world.database, report, build.id if build else None)
    return Outcome(
        name,
        "attacked",
        len(report.tools),
        verified=len(report.verified),
        quarantined=len(report.quarantined),
        calls=report.calls,
        seconds=report.seconds,
    )
