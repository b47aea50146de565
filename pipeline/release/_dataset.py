"""The entry of ``registry.json`` that names the paper's tasks where they lie; nothing of them is here."""

from typing import Any, Final

from swe_together.released import paper_tasks

DATASET: Final = "swe-together-paper"
VERSION: Final = "1.0"
ADDRESS: Final = "https://github.com/Togetherbench/SWE-Together"
COMMIT: Final = "cae66ac"
"""The commit of 2026-06-27 that all facts of ``assets/paper-tasks.json`` are of, as far as it is known here: its first
seven digits. ``docs/paper.md`` says what that means for git, and what to do about it."""


def dataset_entry() -> dict[str, Any]:
    """The dataset as Harbor's registry code reads it."""
    return {
        "name": DATASET,
        "version": VERSION,
        "description": "The 109 tasks of the paper's own release, as they lie: no anchors; docs/paper.md.",
        "tasks": [
            {"name": name, "git_url": ADDRESS, "git_commit_id": COMMIT, "path": f"tasks/{name}"}
            for name in sorted(paper_tasks())
        ],
        "metrics": [{"type": "mean"}],
    }
