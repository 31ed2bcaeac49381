"""Trying the laws of listings."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

from synth.attack.arguments import Path
from synth.attack.laws import Seen
from synth.attack.laws_lists import meets
from synth.attack.laws_things import named
from synth.attack.places import (
    CURSORS,
    LIMITS,
    OFFSETS,
    PAGES,
    SORTS,
    Place,
    named_place,
    places_of,
    put,
    required_paths,
)
from synth.attack.reading import normal, singular, words
from synth.attack.scene import Lister, Scene
from synth.attack.session import Session
from synth.attack.shapes import cursor_of, cursor_path, identifier, rows_of, shown
from synth.attack.vocabulary import vocabulary

_NOWHERE = "qzxjvkwq"
_MOST_PAIRS = 6
_MOST_PAGED = 3
_SEARCHES = vocabulary("searches")
_LOW = vocabulary("low")
_HIGH = vocabulary("high")


def listing(session: Session, scene: Scene, lister: Lister) -> None:
    """All laws of one listing."""
    start = session.notes[lister.tool].success
    if start is None:
        return
    branch = session.fork(start.branch)
    first = session.call(branch, lister.tool, lister.arguments)
    session.learn(lister.tool, lister.arguments, first)
    whole = session.log(branch)[-1]
    session.call(branch, lister.tool, lister.arguments)
    session.judge("listing_stable", lister.tool, branch, 2)
    rows = rows_of(first.data) if first.ok else None
    if rows is None:
        return
    _limits(session, branch, lister, rows)
    _pages(session, start.branch, lister, rows, first.data)
    _filters(session, branch, lister, whole, rows)
    _singles(session, branch, scene, lister, rows)


def _limits(session: Session, branch: int, lister: Lister, rows: list[dict[str, Any]]) -> None:
    limit = named_place(session.makers[lister.tool], LIMITS, ("integer", "number"))
    if limit is None or len(rows) < 2:
        return
    least = max(int(limit.schema.get("minimum") or 1), 1)
    for value in {least, max(least, len(rows) - 1)}:
        session.call(branch, lister.tool, put(lister.arguments, limit.path, value))
        session.judge("limit_kept", lister.tool, branch, 1, {"limit": value})


def _pages(session: Session, source: int, lister: Lister, rows: list[dict[str, Any]], data: Any) -> None:
    maker = session.makers[lister.tool]
    limit = named_place(maker, LIMITS, ("integer", "number"))
    if len(rows) < 2 or limit is None:
        return
    least = max(int(limit.schema.get("minimum") or 1), 1)
    sizes = {max(least, -(-len(rows) // 4)), least}
    cursor = named_place(maker, CURSORS, ("string", "integer"))
    offset = named_place(maker, OFFSETS, ("integer", "number"))
    page = named_place(maker, PAGES, ("integer", "number"))
    for size in sorted(sizes, reverse=True):
        branch = session.fork(source)
        session.call(branch, lister.tool, lister.arguments)
        if cursor is not None and cursor_of_first(session, branch, lister, limit, size) is not None:
            pages = _by_cursor(session, branch, lister, limit.path, cursor.path, size)
        elif offset is not None:
            pages = _by_number(session, branch, lister, limit.path, offset.path, size, [size * n for n in range(4)])
        elif page is not None:
            first = int(page.schema.get("minimum") or page.schema.get("default") or 1)
            pages = _by_number(session, branch, lister, limit.path, page.path, size, [first + n for n in range(4)])
        else:
            return
        whole = pages * size >= len(rows)
        about = {"part": not whole, "ends": whole and pages == -(-len(rows) // size) and cursor_of(data) is None}
        session.judge("pages_agree", lister.tool, branch, 1 + pages, about)
        if size == least:
            break


def cursor_of_first(session: Session, branch: int, lister: Lister, limit: Place, size: int) -> Any:
    """The cursor of the first page of this size; the call is made on a fork."""
    aside = session.fork(branch)
    result = session.call(aside, lister.tool, put(lister.arguments, limit.path, size))
    return cursor_of(result.data) if result.ok else None


def _by_cursor(session: Session, branch: int, lister: Lister, limit: Path, cursor: Path, size: int) -> int:
    arguments = put(lister.arguments, limit, size)
    for count in range(1, 6):
        result = session.call(branch, lister.tool, arguments)
        path = cursor_path(result.data) if result.ok else None
        if path is None:
            return count
        arguments = put(put(lister.arguments, limit, size), cursor, cursor_of(result.data))
    return 5


def _by_number(
    session: Session, branch: int, lister: Lister, limit: Path, place: Path, size: int, numbers: list[int]
) -> int:
    for count, number in enumerate(numbers, 1):
        result = session.call(branch, lister.tool, put(put(lister.arguments, limit, size), place, number))
        if not result.ok or not rows_of(result.data):
            return count
    return len(numbers)


def _filters(session: Session, branch: int, lister: Lister, whole: Seen, rows: list[dict[str, Any]]) -> None:
    maker = session.makers[lister.tool]
    required = required_paths(maker)
    skip = LIMITS | CURSORS | OFFSETS | PAGES | SORTS
    tried = 0
    paged: set[Path] = set()
    held: list[tuple[Place, dict[str, Any]]] = []
    for place in places_of(maker):
        if place.name in skip or tried >= 12:
            continue
        if place.path in required:
            _scope(session, branch, lister, place)
            continue
        if place.name in _SEARCHES:
            tried += 2
            _search(session, branch, lister, place, rows)
            continue
        for about in _readings(place, rows, session.target.specifications[lister.tool].description)[:2]:
            tried += 1
            value = about["given"]
            result = session.call(branch, lister.tool, put(lister.arguments, place.path, value))
            about["noun"] = lister.noun
            found = session.judge("filter_holds", lister.tool, branch, 1, about)
            if result.ok and found is None:
                held.append((place, about))
                if len(rows_of(result.data) or []) > 1 and place.path not in paged and len(paged) < _MOST_PAGED:
                    paged.add(place.path)
                    _filtered_page(session, branch, lister, place, about)
            if cursor_of(whole.data) is None or result.ok:
                aside = session.fork(branch)
                session.call(aside, lister.tool, lister.arguments)
                session.call(aside, lister.tool, put(lister.arguments, place.path, value))
                session.judge("filter_complete", lister.tool, aside, 2, about)
    _two_filters(session, branch, lister, held, rows)


def _filtered_page(session: Session, branch: int, lister: Lister, place: Place, about: dict[str, Any]) -> None:
    """The second page of a filtered listing is filtered too."""
    maker = session.makers[lister.tool]
    limit = named_place(maker, LIMITS, ("integer", "number"))
    cursor = named_place(maker, CURSORS, ("string", "integer"))
    if limit is None or cursor is None:
        return
    least = max(int(limit.schema.get("minimum") or 1), 1)
    arguments = put(put(lister.arguments, place.path, about["given"]), limit.path, least)
    aside = session.fork(branch)
    for _ in range(2):
        result = session.call(aside, lister.tool, arguments)
        session.judge("filter_holds", lister.tool, aside, 1, about)
        after = cursor_of(result.data) if result.ok else None
        if after is None:
            return
        arguments = put(arguments, cursor.path, after)


def _two_filters(
    session: Session,
    branch: int,
    lister: Lister,
    held: list[tuple[Place, dict[str, Any]]],
    rows: list[dict[str, Any]],
) -> None:
    """Pairs of filters that each hold alone, where some rows meet only one of them."""
    tried: set[tuple[Path, Path]] = set()

    def telling(pair: tuple[tuple[Place, dict[str, Any]], tuple[Place, dict[str, Any]]]) -> int:
        met = {tuple(_is_met(row, about) for _, about in pair) for row in rows}
        return len(met & {(True, False), (False, True)})

    for pair in sorted(combinations(held, 2), key=telling, reverse=True):
        (one, first), (other, second) = pair
        if one == other or not telling(pair) or (one.path, other.path) in tried or len(tried) >= _MOST_PAIRS:
            continue
        tried.add((one.path, other.path))
        arguments = put(put(lister.arguments, one.path, first["given"]), other.path, second["given"])
        session.call(branch, lister.tool, arguments)
        session.judge("filters_together", lister.tool, branch, 1, {"filters": [first, second]})


def _is_met(row: dict[str, Any], about: dict[str, Any]) -> bool:
    there, value = shown(row, about["key"])
    return not there or meets(value, about)


def _scope(session: Session, branch: int, lister: Lister, place: Place) -> None:
    from synth.attack.places import value_at

    value = value_at(lister.arguments, place.path)
    if words(place.key)[-1:] == ["id"] and len(words(place.key)) > 1:
        session.call(branch, lister.tool, lister.arguments)
        session.judge("listed_scope", lister.tool, branch, 1, {"key": place.key, "value": value})


def _search(session: Session, branch: int, lister: Lister, place: Place, rows: list[dict[str, Any]]) -> None:
    if place.schema.get("type") != "string" or place.schema.get("pattern", r"\S") != r"\S":
        return
    session.call(branch, lister.tool, put(lister.arguments, place.path, _NOWHERE))
    session.judge("search_nothing", lister.tool, branch, 1, {"value": _NOWHERE})
    most = int(place.schema.get("maxLength") or 1000)
    for row in rows[:1] + rows[-1:]:
        own = identifier(row, lister.noun)
        text = next(
            (
                value
                for name, value in row.items()
                if isinstance(value, str) and normal(name) in ("name", "title", "subject") and 0 < len(value) <= most
            ),
            None,
        )
        if own is None or text is None:
            continue
        aside = session.fork(branch)
        session.call(aside, lister.tool, lister.arguments)
        session.call(aside, lister.tool, put(lister.arguments, place.path, text))
        about = {"own": str(own), "value": text, "noun": lister.noun}
        session.judge("search_finds", lister.tool, aside, 2, about)


def _readings(place: Place, rows: list[dict[str, Any]], description: str) -> list[dict[str, Any]]:
    """What a filter means, by its name, the rows and what is said: ``key``, ``how`` (is, contains, from, to), value."""
    form, parts = place.schema, words(place.key)
    kind = form.get("type")
    key = next((name for row in rows[:1] for name in row if normal(name) == place.name), None)
    if key is None and kind in ("integer", "number", "string"):
        return _spans(place, rows)
    if key is None:
        return []
    values = [row[key] for row in rows if row.get(key) is not None]
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    distinct = [item for item in dict.fromkeys(item for item in flat if isinstance(item, str | int | float))]
    if not distinct:
        return []
    # A value that some rows have and others have not says most.
    distinct.sort(key=lambda item: (flat.count(item) == len(rows), flat.count(item)))
    if kind == "array":
        return [{"key": key, "how": "is", "value": [item], "given": [item]} for item in distinct[:2]]
    if kind == "boolean":
        said = {*words(place.key), *words(str(form.get("description") or "")), *words(str(form.get("title") or ""))}
        # "Only unread": False may ask for all.
        asked = [True] if "only" in said or form.get("default") is False else [False, True]
        known = any(isinstance(value, bool) for value in values)
        return [{"key": key, "how": "is", "value": item, "given": item} for item in asked] if known else []
    fitting = [item for item in distinct if not isinstance(item, bool)]
    if form.get("enum"):
        fitting = [item for item in fitting if item in form["enum"]]
        others = [item for item in form["enum"] if item not in fitting and item not in ("all", "any", "both", "none")]
        fitting += others[:1]
    free = (
        kind == "string" and not form.get("enum") and not form.get("format") and parts[-1] not in ("id", "key", "code")
    )
    how = _bound(place, description) if kind in ("integer", "number") else "contains" if free else "is"
    return [
        {"key": key, "how": how, "value": item, "given": item}
        for item in fitting[:2]
        if isinstance(item, str) == (kind == "string")
    ]


def _bound(place: Place, description: str) -> str:
    """Whether a number is asked for exactly, or as the least or the most: seats needed, price at most."""
    clauses = [part for part in re.split(r"[,.;:]", description) if words(place.key)[-1] in part.casefold()]
    said = " ".join([str(place.schema.get("description", "")), *clauses]).casefold()
    if re.search(r"\b(at least|minimum|needed|or more|no less|no fewer)\b", said):
        return "from"
    return "to" if re.search(r"\b(at most|maximum|up to|or less|or fewer|no more)\b", said) else "is"


def _spans(place: Place, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """``min_total``, ``created_after``, ``due_to``: a bound of the key that the other words name."""
    parts = words(place.key)
    ends = [item for item in (parts[0], parts[-1]) if item in _LOW | _HIGH]
    if len(parts) < 2 or len(ends) != 1:
        return []
    rest = [singular(item) for item in parts if item != ends[0]]
    row = rows[0] if rows else {}
    number = place.schema.get("type") in ("integer", "number")
    options = [
        name
        for name, value in row.items()
        if [singular(word) for word in words(name)][: len(rest)] == rest
        and len(words(name)) <= len(rest) + 1
        and (isinstance(value, int | float) if number else isinstance(value, str))
        and not isinstance(value, bool)
    ]
    if len(options) != 1:
        return []
    values = sorted({item[options[0]] for item in rows if item.get(options[0]) is not None})
    if not values:
        return []
    middle = values[len(values) // 2]
    if place.schema.get("format") == "date" and isinstance(middle, str):
        middle = middle[:10]
    how = "from" if ends[0] in _LOW else "to"
    return [{"key": options[0], "how": how, "value": middle, "given": middle}]


def _singles(session: Session, branch: int, scene: Scene, lister: Lister, rows: list[dict[str, Any]]) -> None:
    getter = scene.getter(lister.noun)
    if getter is None or getter.path is None:
        return
    skip = [place.name for place in places_of(session.makers[getter.tool]) if place.path != getter.path]
    for row in [rows[0], rows[-1]] if len(rows) > 1 else rows:
        own = identifier(row, lister.noun)
        question = getter.call(own, row, named(lister.arguments))
        if own is None or question is None:
            continue
        about = {"noun": lister.noun, "own": str(own), "skip": skip}
        aside = session.fork(branch)
        session.call(aside, lister.tool, lister.arguments)
        session.call(aside, getter.tool, question)
        session.judge("listing_agrees", lister.tool, aside, 2, about)
