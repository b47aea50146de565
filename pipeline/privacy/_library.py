"""The secret scanner that is used: Kingfisher, in this process, offline.

Chosen because it is maintained by a database maker for its own use, released every few weeks, licensed freely, linear
in time (Vectorscan), a wheel without a service or a download, and covers several hundred providers. Its rules are
the long tail; the most frequent tokens are ours as well, so that no release of it can lose them.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from swe_together.pipeline.privacy._model import PrivacyError
from swe_together.pipeline.privacy._plausible import is_made_up, is_reference, is_words


@cache
def shared_library() -> "Library":
    """The one scanner of this process: its rules take half a second to load."""
    return Library()


_NAMED: Final = re.compile(
    rb"(?i)^(?:x-)?(?:[a-z]{1,12}[_-])?(?:key|apikey|token|secret|password|signature|credential)=(?=.{8})"
)
"""A name that some rules take for a part of the value, as in ``Authorization: api-key=…``."""
SHORTEST: Final = 16
"""Bytes of a text below which the library is not asked: no token of a provider is shorter."""


WINDOW: Final = 16 << 10
"""Bytes that the library is given at a time: some of its rules take time in proportion to the square of a text."""
OVERLAP: Final = 2 << 10
"""Bytes that two windows share; a longer secret is a private key, and those are looked for in the whole text."""


class Library:
    """The scanner with its rules, compiled when first asked. Safe to use from one thread at a time."""

    def __init__(self) -> None:
        self._scanner: Any = None

    def find(self, data: bytes, seconds: float) -> Iterator[tuple[int, int, str]]:
        """Stretches of ``data`` that are secrets, with the rule's name.

        Raises:
            PrivacyError: The library is missing, failed, took longer than ``seconds``, or named a value that can't
                be found again.
        """
        for offset in range(0, max(1, len(data) - OVERLAP), WINDOW - OVERLAP):
            for start, end, kind in self._in_window(data[offset : offset + WINDOW], seconds):
                yield offset + start, offset + end, kind

    def _in_window(self, data: bytes, seconds: float) -> Iterator[tuple[int, int, str]]:
        if len(data) < SHORTEST:
            return
        try:
            findings = self._ready().scan(data, timeout=seconds)
        except TimeoutError:
            raise PrivacyError(f"the secret scanner took longer than {seconds:g} s.", "Give it more time.") from None
        except (RuntimeError, ValueError, TypeError, OSError) as error:
            raise PrivacyError(f"the secret scanner failed: {type(error).__name__}.", "Report it.") from None
        seen: set[bytes] = set()
        for finding in findings:
            secret = _NAMED.sub(b"", finding.secret.encode("utf-8", "surrogatepass"))
            if not finding.visible or secret in seen:
                continue
            seen.add(secret)
            if len(secret) < 8 or is_made_up(secret) or is_reference(secret) or is_words(secret):
                continue
            start = data.find(secret)
            if start < 0:
                raise PrivacyError(
                    f"the secret scanner's rule {finding.rule_id} named a value that is not in the text.", "Report it."
                )
            while start >= 0:
                yield start, start + len(secret), _kind(finding.rule_id)
                start = data.find(secret, start + len(secret))

    def _ready(self) -> Any:
        if self._scanner is None:
            try:
                from kingfisher_sdk import Rules, Scanner
            except ImportError:
                raise PrivacyError(
                    "the secret scanner is not installed.", "Install kingfisher-secret-scanner."
                ) from None
            self._scanner = Scanner(Rules(confidence="medium"), base64=False)
        return self._scanner


def _kind(rule: str) -> str:
    """``betterleaks.aws-access-token`` becomes ``aws-access-token``, in the letters that a placeholder may hold."""
    name = rule.lower().split(".", 1)[-1]
    return "".join(c if c.isalnum() and c.isascii() else "-" for c in name).strip("-")[:48] or "secret"
