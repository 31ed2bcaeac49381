"""A recount after a doubtful figure: the sheet is posted, and what it costs decides how the shelf is watched."""

from __future__ import annotations

from decimal import Decimal

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, called, leave_each, sentence, strangers
from tasks.places import MESSAGES, inventory
from tasks.places.rules import leave_noise

POSTED = "The open count in Leeds is posted with what was counted."
TIGHTER = "The article's reorder point is raised as the rule for its supplier says, and a second count is planned."
FOUND = "What turned up later is booked into Leeds as found, with the record's id as reference."


@family(
    "doubtful-shelf",
    area="operations",
    roles={
        "walk": DESK_NOTES,
        "sheet": DESK_NOTES,
        "stock": ("inventory",),
        "watch": DESK_NOTES,
        "log": DESK_ENTRIES,
        "report": MESSAGES,
    },
    patterns=(
        "walk sheet stock watch stock log report",
        "walk sheet stock watch stock log stock report",
    ),
    filed="log",
)
def doubtful_shelf(d: Draft) -> None:
    """A colleague walked a rack in Leeds and filed a sheet: an article and how many pieces there are. The open count is
    posted with it. The watch rule of the article's supplier gives a factor by which its reorder point goes up when
    pieces are missing, and after how many working days it is counted again. Pieces that turned up later come on top.

    Hard: racks, sheets and article numbers alike, older rules, a condition (only when pieces are missing), a computed
    reorder point, stock figures that counting changes.
    """
    asker, keeper = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    racks = [
        f"{colour} rack" for colour in ("red", "blue", "green", "yellow", "orange", "violet", "brown", "silver", "pink")
    ]
    racks = d.rng.sample(racks, size)
    sheets, plans = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("CS", "WP"))
    skus, suppliers = inventory.skus(d, size), strangers(d, size, "rack")
    expected = [d.draw.count(110, 190) for _ in range(size)]
    missing = [d.draw.count(7, 40) for _ in range(size)]
    extra = [d.draw.count(2, 6) for _ in range(size)]
    percents, waits = [d.draw.count(11, 48) for _ in range(size)], [d.draw.count(3, 13) for _ in range(size)]
    point = d.rng.choice((100, 200))
    sheet = d.fact("sheet", sheets[0], sheets[1])
    article = d.fact("article", skus[0], skus[1])
    counted = d.fact("counted", expected[0] - missing[0], expected[0] - missing[0] - 3)
    supplier = d.fact("supplier", suppliers[0], suppliers[1])
    percent = d.fact("percent", percents[0], percents[0] + 20)
    plan = d.fact("watch-plan", plans[0], plans[1])
    wait = d.fact("working-days", waits[0], waits[0] + 1)
    product = d.draw.product().capitalize()
    colours = d.rng.sample(("black", "navy", "olive", "sand", "rust", "grey", "white", "moss", "plum"), size)
    held = [d.draw.count(11, 29) for _ in range(size)]
    planted = [
        inventory.product(
            d,
            skus[n],
            f"{product}, {colours[n]}",
            supplier if n == 0 else suppliers[n],
            levels={inventory.LEEDS: expected[n], inventory.WEST: d.rng.randint(5, 30)},
            held={inventory.LEEDS: held[n]},
            cost=Decimal(d.rng.randint(24, 96)) / 4,
            reorder_point=point,
        )
        for n in range(size)
    ]
    for n, each in enumerate(planted):
        inventory.reservation(
            d, each, inventory.LEEDS, held[n], d.draw.code("LO"), d.draw.company(), days_ago=4 + d.turn(n)
        )
    inventory.stock_count(
        d, "Recount in Leeds", inventory.LEEDS, [planted[0] if article == skus[0] else planted[1]], d.on(0)
    )
    leave_each(
        d,
        "walk",
        title="{word} counted",
        by=asker,
        wordings=(
            "The {word} is done. Everything I found stands on sheet {sheet}.",
            "I went through the {word}, twice. For the figures see {sheet}.",
            "{sheet} is the sheet for the {word}. I would not trust the old figures.",
        ),
        words=racks,
        values={"sheet": [sheet, *sheets[1:]]},
        older={"sheet": d.draw.code("CS")},
    )
    leave_each(
        d,
        "sheet",
        title="Sheet {word}",
        by=asker,
        wordings=(
            "{word}: {sku}, {count} pieces on the shelf. Later {extra} more turned up behind the radiator, they come "
            "on "
            "top.",
            "On {word} I have {count} pieces of {sku}. Not in it are {extra} that somebody brought back afterwards.",
            "{sku} makes {count} pieces on {word}, and {extra} more were lying in the wrong place after I had signed "
            "it.",
        ),
        words=sheets,
        values={
            "sku": [article, skus[0], *skus[2:]],
            "count": [counted, *(expected[n] - missing[n] for n in range(1, size))],
            "extra": extra,
        },
        older={"sku": skus[2], "count": expected[2], "extra": 1},
    )
    leave_each(
        d,
        "watch",
        title="Goods of {word}",
        by=keeper,
        wordings=(
            "If goods of {word} are missing at a count, their reorder point goes up by {percent} percent and they are "
            "counted again {days} working days later, as plan {plan}.",
            "{word}: whenever pieces are missing we raise the reorder point by {percent} percent. Second count after "
            "{days} "
            "working days under plan {plan}. If nothing is missing, nothing is done.",
        ),
        words=suppliers,
        values={"percent": [percent, *percents[1:]], "days": [wait, *waits[1:]], "plan": [plan, *plans[1:]]},
        older={"percent": percents[0] + 7, "days": waits[0] + 2, "plan": plans[2]},
    )
    leave_noise(d, d.note("watch"), asker)

    walk = d.note("walk").find(d, racks[0])
    paper = d.note("sheet").find(d, walk.part(r"(CS-\d+)"))
    before = inventory.by_sku(d, paper.part(r"([A-Z]{3}-\d{3})"))
    leeds = "data.items.0.levels.[warehouse_name=Leeds store]"
    warehouse, product_id = before.at(f"{leeds}.warehouse_id"), before.at("data.items.0.id")
    counts = d.call("inventory", "list_stock_counts", status="open", warehouse_id=warehouse)
    posted = d.act(
        POSTED,
        "inventory",
        "post_stock_count",
        stock_count_id=counts.at("data.items.0.id"),
        lines=[{"product_id": product_id, "counted": paper.part(r"(\d+) pieces", number=True)}],
    )
    rule = d.note("watch").find(d, before.at("data.items.0.supplier"))
    d.act(
        TIGHTER,
        "inventory",
        "update_product",
        product_id=product_id,
        reorder_point=calc(
            "round(point * (100 + percent) / 100, 0)",
            point=before.at("data.items.0.reorder_point"),
            percent=rule.part(r"(\d+) percent", number=True),
        ),
    )
    again = d.act(
        TIGHTER,
        "inventory",
        "create_stock_count",
        warehouse_id=warehouse,
        name=text("Plan {plan}", plan=rule.part(r"(WP-\d+)")),
        planned_on=calc(
            "business_days(today, wait)",
            today=d.start.date().isoformat(),
            wait=rule.part(r"(\d+) working days", number=True),
        ),
        product_ids=[product_id],
    )
    after = inventory.by_sku(d, paper.part(r"([A-Z]{3}-\d{3})"))
    record = d.entry("log").add(
        d,
        "On record are the value of the difference, the new reorder point and the day of the second count.",
        title=text("A shelf in Leeds"),
        words=text(
            "Difference USD {value}, reorder point now {point}, counted again on {day}.",
            value=posted.at("data.difference_value"),
            point=after.at("data.items.0.reorder_point"),
            day=again.at("data.planned_on"),
        ),
    )
    left = after.at(f"{leeds}.available")
    if long:
        d.act(
            FOUND,
            "inventory",
            "create_adjustment",
            product_id=product_id,
            warehouse_id=warehouse,
            quantity=paper.part(r"(?:Later|Not in it are|and) (\d+)", number=True),
            reason="found",
            reference=record,
        )
        left = inventory.by_sku(d, paper.part(r"([A-Z]{3}-\d{3})")).at(f"{leeds}.available")
    told = {"left": left, "value": posted.at("data.difference_value"), "record": record}
    d.message("report").send(
        d,
        f"{keeper.name} knows what is available in Leeds now, what the difference is worth, and the record.",
        keeper,
        text("{left} pieces are available in Leeds now, the difference was USD {value}. See {record}.", **told),
        about="The shelf in Leeds",
    )
    d.answer("{left} pieces are available in Leeds; the difference is worth USD {value}. See {record}.", **told)

    d.title(f"What was counted on the {racks[0]}")
    first, second, log = called(asker), called(keeper), d.entry("log")
    d.say(
        f"{first} has counted what lies on the {racks[0]} in Leeds and says {d.note('walk').where(d)} on which sheet "
        "it is.",
        f"The {racks[0]} in Leeds has been counted at last. {first} noted {d.note('walk').where(d)} which sheet that "
        "is.",
        f"{first} wrote down the figures for the {racks[0]} in Leeds; you will find {d.note('walk').where(d)} on "
        "which sheet.",
    )
    d.say(
        f"The sheets are {d.note('sheet').where(d)}. Please post the open count for Leeds with that figure, "
        "counting only what was on the shelf then.",
        f"Post the open count of Leeds accordingly (the sheets themselves are {d.note('sheet').where(d)}), without "
        "what "
        "turned up afterwards.",
        "There is an open count in Leeds; post it with the figure from that sheet (they are all "
        f"{d.note('sheet').where(d)}), leaving out what was found later.",
    )
    d.say(
        f"Should anything be missing, {second} has a rule for each supplier, {d.note('watch').where(d)}: carry it out, "
        "working from today, and give the second count its plan's number as a name.",
        f"If pieces are missing, do what {second}'s rule for that supplier asks for ({d.note('watch').where(d)}), "
        "counted "
        "from today; the second count has the number of the rule's plan as its name and is for that article alone.",
        f"{second} wants certain things done when goods of a supplier are missing; they are noted "
        f"{d.note('watch').where(d)}. Do them if that is the case, with today as the first day; the second count "
        "has the plan's number as its name and covers this article only.",
    )
    d.warn(
        "Rules and sheets have been replaced before, so go by the newest.",
        "Where there are two of a kind, the later one is right.",
        "An older rule for the same supplier is void.",
    )
    d.paragraph()
    d.say(
        f"Put the value of the difference, the new reorder point and the day of the second count into {log.what(d)}.",
        f"I need {log.what(d)} with three things: what the difference is worth, the new reorder point, and when it "
        "is counted again.",
        f"Make {log.what(d)} for it: value of the difference, new reorder point, day of the second count.",
    )
    if long:
        d.say(
            f"After that book what turned up later into Leeds as found, with {log.reference(d)} as the reference.",
            "The pieces that turned up after the count then go into Leeds as found; the reference is "
            f"{log.reference(d)}.",
            f"What was found only afterwards is to be added in Leeds as found, under {log.reference(d)} as reference.",
        )
    d.say(
        f"{sentence(d.message('report').how(d, second))} with what is available in Leeds after all that, the value of "
        "the "
        f"difference and {log.reference(d)}, and tell me the same.",
        f"Last, {d.message('report').how(d, second)} with what is available in Leeds now, the difference in money, "
        f"and {log.reference(d)}. I would like the same.",
        f"{second} waits for it, so {d.message('report').how(d, second)}: what Leeds has available now, what the "
        "difference "
        f"is worth, and {log.reference(d)}. I want to know all three, too.",
    )
