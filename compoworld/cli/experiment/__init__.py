"""``compoworld experiment``: claims that can be tried by one command each."""

from __future__ import annotations

import typer

from compoworld.cli.experiment import running, showing

app = typer.Typer(no_args_is_help=True, help="Experiments: what training gains, arm against arm; list, run, report.")

app.command("list")(showing.list_)
app.command("run")(running.run)
app.command("show")(showing.show)
app.command("report")(showing.report)
