"""The canary: a string by which whoever trains a model can find our tasks in a corpus and leave them out.

It stands in every file of a task that no container gets to see. Files that one does see (Dockerfile, tests, solution)
go without, so that an agent never reads that it is being measured. Harbor strips the line from an instruction before
an agent gets it, and so do we.
"""

import re
from typing import Final

CANARY: Final = (
    "swe-together canary 9d0b6a52-7c1f-4f0e-8a43-d2f6c9e15b77: benchmark data, keep it out of training corpora"
)

FILES: Final = (
    *("README.md", "instruction.md", "spec.md", "simulator.md"),
    *("task.toml", "session.json", "intents.json", "rubric.json"),
)
"""Those that hold it."""

_LEADING: Final = re.compile(r"(?i)^(?:<!--.*canary.*-->|#.*canary.*)$")


def with_canary(name: str, text: str) -> str:
    """The text of a task's file with the canary in it: a comment, or a field of its own in JSON.

    Args:
        name: One of ``FILES``.
        text: The file's; it comes back as it is where it holds the canary or isn't of the form that it should have.
    """
    kind = name.rpartition(".")[2]
    if CANARY in text:
        return text
    if name == "simulator.md":
        return re.sub(r"\A---\n", f"---\n# {CANARY}\n", text, count=1)
    if kind == "toml":
        return f"# {CANARY}\n{text}"
    if kind == "md":
        return f"<!-- {CANARY} -->\n\n{text}"
    return re.sub(r"\A\s*\{(\s*)", lambda head: f'{{{head[1]}"canary": "{CANARY}",{head[1] or " "}', text, count=1)


def without_canary(text: str) -> str:
    """A message without leading lines that hold a canary, ours or another's, nor blank ones: as Harbor strips them."""
    lines = text.splitlines(keepends=True)
    kept = 0
    while kept < len(lines) and _LEADING.match(lines[kept].strip()):
        kept += 1
    while kept < len(lines) and not lines[kept].strip():
        kept += 1
    return "".join(lines[kept:])
