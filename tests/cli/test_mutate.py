"""compoworld synth mutate: a thin layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from compoworld.cli.synth import mutate
from synth.attack.mutation import running
from synth.attack.mutation.planting import Mutant
from synth.attack.mutation.running import MutationReport, Tried
from tests.cli.conftest import Program


@pytest.mark.unit
def test_it_prints_what_the_run_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    @contextmanager
    def opened() -> Iterator[None]:
        yield None

    def run(
        world: None,
        services: Sequence[str],
        *,
        seed: int,
        most: int,
        operators: Sequence[str] | None,
        progress: Callable[[str, int, int], None],
    ) -> MutationReport:
        asked.append((tuple(services), seed, most, operators))
        progress("stale_read boards.get_card", 0, 2)
        mutants = [
            Mutant("boards", "get_card", "stale_read", ""),
            Mutant("boards", "list_cards", "unordered", "[b]x[/]"),
        ]
        return MutationReport(
            list(services),
            seed,
            [Tried(mutants[0], "caught", "created_got", 1.0), Tried(mutants[1], "survived", "", 2.0)],
        )

    monkeypatch.setattr(mutate, "opened", opened)
    monkeypatch.setattr(running, "run", run)
    program = Program("")
    found = program.json("synth", "mutate", "boards", "--seed", "3", "--most", "2", "--operator", "unordered")
    assert found["caught"] == 1 and found["rate"] == 0.5 and found["survivors"][0]["where"] == "[b]x[/]"
    said = program("synth", "mutate", "--full")
    assert said.code == 0 and "1 of 2 faults caught (50.0%)" in said.out and "[b]x[/]" in said.out
    assert "1 of 2: stale_read boards.get_card" in said.err
    assert asked[0] == (("boards",), 3, 2, ["unordered"]) and len(asked[1][0]) >= 10
