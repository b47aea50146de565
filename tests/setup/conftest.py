"""Runs the set-up scripts on made-up machines: a PATH of their own, with stand-ins for what a test is about."""

import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
_TOOLS = """bash env dirname cat mkdir mktemp rm id tail head awk sort comm fold tee find
    flock sha256sum cut tr grep chmod sleep timeout git mv touch cp printf sed"""


@dataclass
class Machine:
    """A machine with nothing on it but a few plain tools."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("bin", "home", "state"):
            (self.folder / name).mkdir(parents=True)
        for tool in _TOOLS.split():
            found = shutil.which(tool)
            assert found, f"these tests need {tool}"
            (self.folder / "bin" / tool).symlink_to(found)

    def put(self, name: str, script: str) -> None:
        """Put a program on the PATH; it writes its calls to ``calls``."""
        path = self.folder / "bin" / name
        path.unlink(missing_ok=True)
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"$CALLS"\n{script}\n')
        path.chmod(0o755)

    def user(self, uid: int = 1000) -> None:
        """Run as somebody who is not root and has no sudo."""
        self.put("id", f'[ "$1" = -u ] && echo {uid} || echo dev')

    def root(self) -> None:
        """Run as root, as far as the scripts can tell."""
        self.put("id", '[ "$1" = -u ] && echo 0 || echo root')

    def debian(self, *packages: str) -> None:
        """Give it apt that offers these packages, as ``name=version``; installing one is a call of apt-get."""
        cases = "\n".join(f"    {p.partition('=')[0]}) version={p.partition('=')[2] or '1'};;" for p in packages)
        find = f'name="${{*: -1}}" version=""\ncase "$name" in\n{cases}\n    *) ;;\nesac'
        self.put("dpkg", "")
        self.put("apt-get", "")
        self.put(
            "apt-cache",
            f'{find}\nif [ "$1" = show ]; then [ -n "$version" ]; else echo "  Candidate: ${{version:-(none)}}"; fi',
        )

    def run(self, command: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
        """Run a bash command at the root of the repository."""
        return subprocess.run(
            [str(self.folder / "bin" / "bash"), "-c", command],
            cwd=ROOT,
            env={
                "PATH": str(self.folder / "bin"),
                "HOME": str(self.folder / "home"),
                "SWE_TOGETHER_STATE": str(self.folder / "state"),
                "SWE_TOGETHER_SBIN": "",
                "CALLS": str(self.folder / "calls"),
                "TMPDIR": str(self.folder),
                **self.variables,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    @property
    def calls(self) -> list[str]:
        """What stand-ins were called with."""
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def called(self, start: str) -> list[str]:
        """The calls that begin like this."""
        return [call for call in self.calls if call.startswith(start)]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A bare machine on which the user is root."""
    made = Machine(tmp_path / "machine")
    made.root()
    return made


def sentences(text: str) -> list[str]:
    """The lines of an error output that are errors."""
    return [line for line in text.splitlines() if "error:" in line]
