"""Values that a key of this name would be given: dates, addresses, amounts, plain words. Deterministic."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import jsonschema_rs

from engine.kit.fields import MAX_TEXT
from synth.attack.reading import words
from synth.attack.vocabulary import ordered, vocabulary
from synth.runtime.patterns import text_of

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""Where the logical clock of the standard seed data starts."""

_LATE = vocabulary("late")
_EARLY = vocabulary("early")

_EXAMPLE = re.compile(r"(?:such as|e\.g\.,?|for example:?|example:|like)\s+[\"'`(]?([^\s\"'`,;)]+)", re.IGNORECASE)
_QUOTED = re.compile(r"(?<!\w)([\"'`])([^\"'`\n]{1,60})\1(?!\w)")

_WORDS: dict[str, tuple[Any, ...]] = {
    "email": ("ada.quill@example.com", "bo.tern@example.org"),
    "mail": ("ada.quill@example.com",),
    "phone": ("+12065550199", "+44 20 7946 0958"),
    "mobile": ("+12065550199",),
    "url": ("https://example.com/page", "https://example.org/"),
    "link": ("https://example.com/page",),
    "uri": ("https://example.com/page",),
    "website": ("https://example.com/",),
    "domain": ("quill.example", "example.com"),
    "currency": ("USD", "EUR", "usd"),
    "country": ("US", "GB", "DE", "United States"),
    "language": ("en", "de"),
    "locale": ("en_US", "en-GB"),
    "zone": ("Europe/London", "UTC", "America/New_York"),
    "timezone": ("Europe/London", "UTC", "America/New_York"),
    "color": ("#3366cc", "blue", "red"),
    "colour": ("#3366cc", "blue"),
    "emoji": ("thumbsup", ":thumbsup:", "👍"),
    "zip": ("98101", "10001"),
    "postcode": ("98101", "SW1A 1AA"),
    "postal": ("98101",),
    "city": ("Seattle", "Leeds"),
    "state": ("WA", "open"),
    "street": ("12 Alder Road",),
    "address": ("12 Alder Road, Seattle", "ada.quill@example.com"),
    "filename": ("summary.txt",),
    "file": ("summary.txt",),
    "path": ("notes/summary.txt", "/notes/summary.txt"),
    "cron": ("0 9 * * 1",),
    "uuid": ("6f1c2c1e-5b1f-4d7a-9f3e-2b8f6a1d0c55",),
    "ip": ("192.0.2.10",),
    "handle": ("ada-quill", "quill"),
    "slug": ("ada-quill",),
    "username": ("ada.quill",),
    "password": ("Correct-Horse-7",),
    "latitude": (47.6,),
    "longitude": (-122.3,),
    "expression": ("2 + 3 * 4",),
    "sql": ("SELECT 1",),
    "query": ("a", "plan"),
    "json": ("{}",),
    "version": ("1.0.0",),
    "branch": ("main",),
    "mime": ("text/plain",),
    "media": ("text/plain",),
    "ledger": ("main",),
}
_FORMATS: dict[str, tuple[str, ...]] = {
    "email": ("ada.quill@example.com", "bo.tern@example.org"),
    "idn-email": ("ada.quill@example.com",),
    "uri": ("https://example.com/page",),
    "url": ("https://example.com/page",),
    "uri-reference": ("/page",),
    "iri": ("https://example.com/page",),
    "uuid": ("6f1c2c1e-5b1f-4d7a-9f3e-2b8f6a1d0c55", "0d0f8a52-93a4-4c2e-8f55-6e1b7c9d2a11"),
    "time": ("09:30:00Z", "09:30:00"),
    "hostname": ("host.example.com",),
    "ipv4": ("192.0.2.10",),
    "ipv6": ("2001:db8::1",),
    "duration": ("PT30M",),
    "json-pointer": ("/a",),
    "regex": ("a+",),
    "binary": ("AAEC",),
    "byte": ("AAEC",),
}


@dataclass
class Samples:
    """Values by name, type and format.

    Attributes:
        now: the service's own time, as far as it is known.
        reading: values are for a tool that reads: spans of time are wide then.
    """

    rng: random.Random
    now: datetime = START
    count: int = 0

    def texts(self, key: str, schema: dict[str, Any], reading: bool) -> list[str]:
        """Texts for a key, the likeliest first."""
        found: list[str] = []
        form = schema.get("format")
        key_words = words(key)
        if form in ("date-time", "datetime"):
            found += [_moment(item) for item in self.moments(key_words, reading)]
        elif form == "date":
            found += [item.date().isoformat() for item in self.moments(key_words, reading, days=True)]
        elif isinstance(form, str):
            found += _FORMATS.get(form, ())
        if isinstance(schema.get("pattern"), str):
            found += self.matching(schema["pattern"])
        description = str(schema.get("description") or "")
        for word in reversed(key_words):
            found += [str(item) for item in _WORDS.get(word, ())]
        if not form and self._timely(key_words, description):
            for item in self.moments(key_words, reading):
                found += [_moment(item), item.date().isoformat()]
            found += ["09:30", "10:30"] if "time" in key_words else []
        found += self.words(key, schema)
        return list(dict.fromkeys(found))

    @staticmethod
    def _timely(key_words: list[str], description: str) -> bool:
        return bool(_TIMELY & set(key_words)) or bool(re.search(r"ISO ?8601|RFC ?3339|YYYY-MM-DD", description))

    def words(self, key: str, schema: dict[str, Any]) -> list[str]:
        """Plain words, new each time, within the bounds of the schema; none where they would be endlessly long."""
        self.count += 1
        least, most = int(schema.get("minLength") or 0), schema.get("maxLength")
        if least > MAX_TEXT:
            return []
        name = " ".join(words(key)) or "text"
        options = [
            f"{name.capitalize()} {_TREES[self.count % len(_TREES)]} {self.count}",
            f"{_TREES[self.count % 7]}{self.count}",
        ]
        out = []
        for option in options:
            text = (
                option if len(option) >= least else (option + " " + "lorem ipsum " * (least // 12 + 1))[: max(least, 1)]
            )
            out.append(text if most is None else text[: int(most)])
        return out

    def matching(self, pattern: str) -> list[str]:
        """Texts that match a pattern, where one can be made."""
        made = [text_of(pattern, self.rng) for _ in range(4)]
        found = [re.sub(r"[^\x20-\x7e]", "a", text)[:200] for text in made if text is not None]
        try:
            # Not Python's ``re``: the pattern is anybody's, and this is how the engine checks it.
            validator = jsonschema_rs.validator_for({"type": "string", "pattern": pattern})
        except (ValueError, jsonschema_rs.ValidationError):
            return found
        word = f"lark-{self.count}"
        return [word, *found] if validator.is_valid(word) else found

    def moments(self, key_words: list[str], reading: bool, days: bool = False) -> list[datetime]:
        """Instants for a key: spans are wide for tools that read, and in the near future for others."""
        late, early = bool(_LATE & set(key_words)), bool(_EARLY & set(key_words))
        morning = (self.now + timedelta(days=1)).replace(hour=10, minute=0, second=0, microsecond=0)
        if reading:
            steps = [timedelta(days=30), timedelta(days=1), timedelta(days=300)]
            return [self.now + item for item in steps] if late else [self.now - item for item in steps]
        later = timedelta(days=2) if days else timedelta(hours=1)
        found = [morning, morning + timedelta(days=6), morning + timedelta(days=60), self.now - timedelta(days=2)]
        if late and not early:
            return [item + later for item in found]
        return found

    def numbers(self, key: str, schema: dict[str, Any]) -> list[int | float]:
        """Numbers within the bounds of the schema, small ones first."""
        whole = schema.get("type") == "integer"
        low, high = bounds(schema)
        found: list[int | float] = [5, 1, 2, 10, 30, 50, 100, 0, 1000, 60, 15]
        if not whole:
            found = [10.0, 12.5, 1.0, 100.0, 0.5, 0.0, 1000.0]
        if low is not None:
            found += [low, low + 1]
        if high is not None:
            found += [high, high - 1]
        step = schema.get("multipleOf")
        if isinstance(step, int | float) and step > 0:
            found = [round(item / step) * step for item in found] + [step]
        fitting = [item for item in found if (low is None or item >= low) and (high is None or item <= high)]
        return list(dict.fromkeys(int(item) if whole else item for item in fitting))


_TREES = ordered("trees")
_TIMELY = vocabulary("timely")


def examples(schema: dict[str, Any]) -> list[Any]:
    """Values that a schema itself names: examples, default, and those in its description."""
    found: list[Any] = []
    for name in ("examples", "example", "default"):
        value = schema.get(name)
        if value is not None and value != "":
            found += value if isinstance(value, list) and name == "examples" else [value]
    description = str(schema.get("description") or "")
    if schema.get("type") == "string":
        found += [item.rstrip(".") for item in _EXAMPLE.findall(description)]
        found += [item for _, item in _QUOTED.findall(description)]
        found += listed(description)
    return found


def listed(description: str) -> list[str]:
    """Choices that a description lists: ``One of: open, closed``."""
    found = re.search(
        r"(?:one of|options|values|allowed|valid|either)[^:]{0,30}:\s*([^.\n]+)", description, re.IGNORECASE
    )
    if not found:
        return []
    parts = re.split(r"[,|/]|\bor\b", found[1])
    cleaned = [re.sub(r"\(.*?\)", "", item).strip().strip("\"'`") for item in parts]
    return [item for item in cleaned if re.fullmatch(r"[\w-]{1,40}", item)]


def bounds(schema: dict[str, Any]) -> tuple[int | float | None, int | float | None]:
    """The least and the greatest number that a schema allows; exclusive bounds are moved by one (or a hundredth)."""
    step: int | float = 1 if schema.get("type") == "integer" else 0.01
    low, high = _number(schema.get("minimum")), _number(schema.get("maximum"))
    if (above := _number(schema.get("exclusiveMinimum"))) is not None:
        low = above + step if low is None else max(low, above + step)
    if (below := _number(schema.get("exclusiveMaximum"))) is not None:
        high = below - step if high is None else min(high, below - step)
    return low, high


def _number(value: Any) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _moment(value: datetime | date) -> str:
    return value.isoformat().replace("+00:00", "Z")
