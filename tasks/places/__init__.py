"""Places: what the services of the library offer to scenarios. One module per service."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import TypeVar

from tasks.places.base import Entry, Message, Note

_Offer = TypeVar("_Offer", Note, Message, Entry)


def _offered(kind: type[_Offer], name: str) -> Mapping[str, _Offer]:
    modules = (import_module(f"{__name__}.{item.name}") for item in pkgutil.iter_modules(__path__))
    offers = (vars(module).get(name) for module in modules)
    return {offer.service: offer for offer in offers if isinstance(offer, kind)}


NOTES: Mapping[str, Note] = _offered(Note, "NOTE")  # type: ignore[type-abstract]
"""Places of texts, by service: the object ``NOTE`` of each module."""

MESSAGES: Mapping[str, Message] = _offered(Message, "MESSAGE")  # type: ignore[type-abstract]
"""Ways to tell somebody something, by service: the object ``MESSAGE`` of each module."""

ENTRIES: Mapping[str, Entry] = _offered(Entry, "ENTRY")  # type: ignore[type-abstract]
"""Places of new records, by service: the object ``ENTRY`` of each module."""

__all__ = ["ENTRIES", "MESSAGES", "NOTES", "Entry", "Message", "Note"]
