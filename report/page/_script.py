"""Values as they may stand inside a script of a page."""

import json

_MARKS = ("<", ">", "&", "\u2028", "\u2029")


def script_json(value: object) -> str:
    """JSON without any sign that could end a script, begin a tag or be no JavaScript.

    Raises:
        ValueError: A number in it is infinite or none.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Half of a pair can stand in a name and in no file.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for mark in _MARKS:
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text
