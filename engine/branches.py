"""A branch: one line of state. Calls change it, and its log tells how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from engine._given import LONGEST_ANSWER, text_given
from engine.calls import CallResult
from engine.database import retried
from engine.errors import InputError, NotFound, Refused
from engine.events import Event, read_events
from engine.kit import Entity
from engine.replay import ReplayReport, replay
from engine.states import Change, State, difference, digest, read_state
from engine.verifiers import Check, Criterion, judge

if TYPE_CHECKING:
    from engine.compositions import Composition
    from engine.snapshots import Snapshot

E = TypeVar("E", bound=Entity)


AS_OF = "as of"
"""Label of the branches that show another as it was after an event."""


@dataclass(frozen=True)
class Branch:
    """One line of state over a snapshot.

    Attributes:
        snapshot: its base.
        id: its number.
    """

    snapshot: Snapshot
    id: int

    @property
    def composition(self) -> Composition:
        """The composition that it belongs to."""
        return self.snapshot.composition

    def call(self, service: str, tool: str, /, arguments: dict[str, Any] | None = None, **named: Any) -> CallResult:
        """Call a tool: ``branch.call("mail", "send_message", to=["a@b.example"], ...)``.

        Args:
            arguments: as one dict, for names that are no Python names.

        Raises:
            InputError: names or arguments are not of the right kind at all.
            NotFound: the branch is gone.
            DatabaseUnavailable: the database was lost.
        """
        given = {**(arguments or {}), **named} if isinstance(arguments, dict | None) else arguments
        return self.composition.world.calls.call(
            self.id,
            self.composition.services,
            self.snapshot.person,
            service,
            tool,
            given,
        )

    def head(self) -> int:
        """The number of its last event; 0 before the first.

        Raises:
            NotFound: the branch is gone.
        """
        with self.composition.world.database.transaction() as connection:
            found = connection.execute(
                text("SELECT head FROM compoworld.branch WHERE id = :id"), {"id": self.id}
            ).scalar()
        if found is None:
            raise NotFound(f"there is no branch {self.id}")
        return int(found)

    def fork(self, at: int | None = None, label: str | None = None) -> Branch:
        """A new branch that sees what this one saw after event ``at`` (0: its start; none: its head).

        Raises:
            NotFound: the branch has no such event.
        """
        self._number(at)
        if label is not None and text_given(label, "a label") == AS_OF:
            raise InputError(f"the label {AS_OF!r} is kept for the branches that show another after an event")
        with self.composition.world.database.transaction() as connection:
            number = connection.exec_driver_sql(
                "SELECT compoworld.fork_branch(%s, %s, %s)", (self.id, at, label)
            ).scalar_one()
        return Branch(self.snapshot, number)

    def events(self) -> list[Event]:
        """Its calls in order.

        Raises:
            NotFound: the branch is gone.
        """
        found = read_events(self.composition.world.database, self.id)
        if not found:
            self.head()
        return found

    def state(self, at: int | None = None) -> State:
        """Every visible row, at its head or after event ``at``; ``{table: {key: row}}``."""
        self._number(at)
        return read_state(self.composition.world.database, self.id, at)

    @retried
    def rows(self, entity: type[E]) -> list[E]:
        """Every visible row of an entity at the head, as objects of their own, ordered by key."""
        with self.composition.world.database.transaction() as connection:
            built = connection.exec_driver_sql(
                "SELECT v.built FROM compoworld.bring_back(%s) v,"
                " LATERAL compoworld.enter(v.schema_name, %s, v.base, true)",
                (self.id, self.id),
            ).scalar()
            with Session(connection, expire_on_commit=False) as session:
                found = list(session.scalars(select(entity).order_by(*entity.table().primary_key.columns)))
                session.expunge_all()
        if built:
            self.composition.world.park_idle()
        return found

    def diff(
        self, start: int = 0, end: int | None = None, other: Branch | None = None, other_at: int | None = None
    ) -> list[Change]:
        """The rows that differ between event ``start`` and event ``end`` (none: the head) of the branch.

        With another branch: between this one at ``end`` and that one at ``other_at`` (none: its head).

        Raises:
            InputError: a number is none of an event.
            NotFound: a branch has no such event.
        """
        self._number(start)
        self._number(end)
        self._number(other_at)
        if other is not None and not isinstance(other, Branch):
            raise InputError(f"the other one is a branch, not {type(other).__name__}")
        database = self.composition.world.database
        if other is None:
            return difference(database, self.id, start, self.id, end)
        return difference(database, self.id, end, other.id, other_at)

    def digest(self, at: int | None = None) -> str:
        """A text that is equal for two states exactly when they are equal."""
        self._number(at)
        return digest(self.composition.world.database, self.id, at)

    def replay(self) -> ReplayReport:
        """Make its calls again on a fresh branch and report the first difference.

        Raises:
            NotFound: the branch is gone.
            Refused: somebody deleted from its log.
        """
        return replay(self)

    def verify(self, criteria: Sequence[Criterion], *, seconds: float = 5.0) -> list[Check]:
        """Judge criteria on its head; see ``engine.verifiers.judge``."""
        return judge(self, criteria, seconds=seconds)

    def answer(self, words: str | None) -> None:
        """Keep what the agent said at the end.

        Raises:
            InputError: it is no text that can be stored.
            NotFound: the branch is gone.
            Refused: it has been judged, or shows another branch after an event.
        """
        if words is not None:
            text_given(words, "an answer", LONGEST_ANSWER)
        with self.composition.world.database.transaction() as connection:
            done = connection.execute(
                text(
                    "UPDATE compoworld.branch SET answer = :words"
                    " WHERE id = :id AND NOT sealed AND label IS DISTINCT FROM :as_of"
                ),
                {"words": words, "id": self.id, "as_of": AS_OF},
            )
        if not done.rowcount:
            self.head()
            raise Refused(f"branch {self.id} is for looking only", hint="fork it and answer on the fork")

    def delete(self) -> None:
        """Delete the branch with its log.

        Raises:
            NotFound: it is gone already.
            Refused: a rollout is recorded on it (delete the rollout instead), or somebody looks at it.
        """
        with self.composition.world.database.transaction() as connection:
            used = connection.execute(
                text("SELECT id FROM compoworld.rollout WHERE branch_id = :id"), {"id": self.id}
            ).scalar()
            if used is not None:
                raise Refused(f"branch {self.id} is that of rollout {used}", hint="delete the rollout instead")
            if not connection.execute(
                text("SELECT pg_try_advisory_xact_lock(7206, compoworld.lock_number(:id))"), {"id": self.id}
            ).scalar():
                raise Refused(f"somebody looks at branch {self.id} at a SQL prompt", hint="end that session first")
            done = connection.execute(
                text("SELECT compoworld.delete_branches(ARRAY[:id]::bigint[])"), {"id": self.id}
            ).scalar()
        if not done:
            raise NotFound(f"there is no branch {self.id}")

    @staticmethod
    def _number(at: int | None) -> None:
        if at is not None and (isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < 2**31):
            raise InputError(f"{at!r} is not the number of an event")
