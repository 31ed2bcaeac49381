"""The criterion against over-acting: nothing changes but what the task asks for."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tasks.document import CriterionText
from tasks.rubric.conditions import GONE
from tasks.rubric.left_out import is_choice
from tasks.rubric.messages import is_message
from tasks.rubric.reference import SIDE_TABLES, ReferenceRun, is_side, semantics
from tasks.rubric.says import literal, quoted
from tasks.rubric.values import is_new

READ_MARKS = {"mail_message": ("is_read",), "chat_channel_member": ("last_read_at",)}
"""Fields that only say that somebody has read something."""

_STAMP = re.compile(r"^(updated|changed|modified|edited|read|seen)_(at|by)|^last_")
"""Fields that say when or by whom a row was last touched."""

REMARKS = ("note", "reason", "comment")
"""Optional arguments for a word on the step that a call takes."""

REMARK = re.compile(r"_(note|reason|comment|remark)$")
"""Fields for a word on a step (``answer_note``, ``status_reason``); ``note`` alone is about the record itself."""

_FIELDS = f"""(SELECT '(' || string_agg(f.name, ', ' ORDER BY f.name) || ')' FROM jsonb_object_keys(c.after) f (name)
      WHERE c.op = 'update' AND f.name !~ {quoted(_STAMP.pattern)}
        AND c.after -> f.name IS DISTINCT FROM c.before -> f.name)"""
"""An SQL expression: which fields of a row a change is of, for people."""


def guard(run: ReferenceRun) -> CriterionText:
    """Whatever is changed, deleted or made, the reference solution changed, deleted or made the like of it.

    Rows of s0: the same rows, the same fields, and a word on a step that is taken. New rows: of the same tables, under
    the same records and addressees, and no more of them; a message may be said in several parts. What the branch made
    it may also change.
    """
    remarks = _own_remarks(run)
    allowed = [*_marks(), *_changes(run), *_inserts(run), *_with_messages(run)]
    allowed += [
        f"c.table_name = {quoted(table)} AND c.op = 'insert' AND c.after ->> 'visibility' = 'internal'"
        f" AND c.after ->> {quoted(name)} = {quoted(key)}"
        for table, name, key in remarks
    ]
    limits = _limits(run, Counter(table for table, _, _ in remarks))
    others = "\n      OR ".join(allowed)
    counts = "".join(f"\n    UNION ALL\n    {limit}" for limit in limits)
    sql = f"""WITH extra AS (
    SELECT concat_ws(' ', c.op, c.table_name, c.key, {_FIELDS}) AS what FROM row_changes c WHERE (
      {others}
      OR c.op <> 'insert' AND is_new(c.table_name, c.key)) IS NOT TRUE{counts}
)
SELECT count(*) = 0 AS passed, 'nothing else' AS expected, string_agg(what, ', ' ORDER BY what) AS actual FROM extra"""
    return CriterionText(
        name="nothing-else",
        kind="must_not_change",
        description="Nothing else is changed, deleted, made or sent, and nothing is done twice.",
        sql=sql,
    )


def _marks() -> list[str]:
    return [
        f"c.table_name = {quoted(table)} AND c.op = 'update' AND {_only(fields)}"
        for table, fields in READ_MARKS.items()
    ]


def _changes(run: ReferenceRun) -> list[str]:
    fields: dict[tuple[str, str, str], set[str]] = {}
    for event in run.events:
        for change in event.changes:
            if change.op == "insert" or not run.was_there(change):
                continue
            before, after = change.before or {}, change.after or {}
            changed = {name for name in before if after.get(name) != before[name]}
            fields.setdefault((change.table, change.key, change.op), set()).update(changed)
    found = []
    for (table, key, op), names in fields.items():
        where = f"c.table_name = {quoted(table)} AND c.op = {quoted(op)} AND c.key = {quoted(key)}"
        if op == "update":
            stamps = {name for name in semantics(run.entity(table)) if _STAMP.search(name)}
            where += f" AND {_only(tuple(sorted(names | stamps | _remarks(run, table, key))))}"
        found.append(where)
    return found


def _remarks(run: ReferenceRun, table: str, key: str) -> set[str]:
    """The fields of a row in which a remark on a step can stand and in which the reference left none."""
    row = run.final[table, key] or {}
    return {
        name
        for name, kind in semantics(run.entity(table)).items()
        if kind == "text" and REMARK.search(name) and not row.get(name)
    }


def _inserts(run: ReferenceRun) -> list[str]:
    found = []
    for number, event in enumerate(run.events):
        for change in (change for change in event.changes if change.op == "insert"):
            row = run.final[change.table, change.key] or change.after or {}
            where = [f"c.table_name = {quoted(change.table)}", "c.op = 'insert'"]
            ties = (name for name in _ties(run, change.table, row) if not is_choice(run, number, change.table, name))
            where += [f"c.after ->> {quoted(name)} = {literal(row[name])}" for name in ties]
            where += _parents(run, change.table, row)
            found.append(" AND ".join(where))
    return list(dict.fromkeys(found))


def _with_messages(run: ReferenceRun) -> list[str]:
    """What comes with a new message by another way of sending it: its thread moves up, somebody is mentioned in it."""
    found = []
    for table in sorted({table for table, _ in run.inserted if is_message(table)}):
        for name, target in _targets(run, table).items():
            if is_side(target):
                stamps = tuple(sorted(item for item in semantics(run.entity(target)) if _STAMP.search(item)))
                key = run.entity(table).key_columns()[0]
                found.append(
                    f"c.table_name = {quoted(target)} AND c.op = 'update' AND {_only(stamps)} AND EXISTS (SELECT"
                    f" FROM {table} m WHERE m.{name} = c.key AND is_new({quoted(table)}, m.{key}))"
                )
        for side in sorted(SIDE_TABLES & run.tables):
            found += [
                f"c.table_name = {quoted(side)} AND c.op = 'insert'"
                f" AND is_new({quoted(table)}, c.after ->> {quoted(name)})"
                for name, target in _targets(run, side).items()
                if target == table
            ]
    return found


def _own_remarks(run: ReferenceRun) -> list[tuple[str, str, str]]:
    """A word on a step may be a message of its own that only colleagues read, on the record that takes the step.

    Returns: its table, the field that names the record, and the record's key.
    """
    messages = filter(is_message, sorted(run.tables))
    tables = [table for table in messages if "visibility" in semantics(run.entity(table))]
    found = [
        (table, name, change.key)
        for number, event in enumerate(run.events)
        if run.left_out(number).intersection(REMARKS)
        for change in event.changes
        if change.op == "update" and run.was_there(change)
        for table in tables
        for name, target in _targets(run, table).items()
        if target == change.table
    ]
    return list(dict.fromkeys(found))


def _targets(run: ReferenceRun, table: str) -> dict[str, str]:
    """The tables to which the columns of one refer."""
    columns = run.entity(table).table().columns
    return {item.name: str(item.info["target"]).split(".")[0] for item in columns if "target" in item.info}


def _ties(run: ReferenceRun, table: str, row: dict[str, Any]) -> list[str]:
    """The fields by which a new row hangs on records of s0 and on people."""
    return [
        name
        for name, kind in semantics(run.entity(table)).items()
        if kind in ("reference", "email") and isinstance(row.get(name), str) and row[name] not in run.made
    ]


def _parents(run: ReferenceRun, table: str, row: dict[str, Any]) -> list[str]:
    """A new row that hangs on another new one does not hang on one of s0."""
    return [
        f"is_new({quoted(made.table)}, c.after ->> {quoted(name)})"
        for name, made in run.hangs_on(table, row)
        if not is_side(made.table)
    ]


def _limits(run: ReferenceRun, remarks: Counter[str]) -> list[str]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for table, key in run.inserted:
        rows.setdefault(table, []).append(run.final[table, key] or {})
    counts = {
        # What is said may be said in three parts.
        table: len(made) + 2 * is_message(table) + remarks[table]
        for table, made in rows.items()
        if not is_side(table) and "timeline" not in table and table != "mail_recipient"
    }
    found = [f"SELECT '{table}: more than {most}' WHERE made('{table}') > {most}" for table, most in counts.items()]
    return found + [
        left for table, made in rows.items() if is_message(table) for left in _lying_about(run, table, made)
    ]


def _lying_about(run: ReferenceRun, table: str, rows: list[dict[str, Any]]) -> list[str]:
    """New messages that were neither sent, as the reference's are, nor thrown away: drafts beside the right one."""
    entity = run.entity(table)
    kinds = semantics(entity)
    gone = "".join(f" AND coalesce(t.{name}::text, 'false') IN ('', 'false')" for name in kinds if GONE.search(name))
    found = []
    for name in (name for name, kind in kinds.items() if kind == "status" and not GONE.search(name)):
        usual = ", ".join(sorted({literal(row[name]) for row in rows if row.get(name) is not None}))
        if usual:
            found.append(
                f"SELECT '{table} left as ' || t.{name} FROM {table} t"
                f" WHERE {is_new(table, entity, 't')} AND t.{name} NOT IN ({usual}){gone}"
            )
    return found


def _only(fields: tuple[str, ...]) -> str:
    names = "{" + ",".join(fields) + "}"
    return f"c.before - '{names}'::text[] = c.after - '{names}'::text[]"
