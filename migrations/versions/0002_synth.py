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
_FILES = ("synth", "sandbox", "world_model", "reports")


def upgrade() -> None:
    raw: Any = op.get_bind().connection.driver_connection
    for name in _FILES:
        raw.execute((_SQL / f"{name}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    op.execute("DROP VIEW compoworld.tool_status")
    for view in ("world_model_rollouts", "world_model_tools", "world_model_calls"):
        op.execute(f"DROP VIEW compoworld.{view}")
    op.execute("DROP FUNCTION compoworld.asked_of_world_model(bigint, int)")
    op.execute("DROP TABLE compoworld.world_model_call")
    op.execute("ALTER TABLE compoworld.rollout_group DROP COLUMN world_model")
    roles = op.get_bind().exec_driver_sql("SELECT compoworld.close_sandbox(role) FROM compoworld.sandbox")
    roles.close()
    op.execute("DROP SCHEMA compoworld_door CASCADE")
    for function in (
        "open_sandbox(text, text, bigint, text, int, jsonb)",
        "close_sandbox(text)",
        "abandoned_sandboxes()",
        "order_call(text, bigint, text, jsonb, boolean)",
        "sandboxed_event(text)",
        "sandboxed_change(bigint, int, text, text, text, jsonb, jsonb)",
        "sandboxed_call()",
        "sandboxed_call_ended() CASCADE",
    ):
        op.execute(f"DROP FUNCTION compoworld.{function}")
    op.execute("DROP TABLE compoworld.sandbox_call, compoworld.sandbox")
    for table in ("attack_case", "attack_tool", "attack", "build_turn", "build_tool", "build", "spec_tool", "spec"):
        op.execute(f"DROP TABLE compoworld.{table}")
    op.execute("ALTER TABLE compoworld.tool DROP COLUMN simulated")
