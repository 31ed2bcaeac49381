"""``compoworld synth``: from tool specifications to verified services. One module for each command."""

from __future__ import annotations

import typer

from compoworld.cli.synth import ingest

app = typer.Typer(no_args_is_help=True, help="Services made of tool specifications.")

app.command()(ingest.ingest)
