"""Settings of a training run: a packaged file, a file of one's own over it, single values over both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from engine.errors import InputError
from engine.near import nearest
from rl.local.loading import DType


class Part(BaseModel):
    """A mapping in a file of settings: unknown names are refused, values do not change and fit into JSON."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, allow_inf_nan=False)


class Lora(Part):
    """Low-rank adapters instead of all weights (PEFT).

    Attributes:
        rank, alpha: the update of a weight matrix is ``alpha / rank`` times a product of two matrices of this rank.
        targets: which matrices get one: ``all-linear``, or the names of modules.
    """

    rank: int = Field(16, ge=1, le=1024)
    alpha: float = Field(32, gt=0)
    dropout: float = Field(0, ge=0, lt=1)
    targets: Literal["all-linear"] | tuple[str, ...] = "all-linear"


class Training(Part):
    """What every training run has.

    Attributes:
        policy: the name under which the trained policy is registered; by default that of the run.
        learning_rate: of Adam.
        schedule: how the learning rate goes on after the warm-up: ``constant``, ``linear`` or ``cosine``, to 0.
        warmup: the part of all steps in which it rises from 0.
        per_device: sequences that one device takes at a time; what a batch needs more is accumulated.
        lora: ``None`` trains all weights.
        dtype: of the weights while they are trained; ``bfloat16`` trains float32 weights in mixed precision, ``auto``
            does where the device multiplies it.
        checkpointing: compute activations twice to save memory.
        device: ``auto`` takes a GPU where there is one.
        checkpoints: how many checkpoints are kept.
    """

    policy: str | None = Field(None, pattern=r"^[A-Za-z][A-Za-z0-9._-]{0,79}$")
    seed: int = Field(0, ge=0, lt=2**31)
    learning_rate: float = Field(gt=0, lt=1)
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    warmup: float = Field(0, ge=0, lt=1)
    weight_decay: float = Field(0, ge=0)
    max_grad_norm: float = Field(1, gt=0)
    per_device: int = Field(1, ge=1)
    lora: Lora | None = Lora()
    dtype: DType = "float32"
    checkpointing: bool = False
    device: Literal["auto", "cpu", "cuda"] = "auto"
    checkpoints: int = Field(2, ge=1)


@dataclass(frozen=True)
class Holds:
    """Marks a setting that is a mapping: it holds values that go over packaged settings of this kind."""

    kind: type[Part]


_INNER = "settings"
"""The type of an error that names the settings that are wrong itself."""

_MOST_NAMED = 3

_Settings = TypeVar("_Settings", bound=Part)


def read(
    kind: type[_Settings],
    packaged: str | Sequence[str],
    path: Path | None = None,
    values: Sequence[str] = (),
    given: Mapping[str, Any] | None = None,
    within: str = "",
) -> _Settings:
    """The settings of a run.

    Args:
        packaged: the name of the file in ``rl/configs`` that holds the defaults, without its ending; of several, the
            values of later ones go over those of earlier ones.
        path: a file whose values go over them.
        values: single ones that go over both, as ``lora.rank=8``.
        given: what goes over all of that, nested as in a file.
        within: the setting of something larger that they are; what is wrong is named with it.

    Raises:
        InputError: a file cannot be read, or a value is unknown or wrong; every one that is wrong is named.
    """
    merged: dict[str, Any] = {}
    for name in [packaged] if isinstance(packaged, str) else packaged:
        default = files("rl.configs").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
        merged = _over(merged, _mapping(default, f"{name}.yaml"))
    if path is not None:
        merged = _over(merged, _mapping(_text(path), str(path)))
    for value in values:
        merged = _over(merged, _single(value))
    merged = _over(merged, given or {})
    try:
        return kind.model_validate(merged)
    except ValidationError as error:
        problems = "; ".join(_problem(kind, item, within) for item in error.errors())
        where = str(path) if path is not None else "the settings"
        raise InputError(problems if within else f"{where}: {problems}") from None


def see_values(kind: type[Part], packaged: str, values: dict[str, Any]) -> dict[str, Any]:
    """See that values can go over packaged settings: for the validation of what holds them, as ``packaged``.

    Returns:
        The values, as they are.

    Raises:
        PydanticCustomError: one cannot.
    """
    try:
        read(kind, packaged, given=values, within=packaged)
    except InputError as error:
        raise PydanticCustomError(_INNER, "{said}", {"said": error.message}) from None
    return values


def paths(kind: type[BaseModel]) -> list[str]:
    """The full names of all settings, each before those within it: ``lora``, ``lora.rank``, ..."""
    found: list[str] = []
    for attribute, field in kind.model_fields.items():
        name = field.alias or attribute
        found += [name, *(f"{name}.{inner}" for part in _parts(field) for inner in paths(part))]
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"the settings {str(path)!r} cannot be read: {reason}") from None


def _mapping(text: str, where: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"{where} is not YAML: {' '.join(str(error).split())}") from None
    if found is not None and not isinstance(found, dict):
        raise InputError(f"{where} holds names with values, such as 'learning_rate: 1.0e-4'")
    return found or {}


def _single(value: str) -> dict[str, Any]:
    """``a.b=1`` as ``{"a": {"b": 1}}``."""
    name, sign, said = value.partition("=")
    if not sign or not name.strip():
        raise InputError(f"{value!r} gives no value to a setting", hint="such as lora.rank=8")
    try:
        found: Any = yaml.safe_load(said)
    except yaml.YAMLError:
        found = said
    for part in reversed(name.strip().split(".")):
        found = {part: found}
    return dict(found)


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Both, the values above first; mappings go into one another."""
    merged = dict(below)
    for name, value in above.items():
        old = merged.get(name)
        merged[name] = _over(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def _problem(kind: type[BaseModel], item: Any, within: str) -> str:
    """What is wrong with one value, where it stands, and what may have been meant."""
    place = ".".join(str(part) for part in item["loc"])
    whole = ".".join(part for part in (within, place) if part)
    if item["type"] == "extra_forbidden":
        meant = " or ".join(f"{within}.{path}" if within else path for path in _meant(kind, place))
        return f"there is no setting {whole!r}{f' (did you mean {meant}?)' if meant else ''}"
    if item["type"] == "missing":
        return f"{whole} is missing"
    if item["type"] == "tuple_type":
        return f"{whole} is a list, such as [{item['input']}]"
    said = item["msg"].removeprefix("Value error, ")
    if item["type"] == _INNER or not whole:
        return str(said)
    # What a check of ours says names the value where that helps.
    value = "" if item["type"] == "value_error" else f", not {item['input']!r}"
    return f"{whole}: {said[:1].lower()}{said[1:]}{value}"


def _meant(kind: type[BaseModel], place: str) -> list[str]:
    """The settings of the nearest name: very near beside the one that does not exist, or near anywhere."""
    parent, _, name = place.rpartition(".")
    known = sorted(paths(kind), key=lambda path: path.count("."))
    beside = [path for path in known if path.rpartition(".")[0] == parent]
    for some, alike in ((beside, 0.8), (known, 0.7), (beside, 0.6)):
        near = nearest(name, {path.rpartition(".")[2] for path in some}, alike=alike)[:1]
        if near:
            return [path for path in some if path.rpartition(".")[2] == near[0]][:_MOST_NAMED]
    return []


def _parts(field: FieldInfo) -> list[type[BaseModel]]:
    """The settings that are nested in one."""
    kinds = [field.annotation, *getattr(field.annotation, "__args__", ())]
    kinds += [mark.kind for mark in field.metadata if isinstance(mark, Holds)]
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
