"""Accounts of a forge, as its API gives them: a login, and beside it what leads back to the same person.

A number, a node's id or an avatar names a person as well as a login does, so what goes with a login is all of it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from swe_together.pipeline.privacy._model import Family
from swe_together.pipeline.privacy._objects import objects
from swe_together.pipeline.privacy._people import is_person

LOGINS: Final = ("login", "username")
_MARKS: Final = frozenset(
    (
        "node_id",
        "avatar_url",
        "avatarUrl",
        "gravatar_id",
        "html_url",
        "web_url",
        "is_bot",
        "databaseId",
        "followers_url",
    )
)
"""Keys that only an account of a forge has beside its login."""
_NUMBERS: Final = ("id", "databaseId", "database_id")
_PICTURES: Final = ("avatar_url", "avatarUrl", "gravatar_id", "avatar", "url")
_NODE: Final = re.compile(rb"(?:U_kg|O_kg|MDQ6VXNlc|MDEyOk9yZ2FuaXphdGlvb)[A-Za-z0-9+/_=-]{2,60}")
_PICTURE: Final = re.compile(
    rb"/(?:u|users?|user/avatar)/(\d{1,12})(?=[/?.]|$)|(?:/avatar/|^)([0-9a-f]{32}|[0-9a-f]{64})\b"
)
_LOGIN: Final = re.compile(rb"[\"'](?:login|username)[\"'][ \t]*:[ \t]*[\"']([A-Za-z0-9][A-Za-z0-9_.-]{0,38})[\"']")

Part = tuple[int, int, str, Family]
"""The stretch of a value that goes, its kind and family."""


def is_account_object(values: Mapping[str, bytes]) -> bool:
    """Whether members beside a login are those of an account of a forge, and not of some program's own user."""
    return not _MARKS.isdisjoint(values) or _NODE.fullmatch(values.get("id", b"")) is not None


def part_of(key: str, value: bytes, login: bytes) -> Part | None:
    """What of a value beside a login goes with it; None where it tells nothing."""
    if key.lower().endswith("url"):
        named = re.search(rb"/(" + re.escape(login) + rb")(?=[/?{]|$)", value)
        if named is not None:
            return *named.span(1), "account-name", "account"
    number = key in _NUMBERS and value.isdigit() and int(value) > 0
    if number or (key in ("id", "node_id") and _NODE.fullmatch(value)):
        return 0, len(value), "account-id", "account"
    if key in _PICTURES:
        match = _PICTURE.search(value)
        return (*match.span(match.lastindex or 0), "account-id", "account") if match else None
    if key == "twitter_username" and value:
        return 0, len(value), "account-name", "account"
    return (0, len(value), "person-name", "person") if key == "name" and is_person(value) else None


def beside_logins(data: bytes, goes: Callable[[bytes], bool]) -> Iterator[Part]:
    """What goes with logins in JSON that is text: stretches of ``data``.

    Args:
        data: The text.
        goes: Whether a login is one of a person that is not to be kept.
    """
    for found in objects(data, (match.start() for match in _LOGIN.finditer(data))):
        values = {member.key: data[member.start : member.end] for member in found}
        login = next((values[key] for key in LOGINS if key in values), b"")
        if not is_account_object(values) or not goes(login):
            continue
        for member in found:
            part = part_of(member.key, values[member.key], login)
            if part is not None:
                yield member.start + part[0], member.start + part[1], part[2], part[3]
