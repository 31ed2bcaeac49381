"""Framework contracts: every company of a group gets its terms, its tier and the right contact for invoices."""

from __future__ import annotations

from dataclasses import replace

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, Seen, Template, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES
from tasks.families.roles import strangers
from tasks.places import billing, contacts
from tasks.places.rules import leave_noise, leave_rules

TOBIAS, ELENA, PRIYA = COLLEAGUES[1], COLLEAGUES[4], COLLEAGUES[2]
TERMS = "Both companies of the contract have its terms and its credit limit in Billing."
PEOPLE = "At both companies the billing contact is whoever Billing sends the invoices to."
TIER = "Both companies have the tier that the contract gives."


@family(
    "terms-by-framework-contract",
    area="sales",
    roles={
        "news": OFFICE_NOTES,
        "scope": OFFICE_NOTES,
        "group": ("contacts",),
        "contract": OFFICE_NOTES,
        "annex": OFFICE_NOTES,
        "books": ("billing",),
        "log": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "news group contract books group log report",
        "news scope group contract annex books group log report",
    ),
    filed="log",
)
def terms_by_framework_contract(d: Draft) -> None:
    """A group has signed. The note says under which tag its two companies stand in Contacts, their notes name the
    contract, the contract gives days, credit limit and tier. Billing takes the first two, Contacts the third, and the
    people who get the invoices become billing contacts. Hard: the same work for each company of the tag and for no
    other; contracts of other groups and older editions; a contact whom Contacts has wrong; a tier that is stale after
    the change.
    """
    size = 1 + d.dials.alike
    group = d.draw.company()
    tags, codes, annexes, scopes = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("grp", "FC", "AX", "SC"))
    tag, contract = d.fact("tag", tags[0].lower(), tags[1].lower()), d.fact("contract", codes[0], codes[1])
    terms = d.rng.sample((7, 14, 45, 60), 2)
    days = d.fact("days", *terms)
    limit = d.fact("limit", *(1000 * number for number in d.rng.sample(range(12, 60), 2)))
    tier = d.fact("tier", *d.rng.sample(("bronze", "silver", "gold"), 2))
    scope = d.fact("scope", scopes[0], scopes[1]) if d.pattern else scopes[0]
    annex = d.fact("annex", annexes[0], annexes[1]) if d.pattern else annexes[0]
    payer = d.fact("payer", 0, 1)
    for place in range(size):
        mark = tags[place].lower()
        for number in range(2):
            name = strangers(d, 1, group)[0]
            people = [d.draw.person(name) for _ in range(3)]
            pays = people[payer if place == 0 and number == 0 else number]
            record = contacts.company(d, name, owner="priya", tags=(mark,), industry="services")
            for seat, person in enumerate(people):
                contacts.person(d, person, record, owner="priya", title="Office", role="billing" if seat == 2 else None)
            billing.customer(d, name, replace(pays, name="Accounts"))
            used = contract if place == 0 else codes[place]
            contacts.remark(d, record, f"Buys under framework contract {used}.", PRIYA, 90 + place)
    told = scope if d.pattern else tag
    d.note("news").leave(
        d,
        title=f"{group} signed",
        text=d.rng.choice(
            (
                f"{group} signed this morning! It holds for their companies under {told}. From now on they are to be "
                "treated as the contract says, in everything.",
                f"After two months we have the signature of {group}. The companies concerned go by {told} with us. Let "
                f"us not start with a wrong invoice.",
                f"{group} are in. What we agreed counts for all that we keep under {told}, nobody else of theirs.",
            )
        ),
        by=TOBIAS,
        days_ago=1,
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("scope"),
            title="Scope {word}",
            by=PRIYA,
            wordings=(
                "Scope {word}: the companies that carry the tag {tag}.",
                "{word} means the tag {tag}.",
            ),
            rules={code: {"tag": tag if place == 0 else tags[place].lower()} for place, code in enumerate(scopes)},
            older={"tag": tags[2].lower()},
            of=scopes[0],
        )
    rest = {"credit": f"credit as in annex {annex}" if d.pattern else f"credit up to EUR {limit}"}
    leave_rules(
        d,
        d.note("contract"),
        title="Framework contract {word}",
        by=ELENA,
        wordings=(
            "{word}: invoices are due after {days} days, {credit}. We serve them as a {tier} customer.",
            "Under {word} we grant {days} days and {credit}; in return for the volume they are {tier} with us.",
        ),
        rules={
            code: {"days": days, "tier": tier} | rest
            if place == 0
            else {
                "days": terms[1],
                "tier": d.beside.choice(("bronze", "silver", "gold")),
                "credit": f"credit as in annex {annexes[place]}"
                if d.pattern
                else f"credit up to EUR {1000 * d.beside.randint(12, 59)}",
            }
            for place, code in enumerate(codes)
        },
        older={"days": 30, "tier": "bronze", "credit": "no credit"},
        of=codes[0],
    )
    if d.pattern:
        leave_rules(
            d,
            d.note("annex"),
            title="Annex {word}",
            by=ELENA,
            wordings=("Annex {word}: they may owe us up to EUR {limit} at a time.",),
            rules={
                code: {"limit": limit if place == 0 else 1000 * d.beside.randint(12, 59)}
                for place, code in enumerate(annexes)
            },
            older={"limit": 2000},
            of=annexes[0],
        )
    leave_noise(d, d.note("contract"), ELENA)

    word: Template = d.note("news").find(d, group).part(r"((?:grp|SC)-\d+)")
    if d.pattern:
        word = d.note("scope").find(d, word).part(r"tag (grp-\d+)")
    firms = d.call("contacts", "list_companies", tag=word)
    d.call("contacts", "list_companies", tier="none")
    remarks = d.call("contacts", "list_notes", kind="company", record_id=firms.at("data.items.0.id"))
    rule = d.note("contract").find(d, remarks.part("data.items.0.body", r"(FC-\d+)"))
    credit = (d.note("annex").find(d, rule.part(r"(AX-\d+)")) if d.pattern else rule).part(r"EUR (\d+)", number=True)
    payers: list[Seen] = []
    for place in range(2):
        found = d.call("billing", "list_customers", query=firms.at(f"data.items.{place}.name"))
        payers.append(
            d.act(
                TERMS,
                "billing",
                "update_customer",
                customer_id=found.at("data.items.0.id"),
                terms_days=rule.part(r"(\d+) days", number=True),
                credit_limit=credit,
            )
        )
    names = {}
    for place, seen in enumerate(payers):
        found = d.call("contacts", "list_people", query=seen.at("data.billing_email"))
        d.act(PEOPLE, "contacts", "set_contact_role", person_id=found.at("data.items.0.id"), role="billing")
        firm = firms.at(f"data.items.{place}.id")
        d.act(TIER, "contacts", "update_company", company_id=firm, tier=rule.part(r"(bronze|silver|gold)"))
        names[f"who{place}"] = found.at("data.items.0.name")
    after = d.call("contacts", "list_companies", tag=word)
    rest_of = d.call("contacts", "list_companies", tier="none").at("data.total")
    task = d.entry("log").add(
        d,
        "It is entered who gets a copy of the contract.",
        title=text("Copies of the framework contract"),
        words=text("For {who0} and {who1}.", **names),
    )
    d.message("report").send(
        d,
        "Tobias knows the companies, their tier now and what was entered.",
        TOBIAS,
        text(
            "{first} and {second} are {tier} now; copies are in {task}.",
            first=after.at("data.items.0.name"),
            second=after.at("data.items.1.name"),
            tier=after.at("data.items.0.tier"),
            task=task,
        ),
        about=f"{group} are set up",
    )
    d.answer(
        "{first} and {second} are {tier}, with EUR {credit}; {untiered} companies have no tier.",
        first=after.at("data.items.0.name"),
        second=after.at("data.items.1.name"),
        tier=after.at("data.items.0.tier"),
        credit=credit,
        untiered=rest_of,
    )
    _instruct(d, group)


def _instruct(d: Draft, group: str) -> None:
    d.title(f"Set up the companies of {group} as their contract says")
    d.say(
        f"{group} have signed at last; Tobias announced it {d.note('news').where(d)}. Two of their companies buy "
        "from us; can you bring our records in line with the contract?",
        f"Tobias closed the contract with {group}. His note {d.note('news').where(d)} says which of our customers "
        "it covers, and nothing of it is in our systems yet.",
    )
    if d.pattern:
        d.say(
            f"What he means by the scope is explained {d.note('scope').where(d)}.",
            f"Scopes are written down {d.note('scope').where(d)}.",
        )
    annex = f" (annexes: {d.note('annex').where(d)})" if d.pattern else ""
    d.say(
        "Which contract a company buys under is in the notes on it in Contacts; the contracts themselves are "
        f"{d.note('contract').where(d)}{annex}. Only the edition in force counts.",
        "A note on each company in Contacts names its contract. You can read the contracts "
        f"{d.note('contract').where(d)}{annex}{d.stale('; some are there in old editions, too')}.",
    )
    d.paragraph()
    d.say(
        "For every company concerned, enter the payment days and the credit limit in Billing and the tier in Contacts.",
        "Billing needs the payment days and the credit limit, and Contacts the tier, for each of the companies.",
    )
    d.say(
        "While you are there, whoever gets a company's invoices according to Billing should be its billing contact in "
        "Contacts as well; that is wrong for both.",
        "Contacts also has the wrong people as their billing contacts: it should be whoever Billing writes to.",
    )
    d.say(
        f"Those two get a copy of the contract, so make {d.entry('log').what(d)} with their names.",
        f"Then {d.entry('log').what(d)}, please, naming the two people, so that they get a copy of the contract.",
    )
    d.say(
        f"When all is done, {d.message('report').how(d, 'Tobias')} with the companies, the tier they have now, and "
        f"{d.entry('log').reference(d)}.",
    )
    d.say(
        "Tell me the companies, the tier and the credit limit, and how many companies in Contacts are left without a "
        "tier.",
        "I would like to hear which companies it was, which tier, and how much credit; also how many of all companies "
        "in Contacts have no tier after that.",
    )
