"""Names of criteria: the beginning of their sentence, as far as it is a whole phrase."""

from __future__ import annotations

import re

_LONGEST, _SHORTEST = 10, 3
"""Words of a name."""

_MOST_CHARACTERS = 70

_OPENING = re.compile(
    "that|which|who|whom|what|how|where|when|whose|with|without|to|and|before|after|because|of|in|for|by|from|under|if"
    "|as|on|at|until|than|per|about|not|so|but|less"
)
"""Words with which a further phrase begins."""

_HANGING = re.compile(
    f"{_OPENING.pattern}|the|a|an|it|is|are|was|were|be|has|have|had|its|their|no|many|one|whoever|new"
)
"""Words with which no phrase ends."""


def name_of(sentence: str, taken: set[str]) -> str:
    """A name for a criterion that holds when a sentence does, unlike those that are taken; it is taken then."""
    plain = "-".join(_phrase(sentence))[:_MOST_CHARACTERS].lstrip("0123456789-").rstrip("-") or "goal"
    name, number = plain, 2
    while name in taken:
        name, number = f"{plain}-{number}", number + 1
    taken.add(name)
    return name


def _phrase(sentence: str) -> list[str]:
    """Its words, up to where a phrase of at most ten words ends: before a comma or a word that opens another one."""
    words: list[str] = []
    ends: list[int] = []
    for token in re.findall(r"[a-z0-9]+|[,;:]", re.sub(r"['’]", "", sentence.lower())):
        if token in ",;:" or _OPENING.fullmatch(token):
            ends.append(len(words))
        if token not in ",;:":
            words.append(token)
    if len(words) <= _LONGEST and len("-".join(words)) <= _MOST_CHARACTERS:
        return words
    whole = [end for end in ends if _SHORTEST <= end <= _LONGEST and not _HANGING.fullmatch(words[end - 1])]
    return words[: whole[-1] if whole else _LONGEST]
