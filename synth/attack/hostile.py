"""Arguments that a schema allows and that break careless code: boundaries, quotes, odd letters, look-alikes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from synth.attack.arguments import Maker, Plan
from synth.attack.places import places_of, put, value_at
from synth.attack.samples import bounds

TEXTS = (
    'O\'Brien "the" `boss`',
    "'; DROP TABLE messages; --",
    "1 OR 1=1",
    "100% _under_ \\ back\\slash %s %(id)s",
    "{0} {name} ${HOME} {{7*7}} <%= 7 %>",
    "../../etc/passwd",
    "<script>alert(1)</script>&amp;",
    "ⅷ ﬁ İı ß ẞ Ω≈ç √∫˜ 漢字 👩‍👩‍👧 \u202eabc\u202c",
    "a\u0301 \u200b\u00a0\u2003x",
    "line one\nline two\r\n\ttab",
    "null",
    "None",
    "-1",
    "1e309",
    "0x1F",
    "[]",
    '{"$from": [0]}',
    "  padded  ",
    "\u0001\u001f\u007f",
    ":branch :id %d ? $1",
)
"""Texts that find their way into SQL, formats, paths and templates where code lets them."""

_DATES = {
    "date-time": (
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "2026-03-29T02:30:00+14:00",
        "2028-02-29T23:59:59.999999Z",
    ),
    "date": ("0001-01-01", "9999-12-31", "2028-02-29", "1970-01-01"),
}


def chosen(maker: Maker, valid: dict[str, Any], rng: random.Random, most: int) -> list[dict[str, Any]]:
    """Some such arguments, all of them valid: boundaries of the schema first."""
    edge = [item for item in _boundaries(maker, valid) if maker.valid(item)]
    odd = [item for item in _odd(maker, valid, rng) if maker.valid(item)]
    rng.shuffle(edge)
    rng.shuffle(odd)
    half = most // 2
    first = edge[: max(half, most - len(odd))]
    return first + odd[: most - len(first)]


def _boundaries(maker: Maker, valid: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield maker.make(Plan(given=set(maker.optional)))
    yield maker.make(Plan())
    for place in places_of(maker):
        path, form = place.path, place.schema
        kind = form.get("type")
        if form.get("enum"):
            continue
        if kind in ("integer", "number"):
            low, high = bounds(form)
            for value in (low, high):
                if value is not None:
                    yield put(valid, path, value)
            if low is None:
                yield put(valid, path, -(2**31) - 1 if kind == "integer" else -1e15)
            if high is None:
                yield put(valid, path, 2**63 if kind == "integer" else 1e15)
                yield put(valid, path, 2**53 + 1 if kind == "integer" else 0.1 + 0.2)
        elif kind == "array":
            yield put(valid, path, [])
        elif kind == "string" and not form.get("format"):
            if form.get("minLength", 0) <= 1:
                yield put(valid, path, "a" * int(form.get("minLength") or 0))
            most = form.get("maxLength")
            if isinstance(most, int) and most <= 20_000:
                yield put(valid, path, ("longword " * (most // 9 + 1))[: most - 1] + "z")
                yield put(valid, path, "é" * most)


def _odd(maker: Maker, valid: dict[str, Any], rng: random.Random) -> Iterator[dict[str, Any]]:
    for place in places_of(maker):
        path, form = place.path, place.schema
        kind = form.get("type")
        if form.get("enum"):
            continue
        for text in _DATES.get(str(form.get("format")), ()):
            yield put(valid, path, text)
        if kind == "string" and not form.get("format"):
            most = form.get("maxLength")
            for text in rng.sample(TEXTS, 6):
                yield put(valid, path, text if not isinstance(most, int) else text[:most])
            own = value_at(valid, path)
            if isinstance(own, str) and len(own) > 3:
                for text in (own.upper(), own + " ", own[:-1], own.replace("a", "а"), own + "\u200b"):
                    yield put(valid, path, text)
        if kind == "array":
            items = maker.schemas.concrete(form.get("items", {}))
            if items.get("type") == "string":
                yield put(valid, path, [rng.choice(TEXTS)])
                yield put(valid, path, ["zz-unknown"])
        if kind == "object" and not form.get("properties"):
            yield put(valid, path, {rng.choice(TEXTS): rng.choice(TEXTS)})
            yield put(valid, path, {"a": {"b": [None, 1, "x"]}})
