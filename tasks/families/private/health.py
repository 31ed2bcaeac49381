"""Health: a friend's repeat prescription."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.private import KEPT, TOLD, WORD_LEFT
from tasks.families.roles import brands, called
from tasks.places import clinic
from tasks.places.rules import leave_noise, leave_rules

DARIO, HANA, AMARA, RUTH = COLLEAGUES[5], COLLEAGUES[6], COLLEAGUES[8], COLLEAGUES[12]

ORDERED = "The medicine of the letter is ordered again, at the place that takes repeats now."


@family(
    "repeat-prescription",
    area="private life",
    roles={
        "ask": WORD_LEFT,
        "letter": WORD_LEFT,
        "practice": ("clinic",),
        "rule": WORD_LEFT,
        "counter": WORD_LEFT,
        "errand": KEPT,
        "diary": KEPT,
        "tell": TOLD,
    },
    patterns=(
        "ask letter practice rule practice diary tell",
        "ask letter practice rule counter practice errand diary tell",
    ),
    filed="diary",
)
def repeat_prescription(d: Draft) -> None:
    """A friend who is away needs a repeat; which medicine stands in a doctor's letter, filed under a code. The
    chemist on the prescription may not take repeats any more, and another one does instead. Hard: strengths of the
    same medicine, a prescription that has ended, chemists whose rule was changed; the day of the next repeat is new
    after the order.
    """
    friend = d.rng.choice([HANA, AMARA, DARIO])
    many, long = d.dials.alike + 1, d.pattern == 1
    medicine = d.rng.choice(clinic.MEDICINES)
    medicines = [f"{medicine} {strength} mg" for strength in d.rng.sample(range(10, 95, 5), many)]
    files = [d.draw.code("DL") for _ in medicines]
    supplies = d.rng.sample((28, 30, 35, 42, 49, 56, 60, 70, 84), many)
    pharmacies = [f"{name} Pharmacy" for name in brands(d, many)]
    takers = [f"{name} Chemist" for name in brands(d, many)]
    counters = [f"{taker}, {d.rng.randint(2, 90)} {d.draw.company().split()[0]} Lane" for taker in takers]
    filed, wanted = d.fact("letter", files[0], files[1]), d.fact("medicine", medicines[0], medicines[1])
    pharmacy, taker = d.fact("pharmacy", pharmacies[0], pharmacies[2]), d.fact("taker", takers[0], takers[1])
    address = d.fact("counter", counters[0], f"{takers[0]}, 104 Cable Street") if long else counters[0]

    d.note("ask").leave(
        d,
        title="My repeat prescription",
        text=d.rng.choice(
            (
                f"I am away all week and my repeat prescription is due. Letter {filed} from the "
                "surgery says which of "
                "my tablets it is this time.",
                f"Could you see to my repeat prescription for me? It is the one in letter {filed}. They have changed "
                "the dose so often that I no longer trust my memory.",
                f"My repeat prescription cannot wait until I am back. The surgery put the dose in {filed}, please go "
                "by that.",
            )
        ),
        by=friend,
        days_ago=1,
    )
    for place, (code, dose) in enumerate(zip(files, medicines, strict=True)):
        said = d.rng.choice(
            (
                "{code}: please continue {dose} once a day and order it again when it runs low.",
                "Letter {code} of Grange Road Surgery: it is {dose} from now on. Repeat as usual.",
            )
        )
        words = said.format(code=code, dose=wanted if place == 0 else dose)
        d.note("letter").leave(d, title=f"Doctor's letter {code}", text=words, by=friend, days_ago=12 + d.turn(place))
        supply = supplies[place]
        clinic.prescription(
            d,
            clinic.patient(friend),
            dose,
            pharmacy if place == 0 else pharmacies[place],
            refills=d.rng.randint(2, 5),
            supply=supply,
            last=supply - d.rng.randint(0, 4),
        )
    for _ in range(d.dials.stale):
        clinic.prescription(d, clinic.patient(friend), medicines[0], pharmacies[3], last=90, ended=True)
    leave_rules(
        d,
        d.note("rule"),
        title="Repeats at {word}",
        by=RUTH,
        wordings=(
            "{word} takes no repeat prescriptions any more; take them to {taker}.",
            "Careful with {word}: no repeats there until further notice, so everybody goes to {taker}.",
        ),
        rules={one: {"taker": taker if place == 0 else takers[place]} for place, one in enumerate(pharmacies)},
        older={"taker": takers[-1]},
        of=pharmacies[0],
    )
    if long:
        leave_rules(
            d,
            d.note("counter"),
            title="Counter of {word}",
            by=RUTH,
            wordings=(
                "{word} hands out repeats at one counter only: {counter}. They want it named on the order.",
                "Where {word} hands out repeats: {counter}. Write exactly that on the order.",
            ),
            rules={one: {"counter": address if place == 0 else counters[place]} for place, one in enumerate(takers)},
            older={"counter": f"{takers[0]}, 7 Old Ferry Lane"},
            of=takers[0],
        )
    leave_noise(d, d.note("ask"), RUTH)

    asked = d.note("ask").find(d, "repeat prescription")
    dose = d.note("letter").find(d, asked.part(r"(DL-\d+)")).part(r"(\w+ \d+ mg)")
    found = d.call("clinic", "list_prescriptions", query=dose, status="active")
    taken = d.note("rule").find(d, found.at("data.items.0.pharmacy"))
    place_ = taken.part(r" to (\w+ Chemist)")
    if long:
        place_ = d.note("counter").find(d, place_).part(r": (\w+ Chemist, \d+ \w+ \w+)\.")
    d.act(ORDERED, "clinic", "refill_prescription", prescription_id=found.at("data.items.0.id"), pharmacy=place_)
    ordered = d.call("clinic", "list_prescriptions", query=dose, status="active")
    what, where, next_day = (ordered.at(f"data.items.0.{x}") for x in ("medicine", "pharmacy", "next_refill_on"))
    remark = text("Ask for {what} again, at {where}.", what=what, where=where)
    if long:
        errand = d.entry("errand").add(
            d,
            "Fetching the packet is written down for tomorrow, with the medicine and its strength, the"
            " counter and the day of the next repeat.",
            title=text(f"Fetch the packet for {friend.name}"),
            words=text("{what} lies at {where}. The next from {day}.", what=what, where=where, day=next_day),
            day=d.on(1),
        )
        remark = text("Ask for {what} again. The packet before it: {errand}.", what=what, errand=errand)
    kept = d.entry("diary").add(
        d,
        "There is a reminder for the day from which the next repeat can be ordered, with the medicine and its "
        "strength.",
        title=text(f"Repeat for {friend.name}"),
        words=remark,
        day=next_day,
    )
    d.message("tell").send(
        d,
        f"{friend.name} knows which medicine in which strength waits where, from when the next repeat "
        "can be ordered, and what the reminder's id "
        "is.",
        friend,
        text(
            "Your {what} is ready at {where}. You can order again from {day}; my reminder is {kept}.",
            what=what,
            where=where,
            day=next_day,
            kept=kept,
        ),
        about="Your repeat",
    )
    d.answer("{what} is at {where}, the next from {day}.", what=what, where=where, day=next_day)
    _say(d, called(friend), long)


def _say(d: Draft, first: str, long: bool) -> None:
    ask, letters, rule = (d.note(role).where(d) for role in ("ask", "letter", "rule"))
    d.title(f"A repeat prescription for {first}")
    d.say(
        f"{first} is away and has asked me to see to a repeat prescription; the request is {ask}.",
        f"I promised {first} to take care of a repeat prescription while I still have a minute. The request is {ask}.",
        f"Please do the repeat prescription for {first}: you will find what {first} wants {ask}.",
    )
    d.say(
        f"The surgery's letters are kept {letters}; order what that one letter names and nothing else.",
        f"Go by the letter of the surgery, not by guesswork. All of those are {letters}.",
        f"Take the medicine from the letter alone; the letters from the surgery are {letters}.",
    )
    d.say(
        "Some chemists no longer do repeats, and I fear the one on the prescription is among them. Ruth has put "
        f"down {rule} who does them instead; her latest word counts.",
        f"Before you order, read what Ruth says {rule} about the chemist on the prescription: several have stopped "
        "doing repeats, and the order must go to whoever does them "
        f"now.{d.stale(' She corrects herself now and then, so take her last word.')}",
        "Mind that the chemist on file may not do repeats any longer. Ruth knows who does and writes it down "
        f"{rule}{d.stale('; the later of two notes holds')}.",
    )
    if long:
        counter = d.note("counter").where(d)
        d.say(
            f"The order must name their counter in full; you can read it {counter}.",
            f"They only take orders that name the counter in full; Ruth has those {counter}, too.",
        )
        d.say(
            f"Somebody has to fetch it tomorrow, so make that {d.entry('errand').what(d)}: the "
            "medicine with its strength, where it lies, "
            "and from when the next can be ordered.",
            f"Then add {d.entry('errand').what(d)} for tomorrow: fetch the packet, with the medicine, "
            "its strength and the counter in it "
            "and the day from which the next can be ordered.",
        )
    d.paragraph()
    also = f"and {d.entry('errand').reference(d)} for the packet" if long else "and the place"
    d.say(
        f"So that it does not run out again, add {d.entry('diary').what(d)} for the first day on which the next "
        f"repeat can be ordered, with the medicine, its strength {also}.",
        f"I also want {d.entry('diary').what(d)} for the first day the next one can be ordered; the "
        f"medicine with its strength {also} "
        "belong in it.",
    )
    d.say(
        f"When that is done, {d.message('tell').how(d, first)}: the medicine with its strength, where "
        "it is, from which day the "
        f"next can be ordered, and {d.entry('diary').reference(d)} for the reminder. Tell me the "
        "first three as well.",
        f"Finally {d.message('tell').how(d, first)} with the medicine and its strength, the place, "
        "the day for the next repeat and "
        f"{d.entry('diary').reference(d)} for the reminder. I want to know medicine, place and day, too.",
        f"Last of all {d.message('tell').how(d, first)} with the medicine and its strength, the "
        "place, the first day for the next "
        f"repeat, and {d.entry('diary').reference(d)} for the reminder. I need the first three, too.",
    )
