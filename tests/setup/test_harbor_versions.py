"""The versions of Harbor that the adapter is tried with are those that it says it works with."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from swe_together import defaults
from tests.setup.conftest import ROOT

SCRIPT = (ROOT / "setup" / "harbor-versions.sh").read_text()
FOUND = re.search(r"^VERSIONS=\((.*)\)$", SCRIPT, re.MULTILINE)
VERSIONS = FOUND[1].split() if FOUND else []


def minor(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def test_every_supported_version_is_tried() -> None:
    low, high = (minor(one) for one in defaults.HARBOR_SUPPORTED)
    assert [minor(one) for one in VERSIONS] == [(low[0], number) for number in range(low[1], high[1])]


def test_the_package_asks_for_just_these() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    low, high = defaults.HARBOR_SUPPORTED
    assert f"harbor>={low},<{high}" in project["dependencies"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("pytest>=1", []),
        ("pytest>=999", ["pytest>=999: {pytest} is installed"]),
        ("no-such-package-of-anybody", ["no-such-package-of-anybody: not installed"]),
        ("no-such-package-of-anybody; extra == 'more'", []),
    ],
)
def test_what_a_version_needs_is_checked(
    asked: str, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "setup"), *sys.path])
    from harbor_needs import unmet  # type: ignore[import-not-found]

    folder = tmp_path / "harbor-9.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: harbor\nVersion: 9\nRequires-Dist: {asked}\n")
    assert unmet(str(tmp_path)) == [one.format(pytest=pytest.__version__) for one in said]
