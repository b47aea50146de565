"""Debian's packages that an image needs, by the language of the code base."""

from collections.abc import Mapping
from typing import Final

COMMON: Final = ("bash", "ca-certificates", "curl", "git", "procps", "python3")
"""Every image has these: an agent's installer needs curl, our instruments need python3 and procps."""
TOOLCHAINS: Final[Mapping[str, tuple[str, ...]]] = {
    "python": ("python3-pip", "python3-pytest"),
    "javascript": ("nodejs",),
    "typescript": ("nodejs",),
    "go": ("golang-go",),
    "rust": ("cargo", "rustc"),
    "c": ("gcc", "libc6-dev", "make"),
    "cpp": ("g++", "make"),
    "java": ("default-jdk-headless",),
    "ruby": ("ruby",),
    "php": ("php-cli",),
    "perl": ("perl",),
    "shell": (),
}
EXCLUDED: Final[Mapping[str, tuple[str, ...]]] = {"rust": ("workspace/target",)}
"""What a build leaves in the tree and no state needs, relative to ``/``."""
SETTINGS: Final[Mapping[str, str]] = {"go": "ENV GOTOOLCHAIN=local GOPROXY=off\n"}
"""Lines of a Dockerfile that keep a toolchain from fetching anything."""
BUILT: Final[Mapping[str, str]] = {
    "go": "# The standard library is compiled once, here, and not in every container.\n"
    "RUN su agent -c 'go test -run \"^$\" . && go clean -testcache'\n"
}
"""Lines at the end of a Dockerfile that spare every container a long first build."""
