"""One dialogue and one arm as a Harbor task: the messages, the tests, and an answer that obeys every rule."""

from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

from swe_together.canary import with_canary
from swe_together.memorycode._arms import Arm, Script, script
from swe_together.memorycode._checker_copy import checker_files
from swe_together.memorycode._dialogue import Dialogue
from swe_together.memorycode._rules_model import Active, Submission
from swe_together.memorycode._task_texts import json_text, readme_md, rubric, session_record, simulator_md, task_toml
from swe_together.memorycode.oracle import oracle
from swe_together.memorycode.queries import QUERIES, serving

LONGEST_PROMPT: Final = 120_000
"""Bytes. Most agents' command lines take a message as one argument or variable, which Linux limits to 128 KiB."""
TOLD: Final = "told.json"
_TOO_LONG: Final = "a single prompt of more than {limit:,} bytes, which command-line agents can't be handed"


def tasks_of(dialogue: Dialogue, arms: Sequence[Arm]) -> Iterator[tuple[str, Arm, str | None]]:
    """Name, arm and single rule of every task of a dialogue; ``isolated`` has one for each rule drawn for it."""
    for arm in arms:
        if arm is Arm.ISOLATED:
            yield from ((f"{dialogue.name}-{arm}-{rule}", arm, rule) for rule in dialogue.isolated)
        else:
            yield f"{dialogue.name}-{arm}", arm, None


def left_out(dialogue: Dialogue, arm: Arm, longest: int = LONGEST_PROMPT) -> str | None:
    """Why a dialogue gets no task of an arm; None where it does."""
    if arm is not Arm.HISTORY or not longest:
        return None
    size = len(script(dialogue, arm).instruction.encode())
    return _TOO_LONG.format(limit=longest) if size > longest else None


def write_task(folder: Path, dialogue: Dialogue, arm: Arm, rule: str | None = None) -> None:
    """Write a task directory; the same dialogue gives the same bytes.

    Args:
        folder: The directory, whose name is the task's.
        dialogue: What is told.
        arm: How.
        rule: The one rule of a task of the arm ``isolated``.
    """
    for name, text in task_files(folder.name, dialogue, arm, rule).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        path.chmod(0o755 if name.endswith(".sh") else 0o644)


def task_files(name: str, dialogue: Dialogue, arm: Arm, rule: str | None = None) -> dict[str, str]:
    """Path inside the task to text."""
    told = script(dialogue, arm, rule)
    active = {rule: dialogue.active[rule]} if rule is not None else dialogue.active
    assets = resources.files("swe_together.memorycode").joinpath("assets")
    shared = resources.files("swe_together").joinpath("assets")
    private = {
        "README.md": readme_md(name, dialogue, arm, rule),
        "task.toml": task_toml(name, dialogue, arm, told),
        "instruction.md": told.instruction + "\n",
        "spec.md": told.spec + "\n",
        "simulator.md": simulator_md(dialogue, told),
        "rubric.json": json_text(rubric(active)),
        "intents.json": json_text({"format": 1, "intents": []}),
        "session.json": json_text(session_record(told)),
    }
    return {
        **{file: with_canary(file, text) for file, text in private.items()},
        "environment/Dockerfile": assets.joinpath("Dockerfile").read_text(encoding="utf-8"),
        **{f"tests/{file}": shared.joinpath(file).read_text(encoding="utf-8") for file in HELPERS},
        "tests/cases.py": assets.joinpath("cases.py").read_text(encoding="utf-8"),
        "tests/functional.py": resources.files("swe_together.memorycode").joinpath("functional.py").read_text("utf-8"),
        **{f"tests/{path}": text for path, text in checker_files().items()},
        f"tests/{TOLD}": json_text(_told(dialogue, arm, rule, told)),
        **_solution(dialogue, active, told),
    }


HELPERS: Final = ("test.sh", "restore.sh", "harness.py")


def _told(dialogue: Dialogue, arm: Arm, rule: str | None, told: Script) -> dict[str, Any]:
    """What the tests and the scripted agents know: rules with their variants and when they were told, and requests."""
    rules = [one for one in dialogue.active_rules if rule in (None, one.rule)]
    spoken = arm in (Arm.SESSIONS, Arm.HISTORY, Arm.MEMORY)
    marks: dict[str, list[str]] = {}
    for item in (item for meeting in dialogue.sessions for item in meeting.items if item.kind.is_distractor):
        marks.setdefault(item.topic, []).append(item.mark)
    mentions = [
        [[item.topic, item.variant] for item in meeting.items if item.kind.is_rule] for meeting in dialogue.sessions
    ]
    return {
        "format": 1,
        "dialogue": dialogue.name,
        "arm": arm.value,
        "size": dialogue.size,
        "seed": dialogue.seed,
        "pool": dialogue.pool,
        "turn": len(told.followups),
        "mentions": mentions if rule is None else [[[rule, dialogue.active[rule]]]],
        "rules": [
            {
                "rule": one.rule,
                "variants": list(one.variants if rule is None else one.variants[-1:]),
                "since": dialogue.size - one.session if rule is None else 0,
                "home": next(query for query in dialogue.requests if query in serving(one.rule)),
            }
            for one in rules
        ],
        "requests": [
            {
                "id": query,
                "path": QUERIES[query].path,
                "profile": sorted(kind.value for kind in QUERIES[query].profile),
                "tests": QUERIES[query].tests,
            }
            for query in dialogue.requests
        ],
        "distractors": [{"topic": topic, "marks": found} for topic, found in marks.items()] if spoken else [],
    }


def answers(requests: Sequence[str], active: Active) -> list[Submission]:
    """An answer to each request that obeys the rules, in order; a file that two of them write holds what both say."""
    written: dict[str, str] = {}
    found = []
    for query in requests:
        answer = oracle(query, active)
        files = {path: _added(written.get(path, ""), text) for path, text in answer.files.items()}
        written |= files
        found.append(Submission(files, answer.commits))
    return found


def _added(before: str, text: str) -> str:
    new = [line for line in text.splitlines() if line not in before.splitlines()]
    return before + "".join(f"{line}\n" for line in new) if before else text


def _solution(dialogue: Dialogue, active: Active, told: Script) -> dict[str, str]:
    """``solve.sh`` plays the answer at once; the replies are those of somebody who listens and then does it."""
    found = {f"solution/turn-{turn}.md": "Understood, I'll keep that in mind.\n" for turn in range(len(told.followups))}
    found[f"solution/turn-{len(told.followups)}.md"] = "Done, each task in a commit of its own.\n"
    steps = []
    for number, answer in enumerate(answers(dialogue.requests, active), 1):
        found |= {f"solution/answers/{number}/{path}": text for path, text in answer.files.items()}
        found[f"solution/answers/{number}.message"] = answer.commits[-1].rstrip("\n") + "\n"
        steps.append(f"answer {number}")
    lines = [
        "#!/bin/bash",
        "# An answer that obeys every rule in force, a commit for each task.",
        "set -euo pipefail",
        'here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)',
        "cd /workspace",
        "answer() {",
        '  cp -r "$here/answers/$1/." .',
        "  git add -A",
        "  git -c user.name=reference -c user.email=reference@localhost commit -q --cleanup=verbatim \\",
        '    -F "$here/answers/$1.message"',
        "}",
        *steps,
    ]
    found["solution/solve.sh"] = "\n".join(lines) + "\n"
    return found
