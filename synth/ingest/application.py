"""Whether a server is an application: self-contained, with things that are made, changed and read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from synth.ingest.wording import Words, singular, split

APPLICATION = "app"
"""The word by which a source says that somebody found a server to be an application."""


@dataclass(frozen=True)
class Finding:
    """Whether a server is an application, and why or why not."""

    application: bool
    reason: str


@dataclass(frozen=True)
class _Outside:
    """A kind of server that works on something outside of itself."""

    reason: str
    words: frozenset[str]
    least: float


def given(decision: str) -> Finding:
    """What a person decided, as the source says it."""
    return Finding(decision.strip().lower() == APPLICATION, f"given with the specification: {decision.strip()}")


def find(words: Sequence[Words], title: str, description: str) -> Finding:
    """Whether a server is an application, from what its tools do and on what.

    Args:
        words: of its tools.
    """
    total = len(words)
    if not total:
        return Finding(False, "none of its tools can be used")
    deeds = Counter(item.deed for item in words)
    writes = deeds["create"] + deeds["update"] + deeds["delete"]
    outside = _outside(words, title, description)
    if outside is not None:
        return Finding(False, outside)
    if not writes:
        return Finding(False, _nothing_written(deeds, total))
    kept = _kept(words)
    if not deeds["read"]:
        return Finding(False, f"{writes} of {total} tools write, but none reads back what was written")
    if writes == 1 or writes < total * (0.12 if kept else 0.25):
        return Finding(False, f"mostly lookups: {deeds['read']} of {total} tools read, {writes} write")
    things = ", ".join(thing for thing, _ in kept.most_common(4))
    about = f"keeps {things}" if things else "keeps state of its own"
    return Finding(True, f"{about}: {writes} of {total} tools write, {deeds['read']} read")


def _kept(words: Sequence[Words]) -> Counter[str]:
    """Things that are written by one tool and read by another, with how many tools do either."""
    read: Counter[str] = Counter()
    written: Counter[str] = Counter()
    for item in words:
        if item.deed is None:
            continue
        target = read if item.deed == "read" else written if item.deed in ("create", "update", "delete") else None
        if target is not None:
            target.update(set(item.thing))
    return Counter({thing: read[thing] + written[thing] for thing in sorted(read.keys() & written.keys())})


def _outside(words: Sequence[Words], title: str, description: str) -> str | None:
    """Why a server is no application by what its tools are about, or ``None``."""
    about = frozenset(split(f"{title} {description[:600]}"))
    best: tuple[float, _Outside] | None = None
    for kind in _kinds():
        shares = sum(min(1.0, _weight(item, kind.words)) for item in words) / len(words)
        score = shares + (0.15 if about & kind.words else 0.0)
        if score >= kind.least and (best is None or score / kind.least > best[0]):
            best = (score / kind.least, kind)
    if best is None:
        return None
    kind = best[1]
    hits = sum(_weight(item, kind.words) > 0 for item in words)
    return f"{kind.reason} ({hits} of {len(words)} tools)"


def _weight(item: Words, vocabulary: frozenset[str]) -> float:
    """How much a tool is about the words: in its name most, in its parameters and description less."""
    return (
        1.0 * bool(vocabulary.intersection(item.name))
        + 0.4 * bool(vocabulary & item.parameters)
        + 0.2 * min(2, len(vocabulary & item.text))
    )


def _nothing_written(deeds: Counter[Any], total: int) -> str:
    if deeds["compute"] >= max(1, total * 0.5):
        return f"only computes or generates: {deeds['compute']} of {total} tools, and none keeps anything"
    if deeds["read"] >= total * 0.5:
        return f"only looks up: {deeds['read']} of {total} tools read, none writes"
    return f"keeps nothing: none of its {total} tools creates, changes or deletes a thing"


@cache
def _kinds() -> tuple[_Outside, ...]:
    document = yaml.safe_load(files("synth.ingest").joinpath("outside.yaml").read_text(encoding="utf-8"))
    return tuple(
        _Outside(item["reason"], frozenset(map(singular, item["words"].split())), item["least"]) for item in document
    )
