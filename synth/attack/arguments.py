"""Valid arguments for a tool: from its schema, from what the service showed, and from what its refusals say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from engine.kit.specification import ToolSpecification
from synth.attack.pool import Pool
from synth.attack.reading import Reading, normal, singular, words
from synth.attack.samples import Samples, examples
from synth.attack.schemas import SchemaReader
from synth.attack.vocabulary import vocabulary

Path = tuple[str | int, ...]

_HOLDERS = vocabulary("holders")
_ID_WORDS = vocabulary("references")
_PLAIN = vocabulary("plain")
_DEEPEST = 6
_MOST_ITEMS = 1_000


@dataclass
class Plan:
    """Which of its candidates each place gets, and which optional places are given.

    Attributes:
        given: paths of optional values that are given.
        fixed: values that are set whatever the candidates are.
        once: those of them that are for one try only.
    """

    picks: dict[Path, int] = field(default_factory=dict)
    given: set[Path] = field(default_factory=set)
    fixed: dict[Path, Any] = field(default_factory=dict)
    once: set[Path] = field(default_factory=set)

    def copy(self) -> Plan:
        return Plan(dict(self.picks), set(self.given), dict(self.fixed), set(self.once))


class Maker:
    """Makes arguments for one tool.

    Attributes:
        candidates: what each place could be given, by its path; filled as arguments are made.
        optional: paths that may be left out, in the order of the schema.
    """

    def __init__(
        self,
        specification: ToolSpecification,
        reading: Reading,
        readings: dict[str, Reading],
        pool: Pool,
        samples: Samples,
    ) -> None:
        self.specification = specification
        self.reading = reading
        self._readings = readings
        self.schemas = SchemaReader(specification.input_schema)
        self.candidates: dict[Path, list[Any]] = {}
        self.optional: list[Path] = []
        self.references: dict[Path, str] = {}
        """Places that take an identifier, with the noun of the thing."""
        self.unclear: set[Path] = set()
        """Places that take an identifier whose names do not say of what."""
        self._pool = pool
        self._samples = samples

    def forget(self) -> None:
        """Look at the pool anew for what each place could be given."""
        self.candidates.clear()
        self.references.clear()

    def make(self, plan: Plan) -> dict[str, Any]:
        """Arguments by a plan."""
        made = self._object(self.schemas.concrete(self.specification.input_schema), (), "", plan, 0)
        return made

    def valid(self, arguments: dict[str, Any]) -> bool:
        """Whether the specification allows these arguments."""
        return not self.specification.problems(arguments)

    def _object(self, schema: dict[str, Any], path: Path, key: str, plan: Plan, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        required = set(schema.get("required") or [])
        properties: dict[str, Any] = schema.get("properties") or {}
        short = int(schema.get("minProperties") or 0) - len(required)
        for name, part in properties.items():
            place = (*path, name)
            if name not in required:
                if place not in self.optional:
                    self.optional.append(place)
                if (
                    place not in plan.given
                    and place not in plan.fixed
                    and not any(item[: len(place)] == place for item in plan.given)
                ):
                    if short <= 0:
                        continue
                    short -= 1
            if depth < _DEEPEST or name in required:
                out[name] = self._value(part, place, name, plan, depth + 1)
        for name in required - properties.keys():
            out[name] = self._value({}, (*path, name), name, plan, depth + 1)
        if not out and not properties and depth and key and short > 0:
            out["note"] = "alder"
        return out

    def _value(self, schema: Any, path: Path, key: str, plan: Plan, depth: int) -> Any:
        if path in plan.fixed:
            return plan.fixed[path]
        form = self.schemas.concrete(schema, plan.picks.get((*path, "?"), 0))
        if "const" in form:
            return form["const"]
        if depth > _DEEPEST + 4:
            return None
        if form.get("type") == "object" and "enum" not in form:
            return self._object(form, path, key, plan, depth)
        if form.get("type") == "array" and "enum" not in form:
            return self._array(form, path, key, plan, depth)
        found = self._found(form, path, key)
        return found[plan.picks.get(path, 0) % len(found)] if found else None

    def _array(self, form: dict[str, Any], path: Path, key: str, plan: Plan, depth: int) -> list[Any] | None:
        most = form.get("maxItems")
        length = max(int(form.get("minItems") or 0), 1)
        if length > _MOST_ITEMS:
            return None
        if isinstance(most, int):
            length = min(length, most)
        out: list[Any] = []
        for index in range(length):
            item = self._value(form.get("items", {}), (*path, 0), singular_key(key), plan, depth + 1)
            if form.get("uniqueItems") and item in out:
                others = [x for x in self.candidates.get((*path, 0), []) if x not in out]
                item = others[0] if others else item
            out.append(item)
            if not form.get("uniqueItems") and index > 2:
                out += [item] * (length - len(out))
                break
        return out

    def _found(self, form: dict[str, Any], path: Path, key: str) -> list[Any]:
        if path not in self.candidates:
            found = [item for item in _distinct(self._offers(form, path, key)) if self.schemas.accepts(form, item)]
            self.candidates[path] = found[:40]
        return self.candidates[path]

    def _offers(self, form: dict[str, Any], path: Path, key: str) -> Iterable[Any]:
        if form.get("enum"):
            yield from form["enum"]
            return
        kind = form.get("type")
        if kind == "boolean":
            yield from (True, False)
            return
        quiet = self.reading.promises_nothing_changes
        if kind in ("integer", "number"):
            yield from self._identifiers(form, path, key)
            yield from examples(form)
            yield from self._samples.numbers(key, form)
            return
        if kind == "null":
            yield None
            return
        known = self._identifiers(form, path, key)
        yield from known
        if known and path in self.references and normal(key).rsplit("_", maxsplit=1)[-1] in ("id", "uuid", "sid"):
            return  # nothing that is made up would lead anywhere
        shown = self._pool.values(key)
        if quiet:
            yield from shown
        yield from examples(form)
        yield from self._samples.texts(key, form, quiet)
        yield from shown

    def _identifiers(self, form: dict[str, Any], path: Path, key: str) -> list[Any]:
        noun = self._noun(form, path, key)
        if noun is None:
            if words(key)[-1:] in (["id"], ["ids"]):
                self.unclear.add(path)
                known = [own for each in self._pool.nouns() for own in self._pool.identifiers(each)[:2]]
                found = [*self._pool.values(key), *known]
                return [str(item) for item in found] if form.get("type") == "string" else found
            return []
        self.references[path] = noun
        known = self._pool.identifiers(noun)
        for other in self._pool.nouns():  # the folder that a collection_folder is
            if other != noun and other.split("_")[-1] == noun:
                known = [*known[:2], *self._pool.identifiers(other), *known[2:]]
        shown = [item for item in self._pool.values(key) if item not in known and words(key)[-1:] != ["id"]]
        found = [*known, *shown] if normal(key) != "id" else list(known)
        return [str(item) for item in found] if form.get("type") == "string" else found

    def _noun(self, form: dict[str, Any], path: Path, key: str) -> str | None:
        """The noun of which this place takes an identifier, if it does."""
        parts = [singular(item) for item in words(key)]
        description = str(form.get("description") or "")
        if parts and parts[-1] in _ID_WORDS:
            head = [item for item in parts[:-1] if item not in ("public", "internal", "external", "unique")]
            if not head:
                holder = [item for item in path[:-1] if isinstance(item, str) and item.lower() not in _HOLDERS]
                head = [singular(item) for item in words(holder[-1])] if holder else self.reading.noun.split("_")
            found = self._pool.noun_for(head) if head and head != [""] else None
            if found is None and (found := self._told(description)) is not None:
                self.unclear.add(path)
            if found is None and len(self._pool.rows("_".join(head))) == 0 and parts[-1] in ("id", "uuid", "sid"):
                values = self._pool.values(key)
                for noun in self._pool.nouns():
                    if values and values[0] in self._pool.rows(noun):
                        self.unclear.add(path)
                        return noun
            return found
        if form.get("type") == "string" and not form.get("format") and not (parts and parts[-1] in _PLAIN):
            if "_".join(parts) in self._pool.nouns():
                return "_".join(parts)
            if re.search(r"\b(id|ids|identifier|uuid)\b", description, re.IGNORECASE):
                return self._told(description) or self._pool.noun_for(parts)
        return None

    def _told(self, description: str) -> str | None:
        """A noun by the words of a description: ``Agent id``, ``from list_agents``, ``such as agt_7``."""
        for name in re.findall(r"\b[A-Za-z]+(?:[_-][A-Za-z]+)+\b", description):
            other = self._readings.get(name)
            if other is not None and other.noun in self._pool.nouns():
                return other.noun
        for first, second in re.findall(
            r"\b(?:([A-Za-z]+)[ -])?([A-Za-z]+)(?:'s)? (?:ids?|identifiers?|IDs?)\b", description
        ):
            for option in ([first.lower(), singular(second.lower())], [singular(second.lower())]):
                noun = self._pool.noun_for([item for item in option if item])
                if noun is not None:
                    return noun
        for example in re.findall(r"\b([a-z]{2,8}[_-])\w+", description):
            like = self._pool.like(example)
            if like:
                return next((noun for noun in self._pool.nouns() if like[0] in self._pool.rows(noun)), None)
        return None


def singular_key(key: str) -> str:
    """The name of one item of a list: ``member_ids`` gives ``member_id``."""
    return normal(key) or key


def _distinct(values: Iterable[Any]) -> list[Any]:
    seen: dict[str, Any] = {}
    for value in values:
        seen.setdefault(f"{type(value).__name__}:{value}", value)
    return list(seen.values())
