"""A job eats the last of an article: more is ordered as the supplier wants it, and part of the shelf is held back."""

from __future__ import annotations

from decimal import Decimal
from itertools import cycle

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, called, leave_each, sentence, strangers
from tasks.places import MESSAGES, inventory
from tasks.places.rules import leave_noise

ORDERED = "The article is ordered from its supplier, no fewer pieces than the supplier takes, and the order is sent."
_MAKERS = ("Textiles", "Workwear", "Fabrics", "Outfitting", "Garments", "Knitwear", "Weavers")
_DRIVERS = ("Haulage", "Freight", "Carriers", "Transport", "Logistics", "Couriers", "Lorries")
HELD = "The pieces for the job are reserved at West Hall under the number of the new entry."


@family(
    "restock-for-a-job",
    area="operations",
    roles={
        "round": DESK_NOTES,
        "request": DESK_NOTES,
        "stock": ("inventory",),
        "terms": DESK_NOTES,
        "dock": DESK_NOTES,
        "log": DESK_ENTRIES,
        "report": MESSAGES,
    },
    patterns=(
        "request stock terms stock log stock report",
        "round request stock terms dock stock log stock report",
    ),
)
def restock(d: Draft) -> None:
    """A job empties the shelf of an article whose number a colleague has noted. The supplier of that article takes
    orders from a number of pieces on, and comes with a haulier who wants notice. The order goes out, an entry says so,
    and pieces are held back under the entry's number.

    Hard: article numbers that differ by two digits, jobs with the same first name, older terms, working days.
    """
    asker, buyer = d.rng.sample(TEAM, 2)
    size = max(3, d.dials.alike) + 1
    long = d.pattern == 1
    job = d.draw.company()
    jobs = [job, *(d.draw.near(job) for _ in range(size - 1))]
    codes = [d.draw.code("WR") for _ in range(size)]
    skus = inventory.skus(d, size)
    suppliers, hauliers = (
        [f"{name.split()[0]} {kind}" for name, kind in zip(strangers(d, size, job), cycle(kinds))]
        for kinds in (_MAKERS, _DRIVERS)
    )
    product, reorder = d.draw.product().capitalize(), d.rng.randrange(40, 80, 5)
    pieces = [d.draw.count(12, 38) for _ in range(size)]
    least = d.rng.sample((211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281), size)
    days = [d.draw.count(4, 14) for _ in range(size)]
    sku = d.fact("article", skus[0], skus[1])
    supplier = d.fact("supplier", suppliers[0], suppliers[1])
    minimum = d.fact("minimum", least[0], least[0] + 36)
    haulier = d.fact("haulier", hauliers[0], hauliers[1]) if long else hauliers[0]
    notice = d.fact("notice", days[0], days[0] + 2) if long else days[0]
    code = d.fact("round-code", codes[0], codes[1]) if long else codes[0]
    colours = d.rng.sample(("black", "navy", "olive", "sand", "rust", "grey", "white", "moss", "plum"), size)
    # Little is left of each after the job, and of each another number.
    spare, reserve = d.rng.sample(range(1, 13), size), d.rng.randint(0, 6)
    for place in range(size):
        inventory.product(
            d,
            skus[place],
            f"{product}, {colours[place]}",
            supplier if place == 0 else suppliers[place],
            levels={inventory.WEST: max(pieces) + spare[place], inventory.TANNER: reserve},
            cost=Decimal(d.rng.randint(30, 90)) / 4,
            reorder_point=120,
            reorder_quantity=reorder,
        )
    if long:
        leave_each(
            d,
            "round",
            title="Round for {word}",
            by=asker,
            wordings=(
                "I did the shelves for {word}. What is short is written down as {code}.",
                "{word}: I counted along. My list for them goes by {code}, have a look.",
                "For {word} see {code}. That is where I put everything I found on the shelves.",
            ),
            words=jobs,
            values={"code": [code, *codes[1:]]},
            older={"code": codes[2]},
        )
    leave_each(
        d,
        "request",
        title="Short for {word}",
        by=asker,
        wordings=(
            "{word}: the shelf of {sku} is as good as empty after this. Please hold {pieces} pieces at West Hall "
            "before "
            "somebody else takes them.",
            "The fitting for {word} needs {pieces} pieces of {sku}, and nothing will be left for anybody after that.",
            "For {word} we are down to the last of {sku}. They get {pieces} pieces of what we have.",
        ),
        words=codes if long else jobs,
        values={"sku": [sku, *skus[1:]], "pieces": pieces},
        older={"sku": skus[2], "pieces": "9"},
    )
    leave_each(
        d,
        "terms",
        title="Ordering from {word}",
        by=buyer,
        wordings=(
            "{word} take no order of fewer than {least} pieces of one article. {haulier} bring it.",
            "Agreed with {word}: fewer than {least} pieces of an article and the order comes back. {haulier} drive "
            "for them.",
            "Whoever orders from {word}: fewer than {least} pieces a line is not accepted. {haulier} deliver.",
        ),
        words=suppliers,
        values={"least": [minimum, *least[1:]], "haulier": [haulier, *hauliers[1:]]},
        older={"least": f"{least[0] - 40}", "haulier": hauliers[2]},
    )
    leave_noise(d, d.note("terms"), asker)

    word = d.note("round").find(d, job).part(r"(WR-\d+)") if long else job
    asked = d.note("request").find(d, word)
    before = inventory.by_sku(d, asked.part(r"([A-Z]{3}-\d{3})"))
    terms = d.note("terms").find(d, before.at("data.items.0.supplier"))
    expected = {}
    if long:
        leave_each(
            d,
            "dock",
            title="{word} at the dock",
            by=buyer,
            wordings=(
                "{word} need {days} working days from the order until they stand at our gate.",
                "With {word} count {days} working days from the order to the gate, whatever they promise.",
            ),
            words=hauliers,
            values={"days": [notice, *days[1:]]},
            older={"days": f"{days[0] + 1}"},
        )
        dock = d.note("dock").find(d, terms.part(r"\. (\w+ \w+) (?:bring|drive|deliver)"))
        wait = dock.part(r"(\d+) working days", number=True)
        expected["expected_on"] = calc("business_days(today, wait)", today=d.start.date().isoformat(), wait=wait)
    line = {
        "product_id": before.at("data.items.0.id"),
        "quantity": calc(
            "max(usual, least)",
            usual=before.at("data.items.0.reorder_quantity"),
            least=terms.part(r"fewer than (\d+)", number=True),
        ),
    }
    order = d.act(
        ORDERED,
        "inventory",
        "create_purchase_order",
        supplier=before.at("data.items.0.supplier"),
        warehouse_id=before.at("data.items.0.levels.[warehouse_name=West Hall].warehouse_id"),
        lines=[line],
        **expected,
    )
    d.act(ORDERED, "inventory", "set_purchase_order_status", purchase_order_id=order.at("data.id"), status="sent")
    coming = inventory.by_sku(d, asked.part(r"([A-Z]{3}-\d{3})"))
    record = d.entry("log").add(
        d,
        "An entry says which order is under way, and how many pieces are coming.",
        title=text(f"New goods for {job}"),
        words=text(
            "{number} is with the supplier; {count} pieces are coming.",
            number=order.at("data.number"),
            count=coming.at("data.items.0.incoming"),
        ),
    )
    d.act(
        HELD,
        "inventory",
        "create_reservation",
        product_id=before.at("data.items.0.id"),
        warehouse_id=before.at("data.items.0.levels.[warehouse_name=West Hall].warehouse_id"),
        quantity=asked.part(r"(\d+) pieces", number=True),
        order_number=record,
    )
    after = inventory.by_sku(d, asked.part(r"([A-Z]{3}-\d{3})"))
    free = after.at("data.items.0.available")
    d.message("report").send(
        d,
        f"{asker.name} knows which order is under way and how many pieces are still free.",
        asker,
        text("{number} is out. {free} pieces are still free.", number=order.at("data.number"), free=free),
        about=f"Goods for {job}",
    )
    d.answer("{number} is on its way, and {free} pieces remain free.", number=order.at("data.number"), free=free)

    d.title(f"Restock what {job} takes")
    first = called(asker)
    where = d.note("round" if long else "request").where(d)
    d.say(
        f"The {job} job eats up one of our articles, and {first} has written {where} how to find out which.",
        f"{first} was right about the shelves: after the {job} job nothing will be left of one article. Look {where}.",
        f"We are about to run out of something because of {job}. {first} noted {where} what is needed for them.",
    )
    if long:
        listed = d.note("request").where(d)
        d.say(
            f"The code you find there is that of a list, which is {listed}; it says how many pieces of what we need.",
            f"That gives you the code of a list ({listed}), and the list gives the article and the number of pieces.",
        )
    rules = d.note("terms").where(d)
    d.say(
        "Please order it again for West Hall from whoever supplies it: the usual reorder quantity or, if that is more, "
        f"the least they take (what each supplier wants is {rules}). Then send the order off.",
        "Get it ordered for West Hall and sent today: our usual quantity, unless the supplier's minimum is higher. "
        f"The suppliers' minimums are {rules}.",
        "I need an order to its supplier on its way today, delivered to West Hall. Order our usual reorder "
        f"quantity, but never fewer pieces than they accept; their terms are {rules}.",
    )
    if long:
        haulage = d.note("dock").where(d)
        d.say(
            "Give the order the day on which we can count on the goods, which is today plus the working days of the "
            f"haulier that drives for them; how many each haulier takes is {haulage}.",
            "The order needs a date: today plus the working days that this supplier's haulier needs, which we have "
            f"{haulage}.",
            "Enter when it will be here. That depends on who drives for them; you will find how many working days "
            f"each haulier needs {haulage}. Count from today.",
        )
    d.warn(
        "Where something was noted twice, go by the newest.",
        "There are older notes about some of this; the latest hold.",
        "Mind that some of this was noted before, and has changed since.",
    )
    d.paragraph()
    log = d.entry("log")
    d.say(
        f"Then add {log.what(d)} with the order's number and how many pieces of the article are now on their way in "
        f"all, and hold the pieces for the job at West Hall with {log.reference(d)} as the order number.",
        f"After that make {log.what(d)} which says the order's number and how many pieces of the article are coming "
        f"in all. Then reserve the job's pieces at West Hall, with {log.reference(d)} as their order number.",
        f"Add {log.what(d)} with the order's number and how many pieces of the article are under way in all. Then "
        f"reserve the job's pieces at West Hall with {log.reference(d)} as the order number.",
    )
    d.say(
        f"{sentence(d.message('report').how(d, first))} with the order's number and how many pieces of the article "
        "are free now over all warehouses. Tell me the same.",
        f"When all of that is done, {d.message('report').how(d, first)}: the number of the order, and what is still "
        "free of the article everywhere together. I would like to know both, too.",
        f"{first} is waiting, so {d.message('report').how(d, first)}: which order it is, and how many pieces nobody "
        "has claimed yet, across all warehouses. I want to hear that as well.",
    )
