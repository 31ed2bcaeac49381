"""What the standard initial state is made from: catalogue, customers, orders that other services know of."""

from __future__ import annotations

PRODUCTS: tuple[tuple[str, float, tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = (
    (
        "Canvas Apron",
        24.50,
        ("color", "pocket", "print"),
        (
            ("charcoal", "front", "none"),
            ("charcoal", "front", "logo"),
            ("rust", "front", "logo"),
            ("rust", "none", "none"),
            ("olive", "side", "logo"),
        ),
    ),
    (
        "Rain Jacket",
        118.00,
        ("size", "color", "lining"),
        (
            ("S", "moss", "mesh"),
            ("M", "moss", "mesh"),
            ("M", "slate", "fleece"),
            ("L", "slate", "mesh"),
            ("XL", "amber", "fleece"),
        ),
    ),
    (
        "Trail Pack",
        89.00,
        ("volume", "color", "frame"),
        (
            ("28L", "slate", "none"),
            ("38L", "slate", "aluminium"),
            ("38L", "amber", "aluminium"),
            ("50L", "moss", "aluminium"),
        ),
    ),
    (
        "Enamel Mug",
        11.00,
        ("capacity", "color"),
        (("250ml", "white"), ("350ml", "white"), ("350ml", "navy"), ("500ml", "navy")),
    ),
    (
        "Wool Blanket",
        64.00,
        ("size", "pattern"),
        (("single", "plain"), ("single", "check"), ("double", "check"), ("double", "stripe")),
    ),
    (
        "Camp Lantern",
        37.00,
        ("power source", "brightness", "color"),
        (
            ("battery", "200 lm", "black"),
            ("USB-C", "200 lm", "black"),
            ("USB-C", "400 lm", "black"),
            ("USB-C", "400 lm", "copper"),
        ),
    ),
    (
        "Work Gloves",
        18.00,
        ("size", "material"),
        (("S", "leather"), ("M", "leather"), ("L", "leather"), ("M", "nitrile"), ("L", "nitrile")),
    ),
    (
        "Insulated Bottle",
        29.00,
        ("capacity", "color", "lid"),
        (
            ("500ml", "steel", "screw"),
            ("750ml", "steel", "screw"),
            ("750ml", "rust", "sip"),
            ("1000ml", "moss", "screw"),
        ),
    ),
    (
        "Three-Season Tent",
        312.00,
        ("berths", "color", "poles"),
        (("2", "moss", "aluminium"), ("3", "moss", "aluminium"), ("3", "amber", "carbon")),
    ),
    (
        "Hooded Sweatshirt",
        52.00,
        ("size", "color", "print"),
        (
            ("S", "charcoal", "none"),
            ("M", "charcoal", "none"),
            ("L", "charcoal", "logo"),
            ("XL", "navy", "logo"),
        ),
    ),
    (
        "Folding Stool",
        41.00,
        ("material", "seat height"),
        (("beech", "40 cm"), ("beech", "46 cm"), ("aluminium", "46 cm")),
    ),
    (
        "Cable-Knit Beanie",
        22.00,
        ("color", "lining"),
        (("rust", "none"), ("rust", "fleece"), ("navy", "fleece"), ("moss", "none")),
    ),
)
"""Name, base price, names of the options, and the options' values of each variant."""

CUSTOMERS: tuple[tuple[str, str, str, str, str, str, str, tuple[str, ...]], ...] = (
    (
        "Camila Fuentes",
        "1808 Guadalupe Street",
        "",
        "Austin",
        "TX",
        "USA",
        "78701",
        ("credit_card", "gift_card"),
    ),
    ("Derek Olsen", "412 Barton Bend", "Suite 6", "Austin", "TX", "USA", "78704", ("paypal", "credit_card")),
    (
        "Talia Brooks",
        "2290 Larimer Row",
        "Floor 3",
        "Denver",
        "CO",
        "USA",
        "80205",
        ("credit_card", "paypal"),
    ),
    (
        "Marcus Vale",
        "77 Cherry Creek Drive",
        "",
        "Denver",
        "CO",
        "USA",
        "80209",
        ("gift_card", "credit_card"),
    ),
    ("Beatrice Nolan", "915 Alder Court", "", "Portland", "OR", "USA", "97205", ("paypal", "gift_card")),
    ("Wesley Tran", "3301 Division Lane", "Apt 12", "Portland", "OR", "USA", "97202", ("credit_card",)),
    (
        "Noor Haddad",
        "58 Harbord Crescent",
        "Unit 4",
        "Toronto",
        "ON",
        "Canada",
        "M5S 1G4",
        ("gift_card", "paypal"),
    ),
    ("Simone Gagnon", "240 Roncesvalles Walk", "", "Toronto", "ON", "Canada", "M6R 2L7", ("credit_card",)),
    (
        "Chloe Marchand",
        "9 Quai des Tanneurs",
        "",
        "Lyon",
        "ARA",
        "France",
        "69002",
        ("credit_card", "gift_card"),
    ),
    (
        "Aoife Brennan",
        "31 Grand Canal Terrace",
        "",
        "Dublin",
        "D",
        "Ireland",
        "D04 X5C7",
        ("paypal", "gift_card"),
    ),
    (
        "Harriet Moss",
        "6 Kirkstall Rise",
        "Rear office",
        "Leeds",
        "WYK",
        "United Kingdom",
        "LS5 3BT",
        ("paypal",),
    ),
    (
        "Angus Boyd",
        "120 Wharf Parade",
        "",
        "Brisbane",
        "QLD",
        "Australia",
        "4101",
        ("credit_card", "gift_card"),
    ),
)
"""Name, address (two lines, city, state, country, zip) and kinds of payment methods."""

PINNED: tuple[tuple[str, str, tuple[str, ...], str | None], ...] = (
    # The consignment whose goods arrived damaged.
    ("talia_brooks", "delivered", ("4109010344", "4103020133", "4103020133"), "GP-778"),
    # Samples before the big order of aprons.
    ("derek_olsen", "delivered", ("4101010048", "4101020059"), "LK4402118853"),
    ("camila_fuentes", "pending", ("4101010048", "4104010159"), None),
    ("chloe_marchand", "pending", ("4105020207", "4106010233"), None),
    ("wesley_tran", "processed", ("4111010418",), "LK4402120907"),
)
"""The start of a customer's id, status, items and tracking number of orders that every seed number has."""

STATUSES = ("pending", "delivered", "pending", "delivered", "processed", "cancelled")
