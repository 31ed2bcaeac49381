"""What the social media desk starts with: people, channels, media; posts and messages are in ``seed_data.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_ROWS = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
PUBLISHED: list[list[Any]] = _ROWS["published"]
"""Channel, label, author, day, hour, text, media, engagements of a hundred impressions."""
OPEN: list[list[Any]] = _ROWS["open"]
"""Channel, label, author, status, day made, day and hour scheduled, text, media, note or reason."""
MESSAGES: list[list[Any]] = _ROWS["messages"]
"""Channel, place of the post in PUBLISHED (0: none), kind, who, tone, status, with whom, day, hour, text, answer."""

MEMBERS = {
    "oscar": "approver",
    "mara": "approver",
    "priya": "author",
    "jonah": "author",
    "hana": "author",
    "luis": "author",
    "amara": "author",
    "tobias": "viewer",
    "ruth": "author",
}
# key, name, network, handle, status, approval, length, hashtags, media, requires media, a day, followers
CHANNELS = (
    ("chn_notes", "Larkspur Notes", "microblog", "@larkspur", "connected", True, 280, 3, 4, False, 4, 8140),
    ("chn_looks", "Larkspur Looks", "photo", "@larkspur.looks", "connected", True, 2000, 10, 10, True, 2, 15320),
    (
        "chn_work",
        "Larkspur at Work",
        "professional",
        "larkspur-outfitters",
        "connected",
        True,
        3000,
        5,
        5,
        False,
        2,
        4275,
    ),
    ("chn_team", "Larkspur Team", "professional", "larkspur-team", "connected", False, 1500, 5, 3, False, 3, 960),
    ("chn_bench", "At the Bench", "video", "@atthebench", "disconnected", True, 500, 5, 1, True, 1, 2210),
)
LABELS = (
    ("lbl_service", "Service notices", -365, 365),
    ("lbl_care", "Care plan", -60, 20),
    ("lbl_trail", "Trail range", -30, 60),
    ("lbl_spring", "Spring catalogue", -14, 45),
    ("lbl_hiring", "Team and hiring", -20, 40),
    ("lbl_autumn", "Autumn range", 21, 200),
)
MEDIA = (
    ("med_apron", "Charcoal apron, flat", "image", "A charcoal canvas apron with tan straps on a wooden table."),
    ("med_apron_logo", "Apron with oak leaf", "image", "The oak leaf of a cafe, embroidered on an apron in green."),
    (
        "med_lookbook",
        "Spring lookbook cover",
        "image",
        "The cover of the spring lookbook: two people in light jackets.",
    ),
    ("med_pack", "Trail pack on a rock", "image", "A grey trail pack on a rock above a lake."),
    ("med_jacket", "Softshell jacket", "image", "A softshell jacket on a hanger, front and back."),
    ("med_scrubs", "Scrubs in teal", "image", "Three scrub tops in teal, folded."),
    ("med_vest", "Vests in the rain", "image", "Two workers in bright vests beside a lorry."),
    ("med_shop", "Workshop at dawn", "image", "The workshop before sunrise, one lamp lit."),
    ("med_team", "Team at the table", "image", "Nine people around a long table with coffee."),
    ("med_lobby", "Hotel lobby staff", "image", ""),
    ("med_stitch", "One stitch, slowly", "video", "A needle goes through canvas in slow motion."),
    ("med_wash", "How to wash canvas", "video", "Hands put an apron into a machine at 40 degrees."),
    ("med_pick", "A morning in the warehouse", "video", ""),
)
SAVED_REPLIES = (
    ("svr_thanks", "Thank you", "Thank you, {{name}}! We have passed it on to the workshop."),
    ("svr_sizes", "Half sizes", "Hello {{name}}, our jackets come in half sizes from 34 to 54."),
    ("svr_cutoff", "Cut-off time", "Hello {{name}}, orders before 15:00 UTC leave on the same day."),
    (
        "svr_outage",
        "Wrong stock numbers",
        "Hello {{name}}, all stock numbers are right again since 26 February, 15:45 UTC.",
    ),
    (
        "svr_direct",
        "Please write to us directly",
        "I am sorry, {{name}}. Please send us your order number in a direct message.",
    ),
    (
        "svr_jobs",
        "Open positions",
        "Hello {{name}}, all open positions stand on our page; Ruth answers questions about them.",
    ),
)
