"""Writes a task of the paper's release in our format: what is there is carried over, what lacks is a marked gap."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from swe_together.files import write_atomically
from swe_together.gaps import gap
from swe_together.pipeline.new import Pin, Wish, write_scaffold
from swe_together.released import ORACLE, ReleasedTask
from swe_together.schema import GitSource, IntentKind

_ACTIONS: Final = {
    IntentKind.REQUEST: "new_requirement",
    IntentKind.CORRECTION: "redirect",
    IntentKind.NUDGE: "redirect",
}
"""By the kind of a follow-up's first intent; all others ask or tell something."""
_FIRST: Final = ("request", "correction", "nudge")
_TODO: Final = gap(
    "STOPSIGNAL SIGKILL, user agent without sudo, pinned downloads, one commit without remote. Then remove this line"
)


def convert(task: ReleasedTask, folder: Path) -> Path:
    """Write the task's directory.

    Args:
        task: As it was released.
        folder: Where it goes; a directory of the task's name is made in it.

    Raises:
        MisuseError: There is something of that name already.
    """
    source = task.metadata.source
    assert isinstance(source, GitSource)
    license = "" if task.metadata.license == "NOASSERTION" else task.metadata.license
    pin = Pin("git", source.git, source.commit)
    wish = Wish(task.path.name, task.metadata.language, task.metadata.category, pin, task.metadata.difficulty, license)
    target = write_scaffold(folder, wish)
    anchors = _anchors(task)
    texts = {
        "instruction.md": task.instruction,
        "simulator.md": _simulator(task, anchors),
        "rubric.json": _json(task.rubric.model_dump(mode="json", exclude_none=True)),
        "intents.json": _json(task.intents.model_dump(mode="json", exclude_none=True)),
        "session.json": _json(_session(task, anchors)),
        "task.toml": _toml(target, task),
    }
    for name, text in texts.items():
        write_atomically(target / name, text)
    _solution(target / "solution", task, anchors)
    _environment(target / "environment", task)
    return target


def _anchors(task: ReleasedTask) -> list[dict[str, Any]]:
    """A draft for every follow-up that an intent speaks of and whose words are recorded."""
    said = _said(task.path / ORACLE)
    anchors: list[dict[str, Any]] = []
    for turn in sorted({intent.source_turn for intent in task.intents.intents}):
        if turn not in said:
            continue
        intents = [intent for intent in task.intents.intents if intent.source_turn == turn]
        leading = min(intents, key=lambda one: _FIRST.index(one.kind) if one.kind in _FIRST else len(_FIRST))
        action = _ACTIONS.get(leading.kind, "question")
        anchor: dict[str, Any] = {
            "id": f"follow-up-{turn}",
            "source_turn": turn,
            "action": action,
            "intents": [intent.id for intent in intents],
            "when": leading.text,
            "message": said[turn],
        }
        probe = {"probe": {"run": gap("a command that exits 0 once this is done"), "exit": 0}}
        if action == "redirect":
            anchor["condition"] = {"not": probe}
        if action != "question":
            anchor |= {"satisfied": probe, "insist": {"message": gap("what is said if it was ignored"), "max": 1}}
        anchors.append(anchor)
    return anchors


def _said(file: Path) -> dict[int, str]:
    """Words of the user by turn; lines that can't be read are passed over."""
    found: dict[int, str] = {}
    if not file.is_file():
        return found
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and isinstance(row.get("turn"), int) and isinstance(row.get("user_message"), str):
            text = row["user_message"].strip()
            if row["turn"] > 0 and text:
                found[row["turn"]] = text
    return found


def _simulator(task: ReleasedTask, anchors: Sequence[dict[str, Any]]) -> str:
    persona = {
        "description": gap("who the user is, what they know, how they write"),
        "language": task.script.persona.language,
        "on_question": gap("the answer to any question that no anchor answers, giving nothing away"),
    }
    front: dict[str, Any] = {"persona": persona, "anchors": list(anchors)}
    text = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=10_000)
    note = "" if anchors else f"{gap('anchors above, one for each follow-up of the session')}\n\n"
    return f"---\n{text}---\n{note}{task.analysis}\n"


def _session(task: ReleasedTask, anchors: Sequence[dict[str, Any]]) -> dict[str, Any]:
    messages = [(0, task.instruction), *((anchor["source_turn"], anchor["message"]) for anchor in anchors)]
    return {
        "format": 1,
        "provenance": "recorded",
        "origin": f"Task {task.path.name} of the paper's release. {gap('under which licence its session may be used')}",
        "messages": [{"turn": turn, "chars": len(text)} for turn, text in messages],
    }


def _toml(target: Path, task: ReleasedTask) -> str:
    text = (target / "task.toml").read_text(encoding="utf-8")
    text = text.replace('provenance = "authored"', 'provenance = "recorded"')
    tree = task.metadata.trees[0]
    return text.replace('workdir = "/workspace"', f"workdir = {json.dumps(tree)}").replace(
        'trees = ["/workspace"]', f"trees = {json.dumps(list(task.metadata.trees))}"
    )


def _solution(folder: Path, task: ReleasedTask, anchors: Sequence[dict[str, Any]]) -> None:
    """The reference lies whole beside the stages that a person makes of it, and so do the release's own tests."""
    for file in folder.glob("turn-*"):
        file.unlink()
    work = [anchor["source_turn"] for anchor in anchors if anchor["action"] != "question"]
    for turn in (0, *(anchor["source_turn"] for anchor in anchors)):
        write_atomically(folder / f"turn-{turn}.md", gap(f"what the reference says after message {turn}") + "\n")
        if turn == 0 or turn in work:
            hint = gap(f"the part of the reference that answers message {turn}; released/reference.patch is all of it")
            write_atomically(folder / f"turn-{turn}.patch", hint + "\n")
    kept = folder / "released"
    for patch in task.reference_patches:
        write_atomically(kept / "reference.patch", patch)
    if (task.path / "tests").is_dir():
        shutil.copytree(task.path / "tests", kept / "tests")
    solve = folder / "solve.sh"
    solve.write_text(re.sub(r"(?m)^cd /workspace$", f"cd {task.metadata.trees[0]}", solve.read_text("utf-8")), "utf-8")


def _environment(folder: Path, task: ReleasedTask) -> None:
    """The release's own build context, with one line that says what a person has to change in it."""
    given = task.path / "environment"
    if not (given / "Dockerfile").is_file():
        return
    shutil.rmtree(folder)
    shutil.copytree(given, folder)
    file = folder / "Dockerfile"
    file.write_text(f"{file.read_text('utf-8').rstrip()}\n# {_TODO}\n", "utf-8")


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
