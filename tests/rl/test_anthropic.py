"""The agent behind the Messages API, against a stand-in for the server."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from engine.errors import InputError
from engine.world import World
from rl import Limits, RolloutReport, make_agent, run_group
from rl.agents.anthropic import AnthropicAgent
from synth.models import DEFAULT_MODEL, make_client
from tasks.store import StoredTask
from tests.rl.messages_api import Api, calls, fails, says, wants


def play(world: World, toy: StoredTask, api: Api, *, limits: Limits | None = None, **options: Any) -> RolloutReport:
    report = run_group(world, toy, api.agent(**options), size=1, limits=limits)
    assert report.finished
    assert report.model == "test-model"
    return report.rollouts[0]


def messages(world: World, rollout: RolloutReport) -> list[Any]:
    with world.database.transaction() as connection:
        return list(
            connection.execute(
                text("SELECT * FROM compoworld.message WHERE rollout_id = :r ORDER BY ordinal"),
                {"r": rollout.id},
            )
        )


def test_a_conversation(world: World, toy: StoredTask) -> None:
    api = Api(
        says("Let me look.", wants("list_services", {})),
        says(calls("notes", "find_notes", "toolu_2", text="femke"), cache_read_input_tokens=100),
        says("Two parcels.", cache_creation_input_tokens=7),
    )
    rollout = play(world, toy, api)
    assert (rollout.status, rollout.stop_reason, rollout.answer) == ("finished", "answered", "Two parcels.")
    assert (rollout.steps, rollout.calls) == (2, 1)
    assert (rollout.input_tokens, rollout.output_tokens, rollout.cached_tokens) == (137, 15, 100)
    rows = messages(world, rollout)
    assert [row.role for row in rows] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    assert [(row.input_tokens, row.cached_tokens, row.cache_write_tokens) for row in rows if row.input_tokens] == [
        (10, 0, 0),
        (110, 100, 0),
        (17, 0, 7),
    ]
    assert [row.seq for row in rows] == [None, None, None, None, None, 1, None]
    assert rows[4].stop_reason == "tool_use"
    # Each request is the one before, the model's message, and the results: nothing else.
    assert [len(item["messages"]) for item in api.requests] == [1, 3, 5]
    found = json.loads(api.sent(2)[0]["content"])
    assert found["data"]["items"][0]["id"] == "note_1"


def test_what_is_sent(world: World, toy: StoredTask) -> None:
    api = Api(says("Yes."))
    play(world, toy, api, max_tokens=77)
    request = api.requests[0]
    assert request["model"] == "test-model"
    assert request["max_tokens"] == 77
    assert not request.keys() & {"temperature", "top_p", "stream"}
    assert [tool["name"] for tool in request["tools"]] == [
        "list_services",
        "list_tools",
        "describe_tool",
        "call_tool",
    ]
    assert "Mara Lindqvist" in request["system"][0]["text"]
    assert "Monday 2 March 2026, 09:00 UTC" in request["system"][0]["text"]
    assert request["messages"][0]["content"][0]["text"] == toy.task.instruction


def test_the_stable_prefix_is_cached(world: World, toy: StoredTask) -> None:
    api = Api(says(wants("list_services", {})), says(wants("list_services", {}, "toolu_2")), says("Done."))
    play(world, toy, api)

    def marks(request: dict[str, Any]) -> list[bool]:
        return ["cache_control" in block for message in request["messages"] for block in message["content"]]

    for request in api.requests:
        assert ["cache_control" in block for block in request["system"]] == [True]
        assert ["cache_control" in tool for tool in request["tools"]] == [False, False, False, True]
        found = marks(request)
        assert found[-1]
        assert not any(found[:-1])
    first, last = api.requests[0], api.requests[-1]
    assert (first["system"], first["tools"]) == (last["system"], last["tools"])


def test_parallel_calls(world: World, toy: StoredTask) -> None:
    api = Api(
        says(
            calls("notes", "add_note", "toolu_a", title="one"),
            calls("notes", "nonsense", "toolu_b"),
            calls("notes", "add_note", "toolu_c", title="two"),
        ),
        says("Done."),
    )
    rollout = play(world, toy, api)
    sent = api.sent(1)
    assert [block["tool_use_id"] for block in sent] == ["toolu_a", "toolu_b", "toolu_c"]
    assert [block["is_error"] for block in sent] == [False, True, False]
    events = world.branch(rollout.branch or 0).events()
    assert [(event.tool, event.outcome) for event in events] == [
        ("add_note", "ok"),
        ("nonsense", "unknown"),
        ("add_note", "ok"),
    ]


@pytest.mark.parametrize(
    "block",
    [
        wants("call_tool", {}),
        wants("call_tool", {"service": "notes", "tool": "add_note", "arguments": "title=x"}),
        wants("call_tool", {"service": 1, "tool": None}),
        wants("call_tool", '{"service": "notes"'),
        wants("call_tool", None),
        wants("call_tool", ["notes"]),
        wants("describe_tool", {"service": "lost", "tool": "x"}),
        wants("fly", {"to": "the moon"}),
    ],
)
def test_malformed_input_comes_back_as_an_observation(world: World, toy: StoredTask, block: Any) -> None:
    api = Api(says(block), says("I give up."))
    rollout = play(world, toy, api)
    assert (rollout.status, rollout.stop_reason) == ("finished", "answered")
    result = api.sent(1)[0]
    assert result["is_error"]
    assert json.loads(result["content"])["error"]["message"]
    # What is sent back is in the form that the API takes.
    assert isinstance(api.requests[1]["messages"][1]["content"][0]["input"], dict)


def test_long_observations_are_cut_with_a_note(world: World, toy: StoredTask) -> None:
    body = "long " * 2000
    api = Api(says(calls("notes", "add_note", title="x", body=body)), says("Done."))
    rollout = play(world, toy, api, max_observation=500)
    shown = api.sent(1)[0]["content"]
    assert len(shown) < 700
    assert "[Cut here: 500 of " in shown
    assert messages(world, rollout)[3].content["content"] == shown
    # The event holds all of it.
    assert world.branch(rollout.branch or 0).events()[0].observation["data"]["body"] == body


def test_a_message_that_is_cut_off_goes_on(world: World, toy: StoredTask) -> None:
    api = Api(says("There are", stop="max_tokens"), says("two parcels."))
    rollout = play(world, toy, api)
    assert (rollout.stop_reason, rollout.answer) == ("answered", "There are\ntwo parcels.")
    assert "cut off" in api.sent(1)[0]["text"]


def test_a_call_that_is_cut_off_is_not_made(world: World, toy: StoredTask) -> None:
    api = Api(says("Hm.", calls("notes", "add_note", title="hal"), stop="max_tokens"), says("Done."))
    rollout = play(world, toy, api)
    assert rollout.calls == 0
    assert "was not made" in api.sent(1)[0]["content"]


def test_cut_off_again_and_again(world: World, toy: StoredTask) -> None:
    api = Api(says("and on", stop="max_tokens"))
    rollout = play(world, toy, api)
    assert (rollout.status, rollout.stop_reason) == ("finished", "cut_off")
    assert len(api.requests) == 3
    assert rollout.reward is not None


def test_a_refusal_is_data(world: World, toy: StoredTask) -> None:
    rollout = play(world, toy, Api(says("I would rather not.", stop="refusal")))
    assert (rollout.status, rollout.stop_reason, rollout.answer) == (
        "finished",
        "refused",
        "I would rather not.",
    )
    assert len(rollout.checks) == 5


def test_a_refusal_without_a_word(world: World, toy: StoredTask) -> None:
    assert play(world, toy, Api(says(stop="refusal"))).stop_reason == "refused"


@pytest.mark.parametrize(
    "answer",
    [
        says("half", stop="model_context_window_exceeded"),
        fails(400, "invalid_request_error", "prompt is too long: 200001 tokens > 200000 maximum"),
        fails(413, "request_too_large", "Request exceeds the maximum size"),
    ],
)
def test_a_full_context_is_data(world: World, toy: StoredTask, answer: httpx2.Response) -> None:
    rollout = play(world, toy, Api(answer))
    assert (rollout.status, rollout.stop_reason) == ("finished", "context_full")


def test_a_paused_turn_goes_on(world: World, toy: StoredTask) -> None:
    api = Api(says("Thinking.", stop="pause_turn"), says("Done."))
    assert play(world, toy, api).stop_reason == "answered"
    assert api.requests[1]["messages"][-1]["role"] == "assistant"


def test_an_empty_end(world: World, toy: StoredTask) -> None:
    rollout = play(world, toy, Api(says()))
    assert (rollout.stop_reason, rollout.answer) == ("silent", None)


def test_thinking_is_sent_back(world: World, toy: StoredTask) -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "sig"}
    api = Api(says(thought, wants("list_services", {})), says("Done."))
    play(world, toy, api)
    assert api.requests[1]["messages"][1]["content"][0] == thought


def test_a_busy_server_is_asked_again(world: World, toy: StoredTask) -> None:
    busy = [
        fails(429, "rate_limit_error", retry_after="0.01"),
        fails(529, "overloaded_error", retry_after="0.01"),
    ]
    api = Api(*busy, says("Done."))
    rollout = play(world, toy, api, retries=3)
    assert (rollout.status, rollout.attempts) == ("finished", 1)
    assert len(api.requests) == 3


@pytest.mark.parametrize(
    "answer",
    [
        fails(429, "rate_limit_error", "slow down"),
        fails(500),
        fails(529, "overloaded_error"),
        httpx2.ConnectError("refused"),
        httpx2.ReadTimeout("nothing came"),
        httpx2.Response(200, text="<html>not the API</html>"),
    ],
)
def test_a_model_that_is_down_is_never_scored(world: World, toy: StoredTask, answer: Any) -> None:
    api = Api(answer)
    rollout = play(world, toy, api)
    assert (rollout.status, rollout.stop_reason, rollout.attempts) == ("failed", "infrastructure", 3)
    assert rollout.reward is None
    assert rollout.checks == []
    assert len(api.requests) == 3


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (fails(401, "authentication_error", "invalid x-api-key"), "ANTHROPIC_API_KEY"),
        (fails(404, "not_found_error", "model: test-model"), "model's name"),
        (fails(400, "invalid_request_error", "max_tokens: too large"), "max_tokens: too large"),
    ],
)
def test_a_wrong_set_up_is_not_tried_again(world: World, toy: StoredTask, answer: httpx2.Response, words: str) -> None:
    api = Api(answer)
    rollout = play(world, toy, api, retries=2)
    assert (rollout.status, rollout.attempts, len(api.requests)) == ("failed", 1, 1)
    assert words in (rollout.error or "")


def test_a_wait_that_is_too_long_is_not_waited(world: World, toy: StoredTask) -> None:
    api = Api(fails(429, "rate_limit_error", retry_after="3600"))
    start = time.monotonic()
    assert play(world, toy, api, retries=5).status == "failed"
    assert time.monotonic() - start < 5
    assert len(api.requests) == 3


def test_a_failure_in_the_middle_begins_again(world: World, toy: StoredTask) -> None:
    api = Api(says(calls("notes", "add_note", title="lost")), fails(500), says("Done."))
    rollout = play(world, toy, api)
    assert (rollout.status, rollout.attempts, rollout.calls) == ("finished", 2, 0)
    assert len(api.requests[2]["messages"]) == 1


def test_the_limit_of_tokens(world: World, toy: StoredTask) -> None:
    api = Api(says(wants("list_services", {}), input_tokens=600))
    rollout = play(world, toy, api, limits=Limits(tokens=1500))
    assert (rollout.stop_reason, len(api.requests)) == ("tokens", 3)


def test_the_limit_of_steps_in_parallel_calls(world: World, toy: StoredTask) -> None:
    many = [calls("notes", "add_note", f"toolu_{n}", title=str(n)) for n in range(5)]
    rollout = play(world, toy, Api(says(*many)), limits=Limits(steps=3))
    assert (rollout.stop_reason, rollout.calls) == ("steps", 3)


def test_the_limit_of_seconds_while_the_model_writes(world: World, toy: StoredTask) -> None:
    timeouts = []

    def late(request: httpx2.Request) -> httpx2.Response:
        timeouts.append(request.extensions["timeout"]["read"])
        if len(timeouts) == 1:
            return says(wants("list_services", {}))
        time.sleep(0.5)
        raise httpx2.ReadTimeout("too slow", request=request)

    agent = AnthropicAgent("slow", client=make_client(httpx2.MockTransport(late), api_key="x", max_retries=0))
    report = run_group(world, toy, agent, size=1, limits=Limits(seconds=0.4))
    assert (report.rollouts[0].status, report.rollouts[0].stop_reason) == ("finished", "seconds")
    assert all(0 < value <= 0.4 for value in timeouts)


def test_a_group_shares_one_client(world: World, toy: StoredTask) -> None:
    api = Api(says("Two."))
    report = run_group(world, toy, api.agent(), size=8)
    assert [item.answer for item in report.rollouts] == ["Two."] * 8


def test_options_make_the_same_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/here")
    monkeypatch.delenv("ANTHROPIC_MODEL", raising=False)
    agent = make_agent("anthropic", max_tokens=99)
    assert isinstance(agent, AnthropicAgent)
    assert agent.model == DEFAULT_MODEL
    assert str(agent._client.base_url).startswith("http://127.0.0.1:9/here")
    assert make_agent("anthropic", **agent.options()).options() == agent.options()
    monkeypatch.setenv("ANTHROPIC_MODEL", "from-the-environment")
    assert make_agent("anthropic").model == "from-the-environment"


def test_without_a_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(InputError, match="ANTHROPIC_API_KEY"):
        make_agent("anthropic")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_tokens": 0}, "max_tokens is a whole number above 0, not 0"),
        ({"max_tokens": 0.5}, "max_tokens is a whole number above 0, not 0.5"),
        ({"max_observation": -1}, "max_observation is a whole number above 0, not -1"),
        ({"request_seconds": "1"}, "request_seconds is a number above 0, not '1'"),
        ({"model": 4}, "model is a text, not 4"),
        ({"client": "c"}, "client is one of the package anthropic, not 'c'"),
        ({"max_token": 9}, r"has no option 'max_token'; it has model, .*request_seconds \(did you mean max_tokens\?\)"),
    ],
)
def test_wrong_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=f"^agent anthropic.*{said}"):
        make_agent("anthropic", **options)
