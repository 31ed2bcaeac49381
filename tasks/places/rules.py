"""Rules told one by one: a note for each kind of thing, older ones that no longer hold, and notes beside the matter."""

from __future__ import annotations

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
) -> None:
    """Leave a note for each rule, so that only whoever knows the word finds the one that counts.

    Args:
        title: with ``{word}`` in it.
        wordings: sentences around ``{word}`` and the values of a rule; each note is told in one of them.
        rules: values by word.
        older: the values of what held before for the word ``of``: an earlier note for each step of the dial, which
            says itself when it was noted.
    """
    for place, (word, values) in enumerate(rules.items()):
        wording = d.rng.choice(wordings)
        text = wording.format(word=word, **values)
        note.leave(d, title=title.format(word=word), text=text, by=by, days_ago=9 + 3 * place)
    # Older ones come last: where titles are unique, the newest has the plain one and they have their date with it.
    for age in range(d.dials.stale):
        wording, days_ago = d.rng.choice(wordings), 120 + 60 * age
        text = f"{wording.format(word=of, **older)} Noted in {d.ago(days_ago):%B %Y}, until further notice."
        note.leave(d, title=title.format(word=of), text=text, by=by, days_ago=days_ago)


def leave_noise(d: Draft, note: Note, by: Person) -> None:
    """Leave as many notes beside the matter as the dial says, where people write to everybody."""
    if note.service not in _FOR_ALL or (note.service == "chat" and d.plan.area == "private life"):
        return
    for place, text in enumerate(d.rng.sample(_ASIDE, min(d.dials.noise, len(_ASIDE)))):
        note.leave(d, title="For everybody at Tanner Street", text=text, by=by, days_ago=4 + place)
