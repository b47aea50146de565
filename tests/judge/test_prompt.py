"""The prompt stays bounded whatever was said, printed or tested."""

from swe_together import defaults
from swe_together.judge import Judge
from swe_together.judge._prompt import SYSTEM
from swe_together.judge.fake import FakeWorkspace, ListedChat, submit, verdict
from tests.judge.cases import case, dialogue, dossier, settings

WORDS = {"id": "answers", "text": "Says it.", "weight": 0.5, "tier": "core", "evidence": "conversation"}


async def test_hundreds_of_turns_and_huge_test_output() -> None:
    names = [f"case-{number}" for number in range(200)]
    tests = {"id": "works", "text": "Works.", "weight": 0.5, "tier": "core", "evidence": "tests", "cases": names}
    turns = [{"message": "m" * 50_000, "reply": "r" * 50_000}]
    turns += [{"message": "m" * 50_000, "reply": "r" * 50_000, "kind": "free"} for _ in range(300)]  # type: ignore[dict-item]
    given = dossier(WORDS, tests, dialogue=dialogue(*turns), cases=[case(n, False, message="x" * 9_000) for n in names])
    model = ListedChat(
        [submit(verdict("answers", False, ("turn", "301")), verdict("works", False, ("case", "case-9")))]
    )
    await Judge(settings(), model).judge(given, root=FakeWorkspace(), hands=FakeWorkspace())
    size = len(model.asked[0].opening)
    assert size < defaults.JUDGE_DIALOGUE_CHARS + defaults.JUDGE_CASES_CHARS + 301 * 200 + 200 * 30
    assert "## Turn 301 " in model.asked[0].opening, "cut, but no turn is left out"


async def test_a_gate_is_told_to_hold_and_a_goal_without_cases_says_so() -> None:
    bare = {"id": "works", "text": "Works.", "weight": 1.0, "tier": "core", "evidence": "tests"}
    gate = {"id": "stays", "text": "Stays.", "tier": "core", "evidence": "state", "gate": True}
    model = ListedChat([])
    try:
        await Judge(settings(), model).judge(dossier(bare, gate), root=FakeWorkspace(), hands=FakeWorkspace())
    except Exception as error:  # noqa: BLE001 - the list is empty; only the question matters
        assert "no answer number 1" in str(error)
    opening = model.asked[0].opening
    assert "## stays (core, state, must hold)" in opening
    assert "## works (core, tests)\nWorks.\nNo test case speaks for it." in opening


async def test_the_judge_is_told_who_speaks_in_each_turn() -> None:
    turns = [{"message": "clean please", "reply": "Done."}]
    turns += [{"message": f"m{number}", "kind": kind, "reply": "Done."}  # type: ignore[dict-item]
              for number, kind in enumerate(("anchor", "insist", "on_question", "free"))]  # fmt: skip
    model = ListedChat([submit(verdict("answers", False, ("turn", "2")))])
    alone = WORDS | {"weight": 1.0}
    await Judge(settings(), model).judge(
        dossier(alone, dialogue=dialogue(*turns)), root=FakeWorkspace(), hands=FakeWorkspace()
    )
    opening = model.asked[0].opening
    assert "The user is a script with words written beforehand." in opening
    for number, sender in enumerate(
        ("the task's first message", "follow-up of the session", "again, since it was not done",
         "answer to the agent's question", "free words"), start=1,
    ):  # fmt: skip
        assert f"## Turn {number} ({sender})\n⟦user⟧" in opening
    assert "no message is a verdict on its work" in SYSTEM
    assert settings().model.temperature == 0.0  # type: ignore[union-attr]


def test_the_rules_name_every_kind_of_evidence() -> None:
    for word in ("`file`", "`command`", "`case`", "`turn`", "`state`", "`tests`", "`conversation`", "`submit`"):
        assert word in SYSTEM
