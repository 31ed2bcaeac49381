"""Verifiers: they cannot write, cannot see other branches, and stop at their time limit; errors are recorded."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from engine.branches import Branch
from engine.errors import InputError, NotFound
from engine.verifiers import Check, Criterion, inspect_criterion
from engine.world import World
from tests.engine.look import check_consistent, leave, prompt
from tests.engine.rogue import Thing, playing


@pytest.fixture(scope="module")
def branch(shared: World) -> Branch:
    """A branch with two good calls and one that failed, and an answer."""
    made = shared.compose("rogue", "shop").snapshot().fork()
    made.call("rogue", "put", id="mine", note="x'y☃", data={"n": 1.5})
    made.call("shop", "apply", steps=[{"op": "drop", "table": "shop_refund", "key": ["f1"]}])
    made.call("shop", "nope", {"a": 1})
    made.answer("It is done.")
    return made


@pytest.fixture(scope="module")
def secret(shared: World, branch: Branch) -> Branch:
    other = branch.snapshot.fork()
    other.call("rogue", "put", id="secret")
    other.answer("secret")
    return other


@pytest.fixture(autouse=True)
def _sound(branch: Branch, secret: Branch) -> Iterator[None]:
    before = branch.digest(), branch.head(), secret.digest()
    yield
    assert (branch.digest(), branch.head(), secret.digest()) == before


def judged(branch: Branch, sql: str, seconds: float = 5.0) -> Check:
    return branch.verify([Criterion("c", "state", "", sql)], seconds=seconds)[0]


GOOD = [
    ("SELECT count(*) > 0 AS passed FROM events WHERE logical_time > '2026-01-01T00:00Z' AND tool <> 'Now up'", True),
    ("SELECT true AS passed", True),
    ("SELECT count(*) = 3 AS passed, 3 AS expected, count(*) AS actual FROM rogue_thing", True),
    ("SELECT count(*) = 9 AS passed FROM rogue_thing;", False),
    ("SELECT note = 'x''y☃' AS passed FROM rogue_thing WHERE id = 'mine' -- a comment", True),
    ("/* ; */ SELECT EXISTS (SELECT 1 FROM rogue_thing WHERE id = 'mine') AS passed", True),
    ("WITH t AS (SELECT * FROM shop_region) SELECT count(*) = 2 AS passed FROM t", True),
    ("WITH RECURSIVE up AS (SELECT id, parent_id FROM shop_region WHERE id = 'r2' UNION ALL"
     " SELECT r.id, r.parent_id FROM shop_region r JOIN up ON r.id = up.parent_id)"
     " SELECT count(*) = 2 AS passed FROM up", True),
    ("SELECT count(*) = 1 AS passed FROM events WHERE outcome = 'unknown' AND arguments ->> 'a' = '1'", True),
    ("SELECT bool_and(op = 'delete' AND key = 'f1') AS passed FROM row_changes WHERE table_name = 'shop_refund'", True),
    ("SELECT text ILIKE '%done%' AS passed FROM answer", True),
    ("SELECT NULL::boolean AS passed", False),
    ("SELECT sum(price) = 15.5 AS passed, 15.5 AS expected, sum(price) AS actual FROM shop_product", True),
    ("SELECT (data ->> 'n')::numeric = 1.5 AS passed FROM rogue_thing WHERE id = 'mine'", True),
    ("SELECT max(added_at) > timestamptz '2026-02-28' - interval '1 hour' AS passed FROM shop_product", True),
    ("SELECT row_number() OVER (ORDER BY id) = 1 AS passed FROM rogue_thing ORDER BY id LIMIT 1", True),
    ("SELECT " + "(" * 3000 + "true" + ")" * 3000 + " AS passed" + " " * 30_000, True),
    ("SELECT " + "NOT " * 2000 + "true AS passed", True),
    ("SELECT count(*) = 0 AS passed FROM rogue_thing WHERE note = 'today' OR note = 'now'", True),
    ("SELECT string_agg(id, ',' ORDER BY id) ~ '^mine' AS passed FROM rogue_thing", True),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "passed"), GOOD)
def test_what_a_criterion_may_ask(shared: World, branch: Branch, sql: str, passed: bool) -> None:
    inspect_criterion(branch.composition, sql)
    check = judged(branch, sql)
    assert check.error is None
    assert check.passed is passed
    with prompt(shared) as connection:  # pasted at a prompt it says the same
        connection.execute("SELECT compoworld.use_branch(%s::bigint)", (branch.id,))
        row = connection.execute(sql.encode()).fetchone()
        assert row and (row[0] is True) is passed
        leave(connection)


WRITES = [
    "INSERT INTO rogue_thing (id) VALUES ('lost')",
    "UPDATE rogue_thing SET note = 'lost'",
    "DELETE FROM rogue_thing",
    "DELETE FROM rogue_thing RETURNING true AS passed",
    "WITH w AS (DELETE FROM rogue_thing RETURNING 1) SELECT count(*) > 0 AS passed FROM w",
    "WITH w AS (INSERT INTO rogue_thing (id) VALUES ('lost') RETURNING 1) SELECT true AS passed FROM w",
    "TRUNCATE rogue_thing",
    "DROP VIEW rogue_thing",
    "CREATE TABLE lost AS SELECT true AS passed",
    "SELECT true AS passed INTO lost",
    "CREATE TEMP TABLE lost (passed boolean)",
    "COPY (SELECT true AS passed) TO '/tmp/compoworld_lost'",
    "COPY rogue_thing FROM PROGRAM 'true'",
    "SELECT nextval('compoworld.branch_id') > 0 AS passed",
    "SELECT setval('compoworld.branch_id', 1) > 0 AS passed",
    "SELECT lo_create(0) > 0 AS passed",
    "SELECT lo_from_bytea(0, 'x') > 0 AS passed",
    "SELECT compoworld.fork_snapshot(1) > 0 AS passed",
    "SELECT compoworld.delete_branches(ARRAY[1]) > 0 AS passed",
    "SELECT compoworld.park(1) AS passed",
    "SELECT true AS passed FROM rogue_thing FOR UPDATE",
    "SELECT pg_advisory_lock(1) IS NULL AS passed",
    "SELECT pg_terminate_backend(pid) AS passed FROM pg_stat_activity",
    "SELECT pg_notify('a', 'b') IS NULL AS passed",
    "DO $$ BEGIN END $$",
    "CALL nothing()",
    "VACUUM", "ANALYZE", "NOTIFY x", "LISTEN x", "LOCK rogue_thing", "CHECKPOINT", "GRANT ALL ON rogue_thing TO public",
]  # fmt: skip

ELSEWHERE = [
    "SELECT set_config('compoworld.branch', '{other}', true) IS NOT NULL AS passed",
    "SELECT count(*) > 0 AS passed FROM rogue_thing, set_config('compoworld.branch', '{other}', true)",
    "SELECT compoworld.use_branch({other}) IS NOT NULL AS passed",
    "SELECT EXISTS (SELECT 1 FROM rogue_thing__rows WHERE id = 'secret') AS passed",
    "SELECT EXISTS (SELECT 1 FROM {schema}.rogue_thing__rows WHERE id = 'secret') AS passed",
    "SELECT EXISTS (SELECT 1 FROM compoworld.branch WHERE answer = 'secret') AS passed",
    "SELECT EXISTS (SELECT 1 FROM compoworld.event) AS passed",
    "SELECT EXISTS (SELECT 1 FROM compoworld.events) AS passed",
    "SELECT EXISTS (SELECT 1 FROM compoworld.state_at({other}, NULL)) AS passed",
    "SELECT compoworld.digest({other}, NULL) IS NOT NULL AS passed",
    "SELECT EXISTS (SELECT 1 FROM comp_1.shop_region) AS passed",
    "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_stat_activity) AS passed",
    "SELECT EXISTS (SELECT 1 FROM information_schema.tables) AS passed",
    "SELECT query_to_xml('SELECT * FROM compoworld.branch', true, false, '') IS NOT NULL AS passed",
    "SELECT table_to_xml('compoworld.branch', true, false, '')::text LIKE '%secret%' AS passed",
    "SELECT schema_to_xml('compoworld', true, false, '')::text LIKE '%secret%' AS passed",
    "SELECT table_to_xml('{schema}.rogue_thing__rows', true, false, '')::text LIKE '%secret%' AS passed",
    "SELECT cursor_to_xml('c', 1, true, false, '') IS NOT NULL AS passed",
    "SELECT count(*) > 0 AS passed FROM ts_stat('SELECT to_tsvector(answer) FROM compoworld.branch')",
    "SELECT pg_read_file('/etc/passwd') IS NOT NULL AS passed",
    "SELECT current_setting('compoworld.branch') = '{mine}' AS passed",
    "RESET ROLE", "SET ROLE NONE", "SET search_path = compoworld", "SHOW search_path",
    "SELECT true AS passed; RESET ROLE", "SELECT true AS passed; SELECT set_config('role', 'none', true)",
    "SELECT true AS passed; COMMIT; DELETE FROM compoworld.branch", "COMMIT", "ROLLBACK", "BEGIN",
    "PREPARE p AS SELECT 1", "EXECUTE p", "DECLARE c CURSOR FOR SELECT 1", "EXPLAIN SELECT true AS passed",
    "EXPLAIN ANALYZE SELECT true AS passed",
]  # fmt: skip

CLOCKS = [
    "SELECT now() > '2020-01-01' AS passed", "SELECT CURRENT_DATE > '2020-01-01' AS passed",
    "SELECT CURRENT_TIMESTAMP IS NOT NULL AS passed", "SELECT LOCALTIME IS NOT NULL AS passed",
    "SELECT clock_timestamp() > '2020-01-01' AS passed", "SELECT timeofday() IS NOT NULL AS passed",
    "SELECT random() >= 0 AS passed", "SELECT gen_random_uuid() IS NOT NULL AS passed",
    "SELECT CURRENT_USER = 'x' AS passed", "SELECT SESSION_USER = 'x' AS passed",
    "SELECT pg_backend_pid() > 0 AS passed", "SELECT pg_sleep(0.01) IS NULL AS passed",
    "SELECT txid_current() > 0 AS passed",
    "SELECT max(added_at) < 'now'::timestamptz AS passed FROM shop_product",
    "SELECT max(added_at) < 'now' AS passed FROM shop_product",
    "SELECT date 'today' > '2020-01-01' AS passed", "SELECT timestamp ' Tomorrow ' > '2020-01-01' AS passed",
    "SELECT age(max(added_at)) > interval '0' AS passed FROM shop_product",
]  # fmt: skip

NONSENSE = [
    "", ";", "-- nothing", "/* never closed", "SELECT", "SELECT 1", "SELECT 1 AS passed", "SELECT 'true' AS passed",
    "SELECT NULL AS passed", "SELECT true AS \"Passed\"", "SELECT true AS passed, false AS passed", "VALUES (true)",
    "SELECT true) AS x; DELETE FROM rogue_thing; --", "(SELECT true AS passed", "SELECT true AS passed)",
    "SELECT true AS passed) AS c, (SELECT 1", "SELECT '\x00' = '' AS passed", "SELECT '\ud800' = '' AS passed",
    "SELECT true AS passed FROM nowhere", "SELECT nothing AS passed FROM rogue_thing", "SELECT $1 AS passed",
    "SELECT %s AS passed", "SELECT :x AS passed", "DROP SCHEMA compoworld CASCADE",
    "SELECT true AS passed --" + "x" * 30_000,
    "TABLE rogue_thing", "é☃", "SELECT true AS passed UNION SELECT", "SELECT \"passed\"",
    "SELECT true passed, 1 AS \"a\"\"b",
]  # fmt: skip


def filled(branch: Branch, secret: Branch, sql: str) -> str:
    return (
        sql.replace("{other}", str(secret.id))
        .replace("{mine}", str(branch.id))
        .replace("{schema}", branch.composition.schema)
    )


@pytest.mark.parametrize("sql", [*WRITES, *ELSEWHERE, *CLOCKS, *NONSENSE], ids=lambda sql: ascii(sql[:50]))
def test_what_a_criterion_may_not(branch: Branch, secret: Branch, sql: str) -> None:
    sql = filled(branch, secret, sql)
    check = judged(branch, sql)
    assert not check.passed
    assert check.error
    assert len(check.error) < 2000
    with pytest.raises(InputError):
        inspect_criterion(branch.composition, sql)


@pytest.mark.parametrize("sql", [*WRITES, *ELSEWHERE])
def test_the_second_wall_stands_alone(
    branch: Branch, secret: Branch, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even uninspected, nothing is written, and nothing of another branch is told."""
    monkeypatch.setattr("engine.verifiers.inspect_criterion", lambda *_: None)
    check = judged(branch, filled(branch, secret, sql))
    assert "secret" not in str(check.actual)
    good = judged(branch, "SELECT count(*) = 3 AS passed FROM rogue_thing")
    assert good.passed and good.error is None


BOMBS = [
    "SELECT count(*) > 0 AS passed FROM generate_series(1, 100000000000)",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n > 0 AND n < 2000000000)"
    " SELECT max(n) > 0 AS passed FROM t",
    "SELECT count(*) > 0 AS passed FROM rogue_thing a, generate_series(1, 100000) b, generate_series(1, 100000) c",
]


@pytest.mark.parametrize("sql", BOMBS)
def test_it_stops_at_its_time_limit(branch: Branch, sql: str) -> None:
    start = time.perf_counter()
    criteria = [Criterion("bomb", "state", "", sql), Criterion("good", "state", "", "SELECT true AS passed")]
    bomb, good = branch.verify(criteria, seconds=0.2)
    assert time.perf_counter() - start < 5
    assert not bomb.passed and "time limit of 0.2 s" in str(bomb.error)
    assert good.passed


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("SELECT 1 / (count(*) - 3) > 0 AS passed FROM rogue_thing", "division by zero"),
        ("SELECT true AS passed WHERE false", "no row"),
        ("SELECT true AS passed FROM rogue_thing", "several rows"),
        ("SELECT (note)::int > 0 AS passed FROM rogue_thing", "invalid input syntax"),
        ("SELECT (SELECT true FROM rogue_thing) AS passed", "more than one row"),
    ],
)
def test_an_error_is_not_passed_and_is_recorded(branch: Branch, sql: str, says: str) -> None:
    checks = branch.verify(
        [Criterion("bad", "state", "", sql), Criterion("good", "state", "", "SELECT true AS passed")]
    )
    assert not checks[0].passed and says in str(checks[0].error)
    assert checks[1].passed and checks[1].error is None


def test_values_are_json_and_bounded(branch: Branch) -> None:
    def actual(expression: str) -> Any:
        check = judged(branch, f"SELECT true AS passed, {expression} AS actual")
        assert check.error is None
        return check.actual

    assert actual("NULL") is None
    assert actual("1.50") == 1.5
    assert actual("ARRAY[1, 2]") == [1, 2]
    assert actual("'{\"a\": [1]}'::jsonb") == {"a": [1]}
    assert actual("date '2026-03-01'") == "2026-03-01"
    assert actual("timestamptz '2026-03-01 10:00+02'") == "2026-03-01T08:00:00+00:00"
    assert len(actual("repeat('x', 100000)")) < 3000
    assert isinstance(actual("interval '1 day'"), str)
    assert isinstance(actual("'NaN'::float8"), str)


def test_many_criteria_none_and_a_branch_that_is_gone(shared: World, branch: Branch) -> None:
    assert branch.verify([]) == []
    many = [Criterion(str(number), "state", "", f"SELECT {number} % 2 = 0 AS passed") for number in range(30)]
    assert [check.passed for check in branch.verify(many)] == [number % 2 == 0 for number in range(30)]
    gone = branch.snapshot.fork()
    gone.delete()
    with pytest.raises(NotFound):
        gone.verify(many)


def test_a_call_under_way_is_not_seen(branch: Branch) -> None:
    fresh = branch.snapshot.fork()
    seen: list[Check] = []

    def act(ctx: Any) -> None:
        ctx.add(Thing(id="pending"))
        seen.append(judged(fresh, "SELECT EXISTS (SELECT 1 FROM rogue_thing WHERE id = 'pending') AS passed"))

    with playing(act):
        assert fresh.call("rogue", "act").ok
    assert seen[0].error is None and not seen[0].passed
    check_consistent(fresh)
