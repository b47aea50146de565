"""docs/judge.md explains every line of the judge's prompt, every setting, limit and number that is in force."""

import re
from pathlib import Path

import pytest

from swe_together import defaults
from swe_together.judge import JudgeModel, JudgeSettings
from swe_together.judge._matcher import SCOPES
from swe_together.judge._prompt import SYSTEM
from swe_together.schema import Cited, Tag
from tests.bench.recorded_rubrics import BY_HAND
from tests.judge.goldens import conversations

DOCS = (Path(__file__).parents[2] / "docs" / "judge.md").read_text(encoding="utf-8")


def test_every_line_of_the_stable_part_is_explained() -> None:
    lines = [line.removeprefix("- ") for line in SYSTEM.splitlines() if line and not line.startswith("#")]
    assert len(lines) >= 10
    for line in lines:
        assert line in DOCS, line


@pytest.mark.parametrize("name", ["confirm", "trust", "conversation"])
def test_every_heading_is_explained(name: str) -> None:
    opening = dict(conversations())[name].opening
    headings = re.findall(r"^# .+$", opening, re.MULTILINE) + re.findall(r"^\[.+\]$", opening, re.MULTILINE)
    for heading in headings:
        if not heading.startswith("[/"):
            assert heading in DOCS or heading == "# Rules", heading


def test_every_setting_limit_and_total_is_named() -> None:
    for name in {*JudgeSettings.model_fields, *JudgeModel.model_fields}:
        assert f"| `{name}` |" in DOCS, name
    for limit in (
        defaults.JUDGE_OUTPUT_CHARS, defaults.JUDGE_TOKENS, defaults.JUDGE_MESSAGE_CHARS, defaults.JUDGE_REPLY_CHARS,
        defaults.JUDGE_DIALOGUE_CHARS, defaults.JUDGE_CASES_CHARS, defaults.JUDGE_LINES, defaults.JUDGE_HITS,
        defaults.JUDGE_TURNS, defaults.JUDGE_CASE_CHARS, defaults.TAGGER_REPLY_CHARS, defaults.OUTPUT_TOKENS,
    ):  # fmt: skip
        assert f"{limit:,}" in DOCS, limit
    for part in (f"{defaults.JUDGE_SEC:g}", f"{defaults.JUDGE_RESERVE_SEC:g} s", f"{defaults.PASS_THRESHOLD}",
                 f"{defaults.NUDGE_WEIGHT} ·", f"{defaults.RECALL_WEIGHT} ·"):  # fmt: skip
        assert part in DOCS, part
    for word in (*Tag, *Cited, *SCOPES):
        assert f"`{word}`" in DOCS, word
    totals = f"({BY_HAND.goals} goals, {BY_HAND.intents} intents"
    assert totals in DOCS
    assert f"| {BY_HAND.idle_guards} | {BY_HAND.tasks_with_idle_guards} |" in DOCS
    assert f"| {BY_HAND.about_words} | {BY_HAND.tasks_about_words}," in DOCS
