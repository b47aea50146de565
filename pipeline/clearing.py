"""What of a recorded session may be written and sent: the one way from a session to files and to models.

A command reads a session, clears it here, and makes everything else from what it is given back. Proofs alone look at
the session as it was recorded: they compare it with what lies on this machine.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from swe_together.pipeline.base import Repository, owner_and_name, public_address
from swe_together.pipeline.privacy import Policy, Redacted, Redactor, Report, Salt
from swe_together.pipeline.sessions import Session

Keeps = Literal["nothing", "code", "all"]
"""What is written as it was recorded.

``nothing``: words and code are written without secrets and personal data. ``code``: words are; code is left as it is,
and whoever writes it has to see that it is clean. ``all``: what is written stays on this machine. What a model is sent
is cleared in each case.
"""


@dataclass(frozen=True)
class Clearing:
    """How the sessions of a run are cleared.

    Attributes:
        salt: Keys the placeholders: the same value reads the same in all that is made with it.
        keeps: What is written as it was recorded.
        names: Names that are never replaced.
        hide: Words that are always replaced.
    """

    salt: Salt
    keeps: Keeps = "nothing"
    names: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()

    def session(self, recorded: Session, repository: Repository | None = None) -> "Cleared":
        """Clear a session. The owner of the repository that its task is of stays where the repository has an address.

        Nothing is looked through before something is written or sent, so this raises nothing.
        """
        address = None if repository is None else public_address(repository, recorded.origin.repository)
        slug = address and owner_and_name(address)
        policy = Policy((slug,) if slug else (), self.names, self.hide)
        return Cleared(recorded, self.keeps, Redactor(self.salt, policy))

    def keeping(self, keeps: Keeps) -> "Clearing":
        """The same, with something else written as it was recorded."""
        return replace(self, keeps=keeps)


class Cleared:
    """A recorded session, and what of it may be written and sent.

    Attributes:
        recorded: As it was recorded: for proofs alone.
        keeps: What is written as it was recorded.
    """

    def __init__(self, recorded: Session, keeps: Keeps, redactor: Redactor) -> None:
        self.recorded = recorded
        self.keeps = keeps
        self._unread = redactor
        self._beside = Report()
        self._looked = False

    @property
    def shown(self) -> Session:
        """What a model may be sent: the session without secrets and personal data.

        Raises:
            PrivacyError: It can't be looked through.
        """
        return self._session.value

    @property
    def report(self) -> Report:
        """What was replaced so far: in the session, where it was looked through, and in what stands beside it."""
        whole = Report()
        if self._looked:
            whole.extend(self._session.report)
        whole.extend(self._beside)
        return whole

    @cached_property
    def _redactor(self) -> Redactor:
        """It knows the session before it looks at anything else."""
        self._unread.learn(self.recorded)
        return self._unread

    @cached_property
    def _session(self) -> Redacted[Session]:
        self._looked = True
        return self._redactor.apply(self.recorded, "session")

    @property
    def written(self) -> Session:
        """What files are made from.

        Raises:
            PrivacyError: It can't be looked through.
        """
        return self.recorded if self.keeps == "all" else self.shown

    def files(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Files as they may be written, by their name: the last look, for what did not come from the session.

        Raises:
            PrivacyError: One of them can't be looked through.
        """
        if self.keeps == "all":
            return dict(texts)
        for text in texts.values():
            self.learn(text)
        return {name: self._file(name, text) for name, text in texts.items()}

    def learn(self, text: str) -> None:
        """Remember what is secret or personal in a text that belongs to the session; its words go from there too.

        Raises:
            PrivacyError: It can't be looked through.
        """
        before = len(self._redactor.known)
        self._redactor.learn(text)
        if len(self._redactor.known) > before:
            self.__dict__.pop("_session", None)

    def publish(self, files: Iterable[bytes], authors: frozenset[bytes]) -> None:
        """What the session holds and one of these public files holds too stays as it is; but not names and accounts.

        Args:
            files: Of a tree that everybody can read.
            authors: Mail addresses in lower case of those who work on it: they are replaced all the same.

        Raises:
            PrivacyError: The session can't be looked through.
        """
        before = len(self._redactor.known)
        self._redactor.publish(files, authors)
        if len(self._redactor.known) > before:
            self.__dict__.pop("_session", None)

    def text(self, text: str, place: str) -> str:
        """A text without what is secret or personal in it, or was learnt before.

        Raises:
            PrivacyError: It can't be looked through.
        """
        return self._counted(self.look(text, place))

    def look(self, text: str, place: str) -> Redacted[str]:
        """The same, without counting it: to see what a text holds.

        Raises:
            PrivacyError: It can't be looked through.
        """
        return self._redactor.apply(text, place)

    def holds_secret(self, data: bytes) -> bool:
        """Whether a secret that was learnt stands in some bytes as it is."""
        return self._redactor.holds_known_secret(data)

    def _file(self, name: str, text: str) -> str:
        if not name.endswith(".json"):
            return self.text(text, name)
        clean = self._redactor.apply(json.loads(text), name)
        if not clean.report.findings:
            return text
        return json.dumps(self._counted(clean), indent=2, ensure_ascii=False) + "\n"

    def _counted[T](self, clean: Redacted[T]) -> T:
        self._beside.extend(clean.report)
        return clean.value


def kinds_told(counts: Mapping[str, int]) -> str:
    """``3 github-token, 1 email``, most frequent first."""
    return ", ".join(f"{number} {kind}" for kind, number in Counter(counts).most_common())
