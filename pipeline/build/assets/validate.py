"""Says what keeps a task directory from being one, as far as it can be seen without swe-together."""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

FILES = (
    "README.md",
    "task.toml",
    "instruction.md",
    "spec.md",
    "environment/Dockerfile",
    "simulator.md",
    "rubric.json",
    "intents.json",
    "session.json",
    "tests/test.sh",
    "tests/cases.py",
    "solution/solve.sh",
)
MARK = re.compile(r"<<(?:fill in|review): ")


def problems(task: Path) -> Iterator[tuple[str, bool]]:
    """Everything that is looked at, and whether it is right."""
    for name in FILES:
        file = task / name
        there = file.is_file() and file.stat().st_size > 0
        yield f"{name} is missing or empty", there
        if there:
            text = file.read_text(encoding="utf-8", errors="replace")
            yield f"{name} still holds marks", MARK.search(text) is None
            yield f"{name} can't be read", readable(name, text)


def readable(name: str, text: str) -> bool:
    """Whether a file has the form that its name says."""
    try:
        if name.endswith(".json"):
            return isinstance(json.loads(text), dict)
        if name.endswith(".toml"):
            return "swe_together" in tomllib.loads(text)["metadata"]
        if name.endswith(".py"):
            calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
            return (
                any("case" in ast.unparse(one) for node in calls for one in node.decorator_list) or "plan.json" in text
            )
        if name == "simulator.md":
            return re.fullmatch(r"---\n.*?\n---\n.*\S.*", text, re.DOTALL) is not None
    except (ValueError, KeyError, SyntaxError):
        return False
    return True


if __name__ == "__main__":
    wrong = [told for told, right in problems(Path(sys.argv[1])) if not right]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))
