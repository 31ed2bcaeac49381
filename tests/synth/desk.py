"""A database with specifications, and what the pipeline does with them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import text

from engine.database import Database
from engine.world import World
from synth.builds import current_build, keep_build
from synth.ingest.store import put, stored
from synth.shelf import Shelf
from synth.specs import RefusedTool, ServerSpec
from tests.synth.making import NUMBER, TEXT, server, tool

LOANS = server(
    "loans",
    tool("create_loan", {"title": TEXT, "days": NUMBER}, ["title"], said="Lend something."),
    tool("get_loan", {"loan_id": TEXT}, ["loan_id"], readOnlyHint=True),
    tool("list_loans", {"days": NUMBER, "limit": {"type": "integer", "minimum": 1}}, readOnlyHint=True),
    tool("update_loan", {"loan_id": TEXT, "title": TEXT}, ["loan_id"]),
    tool("delete_loan", {"loan_id": TEXT}, ["loan_id"], destructiveHint=True),
    tool("guess_tomorrow", {"hint": TEXT}, said="What will be lent tomorrow."),
).model_copy(update={"refused": (RefusedTool(original_name="", reason="it has no name"),)})
"""One tool without code, one that was refused."""

VAGUE = server("vague", tool("think", {"about": TEXT}), tool("ponder", {}))
"""Nothing of it can be compiled."""

WRONG = LOANS.model_copy(update={"name": "wrong_loans", "original_name": "wrong_loans", "title": "Wrong loans"})
"""Its build is spoiled: what it deletes stays."""

OUTSIDE = server("weather", tool("get_weather", {"city": TEXT})).model_copy(
    update={"application": False, "reason": "it only tells what is elsewhere"}
)


def spoil(database: Database) -> None:
    """Put a build of the wrong loans in place of the compiled one whose tool deletes nothing."""
    item = next(item for item in stored(database) if item.spec.name == WRONG.name)
    build = current_build(database, WRONG.name)
    assert build is not None
    right = "_loan_records.delete(ctx, arguments, key={'loan_id': 'id'})"
    assert right in build.files["tools.py"]
    wrong = build.files["tools.py"].replace(right, right.replace("delete(", "get("))
    keep_build(
        database,
        spec_id=item.id,
        spec_digest=item.digest,
        builder="compiler",
        version=build.builder_version,
        files={**build.files, "tools.py": wrong},
        tools={
            one.name: ("world_model", "not kept") if one.name == "guess_tomorrow" else ("code", "spoiled")
            for one in item.spec.tools
        },
        entities=1,
        seconds=0.0,
    )


def ingested(database: Database, *specs: ServerSpec) -> None:
    put(database, specs)


def shelved(database: Database) -> World:
    """Another world with what is built in the database."""
    return World(database, Shelf(database))


def census(database: Database) -> dict[str, Any]:
    """What is in the database beside what is known of specifications, builds and attacks."""
    with database.transaction() as connection:
        tables = connection.execute(
            text(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'compoworld'"
                " AND table_type = 'BASE TABLE' ORDER BY 1"
            )
        ).scalars()
        kept = ("spec", "spec_tool", "build", "build_tool", "build_turn", "attack", "attack_tool", "attack_case")
        counts = {
            name: connection.execute(text(f'SELECT count(*) FROM compoworld."{name}"')).scalar_one()
            for name in tables
            if name not in kept
        }
        schemas = sorted(connection.execute(text("SELECT nspname FROM pg_namespace")).scalars())
        kinds = Counter(
            connection.execute(
                text("SELECT relkind FROM pg_class WHERE relnamespace = 'compoworld'::regnamespace")
            ).scalars()
        )
        # Roles are of the whole server; those of other databases are not ours.
        roles = connection.execute(
            text(
                "SELECT count(*) FROM pg_roles, pg_database d WHERE d.datname = current_database()"
                " AND starts_with(rolname, 'compoworld_box_' || d.oid)"
            )
        ).scalar()
    return {**counts, "schemas": schemas, "relations": dict(kinds), "roles": roles}
