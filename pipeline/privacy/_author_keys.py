"""Keys for a person's name, and keys for the mail address beside it: ``author_name`` and ``author_email``."""

import re
from functools import lru_cache
from typing import Final

_ROLES: Final = "author|committer|maintainer|contributor|tagger|developer|reviewer"
"""Who has one of these is a person more often than not, so the role alone is a key for the name."""
_OTHERS: Final = "owner|creator|contact|sender"
"""These may as well be a team or a product."""
_IN: Final = r"(?:[a-z]\w{0,30}[._-])?"
"""What a key stands in: ``GIT_AUTHOR_NAME``, ``spec.authors``, ``commit.author.name``."""
_NAME: Final = re.compile(
    rf"(?i){_IN}(?:[a-z]\w{{0,30}}[.])?(?:(?P<author>{_ROLES})s?(?:[._ -]?(?:full[._-]?)?names?)?"
    rf"|(?P<other>{_OTHERS})s?(?:[._ -]?(?:full[._-]?)?names?)?|(?P<user>user|from|customer|employee)[._-]?name)"
    r"|(?:full|real|display)[._-]?name|name"
)
_MAIL: Final = re.compile(
    rf"(?i)(?:{_IN}(?:[a-z]\w{{0,30}}[.])?(?P<role>{_ROLES}|{_OTHERS}|user|from|customer|employee)s?[._-]?"
    r"|(?:s|spec|gem)\.)?e?[-_]?mails?(?:[._-]?address(?:es)?)?"
)


@lru_cache(maxsize=4096)
def name_role(key: str) -> str | None:
    """Whose name stands under a key: ``author`` of ``author_name``, nothing of ``name``; None where no name does."""
    match = _NAME.fullmatch(key)
    return None if match is None else (match["author"] or match["other"] or match["user"] or "").lower()


@lru_cache(maxsize=4096)
def mail_role(key: str) -> str | None:
    """Whose mail address stands under a key, as ``name_role`` has it; None where no mail address does."""
    match = _MAIL.fullmatch(key) if "mail" in key.lower() else None
    return None if match is None else (match["role"] or "").lower()


@lru_cache(maxsize=4096)
def is_author_key(key: str) -> bool:
    """Whether a key says that its value is who made something, so that one word is a name as well."""
    match = _NAME.fullmatch(key)
    return match is not None and match["author"] is not None
