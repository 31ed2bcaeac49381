"""What the compiler works out before it writes anything: entities with their columns, and what each tool does."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.kit import Entity
from synth.compiler.parameters import Parameter
from synth.compiler.words import Reading
from synth.specs import ToolSpec

_TAKEN = {
    *dir(Entity), "metadata", "registry", "out", "check", "table", "id", "query", "date", "datetime", "str", "int",
    "bool", "float", "field", "key", "ref", "is_active", "rows", "self",
}  # fmt: skip
"""What a column of the name would hide: of its entity, and of the module in which its annotation stands."""


def python_name(words: Sequence[str], longest: int = 40) -> str:
    """A name of lower-case words that Python, SQL and the entities' base class take."""
    name = re.sub(r"[^a-z0-9_]", "", "_".join(words).lower())[:longest].strip("_") or "thing"
    if name[0].isdigit():
        name = f"n{name}"
    if keyword.iskeyword(name) or name in _TAKEN or name.startswith("model_"):
        name = f"{name}_"
    return name


def entity_name(words: Sequence[str], taken: set[str], longest: int) -> str:
    """A name for an entity that no other has: such that the class's name gives it back."""
    number = 1
    while True:
        plain = [re.sub(r"[^a-z0-9]", "", word) for word in words]
        parts = [word for word in "_".join(word for word in plain if word)[:longest].split("_") if word] or ["thing"]
        if parts[0][0].isdigit() or parts in (["entity"], ["any"]):
            parts.insert(0, "a")
        if number > 1:
            parts.append("abcdefghijklmnopqrstuvwxyz"[number % 26] * (1 + number // 26))
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", "".join(part.capitalize() for part in parts)).lower()
        if name not in taken:
            return name
        number += 1


@dataclass
class Column:
    """A column of an entity beside its key.

    Attributes:
        shown: the specification's name.
        semantic: what it means to people.
        annotation: its Python type, without ``| None``.
        required: whether every row has it.
        target: the entity that it names a row of.
        enforced: whether the database holds that reference; else only the tools do.
        elements: the entity whose identifiers a list holds.
        parameter: one parameter that gives it its values; none for what an action sets.
        written: whether a tool gives it its values; else it is only a condition of a list.
        answered: whether an output schema shows it.
        states: what actions set it to.
    """

    name: str
    shown: str
    semantic: str
    annotation: str
    required: bool = False
    unique: bool = False
    target: EntityPlan | None = None
    enforced: bool = False
    elements: EntityPlan | None = None
    parameter: Parameter | None = None
    written: bool = False
    answered: bool = False
    states: list[str] = field(default_factory=list)

    @property
    def decidable(self) -> bool:
        """Whether a condition on it can be decided: something gives it values that mean what they say."""
        return self.written or self.answered or self.target is not None or self.unique or self.parameter is None


@dataclass
class EntityPlan:
    """An entity.

    Attributes:
        words: of its name, in the singular.
        columns: by name, without the key.
        id_form: what identifiers look like: ``text``, ``number``, ``uuid``, or a regular expression.
        shown_id: the specification's name of the identifier where it is not ``id``.
        single: whether there is one row only (the settings of an account).
        keyed: whether a tool names one of its rows.
        known: whether tools show its rows' identifiers to the caller.
        lists, creates: whether a tool lists its rows, makes one.
        pointed_at: whether tools or other entities name a row of it.
        aliases: other names in the specification of a column.
        lists_of: the column that is a list of what a noun speaks of.
    """

    words: tuple[str, ...]
    name: str
    columns: dict[str, Column] = field(default_factory=dict)
    id_form: str = "text"
    shown_id: str | None = None
    single: bool = False
    keyed: bool = False
    known: bool = False
    lists: bool = False
    creates: bool = False
    pointed_at: bool = False
    aliases: dict[str, str] = field(default_factory=dict)
    lists_of: dict[str, str] = field(default_factory=dict)

    @property
    def class_name(self) -> str:
        """Its Python class."""
        return "".join(part.capitalize() for part in self.name.split("_") if part)

    @property
    def records(self) -> str:
        """The name of its records in the module of tools; no tool's name begins with an underscore."""
        return f"_{self.name}_records"

    def of(self, shown: str) -> Column | None:
        """The column of this name in the specification."""
        if shown in self.aliases:
            return self.columns[self.aliases[shown]]
        return next((item for item in self.columns.values() if item.shown == shown), None)


@dataclass
class ToolPlan:
    """What a tool does.

    Attributes:
        entity: whose rows it works with.
        call: the Python expression that does it; ``None`` leaves the tool to the world model.
        reason: why it is left to the world model, in words.
        scopes: parameters that only say where one works.
    """

    spec: ToolSpec
    reading: Reading
    parameters: list[Parameter]
    entity: EntityPlan | None = None
    call: str | None = None
    reason: str = ""
    scopes: list[str] = field(default_factory=list)

    def given(self, name: str) -> Parameter | None:
        """The parameter of this name."""
        return next((item for item in self.parameters if item.name == name), None)


@dataclass
class ServicePlan:
    """A whole service, ready to be written."""

    name: str
    title: str
    domain: str
    summary: str
    entities: list[EntityPlan]
    tools: list[ToolPlan]
