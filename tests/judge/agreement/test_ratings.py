"""Reading verdicts of judges and people: strict, and missing is no verdict."""

import json
from pathlib import Path

import pytest

from swe_together.errors import TogetherError
from swe_together.judge import Judge, JudgeSettings, Ran
from swe_together.judge.agreement import Unit, agreement, of_judgements, read_ratings
from swe_together.judge.fake import FakeWorkspace, ListedChat, submit, verdict
from swe_together.schema import Judgement
from tests.judge.cases import SPLIT, dossier, settings

ROOT = FakeWorkspace(commands={SPLIT: Ran(1, "")})


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_of_people(tmp_path: Path) -> None:
    text = "﻿trial,goal,rater,met\nt1,g1,ann,true\nt1,g1,bob,False\nt1,g2,ann,\nt2,g1,ann,true\n"
    ratings = read_ratings([write(tmp_path / "people.csv", text)])
    assert ratings.verdicts == {Unit("t1", "g1"): {"ann": True, "bob": False}, Unit("t2", "g1"): {"ann": True}}


def test_json_rows(tmp_path: Path) -> None:
    rows = [
        {"trial": "t1", "goal": "g1", "rater": "ann", "met": True, "note": "looked at it"},
        {"trial": "t1", "goal": "g2", "rater": "ann", "met": None},
    ]
    ratings = read_ratings([write(tmp_path / "people.json", json.dumps(rows))])
    assert ratings.verdicts == {Unit("t1", "g1"): {"ann": True}}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", "trial,goal,rater,met\nt,g,ann,yes\n", "row 1: met is 'yes'"),
        ("a.csv", "trial,goal,met\nt,g,true\n", "row 1 has no rater"),
        ("a.csv", "trial,goal,rater,met\n,g,ann,true\n", "must be named"),
        ("a.csv", "trial,goal,rater,met\nt,g,ann,true\nt,g,ann,false\n", "twice, and differently"),
        ("a.json", '[{"trial": "t", "goal": "g", "rater": "ann", "met": 1}]', "row 1: met is 1"),
        ("a.json", '{"goals": []}', "Field required"),
        ("a.json", "[1]", "neither a judgement nor a list of rows"),
        ("a.json", "{", "Expecting property name"),
    ],
)
def test_what_is_no_verdict_is_refused(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(TogetherError, match=problem):
        read_ratings([write(tmp_path / name, text)])
    with pytest.raises(TogetherError, match="No such file"):
        read_ratings([tmp_path / "missing.csv"])


async def judgements() -> list[Judgement]:
    checks = await Judge(JudgeSettings()).judge(dossier(), root=ROOT, hands=FakeWorkspace())
    yes, no = (submit(verdict("clean-words", met, ("command", "1")), verdict("semicolons", met, ("command", "1")),
                      verdict("answers", True, ("turn", "1")), verdict("join-unchanged", True, ("command", "1")))
               for met in (True, False))  # fmt: skip
    run = ("run", {"command": "ls", "timeout_sec": 5})
    model = ListedChat([run, yes, run, no, run, yes])
    judge = Judge(settings(votes=3, checks="confirm"), model)
    return [checks, await judge.judge(dossier(), root=ROOT, hands=FakeWorkspace())]


async def test_judgements_as_files(tmp_path: Path) -> None:
    made = await judgements()
    paths = [write(tmp_path / f"{place}.json", one.model_dump_json()) for place, one in enumerate(made)]
    found = agreement(read_ratings(paths), "checks")
    assert found.raters == ["checks", "listed"]
    assert found.units == 4
    (pair,) = found.pairs
    assert pair.units == 2, "what the checks left undecided is no verdict"
    assert (found.errors["listed"].false_pass, found.errors["listed"].false_fail) == (1.0, 0.0)
    assert [unit.goal for unit in found.disagreements] == ["clean-words"]


async def test_votes_as_raters() -> None:
    made = await judgements()
    found = agreement(of_judgements(made, votes=True))
    assert found.raters == ["listed vote 1", "listed vote 2", "listed vote 3"]
    assert found.alpha is not None
    assert [unit.goal for unit in found.disagreements] == ["clean-words", "semicolons"]
