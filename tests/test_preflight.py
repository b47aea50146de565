"""What keeps a run from beginning on this machine: no room, or an engine of another processor."""

import json
from pathlib import Path

import pytest

from swe_together.errors import MisuseError, TogetherError
from swe_together.preflight import ROOM_VARIABLE, require_machine
from tests.support.tasks import make_task
from tests.test_doctor import INFO, FakeMachine


def machine(free: int | None = 50 * 10**9, **info: object) -> FakeMachine:
    made = FakeMachine()
    made.free = free
    made.answers["docker", "info"] = True, json.dumps({**INFO, **info})
    return made


def for_amd64(folder: Path) -> Path:
    task = make_task(folder)
    text = (task / "task.toml").read_text()
    (task / "task.toml").write_text(
        text.replace("[metadata.swe_together]\n", '[metadata.swe_together]\nprocessors = ["amd64"]\n')
    )
    return task


def test_too_little_room_is_one_sentence_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    require_machine([], machine=machine(3_000_000_000))
    with pytest.raises(TogetherError) as error:
        require_machine([], machine=machine(2_940_000_000))
    assert str(error.value) == (
        "/var/lib/docker has 2.9 GB free, and containers need 3 GB. "
        f"Make room: `swe-together clean`, then `docker system prune`; or set {ROOM_VARIABLE}."
    )
    monkeypatch.setenv(ROOM_VARIABLE, "0")
    require_machine([], machine=machine(0))
    monkeypatch.setenv(ROOM_VARIABLE, "60.5")
    with pytest.raises(TogetherError, match=r"need 60\.5 GB"):
        require_machine([], machine=machine())


@pytest.mark.parametrize("told", ["much", "-1", "nan", "inf"])
def test_room_that_is_no_number_is_misuse(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOM_VARIABLE, told)
    with pytest.raises(MisuseError, match="no number of gigabytes"):
        require_machine([], machine=machine())


def test_what_can_not_be_seen_from_here_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    require_machine([], machine=machine(None))
    require_machine([], kind="daytona", machine=machine(0))
    none = machine(0)
    none.answers["docker", "info"] = False, ""
    require_machine([], machine=none)
    monkeypatch.setenv("DOCKER_HOST", "ssh://elsewhere")
    require_machine([], machine=machine(0))


def test_a_task_for_another_processor_is_refused_by_name(tmp_path: Path) -> None:
    task, plain = for_amd64(tmp_path / "old-binaries"), make_task(tmp_path / "plain")
    require_machine([plain, task, tmp_path / "not fetched yet"], machine=machine(Architecture="x86_64"))
    require_machine([plain], machine=machine(Architecture="aarch64"))
    with pytest.raises(MisuseError) as error:
        require_machine([plain, task], machine=machine(Architecture="aarch64"))
    assert str(error.value) == (
        "task old-binaries runs on amd64, and the engine here is arm64. "
        "Leave the task out, or use a machine of that kind."
    )
    with pytest.raises(MisuseError, match="amd64 and arm64, and the engine here is riscv64"):
        require_machine([plain], machine=machine(Architecture="riscv64"))
