"""How fast recorded sessions are read, against parsing the same bytes with orjson and nothing else.

A corpus of distinct files is made of the given logs: every line has another session's id. Its bytes lie in the
system's file cache for all measurements alike. Run with the folder of transcripts (Claude Code's JSON lines)::

    python -m tests.bench.collect TRANSCRIPTS [--gigabytes 1] [--rounds 5] [--output FILE]

Each number is the best of the rounds, which take turns. One core's numbers are its time, so that others on the machine
don't count; the ratio of two cores is of the clock. Memory is watched in a run of its own, for the watching takes time
of the second core. Exit 1 where a wanted ratio isn't reached.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import orjson

from swe_together.files import write_atomically

ONE_CORE = 0.5
"""Wanted: speed of collecting on one core, of orjson's."""
TWO_CORES = 1.7
"""Wanted: speed on two cores, of that on one."""
RESIDENT_MB = 300
_SESSION = re.compile(rb'"sessionId":"[^"]*"')
_CLAUDE = b'"parentUuid"'


def make_corpus(transcripts: Path, folder: Path, size: int) -> tuple[int, int]:
    """Write distinct copies until there are ``size`` bytes; the number of files and of bytes."""
    logs = [data for path in sorted(transcripts.glob("*.jsonl")) if _CLAUDE in (data := path.read_bytes())]
    if not logs:
        raise SystemExit(f"{transcripts}: no logs of Claude Code")
    files = written = 0
    while written < size:
        data = _SESSION.sub(b'"sessionId":"%08d-bench"' % files, logs[files % len(logs)])
        # Another first message, so that it isn't another log of the same session.
        data = data.replace(b'"timestamp":"2026-', b'"timestamp":"%04d-' % (1000 + files), 1)
        path = folder / f"{files % 16:02d}" / f"{files:08d}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        files += 1
        written += len(data)
    return files, written


def parse_alone(folder: Path) -> int:
    """Parse every line; the number of lines."""
    loads, lines = orjson.loads, 0
    for path in sorted(folder.rglob("*.jsonl")):
        with path.open("rb") as file:
            for line in file:
                lines += 1
                try:
                    loads(line)
                except orjson.JSONDecodeError:
                    continue
    return lines


def time_alone(folder: Path) -> float:
    """Seconds of one core, of a process of its own that parses all lines."""
    command = [sys.executable, "-m", "tests.bench.collect", "--parse", str(folder)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def time_collect(folder: Path, jobs: int, watched: bool = False) -> tuple[float, float, float]:
    """A whole ``swe-together collect``: seconds, seconds of a core, most resident megabytes of all its processes.

    Without ``watched`` no memory is looked at, and the last is 0.
    """
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "candidates.jsonl"
        command = [sys.executable, "-m", "swe_together", "collect", str(folder), "-o", str(output), "-j", str(jobs)]
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=_one_core if jobs == 1 else None) as process:
            memory = _Memory(process.pid)
            if watched:
                memory.start()
            printed, _ = process.communicate()
            seconds = time.perf_counter() - started
            if watched:
                memory.stop()
        if process.returncode != 0:
            raise SystemExit(f"collect failed:\n{printed.decode()}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return seconds, used, memory.most


class _Memory(threading.Thread):
    """Watches the resident memory of a process and its children; what they share is counted once."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._done = threading.Event()
        self.most = 0.0

    def run(self) -> None:
        while not self._done.wait(0.1):
            pids = [self._pid, *_children(self._pid)]
            self.most = max(self.most, sum(map(_proportional_mb, pids)))

    def stop(self) -> None:
        self._done.set()
        self.join()


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _proportional_mb(pid: int) -> float:
    try:
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    except OSError:
        return 0.0
    return int(found.group(1)) / 1000 if found else 0.0


def _one_core() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def main() -> int:
    """Make the corpus, measure in turns, print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("transcripts", nargs="?", type=Path, default=os.environ.get("SWE_TOGETHER_TRANSCRIPTS"))
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scratch", type=Path, help="where the corpus is made and removed again")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the numbers as JSON")
    parser.add_argument("--parse", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.parse:
        _one_core()
        started = time.process_time()
        parse_alone(options.parse)
        print(time.process_time() - started)
        return 0
    if not options.transcripts or not Path(options.transcripts).is_dir():
        print("give a folder of transcripts, or set SWE_TOGETHER_TRANSCRIPTS", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="swe-together-bench-", dir=options.scratch))
    try:
        files, size = make_corpus(Path(options.transcripts), folder, int(options.gigabytes * 1e9))
        parse_alone(folder)  # into the file cache
        alone, one, two = [], [], []
        for _ in range(options.rounds):
            alone.append(time_alone(folder))
            one.append(time_collect(folder, 1))
            two.append(time_collect(folder, 2))
        resident = max(time_collect(folder, jobs, watched=True)[2] for jobs in (1, 2))
    finally:
        shutil.rmtree(folder)
    seconds = min(alone), min(used for _, used, _ in one)
    clock = min(one)[0], min(two)[0]
    cores = len(os.sched_getaffinity(0))
    found = {
        "files": files,
        "megabytes": round(size / 1e6),
        "orjson_mb_per_sec": round(size / 1e6 / seconds[0]),
        "one_core_mb_per_sec": round(size / 1e6 / seconds[1]),
        "two_cores_mb_per_sec": round(size / 1e6 / clock[1]),
        "one_core_of_orjson": round(seconds[0] / seconds[1], 2),
        "two_cores_of_one": round(clock[0] / clock[1], 2),
        "resident_mb": round(resident),
    }
    print(f"collect: {files} distinct files, {found['megabytes']} MB, best of {options.rounds}")
    print(f"  orjson alone {found['orjson_mb_per_sec']} MB/s on one core")
    print(
        f"  one core  {found['one_core_mb_per_sec']} MB/s: {found['one_core_of_orjson']} of orjson (wanted {ONE_CORE})"
    )
    print(f"  two cores {found['two_cores_mb_per_sec']} MB/s: {found['two_cores_of_one']} of one (wanted {TWO_CORES})")
    print(f"  resident {found['resident_mb']} MB, all processes (limit {RESIDENT_MB})")
    if options.output:
        write_atomically(options.output, json.dumps(found, indent=1) + "\n")
    enough = seconds[0] / seconds[1] >= ONE_CORE and resident < RESIDENT_MB
    if cores < 2:
        print("  one core only: the ratio of two says nothing here")
        return 0 if enough else 1
    return 0 if enough and clock[0] / clock[1] >= TWO_CORES else 1


if __name__ == "__main__":
    raise SystemExit(main())
