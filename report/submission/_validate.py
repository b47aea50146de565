"""Validating a bundle: nothing in it is believed that can be worked out again."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_together.errors import TogetherError
from swe_together.report._build import leaderboard
from swe_together.report._jobs import find_jobs
from swe_together.report._leaderboard import Leaderboard
from swe_together.report._table import Progress, TrialTable, read_table
from swe_together.report.submission._archive import unpack
from swe_together.report.submission._check import problems_of, tasks_in
from swe_together.report.submission._evidence import Problem
from swe_together.report.submission._manifest import Claim, Manifest
from swe_together.report.submission._prepare import JOBS, make_manifest
from swe_together.report.submission._secrets import find_secrets


@dataclass(frozen=True)
class Validation:
    """What came of it.

    Attributes:
        problems: Why the bundle is refused; empty where it is good.
        board: The leaderboard, worked out from the bundle's own trials.
    """

    manifest: Manifest
    board: Leaderboard
    problems: Sequence[Problem]


def validate(bundle: Path, *, tasks: Path | None, progress: Progress | None = None) -> Validation:
    """Validate a bundle.

    Args:
        bundle: The ``.tar.gz``.
        tasks: Folder of the tasks, in the version that the bundle is about.
        progress: Told after each trial.

    Raises:
        MisuseError: There is no such file.
        BundleError: It can't be unpacked.
        TogetherError: It mixes versions that it doesn't own up to.
    """
    with tempfile.TemporaryDirectory(prefix="swe-together-bundle-") as place:
        folder = Path(place)
        manifest = unpack(bundle, folder)
        jobs = [job.path for job in find_jobs([folder / JOBS])] if (folder / JOBS).is_dir() else []
        if not jobs:
            raise TogetherError(f"{bundle} holds no job.", "Prepare it anew: swe-together submit prepare.")
        table = read_table(jobs, kept=manifest.kept, cache_at=None, progress=progress)
        board = leaderboard(table, mix=manifest.mixed, threshold=manifest.threshold, level=manifest.level)
        problems = list(problems_of(table, jobs, tasks_in(tasks), need_tasks=True))
        problems += _claims(manifest, table, board, folder)
        for name in manifest.files:
            if not name.endswith(".tar"):
                data = (folder / name).read_bytes()
                problems += [Problem(name, f"it holds {what}") for what in find_secrets(data, {})]
        return Validation(manifest, board, problems)


def _claims(manifest: Manifest, table: TrialTable, board: Leaderboard, folder: Path) -> Iterator[Problem]:
    again = make_manifest(table, board, {name: folder / name for name in manifest.files})
    for name in ("statuses", "planned", "about", "settings"):
        if getattr(manifest, name) != getattr(again, name):
            yield Problem("manifest.json", f"{name} isn't what the trials give")
    for trial, digest in again.states.items():
        if manifest.states.get(trial) != digest:
            yield Problem(trial, "its final state is another one than the manifest tells of")
    for trial in sorted(manifest.trials.keys() ^ again.trials.keys()):
        yield Problem(trial, "the manifest and the files don't hold the same trials")
    for trial in sorted(manifest.trials.keys() & again.trials.keys()):
        for name in _different(manifest.trials[trial], again.trials[trial]):
            told = manifest.trials[trial].get(name), again.trials[trial].get(name)
            yield Problem(trial, f"{name} is claimed to be {told[0]}; the files give {told[1]}")
    for label in sorted(manifest.entries.keys() ^ again.entries.keys()):
        yield Problem(label, "the manifest and the trials don't have the same entries")
    for label in sorted(manifest.entries.keys() & again.entries.keys()):
        for name, claim in again.entries[label].items():
            told_ = manifest.entries[label].get(name)
            if told_ is None or not _agree(told_, claim):
                said = None if told_ is None else told_.value
                yield Problem(label, f"{name} is claimed to be {said}; the trials give {claim.value}")


def _different(told: Mapping[str, Any], again: Mapping[str, Any]) -> list[str]:
    return [name for name in sorted({*told, *again}) if not _close(told.get(name), again.get(name))]


def _agree(one: Claim, other: Claim) -> bool:
    return all(_close(getattr(one, name), getattr(other, name)) for name in Claim.model_fields)


def _close(one: Any, other: Any) -> bool:
    """Equal; numbers to a billionth, since sums on another machine may differ in their last digit."""
    if isinstance(one, float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-9 * max(1.0, abs(one))
    return bool(one == other)
