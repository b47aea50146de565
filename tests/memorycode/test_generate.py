"""Dialogues: the same bytes for a seed on every Python, by the published laws, never contradictory, never repeating."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from swe_together.errors import MisuseError
from swe_together.memorycode._dialogue import Dialogue, Kind
from swe_together.memorycode._dice import Dice
from swe_together.memorycode._irrelevant import DISTRACTORS
from swe_together.memorycode._laws import SIZES, law
from swe_together.memorycode._people import COLLEAGUES, MENTEES, MENTORS
from swe_together.memorycode._pool import POOLS, Pool, draw_pool
from swe_together.memorycode._prose import sentence
from swe_together.memorycode._rates import Spread, draw_rates
from swe_together.memorycode._statistics import sized_figures
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.files import dialogue_text, digest
from swe_together.memorycode.generate import Recipe, generate, make_dialogue
from swe_together.memorycode.queries import serving
from swe_together.memorycode.rules import RULES
from tests.memorycode.silent import Silent

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
"""SHA-256 of the dialogues of seed 7, three of each published size, and of the first draws of a pair of dice."""


@pytest.fixture(scope="module")
def dialogues() -> list[Dialogue]:
    return list(generate(Recipe(7, per_size=3)))


def test_the_same_bytes_as_ever(dialogues: list[Dialogue]) -> None:
    assert digest(dialogue_text(one) for one in dialogues) == RECORDED["dialogues"], (
        "other bytes than before: if that is meant, record the new digest and raise the key's number"
    )


def test_dice_are_those_of_every_python() -> None:
    dice = Dice("recorded", 1)
    drawn = [dice.below(1000) for _ in range(5)] + dice.several("abcdef", 3)
    assert drawn == RECORDED["dice"]


def test_the_same_bytes_whatever_order_sets_have() -> None:
    code = (
        "from swe_together.memorycode.generate import *; from swe_together.memorycode.files import *;"
        "print(digest(dialogue_text(d) for d in generate(Recipe(7, [5], 2))))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1")
    }
    assert len(found) == 1


def test_a_dialogue_depends_on_its_own_seed_and_number_alone(dialogues: list[Dialogue]) -> None:
    state = random.getstate()
    alone = make_dialogue(Recipe(7, sizes=[15], per_size=90), 15, 2)
    assert random.getstate() == state, "the global source of draws was touched"
    assert dialogue_text(alone) == dialogue_text(next(d for d in dialogues if (d.size, d.number) == (15, 2)))
    assert dialogue_text(make_dialogue(Recipe(8), 15, 2)) != dialogue_text(alone)
    assert len({dialogue_text(one) for one in dialogues}) == len(dialogues)


@pytest.mark.parametrize("pool", POOLS)
def test_no_state_of_any_session_is_contradictory(pool: Pool) -> None:
    for dialogue in generate(Recipe(3, [5, 30, 100], 3, pool)):
        active: dict[str, str] = {}
        for meeting in dialogue.sessions:
            told = [item.topic for item in meeting.items if item.kind.is_rule]
            assert len(told) == len(set(told)) <= 2
            for item in meeting.items:
                if item.kind.is_rule:
                    assert (item.kind is Kind.RULE_UPDATE) == (item.topic in active)
                    assert active.get(item.topic) != item.variant
                    assert item.text == RULES[item.topic].variant(item.variant).text
                    active[item.topic] = item.variant
            assert contradictions(active) == []
        assert active == dict(dialogue.active)
        if pool != "all":
            assert all(RULES[rule].published == (pool == "published") for rule in active)


def test_contradictory_rules_would_be_told_without_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swe_together.memorycode._sampling.contradictions", lambda active: [])
    with pytest.raises(Exception, match="can't be obeyed together"):
        list(generate(Recipe(3, [50], 8)))


def test_a_pool_has_the_published_shape() -> None:
    for seed in range(20):
        for pool in ("all", "published"):
            stocks = draw_pool(pool, Dice(seed))  # type: ignore[arg-type]
            assert len({stock.rule for stock in stocks}) == len(stocks) == 51
            assert len({stock.group for stock in stocks}) == 19
            updatable = Counter(stock.group for stock in stocks if stock.updatable and stock.rule != "p00")
            assert sorted(updatable.values()) == [2] * 5
            ours = sum(not RULES[stock.rule].published for stock in stocks)
            assert ours == (20 if pool == "all" else 0)


def test_every_rate_takes_each_part_of_its_range_once() -> None:
    for size in (1, 5, 20, 100):
        low, high = law(size).share
        shares = [draw_rates(size, Spread(("set", size), number)).share for number in range(1, 31)]
        parts = sorted(int((share - low) / (high - low) * 30) if high > low else 0 for share in shares)
        assert parts == (list(range(30)) if high > low else [0] * 30)
    spread = Spread(("set",), 1)
    assert spread.draw("a") == spread.draw("a") != spread.draw("b")
    assert len({round(Spread(("set",), n).draw("a") * 30 // 1) for n in range(31, 61)}) == 30


def test_dialogues_follow_the_published_laws() -> None:
    rows = sized_figures(generate(Recipe(0, sizes=[size for size in SIZES if size <= 15])))
    assert [row.dialogues for row in rows] == [30] * 7
    for row in rows:
        for name, figure in row.figures.items():
            assert figure.z is not None
            assert not figure.far, (row.size, name, figure)


def test_single_dialogues_spread_as_the_law_says() -> None:
    """Draws spread over thirty dialogues bring sets near to the law; each dialogue still differs as it must."""
    spreads: dict[tuple[int, str], list[float]] = {}
    for seed in range(4):
        for row in sized_figures(generate(Recipe(seed, sizes=[3, 5, 10, 15, 20]), Silent())):
            for name, figure in row.figures.items():
                if figure.basis == "parameters" and figure.law_spread:
                    assert figure.spread is not None
                    spreads.setdefault((row.size, name), []).append(figure.spread / figure.law_spread)
    assert len(spreads) == 5 * 4
    for where, ratios in spreads.items():
        assert 0.8 < sum(ratios) / len(ratios) < 1.2, where


def test_what_is_told_stands_in_the_prose(dialogues: list[Dialogue]) -> None:
    for dialogue in dialogues:
        for meeting in dialogue.sessions:
            for item in meeting.items:
                if item.kind.is_rule or item.kind.is_distractor:
                    assert sentence(item.text) in meeting.text
                else:
                    assert item.topic in meeting.text
            speakers = [line.partition(": ")[0] for line in meeting.text.split("\n")]
            assert set(speakers) == {dialogue.people.mentor, dialogue.people.mentee}
            assert "{" not in meeting.text.replace("`", "") and "[" not in meeting.text.replace("[mod]", "")


def test_prose_hardly_repeats_itself() -> None:
    dialogue = make_dialogue(Recipe(1), 100, 1)
    lines = [line for meeting in dialogue.sessions for line in meeting.text.split("\n")]
    assert len(lines) > 1500
    assert len(set(lines)) / len(lines) > 0.99
    openings = [meeting.text.split("\n")[0] for meeting in dialogue.sessions]
    assert f"{dialogue.people.firm}" in openings[0]
    assert len(set(openings)) == 100


def test_what_is_asked_for_gives_every_rule_something_to_apply_to(dialogues: list[Dialogue]) -> None:
    for dialogue in dialogues:
        assert len(set(dialogue.requests)) == len(dialogue.requests) >= (2 if dialogue.size > 2 else 1)
        for rule in dialogue.active:
            assert set(serving(rule)) & set(dialogue.requests)


def test_small_talk_comes_up_three_times_at_most() -> None:
    dialogue = make_dialogue(Recipe(2), 100, 1)
    spoken = Counter(i.topic for m in dialogue.sessions for i in m.items if i.kind.name.startswith("SMALL_TALK"))
    again = [i.kind for m in dialogue.sessions for i in m.items if i.kind is Kind.SMALL_TALK_AGAIN]
    assert max(spoken.values()) <= 3
    assert len(again) == sum(spoken.values()) - len(spoken)


def test_marks_of_distractors_are_words_that_nothing_else_says() -> None:
    marks = [mark for one in DISTRACTORS for _, mark in one.variants]
    assert len(DISTRACTORS) == 30
    assert len(set(marks)) == len(marks) >= 79
    rules = " ".join(variant.text for rule in RULES.values() for variant in rule.variants)
    assert not [mark for mark in marks if mark in rules]
    assert not [one for one in marks for other in marks if one != other and one in other]
    assert not set(MENTORS) & set(MENTEES) | set(COLLEAGUES) & (set(MENTORS) | set(MENTEES))


@pytest.mark.parametrize(
    ("change", "problem"),
    [({"sizes": [0]}, "sizes 0"), ({"sizes": []}, "none"), ({"sizes": [5, 5]}, "5, 5"), ({"per_size": 0}, "nothing"),
     ({"pool": "old"}, "pool 'old'"), ({"isolated": -1}, "nothing"), ({"sizes": [10_000]}, "10000")],
)  # fmt: skip
def test_a_wrong_recipe_is_misuse(change: dict[str, object], problem: str) -> None:
    with pytest.raises(MisuseError, match=problem):
        Recipe(1, **change)  # type: ignore[arg-type]
