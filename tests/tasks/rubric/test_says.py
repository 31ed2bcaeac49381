"""What counts as saying a value."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from engine.world import World
from tasks.rubric.says import says

SAID = [
    (216, ["216 pieces are left", "left: 216.", "EUR 216.00", "(216)", "216,00 EUR", "EUR216.00"]),
    ("08:30", ["at 8:30 am", "08:30", "8.30 a.m."]),
    (1234.5, ["1234.5", "1,234.50 USD", "1 234.50", "USD 1234.50.", "1.234,50"]),
    (-3, ["a change of -3", "3 fewer"]),
    (3, ["three boxes", "Three.", "all 3"]),
    (0, ["none is left", "0 left"]),
    (0.75, ["0.75", "the rate 0.75."]),
    ("12:00", ["at noon", "12:00", "12 pm"]),
    ("14:30", ["14h30"]),
    (5967.5, ["5 967.50", "5'967.50"]),
    ("2026-03-12", ["9 to 12 March", "9–12 March"]),
    (
        "2026-03-09",
        [
            "9–12 March",
            "9 to 12 March",
            "9 and 10 March",
            "9. March",
            "2026-03-09",
            "9 March",
            "Monday, March 9th",
            "09.03.2026",
            "the 9th of March",
            "on 9 Mar 2026",
        ],
    ),
    ("2026-03-09T14:30:00Z", ["9 March at 14:30", "2026-03-09T14:30:00Z", "March 9, 2:30 pm"]),
    ("2026-03-09T14:00:00Z", ["9 March, 2 pm", "9 March, 14:00"]),
    ("Alder Textiles", ["for Alder Textiles.", "ALDER  textiles", "(Alder Textiles)"]),
    ("KX-4821", ["see kx-4821!", "KX-4821"]),
    ("ada@alder.example", ["mail ada@alder.example, please"]),
    (13, ["thirteen days"]),
    (27, ["twenty-seven", "twenty seven"]),
    (100, ["a hundred"]),
    (7, ["7days", "7-day", "seven.", "in March, 7 pieces", "7 of 10"]),
    (
        "2026-04-01",
        ["the first of April", "2026.04.01", "20260401", "1 April '26", "01/04/26", "1.4.26", "1.4.", "April the 1st"],
    ),
    ("2026-04-21", ["twenty-first of April"]),
    ("Solvadine 30 mg", ["Solvadine 30mg", "solvadine, 30 mg"]),
    ("EXP-1068", ["EXP1068", "exp 1068", "EXP_1068", "(EXP-1068)", "EXP-1068's", "**EXP-1068**", "EXP-1068."]),
    ("Tomasz Balogun", ["Balogun, Tomasz", "Tomasz Balogun's leave"]),
    ("Žofie O'Neil", ["Zofie O’Neil", "Zofie ONeil", "Žofie O'Neil"]),
    ("v5.45.0", ["v5.45.0.", "5.45.0", "(v5.45.0)"]),
    ("GB29NWBK6016133192", ["to GB29 NWBK 6016 1331 92.", "GB29NWBK6016133192", "GB29-NWBK-6016-1331-92"]),
    ("Running order RO-4412.md", ["see Running order RO-4412.", "Running order RO-4412.md", "running order ro 4412"]),
    ("counts of march.csv", ["Counts of March", "'counts of march.csv'"]),
    ("上海", ["我在上海"]),
]

NOT_SAID = [
    (216, ["2160", "1,216", "216.50", "216,000", "INV-2216", "INV-216", "tkt_a216", "216_b", "twenty"]),
    (3, ["third", "threefold", "3rd", "3 March"]),
    (14, ["14:30", "at 9:14", "14 000"]),
    (967, ["5 967", "5 967.00"]),
    (1, ["one of the things"]),
    (0, ["No problem"]),
    (6, ["tkt_a68ae6", "2026-06-01", "6.5"]),
    ("08:30", ["8:30 pm", "18:30", "8:31"]),
    (1234.5, ["1234.55", "11,234.50", "1234"]),
    ("2026-03-09", ["9 March 2025", "March 9, 2025", "09/03/2025", "19 March", "9 May", "2026-03-19", "March 91"]),
    ("2026-03-09T14:30:00Z", ["9 March at 15:30", "10 March at 14:30"]),
    ("Alder Textiles", ["Alder Textilesque", "Alder and Textiles", "Balder Textiles"]),
    ("KX-4821", ["KX-48210", "XKX-4821", "PRE-KX-4821", "KX-4821-B", "KX-4821-2"]),
    (
        7,
        ["seventy-seven", "twenty-seven", "twenty seven", "7k", "7 million", "7½", "7 1/2", "-7", "−7"],
    ),
    (
        7,
        ["minus 7", "7 pm", "March 7", "seven thousand", "7e3", "seven pm"],
    ),
    (20, ["twenty-seven", "twenty thousand"]),
    (
        "2026-04-01",
        ["1 April '27", "01/04/27", "1.4.27", "the first of April 2027", "twenty-first of April", "2027.04.01"],
    ),
    (
        "2026-04-01",
        ["April 1.5", "1/4 of it", "1 April 2027", "1-Apr-27"],
    ),
    ("v5.45.0", ["v5.45.0.1", "v5.45.0-rc1", "v5.45.01"]),
    ("GB29NWBK6016133192", ["GB29 NWBK 6016 1331 93", "GB29 NWBK 6016 1331 927", "GB29 NWBK 6016 1331"]),
    ("Running order RO-4412.md", ["Running order RO-4412.csv", "Running order RO-44121", "Running order RO-4412-B"]),
    ("notes.md", ["my notes"]),
    ("restaurants", ["rest au rants"]),
    ("上海", ["北京"]),
    ("Žofie O'Neil", ["Ofie O Neil", "Jožofie O'Neil"]),
    ("Tomasz Balogun", ["Balogun and Tomasz"]),
    ("itm_3fa9c1", ["itm_3fa9c199", "itm_3fa9c1_2"]),
    ("ada@alder.example", ["ada@alder.example.com", "x.ada@alder.example"]),
]


def holds(world: World, value: Any, words: str) -> bool:
    """Whether the condition holds for a text."""
    condition = says("t.said", value).replace(":", "\\:").replace("says(", "compoworld_here.says(")
    with world.database.transaction() as connection:
        found: bool = connection.execute(
            text(f"SELECT {condition} FROM (SELECT CAST(:words AS text) AS said) t"), {"words": words}
        ).scalar_one()
    return found


@pytest.mark.parametrize(("value", "texts"), SAID, ids=lambda item: str(item) if not isinstance(item, list) else "")
def test_said(world: World, value: Any, texts: list[str]) -> None:
    assert [words for words in texts if not holds(world, value, words)] == []


@pytest.mark.parametrize(("value", "texts"), NOT_SAID, ids=lambda item: str(item) if not isinstance(item, list) else "")
def test_not_said(world: World, value: Any, texts: list[str]) -> None:
    assert [words for words in texts if holds(world, value, words)] == []


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("EUR1111.25 EUR2222.50", 2),
        ("1,234.50 and 7", 2),
        ("INV-2041 of 2026-03-09", 0),
        ("1, 2, 3, 4", 4),
        ("1,2,3,4", 2),
    ],
)
def test_numbers_in(world: World, words: str, count: int) -> None:
    with world.database.transaction() as connection:
        found = connection.execute(text("SELECT compoworld_here.numbers_in(:words)"), {"words": words}).scalar_one()
    assert found == count


@pytest.mark.parametrize(
    ("words", "kind", "count"),
    [
        ("EUR1111.25, USD 2,222.50 and 7; 7 again, 5'967.50", "number", 4),
        ("on 9 March 2026 at 14:30, 2026-03-10, March 11th, 12.03. and 13/3 at 2 pm, 3.30 p.m., 14h30", "number", 0),
        ("on 9 March 2026 at 14:30, 2026-03-10, March 11th, 12.03. and 13/3 at 2 pm", "date", 5),
        ("2026-03-09T14:30:00+00:00 or 2026-03-09T15:30:00Z", "date", 2),
        ("2026-03-09T14:30:00+00:00 or 2026-03-09T15:30:00Z", "code", 0),
        ("INV-2041, inv-2041, KX-6, tkt_321e1b2a34a9, v7.86.0 and EUR12", "code", 4),
        ("INV-2041, KX-6, tkt_321e1b2a34a9, SO-12-4", "number", 0),
        ("none of the above", "number", 0),
        ("ring +44-1632-962109 or +1 206 555 0101", "number", 0),
        ("ring +44-1632-962109 or +1 206 555 0101", "code", 2),
        ("1, 2, 3, 4", "number", 4),
    ],
)
def test_values_in(world: World, words: str, kind: str, count: int) -> None:
    with world.database.transaction() as connection:
        found = connection.execute(
            text("SELECT compoworld_here.values_in(:words, :kind)"), {"words": words, "kind": kind}
        ).scalar_one()
    assert found == count


def test_nothing_says_nothing(world: World) -> None:
    with world.database.transaction() as connection:
        for value in ("14", "date '2026-03-09'", "time '08:30'", "'Alder'"):
            found = connection.execute(text(f"SELECT compoworld_here.says(NULL, {value})".replace(":30", r"\:30")))
            assert found.scalar_one() is False
