"""A plan, written as a task directory."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from swe_together.errors import MisuseError
from swe_together.files import write_atomically
from swe_together.gaps import gap, review
from swe_together.pipeline.build._plan import Cases, DraftCase, Plan
from swe_together.pipeline.build._rubric import rubric_of
from swe_together.pipeline.build._texts import readme_text, session_of, simulator_text, toml_text
from swe_together.pipeline.fmt import format_task
from swe_together.schema import Intents, Rubric

NO_CASES: Final = f'''\
"""Cases of this task, judged from outside; docs/task-format.md says how."""

from harness import Runner, case, equal

# {gap("at least two fail-to-pass cases for every message that asks for work, and pass-to-pass ones")}
'''
_SOLVE: Final = """\
#!/bin/bash
# The reference: every stage of the session, in order, on the tree as it was imported.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /workspace
for patch in $(ls "$here"/turn-*.patch | sort -V); do
  git apply --whitespace=nowarn "$patch"
done
"""
_NO_SOLVE: Final = f"#!/bin/bash\n# {gap('the reference: what the session came to')}\nexit 1\n"
_NO_TESTS: Final = "none yet; tests/cases.py is to be written."
_SILENT: Final = "Done."


def write_task(
    path: Path, plan: Plan, *, cases: Cases | None = None, extra: Mapping[str, str] | None = None,
    tests: str = _NO_TESTS, author: str = "swe-together",
) -> Path:  # fmt: skip
    """Write a draft.

    Args:
        path: The task's directory; what its environment holds already stays.
        plan: The draft.
        cases: The cases in ``extra``'s ``tests/cases.py``.
        extra: Further files by name, instead of those that are written here.
        tests: A sentence on where the tests come from.
        author: Who made the goals.

    Raises:
        MisuseError: There is a task already.
        PrivacyError: A text can't be looked through; nothing was written.
    """
    if (path / "task.toml").exists():
        raise MisuseError(f"{path} is there already.", "Choose another folder, or remove it.")
    told = f"drafted by {plan.prose.author}, never run." if plan.cases and cases is None else tests
    texts = _texts(plan, plan.drafted_cases if cases is None else cases, told, author) | dict(extra or {})
    texts = plan.cleared.files(texts)
    for name, text in texts.items():
        write_atomically(path / name, text)
    stages = plan.reference.stages if plan.reference is not None else {}
    for turn, patch in stages.items():
        (path / "solution" / f"turn-{turn}.patch").write_bytes(patch)
    (path / "solution" / "solve.sh").chmod(0o755)
    format_task(path)
    return path


def rewrite_goals(path: Path, plan: Plan, cases: Cases, tests: str, author: str) -> None:
    """Write goals and README anew, once cases are known."""
    texts = {"rubric.json": _rubric(rubric_of(plan, cases, author, _today())), "README.md": readme_text(plan, tests)}
    for name, text in plan.cleared.files(texts).items():
        write_atomically(path / name, text)
    format_task(path)


def _texts(plan: Plan, cases: Cases, tests: str, author: str) -> dict[str, str]:
    texts = {
        "README.md": readme_text(plan, tests),
        "task.toml": toml_text(plan),
        "instruction.md": f"{plan.turns[0].text.strip()}\n",
        "spec.md": plan.prose.spec,
        "simulator.md": simulator_text(plan),
        "intents.json": Intents(intents=list(plan.intents)).model_dump_json(indent=2, exclude_none=True) + "\n",
        "session.json": session_of(plan).model_dump_json(indent=2, exclude_none=True) + "\n",
        "rubric.json": _rubric(rubric_of(plan, cases, author, _today())),
        "environment/Dockerfile": plan.dockerfile,
        "tests/cases.py": cases_text(plan.cases) if plan.cases else NO_CASES,
        "solution/solve.sh": _SOLVE if plan.reference is not None and plan.reference.stages else _NO_SOLVE,
    }
    return texts | {f"solution/turn-{turn.number}.md": f"{turn.reply or _SILENT}\n" for turn in plan.turns}


def cases_text(cases: Sequence[DraftCase]) -> str:
    """``tests/cases.py`` of what a model wrote."""
    parts = [f'"""Cases of this task.\n\n{review("a model wrote these cases: run them, and read every line")}\n"""\n\n'
             "from harness import Runner, case, equal\n"]  # fmt: skip
    for one in cases:
        kind = "" if one.kind == "f2p" else ', kind="p2p"'
        head = f"@case(turn={one.turn}{kind})\ndef {one.name.replace('-', '_')}(run: Runner) -> None:\n"
        parts.append(head + textwrap.indent(one.body.strip("\n"), "    ") + "\n")
    return "\n\n".join(parts)


def _rubric(rubric: Rubric) -> str:
    value = {"format": rubric.format, **rubric.model_dump(mode="json", exclude_defaults=True)}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
