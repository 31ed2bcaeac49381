"""TRL's trainer without its padding: it makes all rollouts of a batch of groups as long as the longest one."""

from __future__ import annotations

from typing import Any

import torch
from trl import GRPOTrainer


class OwnLengths(GRPOTrainer):  # type: ignore[misc] # TRL has no types of its own
    """Puts sequences through the model without the columns that are padding in all of them."""

    def _get_per_token_logps_and_entropies(
        self,
        model: Any,
        input_ids: Any,
        attention_mask: Any,
        logits_to_keep: int,
        batch_size: int | None = None,
        **named: Any,
    ) -> tuple[Any, Any, Any]:
        """As in TRL; what was left out is 0."""
        at_once = batch_size or len(input_ids)
        parts = [
            self._of_own_length(model, ids, mask, logits_to_keep, named)
            for ids, mask in zip(input_ids.split(at_once), attention_mask.split(at_once), strict=True)
        ]
        logps, entropies, auxiliary = (None if column[0] is None else column for column in zip(*parts, strict=True))
        assert logps is not None
        return (
            torch.cat(logps),
            None if entropies is None else torch.cat(entropies),
            None if auxiliary is None else torch.stack(auxiliary).mean(),
        )

    def _of_own_length(
        self, model: Any, ids: Any, mask: Any, logits_to_keep: int, named: dict[str, Any]
    ) -> tuple[Any, Any, Any]:
        used = mask.any(dim=0).nonzero()
        begin, end = int(used[0]), int(used[-1]) + 1
        after = mask.shape[1] - end
        logps, entropies, auxiliary = super()._get_per_token_logps_and_entropies(
            model, ids[:, begin:end], mask[:, begin:end], logits_to_keep - after, **named
        )
        filled = [None if item is None else torch.nn.functional.pad(item, (0, after)) for item in (logps, entropies)]
        return filled[0], filled[1], auxiliary
