"""The ``*** Begin Patch`` envelope by which several agents edit files."""

import re
from dataclasses import replace
from typing import Final

from swe_together.pipeline.sessions._model import Call

BEGIN: Final = "*** Begin Patch"
_FILE: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)


def patched_paths(text: str) -> tuple[str, ...]:
    """The files that an envelope names, in order, each once; empty where there is none."""
    if BEGIN not in text:
        return ()
    return tuple(dict.fromkeys(_FILE.findall(text)))


def as_patch(call: Call, text: object) -> Call:
    """The call as a patch of the first file that ``text``, of its arguments, names; the call itself where none is."""
    paths = patched_paths(text) if isinstance(text, str) else ()
    return replace(call, action="patch", path=paths[0]) if paths else call
