"""Values in the config of an experiment that go over the settings of training."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator

from engine.errors import InputError
from rl.grpo.plan import plan_of
from rl.grpo.settings import GrpoSettings
from rl.sft.settings import SftSettings
from rl.training.runs import processes
from rl.training.settings import Holds, read, see_values


def _see_plan(values: dict[str, Any]) -> dict[str, Any]:
    """See that groups, passes and steps fit."""
    try:
        plan_of(read(GrpoSettings, "grpo", given=values), processes())
    except InputError as error:
        raise ValueError(str(error)) from None
    return values


def _see_free(decided: Sequence[str], values: dict[str, Any]) -> dict[str, Any]:
    """See that nothing is set which the experiment decides: it would go unheeded."""
    for name in decided:
        within, _, last = name.rpartition(".")
        part = values.get(within) if within else values
        if isinstance(part, dict) and last in part:
            raise ValueError(f"{name} is decided by the experiment")
    return values


_OF_SFT = ("policy", "select.sets", "select.split", "select.groups", "select.duplicates", "select.limit")
_OF_GRPO = ("policy", "sets", "split", "tasks", "reward")

# Refused here, and not hours later, when the run begins.
Sft = Annotated[
    dict[str, Any],
    AfterValidator(partial(see_values, SftSettings, "sft")),
    AfterValidator(partial(_see_free, _OF_SFT)),
    Holds(SftSettings),
]
"""Values that go over those of ``compoworld train sft``."""

Grpo = Annotated[
    dict[str, Any],
    AfterValidator(partial(see_values, GrpoSettings, "grpo")),
    AfterValidator(partial(_see_free, _OF_GRPO)),
    AfterValidator(_see_plan),
    Holds(GrpoSettings),
]
"""Values that go over those of ``compoworld train grpo``."""
