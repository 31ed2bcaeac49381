"""Routes, hotels, rules and trips of the seed. Days count from the start's date."""

from __future__ import annotations

from typing import Any, NamedTuple


class Route(NamedTuple):
    """A line with its fares (class, price, seats, refundable, change fee); ``days`` on which it runs."""

    kind: str
    provider: str
    code: str
    origin: str
    destination: str
    days: tuple[int, ...]
    clock: str
    minutes: int
    currency: str
    fares: tuple[tuple[str, str, int, bool, str | None], ...]
    international: bool = True


LONG_HAUL = (
    ("economy", "412.00", 20, False, None),
    ("premium", "795.00", 12, True, "60.00"),
    ("business", "1980.00", 8, True, "0.00"),
)
SHORT = (("economy", "96.00", 24, False, "35.00"), ("business", "268.00", 8, True, "0.00"))
RAIL = (("standard", "58.00", 40, True, "10.00"), ("first", "104.00", 16, True, "10.00"))

ROUTES = (
    Route("flight", "Halden Air", "HA 204", "London", "Seattle", (6, 7), "10:40", 600, "GBP", LONG_HAUL),
    Route("flight", "Halden Air", "HA 205", "Seattle", "London", (9, 10), "22:15", 570, "GBP", LONG_HAUL),
    Route("flight", "Southern Cross Airways", "SX 71", "Seattle", "Perth", (10,), "15:00", 1230, "USD", LONG_HAUL),
    Route("flight", "Southern Cross Airways", "SX 72", "Perth", "Seattle", (16,), "04:30", 1260, "USD", LONG_HAUL),
    Route("flight", "Halden Air", "HA 330", "London", "Lyon", (22, 24), "07:10", 105, "GBP", SHORT),
    Route("flight", "Halden Air", "HA 331", "Lyon", "London", (24, 25), "18:20", 110, "GBP", SHORT),
    Route("flight", "Halden Air", "HA 118", "London", "Rotterdam", (14, 15), "08:05", 70, "GBP", SHORT),
    Route("flight", "Emerald Wings", "EW 12", "London", "Dublin", (17, 18), "09:30", 80, "EUR", SHORT),
    Route("flight", "Emerald Wings", "EW 19", "Dublin", "London", (18, 19), "19:45", 85, "EUR", SHORT),
    Route("flight", "Tejo Air", "TJ 40", "Lisbon", "London", (44,), "12:20", 165, "EUR", SHORT),
    Route("flight", "Tejo Air", "TJ 41", "London", "Lisbon", (46,), "17:05", 165, "EUR", SHORT),
    Route("train", "Channel Rail", "CR 9110", "London", "Rotterdam", (14, 15), "08:16", 205, "GBP", RAIL),
    Route("train", "Channel Rail", "CR 9163", "Rotterdam", "London", (15, 16), "17:28", 210, "GBP", RAIL),
    Route("train", "Channel Rail", "CR 9018", "London", "Lyon", (22, 23), "06:30", 345, "GBP", RAIL),
    Route("train", "Midland Lines", "ML 1C23", "London", "Kettering", (15, 16), "08:02", 60, "GBP", RAIL, False),
    Route("train", "Midland Lines", "ML 1C58", "Kettering", "London", (15, 16), "15:34", 62, "GBP", RAIL, False),
    Route("train", "Northern Main", "NM 1D05", "London", "Leeds", (8, 9), "07:33", 135, "GBP", RAIL, False),
    Route("train", "Northern Main", "NM 1A40", "Leeds", "London", (8, 9), "17:15", 137, "GBP", RAIL, False),
)

# provider, code, city, address, room type, price, currency, rooms, refundable, refund days, change fee
HOTELS = (
    ("Pike Yard Inn", "PYI-D", "Seattle", "210 Pike Yard", "double", "189.00", "USD", 6, True, 2, "0.00"),
    ("Pike Yard Inn", "PYI-S", "Seattle", "210 Pike Yard", "single", "149.00", "USD", 4, True, 2, "0.00"),
    ("Harbor Crown", "HCR-D", "Seattle", "5 Alder Pier", "double", "285.00", "USD", 8, True, 1, "0.00"),
    ("Swan Terrace Hotel", "STH-D", "Perth", "91 Terrace Road", "double", "240.00", "AUD", 5, True, 3, "25.00"),
    ("Jarrah House", "JAR-D", "Perth", "14 Fig Street", "double", "310.00", "AUD", 3, False, 0, None),
    ("Juniper Lane Hotels", "JLL-S", "Lyon", "24 quai des Tanneurs", "single", "118.00", "EUR", 6, True, 2, "0.00"),
    ("Juniper Lane Hotels", "JLL-D", "Lyon", "24 quai des Tanneurs", "double", "156.00", "EUR", 6, True, 2, "0.00"),
    ("Juniper Lane Hotels", "JLL-X", "Lyon", "24 quai des Tanneurs", "suite", "290.00", "EUR", 2, False, 0, None),
    ("Liffey Rooms", "LFR-D", "Dublin", "7 Weaver Quay", "double", "172.00", "EUR", 5, True, 1, "15.00"),
    ("Maas Hotel", "MAA-D", "Rotterdam", "Waalkade 31", "double", "134.00", "EUR", 5, True, 1, "0.00"),
    ("Tanner Street Lodge", "TSL-S", "London", "40 Tanner Street", "single", "128.00", "GBP", 5, True, 1, "0.00"),
    ("The Larder", "LRD-D", "London", "3 Long Lane", "double", "214.00", "GBP", 2, False, 0, None),
    ("Aire Court", "AIR-D", "Leeds", "18 Canal Wharf", "double", "99.00", "GBP", 6, True, 1, "0.00"),
    ("Front Range House", "FRH-D", "Denver", "1620 Larimer Row", "double", "165.00", "USD", 4, True, 2, "0.00"),
)

# id, kind, text, other values
RULES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("rail", "rail_first", "From 1 March: rail for trips below five hours.", {"from_minutes": 300}),
    (
        "class_short",
        "flight_class",
        "Economy on flights below six hours.",
        {"from_minutes": 0, "travel_class": "economy"},
    ),
    (
        "class_long",
        "flight_class",
        "Up to premium on flights of six hours or more.",
        {"from_minutes": 360, "travel_class": "premium"},
    ),
    (
        "class_ultra",
        "flight_class",
        "Up to business on flights of fourteen hours or more.",
        {"from_minutes": 840, "travel_class": "business"},
    ),
    ("train", "train_class", "Standard class on trains.", {"travel_class": "standard"}),
)
CAPS = {
    "Seattle": ("210.00", "USD"),
    "Denver": ("180.00", "USD"),
    "Perth": ("260.00", "AUD"),
    "Lyon": ("160.00", "EUR"),
    "Dublin": ("175.00", "EUR"),
    "Rotterdam": ("150.00", "EUR"),
    "London": ("170.00", "GBP"),
    "Leeds": ("120.00", "GBP"),
}

# title, purpose, organizer, approver, first day, last day, status, note
TRIPS = (
    (
        "Seattle: review with Cobalt Ridge",
        "Quarterly business review with Cobalt Ridge Mining on 10 March; bring the delivery figures.",
        "mara.lindqvist",
        "tobias.okafor",
        6,
        11,
        "planning",
        "",
    ),
    (
        "Kettering: printing works",
        "Check the apron samples for Ember & Oak Cafes before the quote for 40 aprons is fixed.",
        "mara.lindqvist",
        "elena.sorokina",
        15,
        15,
        "planning",
        "",
    ),
    (
        "Rotterdam: Brightwater warehouse",
        "Compare delivery notes for INV-2041 with Joost Mulder.",
        "mara.lindqvist",
        "elena.sorokina",
        14,
        16,
        "rejected",
        "Take the train, please: the policy wants rail below five hours.",
    ),
    (
        "Perth: Cobalt Ridge sites",
        "Site visits after the review.",
        "tobias.okafor",
        "elena.sorokina",
        10,
        18,
        "approved",
        "Fine.",
    ),
    (
        "Lyon: Juniper Lane renewal",
        "Signing before the deal closes on 27 March.",
        "priya.raman",
        "tobias.okafor",
        22,
        25,
        "submitted",
        "",
    ),
    (
        "Offsite: Amara from Lisbon",
        "Team offsite on 16 April.",
        "ruth.abernathy",
        "mara.lindqvist",
        44,
        46,
        "submitted",
        "",
    ),
    (
        "Dublin: Kestrel Analytics",
        "Talk through the outage of 26 February and the report.",
        "hana.takeda",
        "mara.lindqvist",
        17,
        19,
        "submitted",
        "",
    ),
    (
        "Leeds: Fernhill Schools Trust",
        "Overdue invoice INV-2029.",
        "dario.bianchi",
        "elena.sorokina",
        8,
        9,
        "planning",
        "",
    ),
    (
        "Denver: Granite Peak Outdoor",
        "Look at the wet cartons of GP-778.",
        "mara.lindqvist",
        "tobias.okafor",
        3,
        5,
        "cancelled",
        "",
    ),
)

# trip, traveller, offer (code, day, class) or (code, first day, last day), status, seat, hours since the booking
BOOKINGS: tuple[tuple[int, str, tuple[str, int, str | int], str, str | None, int], ...] = (
    (1, "mara.lindqvist", ("HA 204", 6, "premium"), "ticketed", "2A", 190),
    (1, "mara.lindqvist", ("PYI-D", 6, 9), "confirmed", None, 190),
    (1, "mara.lindqvist", ("HA 205", 9, "premium"), "held", None, 5),
    (2, "mara.lindqvist", ("ML 1C23", 15, "standard"), "confirmed", "4B", 70),
    (2, "oscar.delacroix", ("ML 1C23", 15, "standard"), "held", None, 30),
    (2, "mara.lindqvist", ("ML 1C58", 15, "standard"), "confirmed", None, 70),
    (3, "mara.lindqvist", ("HA 118", 14, "economy"), "held", None, 60),
    (3, "mara.lindqvist", ("MAA-D", 14, 15), "held", None, 3),
    (4, "tobias.okafor", ("SX 71", 10, "business"), "ticketed", "1C", 400),
    (4, "tobias.okafor", ("JAR-D", 12, 16), "confirmed", None, 400),
    (4, "tobias.okafor", ("SX 72", 16, "business"), "ticketed", "1A", 400),
    (5, "priya.raman", ("HA 330", 22, "economy"), "held", None, 2),
    (5, "priya.raman", ("JLL-X", 22, 25), "held", None, 2),
    (5, "priya.raman", ("HA 331", 25, "economy"), "held", None, 2),
    (6, "amara.diallo", ("TJ 40", 44, "economy"), "held", None, 4),
    (6, "amara.diallo", ("LRD-D", 44, 46), "held", None, 4),
    (6, "amara.diallo", ("TJ 41", 46, "economy"), "held", None, 4),
    (7, "hana.takeda", ("EW 12", 17, "business"), "held", None, 6),
    (7, "hana.takeda", ("LFR-D", 17, 18), "held", None, 6),
    (7, "hana.takeda", ("EW 19", 18, "economy"), "held", None, 6),
    (8, "dario.bianchi", ("NM 1D05", 8, "standard"), "confirmed", "1A", 100),
    (8, "dario.bianchi", ("NM 1A40", 8, "standard"), "cancelled", None, 100),
    (9, "mara.lindqvist", ("FRH-D", 3, 5), "cancelled", None, 110),
)
