"""The paper's tasks: all resolve through Harbor's own registry code, against a git repository of that shape."""

import asyncio
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harbor.models.task.task import Task
from harbor.registry.client.json import JsonRegistryClient
from harbor.tasks.client import TaskClient

from swe_together.pipeline.release import ADDRESS, COMMIT, DATASET, VERSION, dataset_entry
from swe_together.released import paper_tasks
from swe_together.tasks import is_released_task, load_task
from tests.support.harbor import ROOT
from tests.support.released import make_released

REGISTRY = ROOT / "registry.json"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"]
    done = subprocess.run(["git", "-C", str(folder), *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def redirect(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git goes to the folder for the release's address, and nowhere else."""
    file = folder / "gitconfig"
    closed = '[protocol]\n\tallow = never\n[protocol "file"]\n\tallow = always\n'
    file.write_text(f'[url "file://{folder}"]\n\tinsteadOf = {ADDRESS}\n{closed}')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(file))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A repository with a small task directory for each name, and its commit."""
    folder = tmp_path_factory.mktemp("release")
    for name in paper_tasks():
        make_released(folder / "tasks" / name)
    (folder / "tasks" / "README.md").write_text("110 entries\n")
    # The commit's own id begins with these digits in the real one; here a branch of that name stands in.
    git(folder, "init", "-q", "-b", COMMIT)
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Release")
    return folder, git(folder, "rev-parse", "HEAD")


def resolve(registry: Path, output: Path) -> list[tuple[str, Path, str | None]]:
    """Name, directory and commit of every task of the dataset, as Harbor downloads them."""

    async def main() -> list[tuple[str, Path, str | None]]:
        client = JsonRegistryClient(path=registry)
        found = await client.get_dataset_metadata(f"{DATASET}@{VERSION}")
        batch = await TaskClient().download_tasks(found.task_ids, output_dir=output)
        names = [task.get_name() for task in found.task_ids]
        return [
            (name, result.path, result.resolved_git_commit_id)
            for name, result in zip(names, batch.results, strict=True)
        ]

    return asyncio.run(main())


@pytest.mark.parametrize("pin", ["as it stands", "by its full id"])
def test_all_109_resolve(pin: str, release: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, commit = release
    redirect(folder, monkeypatch)
    registry = REGISTRY
    if pin == "by its full id":
        registry = tmp_path / "registry.json"
        registry.write_text(REGISTRY.read_text().replace(f'"{COMMIT}"', f'"{commit}"'))
    found = resolve(registry, tmp_path / "tasks")
    assert sorted(name for name, _, _ in found) == sorted(paper_tasks())
    assert {resolved for _, _, resolved in found} == {commit}
    for name, path, _ in found:
        assert is_released_task(path) and Task(path).name == name
        task = load_task(path)
        facts = paper_tasks()[name]
        assert (task.name, task.metadata.language) == (f"{DATASET}/{name}", facts.language)
        assert task.metadata.source.model_dump() == {
            "git": f"https://github.com/{facts.repository}",
            "commit": facts.commit,
        }


def test_the_registry_holds_the_entry_and_no_copy_of_a_task() -> None:
    (entry,) = [one for one in json.loads(REGISTRY.read_text()) if one["name"] == DATASET]
    assert entry == dataset_entry()
    assert len(entry["tasks"]) == len({task["path"] for task in entry["tasks"]}) == 109
    assert not list(ROOT.glob("tasks/*/user_simulation_prompt.md"))


def test_the_docs_say_what_is_pinned_and_how_many_lack_what() -> None:
    text = " ".join((ROOT / "docs" / "paper.md").read_text(encoding="utf-8").split())
    assert f"`{COMMIT}`" in text and "full id isn't known" in text
    facts: list[Any] = list(paper_tasks().values())
    counts = {
        "nobody outside can build them": sum(task.private_image for task in facts),
        "everything runs as root": sum(task.agent_is_root for task in facts),
        "no reference patch": sum(not task.has_reference for task in facts),
        "licence isn't known here": sum(task.license is None for task in facts),
        "is cut in the middle": sum(task.prompt_chars > 16_000 for task in facts),
    }
    assert counts["nobody outside can build them"] == 26
    for sentence, number in counts.items():
        assert re.search(rf"{re.escape(sentence)}[^|]* \| {number} \|", text), sentence
