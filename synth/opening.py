"""A service as a target: of the library, compiled, or written by a model."""

from __future__ import annotations

from engine.world import World
from synth.attack.world_target import WorldTarget
from synth.builds import Build
from synth.built import files_digest, load_service
from synth.sandbox.target import SandboxTarget
from synth.shelf import code_version


def target_of(world: World, name: str, build: Build | None) -> WorldTarget | SandboxTarget:
    """The service with all its tools, those in quarantine too; to be entered as a block.

    Args:
        build: which build; ``None``: the service of the library.

    Raises:
        NotFound: the library has no such service.
        GeneratedCodeInvalid: the build cannot be loaded.
    """
    if build is None:
        return WorldTarget(world, world.library.get(name).without({}))
    if build.builder == "model":
        # What a model wrote is not run outside the sandbox before it has passed.
        return SandboxTarget(world, name, build.files)
    return WorldTarget(world, load_service(build.files))


def version_of(world: World, name: str, build: Build | None) -> str:
    """The version of a service by which its verdicts are kept."""
    return files_digest(build.files) if build is not None else code_version(world.library.get(name))
