"""Which properties a schema requires: names of properties that there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from synth.ingest.document import clean
from synth.ingest.keywords import Say, Schema, brief

_ELSEWHERE = ("$ref", "dependentSchemas", "allOf", "anyOf", "oneOf", "if")
"""Keywords by which a property may be known that is not among the schema's own; at the root these are among them."""


def mend_required(given: Mapping[str, Any], made: Schema, outer: Collection[str], say: Say, *, root: bool) -> None:
    """Write ``required`` as a list of names, those added that say so themselves.

    Args:
        outer: properties of the schemas of which this one is a part.
        root: whether it holds all arguments; those that it does not know are refused there.
    """
    listed = given.get("required")
    if isinstance(listed, str) and listed in made.get("properties", {}):
        listed = [listed]
    if "required" in given and not isinstance(listed, list) and not (isinstance(listed, bool) and not root):
        say("required", f"required is {brief(listed)}: taken out")
    texts = [clean(item) for item in listed if isinstance(item, str)] if isinstance(listed, list) else []
    names = list(dict.fromkeys(texts))
    if isinstance(listed, list) and len(names) < len(listed):
        say("required", "names that stood more than once, and what is no name, are taken out")
    names = _present(names, given, made, outer, say, root=root)
    for name, item in _properties(given):
        asked = item.get("required") if isinstance(item, Mapping) else None
        if isinstance(asked, bool) or asked in ("true", "True"):
            say("required-boolean", "properties that say of themselves that they are required are listed")
            if asked and clean(name) not in names:
                names.append(clean(name))
    if names:
        made["required"] = names


def _properties(given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    listed = given.get("properties")
    if isinstance(listed, Mapping):
        return list(listed.items())
    items = [item for item in listed if isinstance(item, Mapping)] if isinstance(listed, list) else []
    return [(item["name"], item) for item in items if isinstance(item.get("name"), str)]


def _present(
    names: list[str], given: Mapping[str, Any], made: Schema, outer: Collection[str], say: Say, *, root: bool
) -> list[str]:
    known = {*made.get("properties", ()), *outer}
    absent = [name for name in names if name not in known]
    if not absent:
        return names
    closed = made.get("additionalProperties", not root) is False and "patternProperties" not in made
    out = closed and (root or not any(key in made for key in _ELSEWHERE))
    say(
        "required-absent",
        f"required names {brief(absent)}, which is no property: " + ("taken out" if out else "carried"),
    )
    return [name for name in names if name not in absent] if out else names
