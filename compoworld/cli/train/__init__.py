"""``compoworld train``: policies from rollouts, by SFT and by GRPO; what was trained, and on what."""

from __future__ import annotations

import typer

from compoworld.cli.train import grpo, sft, showing

app = typer.Typer(no_args_is_help=True, help="Training: fine-tune on rollouts, improve by GRPO, list, show.")

app.command("select")(sft.select)
app.command("sft")(sft.sft)
app.command("grpo")(grpo.grpo)
app.command("list")(showing.list_)
app.command("show")(showing.show)
