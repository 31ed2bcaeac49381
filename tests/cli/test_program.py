"""What holds for every command: help, examples, --json, errors, exit codes, start-up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer.main

from compoworld import __version__
from compoworld.cli import app, demo
from compoworld.cli.inputs import duration, number
from engine.postgres import URL_VARIABLE
from tests.cli.conftest import Program
from tests.processes import eventually


def commands(group: Any = None, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its path; groups are only walked through."""
    for name, command in (group or typer.main.get_command(app)).commands.items():
        where = f"{path} {name}".strip()
        if hasattr(command, "commands"):
            yield from commands(command, where)
        else:
            yield where, command


@pytest.mark.unit
@pytest.mark.parametrize(
    ("path", "command"), list(commands()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_help_has_an_example_that_is_a_command(path: str, command: Any) -> None:
    examples = [line.strip() for line in command.help.splitlines() if line.strip().startswith("Example:")]
    assert examples, f"{path} has no example"
    assert any(f"compoworld {path}" in line for line in examples)


@pytest.mark.unit
@pytest.mark.parametrize(
    ("path", "command"), list(commands()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_command_has_json_and_documented_options(path: str, command: Any) -> None:
    names = {option for parameter in command.params for option in parameter.opts}
    assert "--json" in names, path
    assert all(parameter.help for parameter in command.params if parameter.name != "help")


@pytest.mark.unit
def test_every_help_is_shown() -> None:
    program = Program("postgresql://nobody@127.0.0.1:1/none")
    for path, _ in commands():
        shown = program.text(*path.split(), "--help")
        assert "Example:" in shown
        assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.unit
def test_version() -> None:
    assert Program("").text("--version") == f"compoworld {__version__}\n"


@pytest.mark.acceptance
def test_help_and_version_are_quick_and_import_little() -> None:
    code = (
        "import sys\n"
        "from compoworld.cli import app\n"
        "try:\n    app(sys.argv[1:])\n"
        "finally:\n"
        "    heavy = 'torch transformers sqlalchemy sqlmodel anthropic alembic psycopg yaml inflect rstr'.split()\n"
        "    slow = set(heavy) & set(sys.modules)\n"
        "    assert not slow, slow\n"
    )
    best = 60.0
    for option in ("--help", "--version") * 3:
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", code, option], capture_output=True, text=True, check=False)
        best = min(best, time.perf_counter() - began)
        assert done.returncode == 0, done.stderr
    assert best < 0.5


@pytest.mark.unit
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nonsense",), "No such command 'nonsense'"),
        (("--nonsense",), "No such option"),
        (("events",), "Missing argument 'BRANCH'"),
        (("events", "x"), "is not a branch"),
        (("events", "0"), "from 1 to"),
        (("events", "9" * 5000), "is not a branch"),
        (("events", "1_0"), "is not a branch"),
        (("events", "٣"), "is not a branch"),
        (("events", "1", "--event", "-1"), "from 1 to"),
        (("compose",), "Missing argument"),
        (("compose", ""), "characters"),
        (("compose", "a" * 300), "characters"),
        (("compose", "mail", "--seed", "-1"), "is not a seed"),
        (("state", "1", "--diff", "1"), "--diff"),
        (("state", "1", "--diff", "a", "b"), "is not an event"),
        (("state", "1", "--diff", "1", "2", "--at", "1"), "--diff goes with neither"),
        (("state", "1", "--key", "x"), "--key needs --table"),
        (("rollout", "run", "t", "-n", "0"), "from 1 to"),
        (("rollout", "run", "t", "--seconds", "nan"), "number of seconds"),
        (("rollout", "run", "t", "--seconds", "inf"), "number of seconds"),
        (("rollout", "run", "t", "--model", "m"), "takes no model"),
        (("rollout", "run", "t", "--steps", "1.5"), "whole number"),
        (("gc", "--older-than", "soon"), "length of time"),
        (("gc", "--rollout", "x"), "is not a rollout"),
        (("db", "reset", "--json"), "--yes"),
        (("db", "psql", "--json"), "--json needs -c"),
        (("services", "call", "chat", "t", "[1]"), "a JSON object"),
        (("services", "call", "chat", "t", "{"), "not JSON"),
        (("services", "call", "chat", "t", "[" * 200_000), "nested too deeply"),
        (("services", "call", "chat", "t", '{"a": ' + "1" * 5000 + "}"), "arguments"),
        (("services", "call", "chat", "t", "@/no/such/file"), "cannot be read"),
        (("services", "load", "retail", "/no/such/file"), "cannot be read"),
        (("services", "load", "retail", "/"), "cannot be read"),
        (("services", "show", "\udcff"), "UTF-8"),
        (("tasks", "show", "nope.yaml"), "cannot be read"),
        (("tasks", "show", "\udcff"), "UTF-8"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(arguments: tuple[str, ...], words: str) -> None:
    # Refused before any database is needed.
    assert words in Program("postgresql://nobody@127.0.0.1:1/none").refused(*arguments)


@pytest.mark.unit
@pytest.mark.parametrize("group", ["", "db", "tasks", "services", "rollout"])
def test_without_a_command_the_help_is_shown(group: str) -> None:
    said = Program("")(*group.split())
    assert said.code == 2
    assert "Usage: compoworld" in said.out
    assert said.err == ""


@pytest.mark.unit
@pytest.mark.parametrize(
    ("url", "code", "words"),
    [
        ("postgresql://nobody@127.0.0.1:1/none", 3, "cannot reach"),
        ("mysql://x/y", 2, "must start with postgresql://"),
        ("postgresql://u:secret@127.0.0.1:1/none", 3, "cannot reach"),
        ("nonsense", 2, "is not a URL"),
    ],
)
def test_an_unusable_database_is_said_in_one_line(url: str, code: int, words: str) -> None:
    said = Program(url)("events", "1")
    assert (said.code, said.out) == (code, "")
    assert words in said.err and said.err.count("\n") == 1
    assert "secret" not in said.err


@pytest.mark.unit
def test_a_bug_is_one_line_unless_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("odd\nand [bold]odder[/]\x1b[2J")

    monkeypatch.setattr("engine.library.Library.names", broken)
    said = Program("")("services", "list")
    assert said.code == 3
    assert said.err.count("\n") == 1 and "\x1b" not in said.err
    assert "RuntimeError" in said.err and "COMPOWORLD_DEBUG=1" in said.err
    monkeypatch.setenv("COMPOWORLD_DEBUG", "1")
    done = subprocess.run(
        [sys.executable, "-c", "from compoworld.cli import app; app(['events', '1'])"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "COMPOWORLD_DEBUG": "1", URL_VARIABLE: "mysql://x/y"},
    )  # fmt: skip
    assert "Traceback" in done.stderr


@pytest.mark.unit
def test_an_interrupt_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt("compoworld rollout resume 7")

    monkeypatch.setattr(demo, "opened", interrupted)
    monkeypatch.setattr("tasks.library", lambda: iter([object()]))
    said = Program("")("demo")
    assert said.code == 130
    assert said.err.endswith("interrupted; go on with: compoworld rollout resume 7\n")


@pytest.mark.acceptance
@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupt_ends_with_130(cw: Program, blow: signal.Signals) -> None:
    code = "from compoworld.cli import app; app(['db', 'psql', '--json', '-c', 'select pg_sleep(60)'])"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, URL_VARIABLE: cw.url},
    )  # fmt: skip
    with psycopg.connect(cw.url, autocommit=True) as connection:
        asleep = (
            "SELECT 1 FROM pg_stat_activity WHERE query = 'select pg_sleep(60)' AND state = 'active'"
            " AND datname = current_database()"
        )
        eventually(lambda: connection.execute(asleep).fetchone(), "it sleeps", process=process)
    process.send_signal(blow)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert out == "" and err.strip() == "interrupted"


_WITH_PROCESSES = """
import os
import time
import typer
from compoworld.cli.program import Program
from engine.processes import interruptible, process_pool

app = typer.Typer(cls=Program)

@app.command()
def work() -> None:
    with process_pool(2) as pool:
        for future in [pool.submit(interruptible, sleep) for _ in range(3)]:
            future.result()

def sleep() -> None:
    os.write(1, b"under way\\n")  # at once: print may write the end of the line by itself
    time.sleep(60)

@app.command()
def other() -> None:
    pass

if __name__ == "__main__":
    app()
"""


@pytest.mark.acceptance
def test_sigterm_leaves_nothing_of_processes(tmp_path: Path) -> None:
    file = tmp_path / "work.py"
    file.write_text(_WITH_PROCESSES)
    process = subprocess.Popen(
        [sys.executable, str(file), "work"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert process.stdout is not None
    for _ in range(2):
        assert process.stdout.readline() == "under way\n"
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "interrupted\n"), "no semaphore is left, either"


@pytest.mark.unit
@pytest.mark.parametrize("torchrun", [False, True])
def test_sigterm_is_handled_while_a_command_runs(monkeypatch: pytest.MonkeyPatch, torchrun: bool) -> None:
    handlers: list[Any] = []

    def looked_at(*_: object) -> None:
        handlers.append(signal.getsignal(signal.SIGTERM))
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "opened", looked_at)
    monkeypatch.setattr("tasks.library", lambda: iter([object()]))
    if torchrun:
        monkeypatch.setenv("TORCHELASTIC_RUN_ID", "1")
    assert Program("")("demo").code == 130
    assert (handlers == [signal.SIG_DFL]) == torchrun
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


_SLOW_TO_CLEAR = """
import time
import typer
from compoworld.cli.program import Program

app = typer.Typer(cls=Program)

@app.command()
def work() -> None:
    try:
        print("under way", flush=True)
        time.sleep(60)
    finally:
        print("clearing", flush=True)
        time.sleep(3)
        print("cleared", flush=True)

@app.command()
def other() -> None:
    pass

app()
"""


@pytest.mark.acceptance
@pytest.mark.parametrize(("later", "code", "left"), [(0, 130, "cleared\n"), (1.2, -signal.SIGTERM, "")])
def test_only_a_later_sigterm_ends_a_command_at_once(tmp_path: Path, later: float, code: int, left: str) -> None:
    """GNU timeout sends two of them, one right after the other."""
    file = tmp_path / "work.py"
    file.write_text(_SLOW_TO_CLEAR)
    process = subprocess.Popen(
        [sys.executable, str(file), "work"], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "under way\n"
    process.send_signal(signal.SIGTERM)
    assert process.stdout.readline() == "clearing\n"
    time.sleep(later)
    process.send_signal(signal.SIGTERM)
    assert (process.communicate(timeout=30)[0], process.returncode) == (left, code)


@pytest.mark.acceptance
def test_a_closed_pipe_is_quiet(cw: Program) -> None:
    command = f"{sys.executable} -c \"from compoworld.cli import app; app(['services', 'show', 'chat'])\" | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("Team chat")
    assert done.stderr == ""


@pytest.mark.unit
def test_numbers_and_durations() -> None:
    assert number("a branch")("42") == 42
    assert duration("90m").total_seconds() == 5400
    assert duration("0d").total_seconds() == 0
    for text in ("", "d", "1.5d", "-1d", "1y", "9999999d", "1 d"):
        with pytest.raises(typer.BadParameter):
            duration(text)
