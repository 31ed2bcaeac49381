"""COMPOWORLD_DATABASE_URL: what is taken, what is refused, and that no password is shown."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy import create_engine

from engine._dialect import DRIVER
from engine.database import sqlalchemy_url
from engine.errors import InputError
from engine.postgres import URL_VARIABLE, DatabaseUrl, database_url, normalise_url


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "PostgreSQL"])
def test_schemes(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, f"  {scheme}://me:secret@db.example:5433/world?sslmode=require ")
    found = database_url()
    assert found == DatabaseUrl("postgresql://me:secret@db.example:5433/world?sslmode=require", embedded=False)
    assert sqlalchemy_url(found.url) == f"{DRIVER}://me:secret@db.example:5433/world?sslmode=require"
    assert "secret" not in str(found)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://me@host/db", "must start with postgresql://"),
        ("postgresql+psycopg2://me@host/db", "must start with postgresql://"),
        ("host=localhost dbname=x", "not a URL"),
        ("postgresql://me@host:port/db", "port"),
        ("postgresql://me@host:70000/db", "port"),
        ("postgresql://me@host", "names no database"),
        ("postgresql://me@[::1/db", "malformed"),
        ("postgresql://me@host/db?nonsense=1", "malformed"),
        ("postgresql://me:sec%ret@host/db", "malformed"),
    ],
)
def test_wrong_urls(url: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, url)
    with pytest.raises(InputError, match=said) as caught:
        database_url()
    assert URL_VARIABLE in str(caught.value)
    assert "postgresql://user:password@host" in str(caught.value)
    assert "sec" not in str(caught.value).replace("second", "")


def test_password_is_hidden_everywhere() -> None:
    for url in (
        "postgresql://me:hush@h/db",
        "postgresql://h/db?user=me&password=hush",
        "postgresql://me:hu@sh@h/db",
    ):
        assert "hush" not in str(DatabaseUrl(url, embedded=False)) and "sh@" not in str(
            DatabaseUrl(url, embedded=False)
        )


def test_both_spellings_connect(server_url: str) -> None:
    url = DatabaseUrl(normalise_url(server_url), embedded=True)
    psycopg.connect(url.url).close()
    engine = create_engine(sqlalchemy_url(url.url))
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    engine.dispose()
