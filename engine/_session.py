"""The ORM session that a tool works through: it validates every write and cannot leave its transaction."""

from __future__ import annotations

from typing import Any, NoReturn

from sqlalchemy import Connection, Select, event
from sqlalchemy import inspect as sa_inspect
from sqlalchemy.orm import Session, UOWTransaction

from engine._dialect import TOOL_OPTION
from engine.errors import ToolViolation
from engine.kit import Entity


class ToolSession(Session):
    """A session over the transaction of one call; ``keep`` and ``undo`` end it, for the engine only."""

    def __init__(self, connection: Connection) -> None:
        # create_savepoint: a failed flush goes back to the savepoint, not to the start of the whole call.
        super().__init__(join_transaction_mode="create_savepoint")
        self._connection = connection.execution_options(**{TOOL_OPTION: True})

    def keep(self) -> None:
        """Write what is pending and release the savepoint; the objects of the call become unusable."""
        self.flush()
        super().commit()
        self._part()

    def undo(self) -> None:
        """Go back to the savepoint."""
        # What is still pending would be warned about when the transaction has failed before.
        for row in (*self.new, *self.deleted):
            self.expunge(row)
        self.expire_all()
        super().rollback()
        self._part()

    def drop(self) -> None:
        """Give up the connection with all that happened on it."""
        super().invalidate()

    def _part(self) -> None:
        self.expire_all()
        super().close()

    def get_bind(self, mapper: Any = None, *, clause: Any = None, **more: Any) -> Any:
        # SQLAlchemy always asks on behalf of a mapper or a statement.
        if mapper is None and clause is None:
            raise ToolViolation("a tool tried to take the connection")
        return self._connection

    def execute(self, statement: Any, *args: Any, **kwargs: Any) -> Any:
        return super().execute(_only_select(statement), *args, **kwargs)

    def scalars(self, statement: Any, *args: Any, **kwargs: Any) -> Any:
        return super().scalars(_only_select(statement), *args, **kwargs)

    def scalar(self, statement: Any, *args: Any, **kwargs: Any) -> Any:
        return super().scalar(_only_select(statement), *args, **kwargs)

    def commit(self) -> NoReturn:
        raise ToolViolation("a tool tried to commit", hint="the engine commits when the tool has returned")

    def rollback(self) -> NoReturn:
        raise ToolViolation("a tool tried to roll back", hint="raise ToolError and the engine undoes the call")

    def begin(self, nested: bool = False) -> NoReturn:
        raise ToolViolation("a tool tried to open a transaction of its own")

    def begin_nested(self) -> NoReturn:
        raise ToolViolation("a tool tried to open a transaction of its own")

    def connection(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ToolViolation("a tool tried to take the connection")

    def close(self) -> NoReturn:
        raise ToolViolation("a tool tried to close its session")

    def reset(self) -> NoReturn:
        raise ToolViolation("a tool tried to close its session")

    def invalidate(self) -> NoReturn:
        raise ToolViolation("a tool tried to close its session")

    def bulk_save_objects(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ToolViolation("a tool tried to write rows past their validation", hint="add them one by one")

    def bulk_insert_mappings(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ToolViolation("a tool tried to write rows past their validation", hint="add them one by one")

    def bulk_update_mappings(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ToolViolation("a tool tried to write rows past their validation", hint="change them one by one")


def _only_select(statement: Any) -> Any:
    if not isinstance(statement, Select):
        raise ToolViolation(
            "a tool tried to run SQL that is not a plain select",
            hint="change rows through their objects, so that they are validated",
        )
    return statement


@event.listens_for(ToolSession, "before_flush")
def _validate(session: Session, _context: UOWTransaction, _objects: Any) -> None:
    for row in (*session.new, *session.dirty):
        if isinstance(row, Entity):
            row.check()
    for row in session.new:
        # Whether the key is free is for the database to say: the row that this session knows may be gone by a cascade.
        key = sa_inspect(type(row)).identity_key_from_instance(row)
        known = session.identity_map.get(key)
        if known is not None and known not in session.deleted:
            session.expunge(known)
