"""What the result of a tool shows: rows, records, identifiers, values by key; inferred from its shape alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from synth.attack.reading import normal, words
from synth.attack.vocabulary import ordered, vocabulary

CURSOR_KEYS = vocabulary("cursor_keys")
_ID_WORDS = vocabulary("ids")
LISTS = ordered("lists_of_rows")
_WRAPPERS = ordered("wrappers")


def rows_of(data: Any) -> list[dict[str, Any]] | None:
    """The rows of a listing, or ``None`` where the result is no listing of objects."""
    if isinstance(data, list):
        return data if all(isinstance(item, dict) for item in data) else None
    if not isinstance(data, dict):
        return None
    lists = {key: value for key, value in data.items() if isinstance(value, list)}
    if any(normal(key) in ("id", "uuid", "sid") for key in data):
        return None  # one thing, and its parts
    for key in LISTS:
        if key in lists:
            return rows_of(lists[key])
    if len(lists) == 1:
        ((key, parts),) = lists.items()
        # An object with a list among its parts is one thing; a list with a count beside it is a listing.
        others = [value for name, value in data.items() if name != key]
        if identifier(data) is None and not any(isinstance(value, dict | list) for value in others):
            return rows_of(parts)
        return None
    if not lists and len(data) <= 3:
        for key in _WRAPPERS:
            if isinstance(data.get(key), dict) and (found := rows_of(data[key])) is not None:
                return found
    return None


def record_of(data: Any, noun: str = "") -> dict[str, Any] | None:
    """The one thing that a result is about: the object itself, or the one inside a wrapper."""
    if isinstance(data, list):
        return record_of(data[0], noun) if len(data) == 1 else None
    if not isinstance(data, dict):
        return None
    named = [value for key, value in data.items() if isinstance(value, dict) and normal(key) == noun]
    if identifier(data, noun) is not None and not named:
        return data
    if named:
        return named[0]
    objects = [value for value in data.values() if isinstance(value, dict)]
    if len(objects) == 1 and identifier(objects[0], noun) is not None:
        return objects[0]
    return data


def identifier_key(record: dict[str, Any], noun: str = "") -> str | None:
    """The key under which a record has its own identifier."""
    own = {f"{noun}_{word}" for word in _ID_WORDS | {"number", "code", "name"}} if noun else set()
    last = noun.rsplit("_", maxsplit=1)[-1] if noun else ""
    if last:
        own |= {f"{last}_id", f"{last}_key", f"{last}_sid"}
    for wanted in (_ID_WORDS, own):
        for key, value in record.items():
            if normal(key) in wanted and _scalar(value) and value not in (None, "") and not isinstance(value, bool):
                return key
    first = next(iter(record), None)
    if first is not None and words(first)[-1:] and words(first)[-1] in _ID_WORDS and _scalar(record[first]):
        return first if record[first] not in (None, "") else None
    return None


def identifier(record: dict[str, Any], noun: str = "") -> str | int | None:
    """The record's own identifier, or ``None``."""
    key = identifier_key(record, noun)
    value = record[key] if key is not None else None
    return value if isinstance(value, str | int) else None


def by_identifier(rows: list[dict[str, Any]], noun: str = "") -> dict[str, dict[str, Any]] | None:
    """Rows by their identifier as text, or ``None`` where they have none or share one."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        own = identifier(row, noun)
        if own is None or str(own) in found:
            return None
        found[str(own)] = row
    return found


def object_in(data: Any, noun: str, own: Any) -> dict[str, Any] | None:
    """The object with this identifier, wherever it stands in a result."""
    if isinstance(data, dict):
        if len(data) > 1 and identifier(data, noun) == own:
            return data
        data = list(data.values())
    if isinstance(data, list):
        for item in data:
            if isinstance(item, dict | list) and (found := object_in(item, noun, own)) is not None:
                return found
    return None


def cursor_of(data: Any) -> str | int | None:
    """What a listing gives to ask for its next page, or ``None``."""
    if not isinstance(data, dict):
        return None
    for key, value in data.items():
        if normal(key) in CURSOR_KEYS and isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return value
    for key in ("meta", "pagination", "page_info", "pageInfo", "paging"):
        if isinstance(data.get(key), dict) and (found := cursor_of(data[key])) is not None:
            return found
    return None


def cursor_path(data: Any) -> list[str] | None:
    """Where ``cursor_of`` found it."""
    if not isinstance(data, dict):
        return None
    for key, value in data.items():
        if normal(key) in CURSOR_KEYS and isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return [key]
    for key in ("meta", "pagination", "page_info", "pageInfo", "paging"):
        if isinstance(data.get(key), dict) and (found := cursor_path(data[key])) is not None:
            return [key, *found]
    return None


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every scalar in a JSON value with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


def at(value: Any, path: list[str | int] | tuple[str | int, ...]) -> Any:
    """The value at a path.

    Raises:
        KeyError: there is none.
    """
    for part in path:
        try:
            value = value[part]
        except (IndexError, KeyError, TypeError):
            raise KeyError(part) from None
    return value


def shown(record: dict[str, Any], key: str) -> tuple[bool, Any]:
    """Whether a record shows a key of this name, at its top or one level below, and its value."""
    wanted = normal(key)
    for name, value in record.items():
        if normal(name) == wanted:
            return True, value
    found = [
        value
        for inner in record.values()
        if isinstance(inner, dict)
        for name, value in inner.items()
        if normal(name) == wanted
    ]
    # One level below it may be said of something else: then nothing is said.
    return (True, found[0]) if len(found) == 1 else (False, None)


def same(given: Any, found: Any) -> bool:
    """Whether a value that is shown is the one that was given.

    White space at the ends, the spelling of a number and of an instant, and the order of a list do not matter.
    """
    if given == found and isinstance(given, bool) == isinstance(found, bool):
        return True
    if isinstance(given, bool) or isinstance(found, bool):
        return False
    if isinstance(given, int | float) and isinstance(found, int | float):
        return abs(given - found) <= 1e-9 * max(abs(given), 1)
    if isinstance(given, str) and isinstance(found, str):
        return given.strip() == found.strip() or _same_address(given, found) or _same_instant(given, found)
    if (isinstance(given, str) and isinstance(found, int | float)) or (
        isinstance(found, str) and isinstance(given, int | float)
    ):
        return str(given).strip() == str(found).strip()
    if isinstance(given, list) and isinstance(found, list):
        rest = list(found)
        distinct: list[Any] = []
        for item in given:
            if not any(same(item, other) for other in distinct):
                distinct.append(item)
        for item in distinct:
            place = next((index for index, other in enumerate(rest) if same(item, other)), None)
            if place is None:
                return False
            del rest[place]
        return not rest or len(found) == len(given)
    if isinstance(given, dict) and isinstance(found, dict):
        # What is shown may hold more: defaults, identifiers.
        return all(name in found and same(value, found[name]) for name, value in given.items())
    return False


def _same_address(given: str, found: str) -> bool:
    return "@" in given and given.strip().casefold() == found.strip().casefold()


def _same_instant(given: str, found: str) -> bool:
    first, second = instant(given), instant(found)
    return first is not None and first == second


def instant(value: Any) -> datetime | None:
    """The instant or the date (as its midnight) that a text spells, or ``None``."""
    if not isinstance(value, str) or len(value) < 10 or not value[:4].isdigit():
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    try:
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except OverflowError:
        return None


def _scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)
