"""Items of the bar that concern files which others rely on: what the image copies, patches, scripts, dialogues."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from swe_together.pipeline.check.model import Verdict
from swe_together.schema import Action
from swe_together.tasks import TaskBundle

_COPIES: Final = re.compile(r"(?i)^\s*(?:COPY|ADD)\s+(.*)$")
_ELSEWHERE: Final = re.compile(r"<<|https?://|git@|.*\$")
"""What COPY and ADD take from elsewhere, or what only a build can tell."""
_HEADER: Final = re.compile(rb"(?m)^(?:diff --git |--- |\+\+\+ |@@ ).*\r$")


def context_is_whole(bundle: TaskBundle) -> Verdict:
    """Whatever the Dockerfile copies lies beside it."""
    folder = bundle.path / "environment"
    file = folder / "Dockerfile"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    problems = [
        f"environment/{name} is missing, which environment/Dockerfile copies: add it, or remove the line"
        for name in dict.fromkeys(_copied(text))
        if not _there(folder, name)
    ]
    return Verdict.of("environment is whole", problems, "every file that the Dockerfile copies is there")


def stages_fit(bundle: TaskBundle) -> Verdict:
    """Patches and scripts of the reference can be used: each turn that asks for work has one, a question has none."""
    actions: dict[int, set[Action]] = {}
    for anchor in bundle.script.anchors:
        actions.setdefault(anchor.source_turn, set()).add(anchor.action)
    problems = []
    for turn, found in sorted(actions.items()):
        patch = bundle.stage_patch(turn)
        if patch is None and found & {Action.NEW_REQUIREMENT, Action.REDIRECT}:
            problems.append(
                f"solution/turn-{turn}.patch is missing, but turn {turn} asks for work: add what the reference does, "
                "or make the anchor a question"
            )
        if patch is not None and found == {Action.QUESTION}:
            problems.append(
                f"solution/turn-{turn}.patch does work, but turn {turn} only asks: remove it, or let the anchor ask "
                "for the work (new_requirement or redirect)"
            )
    for file in sorted(bundle.solution.iterdir()):
        if _has_crlf(file):
            problems.append(f"solution/{file.name} has line ends of Windows (CRLF): save it with those of Unix (LF)")
    return Verdict.of("solution fits the session", problems, "a patch for each turn that asks for work, and no others")


def golden_is_there(bundle: TaskBundle, needed: bool) -> Verdict:
    """The dialogues are written down. A check in containers compares them; before the first one there are none.

    Args:
        bundle: The task.
        needed: Whether a missing file is wrong, as in a contribution, and not merely still to come.
    """
    written = (bundle.solution / "golden.json").is_file()
    missing = (
        "solution/golden.json isn't written yet: run swe-together check --update-golden when all else is good, and"
        " commit it"
    )
    detail = "solution/golden.json is there" if written else missing
    return Verdict(item="dialogues are written", passed=written or not needed, detail=detail)


def _copied(dockerfile: str) -> Iterator[str]:
    """Names, relative to the Dockerfile's folder, that a build copies from there."""
    text = re.sub(r"(?m)^\s*#.*\n?", "", dockerfile).replace("\\\n", " ")
    for line in text.splitlines():
        found = _COPIES.match(line)
        if found is None:
            continue
        words = found[1]
        flags = re.match(r"(?:--\S+\s+)*", words)
        rest = words[flags.end() :] if flags else words
        if flags and "--from=" in flags[0]:
            continue
        yield from (name for name in _words(rest)[:-1] if not _ELSEWHERE.match(name))


def _words(text: str) -> list[str]:
    """Sources and target, as words or as a JSON list; none where a build would refuse the line itself."""
    try:
        return [str(word) for word in json.loads(text)] if text.startswith("[") else shlex.split(text)
    except ValueError:
        return []


def _there(folder: Path, name: str) -> bool:
    name = name.lstrip("/")
    return any(folder.glob(name)) if re.search(r"[*?[]", name) else (folder / name).exists()


def _has_crlf(file: Path) -> bool:
    """A patch may change files with such line ends, but its own lines can't have them; a script has none at all."""
    if file.suffix == ".patch":
        return _HEADER.search(file.read_bytes()) is not None
    return file.suffix == ".sh" and b"\r\n" in file.read_bytes()
