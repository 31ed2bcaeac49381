"""One sitting of a build: the conversation in which a model writes the files of a service.

The files are those of the recorded calls of ``write_file``: that is how a sitting takes up where the last one stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from psycopg.types.json import Jsonb

from engine.world import World
from synth.agent.prompt import system_prompt, task_message
from synth.agent.store import StoredBuild, end_build
from synth.agent.workspace import MadeAs, Workspace, tools
from synth.dialogue.budget import Budget
from synth.dialogue.log import RunLog
from synth.dialogue.talk import Opening, Progress, Talk

if TYPE_CHECKING:
    import anthropic

_GO_ON = "Go on with the tools. Call `finish` when the service is done."


@dataclass(frozen=True)
class BuildResult:
    """What became of a build.

    Attributes:
        build: its number in the database.
        status: ``built``: handed in, its tests pass; ``failed``: see ``detail``.
        files: path to text, as they stand.
        tools: name to how it was made (``code`` or ``world_model``) and why; empty where it failed.
        cost_usd: ``None`` where the model's prices are not known.
        seconds: wall time, of all sittings.
    """

    build: int
    status: Literal["built", "failed"]
    detail: str
    files: dict[str, str] = field(repr=False)
    tools: dict[str, MadeAs]
    turns: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    seconds: float


class Sitting:
    """One sitting of a build.

    Args:
        world: whose database records the build.
        number: of the build.
        model: as its server names it.
        budget: of the whole build, earlier sittings included.
        client: may be given later, before ``run``.
    """

    def __init__(
        self,
        world: World,
        number: int,
        model: str,
        workspace: Workspace,
        budget: Budget,
        progress: Progress,
        client: anthropic.Anthropic | None = None,
    ) -> None:
        self._database, self._number, self._workspace = world.database, number, workspace
        log = RunLog(world.database, "build", number, lambda: {"files": Jsonb(dict(workspace.files))})
        opening = Opening(system_prompt(), tools(), task_message(workspace.spec), _GO_ON)
        self.talk = Talk(log, f"build {number}", workspace, opening, model, budget, progress, client)

    def restore(self, found: StoredBuild) -> None:
        """Take up a conversation as it was recorded, with the files that it made."""
        self.talk.restore(found.turns, found.seconds)

    def ended(self, found: StoredBuild) -> BuildResult:
        """What became of a build that has ended already."""
        return self._result("built" if found.status == "built" else "failed", found.detail or "", found.tools)

    def run(self) -> BuildResult:
        """Until the service is handed in, or the budget is used up."""
        reason = self.talk.run()
        if reason is None:
            return self._end("built", "handed in; its tests pass")
        if not self._workspace.complete():
            # The end of a budget: what is complete is taken all the same.
            return self._end("built", f"{reason}; its tests pass")
        return self._end("failed", reason)

    def _end(self, status: Literal["built", "failed"], detail: str) -> BuildResult:
        self.talk.note(detail)
        made: dict[str, MadeAs] = self._workspace.made_as() if status == "built" else {}
        end_build(self._database, self._number, status, detail, self._workspace.entities, made)
        return self._result(status, detail, made)

    def _result(self, status: Literal["built", "failed"], detail: str, made: dict[str, MadeAs]) -> BuildResult:
        spent = self.talk.spent
        return BuildResult(
            build=self._number,
            status=status,
            detail=detail,
            files=dict(self._workspace.files),
            tools=made,
            turns=spent.turns,
            input_tokens=spent.input,
            output_tokens=spent.output,
            cost_usd=spent.cost_usd,
            seconds=spent.seconds,
        )
