"""``docs/sampling.md``: its snippet draws what its comments say, its table holds the levels' dials."""

from __future__ import annotations

import ast
import re

from tasks.sampling import LEVELS, Dials
from tests.docs.pages import ROOT, fences

PAGE = ROOT / "docs" / "sampling.md"


def test_the_snippet_gives_what_it_says() -> None:
    (body,) = fences(PAGE, "python")
    names: dict[str, object] = {}
    exec(compile(body, PAGE.name, "exec"), names)
    checked = 0
    for line in body.splitlines():
        shown = re.fullmatch(r"(?P<code>[A-Za-z].*?)\s+# (?P<value>[\d(].*)", line)
        if shown and "..." not in shown["value"]:
            assert eval(shown["code"], names) == ast.literal_eval(shown["value"]), line
            checked += 1
    assert checked == 5
    assert ", ".join(names["walk"]) in body  # type: ignore[arg-type]


def test_the_table_of_dials() -> None:
    lines = re.findall(r"^\| (`\w+` .*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    rows = {name.strip("` "): cells for name, _, *cells, _ in (line.split("|") for line in lines)}
    assert list(rows) == list(Dials.model_fields)
    for name, cells in rows.items():
        for level, shown in zip(LEVELS, cells, strict=True):
            value = getattr(Dials.level(level), name)
            text = "any" if value is None else " to ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            assert shown.strip() == text, (name, level)
