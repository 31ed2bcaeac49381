"""Special tokens of a tokenizer: the marks of turns, which a text may spell out and never becomes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

CUT = "\ud800"
"""Where a text is cut, so that no piece holds a special token. No text has it: half of a character is not encoded."""


class Specials:
    """The special tokens of a tokenizer.

    transformers' ``split_special_tokens`` is for a text as a whole; here some of the text is a chat template's, whose
    special tokens are meant.

    Attributes:
        spelled: a text that has all of them.
    """

    def __init__(self, tokenizer: Any) -> None:
        added = {number: str(token) for number, token in tokenizer.added_tokens_decoder.items() if token.special}
        names = sorted({*added.values(), *tokenizer.all_special_tokens})
        self.spelled = " ".join(names)
        self._numbers = {*added, *tokenizer.all_special_ids}
        self._first = re.compile(f"(?={'|'.join(map(re.escape, names))})(.)", re.DOTALL)

    def apart(self, value: Any) -> Any:
        """The same JSON value with a cut after the first character of each special token in a text of it."""
        if isinstance(value, str):
            return self._first.sub(rf"\1{CUT}", value)
        if isinstance(value, dict):
            return {self.apart(name): self.apart(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.apart(item) for item in value]
        return value

    def count(self, token_ids: Sequence[int]) -> int:
        """How many of these tokens are special."""
        return sum(token in self._numbers for token in token_ids)
