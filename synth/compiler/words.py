"""Names taken apart: words, verbs and what they do to the state, nouns in the singular."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import inflect

Kind = Literal["create", "get", "list", "update", "put", "delete", "add", "remove", "act", "copy", "count", "unknown"]

_KINDS: dict[str, str] = {
    "create": "create new make register post send submit insert invite schedule import append reply log publish_new"
    " upload attach broadcast push draft generate_new request store_new provision book place open_new instantiate"
    " forward",
    "add": "add assign associate link grant",
    "remove": "remove unassign disassociate unlink detach",
    "get": "get retrieve retrive fetch read show describe view lookup info details load",
    "list": "list search find query browse enumerate filter listall",
    "update": "update edit patch modify change replace rename set_field adjust revise configure reorder move transfer"
    " reschedule",
    "put": "set put save upsert store write",
    "delete": "delete del destroy erase unregister revoke discard deregister drop purge",
    "copy": "duplicate copy clone fork",
    "count": "count",
}
KINDS: dict[str, Kind] = {word: kind for kind, words in _KINDS.items() for word in words.split()}  # type: ignore[misc]

STATES: dict[str, tuple[str, bool | str]] = {
    "archive": ("archived", True),
    "unarchive": ("archived", False),
    "pin": ("pinned", True),
    "unpin": ("pinned", False),
    "star": ("starred", True),
    "unstar": ("starred", False),
    "lock": ("locked", True),
    "unlock": ("locked", False),
    "enable": ("enabled", True),
    "disable": ("enabled", False),
    "activate": ("active", True),
    "deactivate": ("active", False),
    "publish": ("published", True),
    "unpublish": ("published", False),
    "mute": ("muted", True),
    "unmute": ("muted", False),
    "follow": ("followed", True),
    "unfollow": ("followed", False),
    "watch": ("watched", True),
    "unwatch": ("watched", False),
    "subscribe": ("subscribed", True),
    "unsubscribe": ("subscribed", False),
    "trash": ("trashed", True),
    "untrash": ("trashed", False),
    "restore": ("trashed", False),
    "suspend": ("suspended", True),
    "unsuspend": ("suspended", False),
    "block": ("blocked", True),
    "unblock": ("blocked", False),
    "approve": ("status", "approved"),
    "unapprove": ("status", "pending"),
    "reject": ("status", "rejected"),
    "decline": ("status", "declined"),
    "accept": ("status", "accepted"),
    "cancel": ("status", "cancelled"),
    "close": ("status", "closed"),
    "reopen": ("status", "open"),
    "complete": ("status", "completed"),
    "finish": ("status", "finished"),
    "finalize": ("status", "finalized"),
    "start": ("status", "started"),
    "stop": ("status", "stopped"),
    "pause": ("status", "paused"),
    "resume": ("status", "running"),
    "resolve": ("status", "resolved"),
    "merge": ("status", "merged"),
    "verify": ("status", "verified"),
    "confirm": ("status", "confirmed"),
    "dismiss": ("status", "dismissed"),
    "snooze": ("status", "snoozed"),
    "expire": ("status", "expired"),
    "end": ("status", "ended"),
    "void": ("status", "void"),
    "join": ("joined", True),
    "leave": ("joined", False),
    "mark": ("status", ""),  # the word behind the noun says what it is marked as
}
"""What an action does: the field that it sets and the value. A status is set where the entity has one."""

_PREPOSITIONS = {"to", "from", "in", "for", "of", "on", "by", "with", "into", "at", "as", "via", "across", "under"}
_FILLERS = {
    "a", "an", "the", "all", "my", "me", "self", "current", "active", "default", "new", "available", "latest",
    "recent", "next", "single", "multiple", "specific", "bulk", "batch", "many", "api", "controller", "v1", "v2", "v3",
    "is", "it", "and", "or", "effective", "permanent", "permanently", "deactivated", "deleted", "archived", "detail",
    "details", "info", "information", "id", "ids", "paginated",
}  # fmt: skip
_RESTRICTING = {
    "current", "active", "inactive", "default", "latest", "recent", "next", "previous", "upcoming", "overdue", "past",
    "deactivated", "deleted", "archived", "completed", "incomplete", "pending", "unread", "starred", "pinned",
    "unassigned", "unresolved", "expired", "trashed", "cancelled", "enabled", "disabled", "published", "unpublished",
    "favorite", "trending", "popular", "random", "last", "recently",
}  # fmt: skip
"""Words before a noun that speak of some of its rows."""
_UNCHANGED = {
    "data", "metadata", "sms", "dns", "gas", "bus", "canvas", "lens", "https", "analysis", "kubernetes", "news",
    "media", "series", "status", "analytics", "access", "address", "process", "class", "business", "progress",
    "alias", "basis", "css", "js", "os", "aws", "gps", "previous", "tls", "ssl", "mms", "sla", "rss", "pos",
}  # fmt: skip

_IRREGULAR = {
    "indices": "index",
    "matrices": "matrix",
    "vertices": "vertex",
    "appendices": "appendix",
    "leaves": "leave",
}
"""What inflect has otherwise."""

_IDENTIFYING = {"id", "gid", "key", "uuid", "sid", "slug", "number"}

_PAIRS = {("sign", "in"), ("sign", "out"), ("sign", "up"), ("log", "in"), ("log", "out"), ("check", "in"),
          ("opt", "out"), ("opt", "in"), ("add", "on"), ("follow", "up"), ("built", "in"),
          ("sub", "task"), ("send", "as")}  # fmt: skip


def split(name: str) -> list[str]:
    """The words of a name, in lower case: ``getHTTPUser-list_2`` gives get, http, user, list, 2."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name.replace("OAuth", "Oauth"))
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", spaced)
    words = [word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word]
    for index in range(len(words) - 1, 0, -1):
        if (words[index - 1], words[index]) in _PAIRS:
            words[index - 1 : index + 1] = [words[index - 1] + words[index]]
    return words


@cache
def _engine() -> inflect.engine:
    return inflect.engine()


@cache
def singular(word: str) -> str:
    """A noun in the singular: ``stories`` gives story."""
    if word in _UNCHANGED or len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    found = _IRREGULAR.get(word) or _engine().singular_noun(word)
    return str(found) if found else word


def is_plural(word: str) -> bool:
    """Whether a noun is in the plural."""
    return singular(word) != word


@dataclass(frozen=True)
class Reading:
    """What a tool's name says.

    Attributes:
        verb: the word that says what is done; empty where none does.
        kind: what that does to the state.
        noun: words of the thing, in the singular.
        plural: whether the name speaks of several.
        of: words of the thing that it belongs to or is joined with (``to``, ``in``, ``for`` ...), in the singular.
        by: words behind ``by``: what it is looked up by.
        about_me: whether it speaks of the caller (``me``, ``self``, ``current user``).
        many: whether it is done to a batch.
        only: words before the noun that speak of some rows: ``current``, ``archived``.
    """

    verb: str
    kind: Kind
    noun: tuple[str, ...]
    plural: bool
    of: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    about_me: bool = False
    many: bool = False
    only: tuple[str, ...] = ()


def without_prefix(names: Sequence[str]) -> list[list[str]]:
    """The words of each tool's name without the words that most of a server's names begin with."""
    found = [split(name) for name in names]
    while len(found) > 2:
        word, times = Counter(words[0] for words in found if words).most_common(1)[0]
        if times < 0.6 * len(found) or word in KINDS or word in STATES:
            break
        shorter = [words[1:] if words[:1] == [word] and _says_what(words[1:]) else words for words in found]
        if shorter == found:
            break
        found = shorter
    return found


def _says_what(words: Sequence[str]) -> bool:
    return any(word not in KINDS and word not in STATES for word in words)


def read_words(words: Sequence[str]) -> Reading:
    """Read the words of a tool's name.

    The verb stands first (``create_task``), last (``tasks_create``) or behind the nouns that it belongs to
    (``stories-get-history``).
    """
    words = list(words)
    at = _verb_at(words)
    if at is None:
        noun, of, by = _phrases(words)
        return Reading("", "unknown", noun, bool(words) and is_plural(words[-1]), of, by, _about_me(words))
    verb = words[at]
    kind: Kind = KINDS.get(verb, "act")
    before, after = words[:at], words[at + 1 :]
    many = any(word in ("batch", "bulk", "multiple", "many") for word in words)
    rest = [*before, *after]
    only = () if kind == "create" else _only(rest)
    noun, of, by = _phrases([word for word in rest if word not in only])
    head = _head(rest)
    plural = bool(head) and is_plural(head[-1])
    if kind == "get" and (plural or "all" in rest) and (not by or set(by) - _IDENTIFYING):
        kind = "list"
    if kind in ("get", "list") and "count" in rest:
        kind = "count"
    return Reading(verb, kind, noun, plural or many, of, by, _about_me(words), many, only)


def _verb_at(words: list[str]) -> int | None:
    def is_verb(word: str) -> bool:
        return word in KINDS or word in STATES

    if not words:
        return None
    if is_verb(words[0]):
        return 0
    plain = ("create", "get", "list", "update", "delete", "add", "remove", "search", "set", "send")
    middle = next((index for index, word in enumerate(words[1:-1], 1) if word in plain), None)
    if middle is not None:
        return middle  # ``permanent_delete_event``, ``calendar_get_schedule``
    if len(words) > 1 and is_verb(words[-1]) and words[-2] not in _PREPOSITIONS:
        return len(words) - 1  # ``event_list``
    return next((index for index, word in enumerate(words[1:-1], 1) if is_verb(word)), None)


def _head(words: Sequence[str]) -> list[str]:
    """The words up to the first preposition, without fillers."""
    cut = next((index for index, word in enumerate(words) if word in _PREPOSITIONS), len(words))
    return [word for word in words[:cut] if word not in _FILLERS]


def _only(words: Sequence[str]) -> tuple[str, ...]:
    """The words that speak of some rows only; the last word before a preposition is the noun itself."""
    cut = next((index for index, word in enumerate(words) if word in _PREPOSITIONS), len(words))
    found = [word for word in words[:cut] if word in _RESTRICTING]
    plain = [word for word in words[:cut] if word not in _RESTRICTING and word not in _FILLERS]
    return tuple(found) if plain else ()


def _phrases(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    parts: dict[str, list[str]] = {"noun": [], "of": [], "by": []}
    where = "noun"
    for word in words:
        if word in _PREPOSITIONS:
            where = "by" if word == "by" else "of"
        elif (word not in _FILLERS or where == "by") and word:
            parts[where].append(singular(word))
    if not parts["noun"]:
        # Of ``get_api`` and ``update_object_by_id`` nothing else is left.
        cut = next((index for index, word in enumerate(words) if word in _PREPOSITIONS), len(words))
        parts["noun"] = [singular(word) for word in words[:cut] if word not in ("all", "a", "an", "the", "my", "me")][
            -1:
        ]
    return _once(parts["noun"]), _once(parts["of"]), _once(parts["by"])


def _once(words: list[str]) -> tuple[str, ...]:
    """The words, each once: ``chat chat`` (of ``ChatsController_deleteChat``) gives chat."""
    return tuple(dict.fromkeys(words))


def _about_me(words: Sequence[str]) -> bool:
    joined = " ".join(words)
    return bool(
        re.search(r"\b(me|self|viewer|whoami|myself)\b|\bcurrent user\b|\bmy profile\b|\busers? current$", joined)
    )
