"""Writes the task directory of these tests."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from swe_together.adapter.state import collect_command
from tests.agents.script import FILES, MESSAGES
from tests.support.agent_image import ClosedNetwork

ANCHORS = ("second-file", "third-file")

TASK_TOML = f"""\
schema_version = "1.4"
artifacts = [{{ source = "/var/lib/swe-together" }}]

[task]
name = "swe-together/three-files"
description = "Three files, made for tests of real agent command lines."

[metadata.swe_together]
format = 1
language = "shell"
category = "feature"
difficulty = "easy"
provenance = "authored"
license = "Apache-2.0"
trees = ["/workspace"]
source = {{ registry = "npm", package = "made-up", version = "0.0.0", sha256 = "{"0" * 64}" }}

[agent]
timeout_sec = 480
user = "agent"

[verifier]
timeout_sec = 60
environment_mode = "separate"

[[verifier.collect]]
command = {json.dumps(collect_command(["/workspace"]))}
user = "root"
timeout_sec = 60

[environment]
build_timeout_sec = 120
cpus = 1
memory_mb = 2048
storage_mb = 2048
workdir = "/workspace"
"""

CASE = """
@case(turn={turn})
def {name}(run: Runner) -> None:
    equal(run.python("emit(open('/workspace/{file}').read())"), "{text}")
"""


def compose(network: ClosedNetwork, resolver: Path) -> str:
    """Puts the task's containers into the closed network, with a resolver that refuses at once.

    Docker's own would let every name run into a time-out there, and the agents look up a few.
    """
    attached = {"name": network.name, "external": True}
    main = {"volumes": [f"{resolver}:/etc/resolv.conf:ro"]}
    return json.dumps({"networks": {"default": attached}, "services": {"main": main}})


def _simulator() -> str:
    persona = {"description": "somebody who wants three files", "on_question": "as you like"}
    anchors = [
        {"id": name, "source_turn": turn, "action": "new_requirement", "tags": ["request"], "message": MESSAGES[turn]}
        | ({"after": [ANCHORS[turn - 2]]} if turn > 1 else {})
        for turn, name in enumerate(ANCHORS, 1)
    ]
    # JSON is YAML.
    front = json.dumps({"persona": persona, "anchors": anchors}, indent=1, ensure_ascii=False)
    return f"---\n{front}\n---\nThe user asks for one file after the other.\n"


def _cases() -> str:
    parts = ["from harness import Runner, case, equal\n"]
    for turn, (file, text) in enumerate(FILES.items()):
        parts.append(CASE.format(turn=turn, name=f"file_{turn + 1}", file=file, text=text))
    return "\n".join(parts)


def _goals() -> list[dict[str, object]]:
    common = {"tier": "core", "evidence": "tests"}
    weights = [0.4, 0.3, 0.3]
    return [
        {"id": f"goal-{n}", "text": f"{file} holds {text}.", "weight": weights[n], "cases": [f"file-{n + 1}"], **common}
        for n, (file, text) in enumerate(FILES.items())
    ]


def write_task(path: Path, image: str, network: ClosedNetwork) -> Path:
    """Write the task to `path` and return it."""
    assets = resources.files("swe_together") / "assets"
    rubric = {
        "provenance": {"author": "the tests", "sources": ["session.json"], "frozen": "2026-01-01"},
        "goals": _goals(),
    }
    session = {
        "provenance": "authored",
        "origin": "Made up for tests, Apache-2.0",
        "messages": [{"turn": turn, "text": text} for turn, text in enumerate(MESSAGES)],
    }
    texts = {
        "task.toml": TASK_TOML,
        "instruction.md": MESSAGES[0],
        "spec.md": "\n".join(MESSAGES),
        "simulator.md": _simulator(),
        "rubric.json": json.dumps(rubric),
        "intents.json": json.dumps({"intents": []}),
        "session.json": json.dumps(session),
        "environment/Dockerfile": f"FROM {image}\n",
        "environment/docker-compose.yaml": compose(network, path / "environment/resolv.conf"),
        "environment/resolv.conf": "nameserver 127.0.0.1\n",
        "tests/cases.py": _cases(),
        "solution/solve.sh": "#!/bin/bash\nexit 1\n",
    }
    texts |= {f"tests/{name}": (assets / name).read_text("utf-8") for name in ("test.sh", "restore.sh", "harness.py")}
    texts |= {f"solution/turn-{turn}.md": "Done.\n" for turn in range(len(MESSAGES))}
    for name, text in texts.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return path
