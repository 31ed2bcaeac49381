"""Rules told one by one: a note for each kind of thing, older ones that no longer hold, and notes beside the matter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.kit.cast import Person

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft
    from tasks.places import Note

_ASIDE = (
    "The lift at Tanner Street is serviced on Thursday; please take the stairs until two.",
    "Reminder from reception: parcels that nobody collects go back after five days.",
    "The coffee supplier changes next month. The beans in the cupboard are free for whoever wants them.",
    "Somebody left a grey umbrella in Rowan. It hangs by the door.",
    "The blue meeting chairs come back from the upholsterer next week, so Larch is short of four until then.",
    "Please lock the bicycle cage at night; two saddles went missing.",
    "The heating on the second floor is repaired. Thank you for your patience and the jumpers.",
)

_FOR_ALL = ("mail", "chat", "docs")
"""Where colleagues say such things: nobody makes a ticket or a meeting of them, or a direct message."""


def leave_rules(
    d: Draft,
    note: Note,
    *,
    title: str,
    by: Person,
    wordings: Sequence[str],
    rules: Mapping[str, Mapping[str, object]],
    older: Mapping[str, object],
    of: str,
    turns: Sequence[int] | None = None,
) -> None:
    """Leave a note for each rule, so that only whoever knows the word finds the one that counts.

    They are written in mixed order: the newest is no better a guess than another.

    Args:
        title: with ``{word}`` in it.
        wordings: sentences around ``{word}`` and the values of a rule; each note is told in one of them.
        rules: values by word.
        older: the values of what held before for the word ``of``: an earlier note for each step of the dial, which
            says itself when it was noted.
        turns: how old each note is, where other records go by the same; the newest has 0.
    """
    told = [(title.format(word=word), d.rng.choice(wordings).format(word=word, **rules[word])) for word in rules]
    # Whoever searches takes the newest: what is found beside the right one by all the words of its name is older.
    found = [place for place, one in enumerate(told) if _words(of) <= _words(*one)]
    ages = d.turns(len(rules), list(rules).index(of), found) if turns is None else turns
    for place in sorted(range(len(told)), key=lambda place: -ages[place]):
        name, text = told[place]
        note.leave(d, title=name, text=text, by=by, days_ago=9 + 3 * ages[place])
    # Older ones come last: where titles are unique, the newest has the plain one and they have their date with it.
    for age in range(d.dials.stale):
        wording, days_ago = d.rng.choice(wordings), 120 + 60 * age
        text = f"{wording.format(word=of, **older)} Noted in {d.ago(days_ago):%B %Y}, until further notice."
        note.leave(d, title=title.format(word=of), text=text, by=by, days_ago=days_ago)


def _words(*texts: str) -> set[str]:
    return set(re.findall(r"[\w-]+", " ".join(texts).casefold()))


def leave_noise(d: Draft, note: Note, by: Person) -> None:
    """Leave as many notes beside the matter as the dial says, where people write to everybody."""
    if note.service not in _FOR_ALL or (note.service == "chat" and d.plan.area == "private life"):
        return
    for place, text in enumerate(d.rng.sample(_ASIDE, min(d.dials.noise, len(_ASIDE)))):
        note.leave(d, title="For everybody at Tanner Street", text=text, by=by, days_ago=4 + place)
