"""Values that stand in a public tree: everybody can read them there already, and a test may rest on them.

Accounts, names and hosts never count, since they lead to the person who recorded the session; nor do the mail
addresses of those who work on the code.
"""

from collections.abc import Iterable
from typing import Final

from swe_together.pipeline.privacy._known import Known
from swe_together.pipeline.privacy._model import Family
from swe_together.pipeline.privacy._people import people
from swe_together.pipeline.privacy._settings import beside_mail

OPEN: Final[tuple[Family, ...]] = ("secret", "email", "phone", "address", "bank")
"""Families whose values may be public."""


def open_values(known: Known, files: Iterable[bytes], authors: frozenset[bytes]) -> set[tuple[Family, bytes]]:
    """The known values that stand in one of these files.

    A mail address counts only where no file that holds it has a person's name beside any address, and where what
    stands before its ``@`` is no known account or name.

    Args:
        known: What was learnt of the dataset.
        files: The public tree.
        authors: Mail addresses in lower case that never count.
    """
    found = set[tuple[Family, bytes]]()
    theirs = {("email", author) for author in authors}
    for data in files:
        here = {(span.family, span.value) for span in known.spans(data) if span.family in OPEN}
        if any(family == "email" for family, _ in here) and (any(people(data)) or any(beside_mail(data))):
            theirs |= here
        found |= here
    return {one for one in found if one[0] != "email" or not (one in theirs or _leads(known, one[1]))}


def _leads(known: Known, mail: bytes) -> bool:
    """Whether a mail address is made of an account or a name that goes."""
    return any(span.family in ("account", "person") for span in known.spans(mail.partition(b"@")[0]))
