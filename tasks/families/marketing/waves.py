"""Mailings in waves: a draft goes out at its wave's local time, and a post goes with it."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.places import campaigns, social
from tasks.places.rules import leave_noise, leave_rules

OSCAR, TOBIAS, RUTH = COLLEAGUES[13], COLLEAGUES[1], COLLEAGUES[12]
CITIES = {
    "Lisbon": "Europe/Lisbon",
    "Tokyo": "Asia/Tokyo",
    "Seattle": "America/Los_Angeles",
    "Stockholm": "Europe/Stockholm",
}
LINES = ("first-frost", "harvest", "night-shift", "apprentice", "open-sea", "back-to-school", "festival", "allotment")
POSTED = "The post with the mailing's headline is handed in for the mailing's time."


@family(
    "mailing-by-wave",
    area="marketing",
    roles={
        "brief": OFFICE_NOTES,
        "plan": OFFICE_NOTES,
        "mailing": ("campaigns",),
        "wave": OFFICE_NOTES,
        "desk": ("social",),
        "picture": OFFICE_NOTES,
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "brief mailing wave mailing desk log report",
        "brief plan mailing wave mailing desk picture log report",
    ),
    filed="log",
)
def mailing_by_wave(d: Draft) -> None:
    """A drafted mailing may go out. The brief gives its tag, its name the wave, the wave a day and an hour in some
    city. The mailing is scheduled for that instant and a post with the same headline is handed in for it. Hard: drafts
    that differ in tag and wave, an hour in another time zone (summer time included), waves that were moved, a post
    that is known by its headline alone, a time that the mailing does not have before.
    """
    size = 1 + d.dials.alike
    line = d.rng.choice(LINES)
    tags, waves, plans, pictures = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("ml", "WV", "SP", "PX"))
    heads = [f"Meet the {d.draw.product()}" for _ in range(size)]
    tag, wave = d.fact("tag", tags[0], tags[1]), d.fact("wave", waves[0], waves[1])
    city = d.rng.choice(tuple(CITIES))
    first = d.draw.day(12, 44)
    day = d.fact("day", first, first + timedelta(days=1))
    hour = d.fact("hour", *(f"{number:02d}:30" for number in d.rng.sample(range(8, 18), 2)))
    head = d.fact("headline", heads[0], heads[1])
    plan = d.fact("plan", plans[0], plans[1]) if d.pattern else plans[0]
    picture = d.fact("picture", pictures[0], pictures[1]) if d.pattern else pictures[0]
    ends = d.draw.day(60, 90)
    until = d.fact("until", ends, ends + timedelta(days=7)) if d.pattern else ends

    for place, code in enumerate(tags):
        used = wave if place == 0 else waves[place]
        campaigns.campaign(
            d,
            f"{line.capitalize()} line, wave {used}",
            d.rng.choice(("aud_news", "aud_trade")),
            template=d.rng.choice(campaigns.TEMPLATES),
            subject=head if place == 0 else heads[place],
            tags=(code,),
            days_ago=3 + d.turn(place),
        )
        social.post(
            d,
            f"{heads[place]}. Made for people who are out in all weathers. #larkspur",
            channel=d.rng.choice(("chn_work", "chn_notes")),
            author=d.rng.choice(social.AUTHORS),
            note=f"Picture {picture if place == 0 else pictures[place]} comes with it." if d.pattern else "",
            days_ago=2 + d.turn(place),
        )
    told = plan if d.pattern else tag
    d.note("brief").leave(
        d,
        title=f"{line.capitalize()} line: go",
        text=d.rng.choice(
            (
                f"The {line} mailings are written. {told} is the one that may go, legal has read it. The others wait "
                f"for pictures.",
                f"About the {line} line: Elena released the budget for {told} and for that alone.",
                f"For the {line} line we start with {told}. Please nobody touch the remaining drafts, they still "
                "change.",
            )
        ),
        by=OSCAR,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("plan"),
            title="Plan {word}",
            by=OSCAR,
            wordings=(
                "{word} is the mailing tagged {tag}, and a post.",
                "Under {word} we run the mailing with the tag {tag}.",
            ),
            rules={code: {"tag": tag if place == 0 else tags[place]} for place, code in enumerate(plans)},
            older={"tag": tags[2]},
            of=plans[0],
        )
        leave_rules(
            d,
            d.note("picture"),
            title="Rights to {word}",
            by=RUTH,
            wordings=("We may show {word} until {day}.", "The photographer of {word} gave us the rights until {day}."),
            rules={
                code: {"day": until if place == 0 else d.on(d.beside.randint(42, 64))}
                for place, code in enumerate(pictures)
            },
            older={"day": d.on(9)},
            of=pictures[0],
        )
    leave_rules(
        d,
        d.note("wave"),
        title="Wave {word}",
        by=TOBIAS,
        wordings=(
            f"Wave {{word}} lands on {{day}} at {{hour}}, {city} time, when our buyers there open their mail.",
            f"For {{word}} we agreed on {{day}}, {{hour}} in {city}. The clocks may change before, that is fine.",
        ),
        rules={
            code: {
                "day": day if place == 0 else d.on(d.beside.randint(8, 40)),
                "hour": hour if place == 0 else f"{d.beside.randint(8, 17):02d}:30",
            }
            for place, code in enumerate(waves)
        },
        older={"day": d.on(8), "hour": "06:15"},
        of=waves[0],
    )
    leave_noise(d, d.note("wave"), TOBIAS)

    word: Template = d.note("brief").find(d, line).part(r"((?:ml|SP)-\d+)")
    if d.pattern:
        word = d.note("plan").find(d, word).part(r"(ml-\d+)")
    drafts = d.call("campaigns", "list_campaigns", tag=word, status="draft")
    draft = d.call("campaigns", "get_campaign", campaign_id=drafts.at("data.items.0.id"))
    d.call("campaigns", "list_campaigns", status="scheduled")
    rule = d.note("wave").find(d, draft.part("data.name", r"(WV-\d+)"))
    local = text("{day}T{hour}", day=rule.part(r"(\d{4}-\d\d-\d\d)"), hour=rule.part(r"(\d\d:\d\d)"))
    d.act(
        "The mailing is scheduled for its wave's time.",
        "campaigns",
        "set_campaign_status",
        campaign_id=draft.at("data.id"),
        status="scheduled",
        scheduled_at=calc("utc(local, zone)", local=local, zone=CITIES[city]),
    )
    planned = d.call("campaigns", "get_campaign", campaign_id=draft.at("data.id"))
    waiting = d.call("campaigns", "list_campaigns", status="scheduled").at("data.total")
    posts = d.call("social", "list_posts", query=planned.at("data.subject"), status="draft")
    post = d.call("social", "get_post", post_id=posts.at("data.items.0.id"))
    d.act(POSTED, "social", "update_post", post_id=post.at("data.id"), scheduled_at=planned.at("data.scheduled_at"))
    sent = d.act(POSTED, "social", "submit_post", post_id=post.at("data.id"))
    day_of: Template = rule.part(r"(\d{4}-\d\d-\d\d)")
    if d.pattern:
        day_of = d.note("picture").find(d, post.part("data.review_note", r"(PX-\d+)")).part(r"until (\d{4}-\d\d-\d\d)")
    goal = "It is entered which post it is" + (
        ", for the day on which it has to go." if d.pattern else ", for the day."
    )
    task = d.entry("log").add(
        d,
        goal,
        title=text("Take the post down") if d.pattern else text("Look at the post"),
        words=text("{post} on {channel}", post=sent.at("data.id"), channel=sent.at("data.channel_name")),
        day=day_of,
    )
    d.message("report").send(
        d,
        "Oscar knows the mailing, how many it reaches, and what was entered.",
        OSCAR,
        text(
            "{name} is scheduled and reaches {many}. The post is in {task}.",
            name=planned.at("data.name"),
            many=planned.at("data.expected_recipients"),
            task=task,
        ),
        about="A wave is scheduled",
    )
    d.answer(
        "{name} goes out at {at}; {waiting} mailings are scheduled now.",
        name=planned.at("data.name"),
        at=planned.at("data.scheduled_at"),
        waiting=waiting,
    )
    _instruct(d, line, city)


def _instruct(d: Draft, line: str, city: str) -> None:
    d.title(f"Schedule the {line} mailing that may go out")
    d.say(
        f"One of our drafted {line} mailings has been released; it says {d.note('brief').where(d)} which one. "
        "Please schedule it.",
        f"Oscar gave the go-ahead for a mailing about the {line} line; he wrote {d.note('brief').where(d)} which "
        "one. I would like to see it scheduled before lunch.",
    )
    if d.pattern:
        d.say(
            f"Oscar thinks in plans. What belongs to which plan is noted {d.note('plan').where(d)}.",
            f"Our plans, with the tags of their mailings, are {d.note('plan').where(d)}.",
        )
    d.say(
        f"It goes out at the time of its wave, and waves are kept {d.note('wave').where(d)}. Mind that the time "
        f"there is local ({city} this time){d.stale(' and may have been moved')}.",
        f"When its wave goes out is noted {d.note('wave').where(d)}, by the clocks of "
        f"{city}.{d.stale(' Trust the latest word only.')}",
    )
    d.say(
        "There is a drafted post with the same headline. Hand it in for review, for the very same moment.",
        "A draft on social opens with the mailing's subject; it should be up for review with exactly the same time.",
    )
    d.paragraph()
    if d.pattern:
        d.say(
            "The post comes with a picture that we may not show for ever. The draft's review note says which picture; "
            f"the rights are {d.note('picture').where(d)}. Make {d.entry('log').what(d)} for the day they end, naming "
            f"the post by its id and channel, so that it is taken down.",
            f"Look up until when we may show the post's picture (named in its review note; rights are "
            f"{d.note('picture').where(d)}) and put {d.entry('log').what(d)} on that day with the post's id and "
            "channel.",
        )
    else:
        d.say(
            f"Make {d.entry('log').what(d)} for that day, so that somebody looks at the post: with its id and its "
            "channel.",
            f"I want {d.entry('log').what(d)} on the day itself that names the post's id and channel.",
        )
    d.say(
        f"Then {d.message('report').how(d, 'Oscar')}: the mailing's name, how many people it will reach, and "
        f"{d.entry('log').reference(d)}.",
    )
    d.say(
        "Tell me the mailing's name, the time in UTC, and how many mailings are scheduled altogether then.",
        "Let me know its name, when it goes out in UTC, and how many mailings are scheduled by then, this one too.",
    )
