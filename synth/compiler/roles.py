"""What a parameter is for: a page, a search, a display option, a condition, or a value."""

from __future__ import annotations

import re
from collections.abc import Mapping

from synth.compiler.parameters import Parameter
from synth.compiler.words import split

_LIMITS = {
    "limit", "pagesize", "perpage", "maxresults", "count", "first", "pagelen", "size", "top", "maxitems", "take",
    "maxrecords", "numresults", "pagelimit", "max", "num", "resultlimit", "maxcount", "resultsperpage", "itemsperpage",
}  # fmt: skip
_CURSORS = {
    "cursor", "after", "pagetoken", "nextcursor", "nexttoken", "startcursor", "nextpagetoken", "paginationtoken",
    "continuationtoken", "pagingtoken", "offset", "page", "startafter", "marker",
}  # fmt: skip
_OFFSETS = {"offset", "skip", "start", "startat", "startindex", "from", "startposition"}
_PAGES = {"page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage"}
_SEARCHES = {
    "q", "query", "search", "searchterm", "searchquery", "text", "keyword", "keywords", "term", "searchtext",
    "namecontains", "searchstring", "contains", "querystring",
}  # fmt: skip
_SHOWN = {
    "fields", "optfields", "select", "expand", "verbose", "format", "pretty", "full", "view", "detail", "details",
    "detailed", "responseformat", "prettyprint", "fetchall", "all", "displayvalue", "optpretty", "highlight",
    "fulldetails", "compact", "raw", "embed", "truncate", "summary", "properties", "associations", "slim", "xmodel",
    "detaillevel", "projection", "outputformat", "display", "displaymode", "verbosity", "levelofdetail", "viewmode",
    "outputmode", "responsemode", "fieldset", "mask", "fieldmask", "resultformat", "resulttype", "summaryonly",
}  # fmt: skip
_SORTS = {
    "sort", "sortby", "orderby", "order", "sortorder", "direction", "sortdir", "orderdirection", "ordering",
    "sortfield", "sorting", "ascending", "sortascending", "reverse", "sortdirection", "descending",
}  # fmt: skip
_RANGES = ("before", "after", "since", "until", "gt", "gte", "lt", "lte", "min", "max", "greaterthan", "lessthan")
_RANGE_STARTS = ("before", "after", "since", "until", "min", "max", "from", "to", "start", "end", "older", "newer",
                 "oldest", "latest", "between")  # fmt: skip


def bare(name: str) -> str:
    """A name without case and signs: ``page_size`` and ``PageSize`` are the same."""
    return "".join(char for char in name.lower() if char.isalnum())


def paging(item: Parameter) -> str | None:
    """``limit``, ``cursor``, ``offset`` or ``page``, for a parameter that says which page of a list is wanted."""
    name = bare(item.name)
    number = item.type in ("integer", "number")
    if name in _LIMITS and (number or not item.type):
        return "limit"
    if name in _PAGES and number:
        return "page"
    if name in _OFFSETS and number:
        return "offset"
    if name in _CURSORS and item.type == "string" and "format" not in item.schema:
        return "cursor"
    return None


def searches(item: Parameter) -> bool:
    """Whether it is a text that must occur in what is found."""
    return item.type == "string" and not speaks(item) and bare(item.name) in _SEARCHES


def shows(item: Parameter) -> bool:
    """Whether it only says how the answer is shown."""
    name = bare(item.name)
    return item.type != "object" and (name in _SHOWN or name.startswith(("include", "with", "opt", "show", "return")))


_ONLY_SHOWN = {
    "detaillevel", "responseformat", "prettyprint", "pretty", "verbose", "verbosity", "optfields", "fieldmask",
    "outputformat", "outputmode", "responsemode", "resultformat",
}  # fmt: skip


def only_shows(item: Parameter) -> bool:
    """Whether it can be nothing but a display option, even of a tool that writes."""
    return bare(item.name) in _ONLY_SHOWN or bare(item.name).startswith(("include", "opt"))


def sorts(item: Parameter) -> bool:
    """Whether it says in which order things are wanted."""
    return bare(item.name) in _SORTS


def ranges(item: Parameter) -> bool:
    """Whether it bounds a value instead of being one: ``created_before``, ``since``, ``min_price``."""
    name = item.name.lower().replace("-", "_").replace(".", "_")
    parts = [part for part in name.split("_") if part]
    if not parts:
        return False
    joined = bare(item.name)
    return (
        parts[-1] in _RANGES
        or (len(parts) > 1 and parts[0] in _RANGE_STARTS)
        or joined in _RANGE_STARTS
        or joined.endswith(("before", "after", "since", "until"))
    )


_EXPRESSIONS = {
    "filter", "filters", "where", "spec", "jql", "formula", "expression", "condition", "conditions", "criteria",
    "filterbyformula", "compare", "querystring", "sysparmquery", "searchfilter", "filtergroups", "predicate",
}  # fmt: skip


_LANGUAGE = re.compile(
    r"query (language|format)|filter query|syntax|\bexpressions?\b|\boperators\b|\bmodifiers\b|\beq\b|\band/or\b"
    r"|\b(prom|graph|j|c|so|ga|k|a)ql\b|\bodata\b|\blucene\b|\bjmespath\b|\bjsonpath\b"
    r"|\b(from|to|is|has|in|label|subject|status|author):\w|['\"`]\w+[:=]\w",
    re.IGNORECASE,
)
"""What descriptions say of texts that are more than words to be found; ``'name=Ada'`` is an example of one."""
_NO_VALUES = {
    "all", "any", "both", "everything", "full", "summary", "detail", "details", "detailed", "brief", "minimal",
    "compact", "verbose", "concise",
}  # fmt: skip


def speaks(item: Parameter) -> bool:
    """Whether a text is in a language of its own, by its description: a query with operators, JQL."""
    return item.type in ("string", "") and bool(_LANGUAGE.search(str(item.schema.get("description", ""))[:2000]))


def no_value(choice: object) -> bool:
    """Whether a choice says how much is wanted rather than what a row holds: ``all``, ``summary``."""
    return isinstance(choice, str) and choice.lower() in _NO_VALUES


def chooses_all(item: Parameter) -> bool:
    """Whether one of its choices is no value of a row."""
    inner = item.schema.get("items")
    choices = item.schema.get("enum") or (inner.get("enum") if isinstance(inner, Mapping) else None)
    return isinstance(choices, list) and any(no_value(choice) for choice in choices)


def compound(item: Parameter) -> bool:
    """Whether it is more than a plain condition: ``members.not``, ``$filter``, an expression, or ``all`` of them."""
    return (
        bare(item.name) in _EXPRESSIONS
        or speaks(item)
        or chooses_all(item)
        or not item.name.replace("_", "").replace("-", "").isalnum()
        or item.name.lower().startswith(("exclude", "not_"))
    )


def semantic(item: Parameter) -> tuple[str, str]:
    """The semantic type of a column that holds a parameter's values, and its Python type."""
    form = item.schema.get("format")
    if item.type == "boolean":
        return "flag", "bool"
    if item.type == "integer":
        return "quantity", "int"
    if item.type == "number":
        return "ratio", "float"
    if item.type != "string":
        return "json", "Any"
    if form == "date":
        return "date", "date"
    if form == "date-time":
        return "datetime", "datetime"
    return text_semantic(item), "str"


_TEXTS = (
    ("email", {"email", "mail"}),
    ("phone", {"phone", "mobile", "telephone"}),
    ("url", {"url", "uri", "link", "website", "href", "domain", "hostname"}),
    ("currency", {"currency"}),
    ("company", {"company", "organization", "organisation", "vendor", "customer"}),
    ("person", {"assignee", "owner", "author", "creator", "reviewer", "requester", "firstname", "lastname", "person"}),
    ("place", {"city", "country", "location", "region", "timezone", "place"}),
    ("address", {"address", "street"}),
    ("status", {"status", "state", "stage"}),
    ("category", {"type", "kind", "category", "priority", "color", "level", "role", "visibility", "mode"}),
    ("title", {"title", "subject", "summary", "headline", "item", "topic"}),
    ("name", {"name", "label"}),
    ("code", {"code", "slug", "key", "token", "number", "sku", "version", "hash", "sha", "branch"}),
)


def text_semantic(item: Parameter) -> str:
    """What a text means to people, by the words of its parameter's name."""
    words = set(split(item.name))
    for found, signs in _TEXTS:
        if words & signs:
            return found
    return "code" if item.identifies else "text"
