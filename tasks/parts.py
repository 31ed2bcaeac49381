"""What matters in the arguments of a call: literals and values taken or computed. Words around them are free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tasks.templates import names_used, resolve

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
    def argument(self) -> str:
        """The name of the innermost argument that holds it."""
        names = [step for step in self.path if isinstance(step, str)]
        return names[-2] if self.in_text else names[-1]

    @property
    def names(self) -> set[str]:
        """The observations that it takes from."""
        return set(names_used(self.template))


def parts(arguments: Any, saved: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of arguments that matter: every literal and every value taken or computed, but no free words.

    Args:
        saved: observations by name, for what the arguments take from them.

    Raises:
        UnresolvedReference: an observation does not have what is taken from it.
    """
    yield from _parts(arguments, saved, (), False)


def single_parts(arguments: Any, saved: Mapping[str, Any]) -> list[Part]:
    """The same, with one part for each item of a value that is a list.

    Raises:
        UnresolvedReference: an observation does not have what is taken from it.
    """
    return [
        replace(part, value=item)
        for part in parts(arguments, saved)
        for item in (part.value if isinstance(part.value, list) else [part.value])
    ]


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
