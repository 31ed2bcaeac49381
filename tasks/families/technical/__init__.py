"""Technical operations: monitoring, incidents, code and pipelines; and the places where engineers leave word."""

WORD_LEFT = ("mail", "chat", "docs", "boards", "files", "tables", "tickets", "calendar", "code", "incidents")
"""Where operations and engineering write things down."""

LOGGED = ("boards", "docs", "files", "tables", "tickets", "calendar", "code", "incidents")
"""Where they keep records."""

TOLD = ("mail", "chat")
"""How colleagues are told."""


def but(names: tuple[str, ...], *others: str) -> tuple[str, ...]:
    """Names without others: a role is not played by the service that the visits beside it are about."""
    return tuple(name for name in names if name not in others)
