"""What stands in the tables at the start."""

from __future__ import annotations

from typing import Any

BASES: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    (
        "operations",
        "Operations",
        "Vendors, purchases and deliveries.",
        {"mara.lindqvist": "owner", "hana.takeda": "editor", "amara.diallo": "editor", "elena.sorokina": "reader"},
    ),
    (
        "sales",
        "Sales and prices",
        "Price list and commissions.",
        {"tobias.okafor": "owner", "mara.lindqvist": "editor", "priya.raman": "editor", "jonah.whitfield": "editor"},
    ),
    (
        "finance",
        "Finance tables",
        "Rates that everybody calculates with.",
        {"elena.sorokina": "owner", "dario.bianchi": "editor", "mara.lindqvist": "reader", "tobias.okafor": "reader"},
    ),
    (
        "offsite",
        "Team offsite 2026-04-16",
        "Budget and guests.",
        {"ruth.abernathy": "owner", "mara.lindqvist": "owner", "hana.takeda": "reader"},
    ),
    ("people", "People team", "Confidential.", {"ruth.abernathy": "owner"}),
)

_STATES = ["requested", "approved", "ordered", "refused"]

# Table: base, name, description, columns (name, type, flags, more), rows in column order; @key links to a row.
TABLES: dict[str, tuple[str, str, str, list[tuple[str, str, str, Any]], list[tuple[Any, ...]]]] = {
    "vendors": (
        "operations",
        "Vendors",
        "Companies that we buy from; approval as the wiki says.",
        [
            ("Name", "text", "ru", None),
            ("Category", "select", "r", ["carrier", "printing", "fabric", "venue", "software"]),
            ("Contact", "email", "", None),
            ("Terms (days)", "number", "", None),
            ("Spend a year", "money", "", "USD"),
            ("Status", "select", "r", ["approved", "pending", "blocked"]),
            ("Approved on", "date", "", None),
        ],
        [
            ("Coastline Freight", "carrier", "claims@coastline.example", 30, 86400, "approved", "2024-05-13"),
            ("Northway Parcel", "carrier", "service@northwayparcel.example", 14, 21300, "approved", "2024-05-13"),
            ("Harbourline Air", "carrier", "cargo.claims@harbourline.example", 30, 17850, "approved", "2024-09-02"),
            ("Kettering Print Works", "printing", "studio@ketteringprint.example", 30, 9400, "approved", "2025-01-20"),
            ("Pike Coaches", "venue", "office@pikecoaches.example", 14, 535, "pending", None),
            ("Foxglove Barn", "venue", "bookings@foxglovebarn.example", 14, 1464, "pending", None),
            ("Old Boathouse", "venue", "hello@oldboathouse.example", 14, 1248, "pending", None),
            ("Marlow Weavers", "fabric", "orders@marlowweavers.example", 45, 64200, "approved", "2024-03-11"),
            ("Harbour Zips", "fabric", None, 30, 12300, "blocked", None),
            ("Kestrel Analytics", "software", "ciaran.doyle@kestrel.example", 30, 14400, "approved", "2025-06-30"),
            ("Pelican Express", "carrier", "claims@pelicanexpress.example", 14, 12600, "approved", "2024-11-18"),
        ],
    ),
    "purchases": (
        "operations",
        "Purchase requests",
        "What we want to buy.",
        [
            ("Title", "text", "r", None),
            ("Vendor", "link", "r", "vendors"),
            ("Amount", "money", "r", "USD"),
            ("Needed by", "date", "", None),
            ("State", "select", "r", _STATES),
            ("Requested by", "email", "", None),
        ],
        [
            ("Apron samples for Ember & Oak", "@vendors 4", 140, "2026-03-17", "approved", "jonah.whitfield"),
            ("Label printer ribbons", "@vendors 4", 96.5, "2026-03-09", "ordered", "amara.diallo"),
            ("Second express in place of HC-0088", "@vendors 11", 1280, "2026-03-04", "requested", "amara.diallo"),
            ("Coach to the offsite", "@vendors 5", 534.79, "2026-04-16", "requested", "mara.lindqvist"),
            ("Canvas, 300 metres", "@vendors 8", 2760, "2026-03-30", "requested", "mara.lindqvist"),
            ("Zips, 2,000 pieces", "@vendors 9", 640, "2026-03-20", "refused", "amara.diallo"),
            ("Stock feed, second quarter", "@vendors 10", 3600, "2026-04-01", "approved", "kenji.watanabe"),
            ("Morning slot for IB-0457", "@vendors 1", 85, "2026-03-11", "ordered", "mara.lindqvist"),
        ],
    ),
    "deliveries": (
        "operations",
        "Late deliveries February",
        "For the carrier review on 2026-03-10.",
        [
            ("Shipment", "text", "ru", None),
            ("Customer", "text", "r", None),
            ("Carrier", "link", "r", "vendors"),
            ("Promised", "date", "r", None),
            ("Delivered", "date", "", None),
            ("Damaged", "checkbox", "", None),
        ],
        [
            ("GP-778", "Granite Peak Outdoor", "@vendors 1", "2026-02-20", "2026-02-25", True),
            ("CR-1175", "Cobalt Ridge Mining", "@vendors 1", "2026-02-03", "2026-02-05", False),
            ("JL-0312", "Juniper Lane Hotels", "@vendors 2", "2026-02-27", "2026-02-28", False),
            ("HC-0088", "Halcyon Clinics", "@vendors 11", "2026-02-28", None, False),
            ("KA-0131", "Kestrel Analytics", "@vendors 1", "2026-02-20", "2026-02-21", True),
        ],
    ),
    "prices": (
        "sales",
        "Price list 2026",
        "Valid from 2026-01-01, before tax.",
        [
            ("SKU", "text", "ru", None),
            ("Product", "text", "r", None),
            (
                "Range",
                "select",
                "r",
                ["hospitality", "health", "safety", "workwear", "outdoor", "branding", "services"],
            ),
            ("Price", "money", "r", "USD"),
            ("Unit", "select", "r", ["piece", "pair", "hour", "month"]),
            ("Active", "checkbox", "", None),
        ],
        [
            ("APR-CAN", "Canvas apron, branded", "hospitality", 24.5, "piece", True),
            ("APR-WAI", "Waist apron", "hospitality", 14, "piece", True),
            ("TUN-HK", "Housekeeping tunic", "hospitality", 38, "piece", True),
            ("JKT-FD", "Front desk jacket", "hospitality", 96, "piece", True),
            ("SCR-TOP", "Scrub top", "health", 21, "piece", True),
            ("SCR-TRS", "Scrub trousers", "health", 23, "piece", True),
            ("VST-HV3", "Hi-vis vest, class 3", "safety", 17.5, "piece", True),
            ("JKT-HV", "Hi-vis rain jacket", "safety", 84, "piece", True),
            ("GLV-DOC", "Dock gloves", "safety", 9.8, "pair", True),
            ("BOT-S3", "Safety boots S3", "safety", 118, "pair", True),
            ("TRS-WRK", "Work trousers", "workwear", 57, "piece", True),
            ("SMK-STU", "Studio smock", "workwear", 45, "piece", True),
            ("JKT-SOF", "Softshell jacket", "outdoor", 102, "piece", True),
            ("PAC-24", "Trail pack 24 litres", "outdoor", 79, "piece", True),
            ("TOT-COT", "Cotton tote bag", "branding", 6.5, "piece", True),
            ("EMB-SET", "Embroidery set-up", "branding", 65, "piece", True),
            ("CAR-MON", "Uniform care plan", "services", 640, "month", True),
            ("FIT-DAY", "Fitting on site", "services", 75, "hour", True),
            ("CAP-OLD", "Peaked cap (old line)", "branding", 8, "piece", False),
        ],
    ),
    "commissions": (
        "sales",
        "Commissions 2026",
        "Rates in per cent of the amount before tax; paid after the invoice is paid.",
        [
            ("Deal", "text", "ru", None),
            ("Seller", "email", "r", None),
            ("Kind", "select", "r", ["new", "renewal", "upsell"]),
            ("Rate", "number", "r", None),
            ("Amount", "money", "", "USD"),
            ("Paid on", "date", "", None),
        ],
        [
            ("Juniper Lane renewal", "priya.raman", "renewal", 2, 52432, None),
            ("Branded aprons for new cafes", "jonah.whitfield", "new", 5, 980, None),
            ("Pit crew hi-vis 2026", "tobias.okafor", "upsell", 1.5, 40344, None),
            ("Warehouse gloves call-off", "priya.raman", "upsell", 3, 10714.83, None),
            ("Halcyon scrubs, phase one", "priya.raman", "new", 5, 14925.42, None),
            ("Granite Peak guide jackets", "priya.raman", "upsell", 3, 16980, None),
            ("Quillfeather tote bags", "jonah.whitfield", "new", 5, 1040, "2026-01-30"),
            ("Kestrel autumn meetup", "jonah.whitfield", "new", 5, 1365, "2025-12-30"),
        ],
    ),
    "rates": (
        "finance",
        "Exchange rates",
        "US dollars for one unit; they hold for the whole month.",
        [
            ("Rate", "text", "ru", None),
            ("Currency", "select", "r", ["EUR", "GBP", "AUD", "CAD"]),
            ("Month", "date", "r", None),
            ("US dollars", "number", "r", None),
        ],
        [
            (f"{currency} {month[:7]}", currency, month, rate)
            for currency, rates in (
                ("EUR", (1.0763, 1.0841, 1.0878)),
                ("GBP", (1.2619, 1.2688, 1.2733)),
                ("AUD", (0.6515, 0.6547, 0.656)),
                ("CAD", (0.7267, 0.7301, 0.7325)),
            )
            for month, rate in zip(("2026-01-01", "2026-02-01", "2026-03-01"), rates, strict=True)
        ],
    ),
    "budget": (
        "offsite",
        "Offsite budget",
        "Ceiling 3,200.00 GBP, with travel.",
        [
            ("Item", "text", "ru", None),
            ("Category", "select", "r", ["venue", "food", "travel", "programme"]),
            ("Planned", "money", "r", "GBP"),
            ("Quoted", "money", "", "GBP"),
            ("Due", "date", "", None),
            ("Paid", "checkbox", "", None),
        ],
        [
            ("Hire of Foxglove Barn", "venue", 1200, 1150, "2026-03-20", False),
            ("Hire of the Old Boathouse (other choice)", "venue", 0, 980, "2026-03-20", False),
            ("Lunch for 14", "food", 420, 434, "2026-04-09", False),
            ("Coffee and cake", "food", 110, None, "2026-04-09", False),
            ("Coach", "travel", 400, 420, "2026-03-13", False),
            ("Flights for Amara Diallo", "travel", 180, 164.03, "2026-03-31", False),
            ("Facilitator, half a day", "programme", 550, 600, "2026-03-27", False),
            ("Materials", "programme", 60, 48.2, None, True),
        ],
    ),
    "guests": (
        "offsite",
        "Offsite guests",
        "Who comes.",
        [
            ("Name", "text", "r", None),
            ("E-mail", "email", "ru", None),
            ("Answer", "select", "r", ["yes", "no", "open"]),
            ("Diet", "text", "", None),
            ("Needs step-free", "checkbox", "", None),
        ],
        [
            ("Mara Lindqvist", "mara.lindqvist", "yes", "no shellfish", False),
            ("Ruth Abernathy", "ruth.abernathy", "yes", "no nuts", False),
            ("Elena Sorokina", "elena.sorokina", "yes", None, False),
            ("Hana Takeda", "hana.takeda", "yes", "vegetarian", False),
            ("Amara Diallo", "amara.diallo", "yes", "halal", True),
            ("Dario Bianchi", "dario.bianchi", "open", "no gluten", False),
            ("Priya Raman", "priya.raman", "open", "vegetarian", False),
            ("Kenji Watanabe", "kenji.watanabe", "no", None, False),
        ],
    ),
    "bands": ("people", "Pay bands", "", [("Band", "text", "r", None)], [("A",), ("B",)]),
}

# View: table, name, filters (column, operator, value), column to sort by, descending, who made it.
VIEWS: tuple[tuple[str, str, list[tuple[Any, ...]], str | None, bool, str], ...] = (
    ("vendors", "Approved vendors", [("Status", "equals", "approved")], "Name", False, "mara.lindqvist"),
    ("vendors", "Carriers by spend", [("Category", "equals", "carrier")], "Spend a year", True, "hana.takeda"),
    ("purchases", "To decide", [("State", "equals", "requested")], "Needed by", False, "mara.lindqvist"),
    ("deliveries", "Not delivered", [("Delivered", "is_empty")], "Promised", False, "amara.diallo"),
    ("prices", "Active products", [("Active", "equals", True)], "SKU", False, "tobias.okafor"),
    ("commissions", "Unpaid", [("Paid on", "is_empty")], "Amount", True, "tobias.okafor"),
    ("rates", "March 2026", [("Month", "equals", "2026-03-01")], "Currency", False, "dario.bianchi"),
    ("budget", "Over plan or without quote", [("Paid", "equals", False)], "Due", False, "ruth.abernathy"),
    ("guests", "Coming", [("Answer", "equals", "yes")], "Name", False, "ruth.abernathy"),
)
