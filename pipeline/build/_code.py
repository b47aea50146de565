"""Code that a task carries: what the session wrote into it is cleared, and what was there before holds no secret."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import Final

from swe_together.gaps import review
from swe_together.pipeline.base import Base, File, Reference, Repository, Tree, is_pushed, stages_between
from swe_together.pipeline.build._public import publish_base
from swe_together.pipeline.clearing import Cleared, kinds_told
from swe_together.pipeline.privacy import PrivacyError, is_picture

_PLAIN: Final = ("100644", "100755", "120000")


def clear_reference(
    reference: Reference, repository: Repository, cleared: Cleared, base: Base
) -> tuple[Reference, list[str]]:
    """A reference in which nothing secret or personal stands that the session brought in.

    Lines that the base's own file holds stay as they are, since the patches have to fit it; where no remote has the
    base, they may hold no secret.

    Args:
        reference: The reference.
        repository: Where its trees lie, and where the new ones are put.
        cleared: The session. What its public base holds as well stays in it from here on.
        base: The base, and how well it is proven.

    Returns:
        The reference, and what a person should look at.

    Raises:
        PrivacyError: Something of it can't be looked through, or a secret stands in code that is on no remote.
    """
    if cleared.keeps == "all":
        return reference, []
    if cleared.keeps == "code":
        publish_base(base, repository, cleared)
        return reference, []
    work = _Clearing(repository, repository.tree(reference.base), cleared)
    trees = [repository.tree(one) for one in reference.trees]
    for tree in trees:
        work.learn(tree)
    publish_base(base, repository, cleared)
    hashes = [repository.write_tree(work.clean(tree)) for tree in trees]
    if tuple(hashes) == reference.trees:
        clean = reference
    else:
        stages = stages_between([repository.write_tree(repository.tree(reference.base)), *hashes], repository)
        clean = replace(reference, tree=hashes[-1], stages=stages, trees=tuple(hashes))
    if not is_pushed(repository, reference.base):
        for turn, patch in clean.stages.items():
            if cleared.holds_secret(patch):
                raise _in_code_base(f"what turn {turn} changes")
    told = [f"solution/: {path} is no text and was not looked through" for path in sorted(work.pictures)]
    if work.replaced:
        told.append(
            f"solution/: {work.replaced} secrets or names in the code were replaced; see that the reference works"
        )
    return clean, [review(one) for one in told]


def require_open_code(repository: Repository, commit: str, cleared: Cleared) -> None:
    """Make sure that a code base may be carried by a task: it is on a branch of a remote, or holds no secret.

    Raises:
        PrivacyError: A file of it holds a secret, or can't be looked through.
    """
    if cleared.keeps != "nothing" or is_pushed(repository, commit):
        return
    tree = repository.tree(commit)
    plain = {file.sha: path for path, file in tree.items() if file.mode in _PLAIN}
    for sha, data in repository.blobs(sorted(plain)):
        if data is None or b"\0" in data:
            continue
        found = cleared.look(_text(data), plain[sha]).report.findings
        secrets = [one.kind for one in found if one.family == "secret"]
        if secrets:
            told = kinds_told({kind: secrets.count(kind) for kind in secrets})
            raise _in_code_base(f"{cleared.look(plain[sha], '').value} ({told})")


def _in_code_base(where: str) -> PrivacyError:
    return PrivacyError(
        f"The code base holds a secret in {where}, and its commit is on no branch of a remote.",
        "Take it out of the code and push that, or write the task for this machine alone: --raw.",
    )


class _Clearing:
    """Clears the files of trees that differ from those of the base."""

    def __init__(self, repository: Repository, base: Tree, cleared: Cleared) -> None:
        self.pictures = set[str]()
        self.replaced = 0
        self._repository = repository
        self._base = base
        self._cleared = cleared
        self._paths = dict[str, str]()
        self._blobs = dict[tuple[str, str], str]()

    def learn(self, tree: Tree) -> None:
        """Remember what is secret or personal in it: a later file may quote it."""
        for path, file in self._changed(tree).items():
            if (text := self._read(path, file)) is not None:
                self._cleared.learn(text)

    def clean(self, tree: Tree) -> Tree:
        """The tree without what the session brought in."""
        clean = dict(tree)
        for path, file in self._changed(tree).items():
            if path not in self._base:
                del clean[path]
            clean[self._path(path)] = replace(file, sha=self._blob(path, file))
        if len(clean) != len(tree):
            raise PrivacyError("Two files have the same name once redacted.", "Keep the session raw: --raw.")
        return clean

    def _changed(self, tree: Tree) -> Mapping[str, File]:
        return {path: file for path, file in tree.items() if self._base.get(path) != file and file.mode in _PLAIN}

    def _path(self, path: str) -> str:
        """A file's name; one that the base has keeps its own."""
        if path not in self._paths:
            self._paths[path] = path if path in self._base else self._replaced(path, "the name of a file")
        return self._paths[path]

    def _blob(self, path: str, file: File) -> str:
        key = path, file.sha
        if key not in self._blobs:
            text = self._read(path, file)
            clean = None if text is None else self._text(path, text)
            self._blobs[key] = file.sha if clean in (None, text) else self._repository.put(_bytes(str(clean)))
        return self._blobs[key]

    def _read(self, path: str, file: File) -> str | None:
        data = self._repository.blob(file.sha)
        if b"\0" not in data:
            return _text(data)
        if not is_picture(data):
            raise PrivacyError(
                f"{self._path(path)}: the session added bytes that are no text.", "Keep the session raw: --raw."
            )
        self.pictures.add(self._path(path))
        return None

    def _text(self, path: str, text: str) -> str:
        if self._cleared.look(text, path).value == text:
            return text
        known = self._base.get(path)
        own = set(_text(self._repository.blob(known.sha)).splitlines(True)) if known and known.mode in _PLAIN else set()
        parts = []
        for old, lines in groupby(text.splitlines(True), own.__contains__):
            block = "".join(lines)
            parts.append(block if old else self._replaced(block, self._path(path)))
        clean = "".join(parts)
        # Something may lie across an old line and a new one: then neither was found.
        again = self._cleared.look(clean, path).value
        if set(clean.splitlines(True)) - own - set(again.splitlines(True)):
            raise PrivacyError(
                f"{self._path(path)}: what must go lies across lines of the code base.", "Keep the session raw: --raw."
            )
        return clean

    def _replaced(self, text: str, place: str) -> str:
        self.replaced += len(self._cleared.look(text, place).report.findings)
        return self._cleared.text(text, place)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
