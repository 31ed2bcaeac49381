"""Arguments of calls: a part of them replaced, its schema, their free words otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from tasks.parts import Path
from tasks.templates import PLACEHOLDER, resolve

_WORD = re.compile(r"[^\W\d_]{2,}")


def replaced(template: Any, path: Path, value: Any) -> Any:
    """The template with a literal in place of one of its parts."""
    if not path:
        return value
    step, *rest = path
    if isinstance(template, list):
        return [replaced(item, tuple(rest), value) if place == step else item for place, item in enumerate(template)]
    return {name: replaced(item, tuple(rest), value) if name == step else item for name, item in template.items()}


def schema_at(schema: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """The schema of a part of the arguments; empty where it says nothing of it."""
    for step in path:
        inner = schema.get("items") if isinstance(step, int) else (schema.get("properties") or {}).get(step)
        if not isinstance(inner, Mapping):
            return {}
        schema = inner
    return schema


def reworded(template: Any, mark: int = 0) -> Any:
    """The same with every free text in other words: its placeholders stay, in their order.

    Args:
        mark: a number that texts without placeholders end with, for names that may not be the same.

    A ``$text`` whose fixed characters are no words composes a value; it stays as it is.
    """
    if isinstance(template, Mapping):
        if "$from" in template or "$calc" in template:
            return template
        same = {name: reworded(item, mark) for name, item in template.items() if name != "$text"}
        if "$text" in template:
            return {"$text": _other_words(template["$text"], mark), **same}
        return same
    if isinstance(template, list):
        return [reworded(item, mark) for item in template]
    return template


def rewritten(template: Any, saved: Mapping[str, Any], write: Callable[[Any], Any]) -> Any:
    """What a template comes to, with the values in its free texts written otherwise.

    Args:
        saved: observations by name.
        write: given the value of a placeholder, how it is written.

    Raises:
        UnresolvedReference: an observation does not have what is taken from it.
    """
    if isinstance(template, Mapping) and isinstance(template.get("$text"), str) and is_free(template["$text"]):
        values = {name: write(resolve(item, saved)) for name, item in template.items() if name != "$text"}
        return resolve({"$text": template["$text"], **values}, saved)
    if isinstance(template, Mapping) and not template.keys() & {"$from", "$calc", "$text"}:
        return {name: rewritten(item, saved, write) for name, item in template.items()}
    if isinstance(template, list):
        return [rewritten(item, saved, write) for item in template]
    return resolve(template, saved)


def is_free(text: str) -> bool:
    """Whether a ``$text`` has words around its placeholders, not only what joins them (``{day}T{time}:00Z``)."""
    return _WORD.search(PLACEHOLDER.sub(" ", text)) is not None


_BETWEEN = ("and also", "along with", "then", "together with")


def _other_words(text: str, mark: int) -> str:
    if not is_free(text):
        return text
    names = PLACEHOLDER.findall(text)
    if not names:
        # About as long as before, for some fields are short.
        return (
            f"As said, {mark}"
            if len(text) < 40
            else f"This is how it was left, as was said before; more on it soon, {mark}"
        )
    told = f"{{{names[0]}}}" + "".join(
        f" {_BETWEEN[place % len(_BETWEEN)]} {{{name}}}" for place, name in enumerate(names[1:])
    )
    return f"So here: {told} it is" if len(text) < 80 else f"For the record here: {told} as it stands"
