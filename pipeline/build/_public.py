"""What stands in the public tree that a session began on is public, and stays: fixtures of tests, example addresses.

Where anything about the tree is in doubt nothing stays for its sake: an unproven base, one that is on no branch of a
remote with a public address, or a code base without an open licence, as private ones are.
"""

import re
from collections.abc import Iterator
from typing import Final

from swe_together.pipeline.base import Base, Repository, is_pushed, public_address
from swe_together.pipeline.build._license import OPEN, license_of
from swe_together.pipeline.clearing import Cleared

_MAIL: Final = re.compile(r"[^\s<>,;:\"'()]+@[^\s<>,;:\"'()]+")
_AT_ONCE: Final = 200
"""Files that are read in one go."""


def publish_base(base: Base, repository: Repository, cleared: Cleared) -> None:
    """Keep what the session shares with the tree of its proven and public base.

    Raises:
        PrivacyError: The session can't be looked through.
    """
    sha = base.commit.sha
    public = base.strength == "proven" and public_address(repository) is not None and is_pushed(repository, sha)
    if public and license_of(repository, repository.tree(sha)) in OPEN:
        cleared.publish(_files(repository, sha), _authors(repository))


def _files(repository: Repository, sha: str) -> Iterator[bytes]:
    blobs = sorted({file.sha for file in repository.tree(sha).values() if file.mode.startswith("100")})
    for start in range(0, len(blobs), _AT_ONCE):
        for _, data in repository.blobs(blobs[start : start + _AT_ONCE]):
            if data is not None and b"\0" not in data:
                yield data


def _authors(repository: Repository) -> frozenset[bytes]:
    """Mail addresses in lower case of all who wrote a commit or are named in a message of one."""
    told = (mail for one in repository.all_commits() for mail in _MAIL.findall(f"{one.author}\n{one.message}"))
    return frozenset(mail.lower().encode("utf-8", "replace") for mail in told)
