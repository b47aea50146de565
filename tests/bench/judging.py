"""What judging adds to a trial, beyond starting the container and without a model's time.

The same session is verified with and without the judge, in interleaved pairs; the rubric has eight goals, each with a
command. ``checks`` runs the commands; ``model`` asks a fake model on this machine, which answers at once, looks twice
and hands in its verdicts. Times are Harbor's own of the verifier. Run by ``make bench``; raw times go to
``docs/benchmarks/judging.json``.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from swe_together.files import write_atomically
from tests.support import harbor as h
from tests.support.fault_server import FaultServer, Investigator

GOALS = 8
LIMIT_SEC = 3.0
REFERENCE = ("-a", "swe_together.adapter.agents:reference", "--plugin", "swe-together")


def make_bench_task(folder: Path) -> Path:
    """The tiny task with a rubric of eight goals, each with a command that runs the candidate's code."""
    task = folder / "bench-task"
    shutil.copytree(h.tiny_task(), task)
    check = '[ "$(runuser -u agent -- python3 -I -B -c \'print(len("abc"))\')" = 3 ]'
    goals = [
        {
            "id": f"goal-{number}", "text": f"Goal {number}.", "weight": 1 / GOALS, "tier": "core", "evidence": "state",
            "check": {"run": check},
        }
        for number in range(GOALS)
    ]  # fmt: skip
    provenance = {"author": "The swe-together authors", "sources": ["none"], "frozen": "2026-01-01"}
    (task / "rubric.json").write_text(json.dumps({"provenance": provenance, "goals": goals}))
    return task


def verifier_seconds(trial: h.Trial) -> float:
    """Harbor's own time of the verifier's run: tests and judging, without the container's start."""
    timing = trial.result["verifier"]
    started, finished = (
        datetime.fromisoformat(timing[key].replace("Z", "+00:00")) for key in ("started_at", "finished_at")
    )
    return (finished - started).total_seconds()


def measure(pairs: int) -> dict[str, list[float]]:
    """Run the arms in turn, ``pairs`` times, after one warm-up that builds the image."""
    os.environ.setdefault("SWE_TOGETHER_JUDGE_API_KEY", "none")
    times: dict[str, list[float]] = {"off": [], "checks": [], "model": []}
    answer = Investigator(otherwise=True, path="wordbox.py")
    with tempfile.TemporaryDirectory(prefix="swe-together-bench-") as folder, FaultServer(answer=answer) as server:
        task = make_bench_task(Path(folder))
        model = {"judge_model": "openai/judge", "judge_base_url": server.base_url, "judge_checks": "confirm"}
        arms: dict[str, dict[str, Any]] = {"off": {"judge": "off"}, "checks": {}, "model": model}
        for round_number in range(-1, pairs):
            for arm, settings in arms.items():
                told = [part for name, value in settings.items() for part in ("--pk", f"{name}={value}")]
                name = f"{arm}-{round_number}"
                (trial,) = h.run_job(Path(folder) / "jobs", *REFERENCE, *told, task=task, name=name)
                assert trial.rewards is not None and ("judge" in trial.rewards) == (arm != "off"), trial.rewards
                if round_number >= 0:
                    times[arm].append(round(verifier_seconds(trial), 3))
                    print(f"pair {round_number + 1}/{pairs} {arm}: {times[arm][-1]:.2f} s", flush=True)
    return times


def main() -> int:
    """Measure, print, write the raw times; exit 1 where judging costs more than its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("-o", "--output", type=Path, default=h.ROOT / "docs" / "benchmarks" / "judging.json")
    options = parser.parse_args()
    times = measure(options.pairs)
    found = {
        arm: statistics.median(one - off for one, off in zip(times[arm], times["off"], strict=True))
        for arm in ("checks", "model")
    }
    record = {"date": datetime.now(UTC).date().isoformat(), "seconds": times, "median_added": found}
    write_atomically(options.output, json.dumps(record, indent=1) + "\n")
    print(f"judging adds {found['checks']:.2f} s with the goals' commands alone (limit {LIMIT_SEC:g} s)")
    print(f"and {found['model']:.2f} s with a model that answers at once; importing LiteLLM, once a process, is in it.")
    return 0 if found["checks"] <= LIMIT_SEC else 1


if __name__ == "__main__":
    raise SystemExit(main())
