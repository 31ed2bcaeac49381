"""A call of a tool without code: the world model is asked outside any transaction, its answer is made a call.

What the model says is nobody's word: it is read, checked and applied as the doing of a tool, or goes back to it with
what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import psycopg
from sqlalchemy.orm import Session

from engine._answers import Answer
from engine._edits import Edit, Reader, apply
from engine._relevant import named_texts, relevant
from engine._requests import Request
from engine._session import ToolSession
from engine._verdicts import Verdict, fault, refusal
from engine.database import Database, retried
from engine.errors import DatabaseUnavailable, InfrastructureError, ToolError
from engine.exchanges import Asked, unkept, write_exchanges
from engine.kit import Context, Person, Service
from engine.kit.values import deeper, json_text, no_json, shown
from engine.simulation import Exchange, Prediction, Question, Rejection, WorldModel

MOVES = 5
"""How often a question is asked anew because the branch went on in the meantime."""

MOST_PROBLEMS = 20

MAX_OBSERVATION = 4_000_000
"""Characters of a result as JSON."""

MAX_DEPTH = 100

_BEGIN = "SELECT seq, logical_time, identity, built FROM compoworld.begin_call(%s, true)"
T = TypeVar("T")

_CODE = re.compile(r"[a-z][a-z0-9_.-]{0,59}")


class Rejected(Exception):
    """An answer that is not valid."""

    def __init__(self, problems: Iterable[object]) -> None:
        self.problems = tuple(str(shown(str(item)))[:1_000] for item in problems)[:MOST_PROBLEMS]
        super().__init__("; ".join(self.problems))


class Moved(Exception):
    """The branch is no longer where the question was asked."""


@dataclass
class _Place:
    """Where a question stands: the same place gives the same identifiers."""

    question: Question
    identity: str
    built: bool


@dataclass
class Predicted(Answer):
    """A world model's answer; it holds for one event only."""

    event: int | None
    edits: Sequence[Edit]
    verdict: Verdict
    asked: Sequence[Asked]

    def begin(self, event: int) -> None:
        if self.event is not None and event != self.event:
            raise Moved

    def apply(self, context: Context, session: ToolSession) -> Verdict:
        apply(context, self.edits)
        if self.verdict.outcome == "ok":
            session.keep()
        return self.verdict

    def judge(self, verdict: Verdict) -> None:
        if verdict is not self.verdict:
            problem = verdict.detail or verdict.observation["error"]["message"]
            raise Rejected([problem.strip().splitlines()[-1]])

    def record(self, cursor: psycopg.Cursor[Any], branch: int, event: int) -> None:
        write_exchanges(cursor, branch, event, self.asked)


def simulated_call(
    model: WorldModel,
    database: Database,
    branch: int,
    person: Person,
    service: Service,
    request: Request,
    make: Callable[[Request], T],
    built: Callable[[], object],
) -> T:
    """Make a call whose tool is simulated.

    Args:
        make: makes the call of a request that holds the answer.
        built: called where the question brought a parked composition back.

    Raises:
        InfrastructureError: there is no answer to be had; nothing was left behind.
        DatabaseUnavailable: the database was lost; nothing was left behind.
    """
    assert request.bound is not None
    try:
        request.bound.typed(request.arguments)
    except ToolError:
        return make(request)  # what is wrong with the arguments is said as for any tool
    asked: list[Asked] = []
    rejected: list[Rejection] = []
    place: _Place | None = None
    moves = 0
    while True:
        if place is None:
            place = _ask(database, branch, person, service, request, model)
            if place.built:
                built()
        prediction = _predict(model, replace(place.question, rejected=tuple(rejected)))
        try:
            try:
                edits, verdict = _understood(prediction, place)
            except (OverflowError, TypeError, ValueError) as error:
                raise Rejected([f"the answer cannot be read: {error}"]) from error
            request.answer = Predicted(place.question.event, edits, verdict, [*asked, Asked(prediction.exchange, ())])
            return make(request)
        except Moved:
            asked.append(Asked(prediction.exchange, ("the branch went on in the meantime",)))
            rejected, place, moves = [], None, moves + 1
            if moves > MOVES:
                raise InfrastructureError(f"branch {branch} stayed busy: {request.name} was not made") from None
        except Rejected as problem:
            asked.append(Asked(prediction.exchange, problem.problems))
            rejected.append(Rejection(prediction, problem.problems))
            if len(rejected) >= model.budget.answers:
                request.early = fault(
                    f"the world model {model.name} gave no valid answer in {len(rejected)} tries: {problem}"
                )
                request.answer = Predicted(None, (), request.early, asked)
                return make(request)


@retried
def _ask(
    database: Database, branch: int, person: Person, service: Service, request: Request, model: WorldModel
) -> _Place:
    """The question, and the state for it, read in a transaction that leaves nothing."""
    assert request.bound is not None
    with database.transaction() as connection:
        seq, now, identity, built = connection.exec_driver_sql(_BEGIN, (branch,)).one()
        state = relevant(connection, service, request.arguments, model.budget)
    specification = request.bound.specification
    return _Place(Question(service, specification, request.arguments, person, now, seq, state), identity, built)


def _predict(model: WorldModel, question: Question) -> Prediction:
    try:
        prediction = model.predict(question)
    except (InfrastructureError, DatabaseUnavailable):
        raise
    except Exception as error:
        # Whatever it is, it is ours: it must not look like the doing of the agent that made the call.
        raise InfrastructureError(f"the world model {model.name} failed: {type(error).__name__}: {error}") from error
    return _kept(model, prediction)


def _kept(model: WorldModel, given: Any) -> Prediction:
    """A prediction whose exchange can be kept; what is none has a problem."""
    none = Exchange(model.name, None, None)
    if not isinstance(given, Prediction):
        return Prediction(None, none, f"a prediction was to be given, not {type(given).__name__}")
    problem = unkept(given.exchange, MAX_DEPTH)
    return given if problem is None else replace(given, exchange=none, problem=given.problem or problem)


def _understood(prediction: Prediction, place: _Place) -> tuple[list[Edit], Verdict]:
    """The edits and the verdict of an answer.

    Raises:
        Rejected: it is not valid.
    """
    if prediction.problem is not None:
        raise Rejected([prediction.problem])
    question, answer = place.question, prediction.answer
    if not isinstance(answer, dict):
        raise Rejected(["the answer is an object of changes and result"])
    if deeper(answer, MAX_DEPTH):
        raise Rejected(["the answer is nested too deeply"])
    if (problem := no_json(answer, "answer")) is not None:
        raise Rejected([problem])
    # No session: all that is wanted of the context are identifiers.
    context = Context(question.person, Session(), question.now, place.identity)
    reader = Reader(question.service.entities, context.new_id, named_texts(question.arguments))
    problems = reader.problems
    problems += [
        f"{part}: there is no such part of an answer" for part in sorted(answer.keys() - {"changes", "result"})
    ]
    edits = reader.read(answer.get("changes", []))
    result = reader.filled(answer.get("result"))
    if edits and question.specification.read_only:
        problems.append("changes: the tool is declared read-only, so it changes nothing")
    verdict = _verdict(question, result, problems)
    if edits and verdict is not None and verdict.outcome == "error":
        problems.append("changes: a call that fails changes nothing")
    if problems or verdict is None:
        raise Rejected(problems)
    return edits, verdict


def _verdict(question: Question, result: Any, problems: list[str]) -> Verdict | None:
    if not isinstance(result, dict) or not isinstance(result.get("ok"), bool):
        problems.append('result: it is {"ok": true, "data": ...} or {"ok": false, "code": ..., "message": ...}')
        return None
    wanted = {"ok", "data"} if result["ok"] else {"ok", "code", "message", "details"}
    problems += [f"result.{part}: there is no such part" for part in sorted(result.keys() - wanted, key=str)]
    if result["ok"]:
        if "data" not in result:
            problems.append("result.data: it must be given")
            return None
        problems += [f"result.data: {item}" for item in question.specification.output_problems(result["data"])]
        verdict = Verdict("ok", {"ok": True, "data": result["data"]})
    else:
        code, message, details = result.get("code"), result.get("message"), result.get("details")
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            problems.append("result.code: it is a word such as not_found, invalid, conflict, forbidden, limit")
        if not isinstance(message, str) or not message.strip() or len(message) > 2_000:
            problems.append("result.message: it is a sentence")
        if details is not None and not isinstance(details, dict):
            problems.append("result.details: it is an object")
        verdict = refusal("error", str(code), str(message), details)
    try:
        verdict.text = json_text(verdict.observation, "result")
    except (TypeError, ValueError) as error:
        problems.append(str(error))
    else:
        if len(verdict.text) > MAX_OBSERVATION:
            problems.append(f"result: it has {len(verdict.text)} characters; at most {MAX_OBSERVATION} are taken")
    return verdict
