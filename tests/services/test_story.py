"""The seeds of all services tell one story: the facts that ``docs/story.md`` promises to those who write tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from engine.kit import COLLEAGUES, COMPANIES, CONTACTS, Entity, Seed, entity_name
from engine.kit.seed import DEFAULT_START
from engine.library import Library
from services.banking.state import ExchangeRate as BankRate
from services.billing.state import (
    Customer,
    Dispute,
    Invoice,
    InvoiceLine,
    Price,
    Product,
    Quote,
    Reminder,
)
from services.billing.state import ExchangeRate as BillingRate
from services.billing.state import Staff as BillingStaff
from services.calendar.state import Event
from services.contacts.state import Company, Deal
from services.expenses.state import Employee as Claimant
from services.expenses.state import ExchangeRate as ExpenseRate
from services.hr.state import Employee, LeaveRequest
from services.incidents.oncall import shift
from services.incidents.state import Override, Schedule
from services.shipping.state import Carrier, Claim, Shipment
from services.tickets.state import Organization
from services.travel.state import PolicyRule

PAGE = Path(__file__).parents[2] / "docs" / "story.md"
CAST = {person.email: person for person in (*COLLEAGUES, *CONTACTS)}
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.(?:example|test|com)")
E = TypeVar("E", bound=Entity)
SERVICES = tuple(name for name in Library().names() if name != "retail")


@cache
def rows(service: str) -> tuple[Entity, ...]:
    """A service's seed."""
    return tuple(Library().get(service).seed(Seed(service)))


def of(service: str, entity: type[E]) -> list[E]:
    """The rows of one entity."""
    return [row for row in rows(service) if isinstance(row, entity)]


def one(service: str, entity: type[E], **values: Any) -> E:
    """The only row with these values."""
    (found,) = [row for row in of(service, entity) if all(getattr(row, k) == v for k, v in values.items())]
    return found


def said(row: Entity) -> str:
    """All that a row says."""
    return json.dumps(row.values(), ensure_ascii=False, default=str)


def telling(service: str, *words: str) -> list[str]:
    """The rows that name all these words."""
    found = [text for text in map(said, rows(service)) if all(word in text for word in words)]
    assert found, f"nothing in {service} names {words}"
    return found


def page(title: str) -> str:
    """The body of a published page of the wiki."""
    (body,) = [
        str(row.values()["body"])
        for row in rows("docs")
        if type(row).__name__ == "Page" and row.values()["title"] == title and row.values()["status"] != "archived"
    ]
    return body


def table(name: str) -> list[list[Any]]:
    """The cells of a table, in the order of its columns."""
    prefix = f"tbl_{name}"
    return [
        list(row.values()["cells"].values())
        for row in rows("tables")
        if type(row).__name__ == "Row" and row.values()["table_id"] == prefix
    ]


def money(amount: Decimal) -> str:
    """As texts write it."""
    return f"{amount:,.2f}"


def everything() -> Iterator[tuple[str, Entity]]:
    """Every row of every service."""
    for service in SERVICES:
        for row in rows(service):
            yield service, row


def test_every_address_is_of_the_cast_or_of_a_known_outsider() -> None:
    listed = set(re.findall(r"`([\w.@-]+\.example)`", PAGE.read_text(encoding="utf-8")))
    used = set()
    for service, row in everything():
        for address in _EMAIL.findall(said(row)):
            if address not in CAST:
                known = {address, address.split("@")[1]} & listed
                assert known, f"{entity_name(type(row))} in {service} names {address}"
                used |= known
    assert listed == used, "the page names outsiders that no seed has"


def test_people_have_the_names_telephones_and_titles_of_the_cast() -> None:
    for service, row in everything():
        values = row.values()
        for key, address in values.items():
            person = CAST.get(address) if isinstance(address, str) else None
            if person is None or type(row).__name__ == "Payee":
                continue
            name = values.get(key.removesuffix("email") + "name")
            assert name in (None, person.name), f"{service}: {said(row)}"
            if key == "email":
                assert values.get("phone") in (None, "", person.phone), f"{service}: {said(row)}"
                title = values.get("job_title") or values.get("title")
                assert title in (None, "", person.title), f"{service}: {said(row)}"


def test_tables_named_on_the_page_exist() -> None:
    known = {str(entity.__tablename__) for service in SERVICES for entity in Library().get(service).entities}
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", PAGE.read_text(encoding="utf-8"))) - {"superseded_by_id"}
    assert named and named <= known, named - known


def test_moments_are_plausible() -> None:
    past = ("created_at", "updated_at", "posted_at", "decided_at", "submitted_at", "responded_at", "solved_at")
    for service, row in everything():
        values = row.values()
        for key, value in values.items():
            if isinstance(value, datetime):
                assert datetime(2015, 1, 1, tzinfo=value.tzinfo) < value < datetime(2028, 1, 1, tzinfo=value.tzinfo)
                if key in past and not (service == "banking" and values.get("status") == "scheduled"):
                    assert value <= DEFAULT_START, f"{service}, {key}: {said(row)}"
        if isinstance(values.get("created_at"), datetime) and isinstance(values.get("updated_at"), datetime):
            assert values["created_at"] <= values["updated_at"], f"{service}: {said(row)}"


@pytest.mark.parametrize(
    ("service", "word", "day"),
    [
        ("boards", "INV-2041", 20),
        ("calendar", "26 February", 26),
        ("calendar", "damaged shipment", 25),
        ("mail", "26 February", 26),
        ("tables", "GP-778", 25),
        ("travel", "26 February", 26),
        ("travel", "GP-778", 25),
    ],
)
def test_nothing_tells_of_what_has_not_happened(service: str, word: str, day: int) -> None:
    told = [row.values() for row in rows(service) if word in said(row)]
    moments = [row.get("created_at") or row.get("at") for row in told]
    assert all(moment is None or moment >= datetime(2026, 2, day, tzinfo=DEFAULT_START.tzinfo) for moment in moments)


def test_teams_and_leave() -> None:
    staff = {item.id: item for item in of("hr", Employee)}
    managers = {item.email: staff[item.manager_id].email if item.manager_id else None for item in staff.values()}
    leaders = {row.values()["id"]: row.values()["email"] for row in rows("learning") if "email" in row.values()}
    for row in rows("learning"):
        if type(row).__name__ == "Learner":
            learner = row.values()
            assert (learner["manager_id"] and leaders[learner["manager_id"]]) == managers[learner["email"]]
    places = {row.values()["email"]: row.values()["office"] for row in rows("calendar") if "office" in row.values()}
    assert places == {item.email: item.location for item in staff.values() if item.email in CAST}
    first = {item.name.split(maxsplit=1)[0]: item.id for item in staff.values()}
    away = [item for item in of("calendar", Event) if item.title.endswith(" on leave")]
    assert len(away) == 2
    for item in away:
        leave = (item.start_date, item.end_date)
        granted = [one for one in of("hr", LeaveRequest) if one.employee_id == first[item.title.split(maxsplit=1)[0]]]
        assert leave in {(one.start_date, one.end_date) for one in granted if one.status == "approved"}
    telling("mail", "7 to 10 April")
    one("hr", LeaveRequest, employee_id="emp_mara_lindqvist", start_date=date(2026, 4, 7), end_date=date(2026, 4, 10))


def test_the_pager() -> None:
    schedule = one("incidents", Schedule, id="sch_engineering")
    weeks = [item for item in of("calendar", Event) if item.title.startswith("On call: ")]
    assert len(weeks) == 3
    for week in weeks:
        assert week.start_date is not None
        noon = DEFAULT_START.replace(month=week.start_date.month, day=week.start_date.day, hour=12)
        address, _, _ = shift(schedule, noon, of("incidents", Override))
        assert CAST[address].name.split()[0] == week.title.removeprefix("On call: ")


def test_tiers_and_account_owners() -> None:
    contacts = {item.name: item for item in of("contacts", Company)}
    tiers = {item.name: item.tier for item in of("tickets", Organization)}
    text = page("Customer tiers")
    for company in COMPANIES:
        assert contacts[company.name].tier == tiers[company.name] == company.tier
        (line,) = [part for part in text.split(". ") if company.name in part]
        assert line.lower().startswith(company.tier)
    owners = page("Escalation and notification rules").split("Account owners: ")[1]
    for part in owners.rstrip(".").split("; "):
        name, customers = part.split(" for ")
        for company in COMPANIES:
            if company.name in customers:
                assert contacts[company.name].owner_id == f"mem_{name.split()[0].lower()}", company.name


def test_exchange_rates() -> None:
    def march(service: str, entity: type[Any]) -> dict[str, str]:
        days = [row for row in of(service, entity) if "2026-03-01" in said(row)]
        return {row.currency: f"{float(row.rate):.4f}" for row in days if row.currency not in ("JPY", "SEK")}

    rates = march("billing", BillingRate)
    assert rates == march("banking", BankRate) == march("expenses", ExpenseRate)
    assert rates == {cells[1]: f"{cells[3]:.4f}" for cells in table("rates") if cells[2] == "2026-03-01"}
    body = page("Exchange rates for March 2026")
    assert all(f"{currency} {rate}" in body for currency, rate in rates.items())


def test_prices() -> None:
    skus = {item.id: item.sku for item in of("billing", Product)}
    prices = {skus[item.product_id]: item.amount for item in of("billing", Price) if item.currency == "USD"}
    listed = {cells[0]: Decimal(str(cells[3])) for cells in table("prices")}
    assert listed.items() <= prices.items()
    (text,) = [row.values()["content"] for row in rows("files") if row.values().get("name") == "Price list 2026.csv"]
    for line in text.splitlines()[1:]:
        sku, *_, price = line.split(",")
        assert prices[sku] == Decimal(price)
    held = {row.values()["sku"] for row in rows("inventory") if type(row).__name__ == "Product"}
    assert {re.sub(r"^(JKT-SOF)-\w+$", r"\1", sku) for sku in held} <= prices.keys()


def test_limits_of_approval() -> None:
    limits = page("Approval limits for invoices and credits")
    for item in of("billing", BillingStaff):
        if item.limit_amount:
            assert f"{item.name}: up to {money(item.limit_amount)}" in limits
    claims = page("Expense claims")
    for claimant in of("expenses", Claimant):
        if claimant.approval_limit is not None:
            assert re.search(rf"{claimant.name}[^.]*? up to {money(claimant.approval_limit)}", claims), claimant.name
        if claimant.payout_limit is not None:
            first = claimant.name.split()[0]
            assert re.search(rf"{first}[\w ]* up to {money(claimant.payout_limit)}", claims), claimant.name
    travel = page("Travel policy")
    for rule in of("travel", PolicyRule):
        if rule.kind == "night_cap":
            assert f"{rule.city} {rule.cap} {rule.currency}" in travel


def test_carriers() -> None:
    contacts = next(
        row.values()["content"] for row in rows("files") if row.values().get("name") == "Carrier contacts.csv"
    )
    vendors = {cells[0]: cells[2] for cells in table("vendors") if cells[1] == "carrier"}
    carriers = of("shipping", Carrier)
    assert vendors == {item.name: item.claims_email for item in carriers}
    text = page("Carriers")
    for item in carriers:
        assert item.name in text and re.search(rf"{item.name},.*,{item.claims_email},{item.claim_days}\b", contacts)
    shipments = {item.number: item for item in of("shipping", Shipment)}
    for number, customer, _, promised, *delivered in table("deliveries"):
        item = shipments[number]
        assert (item.customer, str(item.promised_on)) == (customer, promised)
        assert str(item.delivered_on) == (delivered[0] if isinstance(delivered[0], str) else "None")


def test_brightwater() -> None:
    invoice = one("billing", Invoice, number="INV-2041")
    dispute = one("billing", Dispute, invoice_id=invoice.id)
    assert (invoice.total, invoice.issue_date, invoice.due_date) == (2316, date(2026, 2, 20), date(2026, 3, 22))
    assert (dispute.amount, dispute.status) == (270, "open")
    telling("mail", "INV-2041", "2,316.00", "22 March", "270.00")
    telling("mail", "INV-2041", "150 pairs")
    telling("boards", "INV-2041", "270.00 EUR")
    telling("contacts", "30 of the 150 pairs", "INV-2041")
    telling("calendar", "30 of the 150 pairs", "INV-2041")
    telling("files", "DN-5103", "30 pairs", "dock 2")
    shipment = one("shipping", Shipment, number=invoice.po_number)
    assert (shipment.declared_value, str(shipment.delivered_on)) == (invoice.total, "2026-02-17")
    assert one("calendar", Event, id="evt_brightwater_call").start_at == DEFAULT_START.replace(day=4, hour=15)


def test_fernhill() -> None:
    invoice = one("billing", Invoice, number="INV-2029")
    assert (invoice.total, invoice.due_date) == (Decimal("2125.56"), date(2026, 2, 4))
    assert len([item for item in of("billing", Reminder) if item.invoice_id == invoice.id]) == 1
    telling("mail", "INV-2029", money(invoice.total), "4 February")
    telling("chat", "corrected copy went out on the 20th")
    telling("files", "INV-2029 corrected.pdf", "2026-02-20")
    telling("tickets", "a corrected copy with your purchase order number", "2026-02-20")


def test_juniper_lane() -> None:
    deal = one("contacts", Deal, name="Juniper Lane renewal")
    quote = one("billing", Quote, number="Q-301")
    assert (deal.amount, deal.currency, deal.close_date) == (48200, "EUR", date(2026, 3, 27))
    assert (quote.total, quote.discount_percent, quote.valid_until) == (Decimal("49077.36"), 10, deal.close_date)
    (amount,) = [cells[4] for cells in table("commissions") if cells[0] == deal.name]
    assert abs(Decimal(str(amount)) - deal.amount * Decimal("1.0878")) < 1
    assert "Close date: 2026-03-27. Quote Q-301" in page("Juniper Lane Hotels renewal 2026")
    assert one("calendar", Event, id="evt_juniper_deadline").start_date == deal.close_date
    telling("files", "Q-301", "Discount 10 %")
    telling("mail", "twelve houses", "two years")


def test_granite_peak() -> None:
    shipment = one("shipping", Shipment, number="GP-778")
    claim = one("shipping", Claim, shipment_id=shipment.id)
    assert shipment.delivered_on == date(2026, 2, 25) and claim.amount == 14 * 102
    limit = one("shipping", Carrier, id=shipment.carrier_id).claim_days
    deadline = shipment.delivered_on + timedelta(days=limit)
    assert deadline == date(2026, 3, 4)
    telling("files", "GP-778", "delivered 2026-02-25", f"by {deadline}", "1,428.00 USD")
    telling("boards", "1,428.00 USD", str(deadline))
    assert str(deadline) in page("Shipment GP-778: what we know")
    (count,) = [row.values() for row in rows("files") if row.values().get("name") == "GP-778 carton count.csv"]
    cartons = [line.split(",") for line in count["content"].splitlines()[1:-1]]
    assert (len(cartons), sum(int(line[2]) for line in cartons)) == (11, 14)
    telling("tickets", "Eleven of thirty cartons", "12 March")
    telling("mail", "14 of the 60 shell jackets", "12 March")
    telling("boards", "14 of 60 softshell jackets", "2026-03-12")
    replacement = one("shipping", Shipment, number="GP-802")
    assert replacement.declared_value == claim.amount and "S 3, M 6, L 5" in (replacement.notes or "")
    customer = one("billing", Customer, name="Granite Peak Outdoor")
    draft = one("billing", Invoice, customer_id=customer.id, status="draft")
    assert [(line.quantity, line.net) for line in of("billing", InvoiceLine) if line.invoice_id == draft.id] == [
        (14, claim.amount)
    ]


def test_halcyon() -> None:
    kickoff = one("calendar", Event, id="evt_halcyon_kickoff")
    assert (kickoff.start_at, kickoff.room_id) == (DEFAULT_START.replace(day=5, hour=14), "room_rowan")
    telling("mail", "5 March at 14:00 London time")
    telling("files", "Kickoff agenda.md", "14:00, room Rowan")
    assert "kickoff on 2026-03-05" in page("Checklist for new customers")
    telling("files", "Delivery sites.csv", "Queen Street", "Harbourfront", "Dundas")
    telling("mail", "Queen Street,41,Ada Brightman", "Harbourfront,36,Piotr Zielinski")
    for clinic in ("640 Queen Street West", "19 Spadina Court", "302 Dundas Street"):
        telling("shipping", clinic)
        telling("files", clinic)


def test_kestrel() -> None:
    for service in ("incidents", "tickets", "chat", "mail", "calendar", "files", "code", "learning", "analytics"):
        assert any("13:10" in text for text in telling(service, "Kestrel") + telling(service, "13:10")), service
    for service in ("incidents", "tickets", "chat", "mail", "calendar", "files", "docs", "boards", "social"):
        telling(service, "15:45")
    for service, row in everything():
        if "Kestrel" in said(row) and "utage" in said(row):
            assert not re.search(r"09:42 (?:UTC|first)|13:05", said(row)), f"{service}: {said(row)}"
    assert "Five customers wrote" in page("Kestrel Analytics outage of 26 February 2026")
    telling("incidents", "Five customers wrote to us.")
    about = [row.values() for row in rows("tickets") if type(row).__name__ == "Ticket"]
    outage = [row for row in about if "2026-02-26 13:3" <= str(row["created_at"]) < "2026-02-26 14"]
    assert len(outage) == 5


def test_cobalt_ridge() -> None:
    assert one("calendar", Event, id="evt_qbr").start_at == DEFAULT_START.replace(day=10, hour=15)
    values: dict[tuple[str, int], list[Decimal]] = {}
    for row in rows("analytics"):
        item = row.values()
        if type(row).__name__ == "DailyValue" and item["metric_id"] == "met_on_time":
            values.setdefault((item["dimension_value"], item["day"].month), []).append(Decimal(str(item["value"])))
    (report,) = [r.values() for r in rows("files") if r.values().get("name") == "On-time delivery Cobalt Ridge.md"]
    for line in report["content"].splitlines()[1:4]:
        site, *months = line.split(" | ")
        for month, figure in zip((12, 1, 2), months, strict=True):
            measured = values[site, month]
            assert figure == f"{round(sum(measured) / len(measured))} %", (site, month)
    for service in ("tickets", "docs", "chat", "mail", "boards", "contacts"):
        telling(service, "2026-03-10" if service == "boards" else "10 March")


def test_ember_and_oak() -> None:
    body = page("Ember & Oak Cafes: 40 branded aprons")
    prices = {cells[0]: Decimal(str(cells[3])) for cells in table("prices")}
    total = 40 * prices["APR-CAN"] + prices["EMB-SET"]
    assert total == 1045 and f"{money(total)} USD" in body and "2026-03-06" in body
    assert one("contacts", Deal, name="Branded aprons for new cafes").amount == 40 * prices["APR-CAN"]
    telling("mail", "oak leaf", "6 March")
    telling("chat", "40 branded aprons", "by the 6th")
    telling("contacts", "oak leaf", "40")


def test_dovetail() -> None:
    customer = one("billing", Customer, name="Dovetail Interiors")
    assert customer.contact_name == "Beatrice Nolan"
    telling("mail", "218 Fir Street, Suite 4, Portland", "INV-2036")
    one("billing", Invoice, number="INV-2036", customer_id=customer.id, status="open")
    for service in ("tickets", "chat", "docs", "files", "contacts", "shipping", "calendar"):
        telling(service, "Wesley Tran")


def test_offsite() -> None:
    day = one("calendar", Event, id="evt_offsite")
    assert day.start_at is not None and day.start_at.date() == date(2026, 4, 16)
    body = page("Team offsite on 16 April 2026")
    assert all(word in body for word in ("3,200.00 GBP", "14 people", "1,150.00", "980.00", "2026-03-20"))
    for service, *words in (
        ("files", "hire 1,150.00 GBP", "lunch 31.00 GBP", "hire 980.00 GBP", "lunch 36.00 GBP"),
        ("mail", "GBP 1,150", "GBP 980", "9 March"),
        ("mail", "GBP 3,200"),
        ("tables", "3,200.00 GBP"),
        ("boards", "Foxglove Barn or the Old Boathouse", "2026-03-09"),
    ):
        telling(service, *words)
    quoted = {cells[0]: cells[3] for cells in table("budget")}
    assert (quoted["Hire of Foxglove Barn"], quoted["Lunch for 14"]) == (1150, 14 * 31)
    (diets,) = [row.values()["content"] for row in rows("files") if row.values().get("name") == "Diets.csv"]
    for cells in table("guests"):
        if isinstance(cells[3], str):
            assert f"{cells[0]},{cells[1]},{cells[3]}" in diets
