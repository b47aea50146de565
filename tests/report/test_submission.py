"""Bundles: born good or not at all, the same bytes from the same trials, and nothing in them is believed."""

import json
import os
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.errors import MisuseError, TogetherError
from swe_together.report.submission import prepare, validate
from tests.report.submissions import KEY, Place, refusals, refusals_of, rewrite
from tests.report.test_hostile import nested
from tests.support.jobs import dump, write_job, write_trial


def test_a_good_bundle_is_good(place: Place) -> None:
    place.prepare()
    found = place.validate()
    assert found.problems == []
    assert found.manifest.statuses == {"ok": 2, "simulator_error": 1}
    (label,) = found.manifest.entries
    claim = found.manifest.entries[label]["judge_score"]
    assert (claim.value, claim.trials, claim.missing) == (0.75, 2, 1)
    assert found.manifest.about["judges"][0].startswith("model x/judge")
    assert {trial["status"] for trial in found.manifest.trials.values()} == {"ok", "simulator_error"}


def test_the_same_trials_give_the_same_bytes(place: Place) -> None:
    first = place.prepare().read_bytes()
    for path in place.job.rglob("*"):
        os.utime(path, (1, 1))
    assert place.prepare().read_bytes() == first
    assert first[4:8] == b"\0" * 4, "when it was packed"
    with tarfile.open(place.bundle) as archive:
        assert {(member.mtime, member.uid, member.uname, member.mode) for member in archive} == {(0, 0, "", 0o644)}


def test_what_a_bundle_takes_and_what_stays_at_home(place: Place) -> None:
    (place.trial / "agent" / "auth.json").write_text(KEY)
    state = place.trial / "artifacts" / "var" / "lib" / "swe-together" / "state.tar"
    state.parent.mkdir(parents=True)
    state.write_bytes(b"\0" * 1024)
    place.prepare()
    names = place.validate().manifest.files
    assert not [name for name in names if name.endswith(("auth.json", "state.tar"))]
    assert f"jobs/job/{place.trial.name}/agent/trajectory.json" in names
    place.prepare(states=True)
    assert [name for name in place.validate().manifest.files if name.endswith("state.tar")]


LIMITS: dict[str, tuple[tuple[str, ...], Any, str]] = {
    "all times": (("timeout_multiplier",), 2.0, "timeout_multiplier is 2.0; it must be 1"),
    "the agent's": (("agent_timeout_multiplier",), 1.5, "agent_timeout_multiplier is 1.5"),
    "the verifier's": (("verifier_timeout_multiplier",), 3, "verifier_timeout_multiplier is 3"),
    "agent time": (("agent", "override_timeout_sec"), 9999, "override_timeout_sec is 9999; the task allows 600"),
    "less agent time": (("agent", "max_timeout_sec"), 10, "max_timeout_sec is 10; the task allows 600"),
    "time as for a person": (("agent", "override_timeout_sec"), 30 * 86400.0, "override_timeout_sec is 2592000"),
    "a turn's time": (("agent", "kwargs", "together"), {"turn_sec": 9.0}, "the setting turn_sec is 9.0"),
    "verifier time": (("verifier", "override_timeout_sec"), 1, "override_timeout_sec is 1; the task allows 300"),
    "no verifier": (("verifier", "disable"), True, "the verifier was disabled"),
    "another verifier": (("verifier", "import_path"), "my:Verifier", "the verifier is my:Verifier"),
    "processors": (("environment", "override_cpus"), 64, "override_cpus is 64; the task has ?"),
    "memory": (("environment", "override_memory_mb"), 1, "override_memory_mb is 1"),
    "mounts": (("environment", "mounts"), [{"source": "/"}], "environment.mounts is set"),
    "hosts": (("agent", "extra_allowed_hosts"), ["github.com"], "agent.extra_allowed_hosts is set"),
    "instructions": (("extra_instructions",), ["use the fix of pull request 5"], "extra_instructions is set"),
    "policy of errors": (("override_error_policy",), {"X": {}}, "override_error_policy is set"),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_changed_limits_are_refused_and_named(place: Place, name: str) -> None:
    path, value, said = LIMITS[name]
    nested(place.trial / "config.json", *path, value=value)
    assert said in refusals(place)


def test_limits_that_are_the_tasks_own_are_no_change(place: Place) -> None:
    for trial in place.job.glob("*__*"):
        nested(trial / "config.json", "agent", "override_timeout_sec", value=600)
        nested(trial / "config.json", "agent", "max_timeout_sec", value=600)
    place.prepare()
    assert place.validate().problems == []


def test_results_that_were_chosen_by_trying_again_are_refused(place: Place) -> None:
    nested(place.job / "config.json", "retry", value={"max_retries": 3, "exclude_exceptions": ["AgentTimeoutError"]})
    assert "trials that ended with NonZeroAgentExitCodeError were tried again" in refusals(place)
    good = ["AgentTimeoutError", "NonZeroAgentExitCodeError"]
    nested(place.job / "config.json", "retry", value={"max_retries": 3, "exclude_exceptions": good})
    place.prepare()


@pytest.mark.parametrize(
    "name",
    [
        "user-agent/session.json", "user-agent/decisions.jsonl", "agent/trajectory.json", "verifier/judgement.json",
        "verifier/behaviour.json", "config.json",
    ],
)  # fmt: skip
def test_missing_evidence_is_refused_and_named(place: Place, name: str) -> None:
    for trial in place.job.glob("*__*"):
        (trial / name).unlink(missing_ok=True)
    said = refusals(place)
    assert f"evidence is missing: {name}" in said or "without the interactive layer" in said or "config.json" in said


def test_trials_that_were_planned_and_are_not_there_are_refused(place: Place) -> None:
    write_job(place.job, [], planned=[place.spec] * 4)
    assert "never begun" in refusals(place)
    (place.job / "lock.json").unlink()
    nested(place.job / "result.json", "n_total_trials", value=0)
    assert "doesn't say which trials were planned" in refusals(place)


def test_trials_that_run_still_or_are_no_sessions_or_foreign_are_refused(place: Place) -> None:
    (place.trial / "result.json").unlink()
    assert "has no result" in refusals(place)


FORGED: dict[str, tuple[str, tuple[str, ...], Any, str]] = {
    "reward": ("result.json", ("verifier_result", "rewards", "reward"), 1.0, "the score of the judge is 0.5"),
    "tests": ("result.json", ("verifier_result", "rewards", "tests"), 0.2, "verifier/reward-details.json says 1.0"),
    "tests' report": ("verifier/reward-details.json", ("tests",), 0.9, "its cases give 1.0"),
    "judge's score": ("verifier/judgement.json", ("score",), 0.99, "its goals give 0.5"),
    "verdicts": ("verifier/reward-details.json", ("judge", "met"), {"works": True}, "different verdicts"),
    "rubric": ("verifier/judgement.json", ("digests", "rubric"), "f" * 64, "different rubrics"),
    "judge": ("verifier/judgement.json", ("model",), "y/lenient", "different models as the judge"),
    "cases": ("verifier/judgement.json", ("digests", "cases"), "0" * 64, "rests on other cases"),
    "correction": ("verifier/behaviour.json", ("tags", "user_correction"), 0.0, "its tags give 1"),
    "coverage": ("verifier/behaviour.json", ("coverage", "overall"), 1.0, "its parts give 0.86"),
    "agent": ("result.json", ("agent_info", "name"), "other", "names the agent 'other'"),
    "task": ("result.json", ("task_name",), "swe-together/easy", "names the task 'swe-together/easy'"),
    "messages": ("user-agent/session.json", ("messages",), 0, "its turns hold another number"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_scores_that_are_not_what_they_rest_on_are_refused(place: Place, name: str) -> None:
    file, path, value, said = FORGED[name]
    nested(place.trial / file, *path, value=value)
    assert said in refusals(place)


def test_a_dialogue_that_is_another_one_in_another_record_is_refused(place: Place) -> None:
    file = place.trial / "agent" / "trajectory.json"
    file.write_text(file.read_text().replace("message 1", "here is the answer"))
    assert "agent/trajectory.json and user-agent/session.json tell of different messages" in refusals(place)
    file = place.trial / "user-agent" / "decisions.jsonl"
    file.write_text(file.read_text().replace("message 2", "here is the answer"))
    assert "user-agent/decisions.jsonl and user-agent/session.json tell of different messages" in refusals(place)


def test_another_version_of_the_task_is_refused_and_a_task_that_is_not_at_hand(place: Place, tmp_path: Path) -> None:
    place.prepare()
    (place.tasks / "one" / "spec.md").write_text("Do something easier.\n")
    assert "the task was another version" in refusals_of(place.validate())
    found = validate(place.bundle, tasks=tmp_path / "nowhere")
    assert "the task isn't at hand" in refusals_of(found)


CLAIMS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a figure": (
        lambda m: next(iter(m["entries"].values()))["pass_at_1"].update(value=0.9), "pass_at_1 is claimed to be 0.9"),
    "an interval": (lambda m: next(iter(m["entries"].values()))["reward"].update(low=0.7), "reward is claimed"),
    "a trial's reward": (lambda m: next(iter(m["trials"].values())).update(reward=0.7), "reward is claimed to be 0.7"),
    "a trial's model": (lambda m: next(iter(m["trials"].values())).update(model="x/y"), "model is claimed to be x/y"),
    "the number of trials": (lambda m: m.update(planned=2), "planned isn't what the trials give"),
    "what was lost": (lambda m: m.update(statuses={"ok": 2}), "statuses isn't what the trials give"),
    "a trial more": (lambda m: m["trials"].update({"jobs/job/x": {}}), "don't hold the same trials"),
    "settings": (lambda m: m.update(settings=[]), "settings isn't what the trials give"),
}  # fmt: skip


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_are_worked_out_again(place: Place, name: str) -> None:
    change, said = CLAIMS[name]
    place.prepare()

    def forge(files: dict[str, bytes]) -> None:
        manifest = json.loads(files["manifest.json"])
        change(manifest)
        files["manifest.json"] = json.dumps(manifest).encode()

    rewrite(place.bundle, forge)
    assert said in refusals_of(place.validate())


def test_trials_of_different_versions_are_mixed_only_on_request_and_the_bundle_says_so(place: Place) -> None:
    other = replace(place.spec, judge_model="y/judge")
    write_job(place.folder / "more" / "job", [other])
    jobs = [place.job, place.folder / "more" / "job"]
    with pytest.raises(TogetherError, match="These trials mix judges"):
        prepare(jobs, place.bundle, tasks=place.tasks, environ={})
    prepare(jobs, place.bundle, tasks=place.tasks, environ={}, mix=["judge"])
    found = place.validate()
    assert found.problems == []
    assert found.manifest.mixed == ["judge"]
    assert {name.split("/")[1] for name in found.manifest.files} == {"job", "job-2"}


def test_part_of_a_job_is_no_submission(place: Place) -> None:
    with pytest.raises(MisuseError, match="no whole job"):
        prepare([place.trial], place.bundle, tasks=place.tasks, environ={})


def test_the_command(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    told = ["--tasks", str(place.tasks)]
    assert main(["submit", "prepare", str(place.job), "-o", str(place.bundle), *told]) == 0
    assert main(["submit", "validate", str(place.bundle), *told]) == 0
    assert "is good: 3 trials; pass@1: codex (openai/gpt-5.2) 50.0%" in capsys.readouterr().out
    nested(place.trial / "config.json", "timeout_multiplier", value=9)
    assert main(["submit", "prepare", str(place.job), "-o", str(place.bundle), *told]) == 1
    assert main(["submit", "validate", str(place.folder / "none"), *told]) == 2
    assert main(["submit", "validate", str(place.bundle), "--tasks", str(place.folder / "none")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_an_oracle_without_a_session_can_be_submitted(place: Place) -> None:
    write_trial(place.job, replace(place.spec, agent="oracle", model=None, judge=None, judge_model=None, basis="tests"))
    told = [json.loads((trial / "config.json").read_text()) for trial in place.job.glob("*__*")]
    dump(place.job / "lock.json", {"trials": [{"task": one["task"], "agent": one["agent"]} for one in told]})
    place.prepare(mix=["basis"])
    assert place.validate().problems == []
