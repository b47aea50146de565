"""A place with a task and a job at it, and what becomes of a bundle there."""

import io
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from swe_together.report.submission import RefusedError, Validation, prepare, validate
from tests.support.jobs import Spec

KEY = "sk-ant-" + "a1B2" * 8
"""Looks like a provider's; it is none."""


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


def refusals_of(found: Validation) -> str:
    return str(RefusedError(found.problems))
