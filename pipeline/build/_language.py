"""The main language of a code base, and which of its files are tests."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from swe_together.schema import Language

_BY_SUFFIX: Final[dict[str, Language]] = {
    ".py": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".go": "go", ".rs": "rust", ".c": "c", ".h": "c",
    ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".java": "java", ".rb": "ruby", ".php": "php",
    ".pl": "perl", ".pm": "perl", ".sh": "shell", ".bash": "shell",
}  # fmt: skip
_FOREIGN: Final = frozenset({"node_modules", "vendor", "third_party", "dist", "build", ".venv", "docs", "examples"})
_TEST_FOLDERS: Final = frozenset({"test", "tests", "__tests__", "spec", "testdata", "fixtures", "__snapshots__"})
_TEST_FILES: Final[dict[Language, re.Pattern[str]]] = {
    "python": re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$"),
    "javascript": re.compile(
        r"(?:^|/)(?:[^/]*[.-](?:test|spec)|test)\.[cm]?jsx?$|(?:^|/)(?:__tests__|test|tests)/[^/]*\.[cm]?jsx?$"
    ),
    "typescript": re.compile(r"(?:^|/)[^/]*[.-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|/)__tests__/[^/]*\.[cm]?[jt]sx?$"),
    "go": re.compile(r"_test\.go$"),
    "rust": re.compile(r"(?:^|/)tests/[^/]*\.rs$"),
}  # fmt: skip


def language_of(files: Iterable[str]) -> Language:
    """The language that most of the source files are written in; shell where there is none that is known."""
    counted = Counter[Language]()
    for path in files:
        parts = PurePosixPath(path)
        if not _FOREIGN & set(parts.parts[:-1]) and parts.suffix in _BY_SUFFIX:
            counted[_BY_SUFFIX[parts.suffix]] += 1
    for language in ("c", "shell"):  # headers of C++ and the scripts that every code base has
        if len(counted) > 1 and counted[language] <= 2 * max(n for name, n in counted.items() if name != language):
            del counted[language]
    return counted.most_common(1)[0][0] if counted else "shell"


def is_test(path: str, language: Language) -> bool:
    """Whether a file holds tests that the language's usual runner finds."""
    pattern = _TEST_FILES.get(language)
    return pattern is not None and pattern.search(path) is not None


def is_test_support(path: str, language: Language) -> bool:
    """Whether a file belongs to the tests: one of them, or what lies beside them for their use."""
    parts = PurePosixPath(path).parts
    return is_test(path, language) or bool(_TEST_FOLDERS & set(parts[:-1])) or parts[-1] == "conftest.py"
