"""What of a repository others can have: its address on a public host, and the commits that a remote holds."""

import re
from typing import Final

from swe_together.pipeline.base._git import Repository

_HOST: Final = re.compile(
    r"^(?:https?://|ssh://(?:[^@/]+@)?|(?:[^@/]+@))?([\w.-]+\.[a-z]{2,})[:/](?!\d+/)([\w.~/-]+?)(?:\.git)?/?$"
)
_NAMED: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?/[\w.-]*[\w-]")
"""``owner/name`` and nothing else: recordings name repositories of GitHub so."""
_OWNER_NAME: Final = re.compile(r"([^/]+/[^/]+)$")


def public_address(repository: Repository, told: str | None = None) -> str | None:
    """The https address of a public host that a repository comes from; None where none is known.

    Args:
        repository: Its remotes are looked at first.
        told: What a session calls the repository.
    """
    return next(filter(None, (*map(remote_address, repository.remotes), told_address(told))), None)


def told_address(told: str | None) -> str | None:
    """The https address of what a session calls its repository, a URL or ``owner/name``; None where it is neither."""
    if told is not None and _NAMED.fullmatch(told):
        return f"https://github.com/{told.removesuffix('.git')}"
    return remote_address(told)


def remote_address(url: str | None) -> str | None:
    """The https address on a public host that a remote's URL names; None where it names none."""
    found = _HOST.match(url) if url else None
    return f"https://{found[1]}/{found[2].lstrip('/')}" if found else None


def owner_and_name(address: str) -> str | None:
    """The end of an address: ``owner/name``."""
    found = _OWNER_NAME.search(address)
    return found[1] if found else None


def is_pushed(repository: Repository, sha: str) -> bool:
    """Whether a commit is on a branch of a remote."""
    tips = [tip for name, tip in repository.refs.items() if name.startswith("refs/remotes/")]
    return any(repository.is_ancestor(sha, tip) for tip in tips)
