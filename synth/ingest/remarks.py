"""What a schema says beside its rules: texts, its draft, examples, and words that the standard does not know."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from synth.ingest.document import Unusable, clean, plain_text, plain_value
from synth.ingest.keywords import Say, Schema, brief

MAX_TEXT = 20_000

_DRAFTS = {
    "draft-03": "draft 3",
    "draft-04": "draft 4",
    "draft-06": "draft 6",
    "draft-07": "draft 7",
    "2019-09": "2019-09",
}


def read_texts(given: Mapping[str, Any], made: Schema, say: Say) -> None:
    for key in ("title", "description"):
        if key not in given:
            continue
        text = plain_text(given[key], MAX_TEXT)
        if text:
            made[key] = text
        if not isinstance(given[key], str):
            say("text", f"the {key} is no text: " + ("written as one" if text else "taken out"))
        elif text != given[key].strip():
            say("text", f"the {key} held what cannot be stored, or was too long")


def note_draft(given: Mapping[str, Any], say: Say) -> None:
    if "$schema" in given and "2020-12" not in str(given["$schema"])[:200]:
        named = [name for part, name in _DRAFTS.items() if part in str(given["$schema"])[:200]]
        say("draft", f"written for {named[0] if named else brief(given['$schema'])}: it is read as 2020-12")


def carry_rest(given: Mapping[str, Any], made: Schema, say: Say, done: Collection[str]) -> None:
    """Defaults, examples and words that the standard does not know, as the values that they are.

    Args:
        done: keywords that were read already.
    """
    for key, item in given.items():
        name = clean(key)
        if name in done or name in made or name in ("title", "description") or name.startswith("$"):
            continue
        try:
            made[name] = plain_value(item)
        except Unusable as error:
            say("value", f"{brief(name)} is {error}: taken out")
    if "examples" in made and not isinstance(made["examples"], list):
        made["examples"] = [made["examples"]]
    if "visible" in made:
        say("visible", "a list of what is shown to an agent is carried")
    if "optional" in made:
        say("optional", "optional is carried: required is what counts")
