"""Specifications, builds and attacks: how services come to be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_SQL = Path(__file__).parents[1] / "sql" / "0002"
_FILES = ("synth",)


def upgrade() -> None:
    raw: Any = op.get_bind().connection.driver_connection
    for name in _FILES:
        raw.execute((_SQL / f"{name}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    for table in ("attack_case", "attack_tool", "attack", "build_turn", "build_tool", "build", "spec_tool", "spec"):
        op.execute(f"DROP TABLE compoworld.{table}")
    op.execute("ALTER TABLE compoworld.tool DROP COLUMN simulated")
