"""``compoworld eval``: an agent on many tasks, its figures, two agents compared, plots and reports."""

from __future__ import annotations

import typer

from compoworld.cli.eval import running, showing, writing

app = typer.Typer(no_args_is_help=True, help="Evaluations: run an agent on a set, show, compare, plot, report.")

app.command()(running.run)
app.command("list")(showing.list_)
app.command()(showing.show)
app.command()(showing.compare)
app.command()(writing.plot)
app.command()(writing.report)
