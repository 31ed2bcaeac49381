"""Functions for criteria: how many values a text gives; whether it says one, more strictly and in more forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_SQL = Path(__file__).parents[1] / "sql"


def upgrade() -> None:
    _run((_SQL / "0005" / "rubric.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    before = (_SQL / "0004" / "rubric.sql").read_text(encoding="utf-8")
    _run(before.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))
    for name in ("values_in(text, text)", "plain(text)", "bare(text)"):
        op.execute(f"DROP FUNCTION compoworld_here.{name}")


def _run(sql: str) -> None:
    raw: Any = op.get_bind().connection.driver_connection
    raw.execute(sql)
