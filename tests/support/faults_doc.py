"""docs/reliability.md, written from the list of faults and from docs/reliability.json: what the last runs counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "reliability.md"
RESULTS = ROOT / "docs" / "reliability.json"


@dataclass(frozen=True)
class Fault:
    """One thing that befalls a job.

    Attributes:
        id: As the tests note it.
        what: What is injected, and when.
        held: What holds afterwards, beside what holds after every fault.
    """

    id: str
    what: str
    held: str


FAULTS: Final = (
    Fault(
        "container-in-turn",
        "The agent's container is killed in a turn.",
        "That trial is an `environment_error` without a reward; earlier turns and decisions are kept.",
    ),
    Fault(
        "container-in-verifier",
        "The verifier's container is killed while the tests run.",
        "That trial is a `verifier_error` without a reward; session and final state are kept, and can be graded again.",
    ),
    Fault(
        "host-killed",
        "Harbor's own process is killed (SIGKILL), then `harbor job resume`; each job twice.",
        "Trials that had finished stay byte for byte; the others are played anew. `swe-together clean` removes what "
        "the killed process left in Docker.",
    ),
    Fault(
        "engine-restarted",
        "The Docker engine is restarted in a turn.",
        "The trial in that turn is an `environment_error`; one that could not begin meanwhile is `agent_invalid` with "
        "Docker's own words. `harbor job resume -f …` plays them again.",
    ),
    Fault(
        "disk-full",
        "The disk of the jobs folder has not a byte left, and room again later.",
        "The job ends, perhaps with Harbor's own error. What had finished is whole; no unfinished trial has a reward, "
        "not even a 0. With room again, `harbor job resume -f …` completes the job.",
    ),
    Fault(
        "flood",
        "The agent prints 1 GB, into its log as well.",
        "Its work counts. Harbor holds the output in memory: some gigabytes for a moment.",
    ),
    Fault("large-file", "The agent writes 3 GB of noise into the working tree.", "Its work counts."),
    Fault("no-git", "The agent deletes `.git`.", "Its work counts."),
    Fault("many-files", "The agent makes 100,000 files in the working tree.", "Its work counts; all are seen."),
    Fault(
        "daemons",
        "The agent leaves five processes that take no signal.",
        "Its work counts; they end with the container.",
    ),
    Fault("invalid-utf8", "The agent prints 200 KB of random bytes.", "Its work counts; what is no text is replaced."),
    Fault("ansi", "The agent prints terminal codes and control characters.", "Its work counts."),
    Fault("long-lines", "The agent prints lines of 1 MB.", "Its work counts; the user sees an excerpt."),
    Fault(
        "endpoint-down",
        "The model endpoint of Claude Code resets every connection of one trial, from a moment of its session on.",
        "The agent fails: `agent_error`, by Harbor's rules no valid reward, so `agent_invalid`, and missing.",
    ),
    Fault(
        "endpoint-slow",
        "The same endpoint lets one byte a second through.",
        "The turn's limit ends each turn and its processes; what there is by then is graded.",
    ),
    Fault(
        "endpoint-half-closed",
        "The same endpoint sends the beginning of each answer, closes its direction and goes on listening.",
        "As when it is down.",
    ),
    Fault(
        "user-down",
        "The model that plays the user is down from a turn of one trial on, until that trial ends.",
        "After six failed requests the trial is a `simulator_error` without a reward; nobody speaks in its place.",
    ),
    Fault(
        "judge-down",
        "The judge's model is down from one of its answers on, until that trial ends.",
        "The trial is a `judge_error` without a reward; what the tests said is kept, and `swe-together judge` judges "
        "it later.",
    ),
    Fault(
        "two-jobs",
        "Two jobs of the same task run at once, and `swe-together clean` runs four times meanwhile.",
        "Neither notices the other; nothing of a running trial is removed.",
    ),
    Fault(
        "clock-jump",
        "The wall clock of Harbor's process jumps 25 hours ahead, or back (time-machine, within the process).",
        "Budgets and durations go by the monotonic clock; only the times of day in the records jump.",
    ),
)

TEXT = """\
# Reliability

What happens to a job when something breaks. Each fault below is injected from outside, at seeded random moments, into
real jobs of three trials in containers, run by stock Harbor; the table counts how often, and how often all of this held
afterwards:

* the job ends, and trials that the fault didn't meet end as if nothing had happened, with all their points;
* the trial that it met has the right status: a fault of the benchmark's own parts is typed, visible and counted, and
  leaves no reward – never a 0, neither in our report nor in Harbor's own mean;
* Harbor's mean and number of rewards, and our attrition (planned, scored, missing by cause), are those that follow;
* nothing that was finished is lost;
* no container, network, volume, image or process of the job is left: by itself, or, where Harbor's own process or the
  engine was killed, after `swe-together clean`.

| fault | what is injected | what holds besides | injected | held | last run | seed |
|---|---|---|---|---|---|---|
{rows}

Run `make test-faults` for all of them, `make test-faults-quick` for those that the gate runs. All of them take the
better part of an hour on two cores, and root, for a disk and an engine of their own. They disturb nobody: traffic stays
on loopback and in the job's own containers, and every deed is bounded. `SWE_TOGETHER_FAULT_SEED=…` draws other moments
and victims. This page is generated from what runs counted: `python -m tests.bench.faults`.

## When it has happened to you

* **Killed, or out of disk?** `harbor job resume -p jobs/JOB`: finished trials stay, the others are played. Where trials
  have ended with an error that wasn't the agent's, name it and they are played again as well: `-f
  RewardFileNotFoundError`, or what `swe-together summary` shows.
* **Resume fails on `result.json`?** Harbor writes its files in place; a kill or a full disk in that moment leaves one
  empty. The job's own holds nothing that the trials don't: delete `jobs/JOB/result.json` and resume. A trial's is
  passed by, and the trial played again; the old folder stays, and the report counts it as a duplicate.
* **Containers left?** `swe-together clean`. It never touches a trial that is running.
* **Judge or user's model was down?** `swe-together judge jobs/JOB` judges finished sessions; a session whose user
  failed must be played again.
"""


def read_results() -> dict[str, Any]:
    """The results that stand in the repository."""
    document: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return document


def counted(rows: Sequence[Mapping[str, Any]], date: str) -> dict[str, dict[str, Any]]:
    """What a run's rows say of each fault: how often it was injected, how often all held, when, and the seed."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        one = found.setdefault(row["fault"], {"injected": 0, "held": 0, "date": date, "seed": row["seed"]})
        one["injected"] += 1
        one["held"] += row["good"]
    return found


def render(results: Mapping[str, Any]) -> str:
    """The document."""
    rows = "\n".join(_row(fault, results["faults"].get(fault.id)) for fault in FAULTS)
    return TEXT.format(rows=rows)


def _row(fault: Fault, found: Mapping[str, Any] | None) -> str:
    counts: Iterable[str] = ("not yet", "–", "–", "–")
    if found is not None:
        counts = (str(found["injected"]), str(found["held"]), found["date"], found["seed"])
    return "| " + " | ".join([f"`{fault.id}`", fault.what, fault.held, *counts]) + " |"
