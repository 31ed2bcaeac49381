"""Printed data is shown, never obeyed."""

from __future__ import annotations

import json
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO, TextIOWrapper

import pytest

from compoworld.cli.output import Column, clean, emit, name, number, plain, prose, say, short, size, table, titled

pytestmark = pytest.mark.unit

HOSTILE = "[red]x[/red] [/] :smile: \x1b[2J\x1b]0;title\x07 \x9b31m a\rb \u202egnp.exe \udc80 \x00"


@pytest.mark.parametrize("letter", ["\x1b", "\x07", "\r", "\x00", "\x7f", "\x9b", "\u202e", "\u2066", "\x85"])
def test_control_characters_are_spelled_out(letter: str) -> None:
    assert letter not in clean(f"a{letter}b")
    assert clean(f"a{letter}b").startswith("a\\")


def test_clean_keeps_text() -> None:
    assert clean("naïve 日本語 🙂") == "naïve 日本語 🙂"
    assert clean("a\nb\tc") == "a\\nb\\tc"
    assert clean("a\nb\tc", lines=True) == "a\nb\tc"
    assert short("x" * 100, 10) == "x" * 9 + "…"


def test_markup_and_escapes_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    say(HOSTILE)
    prose(HOSTILE)
    table([name("id"), Column("text")], [(1, HOSTILE)])
    out = capsys.readouterr().out
    assert out.count("[red]x[/red] [/] :smile:") == 3
    assert not set("\x1b\x07\x9b\r\u202e\x00") & set(out)
    out.encode()


def test_a_table_keeps_names_whole_and_folds_texts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    identifier = "a-name-that-is-quite-long-and-must-be-copied"
    table([name("id"), number("n"), Column("text")], [(identifier, 7, "word " * 60)])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(identifier in line for line in lines) == 1
    assert sum(line.count("word") for line in lines) == 60
    assert all(line == line.rstrip() for line in lines)


def test_json_is_one_value_whatever_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    value = {
        "text": HOSTILE,
        "at": datetime(2026, 3, 2, 9, tzinfo=UTC),
        "on": date(2026, 3, 2),
        "amount": Decimal("1.50"),
    }
    emit(value)
    out = capsys.readouterr().out
    assert not set("\x1b\x07\x9b\r\x00") & set(out)
    assert json.loads(out) == {
        "text": HOSTILE,
        "at": "2026-03-02T09:00:00Z",
        "on": "2026-03-02",
        "amount": 1.5,
    }


def test_json_on_a_terminal_without_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(raw, encoding="ascii"))
    emit({"text": "é 日本"})
    sys.stdout.flush()
    assert json.loads(raw.getvalue().decode("ascii")) == {"text": "é 日本"}


def test_plain_values() -> None:
    assert plain({1: (Decimal(2), {3})}) == {"1": [2, [3]]}
    assert [size(0), size(2048), size(5 * 2**20), size(3 * 2**30), size(None)] == [
        "0 B",
        "2.0 kB",
        "5.0 MB",
        "3.0 GB",
        "",
    ]


def test_an_empty_table_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    table([name("id")], [], empty="no branches yet")
    assert capsys.readouterr().out == "no branches yet\n"


def test_a_title_without_a_text_is_one_line() -> None:
    assert titled("name", "").plain == "name"
    assert titled("name", "what it is").plain == "name\nwhat it is"
