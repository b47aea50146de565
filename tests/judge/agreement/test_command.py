"""``swe-together agreement`` on job folders and people's files; the numbers are worked out by hand."""

import json
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.errors import TogetherError
from swe_together.judge import Judge, Ran
from swe_together.judge.agreement import of_judgements, read_ratings
from swe_together.judge.fake import FakeWorkspace, ListedChat, submit, verdict
from swe_together.schema import Judgement
from tests.judge.agreement.test_ratings import judgements
from tests.judge.cases import GOALS, SPLIT, dossier, settings

ANN = "trial,goal,rater,met\n" + "".join(
    f"a__1,{goal},ann,{met}\n"
    for goal, met in (("clean-words", "false"), ("semicolons", "true"), ("answers", "true"), ("join-unchanged", "true"))
)


@pytest.fixture
async def job(tmp_path: Path) -> Path:
    """A trial that the commands judged, and a model with three votes again."""
    checks, model = await judgements()
    trial = tmp_path / "job" / "a__1"
    for name, value in (("verifier/judgement.json", checks), ("judgements/0.json", model)):
        (trial / name).parent.mkdir(parents=True)
        (trial / name).write_text(value.model_dump_json())
    (trial / "config.json").write_text('{"trial_name": "a__1"}')
    (tmp_path / "ann.csv").write_text(ANN)
    return tmp_path / "job"


def test_judges_and_a_person(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(job), str(job.parent / "ann.csv"), "--reference", "ann", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["raters"] == ["ann", "checks", "listed"]
    assert found["units"] == 4
    # disagreed: (9 − 5)/2 on one of four goals; by chance (10² − 8² − 2²)/9
    assert found["alpha"] == pytest.approx(1 - 2 / (32 / 9))
    assert [(p["one"], p["other"], p["units"], p["raw"], p["kappa"]) for p in found["pairs"]] == [
        ("ann", "checks", 2, 1.0, 1.0),
        ("ann", "listed", 4, 0.75, 0.0),
        ("checks", "listed", 2, 0.5, 0.0),
    ]
    assert found["errors"] == {
        "checks": {"false_pass": 0.0, "false_fail": 0.0, "not_met": 1, "met": 1},
        "listed": {"false_pass": 1.0, "false_fail": 0.0, "not_met": 1, "met": 3},
    }
    (differ,) = found["disagreements"]
    assert differ["goal"] == "clean-words"
    assert differ["verdicts"] == {"ann": False, "checks": False, "listed": True}


def test_the_same_as_tables(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(job / "a__1"), str(job.parent / "ann.csv"), "--reference", "ann"]) == 0
    printed = capsys.readouterr().out
    assert "Krippendorff's alpha over all: 0.438" in printed
    assert "against ann" in printed
    assert "1 goals on which not all say the same" in printed


def test_votes(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(job), "--votes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["raters"] == [f"listed vote {number}" for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "there is no such file or folder"),
        (["."], "holds no trial"),
        (["job", "--reference", "bob"], "Raters: checks, listed."),
        (["ann.csv"], "There is nobody to compare: raters are ann."),
    ],
)
def test_misuse(
    job: Path, arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (job.parent / "empty").mkdir()
    monkeypatch.chdir(job.parent / "empty" if arguments == ["."] else job.parent)
    assert main(["agreement", *arguments]) == 2
    assert told in capsys.readouterr().err


async def judged(**values: object) -> Judgement:
    given = dossier(*values.pop("goals", []))  # type: ignore[call-overload]
    root = FakeWorkspace(commands={SPLIT: Ran(0, "")})
    answer = submit(verdict("semicolons", False, ("case", "mixed-splits")), verdict("answers", True, ("turn", "2")))
    model = ListedChat([answer] * 3)
    return await Judge(settings(**values), model).judge(given, root=root, hands=FakeWorkspace())


async def test_a_trusted_command_is_no_verdict_of_the_model() -> None:
    ratings = of_judgements([await judged(checks="trust")])
    (clean,) = [given for unit, given in ratings.verdicts.items() if unit.goal == "clean-words"]
    assert clean == {"checks": True}, "a model that was not asked agrees with nobody"


async def test_one_model_with_two_settings_is_two_raters() -> None:
    ratings = of_judgements([await judged(), await judged(votes=3), await judged(votes=3, seconds=60)])
    named = [rater for rater in ratings.raters if rater != "checks"]
    told = [rater.removeprefix("listed (votes ")[0] for rater in named]
    assert (told, len(set(named))) == (["1", "3", "3"], 3)


async def test_states_judged_by_two_rubrics_cant_be_compared(tmp_path: Path) -> None:
    goals = [{**GOALS[0], "text": "Something else."}, *GOALS[1:]]
    for name, one in (("a.json", await judged()), ("b.json", await judged(goals=goals))):
        (tmp_path / name).write_text(one.model_dump_json())
    with pytest.raises(TogetherError, match="different rubrics"):
        read_ratings([tmp_path / "a.json", tmp_path / "b.json"])
