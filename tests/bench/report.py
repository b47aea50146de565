"""How long a report takes and how much memory, on a synthetic study of real size and on one of many small trials.

``python -m tests.bench.report`` writes both studies to a temporary folder, measures each step in a process of its own,
and writes ``docs/benchmarks/report.json``; exit 1 where a limit is broken. The first reading has cold caches of ours;
those of the operating system are warm.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from swe_together.files import write_atomically
from tests.bench.study import SIZES, Study, write_study

ROOT: Final = Path(__file__).parents[2]
OUTPUT: Final = ROOT / "docs" / "benchmarks" / "report.json"
LARGE: Final = Study()
MANY: Final = Study(tasks=1000, models=5, replicates=3, sizes=(2_000, 6_000), seed=2)
LIMITS: Final = {
    "table of the study, first time": 20.0,
    "table of the study, from the cache": 3.0,
    "page of the study": 60.0,
    "table of 15,000 trials": 60.0,
}
"""Seconds."""
MEGABYTES: Final = {"table of 15,000 trials": 1500.0}
PAGE_BYTES: Final = 3_000_000
ROUNDS: Final = 3


def table(folder: Path, cache: Path) -> dict[str, float]:
    """Read the table and work out the leaderboard."""
    from swe_together.report import leaderboard, read_table

    found = read_table([folder], cache_at=cache)
    board = leaderboard(found)
    return {"trials": len(found.frame), "entries": len(board.entries)}


def page(folder: Path, cache: Path) -> dict[str, float]:
    """The page with every session beside it, from a table that is in the cache."""
    from swe_together.report import leaderboard, read_table
    from swe_together.report.page import write_page

    found = read_table([folder], cache_at=cache)
    with tempfile.TemporaryDirectory(prefix="swe-together-page-") as output:
        written = write_page(found, leaderboard(found), Path(output) / "page")
        return {"bytes": written.page_bytes, "sessions": written.sessions, "failed": len(written.failed)}


STEPS: Final[dict[str, Callable[[Path, Path], dict[str, float]]]] = {"table": table, "page": page}


def measured(step: str, folder: Path, cache: Path) -> dict[str, float]:
    """A step in a process of its own: seconds from its start to its end, imports included, and its largest size."""
    command = [sys.executable, "-m", "tests.bench.report", "--step", step, str(folder), str(cache)]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return {"seconds": round(time.perf_counter() - started, 2), **found}


def measure(folder: Path) -> dict[str, dict[str, float]]:
    """Everything, each the median by its seconds of several rounds."""
    large, many = folder / "large", folder / "many"
    print(f"writing trials with trajectories of {SIZES[0]:,d} to {SIZES[1]:,d} bytes …", flush=True)
    write_study(large, LARGE)
    print("writing many small trials …", flush=True)
    write_study(many, MANY)
    first, kept, pages, small = [], [], [], []
    for _ in range(ROUNDS):
        shutil.rmtree(folder / "cache", ignore_errors=True)
        first.append(measured("table", large, folder / "cache"))
        kept.append(measured("table", large, folder / "cache"))
        pages.append(measured("page", large, folder / "cache"))
        small.append(measured("table", many, folder / "none"))
        shutil.rmtree(folder / "none", ignore_errors=True)
    rounds = dict(zip(LIMITS, (first, kept, pages, small), strict=True))
    return {name: sorted(found, key=lambda one: one["seconds"])[len(found) // 2] for name, found in rounds.items()}


def broken(found: dict[str, dict[str, float]]) -> list[str]:
    """Limits that don't hold."""
    said = [f"{name}: {found[name]['seconds']} s, limit {limit} s" for name, limit in LIMITS.items()
            if found[name]["seconds"] > limit]  # fmt: skip
    said += [f"{name}: {found[name]['megabytes']} MB, limit {limit} MB" for name, limit in MEGABYTES.items()
             if found[name]["megabytes"] > limit]  # fmt: skip
    page_ = found["page of the study"]
    if page_["bytes"] > PAGE_BYTES or page_["failed"]:
        said.append(f"the page has {page_['bytes']:,.0f} bytes, {page_['failed']:.0f} sessions failed")
    return said


def main() -> int:
    """Measure, print, write; exit 1 where a limit doesn't hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--step", nargs=3, metavar=("STEP", "FOLDER", "CACHE"), help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    if options.step is not None:
        step, folder, cache = options.step
        told: dict[str, Any] = STEPS[step](Path(folder), Path(cache))
        used, below = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = used.ru_utime + used.ru_stime + below.ru_utime + below.ru_stime
        print(json.dumps({"cpu_seconds": round(spent, 2), "megabytes": round(used.ru_maxrss / 1024, 1), **told}))
        return 0
    with tempfile.TemporaryDirectory(prefix="swe-together-bench-") as folder:
        found = measure(Path(folder))
    record = {"date": datetime.now(UTC).date().isoformat(), "processors": os.cpu_count(), "steps": found}
    write_atomically(options.output, json.dumps(record, indent=1) + "\n")
    for name, one in found.items():
        limit, cpu = LIMITS[name], one["cpu_seconds"]
        print(f"{name}: {one['seconds']:.2f} s (limit {limit:.0f} s, {cpu:.2f} s of CPU), {one['megabytes']:,.0f} MB")
    problems = broken(found)
    for problem in problems:
        print(f"broken: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
