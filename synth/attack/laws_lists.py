"""Laws of listings: order, limits, pages, filters, and agreement with what a single reading shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.kit.values import canonical_json
from synth.attack.laws import Finding, Seen, brief, law, told
from synth.attack.reading import normal, words
from synth.attack.shapes import by_identifier, cursor_of, identifier, instant, record_of, rows_of, same, shown
from synth.attack.vocabulary import vocabulary


def _rows(seen: Seen) -> list[dict[str, Any]]:
    return rows_of(seen.data) or []


_MOVING = vocabulary("moving")
"""Words of keys whose values move with the clock."""


def _still(row: dict[str, Any]) -> str:
    """A row as it is compared with itself a moment later."""
    own = identifier(row)
    if own is not None:
        return str(own)
    return canonical_json({name: value for name, value in row.items() if not _MOVING & set(words(name))})


@law("listing_stable", "The same listing twice is the same, in the same order.")
def _listing_stable(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    first, second = seen[-2:]
    if first.result.ok and [_still(row) for row in _rows(first)] != [_still(row) for row in _rows(second)]:
        return Finding(told(first.result), told(second.result))
    return None


@law("limit_kept", "A listing holds no more than its limit allows.")
def _limit_kept(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if last.result.ok and len(_rows(last)) > about["limit"]:
        return Finding(f"at most {about['limit']} rows", f"{len(_rows(last))} rows")
    return None


@law("pages_agree", "Pages, one after the other, are the whole listing: nothing is skipped, nothing comes twice.")
def _pages_agree(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    whole, *pages = seen
    if not whole.result.ok or not all(page.result.ok for page in pages):
        refused = next((page for page in pages if not page.result.ok), None)
        if whole.result.ok and refused is not None and refused is not pages[0]:
            return Finding("a page for the cursor that the page before gave", told(refused.result))
        return None
    expected = [_still(row) for row in _rows(whole)]
    found = [_still(row) for page in pages for row in _rows(page)]
    if cursor_of(whole.data) is not None or about.get("part"):
        length = min(len(expected), len(found))
        expected, found = expected[:length], found[:length]
    if expected != found:
        twice = len(found) - len(set(found))
        missing = len(set(expected) - set(found))
        return Finding(
            f"the {len(expected)} rows of the whole listing",
            f"{len(found)} rows on {len(pages)} pages: {missing} missing, {twice} twice, or in another order",
        )
    if about.get("ends") and cursor_of(pages[-1].data) is not None:
        return Finding("no further page behind the last row", "a cursor for one more page")
    return None


@law("filter_holds", "Every row of a filtered listing has the value that was filtered by.")
def _filter_holds(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    for row in _rows(last) if last.result.ok else []:
        there, value = shown(row, about["key"])
        if there and not meets(value, about):
            return Finding(f"{about['key']} {about['how']} {brief(about['value'])}", f"a row with {brief(value)}")
    return None


@law("filters_together", "Rows of a listing with two filters have both values.")
def _filters_together(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    for row in _rows(last) if last.result.ok else []:
        for part in about["filters"]:
            there, value = shown(row, part["key"])
            if there and not meets(value, part):
                return Finding(f"{part['key']} {part['how']} {brief(part['value'])}", f"a row with {brief(value)}")
    return None


@law("filter_complete", "A filter loses none of the rows that meet it.")
def _filter_complete(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    whole, filtered = seen[-2:]
    if not whole.result.ok:
        return None
    if not filtered.result.ok:
        return Finding("the rows that meet the filter", told(filtered.result)) if about.get("must") else None
    noun = about.get("noun", "")
    found = by_identifier(_rows(filtered), noun)
    if found is None or cursor_of(filtered.data) is not None:
        return None
    for row in _rows(whole):
        there, value = shown(row, about["key"])
        own = identifier(row, noun)
        if there and value is not None and own is not None and _surely_meets(value, about) and str(own) not in found:
            return Finding(f"{own} too, whose {about['key']} is {brief(value)}", f"{len(found)} rows without it")
    return None


def meets(value: Any, about: dict[str, Any]) -> bool:
    """Whether a value meets a filter."""
    wanted, how = about["value"], about["how"]
    if value is None and wanted is False:
        return True
    if value is None:
        return how != "is" or wanted is None
    if how == "is":
        return _is(value, wanted)
    if how == "contains":
        return str(wanted).casefold() in str(value).casefold() or str(value).casefold() in str(wanted).casefold()
    order = _compare(value, wanted)
    if order is None:
        return True
    return order >= 0 if how == "from" else order <= 0


def _surely_meets(value: Any, about: dict[str, Any]) -> bool:
    wanted, how = about["value"], about["how"]
    if how == "is":
        return _is(value, wanted)
    if how == "contains":
        return isinstance(value, str) and str(wanted).casefold() == value.casefold()
    order = _compare(value, wanted)
    return order is not None and (order > 0 if how == "from" else order < 0)


def _is(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return any(_is(value, item) for item in wanted)
    if isinstance(value, list):
        return any(_is(item, wanted) for item in value)
    if isinstance(value, dict):
        return any(_is(item, wanted) for item in value.values())
    if isinstance(value, str) and isinstance(wanted, str):
        return value.casefold() == wanted.casefold() or same(value, wanted)
    return same(wanted, value)


def _compare(value: Any, wanted: Any) -> int | None:
    if isinstance(value, int | float) and isinstance(wanted, int | float):
        return (value > wanted) - (value < wanted)
    first, second = instant(value), instant(wanted)
    if first is None or second is None:
        return None
    if len(str(value)) == 10 or len(str(wanted)) == 10:  # days: of the same day nothing is said
        return (first.date() > second.date()) - (first.date() < second.date())
    return (first > second) - (first < second)


@law("search_nothing", "A search for a text that occurs nowhere finds nothing.")
def _search_nothing(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    if last.result.ok and _rows(last):
        return Finding(f"no row for {about['value']!r}", f"{len(_rows(last))} rows, such as {brief(_rows(last)[0])}")
    return None


@law("search_finds", "A search for the text of a thing that the listing shows finds that thing.")
def _search_finds(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    whole, found = seen[-2:]
    if not (whole.result.ok and found.result.ok) or cursor_of(found.data) is not None:
        return None
    noun = about.get("noun", "")
    listed = {str(identifier(row, noun)) for row in _rows(whole)}
    hits = {str(identifier(row, noun)) for row in _rows(found)}
    if about["own"] in listed and about["own"] not in hits:
        return Finding(f"{about['own']} among the rows for {about['value']!r}", f"{len(hits)} rows without it")
    return None


@law("listing_agrees", "A listing and the reading of one of its things show the same values.")
def _listing_agrees(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    listing, single = seen[-2:]
    noun, own = about.get("noun", ""), about["own"]
    row = next((item for item in _rows(listing) if str(identifier(item, noun)) == own), None)
    if not listing.result.ok or row is None:
        return None
    if not single.result.ok:
        return Finding(f"{own}, which the listing shows", told(single.result))
    record = record_of(single.data, noun) or {}
    if str(identifier(record, noun)) != own:
        return Finding(f"{own}", f"{identifier(record, noun)}")
    for name, value in row.items():
        if normal(name) in about.get("skip", ()) or _MOVING & set(words(name)):
            continue
        if name in record and not isinstance(value, list | dict) and not same(value, record[name]):
            return Finding(f"{name} of {own}: {brief(value)}", brief(record[name]))
    return None


@law("listed_scope", "A listing of the parts of a thing holds no parts of another.")
def _listed_scope(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    for row in _rows(last) if last.result.ok else []:
        there, value = shown(row, about["key"])
        if there and value is not None and not _is(value, about["value"]):
            return Finding(f"{about['key']} is {about['value']}", f"a row with {brief(value)}")
    return None
