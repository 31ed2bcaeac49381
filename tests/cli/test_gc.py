"""compoworld gc, and the deletion under it."""

from __future__ import annotations

import psycopg
import pytest

from engine import retention
from tests.cli.conftest import Program

pytestmark = pytest.mark.integration


def counts(program: Program) -> dict[str, int]:
    totals: dict[str, int] = program.json("db", "census")["totals"]
    return {key: totals[key] for key in ("compositions", "snapshots", "branches", "events", "row_changes")}


def test_a_dry_run_is_the_default_and_changes_nothing(lonely: Program) -> None:
    made = lonely.json("compose", "chat")
    before = counts(lonely)
    for more in ((), ("--dry-run",)):
        said = lonely("gc", "--snapshot", str(made["snapshot"]), *more)
        assert said.code == 0 and "would be deleted" in said.out and "--yes" in said.err
    assert counts(lonely) == before
    assert lonely.text("gc") == "nothing to delete\n"


def test_branches_made_in_passing(lonely: Program) -> None:
    kept = lonely.json("compose", "chat")["branch"]
    scratch = lonely.json("services", "call", "chat", "list_channels")["branch"]
    lonely.json("services", "call", "chat", "list_channels", "--branch", str(kept))
    lonely.json("db", "psql", "-c", f"select compoworld.use_branch({kept}, 1)")
    found = lonely.json("gc", "--yes")
    assert len(found["scratch"]) == 2 and scratch in found["branches"] and kept not in found["branches"]
    assert counts(lonely)["branches"] == 1
    assert lonely.json("gc", "--yes")["counts"] == {}


def test_a_replay_left_behind(lonely: Program) -> None:
    branch = lonely.json("compose", "chat")["branch"]
    lonely.json("services", "call", "chat", "list_channels", "--branch", str(branch))
    left = lonely.json("replay", str(branch), "--keep")["replayed_on"]
    assert lonely.json("gc")["branches"] == []  # perhaps still at it
    with psycopg.connect(lonely.url) as connection:
        connection.execute("UPDATE compoworld.branch SET created_at = created_at - interval '1 hour'")
        connection.execute("UPDATE compoworld.event SET started_at = started_at - interval '1 hour'")
    assert lonely.json("gc")["branches"] == [left]


def test_branches_by_age(lonely: Program) -> None:
    old, young = (lonely.json("compose", "chat")["branch"] for _ in range(2))
    with psycopg.connect(lonely.url) as connection:
        connection.execute("UPDATE compoworld.branch SET created_at = now() - interval '40 days'")
    lonely.json("services", "call", "chat", "list_channels", "--branch", str(young))
    assert lonely.json("gc", "--older-than", "30d")["branches"] == [old]
    assert lonely.json("gc", "--older-than", "6w")["branches"] == []


def test_a_composition_with_all_that_stands_on_it(lonely: Program) -> None:
    made = lonely.json("compose", "chat")
    other = lonely.json("compose", "contacts")
    lonely.json("services", "call", "chat", "post_message", '{"channel_id": "chn_general", "text": "x"}',
                "--branch", str(made["branch"]))  # fmt: skip
    with psycopg.connect(lonely.url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock_shared(7203, %s)", (made["composition"],))
        assert "is in use" in lonely.refused("gc", "--composition", str(made["composition"]), "--yes")
    assert counts(lonely)["events"] == 1
    found = lonely.json("gc", "--composition", str(made["composition"]), "--yes")
    assert found["counts"] == {"compositions": 1, "snapshots": 1, "branches": 1}
    assert counts(lonely) == {"compositions": 1, "snapshots": 1, "branches": 1, "events": 0, "row_changes": 0}
    with psycopg.connect(lonely.url) as connection:
        schemas = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'comp\\_%'").fetchall()
    assert schemas == [(f"comp_{other['composition']}",)]
    assert lonely.json("compose", "chat")["composition"] != made["composition"]


def test_a_snapshot_takes_its_rows_out_of_the_tables(lonely: Program) -> None:
    one = lonely.json("compose", "chat")
    two = lonely.json("compose", "chat", "--seed", "7", "--name", "seven")
    assert lonely.json("gc", "--snapshot", str(one["snapshot"]), "--yes")["branches"] == [one["branch"]]
    with psycopg.connect(lonely.url) as connection:
        found = connection.execute(
            f"SELECT DISTINCT _branch FROM comp_{one['composition']}.chat_message__rows"
        ).fetchall()
    assert found == [(two["snapshot"],)]


def test_what_is_named_must_exist(lonely: Program) -> None:
    for kind in ("rollout", "group", "branch", "snapshot", "composition"):
        assert f"there is no {kind} 999" in lonely.refused("gc", f"--{kind}", "999", "--yes")
    assert "there is no task 999" in lonely.refused("gc", "--task", "999")
    assert "there is no task 'x'" in lonely.refused("gc", "--task", "x")


def test_a_branch_in_a_call_stays(lonely: Program) -> None:
    branch = lonely.json("compose", "chat")["branch"]
    with psycopg.connect(lonely.url) as connection:
        connection.execute("SELECT 1 FROM compoworld.branch WHERE id = %s FOR NO KEY UPDATE", (branch,))
        said = lonely("gc", "--branch", str(branch), "--yes")
        assert said.code == 0 and "in use and stay" in said.err
    assert lonely.json("gc", "--branch", str(branch), "--yes")["branches"] == [branch]


def test_many_branches_go_in_batches(lonely: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = lonely.json("compose", "chat")["snapshot"]
    with psycopg.connect(lonely.url) as connection:
        connection.execute("SELECT compoworld.fork_snapshot(%s, 'scratch') FROM generate_series(1, 450)", (snapshot,))
    sizes: list[int] = []
    batch = retention.delete_batch
    monkeypatch.setattr(retention, "delete_batch", lambda c, ids: sizes.append(len(ids)) or batch(c, ids))
    assert lonely.json("gc", "--yes")["counts"] == {"branches": 450}
    assert sizes == [200, 200, 50]
