"""A relative was referred: the right specialist is found and the first free time taken."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.private import KEPT, TOLD, WORD_LEFT
from tasks.families.roles import brands, called, sentence
from tasks.places import clinic
from tasks.places.rules import leave_noise, leave_rules

ELENA, PRIYA, DARIO, RUTH = COLLEAGUES[4], COLLEAGUES[2], COLLEAGUES[5], COLLEAGUES[12]

BOOKED = (
    "The relative has a consultation with the pathway's specialist, at the first free time of the day, on the referral."
)

_FIRST = ("Ida", "Ada", "Ebba", "Alva", "Elsa", "Elin", "Tove", "Tyra", "Maja", "Saga", "Signe", "Stina")
_TROUBLES = ("Rash on both hands", "A mole that itches", "Dry skin since winter", "Hives after the sea")


@family(
    "seen-by-a-specialist",
    area="private life",
    roles={
        "ask": WORD_LEFT,
        "slip": WORD_LEFT,
        "practice": ("clinic",),
        "pathway": WORD_LEFT,
        "days": WORD_LEFT,
        "errand": KEPT,
        "diary": KEPT,
        "tell": TOLD,
    },
    patterns=(
        "ask slip practice pathway practice diary tell",
        "ask slip practice pathway days practice errand diary tell",
    ),
    filed="diary",
)
def seen_by_a_specialist(d: Draft) -> None:
    """A relative rang with the number of a slip. The slip names who it is for, the open referral names a pathway, the
    pathway's page the specialist and the day on which such patients are seen. Hard: relatives with short names that
    differ in a letter, referrals that were used, a pathway that was given to somebody else, times that are taken.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    friend = d.rng.choice([ELENA, PRIYA, DARIO])
    names = [f"{first} Lindqvist" for first in d.rng.sample(_FIRST, many)]
    slips, paths, plans = ([d.draw.code(prefix) for _ in names] for prefix in ("SL", "PW", "DS"))
    doctors = [f"Dr {brand}" for brand in brands(d, many)]
    days = [clinic.weekday(d.on(d.rng.randint(9, 25))) for _ in names]
    slip, name = d.fact("slip", slips[0], slips[1]), d.fact("relative", names[0], names[1])
    path, doctor = d.fact("pathway", paths[0], paths[1]), d.fact("specialist", doctors[0], doctors[2])
    day = d.fact("day", days[0], clinic.weekday(days[0] + timedelta(days=3)))
    plan = d.fact("plan", plans[0], plans[1]) if long else plans[0]

    ids = [clinic.practitioner(d, one, speciality="dermatology") for one in doctors]
    for number in range(d.rng.randint(1, 5)):
        taken = d.at(days[0], 8, 15 * number)
        other = d.rng.choice(("pat_elena_sorokina", "pat_priya_raman", "pat_ruth_abernathy"))
        clinic.appointment(d, other, ids[0], "consultation", taken)
    for place, one in enumerate(names):
        key = clinic.relative(d, one)
        trouble = d.rng.choice(_TROUBLES)
        clinic.referral(d, key, f"{trouble}. Pathway {path if place == 0 else paths[place]}.")
        for _ in range(d.dials.stale):
            clinic.referral(d, key, f"{trouble}. Pathway {paths[-1]}.", used=True)
    d.note("ask").leave(
        d,
        title="A call for you",
        text=d.rng.choice(
            (
                f"Family matters: one of yours rang your desk about the skin doctor and gave me slip {slip}. I did "
                "not get the name.",
                f"Somebody called while you were out, family matters, about slip {slip}. It is for the skin doctor, "
                "they said.",
            )
        ),
        by=friend,
        days_ago=1,
    )
    for place, (code, one) in enumerate(zip(slips, names, strict=True)):
        whom = name if place == 0 else one
        said = d.rng.choice((f"{code} is made out to {whom}.", f"Slip {code}, for {whom}. Keep it until the visit."))
        d.note("slip").leave(d, title=f"Slip {code}", text=said, by=RUTH, days_ago=7 + d.turn(place))
    when = "by day sheet {plan}" if long else "on {day}"
    leave_rules(
        d,
        d.note("pathway"),
        title="Pathway {word}",
        by=RUTH,
        wordings=(
            "{word} is with {doctor}, who sees new patients " + when + ".",
            "For {word} ask {doctor}; new patients are seen " + when + ".",
        ),
        rules={
            one: {
                "doctor": doctor if n == 0 else doctors[n],
                "day": day if n == 0 else days[n],
                "plan": plan if n == 0 else plans[n],
            }
            for n, one in enumerate(paths)
        },
        older={"doctor": doctors[-1], "day": days[-1], "plan": plans[-1]},
        of=paths[0],
    )
    if long:
        leave_rules(
            d,
            d.note("days"),
            title="Day sheet {word}",
            by=RUTH,
            wordings=("{word}: the day is {day}.", "By {word} it is {day}, in the morning if you are quick."),
            rules={one: {"day": day if n == 0 else days[n]} for n, one in enumerate(plans)},
            older={"day": days[-1]},
            of=plans[0],
        )
    leave_noise(d, d.note("ask"), RUTH)

    told = d.note("ask").find(d, "family matters")
    whom = d.note("slip").find(d, told.part(r"(SL-\d+)")).part(r"(\w+ Lindqvist)")
    found = d.call("clinic", "list_patients", query=whom, relation="family")
    key = found.at("data.items.0.id")
    d.call("clinic", "get_patient", patient_id=key)
    open_ = d.call("clinic", "list_referrals", patient_id=key, status="open")
    said_ = d.note("pathway").find(d, open_.part("data.items.0.reason", r"(PW-\d+)"))
    date = (d.note("days").find(d, said_.part(r"(DS-\d+)")) if long else said_).part(r"(\d{4}-\d\d-\d\d)")
    seen_by = d.call("clinic", "list_practitioners", query=said_.part(r"(Dr \w+)"))
    doctor_id = seen_by.at("data.items.0.id")
    free = d.call("clinic", "list_slots", practitioner_id=doctor_id, date=date, kind="consultation")
    d.act(
        BOOKED,
        "clinic",
        "create_appointment",
        patient_id=key,
        practitioner_id=doctor_id,
        kind="consultation",
        starts_at=free.at("data.items.0.starts_at"),
        referral_id=open_.at("data.items.0.id"),
    )
    after = d.call("clinic", "get_patient", patient_id=key)
    visit = d.call("clinic", "get_appointment", appointment_id=after.at("data.next_appointment_id"))
    number_, starts = after.at("data.next_appointment_id"), visit.at("data.starts_at")
    clock = visit.part("data.starts_at", r"T(\d\d:\d\d)")
    remark = text("{whom} at {clock}, appointment {number}.", whom=whom, clock=clock, number=number_)
    on = visit.part("data.starts_at", r"(\d{4}-\d\d-\d\d)")
    if long:
        errand = d.entry("errand").add(
            d,
            "Going along is a job for the day, with the appointment's id.",
            title=text("Go along to the skin doctor"),
            words=text("Appointment {number}.", number=number_),
            day=on,
        )
        remark = text("{whom} at {clock}; going along: {errand}.", whom=whom, clock=clock, errand=errand)
    kept = d.entry("diary").add(
        d, "The visit is noted on its day, with who and when.", title=text("Skin doctor"), words=remark, day=on
    )
    d.message("tell").send(
        d,
        f"{friend.name} knows whom it was about, when the visit is, and the record.",
        friend,
        text("It was {whom}, who is seen at {starts}. See {kept}.", whom=whom, starts=starts, kept=kept),
        about="The call",
    )
    d.answer("{whom} is seen at {starts}.", whom=whom, starts=starts)
    _say(d, called(friend), long)


def _say(d: Draft, friend: str, long: bool) -> None:
    ask, slip, pathway = (d.note(role).where(d) for role in ("ask", "slip", "pathway"))
    d.title("A relative is to see a specialist")
    d.say(
        f"One of my relatives rang about the skin doctor; {friend} took the call and wrote it down under family "
        f"matters {ask}.",
        f"{friend} took a call for me, family matters, and left what was said {ask}.",
        f"Please sort out the call about family matters that {friend} took for me. The message is {ask}.",
    )
    d.say(
        f"You can look up {slip} whom each slip is for; I act for all of them at the practice.",
        f"The slips are listed {slip}, and you can act for whoever it is at the practice, as I do.",
    )
    d.say(
        f"There is an open referral, and it names a pathway. Ruth has noted {pathway} who sees people on which "
        f"pathway{d.stale('; one was handed over lately, so what she wrote last is right')}.",
        f"The referral says which pathway it is. Ruth keeps {pathway} which specialist has it "
        f"now{d.stale(' - things were reshuffled, so go by her latest')}.",
        f"Look at the open referral; the pathway in it has a specialist, and Ruth has put down {pathway} who that "
        f"is at present.{d.stale(' Her newest note beats the older one.')}",
    )
    if long:
        days = d.note("days").where(d)
        d.say(
            f"The specialists' day sheets are {days}.",
            f"For the day you need the specialist's day sheet, which she has {days}.",
        )
    d.say(
        "Book a consultation on that day, at the first time that is free, and use the referral for it.",
        "I would like the earliest consultation that is free on the day they see new patients, on that referral.",
        "Take the first free consultation of that day and use up the referral with it.",
    )
    if long:
        job = d.entry("errand").what(d)
        d.say(
            f"Somebody should go along: add {job} for the day with the appointment's id.",
            f"Make {job} for that day so that somebody goes along, with the id of the appointment.",
        )
    d.paragraph()
    diary, tell = d.entry("diary"), d.message("tell").how(d, friend)
    last = f"{d.entry('errand').reference(d)} for going along" if long else "the appointment's id"
    d.say(
        f"Note it as {diary.what(d)} for the day: who, at what time, and {last}.",
        f"I want {diary.what(d)} on the day that says who it is, the time, and {last}.",
    )
    made = ", the one you made last" if long else ""
    d.say(
        f"{sentence(tell)} with who it was about, when the visit is, and {diary.reference(d)}{made}. Tell me who "
        "and when.",
        f"{sentence(tell)} with the name, day and time, and {diary.reference(d)}{made}. I need the name, the day "
        "and the time, too.",
    )
