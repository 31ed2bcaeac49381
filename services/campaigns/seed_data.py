"""What e-mail marketing starts with: audiences, templates, campaigns and how they went."""

from __future__ import annotations

from typing import Any

AUDIENCES = (
    (
        "aud_trade",
        "Trade customers",
        "Buyers and office contacts of companies that order from us. A customer in an open dispute gets no marketing: "
        "suppress the address with the reason dispute until Elena says otherwise.",
        3,
    ),
    (
        "aud_news",
        "Seasons newsletter",
        "Everybody who asked for the monthly newsletter. One issue a month, on a Wednesday. No puns about rain.",
        2,
    ),
    (
        "aud_partners",
        "Resellers and partners",
        "Price lists and feed changes for those who resell or connect to us.",
        0,
    ),
)
# name's first word in the audience, consent and what became of it
UNSUBSCRIBED = {
    ("aud_trade", "Harriet"): "Asked on 20 February to stop while INV-2029 is unpaid.",
    ("aud_news", "Angus"): "Clicked unsubscribe in the January issue.",
    ("aud_news", "Callum"): "Clicked unsubscribe in the February issue.",
}
BOUNCED = (
    ("talia.b@granitepeak.example", "Talia Brooks", "Granite Peak Outdoor", "US"),
    ("theatre@northlight.example", "", "Northlight Theatre", "NO"),
)
SHARED_BOXES = (
    ("reception.annecy@juniperlane.example", "Juniper Lane Hotels", "FR"),
    ("reception.lyon@juniperlane.example", "Juniper Lane Hotels", "FR"),
    ("buying@granitepeak.example", "Granite Peak Outdoor", "US"),
    ("cafe.south@emberoak.example", "Ember & Oak Cafes", "US"),
    ("site.office@ironbark.example", "Ironbark Builders", "AU"),
)
SUPPRESSIONS = (
    (
        "femke.visser@brightwater.example",
        "dispute",
        "INV-2041 is disputed; no offers to Femke until it is settled.",
        -3,
    ),
    ("joost.mulder@brightwater.example", "request", "Wants delivery notices only, never marketing.", -140),
    ("theatre@northlight.example", "complaint", "Marked the autumn issue as unwanted.", -120),
)
HEAD_OFFICES = ("Procurement Manager", "Purchasing Officer", "Buyer", "Category Manager", "Bursar")
SEGMENTS: tuple[tuple[str, str, str, str, list[tuple[str, str, str]]], ...] = (
    ("seg_hotels", "aud_trade", "Hotels and cafes", "any", [("tag", "is", "hospitality")]),
    ("seg_buyers", "aud_trade", "Buyers", "all", [("tag", "is", "buyer")]),
    (
        "seg_clinics",
        "aud_trade",
        "Clinics and schools",
        "any",
        [("company", "is", "Halcyon Clinics"), ("company", "is", "Fernhill Schools Trust")],
    ),
    (
        "seg_europe",
        "aud_news",
        "Readers in France and Ireland",
        "any",
        [("country", "is", "FR"), ("country", "is", "IE")],
    ),
    ("seg_readers", "aud_news", "Opened the February issue", "all", [("opened", "is", "cmp_0005")]),
    (
        "seg_new",
        "aud_news",
        "Joined this year, not from an event",
        "all",
        [("joined_on", "after", "2025-12-31"), ("source", "is_not", "event")],
    ),
)
TEMPLATES = (
    (
        "tpl_issue",
        "Monthly issue",
        "What is new at Larkspur",
        "Hello {{name}},\n\nthree things from the workshop this month:\n\n1. \n2. \n3. \n\nUntil next month.",
    ),
    (
        "tpl_offer",
        "Offer with one product",
        "Made for your team",
        "Dear {{name}},\n\nwe have made something that suits {{company}}. Lead time and price are below.",
    ),
    (
        "tpl_notice",
        "Short notice",
        "A word about your deliveries",
        "Dear {{name}},\n\nplease note the following change. Our cut-off for the same day is 15:00 UTC.",
    ),
    (
        "tpl_apology",
        "Apology",
        "We are sorry",
        "Dear {{name}},\n\non 26 February our stock numbers were wrong until 15:45 UTC. Orders of that day are safe.",
    ),
    (
        "tpl_welcome",
        "Welcome",
        "Good to have you here",
        "Hello {{name}},\n\nthank you for joining. Here is what to expect.",
    ),
    (
        "tpl_care",
        "Care tips",
        "How to wash canvas",
        "Hello {{name}},\n\ncanvas likes 40 degrees and air. Care labels are explained on our pages.",
    ),
    (
        "tpl_sizes",
        "Size guide",
        "Which size fits",
        "Hello {{name}},\n\nour jackets come in half sizes from 34 to 54. The chart is one click away.",
    ),
    ("tpl_holiday", "Holiday greeting (old)", "See you in January", "Dear {{name}},\n\nwe are back on 2 January."),
)
_OSCAR, _PRIYA, _MARA = (
    "oscar.delacroix@larkspur.example",
    "priya.raman@larkspur.example",
    "mara.lindqvist@larkspur.example",
)
CAMPAIGNS: tuple[dict[str, Any], ...] = (
    {
        "name": "Holiday shipping dates",
        "audience_id": "aud_trade",
        "template_id": "tpl_holiday",
        "subject": "Last shipping day is 19 December",
        "tags": ["holiday", "service"],
        "made": -100,
        "sent": (-91, 9),
        "by": _MARA,
    },
    {
        "name": "January issue",
        "audience_id": "aud_news",
        "template_id": "tpl_issue",
        "subject": "New year, new aprons",
        "tags": ["newsletter"],
        "made": -60,
        "sent": (-54, 10),
        "by": _OSCAR,
    },
    {
        "name": "Care plan for hotels",
        "audience_id": "aud_trade",
        "segment_id": "seg_hotels",
        "template_id": "tpl_offer",
        "subject": "Uniforms, cleaned and mended by us",
        "tags": ["care-plan"],
        "made": -44,
        "sent": (-39, 8),
        "by": _PRIYA,
    },
    {
        "name": "New cut-off time",
        "audience_id": "aud_trade",
        "template_id": "tpl_notice",
        "subject": "Order until 15:00 UTC for the same day",
        "tags": ["service"],
        "made": -14,
        "sent": (-13, 14),
        "by": _MARA,
    },
    {
        "name": "February issue",
        "audience_id": "aud_news",
        "template_id": "tpl_issue",
        "subject": "The spring lookbook is at the printer",
        "subject_b": "First look: what we wear this spring",
        "tags": ["newsletter", "spring"],
        "made": -32,
        "sent": (-26, 10),
        "by": _OSCAR,
    },
    {
        "name": "March issue",
        "audience_id": "aud_news",
        "template_id": "tpl_issue",
        "subject": "Working title: March at Larkspur",
        "tags": ["newsletter", "spring"],
        "made": -6,
        "by": _OSCAR,
    },
    {
        "name": "Spring catalogue is out",
        "audience_id": "aud_trade",
        "template_id": "tpl_offer",
        "subject": "The spring catalogue is here",
        "subject_b": "48 pages for your spring",
        "share_b": 30,
        "tags": ["spring", "catalogue"],
        "made": -5,
        "status": "scheduled",
        "scheduled": (17, 10),
        "by": _OSCAR,
    },
    {
        "name": "Apology for wrong stock numbers",
        "audience_id": "aud_trade",
        "template_id": "tpl_apology",
        "subject": "Our stock numbers of 26 February",
        "tags": ["outage"],
        "made": -4,
        "status": "paused",
        "status_reason": "Hana wants to read it after the post-mortem on Tuesday.",
        "scheduled": (0, 16),
        "by": _MARA,
    },
    {
        "name": "Aprons for cafes",
        "audience_id": "aud_trade",
        "segment_id": "seg_hotels",
        "template_id": "tpl_offer",
        "subject": "Your logo on canvas, from 40 pieces",
        "tags": ["aprons"],
        "made": -3,
        "by": _PRIYA,
    },
    {
        "name": "Trail range preview",
        "audience_id": "aud_trade",
        "segment_id": "seg_buyers",
        "template_id": "tpl_offer",
        "subject": "Trail packs before everybody else",
        "tags": ["trail"],
        "made": -11,
        "status": "cancelled",
        "status_reason": "Granite Peak waits for the replacement of GP-778; not the week for an offer.",
        "by": _OSCAR,
    },
    {
        "name": "New feed version",
        "audience_id": "aud_partners",
        "template_id": "tpl_notice",
        "subject": "The stock feed changes on 18 March",
        "tags": ["feed"],
        "made": -2,
        "status": "scheduled",
        "scheduled": (9, 9),
        "by": _MARA,
    },
)
AUTOMATIONS: tuple[dict[str, Any], ...] = (
    {
        "id": "atm_welcome",
        "name": "Welcome series",
        "audience_id": "aud_news",
        "trigger": "joined",
        "steps": [("tpl_welcome", 0), ("tpl_sizes", 3), ("tpl_care", 7)],
        "status": "active",
        "since": -60,
    },
    {
        "id": "atm_buyers",
        "name": "New buyers",
        "audience_id": "aud_trade",
        "trigger": "tagged",
        "trigger_tag": "buyer",
        "steps": [("tpl_sizes", 1), ("tpl_offer", 14)],
        "status": "paused",
        "since": -150,
    },
    {
        "id": "atm_partners",
        "name": "Partner introduction",
        "audience_id": "aud_partners",
        "trigger": "joined",
        "steps": [("tpl_welcome", 0)],
        "status": "draft",
        "since": None,
    },
)
