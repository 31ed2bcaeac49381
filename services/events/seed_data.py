"""What the box office has at the start; days count from the start's date."""

from __future__ import annotations

# Key: title, venue, city, day, hour, hours, status, currency, full and half refund days, note, description.
EVENTS: dict[str, tuple[str, str, str, int, int, int, str, str, int, int, str, str]] = {
    "winter": (
        "Larkspur open house, winter",
        "Tanner Street store",
        "London",
        -32,
        17,
        3,
        "on_sale",
        "GBP",
        14,
        7,
        "",
        "New outdoor range, repairs while you wait.",
    ),
    "breakfast": (
        "Workwear breakfast",
        "Cedar Hall, Tanner Street",
        "London",
        0,
        16,
        2,
        "on_sale",
        "GBP",
        7,
        2,
        "",
        "Half an hour on boots, half an hour on law, cake afterwards.",
    ),
    "lyon": (
        "Uniforms for hotels: a workshop",
        "24 quai des Tanneurs",
        "Lyon",
        10,
        9,
        7,
        "on_sale",
        "EUR",
        14,
        7,
        "",
        "Fabrics, care and sizes with guests of Juniper Lane Hotels.",
    ),
    "catalogue": (
        "Spring catalogue evening",
        "Pike Yard",
        "Seattle",
        22,
        18,
        3,
        "on_sale",
        "USD",
        14,
        7,
        "",
        "First look at the spring catalogue; twelve seats.",
    ),
    "fitting": (
        "Fitting day for clinics",
        "19 Spadina Court",
        "Toronto",
        15,
        13,
        6,
        "on_sale",
        "CAD",
        10,
        3,
        "",
        "Scrubs in all sizes. Halcyon Clinics sends forty people in two groups.",
    ),
    "safety": (
        "Hi-vis and the law, online",
        "Online",
        "London",
        71,
        10,
        2,
        "on_sale",
        "GBP",
        1,
        0,
        "",
        "What class 3 means on rail and road.",
    ),
    "suppliers": (
        "Supplier day 2026",
        "Foxglove Barn",
        "Hertford",
        51,
        9,
        8,
        "draft",
        "GBP",
        21,
        10,
        "",
        "For weavers, printers and carriers.",
    ),
    "meetup": (
        "Stock data meetup",
        "9 Mill Quay",
        "Dublin",
        -2,
        17,
        3,
        "cancelled",
        "EUR",
        7,
        3,
        "Cancelled after the outage of 26 February; to be held in June.",
        "With Kestrel Analytics.",
    ),
    "press": (
        "Press preview, autumn",
        "Pike Yard",
        "Seattle",
        120,
        15,
        3,
        "draft",
        "USD",
        14,
        7,
        "",
        "Not announced.",
    ),
}

STAFF = {
    "winter": {"mara.lindqvist": "manager", "oscar.delacroix": "seller"},
    "breakfast": {"mara.lindqvist": "manager", "hana.takeda": "door"},
    "lyon": {"priya.raman": "manager", "mara.lindqvist": "seller"},
    "catalogue": {"oscar.delacroix": "manager", "mara.lindqvist": "manager", "jonah.whitfield": "seller"},
    "fitting": {"mara.lindqvist": "manager", "priya.raman": "seller", "amara.diallo": "door"},
    "safety": {"hana.takeda": "manager", "mara.lindqvist": "door"},
    "suppliers": {"mara.lindqvist": "manager", "ruth.abernathy": "manager"},
    "meetup": {"nils.bergstrom": "manager", "mara.lindqvist": "seller"},
    "press": {"oscar.delacroix": "manager"},
}

# Event: key, name, price, capacity, most in one order, first and last day of sales.
TYPES: dict[str, tuple[tuple[str, str, str, int, int, int, int], ...]] = {
    "winter": (("standard", "Standard", "12.00", 60, 10, -80, -32),),
    "breakfast": (("seat", "Seat", "18.00", 16, 6, -40, 0), ("online", "Stream", "0", 200, 10, -40, 0)),
    "lyon": (
        ("early", "Early bird", "95.00", 6, 4, -50, -10),
        ("standard", "Standard", "120.00", 14, 6, -10, 10),
        ("student", "Student", "40.00", 4, 1, -50, 10),
    ),
    "catalogue": (("seat", "Seat", "45.00", 10, 4, -30, 22), ("patron", "Patron seat", "90.00", 2, 2, -30, 22)),
    "fitting": (
        ("morning", "Morning group", "0", 20, 20, -20, 14),
        ("afternoon", "Afternoon group", "0", 20, 20, -20, 14),
    ),
    "safety": (("seat", "Seat", "25.00", 300, 20, 14, 71),),
    "suppliers": (("guest", "Guest", "30.00", 80, 10, 0, 50),),
    "meetup": (("seat", "Seat", "20.00", 40, 5, -30, -2),),
    "press": (),
}

# Event, code, kind, value, most uses, last day.
CODES = (
    ("winter", "FRIENDS", "percent", "25", None, -32),
    ("breakfast", "EARLYCUP", "amount", "5.00", 3, None),
    ("lyon", "JUNIPER15", "percent", "15", 10, 10),
    ("lyon", "OPENING", "amount", "20.00", 1, None),
    ("catalogue", "SPRING10", "percent", "10", None, 15),
    ("catalogue", "WINTER5", "percent", "5", None, -1),
)

# Event, buyer, [(ticket type, attendee), ...], code, day.
ORDERS: tuple[tuple[str, str, tuple[tuple[str, str], ...], str | None, int], ...] = (
    ("winter", "femke.visser", (("standard", "femke.visser"), ("standard", "joost.mulder")), None, -60),
    ("winter", "harriet.moss", (("standard", "harriet.moss"),), "FRIENDS", -50),
    ("winter", "owen.pritchard", (("standard", "owen.pritchard"),), None, -44),
    ("meetup", "aoife.brennan", (("seat", "aoife.brennan"), ("seat", "ciaran.doyle")), None, -20),
    ("meetup", "joost.mulder", (("seat", "joost.mulder"),), None, -9),
    ("lyon", "chloe.marchand", (("early", "chloe.marchand"), ("early", "etienne.roux")), "JUNIPER15", -40),
    ("lyon", "camila.fuentes", (("early", "camila.fuentes"),), None, -31),
    ("lyon", "simone.gagnon", (("standard", "simone.gagnon"), ("standard", "noor.haddad")), None, -7),
    ("lyon", "derek.olsen", (("standard", "derek.olsen"),), "OPENING", -4),
    ("breakfast", "harriet.moss", (("seat", "harriet.moss"), ("seat", "owen.pritchard")), "EARLYCUP", -21),
    ("breakfast", "femke.visser", (("seat", "femke.visser"),), None, -18),
    ("breakfast", "aoife.brennan", (("online", "aoife.brennan"), ("online", "ciaran.doyle")), None, -12),
    ("breakfast", "wesley.tran", (("online", "wesley.tran"),), None, -6),
    ("catalogue", "talia.brooks", (("seat", "talia.brooks"), ("seat", "marcus.vale")), "SPRING10", -19),
    ("catalogue", "beatrice.nolan", (("seat", "beatrice.nolan"), ("seat", "wesley.tran")), None, -17),
    ("catalogue", "derek.olsen", (("seat", "derek.olsen"), ("seat", "camila.fuentes")), "SPRING10", -15),
    ("catalogue", "callum.reid", (("seat", "callum.reid"), ("seat", "imogen.clarke")), None, -11),
    ("catalogue", "angus.boyd", (("seat", "angus.boyd"), ("seat", "lucy.farrow")), None, -8),
    ("catalogue", "noor.haddad", (("patron", "noor.haddad"), ("patron", "simone.gagnon")), None, -5),
    ("fitting", "noor.haddad", (("morning", "noor.haddad"), ("afternoon", "simone.gagnon")), None, -6),
)

# Order (from 1), number of its first tickets given back, per cent, reason, day.
REFUNDS = (
    (3, 1, 100, "Ill, called before the day.", -42),
    (7, 1, 100, "Cannot travel to Lyon.", -20),
)
CHECKED_IN = (1, 2)
"""Orders whose attendees came."""

# Event, ticket type, who, how many, state, day.
WAITLIST = (
    ("catalogue", "seat", "femke.visser", 1, "waiting", -6),
    ("catalogue", "seat", "harriet.moss", 2, "waiting", -4),
    ("catalogue", "patron", "chloe.marchand", 2, "waiting", -3),
    ("catalogue", "seat", "aoife.brennan", 1, "waiting", -1),
    ("meetup", "seat", "femke.visser", 1, "closed", -10),
)
