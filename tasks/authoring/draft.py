"""A draft: the sheet on which a scenario family tells one scenario."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from engine.kit import jsonable
from engine.kit.cast import COLLEAGUES, Person
from engine.kit.seed import DEFAULT_START
from engine.verifiers import Kind
from tasks.authoring.draw import Draw, workdays
from tasks.authoring.family import family_named
from tasks.authoring.plans import Plan
from tasks.authoring.terms import Seen, Template
from tasks.document import CriterionText, InitialState, ReferenceCall
from tasks.errors import DraftError
from tasks.sampling.dials import Dials

if TYPE_CHECKING:
    from tasks.places import Entry, Message, Note

T = TypeVar("T")


@dataclass(frozen=True)
class Act:
    """A call of the reference solution that writes.

    Attributes:
        call: its number, from 0.
        goal: what must hold after it, one sentence for people; acts with the same goal make one criterion.
        kind: ``state``, or ``output`` for a message.
    """

    call: int
    goal: str
    kind: Kind


@dataclass(frozen=True)
class Fact:
    """A value that the agent must find, and what it is in the counterfactual."""

    name: str
    value: Any
    instead: Any


@dataclass
class Draft:
    """One scenario in the making.

    Everything drawn from it is the same for the same plan, whichever fact is otherwise: a family must not draw more or
    less often because of a fact's value.

    Attributes:
        plan: family, pattern, roles, dials and seed.
        otherwise: the fact that is at its alternative in this telling; ``None`` for the task itself.
        rng: for choices of the scenario; wordings are chosen from a source of their own.
        beside: for what records beside the right one say; how often it is used changes nothing else.
        draw: fresh names, codes, amounts and dates.
        user: whose assistant the agent is; a family may set another colleague before anything else.
    """

    plan: Plan
    otherwise: str | None = None
    user: Person = COLLEAGUES[0]
    start: datetime = DEFAULT_START
    facts: dict[str, Fact] = field(default_factory=dict)
    calls: list[ReferenceCall] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    orders: list[tuple[str, str]] = field(default_factory=list)
    criteria: list[CriterionText] = field(default_factory=list)
    reply: Template = None
    _insert: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _update: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    _delete: dict[str, list[str]] = field(default_factory=dict)
    _paragraphs: list[list[str]] = field(default_factory=lambda: [[]])
    _title: str = ""
    filed_under: list[str] = field(default_factory=list)
    _chains: list[tuple[str, str]] = field(default_factory=list)
    _told_chain: str = ""
    _keys: int = 0
    _asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.plan.seed}/scenario")
        self.draw = Draw(random.Random(f"{self.plan.seed}/draw"), self.start)
        self._words = random.Random(f"{self.plan.seed}/words")
        self.beside = random.Random(f"{self.plan.seed}/beside")
        self._time = random.Random(f"{self.plan.seed}/time")
        self._newest, self._mixed = self._time.randint(1, 2), 0
        self._turns = self.turns(self.dials.alike + 1)

    @property
    def dials(self) -> Dials:
        """The dials of difficulty."""
        return self.plan.dials

    @property
    def pattern(self) -> int:
        """Which of the patterns that the family declares is told, from 0."""
        return family_named(self.plan.family).tellings[self.plan.pattern]

    @property
    def roles(self) -> Mapping[str, str]:
        """The service of each role of the pattern."""
        return self.plan.roles

    def note(self, role: str) -> Note:
        """The place of texts that plays a role."""
        from tasks.places import NOTES

        return NOTES[self.roles[role]]

    def message(self, role: str) -> Message:
        """The way to tell somebody that plays a role."""
        from tasks.places import MESSAGES

        return MESSAGES[self.roles[role]]

    def entry(self, role: str) -> Entry:
        """The place of new records that plays a role, with those where the record is filed on in this pattern."""
        from tasks.places import ENTRIES
        from tasks.places.trail import Trail

        first = ENTRIES[self.roles[role]]
        trail = [ENTRIES[service] for name, service in self.roles.items() if name.startswith(f"{role}-filed-")]
        return Trail(first, trail) if trail else first

    # What the agent must find

    def fact(self, name: str, value: T, instead: T) -> T:
        """Declare a value that the agent must find; gives it, or the alternative in the counterfactual.

        Args:
            name: lower case with dashes, such as ``credit-limit``.
            instead: another value that would do as well.
        """
        if name in self.facts or value == instead:
            raise ValueError(f"fact {name!r} is declared twice, or its alternative is the same")
        self.facts[name] = Fact(name, value, instead)
        return instead if self.otherwise == name else value

    def one_of(self, name: str, options: list[T]) -> T:
        """A fact drawn from options; another of them is its alternative."""
        value, instead = self.rng.sample(options, 2)
        return self.fact(name, value, instead)

    # The initial state

    def turns(self, count: int, right: int = 0, older: Sequence[int] = ()) -> list[int]:
        """The numbers below a count, mixed: which of as many records is how old; the newest has 0.

        The right one is any of them, but it is the newest in one mixing of a scenario at most: whoever always takes
        the newest must not be right throughout. How often it is asked for must not depend on a fact.

        Args:
            right: the place of the record that is asked for.
            older: places of those that must be older than the right one.
        """
        ages = self._time.sample(range(count), count)
        near = [right, *(place for place in older if place != right)]
        away = [place for place in range(count) if place not in near]
        if self._mixed != self._newest and away and min(ages[place] for place in near) == 0:
            newest, other = ages.index(0), min(away, key=ages.__getitem__)
            ages[newest], ages[other] = ages[other], 0
        first = min(near, key=ages.__getitem__)
        ages[right], ages[first] = ages[first], ages[right]
        self._mixed += 1
        return ages

    def turn(self, place: int) -> int:
        """The turn of a record among those that are alike, the same in the whole scenario; no two have the same.

        The right one has place 0, and is never the newest.
        """
        return self._turns[place] if place < len(self._turns) else place

    def key(self, prefix: str) -> str:
        """A key for a planted row; the same row gets the same one in every telling."""
        self._keys += 1
        digest = hashlib.sha256(f"{self.plan.seed}/key/{self._keys}".encode()).hexdigest()
        return f"{prefix}_{digest[:10]}"

    def on(self, days: int) -> date:
        """The date so many days after the start's (negative: before it); working days, but for private life."""
        if self.plan.area == "private life":
            return self.calendar_day(days)
        return workdays(self.start.date(), days)

    def ago(self, days: int, hour: int = 9, minute: int = 0) -> datetime:
        """An instant so many days before the start's date, counted as ``on`` does.

        What would be later than the start on its own day was early in the morning.
        """
        at = self.at(self.on(-days), hour, minute)
        return at if days or at < self.start else at.replace(hour=self.start.hour - 2)

    def calendar_day(self, days: int) -> date:
        """The date so many days after the start's, weekends and holidays counted: for what goes on by itself."""
        return self.start.date() + timedelta(days=days)

    def at(self, day: date, hour: int, minute: int = 0) -> datetime:
        """An instant on a date; so many hours and minutes after it begins."""
        return datetime.combine(day, time(), self.start.tzinfo) + timedelta(hours=hour, minutes=minute)

    def once(self, what: str) -> bool:
        """Whether this is the first time in this telling that something is asked for by that name."""
        if what in self._asked:
            return False
        self._asked.add(what)
        return True

    def asked(self, what: str) -> bool:
        """Whether ``once`` was asked for something by that name already."""
        return what in self._asked

    def plant(self, table: str, **row: Any) -> None:
        """Add a row to s0; decimals, dates and instants are turned into JSON."""
        self._insert.setdefault(table, []).append({name: jsonable(value) for name, value in row.items()})

    def change(self, table: str, key: str, **fields: Any) -> None:
        """Change fields of a row of the seed data."""
        changed = {name: jsonable(value) for name, value in fields.items()}
        self._update.setdefault(table, {}).setdefault(key, {}).update(changed)

    def remove(self, table: str, key: str) -> None:
        """Leave a row of the seed data out."""
        self._delete.setdefault(table, []).append(key)

    def s0(self) -> InitialState:
        """What was planted so far."""
        return InitialState(delete=self._delete, update=self._update, insert=self._insert)

    # The reference solution

    def call(self, service: str, tool: str, /, **arguments: Template) -> Seen:
        """A call that reads."""
        return self._record(service, tool, arguments)

    def act(self, goal: str, service: str, tool: str, /, *, output: bool = False, **arguments: Template) -> Seen:
        """A call that writes, with what must hold after it, one sentence for people.

        Args:
            output: it is a message to somebody: its criterion is of the kind ``output``.
        """
        seen = self._record(service, tool, arguments)
        self.acts.append(Act(seen.call, goal, "output" if output else "state"))
        return seen

    def answer(self, words: str, **values: Template) -> None:
        """What the agent says at the end; the values are what the user asked for."""
        self.reply = {"$text": words, **values}

    def in_order(self, first: str, later: str) -> None:
        """The acts of one goal come before those of another, because the instruction says so."""
        self.orders.append((first, later))

    def criterion(self, name: str, kind: Kind, description: str, sql: str) -> None:
        """A criterion of the family's own, beside those that are derived."""
        self.criteria.append(CriterionText(name=name, kind=kind, description=description, sql=sql))

    # The instruction

    def title(self, words: str) -> None:
        """The task's title, for lists."""
        self._title = words

    def say(self, *wordings: str) -> None:
        """Add to the instruction: one of several wordings."""
        self._paragraphs[-1].append(self.either(*wordings))
        said = self._paragraphs[-1][-1].casefold()
        told = next((each for each in self._chains if each[0].casefold() in said), None)
        if told is not None:
            self._say_chain(*told)
            self._chains.clear()

    def file_on(self, what: str, chain: str) -> None:
        """Say, where a record is named next, that it is filed on: the chain of further records, told once.

        Args:
            what: the words that name the record itself. Each wording that was tried has words of its own.
        """
        self._chains.append((what, chain))

    def _say_chain(self, what: str, chain: str) -> None:
        """In a sentence of its own; in brackets behind the record where the same sentence goes on to use the number."""
        said = self._paragraphs[-1][-1]
        if any(reference in said for reference in self.filed_under):
            behind = said.casefold().index(what.casefold()) + len(what)
            self._paragraphs[-1][-1] = f"{said[:behind]} (and {chain}){said[behind:]}"
        else:
            self._paragraphs[-1].append(
                self.either(
                    f"So that others can find it, add {chain}.",
                    f"Also add {chain}.",
                    f"Refer to it in {chain}.",
                )
            )
        self._told_chain = chain

    def paragraph(self) -> None:
        """Begin a paragraph of the instruction."""
        if self._paragraphs[-1]:
            self._paragraphs.append([])

    def either(self, *wordings: str) -> str:
        """One of several wordings."""
        return self._words.choice(wordings)

    def warn(self, *wordings: str) -> None:
        """Add one of several sentences about older records that no longer count; nothing where the dial leaves none."""
        said = self.either(*wordings)
        if self.dials.stale:
            self.say(said)

    def stale(self, words: str) -> str:
        """Words about older records that no longer count; nothing where the dial leaves none."""
        return words if self.dials.stale else ""

    def instruction(self) -> str:
        """What was said, paragraph by paragraph."""
        words = "\n\n".join(" ".join(sentences) for sentences in self._paragraphs if sentences)
        if self._chains:
            raise DraftError("a record is filed on, and the instruction never says so")
        told = words.find(self._told_chain)
        if any(0 <= words.find(reference) < told for reference in self.filed_under):
            raise DraftError("the instruction speaks of a further record before it says that there is to be one")
        return words

    def heading(self) -> str:
        """The title."""
        return self._title

    def _record(self, service: str, tool: str, arguments: dict[str, Template]) -> Seen:
        number = len(self.calls)
        seen = Seen(f"c{number + 1}", number)
        named = {name.rstrip("_"): _json(value) for name, value in arguments.items()}
        self.calls.append(ReferenceCall(service=service, tool=tool, arguments=named, save=seen.name))
        return seen


def _json(value: Any) -> Any:
    """A template with Python's decimals and dates as JSON."""
    if isinstance(value, Mapping):
        return {name: _json(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    return jsonable(value) if isinstance(value, Decimal | date) else value


__all__ = ["Act", "Draft", "Fact", "Seen"]
