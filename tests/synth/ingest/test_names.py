"""Names of servers and tools: identifiers, all different, leading back."""

from __future__ import annotations

import keyword
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.ingest import ingest, original_names
from synth.ingest.forms import GivenServer
from synth.ingest.names import MAX_TOOL, server_name, tool_names
from synth.ingest.servers import library_names
from tests.synth.ingest.given import tool


@pytest.mark.parametrize(
    ("original", "name"),
    [
        ("airtable-mcp-server", "airtable"),
        ("mcp-server", "mcp_server"),
        ("GitHubTools", "git_hub_tools"),
        ("2fa.keeper", "s2fa_keeper"),
        ("Ünïcode Café", "unicode_cafe"),
        ("a" * 50, "a" * 31),
        ("@scope/thing", "scope_thing"),
    ],
)
def test_names_of_servers(original: str, name: str) -> None:
    assert server_name(original, ()) == name


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert server_name("mail", {"mail"}) == "mail_2"
    assert server_name("mail", {"mail", "mail_2"}) == "mail_3"
    long = "a" * 40
    assert server_name(long, {"a" * 31}) == "a" * 29 + "_2"


def test_a_server_is_never_called_as_a_service_of_the_library() -> None:
    given_ = GivenServer("Mail Server", "f", "f", [tool({})])
    (server,) = ingest([given_]).servers
    assert "mail" in library_names() and server.name == "mail_2"


def test_names_of_tools() -> None:
    assert tool_names(["get_user", "getUser", "get-user", "get user", "a.b", "_private", "3d"]) == [
        "get_user",
        "getUser",
        "get_user_2",
        "get_user_3",
        "a_b",
        "private",
        "tool_3d",
    ]


def test_what_is_a_name_already_keeps_it() -> None:
    assert tool_names(["get-user", "get_user"]) == ["get_user_2", "get_user"]


def test_keywords_and_builtins_are_no_names() -> None:
    assert tool_names(["import", "list", "None"]) == ["import_tool", "list_tool", "None_tool"]


def test_long_names_are_cut_and_stay_different() -> None:
    one, other = tool_names(["x" * 80 + "a", "x" * 80 + "b"])
    assert one != other and len(one) <= MAX_TOOL and len(other) <= MAX_TOOL


def test_names_in_other_scripts() -> None:
    one, other = tool_names(["查询", "创建"])
    assert one != other and one.startswith("tool_")


def test_the_way_back() -> None:
    (server,) = ingest([GivenServer("s", "f", "f", [tool({}, "a-b"), tool({}, "c")])]).servers
    assert original_names(server) == {"a_b": "a-b", "c": "c"}


@given(st.lists(st.text(min_size=1, max_size=80), max_size=12))
def test_any_names_become_identifiers(originals: list[str]) -> None:
    names = tool_names(originals)
    assert len(set(names)) == len(names) == len(originals)
    assert names == tool_names(originals)
    for name in names:
        assert name.isidentifier() and name.isascii() and not keyword.iskeyword(name) and len(name) <= MAX_TOOL


@given(st.text(max_size=60), st.sets(st.sampled_from(["a", "mail", "mail_2", "s1"])))
def test_any_server_gets_a_name(original: str, taken: set[str]) -> None:
    name = server_name(original, taken)
    assert re.fullmatch("[a-z][a-z0-9_]{0,30}", name) and name not in taken
