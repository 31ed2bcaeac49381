"""Build a service with a model: a conversation in which the model writes, tests and repairs files.

What the model writes runs in the sandbox only. Every message is recorded before the next step, so that a build that was
interrupted goes on where it stood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Refused
from engine.world import World
from synth.agent.prompt import builder_version
from synth.agent.sitting import BuildResult, Sitting
from synth.agent.store import find_build, new_build, working_on
from synth.agent.workspace import Workspace
from synth.dialogue.budget import Budget
from synth.dialogue.talk import Progress, see_prices
from synth.ingest.store import put
from synth.models import make_client, model_name
from synth.sandbox import bubblewrap
from synth.sandbox.limits import Limits
from synth.specs import ServerSpec

if TYPE_CHECKING:
    import anthropic


def build_with_model(
    world: World,
    spec: ServerSpec,
    model: str | None = None,
    budget: Budget | None = None,
    progress: Progress = lambda _: None,
    *,
    client: anthropic.Anthropic | None = None,
    limits: Limits | None = None,
) -> BuildResult:
    """Build a service of a specification.

    Args:
        world: whose database records the build and holds the scratch compositions.
        model: as its server names it; by default ``ANTHROPIC_MODEL`` or a Claude model.
        client: for tests and special servers.
        limits: of the sandbox.

    Raises:
        SandboxUnavailable: generated code cannot be run here; the model is not asked then.
        InputError: there is no key, or the budget has a price for a model whose prices are not known.
        ModelUnavailable: the model could not be asked; ``resume_build`` goes on with the build that is named.
    """
    bubblewrap.check()
    client = client or make_client()
    name = model_name(model)
    chosen = budget or Budget()
    see_prices(name, chosen)
    stored = put(world.database, [spec])[0]
    number = new_build(world.database, stored.id, stored.digest, builder_version(), name)
    workspace = Workspace(world, stored.spec, limits or Limits())
    with working_on(world.database, number):
        sitting = Sitting(world, number, name, workspace, chosen, progress, client)
        sitting.talk.begin()
        return sitting.run()


def resume_build(
    world: World,
    build: int,
    budget: Budget | None = None,
    progress: Progress = lambda _: None,
    *,
    client: anthropic.Anthropic | None = None,
    limits: Limits | None = None,
) -> BuildResult:
    """Go on with a build that was interrupted; one that has ended is only told again.

    Args:
        budget: of the whole build, what was spent before included.

    Raises:
        NotFound: there is no such build.
        Refused: another process works on it, or its specification has changed since.
        As ``build_with_model``.
    """
    bubblewrap.check()
    chosen = budget or Budget()
    with working_on(world.database, build):
        found = find_build(world.database, build)
        workspace = Workspace(world, found.spec, limits or Limits())
        if found.status == "running" and not found.current:
            raise Refused(f"the specification of build {build} has changed since", hint="build it anew")
        see_prices(found.model, chosen)
        sitting = Sitting(world, build, found.model, workspace, chosen, progress, client)
        sitting.restore(found)
        if found.status != "running":
            return sitting.ended(found)
        sitting.talk.client = client or make_client()
        return sitting.run()
