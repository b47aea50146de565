"""Removes what killed runs left in Docker: containers, networks, volumes and images.

What may go, all of it at once:

* Docker Compose says it belongs to a *Harbor trial*: the project's configuration files include one that Harbor ships,
  and its name is a trial's. Other people's Compose projects fail both.
* The trial's task is one of ours (its ``task.toml`` has ``[metadata.swe_together]``); with ``everything`` any will do.
* No running process has that trial open (see `live_trials`).
"""

import os
import re
import subprocess
import tomllib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import docker
from docker.errors import APIError, DockerException, NotFound

from swe_together.errors import TogetherError
from swe_together.live_trials import LiveTrials, live_trials

KINDS: Final = ("container", "network", "volume", "image")
"""In the order of removal: each may be in use by the ones before it."""

_PROJECT: Final = "com.docker.compose.project"
_FILES: Final = "com.docker.compose.project.config_files"
_FOLDER: Final = "com.docker.compose.project.working_dir"
_HARBOR_FILE: Final = re.compile(r"(^|,)[^,]*/harbor/environments/docker/docker-compose-[a-z-]+\.yaml(,|$)")
_TRIAL: Final = re.compile(
    r"^(?:check-(?P<checked>.+)-[0-9a-f]{6}|(?P<drafted>.+)-rubric-[0-9a-f]{6}"
    r"|(?P<run>.+)__[a-z0-9]{7}(?:-judge-[0-9a-f]{6})?)__(?:env|verifier)"
)
"""Names of projects: Harbor's trials are ``<task>__<7 characters>``; ours ``check-<task>-<state>-<6 digits>``,
``<task>-rubric-<6 digits>`` and, of a trial that is judged again, ``<trial>-judge-<6 digits>``."""


@dataclass(frozen=True)
class Thing:
    """One container, network, volume or image."""

    kind: str
    id: str
    name: str


@dataclass
class Project:
    """A Compose project and all that is left of it."""

    name: str
    things: list[Thing] = field(default_factory=list)
    files: str = ""
    folder: Path | None = None
    newest: int | None = None
    """When its newest container was made, in seconds since 1970."""


@dataclass
class Cleaned:
    """What was removed (or would be), and what was left where it is and why."""

    removed: list[Thing] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def count(self, kind: str) -> int:
        """How many of one kind were removed."""
        return sum(thing.kind == kind for thing in self.removed)


def clean(
    client: docker.DockerClient,
    *,
    everything: bool = False,
    dry_run: bool = False,
    trials: Collection[str] | None = None,
    look: Callable[[], LiveTrials] = live_trials,
    task_folders: Sequence[Path] = (Path("tasks"),),
) -> Cleaned:
    """Remove what dead trials left.

    Args:
        client: The Docker engine, on this machine.
        everything: Also what trials of other Harbor datasets left.
        dry_run: Only say what would go.
        trials: Names of the trials whose leavings may go; None is all.
        look: Tells which trials are running.
        task_folders: Where our tasks are; names a project of which no container is left.
    """
    # First the containers, then the processes: a trial opens its log before it starts a container, so one that begins
    # between the two looks has nothing in the list yet.
    projects = find_projects(client)
    live = look()
    known = {_slug(folder.name) for parent in task_folders for folder in parent.glob("*/") if _is_ours(folder)}
    cleaned = Cleaned()
    doomed: list[Thing] = []
    for project in projects:
        if trials is not None and not any(project.name.startswith(f"{_slug(name)}__") for name in trials):
            continue
        reason = why_kept(project, live, known, everything)
        if reason:
            cleaned.kept[project.name] = reason
        elif reason is None:
            doomed += project.things
    for thing in sorted(doomed, key=lambda thing: (KINDS.index(thing.kind), thing.name)):
        problem = None if dry_run else _remove(client, thing)
        if problem is None:
            cleaned.removed.append(thing)
        else:
            cleaned.failed[f"{thing.kind} {thing.name}"] = problem
    return cleaned


def connect() -> docker.DockerClient:
    """The engine that the ``docker`` command, and so Harbor, talks to."""
    try:
        client = docker.DockerClient(base_url=_endpoint(), timeout=120)
        client.ping()
    except DockerException as error:
        raise TogetherError(
            f"no Docker engine answers: {error}", "Start it; `swe-together doctor` says how."
        ) from error
    if not str(client.api.base_url).startswith("http+docker://local"):
        raise TogetherError(
            "the Docker engine is on another machine, whose running trials can't be seen from here.",
            "Run `swe-together clean` on that machine.",
        )
    return client


def find_projects(client: docker.DockerClient) -> list[Project]:
    """All Compose projects, by name."""
    projects: dict[str, Project] = {}

    def add(labels: dict[str, str], kind: str, id: str, name: str) -> Project:
        project = projects.setdefault(labels[_PROJECT], Project(labels[_PROJECT]))
        project.things.append(Thing(kind, id, name))
        return project

    # The plain lists of the engine's API: the client's objects ask again for each entry, which may be gone by then.
    only = {"label": _PROJECT}
    for container in client.api.containers(all=True, filters=only):
        project = add(container["Labels"], "container", container["Id"], container["Names"][0].removeprefix("/"))
        project.files = project.files or container["Labels"].get(_FILES, "")
        project.folder = project.folder or Path(container["Labels"].get(_FOLDER, "/"))
        project.newest = max(project.newest or 0, container["Created"])
    for network in client.api.networks(filters=only):
        add(network["Labels"], "network", network["Id"], network["Name"])
    for volume in client.api.volumes(filters=only)["Volumes"] or []:
        add(volume["Labels"], "volume", volume["Name"], volume["Name"])
    for image in client.api.images(filters=only):
        # A name that somebody else gave the image stays, and with it the image.
        for name in image["RepoTags"] or [image["Id"]]:
            if name.startswith((f"{image['Labels'][_PROJECT]}-", "sha256:")):
                add(image["Labels"], "image", name, name)
    return sorted(projects.values(), key=lambda project: project.name)


def why_kept(project: Project, live: LiveTrials, known: Iterable[str], everything: bool) -> str | None:
    """Why a project stays: ``None`` if it has to go, an empty string if it is no business of ours."""
    trial = _TRIAL.match(project.name)
    if not trial or (project.files and not _HARBOR_FILE.search(project.files)):
        return ""
    if any(project.name.startswith(f"{_slug(name)}__") for name in live.trials):
        return "its trial is running"
    if live.unseen_since and (project.newest is None or project.newest >= int(live.unseen_since.timestamp())):
        return "it may belong to a Harbor run of another user, which can't be looked into"
    if not everything and not _of_our_task(project, trial, known):
        return "its task is not known to be one of ours; --all removes it"
    return None


def _of_our_task(project: Project, trial: re.Match[str], known: Iterable[str]) -> bool:
    if project.folder:
        # Compose ran in the task's environment/ or tests/ folder, or one below it.
        return any(_is_ours(folder) for folder in [project.folder, *project.folder.parents][:3])
    # Harbor shortens a task's name to 32 characters in a trial's, we to 20 in ours.
    if trial["run"]:
        return any(trial["run"] == name[:32].rstrip("_-") for name in known)
    begins = f"{trial['checked'] or trial['drafted']}-"
    return any(begins.startswith(f"{name[:20]}-") for name in known)


def _is_ours(folder: Path) -> bool:
    try:
        task = tomllib.loads((folder / "task.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False
    metadata = task.get("metadata")
    return isinstance(metadata, dict) and "swe_together" in metadata


def _slug(name: str) -> str:
    """A trial's name as Harbor makes a Compose project's of it."""
    name = name.lower()
    name = name if re.match(r"[a-z0-9]", name) else f"0{name}"
    return re.sub(r"[^a-z0-9_-]", "-", name)


def _remove(client: docker.DockerClient, thing: Thing) -> str | None:
    try:
        match thing.kind:
            case "container":
                client.api.remove_container(thing.id, v=True, force=True)
            case "network":
                client.api.remove_network(thing.id)
            case "volume":
                client.api.remove_volume(thing.id)
            case _:
                client.api.remove_image(thing.id)
    except NotFound:
        return None  # Somebody else was faster; it is gone.
    except APIError as error:
        return str(error.explanation or error)
    return None


def _endpoint() -> str | None:
    if os.environ.get("DOCKER_HOST"):
        return os.environ["DOCKER_HOST"]
    command = ["docker", "context", "inspect", "--format", "{{.Endpoints.docker.Host}}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise TogetherError(f"the docker command doesn't work: {error}", "`swe-together doctor` says more.") from error
    return done.stdout.strip() or None
