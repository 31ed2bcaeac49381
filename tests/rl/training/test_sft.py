"""SFT with tiny weights: what is selected, what is trained, what is written down, going on."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InputError, Refused
from engine.world import World
from rl import make_agent, run_group
from rl.errors import TrainingFailed
from rl.local.format import ChatFormat
from rl.messages import Message, text_block, tool_result, tool_use
from rl.policies import Weights, find, weights_of
from rl.sft import Select, SftSettings, survey, train_sft
from rl.sft.examples import FILE, NOT_TRAINED, make_example
from rl.sft.selection import Chosen, Selection
from rl.training.history import runs, settings_of, steps, summary
from rl.training.progress import TrainingProgress
from rl.training.runs import begin, training
from rl.training.settings import read
from rl.trajectories import Trajectory, put_trajectory
from tasks.sets.document import Member, TaskSet
from tasks.sets.store import insert_set
from tasks.store import StoredTask
from tests.rl.local.models import tokenizer
from tests.rl.training.runs import interrupting

pytestmark = pytest.mark.filterwarnings("ignore")

SHORT = ("batch=2", "epochs=2", "save_every=1", "learning_rate=0.001", "device=cpu", "select.tasks=[toy]",
    "select.agents=[noisy]",
         "select.duplicates=keep", "lora.rank=2")  # fmt: skip


def settings(*values: str) -> SftSettings:
    return read(SftSettings, "sft", values=(*SHORT, *values))


def rows(world: World, sql: str, **values: Any) -> list[Any]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(sql), values).all())


def test_a_run(world: World, played: StoredTask, weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    from trl import SFTTrainer

    trained: list[dict[str, Any]] = []
    keep = SFTTrainer.compute_loss

    def spy(self: Any, model: Any, inputs: Any, *rest: Any, **named: Any) -> Any:
        trained.append(dict(inputs))
        return keep(self, model, inputs, *rest, **named)

    monkeypatch.setattr(SFTTrainer, "compute_loss", spy)
    done = train_sft(world, weights, settings("select.limit=2", "batch=1"), name="tuned")
    assert (done.run.status, done.run.examples, done.run.step, done.run.steps) == ("finished", 2, 4, 4)
    assert str(done.policy) == "tuned@1" and done.policy.base == weights.source

    # What is trained are the agent's turns, each to its end; what the person and the tools say is context.
    examples = rows(world, "SELECT * FROM compoworld.training_examples WHERE run = 'tuned' ORDER BY ordinal")
    texts = {}
    for row in examples:
        messages = rows(world, "SELECT role, content FROM compoworld.message WHERE rollout_id = :r ORDER BY ordinal",
                        r=row.rollout)  # fmt: skip
        texts[row.rollout] = messages
    seen = 0
    for inputs in trained:
        for ids, labels in zip(inputs["input_ids"], inputs["labels"], strict=True):
            learnt = labels != NOT_TRAINED
            assert (ids[learnt] == labels[learnt]).all()
            said, context = tokenizer().decode(ids[learnt]), tokenizer().decode(ids[~learnt])
            calls = said.count("<tool_call>")
            assert calls > 3 and "null" not in said
            assert said.count(tokenizer().eos_token) == calls + 1  # one call to a turn, and the answer
            assert "<tool_response>" in context and "<tool_response>" not in said
            assert context.count("<tool_response>") >= calls
            seen += 1
    assert seen == 4
    # Every call that was recorded is trained on, as it was made.
    chat = ChatFormat(tokenizer())
    example = make_example(Chosen(1, "toy", [Message(*row) for row in texts[examples[0].rollout]], None), chat)
    said = tokenizer().decode([label for label in example.labels if label != NOT_TRAINED])
    for role, content in texts[examples[0].rollout]:
        for block in content if role == "assistant" else ():
            assert (block["text"] if block["type"] == "text" else f'"name": "{block["name"]}"') in said
    assert (example.digest, len(example.input_ids), example.agent_tokens) == (
        examples[0].digest, examples[0].tokens, examples[0].agent_tokens,
    )  # fmt: skip

    # The model can be traced to its rollouts, and trained further; versions count up.
    assert len(steps(world, done.run.id)) == 4
    config, left_out, folder = settings_of(world, done.run.id)
    assert config["select"]["limit"] == 2 and left_out == {} and folder.endswith("training/tuned")
    again = train_sft(
        world,
        weights_of(world, "tuned"),
        settings("policy=tuned", "select.limit=1", "batch=1", "epochs=1"),
        name="further",
    )
    assert (str(again.policy), again.policy.parent, again.run.started_from) == ("tuned@2", "tuned@1", "tuned@1")
    assert again.policy.base == weights.source and again.policy.digest != done.policy.digest
    assert find(world, "tuned").version == 2
    assert [run.name for run in runs(world)[:2]] == ["further", "tuned"]


def test_an_interrupted_run_goes_on(world: World, played: StoredTask, weights: Weights) -> None:
    short = settings("select.limit=2", "batch=1", "lora=null")
    with pytest.raises(KeyboardInterrupt):
        train_sft(world, weights, short, name="sft-cut", told=interrupting("step", 3))
    assert summary(world, "sft-cut").status == "interrupted"
    begun: list[TrainingProgress] = []
    done = train_sft(world, weights, short, name="sft-cut", told=begun.append)
    assert [item.step for item in begun if item.kind == "begun"] == [2]
    assert not [item for item in begun if item.kind == "examples"]  # they are there
    assert train_sft(world, weights, short, name="sft-uncut").policy.digest == done.policy.digest


def test_examples_that_are_gone_are_made_again(world: World, played: StoredTask, weights: Weights) -> None:
    short = settings("select.limit=2")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            train_sft(world, weights, short, name="lost", told=interrupting("begun"))
        folder = begin(world, "sft", "lost", settings=short.model_dump(mode="json", exclude={"seed"}), seed=0,
                       weights=weights).folder  # fmt: skip
        (folder / FILE).unlink()
    with world.database.transaction() as connection:
        connection.execute(text("UPDATE compoworld.training_example SET digest = 'other' WHERE ordinal = 2 AND run_id ="
                                " (SELECT id FROM compoworld.training_run WHERE name = 'lost')"))  # fmt: skip
    with pytest.raises(TrainingFailed, match="do not give the same any more"):
        train_sft(world, weights, short, name="lost", told=interrupting("begun"))


def test_too_long_is_left_out_and_counted(world: World, played: StoredTask, weights: Weights) -> None:
    with pytest.raises(InputError, match=r"nothing is left to train on: [0-9]+ are longer than 100 tokens"):
        train_sft(world, weights, settings("max_tokens=100"), name="short-of-any")
    # It had nothing to train on: its name is free for other settings.
    assert summary(world, "short-of-any").status == "failed"
    lengths = sorted(
        len(make_example(item, ChatFormat(tokenizer())).input_ids)
        for item in chosen(world, Select(tasks=("toy",), agents=("noisy",)))
    )
    done = train_sft(
        world, weights, settings(f"max_tokens={lengths[0]}", "select.duplicates=calls", "epochs=1"), name="short-of-any"
    )
    assert done.run.examples == sum(length == lengths[0] for length in lengths)
    assert settings_of(world, done.run.id)[1] == {"too_long": len(lengths) - (done.run.examples or 0)}


def test_one_process_trains_a_run(world: World, second_world: World, weights: Weights) -> None:
    run = begin(world, "sft", "one", settings={}, seed=0, weights=weights)
    with training(world, run):
        assert summary(world, "one").status == "running"
        with pytest.raises(Refused, match="is being trained by another process"), training(second_world, run):
            pass
    # Nobody trains it, and nothing was written about its end: it was interrupted.
    assert summary(world, "one").status == "interrupted"


def test_tokens_that_were_sampled_are_trained_as_they_are(world: World, played: StoredTask) -> None:
    chat = ChatFormat(tokenizer())
    messages = [Message("system", "s"), Message("user", "u"), Message("assistant", [text_block("yes")])]
    sampled = Trajectory(chat.digest, 3, [5, 6, 7, 8, 9], [False, False, False, True, True])
    assert make_example(Chosen(1, "t", messages, sampled), chat).labels == [NOT_TRAINED] * 3 + [8, 9]
    other = Trajectory("another", 3, [5, 6, 7, 8, 9], [False, False, False, True, True])
    assert make_example(Chosen(1, "t", messages, other), chat).input_ids == chat.render(messages).token_ids


def test_observations_are_cut_as_the_agent_is_shown_them() -> None:
    chat = ChatFormat(tokenizer())
    messages = [
        Message("system", "s"),
        Message("user", "u"),
        Message("assistant", [tool_use("use_1", "list_services", {})]),
        Message("tool", tool_result("use_1", "x" * 900, False)),
        Message("assistant", [text_block("done")]),
    ]
    shown = tokenizer().decode(make_example(Chosen(1, "t", messages, None), chat, 200).input_ids)
    assert shown.count("x" * 200) == 1 and "x" * 201 not in shown and "200 of 900 characters" in shown


def test_arguments_are_not_filled(world: World) -> None:
    """Different calls have different arguments: none gets those of another, as null."""
    chat = ChatFormat(tokenizer())
    messages = [
        Message("system", "s"),
        Message("user", "u"),
        Message("assistant", [tool_use("use_1", "list_tools", {"service": "mail"})]),
        Message("tool", tool_result("use_1", "{}", False)),
        Message("assistant", [tool_use("use_2", "call_tool", {"tool": "send", "arguments": {"to": ["a"]}})]),
        Message("tool", tool_result("use_2", "{}", False)),
        Message("assistant", [text_block("done")]),
    ]
    example = make_example(Chosen(1, "t", messages, None), chat)
    said = tokenizer().decode([label for label in example.labels if label != NOT_TRAINED])
    assert '{"service": "mail"}' in said and '{"tool": "send", "arguments": {"to": ["a"]}}' in said
    assert "null" not in tokenizer().decode(example.input_ids)


def chosen(world: World, select: Select, seed: int = 0) -> list[Chosen]:
    with Selection(world, select, seed).rows() as found:
        return list(found)


def test_selection(world: World, played: StoredTask) -> None:
    """Against what plain queries say."""
    with world.database.transaction() as connection:
        successes = {
            row.rollout: row
            for row in connection.execute(
                text(
                    "SELECT rollout, group_id, calls FROM compoworld.rollouts WHERE task = 'toy' AND success"
                    " AND agent IN ('noisy', 'reference') AND stop_reason = 'answered'"
                )
            )
        }
    everything = Select(tasks=("toy",), agents=("noisy", "reference"), duplicates="keep")
    found = chosen(world, everything)
    assert {item.rollout for item in found} == set(successes) and len(found) > 3
    assert [item.messages[0].role for item in found] == ["system"] * len(found)
    assert [item.rollout for item in chosen(world, everything)] == [item.rollout for item in found]
    assert [item.rollout for item in chosen(world, everything, 1)] != [item.rollout for item in found]

    counted = survey(world, everything)
    assert counted.chosen == counted.fitting == len(found) and counted.tasks == counted.compositions == 1
    assert counted.judged > counted.successful >= counted.fitting

    different = chosen(world, everything.model_copy(update={"duplicates": "calls"}))
    digests = {
        tuple(
            rows(
                world,
                "SELECT service, tool, arguments::text FROM compoworld.events WHERE rollout = :r ORDER BY event",
                r=number,
            )
        )
        for number in successes
    }
    assert len(different) == len(digests) < len(found)
    assert len(chosen(world, everything.model_copy(update={"duplicates": "tools"}))) <= len(different)
    for update, count in (
        ({"per_task": 2}, 2),
        ({"per_composition": 1}, 1),
        ({"agents": ("anthropic",)}, 0),
        ({"world_model": "only"}, 0),
        ({"world_model": "none"}, len(found)),
        ({"ended": ("silent",)}, 0),
        ({"calls": 1}, 0),
    ):
        assert len(chosen(world, everything.model_copy(update=update))) == count, update
    group = next(iter(successes.values())).group_id
    in_group = [row for row in successes.values() if row.group_id == group]
    assert len(chosen(world, everything.model_copy(update={"groups": (group,)}))) == len(in_group)


def test_selection_by_policy_and_malformed_turns(world: World, toy: StoredTask) -> None:
    report = run_group(world, toy, make_agent("reference"), size=2)
    for rollout, version, malformed in zip(report.rollouts, (1, 2), (0, 3), strict=True):
        with world.database.transaction() as connection:
            put_trajectory(
                connection, rollout.id, Trajectory("f", 1, [1, 2], [False, True], None, "p", version, malformed)
            )
    for policies, most, ordinals in (
        (("p",), None, {1, 2}),
        (("p@2",), None, {2}),
        (("p",), 0, {1}),
        (("p@2",), 2, set()),
    ):
        select = Select(tasks=("toy",), policies=policies, malformed=most, duplicates="keep")
        assert {item.rollout for item in chosen(world, select)} == {report.rollouts[n - 1].id for n in ordinals}


def test_parts_of_sets(world: World, played: StoredTask) -> None:
    other = played.task.model_copy(update={"name": "toy-too"})
    members = (Member(0, played.task, "train"), Member(1, other, "test"))
    namesake = played.task.model_copy(update={"title": "Another task of that name"})
    insert_set(world, TaskSet("namesakes", 0, {}, 1, (Member(0, namesake),), 1))
    insert_set(world, TaskSet("two", 0, {}, 2, members, 2))
    insert_set(world, TaskSet("whole", 0, {}, 1, (Member(0, played.task),), 1))
    with pytest.raises(InputError, match="nowhere"):
        survey(world, Select(sets=("nowhere",)))
    with pytest.raises(InputError, match=r"set 'whole' is in the part 'train' \(compoworld tasks split whole"):
        survey(world, Select(sets=("whole",)))
    with pytest.raises(InputError, match=r"in the part 'validation' \(compoworld tasks split two divides it"):
        survey(world, Select(sets=("two",), split="validation"))
    everything = survey(world, Select(tasks=("toy",)))
    assert survey(world, Select(sets=("two",))) == survey(world, Select(sets=("whole",), split="all")) == everything
    assert survey(world, Select(sets=("two",), split="test")).judged == 0
    assert survey(world, Select(sets=("namesakes",), split="all")).judged == 0
    assert survey(world, Select(sets=("two",), split="all", tasks=("toy-too",))).judged == 0


def test_names_that_do_not_exist_are_said(world: World, played: StoredTask, weights: Weights) -> None:
    insert_set(world, TaskSet("spelled", 0, {}, 1, (Member(0, played.task, "train"),), 1))
    number = run_group(world, played, make_agent("reference"), size=1)
    with world.database.transaction() as connection:
        put_trajectory(connection, number.rollouts[0].id, Trajectory("f", 1, [1, 2], [False, True], None, "smol", 3))
    for select, said in (
        (Select(sets=("speled",)), r"speled.*did you mean spelled\?"),
        (Select(tasks=("toys",)), r"select.tasks: there is no task 'toys' \(did you mean toy"),
        (Select(sets=("spelled",), tasks=("toi",)), r"there is no task 'toi' \(did you mean toy"),
        (Select(agents=("refernce",)), r"select.agents: there is no agent 'refernce' \(did you mean reference\?\)"),
        (Select(agents=("x",)), r"no agent 'x' \(there are anthropic, .*reference, transformers\)"),
        (Select(models=("smal",)), r"select.models: there is no model 'smal'"),
        (Select(policies=("smol@4",)), r"select.policies: there is no policy 'smol@4' \(did you mean .*smol@3"),
        (Select(groups=(10**9,)), r"select.groups: there is no group '1000000000'"),
        (Select(ended=("answerd",)), r"there is no end of a rollout 'answerd' \(did you mean answered\?\)"),
        (Select(agents=("x",), policies=("y",)), r"select.agents: .*; select.policies: "),
    ):
        with pytest.raises(InputError, match=said):
            survey(world, select)
    # What exists and has nothing to offer is no mistake.
    assert survey(world, Select(policies=("smol@3", "smol"), ended=("seconds",))).fitting == 0
    with pytest.raises(InputError, match="there is no agent 'noisi'"):
        train_sft(world, weights, settings("select.agents=[noisi]"), name="misspelt")


def test_adapters_for_modules_that_are_not_there(world: World, played: StoredTask, weights: Weights) -> None:
    for targets, said in (
        ("[q_prj, v_proj]", r"is called 'q_prj'; this model has .*q_proj.* \(did you mean .*q_proj"),
        ("[mlp, nowhere]", r"no module that can have an adapter is called 'mlp' or 'nowhere'"),
        ("[]", r"lora.targets names no module \(all-linear, or names: this model has down_proj, "),
    ):
        with pytest.raises(InputError, match=said):
            train_sft(world, weights, settings(f"lora.targets={targets}"), name="misfit")
    done = train_sft(world, weights, settings("lora.targets=[q_proj, 1.self_attn.v_proj]", "epochs=1"), name="misfit")
    assert done.run.status == "finished"


@pytest.mark.unit
def test_settings() -> None:
    found = read(SftSettings, "sft")
    assert (found.epochs, found.batch, found.learning_rate) == (3, 32, 1e-4)  # those of the paper
    assert found.lora is not None and found.lora.rank == 16
    assert read(SftSettings, "sft", values=["lora=null"]).lora is None
    small = read(SftSettings, ["sft", "cpu/sft"])
    assert (small.batch, small.dtype, small.select) == (2, "auto", found.select)
    for value, problem in (
        ("batch=0", "batch: input should be greater than or equal to 1, not 0"),
        ("batch=5", "batch: 5 trajectories are no multiple of per_device, 2"),
        ("lerning_rate=1", "there is no setting 'lerning_rate' (did you mean learning_rate?)"),
        ("select.splits=all", "there is no setting 'select.splits' (did you mean select.split?)"),
        ("split=all", "there is no setting 'split' (did you mean select.split?)"),
        ("lora.ranks=8", "there is no setting 'lora.ranks' (did you mean lora.rank?)"),
        ("rank=8", "there is no setting 'rank' (did you mean lora.rank?)"),
        ("lora.zz=8", "there is no setting 'lora.zz'"),
        ("lora.rank=0", "lora.rank: input should be greater than or equal to 1, not 0"),
        ("epochs", "'epochs' gives no value to a setting"),
        # JSON, as which the catalog keeps settings, has no such number.
        ("lora.alpha=.inf", "lora.alpha: input should be a finite number, not inf"),
    ):
        with pytest.raises(InputError) as caught:
            read(SftSettings, "sft", values=["per_device=2", value])
        assert str(caught.value).removeprefix("the settings: ").startswith(problem)
