"""``docs/ingest.md`` names every kind of note."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT

KIND = re.compile(r"""(?:\bsay\(\s*|_say\(\w+\)\(\s*|\)\(\s*|kind=)"(?P<kind>[a-z][a-z-]+)",""")


def test_every_kind_of_note_is_explained() -> None:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "synth" / "ingest").glob("*.py"))
    kinds = {found["kind"] for source in sources for found in KIND.finditer(source)}
    assert {"nullable", "ref-lost", "property-name", "no-properties"} <= kinds
    page = (ROOT / "docs" / "ingest.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    explained = {kind for row in rows for kind in re.findall(r"`([a-z0-9-]+)`", row)}
    assert kinds - explained == set()
