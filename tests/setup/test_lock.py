"""``requirements.lock``: one version of every dependency, within the bounds of the project file, with its digests."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.setup.conftest import ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ASKED = [Requirement(one) for one in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]]
BARE = {"types-pyyaml", "types-docker"}
"""Type stubs: they have no code."""


def locked() -> dict[str, tuple[str, list[str]]]:
    """Version and digests by name. A name may stand there once for each kind of machine; then the first counts."""
    found: dict[str, tuple[str, list[str]]] = {}
    for entry in re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n?", "", LOCK)):
        if not entry.strip():
            continue
        match = re.match(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(\S+)", entry)
        assert match, f"this names no version: {entry.splitlines()[0]}"
        digests = re.findall(r"--hash=sha256:([0-9a-f]{64})\b", entry)
        found.setdefault(canonicalize_name(match[1]), (match[2], digests))
    return found


LOCKED = locked()


@pytest.mark.parametrize("asked", ASKED, ids=lambda one: one.name)
def test_every_dependency_is_locked_within_its_bounds(asked: Requirement) -> None:
    name = canonicalize_name(asked.name)
    assert name in LOCKED, "make lock"
    assert asked.specifier.contains(LOCKED[name][0], prereleases=True), "make lock"
    assert name in BARE or any(one.operator in ("<", "<=", "==", "~=") for one in asked.specifier), "no upper bound"


def test_everything_that_is_locked_has_its_digests() -> None:
    assert [name for name, (_, digests) in LOCKED.items() if not digests] == []
    assert len(LOCKED) > len(ASKED), "what the dependencies need themselves is there too"
