"""Reads ``seed_cases.txt``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Step:
    """Something that followed; ``mark`` as in the file, ``word``: who spoke, the state or the score."""

    mark: str
    day: int
    clock: str
    word: str
    text: str


@dataclass
class Case:
    """One ticket as the file tells it; people by first name, ``-`` for none."""

    header: list[str]
    subject: str
    description: str
    steps: list[Step] = field(default_factory=list)


def cases() -> list[Case]:
    """Every case of the file, in its order."""
    text = Path(__file__).with_name("seed_cases.txt").read_text(encoding="utf-8")
    return [_case(block.splitlines()) for block in text.strip().split("\n\n")[1:]]


def _case(lines: list[str]) -> Case:
    header = [item.strip() for item in lines[0].removeprefix("# ").split("|")]
    return Case(header, lines[1], lines[2], [_step(line) for line in lines[3:]])


def _step(line: str) -> Step:
    head, _, text = line.partition(": ")
    mark, *words = head.rstrip(":").split()
    if mark in "=*":
        return Step(mark, int(words[1]), words[2], words[0], "" if text == "-" else text)
    return Step(mark, int(words[0]), words[1], words[2] if len(words) > 2 else "", text)
