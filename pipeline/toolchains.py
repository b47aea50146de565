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
