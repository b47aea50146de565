"""Names behind "Copyright ©": they stay, unless a home path, a login or a mail address is the same name joined.

Then the account's placeholder would stand beside the name in the notice, and whoever reads both knows who it is.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from swe_together.pipeline.privacy._re2 import compile_bytes

_NOTICE: Final = compile_bytes(rb"(?i)(?:copyright\w{0,12}|\xc2\xa9|\(c\))([^\r\n]{3,300})")
_PARTS: Final = re.compile(
    rb"[,;:<>()\[\]|\\\"`*=/\d]+|\xc2\xa9|\xe2\x80[\x93\x94]|(?<=\w\w)\.(?=\s|$)|\s[-&]\s|\b(?:and|by|present)\b"
)
"""What stands between names, years and other words of a notice."""
_NAME: Final = re.compile(rb"[A-Za-z\xc3-\xf4][A-Za-z\x80-\xff.'-]*(?: [A-Za-z\xc3-\xf4][A-Za-z\x80-\xff.'-]*){1,3}")
_OWN: Final = re.compile(r"[^\w]|_|\d+$")
"""What an account has besides the name: signs between its words, and a number behind it."""
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae"})
_SHORTEST: Final = 6


def notices(data: bytes) -> Iterator[bytes]:
    """What may be a full name in the copyright notices in ``data``: two to four words."""
    for notice in _NOTICE.finditer(data):
        for part in _PARTS.split(notice.group(1)):
            name = part.strip(b" \t.'_-")
            if _NAME.fullmatch(name):
                yield name


def joined(name: bytes) -> frozenset[str]:
    """The accounts that a full name makes when its first and last or all of its words are joined, without signs."""
    words = name.decode("utf-8", "replace").lower().split()
    forms = {words[0] + words[-1], words[-1] + words[0], "".join(words)}
    plain = {_plain(form.translate(_UMLAUTS)) for form in forms} | {_plain(form) for form in forms}
    return frozenset(form for form in plain if len(form) >= _SHORTEST)


def account(name: bytes) -> str:
    """An account or the part of a mail address before the ``@`` as ``joined`` writes names."""
    return _plain(re.sub(r"^\d+\+|(?<=.)\+.*", "", name.decode("utf-8", "replace").lower()))


def _plain(text: str) -> str:
    """The text without accents, signs and a number at its end."""
    split = unicodedata.normalize("NFKD", text)
    return _OWN.sub("", "".join(c for c in split if not unicodedata.combining(c)))


class Holders:
    """The names in the copyright notices of a dataset, and the accounts that may be the same names joined."""

    def __init__(self) -> None:
        self._names: dict[str, set[bytes]] = {}
        self._accounts: dict[str, bool] = {}

    def add_name(self, name: bytes) -> bool | None:
        """Remember a name that a notice has. Whether the account that gives it away is a person's; None without one."""
        forms = joined(name)
        for form in forms:
            self._names.setdefault(form, set()).add(name)
        given = [self._accounts[form] for form in forms if form in self._accounts]
        return any(given) if given else None

    def add_account(self, name: bytes, *, person: bool) -> list[bytes]:
        """Remember an account. The names that it gives away.

        Args:
            name: The account, or the part of a mail address before the ``@``.
            person: It is surely a person's. A login may be an organisation's.
        """
        form = account(name)
        self._accounts[form] = person or self._accounts.get(form, False)
        return sorted(self._names.get(form, ()))
