"""Channels of the initial workspace, and what people say in them before the story starts.

A line is ``(day, "hh:mm", who, text)``: days count from the start's date; ``>`` before the speaker makes it a
reply to the last line without one.
"""

from __future__ import annotations

from pathlib import Path

Line = tuple[int, str, str, str]

ALL = "*"
"""Every colleague."""

CHANNELS: tuple[tuple[str, str, str, str, str, str], ...] = (
    # id, name, kind, topic, purpose, managers first then members
    (
        "chn_general",
        "general",
        "public",
        "Spring stock arrives from 9 March",
        "News and talk for everybody",
        ALL,
    ),
    ("chn_announcements", "announcements", "public", "", "Notices from management; reply in threads", ALL),
    (
        "chn_ops",
        "ops",
        "public",
        "Carrier cut-off is 15:00 UTC",
        "Warehouse, carriers and daily operations",
        "mara hana luis elena kenji",
    ),
    (
        "chn_support",
        "support-desk",
        "public",
        "Gold customers first",
        "Customer cases that need more heads",
        "hana luis amara mara nils",
    ),
    (
        "chn_sales",
        "sales",
        "public",
        "Q1 closes on 31 March",
        "Deals, quotes and customer visits",
        "tobias priya jonah mara oscar",
    ),
    (
        "chn_engineering",
        "engineering",
        "public",
        "Release train on Thursdays",
        "Storefront and integrations",
        "nils sofia kenji",
    ),
    (
        "chn_incidents",
        "incidents",
        "public",
        "No open incident",
        "One thread for each incident",
        "kenji nils sofia mara hana",
    ),
    (
        "chn_marketing",
        "marketing",
        "public",
        "Spring lookbook",
        "Campaigns, catalogues and photo shoots",
        "oscar priya tobias",
    ),
    (
        "chn_lunch",
        "lunch",
        "public",
        "Thursday is soup day",
        "Where to eat",
        "amara luis sofia ruth dario jonah",
    ),
    (
        "chn_finance",
        "finance-internal",
        "private",
        "Month end: 5 March",
        "Receivables and closing",
        "elena dario mara",
    ),
    (
        "chn_offsite",
        "offsite-april",
        "private",
        "16 April, venue to be decided",
        "Planning of the team offsite",
        "mara ruth tobias hana nils",
    ),
    ("chn_people", "people-private", "private", "", "Confidential personnel matters", "ruth nils tobias"),
    (
        "chn_kestrel",
        "ext-kestrel",
        "private",
        "Shared with Kestrel Analytics",
        "Work with Kestrel on data feeds",
        "kenji mara priya aoife",
    ),
    (
        "chn_holiday",
        "holiday-2025",
        "public",
        "Thanks, all!",
        "Planning of the 2025 holiday season",
        "oscar mara tobias hana",
    ),
    ("chn_dm_elena", "", "direct", "", "", "mara elena"),
    ("chn_dm_tobias", "", "direct", "", "", "mara tobias"),
    ("chn_dm_hana_luis", "", "direct", "", "", "mara hana luis"),
    ("chn_dm_priya_jonah", "", "direct", "", "", "priya jonah"),
)


def talk() -> dict[str, list[Line]]:
    """Lines by channel, as they stand in ``seed_talk.txt``."""
    found: dict[str, list[Line]] = {}
    channel = ""
    for line in Path(__file__).with_name("seed_talk.txt").read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith("# "):
            channel = line[2:]
            found[channel] = []
        elif line:
            stamp, text = line.split(": ", 1)
            day, clock, who = stamp.split()
            found[channel].append((int(day), clock, who, text))
    return found


EMOJI = ("thumbsup", "eyes", "white_check_mark", "tada", "heart", "raised_hands")
