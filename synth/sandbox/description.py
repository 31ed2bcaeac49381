"""What a sandbox says of a service, checked, and the service that the outside makes of it.

No SQL and no code comes out of a sandbox: only names, types and rules of fields. The tables are made of them here, with
the kit's own functions, so that rows are validated outside just as inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from sqlalchemy.orm import registry

from engine.errors import CompoWorldError, ToolViolation
from engine.kit import Entity, Seed, Service, field, key, ref, tool
from engine.kit.fields import Semantic
from synth.errors import GeneratedCodeInvalid

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,50}$")]
ClassName = Annotated[str, Field(pattern=r"^[A-Z][A-Za-z0-9]{0,40}$")]
Json = dict[str, Any] | list[Any] | str | int | float | bool

_TYPES: dict[str, Any] = {
    "money": Decimal,
    "percent": Decimal,
    "date": date,
    "datetime": datetime,
    "quantity": int,
    "minutes": int,
    "ratio": float,
    "flag": bool,
    "tags": list[Any],
    "json": Json,
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FieldDescription(_Strict):
    """One field of an entity."""

    name: Identifier
    semantic: Semantic
    nullable: bool
    key: bool
    prefix: Annotated[str, Field(max_length=40)] | None
    choices: Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=200)] | None
    pattern: Annotated[str, Field(max_length=500)] | None
    unique: bool
    index: bool
    target: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$", max_length=120)] | None
    on_delete: Literal["restrict", "cascade", "set null"] | None
    min_length: int | None = None
    max_length: int | None = None
    ge: float | None = None
    le: float | None = None

    @property
    def type(self) -> Any:
        """The Python type of its values."""
        plain = _TYPES.get(self.semantic, str)
        return plain | None if self.nullable else plain

    def definition(self) -> Any:
        """The field in the kit's form."""
        if self.semantic == "id" and self.key and self.prefix is not None:
            return key(self.prefix)
        nothing: dict[str, Any] = {"default": None} if self.nullable else {}
        if self.target is not None:
            return ref(self.target, key=self.key, on_delete=self.on_delete or "restrict", **nothing)
        return field(
            self.semantic,
            choices=self.choices,
            unique=self.unique,
            index=self.index,
            key=self.key,
            min_length=self.min_length,
            max_length=self.max_length,
            pattern=self.pattern,
            ge=self.ge,
            le=self.le,
            **nothing,
        )


class EntityDescription(_Strict):
    """One entity."""

    name: ClassName
    table: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,55}$")]
    fields: Annotated[tuple[FieldDescription, ...], Field(min_length=1, max_length=200)]


class ServiceDescription(_Strict):
    """One service, as its sandbox describes it."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,30}$")]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    domain: Annotated[str, Field(max_length=100)]
    summary: Annotated[str, Field(max_length=2_000)]
    entities: Annotated[tuple[EntityDescription, ...], Field(max_length=100)]
    simulated: tuple[str, ...]
    tools: tuple[str, ...]


class RowDescription(_Strict):
    """One row of the seed."""

    entity: str
    values: dict[str, Any]


def read_description(said: Any, name: str, specifications: Iterable[str]) -> ServiceDescription:
    """Check what a sandbox says.

    Raises:
        GeneratedCodeInvalid: it describes no service of this name with these tools.
    """
    try:
        found = ServiceDescription.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = _place(said, first["loc"])
        raise GeneratedCodeInvalid(f"the service cannot be used: {place}: {first['msg']}") from None
    if found.name != name:
        raise GeneratedCodeInvalid(f"the service is named {found.name!r} instead of {name!r}")
    missing = sorted(set(specifications) ^ {*found.tools, *found.simulated})
    if missing:
        raise GeneratedCodeInvalid(f"tools stand only in the specification or only in the code: {', '.join(missing)}")
    return found


def _place(said: Any, location: Sequence[Any]) -> str:
    """Where something is, with the names of entities and fields rather than their numbers."""
    words, here = [], said
    for step in location:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            here = None
        named = here.get("name") if isinstance(here, dict) else None
        words.append(str(named if isinstance(step, int) and named else step)[:60])
    return ".".join(words)


def make_service(
    found: ServiceDescription,
    specification: Path,
    specifications: Iterable[str],
    seed: Callable[[Seed], Iterable[Entity]],
) -> Service:
    """The service as the outside knows it: real entities, tools whose code is elsewhere.

    Args:
        specification: its ``tools.json``, which the outside wrote.
        specifications: names of its tools.
        seed: makes the rows of its initial state.

    Raises:
        GeneratedCodeInvalid: entities do not fit together.
    """
    entities = make_entities(found)
    module = ModuleType(f"sandboxed.{found.name}")
    for name in specifications:
        if name not in found.simulated:

            def elsewhere(_ctx: Any, **_arguments: Any) -> Any:
                raise ToolViolation("its code runs in a sandbox, and was called outside of it")

            setattr(module, name, tool(elsewhere))
    try:
        service = Service(
            name=found.name,
            title=found.title,
            domain=found.domain,
            summary=found.summary,
            entities=entities,
            tools=module,
            specification=specification,
            seed=seed,
            simulated=found.simulated,
        )
        _ = service.tools
    except CompoWorldError as error:
        raise GeneratedCodeInvalid(f"the service cannot be used: {error.message}", error.hint) from error
    return service


def make_entities(found: ServiceDescription) -> list[type[Entity]]:
    """Entity classes of a description; each call makes new ones, apart from all others.

    Raises:
        GeneratedCodeInvalid: they do not fit together.
    """
    apart = registry()

    class Base(Entity, registry=apart):
        __service__ = found.name
        metadata = apart.metadata

    make: Any = type(Base)
    made = []
    for item in found.entities:
        body: dict[str, Any] = {
            "__annotations__": {one.name: one.type for one in item.fields},
            "__module__": f"sandboxed.{found.name}",
            **{one.name: one.definition() for one in item.fields},
        }
        try:
            entity: type[Entity] = make(item.name, (Base,), body, table=True)
            if entity.table().name != item.table:
                raise GeneratedCodeInvalid(f"{item.name}: the table is named {item.table}, not {entity.table().name}")
        except CompoWorldError:
            raise
        except Exception as error:
            raise GeneratedCodeInvalid(f"entity {item.name} cannot be made: {error}") from error
        made.append(entity)
    return made


def make_rows(said: Any, entities: Iterable[type[Entity]], most: int) -> list[Entity]:
    """The rows that a sandbox has made.

    Raises:
        GeneratedCodeInvalid: they are no rows of these entities.
    """
    if not isinstance(said, list) or len(said) > most:
        raise GeneratedCodeInvalid(f"the seed makes no list of at most {most} rows")
    by_name = {entity.__name__: entity for entity in entities}
    adapters: dict[tuple[str, str], TypeAdapter[Any]] = {}
    rows = []
    for number, item in enumerate(said):
        try:
            given = RowDescription.model_validate(item)
            entity = by_name[given.entity]
            values = {}
            for name, value in given.values.items():
                place = (given.entity, name)
                kind: Any = entity.model_fields[name].annotation
                if place not in adapters:
                    adapters[place] = TypeAdapter(kind)
                values[name] = adapters[place].validate_python(_exact(value, kind))
            rows.append(entity(**values))
        except (ValidationError, KeyError, CompoWorldError) as error:
            raise GeneratedCodeInvalid(f"row {number} of the seed: {str(error)[:500]}") from error
    return rows


def _exact(value: Any, kind: Any) -> Any:
    """A number that JSON carries as a float, for a field of decimals: its shortest spelling, not its binary value."""
    return Decimal(repr(value)) if isinstance(value, float) and kind in (Decimal, Decimal | None) else value
