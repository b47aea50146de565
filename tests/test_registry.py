"""``registry.json`` names tasks once, by a path that is there."""

import json
from pathlib import Path

from swe_together.tasks import load_task

ROOT = Path(__file__).parent.parent


def test_registry_names_tasks_that_are_here() -> None:
    datasets = json.loads((ROOT / "registry.json").read_text())
    (dataset,) = [d for d in datasets if d["name"] == "swe-together"]
    assert dataset["version"] == "0.1"
    found = sorted(path.parent.name for path in (ROOT / "tasks").glob("*/task.toml"))
    names = [task["name"] for task in dataset["tasks"]]
    assert names == sorted(set(names)) and len(names) == 6
    assert set(names) <= set(found), "a version is frozen; a task that came later waits for the next one"
    assert [task["path"] for task in dataset["tasks"]] == [f"tasks/{name}" for name in names]


def test_every_task_loads_and_is_named_after_its_folder() -> None:
    tasks = [path.parent for path in (ROOT / "tasks").glob("*/task.toml")]
    assert len(tasks) >= 6
    for task in tasks:
        assert load_task(task).name == f"swe-together/{task.name}"
