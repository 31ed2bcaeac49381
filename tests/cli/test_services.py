"""compoworld services."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import services
from tests.cli.conftest import Program

CASES = Path(os.environ.get("COMPOWORLD_CASES") or Path(__file__).parents[3] / "shared" / "cases") / "retail"


@pytest.mark.integration
def test_list(cw: Program) -> None:
    found = {item["service"]: item for item in cw.json("services", "list")}
    assert {"mail", "calendar", "chat", "tickets", "contacts", "billing", "retail"} <= found.keys()
    assert sum(item["tools"] for item in found.values()) >= 90
    text = cw.text("services", "list")
    assert all(name in text for name in found)


@pytest.mark.integration
def test_show_is_a_page(cw: Program) -> None:
    about = cw.json("services", "show", "chat")
    assert {item["table"] for item in about["entities"]} >= {"chat_message", "chat_channel"}
    assert all(item["inputSchema"]["type"] == "object" for item in about["tools"])
    text = cw.text("services", "show", "chat")
    assert "message  (table chat_message)" in text and "post_message(channel_id, text, [thread_id])" in text
    assert "→ chat_member.id" in text
    assert max(map(len, text.splitlines())) <= 110
    for other in ("nope", "../mail"):
        assert f"there is no service '{other}'" in cw.refused("services", "show", other)


@pytest.mark.integration
def test_a_broken_service_hides_no_other(cw: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "__path__", [str(tmp_path), *services.__path__])
    for name, text, reason in (
        ("broken_notes", "import json\n\n\ndef (\n", "services/broken_notes/__init__.py, line 4"),
        ("empty_notes", "service = None\n", "services/empty_notes"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(text, encoding="utf-8")
        said = cw("services", "show", name)
        assert said.code == 3 and reason in said.err and said.err.count("\n") == 1
    said = cw("services", "list")
    assert said.code == 1 and "mail" in said.out and "_notes" not in said.out
    for line, name in zip(said.err.splitlines(), ("broken_notes", "empty_notes"), strict=True):
        assert line.startswith(f"error: service {name} is broken: ")
    assert "mail" in {item["service"] for item in cw.json("services", "list", code=1)}


@pytest.mark.integration
def test_call_in_a_scratch_branch_and_on_a_branch(cw: Program, branch: int) -> None:
    first = cw.json("services", "call", "chat", "list_channels", '{"limit": 2}')
    assert first["observation"]["ok"] and first["event"] == 1
    second = cw.json("services", "call", "chat", "list_channels")
    assert second["branch"] != first["branch"]
    on = cw.json("services", "call", "contacts", "list_companies", "--branch", str(branch))
    assert (on["branch"], on["event"]) == (branch, 5)
    said = cw("services", "call", "chat", "list_channels", "-", stdin='{"limit": 1}')
    assert said.code == 0 and json.loads(said.out)["ok"]


@pytest.mark.integration
def test_a_tool_that_says_no(cw: Program, branch: int, tmp_path: Path) -> None:
    arguments = tmp_path / "arguments.json"
    arguments.write_text('{"channel_id": "chn_none", "text": "é"}', encoding="utf-8")
    no = cw.json("services", "call", "chat", "post_message", f"@{arguments}", "--branch", str(branch), code=1)
    assert no["outcome"] == "error" and not no["observation"]["ok"]
    wrong = cw.json("services", "call", "chat", "post_message", '{"channel_id": 5}', "--branch", str(branch), code=1)
    assert wrong["outcome"] == "invalid"
    assert cw.json("services", "call", "chat", "'; DROP TABLE x; --", code=1)["outcome"] == "unknown"
    assert "there is no branch" in cw.refused("services", "call", "chat", "list_channels", "--branch", "999999999")
    snapshot = cw.json("compose", "chat")["snapshot"]
    refused = cw.refused("services", "call", "chat", "list_channels", "--branch", str(snapshot))
    assert refused == f"error: {snapshot} is a snapshot (fork it: compoworld fork {snapshot})\n"
    assert "there is no service" in cw.refused("services", "call", "chaat", "list_channels")
    hostile = '{"channel_id": "\\u0000", "text": "\\ud800"}'
    assert cw.json("services", "call", "chat", "post_message", hostile, code=1)["outcome"] == "invalid"
    huge = json.dumps({"channel_id": "x", "text": "y" * 100_000})
    assert cw.json("services", "call", "chat", "post_message", huge, code=1)["outcome"] in (
        "invalid",
        "error",
    )


@pytest.mark.integration
def test_load_refuses_what_is_no_data_set(cw: Program, tmp_path: Path) -> None:
    file = tmp_path / "state [x].json"
    file.write_text('{"products": {}}', encoding="utf-8")
    assert "missing or unexpected" in cw.refused("services", "load", "retail", str(file))
    assert "has no form for data sets" in cw.refused("services", "load", "chat", str(file))
    assert "there is no service" in cw.refused("services", "load", "os", str(file))
    file.write_text("[1]", encoding="utf-8")
    assert "a JSON object" in cw.refused("services", "load", "retail", str(file))
    file.write_bytes(b"\xff\xfe{}")
    assert "is not UTF-8" in cw.refused("services", "load", "retail", str(file))


@pytest.mark.acceptance
@pytest.mark.skipif(not (CASES / "state.json").exists(), reason="the retail cases are not here")
def test_load_retail(lonely: Program) -> None:
    one = lonely.json("services", "load", "retail", str(CASES / "state.json"))
    assert one["rows"] > 10_000
    branch = lonely.json("fork", str(one["snapshot"]))["branch"]
    document = json.loads((CASES / "state.json").read_text(encoding="utf-8"))
    arguments = json.dumps({"order_id": next(iter(document["orders"]))})
    called = lonely.json("services", "call", "retail", "get_order_details", arguments, "--branch", str(branch))
    assert called["outcome"] == "ok"
