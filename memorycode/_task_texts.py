"""The files of a task that people and Harbor read, as text."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from swe_together import defaults
from swe_together.adapter.state import collect_command
from swe_together.memorycode._arms import REQUEST, Arm, Script
from swe_together.memorycode._dialogue import Dialogue
from swe_together.memorycode._rules_model import Active
from swe_together.memorycode.rules import RULES

SECONDS_A_MESSAGE: Final = 120
_LICENSE: Final = "Apache-2.0"
_SOURCE: Final = (
    '{ registry = "pypi", package = "pedantic", version = "2.1.11", '
    'sha256 = "af1c1500d927a32de7447636f76585f92220283f781e888af8c6e0b05c752591" }'
)


def task_toml(name: str, dialogue: Dialogue, arm: Arm, told: Script) -> str:
    """Harbor's settings, and ours."""
    session = _session_seconds(told)
    ours = 'continuation = "fresh"\n' if arm is Arm.MEMORY else ""
    if told.followups:  # the first message alone asks for nothing
        ours += 'arms = ["interactive", "full-spec"]\n'
    collect = json.dumps(collect_command([defaults.WORKSPACE], []), ensure_ascii=False)
    hard = "easy" if dialogue.size < 6 else "medium" if dialogue.size < 20 else "hard"
    return f"""\
schema_version = "1.4"
artifacts = [{{ source = "/var/lib/swe-together" }}]

[task]
name = "swe-together/memorycode-{name}"
description = "Does an agent still follow what it was told? {_ARMS[arm]}; {dialogue.size} sessions."
keywords = ["python", "memory", "instructions"]

[metadata.swe_together]
format = 1
language = "python"
category = "feature"
difficulty = "{hard}"
provenance = "authored"
license = "{_LICENSE}"
trees = ["/workspace"]
exclude = []
{ours}source = {_SOURCE}

[metadata.memorycode]
dialogue = "{dialogue.name}"
arm = "{arm}"
seed = {dialogue.seed}
pool = "{dialogue.pool}"

[agent]
timeout_sec = {session + 600}
user = "agent"

[verifier]
timeout_sec = 1800
environment_mode = "separate"

[[verifier.collect]]
command = {collect}
user = "root"
timeout_sec = 300

[environment]
build_timeout_sec = 900
cpus = 1
memory_mb = 2048
storage_mb = 4096
workdir = "/workspace"
"""


_ARMS: Final[Mapping[Arm, str]] = {
    Arm.ISOLATED: "One rule, told with the request",
    Arm.CHAIN: "All rules as a list, told with the request",
    Arm.SESSIONS: "Each session is a message, then comes the request",
    Arm.HISTORY: "All sessions and the request in one message",
    Arm.MEMORY: "Each session is a message to a fresh context, which keeps a file of notes",
}


def _session_seconds(told: Script) -> int:
    return int(defaults.SESSION_TIME_SEC) + SECONDS_A_MESSAGE * len(told.followups)


def simulator_md(dialogue: Dialogue, told: Script) -> str:
    """The scripted user: every session a required anchor without a condition, the request last."""
    people = dialogue.people
    lines = [
        "---",
        "persona:",
        f"  description: {_quoted(f'Passes on what {people.mentor} and {people.mentee} spoke about.')}",
        "  language: en",
        "  on_question: whatever fits what was agreed in the meetings",
        "anchors:" if told.followups else "anchors: []",
    ]
    for turn, message in enumerate(told.followups, 1):
        last = turn == len(told.followups)
        lines += [
            f"  - id: {REQUEST if last else f'meeting-{turn + 1}'}",
            f"    source_turn: {turn}",
            "    action: new_requirement",
            f"    tags: [{'request' if last else 'context'}]",
            "    required: true",
            "    message: |-",
            *(f"      {line}" if line else "" for line in message.split("\n")),
        ]
    lines += [
        "budget:",
        f"  session_sec: {_session_seconds(told)}",
        "---",
        "",
        f"{people.mentor} ({people.mentor_character}) mentors {people.mentee} ({people.mentee_character}) at "
        f"{people.firm}, which makes {people.product}. What is asked for at the end must obey every rule about code "
        "that holds by then, in the form in which it was told last.",
        "",
    ]
    return "\n".join(lines)


def rubric(active: Active) -> dict[str, Any]:
    """A goal for each rule, decided by its case."""
    share, count = round(1 / len(active), 6), len(active)
    weights = [share] * (count - 1) + [round(1 - share * (count - 1), 6)]
    return {
        "format": 1,
        "provenance": {
            "author": "swe-together memorycode generate",
            "sources": ["the rules that the dialogue tells"],
            "frozen": "2026-01-01",
        },
        "goals": [
            {
                "id": f"rule-{rule}",
                "text": RULES[rule].variant(variant).text,
                "weight": weight,
                "tier": "core",
                "evidence": "tests",
                "cases": [f"rule-{rule}"],
            }
            for (rule, variant), weight in zip(active.items(), weights, strict=True)
        ],
    }


def session_record(told: Script) -> dict[str, Any]:
    """The session as a record; the words stand elsewhere in the task."""
    messages = [
        {"turn": turn, "chars": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}
        for turn, text in enumerate(told.messages)
    ]
    origin = "Generated by swe-together memorycode generate; the words stand in instruction.md and simulator.md."
    return {"format": 1, "provenance": "authored", "origin": origin, "messages": messages}


def readme_md(name: str, dialogue: Dialogue, arm: Arm, rule: str | None) -> str:
    """A few words for a reader."""
    rules = 1 if rule else len(dialogue.active_rules)
    return (
        f"# {name}\n\n{_ARMS[arm]}. Dialogue {dialogue.name} of {dialogue.size} sessions, seed {dialogue.seed}: "
        f"{rules} rule{'s' * (rules > 1)} in force at the end, each a case of the tests.\n\n"
        "Generated by `swe-together memorycode generate`; don't edit it by hand. docs/memorycode.md describes it.\n"
        f"Licence: {_LICENSE}.\n"
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def json_text(value: object) -> str:
    """A JSON file's text."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
