"""A lorry was unloaded: what came is received, samples are taken as the article asks, a shortfall is worth money."""

from __future__ import annotations

from decimal import Decimal

from tasks.authoring import Draft, calc, family, text
from tasks.families.roles import DESK_ENTRIES, DESK_NOTES, TEAM, called, leave_each, sentence, strangers
from tasks.places import MESSAGES, inventory
from tasks.places.rules import leave_noise

RECEIVED = "What came is received on its purchase order, and nothing more than that."
SAMPLES = "The samples are taken out of West Hall with the number of the entry as reference."


@family(
    "short-delivery",
    area="operations",
    roles={
        "driver": DESK_NOTES,
        "slip": DESK_NOTES,
        "stock": ("inventory",),
        "lab": DESK_NOTES,
        "contract": DESK_NOTES,
        "log": DESK_ENTRIES,
        "register": DESK_ENTRIES,
        "report": MESSAGES,
    },
    patterns=(
        "driver slip stock lab log stock report",
        "driver slip stock lab log stock contract register report",
    ),
)
def short_delivery(d: Draft) -> None:
    """A haulier's driver left a slip; the slip says for which order how many pieces came. The article of the order is
    sampled by a rule of its own, and the samples are booked out under the number of the entry that says so. What is
    missing afterwards is worth a share of its cost by the contract that the order names.

    Hard: slips and orders alike, articles that differ in two digits, a pair of units (ordered, came, missing), older
    rules, on-hand figures that two bookings change.
    """
    asker, lab = d.rng.sample(TEAM, 2)
    long, size = d.pattern == 1, max(3, d.dials.alike) + 1
    haulier = d.draw.company()
    hauliers = [haulier, *(d.draw.near(haulier) for _ in range(size - 1))]
    slips, contracts, trials = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("DS", "FC", "LT"))
    orders = [f"PO-{number}" for number in d.rng.sample(range(2110, 2190), size)]
    skus, supplier = inventory.skus(d, size), strangers(d, 1, haulier)[0]
    least = d.draw.count(100, 170)
    ordered = [least + more for more in d.rng.sample(range(20), size)]
    came = [number - d.rng.randint(21, 44) for number in ordered]  # fewer than were ordered, of whichever order it is
    samples = [d.draw.count(3, 19) for _ in range(size)]
    percents = d.rng.sample(range(20, 96, 4), size)  # of costs in quarters, so that nothing has to be rounded
    slip = d.fact("slip", slips[0], slips[1])
    order = d.fact("order", orders[0], orders[1])
    arrived = d.fact("arrived", came[0], came[0] - 4)
    article = d.fact("article", 0, 1)
    taken = d.fact("samples", samples[0], samples[0] + 2)
    trial = d.fact("test-plan", trials[0], trials[1])
    contract = d.fact("contract", contracts[0], contracts[1]) if long else contracts[0]
    percent = d.fact("percent", percents[0], percents[0] + 4) if long else percents[0]
    product = d.draw.product().capitalize()
    colours = d.rng.sample(("black", "navy", "olive", "sand", "rust", "grey", "white", "moss", "plum"), size)
    costs = [Decimal(d.rng.randint(24, 96)) / 4 for _ in range(size)]
    products = [
        inventory.product(
            d,
            skus[n],
            f"{product}, {colours[n]}",
            supplier,
            levels={inventory.WEST: d.draw.count(20, 75)},
            cost=costs[n],
        )
        for n in range(size)
    ]
    for n in range(size):
        which = article if n == 0 else n
        inventory.purchase_order(
            d,
            orders[n],
            supplier,
            [(products[which], ordered[n], costs[which])],
            expected=d.on(-d.turn(n) % 4),
            days_ago=8 + d.turn(n),
            note=f"Contract {contract if n == 0 else contracts[n]}.",
        )
    leave_each(
        d,
        "driver",
        title="{word} at the ramp",
        by=asker,
        wordings=(
            "{word} were here while you were out. The paper that the driver left is number {slip}.",
            "Unloaded {word}; I signed {slip} and have counted everything against it.",
            "The lorry of {word} is empty. Everything that was in it stands on slip {slip}.",
        ),
        words=hauliers,
        values={"slip": [slip, *slips[1:]]},
        older={"slip": d.draw.code("DS")},
    )
    leave_each(
        d,
        "slip",
        title="Slip {word}",
        by=asker,
        wordings=(
            "{word} belongs to our order {order}. Counted twice: {came} pieces, all whole.",
            "On {word} they write {order}. I make it {came} pieces, and the cartons are dry.",
            "Slip {word}, for {order}: {came} pieces came off the lorry and are good.",
        ),
        words=slips,
        values={"order": [order, *orders[1:]], "came": [arrived, *came[1:]]},
        older={"order": orders[2], "came": f"{came[2]}"},
    )
    leave_each(
        d,
        "lab",
        title="Samples of {word}",
        by=lab,
        wordings=(
            "Of every delivery of {word} the lab in Leeds gets {samples} pieces, under test plan {trial}.",
            "{word}: {samples} pieces go to the lab each time some come in; what is done with them is test plan "
            "{trial}.",
        ),
        words=skus,
        values={"samples": [taken, *samples[1:]], "trial": [trial, *trials[1:]]},
        older={"samples": f"{samples[0] + 1}", "trial": d.draw.code("LT")},
    )
    leave_noise(d, d.note("slip"), asker)

    driver = d.note("driver").find(d, haulier)
    paper = d.note("slip").find(d, driver.part(r"(DS-\d+)"))
    listed = d.call("inventory", "list_purchase_orders", number=paper.part(r"(PO-\d+)"))
    sku, product_id = listed.at("data.items.0.lines.0.sku"), listed.at("data.items.0.lines.0.product_id")
    before = inventory.by_sku(d, sku)
    rule = d.note("lab").find(d, before.at("data.items.0.sku"))
    pieces = rule.part(r"(\d+) pieces", number=True)
    record = d.entry("log").add(
        d,
        "An entry says how many samples go to the lab, and under which test plan.",
        title=text("Samples for the lab"),
        words=text("{pieces} pieces under {trial}.", pieces=pieces, trial=rule.part(r"(LT-\d+)")),
    )
    d.act(
        RECEIVED,
        "inventory",
        "receive_purchase_order",
        purchase_order_id=listed.at("data.items.0.id"),
        lines=[{"product_id": product_id, "quantity": paper.part(r"(\d+) pieces", number=True)}],
    )
    d.act(
        SAMPLES,
        "inventory",
        "create_adjustment",
        product_id=product_id,
        warehouse_id=listed.at("data.items.0.warehouse_id"),
        quantity=calc("0 - pieces", pieces=pieces),
        reason="sample",
        reference=record,
    )
    left = inventory.by_sku(d, sku).at("data.items.0.on_hand")
    told = {"left": left, "record": record}
    words = "{left} pieces are on hand, the samples are under {record}"
    if long:
        leave_each(
            d,
            "contract",
            title="Contract {word}",
            by=lab,
            wordings=(
                "{word}: for what is missing they credit {percent} percent of its cost.",
                "Under {word} we get {percent} percent of the cost of missing pieces back.",
            ),
            words=contracts,
            values={"percent": [percent, *percents[1:]]},
            older={"percent": f"{percents[0] - 5}"},
        )
        booked = d.call("inventory", "list_purchase_orders", number=paper.part(r"(PO-\d+)"))
        terms = d.note("contract").find(d, booked.part("data.items.0.note", r"(FC-\d+)"))
        credit = calc(
            "round((ordered - came) * cost * percent / 100, 2)",
            ordered=booked.at("data.items.0.lines.0.quantity"),
            came=booked.at("data.items.0.lines.0.received_quantity"),
            cost=before.at("data.items.0.unit_cost"),
            percent=terms.part(r"(\d+) percent", number=True),
        )
        claim = d.entry("register").add(
            d,
            "A second entry says what the supplier owes us for the missing pieces.",
            title=text("Credit on {order}", order=booked.at("data.items.0.number")),
            words=text("USD {credit} for what is missing.", credit=credit),
        )
        told = {"left": left, "credit": credit, "claim": claim}
        words = "{left} pieces are on hand, and USD {credit} are to come, see {claim}"
    goal = f"{asker.name} knows what is on hand now and where the rest is written down."
    d.message("report").send(d, goal, asker, text(words + ".", **told), about="Yesterday's lorry")
    d.answer("Done: " + words + ".", **told)

    d.title(f"What {haulier} brought")
    first, log = called(asker), d.entry("log")
    d.say(
        f"{haulier} delivered, and {first} took the driver's slip; that is noted {d.note('driver').where(d)}.",
        f"While we were in the meeting, {haulier} unloaded. {first} wrote down the number of the slip "
        f"{d.note('driver').where(d)}.",
        f"{first} dealt with the lorry from {haulier} and says {d.note('driver').where(d)} which slip it came with.",
    )
    d.say(
        f"Please book in what really came; {first} has noted the count for each slip {d.note('slip').where(d)}.",
        f"What came with each slip is recorded {d.note('slip').where(d)}; please receive exactly that on our order.",
        f"Book the delivery in as {first} counted it. The count of each slip is {d.note('slip').where(d)}.",
    )
    d.paragraph()
    d.say(
        f"The lab takes samples; how many depends on the article and is noted {d.note('lab').where(d)}. Write their "
        f"number and the test plan into {log.what(d)}, and take them out of West Hall as samples with "
        f"{log.reference(d)} as the reference.",
        f"Part of it goes to the lab: see what is agreed for this article {d.note('lab').where(d)}. Note how many, and "
        "the test plan, in "
        f"{log.what(d)}, and book them out at West Hall as samples, with {log.reference(d)} as the reference.",
        f"The rule for samples of this article is {d.note('lab').where(d)}. I need {log.what(d)} with the number of "
        f"samples and the test plan; then book them out of West Hall's stock as samples, with {log.reference(d)} as "
        "the reference.",
    )
    d.warn(
        "Of several notes about the same the newest is right.",
        "The lab changes its rules, so take the latest.",
        "Older notes about the same slip or article no longer count.",
    )
    if long:
        second = d.entry("register")
        d.say(
            f"I am sure they are short again. By the contract of that order ({d.note('contract').where(d)}) we get "
            "part of "
            f"the missing goods' cost back; put that amount and the order into {second.what(d)}.",
            f"Whatever is still missing on the order costs them something: its contract says how much, "
            f"{d.note('contract').where(d)}. Add {second.what(d)} with the order and the amount that they owe us.",
            "They owe us something for each piece that has not come. What share of its cost depends on the order's "
            f"contract ({d.note('contract').where(d)}); work it out and note the order and the amount in "
            f"{second.what(d)}.",
        )
        d.say(
            f"Then {d.message('report').how(d, first)} with the pieces on hand now, the amount, and "
            f"{second.reference(d)}. I need the same.",
            f"{sentence(d.message('report').how(d, first))} with what we have on hand of it now, what they owe us and "
            f"{second.reference(d)}, and give me the same three things.",
            f"To close it, {d.message('report').how(d, first)} with what is on hand now, the amount and "
            f"{second.reference(d)}, and tell me as well.",
        )
    else:
        d.say(
            f"Then {d.message('report').how(d, first)}: how many pieces of it we have on hand now, and "
            f"{log.reference(d)}. Tell me, too.",
            f"{sentence(d.message('report').how(d, first))} with what we now have of it on hand and with "
            f"{log.reference(d)}, and tell me as well.",
            f"{first} wants to hear from you, so {d.message('report').how(d, first)} with what is on hand now and "
            f"{log.reference(d)}. I want to know as well.",
        )
