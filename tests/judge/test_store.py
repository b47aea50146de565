"""Finished parts of judgements: found again, never for something else, whole or not at all."""

from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import JudgeError
from swe_together.judge import Judge, JudgementStore, JudgeModel, JudgeSettings, Ran
from swe_together.judge.fake import FakeWorkspace, ListedChat, submit, verdict
from swe_together.schema import Judgement
from tests.judge.cases import CASES, GOALS, SPLIT, case, dialogue, dossier

LEFT = submit(verdict("semicolons", False, ("case", "mixed-splits")), verdict("answers", True, ("turn", "2")))
HANDS = FakeWorkspace()


def root() -> FakeWorkspace:
    return FakeWorkspace(commands={SPLIT: Ran(0, "")})


def settings(**values: Any) -> JudgeSettings:
    model = {name: values.pop(name) for name in ("model", "temperature", "base_url") if name in values}
    return JudgeSettings(model=JudgeModel(**({"model": "listed"} | model)), **values)


async def judged(store: JudgementStore, answers: int, given: Any = None, **values: Any) -> tuple[Judgement, ListedChat]:
    model = ListedChat([LEFT] * answers)
    judge = Judge(settings(**values), model, store)
    return await judge.judge(given or dossier(), root=root(), hands=FakeWorkspace()), model


async def test_the_second_time_no_model_and_no_container(tmp_path: Path) -> None:
    store = JudgementStore(tmp_path)
    first, model = await judged(store, 3, votes=3)
    assert (len(model.asked), first.cached_votes) == (3, 0)
    dead = FakeWorkspace(broken=True)
    silent = ListedChat([])
    second = await Judge(settings(votes=3), silent, JudgementStore(tmp_path)).judge(dossier(), root=dead, hands=dead)
    assert (silent.asked, second.cached_votes) == ([], 3)
    assert second.model_copy(update={"cached_votes": 0}) == first, "same verdicts, same price, same digests"


async def test_more_votes_ask_only_for_the_new_ones(tmp_path: Path) -> None:
    store = JudgementStore(tmp_path)
    await judged(store, 1)
    judgement, model = await judged(store, 2, votes=3)
    assert (len(model.asked), judgement.cached_votes) == (2, 1)


async def test_cut_off_half_way_it_goes_on_where_it_stood(tmp_path: Path) -> None:
    store = JudgementStore(tmp_path)
    with pytest.raises(JudgeError, match="no answer number 3"):
        await judged(store, 2, votes=5)
    assert len(list((tmp_path / "votes").iterdir())) == 2
    judgement, model = await judged(store, 3, votes=5)
    assert (len(model.asked), judgement.cached_votes, len(judgement.votes)) == (3, 2, 5)


OTHERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "model": ({}, {"model": "other"}),
    "address": ({}, {"base_url": "http://127.0.0.1:9/v1"}),
    "temperature": ({}, {"temperature": 0.5}),
    "seed": ({}, {"seed": 1}),
    "budget": ({}, {"turns": 7}),
    "state": ({"state": "b" * 64}, {}),
    "dialogue": ({"dialogue": dialogue(policy="llm")}, {}),
    "cases": ({"cases": [CASES[0], case("mixed-splits", False, message="another"), CASES[2]]}, {}),
}


@pytest.mark.parametrize("other", OTHERS)
async def test_something_else_never_hits(tmp_path: Path, other: str) -> None:
    store = JudgementStore(tmp_path)
    await judged(store, 1)
    changed, values = OTHERS[other]
    judgement, model = await judged(store, 1, dossier(**changed), **values)
    assert (len(model.asked), judgement.cached_votes) == (1, 0)


async def test_another_rubric_or_another_prompt_never_hits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = JudgementStore(tmp_path)
    await judged(store, 1)
    reworded = [*GOALS[:2], GOALS[2] | {"text": "Says which separators there are."}, GOALS[3]]
    _, model = await judged(store, 1, dossier(*reworded))
    assert len(model.asked) == 1
    retiered = [*GOALS[:3], GOALS[3] | {"tier": "polish"}]
    _, model = await judged(store, 1, dossier(*retiered))
    assert len(model.asked) == 1, "nothing of it stands in the prompt, and still it is another rubric"
    monkeypatch.setattr("swe_together.judge._prompt.SYSTEM", "Be kind.")
    _, model = await judged(store, 1)
    assert len(model.asked) == 1
    monkeypatch.setattr("swe_together.judge._judge.PROMPT_VERSION", 99)
    _, model = await judged(store, 1)
    assert len(model.asked) == 1


async def test_another_seed_is_another_judgement_even_of_one_goal(tmp_path: Path) -> None:
    store = JudgementStore(tmp_path)
    one = {"id": "answers", "text": "Says it.", "weight": 1.0, "tier": "core", "evidence": "conversation"}
    for seed in (0, 1):
        model = ListedChat([submit(verdict("answers", True, ("turn", "2")))])
        judge = Judge(settings(seed=seed), model, store)
        assert (await judge.judge(dossier(one), root=root(), hands=FakeWorkspace())).cached_votes == 0


async def test_times_of_cases_are_no_evidence(tmp_path: Path) -> None:
    store = JudgementStore(tmp_path)
    await judged(store, 1)
    slower = [one.model_copy(update={"seconds": 9.0}) for one in CASES]
    judgement, _ = await judged(store, 0, dossier(cases=slower))
    assert judgement.cached_votes == 1


async def test_commands_are_run_again_in_another_state(tmp_path: Path) -> None:
    judge = Judge(JudgeSettings(), store=JudgementStore(tmp_path))
    workspace = root()
    await judge.judge(dossier(), root=workspace, hands=HANDS)
    await judge.judge(dossier(dialogue=dialogue(policy="llm")), root=workspace, hands=HANDS)
    assert workspace.calls == ["reset", f"run {SPLIT}"], "what was said doesn't change what a command finds"
    await judge.judge(dossier(state="c" * 64), root=workspace, hands=HANDS)
    assert len(workspace.calls) == 4


async def test_a_spoilt_file_is_an_error_and_not_a_miss(tmp_path: Path) -> None:
    store = JudgementStore(tmp_path)
    await judged(store, 1)
    (path,) = (tmp_path / "votes").iterdir()
    good = path.read_text()
    path.write_text(good[: len(good) // 2])
    with pytest.raises(JudgeError, match="can't be used"):
        await judged(store, 1)
    path.write_text(good.replace(path.stem, "0" * 64))
    with pytest.raises(JudgeError, match="something else than its name"):
        await judged(store, 1)


async def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    await judged(JudgementStore(tmp_path), 1)
    names = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert len(names) == 2
    assert all(name.endswith(".json") and not name.startswith(".") for name in names)


async def test_a_judgement_survives_being_written_down(tmp_path: Path) -> None:
    judgement, _ = await judged(JudgementStore(tmp_path), 1)
    assert Judgement.model_validate_json(judgement.model_dump_json()) == judgement
    assert judgement.digests.prompts == [judgement.votes[0].prompt_sha256]


async def test_earlier_parts_are_found_and_never_written_to(tmp_path: Path) -> None:
    await judged(JudgementStore(tmp_path / "first"), 1)
    before = {path: path.read_bytes() for path in (tmp_path / "first").rglob("*.json")}
    judgement, model = await judged(JudgementStore(tmp_path / "again", tmp_path / "first"), 2, votes=3)
    assert (len(model.asked), judgement.cached_votes) == (2, 1)
    assert {path: path.read_bytes() for path in (tmp_path / "first").rglob("*.json")} == before
    assert len(list((tmp_path / "again" / "votes").iterdir())) == 2
    assert not (tmp_path / "again" / "checks").exists(), "the commands' outcomes were there"
