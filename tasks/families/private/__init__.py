"""Private life: what Mara does for her household, her friends and herself; and the places where people leave word."""

WORD_LEFT = ("mail", "chat", "calendar", "files")
"""Where friends and colleagues leave word: not in the household's app, and not in the company's handbook."""

KEPT = ("calendar", "home", "files", "tables")
"""Where Mara keeps what she must not forget."""

TOLD = ("mail", "chat")
"""How friends are told."""
