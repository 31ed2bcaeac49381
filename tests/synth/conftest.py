"""A database in which services were built and attacked; and empty ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from engine.database import Database
from synth.pipeline import attack_all, build_all, chosen
from tests.conftest import fresh_database
from tests.synth.desk import LOANS, OUTSIDE, VAGUE, WRONG, ingested, spoil


@pytest.fixture(scope="session")
def ready_template(server_url: str) -> Iterator[str]:
    """Loans, vague, weather and wrong loans: ingested, built as far as they can be, attacked. Nobody is connected."""
    with fresh_database(server_url) as url:
        with closing(Database(url).open()) as database:
            ingested(database, LOANS, VAGUE, WRONG, OUTSIDE)
            build_all(url, chosen(database))
            spoil(database)
            attack_all(url, ["loans", "wrong_loans"])
        yield urlsplit(url).path.lstrip("/")


@pytest.fixture(scope="module")
def ready(server_url: str, ready_template: str) -> Iterator[Database]:
    """A copy of that database for the tests of a module."""
    with fresh_database(server_url, ready_template) as url, closing(Database(url).open()) as database:
        yield database


@pytest.fixture
def copied(server_url: str, ready_template: str) -> Iterator[Database]:
    """A copy of that database for the test alone."""
    with fresh_database(server_url, ready_template) as url, closing(Database(url).open()) as database:
        yield database


@pytest.fixture
def desk(database_url: str) -> Iterator[Database]:
    """An empty database."""
    with closing(Database(database_url).open()) as database:
        yield database
