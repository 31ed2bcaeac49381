"""What matters in the arguments of a call: its values, and what its texts say. The words around them are free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tasks.templates import resolve


@dataclass(frozen=True)
class Leaf:
    """One value of a call.

    Attributes:
        path: names and positions that lead to it in the arguments, placeholders included.
        value: as the run resolved it.
        said: it stands in a text, among words that are free.
        template: what the reference solution has there.
    """

    path: tuple[str | int, ...]
    value: Any
    said: bool
    template: Any

    @property
    def argument(self) -> str:
        """The name of the innermost argument that holds it."""
        names = [step for step in self.path if isinstance(step, str)]
        return names[-2] if self.said else names[-1]


def leaves(arguments: Mapping[str, Any], saved: Mapping[str, Any]) -> list[Leaf]:
    """Every value that matters in a call's arguments, in order.

    Args:
        saved: observations by name, for what the arguments take from them.

    Raises:
        UnresolvedReference: an observation does not have what an argument takes from it.
    """
    return list(_walk(arguments, saved, (), False))


def _walk(template: Any, saved: Mapping[str, Any], path: tuple[str | int, ...], said: bool) -> Iterator[Leaf]:
    if isinstance(template, Mapping) and not ("$from" in template or "$calc" in template):
        inside = said or "$text" in template
        for name, item in template.items():
            if name != "$text":
                yield from _walk(item, saved, (*path, name), inside)
    elif isinstance(template, list):
        for number, item in enumerate(template):
            yield from _walk(item, saved, (*path, number), said)
    else:
        value = resolve(template, saved)
        for item in value if isinstance(value, list) else [value]:
            yield Leaf(path, item, said, template)
