"""Task directories in the layout of the paper's release, below a folder."""

from pathlib import Path

from swe_together.errors import MisuseError
from swe_together.tasks import RELEASED_FILES, is_released_task


def find_released(folder: Path) -> list[Path]:
    """The folder itself, or its tasks, or those of its ``tasks/``, by name.

    Raises:
        MisuseError: There is none.
    """
    if not folder.is_dir():
        raise MisuseError(f"{folder}: there is no such folder.", "Name the release, its tasks/, or one task.")
    if is_released_task(folder):
        return [folder.resolve()]
    for place in (folder, folder / "tasks"):
        found = sorted(path.resolve() for path in place.glob("*/") if is_released_task(path))
        if found:
            return found
    files = " and ".join(RELEASED_FILES)
    raise MisuseError(f"{folder} holds no task of the paper's release.", f"Such a task has {files}.")
