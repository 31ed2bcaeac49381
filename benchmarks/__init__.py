"""``compoworld bench``: every figure beside its baseline, in one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks import callpath, forks, lifecycle
from benchmarks.measure import Figure
from benchmarks.setting import Setting, benchmark_setting
from engine.errors import InputError

_GROUPS: list[tuple[tuple[str, ...], Callable[[Setting], list[Figure]]]] = [
    (("call",), callpath.one_call),
    (("throughput",), callpath.throughput),
    (("verify",), callpath.verify),
    (("replay",), callpath.replay),
    (("read_depth",), forks.read_depth),
    (("compose",), lifecycle.compose),
    (("unpark",), lifecycle.unpark),
    (("rollout_overhead", "bytes_per_rollout"), lifecycle.rollout),
    (("fork_schema_copy",), forks.schema_copy),
    (("catalog_growth",), forks.catalog_growth),
    (("fork_small", "fork_large", "fork_growth"), forks.forks),
]

NAMES = tuple(name for names, _ in _GROUPS for name in names)


def run(
    names: Sequence[str] = (),
    *,
    quick: bool = False,
    url: str | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Figure]:
    """Measure on a database of its own, which is dropped at the end.

    Args:
        names: figures to measure, from ``NAMES``; none: all.
        quick: a tenth of the work, to see that everything runs; its figures mean little.
        progress: is told what is measured next.

    Raises:
        InputError: a name is unknown.
        DatabaseUnavailable: the server cannot be reached.
    """
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        raise InputError(f"there is no figure {', '.join(unknown)}", hint=f"known are {', '.join(NAMES)}")
    found: list[Figure] = []
    with benchmark_setting(quick=quick, url=url) as setting:
        for group, measure in _GROUPS:
            if not names or set(group) & set(names):
                progress(", ".join(group))
                found += measure(setting)
    return [item for item in found if not names or item.name in names]
