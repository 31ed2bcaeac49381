"""``docs/rollouts.md``: the agent and the trainer's lines that it shows, run one after the other."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from engine.postgres import URL_VARIABLE
from tests.docs.pages import ROOT, fences

PAGE = ROOT / "docs" / "rollouts.md"


def test_the_snippets_print_what_the_page_shows(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    snippets, answers = list(fences(PAGE, "python")), list(fences(PAGE, "text"))
    assert len(snippets) == len(answers) == 2
    monkeypatch.setenv(URL_VARIABLE, database_url)
    names: dict[str, Any] = {"__name__": "page"}
    for snippet, answer in zip(snippets, answers, strict=True):
        exec(compile(snippet, "rollouts.md", "exec"), names)
        assert capsys.readouterr().out == answer
    (query,) = fences(PAGE, "sql")
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(query).fetchall()
    # Four rollouts; each has a system prompt, an instruction, a request, its result and a last word.
    assert [(row[0], row[2]) for row in rows] == [
        (rollout, ordinal) for rollout in range(1, 5) for ordinal in range(1, 6)
    ]
