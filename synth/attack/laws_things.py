"""Laws of things: what is created is there, an update shows, what is deleted is gone, and the rest stays as it was."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from synth.attack.laws import Finding, Seen, brief, law, told
from synth.attack.reading import normal, singular, words
from synth.attack.shapes import (
    by_identifier,
    cursor_of,
    identifier,
    instant,
    leaves,
    object_in,
    record_of,
    rows_of,
    same,
    shown,
)
from synth.attack.vocabulary import vocabulary

_HOLDERS = vocabulary("holders")
_SECRET = vocabulary("secret")
_REMARKS = vocabulary("remarks")
_STATES = vocabulary("states")
_ID_WORDS = frozenset(["id", "ids", "uuid", "guid", "sid", "key", "number"])
_FOLDED = vocabulary("folded")
"""Keys whose letters' case says nothing."""
_PLACES = vocabulary("places")
"""Keys that tell a thing's place among others, which moves when others come and go."""
_GONE = vocabulary("gone")


def named(arguments: dict[str, Any]) -> dict[str, Any]:
    """What a call gives, by name: the contents of ``body``, ``path`` and the like stand for themselves."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, dict) and (name.lower() in _HOLDERS or len(arguments) == 1):
            found |= named(value)
        else:
            found[name] = value
    return found


def _lost(
    given: dict[str, Any], record: dict[str, Any], skip: set[str], shows: Collection[str] = ()
) -> tuple[str, Any, Any] | None:
    """The first value that was given and is shown otherwise, or not at all where such a value is shown (``shows``)."""
    flags = [*given.items(), *record.items()]
    hidden = any(value is True and _SECRET & set(words(name)) for name, value in flags)
    decided = any(words(name)[-1:] in (["status"], ["state"], ["decision"]) for name in given)
    for name, value in given.items():
        if decided and normal(name) in _REMARKS:
            continue  # it is said of the step, not of the thing
        if value is None or normal(name) in skip | _PLACES or _SECRET & set(words(name)):
            continue
        there, found = shown(record, name)
        there = there or normal(name) in shows
        if not there or same(value, found) or (hidden and found is None):
            continue
        if found in (None, "", []) and (value == [] or not str(value).strip()):
            continue
        if _FOLDED & {singular(word) for word in words(name)} and same(_folded(value), _folded(found)):
            continue
        if isinstance(found, list) and not isinstance(value, list) and any(same(value, item) for item in found):
            continue
        if isinstance(value, list) and any(item in other for item in value for other in _other_lists(given, name)):
            continue  # who is written to and copied gets it once
        if isinstance(value, dict) or isinstance(found, dict) or _nested(value) or _nested(found):
            continue  # another form of the same: nothing can be said
        return name, value, found
    return None


def _other_lists(given: dict[str, Any], name: str) -> list[list[Any]]:
    return [value for other, value in given.items() if other != name and isinstance(value, list)]


def _folded(value: Any) -> Any:
    if isinstance(value, list):
        return [_folded(item) for item in value]
    return value.casefold() if isinstance(value, str) else value


def _nested(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in value)


def created(seen: Seen, noun: str) -> tuple[str | int, dict[str, Any]] | None:
    """Identifier and record of what a call created; ``None`` where it added something to a thing that was named."""
    record = record_of(seen.data, noun) if seen.result.ok else None
    own = identifier(record, noun) if record is not None else None
    if own is None or record is None or own in [value for _, value in leaves(seen.step.arguments)]:
        return None
    return own, record


def record_in(data: Any, noun: str, own: Any) -> dict[str, Any] | None:
    """The record of the thing with this identifier; where none is given, the one that a result is about."""
    return record_of(data, noun) if own is None else object_in(data, noun, own)


@law("created_kept", "What is created has the values that were given.")
def _created_kept(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    last = seen[-1]
    made = created(last, about["noun"])
    if made is None:
        return None
    lost = _lost(named(last.step.arguments), made[1], set(about.get("skip", ())), about.get("shows", ()))
    return Finding(f"{lost[0]}: {brief(lost[1])}", brief(lost[2])) if lost else None


@law("created_got", "What is created can be got, with the values that were given.")
def _created_got(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    made, got = seen[-2:]
    new = created(made, about["noun"])
    if new is None:
        return None
    own = new[0]
    if not got.result.ok:
        return Finding(f"{own}, which was created just now", told(got.result))
    found = record_of(got.data, about["noun"]) or {}
    shows = {normal(name) for name, value in new[1].items() if value not in (None, "", [])}
    lost = _lost(named(made.step.arguments), found, set(about.get("skip", ())), shows)
    return Finding(f"{lost[0]} of {own}: {brief(lost[1])}", brief(lost[2])) if lost else None


@law("created_listed", "What is created is listed.")
def _created_listed(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    count = about.get("made", 1)
    listings = seen[count:]
    if not all(item.result.ok for item in listings):
        return None
    listed = [str(identifier(row, about["noun"])) for item in listings for row in rows_of(item.data) or []]
    for made in seen[:count]:
        new = created(made, about["noun"])
        if new is not None and str(new[0]) not in listed:
            return Finding(f"{new[0]} among the rows of {listings[-1].step.tool}", f"{len(listed)} rows without it")
    return None


def _whole(seen: Seen, noun: str) -> dict[str, dict[str, Any]] | None:
    """The rows of a listing by identifier, where it says that there are no more."""
    return by_identifier(rows_of(seen.data) or [], noun) if seen.result.ok and cursor_of(seen.data) is None else None


@law("created_one", "A creation adds no more than one thing to the listing of its kind.")
def _created_one(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    before, made, after = seen[-3:]
    new = created(made, about["noun"])
    old, now = _whole(before, about["noun"]), _whole(after, about["noun"])
    if new is None or old is None or now is None:
        return None
    added = [own for own in now if own not in old and own != str(new[0]) and not _mentions(now[own], {str(new[0])})]
    return Finding(f"{new[0]} alone is new", f"{brief(added)} too") if added else None


@law("created_anew", "The same creation again makes another thing, or is refused.")
def _created_anew(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    first, second = (created(item, about["noun"]) for item in seen[-2:])
    if first is not None and second is not None and first[0] == second[0]:
        return Finding("another identifier, or a refusal", f"{second[0]} again")
    return None


@law("id_new", "What is created has an identifier that nothing had before.")
def _id_new(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    known = set(about.get("known", ()))
    for item in seen:
        made = created(item, about["noun"])
        if made is None:
            continue
        if str(made[0]) in known:
            return Finding("a new identifier", f"{made[0]}, which another thing has")
        known.add(str(made[0]))
    return None


@law("update_shows", "An update shows: what was named has the value that was given.")
def _update_shows(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    _before, update, after = seen[-3:]
    if not update.result.ok or not after.result.ok:
        return None
    record = record_in(after.data, about["noun"], about.get("own")) or {}
    given = named(update.step.arguments)
    if part := set(about.get("part", ())):  # of a part of the thing: its address, its status
        inner = [value for name, value in record.items() if isinstance(value, dict) and part & set(words(name))]
        if inner:
            record = inner[0]
        else:
            given = {name: value for name, value in given.items() if part & {singular(word) for word in words(name)}}
    lost = _lost(given, record, set(about.get("skip", ())), about.get("shows", ()))
    return Finding(f"{lost[0]}: {brief(lost[1])}", brief(lost[2])) if lost else None


@law("update_keeps", "An update leaves as it was what it does not name.")
def _update_keeps(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    before, update, after = seen[-3:]
    if not (before.result.ok and update.result.ok and after.result.ok):
        return None
    old, new = (record_in(item.data, about["noun"], about.get("own")) or {} for item in (before, after))
    mentioned = {normal(part) for path, _ in leaves(update.step.arguments) for part in path if isinstance(part, str)}
    if mentioned & _STATES:
        return None  # much may follow from another state
    timely = any(instant(value) for _, value in leaves(update.step.arguments))
    follows = {normal(other) for name in mentioned for other in about.get("follows", {}).get(name, ())}
    for name in about["settable"]:
        if normal(name) in mentioned:
            continue
        (was_there, was), (is_there, now) = shown(old, name), shown(new, name)
        if normal(name) in _PLACES | _STATES | follows or (timely and instant(was) and instant(now)):
            continue  # an end that moves with its start
        if _nested(was) and _nested(now) and len(was) == len(now):
            continue  # of parts, what follows from the update may have changed
        if was_there and (not is_there or not same(was, now)):
            return Finding(f"{name} stays {brief(was)}", brief(now) if is_there else "nothing")
    return None


def _marked(record: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a thing that can still be read says itself that it is deleted."""
    for name, value in record.items():
        if before.get(name) == value:
            continue
        if (_GONE & set(words(name)) and value not in (None, False, "")) or str(value).lower() in _GONE:
            return True
    return False


@law("deleted_gone", "What is deleted is not found afterwards, or says itself that it is deleted.")
def _deleted_gone(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    before, deletion, after = seen[-3:]
    if not (before.result.ok and deletion.result.ok and after.result.ok):
        return None
    old, new = (record_in(item.data, about["noun"], about.get("own")) or {} for item in (before, after))
    if not new or _marked(new, old):
        return None
    return Finding("not_found", told(after.result))


@law("deleted_unlisted", "What is deleted is not listed afterwards, or is listed as deleted.")
def _deleted_unlisted(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    before, deletion, after = seen[-3:]
    if not (before.result.ok and deletion.result.ok and after.result.ok):
        return None
    old, new = (by_identifier(rows_of(item.data) or [], about["noun"]) or {} for item in (before, after))
    own = about["own"]
    if own in old and own in new and not _marked(new[own], old[own]):
        return Finding(f"no row {own}", brief(new[own]))
    return None


@law("deleted_one", "A deletion takes one thing from the listing of its kind, with its parts, and adds none.")
def _deleted_one(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    before, deletion, after = seen[-3:]
    old, now = _whole(before, about["noun"]), _whole(after, about["noun"])
    if not deletion.result.ok or old is None or now is None or about["own"] not in old:
        return None
    if added := [own for own in now if own not in old]:
        return Finding("no new row", f"{brief(added)} are new")
    gone = {about["own"]}
    while more := {own for own in old if own not in now and own not in gone and _mentions(old[own], gone)}:
        gone |= more  # parts, and their parts
    lost = [own for own in old if own not in now and own not in gone]
    return Finding(f"{about['own']} alone is gone", f"{brief(lost)} too") if lost else None


@law("deleted_once", "What is deleted cannot be deleted or changed again.")
def _deleted_once(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    first, second = seen[-2:]
    if first.result.ok and second.result.ok:
        return Finding("not_found", told(second.result))
    return None


@law("others_unchanged", "A call on one thing leaves other things as they were.")
def _others_unchanged(seen: Sequence[Seen], about: dict[str, Any]) -> Finding | None:
    count = about["count"]
    call = seen[count]
    if not call.result.ok:
        return None
    concerned = {str(value) for _, value in leaves(call.step.arguments) if isinstance(value, str | int)}
    concerned |= references(call.data)
    for earlier, later in zip(seen[:count], seen[count + 1 :], strict=True):
        noun = about["nouns"][earlier.step.tool]
        old = by_identifier(rows_of(earlier.data) or [], noun)
        new = by_identifier(rows_of(later.data) or [], noun)
        if old is None or new is None:
            continue
        whole = cursor_of(later.data) is None
        for own, row in old.items():
            if own in concerned or references(row) & concerned or _mentions(row, concerned):
                continue
            if own not in new:
                if whole and not (noun in about.get("parts", ()) and not _says_of_what(row, about["of"])):
                    return Finding(f"{noun} {own} is still there", f"{len(new)} rows of {earlier.step.tool} without it")
                continue
            for name in about["settable"].get(noun, ()):
                if normal(name) in _PLACES or name not in row or name not in new[own] or isinstance(row[name], dict):
                    continue
                if not same(row[name], new[own][name]):
                    return Finding(f"{name} of {noun} {own} stays {brief(row[name])}", brief(new[own][name]))
    return None


def _mentions(row: dict[str, Any], concerned: set[str]) -> bool:
    """Whether a row shows one of these identifiers under any key."""
    telling = {item for item in concerned if len(item) > 3 and re.search(r"[0-9_-]", item)}
    return any(str(value) in telling for _, value in leaves(row))


def _says_of_what(row: dict[str, Any], noun: str) -> bool:
    """Whether a row shows of which thing of this noun it is a part."""
    return any(normal(name) in (noun, f"{noun}_id", f"{noun}_key", f"{noun}_sid") for name in row)


def references(value: Any) -> set[str]:
    """Texts and numbers under keys that name identifiers."""
    found = set()
    for path, item in leaves(value):
        name = next((part for part in reversed(path) if isinstance(part, str)), "")
        if (
            isinstance(item, str | int)
            and not isinstance(item, bool)
            and words(name)[-1:]
            and words(name)[-1] in _ID_WORDS
        ):
            found.add(str(item))
    return found
