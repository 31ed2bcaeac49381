"""Collections as jobs, token records, training runs, evaluations, experiments."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_SQL = Path(__file__).parents[1] / "sql" / "0006"
_FILES = ("jobs", "tokens", "training", "evaluation", "experiments")

_JOBS = "compoworld_jobs"
"""The schema of procrastinate's tables; ``rl.jobs`` names it too."""

# Its functions name its tables without a schema: with a path of their own they work for every caller.
_OWN_PATH = f"""
DO $$
DECLARE f regprocedure;
BEGIN
    FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = '{_JOBS}'::regnamespace LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = {_JOBS}, pg_temp', f);
    END LOOP;
END $$;
"""

_MADE = re.compile(r"^CREATE (TABLE|VIEW|FUNCTION) (compoworld\w*\.\w+)", re.MULTILINE)


def upgrade() -> None:
    from procrastinate.schema import SchemaManager

    raw: Any = op.get_bind().connection.driver_connection
    path = raw.execute("SELECT current_setting('search_path')").fetchone()[0]
    raw.execute(f"CREATE SCHEMA {_JOBS}")
    raw.execute(f"SET LOCAL search_path = {_JOBS}")
    raw.execute(SchemaManager.get_schema())
    raw.execute("SELECT set_config('search_path', %s, true)", (path,))
    raw.execute(_OWN_PATH)
    for name in _FILES:
        raw.execute((_SQL / f"{name}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    for name in reversed(_FILES):
        made = _MADE.findall((_SQL / f"{name}.sql").read_text(encoding="utf-8"))
        for kind, thing in reversed(made):
            op.execute(f"DROP {kind} {thing} CASCADE")
    op.execute(f"DROP SCHEMA {_JOBS} CASCADE")
