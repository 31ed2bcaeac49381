"""An MCP server as the tests start it: ``python mcp_server.py [stdio|PORT|...]``."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def official(port: int | None) -> None:
    """Of the official library, over standard input and output or over HTTP."""
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("Toy Shelf", instructions="Keeps things on a shelf.")

    @server.tool()
    def create_thing(title: str, tags: list[str] | None = None) -> str:
        """Put a thing on the shelf."""
        return title + str(tags)

    @server.tool()
    def get_thing(thing_id: int) -> str:
        """Look at a thing."""
        return str(thing_id)

    if port is None:
        server.run()
    else:
        server.run("streamable-http", host="127.0.0.1", port=port)


def pages(kind: str) -> None:
    """Written by hand: three pages of tools, or what no server should do."""
    if kind == "silent":
        sys.stdin.read()
        time.sleep(60)
    if kind == "dies":
        sys.exit("the key is missing")
    for line in sys.stdin:
        message: dict[str, Any] = json.loads(line)
        if "id" not in message:
            continue
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        match message["method"]:
            case "initialize":
                answer["result"] = {
                    "protocolVersion": message["params"]["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": os.environ.get("TOY_NAME", "pages"), "version": "1"},
                }
            case "tools/list":
                answer["result"] = _page(kind, (message.get("params") or {}).get("cursor"))
            case _:
                answer["error"] = {"code": -32601, "message": "no such method"}
        print("this is no message" if kind == "noisy" else "", flush=True)
        print(json.dumps(answer), flush=True)


def _page(kind: str, cursor: str | None) -> dict[str, Any]:
    number = int(cursor or 0)
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}
    tool: dict[str, Any] = {"name": f"get_page_{number}", "inputSchema": schema}
    match kind:
        case "circle":
            return {"tools": [tool], "nextCursor": "1"}
        case "empty":
            return {"tools": []}
        case "broken":
            return {"tools": [{"name": "x"}]}
    return {"tools": [tool], **({"nextCursor": str(number + 1)} if number < 2 else {})}


if __name__ == "__main__":
    wanted = sys.argv[1]
    if wanted == "stdio":
        official(None)
    elif wanted.isdigit():
        official(int(wanted))
    else:
        pages(wanted)
