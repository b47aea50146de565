"""``tasks/README.md``: all tasks in one table, and their stage × case matrices. The same checks give the same text."""

from collections.abc import Sequence

from swe_together.pipeline.check.golden import FULL_SPEC
from swe_together.pipeline.check.model import StateResult, TaskCheck
from swe_together.pipeline.check.show import matrix_columns, matrix_rows

_HEAD = (
    "task",
    "language",
    "package",
    "lines",
    "follow-ups",
    "goals",
    "cases",
    "build (s)",
    "image (MB)",
    "tests (s)",
    "reference",
    "nothing",
    "first message",
    "full spec",
    "best wrong",
    "best cheat",
    "decided",
    "checks: best wrong",
)

_INTRO = """\
# Tasks

Written by `swe-together check --all --readme tasks/README.md` from checks in real containers; don't edit it by hand.
`docs/task-format.md` says what a task holds. *Lines* are those of the code base's text files; *build* is the time until
the image was there and had started, layers that were there already not counted. The columns from *reference* on are
rewards of the tests: of the reference solution, of the untouched tree, of the reference's answer to the first message
alone, of all its stages after the whole contract in one message, of the best wrong solution and of the best attempt to
cheat. *Decided* is the weight of the goals that commands decide without a model;
they score the reference 1 and the untouched tree 0, and the best wrong solution as the next column says.

"""


def overview(checks: Sequence[TaskCheck]) -> str:
    """The text of the page."""
    checks = sorted(checks, key=lambda check: check.task)
    rows = [_row(check) for check in checks]
    text = _INTRO + _table(_HEAD, rows)
    for check in checks:
        columns = matrix_columns(check)
        text += f"\n## {check.task}\n\n"
        if not check.sound:
            failed = ", ".join(verdict.item for verdict in check.verdicts if not verdict.passed)
            text += f"Not sound: {failed}.\n\n"
        if columns:
            head = ("case", "turn", *(name for name, _ in columns))
            text += _table(head, matrix_rows(check, columns))
    return text


def _row(check: TaskCheck) -> list[str]:
    facts = check.facts
    tests = check.state("reference-1")
    return [
        f"[{check.task}]({check.task})",
        str(facts.get("language", "")),
        str(facts.get("package", "")),
        f"{check.image.lines:,}" if check.image else "",
        str(facts.get("follow_ups", "")),
        str(facts.get("goals", "")),
        str(len(check.declared)),
        f"{check.image.build_sec:.0f}" if check.image else "",
        f"{check.image.megabytes:.0f}" if check.image else "",
        f"{tests.test_sec:.0f}" if tests else "",
        _reward(tests),
        _reward(check.state("nothing")),
        _reward(check.state("stage-0")),
        _full_spec(check),
        _best(check, "wrong-"),
        _best(check, "cheat-"),
        f"{tests.judgement.decided_share:.2f}" if tests and tests.judgement else "",
        _best_score(check, "wrong-"),
    ]


def _reward(state: StateResult | None) -> str:
    return "" if state is None or state.reward is None else f"{state.reward:.2f}"


def _full_spec(check: TaskCheck) -> str:
    """What the reference's stages earn where everything was said at once."""
    played = [result.dialogue for result in check.dialogues if result.play == FULL_SPEC and result.dialogue]
    found = [dialogue.reward for dialogue in played if dialogue.reward is not None]
    return f"{found[0]:.2f}" if found else ""


def _best(check: TaskCheck, kind: str) -> str:
    found = [state.reward for state in check.states if state.name.startswith(kind) and state.reward is not None]
    return f"{max(found):.2f}" if found else ""


def _best_score(check: TaskCheck, kind: str) -> str:
    judged = [state.judgement for state in check.states if state.name.startswith(kind) and state.judgement]
    found = [judgement.score for judgement in judged if judgement.score is not None]
    return f"{max(found):.2f}" if found else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)
