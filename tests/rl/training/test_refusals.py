"""What is refused before weights are loaded: it takes half a minute to load large ones."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import InputError
from engine.world import World
from rl.grpo import train_grpo
from rl.policies import Weights
from rl.sft import train_sft
from rl.training.history import summary
from tasks.sets.document import Member, TaskSet
from tasks.sets.store import insert_set
from tasks.store import StoredTask
from tests.rl.training.runs import grpo_settings, interrupting, sft_settings

pytest.importorskip("torch", reason="the extra 'train' is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def whole(world: World, played: StoredTask) -> str:
    """A set that is not divided."""
    insert_set(world, TaskSet("undivided", 0, {}, 1, (Member(0, played.task),), 1))
    return "undivided"


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which weights were loaded."""
    import rl.grpo.trainer
    import rl.sft.trainer
    from rl.training.trainer import prepared

    found: list[str] = []

    def spy(weights: Weights, settings: Any) -> Any:
        found.append(weights.source)
        return prepared(weights, settings)

    monkeypatch.setattr(rl.sft.trainer, "prepared", spy)
    monkeypatch.setattr(rl.grpo.trainer, "prepared", spy)
    return found


def test_a_set_that_is_not_divided(world: World, whole: str, weights: Weights, loaded: list[str]) -> None:
    said = rf"no task of the set '{whole}' is in the part 'train' \(compoworld tasks split {whole} divides it, --set "
    with pytest.raises(InputError, match=rf"{said}select\.split=all takes all of it\)"):
        train_sft(world, weights, sft_settings(f"select.sets=[{whole}]"), name="undivided-sft")
    with pytest.raises(InputError, match=rf"{said}split=all takes all of it\)"):
        train_grpo(world, weights, grpo_settings(f"sets=[{whole}]", "tasks=[]"), name="undivided-grpo")
    assert loaded == []


def test_nothing_that_is_selected(world: World, played: StoredTask, weights: Weights, loaded: list[str]) -> None:
    for value, said in (("ended=[seconds]", "no successful rollout is selected"), ("agents=[noisi]", "no agent")):
        with pytest.raises(InputError, match=said):
            train_sft(world, weights, sft_settings(f"select.{value}"), name="none-selected")
    assert loaded == []
    # The name is free, and what a run has once is not selected again.
    with pytest.raises(KeyboardInterrupt):
        train_sft(world, weights, sft_settings(), name="none-selected", told=interrupting("begun"))
    assert summary(world, "none-selected").examples == 2 and len(loaded) == 1


def test_a_batch_that_cannot_be_shared(
    world: World, weights: Weights, loaded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(InputError, match="batch: 1 cannot be shared by 2 processes that take 1 at a time"):
        train_sft(world, weights, sft_settings(), name="unshared")
    assert loaded == []
