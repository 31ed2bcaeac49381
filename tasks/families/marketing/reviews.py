"""Reviews: which of the posts in a batch may go, and which goes back with a clause."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import sentence
from tasks.places import social
from tasks.places.rules import leave_noise, leave_rules

OSCAR, ELENA, HANA = COLLEAGUES[13], COLLEAGUES[4], COLLEAGUES[6]
SEASONS = ("harvest", "night-shift", "open-sea", "allotment", "festival", "first-frost", "fire-service", "lambing")
CLAIMS = ("waterproof", "unbreakable", "climate neutral", "the best", "free of plastic")
REJECTED = "The post with the claim is rejected, with the clause."
APPROVED = "The other posts of the batch are approved."


@family(
    "posts-of-a-batch-reviewed",
    area="marketing",
    roles={
        "request": OFFICE_NOTES,
        "batch": OFFICE_NOTES,
        "desk": ("social",),
        "rule": OFFICE_NOTES,
        "clause": OFFICE_NOTES,
        "stand-in": OFFICE_NOTES,
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request batch desk rule desk log report",
        "request batch desk rule clause desk stand-in log report",
    ),
    filed="log",
)
def posts_of_a_batch_reviewed(d: Draft) -> None:
    """Posts wait for approval; the user reviews one batch of them. A rule for the posts' campaign forbids a claim:
    whichever post makes it goes back to its author with a clause, the others are approved. Hard: batches that differ
    in a hashtag, a claim that must be read out of the posts, a rule that was looser once, posts of the batch that were
    decided already, a count of scheduled posts that the approvals make stale.
    """
    size = 1 + d.dials.alike
    season, claim = d.rng.choice(SEASONS), d.rng.choice(CLAIMS)
    batches, labels, clauses = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("BA", "LB", "CL"))
    marks = [f"ba{d.draw.count(1100, 9899)}" for _ in range(size)]
    batch, mark = d.fact("batch", batches[0], batches[1]), d.fact("hashtag", marks[0], marks[1])
    label, clause = d.fact("label", 0, 1), d.fact("clause", clauses[0], clauses[1])
    writers = d.rng.sample([name for name in social.AUTHORS if name != "oscar"], 3)
    things = [d.draw.product() for _ in range(size)]
    thing = d.fact("product", things[0], things[1])
    deputy = d.fact("deputy", *(d.draw.person().name for _ in range(2))) if d.pattern else ""
    phrases = d.rng.sample(("keeps off a shower", "made for wet days", "holds for years"), 2)
    wanted = d.fact("words", *phrases) if d.pattern else phrases[0]
    running = d.fact("scheduled", *d.rng.sample((1, 2, 3), 2))
    ids = [social.label(d, f"{d.draw.product().capitalize()}s {code}") for code in labels]
    for place, tag in enumerate(marks):
        for number in range(3):
            about = (thing if place == 0 else things[place]) if number == 1 else d.draw.product()
            boast = f"Our {about} is {claim}." if number == 1 else f"Our {about} has two more pockets."
            who = writers[(place + number) % 3]
            used = ids[label] if place == 0 else ids[place]
            at = d.ago(-20 - 3 * d.turn(place) - number, 10 + number)
            words = f"{boast} #{tag}"
            channel = ("chn_notes", "chn_work", "chn_notes")[number]
            social.post(
                d, words, channel=channel, author=who, status="needs_approval", at=at, label_id=used, minute=number
            )
        social.post(d, f"Who wore it first? #{tag}", author="oscar", status="draft", label_id=ids[place], days_ago=9)
    for number in range(3):
        tag = marks[0] if number < running else marks[2]
        at = d.ago(-60 - 2 * number, 15)
        social.post(
            d, f"Week {number + 1} of the season. #{tag}", author="priya", status="scheduled", at=at, days_ago=6
        )
    d.note("request").leave(
        d,
        title=f"{season.capitalize()} posts",
        text=d.rng.choice(
            (
                f"The {season} posts are written and wait for your yes. Batch {batch} comes first, its slots are "
                "close.",
                f"Could Mara look at the {season} posts? At least batch {batch}; the other batches have time until "
                "May.",
                f"For {season} we have several batches in review. {batch} is the urgent one, please.",
            )
        ),
        by=OSCAR,
        days_ago=1,
    )
    leave_rules(
        d,
        d.note("batch"),
        title="Batch {word}",
        by=OSCAR,
        wordings=("The posts of {word} all end with #{tag}.", "{word} can be told by the hashtag #{tag}."),
        rules={code: {"tag": mark if place == 0 else marks[place]} for place, code in enumerate(batches)},
        older={"tag": marks[2]},
        of=batches[0],
    )
    then = {"then": f"see clause {clause}" if d.pattern else f"clause {clause} in the note, please"}
    leave_rules(
        d,
        d.note("rule"),
        title="Claims in {word}",
        by=ELENA,
        wordings=(
            f"Posts of campaign {{word}} must not say that anything is {claim}. Such a post goes back; {{then}}. All "
            f"others may go.",
            f"Campaign {{word}}: whoever calls our goods {claim} gets the post back ({{then}}). The rest is fine.",
        ),
        rules={
            code: then if place == 0 else {"then": f"clause {clauses[place]} in the note, please, or see it"}
            for place, code in enumerate(labels)
        },
        older={"then": "but only on the photo channel"},
        of=labels[0],
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("clause"),
            title="Clause {word}",
            by=ELENA,
            wordings=(
                "Clause {word}: say '{words}' in its place.",
                "What we write under {word} is '{words}', no more.",
            ),
            rules={code: {"words": wanted if place == 0 else "well made"} for place, code in enumerate(clauses)},
            older={"words": "dry as a bone"},
            of=clauses[0],
        )
        for place, about in enumerate(things):
            stands = deputy if place == 0 else d.draw.person().name
            d.note("stand-in").leave(
                d,
                title=f"Texts about the {about}",
                text=f"Whatever we say about the {about} is rewritten by {stands}, who knows how it is made.",
                by=HANA,
                days_ago=6 + d.turn(place),
            )
    leave_noise(d, d.note("request"), OSCAR)

    word = d.note("request").find(d, season).part(r"(BA-\d+)")
    tag = d.note("batch").find(d, word).part(r"#(\w+)")
    waiting = d.call("social", "list_posts", hashtag=tag, status="needs_approval")
    d.call("social", "list_posts", hashtag=tag, status="scheduled")
    rule = d.note("rule").find(d, waiting.part("data.items.0.label_name", r"(LB-\d+)"))
    said: dict[str, Template] = {"clause": rule.part(r"(CL-\d+)")}
    if d.pattern:
        said["phrase"] = d.note("clause").find(d, rule.part(r"(CL-\d+)")).part(r"'(.+?)'")
    sent_back = d.act(
        REJECTED,
        "social",
        "reject_post",
        post_id=waiting.at("data.items.1.id"),
        note=text("{clause}" + (": say '{phrase}'" if d.pattern else ""), **said),
    )
    for place in (0, 2):
        d.act(APPROVED, "social", "approve_post", post_id=waiting.at(f"data.items.{place}.id"))
    now = d.call("social", "list_posts", hashtag=tag, status="scheduled")
    rewriter = sent_back.at("data.author_name")
    if d.pattern:
        about = sent_back.part("data.text", r"Our (.+?) is")
        rewriter = d.note("stand-in").find(d, about).part(r"rewritten by (\w+ \w+)")
    task = d.entry("log").add(
        d,
        "It is entered who rewrites the rejected post.",
        title=text("A post to rewrite"),
        words=text("{who}: {post}", who=rewriter, post=sent_back.at("data.id")),
    )
    d.message("report").send(
        d,
        "Oscar knows which post was rejected, how many of the batch are scheduled, and what was entered.",
        OSCAR,
        text(
            "{post} is back. {count} posts of the batch are scheduled now. See {task}.",
            post=sent_back.at("data.id"),
            count=now.at("data.total"),
            task=task,
        ),
        about="Posts reviewed",
    )
    d.answer("{who} rewrites {post}.", who=rewriter, post=sent_back.at("data.id"))
    _instruct(d, season)


def _instruct(d: Draft, season: str) -> None:
    d.title(f"Review the {season} posts that are due")
    d.say(
        f"Oscar has asked me to review the next batch of our {season} posts; he says {d.note('request').where(d)} "
        "which one. Would you do it for me?",
        f"There are {season} posts waiting for my approval. Only one batch is due, and Oscar says "
        f"{d.note('request').where(d)} which one.",
        f"I owe Oscar a review of some {season} posts. His request is {d.note('request').where(d)}.",
    )
    d.say(
        f"How to recognise a batch's posts is explained {d.note('batch').where(d)}.",
        f"{sentence(d.note('batch').where(d))} it says how to recognise the posts of a batch.",
    )
    clause = f" What a clause says is {d.note('clause').where(d)}." if d.pattern else ""
    d.say(
        f"Elena has rules about what we may claim, by the campaign that the posts are labelled with: "
        f"{d.note('rule').where(d)}.{clause}",
        f"Check them against what may be claimed in their campaign ({d.note('rule').where(d)}, the latest "
        f"word).{clause}",
    )
    wants = " and what to write in its place" if d.pattern else ""
    d.say(
        f"What offends goes back, with the clause{wants} in the note; approve the others.",
        f"Approve what is clean. Anything else is rejected with the number of the clause{wants}.",
    )
    d.say("Other batches are not for today.", "Leave the other batches alone, I want to see those myself.")
    d.paragraph()
    if d.pattern:
        d.say(
            f"Who rewrites depends on the product, as you can see {d.note('stand-in').where(d)}. Make "
            f"{d.entry('log').what(d)} with that name and the id of the rejected post.",
            f"Rewriting is done by whoever is named for the product {d.note('stand-in').where(d)}: put the name and "
            f"the post's id into {d.entry('log').what(d)}.",
        )
    else:
        d.say(
            f"Its author has to rewrite it: make {d.entry('log').what(d)} with the author's name and the post's id.",
            f"So that it is not forgotten, add {d.entry('log').what(d)} that names the author and the id of the post.",
        )
    d.say(
        f"After that {d.message('report').how(d, 'Oscar')}: the id of the post that goes back, how many posts of the "
        f"batch are scheduled now in all, and {d.entry('log').reference(d)}.",
    )
    d.say(
        "Tell me the id of the rejected post, and who rewrites it.",
        "I only need to know who has to rewrite which post.",
    )
