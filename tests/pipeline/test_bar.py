"""Every item of the task bar: sound facts pass, and each way to spoil them is named."""

from pathlib import Path
from typing import Any

import pytest

from swe_together.pipeline.check import bar
from swe_together.pipeline.check.golden import read_golden, write_golden
from swe_together.pipeline.check.model import Dialogue, DialogueResult, ImageScan, StateResult, Verdict
from swe_together.pipeline.check.subject import Proof, Subject, declared_cases, make_subject
from swe_together.tasks import load_task
from tests.pipeline.facts import CASES, declared, goal, results, state, subject

EVERY = [case for case, _, _ in CASES]


def dialogue(**changes: Any) -> Dialogue:
    said = [{"turn": 1, "message": "do it", "kind": None}, {"turn": 2, "message": "and this", "kind": "anchor"}]
    facts: dict[str, Any] = {"end": "anchors_exhausted", "reward": 1.0, "turns": said, "settled": []}
    return Dialogue(**{**facts, **changes})


def fails(verdict: Verdict, *words: str) -> None:
    assert not verdict.passed, verdict
    for word in words:
        assert word in verdict.detail


def test_sound_facts_pass_every_item() -> None:
    task = subject()
    plays = {"staged": 1.0, "nothing": 0.0, "first-stage": 0.3}
    played = [DialogueResult(play=play, dialogue=dialogue(reward=reward)) for play, reward in plays.items()]
    golden = {result.play: result.dialogue.model_dump(mode="json") for result in played if result.dialogue}
    verdicts = [
        bar.goals_and_cases(task),
        bar.turns_have_cases(task),
        bar.proofs_are_there(task),
        bar.checks_cover(task),
        *bar.judge(task, ImageScan(), results(), played, golden),
    ]
    assert [verdict for verdict in verdicts if not verdict.passed] == []
    assert len({verdict.item for verdict in verdicts}) == len(verdicts) == 4 + 7 + 4 + 3 + 1 + 2 + 2 + 3


GOALS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "unknown case": (
        {"goals": [goal("a", ["a1", "a2", "b1", "b2", "c1", "c2", "zz"], 1), goal("g", ["old"])]},
        ("goal a names the case zz",),
    ),
    "case without goal": (
        {"goals": [goal("a", ["a1", "a2", "b1", "b2", "c1"], 1), goal("g", ["old"])]},
        ("c2 belongs to no goal",),
    ),
    "case of two goals": (
        {"goals": [goal("a", [*EVERY], 0.5), goal("b", ["b1"], 0.5), goal("g", ["old"])]},
        ("b1 belongs to a and b",),
    ),
    "old case of no gate": (
        {"goals": [goal("a", [*EVERY, "old"], 1)]},
        ("old is pass-to-pass but its goal a is no gate",),
    ),
    "turn of no follow-up": ({"turns": {0, 1}}, ("c1 belongs to turn 3",)),
    "no old case": ({"declared": declared(CASES)}, ("no case is pass-to-pass",)),
}


@pytest.mark.parametrize("name", GOALS)
def test_goals_and_cases(name: str) -> None:
    changes, words = GOALS[name]
    fails(bar.goals_and_cases(subject(**changes)), *words)


def test_a_turn_that_asks_for_work_needs_two_cases() -> None:
    fails(bar.turns_have_cases(subject(asks={0, 1, 2, 3})), "turn 2 asks for work but owns 0")
    one = declared([*CASES[:-1], ("old", "p2p", 3)])
    fails(bar.turns_have_cases(subject(declared=one)), "turn 3 asks for work but owns 1")


def test_proofs() -> None:
    folder = Path("/made-up")
    good = subject()
    fails(bar.proofs_are_there(subject(wrong=good.wrong[:2])), "2 wrong-* patches, 3 are needed")
    fails(bar.proofs_are_there(subject(cheat=good.cheat[:1])), "1 cheat-* files, 2 are needed")
    fails(bar.proofs_are_there(subject(stages={})), "turn-0.patch")
    headless = [*good.wrong[:2], Proof("wrong-z", folder / "wrong-z.patch")]
    fails(bar.proofs_are_there(subject(wrong=headless)), "wrong-z.patch must start with a line 'Goal: <goal id>'")
    unknown = [*good.wrong[:2], Proof("wrong-z", folder / "wrong-z.patch", "zz")]
    fails(bar.proofs_are_there(subject(wrong=unknown)), "the goal zz, which rubric.json doesn't hold")
    script = [*good.wrong[:2], Proof("wrong-z", folder / "wrong-z.sh", "a")]
    fails(bar.proofs_are_there(subject(wrong=script)), "wrong-z.sh must be a patch")
    empty = [*good.goals[:3], goal("g", [])]
    fails(bar.proofs_are_there(subject(goals=empty)), "the goal g, which has no cases")


def test_checks_cover_most_of_the_weight() -> None:
    goals = [goal("a", [], 0.6), goal("b", [], 0.4, check=False)]
    fails(bar.checks_cover(subject(goals=goals)), "0.60", "0.7")


def test_an_image_that_does_not_build_stops_everything() -> None:
    verdicts = bar.judge(subject(), ImageScan(error="apt-get failed"), {}, [], {})
    assert [verdict.item for verdict in verdicts] == ["builds"]
    fails(verdicts[0], "apt-get failed")


IMAGE = {
    "history": "one commit",
    "caches": "no caches",
    "releases": "no newer release",
    "answers": "no answer in the image",
    "private": "no private files",
    "privileges": "agent is nobody",
}


@pytest.mark.parametrize("key", IMAGE)
def test_each_leak_of_the_image_is_named(key: str) -> None:
    broken = [verdict for verdict in bar.image(ImageScan.model_validate({key: ["found it"]})) if not verdict.passed]
    assert [verdict.item for verdict in broken] == [IMAGE[key]]
    fails(broken[0], "found it")


NOTHING: dict[str, tuple[StateResult | None, str]] = {
    "a case passes already": (state("nothing", EVERY[1:]), "fail-to-pass cases pass already: a1"),
    "an old case fails": (state("nothing", [*EVERY, "old"]), "pass-to-pass cases fail: old (spoilt)"),
    "a reward": (state("nothing", EVERY, reward=0.1), "the reward is 0.1"),
    "no reward": (
        StateResult(name="nothing", error="VerifierTimeoutError: slow"),
        "no reward: VerifierTimeoutError: slow",
    ),
    "other cases": (
        StateResult(name="nothing", reward=0, cases=state("nothing", EVERY).cases[1:]),
        "other cases than they declare: a1",
    ),
}


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_done(name: str) -> None:
    found, words = NOTHING[name]
    assert found is not None
    fails(bar.nothing_done(subject(), results(nothing=found)), words)


def test_a_state_that_was_not_run_is_no_proof() -> None:
    known = results()
    del known["nothing"]
    fails(bar.nothing_done(subject(), known), "nothing was not run")


def test_the_reference_must_earn_everything_each_time() -> None:
    flaky = results(reference_2=state("reference-2", ["old"]))
    fails(bar.reference(subject(), flaky), "run 2: 0, fails old (spoilt)")
    broken = StateResult(name="reference-3", applied=False, error="solve.sh ended with 1")
    fails(bar.reference(subject(), results(reference_3=broken)), "run 3: solve.sh ended with 1")
    known = results()
    del known["reference-3"]
    fails(bar.reference(subject(), known), "run 3: reference-3 was not run")


def test_a_stage_must_leave_each_later_turn_undone() -> None:
    early = results(stage_0=state("stage-0", ["c1", "c2"]))
    fails(bar.stages(subject(), early), "stage 0 passes every case of turn 1 already")
    unfinished = results(stage_3=state("stage-3", ["c1"]))
    fails(bar.stages(subject(), unfinished), "stage 3 is the last one but earns 0.8", "must equal solve.sh")
    broken = results(stage_1=StateResult(name="stage-1", applied=False, error="turn-1.patch does not apply"))
    fails(bar.stages(subject(), broken), "stage 1 turn-1.patch does not apply")


def test_the_first_message_must_not_earn_most() -> None:
    fails(bar.first_message(subject(), results(stage_0=state("stage-0", ["c1"]))), "0.83")
    fails(bar.first_message(subject(), {}), "stage 0 has no reward")


def test_a_first_message_that_asks_for_nothing_needs_neither_cases_nor_a_patch(task: Path) -> None:
    for name, old, new in (
        ("task.toml", "[metadata.swe_together]\n", '[metadata.swe_together]\narms = ["interactive", "full-spec"]\n'),
        ("tests/cases.py", "turn=0)\n", "turn=1)\n"),
    ):
        file = task / name
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))
    (task / "solution" / "turn-0.patch").unlink()
    found = make_subject(load_task(task), declared_cases(task))
    assert bar.turns_have_cases(found).passed and bar.proofs_are_there(found).passed
    assert bar.first_message(found, {}).detail == "it asks for nothing, as arms in task.toml says"


WRONG: dict[str, tuple[StateResult, str]] = {
    "passes its own goal": (state("wrong-a", ["a1"]), "passes cases of its goal a: a2; let it fail them too"),
    "fails another goal": (state("wrong-a", ["a1", "a2", "b1"]), "fails b1 of goal b, not of a"),
    "fails an old case": (state("wrong-a", ["a1", "a2", "old"]), "fails old of goal g, not of a"),
    "passes too little": (state("wrong-a", ["a1", "a2", "b1", "b2"]), "passes only 0.33"),
    "does not apply": (StateResult(name="wrong-a", applied=False, error="wrong-a.patch does not apply"), "not apply"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_patch_fails_exactly_its_goal(name: str) -> None:
    found, words = WRONG[name]
    task = subject()
    fails(bar.wrong(task, task.wrong[0], results(wrong_a=found)), words)


def test_an_alternative_must_earn_everything() -> None:
    task = subject()
    fails(bar.alternative(task, task.alt[0], results(alt_x=state("alt-x", ["b2"]))), "fails b2 (spoilt)")


def test_a_cheat_must_stay_below_the_threshold_and_be_judged() -> None:
    task = subject()
    fails(bar.cheat(task, task.cheat[0], results(cheat_x=state("cheat-x"))), "earns 1, it must stay below 0.85")
    barely = results(cheat_x=state("cheat-x", reward=0.85))
    fails(bar.cheat(task, task.cheat[0], barely), "earns 0.85")
    escaped = results(cheat_x=StateResult(name="cheat-x", error="RewardFileNotFoundError: no reward"))
    fails(bar.cheat(task, task.cheat[0], escaped), "no reward: RewardFileNotFoundError")


def test_a_dialogue_must_go_as_written_down() -> None:
    played = DialogueResult(play="staged", dialogue=dialogue())
    assert played.dialogue is not None
    golden: dict[str, Any] = {"staged": played.dialogue.model_dump(mode="json")}
    fails(bar.dialogue(played, {}), "--update-golden")
    golden["staged"]["turns"][1]["message"] = "and that"
    fails(bar.dialogue(played, golden), "'and that' is written down; where that is meant, run")
    golden["staged"]["turns"].pop()
    fails(bar.dialogue(played, golden), "turns has 2 entries, 1 are written down")
    fails(bar.dialogue(DialogueResult(play="staged", error="SimulatorError"), golden), "SimulatorError")


@pytest.mark.parametrize(
    ("play", "reward"), [("staged", 0.9), ("nothing", 0.2), ("first-stage", 0.7), ("staged", None)]
)
def test_a_session_must_earn_what_its_play_is_worth(play: str, reward: float | None) -> None:
    played = DialogueResult(play=play, dialogue=dialogue(reward=reward))
    assert played.dialogue is not None
    fails(bar.dialogue(played, {play: played.dialogue.model_dump(mode="json")}), "its session earned")


def test_the_whole_spec_in_one_message_must_earn_everything() -> None:
    alone = {"turns": [{"turn": 1, "message": "all of it", "kind": None}]}
    good = DialogueResult(play="full-spec", dialogue=dialogue().model_copy(update=alone))
    assert bar.full_spec(good).passed
    fails(bar.full_spec(DialogueResult(play="full-spec", dialogue=dialogue())), "has 2 turns instead of one")
    for reward, words in ((0.9, "earns 0.9"), (None, "earns no reward")):
        poor = DialogueResult(play="full-spec", dialogue=dialogue(reward=reward).model_copy(update=alone))
        fails(bar.full_spec(poor), words)
    fails(bar.full_spec(DialogueResult(play="full-spec", error="TaskError")), "TaskError")


def test_the_whole_spec_is_judged_and_never_written_down(tmp_path: Path) -> None:
    alone = {"turns": [{"turn": 1, "message": "all of it", "kind": None}]}
    played = [
        DialogueResult(play="staged", dialogue=dialogue()),
        DialogueResult(play="full-spec", dialogue=dialogue(reward=0.5).model_copy(update=alone)),
    ]
    (tmp_path / "solution").mkdir()
    assert write_golden(tmp_path, played)
    golden = read_golden(tmp_path)
    assert list(golden) == ["staged"]
    scan = ImageScan()
    verdicts = {one.item: one.passed for one in bar.judge(subject(), scan, results(), played, golden)}
    assert verdicts["dialogue staged"] is True
    assert verdicts["full spec is 1.0"] is False
    assert "dialogue full-spec" not in verdicts
    failed = [*played, DialogueResult(play="nothing", error="no")]
    assert not write_golden(tmp_path, failed)


def test_states_of_a_task() -> None:
    task: Subject = subject()
    states = {found.name: found for found in task.states()}
    assert list(states)[:4] == ["nothing", "reference-1", "reference-2", "reference-3"]
    assert [path.name for path in states["stage-3"].patches] == ["turn-0.patch", "turn-1.patch", "turn-3.patch"]
    assert states["cheat-x"].script is not None and not states["cheat-x"].patches
    proofs = [proof.name for proof in (*task.wrong, *task.alt, *task.cheat)]
    assert [found.name for found in states.values() if found.judged] == [
        "nothing",
        "reference-1",
        "leaves-at-once",
        *proofs,
    ]
    assert states["reference-2"].oracle
