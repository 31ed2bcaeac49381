"""What is asked of a row or of a text, as SQL that tells people what of it is lacking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.rubric.says import quoted

_SAID = re.compile(r"says\((?:[^()]|\([^()]*\))*, (?:date |time )?('(?:[^']|'')*'|-?[0-9.e+-]+)\)")
_SAID_OF_NEW = re.compile(r"EXISTS \(SELECT FROM (\w+) (\w+) WHERE .*says\(.*, \2\.(\w+)\)\)+", re.DOTALL)
_BOUND = re.compile(r"(values_in\(.*, '(\w+)'\)) <= (\d+)")
_EQUAL = re.compile(r"(\w+\.(\w+)) = (.*)", re.DOTALL)
_COLUMN = re.compile(r"\b\w+\.(\w+)")
_LONGEST = 400
"""Characters of what is said to be expected."""
_ONCE = " OFFSET 0"
"""Keeps a subquery one: without it PostgreSQL plans and computes its column anew wherever that is used."""


@dataclass(frozen=True)
class Asked:
    """Conditions that hold together for one of some rows.

    Attributes:
        label: what is meant, for people.
        source: what stands behind FROM.
        where: which rows may be meant.
        conditions: what is asked of one of them.
        none: what is said where there is no such row.
    """

    label: str
    source: str
    where: tuple[str, ...]
    conditions: tuple[str, ...]
    none: str

    @property
    def bounded(self) -> bool:
        """Whether it minds lists of guesses."""
        return any(_BOUND.fullmatch(condition) for condition in self.conditions)

    def expected(self) -> str:
        """What is asked, for people."""
        return ", ".join(dict.fromkeys(filter(None, map(_wanted, self.conditions)))) or self.label

    def lacking(self) -> str:
        """An SQL expression: what the row lacks that comes nearest, empty for nothing."""
        lacks = [f"CASE WHEN {condition} THEN NULL ELSE {_lack(condition)} END" for condition in self.conditions]
        where = f"\n    WHERE {_joined(self.where)}" if self.where else ""
        return (
            "coalesce((SELECT x.lacks FROM (SELECT concat_ws(', ',\n        "
            + ",\n        ".join(lacks or ["NULL"])
            + f") AS lacks\n    FROM {self.source}{where}{_ONCE}) AS x ORDER BY length(x.lacks) LIMIT 1),"
            f" {quoted(self.none)})"
        )


def criterion_sql(parts: Sequence[Asked], seen: str = "") -> str:
    """One SELECT with ``passed``, ``expected`` and ``actual``: all parts hold, or what they lack.

    Args:
        seen: an SQL expression for what is judged, which ``actual`` gives too.
    """
    lacking = [part.lacking() for part in parts]
    if len(parts) > 1:
        labels = [quoted(f"{part.label}: ") for part in parts]
        lacking = [f"{label} || nullif({sql}, '')" for label, sql in zip(labels, lacking, strict=True)]
    expected = "; ".join(dict.fromkeys(part.expected() for part in parts))
    whole = lacking[0] if len(parts) == 1 else "concat_ws('; ',\n    " + ",\n    ".join(lacking) + ")"
    actual = f"concat_ws(' in: ', nullif(lacks, ''), {seen})" if seen else "coalesce(nullif(lacks, ''), 'all of it')"
    return (
        f"SELECT lacks = '' AS passed, {quoted(expected[:_LONGEST])} AS expected,\n       {actual} AS actual\n"
        f"FROM (SELECT {whole} AS lacks{_ONCE}) AS found"
    )


def _lack(condition: str) -> str:
    """An SQL text, never null: what is wrong where a condition does not hold."""
    if bound := _BOUND.fullmatch(condition):
        return f"concat({bound[1]}, {quoted(f' {bound[2]}s, more than {bound[3]}')})"
    if made := _SAID_OF_NEW.fullmatch(condition):
        return quoted(f"not said: the {made[3]} of a new {made[1]}")
    if condition.startswith("NOT EXISTS"):
        return quoted("it is still there")
    if values := _SAID.findall(condition):
        return quoted("not said: " + " ".join(map(_bare, values)))
    if equal := _EQUAL.fullmatch(condition):
        return f"concat('{equal[2]} is ', coalesce({equal[1]}::text, 'empty'), {quoted(f', not {_bare(equal[3])}')})"
    if (column := _COLUMN.search(condition)) and not condition.startswith("EXISTS"):
        return f"concat('{column[1]} is ', coalesce({column[0]}::text, 'empty'))"
    return quoted("not as asked for")


def _wanted(condition: str) -> str:
    if bound := _BOUND.fullmatch(condition):
        return f"at most {bound[3]} {bound[2]}s"
    if made := _SAID_OF_NEW.fullmatch(condition):
        return f"says the {made[3]} of a new {made[1]}"
    if values := _SAID.findall(condition):
        return "says " + " ".join(map(_bare, values))
    equal = _EQUAL.fullmatch(condition)
    return f"{equal[2]} {_bare(equal[3])}" if equal else ""


def _bare(shown: str) -> str:
    """An SQL literal as people read it."""
    return shown.removesuffix("::jsonb").strip("'").replace("''", "'")


def _joined(conditions: Sequence[str]) -> str:
    return "\n        AND ".join(conditions)
