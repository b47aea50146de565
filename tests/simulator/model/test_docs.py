"""docs/simulator.md explains every line of the prompts and every guard, in the words that are really sent."""

import re
from pathlib import Path

import pytest

from swe_together import defaults
from swe_together.adapter.settings import Settings
from swe_together.simulator.guards import GUARDS
from swe_together.simulator.model import PROMPT_CHARS
from tests.simulator.model.goldens import all_played

DOCS = (Path(__file__).parents[3] / "docs" / "simulator.md").read_text(encoding="utf-8")
PLAYED = list(all_played())


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.name)
def test_every_rule_and_heading_is_explained(played: object) -> None:
    text = str(getattr(played, "text", ""))
    rules = re.findall(r"^- (.*)$", text.partition("# Rules\n")[2].partition("=====")[0], re.MULTILINE)
    assert len(rules) >= 6
    headings = set(re.findall(r"^##? [^\n:]+", text, re.MULTILINE))
    for line in [*rules, *headings, text.splitlines()[0]]:
        assert line in DOCS, line


def test_every_guard_and_limit_is_named() -> None:
    for guard in (*GUARDS, "early_end", "adaptation", "authored_words"):
        assert f"`{guard}`" in DOCS
    for limit in (
        PROMPT_CHARS, defaults.PERSONA_CHARS, defaults.ANALYSIS_CHARS, defaults.INSTRUCTION_CHARS,
        defaults.POINTS_CHARS, defaults.SAID_CHARS, defaults.STANDING_CHARS, defaults.REPLY_CHARS,
        defaults.COMMANDS_CHARS, defaults.PROMPT_DIFF_CHARS, defaults.DIFF_MATCHING_CHARS, defaults.TRIED_CHARS,
        defaults.OPTIONS_CHARS,
    ):  # fmt: skip
        assert f"{limit:,}" in DOCS, limit


def test_every_setting_of_the_user_is_named() -> None:
    for name in Settings.model_fields:
        if name.startswith(("user_", "replay")):
            assert f"`{name}`" in DOCS
