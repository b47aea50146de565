"""What the session's work came to, as patches: from its commits where they are known, else from its edits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from swe_together.pipeline.base._base import Base
from swe_together.pipeline.base._git import File, Repository, Tree
from swe_together.pipeline.base._links import Linked, printed_commits
from swe_together.pipeline.base._replay import Replay, replay
from swe_together.pipeline.base._turns import Turn


@dataclass(frozen=True, slots=True)
class Fidelity:
    """How far a reference can be relied on.

    Attributes:
        source: ``commits``: what was committed; ``replay``: the recorded edits alone.
        edits: Edits of the repository's files that the session made.
        applied: Those that could be done again on the base.
        drifted: Those before which something else had changed the file: a formatter, a command, the person.
        failed: Path and reason of edits that couldn't be done again.
        same_tree: Whether the edits alone lead to exactly what was committed; None without commits.
        differing: Paths where they don't.
        foreign: Commits between the base and the session's last one that aren't its own.
        untouched: Paths that the reference changes and no recorded edit was of: a command changed them, or the person.
    """

    source: Literal["commits", "replay"]
    edits: int
    applied: int
    drifted: int
    failed: tuple[tuple[str, str], ...]
    same_tree: bool | None
    differing: tuple[str, ...]
    foreign: int
    untouched: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """Share of the edits that could be done again; None where there were none."""
        return self.applied / self.edits if self.edits else None

    def __str__(self) -> str:
        told = f"{self.applied} of {self.edits} recorded edits could be done again on the base"
        if self.drifted:
            told += f"; before {self.drifted} of them something unrecorded had changed the file"
        if self.same_tree is not None:
            same = "lead to exactly what was committed"
            if not self.same_tree:
                same = f"differ from what was committed in {_listed(self.differing)}"
            told += f"; they {same}"
        if self.foreign:
            told += f"; {self.foreign} commits in between belong to somebody else, so only the files of its own count"
        if self.untouched:
            told += f"; no edit of the agent was of {_listed(self.untouched)}: a command changed them, or the person"
        return told


@dataclass(frozen=True, slots=True)
class Reference:
    """The reference of a session.

    Attributes:
        base: The commit that it begins on.
        tree: Where it leads to.
        stages: The patch of each turn that changed something, by its number; in order they lead from base to tree.
        trees: The tree after each turn.
        fidelity: How far it can be relied on.
    """

    base: str
    tree: str
    stages: Mapping[int, bytes]
    trees: tuple[str, ...]
    fidelity: Fidelity


def make_reference(turns: Sequence[Turn], base: Base, repository: Repository) -> Reference:
    """The reference of a session.

    Args:
        turns: The session.
        base: Its base, with its commits.
        repository: Where they lie.
    """
    done = replay(turns, repository, base.commit.sha, base.evidence.root)
    begin = repository.tree(base.commit.sha)
    target, foreign = _committed(base, repository)
    last = done.trees[-1] if done.trees else begin
    differing = () if target is None else tuple(sorted(_differing(last, target)))
    goal = last if target is None else target
    trees = [begin, *_stages(begin, done, goal, _committed_by(turns, base.links, begin, repository))]
    hashes = [repository.write_tree(tree) for tree in trees]
    return Reference(
        base.commit.sha,
        hashes[-1],
        stages_between(hashes, repository),
        tuple(hashes[1:]),
        Fidelity(
            "replay" if target is None else "commits", done.edits, done.applied, done.drifted, done.failed,
            None if target is None else not differing, differing, foreign,
            tuple(sorted(_differing(begin, goal) - done.paths)),
        ),
    )  # fmt: skip


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(paths[:5]) + (f" and {len(paths) - 5} more" if len(paths) > 5 else "")


def stages_between(trees: Sequence[str], repository: Repository) -> dict[int, bytes]:
    """The patch of each turn that changed something, of the base's tree and the trees after each turn."""
    return {number: repository.patch(old, new) for number, (old, new) in enumerate(pairwise(trees)) if old != new}


def _committed(base: Base, repository: Repository) -> tuple[Tree | None, int]:
    """The tree that the session's commits lead to, and how many others lie between."""
    mine = [one.commit for one in base.links if repository.is_ancestor(base.commit.sha, one.commit.sha)]
    mine = [one for one in mine if one.sha != base.commit.sha]
    if not mine:
        return None, 0
    last = mine[-1]
    known = {one.sha for one in mine}
    foreign = sum(1 for one in repository.between(base.commit.sha, last.sha) if one.sha not in known)
    if not foreign:
        return repository.tree(last.sha), 0
    tree = dict(repository.tree(base.commit.sha))
    for one in mine:
        held = repository.tree(one.sha)
        for path in repository.changed(one.parents[0], one.sha) if one.parents else held:
            if path in held:
                tree[path] = held[path]
            else:
                tree.pop(path, None)
    return tree, foreign


def _committed_by(turns: Sequence[Turn], links: Sequence[Linked], begin: Tree, repository: Repository) -> list[Tree]:
    """What had been committed by the end of each turn; the base's files before the first commit."""
    printed = {name: turn.number for turn in turns for name in printed_commits(turn.events)}
    made = dict[int, str]()
    for one in links:
        named = [turn for name, turn in printed.items() if one.commit.sha.startswith(name)]
        begun = [turn.number for turn in turns if turn.at is not None and turn.at <= one.commit.authored]
        made[(named or begun[-1:] or [0])[0]] = one.commit.sha
    trees, current = list[Tree](), begin
    for turn in turns:
        current = repository.tree(made[turn.number]) if turn.number in made else current
        trees.append(current)
    return trees


def _stages(begin: Tree, done: Replay, goal: Tree, committed: Sequence[Tree]) -> list[dict[str, File]]:
    """The tree after each turn.

    A file that the session edited is as the edits left it, and from its last edit on as it was committed; another one
    (changed by a command, or by hand) is as it had been committed by then.
    """
    edited = [begin, *done.trees]
    changing = [number for number, (old, new) in enumerate(pairwise(edited)) if old != new]
    last = len(done.trees) - 1
    stages = [dict(begin) for _ in done.trees]
    touched = {path for number in changing for path in _differing(edited[number], edited[number + 1])}
    for path in sorted(_differing(begin, goal) | touched):
        touching = [number for number in changing if edited[number].get(path) != edited[number + 1].get(path)]
        ways = done.trees if touching else committed
        settled = [number for number in range(last + 1) if _all(committed, path, goal, number)]
        end = (touching[-1:] or settled[:1] or changing[-1:] or [last])[0]
        for number, stage in enumerate(stages):
            held = goal.get(path) if number >= end else ways[number].get(path)
            if held is None:
                stage.pop(path, None)
            else:
                stage[path] = held
    return stages


def _all(committed: Sequence[Tree], path: str, goal: Tree, start: int) -> bool:
    """Whether a file had been committed as it is at the end from this turn on."""
    return all(tree.get(path) == goal.get(path) for tree in committed[start:])


def _differing(one: Tree, other: Tree) -> set[str]:
    return {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}
