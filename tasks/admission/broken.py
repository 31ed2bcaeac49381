"""Is no criterion idle, and is every wrong outcome noticed? Broken variants of the reference solution are judged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.results import CallResult
from engine.states import Change
from tasks.admission.arguments import replaced
from tasks.admission.evidence import Evidence, concluded, counted
from tasks.admission.ground import Ground, Played, Step, failed
from tasks.admission.strays import strays
from tasks.admission.variants import LIMIT, Variant, chosen, variants
from tasks.document import ReferenceCall

_MESSAGE = re.compile(r"^(?:send|reply|forward)|_(?:message|comment|note|reply)$")
"""Tools that tell somebody something. To say it twice to the same person changes no outcome."""

_TIMES = ("date", "datetime")


@dataclass(frozen=True)
class Judged:
    """A variant, played and judged.

    Attributes:
        outcome: whether it changes the outcome, so that a criterion has to notice.
        missing: whether something that the reference reaches is not reached: a guard is not enough to notice that.
        failed: the criteria that do not hold after it.
        effect: what became otherwise, for people.
    """

    variant: Variant
    change: str
    outcome: bool
    failed: list[str]
    effect: str = ""
    missing: bool = False


def examine(ground: Ground) -> Evidence:
    """Check 3: every variant that changes the outcome fails a criterion, and every criterion fails for a variant.

    Rows are changed and deleted elsewhere, too: a guard has to mind.
    """
    first, others = chosen(ground, list(variants(ground)))
    minding, unnoticed = strays(ground)
    judged = [_judged(ground, variant) for variant in first]
    for variant in others[:LIMIT]:
        if not _idle(ground, judged, minding):
            break
        judged.append(_judged(ground, variant))
    kept = [item for item in judged if item is not None]
    variants_told = counted(len(kept), "broken variant")
    findings = [_uncaught(ground, item) for item in kept if not _is_noticed(ground, item)]
    findings += [
        f"criterion {name} is idle: none of {variants_told} of the reference fails it; let it look at what "
        "the reference writes or says, or leave it out"
        for name in _idle(ground, judged, minding)
    ]
    findings += [
        f"criterion {name} minds nothing but that there is no answer, which {other} minds, too: let it judge what the "
        "answer says, or leave it out"
        for name, other in _empty(ground, kept)
    ]
    findings += unnoticed
    outcomes = sum(item.outcome for item in kept)
    shown_by = f"{outcomes} of {variants_told} change the outcome, all are noticed; no criterion is idle"
    detail = {
        "variants": [_row(ground, item) for item in kept],
        "not_taken": len(judged) - len(kept),
        "criteria": {item.name: sum(item.name in found.failed for found in kept) for item in ground.task.criteria},
    }
    return concluded("broken", shown_by, findings, detail)


# playing them


def _judged(ground: Ground, variant: Variant) -> Judged | None:
    """A variant played and judged; ``None`` where the service takes no such call."""
    match variant.kind:
        case "dropped":
            return _done_otherwise(ground, variant, variant.change, Step(ground.calls[variant.call], left_out=True))
        case "altered":
            assert variant.part is not None
            for value in variant.values:
                told = f"{variant.part.place}: {_shown(variant.part.value)} → {_shown(value)}"
                done = _done_otherwise(ground, variant, told, Step(_with(ground, variant, value)))
                if done is not None:
                    return done
            return None
        case "answer":
            return _answered(ground, variant)
        case "twice":
            return _once_more(ground, variant, ground.calls[variant.call], variant.change)
        case "also":
            assert variant.part is not None
            for value in variant.values:
                told = f"also with {variant.part.place} {_shown(value)}"
                if (done := _once_more(ground, variant, _with(ground, variant, value), told)) is not None:
                    return done
            return None


def _done_otherwise(ground: Ground, variant: Variant, told: str, step: Step) -> Judged | None:
    """A step in place of a call, and the rest as it follows; then the rest as if the call had been right.

    An agent that goes wrong may well report what should have been: each of the two has to be noticed.
    """
    start = variant.call + 1
    if variant.slip:
        step = Step(step.call.model_copy(update={"save": None}))
    steps = [step, *(ground.rest_unchanged(start) if variant.slip else ground.rest(start))]
    played = ground.play(steps, after=variant.call, until=lambda place, result: place == 0 and _is_void(step, result))
    if _is_void(step, played.results[0]):
        return None
    always = step.left_out or (variant.part is not None and variant.part.in_text)
    judged = _concluded(ground, variant, told, played, outcome=True if always else None)
    follows = ground.answer(played.saved) != ground.answer(ground.saved) or any(
        arguments != event.arguments
        for arguments, event in zip(played.arguments[1:], ground.events[start:], strict=True)
    )
    if judged.outcome and _is_noticed(ground, judged) and follows:
        fixed = step if step.left_out else Step(step.call.model_copy(update={"save": None}))
        again = ground.play([fixed, *ground.rest_unchanged(start)], after=variant.call)
        # Seen from the rows: where a call is right whatever it was given there, nothing is wrong in the end.
        found = _concluded(ground, variant, f"{told}, all else as if it were right", again)
        if not _is_noticed(ground, found):
            return found
    return judged


def _is_void(step: Step, result: CallResult) -> bool:
    return not step.left_out and not result.ok


def _answered(ground: Ground, variant: Variant) -> Judged:
    template = ground.task.task.reference.answer
    branch = ground.after(len(ground.calls))
    told, words = variant.change, None
    if variant.part is not None:
        told = f"{variant.part.place}: {_shown(variant.part.value)} → {_shown(variant.values[0])}"
        words = ground.answer(ground.saved, replaced(template, variant.part.path, variant.values[0]))
    branch.answer(words)
    return Judged(variant, told, True, failed(branch.verify(ground.task.criteria)))


def _once_more(ground: Ground, variant: Variant, call: ReferenceCall, told: str) -> Judged | None:
    """A call made beside those of the reference: at their end, or right after its like where it fails there."""
    played = ground.play([Step(call)], after=len(ground.calls))
    if played.results[0].ok:
        return _concluded(ground, variant, told, played)
    extra = Step(call.model_copy(update={"save": None}))
    played = ground.play([extra, *ground.rest(variant.call + 1)], after=variant.call + 1)
    if not played.results[0].ok:
        return None
    outcome = played.results[0].changes > 0 and not _says_again(ground, variant)
    return _concluded(ground, variant, told, played, outcome=outcome)


def _says_again(ground: Ground, variant: Variant) -> bool:
    return variant.kind == "twice" and _MESSAGE.search(ground.calls[variant.call].tool) is not None


def _with(ground: Ground, variant: Variant, value: Any) -> ReferenceCall:
    assert variant.part is not None
    call = ground.calls[variant.call]
    arguments = replaced(call.arguments, variant.part.path, value)
    return call.model_copy(update={"arguments": arguments})


def _concluded(ground: Ground, variant: Variant, told: str, played: Played, *, outcome: bool | None = None) -> Judged:
    """The variant's end, judged; whether it changes the outcome is known, or seen from the rows."""
    checks = ground.conclude(played)
    changes = ground.base.diff(other=played.branch)
    if variant.kind in ("twice", "also"):
        # A call more than the reference makes: the moment at which a row was touched is no outcome.
        changes = [item for item in changes if not _only_times(ground, item)]
    if outcome is None:
        outcome = bool(changes) and not _says_again(ground, variant)
    missing = variant.kind in ("dropped", "altered") and _is_less(ground, changes)
    return Judged(variant, told, outcome, failed(checks), _effect(changes), missing)


def _is_less(ground: Ground, changes: list[Change]) -> bool:
    """Whether something that the reference made, changed or deleted is not there, or otherwise.

    A new row may have the key that another one has in the reference, where one more was made before it.
    """
    there = [_but_key(ground, item, item.after) for item in changes if item.after and _is_new(ground, item)]
    for item in changes:
        stood = ground.s0.get(item.table, {}).get(item.key)
        if stood is None and item.before is not None:
            row = _but_key(ground, item, item.before)
            if row not in there:
                return True
            there.remove(row)
        elif stood is not None and item.before is None:
            return True  # that the reference deleted it
        elif stood is not None and any(before != stood.get(name) for name, (before, _) in item.fields.items()):
            return True
    return False


def _is_new(ground: Ground, change: Change) -> bool:
    return change.key not in ground.s0.get(change.table, {})


def _but_key(ground: Ground, change: Change, row: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    keys = ground.task.composition.entity(change.table).key_columns()
    return change.table, {name: value for name, value in row.items() if name not in keys}


def _only_times(ground: Ground, change: Change) -> bool:
    return change.op == "update" and all(ground.semantic(change.table, name) in _TIMES for name in change.fields)


# what is said of them


def _idle(ground: Ground, judged: list[Judged | None], minding: set[str]) -> list[str]:
    """The criteria that no variant fails; of guards those that mind no stray change either."""
    noticed = minding.union(*(item.failed for item in judged if item is not None))
    return [item.name for item in ground.task.criteria if item.name not in noticed]


def _empty(ground: Ground, kept: list[Judged]) -> Iterator[tuple[str, str]]:
    """Criteria that only a missing answer fails, each with another one that fails there and elsewhere, too."""
    missing = [item for item in kept if item.variant.kind == "answer" and item.variant.part is None]
    elsewhere = {name for item in kept if item not in missing for name in item.failed}
    for silent in missing:
        others = [name for name in silent.failed if name in elsewhere]
        if others:
            yield from ((name, others[0]) for name in silent.failed if name not in elsewhere)


def _is_noticed(ground: Ground, item: Judged) -> bool:
    """Whether the criteria notice a wrong outcome; those that judge what is reached, where that is not reached."""
    guards = {criterion.name for criterion in ground.task.criteria if criterion.kind == "must_not_change"}
    return not item.outcome or bool(set(item.failed) - (guards if item.missing else set()))


def _uncaught(ground: Ground, item: Judged) -> str:
    where = _of(ground, item.variant)
    effect = f" ({item.effect})" if item.effect else ""
    if item.failed:
        return (
            f"only {', '.join(item.failed)} minds {where} {_otherwise(item)}{effect}: a guard forbids what is too"
            " much; let the criterion on what this call is there for fail, too, where it is not reached"
        )
    if item.variant.kind == "answer":
        return f"no criterion notices the wrong answer {item.change}: judge what the answer says, by its parsed value"
    if item.variant.kind in ("twice", "also"):
        return f"no criterion notices that {where} is {_passive(item)}{effect}: say what must not change"
    if item.variant.kind == "dropped":
        return f"no criterion notices that {where} is {item.change}: judge what it is there for, or leave it out"
    return f"no criterion notices {where} with {item.change}{effect}: judge that value, or leave the argument out"


def _otherwise(item: Judged) -> str:
    return f"being {item.change}" if item.variant.kind == "dropped" else f"with {item.change}"


def _passive(item: Judged) -> str:
    return item.change if item.change.startswith("called") else f"called {item.change}"


def _of(ground: Ground, variant: Variant) -> str:
    if variant.call >= len(ground.calls):
        return "answer"
    call = ground.calls[variant.call]
    return f"{call.service}.{call.tool} (call {variant.call})"


def _row(ground: Ground, item: Judged) -> dict[str, Any]:
    call = ground.calls[item.variant.call] if item.variant.call < len(ground.calls) else None
    return {
        "kind": item.variant.kind,
        "call": item.variant.call if call else None,
        "of": f"{call.service}.{call.tool}" if call else None,
        "change": item.change,
        "outcome": item.outcome,
        "failed": item.failed,
    }


def _effect(changes: list[Change]) -> str:
    if not changes:
        return ""
    first = changes[0]
    fields = ", ".join(
        f"{name} {_shown(before)} → {_shown(after)}" for name, (before, after) in list(first.fields.items())[:2]
    )
    more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
    return f"{first.table} {first.key}: {fields if first.op == 'update' else first.op}{more}"


def _shown(value: Any) -> str:
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= 60 else told[:59] + "…"
