"""Tools without code: what a world model is asked, what becomes of its answers, and how they are replayed."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import DatabaseUnavailable, InfrastructureError, InputError, Refused
from engine.exchanges import read_exchanges
from engine.simulation import Budget, Exchange, Prediction, Question
from synth.world_model.scripted import ScriptedWorldModel, delete, done, insert, refused, update
from tests.engine.conftest import MakeWorld
from tests.engine.look import check_consistent
from tests.engine.oracle import PRODUCT, Play, asked, everything, mute


def test_an_answer_becomes_an_event(play: Play) -> None:
    branch = play(everything)
    branch.call("shop", "make")
    result = branch.call("shop", "arrange", wish="all of it")
    assert result.ok, result.detail
    assert (result.event, result.produced_by) == (2, "world_model")
    new = result.data["id"]
    assert new.startswith("prd_") and result.data["said"].startswith(f"made {new} for ")
    state = branch.state()
    assert state["shop_product"][new]["price"] == 4.5
    assert state["shop_product"]["p1"]["title"] == "Apron ☃"
    assert "c1" not in state["shop_customer"]
    assert state["shop_customer"]["c2"]["boss_id"] is None  # as the references say
    events = branch.events()
    assert [item.produced_by for item in events] == ["code", "world_model"]
    assert result.changes == len(events[1].changes)
    check_consistent(branch)


def test_the_same_call_on_the_same_state_gives_the_same_identifiers(play: Play) -> None:
    branch = play(everything)
    twin = branch.fork()
    assert branch.call("shop", "arrange", wish="x").data == twin.call("shop", "arrange", wish="x").data
    assert branch.digest() == twin.digest()


def test_what_is_asked(play: Play) -> None:
    branch = play(done({"advice": "none"}))
    branch.call("shop", "make")
    branch.call("shop", "advise", customer="ada@shop.example")
    (question,) = asked(branch)
    assert (question.service.name, question.specification.name, question.event) == ("shop", "advise", 2)
    assert question.arguments == {"customer": "ada@shop.example"}
    assert question.now == branch.events()[1].logical_time
    assert [row["id"] for row in question.state.rows["customer"]] == ["c1", "c2"]
    assert len(question.state.rows["product"]) == 3
    assert question.state.left_out == {}
    assert question.state.rows["product"][0]["extra"] == {"care": {"wash": 40, "iron": None}, "ü": [1, 2.5, True]}


def test_a_large_state_is_shown_in_part(play: Play) -> None:
    branch = play(done({}), budget=Budget(rows=8, characters=10_000))
    branch.call("shop", "make", count=60)
    made = branch.events()[0].observation["data"]["ids"]
    branch.call("shop", "arrange", wish=made[41])
    seen = asked(branch)[0].state
    assert seen.rows["product"][0]["id"] == made[41]
    assert sum(map(len, seen.rows.values())) <= 8
    assert seen.left_out["product"] == 62 - len(seen.rows["product"])


def test_what_the_call_names_comes_first_with_what_belongs_to_it(play: Play) -> None:
    branch = play(done({}), budget=Budget(rows=6))
    branch.call("shop", "make", count=30)
    branch.call("shop", "arrange", wish="u1")
    seen = asked(branch)[0].state.rows
    # The purchase, its customer and that one's region, then its lines.
    assert [row["id"] for row in seen["purchase"]] == ["u1"]
    assert seen["customer"][0]["id"] == "c1"
    assert seen["region"][0]["id"] == "r1"
    assert seen["line"][0]["purchase_id"] == "u1"


def test_words_in_texts_and_numbers_are_found(play: Play) -> None:
    branch = play(done({}), budget=Budget(rows=1))
    branch.call("shop", "make", count=5)
    branch.call("shop", "arrange", wish="bow")
    branch.call("shop", "arrange", wish="nothing like it", amount=7)
    branch.call("shop", "arrange", wish="wash", amount=1)
    found = [[row["id"] for row in item.state.rows["product"]] for item in asked(branch)]
    assert found == [["p2"], ["p2"], ["p1"]]


def test_long_texts_are_cut(play: Play) -> None:
    branch = play(done({}))
    steps = [{"op": "set", "table": "shop_purchase", "key": ["u1"], "values": {"user": "x" * 9_000}}]
    branch.call("shop", "apply", steps=steps)
    branch.call("shop", "arrange", wish="?")
    assert asked(branch)[0].state.rows["purchase"][0]["user"].endswith("… [5000 more characters]")


def test_wrong_arguments_are_refused_without_asking(play: Play) -> None:
    branch = play(done({}))
    result = branch.call("shop", "arrange", wish="x", amount=0)
    assert (result.outcome, result.produced_by) == ("invalid", "code")
    assert not asked(branch)
    assert branch.replay().same


def test_a_model_may_say_no(play: Play) -> None:
    branch = play(refused("not_found", "There is no such customer.", customer="x"))
    result = branch.call("shop", "arrange", wish="x")
    assert (result.outcome, result.error) == (
        "error",
        {"code": "not_found", "message": "There is no such customer.", "details": {"customer": "x"}},
    )
    assert branch.events()[0].produced_by == "world_model"


WRONG: list[tuple[Any, str]] = [
    ("text", "an object of changes and result"),
    ({"changes": [], "result": {"ok": True}}, "result.data"),
    ({"changes": [], "result": {"ok": "yes"}}, "result:"),
    ({"changes": [], "result": {"ok": False, "code": "Not Found", "message": ""}}, "result.message"),
    ({"changes": {}, "result": {"ok": True, "data": 1}}, "it is a list"),
    ({"thoughts": "", "result": {"ok": True, "data": 1}}, "thoughts: there is no such part"),
    (done(1, {"op": ["insert"]}), "insert, update or delete"),
    (done(1, insert("rocket", id="x")), "there is no entity 'rocket'"),
    (done(1, insert("product", id="$new:product:1", **PRODUCT, colour="red")), "product has no such field"),
    (done(1, insert("product", id="$new:product:1", sku="C")), "title: it must be given"),
    (done(1, insert("product", id="prd_mine", **PRODUCT)), "$new:product:1"),
    (done(1, insert("product", id="$new:cup:1", **PRODUCT)), "there is no entity 'cup'"),
    (done(1, update("product", "p1", price="dear")), "changes[0].values.price"),
    (done(1, update("product", "p1", price=-1)), "price"),
    (done(1, update("product", "p1", status="sold")), "status"),
    (done(1, update("product", "p1", added_at="2026-03-02T09:00:00")), "added_at"),
    (done(1, update("product", "p1", id="p9")), "the key of a row cannot change"),
    (done(1, update("product", "p9", stock=1)), "There is no product 'p9'"),
    (done(1, update("line", "u1", amount=1)), "an object of purchase_id, product_id"),
    (done(1, update("product", "p2", sku="A-1")), "already has a row with this sku"),
    (done(1, update("product", "p2", region_id="r9")), "there is no such row of shop_region"),
    (done(1, delete("product", "p1")), "still refers to"),
    (done(1, {"op": "delete", "entity": "product"}), "needs 'key'"),
    (done("nul \x00"), "NUL"),
    (done(float("nan")), "nan"),
    ({**refused("conflict", "No."), "changes": [update("product", "p1", stock=1)]}, "a call that fails changes"),
]


@pytest.mark.parametrize(("answer", "problem"), WRONG, ids=[item[1][:40] for item in WRONG])
def test_a_wrong_answer_goes_back_to_the_model(play: Play, answer: Any, problem: str) -> None:
    branch = play(answer, done("right", update("product", "p2", stock=1)))
    before = branch.digest()
    result = branch.call("shop", "arrange", wish="x")
    first, second = asked(branch)
    assert first.rejected == ()
    (rejection,) = second.rejected
    assert rejection.prediction.answer is answer
    assert any(problem in item for item in rejection.problems), rejection.problems
    assert (result.event, result.data, result.changes) == (1, "right", 1)
    assert branch.digest(0) == before
    kept = read_exchanges(branch.composition.world.database, branch.id, 1)
    assert [item["attempt"] for item in kept] == [1, 2]
    assert [bool(item["problems"]) for item in kept] == [True, False]
    check_consistent(branch)


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


EXCHANGE = Exchange("odd", None, None)
ODD: dict[str, Any] = {
    "nothing": None,
    "another type": {"answer": done(1)},
    "no exchange": Prediction(done(1), None),  # type: ignore[arg-type]
    "another type of exchange": Prediction(done(1), {"model": "x"}),  # type: ignore[arg-type]
    "deep": Prediction(done(_nested(900)), EXCHANGE),
    "very deep": Prediction(done(_nested(100_000)), EXCHANGE),
    "mixed keys": Prediction({**done(1), 5: 1, None: 2}, EXCHANGE),
    "mixed keys inside": Prediction(done({"a": 1, 5: 1}), EXCHANGE),
    "no JSON": Prediction(done({1, 2}), EXCHANGE),
    "endless number": Prediction(done(10**6000), EXCHANGE),
    "large": Prediction(done("x" * 4_000_000), EXCHANGE),
    "deep exchange": Prediction(done(1), Exchange("odd", _nested(900), _nested(100_000))),
    "mixed keys in the exchange": Prediction(done(1), Exchange("odd", {(1, 2): 3}, {5: 1, "a": 2})),
    "no JSON in the exchange": Prediction(done(1), Exchange("odd", object(), b"")),
    "tokens": Prediction(done(1), Exchange("odd", None, None, input_tokens="many")),  # type: ignore[arg-type]
    "cost": Prediction(done(1), Exchange("odd", None, None, cost_usd=float("nan"))),
    "problem": Prediction(None, EXCHANGE, problem=["odd"]),  # type: ignore[arg-type]
}


@dataclass
class _Odd:
    prediction: Any
    name: str = "odd"
    budget: Budget = field(default_factory=Budget)
    asked: list[Question] = field(default_factory=list)

    def predict(self, question: Question) -> Prediction:
        self.asked.append(question)
        return self.prediction  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", ODD)
def test_whatever_a_model_gives_is_a_fault_of_ours_at_most(play: Play, kind: str) -> None:
    branch = play(done(1))
    model = branch.composition.world.calls.world_model = _Odd(ODD[kind])
    before = branch.digest()
    result = branch.call("shop", "arrange", wish="x")
    assert (result.outcome, result.changes) == ("fault", 0)
    assert "no valid answer in 3 tries" in (result.detail or "")
    assert len(model.asked) == 3 and all(item.problems for item in model.asked[2].rejected)
    assert len(read_exchanges(branch.composition.world.database, branch.id, 1)) == 3
    assert branch.digest() == before


def test_a_read_only_tool_changes_nothing(play: Play) -> None:
    branch = play(done({"advice": "x"}, update("product", "p1", stock=1)), done({"advise": 1}), done({"advice": "y"}))
    assert branch.call("shop", "advise", customer="c1").data == {"advice": "y"}
    problems = [item.problems for item in asked(branch)[2].rejected]
    assert "read-only" in problems[0][0]
    assert '"advice" is a required property' in problems[1][0]


def test_a_model_that_never_gets_it_right_is_a_fault_of_ours(play: Play, make_world: MakeWorld) -> None:
    branch = play(done(1, delete("product", "p9")))
    result = branch.call("shop", "arrange", wish="x")
    assert (result.outcome, result.changes, result.produced_by) == ("fault", 0, "world_model")
    assert result.error and result.error["code"] == "service_failure"
    assert "no valid answer in 3 tries" in (result.detail or "") and "p9" in (result.detail or "")
    assert len(asked(branch)) == 3
    assert branch.digest() == branch.digest(0)
    kept = read_exchanges(branch.composition.world.database, branch.id, 1)
    assert len(kept) == 3 and all(item["problems"] for item in kept)
    assert branch.call("shop", "make").ok
    assert mute(branch, make_world).replay().same


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (InfrastructureError("the model is down"), InfrastructureError),
        (RuntimeError("bug"), InfrastructureError),
        (InputError("no key"), InfrastructureError),
        (DatabaseUnavailable("gone"), DatabaseUnavailable),
    ],
)
def test_a_model_that_is_down_leaves_nothing(play: Play, raised: Exception, kind: type[Exception]) -> None:
    branch = play(done(1, delete("product", "p9")), raised, done("back"))
    with pytest.raises(kind):
        branch.call("shop", "arrange", wish="x")
    assert branch.head() == 0
    with branch.composition.world.database.transaction() as connection:
        assert connection.execute(text("SELECT count(*) FROM compoworld.world_model_call")).scalar() == 0
    assert branch.call("shop", "arrange", wish="x").data == "back"


def test_the_model_is_asked_outside_any_transaction(play: Play) -> None:
    def look(question: Question) -> Any:
        # Another call on the same branch is not kept waiting.
        return done(branch.fork().call("shop", "make").event)

    branch = play(look)
    assert branch.call("shop", "arrange", wish="x").data == 1


def test_a_branch_that_went_on_is_asked_about_anew(play: Play) -> None:
    def slow(question: Question) -> Any:
        if question.event < 3:
            branch.call("shop", "make")
        return done(len(question.state.rows["product"]))

    branch = play(slow)
    result = branch.call("shop", "arrange", wish="x")
    assert (result.event, result.data) == (3, 4)
    kept = read_exchanges(branch.composition.world.database, branch.id, 3)
    assert [item["problems"] for item in kept] == [["the branch went on in the meantime"]] * 2 + [[]]


def test_a_branch_that_always_goes_on(play: Play) -> None:
    def slow(_: Question) -> Any:
        branch.call("shop", "make")
        return done(1)

    branch = play(slow)
    with pytest.raises(InfrastructureError, match="stayed busy"):
        branch.call("shop", "arrange", wish="x")


def test_a_sealed_branch_is_refused_before_asking(play: Play) -> None:
    branch = play(done(1))
    branch.call("shop", "make")
    shown = branch.fork(at=1)
    with branch.composition.world.database.transaction() as connection:
        connection.execute(text("UPDATE compoworld.branch SET sealed = true WHERE id = :id"), {"id": shown.id})
    with pytest.raises(Refused):
        shown.call("shop", "arrange", wish="x")
    assert not asked(branch)


def test_a_lost_database_leaves_nothing(play: Play) -> None:
    def cut(question: Question) -> Any:
        with branch.composition.world.database.raw() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        return done("there", update("product", "p1", stock=9))

    branch = play(cut, done("again"))
    # Connections that died in the pool are not the call's: it is made on a new one.
    assert branch.call("shop", "arrange", wish="x").data == "there"
    assert branch.head() == 1
    check_consistent(branch)


def test_a_parked_composition_comes_back(play: Play) -> None:
    branch = play(done(1, update("product", "p1", stock=3)))
    branch.call("shop", "make")
    assert branch.composition.park()
    assert branch.call("shop", "arrange", wish="x").ok
    check_consistent(branch)


def test_many_at_once(play: Play) -> None:
    base = play(everything)
    branches = [base.fork() for _ in range(6)]
    threads = [threading.Thread(target=item.call, args=("shop", "arrange"), kwargs={"wish": "x"}) for item in branches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({item.digest() for item in branches}) == 1
    assert all(item.events()[0].outcome == "ok" for item in branches)


def test_a_prediction_that_holds_no_answer(play: Play) -> None:
    branch = play(done(1))

    class Silent(ScriptedWorldModel):
        def predict(self, question: Question) -> Prediction:
            found = super().predict(question)
            return found if question.rejected else Prediction(None, found.exchange, "it was cut off")

    model = Silent(done("whole"))
    branch.composition.world.calls.world_model = model
    assert branch.call("shop", "arrange", wish="x").data == "whole"
    assert model.questions[1].rejected[0].problems == ("it was cut off",)
