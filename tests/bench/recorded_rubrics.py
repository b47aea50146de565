"""Rubrics and intents of the recorded sessions in the release's layout: what is wrong with them, and the totals.

The sessions are not part of the repository. Run with the folder that holds them::

    python -m tests.bench.recorded_rubrics FOLDER [--output docs/benchmarks/recorded-rubrics.json]

The folder may also be named by ``SWE_TOGETHER_RECORDED``. Exit code 1: a total differs from what was counted by hand.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from swe_together.files import write_atomically
from swe_together.judge.recorded import Findings, examine, read_recorded


@dataclass(frozen=True)
class Totals:
    """Over all tasks."""

    tasks: int
    goals: int
    intents: int
    idle_guards: int
    tasks_with_idle_guards: int
    weighted_guards: int
    about_words: int
    tasks_about_words: int
    no_rationale: int
    tasks_without_intents: int


BY_HAND = Totals(
    tasks=38,
    goals=219,
    intents=282,
    idle_guards=38,
    tasks_with_idle_guards=36,
    weighted_guards=1,
    about_words=5,
    tasks_about_words=3,
    no_rationale=8,
    tasks_without_intents=5,
)
"""Counted by hand, task by task.

Guards without weight stand in every task but dataclaw-anonymizer-tests, whose guard is a core goal of weight 0.12, and
nunchaku-quantize-bugfix, whose guard weighs 0.10; cli-task-0ec2e9 has three, all others one. Words to the user are
asked for by goal_1 and goal_7 of cli-task-0ec2e9 (0.36 of the weight), goal_explain_fix_in_chinese and
goal_identify_bug_introduction of gemini-voyager-task-64c72f (0.20) and goal_1 of nunchaku-quantize-bugfix (0.18): no
final state can reach 0.85 there. Not counted, since the work can meet them too or since they ask for deeds: goal_0 and
goal_6 of dataclaw-anonymizer-tests, goal_2 of pi-mono-tool-execution-write-error; they look at the trajectory, though.
The eight goals without a rationale are those of dataclaw-anonymizer-tests. Without intents are
comfyui-jina-clip-v2-full and hyperswitch-8008, -8377, -8389, -9465.
"""


def totals(findings: Sequence[Findings]) -> Totals:
    """Sums over tasks."""
    return Totals(
        tasks=len(findings),
        goals=sum(one.goals for one in findings),
        intents=sum(one.intents for one in findings),
        idle_guards=sum(len(one.idle_guards) for one in findings),
        tasks_with_idle_guards=sum(bool(one.idle_guards) for one in findings),
        weighted_guards=sum(len(one.weighted_guards) for one in findings),
        about_words=sum(len(one.about_words) for one in findings),
        tasks_about_words=sum(bool(one.about_words) for one in findings),
        no_rationale=sum(len(one.no_rationale) for one in findings),
        tasks_without_intents=sum(one.intents == 0 for one in findings),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, print, write; exit 1 where a total differs from the count by hand."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.recorded_rubrics", description=__doc__)
    folder = os.environ.get("SWE_TOGETHER_RECORDED")
    parser.add_argument("folder", type=Path, nargs="?", default=folder and Path(folder))
    parser.add_argument("--output", type=Path, help="write the report as JSON")
    options = parser.parse_args(arguments)
    if options.folder is None:
        parser.error("name the folder of recorded sessions, or set SWE_TOGETHER_RECORDED")
    findings = [examine(task) for task in read_recorded(options.folder)]
    for one in findings:
        print(_line(one))
    found, wanted = asdict(totals(findings)), asdict(BY_HAND)
    for name, count in found.items():
        print(f"{name}: {count}, by hand {wanted[name]}{'' if count == wanted[name] else '  <- differs'}")
    if options.output:
        report = {"totals": found, "tasks": [asdict(one) for one in findings]}
        write_atomically(options.output, json.dumps(report, indent=1) + "\n")
    return 0 if found == wanted else 1


def _line(one: Findings) -> str:
    problems = [
        f"guards of weight 0: {', '.join(one.idle_guards)}" if one.idle_guards else "",
        f"about the conversation: {', '.join(one.about_words)} ({one.words_weight:.2f})" if one.about_words else "",
        f"no rationale: {len(one.no_rationale)} goals" if one.no_rationale else "",
        "no intents" if one.intents == 0 else "",
    ]
    told = "; ".join(problem for problem in problems if problem) or "nothing"
    return f"{one.task}: {one.goals} goals, {one.intents} intents; {told}"


if __name__ == "__main__":
    sys.exit(main())
