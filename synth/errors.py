"""The exceptions of making services. A specification or generated code that is wrong is data, never one of these.

CompoWorldError
├── InfrastructureError
│   └── ModelUnavailable   the model's API gave no usable answer
├── SandboxUnavailable     generated code cannot be run here, and why; it is never run without protection
├── SandboxStopped         generated code was stopped: a limit, or its process ended
└── GeneratedCodeInvalid   generated code does not make a service
"""

from __future__ import annotations

from engine.errors import CompoWorldError, InfrastructureError

_LONGEST = 2_000
"""Characters of a reason."""


class ModelUnavailable(InfrastructureError):
    """The model's API gave no usable answer.

    Attributes:
        again: whether trying again may help (not with a wrong key or model name).
        late: it gave none in time.
    """

    def __init__(self, message: str, hint: str | None = None, *, again: bool = True, late: bool = False) -> None:
        super().__init__(message, hint)
        self.again = again
        self.late = late


class SandboxUnavailable(CompoWorldError):
    """Generated code cannot be run on this machine or with this database."""


class SandboxStopped(CompoWorldError):
    """The process of generated code was stopped, or ended by itself."""


class GeneratedCodeInvalid(CompoWorldError):
    """Generated files do not make a service."""


def told(error: Exception) -> str:
    """What an exception says, in one line and with its kind where it is none of ours."""
    if isinstance(error, CompoWorldError):
        return error.message[:_LONGEST]
    said = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {said}"[:_LONGEST]
