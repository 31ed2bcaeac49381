"""Is the instruction one that a person could have written, and does it agree with s0 and the calendar?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from engine.kit.cast import COLLEAGUES, COMPANIES, CONTACTS, HOME_COMPANY
from tasks.admission.evidence import Evidence, concluded
from tasks.admission.ground import Ground
from tasks.admission.occurrences import DAYS, MONTHS, leaves, occurs

SHORTEST, LONGEST = 60, 2_000

_MADE_ID = re.compile(r"\b[a-z]{2,}_[0-9a-f]{12}\b")
_TOKEN = re.compile(r"[\w#/.@-]*\w")
_LEFT_OVER = re.compile(r"\{[^{}\n]*\}|\$\{?\w*\}|\[\[|<[a-z][a-z_ ]*>|\b(?:None|NaN|undefined|TODO|TBD|Lorem)\b")
_MACHINERY = re.compile(
    r"\b(?:tool calls?|meta-?tools?|API calls?|endpoints?|database|primary key)\b|\bstep \d+ ?[:.)]",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_HANDLE = re.compile(r"(?<![\w.@])@([a-z][\w.-]*\w)", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{3,120})[\"”“»]")

_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in MONTHS)
_DAY = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in DAYS)
_DATE = (
    rf"(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m1>{_MONTH})\b\.?"
    rf"|(?P<m2>{_MONTH})\.? (?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))(?:,? (?P<y>20\d\d))?"
    r"|(?P<iso>20\d\d-\d\d-\d\d)"
)
_DATED = re.compile(rf"(?:(?P<weekday>\b{_DAY})\b\.?,? (?:the )?)?(?:{_DATE})")
_COMING = re.compile(r"(?:\bby|\bno later than|\bcoming|\bnext)(?: end of)?(?: the)?(?: \w+day,?)? $", re.IGNORECASE)

_CAPITALISED = r"[A-ZÀ-ÖØ-Þ][\w’'À-ÿ-]*"
_RUN = re.compile(rf"{_CAPITALISED}(?: (?:& |of (?=[A-Z]))?{_CAPITALISED})+")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]['\"”)]?|[-–—•*(“\"]|\n)\s*$")
_PLAIN_WORDS = {*MONTHS, *(name[:3] for name in MONTHS), *DAYS, *(name[:3] for name in DAYS), "I", "I'm", "I've", "I'd"}

_KNOWN_NAMES = {
    word
    for name in (*(item.name for item in (*COLLEAGUES, *CONTACTS)), *(item.name for item in COMPANIES))
    for word in name.split()
}


def examine(ground: Ground) -> Evidence:
    """Check 8: the instruction has no leaked identifiers, no contradictions, and what it names can be found."""
    text = ground.task.task.instruction
    findings = [
        *_form(text),
        *_identifiers(ground, text),
        *_addresses(ground, text),
        *_dates(text, ground.task.task.start.date()),
        *_names(ground, text),
    ]
    shown_by = f"{len(text.split())} words; no identifiers, dates agree with the calendar, every name is found"
    return concluded("instruction", shown_by, findings, {"characters": len(text), "words": len(text.split())})


def _form(text: str) -> Iterator[str]:
    if not SHORTEST <= len(text) <= LONGEST:
        yield f"the instruction has {SHORTEST} to {LONGEST:,} characters, this one {len(text)}"
    for match in _LEFT_OVER.finditer(text):
        yield f"the instruction holds {match[0]!r}, which was left over where a value should stand"
    if spaces := re.search(r"\S(  +)\S", text):
        yield f"the instruction has {len(spaces[1])} spaces in a row at {_around(text, spaces.start())!r}"
    if stop := re.search(r"\s[,.;!?](?:\s|$)", text):
        yield f"the instruction has a space before a stop at {_around(text, stop.start())!r}"
    if doubled := re.search(r"\b(\w+) \1\b", text, re.IGNORECASE):
        yield f"the instruction says {doubled[0]!r}: a word is doubled"


def _identifiers(ground: Ground, text: str) -> Iterator[str]:
    keys = {key: table for table, rows in ground.s0.items() for key in rows if _is_technical(key)}
    for token in dict.fromkeys(_TOKEN.findall(text)):
        if token in keys:
            yield f"the instruction gives away {token!r}, the key of a row of {keys[token]}: name it as a person would"
        elif _MADE_ID.fullmatch(token):
            yield f"the instruction holds {token!r}, which looks like an identifier made in a run"
    names = {
        name
        for service in ground.task.composition.services.values()
        for name in service.tools
        if "_" in name
    }  # fmt: skip
    for token in dict.fromkeys(re.findall(r"\w+", text)):
        if token in names:
            yield f"the instruction names the tool {token!r}: say what is wanted, not how"
    for match in _MACHINERY.finditer(text):
        yield f"the instruction says {match[0]!r}, as nobody at work would: say what is wanted, not how"


def _is_technical(key: str) -> bool:
    return "@" not in key and ("_" in key or (key.isdigit() and len(key) >= 6))


def _addresses(ground: Ground, text: str) -> Iterator[str]:
    for address in dict.fromkeys(_ADDRESS.findall(text)):
        if address.lower() not in ground.seen.words:
            yield f"nobody in s0 has the address {address}"
    handles = {person.handle for person in (*COLLEAGUES, *CONTACTS)}
    for handle in dict.fromkeys(_HANDLE.findall(text)):
        if handle.lower() not in handles and not occurs(ground.seen.words, handle):
            yield f"nobody in s0 has the handle @{handle}"


def _dates(text: str, start: date) -> Iterator[str]:
    text = " ".join(text.split())
    for match in _DATED.finditer(text):
        day = _day(match, start)
        if day is None:
            yield f"the instruction says {match[0]!r}: there is no such day"
            continue
        weekday = match["weekday"]
        if weekday and not DAYS[day.weekday()].startswith(weekday[:3]):
            yield f"the instruction says {match[0]!r}, but {day:%-d %B %Y} is a {DAYS[day.weekday()]}"
        before = _COMING.search(text[: match.start()])
        if before and day < start:
            yield (
                f"the instruction says {before[0].strip() + ' ' + match[0]!r} as something to come, but the task "
                f"begins on {start:%-d %B %Y}"
            )


def _day(match: re.Match[str], start: date) -> date | None:
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        number = int(match["d1"] or match["d2"])
        month = [name[:3] for name in MONTHS].index((match["m1"] or match["m2"])[:3]) + 1
        if match["y"]:
            return date(int(match["y"]), month, number)
        # Without a year the day is the nearest one.
        years = (start.year, start.year - 1, start.year + 1)
        days = [date(year, month, number) for year in years if _is_day(year, month, number)]
        return min(days, key=lambda day: abs(day - start)) if days else None
    except ValueError:
        return None


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        return date(year, month, day) + timedelta(0) is not None
    except ValueError:
        return False


def _names(ground: Ground, text: str) -> Iterator[str]:
    told = {" ".join(str(leaf).split()).lower() for call in ground.calls for leaf in leaves(call.arguments)}
    cast = " \n".join([HOME_COMPANY, *_cast_words()]).lower()
    haystacks = (ground.seen.words, cast, "\n".join(sorted(told)))

    def known(name: str) -> bool:
        wanted = name.lower().strip(" .,!?;:")
        return any(occurs(words, wanted) for words in haystacks) or _in_one_row(ground, wanted.split())

    flat = " ".join(text.split())
    services = {word for service in ground.task.composition.services.values() for word in service.title.split()}
    quoted = [match[1].strip() for match in _QUOTED.finditer(flat)]
    for title in dict.fromkeys(quoted):
        if not known(title):
            yield f"the instruction quotes {title!r}, which stands nowhere in s0 and is not what the solution writes"
    for run in dict.fromkeys(_proper_names(_QUOTED.sub(" . ", flat), services)):
        if not known(run):
            yield f"the instruction names {run!r}, which stands nowhere in s0"


def _cast_words() -> Iterator[str]:
    for person in (*COLLEAGUES, *CONTACTS):
        yield from (person.name, person.title, person.team, person.company)
    for company in COMPANIES:
        yield from (company.name, company.city)


def _proper_names(text: str, services: set[str]) -> Iterator[str]:
    """Runs of at least two capitalised words, without the word that a sentence begins with."""
    for match in _RUN.finditer(text):
        words = [re.sub(r"[’']s?$", "", word) for word in match[0].split()]
        if _SENTENCE_START.search(text[: match.start()]):
            words = words[1:]
        part: list[str] = []
        for word in [*words, "I"]:
            if word in _PLAIN_WORDS or word in services or (word.isupper() and len(word) > 1):
                while part and not part[-1][0].isupper():
                    part.pop()
                if len(part) > 1 and part[0][0].isupper():
                    yield " ".join(part)
                part = []
            elif part or word[0].isupper():
                part.append(word)


def _in_one_row(ground: Ground, words: list[str]) -> bool:
    return len(words) > 1 and any(
        all(occurs(row, word) for word in words) for rows in ground.seen.texts.values() for row in rows.values()
    )


def _around(text: str, place: int) -> str:
    return " ".join(text[max(0, place - 15) : place + 15].split())


def distinctive(text: str) -> list[str]:
    """What in a text singles things out: capitalised words inside sentences, quoted titles, numbers, addresses."""
    flat = " ".join(text.split())
    found: dict[str, Any] = {}
    for match in _QUOTED.finditer(flat):
        found.setdefault(match[1].strip().lower())
    flat = _QUOTED.sub(" . ", flat)
    for match in _ADDRESS.finditer(flat):
        found.setdefault(match[0].lower())
    for match in re.finditer(rf"(?<![\w@]){_CAPITALISED}", flat):
        word = re.sub(r"[’']s?$", "", match[0])
        begins = _SENTENCE_START.search(flat[: match.start()]) and word not in _KNOWN_NAMES
        if word not in _PLAIN_WORDS and len(word) > 1 and not begins:
            found.setdefault(word.lower())
    for match in re.finditer(r"(?<![\w.,-])[\w-]*\d[\w.,-]*(?<![.,-])", flat):
        found.setdefault(match[0].lower())
    return list(found)
