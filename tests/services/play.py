"""Play a service's tools in a test: ``play.ok("mail", "send_message", to=[...])``."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Engine, event, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.errors import EntityInvalid, ToolError
from engine.kit import Context, Entity, Seed, Service, jsonable


@dataclass
class Play:
    engine: Engine
    services: dict[str, Service]
    seed: int = 0
    schema: str = "play"
    seq: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA IF EXISTS {self.schema} CASCADE; CREATE SCHEMA {self.schema}"))
            connection.execute(text(f"SET LOCAL search_path = {self.schema}"))
            for service in self.services.values():
                for entity in service.entities:
                    entity.table().create(connection)
            with Session(connection, join_transaction_mode="create_savepoint") as session:
                for service in self.services.values():
                    for row in service.seed(Seed(service.name, self.seed)):
                        session.add(row.check())
                        session.flush()  # row by row: without relationships a flush orders tables as it likes
                session.commit()

    def call(self, service: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; the whole result, ``{"ok": ...}``."""
        self.seq += 1
        bound = self.services[service].tools[tool]
        with self.engine.connect() as connection:
            connection.execute(text(f"SET LOCAL search_path = {self.schema}"))
            session = Session(connection)
            wrote: list[Any] = []

            @event.listens_for(session, "before_flush")
            def check(session: Session, *_: Any) -> None:
                changed = [*session.new, *(row for row in session.dirty if session.is_modified(row))]
                wrote.extend([*changed, *session.deleted])
                for row in changed:
                    row.check()

            seed = Seed(service)
            context = Context(seed.user, session, seed.start + self.seq * timedelta(minutes=1), f"t/{self.seq}")
            try:
                parameters = bound.typed(arguments)
                data = bound.function(context, **parameters)
                session.flush()
                assert not (bound.specification.read_only and wrote), f"{tool} is read-only but writes"
                data = jsonable(data)
                connection.commit()
                return {"ok": True, "data": data}
            except ToolError as error:
                return {"ok": False, "error": {"code": error.code, "message": error.message, "details": jsonable(error.details)}}
            except EntityInvalid as error:
                return {"ok": False, "error": {"code": "invalid", "message": str(error), "details": error.problems}}
            except IntegrityError as error:
                return {"ok": False, "error": {"code": "conflict", "message": str(error.orig), "details": {}}}

    def ok(self, service: str, tool: str, **arguments: Any) -> Any:
        """Call a tool that must succeed; its data."""
        result = self.call(service, tool, **arguments)
        assert result["ok"], result
        return result["data"]

    def fails(self, service: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must say no; its error (code, message, details)."""
        result = self.call(service, tool, **arguments)
        assert not result["ok"], result
        return result["error"]

    def rows(self, entity: type[Entity]) -> list[Any]:
        """Every visible row of an entity."""
        with self.engine.connect() as connection:
            connection.execute(text(f"SET LOCAL search_path = {self.schema}"))
            with Session(connection) as session:
                found = list(session.scalars(select(entity).order_by(*entity.table().primary_key.columns)))
                session.expunge_all()
                return found
