"""Results as a piece of a page (Markdown), with the command that makes it, and images beside it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from engine.kit.values import canonical_json
from rl.experiments.config import Scale, about, read_config
from rl.experiments.store import Experiment, Result
from rl.experiments.tables import Table, tables_of

_WORD = re.compile(r"[A-Za-z][\w./@-]*")
"""What needs no quotes in YAML, unless it is a word for something else there, such as ``no``."""


def markdown(found: Experiment, results: Sequence[Result], pictures: Sequence[str]) -> str:
    """The tables of an experiment.

    Args:
        pictures: file names, relative to the page.
    """
    return "\n".join(_lines(found, results, pictures)) + "\n"


def _lines(found: Experiment, results: Sequence[Result], pictures: Sequence[str]) -> Iterator[str]:
    yield f"# {found.name}"
    yield ""
    yield about(found.kind)
    yield ""
    yield "```"
    yield command(found.kind, found.name, found.config)
    yield "```"
    for table in tables_of(found.kind, results):
        yield ""
        yield from _table(table)
    for picture in pictures:
        yield ""
        yield f"![{picture.removesuffix('.png')}]({picture})"


def command(kind: str, name: str, config: Mapping[str, Any]) -> str:
    """The command that makes an experiment: what its config has other than what comes with CompoWorld is named."""
    scales: tuple[Scale, ...] = ("cpu", "gpu")
    given = {scale: list(_other(config, read_config(kind, scale).model_dump(mode="json", by_alias=True)))
             for scale in scales}  # fmt: skip
    scale = min(scales, key=lambda scale: len(given[scale]))
    parts = [kind, *([] if scale == "cpu" else [f"--scale {scale}"]), *given[scale]]
    return " ".join(["compoworld experiment run", *parts, *([] if name == kind else [f"--name {name}"])])


def _other(config: Mapping[str, Any], usual: Mapping[str, Any], within: str = "") -> Iterator[str]:
    for name, value in config.items():
        if name in usual and canonical_json(value) == canonical_json(usual[name]):
            continue
        if isinstance(value, Mapping) and isinstance(usual.get(name), Mapping):
            yield from _other(value, usual[name], f"{within}{name}.")
        else:
            plain = isinstance(value, str) and _WORD.fullmatch(value) and yaml.safe_load(value) == value
            said = value if plain else json.dumps(value, ensure_ascii=False)
            yield f"--set {shlex.quote(f'{within}{name}={said}')}"


def _table(table: Table) -> Iterator[str]:
    yield f"**{table.title[:1].upper()}{table.title[1:]}**"
    yield ""
    yield f"| {' | '.join(table.columns)} |"
    yield f"|---|{'---:|' * (len(table.columns) - 1)}"
    for row in table.rows:
        yield f"| {' | '.join(row)} |"
