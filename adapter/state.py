"""The final state: the working trees byte for byte, packed by root's tar, and proven equal without git.

The state is one archive. Its last member is a list of what it covers, so that an archive that holds the list is
whole, and ``restore.sh`` needs to know nothing but the archive.
"""

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

from swe_together import defaults
from swe_together.adapter.container import CLEAN_PATH, Container, ask

STATE_PATH: Final = f"{defaults.STATE_DIR}/{defaults.STATE_FILE}"
LIST_MEMBER: Final = "swe-together.list"
MANIFEST_ENTRIES: Final = 500_000
_COLLECT: Final = """\
export PATH={path} LC_ALL=C; unset TAR_OPTIONS; umask 077; cd /; d={folder}; f={file}; \
mkdir -p $d && rm -f $d/$f $d/$f.new && printf '%s\\n' {lines} > $d/{member} && set -- && \
for t in {trees}; do if [ -e "/$t" ] || [ -L "/$t" ]; then set -- "$@" "--add-file=$t"; fi; done && \
{{ tar --create --file=$d/$f.new --format=posix --sparse --numeric-owner --no-unquote --anchored --no-wildcards \
{excludes}-C / "$@" -C $d --add-file={member}; [ $? -le 1 ]; }} && mv -fT $d/$f.new $d/$f && rm -f $d/{member} || \
{{ rm -f $d/$f $d/$f.new $d/{member}; echo "the state was not packed" >&2; exit 1; }}"""


@dataclass(frozen=True)
class Entry:
    """One entry of a tree.

    Attributes:
        type: ``file``, ``folder``, ``link``, ``fifo`` or ``device``. Sockets end with their process and have no entry.
        mode: Permission bits, setuid, setgid and sticky included. Links have none of their own: 0o777.
        uid: Owner.
        gid: Group.
        mtime_ns: Time of the last change of content, nanoseconds since 1970.
        target: Where a link leads; empty for anything else.
        size: Bytes of a file; 0 for anything else.
        sha256: Of a file's content, in hexadecimal; empty for anything else.
        same_as: The first path, in the order of bytes, that is the same file (a hard link); empty for that one itself.
    """

    type: str
    mode: int
    uid: int
    gid: int
    mtime_ns: int
    target: bytes = b""
    size: int = 0
    sha256: str = ""
    same_as: bytes = b""


Manifest = Mapping[bytes, Entry]
"""Entries by their path relative to ``/``."""


def collect_command(
    trees: Sequence[str] = (defaults.WORKSPACE,), exclude: Sequence[str] = (), *, archive: str = STATE_PATH
) -> str:
    """The one shell line that packs the working trees; for ``[[verifier.collect]]`` with ``user = "root"``.

    Files that change while they are read are packed as they were read. On any other failure there is no archive.

    Args:
        trees: Absolute paths. One that is missing is restored as missing.
        exclude: Paths in the trees, relative to ``/``, that are left out with all below them; no patterns.
        archive: Where the archive comes to stand, in a folder of its own.

    Raises:
        ValueError: A path that the command could not serve.
    """
    _check(trees, exclude, archive)
    inside = [tree[1:] for tree in trees]
    lines = [*(f"tree {path}" for path in inside), *(f"exclude {path}" for path in exclude)]
    folder, file = os.path.split(archive)
    return _COLLECT.format(
        path=CLEAN_PATH,
        folder=shlex.quote(folder),
        file=shlex.quote(file),
        member=LIST_MEMBER,
        lines=shlex.join(lines),
        trees=shlex.join(inside),
        excludes="".join(f"{shlex.quote(f'--exclude={path}')} " for path in exclude),
    )


def restore_script() -> str:
    """The text of ``restore.sh``, the same in every task."""
    return resources.files("swe_together").joinpath("assets", "restore.sh").read_text("utf-8")


async def manifest(
    container: Container, trees: Sequence[str] = (defaults.WORKSPACE,), exclude: Iterable[str] = ()
) -> Manifest:
    """Look at every entry of the trees, as root and without git. Nothing there is changed.

    Args:
        container: Where.
        trees: Absolute paths; a missing one has no entries.
        exclude: Paths relative to ``/``, left out with all below them.

    Raises:
        EnvironmentFault: The trees could not be read, or hold more than ``MANIFEST_ENTRIES``.
    """
    request = {"trees": [tree[1:] for tree in trees], "exclude": list(exclude), "limit": MANIFEST_ENTRIES}
    rows = await ask(container, "manifest", request, "listing the working trees", timeout_sec=600)
    return {
        os.fsencode(path): Entry(kind, mode, uid, gid, mtime, os.fsencode(target), size, digest, os.fsencode(same))
        for path, kind, mode, uid, gid, mtime, target, size, digest, same in rows
    }


def differences(expected: Manifest, found: Manifest) -> list[str]:
    """One line for each path whose entries differ, in the order of paths; empty means that the trees are equal."""
    return [
        f"{path!r}: expected {expected.get(path, 'nothing')}, found {found.get(path, 'nothing')}"
        for path in sorted({*expected, *found})
        if expected.get(path) != found.get(path)
    ]


def _check(trees: Sequence[str], exclude: Sequence[str], archive: str) -> None:
    if not trees:
        raise ValueError("there must be at least one working tree")
    folder = os.path.split(archive)[0]
    for path in (*trees, archive):
        if not path.startswith("/") or path == "/" or any(part in ("", ".", "..") for part in path[1:].split("/")):
            raise ValueError(f"{path!r} must be an absolute path below / without . or ..")
    for path in (*trees, *exclude):
        if "\n" in path or path != path.strip():
            raise ValueError(f"{path!r} may not hold a line feed or have blanks at its ends")
    for tree in trees:
        if f"{folder}/".startswith(f"{tree}/") or f"{tree}/".startswith(f"{folder}/"):
            raise ValueError(f"the tree {tree} and the folder of the packed state {folder} may not lie in each other")
        if any(other != tree and f"{other}/".startswith(f"{tree}/") for other in trees) or trees.count(tree) > 1:
            raise ValueError(f"the tree {tree} is named twice or holds another one")
    for path in exclude:
        if path.startswith("/") or any(part in ("", ".", "..") for part in path.split("/")):
            raise ValueError(f"exclude {path!r} must be relative to / without . or ..")
        if not any(f"/{path}".startswith(f"{tree}/") for tree in trees):
            raise ValueError(f"exclude {path!r} lies in none of the trees {', '.join(trees)}")
