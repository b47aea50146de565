"""Which Harbor trials are running on this machine right now.

A Harbor process holds the ``trial.log`` of each of its trials open from before the first container starts until after
the last one has stopped, so the open files of all processes name the trials that are alive, whatever started them.
Where a process doesn't let us look (another user's, or a system without ``/proc``), its start time is the next best
thing: no container older than it can be its own.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from swe_together.errors import TogetherError

_HARBOR = re.compile(r"\b(harbor|swe-together|swe_together)\b")
_TRIAL_LOG = "trial.log"


@dataclass(frozen=True)
class LiveTrials:
    """What runs.

    Attributes:
        trials: Names of trials whose process was seen.
        unseen_since: When the oldest Harbor process that we can't look into began; ``None`` if there is none.
    """

    trials: frozenset[str]
    unseen_since: datetime | None = None


def live_trials(proc: Path = Path("/proc")) -> LiveTrials:
    """The trials of all running processes."""
    if not (proc / "self").exists():
        return _from_process_list()
    if not (proc / "1").exists():
        # Mounted with hidepid: a running trial of somebody else would look like a dead one.
        raise TogetherError("this system hides the processes of other users.", "Run this as root.")
    trials: set[str] = set()
    unseen: list[datetime] = []
    for process in proc.iterdir():
        if not process.name.isdecimal():
            continue
        try:
            trials |= _open_trials(process)
        except PermissionError:
            if process.name != str(os.getpid()) and (began := _harbor_began(process, proc)):
                unseen.append(began)
        except (FileNotFoundError, ProcessLookupError):
            continue  # It ended while we looked.
    return LiveTrials(frozenset(trials), min(unseen, default=None))


def _open_trials(process: Path) -> set[str]:
    found = set()
    for descriptor in (process / "fd").iterdir():
        try:
            target = descriptor.readlink()
        except FileNotFoundError:
            continue  # Closed while we looked.
        # The kernel marks a file whose folder was removed under a running trial.
        if target.name.removesuffix(" (deleted)") == _TRIAL_LOG:
            found.add(target.parent.name)
    return found


def _harbor_began(process: Path, proc: Path) -> datetime | None:
    """When a Harbor process began; ``None`` for any other process."""
    try:
        command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        if not _HARBOR.search(command):
            return None
        # The command's name in field 2 may hold spaces and brackets; the start time is the 20th field behind it.
        ticks = int((process / "stat").read_text().rpartition(")")[2].split()[19])
        boot = next(line for line in (proc / "stat").read_text().splitlines() if line.startswith("btime "))
    except (FileNotFoundError, ProcessLookupError):
        return None
    except PermissionError:
        raise TogetherError(
            f"process {process.name} belongs to another user and doesn't show whether it is a Harbor run.",
            "Run this as root.",
        ) from None
    return datetime.fromtimestamp(int(boot.split()[1]) + ticks / os.sysconf("SC_CLK_TCK"), UTC)


def _from_process_list() -> LiveTrials:
    command = ["ps", "-axo", "pid=,lstart=,command="]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=30, check=True, env={**os.environ, "LC_ALL": "C"}
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise TogetherError(f"cannot list processes: {error}", "Stop all Harbor runs and remove by hand.") from error
    return parse_process_list(done.stdout, os.getpid())


def parse_process_list(text: str, own: int) -> LiveTrials:
    """Read ``ps -axo pid=,lstart=,command=``, where ``lstart`` has five words in local time."""
    began = []
    for line in text.splitlines():
        words = line.split(maxsplit=6)
        if len(words) == 7 and words[0] != str(own) and _HARBOR.search(words[6]):
            began.append(datetime.strptime(" ".join(words[1:6]), "%a %b %d %H:%M:%S %Y").astimezone())
    return LiveTrials(frozenset(), min(began, default=None))
