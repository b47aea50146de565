"""Regular expressions over bytes that take time in proportion to the text, whatever the text is."""

from collections.abc import Iterable
from typing import Any, Final

import re2

LEAD: Final = rb"(?:[ \t]*\d{1,6}(?:[|:\t]|\xe2\x86\x92))?[+>| -]?"
"""What stands before a line in a diff, a quotation or numbered output."""


def compile_bytes(pattern: bytes, *, memory: int = 64 << 20) -> Any:
    """A compiled RE2 pattern over bytes; ``memory`` is the budget of its automaton in bytes.

    Bytes and not characters: text of any encoding can be searched, and offsets need no counting.

    Raises:
        re2.error: The pattern is invalid. Ours are not, so this shows at import and not in the middle of a file.
    """
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = memory
    options.log_errors = False
    return re2.compile(pattern, options)


def any_of(patterns: Iterable[Any]) -> Any:
    """One pattern that is found where any of the compiled ones would be; it captures nothing.

    Most text holds nothing: one pass with this says so, and the patterns themselves are tried on the rest.
    """
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = 256 << 20
    options.log_errors = False
    options.never_capture = True
    return re2.compile(b"|".join(b"(?:" + pattern.pattern + b")" for pattern in patterns), options)
