"""Building with a model, against a stand-in for its server."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from engine.errors import InputError, NotFound, Refused
from engine.world import World
from synth.agent.build import build_with_model, resume_build
from synth.agent.sitting import BuildResult
from synth.agent.store import working_on
from synth.dialogue.budget import Budget
from synth.errors import ModelUnavailable, SandboxUnavailable
from synth.models import Prices
from synth.sandbox import bubblewrap
from tests.rl.messages_api import Api, fails, says, wants
from tests.synth.agent.tally import FINISH, SPEC, TEST, write, write_all
from tests.synth.sandbox.conftest import LIMITS, left_behind

LOST = httpx2.ConnectError("no network")


def build(world: World, api: Api, budget: Budget | None = None, **more: Any) -> BuildResult:
    return build_with_model(world, SPEC, "test-model", budget, client=api.client(), limits=LIMITS, **more)


def rows(world: World, sql: str) -> list[Any]:
    with world.database.transaction() as connection:
        return [tuple(row) for row in connection.execute(text(sql))]


def told(api: Api, number: int) -> list[tuple[bool, str]]:
    """The results that a request brings to the model."""
    return [(block["is_error"], block["content"]) for block in api.sent(number) if block["type"] == "tool_result"]


def test_a_service_is_built(world: World) -> None:
    said: list[str] = []
    api = Api(says("I write it.", *write_all(), TEST), says(FINISH, cache_read_input_tokens=100))
    result = build(world, api, progress=said.append)
    assert (result.status, result.turns, result.build) == ("built", 2, 1)
    assert result.tools["add"][0] == result.tools["total"][0] == "code"
    assert set(result.files) == {"__init__.py", "state.py", "seed.py", "tools.py", "test_tally.py", "tools.json"}
    assert (result.input_tokens, result.output_tokens, result.cost_usd) == (120, 10, None)
    assert [said[0], said[5], said[6]] == ["write_file __init__.py", "run_tests", "finish"]
    assert told(api, 1)[-1] == (False, "2 passed, 0 failed")
    assert left_behind(world) == []


def test_everything_is_recorded(world: World) -> None:
    api = Api(says("I write it.", *write_all(), TEST), says(FINISH))
    build(world, api)
    kept = "builder, model, status, turns, entities, input_tokens, ended_at > started_at"
    assert rows(world, f"SELECT {kept} FROM compoworld.build") == [("model", "test-model", "built", 2, 1, 20, True)]
    assert rows(world, "SELECT name, made_as FROM compoworld.build_tool ORDER BY name") == [
        ("add", "code"),
        ("total", "code"),
    ]
    turns = rows(world, "SELECT role, stop_reason, input_tokens, content FROM compoworld.build_turn ORDER BY ordinal")
    assert [turn[:3] for turn in turns] == [
        ("system", None, None),
        ("user", None, None),
        ("assistant", "tool_use", 10),
        ("user", None, None),
        ("assistant", "tool_use", 10),
        ("user", None, None),
    ]
    assert "You write one service" in turns[0][3]["text"]
    assert turns[1][3] == [{"type": "text", "text": api.requests[0]["messages"][0]["content"][0]["text"]}]
    assert turns[2][3] == [{"type": "text", "text": "I write it."}, *write_all(), TEST]


def test_what_is_sent(world: World) -> None:
    api = Api(says(*write_all(), TEST), says(FINISH))
    build(world, api)
    first, last = api.requests
    assert first["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert [tool["name"] for tool in first["tools"]] == ["write_file", "read_file", "list_files", "run_tests", "finish"]
    assert (first["system"], first["tools"]) == (last["system"], last["tools"])
    assert [message["role"] for message in last["messages"]] == ["user", "assistant", "user"]


def test_the_specification_stays_in_its_fence(world: World) -> None:
    api = Api(says("No.", stop="refusal"))
    assert build(world, api).detail == "the model refused"
    message = api.requests[0]["messages"][0]["content"][0]["text"]
    assert message.count("</specification>") == 1
    assert message.endswith("</specification>")
    fenced = message.partition("<specification>")[2].removesuffix("</specification>")
    assert json.loads(fenced)["description"] == SPEC.description


def test_it_repairs(world: World) -> None:
    wrong = "def rows(seed):\n    return 1 / 0\n"
    api = Api(says(*write_all(seed=wrong), TEST), says(write("seed.py"), TEST, FINISH))
    assert build(world, api).status == "built"
    is_error, said = told(api, 1)[-1]
    assert is_error
    assert "ZeroDivisionError" in said
    assert "seed.py, line 2: return 1 / 0" in said.replace("tally/", "")


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("", "there are no tests"),
        ("def test_x(play):\n    assert play.ok('total') == {'total': 3}", "assert {'total': 2} == {'total': 3}"),
        ("def test_x(play):\n    while True: pass", "did not come to an end in time"),
        (
            "def test_x(play):\n    play.ok('add', amount=1)\n    play.fails('add')\n    play.ok('total')",
            "total so that",
        ),
        ("import os\nos.fork()", "PermissionError"),
    ],
)
def test_tests_that_do_not_do(world: World, tests: str, said: str) -> None:
    api = Api(says(*write_all(test_tally=tests), TEST, FINISH), says(write("test_tally.py"), TEST, FINISH))
    assert build(world, api).status == "built"
    results = told(api, 1)
    assert said in results[-2][1]
    assert results[-1][0]
    assert "not accepted" in results[-1][1]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (wants("write_file", {"path": "../x.py", "content": ""}), "no path of a file"),
        (wants("write_file", {"path": "tools.json", "content": "{}"}), "cannot be changed"),
        (wants("write_file", {"path": "x.sh", "content": ""}), "a service is made of"),
        (wants("write_file", {"path": "x.py"}), "content: Field required"),
        (wants("write_file", {"path": "x.py", "content": 1}), "content: Input should be a valid string"),
        (wants("write_file", {"path": "x.py", "content": "", "mode": 1}), "mode: Extra inputs"),
        (wants("write_file", "x"), "Input should be"),
        (wants("write_file", None), "Input should be"),
        (wants("write_file", {"path": "x.py", "content": "x" * 1_000_001}), "at most 200 files"),
        (wants("read_file", {"path": "/etc/passwd"}), "there is no file"),
        (wants("run_tests", {"files": ["../x.py"]}), "there is no file"),
        (wants("run_tests", {}), "its import"),
        (wants("bash", {"command": "ls"}), "there is no tool 'bash'"),
        (wants("finish", {}), "have not been run"),
    ],
)
def test_what_cannot_be_done_is_said(world: World, block: dict[str, Any], said: str) -> None:
    api = Api(says(block), says(*write_all(), TEST, FINISH))
    assert build(world, api).status == "built"
    ((is_error, text),) = told(api, 1)
    assert is_error
    assert said in text


def test_files_can_be_read_and_listed(world: World) -> None:
    look = [wants("read_file", {"path": "state.py"}, "r_1"), wants("list_files", {}, "l_1")]
    api = Api(says(*write_all(), *look, wants("read_file", {"path": "tools.json"}, "r_2")), says(TEST, FINISH))
    build(world, api)
    results = [text for _, text in told(api, 1)]
    assert "class Step" in results[5]
    assert "state.py  " in results[6]
    assert '"name": "add"' in results[7]


def test_tools_for_the_world_model_need_a_reason(world: World) -> None:
    init = write_all()[0]["input"]["content"].replace("seed=seed.rows", 'seed=seed.rows, simulated=("total",)')
    tools = write_all()[3]["input"]["content"].partition("@tool\ndef total")[0]
    tests = "def test_x(play):\n    play.ok('add', amount=1)\n    play.fails('add')"
    left = wants("finish", {"world_model": [{"tool": "total", "reason": "It asks the stars."}]}, "f_2")
    api = Api(says(*write_all(__init__=init, tools=tools, test_tally=tests), TEST, FINISH), says(left))
    result = build(world, api)
    assert "total stands only in `simulated`" in told(api, 1)[-1][1]
    assert result.tools["total"] == ("world_model", "It asks the stars.")
    assert ("total", "world_model", "It asks the stars.") in rows(
        world, "SELECT name, made_as, reason FROM compoworld.build_tool"
    )


def test_another_domain_is_refused(world: World) -> None:
    init = write_all()[0]["input"]["content"].replace("operations", "finance")
    api = Api(says(*write_all(__init__=init), TEST), says("No.", stop="refusal"))
    build(world, api)
    assert "the domain is 'finance' instead of 'operations'" in told(api, 1)[-1][1]


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(turns=2), "2 turns"),
        (Budget(tokens=30), "30 tokens"),
        (Budget(seconds=0.01), "0.01 s"),
        (Budget(cost_usd=0.02, prices=Prices.usual(1000, 1000)), "0.02 US dollars"),
    ],
)
def test_the_budget_ends(world: World, budget: Budget, said: str) -> None:
    result = build(world, Api(says(wants("list_files", {}))), budget)
    assert result.status == "failed"
    assert f"the budget of {said} is used up" in result.detail
    assert result.tools == {}
    assert rows(world, "SELECT status, detail FROM compoworld.build") == [("failed", result.detail)]


def test_what_is_complete_when_the_budget_ends_is_taken(world: World) -> None:
    result = build(world, Api(says(*write_all(), TEST)), Budget(turns=1))
    assert result.status == "built"
    assert result.detail == "the budget of 1 turns is used up; its tests pass"


def test_costs(world: World) -> None:
    prices = Prices(input=2, output=10, cached=1, written=4)
    api = Api(
        says(*write_all(), TEST, cache_creation_input_tokens=1_000_000),
        says(FINISH, cache_read_input_tokens=1_000_000),
    )
    result = build(world, api, Budget(prices=prices))
    assert result.cost_usd == pytest.approx(5 + 2 * (10 * 2 + 5 * 10) / 1e6)
    assert [float(row[0]) for row in rows(world, "SELECT cost_usd FROM compoworld.build")] == [
        round(result.cost_usd or 0, 6)
    ]
    cached = "SELECT cached_tokens, cache_write_tokens FROM compoworld.build_turn WHERE cost_usd > 0 ORDER BY ordinal"
    assert rows(world, cached) == [(0, 1_000_000), (1_000_000, 0)]


def test_a_price_for_what_has_none(world: World) -> None:
    with pytest.raises(InputError, match="prices of test-model are not known"):
        build(world, Api(says("x")), Budget(cost_usd=1))
    assert rows(world, "SELECT 1 FROM compoworld.build") == []


@pytest.mark.parametrize("value", [0, -1, True, float("nan"), "x"])
def test_budgets_that_are_none(value: Any) -> None:
    with pytest.raises(InputError, match="number above 0"):
        Budget(tokens=value)


def test_a_model_that_only_talks(world: World) -> None:
    api = Api(says("Well."), says(stop="end_turn"), says("Well, well."))
    result = build(world, api)
    assert (result.status, result.detail, result.turns) == ("failed", "the model stopped working", 3)
    assert "Go on with the tools" in api.sent(1)[0]["text"]
    # A message without any block is left out of what is sent.
    assert [message["role"] for message in api.requests[2]["messages"]] == ["user", "assistant", "user"]


def test_a_message_that_is_cut_off(world: World) -> None:
    api = Api(says(write("state.py", "half"), stop="max_tokens"), says(*write_all(), TEST, FINISH))
    result = build(world, api)
    assert result.status == "built"
    assert told(api, 1)[0][0]
    assert "was not done" in told(api, 1)[0][1]


def test_a_conversation_that_is_too_long(world: World) -> None:
    api = Api(fails(413, "request_too_large"))
    assert build(world, api).detail == "the conversation no longer fits the model"


@pytest.mark.parametrize("after", [0, 1, 2])
def test_an_interrupted_build_goes_on(world: World, after: int) -> None:
    answers = [says(*write_all(tools="x = 1")), says(write("tools.py"), TEST), says(FINISH)]
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        build(world, Api(*answers[:after], LOST))
    assert rows(world, "SELECT status, turns FROM compoworld.build") == [("running", after)]
    assert "resume build 1" in rows(world, "SELECT detail FROM compoworld.build")[0][0]
    api = Api(*answers[after:])
    result = resume_build(world, 1, client=api.client(), limits=LIMITS)
    # The run of tests is not remembered: after it the model is asked for another.
    if after == 2:
        assert told(api, 1) == [(True, "not accepted: the tests have not been run since the last change")]
        return
    assert (result.status, result.turns) == ("built", 3)
    whole = Api(*answers)
    build(world, whole)
    assert api.requests == whole.requests[after:]


def test_an_interruption_while_tools_are_used(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        build(world, Api(says(*write_all()), says(TEST), LOST))
    with world.database.transaction() as connection:
        connection.execute(text("DELETE FROM compoworld.build_turn WHERE ordinal = 6"))
    api = Api(says(FINISH))
    result = resume_build(world, 1, client=api.client(), limits=LIMITS)
    assert told(api, 0) == [(False, "2 passed, 0 failed")]
    assert result.status == "built"


def test_what_has_ended_is_told_again(world: World) -> None:
    first = build(world, Api(says(*write_all(), TEST, FINISH)))
    again = resume_build(world, first.build)
    assert (again.status, again.files, again.tools) == (first.status, first.files, first.tools)
    assert (again.detail, again.turns, again.input_tokens) == (first.detail, first.turns, first.input_tokens)


def test_what_was_spent_before_counts(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        build(world, Api(says(*write_all()), LOST))
    api = Api(says(TEST))
    result = resume_build(world, 1, Budget(turns=2), client=api.client(), limits=LIMITS)
    assert (result.status, result.turns, len(api.requests)) == ("built", 2, 1)


def test_a_build_of_another_specification(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        build(world, Api(LOST))
    with world.database.transaction() as connection:
        connection.execute(text("UPDATE compoworld.spec SET digest = 'other'"))
    with pytest.raises(Refused, match="has changed since"):
        resume_build(world, 1, client=Api(LOST).client())


def test_builds_that_are_none(world: World) -> None:
    with pytest.raises(NotFound, match="there is no build 9"):
        resume_build(world, 9)


def test_two_at_one_build(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        build(world, Api(LOST))
    with working_on(world.database, 1), pytest.raises(Refused, match="another process works on build 1"):
        resume_build(world, 1, client=Api(LOST).client())


def test_without_a_sandbox_the_model_is_not_asked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_problem", lambda: ("there is no bwrap", "install it"))
    api = Api(says("x"))
    with pytest.raises(SandboxUnavailable, match="there is no bwrap"):
        build(world, api)
    assert api.requests == []


def test_text_that_cannot_be_stored(world: World) -> None:
    api = Api(says("\x00", write("state.py", "\x00"), TEST), says("No.", stop="refusal"))
    assert build(world, api).status == "failed"
    said = rows(world, "SELECT content::text FROM compoworld.build_turn WHERE role = 'assistant' ORDER BY ordinal")
    assert "\\0" in said[0][0]
