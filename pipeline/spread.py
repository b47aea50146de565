"""What a dataset of tasks is made of, and whether that is as varied as it should be. Files alone decide."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path
from typing import Final

from swe_together.schema import GitSource, RegistrySource, Tag
from swe_together.tasks import TaskBundle, load_task

LARGE_LINES: Final = 10_000
"""Code bases with more lines are large."""
PAGE_LINES: Final = 40
"""More equal lines in the tests of two tasks are a page."""
BLOCK_LINES: Final = 3
"""Equal lines count where so many stand in a row: single ones are equal by chance."""
CATEGORIES: Final = ("bugfix", "feature", "refactor", "performance", "security")
_NAMED: Final = ("python", "javascript", "typescript", "go", "rust", "c", "cpp")


@dataclass(frozen=True)
class Rule:
    """One thing that is wanted of a dataset, and what was found."""

    name: str
    wanted: str
    found: str
    kept: bool


def spread(paths: Sequence[Path]) -> list[Rule]:
    """Hold a dataset against what is wanted of one.

    Args:
        paths: Task directories.

    Raises:
        TaskError: One can't be read.
    """
    tasks = [load_task(path) for path in paths]
    return [
        *_languages(tasks),
        *_code_bases(tasks),
        *_sessions(tasks),
        *_proofs(tasks),
        _copies(tasks),
    ]


def shared_lines(one: str, other: str) -> int:
    """Equal lines of two texts in blocks of at least ``BLOCK_LINES``; blank ones and indentation don't count."""
    first, second = ([line.strip() for line in text.splitlines() if line.strip()] for text in (one, other))
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size >= BLOCK_LINES)


def _at_least(name: str, wanted: int, found: int) -> Rule:
    return Rule(name, f"at least {wanted}", str(found), found >= wanted)


def _at_most(name: str, wanted: int, found: int) -> Rule:
    return Rule(name, f"at most {wanted}", str(found), found <= wanted)


def _languages(tasks: Sequence[TaskBundle]) -> Iterator[Rule]:
    count = Counter[str](task.metadata.language for task in tasks)
    yield _at_least("tasks", 30, len(tasks))
    yield _at_most("in Python", 12, count["python"])
    yield _at_least("in JavaScript and TypeScript", 6, count["javascript"] + count["typescript"])
    yield _at_least("in Go", 4, count["go"])
    yield _at_least("in Rust", 3, count["rust"])
    yield _at_least("in C and C++", 2, count["c"] + count["cpp"])
    yield _at_least("in other languages", 2, sum(n for language, n in count.items() if language not in _NAMED))


def _code_bases(tasks: Sequence[TaskBundle]) -> Iterator[Rule]:
    kinds = {task.metadata.category for task in tasks}
    missing = [kind for kind in CATEGORIES if kind not in kinds]
    yield Rule("categories", "all five", f"none of {', '.join(missing)}" if missing else "all five", not missing)
    yield _at_least("packages", 25, len({_package(task) for task in tasks}))
    unstated = sum(task.metadata.lines is None for task in tasks)
    yield Rule("tasks that state their lines", "all", f"all but {unstated}" if unstated else "all", not unstated)
    yield _at_least(f"of more than {LARGE_LINES:,} lines", 8, sum(_lines(task) > LARGE_LINES for task in tasks))
    yield _at_most("marked easy", len(tasks) // 3, sum(task.metadata.difficulty == "easy" for task in tasks))


def _sessions(tasks: Sequence[TaskBundle]) -> Iterator[Rule]:
    anchors = [anchor for task in tasks for anchor in task.script.anchors]
    length = [len(anchor.message.strip()) for anchor in anchors]
    yield _at_least("with five or more follow-ups", 6, sum(len(task.script.anchors) >= 5 for task in tasks))
    corrected = sum(any(Tag.CORRECTION in anchor.tags for anchor in task.script.anchors) for task in tasks)
    yield _at_least("with a correction", (len(tasks) + 1) // 2, corrected)
    reacting = [anchor for anchor in anchors if anchor.condition and (anchor.variants or anchor.satisfied)]
    yield _share("follow-ups that depend on the agent and have a branch", 1 / 3, 1.0, len(reacting), len(anchors))
    asking = [anchor for anchor in anchors if {Tag.QUESTION, Tag.VERIFICATION} & set(anchor.tags)]
    yield _share("follow-ups that ask or check", 0.2, 0.5, len(asking), len(anchors))
    wishing = [anchor for anchor in anchors if anchor.action == "new_requirement"]
    yield _share("follow-ups with a new requirement", 0.2, 0.5, len(wishing), len(anchors))
    middle = statistics.median(length) if length else 0
    yield Rule("characters of a follow-up, median", "40 to 90", f"{middle:.0f}", 40 <= middle <= 90)
    yield _at_least("in another human language", 2, sum(task.script.persona.language != "en" for task in tasks))


def _share(name: str, least: float, most: float, part: int, whole: int) -> Rule:
    share = part / whole if whole else 0.0
    return Rule(name, f"{least:.0%} to {most:.0%}", f"{share:.0%}", least <= share <= most)


def _proofs(tasks: Sequence[TaskBundle]) -> Iterator[Rule]:
    for kind in ("wrong", "cheat"):
        few = [task.id for task in tasks if len(list(task.solution.glob(f"{kind}-*"))) < 3]
        yield Rule(f"three {kind}-*", "all", f"not {', '.join(few)}" if few else "all", not few)
    yield _at_least("with an alt-*", 10, sum(any(task.solution.glob("alt-*")) for task in tasks))


def _copies(tasks: Sequence[TaskBundle]) -> Rule:
    files = {task.id: task.path / "tests" / "cases.py" for task in tasks}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items() if file.is_file()}
    worst, pair = 0, ""
    for one, other in combinations(texts, 2):
        shared = shared_lines(texts[one], texts[other])
        if shared > worst:
            worst, pair = shared, f" ({one}, {other})"
    return Rule("equal lines of two tasks' tests", f"at most {PAGE_LINES}", f"{worst}{pair}", worst <= PAGE_LINES)


def _package(task: TaskBundle) -> str:
    source = task.metadata.source
    if isinstance(source, RegistrySource):
        return f"{source.registry}:{source.package}"
    return source.git if isinstance(source, GitSource) else source.repository


def _lines(task: TaskBundle) -> int:
    return task.metadata.lines or 0
