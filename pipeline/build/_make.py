"""A plan of a task from a session, as far as rules go."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from swe_together.errors import TogetherError
from swe_together.gaps import gap, review
from swe_together.pipeline.base import (
    Base,
    Reference,
    Repository,
    Turn,
    find_base,
    make_reference,
    public_address,
    told_address,
    turns_of,
)
from swe_together.pipeline.build._anchors import DraftAnchor, anchors_of, changes_of, fold_repetitions, intents_of
from swe_together.pipeline.build._code import clear_reference, require_open_code
from swe_together.pipeline.build._language import language_of
from swe_together.pipeline.build._license import UNKNOWN, license_of
from swe_together.pipeline.build._phrases import PHRASES, language_of_messages
from swe_together.pipeline.build._plan import Plan, Prose
from swe_together.pipeline.build._recipe import ARCHIVE, recipe_for, write_archive
from swe_together.pipeline.clearing import Cleared
from swe_together.pipeline.sessions import Call, Session
from swe_together.schema import ArchiveSource, GitSource, Language
from swe_together.simulator.guards import named

_COMMIT: Final = re.compile(r"[0-9a-f]{40}")
RULES: Final = "plain rules, without a model"

_UNTOUCHED: Final = (
    "solution/: files that no edit of the agent was of are listed above; what the person changed by hand is no work of"
    " the agent's and doesn't belong into the reference"
)
_RECORDED: Final = (
    "instruction.md: these are the recorded words; write the message anew, in words of your own",
    "solution/turn-N.md: these are the recorded replies; write them anew, as short as they may be",
    "task.toml: the description quotes the first message; say in a sentence of your own what is to be done",
)
"""What a draft that may be passed on takes from the recording, beside the messages of its anchors."""


class DraftingError(TogetherError):
    """A session is no material for a task."""


def make_plan(
    cleared: Cleared,
    repository: Repository | None,
    *,
    name: str,
    given: str | None = None,
    archive: Path | None = None,
    file: Path | None = None,
) -> Plan:
    """Derive what can be derived.

    Args:
        cleared: The session. As it was recorded it proves the base; the draft is made from what may be written.
        repository: Where its code lies; without it the code base stays a gap.
        name: The task's.
        given: The base, where the caller knows it.
        archive: Where the environment's archive is written; without it the image fetches a public commit.
        file: What holds the recorded session; its digest is noted if it is a file of its own.

    Raises:
        BaseError: No commit of the repository is its base.
        DraftingError: Nobody speaks in it.
        PrivacyError: It can't be looked through, or the code base holds a secret and lies on no remote.
    """
    session = cleared.recorded
    said = [turn.text for turn in turns_of(cleared.written)]
    as_recorded, joined = fold_repetitions(turns_of(session), said)
    if not as_recorded:
        raise DraftingError(
            f"{session.origin.file}: nobody says anything in it.", "Take a session with a person in it."
        )
    base: Base | None = None
    reference: Reference | None = None
    reviews = list[str]()
    if repository is not None:
        base = find_base(session, repository, given)
        reference, reviews = clear_reference(make_reference(as_recorded, base, repository), repository, cleared, base)
        if reference.fidelity.untouched:
            reviews.append(review(_UNTOUCHED))
    turns, _ = fold_repetitions(turns_of(cleared.written), said)
    changes, added = changes_of(reference, repository)
    tongue = language_of_messages(turn.text for turn in turns)
    anchors = anchors_of(turns, changes, added, anew=cleared.keeps != "all", language=tongue)
    reviews += [review(f"session.json: {one}") for one in joined]
    license = gap("SPDX expression of the code base's licence")
    source: GitSource | ArchiveSource | None = None
    address, told_reviews = _address(cleared, repository)
    reviews += told_reviews
    dockerfile, exclude = _nothing_known(address), list[str]()
    language = _language_of_edits(session)
    if repository is not None and base is not None:
        tree = repository.tree(base.commit.sha)
        language = language_of(tree)
        license = license_of(repository, tree)
        if archive is not None:
            require_open_code(repository, base.commit.sha, cleared)
            missing = write_archive(repository, tree, base.commit.committed.timestamp(), archive)
            reviews += [
                review(f"environment/{ARCHIVE}: lacks {path}, whose content the repository doesn't hold")
                for path in missing
            ]
            source = ArchiveSource(
                repository=repository.name, commit=base.commit.sha, archive=ARCHIVE, sha256=_sha256(archive)
            )
        elif address is not None:
            source = GitSource(git=address, commit=base.commit.sha)
        if source is not None:
            git = (source.git, source.commit) if isinstance(source, GitSource) else None
            recipe = recipe_for(language, repository, tree, git=git)
            dockerfile, exclude = recipe.dockerfile, list(recipe.exclude)
            reviews += recipe.reviews
        if base.strength != "proven":
            reviews.append(review(f"README.md: the base is {base.strength}; look whether the session began there"))
    elif address is not None and _COMMIT.fullmatch(session.origin.commit or ""):
        source = GitSource(git=address, commit=session.origin.commit or "")
    if license == UNKNOWN:
        reviews.append(review("task.toml: the code base has no licence that is known; say which"))
    if cleared.keeps != "all":
        reviews += [review(one) for one in _RECORDED]
    if tongue not in PHRASES:
        reviews.append(review(f"simulator.md: the session is held in {named(tongue)}; labels were told by signs alone,"
                              " and on_question is English"))  # fmt: skip
    reviews += [
        review("intents.json: each follow-up is one intent, in its own words; split those that want several things"),
        review("spec.md: the messages one after the other; a later one may take back what an earlier one asked"),
        review("simulator.md: persona and analysis say only what a rule can say"),
    ]
    return Plan(
        name, cleared, turns, anchors, intents_of(anchors), plain_prose(turns, anchors), language, license, source,
        dockerfile, exclude, base, reference, repository, reviews,
        address=address, tongue=tongue,
        file_sha256=_sha256(file) if file is not None and file.is_file() else None,
    )  # fmt: skip


def plain_prose(turns: Sequence[Turn], anchors: Sequence[DraftAnchor]) -> Prose:
    """What can be said of a session without having understood it."""
    asked = [turn.text for turn in turns if turn.number == 0 or _asks(turn.number, anchors)]
    said = "\n".join(
        f"{turn.number}. {_line(turn.text)}"
        + ("" if turn.number == 0 else f" ({', '.join(tag.value for tag in anchors[turn.number - 1].label.tags)})")
        for turn in turns
    )
    return Prose(
        description=_line(turns[0].text, 120),
        persona="The developer whose session this is; writes as the messages are written.",
        analysis=f"What the user said, in order:\n\n{said}",
        spec="\n\n".join(asked) + "\n",
        author=RULES,
    )


def _asks(number: int, anchors: Sequence[DraftAnchor]) -> bool:
    return anchors[number - 1].label.tags[0].value in ("request", "correction", "nudge")


def _language_of_edits(session: Session) -> Language:
    calls = [
        event for event in session.events if isinstance(event, Call) and event.action in ("edit", "write", "patch")
    ]
    return language_of(call.path for call in calls if call.path)


def _address(cleared: Cleared, repository: Repository | None) -> tuple[str | None, list[str]]:
    """The public address of the code base, of the clone before what the session calls it, and what is to be read.

    What the session calls it counts only as it was recorded: an address with a placeholder in it is somebody else's.
    """
    recorded, written = (told_address(one.origin.repository) for one in (cleared.recorded, cleared.written))
    told = recorded if recorded == written else None
    if repository is None:
        return told, [] if told is None else [
            review(f"task.toml: {told} is what the session names; nothing says where in it the session began")
        ]  # fmt: skip
    own = public_address(repository)
    if own is not None and told is not None and own.casefold() != told.casefold():
        return own, [review(f"task.toml: the clone comes from {own}, and the session names {told}")]
    return own or told, []


def _nothing_known(address: str | None) -> str:
    code = f"the code base ({address})" if address else "the code base"
    return (
        "FROM debian:trixie-slim\nSTOPSIGNAL SIGKILL\n"
        f"# {gap(f'tools, the user agent, and {code} at its base in /workspace as one commit')}\n"
        "WORKDIR /workspace\n"
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _line(text: str, limit: int = 200) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
