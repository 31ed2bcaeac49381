from tests.toys.fixtures import toy, toy_url, world

__all__ = ["toy", "toy_url", "world"]
