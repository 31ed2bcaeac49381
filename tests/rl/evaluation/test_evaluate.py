"""Running evaluations: what is stored, going on, several tasks at once, what does not count."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InputError, NotFound, Refused
from engine.world import World
from rl import Limits, ModelUnavailable
from rl.agents import Agent, Ending, NoisyAgent, ReferenceAgent, make_agent
from rl.episode import Episode
from rl.evaluation import Moment, evaluate, evaluations, find, results_of, summarise
from tasks.document import Task
from tests.rl.agents import Scripted, reference
from tests.rl.local.models import model, tokenizer


def rows(world: World, statement: str, **values: Any) -> list[Any]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(statement), values).all())


def test_the_reference_solves_everything(world: World, three: list[Task]) -> None:
    seen: list[Moment] = []
    made = evaluate(world, three, ReferenceAgent(), n=2, name="all-solved", task_set="toys", progress=seen.append)
    assert (made.tasks, made.n, made.rollouts, made.scored, made.failed, made.finished) == (3, 2, 6, 6, 0, True)
    assert (made.agent, made.task_set, made.split, made.success, made.criteria_passed) == (
        "reference", "toys", None, 1, 1,
    )  # fmt: skip
    ends = [moment for moment in seen if moment.rollout is None]
    assert sorted((moment.place, moment.task, moment.solved, moment.scored) for moment in ends) == [
        (1, "toy-1", 2, 2), (2, "toy-2", 2, 2), (3, "toy-3", 2, 2),
    ]  # fmt: skip
    summary = summarise(results_of(world, "all-solved"))
    assert (summary.scored, summary.failed, summary.missing, summary.unscored) == (6, 0, 0, [])
    assert summary.success is not None and summary.success.value == 1
    assert {part.name: part.success.tasks for part in summary.slices["area"]} == {"finance": 2, "support": 1}
    assert {part.name for part in summary.slices["family"]} == {"late-notes", "lost-notes"}
    assert summary.stop_reasons == {"answered": 6}
    assert [(item.k, item.any.value, item.all.value) for item in summary.attempts] == [(1, 1, 1), (2, 1, 1)]
    assert summary.effort is not None and summary.effort.cost_usd is None and summary.effort.malformed is None
    assert summary.effort.calls.value == len(three[0].reference.calls)


def test_the_figures_are_those_of_the_rollouts(world: World, three: list[Task]) -> None:
    evaluate(world, three, NoisyAgent(), n=4, name="noise", seed=3)
    results = results_of(world, "noise")
    by_group = rows(
        world,
        "SELECT r.group_id, avg(r.success::int)::float, avg(r.passed::float / r.criteria) FROM compoworld.rollouts r"
        " JOIN compoworld.evaluation_group m USING (group_id) WHERE m.evaluation_id = :id GROUP BY 1 ORDER BY 1",
        id=results.evaluation.id,
    )
    assert [task.group for task in results.tasks] == [group for group, _, _ in by_group]
    summary = summarise(results)
    assert summary.success is not None and summary.criteria_passed is not None
    assert summary.success.value == pytest.approx(sum(row[1] for row in by_group) / 3)
    assert summary.criteria_passed.value == pytest.approx(sum(row[2] for row in by_group) / 3)
    assert results.evaluation.success == pytest.approx(summary.success.value)
    assert results.evaluation.criteria_passed == pytest.approx(summary.criteria_passed.value)
    assert 0 < summary.criteria_passed.value < 1
    for task in results.tasks:
        for rollout in task.rollouts:
            assert sum(passed for passed, _ in rollout.kinds.values()) == rollout.passed
            assert sum(count for _, count in rollout.kinds.values()) == rollout.criteria
    (errors,) = rows(
        world,
        "SELECT count(*) FROM compoworld.events e JOIN compoworld.rollouts r ON r.rollout = e.rollout"
        " JOIN compoworld.evaluation_group m ON m.group_id = r.group_id"
        " WHERE m.evaluation_id = :id AND e.outcome <> 'ok'",
        id=results.evaluation.id,
    )
    assert sum(rollout.failed_calls for task in results.tasks for rollout in task.rollouts) == errors[0]
    # Chance differs between tasks, and is the same when all is done again.
    seeds = rows(
        world,
        "SELECT g.seed FROM compoworld.rollout_group g JOIN compoworld.evaluation_group m ON m.group_id = g.id"
        " WHERE m.evaluation_id = :id",
        id=results.evaluation.id,
    )
    assert len(set(seeds)) == 3
    again = evaluate(world, three[::-1], NoisyAgent(), n=4, name="noise-again", seed=3)
    assert again.success == results.evaluation.success and again.criteria_passed == results.evaluation.criteria_passed


def test_it_goes_on_where_it_was_left(world: World, three: list[Task]) -> None:
    begun: list[int] = []
    lock = threading.Lock()

    def run(episode: Episode, attempt: int) -> Ending:
        with lock:
            begun.append(episode.seed)
            if len(begun) == 4:
                raise KeyboardInterrupt
        return reference(episode)

    agent = Scripted(run)
    with pytest.raises(KeyboardInterrupt):
        evaluate(world, three, agent, n=2, name="interrupted", concurrency=1)
    left = find(world, "interrupted")
    assert not left.finished and 2 <= left.scored <= 3
    summary = summarise(results_of(world, "interrupted"))
    assert summary.missing == 6 - left.scored and summary.success is not None and summary.success.value == 1
    done = evaluate(world, three, agent, n=2, name="interrupted")
    assert done.finished and done.scored == 6 and done.id == left.id
    count = len(begun)
    assert count == 7, "the one that was interrupted, and no other one, ran twice"
    assert evaluate(world, three, agent, n=2, name="interrupted") == done
    assert len(begun) == count
    assert rows(world, "SELECT count(*) FROM compoworld.evaluation_group WHERE evaluation_id = :id", id=done.id) == [
        (3,)
    ]


def test_two_processes_share_an_evaluation(world: World, three: list[Task]) -> None:
    made: list[Any] = []

    def run() -> None:
        made.append(evaluate(world, three, ReferenceAgent(), n=2, name="shared"))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = evaluate(world, three, ReferenceAgent(), n=2, name="shared")
    assert len(made) == 2 and done.finished and done.scored == 6
    attempts = rows(
        world,
        "SELECT r.attempts FROM compoworld.rollout r JOIN compoworld.evaluation_group m USING (group_id)"
        " WHERE m.evaluation_id = :id",
        id=done.id,
    )
    assert attempts == [(1,)] * 6


def test_what_the_infrastructure_failed_is_counted_and_not_scored(world: World, three: list[Task]) -> None:
    down = True

    def run(episode: Episode, attempt: int) -> Ending:
        if down and "toy-2" in broken.get(episode.seed, ""):
            raise ModelUnavailable("the server is down", again=False)
        return reference(episode)

    from rl.evaluation.run import task_seed
    from rl.runner import rollout_seed

    broken = {rollout_seed(task_seed(0, task), place): task.name for task in three for place in (1, 2)}
    agent = Scripted(run)
    made = evaluate(world, three, agent, n=2, name="half-down")
    assert (made.finished, made.scored, made.failed, made.success) == (True, 4, 2, 1)
    summary = summarise(results_of(world, "half-down"))
    assert (summary.tasks, summary.unscored, summary.failed, summary.missing) == (2, ["toy-2"], 2, 0)
    assert summary.success is not None and (summary.success.value, summary.success.tasks) == (1, 2)
    down = False
    assert evaluate(world, three, agent, n=2, name="half-down").failed == 2
    again = evaluate(world, three, agent, n=2, name="half-down", retry_failed=True)
    assert (again.scored, again.failed) == (6, 0)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"n": 3}, "n is 1, not 3"),
        ({"seed": 9}, "seed is 0, not 9"),
        ({"split": "test"}, 'split is null, not "test"'),
        ({"limits": Limits(steps=3)}, "limits are"),
        ({"agent": NoisyAgent()}, 'agent is "reference", not "noisy"'),
        ({"tasks": 1}, "tasks are 3, not 1"),
        ({"reversed": True}, "tasks are others, not these"),
    ],
)
def test_one_name_is_one_evaluation(world: World, three: list[Task], changed: dict[str, Any], words: str) -> None:
    evaluate(world, three, ReferenceAgent(), n=1, name="fixed")
    tasks = three[: changed.pop("tasks", 3)][:: -1 if changed.pop("reversed", False) else 1]
    agent = changed.pop("agent", ReferenceAgent())
    with pytest.raises(Refused, match="fixed") as refused:
        evaluate(world, tasks, agent, **{"n": 1, **changed}, name="fixed")
    assert words in refused.value.message
    assert "--name" in str(refused.value.hint)


def test_what_was_deleted_of_a_group_is_run_again(world: World, three: list[Task]) -> None:
    before = evaluate(world, three, NoisyAgent(), n=3, name="holes", seed=3)
    shown = "SELECT place, ordinal, passed FROM compoworld.evaluation_rollouts WHERE evaluation = 'holes' ORDER BY 1, 2"
    kept = rows(world, shown)
    with world.database.transaction() as connection:
        connection.execute(
            text(
                "DELETE FROM compoworld.rollout WHERE id IN (SELECT rollout FROM compoworld.evaluation_rollouts"
                " WHERE evaluation = 'holes' AND (place, ordinal) IN ((1, 1), (1, 3), (3, 2)))"
            )
        )
    left = find(world, "holes")
    assert (left.finished, left.scored) == (False, 6)
    assert evaluate(world, three, NoisyAgent(), n=3, name="holes", seed=3) == before
    assert rows(world, shown) == kept


def test_other_weights_in_the_same_folder_are_another_evaluation(
    world: World, three: list[Task], tmp_path: Path
) -> None:
    """Half of it would be of one policy, and half of another."""
    tiny = tmp_path / "tiny"
    model().save_pretrained(tiny)
    tokenizer().save_pretrained(tiny)

    def agent() -> Agent:
        return make_agent("transformers", weights=str(tiny), policy="p", version=1, max_new_tokens=2, dtype="float32")

    first = agent()
    evaluate(world, three[:1], first, n=1, name="exchanged")
    evaluate(world, three[:1], agent(), n=1, name="exchanged")
    other = model()
    other.lm_head.weight.data += 1
    other.save_pretrained(tiny)
    with pytest.raises(Refused, match="there is an evaluation 'exchanged', and its weights are others, not these"):
        evaluate(world, three[:1], agent(), n=1, name="exchanged")
    # Who was made with the digest of those before does not run with these.
    with pytest.raises(InputError, match="no longer those that were meant"):
        make_agent("transformers", **first.options())


def test_malformed_calls_are_known_of_agents_that_keep_their_tokens(world: World, three: list[Task]) -> None:
    made = evaluate(world, three[:2], ReferenceAgent(), n=1, name="tokens")
    assert summarise(results_of(world, made.id)).effort.malformed is None  # type: ignore[union-attr]
    for place, malformed in ((1, 3), (2, 1)):
        with world.database.transaction() as connection:
            connection.execute(
                text(
                    "INSERT INTO compoworld.trajectory"
                    " (rollout_id, format, prompt_tokens, token_ids, is_agent, malformed)"
                    " SELECT r.rollout, 'digest', 1, '{1,2}', '{false,true}', :malformed"
                    " FROM compoworld.evaluation_rollouts r WHERE r.evaluation = 'tokens' AND r.place = :place"
                ),
                {"malformed": malformed, "place": place},
            )
    effort = summarise(results_of(world, made.id)).effort
    assert effort is not None and effort.malformed is not None and effort.malformed.value == 2


def test_what_cannot_be_evaluated(world: World, three: list[Task]) -> None:
    for tasks, values, words in (
        ([], {}, "no task"),
        ([three[0], three[0]], {}, "twice"),
        (three, {"n": 0}, "group has 1 to"),
        (three, {"concurrency": 0}, "at a time"),
        (three, {"name": "a b"}, "called by"),
    ):
        with pytest.raises(InputError, match=words):
            evaluate(world, tasks, ReferenceAgent(), **{"name": "wrong", **values})
    assert "wrong" not in [item.name for item in evaluations(world)]
    with pytest.raises(NotFound, match="no evaluation 'wrong'"):
        results_of(world, "wrong")
