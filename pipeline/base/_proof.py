"""Whether a commit is what a session began on: what edited files held before is looked up in the commit's tree."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from swe_together.pipeline.base._git import Repository
from swe_together.pipeline.base._paths import root_of, within
from swe_together.pipeline.base._seen import Seen, seen_blobs
from swe_together.pipeline.sessions import Call, Outcome, Session

REDACTED: Final = "REDACTED"
"""Recorders that black out secrets write this; such a text is not what the file held."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a session recorded of files before it first changed them.

    Attributes:
        root: The folder that was the repository's root; None where it isn't known.
        before: Content by path in the repository.
        left_out: Paths whose first change tells nothing, with the reason.
        seen: Blobs that git named in the session as its base's, by path; only where ``before`` has no content.
    """

    root: str | None
    before: Mapping[str, str]
    left_out: Mapping[str, str]
    seen: Mapping[str, Seen] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proof:
    """What the evidence says of one commit.

    Attributes:
        commit: Its hash.
        proven: Paths that held exactly this, but for e-mail addresses and names of home folders.
        refuted: Paths that held something else, or weren't there.
        parent: The session's first own commit was made on it.
    """

    commit: str
    proven: tuple[str, ...]
    refuted: tuple[str, ...]
    parent: bool = False

    @property
    def share(self) -> float | None:
        """Share of the paths that are proven; None where there is no evidence, which proves nothing.

        Where there are no paths, a commit on which the session's first was made is proven by that.
        """
        total = len(self.proven) + len(self.refuted)
        return len(self.proven) / total if total else 1.0 if self.parent else None


def evidence_of(session: Session, files: Sequence[str] | Mapping[str, object]) -> Evidence:
    """The content of each file before the session's first change of it.

    Args:
        session: The session.
        files: Paths of the repository, by which recorded paths are placed in it.
    """
    calls: dict[str, Call] = {}
    firsts: dict[str, tuple[str | None, str]] = {}
    for event in session.events:
        if isinstance(event, Call):
            calls[event.call_id] = event
        elif isinstance(event, Outcome) and (call := calls.get(event.call_id)) is not None:
            if call.action not in ("write", "edit", "patch") or call.path is None or event.status in _UNDONE:
                continue
            firsts.setdefault(call.path, (event.before, _why_not(call, event)))
    paths = [call.path for call in calls.values() if call.path is not None]
    root = root_of(paths, session.origin.cwd, set(files))
    before, left_out = dict[str, str](), dict[str, str]()
    for recorded, (content, why) in firsts.items():
        path = within(recorded, root)
        if path is None:
            left_out[recorded] = "lies outside the repository"
        elif why or content is None:
            left_out[path] = why
        else:
            before.setdefault(path, content)
    seen = {path: one for path, one in seen_blobs(session).items() if path not in before}
    return Evidence(root, before, left_out, seen)


def prove(repository: Repository, evidence: Evidence, commits: Sequence[str]) -> list[Proof]:
    """What the evidence says of each of these commits."""
    wanted = {path: _hashes(repository, content) for path, content in evidence.before.items()} | _named(
        repository, evidence.seen
    )
    questions = [(commit, path) for commit in commits for path in wanted]
    held = dict(zip(questions, repository.hashes(questions), strict=True))
    others = sorted({sha for (_, path), sha in held.items() if sha is not None and sha not in wanted[path]})
    same = _same_but_masked(repository, evidence.before, others)
    proofs = []
    for commit in commits:
        found = {path: held[commit, path] for path in wanted}
        proven = tuple(path for path, sha in found.items() if sha in wanted[path] or (path, sha) in same)
        proofs.append(Proof(commit, proven, tuple(path for path in wanted if path not in proven)))
    return proofs


def _named(repository: Repository, seen: Mapping[str, Seen]) -> dict[str, set[str]]:
    """The blobs that git named. What the repository never had was only staged, so it tells nothing of a commit."""
    known = dict(zip(seen, repository.full_names([one.blob for one in seen.values()]), strict=True))
    return {
        path: set() if sha is None else {sha}
        for path, sha in known.items()
        if sha is not None or seen[path].side == "head"
    }


def _same_but_masked(
    repository: Repository, before: Mapping[str, str], shas: Sequence[str]
) -> set[tuple[str, str | None]]:
    """Paths and blobs that are alike but for what those who pass sessions on replace: addresses and home folders."""
    wanted = {path: _masked(content) for path, content in before.items()}
    found = set[tuple[str, str | None]]()
    for sha, data in repository.blobs(shas):
        if data is not None:
            masked = _masked(data.decode("utf-8", "surrogateescape"))
            found |= {(path, sha) for path, text in wanted.items() if text == masked}
    return found


def _masked(text: str) -> str:
    return _PERSONAL.sub("", text.replace("\r\n", "\n").removeprefix("\ufeff"))


_PERSONAL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<=/Users/)[^/\s\"']+|(?<=/home/)[^/\s\"']+")
_UNDONE: Final = ("failed", "rejected", "aborted")


def _why_not(call: Call, outcome: Outcome) -> str:
    if outcome.before is None:
        return "its content before the change is not recorded"
    if REDACTED in outcome.before:
        return "its recorded content is blacked out"
    return ""


def _hashes(repository: Repository, content: str) -> set[str]:
    """What git may call a recorded text: programs record plain line ends whatever the file has."""
    plain = content.encode("utf-8", "surrogatepass")
    variants = {plain, plain.replace(b"\r\n", b"\n"), plain.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")}
    variants |= {b"\xef\xbb\xbf" + one for one in list(variants)[:1]}
    return {repository.hash_of(one) for one in variants}
