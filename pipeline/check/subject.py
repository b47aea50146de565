"""The parts of a task that a check needs, and the states of the tree that prove it."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from swe_together.errors import TaskError
from swe_together.pipeline.check.model import DeclaredCase
from swe_together.schema import Action, Goal
from swe_together.tasks import TaskBundle

ASSETS = Path(str(resources.files("swe_together"))) / "assets"
HELPERS = ("harness.py", "test.sh", "restore.sh")
REFERENCE_RUNS = 3
LEAVING = "leaves-at-once"
"""The state in which all code of the tree leaves with success as soon as it is loaded; made for every task alike."""

_LIST_CASES = """
import json, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
import harness
import cases
print(json.dumps([{"id": c.id, "kind": c.kind, "turn": c.turn, "weight": c.weight} for c in harness._CASES]))
"""


@dataclass(frozen=True)
class Proof:
    """A patch or script of ``solution/`` that the tests must judge in a known way."""

    name: str
    path: Path
    goal: str = ""


@dataclass(frozen=True)
class State:
    """A state of the tree: patches applied in order, or a script, each as the agent's user.

    ``oracle`` means Harbor's own run of ``solve.sh``; ``judged`` that the goals' own commands judge it too.
    """

    name: str
    patches: tuple[Path, ...] = ()
    script: Path | None = None
    oracle: bool = False
    judged: bool = False


@dataclass(frozen=True)
class Subject:
    """A task under check.

    ``asks`` holds the turns that ask for work: the instruction's too, unless the task can't be played as
    ``first-message``, since that message alone asks for nothing.
    """

    path: Path
    id: str
    trees: list[str]
    goals: list[Goal]
    asks: set[int] = field(default_factory=lambda: {0})
    turns: set[int] = field(default_factory=lambda: {0})
    stages: dict[int, Path] = field(default_factory=dict)
    wrong: list[Proof] = field(default_factory=list)
    alt: list[Proof] = field(default_factory=list)
    cheat: list[Proof] = field(default_factory=list)
    declared: list[DeclaredCase] = field(default_factory=list)
    lines: int | None = None

    def goal_of(self, case: str) -> str:
        """The goal that a case belongs to, or an empty string."""
        return next((goal.id for goal in self.goals if case in goal.cases), "")

    def states(self) -> list[State]:
        """Every state to run, the most telling first."""
        found = [State("nothing", judged=True)]
        found += [State(f"reference-{n}", oracle=True, judged=n == 1) for n in range(1, 1 + REFERENCE_RUNS)]
        found.append(State(LEAVING, script=ASSETS / "leave-at-once.sh", judged=True))
        applied: tuple[Path, ...] = ()
        for turn, patch in sorted(self.stages.items()):
            applied = (*applied, patch)
            found.append(State(f"stage-{turn}", patches=applied))
        for proof in [*self.wrong, *self.alt, *self.cheat]:
            if proof.path.suffix == ".sh":
                found.append(State(proof.name, script=proof.path, judged=True))
            else:
                found.append(State(proof.name, patches=(proof.path,), judged=True))
        return found


def make_subject(bundle: TaskBundle, declared: list[DeclaredCase]) -> Subject:
    """Gather what a check needs from a task that was read."""
    working = (Action.NEW_REQUIREMENT, Action.REDIRECT)
    first = {0} if "first-message" in bundle.metadata.arms else set[int]()
    proofs = {kind: _proofs(bundle.solution, kind) for kind in ("wrong", "alt", "cheat")}
    return Subject(
        path=bundle.path,
        id=bundle.id,
        trees=list(bundle.metadata.trees),
        goals=list(bundle.rubric.goals),
        asks=first | {a.source_turn for a in bundle.script.anchors if a.action in working},
        turns={0} | {a.source_turn for a in bundle.script.anchors},
        stages={turn: bundle.solution / f"turn-{turn}.patch" for turn in bundle.stages},
        declared=declared,
        lines=bundle.metadata.lines,
        **proofs,
    )


def _proofs(folder: Path, kind: str) -> list[Proof]:
    found = []
    for path in sorted(folder.glob(f"{kind}-*")):
        if path.suffix not in (".patch", ".sh"):
            continue
        goal = ""
        if kind == "wrong":
            first = path.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]
            match = re.fullmatch(r"Goal: ([a-z0-9-]+)\s*", first)
            goal = match[1] if match else ""
        found.append(Proof(path.stem, path, goal))
    return found


def declared_cases(path: Path) -> list[DeclaredCase]:
    """The cases of a task as its ``cases.py`` declares them, read in a process of its own.

    Raises:
        TaskError: The file can't be read, or declares nothing.
    """
    file = path / "tests" / "cases.py"
    if not file.is_file():
        raise TaskError(file, "", None, "the file is missing", "Add it; docs/task-format.md says what it holds.")
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-B", "-c", _LIST_CASES, str(file.parent), str(ASSETS)],
            capture_output=True,
            text=True,
            env={"PATH": os.defpath},
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TaskError(
            file, "", None, "takes longer than 60 seconds to declare its cases", "Work inside cases."
        ) from None
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        raise TaskError(file, "", None, f"cannot be read: {last}", "Correct it.")
    try:
        declared = TypeAdapter(list[DeclaredCase]).validate_python(json.loads(done.stdout))
    except (json.JSONDecodeError, ValidationError):
        raise TaskError(file, "", done.stdout, "prints while it declares its cases", "Remove the print.") from None
    if not declared:
        raise TaskError(file, "", None, "declares no case", "Declare cases with @case.")
    return declared
