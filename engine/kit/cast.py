"""The cast: people and companies that recur in every service's seed data, so that tasks can cross services."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """Somebody in the cast."""

    name: str
    email: str
    title: str
    company: str
    team: str = ""
    phone: str = ""

    @property
    def handle(self) -> str:
        """The part of the address before the at sign."""
        return self.email.split("@")[0]


@dataclass(frozen=True)
class Company:
    """A customer or supplier."""

    name: str
    domain: str
    industry: str
    city: str
    country: str
    currency: str
    tier: str


HOME_COMPANY = "Larkspur Outfitters"
HOME_DOMAIN = "larkspur.example"


def _colleague(name: str, title: str, team: str, extension: int) -> Person:
    handle = name.lower().replace(" ", ".").replace("ø", "o").replace("é", "e")
    return Person(name, f"{handle}@{HOME_DOMAIN}", title, HOME_COMPANY, team, f"+1-206-555-{extension:04d}")


COLLEAGUES: tuple[Person, ...] = (
    _colleague("Mara Lindqvist", "Operations Lead", "operations", 101),
    _colleague("Tobias Okafor", "Head of Sales", "sales", 102),
    _colleague("Priya Raman", "Account Executive", "sales", 103),
    _colleague("Jonah Whitfield", "Account Executive", "sales", 104),
    _colleague("Elena Sorokina", "Finance Manager", "finance", 105),
    _colleague("Dario Bianchi", "Accountant", "finance", 106),
    _colleague("Hana Takeda", "Support Lead", "support", 107),
    _colleague("Luis Herrera", "Support Agent", "support", 108),
    _colleague("Amara Diallo", "Support Agent", "support", 109),
    _colleague("Nils Bergstrom", "Engineering Manager", "engineering", 110),
    _colleague("Sofia Almeida", "Software Engineer", "engineering", 111),
    _colleague("Kenji Watanabe", "Site Reliability Engineer", "engineering", 112),
    _colleague("Ruth Abernathy", "People Partner", "people", 113),
    _colleague("Oscar Delacroix", "Marketing Manager", "marketing", 114),
)

COMPANIES: tuple[Company, ...] = (
    Company("Brightwater Logistics", "brightwater.example", "logistics", "Rotterdam", "NL", "EUR", "gold"),
    Company("Cobalt Ridge Mining", "cobaltridge.example", "mining", "Perth", "AU", "AUD", "gold"),
    Company("Dovetail Interiors", "dovetail.example", "furniture", "Portland", "US", "USD", "silver"),
    Company("Ember & Oak Cafes", "emberoak.example", "hospitality", "Austin", "US", "USD", "silver"),
    Company("Fernhill Schools Trust", "fernhill.example", "education", "Leeds", "GB", "GBP", "bronze"),
    Company("Granite Peak Outdoor", "granitepeak.example", "retail", "Denver", "US", "USD", "gold"),
    Company("Halcyon Clinics", "halcyon.example", "health", "Toronto", "CA", "CAD", "silver"),
    Company("Ironbark Builders", "ironbark.example", "construction", "Brisbane", "AU", "AUD", "bronze"),
    Company("Juniper Lane Hotels", "juniperlane.example", "hospitality", "Lyon", "FR", "EUR", "gold"),
    Company("Kestrel Analytics", "kestrel.example", "software", "Dublin", "IE", "EUR", "silver"),
)


def _contact(name: str, title: str, company: Company, number: int) -> Person:
    email = f"{name.lower().replace(' ', '.')}@{company.domain}"
    return Person(name, email, title, company.name, "", f"+1-303-555-{number:04d}")


CONTACTS: tuple[Person, ...] = (
    _contact("Femke Visser", "Procurement Manager", COMPANIES[0], 201),
    _contact("Joost Mulder", "Warehouse Director", COMPANIES[0], 202),
    _contact("Callum Reid", "Site Manager", COMPANIES[1], 203),
    _contact("Imogen Clarke", "Purchasing Officer", COMPANIES[1], 204),
    _contact("Beatrice Nolan", "Owner", COMPANIES[2], 205),
    _contact("Wesley Tran", "Studio Manager", COMPANIES[2], 206),
    _contact("Camila Fuentes", "Regional Manager", COMPANIES[3], 207),
    _contact("Derek Olsen", "Buyer", COMPANIES[3], 208),
    _contact("Harriet Moss", "Bursar", COMPANIES[4], 209),
    _contact("Owen Pritchard", "Facilities Lead", COMPANIES[4], 210),
    _contact("Talia Brooks", "Category Manager", COMPANIES[5], 211),
    _contact("Marcus Vale", "Chief Operating Officer", COMPANIES[5], 212),
    _contact("Noor Haddad", "Clinic Administrator", COMPANIES[6], 213),
    _contact("Simone Gagnon", "Finance Director", COMPANIES[6], 214),
    _contact("Angus Boyd", "Project Manager", COMPANIES[7], 215),
    _contact("Lucy Farrow", "Office Manager", COMPANIES[7], 216),
    _contact("Chloe Marchand", "Guest Relations Manager", COMPANIES[8], 217),
    _contact("Etienne Roux", "General Manager", COMPANIES[8], 218),
    _contact("Aoife Brennan", "Head of Data", COMPANIES[9], 219),
    _contact("Ciaran Doyle", "Product Lead", COMPANIES[9], 220),
)
