"""Globs over ``/``-separated relative paths."""

from functools import lru_cache

import re2

from swe_together.simulator._patterns import encode


class Glob:
    r"""A compiled glob.

    ``*`` is any run of characters but ``/``, ``?`` is one of them, ``[a-z]`` and ``[!a-z]`` a choice of one,
    ``{a,b}`` either text, and ``\`` takes the next character literally. ``**`` stands alone between slashes: in front
    or in the middle for any number of folders, none included; at the end for everything below. A leading dot is
    nothing special, case matters, and the whole path must match.

    Raises:
        ValueError: The text is no such glob; the message says why.
    """

    def __init__(self, glob: str) -> None:
        self.glob = glob
        options = re2.Options()
        options.log_errors = False
        options.dot_nl = True
        try:
            self._regexp = re2.compile(_translate(glob), options)
        except re2.error as error:
            raise ValueError("it is too long for a pattern") from error

    def matches(self, path: str) -> bool:
        """Whether the whole of ``path`` matches."""
        return self._regexp.fullmatch(encode(path)) is not None


@lru_cache(maxsize=512)
def compile_glob(glob: str) -> Glob:
    """``Glob(glob)``, remembered.

    Raises:
        ValueError: As ``Glob``.
    """
    return Glob(glob)


def _translate(glob: str) -> str:
    if glob.startswith("/"):
        raise ValueError("a path is relative to the working tree and has no leading slash")
    parts = glob.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError("empty folders, . and .. can't match")
    pattern = ""
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "**":
            pattern += ".+" if last else "(?:[^/]+/)*"
        elif "**" in part:
            raise ValueError("** must stand alone between slashes")
        else:
            pattern += _segment(part) + ("" if last else "/")
    return pattern


def _segment(part: str) -> str:
    pattern = ""
    in_braces = False
    index = 0
    while index < len(part):
        char = part[index]
        index += 1
        match char:
            case "*":
                pattern += "[^/]*"
            case "?":
                pattern += "[^/]"
            case "[":
                choice, index = _choice(part, index)
                pattern += choice
            case "{" if not in_braces and "}" in part[index:]:
                in_braces = True
                pattern += "(?:"
            case "{":
                raise ValueError("{ has no } of its own in the same folder name; write \\{ for the character")
            case "," if in_braces:
                pattern += "|"
            case "}" if in_braces:
                in_braces = False
                pattern += ")"
            case "\\":
                if index == len(part):
                    raise ValueError("a backslash at the end of a name takes nothing; folders are separated by /")
                pattern += re2.escape(part[index])
                index += 1
            case _:
                pattern += re2.escape(char)
    if in_braces:
        raise ValueError("{ has no } in the same folder name; write \\{ for the character")
    return pattern


def _choice(part: str, start: int) -> tuple[str, int]:
    """The class that begins behind the bracket at ``start``, and the index behind its end."""
    negated = part[start : start + 1] in ("!", "^")
    first = start + negated
    end = part.find("]", first + 1)
    if end < 0:
        raise ValueError("[ has no ] in the same folder name; write \\[ for the character")
    items = ""
    index = first
    while index < end:
        low = part[index]
        is_range = part[index + 1 : index + 2] == "-" and index + 2 < end
        high = part[index + 2] if is_range else low
        if low > high:
            raise ValueError(f"the range {low}-{high} in brackets is empty")
        if low <= "/" <= high:
            raise ValueError("a range in brackets may not span /")
        items += f"{re2.escape(low)}-{re2.escape(high)}" if is_range else re2.escape(low)
        index += 3 if is_range else 1
    return f"[^/{items}]" if negated else f"[{items}]", end + 1
