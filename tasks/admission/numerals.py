"""Numbers as people write them: in figures, spaced or grouped, and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = r"(?!\w|[.,]\d)"
_FIGURES = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?{_END}|\d+(?:\.\d+)?{_END})"
NUMBER = re.compile(rf"(?<![\w.,])-?{_FIGURES}")
"""A number in figures, by itself: no part of a word or of a longer number."""

_CURRENCY = r"(?:EUR|USD|GBP|AUD|CAD|[€$£])"
_MONEY = re.compile(rf"{_CURRENCY} ?({_FIGURES})|(?<![\w.,])(\d[\d,]*(?:\.\d+)?){_CURRENCY}")
_SPACED = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u202f']\d{3})+(?:[.,]\d{1,2})?" + _END)
_COMMA = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:\.\d{3})+|\d+),\d{1,2}" + _END)
_MINOR = re.compile(r"(?<![\w.,])(\d[\d,]*) ?(?:pence|cents?|pennies|p)\b", re.IGNORECASE)
_BOTH = re.compile(
    r"(?<![\w.,])(\d[\d,]*) ?(?:pounds?|euros?|dollars?|EUR|USD|GBP|[€$£])(?: and)? (\d\d)(?![\w.,]\d|\w)",
    re.IGNORECASE,
)
_SINGLE = re.compile(r"(?<![\w.,])\d(?: ?[.,] ?\d| \d){1,}(?![\w])")

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: value for value, word in enumerate(_ONES)} | {
    word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)
}
_SCALES = {"hundred": 100, "thousand": 1000}
_OTHERS = {"dozen": 12, "nought": 0, "oh": 0}
_FRACTIONS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25}
_NUMERALS = {*_VALUES, *_SCALES, *_OTHERS, *_FRACTIONS}
_JOINING = ("and", "a", "an", "point")
_WORD = re.compile(r"[^\W\d_]+")


def numbers_told(text: str) -> set[float]:
    """Every number that a text can be read to tell, whether in figures or in words.

    What may be read in two ways gives both: in "twenty one" there are 21, 20 and 1.
    """
    told = {_figure(match[0].replace(",", "")) for match in NUMBER.finditer(text)}
    told |= {_figure((match[1] or match[2]).replace(",", "")) for match in _MONEY.finditer(text)}
    for match in _SPACED.finditer(text):
        told.add(_figure(re.sub(r"[^\d,.]", "", match[0]).replace(",", ".")))
    for match in _COMMA.finditer(text):
        told.add(_figure(match[0].replace(".", "").replace(",", ".")))
    for match in _MINOR.finditer(text):
        told.add(float(match[1].replace(",", "")) / 100)
    for match in _BOTH.finditer(text):
        told.add(float(match[1].replace(",", "")) + float(match[2]) / 100)
    for match in _SINGLE.finditer(text):
        told.add(_figure(match[0].replace(" ", "").replace(",", ".")))
    return {number for number in (*told, *_in_words(text)) if number is not None}


def _figure(digits: str) -> float | None:
    try:
        return float(digits)
    except ValueError:  # such as 1.2.3, which is no number
        return None


def _in_words(text: str) -> Iterator[float]:
    """The numbers in each row of number words, such as "seven and a half" or "four eight point five"."""
    row: list[str] = []
    for word in [*_WORD.findall(text.lower()), ""]:
        if word in _NUMERALS or (row and word in _JOINING):
            row.append(word)
        elif row:
            yield from _readings(row)
            row = []


def _readings(row: list[str]) -> Iterator[float]:
    yield from (float(_VALUES[word]) for word in row if word in _VALUES)
    words = [word for word in row if word not in ("and", "a", "an")]
    whole, _, after = " ".join(words).partition("point")
    before, behind = whole.split(), after.split()
    if not before:
        return
    single = [_digit(word) for word in before]
    decimals = [_digit(word) for word in behind]
    point = "." + "".join(map(str, decimals)) if decimals and None not in decimals else ""
    if len(single) > 1 and None not in single:
        yield float("".join(map(str, single)) + point)
    elif (value := _value(before)) is not None:
        yield value
        if point:
            yield value + float(f"0{point}")


def _digit(word: str) -> int | None:
    value = _VALUES.get(word, _OTHERS.get(word))
    return value if value is not None and value < 10 else None


def _value(words: list[str]) -> float | None:
    """What a row of number words comes to: "one hundred twenty one", "two dozen", "seven half", "three quarters"."""
    total, group = 0.0, 0.0
    for place, word in enumerate(words):
        if word in _FRACTIONS:
            times = group if word == "quarters" and place == len(words) - 1 and 0 < group < 4 else 0.0
            group = times * 0.25 if times else group + _FRACTIONS[word]
        elif word == "thousand":
            total, group = total + (group or 1) * 1000, 0.0
        elif word in ("hundred", "dozen"):
            group = (group or 1) * (_SCALES.get(word) or _OTHERS[word])
        else:
            group += _VALUES.get(word, _OTHERS.get(word, 0))
    return total + group
