"""A small task in the layout of the paper's release. Its texts are made up here; nothing of the release is in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

INSTRUCTION = "the greeting says hello to nobody. greet.sh should say hello to whoever is named\n"
FOLLOW_UP = "now in capitals too when i pass --loud"
ANALYSIS = f"""\
# User simulation

## User Turns

### Turn 1
**Said**: "{INSTRUCTION.strip()}"

### Turn 2
**When**: the script greets a name.
**Said**: "{FOLLOW_UP}"
"""
DOCKERFILE = """\
FROM debian:trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends bash git procps python3 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 1000 agent
WORKDIR /work
COPY greet.sh repo/greet.sh
WORKDIR repo
RUN git init -q -b main && git add -A && git -c user.name=m -c user.email=m@localhost commit -q -m Import
"""
TOML = """\
version = "1.0"

[metadata]
author_name = "Somebody"
difficulty = "easy"
category = "feature-implementation"
tags = ["cli", "shell"]

[verifier]
timeout_sec = 120.0

[agent]
timeout_sec = 1800.0

[environment]
build_timeout_sec = 600.0
allow_internet = true
cpus = 1
memory = "1G"
storage = "2G"
"""
TEST = """\
#!/bin/bash
cd /work/repo
[ "$(bash greet.sh Ann)" = "hello Ann" ] && [ "$(bash greet.sh --loud Ann)" = "HELLO ANN" ] && reward=1 || reward=0
echo "$reward" > /logs/verifier/reward.txt
"""
PATCH = """\
--- a/greet.sh
+++ b/greet.sh
@@ -1,2 +1,2 @@
 #!/bin/bash
-echo hello
+echo "hello $1"
"""
GOALS: list[dict[str, Any]] = [
    {"id": "goal_0", "goal": "The work is real.", "tier": "anti_gaming", "weight": 0.0, "rationale": "a floor"},
    {"id": "goal_1", "goal": "greet.sh greets the name.", "tier": "core", "weight": 0.6, "rationale": "asked"},
    {"id": "goal_2", "goal": "--loud gives capitals.", "tier": "important", "weight": 0.4, "rationale": "asked"},
]
INTENTS = [{"intent_id": 0, "source_turn": 1, "intent_kind": "request", "text": "Capitals with --loud."}]
ORACLE = [
    {"_repo_url": "https://example.com/made/up", "_base_commit": "a" * 40},
    {"turn": 0, "user_message": INSTRUCTION},
    {"turn": 1, "user_message": FOLLOW_UP},
]


def make_released(path: Path, changes: dict[str, str] | None = None) -> Path:
    """Write a task to ``path``; ``changes`` are texts of files by their path in it."""
    texts = {
        "instruction.md": INSTRUCTION,
        "task.toml": TOML,
        "user_simulation_prompt.md": ANALYSIS,
        "canonical_goals.json": json.dumps({"task_name": path.name, "completeness_goals": GOALS}),
        "oracle_intents.json": json.dumps({"task": path.name, "intents": INTENTS, "schema_version": 1}),
        "oracle_session.jsonl": "".join(json.dumps(row) + "\n" for row in ORACLE),
        "original_session.json": json.dumps({"session_id": "made-up", "messages": []}),
        "reference_patch.json": json.dumps({"patch": PATCH}),
        "environment/Dockerfile": DOCKERFILE,
        "environment/greet.sh": "#!/bin/bash\necho hello\n",
        "tests/test.sh": TEST,
        "tests/test_manifest.yaml": "gates: []\n",
    }
    for name, text in {**texts, **(changes or {})}.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return path
