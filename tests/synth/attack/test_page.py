"""The page about the attack says every law and every fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.attack import laws_any, laws_lists, laws_things
from synth.attack.laws import LAWS
from synth.attack.mutation.operators import OPERATORS

pytestmark = pytest.mark.unit

PAGE = (Path(__file__).parents[3] / "docs" / "attack.md").read_text(encoding="utf-8")


def test_every_law_is_on_the_page() -> None:
    assert len(LAWS) > 20 and all((laws_any, laws_lists, laws_things))
    for law in LAWS.values():
        assert f"| `{law.name}` | {law.sentence} |" in PAGE


def test_every_fault_is_on_the_page() -> None:
    for name, (sentence, _) in OPERATORS.items():
        assert f"| `{name}` | {sentence} |" in PAGE
