"""compose, fork, events, state, replay, verify."""

from __future__ import annotations

import psycopg
import pytest

from tests.cli.conftest import Program

pytestmark = pytest.mark.integration

DECOY = "settle-brightwater-dispute"


def test_compose_gives_the_same_snapshot_and_a_new_branch(cw: Program) -> None:
    one, two = cw.json("compose", "chat", "contacts"), cw.json("compose", "contacts", "chat")
    assert one["services"] == ["chat", "contacts"]
    assert (one["composition"], one["snapshot"], one["digest"]) == (
        two["composition"],
        two["snapshot"],
        two["digest"],
    )
    assert one["branch"] != two["branch"]
    other = cw.json("compose", "chat", "contacts", "--seed", "5", "--name", "fünf [red]")
    assert other["composition"] == one["composition"]
    assert "fünf [red]" in cw.text("compose", "chat", "contacts", "--seed", "5")


def test_compose_refuses_what_it_cannot(cw: Program) -> None:
    assert "there is no service 'chaat'" in cw.refused("compose", "chat", "chaat")
    assert "named twice" in cw.refused("compose", "chat", "chat")
    for name in ("'; DROP SCHEMA compoworld CASCADE; --", "chat\x00", "../chat", "ch\udcffat"):
        cw.refused("compose", name)


def test_fork_of_a_branch_and_of_a_snapshot(cw: Program, branch: int) -> None:
    made = cw.json("fork", str(branch), "--at", "2", "--label", "after two")
    assert (made["from"], made["at"]) == (branch, 2)
    assert [item["seq"] for item in cw.json("events", str(made["branch"]))] == [1, 2]
    assert all(item["inherited"] for item in cw.json("events", str(made["branch"])))
    assert cw.json("fork", str(made["snapshot"]))["at"] == 0
    assert "has no event 1" in cw.refused("fork", str(made["snapshot"]), "--at", "1")
    assert "has no event 9" in cw.refused("fork", str(branch), "--at", "9")
    assert "there is no branch" in cw.refused("fork", "999999999")
    assert "\n1*" in cw("events", str(made["branch"])).out


def test_events_as_text_and_as_json(cw: Program, branch: int) -> None:
    found = cw.json("events", str(branch))
    assert [item["outcome"] for item in found] == ["ok", "ok", "ok", "unknown"]
    assert found[1]["changes"][0]["table"] == "chat_message"
    text = cw.text("events", str(branch))
    assert text.splitlines()[1] == "services: chat, contacts"
    assert "chat.post_message" in text and "unknown" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
    full = cw.text("events", str(branch), "--full")
    assert "[red]two[/red] [/] \\u001b[31mthree" in full
    assert "+ chat_message" in full
    only = cw.json("events", str(branch), "--event", "3")
    assert [item["seq"] for item in only] == [3]
    assert "has no event 5" in cw.refused("events", str(branch), "--event", "5")


def test_events_of_a_snapshot_or_of_nothing(cw: Program) -> None:
    snapshot = cw.json("compose", "chat")["snapshot"]
    assert "is a snapshot" in cw.refused("events", str(snapshot))
    assert "there is no branch" in cw.refused("events", str(2**63 - 1))


def test_state(cw: Program, branch: int) -> None:
    everything = cw.json("state", str(branch))
    assert len(everything["chat_message"]) == len(cw.json("state", str(branch), "--at", "0")["chat_message"]) + 2
    posted = next(row for row in everything["chat_message"].values() if row["text"] == "four")
    one = cw.json("state", str(branch), "--table", "chat_message", "--key", posted["id"])
    assert one == {posted["id"]: posted}
    summary = cw.text("state", str(branch))
    assert "chat_message" in summary and "digest" in summary
    assert "[red]two[/red] [/]" in cw.text("state", str(branch), "--table", "chat_message")
    assert "has no table 'x'" in cw.refused("state", str(branch), "--table", "x")
    assert "has no row" in cw.refused("state", str(branch), "--table", "chat_message", "--key", "'; --")
    assert "has no event 77" in cw.refused("state", str(branch), "--at", "77")
    assert "there is no branch" in cw.refused("state", "999999999")
    assert cw.text("state", str(branch), "--table", "contacts_company").count("\n") > 10


def test_difference(cw: Program, branch: int) -> None:
    found = cw.json("state", str(branch), "--diff", "1", "3")
    assert [(item["table"], item["op"]) for item in found] == [("chat_message", "insert")] * 2
    assert [item["op"] for item in cw.json("state", str(branch), "--diff", "3", "1")] == ["delete"] * 2
    assert cw.text("state", str(branch), "--diff", "3", "4") == "no difference\n"
    fork = cw.json("fork", str(branch), "--at", "2")["branch"]
    assert cw.json("state", str(fork), "--against", str(branch))[0]["after"]["text"] == "four"
    assert cw.json("state", str(branch), "--at", "2", "--against", str(fork)) == []
    assert cw.text("state", str(branch), "--diff", "1", "3", "--table", "contacts_deal") == "no difference\n"
    assert "+ chat_message" in cw.text("state", str(branch), "--diff", "1", "3")
    assert "has no event 9" in cw.refused("state", str(branch), "--diff", "1", "9")
    assert "there is no branch" in cw.refused("state", str(branch), "--against", "999999999")


def test_replay_that_is_the_same_leaves_nothing(cw: Program, branch: int) -> None:
    report = cw.json("replay", str(branch))
    assert (report["same"], report["events"], report["replayed_on"]) == (True, 4, None)
    assert "all the same" in cw.text("replay", str(branch))
    kept = cw.json("replay", str(branch), "--keep")["replayed_on"]
    assert len(cw.json("events", str(kept))) == 4


def test_replay_names_the_first_difference(cw: Program, branch: int) -> None:
    with psycopg.connect(cw.url) as connection:
        connection.execute(
            "UPDATE compoworld.row_change SET after = jsonb_set(after, '{text}', '\"other [/]\"')"
            " WHERE branch_id = %s AND seq = 3",
            (branch,),
        )
    report = cw.json("replay", str(branch), code=1)
    found = report["mismatch"]
    assert (found["event"], found["table"], found["column"]) == (3, "chat_message", "text")
    assert (found["recorded"], found["replayed"]) == ("other [/]", "four")
    text = cw.text("replay", str(branch), code=1)
    for part in ("event 3", "chat_message", found["key"], "text", '"other [/]"', '"four"'):
        assert part in text


def test_replay_of_events_that_are_gone_is_an_error(cw: Program, branch: int) -> None:
    with psycopg.connect(cw.url) as connection:
        connection.execute("DELETE FROM compoworld.event WHERE branch_id = %s AND seq = 2", (branch,))
    said = cw("replay", str(branch))
    assert said.code in (2, 3) and said.out == ""
    assert said.err.startswith("error: ") and said.err.count("\n") == 1


def test_verify(cw: Program, branch: int) -> None:
    assert "belongs to no task" in cw.refused("verify", str(branch))
    assert "needs billing, tickets" in cw.refused("verify", str(branch), "--task", DECOY)
    assert "no such task" in cw.refused("verify", str(branch), "--task", "nope")
    assert "there is no branch" in cw.refused("verify", "999999999")
    task = next(item for item in cw.json("tasks", "check", DECOY))
    untouched = cw.json("fork", str(task["snapshot"]))["branch"]
    found = cw.json("verify", str(untouched), code=1)
    assert found["task"] == DECOY
    assert {item["passed"] for item in found["checks"] if item["kind"] == "must_not_change"} == {True}
    assert {item["passed"] for item in found["checks"] if item["kind"] == "state"} == {False}
    text = cw.text("verify", str(untouched), "--task", DECOY, code=1)
    assert "criteria of settle-brightwater-dispute hold" in text
