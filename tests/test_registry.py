"""``registry.json`` names every task once, by a path that is there."""

import json
from pathlib import Path

from swe_together.tasks import load_task

ROOT = Path(__file__).parent.parent


def test_registry_lists_all_tasks() -> None:
    datasets = json.loads((ROOT / "registry.json").read_text())
    (dataset,) = [d for d in datasets if d["name"] == "swe-together"]
    assert dataset["version"] == "0.1"
    found = sorted(path.parent.name for path in (ROOT / "tasks").glob("*/task.toml"))
    assert [task["name"] for task in dataset["tasks"]] == found
    assert [task["path"] for task in dataset["tasks"]] == [f"tasks/{name}" for name in found]


def test_every_task_loads_and_is_named_after_its_folder() -> None:
    tasks = [path.parent for path in (ROOT / "tasks").glob("*/task.toml")]
    assert len(tasks) >= 6
    for task in tasks:
        assert load_task(task).name == f"swe-together/{task.name}"
