import contextlib
import json
import secrets
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import docker
import pytest
from docker.errors import APIError, NotFound

from swe_together.clean import Cleaned, clean, connect
from swe_together.cli import main
from swe_together.errors import TogetherError
from swe_together.live_trials import LiveTrials

HARBOR_FILES = "/tmp/x/res.json,/opt/lib/harbor/environments/docker/docker-compose-build.yaml,/tmp/y/mounts.json"
NOBODY = LiveTrials(frozenset())


class FakeEngine:
    """The engine's plain lists, and what was removed from them."""

    def __init__(self) -> None:
        self.lists: dict[str, list[dict[str, Any]]] = {"containers": [], "networks": [], "volumes": [], "images": []}
        self.removed: list[str] = []
        self.refuse: dict[str, Exception] = {}
        self.api = self

    def leave(self, project: str, folder: Path | None, files: str = HARBOR_FILES, created: int = 1000) -> None:
        """Put a whole project there; without a folder, all but its container."""
        labels = {"com.docker.compose.project": project}
        if folder:
            more = {
                "com.docker.compose.project.config_files": files,
                "com.docker.compose.project.working_dir": str(folder),
            }
            self.lists["containers"].append(
                {"Id": f"c-{project}", "Names": [f"/{project}-main-1"], "Labels": labels | more, "Created": created}
            )
        self.lists["networks"].append({"Id": f"n-{project}", "Name": f"{project}_default", "Labels": labels})
        self.lists["volumes"].append({"Name": f"{project}_data", "Labels": labels})
        self.lists["images"].append(
            {"Id": f"sha256:{project}", "RepoTags": [f"{project}-main:latest", "kept-by-a-user:1"], "Labels": labels}
        )

    def containers(self, all: bool, filters: dict[str, str]) -> list[dict[str, Any]]:
        assert all
        assert filters == {"label": "com.docker.compose.project"}
        return self.lists["containers"]

    def networks(self, filters: dict[str, str]) -> list[dict[str, Any]]:
        return self.lists["networks"]

    def volumes(self, filters: dict[str, str]) -> dict[str, Any]:
        return {"Volumes": self.lists["volumes"] or None}

    def images(self, filters: dict[str, str]) -> list[dict[str, Any]]:
        return self.lists["images"]

    def _remove(self, name: str) -> None:
        if name in self.refuse:
            raise self.refuse[name]
        self.removed.append(name)

    def remove_container(self, name: str, v: bool, force: bool) -> None:
        assert v
        assert force
        self._remove(name)

    def remove_network(self, name: str) -> None:
        self._remove(name)

    def remove_volume(self, name: str) -> None:
        self._remove(name)

    def remove_image(self, name: str) -> None:
        self._remove(name)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """A folder with one task of ours and one of somebody else's."""
    for name, metadata in (("ours", "[metadata.swe_together]\nformat = 1\n"), ("theirs", "[metadata]\nkind = 'x'\n")):
        (tmp_path / name / "environment").mkdir(parents=True)
        (tmp_path / name / "task.toml").write_text(metadata)
    return tmp_path


def run(engine: FakeEngine, tasks: Path, live: LiveTrials = NOBODY, **options: Any) -> Cleaned:
    client = cast(docker.DockerClient, engine)
    return clean(client, look=lambda: live, task_folders=[tasks], **options)


def everything_of(project: str) -> list[str]:
    return [f"c-{project}", f"n-{project}", f"{project}_data", f"{project}-main:latest"]


def test_removes_all_of_a_dead_trial_in_order(tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave("ours__abc1234__env", tasks / "ours" / "environment")
    cleaned = run(engine, tasks)
    assert engine.removed == everything_of("ours__abc1234__env"), "containers first, a user's own image name never"
    assert [cleaned.count(kind) for kind in ("container", "network", "volume", "image")] == [1, 1, 1, 1]
    assert (cleaned.kept, cleaned.failed) == ({}, {})


def test_only_the_trials_that_were_named(tasks: Path) -> None:
    engine = FakeEngine()
    for name in ("ours__abc1234", "ours__xyz1234"):
        engine.leave(f"{name}__env", tasks / "ours" / "environment")
    run(engine, tasks, trials=[])
    assert engine.removed == []
    cleaned = run(engine, tasks, trials=["Ours__aBc1234"])
    assert engine.removed == everything_of("ours__abc1234__env")
    assert cleaned.kept == {}
    live = run(engine, tasks, LiveTrials(frozenset({"ours__xyz1234"})), trials=["ours__xyz1234"])
    assert list(live.kept.values()) == ["its trial is running"]


@pytest.mark.parametrize("suffix", ["env", "env-desk", "verifier__trial"])
def test_every_environment_of_a_trial(suffix: str, tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave(f"ours__abc1234__{suffix}", tasks / "ours" / "tests")
    run(engine, tasks)
    assert len(engine.removed) == 4


def test_dry_run_removes_nothing(tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave("ours__abc1234__env", tasks / "ours" / "environment")
    cleaned = run(engine, tasks, dry_run=True)
    assert engine.removed == []
    assert len(cleaned.removed) == 4


@pytest.mark.parametrize(
    ("project", "files"),
    [
        ("shop", "/srv/shop/docker-compose.yaml"),
        ("ours__abc1234__env", "/srv/shop/docker-compose.yaml"),
        ("ours__abc1234__env", "/srv/harbor/docker-compose.yaml,/srv/harbor/environments/docker/other.yaml"),
        ("shop", HARBOR_FILES),
    ],
)
def test_other_peoples_projects_stay_even_with_all(project: str, files: str, tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave(project, tasks / "ours" / "environment", files)
    cleaned = run(engine, tasks, everything=True)
    assert engine.removed == []
    assert cleaned.kept == {}, "not even mentioned"


def test_other_harbor_datasets_only_with_all(tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave("theirs__abc1234__env", tasks / "theirs" / "environment")
    assert "--all" in run(engine, tasks).kept["theirs__abc1234__env"]
    assert engine.removed == []
    run(engine, tasks, everything=True)
    assert len(engine.removed) == 4


@pytest.mark.parametrize("name", ["Ours__aBc1234", "ours__abc1234"])
def test_running_trial_stays_even_with_all(name: str, tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave("ours__abc1234__env", tasks / "ours" / "environment")
    engine.leave("ours__abc1234__verifier__trial", tasks / "ours" / "environment")
    engine.leave("ours__xyz1234__env", tasks / "ours" / "environment")
    cleaned = run(engine, tasks, LiveTrials(frozenset({name})), everything=True)
    assert sorted(engine.removed) == sorted(everything_of("ours__xyz1234__env"))
    assert set(cleaned.kept.values()) == {"its trial is running"}


def test_a_trial_that_starts_between_the_two_looks_is_not_in_the_list(tasks: Path) -> None:
    engine = FakeEngine()

    def look() -> LiveTrials:
        engine.leave("ours__abc1234__env", tasks / "ours" / "environment")
        return NOBODY

    clean(cast(docker.DockerClient, engine), look=look, task_folders=[tasks])
    assert engine.removed == []


def test_what_a_hidden_harbor_process_may_own_stays(tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave("ours__old1234__env", tasks / "ours" / "environment", created=999)
    engine.leave("ours__new1234__env", tasks / "ours" / "environment", created=1000)
    engine.leave("ours__non1234__env", None)
    cleaned = run(engine, tasks, LiveTrials(frozenset(), datetime.fromtimestamp(1000.4, UTC)))
    assert sorted(engine.removed) == sorted(everything_of("ours__old1234__env"))
    assert set(cleaned.kept) == {"ours__new1234__env", "ours__non1234__env"}


@pytest.mark.parametrize(
    "project",
    [
        "ours__abc1234__env",
        "check-ours-reference-1-aab461__verifier__trial",
        "ours-rubric-aab461__env",
        "ours__abc1234-judge-aab461__env",
    ],
)
def test_leftovers_without_a_container_are_known_by_the_tasks_name(project: str, tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave(project, None)
    run(engine, tasks)
    assert len(engine.removed) == 3


@pytest.mark.parametrize(
    "project",
    ["theirs__abc1234__env", "ours-too__abc1234__env", "check-oursx-a-aab461__env", "oursx-rubric-aab461__env"],
)
def test_leftovers_of_an_unknown_task_stay(project: str, tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave(project, None)
    assert list(run(engine, tasks).kept) == [project]
    assert engine.removed == []


def test_gone_meanwhile_is_removed_and_a_refusal_is_named(tasks: Path) -> None:
    engine = FakeEngine()
    engine.leave("ours__abc1234__env", tasks / "ours" / "environment")
    engine.refuse = {
        "c-ours__abc1234__env": NotFound("no such container"),
        "n-ours__abc1234__env": APIError("500", explanation="network has active endpoints"),
    }
    cleaned = run(engine, tasks)
    assert cleaned.failed == {"network ours__abc1234__env_default": "network has active endpoints"}
    assert cleaned.count("container") == 1


# --- the real engine ------------------------------------------------------------------------------


def compose(project: str, folder: Path, file: Path, *command: str) -> None:
    line = ["docker", "compose", "--project-name", project, "--project-directory", str(folder), "-f", str(file)]
    subprocess.run([*line, *command], check=True, capture_output=True, timeout=180)


def left_of(project: str) -> list[str]:
    names = []
    for kind in ("container", "network", "volume", "image"):
        line = ["docker", kind, "ls", "-q", "--filter", f"label=com.docker.compose.project={project}"]
        done = subprocess.run(
            [*line, *(["--all"] if kind == "container" else [])], check=True, capture_output=True, text=True
        )
        names += [kind] * len(done.stdout.split())
    return names


@pytest.fixture
def projects(tasks: Path) -> Iterator[tuple[str, str]]:
    """A trial's project as Harbor starts it, and somebody else's, both real."""
    folder = tasks / "ours" / "environment"
    (folder / "Dockerfile").write_text("FROM debian:trixie-slim\nSTOPSIGNAL SIGKILL\n")
    (folder / "docker-compose.yaml").write_text(
        json.dumps(
            {
                "services": {
                    "main": {"build": ".", "command": ["sleep", "600"], "volumes": ["data:/data"], "init": False}
                },
                "volumes": {"data": {}},
            }
        )
    )
    shipped = tasks / "lib" / "harbor" / "environments" / "docker" / "docker-compose-build.yaml"
    shipped.parent.mkdir(parents=True)
    shipped.write_text((folder / "docker-compose.yaml").read_text())
    trial = f"ours__{secrets.token_hex(4)[:7]}__env"
    other = f"swt-other-{secrets.token_hex(4)}"
    started = [(trial, shipped), (other, folder / "docker-compose.yaml")]
    try:
        for project, file in started:
            compose(project, folder, file, "up", "--detach", "--build")
        yield trial, other
    finally:
        for project, file in started:
            with contextlib.suppress(subprocess.CalledProcessError):
                compose(project, folder, file, "down", "--volumes", "--rmi", "all", "--timeout", "0")


@pytest.mark.docker
def test_real_leftovers_go_when_their_process_is_dead(
    projects: tuple[str, str], tasks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trial, other = projects
    whole = ["container", "network", "volume", "image"]
    folder = tasks / "jobs" / trial.removesuffix("__env")
    folder.mkdir(parents=True)
    script = f"f = open({str(folder / 'trial.log')!r}, 'w'); print('open', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as harbor:
        assert harbor.stdout is not None
        assert harbor.stdout.readline() == "open\n"
        assert main(["clean"]) == 0
        assert f"kept {trial}: its trial is running" in capsys.readouterr().out
        assert left_of(trial) == whole
        harbor.kill()
    assert main(["clean", "--dry-run"]) == 0
    assert f"would remove container {trial}-main-1" in capsys.readouterr().out
    assert left_of(trial) == whole
    assert main(["clean"]) == 0
    assert f"removed container {trial}-main-1" in capsys.readouterr().out
    assert left_of(trial) == []
    assert left_of(other) == whole


@pytest.mark.docker
def test_connects_to_the_engine_of_the_docker_command() -> None:
    assert connect().ping()


def test_no_engine_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
    assert main(["clean"]) == 1
    assert "no Docker engine answers" in capsys.readouterr().err


def test_engine_of_another_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    remote = SimpleNamespace(ping=lambda: True, api=SimpleNamespace(base_url="http://10.0.0.1:2375"))
    monkeypatch.setenv("DOCKER_HOST", "tcp://10.0.0.1:2375")
    monkeypatch.setattr(docker, "DockerClient", lambda **_: remote)
    with pytest.raises(TogetherError, match="on another machine"):
        connect()
