"""A job that fails from its first trial on says so at once, and ends."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from swe_together.adapter.failures import Failure, FailureWatch, failure_of, parse_stop_after
from swe_together.errors import MisuseError
from swe_together.report import TrialRow
from swe_together.schema import EndReason
from tests.support import harbor as h
from tests.support.records import Spec, session

LOCAL = "tests.support.local_environment:LocalEnvironment"
LOST = Failure("environment_error", "no room")


def row(
    status: str = "ok", cause: str = "", end: EndReason = EndReason.USER_LEFT, error: str | None = None
) -> TrialRow:
    held = session(Spec(end=end)).model_copy(update={"error": error})
    return TrialRow(Path("x"), "x", "codex", status, 0.0 if status == "ok" else None, cause, held, None)


@pytest.mark.parametrize(
    ("ended", "failure"),
    [
        (row(), None),
        (row(cause="AgentTimeoutError: 600 s"), None),
        (row("ungraded", "its job was told to grade nothing"), None),
        (row("environment_error", "In the container, x failed"), ("environment_error", "In the container, x failed")),
        (row("agent_invalid", "ApiError:  no\nkey"), ("agent_invalid (ApiError)", "ApiError: no key")),
        (
            row(end=EndReason.AGENT_ERROR, error="RuntimeError: boom"),
            ("agent_error (RuntimeError)", "RuntimeError: boom"),
        ),
    ],
)
def test_what_counts_as_a_failure(ended: TrialRow, failure: tuple[str, str] | None) -> None:
    assert failure_of(ended) == failure


def test_the_first_failure_is_told_with_its_remedy_and_no_other() -> None:
    watch = FailureWatch(0, 9)
    assert watch.saw("a", None) == []
    (told,) = watch.saw("b", Failure("environment_error", "no space left on device"))
    assert told.startswith("b is the first trial to fail, with environment_error: no space left on device The disk is")
    assert [watch.saw(name, LOST) for name in "cdefghi"] == [[]] * 7


@pytest.mark.parametrize(
    ("ended", "stops"),
    [
        ([LOST] * 3, True),
        ([LOST, LOST, None], False),
        ([None, LOST, LOST, LOST], False),
        ([LOST, LOST, Failure("judge_error", "no room")], False),
        ([LOST, LOST], False),
    ],
)
def test_only_first_trials_that_all_fail_alike_end_a_job(ended: list[Failure | None], stops: bool) -> None:
    watch = FailureWatch(3, 9)
    said = [sentence for number, failure in enumerate(ended) for sentence in watch.saw(str(number), failure)]
    assert watch.stopped is stops
    assert ("the first 3 trials all failed with environment_error" in said[-1]) is stops
    if stops:
        assert watch.saw("more", LOST) == [], "what is cancelled then is no failure"


def test_attempts_at_one_trial_count_once() -> None:
    watch = FailureWatch(3, 9)
    for name in ("a", "a", "a", "b"):
        watch.saw(name, LOST)
    assert not watch.stopped
    watch.saw("c", LOST)
    assert watch.stopped


def test_after_the_last_trial_there_is_nothing_to_stop() -> None:
    watch = FailureWatch(3, 3)
    for name in "abc":
        watch.saw(name, LOST)
    assert not watch.stopped


@pytest.mark.parametrize("value", [-1, True, "3", 2.5, None])
def test_a_threshold_that_is_none_is_misuse(value: Any) -> None:
    with pytest.raises(MisuseError, match="stop_after_errors: must be a whole number"):
        parse_stop_after(value)


def run(folder: Path, *more: str, before: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    command = [str(h.HARBOR), "run", "-p", str(h.tiny_task()), "--jobs-dir", str(folder), "--job-name", "job", "--yes"]
    command += ["-e", LOCAL, "-a", "tests.support.agents:NoteAgent", "--plugin", "swe-together"]
    command += ["--disable-verification", "-k", "4", "-n", "1", *more]
    return subprocess.run(
        [*before, *command], env=h.environment(), cwd=h.ROOT, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_job_in_vain_ends_with_one_sentence_and_can_be_gone_on_with(tmp_path: Path) -> None:
    done = run(tmp_path, "--pk", "stop_after_errors=2")
    assert done.returncode != 0
    told = [line for line in done.stderr.splitlines() if line.startswith("swe-together: ")]
    assert len(told) == 2, done.stderr
    assert "is the first trial to fail, with environment_error: In the container, listing processes" in told[0]
    assert told[1].startswith("swe-together: the first 2 trials all failed with environment_error, so the job ends")
    assert "Traceback" not in done.stderr
    results = [json.loads(path.read_text()) for path in (tmp_path / "job").glob("*/result.json")]
    assert sum(result["exception_info"] is None for result in results) == 2
    h.harbor("job", "resume", "-p", tmp_path / "job")
    assert len(list((tmp_path / "job").glob("*/result.json"))) == 4, "the others were not lost"


def test_it_ends_where_interrupts_are_ignored_too(tmp_path: Path) -> None:
    """As in the background of a shell script."""
    line = "trap '' INT; exec \"$@\""
    done = run(tmp_path, "--pk", "stop_after_errors=2", before=["bash", "-c", line, "bash"])
    assert done.returncode != 0
    assert "the first 2 trials all failed with environment_error, so the job ends here" in done.stderr
    results = [json.loads(path.read_text()) for path in (tmp_path / "job").glob("*/result.json")]
    assert sum(result["exception_info"] is None for result in results) == 2


def test_whoever_wants_to_go_on_does(tmp_path: Path) -> None:
    done = run(tmp_path, "--pk", "stop_after_errors=0")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("is the first trial to fail") == 1
    assert len(list((tmp_path / "job").glob("*/result.json"))) == 4
