"""The retail service on its own seed data."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import nullcontext
from decimal import Decimal
from typing import Any

import pytest

from engine.errors import EntityInvalid, InputError
from engine.kit import Entity, Seed
from services.retail import service
from services.retail.calculator import CalculationError, calculate
from services.retail.conformance import Cases, differences, expected_state, read_cases, run, state_differences
from services.retail.dataset import rows_from_state, state_from_rows
from services.retail.seed import document
from services.retail.state import OrderItem, Payment, PaymentMethod, User, Variant
from tests.services.play import Play

STATE = document(Seed("retail"))
ADDRESS = {
    "address1": "4 Rue de l'Église",
    "address2": "",
    "city": "Lyon",
    "state": "ARA",
    "country": "France",
    "zip": "69003",
}


@pytest.fixture
def shop(play: Callable[..., Play]) -> Play:
    return play("retail")


def state_of(shop: Play) -> dict[str, Any]:
    return state_from_rows({entity: shop.rows(entity) for entity in service.entities})


def order_of(status: str, wallet: str | None = None, items: int = 1) -> dict[str, Any]:
    """An order of the seed in this state, with so many items at least, whose customer has such a method."""
    for order in STATE["orders"].values():
        methods = STATE["users"][order["user_id"]]["payment_methods"]
        fits = wallet is None or any(method["source"] == wallet for method in methods.values())
        if fits and order["status"] == status and len(order["items"]) >= items:
            return order
    raise AssertionError(f"the seed has no {status} order")


def paid_with(order: dict[str, Any]) -> str:
    return order["payment_history"][0]["payment_method_id"]


def alternative(item: dict[str, Any], available: bool = True) -> dict[str, Any]:
    """Another variant of an ordered item's product."""
    variants = STATE["products"][item["product_id"]]["variants"].values()
    return next(one for one in variants if one["available"] is available and one["item_id"] != item["item_id"])


def refused(shop: Play, message: str, tool: str, **arguments: Any) -> None:
    """The tool says exactly this and changes nothing."""
    before = state_of(shop)
    assert shop.fails("retail", tool, **arguments)["message"] == message
    assert state_of(shop) == before


def other_method(order: dict[str, Any], source: str | None = None) -> str:
    methods = STATE["users"][order["user_id"]]["payment_methods"].values()
    return next(one["id"] for one in methods if one["id"] != paid_with(order) and source in (None, one["source"]))


# Seed


def test_the_seed_is_deterministic_sound_and_has_every_state_that_matters() -> None:
    assert document(Seed("retail", 3)) == document(Seed("retail", 3))
    assert document(Seed("retail", 3)) != document(Seed("retail", 4))
    assert (len(STATE["products"]), len(STATE["users"]), len(STATE["orders"])) == (12, 12, 30)
    statuses = Counter(order["status"] for order in STATE["orders"].values())
    assert statuses.keys() == {"pending", "processed", "delivered", "cancelled"}
    assert min(statuses.values()) >= 3
    emails = {person.email for person in Seed("retail").contacts}
    for user in STATE["users"].values():
        assert user["email"] in emails
    for order in STATE["orders"].values():
        total = sum(Decimal(str(item["price"])) for item in order["items"])
        assert Decimal(str(order["payment_history"][0]["amount"])) == total
        assert paid_with(order) in STATE["users"][order["user_id"]]["payment_methods"]


@pytest.mark.parametrize("number", [0, 1, 7])
def test_seed_rows_are_valid_and_give_the_document_again(number: int) -> None:
    rows: defaultdict[type[Entity], list[Entity]] = defaultdict(list)
    for row in service.seed(Seed("retail", number)):
        rows[type(row)].append(row.check())
    assert state_from_rows(rows) == document(Seed("retail", number))


def test_the_damaged_consignment_is_there(shop: Play) -> None:
    talia = shop.ok("retail", "find_user_id_by_email", email="talia.brooks@granitepeak.example")
    orders = [
        shop.ok("retail", "get_order_details", order_id=one)
        for one in shop.ok("retail", "get_user_details", user_id=talia)["orders"]
    ]
    numbers = [f["tracking_id"] for order in orders for f in order["fulfillments"]]
    assert ["GP-778"] in numbers


# Reading


def test_everything_is_shown_as_the_document_has_it(shop: Play) -> None:
    for name, tool, argument in (
        ("orders", "get_order_details", "order_id"),
        ("users", "get_user_details", "user_id"),
        ("products", "get_product_details", "product_id"),
    ):
        for key, entry in STATE[name].items():
            shown = shop.ok("retail", tool, **{argument: key})
            assert json.dumps(shown) == json.dumps(entry)
    for product in STATE["products"].values():
        for item_id, variant in product["variants"].items():
            assert shop.ok("retail", "get_item_details", item_id=item_id) == variant


@pytest.mark.parametrize("key", ["", "nothing", "#W0", "a'b\"c", "é"])
def test_unknown_ids(shop: Play, key: str) -> None:
    fails = shop.fails
    assert fails("retail", "get_order_details", order_id=key)["message"] == "Order not found"
    assert fails("retail", "get_user_details", user_id=key)["message"] == "User not found"
    assert fails("retail", "get_product_details", product_id=key)["message"] == "Product not found"
    assert fails("retail", "get_item_details", item_id=key)["message"] == "Item not found"
    assert fails("retail", "find_user_id_by_email", email=key)["message"] == "User not found"
    error = fails("retail", "find_user_id_by_name_zip", first_name=key, last_name=key, zip=key)
    assert (error["code"], error["message"]) == ("not_found", "User not found")


def test_products_and_items_do_not_share_ids(shop: Play) -> None:
    product_id, product = next(iter(STATE["products"].items()))
    shop.fails("retail", "get_item_details", item_id=product_id)
    shop.fails("retail", "get_product_details", product_id=next(iter(product["variants"])))


def test_customers_are_found_whatever_the_case(shop: Play) -> None:
    for user_id, user in STATE["users"].items():
        assert shop.ok("retail", "find_user_id_by_email", email=user["email"].upper()) == user_id
        first, last, zip_code = user["name"]["first_name"], user["name"]["last_name"], user["address"]["zip"]
        found = shop.ok(
            "retail",
            "find_user_id_by_name_zip",
            first_name=first.upper(),
            last_name=last.lower(),
            zip=zip_code,
        )
        assert found == user_id
        shop.fails("retail", "find_user_id_by_name_zip", first_name=first, last_name=last, zip=zip_code + "0")


def test_product_types_are_a_text_in_alphabetical_order(shop: Play) -> None:
    listed = json.loads(shop.ok("retail", "list_all_product_types"))
    assert listed == {product["name"]: key for key, product in STATE["products"].items()}
    assert list(listed) == sorted(listed)


def test_arguments_are_checked(shop: Play) -> None:
    for arguments in ({}, {"order_id": 7}, {"order_id": "#W1", "more": 1}):
        assert shop.fails("retail", "get_order_details", **arguments)["code"] == "invalid_arguments"


def test_a_transfer_stores_nothing(shop: Play) -> None:
    before = state_of(shop)
    assert shop.ok("retail", "transfer_to_human_agents", summary="«insists»") == "Transfer successful"
    assert state_of(shop) == before


# Arithmetic


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7.0"),
        ("(9.5 - 2) / 4", "1.88"),
        ("-(2 - 5)", "3.0"),
        ("2 ** 10", "1024.0"),
        ("7 // 2", "3.0"),
        ("  8", "8.0"),
        ("1 ** 9999999999", "1.0"),
        ("10 ** -400", "0.0"),
        ("+".join(["1"] * 500), "500.0"),
        ("-" * 400 + "1", "1.0"),
    ],
)
def test_arithmetic(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("2 ^ 3", "Invalid characters in expression"),
        ("len('x')", "Invalid characters in expression"),
        ("1e5", "Invalid characters in expression"),
        ("1\n+1", "Invalid characters in expression"),
        ("\uff11", "Invalid characters in expression"),
        ("5 *", "invalid syntax (<string>, line 1)"),
        ("3 / 0", "division by zero"),
        ("9 ** 9 ** 9 ** 9", "int too large to convert to float"),
        ("10 ** 400", "int too large to convert to float"),
        ("2 (3)", "'int' object is not callable"),
        ("()", "float() argument must be a string or a real number, not 'tuple'"),
        ("() * 99999999999", "unsupported operand type(s)"),
        ("...", "float() argument must be a string or a real number, not 'ellipsis'"),
        ("(-8) ** 0.5", "float() argument must be a string or a real number, not 'complex'"),
        ("1" * 1001, "Expression is longer than 1000 characters"),
    ],
)
def test_arithmetic_that_is_refused(expression: str, message: str) -> None:
    with pytest.raises(CalculationError) as error:
        calculate(expression)
    assert str(error.value) == message


@pytest.mark.parametrize("expression", ["", "   ", "(" * 500 + ")" * 500, "(" * 90 + "1", "1..2", "*1", "(*1)", "0777"])
def test_odd_expressions_end_in_an_answer(expression: str) -> None:
    with pytest.raises(CalculationError):
        calculate(expression)


def test_the_calculate_tool(shop: Play) -> None:
    assert shop.ok("retail", "calculate", expression="19.99 * 3") == "59.97"
    error = shop.fails("retail", "calculate", expression="1 / 0")
    assert (error["code"], error["message"]) == ("invalid", "division by zero")


# Addresses


def test_another_default_address_leaves_orders_alone(shop: Play) -> None:
    order = order_of("pending")
    user = STATE["users"][order["user_id"]]
    shown = shop.ok("retail", "modify_user_address", user_id=user["user_id"], **ADDRESS)
    assert shown == {**user, "address": ADDRESS}
    assert shop.ok("retail", "get_user_details", user_id=user["user_id"]) == shown
    assert shop.ok("retail", "get_order_details", order_id=order["order_id"]) == order
    refused(shop, "User not found", "modify_user_address", user_id="nobody", **ADDRESS)


def test_a_pending_order_can_go_elsewhere(shop: Play) -> None:
    order = order_of("pending")
    shown = shop.ok("retail", "modify_pending_order_address", order_id=order["order_id"], **ADDRESS)
    assert shown == {**order, "address": ADDRESS}
    user = STATE["users"][order["user_id"]]
    assert shop.ok("retail", "get_user_details", user_id=order["user_id"]) == user
    refused(shop, "Order not found", "modify_pending_order_address", order_id="#W0", **ADDRESS)
    for status in ("processed", "delivered", "cancelled"):
        number = order_of(status)["order_id"]
        message = "Non-pending order cannot be modified"
        refused(shop, message, "modify_pending_order_address", order_id=number, **ADDRESS)


def test_text_that_cannot_be_stored_changes_nothing(shop: Play) -> None:
    before = state_of(shop)
    order = order_of("pending")
    shop.fails("retail", "modify_pending_order_address", order_id=order["order_id"], **ADDRESS | {"city": "a\x00b"})
    assert state_of(shop) == before


# Cancelling


def test_cancelling_refunds_and_credits_a_gift_card(shop: Play) -> None:
    seen = set()
    for order in STATE["orders"].values():
        if order["status"] != "pending":
            continue
        method = STATE["users"][order["user_id"]]["payment_methods"][paid_with(order)]
        balance = shop.ok("retail", "get_user_details", user_id=order["user_id"])["payment_methods"][method["id"]].get(
            "balance"
        )
        shown = shop.ok("retail", "cancel_pending_order", order_id=order["order_id"], reason="ordered by mistake")
        payment = order["payment_history"][0]
        history = [payment, payment | {"transaction_type": "refund"}]
        assert shown == {
            **order,
            "status": "cancelled",
            "cancel_reason": "ordered by mistake",
            "payment_history": history,
        }
        now = shop.ok("retail", "get_user_details", user_id=order["user_id"])["payment_methods"][method["id"]]
        if method["source"] == "gift_card":
            assert now["balance"] == round(balance + payment["amount"], 2)
        else:
            assert now == method
        seen.add(method["source"] == "gift_card")
        again = {"order_id": order["order_id"], "reason": "ordered by mistake"}
        assert shop.fails("retail", "cancel_pending_order", **again)["code"] == "conflict"
    assert seen == {True, False}


def test_cancelling_is_refused(shop: Play) -> None:
    refused(shop, "Order not found", "cancel_pending_order", order_id="W1", reason="no longer needed")
    for status in ("processed", "delivered", "cancelled"):
        number = order_of(status)["order_id"]
        # The state is looked at before the reason.
        refused(shop, "Non-pending order cannot be cancelled", "cancel_pending_order", order_id=number, reason="x")
    number = order_of("pending")["order_id"]
    for reason in ("", "No longer needed", "changed my mind"):
        refused(shop, "Invalid reason", "cancel_pending_order", order_id=number, reason=reason)


# Paying otherwise


def test_another_payment_method_is_possible_once(shop: Play) -> None:
    order = next(
        order
        for order in STATE["orders"].values()
        if order["status"] == "pending"
        and len(STATE["users"][order["user_id"]]["payment_methods"]) > 1
        and not other_method(order).startswith("gift_card")
    )
    number, former, latter = order["order_id"], paid_with(order), other_method(order)
    message = "The new payment method should be different from the current one"
    refused(shop, message, "modify_pending_order_payment", order_id=number, payment_method_id=former)
    shown = shop.ok("retail", "modify_pending_order_payment", order_id=number, payment_method_id=latter)
    payment = order["payment_history"][0]
    refund = {"transaction_type": "refund", "amount": payment["amount"], "payment_method_id": former}
    assert shown["payment_history"] == [payment, payment | {"payment_method_id": latter}, refund]
    assert shown["status"] == "pending"
    message = "There should be exactly one payment for a pending order"
    refused(shop, message, "modify_pending_order_payment", order_id=number, payment_method_id=former)
    cancelled = shop.ok("retail", "cancel_pending_order", order_id=number, reason="no longer needed")
    assert len(cancelled["payment_history"]) == 6


def test_a_gift_card_must_cover_the_order_and_is_charged(shop: Play) -> None:
    for order in STATE["orders"].values():
        card = next(
            (one for one in STATE["users"][order["user_id"]]["payment_methods"] if one.startswith("gift")),
            None,
        )
        if order["status"] != "pending" or card is None or card == paid_with(order):
            continue
        wallet = shop.ok("retail", "get_user_details", user_id=order["user_id"])["payment_methods"]
        arguments = {"order_id": order["order_id"], "payment_method_id": card}
        amount = order["payment_history"][0]["amount"]
        if wallet[card]["balance"] < amount:
            message = "Insufficient gift card balance to pay for the order"
            refused(shop, message, "modify_pending_order_payment", **arguments)
        else:
            shop.ok("retail", "modify_pending_order_payment", **arguments)
            now = shop.ok("retail", "get_user_details", user_id=order["user_id"])["payment_methods"]
            assert now[card]["balance"] == round(wallet[card]["balance"] - amount, 2)


def test_payment_changes_are_refused(shop: Play) -> None:
    order = order_of("pending")
    stranger = next(
        iter(next(user for key, user in STATE["users"].items() if key != order["user_id"])["payment_methods"])
    )
    tool = "modify_pending_order_payment"
    for method in ("", "paypal_0", stranger):
        refused(shop, "Payment method not found", tool, order_id=order["order_id"], payment_method_id=method)
    refused(shop, "Order not found", tool, order_id="", payment_method_id=stranger)
    number = order_of("delivered")["order_id"]
    refused(shop, "Non-pending order cannot be modified", tool, order_id=number, payment_method_id=stranger)


# Other items


def test_items_of_a_pending_order_are_replaced_once(shop: Play) -> None:
    order = order_of("pending")
    item, new, method = order["items"][0], alternative(order["items"][0]), paid_with(order)
    arguments = {
        "order_id": order["order_id"],
        "item_ids": [item["item_id"]],
        "new_item_ids": [new["item_id"]],
        "payment_method_id": method,
    }
    shown = shop.ok("retail", "modify_pending_order_items", **arguments)
    difference = 0 + (new["price"] - item["price"])
    assert shown["status"] == "pending (item modified)"
    assert shown["items"][0] == {
        **item,
        "item_id": new["item_id"],
        "price": new["price"],
        "options": new["options"],
    }
    assert shown["items"][1:] == order["items"][1:]
    assert shown["payment_history"][1:] == [
        {
            "transaction_type": "payment" if difference > 0 else "refund",
            "amount": abs(difference),
            "payment_method_id": method,
        }
    ]
    stored = [row for row in shop.rows(Payment) if row.order_id == order["order_id"] and row.position == 1]
    assert stored[0].amount == abs(Decimal(str(new["price"])) - Decimal(str(item["price"])))
    refused(shop, "Non-pending order cannot be modified", "modify_pending_order_items", **arguments)
    cancel = {"order_id": order["order_id"], "reason": "no longer needed"}
    refused(shop, "Non-pending order cannot be cancelled", "cancel_pending_order", **cancel)
    shop.ok("retail", "modify_pending_order_address", order_id=order["order_id"], **ADDRESS)


def test_several_replaced_items_all_get_the_last_price_and_options(shop: Play) -> None:
    order = order_of("pending", items=2)
    first, second = order["items"][:2]
    news = [alternative(first), alternative(second)]
    card = next(
        one for one in STATE["users"][order["user_id"]]["payment_methods"].values() if one["source"] != "gift_card"
    )
    shown = shop.ok(
        "retail",
        "modify_pending_order_items",
        order_id=order["order_id"],
        item_ids=[first["item_id"], second["item_id"]],
        new_item_ids=[one["item_id"] for one in news],
        payment_method_id=card["id"],
    )
    for item, new, old in zip(shown["items"], news, (first, second), strict=False):
        assert (item["item_id"], item["name"]) == (new["item_id"], old["name"])
        assert (item["price"], item["options"]) == (news[1]["price"], news[1]["options"])


def test_replacing_no_item_still_uses_up_the_change(shop: Play) -> None:
    order = order_of("pending")
    arguments = {"order_id": order["order_id"], "payment_method_id": paid_with(order)}
    shown = shop.ok("retail", "modify_pending_order_items", item_ids=[], new_item_ids=[], **arguments)
    assert shown["status"] == "pending (item modified)"
    assert shown["payment_history"][-1]["amount"] == 0


@pytest.mark.parametrize(
    ("tool", "status", "lacking", "length", "state", "uncovered"),
    [
        (
            "modify_pending_order_items",
            "pending",
            "4199 not found",
            "The number of items to be exchanged should match",
            "Non-pending order cannot be modified",
            "Insufficient gift card balance to pay for the new item",
        ),
        (
            "exchange_delivered_order_items",
            "delivered",
            "Number of 4199 not found.",
            "The number of items to be exchanged should match.",
            "Non-delivered order cannot be exchanged",
            "Insufficient gift card balance to pay for the price difference",
        ),
    ],
)
def test_replacements_are_refused(
    play: Callable[..., Play],
    tool: str,
    status: str,
    lacking: str,
    length: str,
    state: str,
    uncovered: str,
) -> None:
    shop = play("retail")
    order = order_of(status, wallet="gift_card")
    number, item, method = order["order_id"], order["items"][0], paid_with(order)
    new = alternative(item)["item_id"]

    def expect(message: str, **changed: Any) -> None:
        arguments = {
            "order_id": number,
            "item_ids": [item["item_id"]],
            "new_item_ids": [new],
            "payment_method_id": method,
        }
        refused(shop, message, tool, **arguments | changed)

    expect("Order not found", order_id="#W")
    expect(state, order_id=order_of("processed")["order_id"])
    expect(lacking, item_ids=["4199"])
    many = len([one for one in order["items"] if one["item_id"] == item["item_id"]]) + 1
    expect(lacking.replace("4199", item["item_id"]), item_ids=[item["item_id"]] * many, new_item_ids=[new] * many)
    expect(length, new_item_ids=[new, new])
    expect(length, new_item_ids=[])
    foreign = next(one for key, one in STATE["products"].items() if key != item["product_id"])["variants"]
    expect("Variant not found", new_item_ids=[next(iter(foreign))])
    expect("Variant not found", new_item_ids=["4199"])
    expect("Payment method not found", payment_method_id="gift_card_1")
    if tool == "modify_pending_order_items":
        expect("The new item id should be different from the old item id", new_item_ids=[item["item_id"]])
    for other in STATE["orders"].values():
        for one in other["items"] if other["status"] == status else ():
            variants = STATE["products"][one["product_id"]]["variants"].values()
            gone = [v["item_id"] for v in variants if not v["available"] and v["item_id"] != one["item_id"]]
            if gone:
                expect(
                    f"New item {gone[0]} not found or available",
                    order_id=other["order_id"],
                    item_ids=[one["item_id"]],
                    new_item_ids=gone[:1],
                    payment_method_id=paid_with(other),
                )
    shop = play("retail", edit=_empty_gift_card)
    card = next(
        one for one in STATE["users"][order["user_id"]]["payment_methods"].values() if one["source"] == "gift_card"
    )
    dearer = [
        (one["item_id"], variant["item_id"])
        for one in order["items"]
        for variant in STATE["products"][one["product_id"]]["variants"].values()
        if variant["available"] and variant["price"] > one["price"]
    ]
    assert dearer, "the order has nothing dearer to offer"
    old, costly = dearer[0]
    expect(uncovered, item_ids=[old], new_item_ids=[costly], payment_method_id=card["id"])


def _empty_gift_card(row: Entity) -> None:
    if isinstance(row, PaymentMethod) and row.source == "gift_card":
        row.balance = Decimal(0)


# Exchanges and returns


def test_an_exchange_is_recorded_and_is_the_last_request(shop: Play) -> None:
    order = order_of("delivered", items=2)
    item_ids = [item["item_id"] for item in order["items"]][::-1]
    news = [alternative(item) for item in order["items"]][::-1]
    card = paid_with(order)
    shop.ok(
        "retail",
        "exchange_delivered_order_items",
        order_id=order["order_id"],
        item_ids=item_ids,
        new_item_ids=[one["item_id"] for one in news],
        payment_method_id=card,
    )
    shown = shop.ok("retail", "get_order_details", order_id=order["order_id"])
    prices = {item["item_id"]: item["price"] for item in order["items"]}
    difference = sum(
        Decimal(str(new["price"])) - Decimal(str(prices[old])) for old, new in zip(item_ids, news, strict=True)
    )
    assert shown == {
        **order,
        "status": "exchange requested",
        "exchange_items": sorted(item_ids),
        "exchange_new_items": sorted(one["item_id"] for one in news),
        "exchange_payment_method_id": card,
        "exchange_price_difference": float(difference),
    }
    arguments = {"order_id": order["order_id"], "item_ids": item_ids[:1], "payment_method_id": card}
    refused(shop, "Non-delivered order cannot be returned", "return_delivered_order_items", **arguments)


def test_the_same_item_can_be_exchanged_for_itself(shop: Play) -> None:
    for order in STATE["orders"].values():
        item = order["items"][0]
        variant = STATE["products"][item["product_id"]]["variants"][item["item_id"]]
        if order["status"] == "delivered" and variant["available"]:
            same = {"item_ids": [item["item_id"]], "new_item_ids": [item["item_id"]]}
            arguments = {"order_id": order["order_id"], "payment_method_id": paid_with(order)}
            shown = shop.ok("retail", "exchange_delivered_order_items", **same, **arguments)
            assert shown["exchange_price_difference"] == 0
            return
    raise AssertionError("no order to try")


def test_a_return_is_recorded_and_is_the_last_request(shop: Play) -> None:
    order = next(
        order
        for order in STATE["orders"].values()
        if order["status"] == "delivered" and order["fulfillments"][0]["tracking_id"] == ["GP-778"]
    )
    item_ids = [item["item_id"] for item in order["items"]][::-1]
    assert len(set(item_ids)) < len(item_ids), "one item is there twice"
    arguments = {"order_id": order["order_id"], "payment_method_id": paid_with(order)}
    refused(
        shop,
        "Some item not found",
        "return_delivered_order_items",
        item_ids=item_ids + item_ids[:1],
        **arguments,
    )
    shown = shop.ok("retail", "return_delivered_order_items", item_ids=item_ids, **arguments)
    assert shown == {
        **order,
        "status": "return requested",
        "return_items": sorted(item_ids),
        "return_payment_method_id": paid_with(order),
    }
    message = "Non-delivered order cannot be returned"
    refused(shop, message, "return_delivered_order_items", item_ids=item_ids[:1], **arguments)


def test_a_return_of_nothing_is_an_empty_list(shop: Play) -> None:
    order = order_of("delivered")
    arguments = {"order_id": order["order_id"], "payment_method_id": paid_with(order)}
    shown = shop.ok("retail", "return_delivered_order_items", item_ids=[], **arguments)
    assert (shown["return_items"], shown["exchange_items"]) == ([], None)
    assert state_of(shop)["orders"][order["order_id"]] == shown


def test_refunds_go_to_the_original_method_or_a_gift_card(shop: Play) -> None:
    tool = "return_delivered_order_items"
    seen = set()
    for order in STATE["orders"].values():
        if order["status"] != "delivered":
            continue
        arguments = {"order_id": order["order_id"], "item_ids": [order["items"][0]["item_id"]]}
        refused(shop, "Payment method not found", tool, payment_method_id="paypal_1", **arguments)
        for method in STATE["users"][order["user_id"]]["payment_methods"].values():
            if method["id"] == paid_with(order):
                continue
            seen.add(method["source"] == "gift_card")
            if method["source"] == "gift_card":
                shop.ok("retail", tool, payment_method_id=method["id"], **arguments)
            else:
                message = "Payment method should be the original payment method"
                refused(shop, message, tool, payment_method_id=method["id"], **arguments)
    assert seen == {True, False}
    refused(shop, "Order not found", tool, order_id="x", item_ids=[], payment_method_id="")


# Rules of the tables


@pytest.mark.parametrize(
    ("entity", "changed"),
    [
        (Variant, {"price": Decimal("-1")}),
        (Variant, {"available": "yes"}),
        (PaymentMethod, {"source": "cash"}),
        (PaymentMethod, {"balance": Decimal("-0.01")}),
        (OrderItem, {"position": -1}),
        (User, {"city": None}),
    ],
)
def test_writes_are_validated(entity: type[Entity], changed: dict[str, Any]) -> None:
    row = next(row for row in rows_from_state(STATE) if isinstance(row, entity))
    for name, value in changed.items():
        setattr(row, name, value)
    with pytest.raises(EntityInvalid):
        row.check()


# Whole states and recordings


def test_a_wrong_document_is_refused_with_its_place() -> None:
    def broken(change: Callable[[dict[str, Any]], Any]) -> str:
        copy = json.loads(json.dumps(STATE))
        change(copy)
        with pytest.raises(InputError) as error:
            list(rows_from_state(copy))
        return str(error.value)

    number = next(iter(STATE["orders"]))
    assert number in broken(lambda state: state["orders"][number].pop("status"))
    assert number in broken(lambda state: state["orders"][number].update(note="x"))
    assert number in broken(lambda state: state["orders"].pop(number))
    assert number in broken(lambda state: state["orders"][number]["items"][0].update(price=1.005))
    assert number in broken(lambda state: state["orders"][number].update(return_items=[]))
    assert "orders" in broken(lambda state: state.pop("orders"))


def test_differences_name_their_place() -> None:
    old = {"a": [1, {"b b": True}], "c": None}
    assert list(differences(old, {"a": [1.0, {"b b": True}], "c": None})) == []
    found = list(differences(old, {"a": [1, {"b b": 1}], "d": "x"}))
    assert found == [('$.a[1]["b b"]', True, 1), ("$.c", None, "(absent)"), ("$.d", "(absent)", "x")]
    assert [place for place, *_ in differences([1], [1, 2])] == ["$ (length)"]
    assert [place for place, *_ in differences({"a": 1, "b": 2}, {"b": 2, "a": 1}, key_order=True)] == [
        "$ (order of keys)"
    ]


def test_state_differences_see_every_entry() -> None:
    old = {"orders": {"1": {"ok": True}, "2": {"n": 2.0}}, "users": {}}
    assert list(state_differences(old, {"users": {}, "orders": {"2": {"n": 2}, "1": {"ok": True}}})) == []
    found = list(state_differences(old, {"orders": {"1": {"ok": 1}, "3": {}}, "users": {}}))
    assert {place for place, *_ in found} == {'$.orders["1"].ok', '$.orders["2"]', '$.orders["3"]'}
    assert expected_state(old, [{"collection": "orders", "key": "1", "after": None}])["orders"].keys() == {"2"}
    assert old["orders"].keys() == {"1", "2"}


def test_the_runner_reports_what_differs(shop: Play) -> None:
    order = order_of("pending")
    number = order["order_id"]
    cancelled = {"tool": "cancel_pending_order", "arguments": {"order_id": number, "reason": "?"}}
    cases = Cases(
        STATE,
        (
            {
                "id": "t1",
                "calls": [
                    {"tool": "get_order_details", "arguments": {"order_id": number}, "result": order},
                    {
                        "tool": "get_order_details",
                        "arguments": {"order_id": number},
                        "result": {**order, "status": "lost"},
                    },
                    {**cancelled, "error": "Invalid reason"},
                    {**cancelled, "error": "Some other reason"},
                    {**cancelled, "result": "done"},
                ],
                "final_changes": [{"collection": "orders", "key": number, "after": {**order, "status": "lost"}}],
            },
        ),
    )
    report = run(
        cases,
        lambda: nullcontext((lambda tool, arguments: shop.call("retail", tool, **arguments), lambda: state_of(shop))),
    )
    found = [(item.call, item.place) for item in report.mismatches]
    assert found == [
        (2, "$.result.status"),
        (4, "$.error"),
        (5, "$.result"),
        (5, "$.error"),
        (None, f'$.orders["{number}"].status'),
    ]
    assert (report.transcripts, report.calls, report.ok) == (1, 5, False)
    wanted = 't1, call 2 (get_order_details), $.result.status: expected "lost", got "pending"'
    assert str(report.mismatches[0]) == wanted


def test_missing_recordings_are_an_input_error(tmp_path: Any) -> None:
    with pytest.raises(InputError):
        read_cases(tmp_path)
    (tmp_path / "state.json").write_text("{}")
    (tmp_path / "transcripts.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(InputError, match="line 1"):
        read_cases(tmp_path)
