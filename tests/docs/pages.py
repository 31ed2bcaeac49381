"""The pages of the documentation: their links, and the commands that they show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)\s]+)\)")
_ANY = "…"
"""In the output that a page shows: a line of its own for lines left out, within a line for a part left out."""


@dataclass(frozen=True)
class Shown:
    """A command with the output that a page shows of it."""

    arguments: list[str]
    output: list[str]


def name_of(page: Path) -> str:
    """How tests call a page."""
    return str(page.relative_to(ROOT))


def fences(page: Path, language: str | None = None) -> Iterator[str]:
    """The texts of the page's fenced blocks, of one language or of all."""
    for found in _FENCE.finditer(page.read_text(encoding="utf-8")):
        if language is None or found["language"] == language:
            yield found["body"]


def links(page: Path) -> list[str]:
    """The targets of the page's links."""
    return [found["target"] for found in _LINK.finditer(_prose(page))]


def anchors(page: Path) -> set[str]:
    """What a link to a heading of the page says after ``#``."""
    headings = re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def commands(page: Path) -> Iterator[list[str]]:
    """Every ``compoworld`` command that the page shows, as arguments, the program's name left out."""
    lines = [line for body in fences(page) for line in body.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`(compoworld [^`]+)`", _prose(page))
    for line in lines:
        found = re.match(r"^(?:\$ )?(?:psql \"\$\()?compoworld (.+?)(?:\)\")?(?:\s+#.*)?$", line.strip())
        if found:
            yield shlex.split(found[1])


def shown(page: Path) -> Iterator[Shown]:
    """The commands in the page's console blocks, with their output."""
    for body in fences(page, "console"):
        for part in re.split(r"^\$ compoworld ", body, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield Shown(shlex.split(command), [line.rstrip() for line in output.splitlines()])


def missing(shown_lines: list[str], real: str) -> str | None:
    """The first line of what a page shows that the real output does not have, in this order; ``None``: all there."""
    rest = [line.rstrip() for line in real.splitlines()]
    skipping = False
    for line in shown_lines:
        if line == _ANY:
            skipping = True
            continue
        pattern = re.compile(".*".join(map(re.escape, line.split(_ANY))))
        places = [place for place, text in enumerate(rest) if pattern.fullmatch(text)]
        if not places or (places[0] > 0 and not skipping):
            return line
        rest = rest[places[0] + 1 :]
        skipping = False
    more = next((line for line in rest if line), None)
    return None if skipping or more is None else f"(the end; it goes on with: {more})"


def _prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))
