"""Values of records whose shape isn't certain: what isn't of the wanted type counts as absent."""

from collections.abc import Iterator
from typing import Any

import orjson


def as_dict(value: object) -> dict[str, Any]:
    """The object; an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The list; an empty one in place of anything else."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str | None:
    """The text, where there is one that isn't empty."""
    return value if isinstance(value, str) and value else None


def as_count(value: object) -> int | None:
    """The whole number of zero or more; None of anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def as_exit(value: object) -> int | None:
    """An exit code."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def dicts(value: object) -> Iterator[dict[str, Any]]:
    """The objects of a list."""
    return (item for item in as_list(value) if isinstance(item, dict))


def joined_text(content: object, separator: str = "\n") -> str:
    """The text of a message's content: a text, or the texts of its parts."""
    if isinstance(content, str):
        return content
    parts = (item if isinstance(item, str) else as_dict(item).get("text") for item in as_list(content))
    return separator.join(part for part in parts if isinstance(part, str))


def plus(one: int | None, other: int | None) -> int | None:
    """The sum of what is known; None only where neither is."""
    if one is None or other is None:
        return other if one is None else one
    return one + other


def fingerprint(value: object) -> str:
    """A text that is the same for the same JSON value."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        # Numbers that are larger than any that a program counts.
        return repr(value)


def is_repeated(record: object, seen: set[str]) -> bool:
    """Whether a record that has a time was seen before; notes it. Without a time, words said twice are said twice."""
    if not isinstance(record, dict) or record.get("timestamp") is None:
        return False
    key = fingerprint(record)
    if key in seen:
        return True
    seen.add(key)
    return False
