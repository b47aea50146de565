"""The exact prompts of judge, tagger and matcher. docs/judge.md explains them line by line."""

import re

import pytest

from swe_together.judge import Conversation
from swe_together.judge._prompt import SYSTEM
from tests.judge.goldens import FOLDER, conversations, text_of

ALL = dict(conversations())


@pytest.mark.parametrize("name", ALL)
def test_prompts_are_exactly_these(name: str) -> None:
    assert text_of(ALL[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_are_no_leftover_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(ALL)


def opening(name: str) -> str:
    return ALL[name].opening


def test_replies_are_shown_where_a_goal_is_about_them_and_nowhere_else() -> None:
    assert "⟦agent⟧" in opening("conversation")
    assert "⟦agent⟧" not in opening("confirm")
    assert "no goal here is about them" in opening("confirm")


def test_what_the_harness_did_is_no_word_of_the_agent() -> None:
    text = opening("conversation")
    line = "[The harness cut the agent off in the middle of its work.]"
    assert line in text
    assert all(line not in fenced for fenced in re.findall(r"⟦agent⟧.*?⟦/agent⟧", text, re.DOTALL))
    assert "[What the agent said was not recorded.]" in text


def test_nobody_closes_a_fence_from_inside() -> None:
    for conversation in ALL.values():
        depth = 0
        for mark in re.findall(r"⟦(/?)[a-z]+⟧", conversation.opening):
            depth += -1 if mark else 1
            assert depth in (0, 1)
        assert depth == 0
        assert "\x1b" not in conversation.opening


def test_commands_of_the_rubric_are_never_shown() -> None:
    for conversation in ALL.values():
        assert "python3 -c" not in conversation.opening
        assert "go run" not in conversation.opening


def test_the_stable_part_is_the_same_for_every_task() -> None:
    judged: list[Conversation] = [ALL[name] for name in ("confirm", "trust", "conversation")]
    assert {conversation.system for conversation in judged} == {SYSTEM}
    assert len({conversation.digest for conversation in judged}) == 3
