"""A service of an engine's world as the target of an attack. Nothing stays behind in the database."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from types import TracebackType

from engine.kit import Service
from engine.kit.specification import ToolSpecification
from engine.world import World
from synth.scratch import ScratchBranches, ScratchLibrary, delete_scratch, sweep


class WorldTarget(ScratchBranches):
    """A service, composed alone and apart from every other composition, while the block lasts.

    Args:
        world: whose database is used, and whose limits hold.
        service: by its name in the world's library, or one that stands in none.
        seed: of the service's seed data.

    Attributes:
        version: of the service that is attacked.
        calls: how many were made so far.
    """

    def __init__(self, world: World, service: Service | str, *, seed: int = 0) -> None:
        self._service = world.library.get(service) if isinstance(service, str) else service
        super().__init__(self._service.name)
        self._world = world
        self._seed = seed
        self._library = ScratchLibrary(self._service)
        self.version = self._library.true_version
        self.specifications: Mapping[str, ToolSpecification] = {
            name: tool.specification for name, tool in self._service.tools.items() if not tool.simulated
        }
        self._stack = ExitStack()

    def __enter__(self) -> WorldTarget:
        sweep(self._world.database)
        seconds = self._world.calls._seconds
        private = World(self._world.database, self._library, limit=self._world.limit, tool_seconds=seconds)
        composition = private.compose(self.service)
        self._stack.callback(delete_scratch, self._world.database, composition.id)
        try:
            self._stack.enter_context(private.lease(composition))
            self._base = composition.snapshot(seed=self._seed)
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._branches.clear()
        self._stack.close()
