"""Policies: weights with a name and a version, where they are, and what they were made from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text

from engine.errors import InputError, NotFound
from engine.near import did_you_mean
from engine.world import World
from rl.local.files import digest_of, see_digest, weight_files
from rl.local.loading import SMOLLM2

_NAMED = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9._-]{0,79})(?:@(?P<version>[1-9][0-9]{0,8}))?")


@dataclass(frozen=True)
class Policy:
    """A policy.

    Attributes:
        version: 1, 2, 3, ... among those of its name.
        base: the model at the bottom of its line.
        path: the folder of its weights.
        parent: the policy that it was trained from, if it was one: ``name@version``.
        made_by: the name of the run that trained it, if it was one.
        digest: SHA-256 of the weights.
    """

    id: int
    name: str
    version: int
    base: str
    path: str
    parent: str | None
    made_by: str | None
    digest: str
    created_at: datetime

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


@dataclass(frozen=True)
class Weights:
    """Weights that can be loaded, and how they are called.

    Attributes:
        name, version: of the policy; for other weights the name of the model or folder, and 0.
        source: what a loader takes: a folder, or the name of a model.
        digest: SHA-256 of those in the folder, which a loader holds them against.
        policy: the policy, where they are those of one.
    """

    name: str
    version: int
    source: str
    digest: str | None = None
    policy: Policy | None = None

    def __str__(self) -> str:
        return f"{self.name}@{self.version}" if self.version else self.source

    @property
    def base(self) -> str:
        """The model at the bottom of the line."""
        return self.policy.base if self.policy is not None else self.source

    def options(self) -> dict[str, Any]:
        """Those of the agent ``transformers`` that say which weights."""
        return {"weights": self.source, "policy": self.name, "version": self.version, "digest": self.digest}


_COLUMNS = "SELECT policy_id, name, version, base, path, parent, made_by, digest, created_at FROM compoworld.policies"


def list_policies(world: World, name: str | None = None) -> list[Policy]:
    """The policies, newest first; only those of a name, where it is given."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(f"{_COLUMNS} WHERE CAST(:name AS text) IS NULL OR name = :name ORDER BY policy_id DESC"),
            {"name": name},
        ).all()
    return [Policy(*row) for row in rows]


def find(world: World, which: str) -> Policy:
    """The policy ``name@version``; ``name`` alone is its newest version.

    Raises:
        NotFound: there is none.
    """
    known = list_policies(world)
    found = _named(known, which)
    if found is None:
        hint = did_you_mean(which, {str(policy) for policy in known} | {policy.name for policy in known})
        raise NotFound(f"there is no policy {which!r}", hint=hint or "compoworld policies lists them")
    return found


def _named(known: list[Policy], which: str) -> Policy | None:
    """The policy of that name among these, newest first."""
    parts = _NAMED.fullmatch(which)
    if parts is None:
        return None
    fitting = (item for item in known if item.name == parts["name"] and parts["version"] in (None, str(item.version)))
    return next(fitting, None)


def weights_of(world: World, which: str) -> Weights:
    """Weights by whatever names them: a policy, a folder, or a model that comes as a package.

    A policy comes before a folder; a folder of its name is named with a path, as ``./NAME``.

    Raises:
        InputError: there are none of that name, they are not the policy's any more, or a policy without a version and
            a folder of weights are called so.
        NotFound: there is no such policy.
    """
    if which == SMOLLM2:
        return Weights(which, 0, which)
    folder = Path(which).expanduser()
    policy = _named(list_policies(world), which)
    if policy is None and folder.is_dir():
        folder = folder.resolve()
        return Weights(folder.name, 0, str(folder), digest_of(folder))
    if policy is None:
        if "/" in which or not _NAMED.fullmatch(which):
            raise InputError(
                f"there is no folder {which!r}",
                hint=f"weights are a policy, {SMOLLM2}, or a folder; those of a hub are downloaded into one first",
            )
        policy = find(world, which)  # says what there is instead
    elif which == policy.name and weight_files(folder):
        raise InputError(
            f"{which!r} is the name of a policy and of a folder of weights here",
            hint=f"{policy} is the policy, ./{which} the folder",
        )
    if not Path(policy.path).is_dir():
        raise InputError(
            f"the weights of {policy} were in {policy.path!r}, and that folder is gone",
            hint="put it back, or train the policy again",
        )
    see_digest(policy.path, policy.digest)
    return Weights(policy.name, policy.version, policy.path, policy.digest, policy)


def see_name(name: str) -> None:
    """See that a policy can be called so.

    Raises:
        InputError: it cannot.
    """
    if name == SMOLLM2:
        raise InputError(
            f"{name!r} is the model that comes as a package, and cannot be the name of a policy, too",
            hint="give another name",
        )
    parts = _NAMED.fullmatch(name)
    if parts is None or parts["version"] is not None:
        raise InputError(
            f"{name!r} cannot be the name of a policy",
            hint="letters, digits, '.', '_' and '-', from a letter on; the version comes by itself",
        )


def register(
    connection: Connection,
    name: str,
    folder: Path,
    *,
    base: str,
    parent: Policy | None = None,
    made_by: int | None = None,
) -> int:
    """Write down a new version of a policy, in a transaction of the caller's; its number in the catalog.

    Args:
        folder: of its weights; it stays where it is.
        made_by: the training run.

    Raises:
        InputError: the name cannot be one, or the folder holds no weights.
    """
    see_name(name)
    digest = digest_of(folder)  # which takes long: before others are kept waiting
    # Two that register at once would draw the same version.
    connection.execute(text("LOCK TABLE compoworld.policy IN SHARE ROW EXCLUSIVE MODE"))
    return int(
        connection.execute(
            text(
                "INSERT INTO compoworld.policy (name, version, base, path, parent_id, made_by, digest)"
                " SELECT :name, coalesce(max(version), 0) + 1, :base, :path, :parent, :made_by, :digest"
                " FROM compoworld.policy WHERE name = :name RETURNING id"
            ),
            {
                "name": name,
                "base": base,
                "path": str(folder.resolve()),
                "parent": parent.id if parent is not None else None,
                "made_by": made_by,
                "digest": digest,
            },
        ).scalar_one()
    )
