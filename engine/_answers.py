"""What stands in for the code of a tool: an answer that is applied as the tool's doing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import psycopg

from engine._edits import apply, logged_edit
from engine._session import ToolSession
from engine._verdicts import Verdict
from engine.events import Event
from engine.kit import Context, Entity


class Answer:
    """An answer of a world model, on its way into an event."""

    def begin(self, event: int) -> None:
        """The call has its number; an answer that does not hold for it raises."""

    def apply(self, context: Context, session: ToolSession) -> Verdict:
        """Change the rows, and keep them; the verdict of the call."""
        raise NotImplementedError

    def judge(self, verdict: Verdict) -> None:
        """What became of it, after the changes of a failure were undone; raises where no event shall come of it."""

    def record(self, cursor: psycopg.Cursor[Any], branch: int, event: int) -> None:
        """The event is written: keep what belongs to it, in the same transaction."""


@dataclass
class Logged(Answer):
    """The answer that the log has of an event: nobody is asked again.

    Attributes:
        entities: of the tool's service.
        verdict: that of the event.
    """

    entities: Iterable[type[Entity]]
    event: Event
    verdict: Verdict

    def apply(self, context: Context, session: ToolSession) -> Verdict:
        """Make the row changes of the log again, in their order."""
        entities = {entity.table().name: entity for entity in self.entities}
        apply(
            context,
            [
                logged_edit(entities[item.table], item.op, item.after or item.before or {})
                for item in self.event.changes
            ],
            again=True,
        )
        session.keep()
        return self.verdict
