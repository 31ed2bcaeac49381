"""Plots and reports: they are made, they need nothing else, and nobody's text is markup in them."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from engine.errors import InputError
from rl.evaluation import Results, compare, summarise
from rl.evaluation.plots import png
from rl.evaluation.report import page
from rl.evaluation.results import CriterionResult
from tests.rl.evaluation.made import HALF, NOTHING, SOLVED, results, rollout

pytestmark = pytest.mark.unit

_EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e&amp;\"'</pre>{{ 7 * 7 }}"


class _Tags(HTMLParser):
    """Every tag with its attributes; closing ones are held against what is open."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _tags(text: str) -> _Tags:
    tags = _Tags()
    tags.feed(text)
    tags.close()
    assert tags.open == []
    return tags


def _evil() -> Results:
    found = results("a", [[SOLVED], [NOTHING]] * 3, criteria=[CriterionResult(_EVIL, _EVIL, "state", _EVIL, 1, 4, 1)])
    task = replace(found.tasks[1], name=_EVIL, area=_EVIL, rollouts=(rollout(HALF, answer=_EVIL, stop_reason=_EVIL),))
    about = replace(found.evaluation, name=_EVIL, model=_EVIL, task_set=_EVIL)
    return replace(found, evaluation=about, tasks=(found.tasks[0], task, *found.tasks[2:]))


def test_a_page_holds_the_figures() -> None:
    found = results("after-sft", [[SOLVED, SOLVED], [SOLVED, NOTHING], [HALF, HALF]] * 2)
    text = page([summarise(found)], [found])
    _tags(text)
    assert "after-sft" in text and "50%" in text and "task-3" in text and "pass@k" in text
    assert "{{" not in text and "{%" not in text and "None" not in text


def test_no_text_of_others_is_markup() -> None:
    plain, evil = results("b", [[SOLVED], [NOTHING]] * 3), _evil()
    text = page([summarise(evil), summarise(plain)], [evil, plain], compare(evil, plain))
    tags = _tags(text)
    assert {tag for tag, _ in tags.found} & {"script", "img", "link", "iframe"} == set()
    assert not [name for _, attributes in tags.found for name in attributes if name.startswith("on")]
    assert text.count("&lt;script&gt;") >= 6
    assert "{{ 7 * 7 }}" in text and "49" not in text.partition("last words")[2]


def test_a_page_needs_nothing_else() -> None:
    found = results("a", [[SOLVED]] * 6)
    text = page([summarise(found)], [found])
    assert not re.search(r"(?:src|href|url)\s*[=(]", text)
    assert "prefers-color-scheme: dark" in text and "default-src 'none'" in text


def test_a_page_of_nothing() -> None:
    found = results("a", [[], []], failed=[2, 2])
    text = page([summarise(found)], [found])
    _tags(text)
    assert "4 failed" in text


def test_an_image_of_two() -> None:
    found = results("costs $5 to $6", [[SOLVED, HALF], [NOTHING, SOLVED]] * 3)
    image = png([summarise(found), summarise(results("b", [[SOLVED]] * 6, n=1))])
    assert image.startswith(b"\x89PNG") and len(image) > 10_000


@pytest.mark.parametrize("package", ["matplotlib", "jinja2"])
def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    found = results("a", [[SOLVED]] * 5)
    with pytest.raises(InputError, match=package) as refused:
        if package == "matplotlib":
            png([summarise(found)])
        else:
            page([summarise(found)], [found])
    assert refused.value.hint == "pip install 'compoworld[plots]'"
