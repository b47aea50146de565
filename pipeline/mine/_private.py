"""Secrets and personal data are replaced in what is to leave the machine; what can't be replaced keeps it here."""

import json
import re
from pathlib import Path
from typing import Final

from swe_together.files import write_atomically
from swe_together.pipeline.base import Repository
from swe_together.pipeline.build import Plan
from swe_together.pipeline.mine._publish import PublishError
from swe_together.pipeline.privacy import Policy, Redactor
from swe_together.schema import GitSource

_OWNER_NAME: Final = re.compile(r"([^/]+/[^/]+)$")
_GENERATED: Final = ("tests/harness.py", "tests/restore.sh", "tests/test.sh", "tests/repository_tests.py")


def make_publishable(task: Path, plan: Plan, repository: Repository) -> dict[str, int]:
    """Replace secrets and personal data in a written task.

    What the person and the agent said is replaced; the reference and the repository's own tests are code and can't be.
    They may hold such data only where they are on a public branch already.

    Returns:
        Replacements by kind.

    Raises:
        PublishError: Code that is on no public branch holds secrets or personal data.
        PrivacyError: Something can't be looked through.
    """
    source = plan.source
    found = _OWNER_NAME.search(source.git) if isinstance(source, GitSource) else None
    redactor = Redactor(policy=Policy(repositories=(found[1],) if found else ()))
    redactor.learn(plan.session)
    code = _code(task)
    if code and not _public(plan, repository):
        for file in code:
            kinds = redactor.text(file.read_text(encoding="utf-8", errors="replace"), file.name).report.counts()
            if kinds:
                told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
                raise PublishError(
                    f"{file.relative_to(task)} holds what must not leave the machine ({told}), and is on no public"
                    " branch.",
                    "Take it out of the code and push that, or keep the task private.",
                )
    counted = dict[str, int]()
    for file in sorted(task.rglob("*")):
        name = file.relative_to(task).as_posix()
        if not file.is_file() or file in code or name in _GENERATED:
            continue
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".json":
            done = redactor.json(json.loads(text), name)
            text = json.dumps(done.value, indent=2, ensure_ascii=False) + "\n"
        else:
            done = redactor.text(text, name)
            text = done.value
        for kind, number in done.report.counts().items():
            counted[kind] = counted.get(kind, 0) + number
        write_atomically(file, text)
    return counted


def _code(task: Path) -> list[Path]:
    """Patches, and the repository's own tests."""
    own = sorted(path for path in (task / "tests" / "repository").rglob("*") if path.is_file())
    return [*sorted((task / "solution").glob("turn-*.patch")), *own]


def _public(plan: Plan, repository: Repository) -> bool:
    """Whether the reference is what was committed, on a branch of a remote."""
    if plan.base is None or plan.reference is None or plan.reference.fidelity.source != "commits":
        return False
    remote = [sha for name, sha in repository.refs.items() if name.startswith("refs/remotes/")]
    commits = [one.commit.sha for one in plan.base.links]
    return bool(commits) and all(any(repository.is_ancestor(sha, tip) for tip in remote) for sha in commits)
