"""``solution/golden.json``: how the scripted sessions with a deterministic agent go, and whether they still do."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from swe_together.errors import TaskError
from swe_together.files import write_atomically
from swe_together.pipeline.check.model import Dialogue, DialogueResult, Verdict
from swe_together.schema import SessionRecord

PLAYS = ("staged", "nothing", "first-stage")
FULL_SPEC = "full-spec"
"""The control: the whole contract in one message, and no user after it. Nothing of it is written down."""
FIRST_STAGE_LIMIT = 0.6
"""The most that the reference's answer to the first message alone may earn."""


def dialogue_of(record: SessionRecord, reward: float | None) -> Dialogue:
    """What of a session must be the same each time."""
    return Dialogue(
        end=record.end.value,
        reward=reward,
        turns=[
            turn.model_dump(mode="json", include={"turn", "message", "kind", "anchors", "tags"})
            for turn in record.turns
        ],
        settled=[{"anchor": settled.anchor, "how": settled.how} for settled in record.settled],
    )


def read_golden(path: Path) -> dict[str, Any]:
    """The dialogues written down in a task; empty where there are none.

    Raises:
        TaskError: The file can't be read.
    """
    file = path / "solution" / "golden.json"
    if not file.is_file():
        return {}
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise TaskError(file, "", None, f"is not valid JSON: {error}", "Write it with --update-golden.") from None
    if not isinstance(value, dict):
        raise TaskError(file, "", None, "is not an object", "Write it with --update-golden.")
    return value


def write_golden(path: Path, results: list[DialogueResult]) -> bool:
    """Write the dialogues down; False where one of them could not be played."""
    played = [result for result in results if result.play in PLAYS]
    if not played or any(result.dialogue is None for result in played):
        return False
    value = {result.play: result.dialogue.model_dump(mode="json") for result in played if result.dialogue}
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    write_atomically(path / "solution" / "golden.json", text)
    return True


def dialogue(result: DialogueResult, golden: dict[str, Any]) -> Verdict:
    """A scripted session with a deterministic agent goes exactly as written down."""
    item = f"dialogue {result.play}"
    if result.dialogue is None:
        return Verdict.of(item, [result.error or "was not played"], "")
    problems = []
    wanted = golden.get(result.play)
    found = result.dialogue.model_dump(mode="json")
    if wanted is None:
        problems.append("solution/golden.json doesn't hold it; write it with --update-golden")
    elif wanted != found:
        problems.append(
            f"differs from solution/golden.json: {_difference(wanted, found)}; where that is meant, run swe-together"
            " check --update-golden"
        )
    reward = result.dialogue.reward
    expected: dict[str, Callable[[float], bool]] = {
        "staged": lambda r: r == 1,
        "nothing": lambda r: r == 0,
        "first-stage": lambda r: r <= FIRST_STAGE_LIMIT + 1e-9,
    }
    if reward is None or not expected[result.play](reward):
        problems.append(f"its session earned {reward}")
    said = sum(1 for turn in result.dialogue.turns if turn.get("kind"))
    return Verdict.of(item, problems, f"{said} messages, then {result.dialogue.end}")


def _difference(wanted: object, found: object, where: str = "") -> str:
    """The first place where two JSON values differ."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in sorted(wanted.keys() | found.keys()):
            if wanted.get(key) != found.get(key):
                return _difference(wanted.get(key), found.get(key), f"{where}.{key}" if where else str(key))
    if isinstance(wanted, list) and isinstance(found, list):
        for index, (one, other) in enumerate(zip(wanted, found, strict=False)):
            if one != other:
                return _difference(one, other, f"{where}[{index}]")
        return f"{where} has {len(found)} entries, {len(wanted)} are written down"
    return f"{where or 'it'} is {found!r}, {wanted!r} is written down"
