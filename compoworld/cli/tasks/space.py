"""``compoworld tasks space``: how many compositions, walks and tellings there are to sample from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compoworld.cli.inputs import Json
from compoworld.cli.output import emit, heading, many, name, number, say, table

if TYPE_CHECKING:
    from tasks.sampling import Count, Space


def space(json: Json = False) -> None:
    """Count the compositions, walks and tellings there are. Needs no database.

    Example: compoworld tasks space
    """
    from engine.library import Library
    from tasks.authoring.family import families
    from tasks.sampling import space as counted

    found = counted(Library(), families().values())
    if json:
        emit(found)
        return
    say(f"{found.services} services; something can cross on {found.edges:,} of {found.pairs:,} ordered pairs")
    heading("what can cross")
    table(
        [name("semantic type"), number("pairs")],
        [(semantic, f"{pairs:,}") for semantic, pairs in found.edges_by_type.items()],
    )
    heading("compositions")
    table(
        [number("services"), number("sets"), number("with a walk"), number("of 448 services")],
        [(item.count.size, f"{item.count.sets:,}", _valid(item.count), _large(item.published)) for item in found.sizes],
    )
    _say_walks(found)
    _say_families(found)


def _say_walks(found: Space) -> None:
    lengths = list(found.sizes[0].walks) if found.sizes else []
    heading("walks over one composition, by number of visits")
    table(
        [number("services"), *(number(str(length)) for length in lengths)],
        [(item.count.size, *(_large(item.walks[length]) for length in lengths)) for item in found.sizes],
    )


def _say_families(found: Space) -> None:
    heading("scenario families")
    table(
        [name("family"), number("patterns"), number("services"), number("tellings"), number("sets")],
        [
            (item.family, item.patterns, _span(item.by_size), f"{item.assignments:,}", f"{item.compositions:,}")
            for item in found.families
        ],
    )
    say()
    say(
        f"{many(len(found.families), 'family', 'families')}, {found.assignments:,} tellings: "
        f"{'very many' if found.walks is None else f'{found.walks:,}'} different walks over "
        f"{found.compositions:,} different compositions of {_span(found.compositions_by_size)} services"
    )


def _valid(count: Count) -> str:
    if count.exact:
        return f"{count.valid:,}"
    return f"about {count.valid:,} ({count.lowest:,} to {count.highest:,})"


def _span(sizes: dict[int, int]) -> str:
    if not sizes:
        return "no"
    fewest, most = min(sizes), max(sizes)
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def _large(value: int) -> str:
    return f"{value:,}" if value < 1_000_000 else f"{value:.2e}"
