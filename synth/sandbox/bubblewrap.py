"""How the sandbox is built with bubblewrap: namespaces, and a file system of the few parts that Python needs.

Every path is seen read-only, but for a private ``/tmp`` of bounded size. There is no ``/proc``, no ``/etc``, no home
and no shell; of this program there are the engine, what compiled services stand on, and what runs inside.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import sqlalchemy

import engine
import synth
from synth.errors import SandboxUnavailable
from synth.sandbox.inside import seccomp
from synth.sandbox.limits import MEBIBYTE, Limits

_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_HELPFUL = ("/etc/ld.so.cache", "/usr/share/zoneinfo")
_INSTALL = "install the package bubblewrap (Debian, Ubuntu: apt-get install bubblewrap)"
_CHECK_SECONDS = 20

LIBRARY = "/box/lib"
PACKAGES = "/box/site"
CODE = "/box/code"
SOCKETS = "/box/db"


def check() -> None:
    """See that generated code can be run here; cheap after the first time.

    Raises:
        SandboxUnavailable: it cannot, and why.
    """
    problem, hint = _problem()
    if problem:
        raise SandboxUnavailable(f"generated code cannot be run here: {problem}", hint)


@cache
def _problem() -> tuple[str | None, str | None]:
    if sys.platform != "linux":
        return f"the sandbox needs Linux, and this is {sys.platform}", None
    if not seccomp.supported():
        return f"the sandbox does not know the system calls of {platform.machine()}", None
    if shutil.which("bwrap") is None:
        return "there is no bwrap (bubblewrap)", _INSTALL
    try:
        done = subprocess.run(
            [*_walls(Limits()), "--", _python(), "-I", "-S", "-c", "print('inside')"],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_CHECK_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"bwrap did not answer within {_CHECK_SECONDS} s", None
    if done.returncode != 0 or done.stdout != "inside\n":
        said = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        hint = "allow user namespaces (sysctl user.max_user_namespaces; in a container: --security-opt)"
        return f"bwrap says: {said}", hint
    return None, None


def command(code: Path, sockets: Path, limits: Limits) -> list[str]:
    """The command that starts the process inside.

    Args:
        code: folder of generated packages.
        sockets: folder with the one socket that leads to the database.
    """
    places = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), str(Path(sqlalchemy.__file__).parents[1]))
    packages = [item for item in dict.fromkeys(places) if os.path.isdir(item)]
    ours = Path(engine.__file__).parent
    sandbox = Path(synth.__file__).parent
    search = [LIBRARY, *(f"{PACKAGES}{number}" for number in range(len(packages))), CODE]
    return [
        *_walls(limits),
        *(part for number, item in enumerate(packages) for part in ("--ro-bind", item, f"{PACKAGES}{number}")),
        *("--ro-bind", str(ours), f"{LIBRARY}/engine"),
        *("--ro-bind", str(sandbox / "__init__.py"), f"{LIBRARY}/synth/__init__.py"),
        *("--ro-bind", str(sandbox / "sandbox" / "__init__.py"), f"{LIBRARY}/synth/sandbox/__init__.py"),
        *("--ro-bind", str(sandbox / "sandbox" / "inside"), f"{LIBRARY}/synth/sandbox/inside"),
        *("--ro-bind-try", str(sandbox / "runtime"), f"{LIBRARY}/synth/runtime"),
        *("--ro-bind", str(code), CODE),
        *("--ro-bind", str(sockets), SOCKETS),
        *("--setenv", "PYTHONPATH", ":".join(search)),
        *("--remount-ro", "/"),
        *("--", _python(), "-B", "-S", "-P", "-s", "-u", "-m", "synth.sandbox.inside", json.dumps(limits.plain())),
    ]


def _walls(limits: Limits) -> list[str]:
    parts = ["bwrap", "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    parts += ["--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session"]
    parts += ["--cap-drop", "ALL", "--hostname", "sandbox", "--uid", "65534", "--gid", "65534", "--clearenv"]
    parts += ["--size", str(MEBIBYTE), "--tmpfs", "/dev"]
    for device in ("null", "zero", "urandom", "random"):
        parts += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    parts += ["--remount-ro", "/dev", "--size", str(limits.files), "--tmpfs", "/tmp", "--chdir", "/tmp"]
    for place in _LIBRARIES:
        if os.path.islink(place):
            parts += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            parts += ["--ro-bind", place, place]
    for place in _HELPFUL:
        parts += ["--ro-bind-try", place, place]
    prefix = os.path.realpath(sys.base_prefix)
    if prefix not in ("/usr", "/usr/local"):
        parts += ["--ro-bind", f"{prefix}/lib", f"{prefix}/lib"]
    parts += ["--ro-bind", _python(), _python()]
    environment = {"HOME": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
    for name, value in environment.items():
        parts += ["--setenv", name, value]
    return parts


def _python() -> str:
    """The interpreter itself, not the link in a virtual environment."""
    return os.path.realpath(sys.executable)
