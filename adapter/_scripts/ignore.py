"""The rules of ``.gitignore`` files, without git.

Git opens what the tree offers as ``.gitignore``: a FIFO of that name would hold it forever, and some patterns cost it
exponential time. Here both are harmless. Text is Latin-1 throughout, so that a character is a byte, as in git.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\t-\\r ",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
SPECIAL = frozenset("*?[\\")
Test = Callable[[str], object]


class Rules:
    """The rules of one ``.gitignore``. Paths are relative to its folder."""

    def __init__(self, content: bytes) -> None:
        self.negated: list[bool] = []
        self.folders_only: list[bool] = []
        self.names: dict[str, list[int]] = {}
        self.endings: dict[str, list[int]] = {}
        self.others: list[tuple[int, Test, bool]] = []
        if content.startswith(b"\xef\xbb\xbf"):
            content = content[3:]
        for line in content.decode("latin-1").split("\n"):
            self._add(line)

    def _add(self, line: str) -> None:
        pattern = _trimmed(line[:-1] if line.endswith("\r") else line)
        if not pattern or pattern.startswith("#"):
            return
        negated = pattern.startswith("!")
        if negated:
            pattern = pattern[1:]
        folders_only = pattern.endswith("/") and len(pattern) > 1
        if folders_only:
            pattern = pattern[:-1]
        if not pattern or pattern == "/":
            return
        index = len(self.negated)
        self.negated.append(negated)
        self.folders_only.append(folders_only)
        literal = not SPECIAL.intersection(pattern)
        if "/" in pattern:
            test = _path_test(pattern[1:] if pattern.startswith("/") else pattern)
            if test is not None:
                self.others.append((index, test, True))
        elif literal:
            self.names.setdefault(pattern, []).append(index)
        elif pattern.startswith("*.") and not SPECIAL.intersection(pattern[1:]):
            self.endings.setdefault(pattern[1:], []).append(index)
        else:
            name_test = segment_test(pattern)
            if name_test is not None:
                self.others.append((index, name_test, False))

    def verdict(self, path: str, name: str, is_folder: bool) -> bool | None:
        """Whether the path is ignored; None where no rule speaks of it. The last rule that matches decides."""
        found = [*self.names.get(name, ())]
        dot = name.find(".")
        while dot >= 0 and self.endings:
            found += self.endings.get(name[dot:], ())
            dot = name.find(".", dot + 1)
        best = max((index for index in found if is_folder or not self.folders_only[index]), default=-1)
        for index, test, by_path in reversed(self.others):
            if index < best:
                break
            if (is_folder or not self.folders_only[index]) and test(path if by_path else name):
                best = index
                break
        return None if best < 0 else not self.negated[best]


def _trimmed(line: str) -> str:
    """Without the blanks at its end, unless a backslash takes them."""
    end = len(line)
    while end and line[end - 1] == " ":
        end -= 1
    backslashes = len(line[:end]) - len(line[:end].rstrip("\\"))
    return line[: end + 1] if backslashes % 2 and end < len(line) else line[:end]


def _path_test(pattern: str) -> Test | None:
    """A test for whole paths; None for a pattern that matches nothing."""
    parts = _split(pattern)
    if parts is None:
        return None
    tests: list[Test | None] = []
    for part in parts:
        test = None if part == "**" else segment_test(part)
        if part != "**" and test is None:
            return None
        tests.append(test)
    if parts[-1] == "**":
        tests.append(lambda name: True)
    return lambda path: _match(tests, path.split("/"))


def _split(pattern: str) -> list[str] | None:
    """The parts between slashes; None where a bracket is never closed. A slash in brackets doesn't count."""
    parts = [""]
    index = 0
    while index < len(pattern):
        start = index
        index += 1
        if pattern[start] == "/":
            parts.append("")
            continue
        if pattern[start] == "[":
            choice, index = _choice(pattern, index)
            if choice is None:
                return None
        elif pattern[start] == "\\":
            index += 1
        parts[-1] += pattern[start:index]
    return parts


def _match(tests: Sequence[Test | None], names: Sequence[str]) -> bool:
    """Whether the tests fit the names one by one; None fits any number of names."""
    at = index = 0
    star, resume = -1, 0
    while index < len(names):
        test = tests[at] if at < len(tests) else None
        if at < len(tests) and test is None:
            star, resume = at, index
            at += 1
        elif test is not None and test(names[index]):
            at += 1
            index += 1
        elif star >= 0:
            resume += 1
            at, index = star + 1, resume
        else:
            return False
    return all(test is None for test in tests[at:])


def segment_test(pattern: str) -> Test | None:
    """A test for one name; None for a pattern that matches nothing."""
    chunks = [""]
    index = 0
    while index < len(pattern):
        char = pattern[index]
        index += 1
        if char == "*":
            chunks.append("")
            continue
        if char == "?":
            piece: str | None = "."
        elif char == "[":
            piece, index = _choice(pattern, index)
        elif char == "\\":
            piece = re.escape(pattern[index]) if index < len(pattern) else None
            index += 1
        else:
            piece = re.escape(char)
        if piece is None:
            return None
        chunks[-1] += piece
    # The first place where a piece between two stars fits is as good as any other, so it is never tried again: the
    # look-ahead with a back-reference keeps what it found, and the time stays linear in the length of the name.
    middle = "".join(f"(?=(?P<g{n}>.*?{piece}))(?P=g{n})" for n, piece in enumerate(chunks[1:-1]) if piece)
    last = f".*{chunks[-1]}" if len(chunks) > 1 else ""
    try:
        return re.compile(f"(?s:{chunks[0]}{middle}{last})\\Z").match
    except (re.error, OverflowError, RecursionError):
        return None


def _choice(pattern: str, index: int) -> tuple[str | None, int]:
    """The class that begins behind the bracket at ``index``, or None for a broken one; and the index behind it."""
    negated = pattern[index : index + 1] in ("!", "^")
    index += negated
    items = ""
    first = True
    while index < len(pattern) and (pattern[index] != "]" or first):
        first = False
        if pattern.startswith("[:", index) and ":]" in pattern[index + 2 :]:
            end = pattern.index(":]", index + 2)
            if pattern[index + 2 : end] not in CLASSES:
                return None, index
            items += CLASSES[pattern[index + 2 : end]]
            index = end + 2
            continue
        low, index = _taken(pattern, index)
        high = low
        if pattern[index : index + 1] == "-" and pattern[index + 1 : index + 2] not in ("", "]"):
            high, index = _taken(pattern, index + 1)
        if not low or not high:
            return None, index
        if low <= high:
            items += f"{re.escape(low)}-{re.escape(high)}"
    if index >= len(pattern):
        return None, index
    if not items:
        return ("." if negated else "(?!)"), index + 1
    return f"[{'^' if negated else ''}{items}]", index + 1


def _taken(pattern: str, index: int) -> tuple[str, int]:
    """The character at ``index``, or the one that a backslash there takes; and the index behind it."""
    if pattern[index] == "\\":
        return pattern[index + 1 : index + 2], index + 2
    return pattern[index], index + 1
