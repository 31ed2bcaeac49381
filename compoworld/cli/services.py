"""``compoworld services``: the library, and single calls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, Seed, WorldModel, json_object, number, parse_json, read_text, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, complain, emit, heading, name, note, plain, pretty, prose, say, short, table
from compoworld.cli.output import number as numbers
from compoworld.cli.program import DOES_NOT_HOLD
from engine.errors import InputError, NotFound, ServiceDefinitionError
from synth.errors import GeneratedCodeInvalid, SandboxStopped, SandboxUnavailable

if TYPE_CHECKING:
    from compoworld.world import World
    from engine.branches import Branch
    from engine.kit import Service

app = typer.Typer(no_args_is_help=True, help="The library of services: what there is, and single calls of tools.")

_TYPES = {"TIMESTAMP WITH TIME ZONE": "timestamptz", "DOUBLE PRECISION": "float"}

_Name = Annotated[
    str,
    typer.Argument(metavar="NAME", parser=words("a service"), help="Name of the service.", show_default=False),
]


@app.command("list")
def list_(json: Json = False) -> None:
    """List the services; a broken one on stderr, with the reason (exit code 1).

    Example: compoworld services list
    """
    services: list[Service] = []
    broken: list[str] = []
    waiting: list[str] = []
    with opened() as world:
        for each in world.library.names():
            try:
                services.append(world.library.get(each))
            except NotFound:
                waiting.append(each)
            except (ServiceDefinitionError, GeneratedCodeInvalid, SandboxStopped, SandboxUnavailable) as error:
                broken.append(f"service {each} is broken: {short(error, 2_000)}")
        found = [
            {
                "service": item.name,
                "title": item.title,
                "domain": item.domain,
                "entities": len(item.entities),
                "tools": len(item.offered(True)),
                "summary": item.summary,
            }
            for item in services
        ]
    if json:
        emit(found)
    else:
        table(
            [name("service"), name("domain"), numbers("entities"), numbers("tools"), Column("what it is")],
            [(item["service"], item["domain"], item["entities"], item["tools"], item["summary"]) for item in found],
        )
        say(f"{len(services)} services, {sum(len(item.offered(True)) for item in services)} tools")
    if waiting:
        note(f"{len(waiting)} built and not attacked yet: {short(', '.join(waiting), 300)}")
    for reason in broken:
        complain(reason)
    if broken:
        raise typer.Exit(DOES_NOT_HOLD)


@app.command()
def show(service: _Name, json: Json = False) -> None:
    """Show a service: its entities with their fields, its tools, and the laws that each was held against.

    Example: compoworld services show mail
    """
    from synth.builds import current_build
    from synth.report import laws_of

    with opened() as world:
        found = world.library.get(service)
        build = current_build(world.database, service)
        about = {**_described(found), "verdicts": laws_of(world.database, service, build.id if build else None)}
    if json:
        emit(about)
    else:
        _say_service(about)


@app.command()
def call(
    service: Annotated[
        str,
        typer.Argument(metavar="SERVICE", parser=words("a service"), help="Its service.", show_default=False),
    ],
    tool: Annotated[str, typer.Argument(metavar="TOOL", parser=words("a tool"), help="The tool.", show_default=False)],
    arguments: Annotated[
        str,
        typer.Argument(metavar="JSON", help="The arguments: a JSON object, @file, or - for standard input."),
    ] = "{}",
    branch: Annotated[
        int | None,
        typer.Option(
            "--branch",
            metavar="BRANCH",
            parser=number("a branch"),
            help="On this branch; else on a fresh scratch branch with the service's seed data.",
        ),
    ] = None,
    seed: Seed = 0,
    world_model: WorldModel = None,
    json: Json = False,
) -> None:
    """Call one tool (exit code 1 if it says no).

    Example: compoworld services call mail list_labels

    Example: compoworld services call mail search_threads '{"query": "invoice"}' --branch 42
    """
    from compoworld import catalog

    given = json_object(arguments)
    with opened(world_model) as world:
        if branch is not None:
            catalog.branch(world.database, branch)
        if tool in (held := world.library.get(service).withheld):
            raise InputError(f"{service}.{tool} is in quarantine: {short(held[tool], 300)}")
        target = _scratch(world, service, seed) if branch is None else world.branch(branch)
        result = target.call(service, tool, given)
        left = target.composition.services.get(service)
    if json:
        emit({"branch": target.id, **plain(result)})
    else:
        say(pretty(result.observation))
        note(
            f"event {result.event} of branch {target.id}: {result.outcome}, {result.changes} rows changed,"
            f" {result.duration_ms:.1f} ms" + (", by the world model" if result.produced_by == "world_model" else "")
        )
        if result.outcome == "unknown" and left is not None and tool in left.simulated:
            note(f"{tool} has no code and is left to a world model, and none is set: --world-model MODEL")
        if result.detail:
            note(result.detail)
    if not result.ok:
        raise typer.Exit(DOES_NOT_HOLD)


def _scratch(world: World, service: str, seed: int) -> Branch:
    return world.compose(service).snapshot(seed=seed).fork("scratch")


@app.command()
def load(
    service: _Name,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A JSON document of its whole state.", show_default=False)
    ],
    snapshot_name: Annotated[
        str | None,
        typer.Option("--name", metavar="TEXT", parser=words("a name"), help="Name of the snapshot."),
    ] = None,
    json: Json = False,
) -> None:
    """Load a service's data set into a snapshot, for services that have such a form (retail).

    Example: compoworld services load retail state.json
    """

    document = parse_json(read_text(file), str(file))
    if not isinstance(document, dict):
        raise InputError(f"{file}: a JSON object is needed")
    with opened() as world:
        world.library.get(service)
        rows_from_state = _dataset(service)
        try:
            rows = list(rows_from_state(document))
        except InputError as error:
            raise InputError(f"{file}: {error.message}", error.hint) from None
        composition = world.compose(service)
        snapshot = composition.snapshot(rows, name=snapshot_name or file.name[:200])
    if json:
        emit(
            {
                "composition": composition.id,
                "snapshot": snapshot.id,
                "name": snapshot.name,
                "rows": snapshot.rows,
            }
        )
        return
    say(f"snapshot {snapshot.id}: {snapshot.rows} rows of {service}")
    note(f"a branch to work on: compoworld fork {snapshot.id}")


def _dataset(service: str) -> Any:
    from importlib import import_module
    from importlib.util import find_spec

    if find_spec(f"services.{service}.dataset") is None:
        raise InputError(f"service {service} has no form for data sets", hint="retail has one")
    return import_module(f"services.{service}.dataset").rows_from_state


def _described(service: Service) -> dict[str, Any]:
    from engine.kit import entity_name
    from engine.library import describe_fields

    return {
        "service": service.name,
        "title": service.title,
        "domain": service.domain,
        "summary": service.summary,
        "entities": [
            {
                "entity": entity_name(entity),
                "table": entity.table().name,
                "key": list(entity.key_columns()),
                "fields": describe_fields(entity),
            }
            for entity in service.entities
        ],
        "tools": [
            {**tool.specification.as_mcp(), **({"simulated": True} if tool.simulated else {})}
            for tool in service.offered(True).values()
        ],
    }


def _say_service(about: dict[str, Any]) -> None:
    say(f"{about['title']} ({about['service']}), {about['domain']}", style="bold")
    prose(about["summary"])
    for entity in about["entities"]:
        heading(f"{entity['entity']}  (table {entity['table']})")
        table(
            [name("field"), name("type"), name("meaning"), Column("")],
            [
                (
                    field,
                    _TYPES.get(item["type"], item["type"].lower()),
                    item["semantic"],
                    _remarks(field, item, entity["key"]),
                )
                for field, item in entity["fields"].items()
            ],
        )
    heading("tools")
    verdicts = {item["tool"]: item for item in about["verdicts"]}
    for tool in about["tools"]:
        schema = tool["inputSchema"]
        needed = schema.get("required") or []
        names = [item if item in needed else f"[{item}]" for item in schema.get("properties") or {}]
        reads = "  (reads only)" if tool.get("annotations", {}).get("readOnlyHint") else ""
        say()
        model = "  (by the world model)" if tool.get("simulated") else ""
        prose(f"{tool['name']}({', '.join(names)}){reads}{model}", hanging="        ")
        if tool["description"].strip():
            prose(tool["description"], "    ")
        if tool["name"] in verdicts:
            prose(f"{verdicts[tool['name']]['verdict']}: {', '.join(verdicts[tool['name']]['laws'])}", "    ")
    withheld = [item for item in about["verdicts"] if item["verdict"] != "verified"]
    if withheld:
        heading("in quarantine")
        for item in withheld:
            prose(f"{item['tool']}: {item['reason']}", hanging="    ")
    if not about["verdicts"]:
        note(f"not attacked in this database: compoworld synth attack {about['service']}")


def _remarks(field: str, item: dict[str, Any], key: list[str]) -> str:
    remarks = ["key"] if field in key else []
    if item["nullable"]:
        remarks.append("may be empty")
    if "target" in item:
        remarks.append(f"→ {item['target']}")
    if "choices" in item:
        remarks.append(" | ".join(map(str, item["choices"])))
    return ", ".join(remarks)
