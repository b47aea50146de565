"""Making a bundle. What would be refused later is refused here, before anything is written."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from swe_together import __version__, defaults
from swe_together.errors import MisuseError, TogetherError
from swe_together.report._build import leaderboard
from swe_together.report._files import read_object
from swe_together.report._jobs import JobFolder, find_jobs
from swe_together.report._leaderboard import Leaderboard
from swe_together.report._outcome import mapping
from swe_together.report._records import DETAILS, SESSION
from swe_together.report._retries import Kept
from swe_together.report._table import Progress, TrialTable, read_table
from swe_together.report.submission._archive import check_name, file_entry, pack
from swe_together.report.submission._check import problems_of, tasks_in
from swe_together.report.submission._evidence import JOB, STATES, Problem, evidence_of
from swe_together.report.submission._manifest import TRIAL_FACTS, Claim, Manifest
from swe_together.report.submission._secrets import find_secrets

JOBS = "jobs"
SHOWN = 20


class RefusedError(TogetherError):
    """Trials can't be submitted as they are. ``problems`` says why, each with its place."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        lines = [f"\n  {problem.where}: {problem.what}" for problem in problems[:SHOWN]]
        more = f"\n  and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        count = "1 thing stands" if len(problems) == 1 else f"{len(problems)} things stand"
        super().__init__(f"{count} against it:{''.join(lines)}{more}")


def prepare(
    jobs: Sequence[Path],
    output: Path,
    *,
    tasks: Path | None = None,
    states: bool = False,
    kept: Kept = "first",
    mix: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Bundle whole jobs.

    Args:
        jobs: Folders of jobs, or of several.
        output: The ``.tar.gz`` to write.
        tasks: Folder of the tasks, to compare limits and digests with.
        states: Whether the final states go with it; they are large.
        kept: Which trial counts where more were run than planned.
        mix: Kinds of versions that may be mixed.
        environ: Variables whose values must not stand in the bundle; those of this process if None.
        progress: Told after each trial.

    Raises:
        MisuseError: A folder isn't there, or is a trial alone.
        RefusedError: Something is changed, missing, contradictory or secret.
        TogetherError: Versions are mixed without leave.
    """
    found = find_jobs(jobs)
    for job in found:
        if not job.whole or not job.config:
            raise MisuseError(f"{job.path} is no whole job.", "Give job folders: what is left out can't be judged.")
    table = read_table(jobs, kept=kept, cache_at=None, progress=progress)
    board = leaderboard(table, mix=mix)
    problems = list(problems_of(table, [job.path for job in found], tasks_in(tasks), need_tasks=False))
    files, refused = _files(found, states)
    problems += refused
    variables = os.environ if environ is None else environ
    for name, path in files.items():
        if not name.endswith(".tar"):
            problems += [Problem(name, f"it holds {what}") for what in find_secrets(path.read_bytes(), variables)]
    if problems:
        raise RefusedError(problems)
    manifest = make_manifest(table, board, files)
    pack(files, manifest, output)
    return manifest


def make_manifest(table: TrialTable, board: Leaderboard, files: Mapping[str, Path]) -> Manifest:
    """The manifest of files that stand at ``jobs/<job>/<trial>/…``."""
    folders = {
        str(path.parent): name.rpartition("/")[0] for name, path in files.items() if name.endswith("config.json")
    }
    rows = table.frame.astype(object).where(table.frame.notna(), None).to_dict("records")
    trials = {folders[row["path"]]: {name: row[name] for name in TRIAL_FACTS} for row in rows if row["path"] in folders}
    return Manifest(
        version=__version__,
        kept=table.kept,
        threshold=defaults.PASS_THRESHOLD,
        level=board.level,
        mixed=list(board.mixed),
        statuses=dict(sorted(board.statuses.items())),
        planned=board.planned,
        about={what: list(values) for what, values in board.about.items()},
        settings=_settings(folders),
        states={
            folder: file_entry(Path(path) / STATES[0]).sha256
            for path, folder in folders.items()
            if (Path(path) / STATES[0]).is_file()
        },
        trials=dict(sorted(trials.items())),
        entries=claims(board),
        files={name: file_entry(path) for name, path in sorted(files.items())},
    )


def claims(board: Leaderboard) -> dict[str, dict[str, Claim]]:
    """Every figure of every entry."""
    return {
        entry.label: {
            name: Claim(
                value=one.value, low=one.low, high=one.high, n=one.n, trials=one.trials, missing=one.missing
            )
            for name, one in entry.figures.items()
        }
        for entry in board.entries
    }  # fmt: skip


def _files(jobs: Sequence[JobFolder], states: bool) -> tuple[dict[str, Path], list[Problem]]:
    files: dict[str, Path] = {}
    problems: list[Problem] = []
    taken: set[str] = set()
    for job in jobs:
        base = name = job.path.resolve().name
        number = 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name)
        for record in JOB:
            if (job.path / record).is_file() and not (job.path / record).is_symlink():
                files[f"{JOBS}/{name}/{record}"] = job.path / record
        for trial in job.trials:
            where = f"{name}/{trial.name}"
            if trial in job.links:
                problems.append(Problem(where, "it is a symbolic link"))
                continue
            try:
                for record in evidence_of(trial, states=states):
                    check_name(f"{JOBS}/{where}/{record}")
                    files[f"{JOBS}/{where}/{record}"] = trial / record
            except (ValueError, TogetherError) as problem:
                problems.append(Problem(where, str(problem)))
    return files, problems


def _settings(folders: Mapping[str, str]) -> list[dict[str, Any]]:
    """Settings of sessions and judges; keys never stand in them."""
    found: dict[str, dict[str, Any]] = {}
    for path in folders:
        session = mapping(read_object(Path(path), SESSION), "settings")
        judge = mapping(read_object(Path(path), DETAILS), "judge", "settings")
        if session or judge:
            one = {"session": dict(session), "judge": dict(judge)}
            found[json.dumps(one, sort_keys=True)] = one
    return [found[key] for key in sorted(found)]
