"""A function for criteria: how many values a text gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_SQL = Path(__file__).parents[1] / "sql" / "0005" / "rubric.sql"


def upgrade() -> None:
    raw: Any = op.get_bind().connection.driver_connection
    raw.execute(_SQL.read_text(encoding="utf-8"))


def downgrade() -> None:
    op.execute("DROP FUNCTION compoworld_here.values_in(text, text)")
