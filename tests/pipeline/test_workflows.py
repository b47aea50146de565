"""Workflow files and CONTRIBUTING.md call commands that exist, and a pull request of a stranger gets no rights."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from swe_together.cli import build_parser
from tests.support.harbor import ROOT

FOLDER = ROOT / ".github" / "workflows"
GUIDES = ["CONTRIBUTING.md", "docs/paper.md", ".github/pull_request_template.md"]
_PLACEHOLDERS = {"$BASE...$HEAD": "a...b", "${range[@]}": "a..b", "ghcr.io/$OWNER": "ghcr.io/o", "…": "x"}


def workflow(name: str) -> dict[str, Any]:
    """A workflow; YAML reads its key ``on`` as true."""
    value: dict[Any, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return {"on" if key is True else str(key): part for key, part in value.items()}


def calls(text: str) -> list[str]:
    """Every call of the command line in a text."""
    joined = text.replace("\\\n", " ")
    return [found.strip() for found in re.findall(r"swe-together ([a-z][a-z-]*(?: [^`#\n<>|;&)(]*)?)", joined)]


def parses(call: str) -> bool:
    """Whether the command and all its options exist."""
    for old, new in _PLACEHOLDERS.items():
        call = call.replace(old, new)
    words = shlex.split(call)
    try:
        build_parser(words[0]).parse_args(words)
    except SystemExit as stop:
        return stop.code == 0
    return True


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yml")), ids=lambda path: path.stem)
def test_every_call_of_a_workflow_exists(path: Path) -> None:
    steps = [step for job in workflow(path.name)["jobs"].values() for step in job["steps"]]
    found = [call for step in steps for call in calls(step.get("run", ""))]
    # Names of tasks come from the line before, by xargs.
    found = [f"{call} tasks/x" if call.startswith("images") else call for call in found]
    assert found or path.stem == "project"
    assert [call for call in found if not parses(call)] == []


@pytest.mark.parametrize("name", GUIDES)
def test_every_call_of_a_guide_exists(name: str) -> None:
    blocks = re.findall(r"(?ms)^```\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"))
    found = [call for block in blocks for call in calls(block)]
    assert [call for call in found if not parses(call)] == []
    assert found or name.endswith("template.md")


def test_the_check_knows_a_call_that_does_not_exist() -> None:
    assert parses("check --static tasks/x") and not parses("check --statically tasks/x") and not parses("publish x")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yml")), ids=lambda path: path.stem)
def test_strangers_get_no_rights(path: Path) -> None:
    told = workflow(path.name)
    triggers = set(told["on"])
    assert "pull_request_target" not in triggers
    assert told["permissions"]["contents"] == "read"
    text = path.read_text(encoding="utf-8")
    if "pull_request" in triggers:
        assert told["permissions"] == {"contents": "read"}
        assert "secrets." not in text
    # What an outsider can name never stands in a script itself.
    scripts = [step.get("run", "") for job in told["jobs"].values() for step in job["steps"]]
    assert not [script for script in scripts if "${{" in script]


def test_a_pull_request_proves_changed_tasks_alone() -> None:
    told = workflow("tasks.yml")
    first, second = told["jobs"]["changed"], told["jobs"]["check"]
    runs = [step.get("run", "") for step in first["steps"]]
    assert any("changed" in run and "--check --static" in run for run in runs)
    assert second["strategy"]["matrix"]["task"] == "${{ fromJSON(needs.changed.outputs.tasks) }}"
    assert next(step for step in first["steps"] if "checkout" in step.get("uses", ""))["with"]["fetch-depth"] == 0
