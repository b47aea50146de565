"""Drafting: the two conversations, what they are shown, what is refused, what is recorded."""

import json
from typing import Any

import pytest

from swe_together.errors import DraftError
from swe_together.judge import Ran
from swe_together.judge.drafting import Drafting, Limits, Material, SessionTurn, draft
from swe_together.judge.drafting._forms import hundredths
from swe_together.judge.fake import Answer, FakeWorkspace, ListedChat
from swe_together.providers import Completion
from swe_together.schema import Attack, DraftRubric
from tests.judge.drafting.cases import FAULT, GOALS, SPLIT, found, goal, handed, material

RUN: Answer = ("run", {"command": "ls", "timeout_sec": 5})
GREEN = FakeWorkspace(commands={SPLIT: Ran(0, ""), "ls": Ran(0, "wordbox.py\n")})


async def made(
    author: ListedChat, critic: ListedChat, root: FakeWorkspace = GREEN, given: Material | None = None, **values: Any
) -> DraftRubric:
    drafting = Drafting(author, critic, **values)
    hands = FakeWorkspace(commands={"ls": Ran(0, "wordbox.py\n")})
    return await draft(drafting, given or material(), "2026-02-03", root=root, hands=hands)


async def test_written_tried_and_attacked() -> None:
    author, critic = ListedChat([RUN, handed()], "writer"), ListedChat([RUN, found(FAULT)], "attacker")
    draft = await made(author, critic)
    assert [(one.id, one.weight, one.gate) for one in draft.goals] == [
        ("clean-words", 0.48, False), ("semicolons", 0.48, False), ("says-so", 0.04, False),
        ("join-unchanged", None, True),
    ]  # fmt: skip
    assert (draft.author, draft.critic, draft.date) == ("writer", "attacker", "2026-02-03")
    assert [(one.goal, one.met) for one in draft.checks] == [("semicolons", True)]
    (finding,) = draft.findings
    assert (finding.goal, finding.kind, finding.must, finding.answer) == ("semicolons", Attack.WEIGHT, True, None)
    assert draft.ledger.requests == 4
    assert len(set(draft.prompts)) == 2
    names = [source.name for source in draft.sources]
    assert names[:4] == ["instruction.md", "spec.md", "simulator.md", "intents.json"]
    assert {"solution/turn-0.patch", "solution/turn-2.md", "tests/cases.py"} <= set(names)
    assert not [name for name in names if "wrong" in name or "cheat" in name or "alt" in name or "rubric" in name]


async def test_the_critic_sees_draft_and_outcome_and_none_of_the_authors_words() -> None:
    red = FakeWorkspace(commands={SPLIT: Ran(1, "AssertionError\n")})
    author = ListedChat([("run", {"command": "echo my-own-notes", "timeout_sec": 5}), handed()])
    critic = ListedChat([found()])
    draft = await made(author, critic, red)
    (asked,) = critic.asked
    assert "## semicolons (core, state, weight 0.48)" in asked.opening
    assert json.dumps(SPLIT)[1:-1] in asked.opening
    assert "On the reference, its command ended with 1.\n⟦output⟧\nAssertionError" in asked.opening
    assert "my-own-notes" not in asked.opening
    assert (asked.steps, draft.findings, draft.checks[0].met) == ((), [], False)


async def test_words_that_only_the_reference_knows_are_pointed_out() -> None:
    turns = [SessionTurn(0, "split at ; and keep the_old_name", "Done.", "+def split_at_marks(the_old_name):\n-x\n y")]
    given = Material("t", ["/workspace"], turns, "split at ;", "They want it.", files={"instruction.md": b"split"})
    goals = [goal("named", text="split_at_marks keeps the_old_name"), goal("plain", text="Words are split.")]
    critic = ListedChat([found()])
    await made(ListedChat([handed(*goals)]), critic, given=given)
    assert critic.asked[0].opening.count("Only the reference knows these words") == 1
    assert "Only the reference knows these words: split_at_marks." in critic.asked[0].opening


@pytest.mark.parametrize(
    ("goals", "problem"),
    [
        ([GOALS[0], GOALS[0]], "stand in it twice: clean-words"),
        ([goal("Not A Slug")], "lower-case words"),
        ([goal("a", tier="secondary")], "No goal with a weight is core"),
        ([goal("a", gate=True)], "a gate has no weight"),
        ([goal("a", weight=None)], "it needs a weight"),
        ([goal("a", weight=101)], "less than or equal to 100"),
        ([goal("a", gate=True, weight=None)], "No goal with a weight is core"),
        ([goal("a", evidence="conversation", check="true")], "no command sees the conversation"),
        ([goal("a", evidence="conversation", cases=["strips-blanks"])], "no test case sees the conversation"),
        ([goal("a", evidence="tests")], "neither case nor check"),
        ([goal("a", cases=["no-such"])], "a test case that there isn't"),
        ([goal("a", turns=[9])], "a turn that the session doesn't have"),
        ([goal("a", turns=[])], "at least 1 item"),
        ([goal("a", check=" ")], "its check is empty"),
        ([goal("a", gate="false")], "valid boolean"),
        ([goal("a", why=" ")], "no text or no reason"),
        ([goal(f"a{n}") for n in range(16)], "at most 15"),
    ],
)
async def test_a_draft_that_cant_be_a_rubric_is_refused_with_the_reason(
    goals: list[dict[str, Any]], problem: str
) -> None:
    author = ListedChat([handed(*goals), handed()])
    await made(author, ListedChat([found()]))
    told = author.asked[1].noted + "".join(result for step in author.asked[1].steps for result in step.results)
    assert problem in told


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        ({**FAULT, "goal": "no-such"}, "There is no goal 'no-such'"),
        ({**FAULT, "kind": "taste"}, "Input should be"),
        ({**FAULT, "must": "yes"}, "valid boolean"),
        ({**FAULT, "advice": " "}, "no advice"),
    ],
)
async def test_findings_that_say_nothing_are_refused(fault: dict[str, Any], problem: str) -> None:
    critic = ListedChat([found(fault), found()])
    await made(ListedChat([handed()]), critic)
    told = critic.asked[1].noted + "".join(result for step in critic.asked[1].steps for result in step.results)
    assert problem in told


async def test_no_usable_draft_is_an_error_and_says_whose() -> None:
    with pytest.raises(DraftError, match="author's model 'listed' gave no usable draft, 3 answers in a row"):
        await made(ListedChat([Completion(content="Sure!")] * 3), ListedChat([]))
    with pytest.raises(DraftError, match="critic's model 'listed' gave no usable critique, 3 submissions"):
        await made(ListedChat([handed()]), ListedChat([found({**FAULT, "goal": "x"})] * 3))
    with pytest.raises(DraftError, match="author's container failed"):
        await made(ListedChat([handed()]), ListedChat([]), FakeWorkspace(broken=True))


async def test_time_is_a_budget_of_each_conversation() -> None:
    ticks = iter(range(0, 100_000, 10))
    with pytest.raises(DraftError, match=r"author's time of 25 s is spent\. Give it more: --seconds"):
        await made(ListedChat([RUN] * 9), ListedChat([]), limits=Limits(25, 60, 10**6), clock=lambda: next(ticks))


@pytest.mark.parametrize(
    ("parts", "shares"),
    [
        ([1], [100]),
        ([1, 1, 1], [34, 33, 33]),
        ([40, 40, 3], [48, 48, 4]),  # 48.19, 48.19, 3.61
        ([2, 3, 5], [20, 30, 50]),
        ([100, 100, 1], [50, 49, 1]),  # 49.75 twice and 0.50, which becomes 1
        ([199, 1], [99, 1]),  # 99.5 and 0.5: what became 1 is not raised again
        ([100] * 14 + [1], [8] + [7] * 13 + [1]),  # 7.137 fourteen times: 98 and 1, the first has the rest
    ],
)
def test_weights_sum_to_one_and_none_is_zero(parts: list[int], shares: list[int]) -> None:
    assert hundredths(parts) == shares
    assert sum(shares) == 100
