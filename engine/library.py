"""The library of services: discovery from the ``services`` folder, and their registration in the catalog."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy import Connection, bindparam, text
from sqlalchemy.dialects.postgresql import JSONB

from engine.ddl import service_ddl
from engine.errors import CompoWorldError, NotFound, ServiceDefinitionError
from engine.kit import Entity, Service, entity_name
from engine.kit.values import canonical_json
from engine.near import did_you_mean
from engine.tables import column_type


@dataclass(frozen=True)
class RegisteredService:
    """A service with its place in the catalog.

    Attributes:
        id: row of ``compoworld.service``.
        version: digest of its entities and its specification.
    """

    id: int
    version: str
    service: Service


class Library:
    """The services at hand, by name; each is imported when it is first asked for.

    Args:
        extra: services that stand in no folder (tests, freshly built ones).
    """

    def __init__(self, extra: Iterable[Service] = ()) -> None:
        self._loaded: dict[str, Service] = {service.name: service for service in extra}
        self._versions: dict[str, tuple[str, str]] = {}

    def names(self) -> list[str]:
        """Names of all services, sorted."""
        package = importlib.import_module("services")
        found = {item.name for item in pkgutil.iter_modules(package.__path__) if item.ispkg}
        return sorted(found | self._loaded.keys())

    def __iter__(self) -> Iterator[Service]:
        return (self.get(name) for name in self.names())

    def get(self, name: str) -> Service:
        """The service of that name.

        Raises:
            NotFound: there is none.
            ServiceDefinitionError: its folder is wrong.
        """
        if name not in self._loaded:
            known = self.names()
            if name not in known:
                raise NotFound(
                    f"there is no service {name!r}", hint=did_you_mean(name, known, f"known are {', '.join(known)}")
                )
            module = _imported(name)
            service = getattr(module, "service", None)
            if not isinstance(service, Service) or service.name != name:
                raise ServiceDefinitionError(f"services/{name} does not define `service` of that name")
            self._loaded[name] = service
        return self._loaded[name]

    def version(self, service: Service) -> tuple[str, str]:
        """Digest of a service's entities and specification, and its DDL."""
        if service.name not in self._versions:
            ddl = service_ddl(service)
            tools = [
                {**tool.specification.as_mcp(), **({"simulated": True} if tool.simulated else {})}
                for tool in service.tools.values()
            ]
            version = hashlib.sha256(f"{ddl}\n{canonical_json(tools)}".encode()).hexdigest()[:16]
            self._versions[service.name] = (version, ddl)
        return self._versions[service.name]

    def register(self, connection: Connection, service: Service) -> RegisteredService:
        """Put the service's present version into the catalog, once."""
        version, ddl = self.version(service)
        find = text("SELECT id FROM compoworld.service WHERE name = :name AND version = :version")
        key = {"name": service.name, "version": version}
        found = connection.scalar(find, key)
        if found is None:
            # Two processes may register the same service at once; the second waits here and finds it.
            connection.execute(text("SELECT pg_advisory_xact_lock(7204)"))
            found = connection.scalar(find, key) or self._insert(connection, service, version, ddl)
        return RegisteredService(found, version, service)

    def _insert(self, connection: Connection, service: Service, version: str, ddl: str) -> int:
        row = connection.execute(
            text(
                "INSERT INTO compoworld.service (name, version, title, domain, summary, ddl)"
                " VALUES (:name, :version, :title, :domain, :summary, :ddl) RETURNING id"
            ),
            {
                "name": service.name,
                "version": version,
                "title": service.title,
                "domain": service.domain,
                "summary": service.summary,
                "ddl": ddl,
            },
        ).scalar_one()
        if service.entities:
            connection.execute(
                text(
                    "INSERT INTO compoworld.entity (service_id, ordinal, name, table_name, key_columns, fields)"
                    " VALUES (:service_id, :ordinal, :name, :table_name, :key_columns, :fields)"
                ).bindparams(_json("fields")),
                [
                    {
                        "service_id": row,
                        "ordinal": ordinal,
                        "name": entity_name(entity),
                        "table_name": entity.table().name,
                        "key_columns": list(entity.key_columns()),
                        "fields": describe_fields(entity),
                    }
                    for ordinal, entity in enumerate(service.entities, 1)
                ],
            )
        connection.execute(
            text(
                "INSERT INTO compoworld.tool (service_id, ordinal, name, description, input_schema, output_schema,"
                " annotations, read_only, simulated) VALUES (:service_id, :ordinal, :name, :description, :input_schema,"
                " :output_schema, :annotations, :read_only, :simulated)"
            ).bindparams(_json("input_schema"), _json("output_schema"), _json("annotations")),
            [
                {
                    "service_id": row,
                    "ordinal": ordinal,
                    "name": tool.name,
                    "description": tool.specification.description,
                    "input_schema": tool.specification.input_schema,
                    "output_schema": tool.specification.output_schema,
                    "annotations": tool.specification.annotations,
                    "read_only": tool.specification.read_only,
                    "simulated": tool.simulated,
                }
                for ordinal, tool in enumerate(service.tools.values(), 1)
            ],
        )
        return int(row)


def _imported(name: str) -> ModuleType:
    """The package of a service; whatever its import raises is told with the line of the service that it came from."""
    folder = Path(next(iter(importlib.import_module("services").__path__))) / name
    try:
        return importlib.import_module(f"services.{name}")
    except Exception as error:
        frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        problem, hint = f"{type(error).__name__}: {error}", None
        if isinstance(error, SyntaxError) and error.filename:
            frames.append((error.filename, error.lineno))
            problem = f"{type(error).__name__}: {error.msg}"
        elif isinstance(error, CompoWorldError):
            problem, hint = error.message, error.hint
        where = f"services/{name}"
        for file, line in frames:
            if Path(file).is_relative_to(folder):
                where = f"services/{name}/{Path(file).relative_to(folder)}, line {line}"
        raise ServiceDefinitionError(f"{where}: {problem}", hint) from error


def describe_fields(entity: type[Entity]) -> dict[str, Any]:
    """Per field: its SQL type, semantic type, whether it may be null, its choices and its target."""
    return {
        column.name: {
            "type": column_type(column).removesuffix(' COLLATE "C"'),
            "semantic": column.info.get("semantic"),
            "nullable": bool(column.nullable),
            **({"choices": list(column.info["choices"])} if "choices" in column.info else {}),
            **({"target": column.info["target"]} if "target" in column.info else {}),
        }
        for column in entity.table().columns
    }


def _json(name: str) -> Any:
    return bindparam(name, type_=JSONB(none_as_null=True))
