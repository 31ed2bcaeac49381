"""Groups of rollouts: what is stored, limits, crashes, failures of the infrastructure."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from sqlalchemy import text

from compoworld.retention import Named, survey, sweep
from engine.errors import InfrastructureError, InputError, NotFound
from engine.world import World
from rl import (
    GroupReport,
    Limits,
    ModelUnavailable,
    Progress,
    create_group,
    group_report,
    groups,
    make_agent,
    resume,
    rewards_of,
    run_group,
)
from rl.agents import Ending, NoisyAgent, ReferenceAgent
from rl.episode import Episode
from rl.messages import Message
from tasks.store import StoredTask, put
from tests.rl.agents import Scripted, begin, call_of, end, reference, use


def sql(world: World, statement: str, **values: Any) -> list[Any]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(statement), values).all())


def only(report: GroupReport) -> Any:
    assert len(report.rollouts) == 1
    return report.rollouts[0]


def test_the_reference_solution(world: World, toy: StoredTask) -> None:
    report = run_group(world, toy, ReferenceAgent(), size=4)
    assert report.finished
    assert (report.task, report.agent, report.size) == ("toy", "reference", 4)
    assert [item.ordinal for item in report.rollouts] == [1, 2, 3, 4]
    assert len({item.branch for item in report.rollouts}) == 4
    for item in report.rollouts:
        assert (item.status, item.stop_reason, item.success, item.attempts) == (
            "finished",
            "answered",
            True,
            1,
        )
        assert item.steps == item.calls == len(toy.task.reference.calls)
        assert [check.criterion for check in item.checks] == [c.name for c in toy.criteria]
        assert item.reward is not None
        assert item.reward.completion_focused == item.reward.binary == item.reward.uniform == 1
    assert [item.pass_rate for item in report.criteria] == [1.0] * 5


def test_messages_are_stored_and_linked_to_events(world: World, toy: StoredTask) -> None:
    rollout = only(run_group(world, toy, ReferenceAgent(), size=1))
    rows = sql(world, "SELECT * FROM compoworld.message WHERE rollout_id = :r ORDER BY ordinal", r=rollout.id)
    calls = len(toy.task.reference.calls)
    assert [row.ordinal for row in rows] == list(range(1, len(rows) + 1))
    assert [row.role for row in rows] == ["system", "user", *["assistant", "tool"] * calls, "assistant"]
    assert rows[1].content == toy.task.instruction
    events = world.branch(rollout.branch).events()
    tools = [row for row in rows if row.role == "tool"]
    assert [row.seq for row in tools] == [event.seq for event in events]
    asked = [row.content[0] for row in rows if row.role == "assistant"][:-1]
    assert [item["input"]["tool"] for item in asked] == [event.tool for event in events]
    assert [row.content["tool_use_id"] for row in tools] == [item["id"] for item in asked]
    assert rows[-1].content[0]["text"] == rollout.answer
    stamps = [row.created_at for row in rows]
    assert stamps == sorted(stamps)


def test_noisy_rollouts_differ_and_are_the_same_again(world: World, toy: StoredTask) -> None:
    def calls(seed: int) -> list[list[Any]]:
        report = run_group(world, toy, NoisyAgent(rate=0.3), size=6, seed=seed)
        assert report.finished
        assert all(item.stop_reason in ("answered", "silent") for item in report.rollouts)
        return [
            [(event.tool, event.arguments) for event in world.branch(item.branch or 0).events()]
            for item in report.rollouts
        ]

    first = calls(5)
    assert first == calls(5)
    assert first != calls(6)
    assert len({str(item) for item in first}) > 2


def test_noise_makes_partial_success(world: World, toy: StoredTask) -> None:
    report = run_group(world, toy, make_agent("noisy", rate=0.4), size=12, seed=1)
    rewards = [item.reward.completion_focused for item in report.rollouts if item.reward]
    assert len(rewards) == 12
    assert len(set(rewards)) > 2
    for item in report.rollouts:
        assert item.reward is not None
        assert item.success == (item.reward.completion_focused == 1) == all(check.passed for check in item.checks)


def test_without_noise_it_is_the_reference_solution(world: World, toy: StoredTask) -> None:
    assert only(run_group(world, toy, NoisyAgent(rate=0), size=1)).success


@pytest.mark.parametrize("rate", [-0.1, 1.1, True, "0.5", None])
def test_wrong_rates(rate: Any) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        make_agent("noisy", rate=rate)


def test_unknown_agents_and_options() -> None:
    with pytest.raises(InputError, match="anthropic, noisy, reference"):
        make_agent("oracle")
    with pytest.raises(InputError, match=r"no agent 'nosy' \(did you mean noisy\?\)"):
        make_agent("nosy")
    with pytest.raises(InputError, match=r"^agent reference has no option 'speed'; it has none$"):
        make_agent("reference", speed=2)
    with pytest.raises(InputError, match=r"^agent noisy has no option 'rates'; it has rate \(did you mean rate\?\)$"):
        make_agent("noisy", rates=0.5)
    with pytest.raises(InputError, match="agent noisy: rate is a number between 0 and 1, not 'high'"):
        make_agent("noisy", rate="high")


def test_limit_of_steps(world: World, toy: StoredTask) -> None:
    rollout = only(run_group(world, toy, ReferenceAgent(), size=1, limits=Limits(steps=3)))
    assert (rollout.status, rollout.stop_reason, rollout.steps, rollout.calls) == ("finished", "steps", 3, 3)
    assert rollout.answer is None
    assert rollout.reward is not None
    assert not rollout.success


def test_limit_of_tokens(world: World, toy: StoredTask) -> None:
    from rl.messages import Usage, text_block

    def run(episode: Episode, _: int) -> Ending:
        begin(episode)
        while True:
            usage = Usage(input=30, output=10, cached=5)
            episode.record(Message("assistant", [text_block("still here")], usage=usage))

    rollout = only(run_group(world, toy, Scripted(run), size=1, limits=Limits(tokens=100)))
    assert (rollout.stop_reason, rollout.input_tokens, rollout.output_tokens) == ("tokens", 90, 30)
    assert rollout.cached_tokens == 15
    assert len(sql(world, "SELECT 1 FROM compoworld.message WHERE rollout_id = :r", r=rollout.id)) == 5


def test_limit_of_seconds(world: World, toy: StoredTask) -> None:
    def run(episode: Episode, _: int) -> Ending:
        while True:
            use(episode, "list_services", {})
            time.sleep(0.05)

    rollout = only(run_group(world, toy, Scripted(run), size=1, limits=Limits(seconds=0.4)))
    assert (rollout.status, rollout.stop_reason) == ("finished", "seconds")
    assert rollout.seconds < 3


def test_an_agent_that_hangs_is_left_behind(world: World, toy: StoredTask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rl.rollouts.GRACE_SECONDS", 0.2)
    late: list[Exception] = []
    done = threading.Event()

    def run(episode: Episode, _: int) -> Ending:
        use(episode, "call_tool", call_of("notes", "add_note", {"title": "kept"}))
        try:
            time.sleep(1.0)
            episode.run("call_tool", call_of("notes", "add_note", {"title": "too late"}))
        except Exception as error:
            late.append(error)
        done.set()
        raise RuntimeError

    rollout = only(run_group(world, toy, Scripted(run), size=1, limits=Limits(seconds=0.2)))
    assert (rollout.stop_reason, rollout.calls) == ("seconds", 1)
    done.wait(3)
    assert world.branch(rollout.branch).head() == 1


def test_a_crash_is_data(world: World, toy: StoredTask) -> None:
    def run(episode: Episode, _: int) -> Ending:
        if episode.seed % 2:
            use(episode, "call_tool", call_of("notes", "add_note", {"title": "before the crash"}))
            raise ZeroDivisionError("the agent's own fault")
        return reference(episode)

    report = run_group(world, toy, Scripted(run), size=8)
    assert report.finished
    crashed = [item for item in report.rollouts if item.stop_reason == "crashed"]
    assert 0 < len(crashed) < 8
    for item in crashed:
        assert (item.status, item.attempts, item.calls) == ("finished", 1, 1)
        assert "ZeroDivisionError: the agent's own fault" in (item.error or "")
        assert len(item.checks) == 5
        assert item.reward is not None
    assert all(item.success for item in report.rollouts if item not in crashed)


@pytest.mark.parametrize("given", [None, "an answer", 3])
def test_an_agent_that_gives_no_ending(world: World, toy: StoredTask, given: Any) -> None:
    rollout = only(run_group(world, toy, Scripted(lambda episode, _: given), size=1))
    assert rollout.stop_reason == "crashed"
    assert "instead of an Ending" in rollout.error


def test_a_broken_tool_fails_the_rollout_and_only_that(world: World, toy: StoredTask) -> None:
    def run(episode: Episode, _: int) -> Ending:
        if episode.seed % 2:
            use(episode, "call_tool", call_of("notes", "break_down", {}))
        return reference(episode)

    report = run_group(world, toy, Scripted(run), size=8)
    failed = [item for item in report.rollouts if item.status == "failed"]
    assert 0 < len(failed) < 8
    assert report.finished
    for item in failed:
        assert (item.stop_reason, item.attempts) == ("infrastructure", 3)
        assert "the toy is broken" in (item.error or "")
        assert item.checks == []
        assert item.reward is None
    assert len(rewards_of(world, report.id)) == 8 - len(failed)
    assert {item.rollouts for item in report.criteria} == {8 - len(failed)}


def test_a_fault_that_the_agent_hides_counts(world: World, toy: StoredTask) -> None:
    def run(episode: Episode, _: int) -> Ending:
        try:
            use(episode, "call_tool", call_of("notes", "break_down", {}))
        except Exception:
            pass
        return Ending("answered", "all is well")

    assert only(run_group(world, toy, Scripted(run), size=1)).status == "failed"


@pytest.mark.parametrize("error", [ModelUnavailable("overloaded"), InfrastructureError("a hiccup")])
def test_a_passing_failure_is_tried_again_on_a_fresh_fork(world: World, toy: StoredTask, error: Exception) -> None:
    def run(episode: Episode, time_: int) -> Ending:
        if time_ == 1:
            use(episode, "call_tool", call_of("notes", "add_note", {"title": "lost"}))
            raise error
        return reference(episode)

    seen: list[Progress] = []
    rollout = only(run_group(world, toy, Scripted(run), size=1, progress=seen.append))
    assert (rollout.status, rollout.attempts, rollout.success) == ("finished", 2, True)
    assert rollout.calls == len(toy.task.reference.calls)
    assert rollout.error is None
    kinds = [item.kind for item in seen if item.kind != "step"]
    assert kinds == ["started", "retrying", "started", "finished"]
    # Nothing is left of the first attempt.
    rows = sql(world, "SELECT role FROM compoworld.message WHERE rollout_id = :r ORDER BY ordinal", r=rollout.id)
    assert [row.role for row in rows[:2]] == ["system", "user"]
    label = f"rollout {rollout.id}"
    assert len(sql(world, "SELECT 1 FROM compoworld.branch WHERE label = :label", label=label)) == 1


def test_a_wrong_key_is_not_tried_again(world: World, toy: StoredTask) -> None:
    def run(episode: Episode, _: int) -> Ending:
        raise ModelUnavailable("401", "set a key", again=False)

    rollout = only(run_group(world, toy, Scripted(run), size=1))
    assert (rollout.status, rollout.attempts, rollout.error) == ("failed", 1, "401 (set a key)")


def test_failed_rollouts_can_be_run_again(world: World, toy: StoredTask) -> None:
    well = threading.Event()

    def run(episode: Episode, _: int) -> Ending:
        if not well.is_set() and episode.seed % 2:
            raise ModelUnavailable("down")
        return reference(episode)

    agent = Scripted(run)
    before = run_group(world, toy, agent, size=6)
    failed = {item.id for item in before.rollouts if item.status == "failed"}
    assert failed
    assert resume(world, before.id, agent=agent).rollouts == before.rollouts
    well.set()
    after = resume(world, before.id, agent=agent, retry_failed=True)
    assert after.finished
    assert all(item.success for item in after.rollouts)
    assert {item.id for item in after.rollouts if item.attempts > 1} == failed


def test_texts_that_postgres_cannot_hold(world: World, toy: StoredTask) -> None:
    def run(episode: Episode, _: int) -> Ending:
        begin(episode)
        use(episode, "call_tool", call_of("notes", "add_note", {"title": "nul\x00 \ud800"}))
        use(episode, "call_tool", {"service": "no\x00tes", "tool": "x", "arguments": {"a\x00": float("nan")}})
        episode.record(Message("assistant", [{"type": "text", "text": "\x00\udfff"}]))
        return end(episode, "done \x00 \ud800 žluť 🧵")

    rollout = only(run_group(world, toy, Scripted(run), size=1))
    assert (rollout.status, rollout.stop_reason, rollout.error) == ("finished", "answered", None)
    assert rollout.answer == "done \\0 \\ud800 žluť 🧵"


def test_silence(world: World, toy: StoredTask) -> None:
    rollout = only(run_group(world, toy, Scripted(lambda episode, _: end(episode, None)), size=1))
    assert (rollout.stop_reason, rollout.answer) == ("silent", None)


def test_a_distractor_can_be_used_and_others_not(world: World, toy: StoredTask) -> None:
    def run(episode: Episode, _: int) -> Ending:
        assert episode.services == ["notes", "parcels", "weather"]
        assert use(episode, "call_tool", call_of("weather", "today", {})).observation["ok"]
        assert not use(episode, "call_tool", call_of("mail", "list_labels", {})).observation["ok"]
        return Ending("answered", "grey")

    rollout = only(run_group(world, toy, Scripted(run), size=1))
    assert rollout.stop_reason == "answered", rollout.error
    assert [event.outcome for event in world.branch(rollout.branch).events()] == ["ok", "unknown"]


@pytest.mark.parametrize("size", [0, -1, 10_001, True, "8", None, 1.5])
def test_wrong_sizes(world: World, toy: StoredTask, size: Any) -> None:
    with pytest.raises(InputError, match="1 to 10000"):
        create_group(world, toy, ReferenceAgent(), size=size)


@pytest.mark.parametrize("limits", [{"steps": 0}, {"tokens": -1}, {"seconds": float("nan")}, {"steps": 1.5}])
def test_wrong_limits(limits: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="the limit of"):
        Limits(**limits)


def test_no_limits(world: World, toy: StoredTask) -> None:
    none = Limits(steps=None, tokens=None, seconds=None)
    assert only(run_group(world, toy, ReferenceAgent(), size=1, limits=none)).success


def test_unknown_groups_and_other_agents(world: World, toy: StoredTask) -> None:
    with pytest.raises(NotFound, match="no group 999999"):
        group_report(world, 999_999)
    with pytest.raises(NotFound, match="no group 999999"):
        resume(world, 999_999)
    number = create_group(world, toy, ReferenceAgent(), size=1)
    with pytest.raises(InputError, match="'reference', not 'noisy'"):
        resume(world, number, agent=NoisyAgent())


def test_the_agent_is_made_again_from_the_group(world: World, toy: StoredTask) -> None:
    number = create_group(world, toy, NoisyAgent(rate=1.0), size=2, seed=3)
    assert not group_report(world, number).finished
    report = resume(world, number)
    assert report.finished
    assert not any(item.success for item in report.rollouts)


def test_deleting_a_task_deletes_its_rollouts_and_no_other_branch(world: World, toy: StoredTask) -> None:
    task = put(world, toy.task.model_copy(update={"name": "toy-with-rollouts"}))
    report = run_group(world, task, ReferenceAgent(), size=3)
    mine = task.snapshot.fork()
    gone = sweep(world, survey(world, Named(tasks=[task.id])))
    assert (len(gone.tasks), len(gone.rollouts), len(gone.branches)) == (1, 3, 3)
    assert mine.head() == 0
    for item in report.rollouts:
        with pytest.raises(NotFound):
            world.branch(item.branch or 0)
    with pytest.raises(NotFound):
        group_report(world, report.id)


def test_listing(world: World, toy: StoredTask) -> None:
    number = create_group(world, toy, ReferenceAgent(), size=3)
    resume(world, number)
    found = next(item for item in groups(world, "toy") if item.id == number)
    assert (found.size, found.finished, found.failed, found.succeeded) == (3, 3, 0, 3)
    assert groups(world, "no such task") == []


def test_no_relations_are_added_and_the_pool_is_enough(world: World, toy: StoredTask) -> None:
    def relations() -> Any:
        return sql(world, "SELECT count(*) AS n FROM pg_class")[0].n

    run_group(world, toy, ReferenceAgent(), size=1)
    before = relations()
    report = run_group(world, toy, ReferenceAgent(), size=40, concurrency=40)
    assert all(item.success for item in report.rollouts)
    assert relations() == before
