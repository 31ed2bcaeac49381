"""What commands print: tables, JSON, one-line notes. Data is never taken for markup or for terminal control."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

# Terminal control (C0, DEL, C1) and the characters that turn the direction of text around.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_NARROWEST = 60
_PIPE_WIDTH = 80
_NARROW_COLUMN, _WIDTH_OF_OTHERS = 26, 3


def clean(value: object, *, lines: bool = False) -> str:
    """Text that a terminal shows and does not obey: control characters are spelled out.

    Args:
        lines: keep line breaks and tabs.
    """
    text = value if isinstance(value, str) else str(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    text = _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
    return text if lines else text.replace("\n", "\\n").replace("\t", "\\t")


def short(value: object, length: int = 60) -> str:
    """Cleaned text of bounded length, for messages and narrow columns."""
    text = clean(value)
    return text if len(text) <= length else text[: length - 1] + "…"


def compact(value: Any) -> str:
    """JSON on one line, cleaned."""
    return clean(json.dumps(plain(value), ensure_ascii=False))


def pretty(value: Any) -> str:
    """JSON on several lines, cleaned."""
    return clean(json.dumps(plain(value), ensure_ascii=False, indent=2), lines=True)


def plain(value: Any) -> Any:
    """A value as JSON has it: dataclasses become objects, instants RFC 3339, amounts numbers."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case date():
            return value.isoformat()
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case Mapping():
            return {str(name): plain(item) for name, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    return str(value)


def emit(value: Any) -> None:
    """Print one JSON value on stdout."""
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    text = json.dumps(plain(value), ensure_ascii=encoding != "utf8", indent=2 if sys.stdout.isatty() else None)
    print(_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def console(*, stderr: bool = False) -> Console:
    """A console that takes no text for markup; 80 columns wide in a pipe."""
    from rich.console import Console

    made = Console(stderr=stderr, markup=False, emoji=False, highlight=False, soft_wrap=False)
    if not made.is_terminal and "COLUMNS" not in made._environ:
        made.width = _PIPE_WIDTH
    made.width = max(made.width, _NARROWEST)
    return made


def say(text: object = "", *, style: str | None = None, fold: bool = False) -> None:
    """Print a line on stdout, as it is but for control characters; on a terminal long lines fold at words.

    Args:
        fold: fold long lines in a pipe too: text to read, not to copy.
    """
    from rich.text import Text

    line = Text(clean(text, lines=True), style=style or "")
    if fold:
        _print(line)
    else:
        console().print(line, soft_wrap=not sys.stdout.isatty())


def _print(what: Text | Table) -> None:
    """Print within the width, or wider where names would be cut off; in a pipe without spaces at the ends of lines."""
    from rich.measure import Measurement

    terminal = console()
    terminal.width = max(terminal.width, Measurement.get(terminal, terminal.options, what).minimum)
    if terminal.is_terminal:
        terminal.print(what)
        return
    with terminal.capture() as capture:
        terminal.print(what)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))


def prose(text: str, indent: str = "", hanging: str | None = None) -> None:
    """Print text of people, folded at words to the width, in a pipe too; an empty line parts paragraphs."""
    import textwrap

    width = console().width
    for place, paragraph in enumerate(re.split(r"\n\s*\n", clean(text, lines=True).strip())):
        if place:
            print()
        print(
            textwrap.fill(
                " ".join(paragraph.split()),
                width,
                initial_indent=indent,
                subsequent_indent=indent if hanging is None else hanging,
            )
        )


def many(count: int, what: str, plural: str | None = None) -> str:
    """A number with its noun: ``1 task``, ``2 tasks``."""
    return f"{count:,} {what if count == 1 else plural or f'{what}s'}"


def titled(title: str, text: str) -> Text:
    """A cell with a name in one piece and what it means under it, if there is something."""
    from rich.text import Text

    return Text.assemble(clean(title), (f"\n{clean(text, lines=True)}" if text else "", "dim"))


def heading(text: object) -> None:
    """Print a heading after an empty line."""
    say()
    say(text, style="bold")


def note(text: object) -> None:
    """Print a line on stderr: progress, warnings, what happens next."""
    from rich.text import Text

    console(stderr=True).print(Text(clean(text, lines=True), style="dim"), soft_wrap=True)


def complain(text: object, *, label: str = "error: ") -> None:
    """Print one line on stderr, however many the text has."""
    print(f"{label}{' '.join(clean(text, lines=True).split())}", file=sys.stderr)


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        fixed: never folded: names of things to copy.
        right: numbers.
        share: how much of the width it gets where columns must fold.
        whole: at least as wide as the longest first line of its cells: a name, with what it means under it.
    """

    title: str
    fixed: bool = False
    right: bool = False
    share: int = 1
    whole: bool = False


def number(title: str) -> Column:
    """A column of numbers."""
    return Column(title, fixed=True, right=True)


def name(title: str) -> Column:
    """A column of names that stay in one piece."""
    return Column(title, fixed=True)


def table(columns: Sequence[Column], rows: Iterable[Sequence[Any]], *, empty: str = "none") -> None:
    """Print a table; long texts fold, nothing is cut off."""
    listed = [list(row) for row in rows]
    if listed:
        _print(made_table(columns, listed))
    else:
        say(empty)


def made_table(columns: Sequence[Column], listed: Sequence[Sequence[Any]]) -> Table:
    """A table that is not printed yet."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
    for place, column in enumerate(columns):
        made.add_column(
            column.title,
            justify="right" if column.right else "left",
            no_wrap=column.fixed,
            overflow="fold",
            ratio=None if column.fixed else column.share,
            width=_whole(columns, listed, place) if column.whole else None,
            vertical="top",
        )
    for row in listed:
        made.add_row(*(item if isinstance(item, Text) else Text(shown(item)) for item in row))
    return made


def _whole(columns: Sequence[Column], rows: Sequence[Sequence[Any]], place: int) -> int:
    """The width of a column whose first lines stay in one piece: wider where the others leave room."""
    rest = _WIDTH_OF_OTHERS * (len(columns) - 1)
    for number, column in enumerate(columns):
        if number != place:
            longest = max(len(column.title), *(len(str(row[number])) for row in rows))
            rest += longest if column.fixed else min(longest, _NARROW_COLUMN)
    lines = [str(row[place]).splitlines() or [""] for row in rows]
    widest = min(max(len(line) for cell in lines for line in cell), console().width - rest)
    return max(widest, *(len(cell[0]) for cell in lines))


def shown(value: Any) -> str:
    """A value in a cell: yes or no, nothing for nothing, JSON for what has parts."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str():
            return clean(value, lines=True)
        case float():
            return f"{value:.3f}".rstrip("0").rstrip(".")
        case datetime():
            return value.strftime("%Y-%m-%d %H:%M:%S")
        case dict() | list() | tuple():
            return compact(value)
    return clean(value)


def verdict(passed: bool) -> Any:
    """``passed`` or ``failed``, coloured."""
    from rich.text import Text

    return Text("passed", style="green") if passed else Text("failed", style="red")


def size(count: int | None) -> str:
    """Bytes for people."""
    if count is None:
        return ""
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GB"
