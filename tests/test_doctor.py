import json
from pathlib import Path

import pytest

from swe_together import doctor
from swe_together.cli import main

INFO = {"ServerVersion": "28.0.1", "DockerRootDir": "/var/lib/docker", "MemTotal": 16 * 10**9}
SOUND: dict[tuple[str, ...], tuple[bool, str]] = {
    ("docker", "info"): (True, json.dumps(INFO)),
    ("docker", "compose"): (True, "2.26.1-4"),
    ("docker", "buildx"): (True, "github.com/docker/buildx 0.13.1+ds1 0.13.1+ds1-3"),
    ("docker", "image"): (True, "[]"),
    ("docker", "version"): (True, "28.0.1"),
}


class FakeMachine(doctor.Machine):
    """A sound machine; a test breaks one thing of it."""

    def __init__(self) -> None:
        self.answers = dict(SOUND)
        self.harbor: str | None = "0.26.0"
        self.names = ["other", "swe-together"]
        self.version = (3, 12, 1)
        self.processor = "x86_64"
        self.free: int | None = 50 * 10**9
        self.hub = False

    def call(self, *command: str) -> tuple[bool, str]:
        return self.answers[command[:2]]

    def python(self) -> tuple[int, ...]:
        return self.version

    def package(self, name: str) -> str | None:
        assert name == "harbor"
        return self.harbor

    def plugins(self) -> list[str]:
        return self.names

    def machine(self) -> str:
        return self.processor

    def free_bytes(self, path: str) -> int | None:
        assert path == "/var/lib/docker"
        return self.free

    def hub_answers(self) -> bool:
        return self.hub


def missing(machine: doctor.Machine) -> dict[str, doctor.Finding]:
    findings = doctor.examine(machine)
    for finding in findings:
        assert bool(finding.remedy) is not finding.ok, f"{finding.name}: a remedy exactly where something is missing"
    return {finding.name: finding for finding in findings if not finding.ok}


def test_sound_machine_lacks_nothing() -> None:
    assert missing(FakeMachine()) == {}


@pytest.mark.parametrize("version", ["0.22.9", "0.27.0", "1.0", None])
def test_harbor_outside_the_supported_versions(version: str | None) -> None:
    machine = FakeMachine()
    machine.harbor = version
    found = missing(machine)
    assert list(found) == ["Harbor"]
    assert found["Harbor"].remedy == "pip install 'harbor>=0.23,<0.27'"


@pytest.mark.parametrize("version", ["0.23", "0.23.0", "0.26.5"])
def test_supported_harbor(version: str) -> None:
    machine = FakeMachine()
    machine.harbor = version
    assert missing(machine) == {}


def test_old_python_and_foreign_processor() -> None:
    machine = FakeMachine()
    machine.version, machine.processor = (3, 11, 9), "riscv64"
    assert list(missing(machine)) == ["Python", "Platform"]


def test_plugin_not_registered() -> None:
    machine = FakeMachine()
    machine.names = ["swe-together-other"]
    assert list(missing(machine)) == ["Harbor plugin"]


@pytest.mark.parametrize(
    ("info", "version"),
    [
        ((False, "no program docker"), (False, "no program docker")),
        # A newer client: exit 0, and the engine's absence inside the answer.
        ((True, '{"ServerErrors": ["Cannot connect"]}'), (False, "Cannot connect to the Docker daemon")),
        ((True, "not json"), (False, "Cannot connect to the Docker daemon")),
    ],
)
def test_no_engine(info: tuple[bool, str], version: tuple[bool, str]) -> None:
    machine = FakeMachine()
    machine.answers[("docker", "info")], machine.answers[("docker", "version")] = info, version
    found = missing(machine)
    assert list(found) == ["Docker engine", "Base image", "Disk", "Memory"]
    assert found["Docker engine"].found == version[1]


def test_engine_of_a_group_we_are_not_in() -> None:
    machine = FakeMachine()
    machine.answers[("docker", "info")] = (False, "permission denied while trying to connect")
    machine.answers[("docker", "version")] = (False, "permission denied while trying to connect")
    assert "usermod -aG docker" in missing(machine)["Docker engine"].remedy


@pytest.mark.parametrize("answer", [(False, "docker: 'compose' is not a docker command."), (True, "1.29.2")])
def test_compose_missing_or_first_version(answer: tuple[bool, str]) -> None:
    machine = FakeMachine()
    machine.answers[("docker", "compose")] = answer
    assert list(missing(machine)) == ["Docker Compose"]


def test_buildx_missing() -> None:
    machine = FakeMachine()
    machine.answers[("docker", "buildx")] = (False, "docker: 'buildx' is not a docker command.")
    assert list(missing(machine)) == ["Docker buildx"]


def test_base_image_is_not_needed_where_the_hub_answers() -> None:
    machine = FakeMachine()
    machine.answers[("docker", "image")] = (False, "No such image")
    assert list(missing(machine)) == ["Base image"]
    machine.hub = True
    assert missing(machine) == {}


def test_little_disk_and_memory() -> None:
    machine = FakeMachine()
    machine.free = 9 * 10**9
    machine.answers[("docker", "info")] = (True, json.dumps(INFO | {"MemTotal": 3 * 10**9}))
    assert list(missing(machine)) == ["Disk", "Memory"]


def test_disk_inside_dockers_own_machine_is_not_ours_to_judge() -> None:
    machine = FakeMachine()
    machine.free = None
    assert missing(machine) == {}


def test_command_without_docker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(doctor.Machine, "hub_answers", lambda self: False)
    assert main(["doctor"]) == 1
    shown = capsys.readouterr()
    assert "no program docker" in shown.out
    assert "make setup" in shown.out
    assert "Traceback" not in shown.out + shown.err
    assert main(["doctor", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] is False
    states = {finding["name"]: finding["ok"] for finding in answer["findings"]}
    assert states["Python"] is states["Harbor"] is states["Harbor plugin"] is True
    assert states["Docker engine"] is False


@pytest.mark.docker
def test_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0, capsys.readouterr().out
