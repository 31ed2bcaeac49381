"""A generated service in its sandbox as the target of an attack: the same attack as on trusted code."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from engine.kit.specification import ToolSpecification
from engine.world import World
from synth.sandbox.box import Box
from synth.sandbox.limits import Limits
from synth.scratch import ScratchBranches


class SandboxTarget(ScratchBranches):
    """Generated files, loaded in a sandbox while the block lasts. Nothing stays behind in the database.

    Args:
        world: whose database is used.
        name: of the service.
        files: path to text, with ``tools.json``.
        seed: of the service's seed data.
        limits: of the sandbox.

    Attributes:
        service: its name.
        specifications: of its tools, by name; those of the world model are not among them.
        version: of the service that is attacked.
        calls: how many were made so far.

    Raises:
        SandboxUnavailable: generated code cannot be run here (on entering the block).
        GeneratedCodeInvalid, SandboxStopped: the files make no service.
    """

    def __init__(
        self, world: World, name: str, files: Mapping[str, str], *, seed: int = 0, limits: Limits | None = None
    ) -> None:
        super().__init__(name)
        self.specifications: Mapping[str, ToolSpecification] = {}
        self.version = ""
        self._world, self._files, self._seed, self._limits = world, dict(files), seed, limits
        self._box: Box | None = None

    def __enter__(self) -> SandboxTarget:
        box = Box(self._world.database, self.service, self._files, self._limits)
        try:
            self._base = box.snapshot(self._seed)
        except BaseException:
            box.close()
            raise
        self._box = box
        self.version = box.version
        self.specifications = {
            name: item for name, item in box.specifications.items() if name not in box.description.simulated
        }
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._branches.clear()
        if self._box is not None:
            self._box.close()
