"""What the scan of an image looks for: the package, lines of the solution and tests, private files."""

import hashlib
import re
from pathlib import Path
from typing import Any

from swe_together import defaults
from swe_together.pipeline.check.subject import Subject
from swe_together.schema import ArchiveSource, GitSource, RegistrySource

_LONG = 30
_COMMON = re.compile(r"(import|from|#include|package|use|using|require|const \w+ = require|export \{|@)\b")


def scan_request(subject: Subject, source: RegistrySource | GitSource | ArchiveSource) -> dict[str, Any]:
    """The request for ``image_scan.py``."""
    if isinstance(source, RegistrySource):
        package, version = source.package, source.version
    elif isinstance(source, ArchiveSource):
        package, version = source.repository, None
    else:
        package, version = source.git.rstrip("/").removesuffix(".git").rpartition("/")[2], None
    return {
        "trees": subject.trees,
        "user": defaults.AGENT_USER,
        "package": package,
        "version": version,
        "answers": sorted(answer_lines([*subject.stages.values(), *(p.path for p in subject.alt)])),
        "tests": sorted(_telling((subject.path / "tests" / "cases.py").read_text().splitlines())),
        "private": private_files(subject.path),
    }


def answer_lines(patches: list[Path]) -> set[str]:
    """Long lines that the reference adds and the base doesn't hold; patches in the order of their turns."""
    added: set[str] = set()
    base: set[str] = set()
    for patch in patches:
        earlier = frozenset(added)
        for line in patch.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("+") and not line.startswith("+++"):
                added.add(line[1:].strip())
            elif line.startswith((" ", "-")) and not line.startswith("---") and line[1:].strip() not in earlier:
                base.add(line[1:].strip())
    return _telling(added - base)


def _telling(lines: list[str] | set[str]) -> set[str]:
    stripped = {line.strip() for line in lines}
    return {
        line for line in stripped if len(line) >= _LONG and not _COMMON.match(line) and re.search(r"[a-z]{3}", line)
    }


def private_files(task: Path) -> list[tuple[str, int, str]]:
    """Name, size and digest of every file that no container of the agent may hold."""
    found = []
    for path in sorted(task.rglob("*")):
        name = path.relative_to(task).as_posix()
        if not path.is_file() or name.startswith("environment/") or path.name.upper().startswith("LICEN"):
            continue
        if name == "solution/golden.json":  # made from the others; the scan must not run again for it
            continue
        data = path.read_bytes()
        if len(data) >= 40:
            found.append((name, len(data), hashlib.sha256(data).hexdigest()))
    return found
