"""A mutant: one fault in one tool of one service, planted in this process only."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from types import CodeType, FunctionType
from typing import Any

from engine.kit import Service, Tool
from synth.attack.mutation.sites import tree_of

Change = Callable[[Tool], Tool]


@dataclass(frozen=True)
class Mutant:
    """A planted fault.

    Attributes:
        where: the place of the fault in the tool, for people: a parameter, a method, a line.
        stated: whether the specification speaks of what was broken.
        change: makes the tool with the fault; ``None`` where its code is changed instead.
        code: a function of the service and the code that takes the place of its own.
    """

    service: str
    tool: str
    operator: str
    where: str
    stated: bool = True
    change: Change | None = field(default=None, repr=False)
    code: tuple[FunctionType, CodeType] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """``operator service.tool (where)``."""
        return f"{self.operator} {self.service}.{self.tool}" + (f" ({self.where})" if self.where else "")

    def planted(self, service: Service) -> Service:
        """A copy of the service with the fault; the service itself stays as it is."""
        made = copy(service)
        tools = dict(service.tools)
        if self.change is not None:
            tools[self.tool] = self.change(tools[self.tool])
        made.__dict__["tools"] = tools
        return made

    @contextmanager
    def active(self) -> Iterator[None]:
        """While the block lasts, changed code is in force; for all who call it in this process."""
        if self.code is None:
            yield
            return
        function, faulty = self.code
        right = function.__code__
        function.__code__ = faulty
        try:
            yield
        finally:
            function.__code__ = right


def wrapped(tool: Tool, around: Callable[[Callable[..., Any], Any, dict[str, Any]], Any]) -> Tool:
    """The tool with something around its function: ``around(function, ctx, arguments)``."""
    inner = tool.function

    def function(ctx: Any, **arguments: Any) -> Any:
        return around(inner, ctx, arguments)

    return replace(tool, function=function)


def without_check(function: FunctionType, number: int) -> tuple[CodeType, str] | None:
    """The code of a function without its ``number``-th refusal, and the text of that refusal.

    Only an ``if`` whose whole body is a refusal is taken out: what follows it then runs in its place.
    """
    tree = tree_of(function)
    checks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and refusal_of(node) is not None]
    if number >= len(checks):
        return None
    check = checks[number]
    said = refusal_of(check) or ""
    # ast.Constant in a block is a statement without effect; an "else" stays as the part that always runs.
    check.test = ast.copy_location(ast.Constant(False), check.test)
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    definition.returns = None
    arguments = definition.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    arguments.defaults = [ast.copy_location(ast.Constant(None), item) for item in arguments.defaults]
    arguments.kw_defaults = [item and ast.copy_location(ast.Constant(None), item) for item in arguments.kw_defaults]
    ast.fix_missing_locations(tree)
    names: dict[str, Any] = {"__builtins__": builtins}
    exec(compile(tree, f"<{function.__module__}.{function.__name__}, a check removed>", "exec"), names)
    made = names[function.__name__].__code__
    if made.co_freevars != function.__code__.co_freevars:
        return None
    return made, said


def refusal_of(node: ast.If) -> str | None:
    """The text of the refusal that is the whole body of an ``if``, or ``None``."""
    if len(node.body) != 1 or not isinstance(node.body[0], ast.Expr):
        return None
    call = node.body[0].value
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "fail"):
        return None
    texts = [item.value for item in ast.walk(call) if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return " ".join(texts)
