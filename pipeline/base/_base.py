"""The commit that a session began on: candidates from all that is known, each proven, the best that holds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from swe_together.errors import TogetherError
from swe_together.pipeline.base._git import Commit, Repository
from swe_together.pipeline.base._links import Linked, linked_commits
from swe_together.pipeline.base._proof import Evidence, Proof, evidence_of, prove
from swe_together.pipeline.sessions import Session

Source = Literal["given", "record", "link", "branch", "time", "nearby"]
Strength = Literal["proven", "partly", "unproven"]

NEARBY: Final = 2_000
"""Older commits of all branches that are tried where no candidate is proven whole."""
MIN_SHARE: Final = 0.8
"""Below this share of proven paths a commit is no base."""


class BaseError(TogetherError):
    """No commit is the base of a session."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A commit that may be the base, why, and what the evidence says of it.

    Attributes:
        commit: The commit.
        source: ``given`` by the caller; ``record``: the session names it; ``link``: the parent of its first own
            commit; ``branch``, ``time``: the last commit before it began, of its branch or of the default branch;
            ``nearby``: found by trying older ones.
        proof: What edited files held there.
        younger: It was made after the session had begun, and so is refused.
    """

    commit: Commit
    source: Source
    proof: Proof
    younger: bool


@dataclass(frozen=True, slots=True)
class Base:
    """The base, and what else was tried.

    Attributes:
        commit: The commit.
        source: How it was found.
        strength: ``proven``: every recorded file is as it was; ``partly``: most are; ``unproven``: nothing recorded
            tells.
        proof: Which paths are proven and which refuted.
        evidence: What the session recorded.
        candidates: All that were tried by name, the chosen one among them.
        links: The session's own commits.
    """

    commit: Commit
    source: Source
    strength: Strength
    proof: Proof
    evidence: Evidence
    candidates: tuple[Candidate, ...]
    links: tuple[Linked, ...]


def find_base(session: Session, repository: Repository, given: str | None = None) -> Base:
    """Find the commit that a session began on.

    Args:
        session: The session.
        repository: Its repository.
        given: A commit that the caller knows; it is proven as any other.

    Raises:
        BaseError: There is none: every candidate is younger than the session, refuted, or not there.
    """
    evidence = _evidence(session, repository)
    links = linked_commits(session, repository, _changed(session, evidence))
    named = _named(session, repository, links, given)
    started = session.started
    unknown = given if given is not None and not named else None
    if unknown is not None:
        raise BaseError(f"{repository.path} holds no commit {unknown}.", "Fetch it, or give another one.")
    parent = _parent(session, links)
    proofs = {
        proof.commit: replace(proof, parent=proof.commit == parent)
        for proof in prove(repository, evidence, [sha for sha, _ in named])
    }
    tried = [
        Candidate(commit, source, proofs[sha], started is not None and commit.committed > started)
        for sha, source in named
        for commit in [repository.commit(sha)]
    ]
    allowed = [one for one in tried if not one.younger]
    if given is None and not any(one.proof.share == 1 for one in allowed):
        better = _nearby(session, repository, evidence, {one.commit.sha for one in tried}, links)
        allowed += better
        tried += better
    best = max(allowed, key=_rank, default=None)
    if best is None:
        raise BaseError(_none_told(session, repository, tried), "Give the commit it began on: --base COMMIT.")
    share = best.proof.share
    if share is not None and share < MIN_SHARE:
        shown = ", ".join(best.proof.refuted[:5])
        raise BaseError(
            f"No commit of {repository.path} holds what the session's files held before it changed them: the best, "
            f"{best.commit.sha[:12]}, has {len(best.proof.proven)} of"
            f" {len(best.proof.proven) + len(best.proof.refuted)}, and others at {shown}.",
            "It may have begun with changes that were never committed, or on a commit that is gone.",
        )
    strength: Strength = "unproven" if share is None else "proven" if share == 1 else "partly"
    return Base(best.commit, best.source, strength, best.proof, evidence, tuple(tried), tuple(links))


def _rank(candidate: Candidate) -> tuple[float, int, float]:
    """More proven first, then the better source, then the younger."""
    order: tuple[Source, ...] = ("nearby", "time", "branch", "link", "record", "given")
    share = candidate.proof.share
    return (-1.0 if share is None else share, order.index(candidate.source), candidate.commit.committed.timestamp())


def _evidence(session: Session, repository: Repository) -> Evidence:
    """Paths are placed by the files of every tip that could be meant: what was removed later lies in an old one."""
    tips = [session.origin.commit, session.origin.branch, repository.default_branch, "HEAD"]
    files = dict[str, object]()
    for tip in tips:
        if tip is not None and (sha := repository.resolve(tip)) is not None:
            files |= repository.tree(sha)
    return evidence_of(session, files)


def _changed(session: Session, evidence: Evidence) -> set[str]:
    return set(evidence.before) | set(evidence.left_out)


def _named(
    session: Session, repository: Repository, links: list[Linked], given: str | None
) -> list[tuple[str, Source]]:
    """Candidates that something speaks for, each once, the best source first."""
    found = dict[str, Source]()
    if given is not None:
        sha = repository.resolve(given)
        return [] if sha is None else [(sha, "given")]
    if session.origin.commit is not None and (sha := repository.resolve(session.origin.commit)) is not None:
        found.setdefault(sha, "record")
    for parent in links[0].commit.parents[:1] if links else ():
        if repository.resolve(parent) is not None:
            found.setdefault(parent, "link")
    if session.started is not None:
        for source, tip in _tips(session, repository):
            before = (one for one in repository.first_parents(tip) if one.committed <= session.started)
            if (last := next(before, None)) is not None:
                found.setdefault(last.sha, source)
    return list(found.items())


def _parent(session: Session, links: list[Linked]) -> str | None:
    """The commit on which the session's first own one was made; None where only its time speaks for that one."""
    if not links or links[0].by == "time":
        return None
    first = links[0].commit
    made = session.started is None or first.committed >= session.started
    return first.parents[0] if made and len(first.parents) == 1 else None


def _tips(session: Session, repository: Repository) -> Iterator[tuple[Source, str]]:
    branch = session.origin.branch
    if branch is not None:
        tip = repository.resolve(branch) or repository.resolve(f"origin/{branch}")
        if tip is not None:
            yield "branch", tip
    if repository.default_branch is not None:
        yield "time", repository.refs[repository.default_branch]


def _nearby(
    session: Session, repository: Repository, evidence: Evidence, known: set[str], links: list[Linked]
) -> list[Candidate]:
    """The best of the commits made before the session, whatever branch they are on."""
    if not (evidence.before or evidence.seen) or session.started is None:
        return []
    around = repository.all_commits(until=session.started)
    shas = [one for one in around if one.sha not in known][:NEARBY]
    proofs = prove(repository, evidence, [one.sha for one in shas])
    ranked = [Candidate(one, "nearby", proof, False) for one, proof in zip(shas, proofs, strict=True)]
    best = max(ranked, key=_rank, default=None)
    return [best] if best is not None and best.proof.proven else []


def _none_told(session: Session, repository: Repository, tried: list[Candidate]) -> str:
    if tried:
        shown = ", ".join(
            f"{one.commit.sha[:12]} ({one.source}, {one.commit.committed:%Y-%m-%d %H:%M})" for one in tried
        )
        return (
            f"Every commit that session {session.origin.session_id} may have begun on is younger than the session"
            f" ({session.started:%Y-%m-%d %H:%M}): {shown}. It may hold part of the session's own work."
        )
    return f"Nothing says on which commit of {repository.path} session {session.origin.session_id} began."
