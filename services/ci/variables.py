"""Tools for variables."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.ci.runs import require_maintainer
from services.ci.state import Environment, Pipeline, Variable

MAX_VARIABLES = 50
"""Variables of one pipeline."""


def _view(variable: Variable) -> dict[str, Any]:
    """A variable as it may be shown: without the value of a secret."""
    return variable.out() | ({"value": None} if variable.secret else {})


@tool
def list_variables(
    ctx: Context,
    pipeline_id: str | None = None,
    environment_id: str | None = None,
    name: str | None = None,
    secret: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Variables by name."""
    equal = (
        (Variable.pipeline_id, pipeline_id),
        (Variable.environment_id, environment_id),
        (Variable.name, name),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if secret is not None:
        where.append(col(Variable.secret).is_(secret))
    page = ctx.page(Variable, *where, order_by=[col(Variable.name)], limit=limit, cursor=cursor)
    return {
        "items": [_view(item) for item in page.items],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Variable, *where),
    }


@tool
def create_variable(
    ctx: Context,
    pipeline_id: str,
    name: str,
    value: str,
    secret: bool = False,
    environment_id: str | None = None,
) -> Any:
    """Add a variable."""
    pipeline = ctx.require(Pipeline, pipeline_id)
    require_maintainer(ctx, pipeline)
    if environment_id is not None and ctx.require(Environment, environment_id).pipeline_id != pipeline.id:
        ctx.fail("invalid", f"environment_id: {environment_id} belongs to another pipeline.")
    here = col(Variable.pipeline_id) == pipeline.id
    place = (
        col(Variable.environment_id).is_(None)
        if environment_id is None
        else col(Variable.environment_id) == environment_id
    )
    if ctx.exists(Variable, here, place, col(Variable.name) == name):
        ctx.fail("conflict", f"{pipeline.name} has a variable {name} there already; use update_variable.")
    if ctx.count(Variable, here) >= MAX_VARIABLES:
        ctx.fail("limit", f"{pipeline.name} has {MAX_VARIABLES} variables, the most allowed.")
    return _view(
        ctx.add(
            Variable(
                id=ctx.new_id("var"),
                pipeline_id=pipeline.id,
                environment_id=environment_id,
                name=name,
                value=value,
                secret=secret,
                updated_by=ctx.user.email,
                updated_at=ctx.now(),
            )
        )
    )


@tool
def update_variable(ctx: Context, variable_id: str, value: str | None = None, secret: bool | None = None) -> Any:
    """Give a variable another value, or mask it."""
    variable = ctx.require(Variable, variable_id)
    require_maintainer(ctx, ctx.require(Pipeline, variable.pipeline_id))
    if value is None and secret is None:
        ctx.fail("invalid", "Give at least one of value and secret.")
    if secret is False and variable.secret:
        ctx.fail("conflict", f"{variable.name} is a secret and stays one; create another variable.")
    if value is not None:
        variable.value = value
    if secret is not None:
        variable.secret = secret
    variable.updated_by = ctx.user.email
    variable.updated_at = ctx.now()
    ctx.flush()
    return _view(variable)
