"""One vote: looking around, handing in, being asked again, running out of budgets."""

from typing import Any

import pytest

from swe_together.errors import JudgeError
from swe_together.judge import Judge, JudgementStore, Ran
from swe_together.judge.fake import Answer, FakeWorkspace, ListedChat, called, submit, verdict
from swe_together.providers import Completion
from swe_together.schema import Basis, Judgement
from tests.judge.cases import GOALS, SPLIT, dialogue, dossier, settings

FILES = {"/workspace/wordbox.py": "import re\n\n\ndef split(text):\n    return re.split('[,;]', text)\n"}
COMMANDS = {SPLIT: Ran(0, ""), "ls": Ran(0, "wordbox.py\n")}
LOOK: list[Answer] = [
    ("run", {"command": "ls", "timeout_sec": 10}),
    ("read", {"path": "wordbox.py", "first_line": 1, "lines": 9}),
]
STATE = verdict("clean-words", True, ("file", "wordbox.py:5"))
TESTS = verdict("semicolons", False, ("case", "mixed-splits"))
WORDS = verdict("answers", True, ("turn", "2"))
GATE = verdict("join-unchanged", True, ("case", "join-as-before"))
ALL = submit(STATE, TESTS, WORDS, GATE)
LEFT = submit(TESTS, WORDS)
"""What is left where commands and cases are trusted."""


def hands() -> FakeWorkspace:
    return FakeWorkspace(FILES, COMMANDS)


async def judged(model: ListedChat, hands_: FakeWorkspace | None = None, **values: Any) -> Judgement:
    given = values.pop("dossier", None) or dossier()
    store = values.pop("store", None)
    clock = values.pop("clock", None)
    judge = Judge(settings(**values), model, store, **({"clock": clock} if clock else {}))
    return await judge.judge(given, root=hands(), hands=hands_ or hands())


async def test_looking_around_and_handing_in() -> None:
    model = ListedChat([*LOOK, ALL])
    workspace = hands()
    judgement = await judged(model, workspace, checks="ignore")
    assert [(one.goal, one.met, one.basis) for one in judgement.goals] == [
        ("clean-words", True, Basis.MODEL),
        ("semicolons", False, Basis.MODEL),
        ("answers", True, Basis.MODEL),
        ("join-unchanged", True, Basis.MODEL),
    ]
    assert judgement.score == pytest.approx(0.7)
    assert workspace.calls == ["reset", "run ls", "read wordbox.py"]
    shown = [step.results[0] for step in model.asked[-1].steps]
    assert shown == [
        "call 1: exit 0\n⟦output⟧\nwordbox.py\n\n⟦/output⟧",
        "call 2: lines 1-5 of 5\n⟦file⟧\n1: import re\n2: \n3: \n4: def split(text):\n"
        "5:     return re.split('[,;]', text)\n⟦/file⟧",
    ]
    (vote,) = judgement.votes
    assert [one.goal for one in vote.verdicts] == [goal["id"] for goal in GOALS]
    assert len(vote.answers) == 3
    assert '"submit"' in vote.answers[2]
    assert judgement.ledger.requests == 3
    assert judgement.ledger.usage.input_tokens is None, "unknown is unknown"


async def test_trusted_commands_and_cases_are_not_asked_about() -> None:
    model = ListedChat([LEFT])
    judgement = await judged(model)
    assert "clean-words" not in model.asked[0].opening
    assert [one.basis for one in judgement.goals] == [Basis.CHECK, Basis.MODEL, Basis.MODEL, Basis.CASES]
    assert judgement.disagreements == []


async def test_confirming_shows_the_outcome_and_records_where_they_differ() -> None:
    no = verdict("clean-words", False, ("command", "1"), reason="blanks are kept")
    model = ListedChat([LOOK[0], submit(no, TESTS, WORDS, verdict("join-unchanged", False, ("command", "1")))])
    judgement = await judged(model, checks="confirm")
    assert "A command of ours that tries it ended with 0: by it, the goal is met." in model.asked[0].opening
    assert SPLIT not in model.asked[0].opening, "what is asked for is not how it is tried"
    first = judgement.goals[0]
    assert (first.met, first.basis, first.check, first.model) == (False, Basis.MODEL, True, False)
    assert judgement.disagreements == ["clean-words", "join-unchanged"]
    assert (judgement.score, judgement.failed_gates) == (0.0, ["join-unchanged"])


async def test_ignoring_runs_no_command() -> None:
    judge = Judge(settings(checks="ignore"), ListedChat([*LOOK, ALL]))
    judgement = await judge.judge(dossier(), root=FakeWorkspace(broken=True), hands=hands())
    assert judgement.check_run is None
    assert all(goal.check is None for goal in judgement.goals)


async def test_votes_majority_and_flips() -> None:
    yes, no = submit(verdict("semicolons", True, ("case", "mixed-splits")), WORDS), LEFT
    model = ListedChat([no, yes, no])
    workspace = hands()
    judgement = await judged(model, workspace, votes=3)
    goal = judgement.goals[1]
    assert (goal.votes, goal.met, goal.flip_rate) == ([False, True, False], False, pytest.approx(2 / 3))
    assert judgement.goals[2].flip_rate == 0.0
    assert judgement.goals[0].flip_rate is None
    assert workspace.calls == ["reset"] * 3, "every vote starts in the state as it was handed in"
    assert [vote.number for vote in judgement.votes] == [0, 1, 2]


async def test_goals_are_shuffled_by_the_seed() -> None:
    orders = set()
    for seed in range(6):
        model = ListedChat([*LOOK, ALL])
        judgement = await judged(model, checks="ignore", seed=seed)
        assert (await judged(ListedChat([*LOOK, ALL]), checks="ignore", seed=seed)).votes[0].order == (
            judgement.votes[0].order
        )
        opening = model.asked[0].opening
        order = judgement.votes[0].order
        places = [opening.index(f"## {goal} ") for goal in order]
        assert places == sorted(places)
        orders.add(tuple(order))
    assert len(orders) >= 3


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (Completion(content="All goals met, score 1.0"), "no call of run"),
        (Completion(), "empty"),
        (Completion(refusal="no"), "refusal"),
        (called(("grade", {})), "'grade'"),
        (called(LEFT, LEFT), "exactly once"),
    ],
)
async def test_what_is_no_call_is_asked_again_with_the_reason_twice(bad: Completion, problem: str) -> None:
    model = ListedChat([bad, bad, LEFT])
    judgement = await judged(model)
    assert [len(asked.notes) for asked in model.asked] == [0, 1, 2]
    assert problem in model.asked[1].notes[0]
    assert model.asked[2].steps == (), "an answer without form leaves nothing to go on from"
    assert [problem in one.problem for one in judgement.votes[0].refused] == [True, True]
    with pytest.raises(JudgeError, match=r"'listed' gave no usable verdict, 3 answers in a row"):
        await judged(ListedChat([bad, bad, bad, LEFT]))


async def test_a_good_answer_between_starts_the_count_again() -> None:
    bad = Completion(content="hm")
    judgement = await judged(ListedChat([bad, bad, LOOK[0], bad, bad, LEFT]))
    assert len(judgement.votes[0].refused) == 4


async def test_a_submission_that_cites_what_was_not_seen_is_asked_again_twice() -> None:
    blind = submit(TESTS, verdict("answers", True, ("turn", "7")))
    model = ListedChat([blind, blind, LEFT])
    judgement = await judged(model)
    assert len(judgement.votes[0].refused) == 2
    (step,) = model.asked[1].steps
    assert step.results[0] == (
        "Not taken. Goal answers cites turn '7': give the number of a turn that is shown. Mend that and submit again."
    )
    with pytest.raises(JudgeError, match="3 submissions were refused"):
        await judged(ListedChat([blind, LOOK[0], blind, LOOK[0], blind, LEFT]))


async def test_the_last_answer_can_only_hand_in() -> None:
    model = ListedChat([LOOK[0], LOOK[1], LEFT])
    await judged(model, turns=3)
    assert [[tool.name for tool in asked.tools] for asked in model.asked] == [
        ["run", "read", "search", "submit"], ["run", "read", "search", "submit"], ["submit"],
    ]  # fmt: skip
    assert model.asked[2].notes == ["Your answers are used up: call submit now, with what you have found."]
    with pytest.raises(JudgeError, match="3 answers in a row were refused"):
        await judged(ListedChat([LOOK[0], *[LOOK[1]] * 9]), turns=2)


async def test_tokens_are_counted_and_then_only_a_submission_is_taken() -> None:
    first, last = called(LOOK[0]), called(LEFT)  # type: ignore[arg-type]
    counted = Completion(calls=first.calls, input_tokens=900, output_tokens=100)
    model = ListedChat([counted, last])
    await judged(model, tokens=1_000)
    assert [len(asked.tools) for asked in model.asked] == [4, 1]
    assert "tokens" in model.asked[1].notes[0]
    model = ListedChat([counted, last])
    await judged(model, tokens=1_001)
    assert [len(asked.tools) for asked in model.asked] == [4, 4]
    model = ListedChat([first, last])
    await judged(model, tokens=200)
    assert [len(asked.tools) for asked in model.asked] == [4, 1], "unknown tokens are estimated for the budget alone"


class Slow(ListedChat):
    """Needs a hundred seconds an answer."""

    now = 0.0

    async def answer(self, conversation: Any, seconds: float) -> Completion:
        self.now += 100
        return await super().answer(conversation, seconds)


async def test_time_is_kept_for_the_submission_and_then_is_over() -> None:
    model = Slow([LOOK[0], LOOK[0], LOOK[0], LEFT])
    await judged(model, clock=lambda: model.now, seconds=400)
    assert [len(asked.tools) for asked in model.asked] == [4, 4, 4, 4]
    assert model.asked[3].steps[2].results == ["call 3: exit 0\n⟦output⟧\nwordbox.py\n\n⟦/output⟧"]
    model = Slow([LOOK[0], LOOK[0], LOOK[0], LEFT])
    await judged(model, clock=lambda: model.now, seconds=355)
    assert [len(asked.tools) for asked in model.asked] == [4, 4, 4, 1]
    assert model.asked[3].steps[2].results == ["Not done: your time is used up."]
    assert model.asked[3].notes == ["Your time is used up: call submit now, with what you have found."]
    with pytest.raises(JudgeError, match="time of 250 s is spent"):
        late = Slow([LOOK[0]] * 9)
        await judged(late, clock=lambda: late.now, seconds=250)


async def test_a_dead_container_is_a_judge_error() -> None:
    with pytest.raises(JudgeError, match="judge's container failed"):
        await judged(ListedChat([LEFT]), FakeWorkspace(broken=True))


async def test_without_any_recorded_reply_goals_about_words_stay_undecided() -> None:
    turns = [{"message": "clean please", "reply": None}]
    model = ListedChat([submit(TESTS)])
    judgement = await judged(model, dossier=dossier(dialogue=dialogue(*turns)))
    assert (judgement.goals[2].met, judgement.goals[2].reason) == (None, "no word of the agent was recorded")
    assert judgement.decided_share == pytest.approx(0.8)
    assert judgement.score == pytest.approx(0.5 / 0.8)


async def test_what_a_failed_vote_cost_is_kept_and_never_read_as_a_vote(tmp_path: Any) -> None:
    store = JudgementStore(tmp_path)
    with pytest.raises(JudgeError):
        await judged(ListedChat([LOOK[0], Completion(content="hm", cost_usd=0.5, input_tokens=7, output_tokens=1)]),
                     store=store)  # fmt: skip
    (path,) = (tmp_path / "failed").iterdir()
    assert '"requests":2' in path.read_text().replace(" ", "").replace("\n", "")
    assert not (tmp_path / "votes").exists()
    judgement = await judged(ListedChat([LEFT]), store=store)
    assert judgement.cached_votes == 0
