"""The parts of a call's arguments that matter, and what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tasks.templates import PLACEHOLDER, names_used, resolve

_WORD = re.compile(r"[^\W\d_]{2,}")

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Part:
    """One part of the arguments of a call (or of an answer) that matters.

    Attributes:
        path: where it stands in them, through a ``$text`` by the name of its placeholder.
        template: what stands there: a literal, a ``$from`` or a ``$calc``.
        value: what that comes to.
        in_text: it is a value in a text.
    """

    path: Path
    template: Any
    value: Any
    in_text: bool

    @property
    def place(self) -> str:
        """The path for people: ``lines.0.amount``."""
        return ".".join(map(str, self.path))

    @property
    def names(self) -> set[str]:
        """The observations that it takes from."""
        return set(names_used(self.template))


def parts(arguments: Any, saved: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of arguments that matter: every literal and every value taken or computed, but no free words.

    Raises:
        UnresolvedReference: an observation does not have what is taken from it.
    """
    yield from _parts(arguments, saved, (), False)


def _parts(template: Any, saved: Mapping[str, Any], path: Path, in_text: bool) -> Iterator[Part]:
    if isinstance(template, Mapping) and not ("$from" in template or "$calc" in template):
        inside = in_text or "$text" in template
        for name, item in template.items():
            if name != "$text":
                yield from _parts(item, saved, (*path, name), inside)
    elif isinstance(template, list):
        for number, item in enumerate(template):
            yield from _parts(item, saved, (*path, number), in_text)
    elif template is not None:
        yield Part(path, template, resolve(template, saved), in_text)


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


def reworded(template: Any) -> Any:
    """The same with every free text in other words: its placeholders stay, in their order.

    A ``$text`` whose fixed characters are no words composes a value; it stays as it is.
    """
    if isinstance(template, Mapping):
        if "$from" in template or "$calc" in template:
            return template
        same = {name: reworded(item) for name, item in template.items() if name != "$text"}
        if "$text" in template:
            return {"$text": _other_words(template["$text"]), **same}
        return same
    if isinstance(template, list):
        return [reworded(item) for item in template]
    return template


def is_free(text: str) -> bool:
    """Whether a ``$text`` has words around its placeholders, not only what joins them (``{day}T{time}:00Z``)."""
    return _WORD.search(PLACEHOLDER.sub(" ", text)) is not None


_BETWEEN = ("and also", "along with", "then", "together with")


def _other_words(text: str) -> str:
    if not is_free(text):
        return text
    names = PLACEHOLDER.findall(text)
    if not names:
        # About as long as before, for some fields are short.
        return "As was said" if len(text) < 40 else "This is how it was left, as was said before; more on it soon"
    told = f"{{{names[0]}}}" + "".join(
        f" {_BETWEEN[place % len(_BETWEEN)]} {{{name}}}" for place, name in enumerate(names[1:])
    )
    return f"So here: {told} it is" if len(text) < 80 else f"For the record here: {told} as it stands"
