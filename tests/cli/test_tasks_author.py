"""``compoworld tasks author``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.world import World
from tasks import named, put
from tasks.modelled import AuthorResult, Commission
from tests.cli.conftest import Program
from tests.rl.messages_api import Api, says, wants

WALK = "tickets,inventory,tickets,inventory,tickets,inventory,tickets"
GIVE_UP = says(wants("give_up", {"reason": "Nothing comes to mind."}))


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets what the model answers; gives the stand-in of its server."""

    def to(*said: Any) -> Api:
        api = Api(*said)
        monkeypatch.setattr("tasks.modelled.author.make_client", api.client)
        return api

    return to


def test_a_model_that_gives_up(cw: Program, answers: Any) -> None:
    api = answers(GIVE_UP)
    found = cw.json("tasks", "author", "--walk", WALK, "--distractors", "mail, docs", "--model", "some-model", code=1)
    assert (found["status"], found["phase"], found["task"], found["turns"]) == ("failed", "explore", None, 1)
    assert found["detail"] == "the author gave up: Nothing comes to mind."
    assert api.requests[0]["model"] == "some-model"
    told = api.requests[0]["messages"][0]["content"][0]["text"]
    assert told.startswith("Write a task over the services tickets, inventory.\n")
    again = cw("tasks", "author", "--resume", str(found["run"]))
    assert again.code == 1
    assert f"run {found['run']}: failed in explore" in again.out and "gave up" in again.out


def test_a_budget_that_ends_and_is_raised(cw: Program, answers: Any) -> None:
    look = says(wants("tables", {"service": "tickets"}))
    answers(look)
    said = cw("tasks", "author", "--walk", WALK, "--turns", "1", "--model", "some-model")
    assert said.code == 1
    assert "the budget of 1 turns is used up" in said.out
    number = said.err.rpartition("--resume ")[2].split(",")[0]
    assert "walk: tickets → inventory" in said.err
    answers(GIVE_UP)
    found = cw.json("tasks", "author", "--resume", number, code=1)
    assert (found["run"], found["status"], found["turns"]) == (int(number), "failed", 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--walk", "tickets,inventory"), "7 to 12 visits"),
        (("--walk", WALK, "--services", "tickets"), "not the services given"),
        (("--walk", WALK.replace("inventory", "nothing")), "there is no service 'nothing'"),
        (("--services", "nothing,mail"), "nothing"),
        (("--walk", WALK, "--dollars", "-1"), "above 0"),
        (("--walk", WALK, "--dollars", "1", "--model", "some-model"), "prices of some-model are not known"),
        (("--walk", WALK, "--turns", "0"), "a number of turns"),
        (("--resume", "999999"), "there is no run 999999"),
        (("--resume", "1", "--model", "other"), "its own services, walk and model"),
    ],
)
def test_what_is_refused(cw: Program, answers: Any, arguments: tuple[str, ...], said: str) -> None:
    answers(GIVE_UP)
    assert said in cw.refused("tasks", "author", *arguments)


def test_an_interruption_says_how_to_go_on(cw: Program, answers: Any) -> None:
    def interrupted(_: Any) -> Any:
        raise KeyboardInterrupt

    answers(interrupted)
    said = cw("tasks", "author", "--walk", WALK, "--model", "some-model")
    number = said.err.partition("run ")[2].partition("\n")[0]
    assert said.code == 130
    assert said.err.endswith(f"interrupted; go on with: compoworld tasks author --resume {number}\n")
    answers(GIVE_UP)
    assert cw.json("tasks", "author", "--resume", number, code=1)["turns"] == 1


def test_without_a_key(cw: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cw.refused("tasks", "author", "--walk", WALK) == (
        "error: there is no key for the Anthropic API (set ANTHROPIC_API_KEY)\n"
    )
    # What is wrong beside that is said first.
    for arguments, said in (
        (("--walk", WALK, "--dollars", "1", "--model", "some-model"), "prices of some-model are not known"),
        (("--services", "nothing,mail"), "there is no service 'nothing'"),
        (("--distractors", "mial"), "there is no service 'mial' (did you mean mail"),
        (("--walk", WALK, "--distractors", "mial"), "there is no service 'mial'"),
        (("--services", "mail"), "two services or more"),
        (("--resume", "999999"), "there is no run 999999"),
    ):
        assert said in cw.refused("tasks", "author", *arguments), arguments


def test_an_admitted_task(cw: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def authored(world: World, commission: Commission, *_: object, **more: object) -> AuthorResult:
        task = put(world, named("settle-brightwater-dispute"))
        assert commission == Commission(("tickets", "inventory"), tuple(WALK.split(",")), ("mail",))
        return AuthorResult(7, "admitted", "admitted", "submit", 2, task.id, 9, 800_000, 90_000, 1.5, 300.0)

    monkeypatch.setattr("tasks.modelled.author_task", authored)
    text = cw.text("tasks", "author", "--walk", WALK, "--distractors", "mail")
    assert "Elena has told me in our chat" in text
    assert "run 7: admitted as task" in text and "9 turns, 890,000 tokens, USD 1.50, 300 s" in text
