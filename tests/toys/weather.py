"""The tool of the toy weather."""

from __future__ import annotations

from typing import Any

from engine.kit import Context, tool


@tool
def today(ctx: Context) -> Any:
    return {"date": ctx.today(), "sky": "grey"}
