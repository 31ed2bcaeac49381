"""``compoworld tasks``: what there is to do: read, checked, made, in sets, played. A few commands to a module."""

from __future__ import annotations

import typer

from compoworld.cli.tasks import authoring, checking, draft, listing, making, playing, sets, showing, space

app = typer.Typer(no_args_is_help=True, help="Tasks: read, check, play, and make them by the hundred.")

_ONE, _SETS = "One task", "Sets of tasks"

app.command("list", rich_help_panel=_ONE)(listing.list_)
app.command(rich_help_panel=_ONE)(showing.show)
app.command(rich_help_panel=_ONE)(checking.check)
app.command(rich_help_panel=_ONE)(playing.play)
app.command(rich_help_panel=_ONE)(authoring.author)
app.command(rich_help_panel=_SETS)(making.make)
app.command(rich_help_panel=_SETS)(sets.sets)
app.command(rich_help_panel=_SETS)(sets.card)
app.command("yield", rich_help_panel=_SETS)(sets.yield_)
app.command(rich_help_panel=_SETS)(sets.split)
app.command(rich_help_panel=_SETS)(sets.export)
app.command("import", rich_help_panel=_SETS)(sets.import_)
app.command(rich_help_panel=_SETS)(listing.families)
app.command(rich_help_panel=_SETS)(draft.draft)
app.command(rich_help_panel=_SETS)(space.space)
