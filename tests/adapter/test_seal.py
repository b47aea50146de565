"""A job with sealed tasks in an environment that can't seal them: refused before it begins."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from harbor.models.trial.config import EnvironmentConfig

from swe_together.adapter.seal import require_seals
from swe_together.errors import MisuseError
from swe_together.pipeline.pack import seal
from tests.support import harbor as h
from tests.support.namespaces import ROOTFS
from tests.support.tasks import make_task

LOCAL = "tests.support.local_environment:LocalEnvironment"
NAMESPACES = "tests.support.namespaces:NamespaceEnvironment"


def trial(path: Path, environment: str = LOCAL) -> Any:
    config = EnvironmentConfig(import_path=environment)
    return SimpleNamespace(task=SimpleNamespace(get_local_path=lambda: path), environment=config)


def sealed(path: Path) -> Path:
    file = make_task(path) / "task.toml"
    file.write_text(seal(file.read_text(), file))
    return path


async def test_an_environment_that_can_not_seal_is_refused_once_a_task_wants_it(tmp_path: Path) -> None:
    plain = make_task(tmp_path / "open")
    await require_seals([trial(plain), trial(tmp_path / "not fetched yet")])
    with pytest.raises(MisuseError) as error:
        await require_seals([trial(plain), trial(sealed(tmp_path / "closed"))])
    assert str(error.value) == (
        "closed is sealed, and the environment local can't close the network of the agent's turns here. "
        "docs/environments.md says what it needs; or run the tasks that aren't sealed."
    )


async def test_one_that_can_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOTFS, "/")
    await require_seals([trial(sealed(tmp_path / "closed"), NAMESPACES)])


def test_harbors_command_line_says_one_sentence(tmp_path: Path) -> None:
    command = [str(h.HARBOR), "run", "-p", str(sealed(tmp_path / "closed")), "-e", LOCAL, "--jobs-dir", str(tmp_path)]
    command += ["--job-name", "job", "--yes", "-a", "tests.support.agents:NoteAgent", "--plugin", "swe-together"]
    done = subprocess.run(command, env=h.environment(), cwd=h.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("swe-together: closed is sealed, and")
    assert "Traceback" not in done.stdout
    assert not list((tmp_path / "job").glob("*/"))
