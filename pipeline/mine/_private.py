"""Secrets and personal data are replaced in what is to leave the machine; what can't be replaced keeps it here."""

from pathlib import Path
from typing import Final

from swe_together.files import write_atomically
from swe_together.pipeline.base import Repository, is_pushed
from swe_together.pipeline.build import Plan
from swe_together.pipeline.clearing import kinds_told
from swe_together.pipeline.mine._publish import PublishError

_GENERATED: Final = ("tests/harness.py", "tests/restore.sh", "tests/test.sh", "tests/repository_tests.py")


def make_publishable(task: Path, plan: Plan, repository: Repository) -> None:
    """Replace secrets and personal data in a written task.

    What the person and the agent said is replaced; the reference and the repository's own tests are code and can't be.
    They may hold such data only where they are on a public branch already.

    Raises:
        PublishError: Code that is on no public branch holds secrets or personal data.
        PrivacyError: Something can't be looked through.
    """
    code = _code(task)
    if code and not _public(plan, repository):
        texts = {file: file.read_text(encoding="utf-8", errors="replace") for file in code}
        for text in texts.values():
            plan.cleared.learn(text)
        for file, text in texts.items():
            kinds = plan.cleared.look(text, file.name).report.counts()
            if kinds:
                raise PublishError(
                    f"{file.relative_to(task)} holds what must not leave the machine ({kinds_told(kinds)}), and is on"
                    " no public branch.",
                    "Take it out of the code and push that, or keep the task private.",
                )
    names = {file: file.relative_to(task).as_posix() for file in sorted(task.rglob("*")) if file.is_file()}
    words = {
        name: file.read_text(encoding="utf-8")
        for file, name in names.items()
        if file not in code and name not in _GENERATED
    }
    for name, text in plan.cleared.files(words).items():
        if text != words[name]:
            write_atomically(task / name, text)


def _code(task: Path) -> list[Path]:
    """Patches, and the repository's own tests."""
    own = sorted(path for path in (task / "tests" / "repository").rglob("*") if path.is_file())
    return [*sorted((task / "solution").glob("turn-*.patch")), *own]


def _public(plan: Plan, repository: Repository) -> bool:
    """Whether the reference is what was committed, on a branch of a remote."""
    if plan.base is None or plan.reference is None or plan.reference.fidelity.source != "commits":
        return False
    commits = [one.commit.sha for one in plan.base.links]
    return bool(commits) and all(is_pushed(repository, sha) for sha in commits)
