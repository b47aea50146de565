"""What a session records of its task, so that results stand on their own."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.schema import SessionRecord
from swe_together.task_facts import TaskFacts, dataset_of, read_task_facts
from swe_together.tasks import load_task
from tests.support.jobs import Spec, session
from tests.support.tasks import make_task

ROOT = Path(__file__).parent.parent


def test_facts_of_a_real_task() -> None:
    bundle = load_task(ROOT / "tasks" / "icalendar-busy-times")
    facts = TaskFacts.of(bundle.metadata, bundle.config)
    assert facts == TaskFacts("pypi:icalendar", "python", "feature", sealed=False)
    assert read_task_facts(bundle.path, bundle.name) == facts
    assert read_task_facts(bundle.path, "icalendar-busy-times") == facts
    assert read_task_facts(bundle.path, "swe-together/another") is None


@pytest.mark.parametrize(
    ("table", "sealed"),
    [
        ("", False),
        ('[agent]\nnetwork_mode = "allowlist"', True),
        ('[agent]\nnetwork_mode = "no-network"', True),
        ('[environment]\nnetwork_mode = "no-network"', True),
        ('[environment]\nnetwork_mode = "no-network"\n[agent]\nnetwork_mode = "public"', False),
    ],
)
def test_sealed_is_whatever_harbor_closes(tmp_path: Path, table: str, sealed: bool) -> None:
    task = make_task(tmp_path / "one")
    config = load_task(task).config
    extra: dict[str, Any] = {}
    for line in table.splitlines():
        if line.startswith("["):
            extra[line.strip("[]")] = inside = dict[str, str]()
        else:
            name, _, value = line.partition(" = ")
            inside[name] = json.loads(value)
    assert TaskFacts.of(load_task(task).metadata, {**config, **extra}).sealed is sealed


def test_a_code_base_in_git_is_named_by_its_address(tmp_path: Path) -> None:
    task = make_task(tmp_path / "one")
    file = task / "task.toml"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("source")]
    place = lines.index('license = "MIT"') + 1
    lines.insert(place, f'source = {{ git = "https://host.org/people/tool.git", commit = "{"0" * 40}" }}')
    file.write_text("\n".join(lines))
    facts = read_task_facts(task, "one")
    assert facts is not None
    assert facts.repository == "host.org/people/tool"


@pytest.mark.parametrize(
    "text", ["", "[task", "task = 3", '[task]\nname = "x/one"', "[task]\nname = 5", "a" * 3_000_000]
)
def test_a_folder_that_holds_no_sound_task_has_no_facts(tmp_path: Path, text: str) -> None:
    (tmp_path / "task.toml").write_text(text)
    assert read_task_facts(tmp_path, "one") is None
    assert read_task_facts(tmp_path / "nowhere", "one") is None


def test_the_dataset_and_its_version(tmp_path: Path) -> None:
    trial = {"task": {"source": "swe-together"}}
    registry = tmp_path / "registry.json"
    registry.write_text(json.dumps([{"name": "swe-together", "version": "0.1"}, {"name": "other", "version": "2"}]))
    named = {"name": "swe-together", "registry_path": str(registry)}
    known = {"dataset": "swe-together", "dataset_version": "0.1"}
    unknown = {"dataset": "swe-together", "dataset_version": None}
    assert dataset_of(trial, {"datasets": [{**named, "version": "0.1"}]}, registry=False) == known
    assert dataset_of(trial, {"datasets": [{**named, "ref": "0.1"}]}, registry=False) == known
    assert dataset_of(trial, {"datasets": [named]}, registry=True) == known
    assert dataset_of(trial, {"datasets": [named]}, registry=False) == unknown, "the file may have changed since"
    assert dataset_of(trial, {"datasets": [{**named, "registry_path": "nowhere"}]}, registry=True) == unknown
    assert dataset_of(trial, None, registry=True) == unknown
    registry.write_text(json.dumps([{"name": "swe-together", "version": v} for v in ("0.1", "0.2")]))
    assert dataset_of(trial, {"datasets": [named]}, registry=True) == unknown, "which of them isn't said"


@pytest.mark.parametrize("trial", [{}, {"task": None}, {"task": "x"}, {"task": {"source": 3}}])
def test_a_task_on_its_own_is_of_no_dataset(trial: dict[str, Any]) -> None:
    job = {"datasets": [None, 3, {"name": 3}]}
    assert dataset_of(trial, job, registry=True) == {"dataset": None, "dataset_version": None}
    assert dataset_of({"task": {"source": "x"}}, {"datasets": "x"}, registry=True)["dataset_version"] is None


def test_records_of_before_can_still_be_read() -> None:
    record = session(Spec()).model_dump(mode="json")
    for name in ("dataset", "repository", "language", "category", "sealed", "version"):
        del record[name]
    old = SessionRecord.model_validate(record)
    assert (old.repository, old.sealed, old.version) == (None, None, None)
