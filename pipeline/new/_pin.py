"""Where the code base of a task comes from, in the one line that a contributor writes, and how an image fetches it."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from swe_together.errors import MisuseError
from swe_together.gaps import gap

PIN_FORMS: Final = (
    "pypi:NAME==VERSION",
    "npm:NAME@VERSION",
    "debian:NAME=VERSION",
    "git:https://HOST/OWNER/NAME@COMMIT",
)
_FORMS: Final = {
    "pypi": re.compile(r"pypi:(?P<package>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[A-Za-z0-9][A-Za-z0-9.+!_-]*)"),
    "npm": re.compile(r"npm:(?P<package>(?:@[a-z0-9._-]+/)?[a-z0-9._-]+)@(?P<version>[0-9][A-Za-z0-9.+-]*)"),
    "debian": re.compile(r"debian:(?P<package>[a-z0-9][a-z0-9+.-]+)=(?P<version>[0-9][A-Za-z0-9.+:~-]*)"),
    "git": re.compile(r"git:(?P<package>https://[A-Za-z0-9.-]+/[\w./-]+?)@(?P<version>[0-9a-f]{40})"),
}
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_BASE: Final = "FROM debian:trixie-slim AS source\n"
_INSTALL: Final = "RUN apt-get update && apt-get install -y --no-install-recommends {}\nWORKDIR /src\n"


@dataclass(frozen=True)
class Pin:
    """A code base, pinned.

    Attributes:
        registry: ``pypi``, ``npm``, ``debian`` or ``git``.
        package: Its name there; for git the repository's address.
        version: Its version; for git the commit.
        sha256: Of the file that the registry delivers, or the mark of a gap; empty for git, whose commit says it.
    """

    registry: str
    package: str
    version: str
    sha256: str = ""

    @property
    def where(self) -> str:
        """For a reader."""
        if self.registry == "git":
            return f"{self.package} at {self.version[:12]}"
        named = {"pypi": "PyPI", "npm": "npm", "debian": "Debian"}[self.registry]
        return f"{self.package} {self.version} from {named}"

    @property
    def toml(self) -> str:
        """The table ``source`` of task.toml."""
        if self.registry == "git":
            return f"{{ git = {json.dumps(self.package)}, commit = {json.dumps(self.version)} }}"
        fields = {name: getattr(self, name) for name in ("registry", "package", "version", "sha256")}
        return "{ " + ", ".join(f"{name} = {json.dumps(value)}" for name, value in fields.items()) + " }"

    @property
    def download(self) -> str:
        """The first stage of the Dockerfile: it leaves the code base in ``/src/tree``."""
        return _BASE + _DOWNLOADS[self.registry](self)


def parse_pin(text: str, sha256: str = "") -> Pin:
    """Read a pin.

    Args:
        text: One of ``PIN_FORMS``.
        sha256: Of the registry's file; without it, a gap is left.

    Raises:
        MisuseError: It has none of the forms, or the digest is none.
    """
    registry = text.partition(":")[0]
    found = _FORMS[registry].fullmatch(text) if registry in _FORMS else None
    if found is None:
        raise MisuseError(
            f"{text!r} names no pinned code base.", f"Write it in one of the forms: {', '.join(PIN_FORMS)}."
        )
    if sha256 and (registry == "git" or not _SHA256.fullmatch(sha256)):
        problem = "a commit needs no sha256" if registry == "git" else "is no sha256 of 64 hexadecimal digits"
        raise MisuseError(f"--sha256 {sha256!r}: {problem}.", "Take it from the registry's page, or leave it out.")
    missing = "" if registry == "git" else gap(f"sha256 of the file that {registry} delivers")
    return Pin(registry, found["package"], found["version"], sha256 or missing)


def _pypi(pin: Pin) -> str:
    return (
        _INSTALL.format("ca-certificates python3-pip")
        + f'RUN echo "{pin.package}=={pin.version} --hash=sha256:{pin.sha256}" > pin.txt \\\n'
        + " && pip download --no-binary :all: --no-deps --require-hashes -r pin.txt \\\n"
        + " && mkdir tree && tar -xzf *.tar.gz --strip-components=1 -C tree"
    )


def _npm(pin: Pin) -> str:
    file = f"{pin.package.removeprefix('@').replace('/', '-')}-{pin.version}.tgz"
    return (
        _INSTALL.format("ca-certificates npm")
        + f"RUN npm pack --silent {pin.package}@{pin.version} \\\n"
        + f' && echo "{pin.sha256}  {file}" | sha256sum -c - \\\n'
        + f" && mkdir tree && tar -xzf {file} --strip-components=1 -C tree"
    )


def _debian(pin: Pin) -> str:
    return (
        _INSTALL.format("ca-certificates")
        + f"RUN apt-get download {pin.package}={pin.version} \\\n"
        + f' && echo "{pin.sha256}  $(ls *.deb)" | sha256sum -c - && dpkg-deb -x *.deb root \\\n'
        + f" && cp -r root/usr/{gap('folder of the sources in the package')} tree"
    )


def _git(pin: Pin) -> str:
    return (
        _INSTALL.format("ca-certificates git")
        + f"RUN git init -q tree && cd tree && git fetch -q --depth 1 {pin.package} {pin.version} \\\n"
        + " && git checkout -q FETCH_HEAD && rm -rf .git"
    )


_DOWNLOADS: Final[Mapping[str, Callable[[Pin], str]]] = {"pypi": _pypi, "npm": _npm, "debian": _debian, "git": _git}
