"""Do other right ways pass? Variants of the reference solution that reach the same must fail no criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.branches import Branch
from engine.database import Database
from engine.events import Event
from tasks.admission.arguments import reworded, rewritten
from tasks.admission.evidence import Evidence, concluded, counted
from tasks.admission.ground import Ground, Step, failed
from tasks.admission.logs import MORE_READS, read_before, with_corrections, with_other_tools, without_reads
from tasks.admission.saying import in_two_parts, marked_read, with_more_words
from tasks.admission.writings import writings
from tasks.document import ReferenceCall
from tasks.rubric.guard import REMARKS

RETRIES = 3
"""Write calls before which the same call is made wrongly."""


@dataclass(frozen=True)
class Equivalent:
    """Another right way.

    Attributes:
        name: what is otherwise, for people.
        advice: what the author can do where it does not pass.
        after: how many calls of the reference come before its steps.
        patient: whether many reads were made before.
        answer: a template, in place of the reference's answer.
    """

    name: str
    advice: str
    steps: Sequence[Step]
    after: int = 0
    patient: bool = False
    answer: Any = None


def examine(ground: Ground) -> Evidence:
    """Check 6: every variant that reaches the same in another right way passes all criteria."""
    findings = []
    rows = []
    for variant in variants(ground):
        played = ground.play(variant.steps, after=variant.after, on=_patient(ground) if variant.patient else None)
        wrong = failed(ground.conclude(played, variant.answer))
        refused = [_refusal(variant.steps[place].call, played.results[place].error) for place in played.refused]
        rows.append({"variant": variant.name, "failed": wrong, "refused": refused})
        if refused:
            findings.append(f"with {variant.name} a call goes otherwise than it should: {refused[0]}; {variant.advice}")
        elif wrong:
            findings.append(_no_longer(variant.name, wrong, variant.advice))
    for service, branch in marked_read(ground):
        branch.answer(ground.answer(ground.saved))
        name = f"something in {service} marked as read"
        wrong = failed(branch.verify(ground.task.criteria))
        rows.append({"variant": name, "failed": wrong, "refused": []})
        if wrong:
            findings.append(_no_longer(name, wrong, "whoever looks for something reads other things, too: allow that"))
    for name, rewrite in _LOGS.items():
        branch = ground.after(len(ground.calls))
        rewrite(ground.world.database, branch)
        branch.answer(ground.answer(ground.saved))
        wrong = failed(branch.verify(ground.task.criteria))
        rows.append({"variant": name, "failed": wrong, "refused": []})
        if wrong:
            findings.append(_no_longer(name, wrong, _BY_THE_END))
    shown_by = f"{counted(len(rows), 'other right way')} pass{'es' if len(rows) == 1 else ''}"
    return concluded("equivalent", shown_by, findings, {"variants": rows})


def _no_longer(name: str, wrong: list[str], advice: str) -> str:
    told, hold = ("criteria", "hold") if len(wrong) > 1 else ("criterion", "holds")
    return f"with {name} {told} {', '.join(wrong)} no longer {hold}: {advice}"


def _refusal(call: ReferenceCall, error: dict[str, Any] | None) -> str:
    told = error.get("message") if error else "it succeeds"
    return f"{call.service}.{call.tool}: {told}"


def variants(ground: Ground) -> Iterator[Equivalent]:
    """The other right ways of a task."""
    for name, pick in _ORDERS.items():
        order = _ordered(ground, pick)
        if order != list(range(len(ground.calls))):
            advice = (
                "judge the end and not the way there, or, where the order is asked for, let the later call take from "
                "an observation of the earlier"
            )
            yield Equivalent(f"the calls in another order ({name})", advice, [Step(ground.calls[n]) for n in order])
    yield from _more_reads(ground)
    yield Equivalent(f"{MORE_READS} more reads before", _BY_THE_END, ground.rest(0), patient=True)
    calls = [
        call.model_copy(update={"arguments": reworded(call.arguments, number)})
        for number, call in enumerate(ground.calls, 1)
    ]
    yield Equivalent(
        "the free texts in other words",
        "judge the values in a text and not the words around them; what has to stand by the letter is a {name}",
        [Step(call) for call in calls],
        answer=reworded(ground.task.task.reference.answer),
    )
    for name, write in writings(ground):
        steps = [
            Step(call.model_copy(update={"arguments": rewritten(call.arguments, ground.saved, write), "save": None}))
            for call in ground.calls
        ]
        answer = rewritten(ground.task.task.reference.answer, ground.saved, write)
        if answer != ground.answer(ground.saved) or any(
            step.call.arguments != event.arguments for step, event in zip(steps, ground.events, strict=True)
        ):
            advice = "judge a value by what it is and not by how it is written, as says(text, value) does"
            yield Equivalent(f"numbers and dates in texts written as {name}", advice, steps, answer=answer)
    yield from _otherwise_said(ground)
    if remarked := _remarked(ground):
        advice = "whoever takes a step may say a word on it: leave free what is for that alone"
        yield Equivalent("a word given where a step takes one", advice, remarked)
    tried = dict(_mistakes(ground))
    if tried:
        steps = []
        for number, step in enumerate(ground.rest(0)):
            if number in tried:
                steps.append(Step(tried[number], fails=True))
            steps.append(step)
        advice = "judge what was reached: a call that failed changed nothing"
        yield Equivalent("a retry after an error", advice, steps)


def _otherwise_said(ground: Ground) -> Iterator[Equivalent]:
    steps, start, answer = with_more_words(ground)
    advice = "a sentence more does no harm: judge that what is asked for is said, and forbid only lists of guesses"
    yield Equivalent("a harmless sentence in messages and answer", advice, steps, after=start, answer=answer)
    if (parts := in_two_parts(ground)) is not None:
        advice = "judge what messages say together, and allow for one more of them"
        yield Equivalent("a message in two parts", advice, parts[0], after=parts[1])


# another log

_BY_THE_END = (
    "judge what stands in the rows, in row_changes and in the answer, and not which tools were called or how many times"
)
_LOGS: dict[str, Callable[[Database, Branch], None]] = {
    "the same done by other tools": with_other_tools,
    "what was read known already": without_reads,
    "what was made written once more": with_corrections,
}


def _patient(ground: Ground) -> Branch:
    branch = ground.fresh()
    read_before(ground.world.database, branch, ground.base)
    return branch


# another order


def _ordered(ground: Ground, pick: Callable[[list[int], list[int]], int]) -> list[int]:
    """The calls in another order: each after those that it takes from, and after its service's earlier ones."""
    maker = {call.save: number for number, call in enumerate(ground.calls) if call.save}
    before = [
        {maker[name] for name in ground.takes_from(number)}
        | {other for other in range(number) if ground.calls[other].service == call.service}
        for number, call in enumerate(ground.calls)
    ]
    done: list[int] = []
    while len(done) < len(before):
        ready = [number for number in range(len(before)) if number not in done and before[number] <= set(done)]
        done.append(pick(ready, done))
    return done


_ORDERS: dict[str, Callable[[list[int], list[int]], int]] = {
    "what can be done later is done first": lambda ready, done: ready[-1],
    "what can wait waits": lambda ready, done: ready[1] if len(ready) > 1 else ready[0],
}


# more reads


def _more_reads(ground: Ground) -> Iterator[Equivalent]:
    advice = "looking at something is no change: allow for what a read leaves behind"
    repeated = next((number for number, call in enumerate(ground.calls) if _only_reads(ground, call)), None)
    if repeated is not None:
        again = ground.calls[repeated].model_copy(update={"save": None})
        steps = [Step(again), *ground.rest(repeated + 1)]
        yield Equivalent("a read made twice", advice, steps, after=repeated + 1)
    for service in ground.task.task.distractors:
        tools = ground.task.composition.services[service].offered(False)
        for name, tool in tools.items():
            if tool.specification.read_only and not tool.specification.required:
                look = Step(ReferenceCall(service=service, tool=name))
                yield Equivalent(f"a look into {service}", advice, [look, *ground.rest(0)])
                return


def _only_reads(ground: Ground, call: ReferenceCall) -> bool:
    return ground.specification(call).read_only


# a word on a step

_WORD = "As it was agreed."


def _remarked(ground: Ground) -> list[Step]:
    """The reference, with a word in every optional argument for one that it leaves out; empty where there is none.

    What a service takes no word with goes without. A field of that name which an update sets is no word on a step.
    """
    given = {
        number: call.model_copy(update={"arguments": {**call.arguments, name: _WORD}})
        for number in ground.writes
        for call in (ground.calls[number],)
        for name in REMARKS
        if _takes_word(ground, number, name)
    }
    if not given:
        return []
    steps = [Step(given.get(number, call)) for number, call in enumerate(ground.calls)]
    played = ground.play(steps)
    events = played.branch.events()
    without = {number for number in given if number in played.refused or _sets_field(events[number])}
    if without == given.keys():
        return []
    return [Step(ground.calls[number]) if number in without else step for number, step in enumerate(steps)]


def _sets_field(event: Event) -> bool:
    """Whether a field with the name of an argument for a word comes to hold the word, in a row that was there."""
    updates = [(change.before or {}, change.after or {}) for change in event.changes if change.op == "update"]
    return any(after.get(name) == _WORD != before.get(name) for before, after in updates for name in REMARKS)


def _takes_word(ground: Ground, number: int, name: str) -> bool:
    call = ground.calls[number]
    tool = ground.specification(call)
    schema = tool.properties.get(name, {})
    if name in tool.required or call.arguments.get(name) is not None:
        return False
    return schema.get("type") == "string" and "enum" not in schema


# a mistake, then the right call


def _mistakes(ground: Ground) -> Iterator[tuple[int, ReferenceCall]]:
    """Calls that write, each with an argument that is missing or of the wrong kind."""
    for number in [number for number in ground.writes if ground.calls[number].arguments][:RETRIES]:
        call = ground.calls[number]
        arguments = dict(call.arguments)
        required = [name for name in ground.specification(call).required if name in arguments]
        if required:
            del arguments[required[-1]]
        else:
            arguments[next(iter(arguments))] = [{}]
        yield number, call.model_copy(update={"arguments": arguments, "save": None})
