"""Bills of suppliers: what is owed under a contract, to which account, less what the bank takes."""

from __future__ import annotations

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, calc, family, text
from tasks.families.office import OFFICE_ENTRIES, OFFICE_MESSAGES, OFFICE_NOTES, names
from tasks.places import banking
from tasks.places.rules import leave_noise, leave_rules

DARIO, ELENA = COLLEAGUES[5], COLLEAGUES[4]
DONE = "The supplier is paid what is owed after discount and charge, to the account of the contract."


@family(
    "bill-by-contract",
    area="finance",
    roles={
        "request": OFFICE_NOTES,
        "contract": OFFICE_NOTES,
        "bank": ("banking",),
        "terms": OFFICE_NOTES,
        "codes": OFFICE_NOTES,
        "log": OFFICE_ENTRIES,
        "register": OFFICE_ENTRIES,
        "report": OFFICE_MESSAGES,
    },
    patterns=(
        "request contract bank terms bank log report",
        "request contract bank terms codes log bank register report",
    ),
    filed="log",
)
def bill_by_contract(d: Draft) -> None:
    """A supplier with several namesakes wants a bill paid. The bill names a contract, the contract the account and the
    discount, the payee's bank the charge that is taken off. Hard: payees that differ in the last word, contracts of
    the namesakes, a charge that was changed, an amount of three parts; afterwards the account has less money.
    """
    size = max(3, d.dials.alike) + 1
    currency = d.rng.choice(["EUR", "GBP"])
    supplier = d.draw.company()
    houses = [supplier, *(f"{supplier} {part}" for part in d.rng.sample(banking.BRANCHES, size - 1))]
    contracts, codes, lines = ([d.draw.code(prefix) for _ in range(size)] for prefix in ("FC", "CC", "BL"))
    numbers = [banking.account_number(d, banking.COUNTRIES[currency]) for _ in range(size)]
    banks = names(d, size, "Bank")
    charges = [d.draw.amount(6, 29) for _ in range(size)]
    discounts = d.rng.sample(range(2, 16), size)
    bill = d.draw.code("RG")
    total = d.fact("bill-total", d.draw.amount(900, 2600, "1"), d.draw.amount(900, 2600, "1"))
    contract = d.fact("contract", contracts[0], contracts[1])
    account = d.fact("account", numbers[0], numbers[1])
    bank = d.fact("bank", banks[0], banks[1])
    charge = d.fact("charge", charges[0], charges[0] + 3)
    code = d.fact("code", codes[0], codes[1]) if d.pattern else codes[0]

    d.note("request").leave(
        d,
        title=f"Bill {bill}",
        text=d.rng.choice(
            (
                f"{supplier} sent us bill {bill} over {currency} {total:.2f}. It goes by contract {contract}, and "
                "I did not get to it before the close. It should be paid today.",
                f"Bill {bill} from {supplier} is checked and right: {currency} {total:.2f}, ordered under "
                f"{contract}. They have asked twice now, so it ought to leave the house today.",
                f"I have looked through {bill}, the bill of {supplier}. {currency} {total:.2f} is what it should be. "
                f"The order was placed under {contract}. Please nobody pay it by the old arrangement.",
            )
        ),
        by=d.rng.choice([DARIO, ELENA]),
        days_ago=1,
    )
    for place, name in enumerate(houses):
        stated = account if place == 0 else numbers[place]
        d.note("contract").leave(
            d,
            title=f"Framework contract {contracts[place]}",
            text=d.rng.choice(
                (
                    f"{contracts[place]}: everything is paid to account {stated} and nowhere else. "
                    f"If we pay within thirty days we keep {discounts[place]} percent.",
                    f"Framework contract {contracts[place]}. Bills go to account {stated}, and "
                    f"{discounts[place]} percent are ours when the money leaves within thirty days.",
                )
            ),
            by=ELENA,
            days_ago=40 + d.turn(place),
        )
        banking.payee(d, name, numbers[place], currency, bank=bank if place == 0 else banks[place])
    leave_rules(
        d,
        d.note("terms"),
        title="Payments through {word}",
        by=DARIO,
        wordings=(
            "{word} charges {fee} for each payment to its customers. We take it off what we send; the code is {code}.",
            "For payments to accounts at {word} we keep back {fee}, which is what they charge us. Its code is {code}.",
        ),
        rules={
            name: {
                "fee": f"{currency} {charge if place == 0 else charges[place]:.2f}",
                "code": code if place == 0 else codes[place],
            }
            for place, name in enumerate(banks)
        },
        older={"fee": f"{currency} {charges[0] + 8:.2f}", "code": codes[1]},
        of=banks[0],
    )
    leave_noise(d, d.note("request"), DARIO)

    seen = d.note("request").find(d, supplier)
    paper = d.note("contract").find(d, seen.part(r"(FC-\d+)"))
    payees = banking.find_payee(d, paper.part(r"account ([A-Z0-9]+)"))
    before = banking.balance(d, payees.at("data.items.0.currency"))
    terms = d.note("terms").find(d, payees.at("data.items.0.bank_name"))
    amount = calc(
        "round(total * (100 - percent) / 100 - fee, 2)",
        total=seen.part(r"[A-Z]{3} ([0-9.]+[0-9])", number=True),
        percent=paper.part(r"(\d+) percent", number=True),
        fee=terms.part(r"[A-Z]{3} ([0-9.]+[0-9])", number=True),
    )
    reference = seen.part(r"(RG-\d+)")
    number = reference
    if d.pattern:
        budget = d.fact("budget-line", lines[0], lines[1])
        leave_rules(
            d,
            d.note("codes"),
            title="Booking under {word}",
            by=ELENA,
            wordings=(
                "Whatever is booked under {word} belongs to budget line {line} this year.",
                "{word} is part of budget line {line} until December.",
            ),
            rules={name: {"line": budget if place == 0 else lines[place]} for place, name in enumerate(codes)},
            older={"line": lines[2]},
            of=codes[0],
        )
        line = d.note("codes").find(d, terms.part(r"(CC-\d+)")).part(r"(BL-\d+)")
        reference = d.entry("log").add(
            d,
            "The bill is entered with its amount and budget line.",
            title=text(f"Bill of {supplier}"),
            words=text("{bill}: pay {amount} under {line}.", bill=number, amount=amount, line=line),
        )
    paid = d.act(
        DONE,
        "banking",
        "create_transfer",
        from_account_id=before.at("data.items.0.id"),
        payee_id=payees.at("data.items.0.id"),
        amount=amount,
        reference=reference,
    )
    after = banking.balance(d, paid.at("data.currency"))
    left = after.at("data.items.0.available")
    record = d.entry("register" if d.pattern else "log").add(
        d,
        "The payment is entered under its transfer number.",
        title=text(f"{supplier}: paid"),
        words=text("{transfer} over {amount}.", transfer=paid.at("data.number"), amount=amount),
    )
    d.message("report").send(
        d,
        "Elena knows which entry it is and what the account has left.",
        ELENA,
        text("It is paid, see {entry}; {left} are available now.", entry=record, left=left),
        about=f"Bill of {supplier}",
    )
    d.answer("Paid with {transfer}; {left} are available now.", transfer=paid.at("data.number"), left=left)
    _instruct(d, supplier)


def _instruct(d: Draft, supplier: str) -> None:
    contracts, charges = d.note("contract").where(d), d.note("terms").where(d)
    d.title(f"Pay the bill from {supplier}")
    d.say(
        f"{supplier} are still waiting for their money. Their bill was noted {d.note('request').where(d)}.",
        f"Please get the bill from {supplier} off my desk today. You will find it {d.note('request').where(d)}.",
        f"A bill from {supplier} has to be paid today; it is {d.note('request').where(d)}.",
    )
    d.say(
        f"Pay it from our account in the bill's currency to the account named in their contract ({contracts}). "
        "Watch out, several suppliers have nearly the same name.",
        f"Their contract, {contracts}, says which account may receive the money and what discount we get. Do not go "
        "by the name alone: others are called almost the same.",
        "It should go out of our account in the bill's currency, and only to the account in their contract, which "
        f"is {contracts}. Careful: some suppliers share half of that name.",
    )
    d.say(
        "Take off the discount first, then what the supplier's bank charges us at present (you will find that "
        f"{charges}).",
        "Take off the discount first and then the bank's charge, which you will find "
        f"{charges}{d.stale(' (it has changed)')}.",
        "Deduct the discount from the bill, and from what remains the charge of their bank. The charges are "
        f"{charges}, bank by bank.",
    )
    d.paragraph()
    if d.pattern:
        log, codes, key = d.entry("log").what(d), d.note("codes").where(d), d.entry("log").reference(d)
        d.say(
            f"Before you pay, make {log} with the bill's number, the amount and the budget line that the charge's "
            f"code belongs to ({codes}), and give {key} as the payment's reference.",
            f"The charge has a code, and the code belongs to a budget line ({codes}). Put that line, the bill's "
            f"number and the amount into {log} before the money goes out, and pay with {key} as the reference.",
            f"First of all I want {log} with the bill, the amount and the budget line of the charge's code (the "
            f"codes are {codes}). Then use {key} as the payment's reference.",
        )
    else:
        d.say(
            "Use the bill's number as the reference.",
            "The reference is the number of the bill, so that they can match it.",
            "Please use the bill's number as the payment reference.",
        )
    last = d.entry("register" if d.pattern else "log")
    record, key = last.what(d), last.reference(d)
    d.say(
        f"Then make {record} with the transfer's number and the amount.",
        f"I also want {record} that names the transfer and the amount.",
        f"Put the number of the transfer and the amount into {record}, too.",
    )
    how = d.message("report").how(d, "Elena")
    d.say(
        f"When that is done, {how}: {key}, and what the account can still pay out.",
        f"Finally {how} with {key} and with how much is available on the account after the payment.",
        f"Elena keeps the list, so {how} once it is paid. She needs {key} and the sum that is still available.",
    )
    d.say(
        "Give me the transfer's number and that remaining sum as well.",
        "I also need the transfer's number and what is left.",
        "All I need is the number of the transfer and what is available now.",
    )
