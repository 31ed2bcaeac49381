"""Guest lists: who comes with a kind of ticket goes into a segment and on a list, unless they once said no."""

from __future__ import annotations

from dataclasses import replace

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.office import names as one_words
from tasks.families.roles import sentence
from tasks.places import campaigns, contacts, events
from tasks.places.rules import leave_noise, leave_rules

OSCAR, TOBIAS, ELENA = COLLEAGUES[13], COLLEAGUES[1], COLLEAGUES[4]
SERIES = ("open-sea", "harvest", "night-shift", "allotment", "apprentice", "fire-service", "lambing", "festival")
LISTED = "All guests with the ticket are in the segment, but for the one who does not want to be contacted."
REFUSED = "Whoever once said no is marked in Contacts, with the case in a note."


@family(
    "guests-become-a-segment",
    area="marketing",
    roles={
        "ask": OFFICE_NOTES,
        "dinners": OFFICE_NOTES,
        "office": ("events",),
        "rule": OFFICE_NOTES,
        "book": ("contacts",),
        "lists": ("campaigns",),
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "ask office rule book lists book report",
        "ask dinners office rule book lists book log report",
    ),
    filed="log",
)
def guests_become_a_segment(d: Draft) -> None:
    """The guests of one dinner who have the better ticket are to be written to. They go into the segment that the
    event's guest rule names and on the mailing list; one of them unsubscribed once, is skipped, and must be marked in
    Contacts. Hard: one-to-many work over the holders of one kind of ticket and not the others, refunded ones left out;
    people found by their address; a refusal that shows only when the list is filled; a segment whose size changes
    twice.
    """
    size, series = 1 + d.dials.alike, d.rng.choice(SERIES)
    rules, dinners = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("GR", "DN"))
    codes = d.rng.sample(range(20, 99), size)
    number = d.fact("event", codes[0], codes[1])
    dinner = d.fact("dinner", dinners[0], dinners[1]) if d.pattern else dinners[0]
    rule_code = d.fact("guest-rule", rules[0], rules[1])
    names = one_words(d, size, "table")
    segment = d.fact("segment", names[0], names[1])
    before = d.fact("members", *d.rng.sample((1, 2, 3), 2))
    case = d.fact("case", d.draw.code("NO"), d.draw.code("NO"))
    firm = d.fact("company", 0, 1)
    phones = [f"+44-1632-96{d.draw.count(1000, 9899)}" for _ in range(2)]
    phone = d.fact("phone", *phones)
    houses = [d.draw.company() for _ in range(4)]
    records = [contacts.company(d, name, owner="oscar") for name in houses]
    listed = campaigns.audience(d, f"{series.capitalize()} friends", description="Guests of our dinners.")
    for place, name in enumerate(names):
        key = d.key("seg")
        d.plant("contacts_segment", id=key, name=name, owner_id="mem_mara", created_at=d.ago(20 + d.turn(place)))
        members = before if place == 0 else d.beside.randint(1, 3)
        for seat in range(3):
            member = contacts.person(d, d.draw.person(), None, owner="oscar")
            target = key if seat < members else None
            if target:
                d.plant("contacts_segment_person", segment_id=key, person_id=member, added_at=d.ago(9))
    for place in range(size):
        evening = events.event(
            d,
            f"{series.capitalize()} dinner {d.draw.company().split()[0]}",
            venue="Cedar Hall",
            city="London",
            starts=d.ago(-21 - d.turn(place), 18),
            number=codes[place],
            kinds=(("Patron", "90.00", 12, 3), ("Seat", "40.00", 40, 2)),
            description=f"Guest rule {rule_code if place == 0 else rules[place]}.",
        )
        guests = sorted((d.draw.person() for _ in range(3)), key=lambda one: one.name)
        others = [d.draw.person() for _ in range(2)]
        base = 1100 + 40 * place
        for seat, guest in enumerate(guests):
            events.order(d, evening, base + seat, guest, [guest], kind="Patron", price="90.00")
            home = firm if place == 0 and seat == 0 else (place + seat) % 4
            line = phone if place == 0 and seat == 1 else f"+44-1632-96{d.draw.count(1000, 9899)}"
            contacts.person(d, replace(guest, phone=line), records[home], owner="oscar", title="Guest")
        events.order(d, evening, base + 9, others[0], others, kind="Seat", price="40.00")
        for guest in others:
            contacts.person(d, guest, records[place % 4], owner="oscar", title="Guest")
        noted = case if place == 0 else d.draw.code("NO")
        note = f"Said no on the phone, {noted}."
        campaigns.subscriber(d, listed, guests[1], status="unsubscribed", source="event", note=note)
    told = dinner if d.pattern else f"EV-{number}"
    d.note("ask").leave(
        d,
        title=f"{series.capitalize()} dinners",
        text=d.rng.choice(
            (
                f"After the {series} dinners I would like to write to people. Let us begin with {told}: everybody who "
                f"holds a patron ticket, nobody from the cheaper tables.",
                f"Of the {series} dinners {told} sold best. Its patrons should hear from us before it takes place, and "
                f"the patrons alone.",
            )
        ),
        by=OSCAR,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("dinners"),
            title="Dinner {word}",
            by=OSCAR,
            wordings=("Dinner {word} is sold as {event}.", "{word} stands in the box office as {event}."),
            rules={
                code: {"event": f"EV-{number if place == 0 else codes[place]}"} for place, code in enumerate(dinners)
            },
            older={"event": f"EV-{codes[2]}"},
            of=dinners[0],
        )
    leave_rules(
        d,
        d.note("rule"),
        title="Guest rule {word}",
        by=TOBIAS,
        wordings=(
            "{word}: guests go into the segment '{name}' in Contacts before they are written to.",
            "By {word} our guests are kept in Contacts under the segment '{name}'.",
        ),
        rules={code: {"name": segment if place == 0 else names[place]} for place, code in enumerate(rules)},
        older={"name": names[2]},
        of=rules[0],
    )
    leave_noise(d, d.note("rule"), TOBIAS)

    word: Template = d.note("ask").find(d, series).part(r"((?:DN-\d+)|(?:EV-\d+))")
    if d.pattern:
        word = d.note("dinners").find(d, word).part(r"(EV-\d+)")
    found = d.call("events", "list_events", query=word)
    event = d.call("events", "get_event", event_id=found.at("data.items.0.id"))
    patrons = d.call(
        "events",
        "list_attendees",
        event_id=event.at("data.id"),
        ticket_type_id=event.at("data.ticket_types.[name=Patron].id"),
        status="valid",
    )
    rule = d.note("rule").find(d, event.part("data.description", r"(GR-\d+)"))
    called = rule.part(r"'(.+?)'")
    group = d.call("contacts", "list_segments", query=called)
    people = [d.call("contacts", "list_people", query=patrons.at(f"data.items.{seat}.email")) for seat in range(3)]
    lists = d.call("campaigns", "list_audiences")
    rows = [
        {
            "email": patrons.at(f"data.items.{seat}.email"),
            "name": patrons.at(f"data.items.{seat}.name"),
            "company": one.at("data.items.0.company_name"),
        }
        for seat, one in enumerate(people)
    ]
    imported = d.act(
        "The other guests with the ticket are on the mailing list, with their companies.",
        "campaigns",
        "import_subscribers",
        audience_id=lists.at(f"data.items.[id={listed}].id"),
        rows=rows,
        consent_note=text("Guests of {code}", code=event.at("data.code")),
    )
    no = d.call("campaigns", "list_subscribers", email=imported.at("data.skipped.0.email"))
    person = d.call("contacts", "list_people", query=imported.at("data.skipped.0.email"))
    who = person.at("data.items.0.id")
    d.act(
        LISTED,
        "contacts",
        "update_segment",
        segment_id=group.at("data.items.0.id"),
        add_person_ids=[people[seat].at("data.items.0.id") for seat in (0, 2)],
    )
    d.act(REFUSED, "contacts", "update_person", person_id=who, do_not_contact=True)
    reason = no.part("data.items.0.consent_note", r"(NO-\d+)")
    d.act(REFUSED, "contacts", "add_note", kind="person", record_id=who, body=text("{case}", case=reason))
    count = d.call("contacts", "list_segments", query=called).at("data.items.0.people")
    told_: dict[str, Template] = {"name": called, "count": count, "phone": person.at("data.items.0.phone")}
    if d.pattern:
        told_["task"] = d.entry("log").add(
            d,
            "It is entered for the day of the event how to reach whoever said no.",
            title=text("Who said no"),
            words=text("{phone}: {case}", phone=person.at("data.items.0.phone"), case=reason),
            day=event.part("data.starts_at", r"(\d{4}-\d\d-\d\d)"),
        )
    d.message("report").send(
        d,
        "Oscar knows the segment, how many are in it now, and how to reach whoever said no.",
        OSCAR,
        text(
            "{name} has {count} people now; ring {phone} about the no." + (" See {task}." if d.pattern else ""), **told_
        ),
        about="Guests",
    )
    d.answer("{name} has {count} people.", name=called, count=count)
    _instruct(d, series)


def _instruct(d: Draft, series: str) -> None:
    d.title(f"Put the patrons of one of the {series} dinners into a segment")
    d.say(
        f"Oscar wants to write to the guests of one of our {series} dinners; he says {d.note('ask').where(d)} whom "
        "he means.",
        f"Please prepare the mailing to guests of the {series} dinners that Oscar describes {d.note('ask').where(d)}.",
    )
    if d.pattern:
        d.say(f"The dinners, with the codes they have at the box office, are listed {d.note('dinners').where(d)}.")
    d.say(
        f"The event has a guest rule, and the rules are {d.note('rule').where(d)}: it says into which segment of "
        f"Contacts they go.",
        "The segment of Contacts in which its guests are kept depends on the event's guest rule "
        f"({d.note('rule').where(d)}, in its present wording).",
    )
    d.warn(
        "Rules have changed over the winter; the newest is in force.",
        "Go by the latest of everything that was noted twice.",
    )
    d.say(
        "All of them are in Contacts by their addresses. Leave out tickets that were given back.",
        "You will find every one of them in Contacts by the address on the ticket.",
    )
    d.paragraph()
    d.say(
        f"Also put them on the mailing list {series.capitalize()} friends, with name and the company that Contacts "
        f"has; as consent, give the event's code.",
        f"They belong on the list {series.capitalize()} friends as well: name, company as in Contacts, and the event's "
        f"code as the note of consent.",
    )
    d.say(
        "If the list does not take somebody because they have said no before, respect that: keep them out of "
        "the segment, mark the person in Contacts as not to be contacted, and note there the case that the list has on "
        "it.",
        "Somebody may have unsubscribed from that list earlier. If so, leave them out of the segment, mark them in "
        "Contacts as not to be contacted, and add a note on the person that gives the case.",
    )
    if d.pattern:
        d.say(
            f"For the day of the dinner, make {d.entry('log').what(d)} with that person's telephone number and the "
            "case.",
            f"{sentence(d.entry('log').what(d))} for the day of the dinner should give that person's telephone number "
            "and the case.",
        )
    more = f" He also needs {d.entry('log').reference(d)}." if d.pattern else ""
    d.say(
        f"Then {d.message('report').how(d, 'Oscar')}: the segment's name, how many people are in it in the end, and "
        f"the telephone number of whoever said no, because he rings them himself.{more}",
        f"Oscar wants to ring whoever said no, so {d.message('report').how(d, 'Oscar')} with that telephone number, "
        f"the segment's name, and how many people it has in the end.{more}",
    )
    d.say("I need the segment's name and that number.", "Please give me the segment's name and its number of people.")
