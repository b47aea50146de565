"""How lines of reference code are laid out: indentation and the breaking of long lines."""

import re
import textwrap

_OPEN, _CLOSE = "([{", ")]}"
_WRAPPABLE = re.compile(r"(return|if|while|[^=()\[\]]+ [+-]?=) (.+?)(:?)")
_OPERATORS = re.compile(r" (?=(?:if|else|and|or|\+|-|in|not in|==|<|<=|>|>=) )")


def reindent(line: str, unit: str, level: int) -> str:
    """A line indented by four spaces a level, moved ``level`` levels deeper and indented by ``unit``."""
    bare = line.lstrip(" ")
    return unit * ((len(line) - len(bare)) // 4 + level) + bare if bare else ""


def fit(line: str, unit: str, limit: int | None) -> list[str]:
    """The line, broken so that no part is longer than ``limit``; a comment or code with brackets can be broken."""
    if limit is None or len(line) <= limit:
        return [line]
    bare = line.lstrip()
    margin = line[: len(line) - len(bare)]
    if bare.startswith("#"):
        tag = re.match(r"# (?:\w+: )?", bare)
        assert tag is not None
        return textwrap.wrap(line, limit, subsequent_indent=margin + tag[0])
    for broken in (_at_brackets(bare, margin, unit, limit), _at_words(bare, margin, unit)):
        if broken and all(len(part) <= limit for part in broken):
            return broken
    raise AssertionError(f"reference code has a line that can't be broken: {line!r}")


def _at_brackets(bare: str, margin: str, unit: str, limit: int) -> list[str]:
    """Broken inside the widest brackets, at its commas; nothing without brackets."""
    start, end = _widest(bare)
    if start < 0:
        return []
    parts = _split(bare[start + 1 : end])
    comma = "," if len(parts) > 1 or bare.startswith("def ") else ""
    broken = [margin + bare[: start + 1]]
    for number, part in enumerate(parts):
        whole = margin + unit + part + ("," if number < len(parts) - 1 else comma)
        try:
            broken += fit(whole, unit, limit)
        except AssertionError:
            return []
    return [*broken, margin + bare[end:]]


def _at_words(bare: str, margin: str, unit: str) -> list[str]:
    """What is assigned, returned or tested, put into parentheses and broken before its operators."""
    match = _WRAPPABLE.fullmatch(bare)
    if match is None:
        return []
    pieces = _OPERATORS.split(match[2])
    return [f"{margin}{match[1]} (", *(margin + unit + piece for piece in pieces), f"{margin}){match[3]}"]


def _outside_strings(text: str) -> list[tuple[int, str]]:
    found, quote = [], ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            found.append((at, char))
    return found


def _widest(text: str) -> tuple[int, int]:
    """Where the longest pair of matching outermost brackets stands; (-1, -1) without any."""
    best, depth, opened = (-1, -1), 0, -1
    for at, char in _outside_strings(text):
        if char in _OPEN:
            opened = at if depth == 0 else opened
            depth += 1
        elif char in _CLOSE:
            depth -= 1
            if depth == 0 and at - opened > best[1] - best[0]:
                best = (opened, at)
    return best if best[1] - best[0] > 1 else (-1, -1)


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket."""
    parts, depth, last = [], 0, 0
    for at, char in _outside_strings(text):
        depth += (char in _OPEN) - (char in _CLOSE)
        if char == "," and depth == 0:
            parts.append(text[last:at].strip())
            last = at + 1
    rest = text[last:].strip()
    return [*parts, rest] if rest else parts
