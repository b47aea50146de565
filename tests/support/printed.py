"""What a command printed, so that sentences can be found in it."""

import re


def squeezed(printed: str) -> str:
    """Without blanks and the lines of tables, which break sentences anywhere."""
    return re.sub(r"[\s│]+", "", printed)
