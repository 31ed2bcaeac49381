"""Names, codes, amounts and dates for scenarios, drawn from a seed. None of them occurs in the services' seed data."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from engine.kit.cast import Person
from tasks.calculation import is_holiday

T = TypeVar("T")

_TRIES = 200


def _words() -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for block in Path(__file__).with_name("names.txt").read_text(encoding="utf-8").split("\n# ")[1:]:
        kind, _, words = block.partition("\n")
        kinds[kind] = [word.strip() for word in words.replace("\n", " ").split(",") if word.strip()]
    return kinds


_WORDS = _words()
_FIRST, _LAST = _WORDS["first names"], _WORDS["last names"]
_COMPANY, _TRADE = _WORDS["companies"], _WORDS["trades"]
_PRODUCT_NAME, _PRODUCT_KIND = _WORDS["product names"], _WORDS["products"]

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def is_workday(day: date) -> bool:
    """Whether everybody works on a date: no weekend, no public holiday."""
    return day.weekday() < 5 and not is_holiday(day)


def workdays(start: date, count: int) -> date:
    """The date so many working days after another one (negative: before it)."""
    step = timedelta(days=1 if count >= 0 else -1)
    for _ in range(abs(count)):
        start += step
        while not is_workday(start):
            start += step
    return start


class Draw:
    """A seeded source of names and values. No name, code or amount is given twice."""

    def __init__(self, rng: random.Random, start: datetime) -> None:
        self._rng = rng
        self._start = start
        self._given: set[object] = set()

    def company(self) -> str:
        """A company that no service knows: ``Alder Textiles``."""
        return self._fresh(lambda: f"{self._rng.choice(_COMPANY)} {self._rng.choice(_TRADE)}")

    def near(self, name: str) -> str:
        """A name that is easily taken for another: the same first word and another second one."""
        first, _, rest = name.partition(" ")
        others = _TRADE if rest in _TRADE else _LAST if first in _FIRST else _PRODUCT_KIND
        return self._fresh(lambda: f"{first} {self._rng.choice(others)}")

    def person(self, company: str = "") -> Person:
        """Somebody outside the cast, with an address at their company's domain."""
        name = self._fresh(lambda: f"{self._rng.choice(_FIRST)} {self._rng.choice(_LAST)}")
        domain = (company or "mailbox").lower().replace(" ", "").replace("&", "") + ".example"
        return Person(name, f"{name.lower().replace(' ', '.')}@{domain}", "", company)

    def product(self) -> str:
        """A product that the shop does not have: ``Basalt work jacket``."""
        return self._fresh(lambda: f"{self._rng.choice(_PRODUCT_NAME)} {self._rng.choice(_PRODUCT_KIND)}")

    def code(self, prefix: str = "") -> str:
        """A code such as ``KX-4821``; two letters are drawn where no prefix is given."""

        def make() -> str:
            letters = prefix or "".join(self._rng.sample(_LETTERS, 2))
            return f"{letters}-{self._rng.randint(1100, 9899)}"

        return self._fresh(make)

    def amount(self, low: float, high: float, step: str = "0.50") -> Decimal:
        """An amount of money between two bounds, a multiple of a step."""
        unit = Decimal(step)
        bounds = (int(Decimal(str(low)) / unit), int(Decimal(str(high)) / unit))
        return self._fresh(lambda: (self._rng.randint(*bounds) * unit).quantize(Decimal("0.01")))

    def count(self, low: int, high: int) -> int:
        """A whole number between two bounds."""
        return self._fresh(lambda: self._rng.randint(low, high))

    def day(self, first: int, last: int) -> date:
        """A working day so many calendar days after the start's date (negative: before it), or the one before that."""

        def make() -> date:
            day = self._start.date() + timedelta(days=self._rng.randint(first, last))
            return day if is_workday(day) else workdays(day, -1)

        return self._fresh(make)

    def _fresh(self, make: Callable[[], T]) -> T:
        for _ in range(_TRIES):
            if (value := make()) not in self._given:
                self._given.add(value)
                return value
        # A narrow range is exhausted: the same value again is better than none.
        return value
