"""Complaints: whoever is annoyed by a post gets no more mail from us, and hears so."""

from __future__ import annotations

from dataclasses import replace

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import sentence
from tasks.places import campaigns, contacts, social
from tasks.places.rules import leave_noise, leave_rules

OSCAR, HANA, TOBIAS = COLLEAGUES[13], COLLEAGUES[6], COLLEAGUES[1]
TOPICS = ("harvest", "night-shift", "open-sea", "allotment", "festival", "apprentice", "fire-service")
STOPPED = "Both who complained are suppressed, with the reason, the clause and the account's owner."


@family(
    "complaints-under-a-post",
    area="marketing",
    roles={
        "alarm": OFFICE_NOTES,
        "desk": ("social",),
        "clause": OFFICE_NOTES,
        "lists": ("campaigns",),
        "book": ("contacts",),
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "alarm desk clause lists book lists report",
        "alarm desk clause lists book lists desk log report",
    ),
    filed="log",
)
def complaints_under_a_post(d: Draft) -> None:
    """Two people complain under a post that they are mailed although they never asked. They are suppressed for the
    reason that the post's campaign label has in the clauses, with the owner of their company's account in the remark.
    Hard: a post among similar ones, angry messages about something else and friendly ones, a reason out of a text,
    addresses that only the messages give, the number of readers left, which is stale after the work.
    """
    size = 1 + d.dials.alike
    topic = d.rng.choice(TOPICS)
    things = [d.draw.product() for _ in range(size)]
    labels, clauses = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("LB", "CL"))
    thing, label = d.fact("post", things[0], things[1]), d.fact("label", 0, 1)
    clause = d.fact("clause", clauses[0], clauses[1])
    reason = d.fact("reason", *d.rng.sample(("complaint", "legal", "request"), 2))
    firm = d.fact("company", 0, 1)
    segments = [f"{d.draw.company()} guests" for _ in range(size)]
    segment = d.fact("segment", segments[0], segments[1])
    others = d.fact("others", *d.rng.sample(range(3, 9), 2))
    readers = campaigns.audience(d, f"{topic.capitalize()} readers", description="Asked for news at a fair.")
    companies = [d.draw.company() for _ in range(4)]
    owners = d.rng.sample(("priya", "jonah", "luis", "amara", "tobias"), 4)
    for house, owner in zip(companies, owners, strict=True):
        contacts.company(d, house, owner=owner)
    ids = [social.label(d, f"{d.draw.product().capitalize()}s {code}") for code in labels]
    for place, called in enumerate(segments):
        campaigns.segment(d, readers, called, [("tag", "is", f"guest-{place}")])
    for number in range(9):
        tag = "guest-0" if number < others else "guest-x"
        campaigns.subscriber(d, readers, d.draw.person(), source="event", tags=(tag,))
    known = [d.draw.person(companies[0]) for _ in range(2)]
    name = d.fact("reader", *known) if d.pattern else known[0]
    for place, about in enumerate(things):
        mark = ids[label] if place == 0 else ids[place]
        post = social.post(
            d,
            f"The {about} has a new colour. Who guesses which? #newcolour",
            channel="chn_looks",
            status="published",
            at=d.ago(3 + d.turn(place), 16),
            label_id=mark,
            seen=d.rng.randint(900, 5000),
        )
        for number in range(2):
            who = d.draw.person(companies[place % 4])
            nick = d.draw.person()
            listed = name if place == 0 and number == 0 else who
            home = companies[firm] if place == 0 and number == 0 else companies[(place + number) % 4]
            address = f"{nick.handle}@mailbox.example"
            campaigns.subscriber(
                d, readers, replace(listed, email=address), company=home, source="event", tags=(f"guest-{place}",)
            )
            social.message(
                d,
                nick,
                f"You write to {address} every week and I never asked. Stop it!",
                channel="chn_looks",
                post_id=post,
                sentiment="negative",
                at=d.ago(1, 9 + number, d.turn(place)),
            )
        social.message(d, d.draw.person(), "Green! Please let it be green.", channel="chn_looks", post_id=post)
        mood = "negative" if place % 2 else "positive"
        social.message(
            d, d.draw.person(), "Mine ripped.", channel="chn_looks", post_id=post, sentiment=mood, status="closed"
        )
    d.note("alarm").leave(
        d,
        title=f"{topic.capitalize()} readers are angry",
        text=d.rng.choice(
            (
                f"Some of the {topic} readers blow off steam on Looks, under the post about the {thing}. They say they "
                f"never signed up. The rest of the comments there are harmless.",
                f"Look at what stands under our post on the {thing}: two from the {topic} list who want no mail. We "
                f"should have answered yesterday.",
            )
        ),
        by=HANA,
        days_ago=1,
    )
    leave_rules(
        d,
        d.note("clause"),
        title="Unwanted mail and {word}",
        by=TOBIAS,
        wordings=(
            "Campaign {word} is mailed to the segment {segment}. If somebody objects, the reason is {reason}, and "
            "clause {clause} is put in the remark.",
            "Campaign {word} goes to the segment {segment}. Objections are filed as {reason}; cite clause {clause}.",
        ),
        rules={
            code: {
                "reason": reason if place == 0 else d.beside.choice(("complaint", "legal", "request", "dispute")),
                "clause": clause if place == 0 else clauses[place],
                "segment": segment if place == 0 else segments[place],
            }
            for place, code in enumerate(labels)
        },
        older={"reason": "request", "clause": clauses[2], "segment": segments[2]},
        of=labels[0],
    )
    leave_noise(d, d.note("clause"), TOBIAS)

    seen = d.note("alarm").find(d, topic)
    posts = d.call("social", "list_posts", query=seen.part(r"(?:about|on) the (.+?)(?:\.|:)"), status="published")
    angry = d.call("social", "list_messages", post_id=posts.at("data.items.0.id"), sentiment="negative", status="new")
    rule = d.note("clause").find(d, posts.part("data.items.0.label_name", r"(LB-\d+)"))
    mails = [angry.part(f"data.items.{place}.text", r"write to (\S+@\S+)") for place in range(2)]
    named = rule.part(r"the segment (.+?)\.")
    d.call("campaigns", "list_segments", query=named)
    people = [d.call("campaigns", "list_subscribers", email=mail) for mail in mails]
    bosses = []
    for one in people:
        house = contacts.find_company(d, one.at("data.items.0.company"))
        bosses.append(d.call("contacts", "get_company", company_id=house))
    for mail, boss in zip(mails, bosses, strict=True):
        d.act(
            STOPPED,
            "campaigns",
            "suppress_address",
            email=mail,
            reason=rule.part(r"(?:reason is|filed as) (\w+)"),
            note=text("{clause}, {owner}", clause=rule.part(r"(CL-\d+)"), owner=boss.at("data.owner.name")),
        )
    left = d.call("campaigns", "list_segments", query=named).at("data.items.0.size")
    told: dict[str, Template] = {"left": left, "clause": rule.part(r"(CL-\d+)")}
    if d.pattern:
        people = [d.call("campaigns", "list_subscribers", email=mail) for mail in mails]
        answers = []
        for place, one in enumerate(people):
            answers.append(
                d.act(
                    "Both are answered by the names that our list has for them.",
                    "social",
                    "reply_to_message",
                    output=True,
                    message_id=angry.at(f"data.items.{place}.id"),
                    text=text("Sorry, {name}. You get no more mail.", name=one.at("data.items.0.name")),
                )
            )
        handles = {f"h{place}": one.at("data.message.author_handle") for place, one in enumerate(answers)}
        told["task"] = d.entry("log").add(
            d,
            "It is entered who complained.",
            title=text("Where did these addresses come from?"),
            words=text("{h0} and {h1}", **handles),
        )
    d.message("report").send(
        d,
        "Oscar knows how many of the segment may still be mailed, and the clause.",
        OSCAR,
        text("{left} of them may still be mailed; {clause}." + (" See {task}." if d.pattern else ""), **told),
        about="Complaints",
    )
    d.answer("{left} readers may still be mailed.", left=left)
    _instruct(d, topic)


def _instruct(d: Draft, topic: str) -> None:
    d.title(f"Stop mail to those of the {topic} readers who complained")
    d.say(
        f"We have annoyed people on our {topic} list. Hana writes {d.note('alarm').where(d)} where they complain.",
        f"Hana found complaints of {topic} readers on social, as she writes {d.note('alarm').where(d)}. That needs "
        "doing today.",
    )
    d.say(
        "Everybody there who says that they never asked for mail has to be suppressed under the address they give, and "
        "nobody else.",
        "Suppress the addresses of those, and only those, who object to our mail in comments that are still "
        "unanswered.",
    )
    d.say(
        "The reason to give, the clause for the remark and the segment that was mailed depend on the campaign of the "
        f"post, and are written down {d.note('clause').where(d)}.",
        f"{sentence(d.note('clause').where(d))} you will find the reason, the clause and the segment for the "
        "campaign with which the post is labelled.",
    )
    d.warn(
        "The newest wording holds.",
        "Those notes get rewritten, so go by the latest for that campaign.",
    )
    d.say(
        "Also put into the remark who looks after the company that our list has for them, by full name; Contacts "
        "knows.",
        "The remark should carry, besides the clause, the name of the colleague who owns that reader's company in "
        "Contacts. The list says which company it is.",
    )
    if d.pattern:
        d.paragraph()
        d.say(
            "Then answer each of them under the post, using the name on our list, that they will get no more mail.",
            "Answer each of them that they will get no more mail; use the name on our list, since they go by other "
            "names there.",
        )
        d.say(
            f"Make {d.entry('log').what(d)} with their two handles. I want to know how we came by those addresses.",
            f"I also want {d.entry('log').what(d)} with both handles, so that somebody finds out where we got those "
            "addresses.",
        )
    more = f", and {d.entry('log').reference(d)}" if d.pattern else ""
    d.say(
        f"Finally {d.message('report').how(d, 'Oscar')}: how many of the segment may be mailed after this, "
        f"the clause{more}.",
    )
    d.say("Give me that number as well.", "I would like the same number.")
