"""What checking costs: 10,000 different outputs of 40 lines or more, each by the rules that hold at a dialogue's end.

One process, time of one core, no functional tests (they run in containers). Run by ``make bench``; exit 1 above the
limit.
"""

import argparse
import random
import statistics
import time

from swe_together.memorycode.checker import check
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.oracle import oracle
from swe_together.memorycode.queries import QUERIES
from swe_together.memorycode.rules import RULES

LIMIT_SEC = 60.0
LARGEST = 48  # rules that hold at the end of a published dialogue of 100 sessions, on average


def draw_active(rng: random.Random, most: int) -> dict[str, str]:
    """Random rules that don't contradict each other, at most ``most``."""
    active: dict[str, str] = {}
    for rule in rng.sample(list(RULES.values()), rng.randint(1, most)):
        more = {**active, rule.id: rng.choice(rule.variants).id}
        active = active if contradictions(more) else more
    return active


def main() -> int:
    """Write the outputs, then time their checks alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--outputs", type=int, default=10_000)
    options = parser.parse_args()
    rng = random.Random(1)
    work = []
    for number in range(options.outputs):
        query, active = rng.choice(list(QUERIES.values())), draw_active(rng, LARGEST)
        answer = oracle(query, active)
        # A line of its own makes each file different, so that no output is found parsed already.
        files = {path: f"{text}# output {number}\n" for path, text in answer.files.items()}
        work.append((query, active, type(answer)(files, answer.commits)))
    lines = statistics.mean(sum(map(len, (t.splitlines() for t in a.files.values()))) for _, _, a in work)
    # Time of the processor, so that others on the machine don't count.
    started = time.process_time()
    judged = sum(len(check(answer, active, profile=query.profile)) for query, active, answer in work)
    seconds = time.process_time() - started
    print(f"checked {options.outputs} outputs of {lines:.0f} lines by {judged} rules", end=" ")
    print(f"in {seconds:.1f} s of one core", end=" ")
    print(f"(limit {LIMIT_SEC:g} s for 10,000)")
    return 0 if seconds * 10_000 / options.outputs <= LIMIT_SEC else 1


if __name__ == "__main__":
    raise SystemExit(main())
