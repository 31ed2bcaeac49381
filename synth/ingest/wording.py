"""The words of tools: of their names, parameters and descriptions, and which of them say what is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias

import yaml

from synth.specs import ToolSpec

Deed: TypeAlias = Literal["read", "create", "update", "delete", "act", "compute"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_LONGEST = 2_000


@dataclass(frozen=True)
class _Meaning:
    deeds: Mapping[str, Deed]
    often_nouns: frozenset[str]
    empty: frozenset[str]


@cache
def _meaning() -> _Meaning:
    document = yaml.safe_load(files("synth.ingest").joinpath("wording.yaml").read_text(encoding="utf-8"))
    return _Meaning(
        {word: deed for deed, words in document["deeds"].items() for word in words.split()},
        frozenset(document["often_nouns"].split()),
        frozenset(document["empty"].split()),
    )


@dataclass(frozen=True)
class Words:
    """What is read out of one tool.

    Attributes:
        name: words of its name, in lower case and singular, without those that all tools of the server begin with.
        deed: what its name says that it does.
        thing: the words of its name that do not say what is done.
        parameters: words of the names of its parameters, of groups of parameters too.
        text: words of its description.
    """

    name: tuple[str, ...]
    deed: Deed | None
    thing: tuple[str, ...]
    parameters: frozenset[str] = field(repr=False)
    text: frozenset[str] = field(repr=False)


def words_of(tools: Sequence[ToolSpec]) -> list[Words]:
    """The words of the tools of one server."""
    names = [list(split(tool.original_name)) for tool in tools]
    common = _common_start(names)
    return [_words(tool, name[common:]) for tool, name in zip(tools, names, strict=True)]


def _words(tool: ToolSpec, name: list[str]) -> Words:
    meaning = _meaning()
    said = [word for word in name if word in meaning.deeds]
    plain = [word for word in said if word not in meaning.often_nouns]
    outer = [word for word in said if word in (name[0], name[-1])]
    first = said[0] if said and said[0] == name[0] else (plain or outer or [""])[0]
    return Words(
        name=tuple(name),
        deed=meaning.deeds.get(first),
        thing=tuple(word for word in name if len(word) > 2 and word not in meaning.deeds and word not in meaning.empty),
        parameters=frozenset(word for parameter in parameters_of(tool) for word in split(parameter)),
        text=frozenset(split(tool.description[:_LONGEST])) - meaning.empty,
    )


def _common_start(names: Sequence[Sequence[str]]) -> int:
    """How many words all names begin with, as ``SENDGRID__`` or ``openproject-``; never a whole name."""
    shortest = min((len(name) for name in names), default=0) if len(names) > 1 else 0
    common = 0
    while common < shortest - 1 and len({name[common] for name in names}) == 1:
        # What is done stays, unless most names say it again: then the word is the vendor's.
        again = sum(any(word in _meaning().deeds for word in name[common + 1 :]) for name in names)
        if names[0][common] in _meaning().deeds and again * 2 < len(names):
            break
        common += 1
    return common


def parameters_of(tool: ToolSpec) -> Iterator[str]:
    """Names of the parameters, and of those within them, one level deep."""
    for name, item in tool.input_schema.get("properties", {}).items():
        yield name
        if isinstance(item, dict):
            yield from item.get("properties", {})


def split(text: str) -> list[str]:
    """The words of a name or a text: apart at case and signs, in lower case, singular."""
    return [singular(word.lower()) for word in _WORD.findall(text)]


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """A plural as a singular, roughly."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "ous", "sms")):
        return word[:-1]
    return word
