"""A shorthand for playing the help desk in tests."""

from __future__ import annotations

from typing import Any

from services.tickets import service
from tests.services.play import Play

MARA, HANA, LUIS, AMARA = "agt_mara_lindqvist", "agt_hana_takeda", "agt_luis_herrera", "agt_amara_diallo"
TALIA, NOOR, RUTH = "req_talia_brooks", "req_noor_haddad", "req_ruth_abernathy"
UNSOLVED = {"open", "pending", "on_hold"}


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("tickets", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("tickets", tool, **arguments)
        assert error["code"] == code, error
        return error

    def new(self, requester_id: str = TALIA, group_id: str = "grp_care", **more: Any) -> Any:
        given = {"subject": "Zipper stuck", "description": "Two zips do not close."} | more
        return self("create_ticket", requester_id=requester_id, group_id=group_id, **given)

    def trail(self, ticket_id: str) -> list[tuple[str, Any, Any]]:
        items = self("get_audit_trail", ticket_id=ticket_id)["items"]
        return [(i["action"], i["old_value"], i["new_value"]) for i in items]


def dump(desk: Desk) -> list[Any]:
    return [[row.values() for row in desk.play.rows(entity)] for entity in service.entities]
