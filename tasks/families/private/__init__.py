"""Private life: what Mara does for her household, her friends and herself; and the places where people leave word."""

WORD_LEFT = ("mail", "chat", "docs", "calendar", "home", "files")
"""Where friends and family leave word."""

KEPT = ("calendar", "home", "files", "tables")
"""Where Mara keeps what she must not forget."""

TOLD = ("mail", "chat")
"""How friends are told."""
