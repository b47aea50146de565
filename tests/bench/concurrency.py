"""Many sessions at once on one machine: what they take beyond the time in which models answer.

32 trials of one job, 20 turns each, every decision of the user asked by the real LiteLLM client of a server on loopback
that answers after one second. The environment is ``tests.support.local_environment:InProcessEnvironment``: the
instruments run in Harbor's own process and there is no container, so that what is measured is the adapter, the user and
Harbor itself. Run by ``make bench``; figures go to ``docs/benchmarks/concurrency.json``.
"""

import argparse
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from swe_together.files import write_atomically
from tests.support import harbor as h
from tests.support.fault_server import FaultServer
from tests.support.fault_server.answers import decide

WALL_FACTOR = 1.3
MEMORY_MB, MEMORY_MB_A_SESSION = 300, 3
CORES = 2
LOOK_SEC = 0.05
ENVIRONMENT = "tests.support.local_environment:InProcessEnvironment"
FRONT = """\
---
persona: {description: asks one thing after the other, on_question: your call}
budget: {session_sec: 3000}
anchors:
"""


@dataclass(frozen=True)
class Load:
    """What was asked for and what it took.

    Attributes:
        sessions: At once.
        turns: Of each.
        latency_sec: Until the server answers a call.
        calls: That the server answered, of all sessions.
        ideal_sec: What the calls of one session take one after the other.
        wall_sec: From the begin of the first session to the end of the last.
        process_sec: Of the whole process, imports and Harbor's own beginning and end included.
        memory_mb: Peak of the resident memory of Harbor's process.
        cpu_sec: Of that process and its children, both kinds of time.
    """

    sessions: int
    turns: int
    latency_sec: float
    calls: int
    ideal_sec: float
    wall_sec: float
    process_sec: float
    memory_mb: float
    cpu_sec: float

    @property
    def problems(self) -> list[str]:
        """Limits that weren't kept."""
        found = []
        if self.wall_sec > WALL_FACTOR * self.ideal_sec:
            found.append(f"{self.wall_sec:.1f} s are more than {WALL_FACTOR} times {self.ideal_sec:.1f} s")
        room = MEMORY_MB + MEMORY_MB_A_SESSION * self.sessions
        if self.memory_mb > room:
            found.append(f"{self.memory_mb:.0f} MB are more than {room} MB")
        return found


def make_load_task(folder: Path, turns: int) -> Path:
    """A task whose user has a question for every turn but the first; nobody grades it."""
    task = folder / "load-task"
    shutil.copytree(h.ROOT / "tests" / "fixtures" / "tiny-task", task)
    anchors = "".join(
        f"  - {{id: ask-{n}, source_turn: {n}, action: question, message: question {n}}}\n" for n in range(1, turns)
    )
    (task / "simulator.md").write_text(f"{FRONT}{anchors}---\nAsks one question after the other.\n")
    (task / "intents.json").write_text('{"format": 1, "intents": []}')
    text = (task / "task.toml").read_text()
    kept = text[: text.index("[[verifier.collect]]")] + text[text.index("[environment]") :]
    (task / "task.toml").write_text(kept.replace("timeout_sec = 600\nuser", "timeout_sec = 3600\nuser"))
    for patch in (task / "solution").glob("turn-*.patch"):
        patch.unlink()
    for number in range(turns):
        (task / "solution" / f"turn-{number}.md").write_text("an answer\n")
    return task


@contextmanager
def model_server(latency_sec: float) -> Iterator[tuple[str, Connection]]:
    """A server in a process of its own; the connection gives the number of calls when it is asked."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, latency_sec), daemon=True)
    process.start()
    try:
        yield ours.recv(), ours
    finally:
        process.terminate()
        process.join()


def _serve(connection: Connection, latency_sec: float) -> None:
    def answer(body: Mapping[str, Any]) -> Mapping[str, Any]:
        due = time.monotonic() + latency_sec
        decision = decide(body)
        time.sleep(max(0.0, due - time.monotonic()))
        return decision

    with FaultServer(answer=answer) as server:
        connection.send(server.base_url)
        connection.recv()
        connection.send(len(server.bodies))


def measure(sessions: int, turns: int, latency_sec: float, policy: str) -> Load:
    """Run one job.

    Raises:
        AssertionError: A session did not go as scripted.
    """
    with tempfile.TemporaryDirectory(prefix="swe-together-load-") as name, model_server(latency_sec) as (url, server):
        folder = Path(name)
        command = [
            *(str(h.HARBOR), "run", "-p", str(make_load_task(folder, turns)), "--yes", "--quiet"),
            *("--jobs-dir", name, "--job-name", "job", "-k", str(sessions), "-n", str(sessions)),
            *("-e", ENVIRONMENT, "--disable-verification"),
            *("-a", "tests.support.agents:NoteAgent"),
            *("--plugin", "swe-together", "--pk", f"user={policy}", "--pk", "user_model=openai/load"),
            *("--pk", f"user_base_url={url}"),
        ]
        environment = {**h.environment(), "SWE_TOGETHER_USER_API_KEY": "a-key-of-nobody"}
        started = time.monotonic()
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen(command, env=environment, cwd=h.ROOT, stdout=output, stderr=output)
            peak_kb, status, used = _watched(process.pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - started
        assert process.returncode == 0, (folder / "output").read_text()[-3000:]
        server.send("done")
        calls = int(server.recv())
        wall = _wall(h.trials(folder / "job"), sessions, turns)
    return Load(
        sessions, turns, latency_sec, calls, round(calls / sessions * latency_sec, 2), round(wall, 2),
        round(seconds, 2), round(peak_kb / 1024, 1), round(used.ru_utime + used.ru_stime, 2),
    )  # fmt: skip


def _watched(pid: int) -> tuple[int, int, resource.struct_rusage]:
    """Peak of the resident memory (KiB), exit status and usage of a child.

    The peak in the usage won't do: Linux counts in what the parent had when it started the child.
    """
    peak = 0
    while True:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                peak = int(line.split()[1])
        ended, status, used = os.wait4(pid, os.WNOHANG)
        if ended:
            return peak, status, used
        time.sleep(LOOK_SEC)


def _wall(trials: list[h.Trial], sessions: int, turns: int) -> float:
    assert len(trials) == sessions
    for trial in trials:
        assert trial.exception is None, trial.result["exception_info"]
        assert (len(trial.session["turns"]), trial.session["end"]) == (turns, "anchors_exhausted"), trial.session
    begun, ended = ([datetime.fromisoformat(trial.session[key]) for trial in trials] for key in ("started", "finished"))
    return (max(ended) - min(begun)).total_seconds()


def main() -> int:
    """Measure, print, write the figures; exit 1 where a limit isn't kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=32)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--user", default="anchored")
    parser.add_argument("-o", "--output", type=Path, default=h.ROOT / "docs" / "benchmarks" / "concurrency.json")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    found = measure(options.sessions, options.turns, options.latency, options.user)
    record = {"date": datetime.now(UTC).date().isoformat(), "user": options.user, **asdict(found)}
    write_atomically(options.output, json.dumps(record, indent=1) + "\n")
    print(
        f"{found.sessions} sessions of {found.turns} turns: {found.wall_sec:.1f} s where the model alone takes "
        f"{found.ideal_sec:.1f} s (factor {found.wall_sec / found.ideal_sec:.2f}, limit {WALL_FACTOR}); "
        f"{found.memory_mb:.0f} MB at most (limit {MEMORY_MB} + {MEMORY_MB_A_SESSION} a session); "
        f"{found.cpu_sec:.1f} s of processor, {found.process_sec:.1f} s in all"
    )
    for problem in found.problems:
        print(f"too much: {problem}")
    return 1 if found.problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
