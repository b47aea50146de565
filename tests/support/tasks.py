"""A small sound task directory, made by tests that break one thing in it."""

import json
from pathlib import Path

TASK_TOML = """\
schema_version = "1.4"
artifacts = [{{ source = "/var/lib/swe-together" }}]

[task]
name = "swe-together/{name}"
description = "A task made for a test."

[metadata.swe_together]
format = 1
language = "python"
category = "bugfix"
difficulty = "easy"
provenance = "authored"
license = "MIT"
source = {{ registry = "pypi", package = "made-up", version = "1.0", sha256 = "{zeros}" }}

[agent]
timeout_sec = 600
user = "agent"

[verifier]
timeout_sec = 300
environment_mode = "separate"

[environment]
workdir = "/workspace"
"""

SIMULATOR = """\
---
persona:
  description: a developer in a hurry
  on_question: your call
anchors:
  - id: more
    source_turn: 1
    action: new_requirement
    tags: [request]
    intents: [wants-more]
    message: also the other one
    satisfied: {path_exists: other.txt}
    insist: {message: the other one is still missing}
    required: true
  - id: broke
    source_turn: 2
    action: redirect
    tags: [correction]
    after: [more]
    condition: {path_changed: "*.py"}
    message: not the code please
---
The user wants two files and no code.
"""

RUBRIC = {
    "format": 1,
    "provenance": {"author": "a test", "sources": ["its own mind"], "frozen": "2026-01-01"},
    "goals": [
        {"id": "first", "text": "one", "weight": 0.6, "tier": "core", "evidence": "state"},
        {"id": "second", "text": "two", "weight": 0.4, "tier": "secondary", "evidence": "tests"},
        {"id": "old", "text": "old things work", "tier": "core", "evidence": "tests", "gate": True},
    ],
}

INTENTS = {"format": 1, "intents": [{"id": "wants-more", "source_turn": 1, "kind": "request", "text": "another file"}]}

SESSION = {
    "format": 1,
    "provenance": "authored",
    "origin": "Made for a test.",
    "messages": [{"turn": 0, "text": "make a file"}, {"turn": 1, "text": "also the other one"}],
}


def make_task(path: Path) -> Path:
    """Write a sound task to ``path`` and return it."""
    texts = {
        "task.toml": TASK_TOML.format(name=path.name, zeros="0" * 64),
        "instruction.md": "make a file\n",
        "spec.md": "make both files, no code\n",
        "simulator.md": SIMULATOR,
        "rubric.json": json.dumps(RUBRIC),
        "intents.json": json.dumps(INTENTS),
        "session.json": json.dumps(SESSION),
        "environment/Dockerfile": "FROM debian:trixie-slim\n",
        "tests/test.sh": "#!/bin/bash\n",
        "solution/solve.sh": "#!/bin/bash\n",
        "solution/turn-0.md": "done\n",
        "solution/turn-1.md": "done too\n",
        "solution/turn-2.md": "taken back\n",
    }
    for name, text in texts.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return path
