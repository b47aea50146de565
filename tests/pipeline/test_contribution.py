"""What the static check says of pins: every way to fetch something, and the code base itself."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_together.pipeline.check.contribution import image_is_pinned
from swe_together.tasks import load_task

HEX = "ab" * 32
COMMIT = "cd" * 20
PINNED = [
    "RUN pip install six==1.16.0",
    "RUN pip3 install --require-hashes -r pins.txt",
    "RUN pip install --no-deps ./six-1.16.0-py3-none-any.whl && pip install .",
    "RUN npm ci --ignore-scripts",
    "RUN npm pack --silent qs@6.10.2",
    "RUN go install golang.org/x/tools/gopls@v0.16.0",
    "RUN apt-get download a=1.0 b=2:3-4",
    f"RUN curl -fsSLO https://h/x.tgz \\\n && echo '{HEX}  x.tgz' | sha256sum -c -",
    f"RUN git init -q t && cd t && git fetch -q --depth 1 https://h/o/n {COMMIT}",
    "RUN apt-get install -y --no-install-recommends curl git wget npm python3-pip",
    "# RUN pip install six",
    f"FROM python@sha256:{HEX} AS other\nFROM other",
    "FROM --platform=linux/amd64 localhost:5000/base:1.2",
]
OPEN = [
    "RUN pip install six",
    "RUN pip install -r requirements.txt",
    "RUN npm install qs",
    "RUN npm i -g qs",
    "RUN go install golang.org/x/tools/gopls@latest",
    "RUN apt-get download a b=1",
    "RUN curl -fsSLO https://h/x.tgz",
    "RUN true && wget https://h/x",
    "RUN git clone https://h/o/n",
    "RUN su agent -c 'pip install six'",
    "FROM python",
    "FROM python:latest",
    "FROM localhost:5000/base",
]


def with_line(task: Path, line: str) -> Path:
    """The task with a line more in its Dockerfile, and with its code base's digest in a comment there."""
    file = task / "environment" / "Dockerfile"
    file.write_text(f"# {'0' * 64}\n{file.read_text()}{line}\n")
    return task


@pytest.mark.parametrize("line", PINNED)
def test_what_is_pinned_passes(task: Path, line: str) -> None:
    verdict = image_is_pinned(load_task(with_line(task, line)))
    assert verdict.passed, verdict.detail


@pytest.mark.parametrize("line", OPEN)
def test_what_can_change_is_named(task: Path, line: str) -> None:
    verdict = image_is_pinned(load_task(with_line(task, line)))
    assert not verdict.passed
    assert "version" in verdict.detail


def test_the_digest_of_task_toml_must_be_checked_where_something_is_fetched(task: Path) -> None:
    file = task / "environment" / "Dockerfile"
    file.write_text(f"{file.read_text()}RUN npm pack x@1.0\n")
    assert "nothing in environment/ checks 000000000000…" in image_is_pinned(load_task(task)).detail
    (task / "environment" / "pin.txt").write_text("0" * 64)
    assert image_is_pinned(load_task(task)).passed


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda file: None, None),
        (lambda file: file.write_bytes(b"other"), "isn't the archive that task.toml names by its sha256"),
        (lambda file: file.unlink(), "environment/repository.tar is missing"),
    ],
)
def test_an_archive_is_the_one_that_task_toml_names(
    task: Path, change: Callable[[Path], object], sentence: str | None
) -> None:
    archive = task / "environment" / "repository.tar"
    archive.write_bytes(b"\xff" * 100)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    toml = task / "task.toml"
    text = toml.read_text()
    line = next(line for line in text.splitlines() if line.startswith("source = "))
    source = f'{{ repository = "box", commit = "{COMMIT}", archive = "repository.tar", sha256 = "{digest}" }}'
    toml.write_text(text.replace(line, f"source = {source}"))
    change(archive)
    verdict = image_is_pinned(load_task(task))
    assert verdict.passed if sentence is None else sentence in verdict.detail
