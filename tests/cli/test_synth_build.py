"""``compoworld synth build``, ``attack``, ``report`` and ``quarantine``; services that were built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from engine.database import Database
from engine.postgres import normalise_url
from tests.cli.conftest import Program
from tests.conftest import fresh_database
from tests.synth.conftest import ready_template
from tests.synth.desk import LOANS, VAGUE, ingested

__all__ = ["ready_template"]


@pytest.fixture(scope="module")
def ready(server_url: str, ready_template: str) -> Iterator[Program]:
    """The program on a database in which loans hold and wrong loans do not; nothing is changed."""
    with fresh_database(server_url, ready_template) as url:
        yield Program(normalise_url(url, "the test's"))


@pytest.fixture
def empty(database_url: str) -> Program:
    """The program on a database with two specifications."""
    with closing(Database(database_url).open()) as database:
        ingested(database, LOANS, VAGUE)
    return Program(database_url)


def test_build_and_attack(empty: Program) -> None:
    built = empty.json("synth", "build", "--jobs", "1")
    assert {key: built[key] for key in ("services", "built", "unchanged", "failed", "code", "simulated")} == {
        "services": 2,
        "built": 1,
        "unchanged": 0,
        "failed": 1,
        "code": 5,
        "simulated": 1,
    }
    assert set(built["failures"]) == {"vague"} and built["seconds"] > 0 and built["peak_mb"] > 0
    again = empty.json("synth", "build", "--jobs", "1")
    assert (again["unchanged"], again["failed"]) == (1, 1)
    said = empty("synth", "build", "vague", "--force")
    # It was asked for by name.
    assert said.code == 1 and "none of its tools can be made without a model" in said.out

    # Not offered yet, and that is said.
    assert "loans" not in {item["service"] for item in empty.json("services", "list")}
    assert "(compoworld synth attack loans)" in empty.refused("services", "show", "loans")

    text = empty.text("synth", "attack", "--jobs", "1")
    assert "5 tools verified, 0 in quarantine" in text and "loans" in text
    attacked = empty.json("synth", "attack", "loans")
    assert (attacked["unchanged"], attacked["attacked"], attacked["failures"]) == (1, 0, {})
    assert "loans" in {item["service"] for item in empty.json("services", "list")}


def test_a_call(ready: Program) -> None:
    made = ready.json("services", "call", "loans", "create_loan", '{"title": "Ladder"}')
    assert made["observation"]["data"]["title"] == "Ladder"
    assert ready.json("services", "call", "loans", "create_loan", "{}", code=1)["outcome"] == "invalid"
    said = ready("services", "call", "loans", "guess_tomorrow")
    assert said.code == 1 and "--world-model" in said.err
    said = ready("services", "call", "wrong_loans", "delete_loan", '{"loan_id": "x"}')
    assert said.code == 2 and "wrong_loans.delete_loan is in quarantine: " in said.err
    assert ready.json("compose", "loans", "mail")["branch"]


def test_show_is_a_page(ready: Program) -> None:
    text = ready.text("services", "show", "wrong_loans")
    assert "loan  (table wrong_loans_loan)" in text
    assert "guess_tomorrow([hint]) (by the world model)" in text
    assert "verified: " in text and "invalid_refused" in text
    assert "in quarantine" in text and "delete_loan: " in text
    about = ready.json("services", "show", "wrong_loans")
    assert {item["tool"]: item["verdict"] for item in about["verdicts"]}["delete_loan"] == "quarantined"
    assert "delete_loan" not in {item["name"] for item in about["tools"]}
    assert "not attacked in this database" in ready("services", "show", "mail").err


def test_report(ready: Program) -> None:
    figures = ready.json("synth", "report")
    wanted = ("servers", "applications", "built", "tools", "verified", "simulated", "quarantined", "refused")
    assert [figures[word] for word in wanted] == [4, 3, 2, 16, 9, 2, 1, 2]
    assert figures["unbuilt"] == 2 and figures["unattacked"] == 0 and figures["seconds"] > 0
    assert figures["library"]["services"] == 30
    assert "by_tool" not in figures["services"][0]
    text = ready.text("synth", "report")
    assert "4 servers, 3 applications, 2 built; 16 tools: 9 verified" in " ".join(text.split())
    assert "30 services made by hand" in text and "none of its tools" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    by_tool = ready.json("synth", "report", "--tools")["services"][0]["by_tool"]
    assert {item["status"] for item in by_tool} == {"verified", "simulated", "refused"}
    assert "wrong_loans.delete_loan" in ready.text("synth", "report", "--tools")


def test_quarantine(ready: Program) -> None:
    (found,) = ready.json("synth", "quarantine")
    assert (found["service"], found["tool"]) == ("wrong_loans", "delete_loan")
    assert all(case["fails"] is None for case in found["cases"])
    text = ready.text("synth", "quarantine", "wrong_loans", "delete_loan")
    assert "wrong_loans.delete_loan" in text and "expected" in text and "1 tool in quarantine" in text
    again = ready.json("synth", "quarantine", "wrong_loans", "--replay", code=1)
    assert all(case["fails"] for case in again[0]["cases"])
    assert "(still fails)" in ready.text("synth", "quarantine", "--replay", code=1)
    assert ready.json("synth", "quarantine", "loans") == []
    assert ready.json("synth", "quarantine", "loans", "--replay") == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("synth", "build", "nothing"), "there is no specification 'nothing'"),
        (("synth", "build", "--builder", "magic"), "there is no builder 'magic'"),
        (("synth", "build", "--jobs", "0"), "a number of processes"),
        (("synth", "attack", "nothing"), "there is no service 'nothing'"),
        (("synth", "attack", "vague"), "there is no service 'vague'"),
        (("synth", "quarantine", "nothing"), "there is no service 'nothing'"),
        (("synth", "quarantine", "loans", "get_loan"), "loans.get_loan is not in quarantine"),
        (("services", "show", "vague"), "there is no service 'vague'"),
    ],
)
def test_refused(ready: Program, arguments: tuple[str, ...], said: str) -> None:
    assert said in ready.refused(*arguments)


def test_nothing_to_do(lonely: Program) -> None:
    assert "synth ingest" in lonely.refused("synth", "build")
    assert "synth build" in lonely.refused("synth", "attack")
    assert lonely.json("synth", "report")["tools"] == 0
    assert lonely.json("synth", "quarantine") == []


def test_a_model_needs_a_key(ready: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    said = ready("synth", "build", "loans", "--builder", "model")
    assert said.code in (1, 2, 3) and said.err.startswith(("loans: 6 tools", "error: ")), said
    assert "Traceback" not in said.err


def test_a_writer_needs_a_key(ready: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    said = ready("synth", "attack", "loans", "--writer", "somebody")
    assert said.code == 2 and said.err.startswith("error: there is no key"), said
