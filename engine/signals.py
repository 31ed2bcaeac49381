"""What is known of those who send signals."""

from __future__ import annotations

SAME_SECONDS = 1.0
"""Within so many another SIGTERM is the same one: ``timeout`` sends it to a process, and then to all of its group."""
