"""The second wall: which SQL leaves the sandbox at all.

The first is the role, which can read and write the views of one service and nothing else. Yet every role of a server
may read the system's catalog, take advisory locks, store large objects and change its own settings. The code of a
service has no use for any of it: the kit sends plain statements on the service's own tables.
"""

from __future__ import annotations

import re
from functools import lru_cache

from engine.database import SETTINGS
from synth.sandbox.inside.names import DOORS

# Sent by the driver and by the engine's own code inside.
_KNOWN = {
    *(part.strip() for part in SETTINGS.split(";")),
    SETTINGS,
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "DEALLOCATE ALL",
    "select pg_catalog.version()",
    "select current_schema()",
    "show standard_conforming_strings",
    "show transaction isolation level",
    f"SELECT seq, logical_time, identity, transaction_id, built FROM {DOORS}.begin_call($1, $2)",
    f"SELECT {DOORS}.end_call($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
}

_SAVEPOINT = re.compile(r"(?:SAVEPOINT|RELEASE SAVEPOINT|ROLLBACK TO SAVEPOINT) [a-z_]+\d*|DEALLOCATE \"?_pg3_\w+\"?")

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<text>'(?:[^']|'')*')|(?P<quoted>\"(?:[^\"]|\"\")+\")|(?P<word>[^\W\d]\w*)"
    r"|(?P<number>\d[\w.]*)|(?P<parameter>\$\d+)|(?P<sign>[-+*/<>=~!@#%^&|?.,()\[\]:;])"
)

_BEGINNINGS = {"select", "insert", "update", "delete", "with"}

_REFUSED = re.compile(
    r"pg_\w*|lo_\w*|lo(?:read|write)|\w*to_xml\w*|dblink\w*|set_config|current_setting|nextval|setval|currval|lastval"
    r"|ts_stat|ts_rewrite|compoworld\w*|comp_\d+|information_schema|\w*__rows|has_\w+_privilege|txid_\w*"
    r"|inet_(?:server|client)\w*|reg(?:class|proc|procedure|role|namespace|type|oper|config)",
    re.IGNORECASE,
)
"""Words that no statement of the kit holds outside of a quoted name."""

_REFUSED_QUOTED = re.compile(
    r"pg_\w*|lo_\w*|\w*to_xml\w*|dblink\w*|set_config|current_setting|nextval|setval|ts_stat|ts_rewrite|compoworld\w*"
    r"|comp_\d+|information_schema|\w*__rows",
    re.IGNORECASE,
)


@lru_cache(4096)
def refusal(statement: str) -> str | None:
    """Why a statement is not passed on, in at most 60 characters; ``None``: it is."""
    plain = statement.strip().rstrip(";").strip()
    if plain in _KNOWN or _SAVEPOINT.fullmatch(plain):
        return None
    before = ""
    first = True
    place = 0
    while place < len(plain):
        found = _TOKEN.match(plain, place)
        if found is None or plain.startswith(("--", "/*"), place):
            return "only plain statements on the service's own tables"
        place = found.end()
        kind, token = found.lastgroup, found.group()
        if kind == "space":
            continue
        escaped = plain[found.start() - 1 : found.start()] == "&"
        if kind == "quoted" and (escaped or _REFUSED_QUOTED.fullmatch(token[1:-1])):
            return f"it may not use {token[1:30]}"
        if kind == "sign" and token == ";":
            return "one statement at a time"
        if kind == "word":
            word = token.lower()
            if first and word not in _BEGINNINGS:
                return f"it may not {word[:30]}"
            if word == "into" and before != "insert":
                return "it may not make tables"
            if _REFUSED.fullmatch(word) or (word in ("e", "u") and plain[place : place + 1] in ("'", "&")):
                return f"it may not use {word[:30]}"
            before = word
        first = False
    return None
