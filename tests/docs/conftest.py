"""The demonstration, once, and copies of its database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest

from tests.cli.conftest import Program
from tests.conftest import fresh_database


@dataclass(frozen=True)
class Demonstration:
    """What ``compoworld demo`` printed on an empty database, and that database."""

    url: str
    output: str


@pytest.fixture(scope="session")
def demonstration(server_url: str) -> Iterator[Demonstration]:
    """The demonstration; its database stays as it left it."""
    with fresh_database(server_url) as url:
        yield Demonstration(url, Program(url).text("demo"))


@pytest.fixture
def demo_copy(server_url: str, demonstration: Demonstration) -> Iterator[str]:
    """A copy of the demonstration's database, to be changed."""
    with fresh_database(server_url, urlsplit(demonstration.url).path.lstrip("/")) as url:
        yield url
