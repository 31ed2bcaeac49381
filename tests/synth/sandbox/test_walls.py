"""Generated code that wants out: files, sockets, processes, memory, disk, time, output."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.calls import CallResult
from synth.sandbox.box import Box
from tests.synth.sandbox import notebook
from tests.synth.sandbox.conftest import LIMITS

Probe = Callable[..., CallResult]
REPOSITORY = Path(__file__).parents[3]


def test_it_sees_no_files_but_its_own(probe: Probe, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    places = ["/etc/passwd", "/etc/shadow", "/proc/1/environ", "/proc/self/environ", "/var", "/sys", "/run", "/bin/sh"]
    places += ["/usr/bin/env", str(Path.home()) + "/.profile", str(tmp_path / "secret"), str(REPOSITORY / "README.md")]
    places += [str(REPOSITORY / name) for name in ("rl", "services", "tasks", "compoworld", "tests", "pyproject.toml")]
    result = probe(f"import os\nreturn [place for place in {places!r} if os.path.exists(place)]")
    assert result.data == []


def test_it_sees_only_a_few_folders(probe: Probe) -> None:
    result = probe("import os\nreturn [sorted(os.listdir('/')), sorted(os.listdir('/box')), os.listdir('/tmp')]")
    top, box, temporary = result.data
    assert set(top) <= {"box", "dev", "etc", "lib", "lib64", "tmp", "usr", "root", "home", "opt"}
    assert box == ["code", "db", "lib", "site0"]
    assert temporary == []


def test_of_the_program_it_sees_the_engine_only(probe: Probe) -> None:
    result = probe("import os\nreturn sorted(os.listdir('/box/lib')) + sorted(os.listdir('/box/lib/synth/sandbox'))")
    assert result.data == ["engine", "synth", "__init__.py", "inside"]


def test_its_environment_is_empty(probe: Probe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    result = probe("import os\nreturn sorted(os.environ)")
    assert result.data == ["HOME", "LANG", "PWD", "PYTHONHASHSEED", "PYTHONPATH", "PYTHONUTF8", "TZ"]


@pytest.mark.parametrize(
    "place",
    ["/box/code/built/notebook/tools.py", "/box/lib/engine/x.py", "/usr/lib/x", "/x", "/dev/shm/x", "/box/db/x"],
)
def test_it_writes_nowhere(probe: Probe, place: str) -> None:
    result = probe(f"open({place!r}, 'w')")
    assert result.outcome == "fault"
    assert "Read-only file system" in str(result.detail) or "No such file" in str(result.detail)


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET"])
def test_it_opens_no_socket(probe: Probe, family: str) -> None:
    result = probe(f"import socket\nsocket.socket(socket.{family}, socket.SOCK_DGRAM)")
    assert result.outcome == "fault"
    assert "Operation not permitted" in str(result.detail)


def test_it_reaches_no_other_unix_socket(probe: Probe, tmp_path: Path) -> None:
    import socket

    os.chdir(tmp_path)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as abstract:
        listener.bind("s")
        listener.listen()
        abstract.bind("\0compoworld-test")
        abstract.listen()
        result = probe(
            f"""
            import socket
            found = []
            for place in ({str(tmp_path / "s")!r}, "\\0compoworld-test", "/run/docker.sock"):
                try:
                    socket.socket(socket.AF_UNIX).connect(place)
                    found.append(place)
                except OSError:
                    pass
            return found
            """
        )
    os.chdir("/")
    assert result.data == []


@pytest.mark.parametrize(
    "body",
    [
        "import os\nwhile True:\n    os.fork()",
        "import os\nos.execv('/usr/bin/env', ['env'])",
        "import sys, os\nos.execv(sys.executable, ['python', '-c', 'print(1)'])",
        "import os\nos.posix_spawn('/bin/sh', ['sh'], {})",
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', ''], check=True)",
        "import multiprocessing\nmultiprocessing.Process(target=print).start()",
    ],
)
def test_it_starts_no_process(probe: Probe, body: str) -> None:
    result = probe(body)
    assert result.outcome == "fault"
    assert any(word in str(result.detail) for word in ("PermissionError", "FileNotFoundError", "BlockingIOError"))


@pytest.mark.parametrize(
    ("number", "arguments"),
    [(57, ""), (59, ", b'/bin/sh', None, None"), (101, ", 16, 1, 0, 0"), (272, ", 0x10000000"), (321, ", 0, 0, 0")],
    ids=["fork", "execve", "ptrace", "unshare", "bpf"],
)
def test_raw_system_calls_are_refused(probe: Probe, number: int, arguments: str) -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("the numbers are those of x86_64")
    body = f"""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    return [libc.syscall({number}{arguments}), ctypes.get_errno()]
    """
    assert probe(body).data == [-1, 1]


def test_threads_without_end_end(probe: Probe) -> None:
    result = probe(
        """
        import threading, time
        count = 0
        while count < 100_000:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            count += 1
        return count
        """
    )
    assert result.outcome == "fault"


def test_memory_is_bounded(probe: Probe) -> None:
    result = probe("held = []\nwhile True:\n    held.append(bytearray(10_000_000))")
    assert result.outcome == "fault"
    assert "MemoryError" in str(result.detail)


def test_memory_that_no_limit_of_a_process_counts(probe: Probe) -> None:
    result = probe("import os\nreturn os.memfd_create('x')")
    assert "PermissionError" in str(result.detail)


def test_the_disk_is_bounded(probe: Probe) -> None:
    result = probe(
        """
        written = 0
        try:
            for number in range(1000):
                with open(f"/tmp/{number}", "wb") as file:
                    written += file.write(bytes(1_000_000))
        except OSError as error:
            return [written, error.strerror]
        """
    )
    written, problem = result.data
    assert written < LIMITS.files
    assert problem == "No space left on device"


def test_one_large_file(probe: Probe) -> None:
    result = probe("with open('/tmp/x', 'wb') as file:\n    file.write(bytes(20_000_000))")
    assert result.outcome == "fault"


def test_a_loop_is_stopped(probe: Probe) -> None:
    result = probe("while True:\n    pass")
    assert result.outcome == "fault"
    assert result.error is not None
    assert result.error["code"] == "service_failure"
    assert "notebook.probe: it did not come to an end in time" in str(result.detail)


def test_where_a_loop_was_is_printed(box: Callable[..., Box]) -> None:
    opened = box("while True:\n    pass")
    branch = opened.snapshot().fork()
    notebook.call(branch, "probe", {})
    assert "built/notebook/tools.py" in opened.last_printed


def test_a_sleep_is_stopped(probe: Probe) -> None:
    assert "in time" in str(probe("import time\ntime.sleep(1000)").detail)


def test_output_without_end_is_stopped(probe: Probe) -> None:
    result = probe("while True:\n    print('x' * 1000)")
    assert result.outcome == "fault"
    assert "it printed more than" in str(result.detail)


def test_what_is_printed_is_kept_in_part(box: Callable[..., Box]) -> None:
    opened = box("for number in range(20_000):\n    print('line', number)\nreturn word")
    branch = opened.snapshot().fork()
    assert notebook.call(branch, "probe", {"word": "x"}).data == "x"
    assert opened.printed().endswith("line 19999\n")
    assert len(opened.printed()) < LIMITS.kept * 2


@pytest.mark.parametrize(
    "body",
    [
        "import os\nos.kill(os.getppid(), 9)\nreturn word",
        "import os\nos.kill(1, 9)\nreturn word",
        "import os\nos.kill(-1, 9)\nreturn word",
        f"import os\nos.kill({os.getpid()}, 9)\nreturn word",
    ],
    ids=["its parent", "the first", "all", "us"],
)
def test_killing_others(probe: Probe, body: str) -> None:
    assert probe(body, "x").outcome in ("ok", "fault")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("import os\nos._exit(0)", "ended with status 0"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "SIGKILL|signal 9"),
        ("import ctypes\nctypes.string_at(0)", "SIGSEGV"),
        ("import sys\nsys.exit(3)", "SystemExit"),
        ("import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nf()", ""),
    ],
)
def test_ending_the_process(probe: Probe, body: str, said: str) -> None:
    result = probe(body)
    assert result.outcome == "fault"
    assert any(word in str(result.detail) for word in said.split("|"))


def test_answers_that_are_made_up(probe: Probe) -> None:
    """The process writes to the pipe that its answers go through: what counts is the event, and there is none."""
    body = """
    import os, time
    for number in range(3, 20):
        try:
            os.write(number, b'{"value": {"outcome": "ok"}}\\n')
        except OSError:
            pass
    time.sleep(3)
    """
    result = probe(body)
    assert result.outcome == "fault"


def test_garbage_as_an_answer(probe: Probe) -> None:
    body = """
    import os, time
    for number in range(3, 20):
        try:
            os.write(number, b'[' * 100_000 + b'\\n')
        except OSError:
            pass
    time.sleep(3)
    """
    assert "no message" in str(probe(body).detail)


def test_an_answer_of_great_length(probe: Probe) -> None:
    body = """
    import os
    while True:
        for number in range(3, 20):
            try:
                os.write(number, b'x' * 60_000)
            except OSError:
                pass
    """
    assert probe(body).outcome == "fault"


def test_limits_cannot_be_raised(probe: Probe) -> None:
    result = probe(
        """
        import resource
        try:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except ValueError as error:
            return str(error)
        """
    )
    assert "not allowed" in result.data


def test_two_boxes_do_not_see_each_other(box: Callable[..., Box]) -> None:
    opened = box("import os\nreturn os.listdir('/box/code/built')")
    box()
    branch = opened.snapshot().fork()
    assert sorted(notebook.call(branch, "probe", {}).data) == ["__init__.py", "notebook"]


def test_a_box_outlives_the_thread_that_opened_it(box: Callable[..., Box]) -> None:
    made: list[Any] = []
    thread = threading.Thread(target=lambda: made.append(box()))
    thread.start()
    thread.join()
    branch = made[0].snapshot().fork()
    assert notebook.call(branch, "list_notes", {}).ok
