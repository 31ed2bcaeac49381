"""Functions for criteria: whether a text says a value, whether a row is new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_SQL = Path(__file__).parents[1] / "sql" / "0004" / "rubric.sql"


def upgrade() -> None:
    raw: Any = op.get_bind().connection.driver_connection
    raw.execute(_SQL.read_text(encoding="utf-8"))


def downgrade() -> None:
    for kind in ("numeric", "date", "time", "text"):
        op.execute(f"DROP FUNCTION compoworld_here.says(text, {kind})")
    op.execute("DROP FUNCTION compoworld_here.numbers_in(text)")
    op.execute("DROP FUNCTION compoworld_here.is_new(text, text)")
    op.execute("DROP FUNCTION compoworld_here.made(text)")
