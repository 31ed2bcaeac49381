"""Names that inside and outside share."""

PACKAGE = "built"
"""Package that generated services stand in, so that none takes the name of another module."""

DOORS = "compoworld_door"
"""Schema of the functions that begin and end a call."""
