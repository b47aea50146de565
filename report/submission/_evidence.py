"""What a bundle holds of each trial, and what must be there."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from swe_together.report._outcome import BARE

ALWAYS: Final = ("config.json", "result.json")
SESSION: Final = ("user-agent/session.json", "user-agent/decisions.jsonl", "agent/trajectory.json")
GRADED: Final = ("verifier/reward-details.json",)
JUDGED: Final = ("verifier/judgement.json", "verifier/behaviour.json")
ALSO: Final = (
    "lock.json", "trial.log", "exception.txt", "verifier/reward.json", "verifier/ledger.json",
    "verifier/behaviour.json", "verifier/judgement.json", "verifier/test-stdout.txt", "artifacts/manifest.json",
)  # fmt: skip
FOLDERS: Final = ("verifier/judge/votes", "verifier/judge/checks", "verifier/judge/failed")
STATES: Final = ("artifacts/var/lib/swe-together/state.tar", "artifacts/var/lib/swe-together/session.json")
JOB: Final = ("config.json", "lock.json", "result.json")
FILE_BYTES: Final = 512_000_000
"""No file of a bundle may be larger."""


@dataclass(frozen=True)
class Problem:
    """Why a bundle is refused: where, and what to do where anything can be done."""

    where: str
    what: str


def evidence_of(trial: Path, *, states: bool) -> Iterator[str]:
    """Names of the files of a trial that a bundle takes, in order; whatever else lies there stays at home.

    Raises:
        ValueError: One of them is a symbolic link, lies behind one, or is no regular file of an allowed size.
    """
    names = {*ALWAYS, *SESSION, *GRADED, *ALSO, *(STATES if states else ())}
    for name in sorted(names):
        if _is_there(trial, name):
            yield name
    for folder in FOLDERS:
        if _is_there(trial, folder, folder=True):
            for name in sorted(path.name for path in (trial / folder).iterdir()):
                if name.endswith(".json") and _is_there(trial, f"{folder}/{name}"):
                    yield f"{folder}/{name}"


def lacking(trial: Path, status: str, agent: str, judge: str | None) -> list[str]:
    """Names of the files without which a trial can't be believed."""
    wanted = list(ALWAYS)
    if agent not in BARE and status not in ("agent_invalid", "unfinished", "not_interactive"):
        wanted += SESSION[:2] if status in ("simulator_error", "environment_error") else SESSION
    if status in ("ok", "judge_error"):
        wanted += GRADED
    if status == "ok" and judge in ("checks", "model"):
        wanted += JUDGED
    return [name for name in wanted if not (trial / name).is_file()]


def _is_there(trial: Path, name: str, *, folder: bool = False) -> bool:
    parts = name.split("/")
    for depth in range(1, len(parts) + 1):
        part = "/".join(parts[:depth])
        try:
            found = os.lstat(trial / part)
        except OSError:
            return False
        last = depth == len(parts)
        good = stat.S_ISREG(found.st_mode) if last and not folder else stat.S_ISDIR(found.st_mode)
        if not good:
            raise ValueError(f"{part} is a symbolic link, or not what its name says")
        if last and not folder and found.st_size > FILE_BYTES:
            raise ValueError(f"{part} has {found.st_size:,d} bytes; {FILE_BYTES:,d} are allowed")
    return True
