"""The folders outside the working trees that a user without rights can write: packed while clean, to be put back."""

from collections.abc import Sequence
from typing import Any, Final

from swe_together import defaults
from swe_together.adapter.container import Container, run_as_root
from swe_together.adapter.state import collect_command
from swe_together.errors import EnvironmentFault

Place = dict[str, Any]
"""An archive and what it covers, as ``_scripts/tidy.py`` puts it back."""

_LIST_FOLDERS: Final = f"""\
for d in ~{defaults.AGENT_USER} /tmp /var/tmp /dev/shm; do
  if [ -d "$d" ] && [ ! -L "$d" ]; then echo "folder $d"; find "$d" -xdev -type s -printf 'socket %p\\n'; fi
done
"""


def place_of(archive: str, trees: Sequence[str], exclude: Sequence[str]) -> Place:
    """An archive as the instrument takes it.

    Args:
        archive: Its absolute path in the container.
        trees: Absolute paths that it covers.
        exclude: Paths relative to ``/`` that it leaves out.
    """
    return {"archive": archive, "trees": [tree[1:] for tree in trees], "exclude": list(exclude)}


async def pack_clean_folders(container: Container, trees: Sequence[str], archive: str) -> Place | None:
    """Pack the home and temporary folders as they are now.

    Args:
        container: Fresh: no untrusted code has run in it.
        trees: Working trees; a folder that overlaps one of them is left alone.
        archive: Where the archive comes to stand, in a folder of its own.

    Returns:
        What to put back later, None where there is no such folder.

    Raises:
        EnvironmentFault: They can't be packed.
    """
    listed = await run_as_root(container, _LIST_FOLDERS, "looking for a user's folders")
    lines = [line.partition(" ") for line in (listed.stdout or "").splitlines()]
    folders = [path for kind, _, path in lines if kind == "folder" and not any(_overlap(path, tree) for tree in trees)]
    if not folders:
        return None
    # A socket is how a service is reached; it can't be packed, so it stays.
    sockets = [path[1:] for kind, _, path in lines if kind == "socket" and _inside(path, folders)]
    packed = await run_as_root(
        container, collect_command(folders, sockets, archive=archive), "packing the user's own folders"
    )
    if packed.return_code != 0:
        raise EnvironmentFault(f"The user's own folders could not be packed: {packed.stdout}")
    return place_of(archive, folders, sockets)


def _inside(path: str, folders: Sequence[str]) -> bool:
    return any(path.startswith(f"{folder}/") for folder in folders)


def _overlap(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")
