"""The checker as a task's tests carry it: its modules as they are, in a package of their own, and nothing else."""

import ast
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

PACKAGE: Final = "swe_together.memorycode"
ROOTS: Final = ("checker", "_rules_model")
COPY: Final = "checker"
"""Name of the package in ``tests/``."""
_OUR_IMPORT: Final = re.compile(r"^(\s*)from swe_together(?:\.memorycode)?\.(\w+) import", re.MULTILINE)


@cache
def checker_files() -> Mapping[str, str]:
    """Path below ``tests/`` to text, for everything that the checker needs.

    Raises:
        ValueError: A module imports something of the project's in a way that can't be copied.
    """
    found = {f"{COPY}/__init__.py": '"""The checker of the rules, as swe-together has it."""\n'}
    waiting = [f"memorycode.{root}" for root in ROOTS]
    while waiting:
        name = waiting.pop()
        path = f"{COPY}/{name.rpartition('.')[2]}.py"
        if path in found:
            continue
        folder = resources.files("swe_together")
        *packages, module = name.split(".")
        text = folder.joinpath(*packages, f"{module}.py").read_text(encoding="utf-8")
        found[path] = _OUR_IMPORT.sub(rf"\1from {COPY}.\2 import", text)
        waiting += _needed(name, text)
        if "swe_together" in "".join(line for line in found[path].splitlines() if "import" in line):
            raise ValueError(f"{name} imports the project in a way that can't be copied into a task")
    return dict(sorted(found.items()))


def _needed(name: str, text: str) -> list[str]:
    modules = [node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom) and node.module]
    ours = [module.removeprefix("swe_together.") for module in modules if module.startswith("swe_together.")]
    strange = [module for module in ours if module != "errors" and module.removeprefix("memorycode.").count(".")]
    if strange or "swe_together" in modules:
        raise ValueError(f"{name} imports {strange or 'swe_together'}, which a task can't carry")
    return ours
