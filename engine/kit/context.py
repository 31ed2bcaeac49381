"""What a tool works with: the branch's rows, the logical clock, deterministic identifiers. Nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Row, Select, Table, bindparam, func, select
from sqlalchemy import inspect as sa_inspect
from sqlalchemy.orm import Session, class_mapper

from engine.errors import ToolError
from engine.kit.cast import Person
from engine.kit.entity import Entity, entity_name
from engine.kit.paging import after_cursor, cursor_of, total_order

E = TypeVar("E", bound=Entity)
Condition: TypeAlias = Any
"""``Message.status == "sent"``: a condition on columns, which type checkers take for a plain bool."""


@dataclass
class Page(Generic[E]):
    """One page of a listing. ``out()`` gives ``{"items": [...], "next_cursor": ...}``."""

    items: list[E]
    next_cursor: str | None

    def out(self, *only: str) -> dict[str, Any]:
        """The page for a tool's result, each item with all fields or only those named."""
        return {"items": [item.out(*only) for item in self.items], "next_cursor": self.next_cursor}


@cache
def _by_key(entity: type[Entity]) -> tuple[Select[Any], tuple[str, ...], type[Any]]:
    names = entity.key_columns()
    statement = select(entity).where(*(getattr(entity, name) == bindparam(name) for name in names))
    return statement, names, class_mapper(entity).identity_key_from_primary_key(names)[0]


@dataclass
class Context:
    """The world as one tool call sees it.

    Attributes:
        user: whose assistant the agent is ("me").
    """

    user: Person
    _session: Session = field(repr=False)
    _now: datetime = field(repr=False)
    _identity: str = field(repr=False)
    _ordinal: int = field(default=0, repr=False)

    def now(self) -> datetime:
        """The branch's logical clock, UTC. Never ask the machine's."""
        return self._now

    def today(self) -> date:
        """The logical clock's date, UTC."""
        return self._now.date()

    def new_id(self, prefix: str) -> str:
        """A new identifier, the same whenever the same call is made on the same state."""
        self._ordinal += 1
        digest = hashlib.sha256(f"{self._identity}/{self._ordinal}".encode()).hexdigest()
        return f"{prefix}_{digest[:12]}" if prefix else digest[:12]

    def get(self, entity: type[E], *key: Any) -> E | None:
        """The row with this key, or ``None``."""
        # What Session.get does, with the statement and the form of the key made once: half its time.
        statement, names, identity = _by_key(entity)
        known = self._session.identity_map.get((identity, key, None))
        if known is not None and not sa_inspect(known).expired:
            return known  # type: ignore[no-any-return]
        return self._session.scalars(statement, dict(zip(names, key, strict=True))).first()

    def require(self, entity: type[E], *key: Any) -> E:
        """The row with this key.

        Raises:
            ToolError: code ``not_found``.
        """
        found = self.get(entity, *key)
        if found is None:
            name = entity_name(entity).replace("_", " ")
            shown = ", ".join(map(str, key))
            raise ToolError("not_found", f"There is no {name} {shown!r}.")
        return found

    def list(
        self,
        entity: type[E],
        *where: Condition,
        order_by: Any | Sequence[Any] = (),
        limit: int | None = None,
        offset: int = 0,
    ) -> list[E]:
        """Rows that satisfy every condition, in a total order (the key decides last)."""
        statement = select(entity).where(*where).order_by(*total_order(entity, order_by))
        if limit is not None:
            statement = statement.limit(limit)
        if offset:
            statement = statement.offset(offset)
        return list(self._session.scalars(statement))

    def first(self, entity: type[E], *where: Condition, order_by: Any | Sequence[Any] = ()) -> E | None:
        """The first such row in that order, or ``None``."""
        found = self.list(entity, *where, order_by=order_by, limit=1)
        return found[0] if found else None

    def count(self, entity: type[Entity], *where: Condition) -> int:
        """How many rows satisfy every condition."""
        return self._session.execute(select(func.count()).select_from(entity).where(*where)).scalar_one()

    def exists(self, entity: type[Entity], *where: Condition) -> bool:
        """Whether any row satisfies every condition."""
        return self.first(entity, *where) is not None

    def rows(self, statement: Select[*tuple[Any, ...]]) -> Sequence[Row[*tuple[Any, ...]]]:
        """The rows of a ``select`` (joins, sums); its order is the caller's duty."""
        return self._session.execute(statement).all()

    def page(
        self,
        entity: type[E],
        *where: Condition,
        order_by: Any | Sequence[Any] = (),
        limit: int = 20,
        cursor: str | None = None,
    ) -> Page[E]:
        """One page that neither skips nor repeats rows when others come or go between pages.

        Args:
            order_by: columns of the entity that are never null, each as it is or with ``.desc()``.
            cursor: ``next_cursor`` of the page before.

        Raises:
            ToolError: code ``invalid``, for a cursor that no listing in this order has given.
        """
        order = total_order(entity, order_by)
        statement = select(entity).where(*where).order_by(*order).limit(limit + 1)
        if cursor is not None:
            statement = statement.where(after_cursor(order, cursor))
        found = list(self._session.scalars(statement))
        more = len(found) > limit
        items = found[:limit]
        return Page(items, cursor_of(order, items[-1]) if more else None)

    def add(self, entity: E) -> E:
        """Insert a row, at once: rows are written in the order in which the tool adds them."""
        self._session.add(entity)
        self._session.flush()
        return entity

    def delete(self, entity: Entity) -> None:
        """Delete a row; rows that refer to it are handled as their reference says."""
        self._session.delete(entity)
        self._session.flush()
        if _carries_on(type(entity).table()):
            # The database went on to other rows; what is known of them is read again.
            self._session.expire_all()

    def flush(self) -> None:
        """Write pending changes now, so that broken rules show at this point of the tool."""
        self._session.flush()

    @staticmethod
    def fail(code: str, message: str, **details: Any) -> NoReturn:
        """Answer "no": the call fails, what it changed is undone, the agent reads code and message."""
        raise ToolError(code, message, **details)


@cache
def _carries_on(table: Table) -> bool:
    """Whether a delete in this table deletes or changes rows that refer to it."""
    return any(
        key.target_fullname.rsplit(".", 1)[0] == table.name and key.ondelete in ("CASCADE", "SET NULL")
        for other in table.metadata.tables.values()
        for key in other.foreign_keys
    )


def contains(column: Any, text: str) -> ColumnElement[bool]:
    """Whether a text column contains the text, whatever the case of ASCII letters."""
    return column.icontains(text, autoescape=True)  # type: ignore[no-any-return]
