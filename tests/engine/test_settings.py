"""What the user's environment and the database's defaults say changes no value that is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg
import pytest

from engine.database import Database
from engine.errors import DatabaseUnavailable
from tests.conftest import fresh_database, with_database

_RUN = """
import sys
from engine.database import Database
from engine.library import Library
from engine.verifiers import Criterion
from engine.world import World
from tests.engine import rogue, shop
with World(Database(sys.argv[1]).open(), Library([shop.service, rogue.service])) as world:
    base = world.compose("shop").snapshot()
    branch = base.fork()
    values = {"added_at": "2026-03-04T09:30:00+02:00"}
    branch.call("shop", "apply", steps=[{"op": "set", "table": "shop_product", "key": ["p1"], "values": values}])
    sql = "SELECT added_at = '2026-03-04 07:30' AS passed, added_at AS actual FROM shop_product WHERE id = 'p1'"
    (check,) = branch.verify([Criterion("at", "state", "", sql)])
    print(base.digest, branch.digest(), branch.replay().same, check.passed, check.actual)
"""

ODD = {"PGTZ": "Asia/Kathmandu", "PGDATESTYLE": "SQL, DMY", "PGCLIENTENCODING": "LATIN1", "TZ": "Asia/Kathmandu"}


def _said(url: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _RUN, url],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.integration
def test_the_environment_and_the_defaults_of_the_database_change_nothing(url: str) -> None:
    usual = _said(url)
    assert "True True 2026-03-04T07:30:00+00:00" in usual
    assert _said(url, **ODD) == usual
    name = urlsplit(url).path.lstrip("/")
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in (
            "timezone = 'Asia/Kathmandu'",
            "datestyle = 'German'",
            "intervalstyle = 'iso_8601'",
            "standard_conforming_strings = off",
            "extra_float_digits = 0",
            "client_encoding = 'LATIN1'",
        ):
            connection.execute(f'ALTER DATABASE "{name}" SET {setting}')
    assert _said(url) == usual


@pytest.mark.integration
def test_another_encoding_is_refused(server_url: str) -> None:
    with fresh_database(server_url) as url, psycopg.connect(server_url, autocommit=True) as admin:
        name = urlsplit(url).path.lstrip("/") + "_ascii"
        admin.execute(f"CREATE DATABASE \"{name}\" ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        try:
            with pytest.raises(DatabaseUnavailable, match="SQL_ASCII"):
                Database(with_database(server_url, name)).open()
        finally:
            admin.execute(f'DROP DATABASE "{name}"')
