"""Whose the folder of a run is, and what a run goes on from: only what it wrote itself."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import text

from engine.database import Database
from engine.errors import InputError, Refused
from engine.world import World
from rl.local.files import digest_of
from rl.policies import Weights, weights_of
from rl.sft import train_sft
from rl.training import deletion
from rl.training.deletion import delete_run, see_deletable
from rl.training.folders import OWNER, claim, newest_checkpoint, see_free, written
from rl.training.history import runs, summary
from rl.training.progress import TrainingProgress
from rl.training.runs import Run, begin, training
from tasks.store import StoredTask
from tests.conftest import fresh_database
from tests.rl.training.runs import interrupting, sft_settings
from tests.toys import library

pytestmark = pytest.mark.filterwarnings("ignore")


def begun(world: World, weights: Weights, name: str, folder: Path | None = None, **values: Any) -> Run:
    return begin(world, "sft", name, settings=values, seed=0, weights=weights, folder=folder)


def execute(world: World, sql: str, **values: Any) -> None:
    with world.database.transaction() as connection:
        connection.execute(text(sql), values)


@pytest.fixture
def other_database(server_url: str) -> Iterator[World]:
    with fresh_database(server_url) as url, World(Database(url).open(), library()) as opened:
        yield opened


def test_a_folder_is_one_run_s(
    world: World, other_database: World, played: StoredTask, weights: Weights, tmp_path: Path
) -> None:
    """Another run, with the same --out or of another database of the same home, neither goes on from it nor deletes."""
    one = train_sft(world, weights, sft_settings(), name="only")
    folder = tmp_path / "training" / "only"
    kept = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(Refused, match="belongs to another run, 'only', here or in another database") as refused:
        train_sft(world, weights, sft_settings("learning_rate=0.05"), name="second", folder=folder)
    assert "--out" in str(refused.value.hint)
    with pytest.raises(Refused, match="belongs to another run, 'only'"):
        begun(other_database, weights_of(other_database, weights.source), "only")
    assert "second" not in [run.name for run in runs(world)] and not runs(other_database)
    # However a run of another database came by this folder: it is not its own.
    begun(other_database, weights_of(other_database, weights.source), "only", tmp_path / "elsewhere")
    execute(other_database, "UPDATE compoworld.training_run SET folder = :folder", folder=str(folder))
    assert delete_run(other_database, "only") == ([], [])
    assert kept == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert digest_of(Path(one.policy.path)) == one.policy.digest
    _, files = delete_run(world, "only")
    assert files[-1].name == OWNER and not folder.exists()


def test_a_catalog_that_is_lost(world: World, weights: Weights, home: Path) -> None:
    """The home was kept: a run of the same name is another run."""
    run = begun(world, weights, "again")
    (run.folder / "checkpoint-4").mkdir()
    execute(world, "DELETE FROM compoworld.training_run WHERE name = 'again'")
    with pytest.raises(Refused, match="belongs to another run, 'again'") as refused:
        begun(world, weights, "again")
    assert f"delete '{home / 'training' / 'again'}'" in str(refused.value.hint)
    shutil.rmtree(run.folder)
    assert begun(world, weights, "again").checkpoint is None


@pytest.mark.unit
@pytest.mark.parametrize("name", ["checkpoint-7", "policy", "policy.part", "examples.arrow"])
def test_what_no_run_wrote_is_not_taken(tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    see_free(tmp_path, "m")
    (tmp_path / name).write_text("")
    with pytest.raises(Refused, match=f"there is '{name}', which this run did not write"):
        claim(tmp_path, "a", "m")
    assert written(tmp_path, "m") == [] and not (tmp_path / OWNER).exists()


@pytest.mark.unit
def test_claims(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    claim(folder, "one", "m")
    claim(folder, "one", "m")
    (folder / "policy").mkdir()
    claim(folder, "one", "m")
    assert [path.name for path in written(folder, "m")] == ["policy", OWNER] and written(folder, "n") == []
    with pytest.raises(Refused, match="belongs to another run, 'one'"):
        claim(folder, "one", "n")
    (folder / OWNER).write_text("")
    for look in (lambda: claim(folder, "one", "m"), lambda: written(folder, "m")):
        with pytest.raises(
            Refused, match=r"cannot be told: its run\.json cannot be read: JSONDecodeError: "
        ) as refused:
            look()
        assert f"delete '{folder}'" in str(refused.value.hint)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        claim(tmp_path / "file", "one", "m")


@pytest.mark.unit
def test_a_claim_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in between, it leaves nothing in the way."""
    monkeypatch.setattr("rl.training.folders.os.link", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        claim(tmp_path, "one", "m")
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    (tmp_path / f".{OWNER}.0123abcd").write_text("")  # kill -9
    claim(tmp_path, "one", "m")
    assert [path.name for path in written(tmp_path, "m")] == [f".{OWNER}.0123abcd", OWNER]


@pytest.mark.unit
def test_what_somebody_put_beside_is_not_the_run_s(tmp_path: Path) -> None:
    claim(tmp_path, "one", "m")
    for name in ("checkpoint-1", "checkpoint-1.old", "checkpoint-12", "checkpoint-best"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "trainer_state.json").write_text('{"global_step": 20}')
    (tmp_path / "README.md").write_text("mine")
    assert [path.name for path in written(tmp_path, "m")] == ["checkpoint-1", "checkpoint-12", OWNER]
    assert str(newest_checkpoint(tmp_path)) in {str(tmp_path / "checkpoint-1"), str(tmp_path / "checkpoint-12")}


def test_who_begins_a_run_that_is_being_deleted_waits(
    world: World, second_world: World, weights: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds the run gone, and begins another one in its own folder."""
    first = begun(world, weights, "going")
    seconds: list[Run] = []
    beginner = Thread(target=lambda: seconds.append(begun(second_world, weights, "going")))
    plain = deletion.delete

    def slow(path: Path) -> None:
        plain(path)
        if not beginner.is_alive():
            beginner.start()
            beginner.join(0.5)

    monkeypatch.setattr(deletion, "delete", slow)
    assert delete_run(world, "going")[1][-1].name == OWNER
    beginner.join(20)
    (second,) = seconds
    assert second.id != first.id
    with training(world, second):
        pass


@pytest.mark.parametrize("where", ["policy", "checkpoint-2", "adapter"])
def test_weights_that_an_unfinished_run_began_with_by_their_folder_stay(
    world: World, weights: Weights, tiny: Path, tmp_path: Path, where: str
) -> None:
    first = begun(world, weights, f"first-{where}")
    source = first.folder / ("policy" if where == "adapter" else where)
    shutil.copytree(tiny, source)
    if where == "adapter":
        # Laid over what that run wrote, in a folder of somebody's own.
        below, source = source, tmp_path / where
        source.mkdir()
        (source / "adapter_model.safetensors").write_text("a")
        (source / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": str(below)}))
    second = begun(world, weights_of(world, str(source)), f"second-{where}", tmp_path / "second")
    with world.database.transaction() as connection:
        with pytest.raises(Refused, match=f"the run {second.name!r} is not finished, and begins with {source}"):
            see_deletable(connection, [first.name])
        see_deletable(connection, [first.name, second.name])
        see_deletable(connection, [second.name])


def test_a_run_is_not_called_like_a_model(world: World, weights: Weights) -> None:
    """Its policy would never be found under its name."""
    for name, values in (("smollm2", ()), ("other", ("policy=smollm2",))):
        with pytest.raises(InputError, match="'smollm2' is the model that comes as a package"):
            train_sft(world, weights, sft_settings(*values), name=name)
        assert name not in [run.name for run in runs(world)]


def test_a_name_is_free_only_where_nothing_was_trained(world: World, weights: Weights, tmp_path: Path) -> None:
    """A run whose groups were deleted has checkpoints all the same: other settings do not go on from them."""
    first = begun(world, weights, "freed", rate=1)
    (first.folder / "examples.part").write_text("")
    second = begun(world, weights, "freed", tmp_path / "out", rate=2)
    assert second.id != first.id and not first.folder.exists()
    third = begun(world, weights, "freed", tmp_path / "out", rate=3)  # with the folder, too
    assert begun(world, weights, "freed", rate=3) == third  # where it is
    execute(world, "UPDATE compoworld.training_run SET step = 2 WHERE name = 'freed'")
    with pytest.raises(InputError, match="there is a run 'freed', and rate is 3 there, not 4"):
        begun(world, weights, "freed", rate=4)
    with pytest.raises(InputError, match=r"and its folder is \".*out\" there, not \".*other\""):
        begun(world, weights, "freed", tmp_path / "other", rate=3)
    assert not (tmp_path / "other").exists()


def test_a_run_that_was_begun_anew_meanwhile_is_not_trained(world: World, weights: Weights) -> None:
    first = begun(world, weights, "raced", rate=1)
    begun(world, weights, "raced", rate=2)
    with pytest.raises(Refused, match="has just ended the run 'raced', or begun it anew"), training(world, first):
        pass
    run = begun(world, weights, "raced", rate=2)
    execute(world, "UPDATE compoworld.training_run SET status = 'finished' WHERE name = 'raced'")
    with pytest.raises(Refused, match="has just ended"), training(world, run):
        pass


def test_a_checkpoint_that_was_cut_off_is_passed_over(world: World, played: StoredTask, weights: Weights) -> None:
    with pytest.raises(KeyboardInterrupt):
        train_sft(world, weights, sft_settings(), name="torn", told=interrupting("step", 3))
    run = begin(world, "sft", "torn", settings=sft_settings().model_dump(mode="json", exclude={"seed"}), seed=0,
                weights=weights)  # fmt: skip
    assert run.checkpoint is not None and run.checkpoint.name == "checkpoint-2"
    state = run.checkpoint / "trainer_state.json"
    state.write_text(state.read_text()[:50])
    (run.folder / "checkpoint-9").mkdir()
    (run.folder / "checkpoint-1.old").mkdir()
    told: list[TrainingProgress] = []
    done = train_sft(world, weights, sft_settings(), name="torn", told=told.append)
    assert [item.step for item in told if item.kind == "begun"] == [1] and done.run.step == 4
    assert newest_checkpoint(run.folder) == run.folder / "checkpoint-4"
    assert train_sft(world, weights, sft_settings(), name="untorn").policy.digest == done.policy.digest


def test_exchanged_weights_are_not_trained(world: World, weights: Weights, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(weights.source, copy)
    before = weights_of(world, str(copy))
    assert before.digest == weights.digest
    run = begun(world, before, "exchanged", rate=1)
    with (copy / "model.safetensors").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(InputError, match="are no longer those that were meant"):
        train_sft(world, before, sft_settings(), name="others")
    assert summary(world, "others").status == "failed"
    execute(world, "UPDATE compoworld.training_run SET step = 2 WHERE id = :id", id=run.id)
    with pytest.raises(InputError, match=r"and the SHA-256 of its weights is .* there, not"):
        begun(world, weights_of(world, str(copy)), "exchanged", rate=1)
