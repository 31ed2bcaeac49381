"""Servers that are much the same: by the names of their tools and of the tools' parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from synth.ingest.wording import parameters_of, words_of
from synth.specs import ToolSpec

LEAST = 0.5
"""Share of what two servers hold together, from which on they are near."""

_COMMON = 200
"""Servers with the same feature, from which on it is no reason to compare two of them."""


def near(servers: Mapping[str, Sequence[ToolSpec]]) -> dict[str, tuple[str, ...]]:
    """For each server the names of those that are much the same, in order; never itself, always in both directions.

    Args:
        servers: tools by the name of their server.
    """
    features = {name: _features(tools) for name, tools in sorted(servers.items())}
    holders: dict[str, list[str]] = {}
    for name, found in features.items():
        for feature in found:
            holders.setdefault(feature, []).append(name)
    pairs = {pair for names in holders.values() if len(names) <= _COMMON for pair in combinations(names, 2)}
    result: dict[str, list[str]] = {name: [] for name in features}
    for one, other in sorted(pairs):
        if likeness(features[one], features[other]) >= LEAST:
            result[one].append(other)
            result[other].append(one)
    return {name: tuple(sorted(found)) for name, found in result.items()}


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """Weighted Jaccard index of two bags of features, 0 to 1."""
    together = (one | other).total()
    return (one & other).total() / together if together else 0.0


def _features(tools: Sequence[ToolSpec]) -> Counter[str]:
    found: Counter[str] = Counter()
    for tool, words in zip(tools, words_of(tools), strict=True):
        found.update(set(_of_tool(tool, words.name)))
    return found


def _of_tool(tool: ToolSpec, name: Sequence[str]) -> Iterator[str]:
    """A tool's name as a set of words, whatever their order, and each parameter beside it."""
    called = " ".join(sorted(set(name)))
    yield called
    for parameter in parameters_of(tool):
        yield f"{called}: {parameter.lower().replace('_', '').replace('-', '')}"
