"""Technical operations: monitoring, incidents, code and pipelines; and the places where engineers leave word."""

WORD_LEFT = ("mail", "chat", "docs", "boards", "files", "tables", "tickets", "calendar", "code", "incidents")
"""Where operations and engineering write things down."""

LOGGED = ("boards", "docs", "files", "tables", "tickets", "calendar", "code", "incidents")
"""Where they keep records."""

TOLD = ("mail", "chat")
"""How colleagues are told."""
