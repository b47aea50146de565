"""What a task of the paper's release lacks to be a task of ours, each in one sentence."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from swe_together import defaults
from swe_together.judge.recorded import examine, read_recorded_task
from swe_together.judge.released import left_out
from swe_together.released import ORACLE, ReleasedTask

KINDS: Final = ("anchors", "contract", "gates", "goals", "intents", "image", "tests", "reference", "licence", "user")
"""What may be lacking, in the order of the report."""
CONFIG: Final = "install_config.json"
_PRIVATE: Final = "ghcr.io/togetherbench/togetherbench/"


@dataclass(frozen=True)
class Lacks:
    """What one task lacks.

    Attributes:
        task: Its name.
        sentences: By kind; a kind that lacks nothing is left out.
    """

    task: str
    sentences: dict[str, str]


def examine_released(task: ReleasedTask) -> Lacks:
    """Look at a task's files.

    Raises:
        TaskError: A file is missing or breaks the layout.
    """
    recorded = read_recorded_task(task.path)
    findings = examine(recorded)
    zero = [goal.id for goal in left_out(recorded)]
    goals = ["no goal has a command that decides it"]
    if findings.about_words:
        goals.append(f"{len(findings.about_words)} ask for words to the user ({findings.words_weight:g} of the weight)")
    if zero:
        goals.append(f"of weight 0 and left out: {', '.join(zero)}")
    gates = []
    if findings.idle_guards:
        gates.append(f"guards without weight, gates from now on: {', '.join(findings.idle_guards)}")
    if findings.weighted_guards:
        gates.append(f"guards that cost only their weight, gates from now on: {', '.join(findings.weighted_guards)}")
    if not findings.idle_guards and not findings.weighted_guards:
        gates.append("no guard, so nothing that must stay as it is")
    found = {
        "anchors": _anchors(task),
        "contract": "no contract in one message (spec.md)",
        "gates": "; ".join(gates),
        "goals": "; ".join(goals),
        "intents": "" if recorded.intents else "no intents, so Intent Coverage is undefined",
        "image": _image(task.path),
        "tests": _tests(task.path),
        "reference": "" if task.reference_patches else "no reference patch",
        "licence": "the code base's licence isn't known" if task.metadata.license == "NOASSERTION" else "",
        "user": "" if task.user == defaults.AGENT_USER else f"the agent works as {task.user}",
    }
    return Lacks(task.path.name, {kind: found[kind] for kind in KINDS if found[kind]})


def _anchors(task: ReleasedTask) -> str:
    told = len({intent.source_turn for intent in task.intents.intents})
    if not told:
        return "no anchors, and no follow-up that an intent speaks of"
    where = "" if (task.path / ORACLE).is_file() else f"; their words are missing too: {ORACLE} isn't there"
    return f"no anchors: {told} follow-ups have neither condition nor satisfied{where}"


def _image(path: Path) -> str:
    file = path / "environment" / "Dockerfile"
    if not file.is_file():
        return "no Dockerfile"
    text = file.read_text(encoding="utf-8", errors="replace")
    bases = re.findall(r"(?mi)^FROM\s+(?:--\S+\s+)*(\S+)", text)
    private = [base for base in bases if base.startswith(_PRIVATE)]
    said = [f"built from a private image that can change: {', '.join(private)}"] if private else []
    if not re.search(r"(?m)^STOPSIGNAL\s+SIGKILL\s*$", text):
        said.append("no STOPSIGNAL SIGKILL")
    return "; ".join(said)


def _tests(path: Path) -> str:
    config = _config(path)
    if config is None:
        return "a script of its own; whether it passes with nothing done shows only when it is run"
    said = []
    if str(config.get("test_cmd", "")).strip() == "true":
        said.append("its command is `true`")
    if not config.get("FAIL_TO_PASS"):
        said.append("no test is named that fails before, so that it passes with nothing done")
    if not config.get("PASS_TO_PASS"):
        said.append("no test is named that must stay good")
    return "; ".join(said) or "no cases in our form"


def _config(path: Path) -> dict[str, Any] | None:
    for file in sorted(path.rglob(CONFIG)):
        try:
            value = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(value, dict):
            return value
    return None
