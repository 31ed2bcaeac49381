"""Trajectories: rollouts as sequences of tokens, for a trainer."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from engine.errors import InputError

_PUT = """
INSERT INTO compoworld.trajectory (rollout_id, policy, policy_version, format, prompt_tokens, token_ids, is_agent,
    logprobs, malformed)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
_GET = """
SELECT format, prompt_tokens, token_ids, is_agent, logprobs, policy, policy_version, malformed
FROM compoworld.trajectory WHERE rollout_id = %s
"""


@dataclass(frozen=True)
class Trajectory:
    """The tokens of one rollout: the prompt, then what the agent wrote and what it was shown, in turns.

    Attributes:
        format: digest of the tokenizer and the chat template; token ids of another format mean something else.
        prompt_tokens: how many tokens there were before the agent wrote for the first time.
        token_ids: all T tokens; those that the agent wrote are kept as they were sampled.
        is_agent: which of them the agent wrote, the ends of its turns included; length T.
        logprobs: of each token that the agent wrote, under softmax(logits / temperature) over the whole vocabulary;
            0 elsewhere; length T. ``None`` where they are not known.
        policy: the name of the weights; ``None`` for another kind of agent.
        policy_version: where the name has versions.
        malformed: turns with a call that could not be read or names no tool, or that were cut off.

    Raises:
        InputError: the lengths differ.
    """

    format: str
    prompt_tokens: int
    token_ids: list[int]
    is_agent: list[bool]
    logprobs: list[float] | None = None
    policy: str | None = None
    policy_version: int | None = None
    malformed: int = 0

    def __post_init__(self) -> None:
        lengths = {
            len(self.token_ids),
            len(self.is_agent),
            len(self.token_ids if self.logprobs is None else self.logprobs),
        }
        if len(lengths) != 1:
            raise InputError(f"a trajectory's lists are of one length, not {sorted(lengths)}")

    @property
    def agent_tokens(self) -> int:
        """How many tokens the agent wrote."""
        return sum(self.is_agent)


def put_trajectory(connection: Connection, rollout: int, trajectory: Trajectory) -> None:
    """Write a rollout's trajectory in a transaction of the caller's, who has made sure that the rollout is its own."""
    connection.exec_driver_sql(
        _PUT,
        (
            rollout,
            trajectory.policy,
            trajectory.policy_version,
            trajectory.format,
            trajectory.prompt_tokens,
            trajectory.token_ids,
            trajectory.is_agent,
            trajectory.logprobs,
            trajectory.malformed,
        ),
    )


def trajectory_of(connection: Connection, rollout: int) -> Trajectory | None:
    """The trajectory of a finished rollout; ``None`` if its agent gave none."""
    row = connection.exec_driver_sql(_GET, (rollout,)).first()
    return None if row is None else Trajectory(*row)
