"""Values for seed data: of the form that a parameter asks for, and such as people would write."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import jsonschema_rs

from engine.kit.cast import COLLEAGUES, COMPANIES, CONTACTS
from synth.compiler.keys import usable_pattern
from synth.compiler.parameters import simple, type_of
from synth.compiler.plan import Column, EntityPlan
from synth.compiler.roles import no_value
from synth.compiler.words import split
from synth.runtime.patterns import text_of

_THINGS = (
    "Spring restock", "Depot move", "Price review", "Trade fair stand", "Onboarding", "Quarterly figures",
    "Website relaunch", "Supplier audit", "Holiday rota", "Renewal talks", "Returns desk", "Warehouse safety",
)  # fmt: skip
_SENTENCES = (
    "Agreed with the team on Monday; figures follow.",
    "Waiting for an answer from the supplier.",
    "Checked twice, nothing open.",
    "Please look at the second point before Friday.",
    "Moved to next week because of the fair.",
    "The customer asked for a written confirmation.",
)
_COLLEAGUES = {"user", "member", "owner", "assignee", "employee", "agent", "staff"}
_OTHERS = {"author", "contact", "person", "customer", "client", "patient", "lead", "guest", "student", "subscriber"}
_PLACES = ("Rotterdam", "Perth", "Portland", "Austin", "Leeds", "Denver", "Toronto", "Lyon")
_STREETS = ("14 Quay Street", "220 Orchard Road", "7 Foundry Lane", "91 Harbour View")


def sample(column: Column, entity: EntityPlan, number: int) -> Any:
    """A value of a column for the row of this number (from 0), as JSON; ``None`` where none can be made."""
    schema: Mapping[str, Any] = column.parameter.schema if column.parameter else {}
    chance = random.Random(f"{entity.name}/{column.name}/{number}")
    candidates = [_by_meaning(column, entity, number, chance), _by_schema(schema, schema, chance, 0)]
    for value in candidates:
        if value is not None and _fits(column, schema, value):
            return value
    return None


def sample_of(schema: Mapping[str, Any], name: str) -> Any:
    """A value for one property of a schema; ``None`` where none can be made."""
    given = (schema.get("properties") or {}).get(name) or {}
    return _by_schema(schema, given, random.Random(name), 0)


def _fits(column: Column, schema: Mapping[str, Any], value: Any) -> bool:
    if column.annotation == "str" and not isinstance(value, str):
        return False
    if not schema or (isinstance(value, str) and column.annotation == "str" and type_of(schema) not in ("string", "")):
        return True
    try:
        return bool(jsonschema_rs.validator_for(dict(schema), validate_formats=True).is_valid(value))
    except (jsonschema_rs.ValidationError, ValueError):
        return True


def _by_meaning(column: Column, entity: EntityPlan, number: int, chance: random.Random) -> Any:
    choices = column.parameter.schema.get("enum") if column.parameter else None
    if isinstance(choices, list) and choices:
        choices = [choice for choice in choices if not no_value(choice)] or choices
        return choices[number % len(choices)]
    people = COLLEAGUES if _COLLEAGUES & set(entity.words) else CONTACTS
    person = people[number % len(people)]
    thing = _THINGS[(number + len(entity.name)) % len(_THINGS)]
    unique = f" {number + 1}" if column.unique else ""
    named = _by_name(column, person.name, number)
    if named is not None:
        return named
    match column.semantic:
        case "email":
            return person.email
        case "phone":
            return person.phone
        case "person":
            return person.name
        case "company":
            return COMPANIES[number % len(COMPANIES)].name
        case "url":
            return f"https://{COMPANIES[number % len(COMPANIES)].domain}/{entity.name}/{number + 1}"
        case "currency":
            return COMPANIES[number % len(COMPANIES)].currency
        case "place":
            return _PLACES[number % len(_PLACES)]
        case "address":
            return _STREETS[number % len(_STREETS)]
        case "name" | "title":
            return (person.name if (_COLLEAGUES | _OTHERS) & set(entity.words) else thing) + unique
        case "text":
            return _SENTENCES[number % len(_SENTENCES)] + unique
        case "status":
            return ("open", "done", "open", "waiting")[number % 4] + unique
        case "category":
            return ("standard", "internal", "urgent", "standard")[number % 4] + unique
        case "code":
            return f"{entity.name[:3].upper()}-{1001 + number}"
        case "quantity":
            return chance.randint(1, 40)
        case "ratio":
            return chance.randint(2, 400) / (1 if column.shown.lower().endswith(("id", "number", "count")) else 2)
        case "flag":
            return number % 2 == 0
        case "date":
            return f"2026-03-{2 + number:02d}"
        case "datetime":
            return f"2026-03-{2 + number:02d}T10:{number:02d}:00Z"
    return None


_DAY_ENDINGS = {"date", "day", "due", "deadline", "birthday"}
_MOMENT_ENDINGS = {"at", "time", "timestamp", "since", "until", "start", "end", "created", "updated", "modified"}
_PERSONS = {"recipient", "sender", "from", "to", "cc", "by", "contact", "manager", "attendee", "participant", "member"}


def _by_name(column: Column, person: str, number: int) -> str | None:
    """What the last word of a text's name asks for: a day, a moment, a person."""
    last = (split(column.shown) or [""])[-1]
    if column.semantic not in ("text", "code") or column.unique:
        return None
    if last in _DAY_ENDINGS:
        return f"2026-03-{3 + number:02d}"
    if last in _MOMENT_ENDINGS:
        return f"2026-03-{3 + number:02d}T10:{15 * number:02d}:00Z"
    return person if last in _PERSONS else None


def _by_schema(root: Mapping[str, Any], given: Any, chance: random.Random, depth: int) -> Any:
    """A small value that a schema allows, if it is a common one."""
    schema = simple(root, given)
    for word in ("const", "default"):
        if schema.get(word) is not None:
            return schema[word]
    for word in ("examples", "enum"):
        values = schema.get(word)
        if isinstance(values, list) and values:
            return values[chance.randrange(len(values))]
    for word in ("anyOf", "oneOf"):
        choices = schema.get(word)
        if isinstance(choices, list) and choices and depth < 4:
            return _by_schema(root, choices[0], chance, depth + 1)
    match type_of(schema):
        case "string":
            return _text(schema, chance)
        case "integer" | "number":
            low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
            high = schema.get("maximum", schema.get("exclusiveMaximum", low + 50))
            return int(low) + 1 if high > low else low
        case "boolean":
            return True
        case "array":
            least = schema.get("minItems", 1)
            if depth >= 4 or not isinstance(least, int) or least > 10:
                return []
            found = [_by_schema(root, schema.get("items") or {}, chance, depth + 1) for _ in range(max(1, least))]
            return [item for item in found if item is not None]
        case "object":
            needed = schema.get("required") or []
            properties = schema.get("properties") or {}
            if depth >= 4:
                return {}
            return {
                name: _by_schema(root, inner, chance, depth + 1)
                for name, inner in properties.items()
                if name in needed or (depth == 0 and type_of(simple(root, inner)) in ("string", "boolean"))
            }
    return None


def _text(schema: Mapping[str, Any], chance: random.Random) -> str:
    made = {
        "date": "2026-03-05", "date-time": "2026-03-05T10:00:00Z", "time": "10:00:00Z",
        "email": "femke.visser@brightwater.example", "uri": "https://larkspur.example/page",
        "uuid": "3f2b6c1e-8d4a-4b6f-9a57-0c1d2e3f4a5b", "hostname": "larkspur.example", "ipv4": "192.0.2.10",
    }.get(str(schema.get("format")))  # fmt: skip
    if made is not None:
        return made
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and usable_pattern(pattern, schema) and (fitting := text_of(pattern, chance)):
        return fitting
    text = _THINGS[chance.randrange(len(_THINGS))]
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength", 80)
    return text.ljust(shortest, ".")[: int(longest)]
