"""Which entities a specification speaks of, and with what columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from synth.compiler import roles
from synth.compiler.parameters import Parameter, flat, read_name, simple, type_of
from synth.compiler.plan import Column, EntityPlan, ToolPlan, entity_name, python_name
from synth.compiler.words import Kind, singular, split

_OWN: set[Kind] = {"get", "update", "delete", "put", "create", "copy"}
_WRITES: set[Kind] = {"create", "update", "put", "copy", "add", "delete"}
_DERIVED = {
    "history", "activity", "log", "stat", "statistic", "report", "metric", "analytics", "insight", "health", "usage",
    "schema", "documentation", "help", "preview", "suggestion", "recommendation", "diff", "permalink", "aggregate",
    "doc", "tip", "graph", "trend", "forecast", "prediction", "summary", "audit", "tree", "availability", "count",
    "balance", "profit", "loss", "statement",
}  # fmt: skip
"""What is worked out from something else, rather than kept."""

_FINANCE = ({"balance", "sheet"}, {"trial", "balance"}, {"cash", "flow"}, {"profit", "loss"}, {"aged"})
"""Words that together are a report, whatever stands beside them."""

_GENERIC = {
    ("parent",),
    ("target",),
    ("resource",),
    ("subject",),
    ("item",),
    ("object",),
    ("source",),
    ("destination",),
}

_SYNONYMS = {
    "channel": ("conversation",),
    "org": ("organization",),
    "repo": ("repository",),
    "assignee": ("user", "member"),
    "owner": ("user", "member"),
    "reviewer": ("user", "member"),
    "user": ("member",),
    "member": ("user",),
    "follower": ("user",),
    "participant": ("user", "contact"),
}
"""Other words by which parameters call an entity."""


class Entities:
    """The entities of a server, found by the nouns of its tools' names."""

    def __init__(self, tools: list[ToolPlan], longest: int) -> None:
        self._longest = longest
        kinds: dict[tuple[str, ...], Counter[Kind]] = {}
        for tool in tools:
            if tool.reading.noun:
                kinds.setdefault(tool.reading.noun, Counter())[tool.reading.kind] += 1
        self._kinds = kinds
        self._strong = {noun for noun, found in kinds.items() if self._stands_alone(noun, found)}
        self.all: dict[tuple[str, ...], EntityPlan] = {}

    def _stands_alone(self, noun: tuple[str, ...], found: Counter[Kind]) -> bool:
        if not any(found[kind] for kind in _OWN):
            return False
        if found["get"] or found["update"] or found["delete"] or found["put"]:
            return True
        # ``create_team_project`` beside ``get_project`` makes a project.
        return not any(self._kinds.get(noun[start:]) for start in range(1, len(noun)))

    def resolve(self, noun: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of the entity that a noun speaks of, and those before it: the project's tasks are tasks."""
        if noun in self._strong:
            return noun, ()
        for start in range(1, len(noun)):
            if noun[start:] in self._strong:
                return noun[start:], noun[:start]
        if set(self._kinds.get(noun, {})) == {"create"}:
            # ``send_reader_message`` makes what ``list_messages`` lists.
            for start in range(1, len(noun)):
                if self._shown(noun[start:]):
                    return noun[start:], noun[:start]
        return noun, ()

    def _shown(self, noun: tuple[str, ...]) -> bool:
        found = self._kinds.get(noun, Counter())
        return bool(found["list"] or found["get"])

    def only(self, noun: tuple[str, ...], kinds: set[Kind]) -> bool:
        """Whether nothing but this is done with what a noun speaks of."""
        return set(self._kinds.get(noun, {})) <= kinds

    def strong(self, noun: tuple[str, ...]) -> bool:
        """Whether there is an entity of just these words."""
        return noun in self._strong

    def collected(self, noun: tuple[str, ...]) -> bool:
        """Whether what a noun speaks of is only put into, taken out of and listed: followers of a task."""
        found = self._kinds.get(noun, Counter())
        return (
            bool(found["add"] or found["remove"])
            and set(found) <= {"add", "remove", "list", "get"}
            and noun not in self._strong
        )

    def within(self, noun: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The longest entity among a noun's words, and the words that are left: ``task done`` gives task, done."""
        for length in range(len(noun), 0, -1):
            for start in range(len(noun) - length + 1):
                part = noun[start : start + length]
                if part in self.all or part in self._strong:
                    return part, (*noun[:start], *noun[start + length :])
        return None

    def get(self, words: tuple[str, ...]) -> EntityPlan:
        """The entity of these words, made where it is new."""
        if words not in self.all:
            name = entity_name(words, {item.name for item in self.all.values()}, self._longest)
            self.all[words] = EntityPlan(words, name)
        return self.all[words]

    def named_by(self, item: Parameter, but: EntityPlan | None = None) -> EntityPlan | None:
        """The entity that a parameter names a row of."""
        if not (item.scalar or not item.type) or "enum" in item.schema:
            return None
        words = tuple(word for word in item.words if word not in ("id", "new", "target", "source", "current"))
        if not (item.identifies or _speaks_of_identifier(item)):
            return None
        for found in self._by_words(words) if words else ():
            if found is not but:
                return found
        return self._described(item, but) if item.words[-1:] in _GENERIC else None

    def listed_by(self, item: Parameter) -> EntityPlan | None:
        """The entity whose identifiers a list of texts holds: ``projects``, ``member_ids``."""
        inner = item.schema.get("items")
        if not item.several or not isinstance(inner, Mapping) or type_of(inner) not in ("string", "integer", "number"):
            return None
        return next(iter(self._by_words(item.words)), None) if item.words and "enum" not in inner else None

    def _described(self, item: Parameter, but: EntityPlan | None) -> EntityPlan | None:
        """The first entity that the description of a ``parent`` or ``target`` speaks of."""
        said = [singular(word) for word in split(str(item.schema.get("description", ""))[:400])]
        for start in range(len(said)):
            for length in (3, 2, 1):
                found = self.all.get(tuple(said[start : start + length]))
                if found is not None and found is not but:
                    return found
        return None

    def _by_words(self, words: tuple[str, ...]) -> Iterable[EntityPlan]:
        if words in self.all:
            yield self.all[words]
        for known, entity in sorted(self.all.items(), key=lambda pair: (len(pair[0]), pair[0])):
            if known != words and known[-len(words) :] == words:
                yield entity
        for start in range(1, len(words)):
            if words[start:] in self.all:
                yield self.all[words[start:]]
        for word in _SYNONYMS.get(words[-1], ()):
            yield from (entity for known, entity in sorted(self.all.items()) if known == (*words[:-1], word))
        if len(words) == 1 and len(words[0]) > 2:
            # ``app_id`` and ``repo_slug`` are short for application and repository.
            yield from (entity for known, entity in sorted(self.all.items()) if known[-1].startswith(words[0]))

    def derived(self, noun: tuple[str, ...], words: tuple[str, ...]) -> bool:
        """Whether what a noun speaks of is worked out rather than kept, and nothing writes it."""
        if any(together <= set(noun) for together in _FINANCE):
            return not self._written(noun)
        return words[-1:] != () and words[-1] in _DERIVED and not self._written(words)

    def _written(self, words: tuple[str, ...]) -> bool:
        return any(self._kinds.get(words, Counter())[kind] for kind in _WRITES)


def several_rows(tool: ToolPlan) -> tuple[Parameter, list[Parameter]] | None:
    """The list of objects that a tool makes or changes rows of, with the parameters of one."""
    for item in tool.parameters:
        inner = item.schema.get("items") if item.several else None
        if isinstance(inner, dict) and isinstance(inner.get("properties"), dict) and inner["properties"]:
            return item, flat(inner)
    return None


def _speaks_of_identifier(item: Parameter) -> bool:
    text = str(item.schema.get("description", "")).lower().replace("`", " ").replace(".", " ").replace(",", " ")
    return bool({"id", "ids", "gid", "identifier", "uuid", "key", "sid"} & set(text.split()))


def add_column(entity: EntityPlan, item: Parameter) -> Column | None:
    """The column for a parameter's values; one that there is already is made to hold these as well."""
    if item.name == "id" or (entity.shown_id and item.name == entity.shown_id):
        return None
    meaning, annotation = roles.semantic(item)
    found = entity.of(item.name)
    if found is None:
        name = base = python_name(split(item.name))
        number = 2
        while name in entity.columns:
            name = f"{base}_{number}"
            number += 1
        found = Column(name, item.name, meaning, annotation, parameter=item)
        entity.columns[name] = found
    elif found.annotation != annotation and found.target is None:
        # Tools do not agree on its type: it holds whatever either gives.
        texts = {found.annotation, annotation} <= {"str", "date", "datetime"}
        found.semantic, found.annotation = ("text", "str") if texts else ("json", "Any")
    elif found.parameter is not None and len(item.schema) > len(found.parameter.schema):
        found.parameter = item
    return found


_NO_VALUES = {"id", "success", "error", "result", "results", "response", "message", "ok"}
"""What an answer says of itself rather than of a row."""


def add_output(entity: EntityPlan, tool: ToolPlan) -> None:
    """Columns for what a tool's output schema says of a row: texts, numbers and flags."""
    schema = tool.spec.output_schema
    row = row_schema(schema) if schema else None
    if row is None:
        return
    for name, given in (row.get("properties") or {}).items():
        inner = simple(schema or {}, given)
        kind = type_of(inner)
        if kind in ("string", "integer", "number", "boolean") and name.lower() not in _NO_VALUES:
            words, identifies, named = read_name(name)
            if entity.of(name) is None and not name.startswith("_"):
                add_column(entity, Parameter(name, (), inner, False, words, identifies, named, kind))
            if (column := entity.of(name)) is not None:
                column.answered = True


def row_schema(schema: Mapping[str, Any], depth: int = 0) -> Mapping[str, Any] | None:
    """The schema of one row inside an output schema: of the items of its list, or of the object itself."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or depth > 3:
        return None
    for given in properties.values():
        inner = simple(schema, given)
        if type_of(inner) == "array":
            items = simple(schema, inner.get("items"))
            if isinstance(items.get("properties"), dict):
                return items
    if "id" in properties or len(properties) > 3:
        return schema
    for given in properties.values():
        inner = simple(schema, given)
        if isinstance(inner.get("properties"), dict):
            return row_schema(inner, depth + 1)
    return schema
