"""The exact prompts of screen and draft. docs/pipeline.md explains them line by line."""

import re
from pathlib import Path

import pytest

from swe_together.pipeline.build import _drafter
from swe_together.pipeline.screen import Obstacle, _prompt, _summary
from tests.judge.goldens import text_of
from tests.pipeline.goldens import FOLDER, conversations

ALL = dict(conversations())
DOCS = (Path(__file__).parents[2] / "docs" / "pipeline.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ALL)
def test_prompts_are_exactly_these(name: str) -> None:
    assert text_of(ALL[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_are_no_leftover_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(ALL)


@pytest.mark.parametrize("system", [_prompt.SYSTEM, _drafter.SYSTEM])
def test_every_line_is_explained(system: str) -> None:
    for line in system.splitlines():
        if line and not line.startswith("#"):
            assert line.removeprefix("- ") in DOCS, line


def test_every_obstacle_and_limit_is_named() -> None:
    for kind in Obstacle:
        assert f"`{kind.value}`" in DOCS
    for limit in (_summary.SUMMARY_CHARS, _summary.TURNS, _summary.COMMANDS, _summary.PATHS):
        assert f"{limit:,.0f}" in DOCS


def test_nobody_closes_a_fence_from_inside() -> None:
    for conversation in ALL.values():
        depth = 0
        for mark in re.findall(r"⟦(/?)[a-z]+⟧", conversation.opening):
            depth += -1 if mark else 1
            assert depth in (0, 1)
        assert depth == 0
        assert "\x1b" not in conversation.opening
