"""Whether the packages installed here satisfy what a Harbor in a folder of its own asks for.

``python setup/harbor_needs.py FOLDER``. Exit code 1: something is missing or has another version; it is named.
"""

import sys
from importlib.metadata import PackageNotFoundError, distributions, version

from packaging.requirements import Requirement


def unmet(folder: str) -> list[str]:
    """Requirements of the Harbor in ``folder`` that aren't met, each with what is there instead."""
    (harbor,) = (one for one in distributions(path=[folder]) if one.metadata["Name"] == "harbor")
    found = []
    for text in harbor.requires or []:
        needed = Requirement(text)
        if needed.marker is not None and not needed.marker.evaluate({"extra": ""}):
            continue
        try:
            here = version(needed.name)
        except PackageNotFoundError:
            found.append(f"{needed}: not installed")
            continue
        if not needed.specifier.contains(here, prereleases=True):
            found.append(f"{needed}: {here} is installed")
    return found


if __name__ == "__main__":
    missing = unmet(sys.argv[1])
    for line in missing:
        print(line, file=sys.stderr)
    raise SystemExit(1 if missing else 0)
