"""Contexts that do one thing wrongly: the tool above them is as it was."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from engine.errors import EntityInvalid
from engine.kit import Context, Entity, Page
from synth.attack.mutation.sites import text_field

E = TypeVar("E", bound=Entity)

_NUMBERS = itertools.count(1)


def as_context(kind: type[Context], ctx: Context) -> Context:
    """The same context, of a class that does something wrongly."""
    return kind(ctx.user, ctx._session, ctx._now, ctx._identity, ctx._ordinal)


class SkippingPages(Context):
    """Every page but the first leaves out its first row."""

    def page(self, entity: type[E], *where: Any, **more: Any) -> Page[E]:
        page = super().page(entity, *where, **more)
        if more.get("cursor") is not None:
            page.items = page.items[1:]
        return page


class RepeatingPages(Context):
    """The cursor stands before the last row of its page, so that the next page shows it again."""

    def page(self, entity: type[E], *where: Any, **more: Any) -> Page[E]:
        page = super().page(entity, *where, **more)
        limit = more.get("limit", 20)
        if page.next_cursor is not None and limit > 1:
            page.next_cursor = super().page(entity, *where, **{**more, "limit": limit - 1}).next_cursor
        return page


class Counting(Context):
    """Identifiers come from a counter of the process."""

    def new_id(self, prefix: str) -> str:
        super().new_id(prefix)
        return f"{prefix}_{next(_NUMBERS):012d}" if prefix else f"{next(_NUMBERS):012d}"


class WallClock(Context):
    """The time is that of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def today(self) -> date:
        return datetime.now(UTC).date()


class KeepingAll(Context):
    """Nothing is deleted."""

    def delete(self, entity: Entity) -> None:
        pass


class DeletingMore(Context):
    """Another row of the same entity is deleted too."""

    def delete(self, entity: Entity) -> None:
        other = _neighbour(self, type(entity), entity)
        super().delete(entity)
        if other is not None:
            super().delete(other)


def cascading(others: Sequence[type[Entity]]) -> type[Context]:
    """With a row, one of another entity that has nothing to do with it is deleted."""

    class Cascading(Context):
        def delete(self, entity: Entity) -> None:
            super().delete(entity)
            for other in others:
                victim = self.first(other)
                if victim is not None:
                    super().delete(victim)
                    return

    return Cascading


def wrong_row(main: type[Entity]) -> type[Context]:
    """The first row of the main entity that is asked for by its key is another one."""

    class WrongRow(Context):
        def _other(self, found: Any) -> Any:
            if isinstance(found, main) and not self.__dict__.get("_done"):
                self.__dict__["_done"] = True
                return _neighbour(self, main, found) or found
            return found

        def get(self, entity: type[E], *key: Any) -> E | None:
            return self._other(super().get(entity, *key))  # type: ignore[no-any-return]

        def require(self, entity: type[E], *key: Any) -> E:
            found = super().require(entity, *key)
            return self._other(found)  # type: ignore[no-any-return]

    return WrongRow


def _neighbour(ctx: Context, entity: type[E], row: Entity) -> E | None:
    own = tuple(getattr(row, name) for name in entity.key_columns())
    for other in Context.list(ctx, entity, limit=5):
        if tuple(getattr(other, name) for name in entity.key_columns()) != own:
            return other
    return None


def scribble(ctx: Context, entity: type[Entity]) -> bool:
    """Change a text of some row; whether that could be done."""
    name = text_field(entity)
    row = ctx.first(entity)
    if name is None or row is None:
        return False
    before = getattr(row, name) or ""
    setattr(row, name, f"{before[:-1]}~" if before.endswith(".") else f"{before[:60]}.")
    try:
        ctx.flush()
    except EntityInvalid:
        return False
    return True


Faulty = Callable[[Context], Context]
