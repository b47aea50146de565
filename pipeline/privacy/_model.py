"""What is found, what is given back, and the error that stops everything."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from swe_together.errors import TogetherError

Family = Literal["secret", "email", "phone", "address", "host", "account", "person", "bank"]
"""What sort of thing a finding is. ``address``: of the internet. ``account``: a user's name on a machine.

``person``: a person's name. ``bank``: a card or account number. Everything else that must not be read is a ``secret``.
"""

FAMILIES: Final[tuple[Family, ...]] = (
    "secret",
    "email",
    "phone",
    "address",
    "host",
    "account",
    "person",
    "bank",
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a dataset keeps, and what it hides on top of what is found.

    Attributes:
        repositories: ``owner/name`` of public repositories that the data is about. Their owners' names are public
            with them and stay, but for home paths.
        keep: Names that are never replaced.
        hide: Words that are always replaced, such as a customer's name.
        seconds: What the secret scanner may take for one text.
    """

    repositories: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    seconds: float = 30.0


class PrivacyError(TogetherError):
    """A text could not be looked through to its end, so nothing of it is given or written.

    Its message names the place and the reason, and never quotes the text.
    """


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One replacement, told without the value.

    Attributes:
        place: Where, as ``line 12 /message/content/0/text``; keys in it are already redacted.
        kind: The rule's name, such as ``github-token``.
        family: Its sort.
        digest: Eight hex digits of the value under the dataset's salt; the same stand in the placeholder.
        length: Bytes in UTF-8 of the value as it was learnt, not of the stretch that was replaced: where a first name
            or an escaped copy went, of the full name without escapes.
    """

    place: str
    kind: str
    family: Family
    digest: str
    length: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was left out of the output because it could not be looked through."""

    place: str
    reason: str


@dataclass(slots=True)
class Report:
    """What was replaced, left out and not looked into. Holds no value that was replaced."""

    findings: list[Finding] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    pictures: int = 0
    """Embedded pictures and other binary bodies that were kept. No rule reads them: a person should."""

    def counts(self) -> dict[str, int]:
        """Replacements by kind, most frequent first."""
        return dict(Counter(finding.kind for finding in self.findings).most_common())

    def extend(self, other: "Report") -> None:
        """Add another report to this one."""
        self.findings.extend(other.findings)
        self.problems.extend(other.problems)
        self.pictures += other.pictures

    def rows(self) -> Iterable[dict[str, str | int]]:
        """One plain mapping a finding, for JSON Lines or CSV."""
        for finding in self.findings:
            yield {
                "place": finding.place,
                "kind": finding.kind,
                "family": finding.family,
                "digest": finding.digest,
                "length": finding.length,
            }


@dataclass(frozen=True, slots=True)
class Redacted[T]:
    """A redacted copy, and what was done to it."""

    value: T
    report: Report


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch ``[start, end)`` of bytes that must go.

    Attributes:
        start: First byte.
        end: Byte after the last.
        kind: The rule's name.
        family: Its sort.
        rank: Orders rules where stretches overlap, lowest first.
        value: What is digested for the placeholder.
        plain: For an encoded body, the text that it says.
        encode: Writes a changed ``plain`` in the body's encoding; None where a placeholder stands for the body.
    """

    start: int
    end: int
    kind: str
    family: Family
    rank: int
    value: bytes
    plain: bytes | None = None
    encode: Callable[[bytes], bytes] | None = None
