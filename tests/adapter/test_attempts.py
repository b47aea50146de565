"""Every attempt at a trial is written down; a job that was killed goes on with what was missing, and only that."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_together.adapter.attempts import ATTEMPTS_FILE, AttemptLog, cost_of
from swe_together.report import read_table, read_trials
from swe_together.schema import AttemptLine
from tests.bench.concurrency import make_load_task
from tests.support import harbor as h
from tests.support.jobs import Spec, write_job

PLUGIN = ("--plugin", "swe-together", "--disable-verification", "-e")
IN_PROCESS = "tests.support.local_environment:InProcessEnvironment"


def attempts(job: Path) -> list[AttemptLine]:
    return [AttemptLine.model_validate_json(line) for line in (job / ATTEMPTS_FILE).read_text().splitlines()]


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.05)


def permit(folder: Path, count: int) -> None:
    folder.mkdir(exist_ok=True)
    for number in range(count):
        (folder / f"permit-{number}").touch()


def test_a_killed_job_goes_on_with_what_was_missing_and_only_that(tmp_path: Path) -> None:
    job, permits = tmp_path / "job", tmp_path / "permits"
    permit(permits, 1)
    line = ["run", "-p", make_load_task(tmp_path, 2), "--jobs-dir", tmp_path, "--job-name", "job", "--yes", "--quiet"]
    line += [*PLUGIN, IN_PROCESS, "-k", "3", "-n", "1", "-a", "tests.support.trial_runs:PermitAgent"]
    process = subprocess.Popen(
        [str(h.HARBOR), *map(str, line), "--ak", f"permits={permits}"], env=h.environment(), cwd=h.ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    until(lambda: len(list(job.glob("*/result.json"))) == 1 and len(attempts(job)) == 3)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert [(one.event, one.status) for one in attempts(job)] == [
        ("begun", None), ("ended", "ungraded"), ("begun", None),
    ]  # fmt: skip
    before = {path: path.read_bytes() for path in job.glob("*/result.json")}
    statuses = read_table([job], cache_at=None).statuses
    assert (statuses["unfinished"], statuses["not_started"]) == (1, 1), "both are missing, neither is a zero"

    permit(permits, 5)
    resume = ("job", "resume", "-p", job, "--plugin", "swe-together")
    h.harbor(*resume)
    after = {path: path.read_bytes() for path in job.glob("*/result.json")}
    assert len(after) == 3
    assert before.items() <= after.items(), "what was finished is left as it was"
    assert len(list(permits.iterdir())) == 3, "the two that were missing were run, once each"
    assert all(trial.session["end"] == "anchors_exhausted" for trial in h.trials(job))

    h.harbor(*resume)
    assert {path: path.read_bytes() for path in job.glob("*/result.json")} == after, "nothing is left to do"
    assert len(list(permits.iterdir())) == 3
    table = read_table([job], cache_at=None)
    assert table.planned == 3
    assert sorted(table.frame["retries"]) == [0, 0, 0], "nothing was chosen by trying again"
    assert table.jobs[0].removed == (1, None), "and what was cut off has cost nobody knows what"


def test_an_attempt_that_is_run_again_leaves_its_outcome_and_its_cost(tmp_path: Path) -> None:
    arguments = ("-a", "tests.support.trial_runs:OnceFailingAgent", "--ak", f"mark={tmp_path / 'mark'}")
    more = (*PLUGIN, IN_PROCESS, "--max-retries", "1")
    (trial,) = h.run_job(tmp_path, *arguments, *more, task=make_load_task(tmp_path, 2))
    assert trial.session["end"] == "anchors_exhausted"
    told = attempts(tmp_path / "job")
    assert [one.event for one in told] == ["begun", "ended", "begun", "ended"]
    assert {one.trial for one in told} == {trial.folder.name}
    assert told[1].cause == "RuntimeError: the agent broke"
    assert told[0].attempt == told[1].attempt != told[2].attempt == told[3].attempt == trial.result["id"]
    assert read_table([tmp_path / "job"], cache_at=None).frame["retries"].tolist() == [1]


def test_what_an_attempt_cost_is_the_sum_of_its_parts_or_unknown(tmp_path: Path) -> None:
    (known,) = write_job(tmp_path / "known", [Spec()]).glob("one__*")
    assert cost_of(known) == 0.5
    session = known / "user-agent" / "session.json"
    session.write_text(json.dumps({**json.loads(session.read_text()), "usage": {}}))
    assert cost_of(known) is None


def test_a_log_that_can_not_be_written_is_said_once_and_ends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (trial,) = write_job(tmp_path / "job", [Spec()]).glob("one__*")
    log = AttemptLog(tmp_path / "nowhere")
    log.begun("one", "x")
    log.ended("one", "x", *read_trials([trial]))
    told = capsys.readouterr().err
    assert told == f"swe-together: {tmp_path}/nowhere/attempts.jsonl can't be written: No such file or directory\n"
