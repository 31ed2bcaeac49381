"""``compoworld synth``: from tool specifications to verified services. One module for each command."""

from __future__ import annotations

import typer

from compoworld.cli.synth import attack, build, ingest, mutate, quarantine, report

app = typer.Typer(no_args_is_help=True, help="Services made of tool specifications.")

app.command()(ingest.ingest)
app.command()(build.build)
app.command()(attack.attack)
app.command()(report.report)
app.command()(quarantine.quarantine)
app.command()(mutate.mutate)
