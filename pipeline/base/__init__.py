"""Where a recorded session began and what it came to: its base commit, proven, and its reference, with its fidelity."""

from swe_together.pipeline.base._address import is_pushed, owner_and_name, public_address, remote_address, told_address
from swe_together.pipeline.base._base import MIN_SHARE, Base, BaseError, Candidate, find_base
from swe_together.pipeline.base._git import Commit, File, Repository, Tree
from swe_together.pipeline.base._links import Linked, linked_commits
from swe_together.pipeline.base._paths import root_of, within
from swe_together.pipeline.base._proof import Evidence, Proof, evidence_of, prove
from swe_together.pipeline.base._reference import Fidelity, Reference, make_reference, stages_between
from swe_together.pipeline.base._replay import Replay, replay
from swe_together.pipeline.base._room import GitError
from swe_together.pipeline.base._turns import Turn, turns_of

__all__ = [
    "MIN_SHARE",
    "Base",
    "BaseError",
    "Candidate",
    "Commit",
    "Evidence",
    "Fidelity",
    "File",
    "GitError",
    "Linked",
    "Proof",
    "Reference",
    "Replay",
    "Repository",
    "Tree",
    "Turn",
    "evidence_of",
    "find_base",
    "is_pushed",
    "linked_commits",
    "make_reference",
    "owner_and_name",
    "prove",
    "public_address",
    "remote_address",
    "replay",
    "root_of",
    "stages_between",
    "told_address",
    "turns_of",
    "within",
]
