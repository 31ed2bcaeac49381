"""What is said about servers: application or not, domain, who is near."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kit.service import DOMAINS
from synth.ingest import Agreement, GivenServer, Ingestion, ingest
from synth.specs import ServerSpec
from tests.synth.ingest.given import arguments, tool

ID = {"id": {"type": "string"}}
NOTES = ["create_note", "get_note", "list_notes", "update_note", "delete_note"]


def given(
    name: str, tools: list[str], description: str = "", decision: str | None = None, **properties: Any
) -> GivenServer:
    listed = [tool(arguments(**(properties or ID)), item, description=item.replace("_", " ")) for item in tools]
    return GivenServer(name, "f.json", "f.json", listed, description=description, decision=decision)


def one(name: str, tools: list[str], description: str = "", **properties: Any) -> ServerSpec:
    (server,) = ingest([given(name, tools, description, **properties)]).servers
    return server


def test_an_application_keeps_things() -> None:
    server = one("scribble", NOTES, "Keep notes.")
    assert server.application
    assert server.reason == "keeps note: 3 of 5 tools write, 2 read"


@pytest.mark.parametrize(
    ("tools", "reason"),
    [
        (["search_papers", "get_paper", "find_author"], "looks up what is outside"),
        (["get_ratio", "find_trend"], "only looks up"),
        (["calculate_bmi", "calculate_dose"], "calculates"),
        (["convert_units", "summarize_text"], "only computes"),
        (["set_env", "add_path", "delete_alias"], "none reads back"),
        (["create_report", *[f"get_{word}" for word in ("ratio", "trend", "peak", "level", "rank")]], "mostly lookups"),
        (["browser_click", "browser_navigate", "take_screenshot", "create_tab", "list_tabs"], "controls a browser"),
        (["run_shell", "read_file", "write_file", "delete_file", "list_directory"], "files, commands or programs"),
        (["wallet_create", "wallet_get_balance", "send_eth", "update_wallet"], "blockchain"),
        (["create_cluster", "delete_cluster", "list_droplets", "deploy_droplet"], "infrastructure"),
        (["generate_bar_chart", "generate_pie_chart", "create_chart", "get_chart"], "generates pictures"),
        (["ping"], "keeps nothing"),
    ],
)
def test_why_a_server_is_no_application(tools: list[str], reason: str) -> None:
    server = one("x", tools)
    assert not server.application
    assert reason in server.reason


def test_a_person_decides_where_a_source_says_so() -> None:
    lookup = ["get_a", "get_b"]
    result = ingest([given("a", lookup, decision="app"), given("b", NOTES, decision="read_only"), given("c", NOTES)])
    assert [server.application for server in result.servers] == [True, False, True]
    assert result.servers[0].reason == "given with the specification: app"
    assert result.servers[1].reason == "given with the specification: read_only"
    assert result.agreement == Agreement(given=2, same=0, applications=1, found=0)


def test_our_own_judgement_where_it_is_asked_for() -> None:
    result = ingest([given("a", NOTES, decision="read_only")], classify=True)
    assert result.servers[0].application
    assert "keeps note" in result.servers[0].reason
    assert result.agreement == Agreement(given=1, same=0, applications=0, found=0)


@pytest.mark.parametrize(
    ("tools", "domain"),
    [
        (["send_message", "list_channels", "get_thread"], "communication"),
        (["create_task", "list_boards", "move_card"], "productivity"),
        (["create_deal", "list_leads", "get_company"], "sales and crm"),
        (["create_campaign", "list_audiences"], "marketing"),
        (["create_invoice", "list_payments"], "finance"),
        (["create_product", "list_orders", "get_cart"], "commerce"),
        (["create_incident_ticket", "list_tickets", "get_sla"], "support"),
        (["create_pull_request", "list_repositories", "merge_branch"], "software development"),
        (["restart_server", "list_devices", "get_network"], "operations"),
        (["run_sql", "list_tables", "create_dashboard"], "data and analytics"),
        (["create_employee", "list_applicants", "get_payroll"], "people"),
        (["book_flight", "search_hotels", "get_route"], "travel and places"),
        (["list_courses", "submit_assignment", "get_lesson"], "education"),
        (["log_meal", "get_patient", "list_appointments"], "health and home"),
        (["create_playlist", "get_song", "list_videos"], "media and events"),
        (["frobnicate"], "operations"),
    ],
)
def test_domains(tools: list[str], domain: str) -> None:
    assert domain in DOMAINS
    assert one("x", tools).domain == domain


def test_the_name_of_the_vendor_counts_once() -> None:
    """What all names begin with says nothing about a single tool."""
    tools = [f"PAYFORM__{word.upper()}" for word in NOTES]
    assert one("x", tools).domain == "productivity"
    assert one("x", tools).application


def near(*servers: GivenServer) -> dict[str, tuple[str, ...]]:
    result: Ingestion = ingest(list(servers))
    return {server.name: server.near for server in result.servers}


def test_servers_that_are_much_the_same() -> None:
    found = near(
        given("alpha", NOTES),
        given("beta", ["note-create", "notes.get", "list_notes", "updateNote", "delete_note", "count_notes"]),
        given("gamma", ["create_invoice", "get_invoice", "list_invoices"]),
    )
    assert found == {"alpha": ("beta",), "beta": ("alpha",), "gamma": ()}


def test_the_same_names_with_other_parameters_are_not_near() -> None:
    parts: dict[str, Any] = {f"part_{letter}": {"type": "string"} for letter in "abcdef"}
    assert near(given("alpha", NOTES, **parts), given("beta", NOTES, other={}, more={}, size={})) == {
        "alpha": (),
        "beta": (),
    }


def test_a_vendor_that_is_called_like_a_deed() -> None:
    tools = [f"RENDER__{word.upper()}" for word in NOTES]
    assert one("x", tools).reason == "keeps note: 3 of 5 tools write, 2 read"
    assert "only looks up" in one("x", ["get_ratio", "get_trend", "get_peak"]).reason
