"""The exact prompts of author and critic. docs/judge.md explains them line by line."""

import re
from pathlib import Path

import pytest

from swe_together import defaults
from swe_together.judge.drafting import Material, SessionTurn
from swe_together.judge.drafting._prompt import AUTHOR_SYSTEM, CRITIC_SYSTEM
from swe_together.schema import Attack
from tests.judge.drafting.goldens import FOLDER, conversations
from tests.judge.goldens import text_of

ALL = dict(conversations())
DOCS = (Path(__file__).parents[3] / "docs" / "judge.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ALL)
def test_prompts_are_exactly_these(name: str) -> None:
    assert text_of(ALL[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_are_no_leftover_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(ALL)


@pytest.mark.parametrize("system", [AUTHOR_SYSTEM, CRITIC_SYSTEM])
def test_every_line_is_explained(system: str) -> None:
    for line in system.splitlines():
        if line and not line.startswith("#"):
            assert line.removeprefix("- ") in DOCS, line


def test_every_kind_of_fault_and_limit_is_named() -> None:
    for kind in Attack:
        assert f"`{kind.value}`" in DOCS
    for limit in (defaults.DRAFT_CHARS, defaults.DRAFT_SEC, defaults.DRAFT_TURNS, defaults.DRAFT_GOALS):
        assert f"{limit:,.0f}" in DOCS


def test_nobody_closes_a_fence_from_inside() -> None:
    for conversation in ALL.values():
        depth = 0
        for mark in re.findall(r"⟦(/?)[a-z]+⟧", conversation.opening):
            depth += -1 if mark else 1
            assert depth in (0, 1)
        assert depth == 0
        assert "\x1b" not in conversation.opening


def test_proofs_and_the_present_rubric_are_no_material() -> None:
    for name in ("author", "author-of-a-task"):
        text = ALL[name].opening
        assert "Goal: " not in text
        assert '"weight"' not in text
        assert "golden" not in text


def test_the_longest_parts_are_cut_first() -> None:
    turns = [SessionTurn(0, "short words", "Done.", "+x\n" * 200_000), SessionTurn(1, "more", "", "+y\n" * 100)]
    text = Material("t", ["/workspace"], turns, "all", "wants it").shown()
    assert len(text) < defaults.DRAFT_CHARS + 2_000
    assert "short words" in text
    assert "+y\n" * 100 in text
    assert "characters left out" in text
