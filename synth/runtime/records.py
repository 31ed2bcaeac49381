"""Records: what the tools of a compiled service do with the rows of one entity."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Text

from engine.kit import Context, Entity
from synth.runtime.arguments import as_text, flat, values_of
from synth.runtime.rows import Rows

_AT_ONCE = 1000


class Records(Rows):
    """The rows of an entity, and what tools do with them; each method is what one kind of tool does."""

    def create(self, ctx: Context, arguments: Mapping[str, Any], **fixed: Any) -> dict[str, Any]:
        """A new row with these values; an identifier is made unless one is given."""
        return self.shown(self._insert(ctx, arguments, fixed))

    def create_many(self, ctx: Context, arguments: Mapping[str, Any], items: str, *groups: str) -> dict[str, Any]:
        """A new row for each of a list; what stands beside the list holds for all."""
        shared = {name: value for name, value in arguments.items() if name != items}
        made = [self.create(ctx, {**shared, **_inner(item, groups)}) for item in arguments.get(items) or []]
        return {"items": made}

    def get(self, ctx: Context, arguments: Mapping[str, Any], key: Mapping[str, str]) -> dict[str, Any]:
        """The row that the arguments name. ``key``: which argument is the value of which column."""
        return self.shown(self.named(ctx, arguments, key))

    def get_many(self, ctx: Context, arguments: Mapping[str, Any], items: str, inner: str = "") -> dict[str, Any]:
        """The rows of a list of identifiers, or of objects that hold one each."""
        return {"items": [self.shown(self._one(ctx, item, inner)) for item in arguments.get(items) or []]}

    def me(self, ctx: Context) -> dict[str, Any]:
        """The row of the person whose assistant the agent is."""
        mine = None
        if "email" in self._columns:
            mine = ctx.first(self.entity, self._column("email") == ctx.user.email)
        mine = mine or ctx.first(self.entity)
        if mine is None:
            ctx.fail("not_found", f"There is no {self._name}.")
        return self.shown(mine)

    def find(
        self,
        ctx: Context,
        arguments: Mapping[str, Any],
        *,
        equal: Mapping[str, str] | None = None,
        search: Sequence[str] = (),
        ignore: Sequence[str] = (),
        ids: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
        offset: str | None = None,
        page: str | None = None,
        first_page: int = 1,
        size: int = 50,
        items: str = "items",
        **fixed: Any,
    ) -> dict[str, Any]:
        """The rows that satisfy every condition, ordered by identifier.

        Args:
            equal: which argument a column must be equal to; of a list of values, to one of them.
            search: arguments whose text must occur in a text of the row.
            ignore: arguments that change nothing about which rows there are.
            limit: the argument that says how many rows a page has; ``size`` where it is not given.
            cursor, offset, page: the argument that says where the page starts.
            items: under which name the rows stand.

        Raises:
            ToolError: code ``invalid``: an argument is a condition that cannot be decided here.
        """
        where = self._conditions(ctx, arguments, equal or {}, search, fixed)
        if ids and arguments.get(ids) is not None:
            given = arguments[ids]
            where.append(
                self._column("id").in_([as_text(item) for item in (given if isinstance(given, list) else [given])])
            )
        paging = {limit, cursor, offset, page, ids}
        _refuse_others(ctx, arguments, {*(equal or {}), *search, *ignore, *paging})
        count = int(arguments.get(limit) or size) if limit else size if (cursor or offset or page) else _AT_ONCE
        count = max(1, min(count, _AT_ONCE))
        if cursor:
            token = arguments.get(cursor)
            found = ctx.page(self.entity, *where, limit=count, cursor=as_text(token) if token else None)
            return {items: [self.shown(row) for row in found.items], "next_cursor": found.next_cursor}
        start = 0
        if offset:
            start = int(arguments.get(offset) or 0)
        elif page:
            given = arguments.get(page)
            start = max(0, int(first_page if given is None else given) - first_page) * count
        if start < 0 or start > 2**31:
            ctx.fail("invalid", f"{offset or page}: there is no such page.")
        rows = ctx.list(self.entity, *where, limit=count, offset=start)
        answer: dict[str, Any] = {items: [self.shown(row) for row in rows]}
        if offset or page:
            answer["total"] = ctx.count(self.entity, *where)
        return answer

    def count(
        self,
        ctx: Context,
        arguments: Mapping[str, Any],
        *,
        equal: Mapping[str, str] | None = None,
        search: Sequence[str] = (),
        ignore: Sequence[str] = (),
    ) -> dict[str, Any]:
        """How many rows satisfy every condition.

        Raises:
            ToolError: code ``invalid``: an argument is a condition that cannot be decided here.
        """
        _refuse_others(ctx, arguments, {*(equal or {}), *search, *ignore})
        return {"count": ctx.count(self.entity, *self._conditions(ctx, arguments, equal or {}, search, {}))}

    def update(
        self,
        ctx: Context,
        arguments: Mapping[str, Any],
        key: Mapping[str, str],
        *,
        make: bool = False,
        sets: Mapping[str, str] | None = None,
        merge: bool = True,
        **fixed: Any,
    ) -> dict[str, Any]:
        """Change the values that are given of the row that the arguments name.

        Args:
            sets: arguments that are values of a column of another name.
            merge: what an object says is put into the one that is there, not in its place.
            make: a row that is not there is made, with the values by which it was named.
            fixed: values that the tool sets by itself.
        """
        rest = {(sets or {}).get(name, name): value for name, value in arguments.items() if name not in key}
        found = self._find(ctx, arguments, key)
        if found is None and make:
            named = {column: arguments[name] for name, column in key.items() if arguments.get(name) is not None}
            return self.shown(self._insert(ctx, {**rest, **named}, fixed))
        row = found or self.named(ctx, arguments, key)
        self._set(ctx, row, rest, fixed, merge=merge)
        return self.shown(row)

    def update_many(
        self, ctx: Context, arguments: Mapping[str, Any], items: str, inner: str, *groups: str
    ) -> dict[str, Any]:
        """Change several rows, each by an object that holds its identifier under the name ``inner``."""
        changed = []
        for item in arguments.get(items) or []:
            values = _inner(item, groups)
            row = self._one(ctx, values, inner)
            self._set(ctx, row, {name: value for name, value in values.items() if name != inner}, {}, merge=True)
            changed.append(self.shown(row))
        return {"items": changed}

    def act_many(
        self, ctx: Context, arguments: Mapping[str, Any], items: str, inner: str = "", **fixed: Any
    ) -> dict[str, Any]:
        """Set the same values in each row of a list of identifiers."""
        changed = []
        for item in arguments.get(items) or []:
            row = self._one(ctx, item, inner)
            self._set(ctx, row, {}, fixed)
            changed.append(self.shown(row))
        return {"items": changed}

    def delete(self, ctx: Context, arguments: Mapping[str, Any], key: Mapping[str, str]) -> dict[str, Any]:
        """Delete the row that the arguments name."""
        row = self.named(ctx, arguments, key)
        number = self._shown_value("id", row.values()["id"])
        ctx.delete(row)
        return {"id": number, "deleted": True, "success": True}

    def delete_many(self, ctx: Context, arguments: Mapping[str, Any], items: str, inner: str = "") -> dict[str, Any]:
        """Delete each row of a list of identifiers."""
        gone = []
        for item in arguments.get(items) or []:
            row = self._one(ctx, item, inner)
            gone.append({"id": self._shown_value("id", row.values()["id"]), "deleted": True})
            ctx.delete(row)
        return {"items": gone, "success": True}

    def copy(self, ctx: Context, arguments: Mapping[str, Any], key: Mapping[str, str]) -> dict[str, Any]:
        """A new row with the values of the one that the arguments name, but for those that are given."""
        row = self.named(ctx, arguments, key)
        rest = {name: value for name, value in arguments.items() if name not in key}
        kept = {name: value for name, value in row.values().items() if name != "id" and name not in self.unique}
        new = self.entity(id=self._new_id(ctx), **kept)
        self._set(ctx, new, rest, {})
        for name in self.unique:
            if getattr(new, name) is None and isinstance(self._columns[name].type, Text):
                setattr(new, name, f"{getattr(row, name)}-copy")
        self._refuse_taken(ctx, new)
        return self.shown(ctx.add(new))

    def append(
        self, ctx: Context, arguments: Mapping[str, Any], key: Mapping[str, str], values: str, column: str
    ) -> dict[str, Any]:
        """Put values into a list of the row that the arguments name; those that are in it already stay once."""
        row = self.named(ctx, arguments, key)
        given = values_of(arguments.get(values))
        self._values(ctx, {column: given})  # what they name is there
        held = list(getattr(row, column) or [])
        held.extend(item for item in given if item not in held)
        setattr(row, column, held)
        return self.shown(row)

    def take_away(
        self, ctx: Context, arguments: Mapping[str, Any], key: Mapping[str, str], values: str, column: str
    ) -> dict[str, Any]:
        """Take values out of a list of the row that the arguments name."""
        row = self.named(ctx, arguments, key)
        held = list(getattr(row, column) or [])
        for item in values_of(arguments.get(values)):
            if item not in held:
                ctx.fail("not_found", f"{item!r} is not among the {column.replace('_', ' ')} of this {self._name}.")
            held.remove(item)
        setattr(row, column, held)
        return self.shown(row)

    def elements(
        self, ctx: Context, arguments: Mapping[str, Any], key: Mapping[str, str], column: str
    ) -> dict[str, Any]:
        """What is in a list of the row that the arguments name."""
        return {"items": list(getattr(self.named(ctx, arguments, key), column) or [])}

    def _one(self, ctx: Context, item: Any, inner: str) -> Entity:
        """The row that one item of a list names: by its identifier, or by other values where it has none."""
        if not isinstance(item, dict):
            return self.require(ctx, item)
        if item.get(inner) is not None:
            return self.require(ctx, item[inner])
        named = {name: column for name in item if (column := self._by_name.get(name)) and item[name] is not None}
        if not named:
            ctx.fail("invalid", f"Say which {self._name} by {inner}.")
        return self.named(ctx, item, named)


def _refuse_others(ctx: Context, arguments: Mapping[str, Any], known: Collection[str | None]) -> None:
    """Refuse what would narrow down the rows and is not understood: to ignore it would give wrong rows."""
    for name, value in arguments.items():
        if name not in known and value is not None and value != "":
            ctx.fail("invalid", f"{name}: this condition is not supported here; leave it out.")


def _inner(item: Any, groups: Sequence[str]) -> dict[str, Any]:
    return flat(item, *groups) if isinstance(item, dict) else {}
