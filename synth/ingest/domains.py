"""The domain of a server, by the words of its tools."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml

from engine.kit.service import DOMAINS
from synth.ingest.wording import Words, singular, split

FALLBACK = "operations"
"""Of a server whose words speak for nothing."""

_IN_NAME, _IN_PARAMETERS, _IN_TEXT = 1.0, 0.25, 0.15
_OF_SERVER = 0.6
"""What a word of the server's own title and description counts, in tools."""

_OF_EVERY_SERVER = {
    "mcp",
    "server",
    "model",
    "context",
    "protocol",
    "api",
    "integration",
    "interface",
    "tool",
    "support",
    "agent",
}
"""What is said of servers whatever they are about."""


def domain_of(words: Sequence[Words], name: str, title: str, description: str) -> str:
    """One of ``DOMAINS`` for a server; a tie goes to the earlier one."""
    scores = scores_of(words, name, title, description)
    best = max(DOMAINS, key=lambda domain: scores[domain])
    return best if scores[best] > 0 else FALLBACK


def scores_of(words: Sequence[Words], name: str, title: str, description: str) -> dict[str, float]:
    """How much speaks for each domain."""
    weights = _weights()
    scores = dict.fromkeys(DOMAINS, 0.0)
    for word, count in _counts(words).items():
        for domain, weight in weights.get(word, {}).items():
            # Root of the count: forty tools on cards say no more than that it is about cards.
            scores[domain] += weight * math.sqrt(count / max(1, len(words)))
    about = set(split(f"{name} {title} {description[:1_500]}")) - _OF_EVERY_SERVER
    for word in sorted(about):
        for domain, weight in weights.get(word, {}).items():
            scores[domain] += weight * _OF_SERVER
    return scores


def _counts(words: Sequence[Words]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for item in words:
        seen: dict[str, float] = {}
        for part, weight in ((item.text, _IN_TEXT), (item.parameters, _IN_PARAMETERS), (item.name, _IN_NAME)):
            for word in part:
                seen[word] = max(seen.get(word, 0.0), weight)
        for word in sorted(seen):
            counts[word] = counts.get(word, 0.0) + seen[word]
    return counts


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    document = yaml.safe_load(files("synth.ingest").joinpath("domains.yaml").read_text(encoding="utf-8"))
    found: dict[str, dict[str, float]] = {}
    for domain in DOMAINS:
        for strength, weight in (("strong", 1.0), ("weak", 0.3)):
            for word in document[domain][strength].split():
                found.setdefault(singular(word), {})[domain] = weight
    # A word that speaks for several domains says less about each.
    return {word: {key: weight / len(by) for key, weight in by.items()} for word, by in found.items()}
