"""Bundles: born good or not at all, the same bytes from the same trials, and nothing in them is believed."""

import gzip
import io
import json
import os
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.errors import MisuseError, TogetherError
from swe_together.report.submission import BundleError, RefusedError, Validation, prepare, validate
from swe_together.report.submission._archive import check_name
from swe_together.report.submission._secrets import find_secrets
from swe_together.schema import EndReason
from swe_together.tasks import task_digest
from tests.report.test_hostile import nested
from tests.support.jobs import Spec, dump, write_job, write_trial
from tests.support.tasks import make_task

KEY = "sk-ant-" + "a1B2" * 8


@dataclass(frozen=True)
class Place:
    """A task and a spec of a trial at it."""

    folder: Path
    tasks: Path
    spec: Spec

    @property
    def job(self) -> Path:
        return self.folder / "job"

    @property
    def trial(self) -> Path:
        """That with the reward 0.5, while it has one."""
        found = sorted(self.job.glob("*__*/verifier/judgement.json"))
        return next(file for file in found if '"score": 0.5' in file.read_text()).parents[1]

    @property
    def bundle(self) -> Path:
        return self.folder / "bundle.tar.gz"

    def prepare(self, **options: Any) -> Path:
        prepare([self.job], self.bundle, tasks=self.tasks, environ={}, **options)
        return self.bundle

    def validate(self) -> Validation:
        return validate(self.bundle, tasks=self.tasks)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    task = make_task(tmp_path / "tasks" / "one")
    spec = Spec(judge=0.5, judge_model="x/judge", basis="judge", digest=task_digest(task))
    write_job(tmp_path / "job", [spec, replace(spec, judge=1.0), replace(spec, end=EndReason.SIMULATOR_ERROR)])
    return Place(tmp_path, tmp_path / "tasks", spec)


def refusals(place: Place) -> str:
    with pytest.raises(RefusedError) as refused:
        place.prepare()
    assert not place.bundle.exists(), "nothing is written then"
    return str(refused.value)


def rewrite(bundle: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    """The bundle with its files changed; the manifest is left as it is, unless the change is to it."""
    with tarfile.open(bundle) as archive:
        files = {member.name: (archive.extractfile(member) or io.BytesIO()).read() for member in archive}
    change(files)
    with tarfile.open(bundle, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


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


def refusals_of(found: Validation) -> str:
    return str(RefusedError(found.problems))


def test_links_and_strange_files_among_the_evidence_are_refused(place: Place) -> None:
    secret = place.folder / "secret.json"
    secret.write_text("{}")
    (place.trial / "trial.log").symlink_to(secret)
    assert "trial.log is a symbolic link" in refusals(place)
    (place.trial / "trial.log").unlink()
    os.mkfifo(place.trial / "exception.txt")
    assert "exception.txt is a symbolic link, or not what its name says" in refusals(place)
    (place.trial / "exception.txt").unlink()
    (place.job / "two__link").symlink_to(place.trial)
    assert "symbolic link" in refusals(place)


def test_keys_are_found_and_never_shown(place: Place) -> None:
    (place.trial / "trial.log").write_text(f"one\ntwo {KEY}\n")
    said = refusals(place)
    assert "trial.log: it holds a key of a model's provider in line 2" in said
    assert KEY not in said
    (place.trial / "trial.log").write_text("hunter2-hunter2\n")
    with pytest.raises(RefusedError, match="the value of the variable MY_API_KEY in line 1") as refused:
        prepare([place.job], place.bundle, tasks=place.tasks, environ={"MY_API_KEY": "hunter2-hunter2", "HOME": "job"})
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "ghp_" + "a" * 36, "github_pat_" + "a" * 30, "AKIA" + "A" * 16, "AIza" + "a" * 35, "hf_" + "a" * 34,
        "xoxb-" + "1" * 12, "-----BEGIN OPENSSH PRIVATE" + " KEY-----", "-----BEGIN PRIVATE" + " KEY-----",
        "sk-proj-" + "a" * 40,
    ],
)  # fmt: skip
def test_forms_of_keys(text: str) -> None:
    assert len(list(find_secrets(b"x " + text.encode() + b" y", {}))) == 1


def test_what_is_no_key() -> None:
    words = (
        b"task-sk-1 risk-free disk-usage-of-many-words-here sk-short AKIAshort SWE_TOGETHER_JUDGE_API_KEY " + b"a" * 64
    )
    assert list(find_secrets(words, {"PATH": "/usr/bin:/usr/sbin", "A_KEY": "short"})) == []


TRICKS = (
    "../outside", "/etc/passwd", "jobs/../../outside", "jobs//x", "jobs/./x", "", "jobs\\..\\x", "a\nb", "jobs/",
    "x" * 300, "/".join(["d"] * 600), "\u202etxt.exe",
)  # fmt: skip


@pytest.mark.parametrize("name", TRICKS)
def test_names_that_lead_out_or_are_none_are_refused(name: str) -> None:
    with pytest.raises(BundleError):
        check_name(name)


Member = tuple[tarfile.TarInfo, bytes]


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", data: bytes = b"") -> Member:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, len(data)
    return info, data


def hostile(bundle: Path, *extra: Member) -> None:
    """A good bundle with members behind it."""
    with tarfile.open(bundle) as archive:
        members = [(one, (archive.extractfile(one) or io.BytesIO()).read()) for one in archive]
    with tarfile.open(bundle, "w:gz") as archive:
        for info, data in [*members, *extra]:
            archive.addfile(info, io.BytesIO(data))


@pytest.mark.parametrize(
    "extra",
    [
        member("../outside", data=b"x"),
        member("/tmp/outside", data=b"x"),
        member("jobs/link", tarfile.SYMTYPE, "/etc/passwd"),
        member("jobs/hard", tarfile.LNKTYPE, "manifest.json"),
        member("jobs/pipe", tarfile.FIFOTYPE),
        member("jobs/device", tarfile.CHRTYPE),
        member("jobs/folder", tarfile.DIRTYPE),
        member("jobs/unheard-of", data=b"x"),
        member("manifest.json", data=b"{}"),
    ],
    ids=lambda one: f"{one[0].type.decode()} {one[0].name}",
)
def test_a_bundle_with_tricks_is_refused_and_nothing_gets_out(place: Place, extra: Member) -> None:
    place.prepare()
    before = sorted(place.folder.parent.rglob("outside"))
    hostile(place.bundle, extra)
    with pytest.raises(BundleError):
        place.validate()
    assert sorted(place.folder.parent.rglob("outside")) == before
    assert not Path("/tmp/outside").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_a_link_in_the_place_of_a_file_is_refused(place: Place, kind: bytes) -> None:
    """Even one to a file of the bundle with the very same content."""
    for name in ("one.json", "two.json"):
        dump(place.trial / "verifier" / "judge" / "votes" / name, {})
    folder = f"jobs/job/{place.trial.name}/verifier/judge/votes"
    place.prepare()
    with tarfile.open(place.bundle) as archive:
        members = [(one, (archive.extractfile(one) or io.BytesIO()).read()) for one in archive]
    with tarfile.open(place.bundle, "w:gz") as archive:
        for info, data in members:
            if info.name == f"{folder}/two.json":
                info.type, info.linkname = kind, f"{folder}/one.json" if kind == tarfile.LNKTYPE else "one.json"
            archive.addfile(info, io.BytesIO(data))
    with pytest.raises(BundleError, match="is no plain file"):
        place.validate()


def test_a_file_that_was_exchanged_or_taken_out_is_refused(place: Place) -> None:
    place.prepare()
    name = f"jobs/job/{place.trial.name}/result.json"
    rewrite(place.bundle, lambda files: files.update({name: files[name].replace(b"codex", b"xedoc")}))
    with pytest.raises(BundleError, match="its digest differs"):
        place.validate()
    place.prepare()
    rewrite(place.bundle, lambda files: files.pop(name))
    with pytest.raises(BundleError, match="1 files of the manifest are missing"):
        place.validate()


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


@pytest.mark.parametrize(
    "data",
    [b"", b"nonsense", gzip.compress(b""), gzip.compress(b"x" * 2000)],
    ids=["empty", "text", "nothing", "no tar"],
)
def test_what_is_no_bundle_is_refused(place: Place, data: bytes) -> None:
    place.bundle.write_bytes(data)
    with pytest.raises(BundleError):
        place.validate()


def test_half_a_bundle_is_refused(place: Place) -> None:
    data = place.prepare().read_bytes()
    place.bundle.write_bytes(data[: len(data) // 2])
    with pytest.raises(BundleError):
        place.validate()


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
