"""Tasks over the toys: the toy task in several versions, each a task of its own."""

from __future__ import annotations

import pytest

from tasks.document import Origin, Task
from tests.toys import toy_task

_ORIGINS = (("finance", "late-notes"), ("finance", "lost-notes"), ("support", "late-notes"), None)


def versions(count: int) -> list[Task]:
    """So many tasks, alike but for their name and their origin."""
    toy = toy_task()
    made = []
    for number in range(count):
        about = _ORIGINS[number % len(_ORIGINS)]
        origin = about and Origin(author="family", area=about[0], family=about[1])  # type: ignore[arg-type]
        made.append(toy.model_copy(update={"name": f"toy-{number + 1}", "origin": origin}))
    return made


@pytest.fixture(scope="session")
def three() -> list[Task]:
    """Three tasks."""
    return versions(3)
