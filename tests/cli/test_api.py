"""The Python API, as the README shows it."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import compoworld


def readme(url: str) -> compoworld.GroupReport:
    # The README's example, line for line.
    world = compoworld.open(url)
    office = world.compose("mail", "calendar", "chat")
    branch = office.snapshot().fork()
    sent = branch.call("chat", "post_message", channel_id="chn_general", text="Lunch at one?")
    print(sent.data["id"], branch.events()[-1].changes)
    earlier = branch.fork(at=0)
    print(earlier.state()["chat_message"].keys(), branch.diff(0))
    assert branch.replay().same
    group = world.rollout("settle-brightwater-dispute", agent="noisy", n=4)
    print([rollout.reward for rollout in group.rollouts])
    print(world.verify(group.rollouts[0].branch, "settle-brightwater-dispute"))
    world.close()
    return group


@pytest.mark.integration
def test_the_readme(database_url: str) -> None:
    group = readme(database_url)
    assert group.finished and len(group.rollouts) == 4
    code = [line for line in inspect.getsource(readme).splitlines()[2:] if line.strip()]
    assert len(code) <= 15


@pytest.mark.integration
def test_tasks_by_name_file_number_and_object(database_url: str) -> None:
    with compoworld.open(database_url) as world:
        stored = world.task("settle-brightwater-dispute")
        assert world.task(stored.id).id == world.task(stored.task).id == stored.id
        with pytest.raises(compoworld.InputError, match="no such task"):
            world.task("none")
        with pytest.raises(compoworld.InputError, match="steps, tokens and seconds"):
            world.rollout(stored, n=1, limits={"stepps": 1})
        with pytest.raises(compoworld.InputError, match="no agent"):
            world.rollout(stored, "nobody", n=1)
        with pytest.raises(compoworld.InputError, match="1 to"):
            world.rollout(stored, n=0)


@pytest.mark.unit
def test_a_wrong_url() -> None:
    with pytest.raises(compoworld.InputError, match="postgresql://"):
        compoworld.open("sqlite://")
    with pytest.raises(compoworld.DatabaseUnavailable):
        compoworld.open("postgresql://nobody@127.0.0.1:1/none")


@pytest.mark.unit
def test_the_surface_is_curated_and_lazy() -> None:
    for name in compoworld.__all__:
        assert getattr(compoworld, name) is not None
    assert set(compoworld.__all__) <= set(dir(compoworld))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        compoworld.nothing  # noqa: B018
    code = "import compoworld, sys; assert not {'engine', 'sqlalchemy', 'typer'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
