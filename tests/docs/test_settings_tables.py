"""The tables of settings: each names every setting that there is, and no other, with what it is by default."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from rl.experiments.config import KINDS, ScaleConfig, read_config
from rl.grpo import GrpoSettings
from rl.sft import Select, SftSettings
from rl.training.settings import paths, read
from tests.docs.pages import ROOT, fences

pytestmark = pytest.mark.unit

DOCS = ROOT / "docs"
WITH_MODEL = "all with a model"
SOLVABLE = "rewards-solvable"
WHOLE = {"sft", "grpo", "single", "composed", "source.train", "source.test", "test.agent", "test.limits", "simulation"}
"""Settings of experiments that hold others: these are described elsewhere, or in words."""


def rows(page: str, heading: str) -> Iterator[tuple[list[str], str]]:
    """The first two cells of each row of the table of settings under a heading: the names in the first one."""
    text = (DOCS / page).read_text(encoding="utf-8")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    table = re.search(r"^\| setting \|.*\n\|[-|]+\n((?:\|.*\n)+)", section, re.MULTILINE)
    assert table is not None
    for line in table[1].splitlines():
        first, second, *_ = line.strip("|").split("|")
        yield re.findall(r"`([^`]+)`", first), second.strip()


def see_all(named: list[str], kind: type[BaseModel], whole: Collection[str] = ()) -> None:
    """See that settings are those of a kind; of one that is whole, what is within it need not be named."""
    known = paths(kind)
    assert len(set(named)) == len(named), "one is named twice"
    assert set(named) <= set(known), f"there is no {set(named) - set(known)}"
    inner = {path for path in known if any(other.startswith(f"{path}.") for other in known)} - set(whole)
    needed = {path for path in known if path not in inner and not any(path.startswith(f"{item}.") for item in whole)}
    assert needed <= set(named), f"not named: {needed - set(named)}"


def value_of(settings: BaseModel, name: str) -> Any:
    """The value of a setting by its full name."""
    found: Any = settings.model_dump(mode="json", by_alias=True)
    for part in name.split("."):
        found = found[part]
    return found


@pytest.mark.parametrize(
    ("page", "kind", "packaged", "whole"),
    [("sft.md", SftSettings, "sft", {"select"}), ("grpo.md", GrpoSettings, "grpo", set[str]())],
)
def test_settings_of_training(page: str, kind: type[Any], packaged: str, whole: set[str]) -> None:
    table = list(rows(page, "Settings"))
    see_all([name for names, _ in table for name in names], kind, whole)
    settings = read(kind, packaged)
    for names, cell in table:
        shown = cell.replace("`", "").split(", ")
        if len(shown) == len(names) and re.match(r"`|[0-9]", cell):
            for name, word in zip(names, shown, strict=True):
                value = value_of(settings, name)
                assert float(word) == value if word[0].isdigit() else yaml.safe_load(word) == value, name
        else:
            # In words, or nothing: there is no value, or it is a mapping.
            assert cell in ("", "SET", "the run's name"), cell
            assert all(not value_of(settings, name) or name in ("lora", "select") for name in names), names


def test_settings_of_a_selection() -> None:
    table = list(rows("sft.md", "What is trained on"))
    see_all([name for names, _ in table for name in names], Select)
    settings = read(SftSettings, "sft").select
    for names, cell in table:
        for name in names:
            value = value_of(settings, name)
            shown = yaml.safe_load(cell.replace("`", "")) if cell not in ("", "SET") else None
            assert shown == value or (shown is None and not value), name


@pytest.mark.parametrize("experiment", KINDS)
def test_settings_of_experiments(experiment: str) -> None:
    named = []
    for names, cell in rows("experiments.md", "Settings"):
        of = re.findall(r"`([^`]+)`", cell)
        assert cell == WITH_MODEL or (of and set(of) <= set(KINDS)), cell
        if experiment in of or (cell == WITH_MODEL and experiment != SOLVABLE):
            named += names
    see_all(named, KINDS[experiment], WHOLE & set(named))


def test_the_small_experiment(tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    (body,) = (body for body in fences(DOCS / "experiments.md", "yaml") if body.startswith("sizes:"))
    file.write_text(body)
    config = read_config("sft-scale", path=file)
    assert isinstance(config, ScaleConfig) and config.source.tasks < 30
