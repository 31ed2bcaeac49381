"""The engine's exceptions: one hierarchy, each failure attributed to one place.

CompoWorldError
├── DatabaseUnavailable      no server, or it went away
├── InputError               what the caller gave is wrong; nothing was changed
│   ├── NotFound             a thing named by the caller does not exist
│   └── Refused              it exists, but its state does not allow this
├── ServiceDefinitionError   a service folder is wrong (spec, entities or tools)
├── EntityInvalid            a write that breaks its entity's rules
├── ToolViolation            a tool did what no tool may do
└── InfrastructureError      our failure, never the agent's
    └── Conflicted           another transaction was in the way; the same thing may be tried again

``ToolError`` is not a failure of ours: a tool raises it to answer "no" to the agent.
"""

from __future__ import annotations

from functools import partial
from typing import Any


class CompoWorldError(Exception):
    """Something in CompoWorld failed."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class DatabaseUnavailable(CompoWorldError):
    """The Postgres server cannot be reached or started."""


class InputError(CompoWorldError):
    """The caller's input is wrong; nothing was changed."""


class NotFound(InputError):
    """There is no such thing."""


class Refused(InputError):
    """The thing is in a state that does not allow this."""


class ServiceDefinitionError(CompoWorldError):
    """A service is defined wrongly."""


class EntityInvalid(CompoWorldError):
    """A write breaks the rules of its entity.

    Attributes:
        entity: the entity's class name.
        row: the key of the row, where there are many.
        problems: field name to what is wrong with it.
        mistake: no value could be right there (an unknown field, a wrong type): the fault of who wrote the code.
    """

    def __init__(self, entity: str, problems: dict[str, str], *, row: str = "", mistake: bool = False) -> None:
        self.entity = entity
        self.row = row
        self.problems = problems
        self.mistake = mistake
        super().__init__(
            f"{entity} {row}".rstrip() + ": " + "; ".join(f"{name}: {text}" for name, text in problems.items())
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), row=self.row, mistake=self.mistake), (self.entity, self.problems), vars(self)


class InfrastructureError(CompoWorldError):
    """A failure of ours: never booked as the agent's."""


class Conflicted(InfrastructureError):
    """Another transaction was in the way."""


class ToolViolation(CompoWorldError):
    """A tool tried to leave its transaction or branch, or used an object of an earlier call."""


class ToolError(Exception):
    """A tool's answer "no": it becomes ``{"ok": false, "error": {code, message, details}}``.

    Args:
        code: machine-readable: ``not_found``, ``invalid``, ``conflict``, ``forbidden``, ``limit``, ...
        message: one sentence for the agent.
        details: further JSON values.
    """

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message), vars(self)
