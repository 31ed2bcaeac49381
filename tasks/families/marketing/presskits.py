"""Press kits: a link to a folder that ends with the embargo, for the journalist who asked."""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Template, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import brands, sentence
from tasks.places import contacts, files, social
from tasks.places.rules import leave_noise, leave_rules

OSCAR, RUTH = COLLEAGUES[13], COLLEAGUES[12]
THEMES = ("open-sea", "harvest", "night-shift", "allotment", "apprentice", "fire-service", "lambing", "festival")
KINDS = ("Magazine", "Weekly", "Review", "Quarterly", "Gazette", "Illustrated")
ASKED = (
    "We would love to have the pictures, our issue {issue} is printed on {day}.",
    "Thank you for asking back! It is issue {issue}, printed on {day}. Could you send pictures?",
    "Hello again, the pictures would be for {issue}. It gets printed on {day}.",
    "Is there a link yet? We plan them for issue {issue}, which is printed on {day}.",
)
ZONES = {"Stockholm": "Europe/Stockholm", "London": "Europe/London", "New York": "America/New_York"}


@family(
    "press-kit-under-embargo",
    area="marketing",
    roles={
        "wish": OFFICE_NOTES,
        "shoots": OFFICE_NOTES,
        "store": ("files",),
        "embargo": OFFICE_NOTES,
        "book": ("contacts",),
        "desk": ("social",),
        "log": (*OFFICE_ENTRIES, "analytics"),
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "wish store embargo store book desk report",
        "wish shoots store embargo store book desk log report",
    ),
    filed="log",
)
def press_kit_under_embargo(d: Draft) -> None:
    """A magazine wants pictures of a shoot. The shoot's folder names an embargo, the embargo the instant until which a
    link may work. The link goes into a note on the magazine's contact in Contacts and to that person on social. Hard:
    folders of shoots that differ in a number, an end in local time, embargoes with earlier terms, a person whom only
    Contacts names among several at the magazine, a private message among public ones, a count of links that the new
    one makes stale.
    """
    size, theme = 1 + d.dials.alike, d.rng.choice(THEMES)
    shoots, bans, films = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("SH", "EB", "FR"))
    shoot, ban = d.fact("shoot", shoots[0], shoots[1]), d.fact("embargo", bans[0], bans[1])
    film = d.fact("film", films[0], films[1]) if d.pattern else films[0]
    papers = [f"{name} {kind}" for name, kind in zip(brands(d, size), cycle(KINDS))]
    paper = d.fact("magazine", papers[0], papers[1])
    city = d.rng.choice(tuple(ZONES))
    first = d.draw.day(12, 60)
    day = d.fact("day", first, first + timedelta(days=1))
    hour = d.fact("hour", *d.rng.sample(("06:00", "07:30", "21:45", "23:00"), 2))
    links = d.fact("links", *d.rng.sample((1, 2, 3, 4), 2))
    prints = d.draw.day(8, 30)
    print_day = d.fact("print-day", prints, prints + timedelta(days=3))
    for place, code in enumerate(shoots):
        folder = files.item(
            d,
            f"Pictures {code}",
            kind="folder",
            description=f"Embargo {ban if place == 0 else bans[place]}.",
            at=d.ago(9 + d.turn(place), 10),
        )
        files.item(d, f"{code} cover.txt", parent=folder, content="The cover is picture 14.", at=d.ago(8, 10))
        led = links if place == 0 else d.beside.randint(1, 4)
        for number in range(4):
            target = folder if number < led else files.OPERATIONS
            files.link(d, target, 5 - number)
    boss = d.fact("editor", 0, 1)
    issues = [d.draw.code("NR") for _ in range(size + 2)]
    issue = d.fact("issue", issues[0], issues[1])
    for place, name in enumerate(papers):
        record = contacts.company(d, name, owner="oscar", lifecycle="partner", industry="media")
        for seat in range(3):
            who = d.draw.person(name)
            chief = boss if place == 0 else 0
            contacts.person(d, who, record, owner="oscar", title="Desk", role="primary" if seat == chief else None)
            when = print_day if place == 0 and seat == chief else d.on(9 + place + seat)
            named = issue if place == 0 and seat == chief else issues[2 + place]
            words = d.rng.choice(ASKED).format(issue=named, day=when)
            social.message(d, who, words, channel="chn_looks", kind="direct", at=d.ago(1, 10 + seat, d.turn(place)))
        social.message(d, d.draw.person(name), f"Nice piece about your boots in {name}.", kind="mention")
    told = film if d.pattern else shoot
    d.note("wish").leave(
        d,
        title=f"{theme.capitalize()} pictures",
        text=d.rng.choice(
            (
                f"The {theme} pictures make the rounds. {paper} may have those of {told}, and only those. Their "
                f"contact with us has written already, privately.",
                f"About the {theme} pictures: I promised {told} to {paper}. They are nice people, so let us be quick.",
            )
        ),
        by=OSCAR,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("shoots"),
            title="Feature {word}",
            by=OSCAR,
            wordings=("{word} was photographed as {shoot}.", "The pictures of {word} are those of {shoot}."),
            rules={code: {"shoot": shoot if place == 0 else shoots[place]} for place, code in enumerate(films)},
            older={"shoot": shoots[2]},
            of=films[0],
        )
    leave_rules(
        d,
        d.note("embargo"),
        title="Embargo {word}",
        by=RUTH,
        wordings=(
            f"{{word}}: links for the press work until {{day}}, {{hour}} in {city}, and open the pictures to view, not "
            f"to comment.",
            f"Under {{word}} a link to view ends on {{day}} at {{hour}}, {city} time. No other links.",
        ),
        rules={
            code: {
                "day": day if place == 0 else d.on(d.beside.randint(12, 60)),
                "hour": hour if place == 0 else d.beside.choice(("06:30", "08:00", "12:00", "22:15")),
            }
            for place, code in enumerate(bans)
        },
        older={"day": d.on(4), "hour": "09:15"},
        of=bans[0],
    )
    leave_noise(d, d.note("embargo"), RUTH)

    wish = d.note("wish").find(d, theme)
    word: Template = wish.part(r"((?:SH|FR)-\d+)")
    if d.pattern:
        word = d.note("shoots").find(d, word).part(r"(SH-\d+)")
    found = d.call("files", "list_items", query=word, kind="folder")
    folder_ = d.call("files", "get_item", item_id=found.at("data.items.0.id"))
    rule = d.note("embargo").find(d, folder_.part("data.description", r"(EB-\d+)"))
    local = text("{day}T{hour}", day=rule.part(r"(\d{4}-\d\d-\d\d)"), hour=rule.part(r"(\d\d:\d\d)"))
    link = d.act(
        "There is a link to view the shoot's folder until the embargo's end.",
        "files",
        "create_link",
        item_id=folder_.at("data.id"),
        role="viewer",
        expires_at=calc("utc(local, zone)", local=local, zone=ZONES[city]),
    )
    now = d.call("files", "get_item", item_id=folder_.at("data.id"))
    house = contacts.find_company(d, wish.part(r"(?:those of \S+, and|\. |to )(\w+ \w+)(?: may have|\. They)"))
    people = d.call("contacts", "list_people", company_id=house, role="primary")
    d.act(
        "A note on the magazine's contact has the link.",
        "contacts",
        "add_note",
        kind="person",
        record_id=people.at("data.items.0.id"),
        body=text("Pictures: {url}", url=link.at("data.url")),
    )
    asked = d.call("social", "list_messages", query=people.at("data.items.0.name"), kind="direct")
    d.act(
        "The magazine's contact has the link in answer to their message.",
        "social",
        "reply_to_message",
        output=True,
        message_id=asked.at("data.items.0.id"),
        text=text("With pleasure: {url}", url=link.at("data.url")),
    )
    prints_on = asked.part("data.items.0.text", r"printed on (\d{4}-\d\d-\d\d)")
    copy = asked.part("data.items.0.text", r"(NR-\d+)")
    told_ = {"issue": copy, "day": prints_on, "count": now.at("data.link_count")}
    if d.pattern:
        told_["task"] = d.entry("log").add(
            d,
            "It is entered for the day on which the issue is printed, with the person and the issue.",
            title=text("Our pictures are printed"),
            words=text("{who}, {issue}", who=asked.at("data.items.0.author_name"), issue=copy),
            day=prints_on,
        )
    d.message("report").send(
        d,
        "Oscar knows which issue they print, when, and how many links lead to the folder now.",
        OSCAR,
        text(
            "They print {issue} on {day}; {count} links lead there now." + (" See {task}." if d.pattern else ""),
            **told_,
        ),
        about="Pictures for the press",
    )
    d.answer("They print {issue} on {day}: {url}", issue=copy, day=prints_on, url=link.at("data.url"))
    _instruct(d, theme)


def _instruct(d: Draft, theme: str) -> None:
    d.title(f"Give a magazine the {theme} pictures that Oscar promised")
    d.say(
        f"Oscar promised a magazine some of the {theme} pictures; he wrote {d.note('wish').where(d)} which ones. "
        "Can you let them have a link?",
        f"A magazine is waiting for {theme} pictures from us. Oscar wrote {d.note('wish').where(d)} who gets which; "
        "let them have a link.",
    )
    if d.pattern:
        d.say(
            f"He speaks of features; which shoot each was photographed at is noted {d.note('shoots').where(d)}.",
            f"He names a feature there; which shoot belongs to it you can look up {d.note('shoots').where(d)}.",
        )
    d.say(
        "Every shoot has its folder in Files, and the folder says which embargo holds for it. How long a link may live "
        f"then, and what it may open, is {d.note('embargo').where(d)}; mind the time zone.",
        f"The folder of the shoot names an embargo. {sentence(d.note('embargo').where(d))} it says until when a "
        "link may live, by the clocks of which city, and what it may be for.",
    )
    d.warn(
        "Embargoes are moved sometimes; the newest word about one holds.",
        "If an embargo was noted more than once, go by the last.",
    )
    d.paragraph()
    d.say(
        "The link goes to the person who is the magazine's primary contact in Contacts, as a note on that person and "
        "in answer to the private message that they sent us on social.",
        "Answer the private message from the magazine's primary contact (Contacts knows who that is) with the "
        "link, and keep it in a note on that person, too. Colleagues of theirs have asked as well; they will share.",
    )
    if d.pattern:
        d.say(
            f"In that message they say when they go to print: make {d.entry('log').what(d)} for that day, with the "
            f"person's name and the issue, so that we do not miss it.",
            f"I want {d.entry('log').what(d)} for the day they print (the message tells), naming the person and the "
            f"issue, so that nobody forgets it.",
        )
    issue, count = "which issue they print and when", "how many links lead to that folder now"
    told = f"{issue}, {count}, and {d.entry('log').reference(d)}" if d.pattern else f"{issue}, and {count}"
    how = d.message("report").how(d, "Oscar")
    d.say(f"Finally {how}: {told}.", f"To finish, {how} so that he knows {told}.")
    d.say(
        "I need the issue, the day they print and the link itself.",
        "Give me the link, the issue and the day of printing.",
    )
