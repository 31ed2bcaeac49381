"""Drafts, evidence and sets of tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_SQL = Path(__file__).parents[1] / "sql" / "0003"
_FILES = ("admission", "sets", "authoring")


def upgrade() -> None:
    raw: Any = op.get_bind().connection.driver_connection
    for name in _FILES:
        raw.execute((_SQL / f"{name}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Each part drops what its file made."""
    # admission
    for view in ("task_variants", "task_crossings", "task_checks"):
        op.execute(f"DROP VIEW compoworld.{view}")
    op.execute("DROP TABLE compoworld.task_evidence")
    # sets
    for view in ("task_yield", "task_sets"):
        op.execute(f"DROP VIEW compoworld.{view}")
    op.execute("DROP FUNCTION compoworld.task_stages()")
    op.execute("DROP TABLE compoworld.task_member, compoworld.task_draft, compoworld.task_set")
    # authoring
    op.execute("DROP TABLE compoworld.task_authoring_turn, compoworld.task_authoring")
