"""Policies: which weights a name means, and that they are still the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.errors import InputError, NotFound
from engine.world import World
from rl.local.files import digest_of
from rl.policies import register, weights_of
from tests.toys.fixtures import toy_url, world

__all__ = ["toy_url", "world"]


def weights(folder: Path, said: str) -> Path:
    """A folder that looks as if it held weights."""
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_text(said)
    return folder


def test_what_a_name_means(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with world.database.transaction() as connection:
        for version in (1, 2):
            register(connection, "named", weights(tmp_path / "made" / str(version), str(version)), base="b")
    assert str(weights_of(world, "named")) == str(weights_of(world, "named@2")) == "named@2"
    # The folder of a run holds no weights itself.
    (tmp_path / "named").mkdir()
    assert str(weights_of(world, "named")) == "named@2"
    folder = weights(tmp_path / "named" / "inner", "3").rename(tmp_path / "other")
    (tmp_path / "named").rmdir()
    folder.rename(tmp_path / "named")
    with pytest.raises(InputError, match="is the name of a policy and of a folder of weights here") as refused:
        weights_of(world, "named")
    assert refused.value.hint == "named@2 is the policy, ./named the folder"
    assert str(weights_of(world, "named@1")) == "named@1"
    assert weights_of(world, "./named").source == str(tmp_path / "named")
    (tmp_path / "named").rename(tmp_path / "lonely")
    assert weights_of(world, "lonely").source == str(tmp_path / "lonely")
    with pytest.raises(NotFound, match="there is no policy 'nam'"):
        weights_of(world, "nam")
    with pytest.raises(InputError, match="there is no folder"):
        weights_of(world, "./nam")


def test_weights_that_are_no_longer_the_policy_s(world: World, tmp_path: Path) -> None:
    folder = weights(tmp_path / "made", "1")
    with world.database.transaction() as connection:
        register(connection, "exchanged", folder, base="b")
    found = weights_of(world, "exchanged")
    assert found.options() == {
        "weights": str(folder), "policy": "exchanged", "version": 1, "digest": digest_of(folder),
    }  # fmt: skip
    (folder / "model.safetensors").write_text("2 now")
    with pytest.raises(InputError, match=r"the weights in '.*made' are no longer those that were meant"):
        weights_of(world, "exchanged")
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match="there are no weights in"):
        weights_of(world, "exchanged")
    shutil.rmtree(folder)
    with pytest.raises(InputError, match="that folder is gone"):
        weights_of(world, "exchanged")


@pytest.mark.unit
def test_the_digest_of_an_adapter_has_its_base_in_it(tmp_path: Path) -> None:
    base, adapter = weights(tmp_path / "base", "1"), weights(tmp_path / "adapter", "a")
    alone = digest_of(adapter)
    laid = {"base_model_name_or_path": str(base), "lora_alpha": 16}
    (adapter / "adapter_config.json").write_text(json.dumps(laid))
    over = digest_of(adapter)
    (adapter / "adapter_config.json").write_text(json.dumps({**laid, "lora_alpha": 32}))
    stronger = digest_of(adapter)
    moved = base.rename(tmp_path / "moved")
    (adapter / "adapter_config.json").write_text(json.dumps({**laid, "base_model_name_or_path": str(moved)}, indent=1))
    assert digest_of(adapter) == over
    moved.rename(base)
    (adapter / "adapter_config.json").write_text(json.dumps(laid))
    (base / "model.safetensors").write_text("2 now")
    (tmp_path / "base" / "notes.txt").write_text("not weights")
    assert len({alone, over, stronger, digest_of(adapter)}) == 4


def test_others_do_not_wait_while_weights_are_read(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reading(folder: Path) -> str:
        with world.database.transaction() as connection:
            connection.exec_driver_sql("LOCK TABLE compoworld.policy IN SHARE ROW EXCLUSIVE MODE NOWAIT")
        return digest_of(folder)

    monkeypatch.setattr("rl.policies.digest_of", reading)
    with world.database.transaction() as connection:
        register(connection, "large", weights(tmp_path / "made", "1"), base="b")
        with pytest.raises(InputError, match="'smollm2' is the model that comes as a package"):
            register(connection, "smollm2", tmp_path / "made", base="b")
