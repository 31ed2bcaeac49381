"""Restaurants, bookings and reviews of the seed. Days count from the start's date, times are UTC."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A restaurant; ``tables`` are seats by area, such as ``2 2 4 6|t 4|p 14`` (inside, terrace, private room)."""

    key: str
    name: str
    cuisine: str
    band: str
    address: str
    hours: tuple[str, str]
    closed: tuple[str, ...]
    diets: tuple[str, ...]
    minutes: int
    cancel_hours: int
    deposit: tuple[int, str]
    tables: str
    about: str


PLACES = (
    Place(
        "long_table",
        "The Long Table",
        "british",
        "mid",
        "12 Tanner Street, London",
        ("12:00", "21:00"),
        ("sunday",),
        ("vegetarian", "vegan", "gluten_free"),
        120,
        24,
        (8, "20.00"),
        "2 2 4 6|p 16",
        "Sharing plates; the back room takes sixteen. Deposit for eight or more, back in full until a day before.",
    ),
    Place(
        "salt_quay",
        "Salt Quay",
        "seafood",
        "high",
        "3 Shad Wharf, London",
        ("12:00", "21:30"),
        ("monday",),
        ("gluten_free",),
        120,
        48,
        (6, "30.00"),
        "2 2 4|t 4 6",
        "Fish from day boats, terrace over the river. Two days' notice for cancellations.",
    ),
    Place(
        "mother_olive",
        "Mother Olive",
        "levantine",
        "mid",
        "58 Bermondsey Row, London",
        ("11:30", "21:30"),
        (),
        ("vegetarian", "vegan", "halal", "gluten_free"),
        90,
        12,
        (10, "10.00"),
        "2 4 4 8|t 2 4",
        "Mezze and grill, all meat halal.",
    ),
    Place(
        "kiku_counter",
        "Kiku Counter",
        "japanese",
        "high",
        "7 Leather Yard, London",
        ("18:00", "20:30"),
        ("sunday", "monday"),
        ("gluten_free",),
        120,
        72,
        (3, "50.00"),
        "2 2 4",
        "Set menu in two seatings; a deposit from three people on.",
    ),
    Place(
        "dal_street",
        "Dal Street",
        "indian",
        "low",
        "90 Grange Road, London",
        ("12:00", "22:00"),
        (),
        ("vegetarian", "vegan", "halal", "nut_free"),
        90,
        4,
        (12, "5.00"),
        "2 2 4 4 6 10",
        "Regional dishes, many without meat.",
    ),
    Place(
        "pomona",
        "Pomona",
        "italian",
        "mid",
        "21 Maltby Arches, London",
        ("12:00", "21:30"),
        ("tuesday",),
        ("vegetarian", "nut_free"),
        90,
        12,
        (8, "15.00"),
        "2 2 4 4|t 6|p 10",
        "Fresh pasta; the wine room takes ten.",
    ),
    Place(
        "cafe_lark",
        "Café Lark",
        "cafe",
        "low",
        "1 Tanner Street, London",
        ("07:30", "15:00"),
        ("sunday",),
        ("vegetarian", "vegan", "nut_free"),
        60,
        2,
        (10, "5.00"),
        "2 2 4 6|t 2",
        "Breakfast and lunch next to the office.",
    ),
    Place(
        "ember_grill",
        "Ropewalk Grill",
        "grill",
        "high",
        "44 Rope Walk, London",
        ("17:00", "21:30"),
        ("monday",),
        ("gluten_free", "halal"),
        120,
        24,
        (7, "25.00"),
        "2 4 4 8",
        "Wood fire, whole cuts, house smoked fish.",
    ),
    Place(
        "maison_ruelle",
        "Maison Ruelle",
        "french",
        "high",
        "9 Queen's Lane, London",
        ("18:00", "21:00"),
        ("sunday", "monday"),
        ("vegetarian",),
        120,
        48,
        (6, "35.00"),
        "2 2 2 4 6",
        "A short menu that changes with the market.",
    ),
    Place(
        "green_pestle",
        "Green Pestle",
        "indian",
        "mid",
        "15 Abbey Mews, London",
        ("12:00", "21:00"),
        ("wednesday",),
        ("vegetarian", "vegan", "gluten_free", "kosher", "nut_free"),
        90,
        6,
        (9, "10.00"),
        "2 4 6",
        "Kitchen without meat or nuts.",
    ),
)

DIETS = {
    "mara.lindqvist": "No shellfish.",
    "hana.takeda": "Vegetarian.",
    "amara.diallo": "Halal.",
    "noor.haddad": "Halal, no nuts.",
    "simone.gagnon": "Vegan.",
    "femke.visser": "Gluten-free.",
    "ruth.abernathy": "Allergic to nuts.",
}

# guest, booked by, place, day, clock, party, status, occasion, request, what is paid of the deposit
BOOKINGS: tuple[tuple[str, str, str, int, str, int, str, str, str, str], ...] = (
    (
        "elena.sorokina",
        "mara.lindqvist",
        "cafe_lark",
        0,
        "08:30",
        2,
        "booked",
        "business",
        "Quiet corner, please.",
        "0",
    ),
    ("mara.lindqvist", "mara.lindqvist", "cafe_lark", 0, "09:00", 4, "booked", "team", "", "0"),
    ("dario.bianchi", "mara.lindqvist", "cafe_lark", 0, "08:30", 2, "seated", "none", "", "0"),
    (
        "femke.visser",
        "mara.lindqvist",
        "long_table",
        2,
        "12:30",
        4,
        "booked",
        "business",
        "Lunch before the call.",
        "0",
    ),
    (
        "noor.haddad",
        "mara.lindqvist",
        "mother_olive",
        3,
        "12:00",
        7,
        "booked",
        "business",
        "Halcyon kickoff lunch.",
        "0",
    ),
    ("mara.lindqvist", "ruth.abernathy", "long_table", 45, "18:00", 14, "booked", "team", "Offsite dinner.", "0"),
    ("hana.takeda", "hana.takeda", "pomona", 18, "18:30", 9, "booked", "celebration", "Five years of Luis.", "0"),
    ("mara.lindqvist", "mara.lindqvist", "salt_quay", 11, "19:00", 2, "booked", "birthday", "Window, please.", "0"),
    (
        "imogen.clarke",
        "mara.lindqvist",
        "ember_grill",
        9,
        "19:00",
        8,
        "booked",
        "business",
        "Cobalt Ridge on the way home; Hana hosts.",
        "200.00",
    ),
    ("etienne.roux", "priya.raman", "maison_ruelle", 9, "19:00", 4, "booked", "business", "Renewal dinner.", "0"),
    ("harriet.moss", "elena.sorokina", "dal_street", 4, "12:00", 2, "booked", "business", "INV-2029.", "0"),
    ("aoife.brennan", "hana.takeda", "green_pestle", 3, "12:30", 3, "booked", "business", "", "0"),
    ("priya.raman", "priya.raman", "kiku_counter", 4, "18:00", 2, "booked", "none", "", "0"),
    ("elena.sorokina", "elena.sorokina", "kiku_counter", 4, "18:00", 2, "booked", "none", "", "0"),
    ("oscar.delacroix", "oscar.delacroix", "kiku_counter", 4, "18:30", 4, "booked", "business", "", "200.00"),
    ("ruth.abernathy", "ruth.abernathy", "cafe_lark", 7, "12:00", 3, "booked", "team", "", "0"),
    ("nils.bergstrom", "nils.bergstrom", "dal_street", 2, "18:00", 6, "cancelled", "team", "", "0"),
    ("mara.lindqvist", "mara.lindqvist", "salt_quay", -4, "19:00", 6, "cancelled", "business", "", "180.00"),
    ("talia.brooks", "mara.lindqvist", "pomona", -5, "12:30", 3, "no_show", "business", "Spring range.", "0"),
    ("mara.lindqvist", "mara.lindqvist", "pomona", -11, "12:30", 4, "finished", "team", "", "0"),
    ("derek.olsen", "jonah.whitfield", "ember_grill", -13, "18:00", 4, "finished", "business", "Aprons.", "0"),
    ("mara.lindqvist", "mara.lindqvist", "mother_olive", -20, "19:00", 2, "finished", "none", "", "0"),
    ("hana.takeda", "mara.lindqvist", "dal_street", -9, "12:00", 5, "finished", "team", "", "0"),
    ("tobias.okafor", "tobias.okafor", "salt_quay", -18, "19:30", 4, "finished", "business", "", "0"),
    ("priya.raman", "priya.raman", "maison_ruelle", -24, "19:00", 2, "finished", "none", "", "0"),
    ("ruth.abernathy", "ruth.abernathy", "long_table", -32, "12:30", 12, "finished", "team", "", "240.00"),
    ("kenji.watanabe", "nils.bergstrom", "dal_street", -5, "18:00", 4, "finished", "team", "", "0"),
    ("amara.diallo", "amara.diallo", "mother_olive", -6, "12:00", 2, "finished", "none", "", "0"),
    ("chloe.marchand", "priya.raman", "maison_ruelle", -41, "20:00", 3, "finished", "business", "", "0"),
    ("simone.gagnon", "priya.raman", "green_pestle", -10, "12:30", 3, "finished", "business", "", "0"),
    ("mara.lindqvist", "mara.lindqvist", "green_pestle", -6, "18:00", 2, "finished", "none", "", "0"),
)

# guest, added by, place, day, clock, party, status, note
WAITLIST = (
    ("mara.lindqvist", "mara.lindqvist", "kiku_counter", 4, "18:00", 2, "waiting", "Any seat will do."),
    ("dario.bianchi", "dario.bianchi", "kiku_counter", 4, "18:30", 2, "waiting", ""),
    ("hana.takeda", "mara.lindqvist", "kiku_counter", 4, "19:00", 4, "waiting", "For the visitors from Dublin."),
    ("luis.herrera", "luis.herrera", "long_table", 45, "18:00", 12, "waiting", ""),
    ("imogen.clarke", "mara.lindqvist", "ember_grill", 9, "19:00", 8, "booked", ""),
)

# booking (from 1), rating, text
REVIEWS = (
    (20, 4, "Good pasta, a little loud for talking business."),
    (21, 5, "Derek was impressed by the smoked trout."),
    (22, 5, "Best aubergine south of the river."),
    (23, 4, "Quick and cheap; five of us for the price of two elsewhere."),
    (24, 2, "Two of four plates came cold, and the bill took half an hour."),
    (25, 5, "The market menu was worth the wait."),
    (26, 4, "The back room is ideal for a team of twelve."),
    (28, 5, "Everything halal, friendly people."),
    (29, 4, "Chloe Marchand liked it, and she runs hotels."),
    (30, 3, "Fine food without nuts, slow service."),
)

FAVOURITES = (
    ("mara.lindqvist", "long_table"),
    ("mara.lindqvist", "mother_olive"),
    ("mara.lindqvist", "cafe_lark"),
    ("hana.takeda", "dal_street"),
    ("priya.raman", "maison_ruelle"),
)
