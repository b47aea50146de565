"""docs/simulator.md names every kind, tag and limit of the audit as they are."""

from swe_together import defaults
from swe_together.cli.audit import KEY_ENV
from swe_together.schema import AuditEffect, AuditKind, AuditTag
from swe_together.simulator.audit import LENGTH_CHARS, LENGTH_FACTOR
from tests.support.harbor import ROOT

DOCS = (ROOT / "docs" / "simulator.md").read_text(encoding="utf-8")
SECTION = DOCS.partition("\n## Audit\n")[2].partition("\n## ")[0]


def test_everything_that_can_be_found_is_explained() -> None:
    for name in (*AuditKind, *AuditTag, *AuditEffect, KEY_ENV):
        assert f"`{name}`" in SECTION, name


def test_limits_are_those_of_the_code() -> None:
    assert f"more than {LENGTH_FACTOR:g} times longer or shorter, and by more than {LENGTH_CHARS} characters" in SECTION
    assert f"reward ≥ {defaults.PASS_THRESHOLD:g}" in SECTION
    assert f"{defaults.PROMPT_CHARS:,} characters" in SECTION
    assert defaults.MAX_ANSWERS == 3
    assert "twice at most" in SECTION
