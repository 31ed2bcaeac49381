"""What services give and take, and what can cross between them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tasks.errors import SamplingError
from tasks.sampling import Compatibility
from tasks.sampling.meanings import INFORMATIVE, meanings
from tests.engine.tiny import tiny


@pytest.mark.parametrize(
    ("service", "semantic", "place"),
    [
        ("billing", "money", "invoice.total"),
        ("billing", "code", "invoice.number"),
        ("calendar", "datetime", "event.start_at"),
        ("calendar", "date", "event.start_at"),  # an instant tells the day
        ("retail", "code", "order.id"),  # a key that the application gives is quoted by people
        ("contacts", "phone", "company.phone"),
    ],
)
def test_given(compatibility: Compatibility, service: str, semantic: str, place: str) -> None:
    assert place in compatibility.meanings[service].gives[semantic]


@pytest.mark.parametrize(
    ("service", "semantic", "place"),
    [
        ("calendar", "email", "create_event.attendees"),  # by its format, in a list
        ("contacts", "email", "create_person.email"),  # by its pattern
        ("code", "email", "create_issue.assignee_emails"),
        ("expenses", "date", "list_expenses.spent_from"),
        ("contacts", "money", "list_deals.min_amount"),  # an end of a range over a field
        ("billing", "code", "list_invoices.query"),  # what an invoice can be found by
        ("billing", "company", "list_customers.query"),
        ("chat", "code", "search_messages.query"),  # rows that are nothing but text: anything
        ("retail", "code", "get_order_details.order_id"),
        ("mail", "title", "send_message.subject"),
        ("billing", "quantity", "create_invoice.quantity"),  # inside of its lines
    ],
)
def test_taken(compatibility: Compatibility, service: str, semantic: str, place: str) -> None:
    assert place in compatibility.meanings[service].takes[semantic]


@pytest.mark.parametrize(
    ("service", "place"),
    [
        ("billing", "list_customers.status"),  # a closed set
        ("billing", "get_customer.customer_id"),  # known in this service alone
        ("billing", "list_customers.limit"),
        ("billing", "create_customer.po_required"),
    ],
)
def test_neither(compatibility: Compatibility, service: str, place: str) -> None:
    assert all(place not in places for places in compatibility.meanings[service].takes.values())


def test_the_field_of_the_entity_that_the_tool_is_about(compatibility: Compatibility) -> None:
    """A payee's name is a company, an account's is not."""
    takes = compatibility.meanings["banking"].takes
    assert [semantic for semantic, places in takes.items() if "create_payee.name" in places] == ["company"]


def test_only_informative_types(compatibility: Compatibility) -> None:
    for each in compatibility.meanings.values():
        assert each.gives.keys() <= INFORMATIVE
        assert each.takes.keys() <= INFORMATIVE
        assert all(places == tuple(sorted(set(places))) for places in (*each.gives.values(), *each.takes.values()))


def test_free_form(compatibility: Compatibility) -> None:
    assert "message.text" in compatibility.meanings["chat"].tells
    assert "post_message.text" in compatibility.meanings["chat"].hears
    assert "create_row.cells" in compatibility.meanings["tables"].hears


def test_a_service_without_a_tool_that_reads_tells_nothing() -> None:
    whole = tiny("sampled", "money", Decimal)
    assert meanings(whole).gives == {"money": ("item.value",)}
    mute = meanings(whole.without({"items": "fails"}))
    assert mute.gives == {}
    assert mute.takes == {"money": ("bump.value",)}


def test_a_crossing_has_its_types(compatibility: Compatibility) -> None:
    crossing = compatibility.crossing("billing", "contacts")
    assert {"company", "email", "money"} <= set(crossing.types)
    assert crossing.types == tuple(sorted(crossing.types))
    assert crossing.told and crossing.heard


def test_an_edge_needs_a_type_that_counts(compatibility: Compatibility) -> None:
    money = compatibility.over({"money"})
    assert money.graph.allows("billing", "contacts")
    assert not money.graph.allows("billing", "chat")
    assert not money.graph.allows("chat", "billing")
    assert money.crossing("billing", "contacts").types == ("money",)
    assert money.graph.edges == compatibility.edges_by_type()["money"]


def test_no_service_follows_itself(compatibility: Compatibility) -> None:
    assert not any(compatibility.graph.allows(name, name) for name in compatibility.names)


def test_what_there_is_not(compatibility: Compatibility) -> None:
    with pytest.raises(SamplingError, match=r"there is no service 'bank'.*banking"):
        compatibility.crossing("mail", "bank")
    with pytest.raises(SamplingError, match="status: no semantic type that carries information"):
        compatibility.over({"status", "money"})
