"""What families of short tasks share: the places of a story that is told over several services, or within one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.kit.cast import Person
from tasks.authoring.terms import text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, but, called
from tasks.places import MESSAGES

if TYPE_CHECKING:
    from tasks.authoring import Draft, Template
    from tasks.places import Entry, Note

NOTES, ENTRIES = but(DESK_NOTES, "mail"), DESK_ENTRIES
"""Where such notes are, beside mail, and where such records are made."""

ALONE = "desk"
"""The role of the service within which everything happens."""

DESKS = tuple(name for name in NOTES if name in ENTRIES)
"""Services that can play it."""

ROLES = {"log": ENTRIES, "report": tuple(MESSAGES), ALONE: DESKS}
"""The roles of every story; each has its notes beside them."""


def note(d: Draft, role: str) -> Note:
    """The place of notes of a role."""
    return d.note(ALONE if ALONE in d.roles else role)


def log(d: Draft) -> Entry:
    """The place of the new record."""
    return d.entry(ALONE if ALONE in d.roles else "log")


def authors(d: Draft, count: int) -> list[Person]:
    """Colleagues who write in every place."""
    return d.rng.sample(TEAM, count)


def finish(d: Draft, to: Person, made: Template, what: str, told: str, **values: Template) -> None:
    """Tell a colleague, if the story has somebody to tell, and the user; and ask for both.

    Args:
        made: the number of the new record, which the colleague is told, too.
        what: for the instruction, what both are to know: ``the number of pieces``.
        told: words around the values: ``It is {pieces} pieces.``
    """
    d.answer(told, **values)
    if "report" not in d.roles:
        d.say(f"Tell me {what}, too.", f"And let me know {what}.", f"I need to know {what} as well.")
        return
    report, number = d.message("report"), log(d).reference(d)
    words = text(f"{told} See {{made}}.", **values, made=made)
    report.send(d, f"{called(to)} is told {what} and {number}.", to, words, about="As you asked")
    d.say(
        f"Then {report.how(d, called(to))} and say {what} and {number}. Tell me {what}, too.",
        f"After that {report.how(d, called(to))} with {what} and {number}, and let me know {what} as well.",
        f"Then {report.how(d, called(to))}: {called(to)} has to know {what} and {number}. I need {what}, too.",
    )
