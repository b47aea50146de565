"""What a session's record says of task and dataset from its very beginning."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from swe_together import __version__
from swe_together.adapter.recorder import UNFINISHED
from swe_together.adapter.settings import Settings
from swe_together.adapter.trial import _Trial
from swe_together.tasks import load_task

ROOT = Path(__file__).parents[2]


def test_the_record_names_code_base_language_dataset_and_version(tmp_path: Path) -> None:
    job, trial = tmp_path, tmp_path / "qs__abc"
    dataset = {"name": "swe-together", "version": None, "registry_path": str(ROOT / "registry.json")}
    trial.mkdir()
    (job / "config.json").write_text(json.dumps({"job_name": "x", "datasets": [dataset]}))
    (trial / "config.json").write_text(json.dumps({"trial_name": "qs__abc", "task": {"source": "swe-together"}}))
    agent = SimpleNamespace(
        logs_dir=trial / "agent", name=lambda: "codex", version=lambda: "1.0", model_name="openai/gpt-5.2"
    )
    bundle = load_task(ROOT / "tasks" / "qs-dropped-params")
    held = _Trial(cast(Any, agent), bundle, cast(Any, None), cast(Any, SimpleNamespace(metadata={})), Settings())
    record = held._recorder.finish(UNFINISHED)
    (entry,) = (one for one in json.loads((ROOT / "registry.json").read_text()) if one["name"] == "swe-together")
    told = (record.repository, record.language, record.category, record.sealed, record.version)
    assert told == ("npm:qs", "javascript", "feature", False, __version__)
    assert (record.dataset, record.dataset_version) == ("swe-together", entry["version"])
    assert (record.task_digest, record.agent, record.model) == (bundle.digest, "codex", "openai/gpt-5.2")
    assert record.turn_limit_sec == bundle.script.budget.turn_sec
    assert record.session_limit_sec is not None and record.session_limit_sec <= bundle.script.budget.session_sec
