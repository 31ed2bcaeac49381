"""Examples: what a run of SFT is trained on, as token ids in a file, and written down in the catalog."""

from __future__ import annotations

import hashlib
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from engine.errors import InputError
from engine.world import World
from rl.local.format import ChatFormat
from rl.sft.selection import Chosen, Selection, these
from rl.sft.settings import SftSettings
from rl.training.runs import Run
from rl.trajectories import Trajectory

FILE = "examples.arrow"
NOT_TRAINED = -100
"""The label of a token that is context only."""


@dataclass(frozen=True)
class Example:
    """One trajectory as a trainer takes it.

    Attributes:
        input_ids: T token ids.
        labels: the same where the agent wrote the token, else ``NOT_TRAINED``; length T.
    """

    rollout: int
    task: str
    input_ids: list[int]
    labels: list[int]

    @property
    def agent_tokens(self) -> int:
        """How many tokens are trained on."""
        return sum(label != NOT_TRAINED for label in self.labels)

    @property
    def digest(self) -> str:
        """SHA-256 of token ids and labels."""
        return hashlib.sha256(array("q", [*self.input_ids, *self.labels]).tobytes()).hexdigest()


@dataclass(frozen=True)
class Examples:
    """The examples of a run.

    Attributes:
        path: an Arrow file of ``input_ids`` and ``labels``.
        count, tokens, agent_tokens: how many there are in all.
        left_out: reason to how many trajectories were selected and are not among them.
    """

    path: Path
    count: int
    tokens: int
    agent_tokens: int
    left_out: dict[str, int]


def make_example(chosen: Chosen, chat: ChatFormat, max_observation: int | None = None) -> Example:
    """A rollout's tokens as they were sampled, where they are of this format, else its messages as the format has them.

    Args:
        max_observation: characters of an observation in messages; the rest is cut with a note.

    Raises:
        InputError: the messages are no conversation that the format can write.
    """
    found = chosen.trajectory
    if found is None or found.format != chat.digest:
        found = chat.render(chosen.messages, max_observation=max_observation)
    return Example(chosen.rollout, chosen.task, found.token_ids, labels_of(found))


def labels_of(found: Trajectory) -> list[int]:
    """What is trained on in a trajectory: the agent's tokens, nothing else."""
    return [token if agent else NOT_TRAINED for token, agent in zip(found.token_ids, found.is_agent, strict=True)]


def see_selected(world: World, run: Run, settings: SftSettings) -> None:
    """See that rollouts are selected for a run that has no examples yet, before weights are loaded for it.

    Raises:
        InputError: none are, a name in the selection does not exist, or a set has nothing in its part.
    """
    if _kept(world, run) is None and not Selection(world, settings.select, settings.seed).count().chosen:
        raise _nothing(Counter(), settings.max_tokens)


def prepare(
    world: World,
    run: Run,
    settings: SftSettings,
    chat: ChatFormat,
    told: Callable[[int], None] = lambda count: None,
) -> Examples:
    """Write the examples of a run to its folder, and down in the catalog; those that it has, where it was begun before.

    Args:
        told: how many there are so far.

    Raises:
        InputError: nothing is selected, or everything is left out.
        TrainingFailed: what the run was begun on has changed or is gone.
    """
    kept = _kept(world, run)
    path = run.folder / FILE
    if kept is not None and path.is_file():
        return kept
    source: AbstractContextManager[Iterator[Chosen]]
    if kept is not None:
        with world.database.transaction() as connection:
            numbers = connection.execute(
                text("SELECT rollout_id FROM compoworld.training_example WHERE run_id = :run ORDER BY ordinal"),
                {"run": run.id},
            ).scalars()
            source, limit = these(world.database, [number for number in numbers if number is not None]), kept.count
    else:
        source, limit = Selection(world, settings.select, settings.seed).rows(), settings.select.limit or 2**62
    left_out: Counter[str] = Counter()
    unfinished = path.with_suffix(".part")
    with source as found, world.database.transaction() as connection:
        count = _write(connection, run, _fitting(found, chat, settings, left_out), unfinished, limit, kept, told)
        if kept is None:
            if not count:
                raise _nothing(left_out, settings.max_tokens)
            connection.execute(
                text("UPDATE compoworld.training_run SET left_out = :left_out WHERE id = :run"),
                {"run": run.id, "left_out": Jsonb(dict(left_out))},
            )
        os.replace(unfinished, path)
    made = _kept(world, run)
    assert made is not None
    return made


def _fitting(
    found: Iterator[Chosen], chat: ChatFormat, settings: SftSettings, left_out: Counter[str]
) -> Iterator[Example]:
    """The examples of these rollouts; those that do not fit are counted."""
    for chosen in found:
        try:
            example = make_example(chosen, chat, settings.max_observation)
        except InputError:
            left_out["not_renderable"] += 1
            continue
        if len(example.input_ids) > settings.max_tokens:
            left_out["too_long"] += 1
        elif not example.agent_tokens:
            left_out["nothing_to_learn"] += 1
        else:
            yield example


def _write(
    connection: Connection,
    run: Run,
    examples: Iterator[Example],
    path: Path,
    limit: int,
    kept: Examples | None,
    told: Callable[[int], None],
) -> int:
    """Write examples to a file and, where they are not yet there, to the catalog; how many they were.

    Raises:
        TrainingFailed: they are not those that the run was begun on.
    """
    from datasets import Features, List, Value
    from datasets.arrow_writer import ArrowWriter

    from rl.errors import TrainingFailed

    digests: list[str] = []
    features = Features({"input_ids": List(Value("int32")), "labels": List(Value("int32"))})
    with ArrowWriter(path=str(path), features=features, writer_batch_size=100) as writer:
        for example in examples:
            digests.append(example.digest)
            writer.write({"input_ids": example.input_ids, "labels": example.labels})
            if kept is None:
                connection.execute(
                    text(
                        "INSERT INTO compoworld.training_example (run_id, ordinal, rollout_id, task, digest, tokens,"
                        " agent_tokens) VALUES (:run, :ordinal, :rollout, :task, :digest, :tokens, :agent_tokens)"
                    ),
                    {
                        "run": run.id,
                        "ordinal": len(digests),
                        "rollout": example.rollout,
                        "task": example.task,
                        "digest": example.digest,
                        "tokens": len(example.input_ids),
                        "agent_tokens": example.agent_tokens,
                    },
                )
            told(len(digests))
            if len(digests) >= limit:
                break
        if digests:
            writer.finalize()
    if kept is not None:
        before = connection.execute(
            text("SELECT digest FROM compoworld.training_example WHERE run_id = :run ORDER BY ordinal"), {"run": run.id}
        ).scalars()
        if list(before) != digests:
            raise TrainingFailed(
                f"the examples of the run {run.name!r} are gone from {str(path.parent)!r}, and its rollouts do not"
                " give the same any more",
                hint="begin another run",
            )
    return len(digests)


def _kept(world: World, run: Run) -> Examples | None:
    """What the catalog says of a run's examples; ``None`` before there are any."""
    with world.database.transaction() as connection:
        row = connection.execute(
            text(
                "SELECT v.examples, v.tokens, v.agent_tokens, r.left_out FROM compoworld.training_runs v"
                " JOIN compoworld.training_run r ON r.id = v.run_id WHERE r.id = :run"
            ),
            {"run": run.id},
        ).one()
    if row.examples is None:
        return None
    return Examples(run.folder / FILE, row.examples, int(row.tokens), int(row.agent_tokens), dict(row.left_out))


def _nothing(left_out: Counter[str], most: int) -> InputError:
    reasons = {
        "too_long": f"longer than {most} tokens",
        "not_renderable": "no conversation that the chat template can write",
        "nothing_to_learn": "without a word of the agent",
    }
    if not left_out:
        said = "no successful rollout is selected: there is nothing to train on"
        return InputError(said, hint="compoworld train select SET counts each stage")
    said = "nothing is left to train on: " + ", ".join(f"{n} are {reasons[key]}" for key, n in left_out.items())
    return InputError(said, hint="raise max_tokens, or lower max_observation" if "too_long" in left_out else None)
