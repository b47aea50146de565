"""The price of the session layer: our plugin against plain Harbor, same task, same agent, interleaved pairs.

The repository has 5,000 files and 100 MB. The agent runs one small command a turn, so that what remains is ours:
``plain`` is one turn without the plugin, ``one`` one turn with it, ``six`` six turns. Run by ``make bench``; raw times
go to ``docs/benchmarks/layer.json``.
"""

import argparse
import json
import shutil
import statistics
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from swe_together.files import write_atomically
from tests.support import harbor as h

TURNS = 6
DOCKERFILE = """\
FROM debian:trixie-slim
STOPSIGNAL SIGKILL
RUN apt-get update \\
 && apt-get install -y --no-install-recommends bash git python3 \\
 && rm -rf /var/lib/apt/lists/* \\
 && useradd --create-home --uid 1000 --shell /bin/bash agent
RUN install -d -o agent -g agent /workspace
WORKDIR /workspace
USER agent
RUN python3 -c "import os, random; r = random.Random(1); \\
[(os.makedirs(f'd{i % 50}', exist_ok=True), open(f'd{i % 50}/f{i}.txt', 'w').write(r.randbytes(10000).hex())) \\
for i in range(5000)]" \\
 && git init -q -b main && git add -A && git -c user.name=m -c user.email=m@localhost commit -q -m Import
USER root
"""
FRONT = """\
---
persona: {description: asks one thing after the other, on_question: your call}
anchors:
"""
ARMS = {
    "plain": (),
    # Judging has a bench of its own.
    "one": ("--plugin", "swe-together", "--pk", "arm=first-message", "--pk", "judge=off"),
    "six": ("--plugin", "swe-together", "--pk", "judge=off"),
}


def make_bench_task(folder: Path) -> Path:
    """The tiny task with a large repository and a user of five questions."""
    task = folder / "bench-task"
    shutil.copytree(h.tiny_task(), task)
    (task / "environment" / "wordbox.py").unlink()
    (task / "environment" / "Dockerfile").write_text(DOCKERFILE)
    anchors = "".join(
        f"  - {{id: ask-{n}, source_turn: {n}, action: question, message: question {n}}}\n" for n in range(1, TURNS)
    )
    (task / "simulator.md").write_text(f"{FRONT}{anchors}---\nAsks five questions.\n")
    (task / "intents.json").write_text('{"format": 1, "intents": []}')
    for number in range(TURNS):
        (task / "solution" / f"turn-{number}.md").write_text("an answer\n")
    return task


def seconds(trial: h.Trial) -> float:
    """Wall time of a trial, from Harbor's own record."""
    started, finished = (
        datetime.fromisoformat(trial.result[k].replace("Z", "+00:00")) for k in ("started_at", "finished_at")
    )
    return (finished - started).total_seconds()


def measure(pairs: int) -> dict[str, list[float]]:
    """Run the arms in turn, ``pairs`` times, after one warm-up that builds the image."""
    times: dict[str, list[float]] = {arm: [] for arm in ARMS}
    with tempfile.TemporaryDirectory(prefix="swe-together-bench-") as folder:
        task = make_bench_task(Path(folder))
        for round_number in range(-1, pairs):
            for arm, arguments in ARMS.items():
                agent = ("-a", "tests.support.agents:ShellAgent", "--ak", "turns=echo hello >> note.txt; echo done")
                name = f"{arm}-{round_number}"
                (trial,) = h.run_job(Path(folder) / "jobs", *agent, *arguments, task=task, name=name)
                turns = 1 if arm == "plain" else len(trial.session["turns"])
                assert turns == (TURNS if arm == "six" else 1), f"{arm}: {turns} turns"
                if round_number >= 0:
                    times[arm].append(round(seconds(trial), 3))
                    print(f"pair {round_number + 1}/{pairs} {arm}: {times[arm][-1]:.2f} s", flush=True)
    return times


def summary(times: dict[str, list[float]]) -> dict[str, float]:
    """Medians: what one turn costs beyond plain Harbor, and what each further turn adds. Seconds."""
    first = statistics.median(one - plain for one, plain in zip(times["one"], times["plain"], strict=True))
    further = statistics.median((six - one) / (TURNS - 1) for six, one in zip(times["six"], times["one"], strict=True))
    return {"first_turn": first, "further_turn": further, "plain": statistics.median(times["plain"])}


def main() -> int:
    """Measure, print, write the raw times; exit 1 where the price is above its limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("-o", "--output", type=Path, default=h.ROOT / "docs" / "benchmarks" / "layer.json")
    options = parser.parse_args()
    times = measure(options.pairs)
    found = summary(times)
    record = {"date": datetime.now(UTC).date().isoformat(), "seconds": times, "median": found}
    write_atomically(options.output, json.dumps(record, indent=1) + "\n")
    print(
        f"plain Harbor {found['plain']:.2f} s a trial; the layer adds {found['first_turn']:.2f} s to a one-turn trial"
    )
    print(f"and {found['further_turn']:.2f} s for each further turn (limits 2 and 1 s).")
    return 0 if found["first_turn"] <= 2 and found["further_turn"] <= 1 else 1


if __name__ == "__main__":
    raise SystemExit(main())
