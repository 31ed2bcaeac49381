"""From entities to SQL: the rows table, the view of the current branch, and the trigger that writes.

The text has ``@schema@`` where the composition's schema goes; the catalog keeps it, and the database itself builds
schemas from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Table
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import Float, Numeric

from engine.errors import ServiceDefinitionError
from engine.kit import Entity, Service
from engine.tables import Reference, column_type, key_expression, literal, quote, references, uniques

LONGEST_TABLE = 63 - len("__write")
RESERVED = {"_branch", "_gone"}


@dataclass(frozen=True)
class Place:
    """Where a service's views stand, and whom they ask for the branch that is seen and written.

    Attributes:
        rows: schema of the tables of rows.
        views: schema of the views and of the functions that write.
        branch: SQL of the number of the branch.
        base: SQL of the number of its base.
        event: function that gives the event that is being written.
        log: function that logs a change of a row.
        reader: role that may read the views.
        barrier: conditions of a reader are not looked at before the view's own.
        rights: clauses of the functions that write.
    """

    rows: str = "@schema@"
    views: str = "@schema@"
    branch: str = "compoworld.current_branch()"
    base: str = "compoworld.current_base()"
    event: str = "compoworld.writing_event"
    log: str = "compoworld.log_change"
    reader: str = "compoworld_verifier"
    barrier: bool = False
    rights: str = ""


COMPOSITION = Place()
"""A composition's own schema, where the connection's settings name the branch."""


def service_ddl(service: Service) -> str:
    """All SQL of a service's entities.

    Raises:
        ServiceDefinitionError: a table's name is too long, a column's name is reserved, a reference leads nowhere.
    """
    tables = [entity.table() for entity in service.entities]
    names = {table.name for table in tables}
    incoming: dict[str, list[Reference]] = {}
    for table in tables:
        if len(table.name) > LONGEST_TABLE:
            raise ServiceDefinitionError(f"{table.name}: the name has over {LONGEST_TABLE} characters")
        for column in table.columns:
            if column.name in RESERVED or len(column.name) > 63:
                raise ServiceDefinitionError(f"{table.name}.{column.name}: the name is reserved or too long")
        for reference in references(table):
            if reference.target not in names:
                raise ServiceDefinitionError(f"{table.name} refers to {reference.target}, which is no entity")
            incoming.setdefault(reference.target, []).append(reference)
    parts = [_storage(entity) + _view(entity, COMPOSITION) for entity in service.entities]
    parts += [_trigger(entity, incoming.get(entity.table().name, []), COMPOSITION) for entity in service.entities]
    return "\n".join(parts)


def views_ddl(service: Service, place: Place) -> str:
    """SQL of a second set of a service's views, in another schema than its rows."""
    incoming: dict[str, list[Reference]] = {}
    for entity in service.entities:
        for reference in references(entity.table()):
            incoming.setdefault(reference.target, []).append(reference)
    parts = [_view(entity, place) for entity in service.entities]
    parts += [_trigger(entity, incoming.get(entity.table().name, []), place) for entity in service.entities]
    return "\n".join(parts)


def _storage(entity: type[Entity]) -> str:
    table = entity.table()
    keys = [quote(name) for name in entity.key_columns()]
    definitions = [
        f"{quote(column.name)} {column_type(column)}{'' if column.nullable else ' NOT NULL'}{_check(column)}"
        for column in table.columns
    ]
    rows = f"@schema@.{quote(table.name + '__rows')}"
    key = ", ".join(keys)
    index_sets = {tuple(column.name for column in index.columns) for index in table.indexes} | set(uniques(table))
    index_sql = "".join(
        f"\nCREATE INDEX ON {rows} (_branch, {', '.join(map(quote, names))});" for names in sorted(index_sets)
    )
    return f"""
CREATE TABLE {rows} (
    {", ".join(definitions)},
    _branch bigint NOT NULL, _gone boolean NOT NULL,
    PRIMARY KEY (_branch, {key})
);{index_sql}"""


def _view(entity: type[Entity], place: Place) -> str:
    table = entity.table()
    keys = [quote(name) for name in entity.key_columns()]
    columns = [quote(column.name) for column in table.columns]
    rows = f"{place.rows}.{quote(table.name + '__rows')}"
    view = f"{place.views}.{quote(table.name)}"
    tuple_r = f"(r.{keys[0]})" if len(keys) == 1 else f"({', '.join(f'r.{name}' for name in keys)})"
    return f"""
CREATE VIEW {view}{" WITH (security_barrier)" if place.barrier else ""} AS
    SELECT {", ".join(f"r.{name}" for name in columns)} FROM {rows} r
    WHERE r._branch = ANY (ARRAY[{place.branch}, {place.base}]) AND NOT r._gone
      AND (r._branch = {place.branch}
           OR {tuple_r} NOT IN (SELECT {", ".join(f"o.{name}" for name in keys)} FROM {rows} o
                                WHERE o._branch = {place.branch}));
GRANT SELECT ON {view} TO {place.reader};"""


def _check(column: Column[Any]) -> str:
    name = quote(column.name)
    if choices := column.info.get("choices"):
        return f" CHECK ({name} IN ({', '.join(map(literal, choices))}))"
    if isinstance(column.type, Float):
        return f" CHECK ({name} NOT IN ('NaN', 'Infinity', '-Infinity'))"
    if isinstance(column.type, Numeric):
        return f" CHECK ({name} <> 'NaN')"
    return ""


def _same(left: str, names: tuple[str, ...], right: str, right_names: tuple[str, ...] | None = None) -> str:
    pairs = zip(names, right_names or names, strict=True)
    return " AND ".join(f"{left}.{quote(a)} = {right}.{quote(b)}" for a, b in pairs)


def _changed(names: tuple[str, ...]) -> str:
    return " OR ".join(f"NEW.{quote(name)} IS DISTINCT FROM OLD.{quote(name)}" for name in names)


def _given(names: tuple[str, ...]) -> str:
    return " AND ".join(f"NEW.{quote(name)} IS NOT NULL" for name in names)


def _refusal(kind: str, message: str, table: str, constraint: str) -> str:
    return (
        f"RAISE EXCEPTION {literal(message)} USING ERRCODE = '{kind}', "
        f"TABLE = {literal(table)}, CONSTRAINT = {literal(constraint)};"
    )


def _trigger(entity: type[Entity], incoming: list[Reference], place: Place) -> str:
    table = entity.table()
    name = table.name
    keys = entity.key_columns()
    columns = [quote(column.name) for column in table.columns]
    view = f"{place.views}.{quote(name)}"
    rows = f"{place.rows}.{quote(name + '__rows')}"
    write = f"{place.views}.{quote(name + '__write')}"
    writes = ", ".join(f"{item} = excluded.{item}" for item in columns)
    upsert = (
        f"INSERT INTO {rows} VALUES ({{row}}, v_branch, {{gone}}) "
        f"ON CONFLICT (_branch, {', '.join(map(quote, keys))}) DO UPDATE SET {writes}, _gone = excluded._gone;"
    )

    def log(op: str, row: str, before: str, after: str) -> str:
        key = key_expression(keys, row)
        return f"PERFORM {place.log}(v_branch, v_seq, {literal(name)}, {key}, '{op}', {before}, {after});"

    return f"""
CREATE FUNCTION {write}() RETURNS trigger LANGUAGE plpgsql{place.rights} AS $trigger$
DECLARE
    v_branch bigint := {place.branch};
    v_seq int := {place.event}({literal(name)});
BEGIN
    IF TG_OP = 'DELETE' THEN
        {_restrict(incoming, place)}
        {upsert.format(row=", ".join(f"OLD.{item}" for item in columns), gone="true")}
        {log("delete", "OLD", "to_jsonb(OLD)", "NULL")}
        {_carry_on(incoming, place)}
        RETURN OLD;
    END IF;
    {_normalise(table)}
    IF TG_OP = 'UPDATE' THEN
        IF {_changed(keys)} THEN
            {_refusal("0A000", f"the key of a row of {name} cannot change", name, f"{name}_pkey")}
        END IF;
        IF NEW IS NOT DISTINCT FROM OLD THEN
            RETURN NEW;
        END IF;
    ELSIF EXISTS (SELECT 1 FROM {view} v WHERE {_same("v", keys, "NEW")}) THEN
        {_refusal("23505", f"{name} already has a row with this key", name, f"{name}_pkey")}
    END IF;
    {_unique_checks(table, keys, view)}
    {_reference_checks(table, place)}
    {upsert.format(row=", ".join(f"NEW.{item}" for item in columns), gone="false")}
    IF TG_OP = 'INSERT' THEN
        {log("insert", "NEW", "NULL", "to_jsonb(NEW)")}
    ELSE
        {log("update", "NEW", "to_jsonb(OLD)", "to_jsonb(NEW)")}
    END IF;
    RETURN NEW;
END $trigger$;
CREATE TRIGGER write INSTEAD OF INSERT OR UPDATE OR DELETE ON {view}
    FOR EACH ROW EXECUTE FUNCTION {write}();"""


def _normalise(table: Table) -> str:
    lines = []
    for column in table.columns:
        target = f"NEW.{quote(column.name)}"
        if isinstance(column.type, JSONB):
            lines.append(f"{target} := nullif(compoworld.canonical({target}), 'null');")
        elif isinstance(column.type, Float):
            lines.append(f"{target} := {target} + 0.0;  -- -0 and 0 are one value")
        elif isinstance(column.type, Numeric):
            precision, scale = column.type.precision, column.type.scale
            lines.append(f"{target} := {target}::numeric({precision}, {scale});")
    return "\n    ".join(lines)


def _unique_checks(table: Table, keys: tuple[str, ...], view: str) -> str:
    lines = []
    for names in uniques(table):
        message = f"{table.name} already has a row with this {', '.join(names)}"
        lines.append(f"""IF {_given(names)} AND (TG_OP = 'INSERT' OR {_changed(names)})
        AND EXISTS (SELECT 1 FROM {view} v WHERE {_same("v", names, "NEW")} AND NOT ({_same("v", keys, "NEW")})) THEN
        {_refusal("23505", message, table.name, f"{table.name}_{'_'.join(names)}_key")}
    END IF;""")
    return "\n    ".join(lines)


def _reference_checks(table: Table, place: Place) -> str:
    lines = []
    for item in references(table):
        itself = ""
        if item.target == table.name:
            pairs = zip(item.columns, item.target_columns, strict=True)
            itself = " AND NOT (" + " AND ".join(f"NEW.{quote(a)} = NEW.{quote(b)}" for a, b in pairs) + ")"
        message = f"{table.name}.{', '.join(item.columns)}: there is no such row of {item.target}"
        lines.append(f"""IF {_given(item.columns)} AND (TG_OP = 'INSERT' OR {_changed(item.columns)}){itself}
        AND NOT EXISTS (SELECT 1 FROM {place.views}.{quote(item.target)} v
                        WHERE {_same("v", item.target_columns, "NEW", item.columns)}) THEN
        {_refusal("23503", message, table.name, item.name)}
    END IF;""")
    return "\n    ".join(lines)


def _restrict(incoming: list[Reference], place: Place) -> str:
    """Refuse to delete a row that others still need."""
    lines = []
    for item in incoming:
        if item.on_delete in ("CASCADE", "SET NULL"):
            continue
        match = _same("v", item.columns, "OLD", item.target_columns)
        if item.table == item.target:
            match += f" AND NOT ({_same('v', item.target_columns, 'OLD')})"
        message = f"a row of {item.table} still refers to this row of {item.target}"
        lines.append(f"""IF EXISTS (SELECT 1 FROM {place.views}.{quote(item.table)} v WHERE {match}) THEN
            {_refusal("23503", message, item.table, item.name)}
        END IF;""")
    return "\n        ".join(lines)


def _carry_on(incoming: list[Reference], place: Place) -> str:
    """Delete or free the rows that refer to a deleted one. It is gone by now, so circles come to an end."""
    lines = []
    for item in incoming:
        child = f"{place.views}.{quote(item.table)}"
        match = _same("v", item.columns, "OLD", item.target_columns)
        if item.on_delete == "CASCADE":
            lines.append(f"DELETE FROM {child} v WHERE {match};")
        elif item.on_delete == "SET NULL":
            nulls = ", ".join(f"{quote(name)} = NULL" for name in item.columns)
            lines.append(f"UPDATE {child} v SET {nulls} WHERE {match};")
    return "\n        ".join(lines)
