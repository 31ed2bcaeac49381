"""``compoworld tasks space``."""

from __future__ import annotations

import json
from math import comb

import pytest

from compoworld.cli.tasks.space import space


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    space(json=True)
    found = json.loads(capsys.readouterr().out)
    services = found["services"]
    assert found["pairs"] == services * (services - 1)
    assert found["sizes"][3]["count"] | {"size": 5, "sets": comb(services, 5)} == found["sizes"][3]["count"]
    assert found["sizes"][3]["walks"]["8"] == 42_000
    assert found["assignments"] == sum(item["assignments"] for item in found["families"]) > 0
    assert 0 < found["walks"] <= found["assignments"]
    assert 0 < found["compositions"] <= sum(item["compositions"] for item in found["families"])


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    space()
    shown = capsys.readouterr().out
    for heading in ("what can cross", "compositions", "walks over one composition", "scenario families"):
        assert f"\n{heading}" in shown
    assert "142,506" in shown and "1.47e+11" in shown
    assert "different walks over" in shown.splitlines()[-1]
