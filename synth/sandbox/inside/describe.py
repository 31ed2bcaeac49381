"""A service as plain data: what the outside makes its tables of."""

from __future__ import annotations

from typing import Any

from engine.kit import Entity, Service
from engine.tables import references, uniques


def described(service: Service) -> dict[str, Any]:
    """Names, texts, entities and tools of a service.

    Raises:
        ServiceDefinitionError: functions and specification do not fit together.
    """
    return {
        "name": service.name,
        "title": service.title,
        "domain": service.domain,
        "summary": service.summary,
        "entities": [_entity(entity) for entity in service.entities],
        "simulated": sorted(service.simulated),
        "tools": [name for name, tool in service.tools.items() if not tool.simulated],
    }


def _entity(entity: type[Entity]) -> dict[str, Any]:
    table = entity.table()
    single = {names[0] for names in uniques(table) if len(names) == 1}
    indexed = {index.columns[0].name for index in table.indexes if len(index.columns) == 1}
    refers = {item.columns[0]: item for item in references(table) if len(item.columns) == 1}
    fields = []
    for name, info in entity.model_fields.items():
        column = table.columns[name]
        bounds: dict[str, Any] = {}
        for item in info.metadata:
            for bound in ("min_length", "max_length", "ge", "le"):
                value = getattr(item, bound, None)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    bounds[bound] = value
        fields.append(
            {
                "name": name,
                "semantic": column.info.get("semantic"),
                "nullable": bool(column.nullable),
                "key": bool(column.primary_key),
                "prefix": column.info.get("prefix"),
                "choices": list(column.info["choices"]) if "choices" in column.info else None,
                "pattern": column.info.get("pattern"),
                "unique": name in single,
                "index": name in indexed,
                "target": f"{refers[name].target}.{refers[name].target_columns[0]}" if name in refers else None,
                "on_delete": refers[name].on_delete.lower() if name in refers else None,
                **bounds,
            }
        )
    return {"name": entity.__name__, "table": table.name, "fields": fields}
