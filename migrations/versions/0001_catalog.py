"""The catalog: tables, the functions that branches live by, and the views for people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_SQL = Path(__file__).parents[1] / "sql" / "0001"
_FILES = ("tables", "branches", "compositions", "calls", "states", "retention", "views")

# A role belongs to the whole server: another database's migration may be making it at this moment.
_ROLE = """
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'compoworld_verifier') THEN
        CREATE ROLE compoworld_verifier NOLOGIN NOINHERIT;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$
BEGIN
    -- From 16 on a role's creator is its administrator without the right to SET ROLE to it.
    IF NOT pg_has_role(current_user, 'compoworld_verifier',
                       CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END)
    THEN
        EXECUTE format('GRANT compoworld_verifier TO %I', current_user);
    END IF;
END $$;
"""


def upgrade() -> None:
    op.execute("CREATE SCHEMA IF NOT EXISTS compoworld")
    op.execute("CREATE SCHEMA compoworld_here")
    op.execute(_ROLE)
    # The driver's own connection: a colon or a percent sign in the files is SQL, not a parameter.
    raw: Any = op.get_bind().connection.driver_connection
    for name in _FILES:
        raw.execute((_SQL / f"{name}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    bind = op.get_bind()
    schemas = bind.exec_driver_sql(
        "SELECT schema_name FROM compoworld.composition WHERE materialised_at IS NOT NULL"
    ).scalars()
    for schema in list(schemas):
        bind.exec_driver_sql(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
    bind.exec_driver_sql("DROP SCHEMA compoworld_here CASCADE")
    # The role stays: other databases of this server may use it. Its rights here go with the schemas.
    for kind, names in (
        ("VIEW", "rewards, criterion_pass_rates, checks, row_changes, events, messages, rollouts"),
        (
            "TABLE",
            "criterion_check, message, rollout, rollout_group, criterion, task, row_change, event, branch,"
            " snapshot_row, snapshot, composition_service, composition, tool, entity, service",
        ),
    ):
        for name in names.split(","):
            bind.exec_driver_sql(f"DROP {kind} compoworld.{name.strip()} CASCADE")
    bind.exec_driver_sql("DROP SEQUENCE compoworld.branch_id")
    bind.exec_driver_sql(
        """
        DO $$
        DECLARE f regprocedure;
        BEGIN
            FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'compoworld'::regnamespace LOOP
                -- One that another took with it has no name any more.
                IF EXISTS (SELECT FROM pg_proc WHERE oid = f) THEN
                    EXECUTE 'DROP FUNCTION ' || f || ' CASCADE';
                END IF;
            END LOOP;
        END $$
        """
    )
