"""What a tool's name and description say: its verb, the thing it is about, and what kind of tool that makes it.

This is the attack's own reading, apart from that of any builder, so that a misreading on one side shows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from engine.kit.specification import ToolSpecification
from synth.attack.vocabulary import vocabulary

Kind = Literal["list", "get", "create", "update", "delete", "read", "write"]
"""list: things of one noun; get: one thing; read and write: any other tool that changes nothing, or something."""

_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_READS = vocabulary("reads")
_LISTS = vocabulary("lists")
_CREATES = vocabulary("creates")
_UPDATES = vocabulary("updates")
_DELETES = vocabulary("deletes")
_WRITES = vocabulary("writes")
_VERBS = _READS | _CREATES | _UPDATES | _DELETES | _WRITES
_FILLERS = vocabulary("fillers")

_IRREGULAR = {
    "ids": "id",
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "criteria": "criterion",
    "indices": "index",
    "media": "media",
    "data": "data",
    "series": "series",
    "news": "news",
    "aliases": "alias",
    "statuses": "status",
    "bonuses": "bonus",
    "campuses": "campus",
    "halves": "half",
    "shelves": "shelf",
    "movies": "movie",
    "cookies": "cookie",
    "analyses": "analysis",
    "caches": "cache",
}


def words(name: str) -> list[str]:
    """The words of a name in snake_case, camelCase, kebab-case or any mixture, in lower case."""
    return [item.lower() for item in _SPLIT.findall(name)]


def singular(word: str) -> str:
    """The singular of an English noun in lower case; a word that is none stays."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if re.search(r"(ss|x|z|ch|sh)es$", word):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def normal(name: str) -> str:
    """A key as it is compared: ``customerIds``, ``customer_id`` and ``CustomerID`` are the same."""
    found = words(name)
    if found:
        found[-1] = singular(found[-1])
    return "_".join(found)


@dataclass(frozen=True)
class Reading:
    """What a tool says of itself.

    Attributes:
        verb: ``""`` where the name has none that is known.
        noun: in the singular, its words joined by underscores; ``""`` where there is none.
        plural: whether the name has the noun in the plural.
        promises_nothing_changes: by its annotation, or else by its verb.
    """

    tool: str
    verb: str
    noun: str
    plural: bool
    kind: Kind
    promises_nothing_changes: bool


def read_all(specifications: Mapping[str, ToolSpecification]) -> dict[str, Reading]:
    """Read every tool of a service; words that all names begin with (``linear_``, ``API-``) are no part of it."""
    split = {name: words(name) for name in specifications}
    common = _common_prefix(list(split.values()))
    return {name: read(item, split[name][common:]) for name, item in specifications.items()}


def _common_prefix(names: list[list[str]]) -> int:
    if len(names) < 2:
        return 0
    length = 0
    for column in zip(*names, strict=False):
        counted = Counter(column)
        word, often = counted.most_common(1)[0]
        if word in _VERBS and word != "api":
            break
        if often < max(2, 0.8 * len(names)):
            break
        length += 1
    return min(length, min(len(item) for item in names) - 1)


def read(specification: ToolSpecification, name_words: Iterable[str] | None = None) -> Reading:
    """Read one tool; ``name_words`` are those of its name that say something."""
    given = list(words(specification.name) if name_words is None else name_words)
    verb, rest = _verb(given)
    nouns, aside = _nouns(rest)
    plural = bool(nouns) and singular(nouns[-1]) != nouns[-1]
    noun = "_".join([*nouns[:-1], singular(nouns[-1])]) if nouns else ""
    hint = specification.annotations.get("readOnlyHint")
    writes = any(
        item in _WRITES | _CREATES | _UPDATES | _DELETES for item in given if item not in nouns or item == verb
    )
    reads = verb in _READS and not (writes and verb not in _READS)
    quiet = bool(hint) if hint is not None else reads and not _second_verb(given, verb)
    if quiet:
        kind: Kind = "list" if verb in _LISTS or (plural and verb in _READS) else "get" if verb in _READS else "read"
    elif verb in _CREATES:
        kind = "create"
    elif verb in _UPDATES:
        kind = "update"
    elif verb in _DELETES and not (aside and "from" in rest):
        kind = "delete"  # remove_member_from_team takes it away from there, and it stays
    else:
        kind = "write"
    return Reading(specification.name, verb, noun, plural, kind, quiet)


_PREPOSITIONS = vocabulary("prepositions")


def _nouns(rest: list[str]) -> tuple[list[str], bool]:
    """The words of the noun, and whether something else is named behind it: ``card`` of ``card_to_list``."""
    place = next((index for index, word in enumerate(rest) if word in _PREPOSITIONS), len(rest))
    before = [item for item in rest[:place] if item not in _FILLERS]
    after = [item for item in rest[place:] if item not in _FILLERS]
    if before and not (before == ["list"] and rest[place : place + 1] == ["of"]):
        return before, bool(after)
    return after, False


def _second_verb(given: list[str], verb: str) -> bool:
    """``find_and_replace``, ``get_or_create``: the second verb counts."""
    for place, word in enumerate(given[:-1]):
        after = given[place + 1]
        if word in ("and", "or") and after in _VERBS - _READS and after != verb:
            return True
    return False


def _verb(given: list[str]) -> tuple[str, list[str]]:
    """The verb and the words that remain: the first that begins the name, else the first anywhere (``users_list``)."""
    if given[:1] == ["api"]:
        given = given[1:]
    if "search" in given and given[0] in ("post", "get"):  # the method of a web address is not the verb
        return "search", given[given.index("search") + 1 :]
    place = next((index for index, word in enumerate(given) if word in _VERBS), None)
    if place is None:
        return "", given
    return given[place], [*given[:place], *given[place + 1 :]]
