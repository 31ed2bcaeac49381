"""Names taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.compiler.words import Kind, is_plural, read_words, singular, split, without_prefix


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getHTTPUser-list_2", ["get", "http", "user", "list", "2"]),
        ("signIn", ["signin"]),
        ("LOAN__CREATE_COPY", ["loan", "create", "copy"]),
        ("listOAuthApps", ["list", "oauth", "apps"]),
        ("", []),
        ("--", []),
        ("café_лист", ["caf"]),
    ],
)
def test_split(name: str, words: list[str]) -> None:
    assert split(name) == words


@pytest.mark.parametrize(
    ("plural", "one"),
    [("stories", "story"), ("people", "person"), ("data", "data"), ("statuses", "status"), ("addresses", "address"),
     ("status", "status"), ("gas", "gas"), ("loan", "loan"), ("indices", "index")],
)  # fmt: skip
def test_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert is_plural(plural) == (plural != one)


@pytest.mark.parametrize(
    ("name", "kind", "noun"),
    [
        ("create_loan", "create", ("loan",)),
        ("loans_create", "create", ("loan",)),
        ("loan-get-history", "get", ("loan", "history")),
        ("getLoans", "list", ("loan",)),
        ("get_all_loan", "list", ("loan",)),
        ("list_overdue_loans", "list", ("loan",)),
        ("search", "list", ()),
        ("get_loan_by_id", "get", ("loan",)),
        ("get_loans_by_id", "get", ("loan",)),
        ("count_loans", "count", ("loan",)),
        ("get_loan_count", "count", ("loan", "count")),
        ("renew_loan", "unknown", ("renew", "loan")),
        ("close_loan", "act", ("loan",)),
        ("mark_loan_lost", "act", ("loan", "lost")),
        ("permanently_delete_loan", "delete", ("loan",)),
        ("copy_loan", "copy", ("loan",)),
        ("add_reader_to_loan", "add", ("reader",)),
        ("upsert_loan", "put", ("loan",)),
    ],
)
def test_readings(name: str, kind: Kind, noun: tuple[str, ...]) -> None:
    reading = read_words(split(name))
    assert (reading.kind, reading.noun) == (kind, noun)


def test_words_that_speak_of_some() -> None:
    assert read_words(split("list_overdue_loans")).only == ("overdue",)
    assert read_words(split("iterations_get_current")).only == ("current",)
    # What is made is all of it, and a word that stands alone is the noun.
    assert read_words(split("create_pending_loan")).noun == ("pending", "loan")
    assert read_words(split("list_pending")).only == ()


def test_prepositions() -> None:
    reading = read_words(split("remove_copies_from_reading_lists"))
    assert (reading.kind, reading.noun, reading.of) == ("remove", ("copy",), ("reading", "list"))
    assert read_words(split("find_loan_by_barcode")).by == ("barcode",)
    assert read_words(split("get_my_profile")).about_me
    assert read_words(split("bulk_close_loans")).many


def test_words_that_all_names_begin_with_are_left_out() -> None:
    names = ["quill_create_loan", "quill_get_loan", "quill_delete_loan", "ping"]
    assert without_prefix(names) == [["create", "loan"], ["get", "loan"], ["delete", "loan"], ["ping"]]
    # Of a verb nothing would be left.
    assert without_prefix(["get_loan", "get_copy", "get_reader"])[0] == ["get", "loan"]
    assert without_prefix([]) == []


@given(st.text(max_size=60))
def test_any_name_is_read(name: str) -> None:
    reading = read_words(split(name))
    assert all(word.isascii() and word.isalnum() for word in (*reading.noun, *reading.of, *reading.by))
