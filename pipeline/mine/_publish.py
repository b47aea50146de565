"""What must hold before a mined task may leave the machine."""

from swe_together.errors import TogetherError
from swe_together.pipeline.base import Base, Repository, is_pushed
from swe_together.pipeline.build import OPEN, license_of


class PublishError(TogetherError):
    """A task may not be passed on."""


def require_publishable(repository: Repository, base: Base) -> None:
    """Make sure that the code base may be passed on, and that others can fetch it.

    Raises:
        PublishError: It has no licence that is known to allow it, or its base is on no public branch.
    """
    found = license_of(repository, repository.tree(base.commit.sha))
    if found not in OPEN:
        raise PublishError(
            f"{repository.name}: its licence is {found}, which is not known to allow passing it on.",
            f"Known are {', '.join(sorted(OPEN))}; without one of them a task of it stays private.",
        )
    if not is_pushed(repository, base.commit.sha):
        raise PublishError(
            f"{repository.name}: the base {base.commit.sha[:12]} is on no branch of a remote.",
            "Push it first, or keep the task private.",
        )
