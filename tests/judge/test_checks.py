"""The checks judge: exit codes, time-outs, dead containers, undecided goals, gates."""

import pytest

from swe_together.errors import JudgeError
from swe_together.judge import Judge, JudgeSettings, Ran, run_checks
from swe_together.judge.fake import FakeWorkspace
from swe_together.schema import Basis
from tests.judge.cases import CASES, GOALS, SPLIT, case, dossier

TRIED = [goal for goal in GOALS if goal["evidence"] != "conversation"]
ALL = [*({**goal, "check": {"run": f"try {goal['id']}", "timeout_sec": 5}} for goal in TRIED), GOALS[2]]


def outcomes(**exits: int | None) -> FakeWorkspace:
    named = {f"try {name.replace('_', '-')}": Ran(code, f"said {name}") for name, code in exits.items()}
    return FakeWorkspace(commands=named)


async def judged(root: FakeWorkspace, *goals: dict[str, object], **values: object):  # type: ignore[no-untyped-def]
    return await Judge(JudgeSettings()).judge(dossier(*goals, **values), root=root, hands=FakeWorkspace(broken=True))


async def test_exit_codes_decide() -> None:
    root = outcomes(clean_words=0, semicolons=1, join_unchanged=0)
    judgement = await judged(root, *ALL)
    goals = {goal.goal: goal for goal in judgement.goals}
    assert [(goal.met, goal.basis) for goal in judgement.goals] == [
        (True, Basis.CHECK), (False, Basis.CHECK), (True, Basis.CHECK), (None, Basis.UNDECIDED),
    ]  # fmt: skip
    assert judgement.score == pytest.approx(0.5 / 0.8)
    assert judgement.decided_share == pytest.approx(0.8)
    assert goals["semicolons"].reason == "its command ended with 1"
    assert goals["answers"].reason == "no model was asked, and it has no command"
    assert root.calls == ["reset", "run try clean-words", "run try semicolons", "run try join-unchanged"]
    assert (judgement.judge, judgement.model, judgement.votes) == ("checks", None, [])
    assert judgement.ledger.requests == 0
    assert judgement.ledger.usage.cost_usd == 0


async def test_running_out_of_time_is_not_met() -> None:
    judgement = await judged(outcomes(clean_words=None, semicolons=0, join_unchanged=0), *ALL)
    assert judgement.goals[0].met is False
    assert judgement.goals[0].reason == "timed out after 5 s"
    assert judgement.check_run is not None
    assert judgement.check_run.outcomes[0].exit is None


async def test_a_failed_gate_zeroes() -> None:
    judgement = await judged(outcomes(clean_words=0, semicolons=0, join_unchanged=1), *ALL)
    assert (judgement.score, judgement.failed_gates) == (0.0, ["join-unchanged"])


async def test_a_dead_container_says_nothing_about_a_goal() -> None:
    with pytest.raises(JudgeError, match="container failed"):
        await run_checks(dossier(), FakeWorkspace(broken=True))


async def test_gates_without_a_command_are_decided_by_their_cases_and_goals_never() -> None:
    root = FakeWorkspace(commands={SPLIT: Ran(0, "")})
    judgement = await judged(root)
    assert [goal.basis for goal in judgement.goals] == [Basis.CHECK, Basis.UNDECIDED, Basis.UNDECIDED, Basis.CASES]
    assert (judgement.score, judgement.decided_share) == (1.0, 0.5)
    broken = await judged(root, cases=[*CASES[:2], case("join-as-before", False, "p2p")])
    assert (broken.score, broken.failed_gates) == (0.0, ["join-unchanged"])
    assert broken.goals[3].reason == "its test cases failed: join-as-before"
    two = [*CASES, case("join-of-none", False, "p2p")]
    both = await judged(root, *GOALS[:3], GOALS[3] | {"cases": ["join-as-before", "join-of-none"]}, cases=two)
    assert both.failed_gates == ["join-unchanged"], "one failed case is enough"
    untested = await judged(root, cases=())
    assert (untested.score, untested.undecided_gates) == (1.0, ["join-unchanged"])


async def test_a_rubric_of_other_tests_is_no_judgement() -> None:
    with pytest.raises(JudgeError, match="join-as-before, which the tests didn't report"):
        await judged(FakeWorkspace(commands={SPLIT: Ran(0, "")}), cases=CASES[:2])


async def test_nothing_decided_is_no_score() -> None:
    only = {"id": "answers", "text": "Says it.", "weight": 1.0, "tier": "core", "evidence": "conversation"}
    judgement = await judged(FakeWorkspace(), only)
    assert (judgement.score, judgement.decided_share, judgement.check_run) == (None, 0.0, None)


async def test_output_is_kept_short_and_clean() -> None:
    root = FakeWorkspace(commands={SPLIT: Ran(1, "\x1b[31mbad\x1b[0m " + "x" * 100_000)})
    run = await run_checks(dossier(), root)
    assert run.outcomes[0].output.startswith("bad xxx")
    assert len(run.outcomes[0].output) <= 1_000
