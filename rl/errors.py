"""The exceptions of rollouts. What an agent does wrong is data, never an exception that leaves a rollout.

CompoWorldError
├── InfrastructureError
│   ├── ModelUnavailable   the model's API gave no usable answer
│   └── EnvironmentFault   a tool broke: the call's outcome is ``fault``
├── TrainingFailed         a run of training came to nothing; it can be taken up from its last checkpoint
├── Refused
│   └── WorldModelDiffers  the group was begun with another world model
├── WorkerUnfit            a group needs what this worker does not have; others may run it
└── RolloutStopped         raised inside an agent's run, to end it
    ├── LimitReached       of steps, tokens or seconds
    ├── Interrupted        the program is asked to stop; the rollout can be resumed
    └── Superseded         another process runs this rollout now
"""

from __future__ import annotations

from engine.errors import CompoWorldError, InfrastructureError, Refused
from synth.errors import ModelUnavailable

__all__ = [
    "EnvironmentFault",
    "Interrupted",
    "LimitReached",
    "ModelUnavailable",
    "RolloutStopped",
    "Superseded",
    "TrainingFailed",
    "WorkerUnfit",
    "WorldModelDiffers",
]


class WorkerUnfit(CompoWorldError):
    """A group needs what this worker does not have: a package, a key, a model. Others may run it."""


class WorldModelDiffers(Refused):
    """The group was begun with another world model, or without one."""


class EnvironmentFault(InfrastructureError):
    """A tool broke; the agent is not to blame."""


class TrainingFailed(CompoWorldError):
    """A run of training came to nothing."""


class RolloutStopped(CompoWorldError):
    """The rollout ends here. An agent lets it pass."""


class LimitReached(RolloutStopped):
    """The rollout has used up its steps, tokens or seconds.

    Attributes:
        reason: ``steps``, ``tokens`` or ``seconds``.
    """

    def __init__(self, reason: str, limit: float) -> None:
        super().__init__(f"the limit of {limit:g} {reason} is reached")
        self.reason = reason


class Interrupted(RolloutStopped):
    """The program was asked to stop."""


class Superseded(RolloutStopped):
    """The rollout was taken over: what this run of it still writes is refused."""
