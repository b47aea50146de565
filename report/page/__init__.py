"""The report as one HTML page that needs no server and no network. Imports no Harbor."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from swe_together.errors import MisuseError
from swe_together.files import write_atomically
from swe_together.report._leaderboard import Leaderboard
from swe_together.report._table import TrialTable
from swe_together.report.page._data import page_data
from swe_together.report.page._html import render
from swe_together.report.page._script import script_json
from swe_together.report.page._side_files import FOLDER, write_sessions

INDEX = "index.html"
MARK = '<meta name="generator" content="swe-together report">'


@dataclass(frozen=True)
class PageWritten:
    """A page that was written.

    Attributes:
        index: The file to open.
        page_bytes: Its size.
        sessions: Side files beside it.
        failed: Why, by the trial's name, for sessions that can't be shown.
    """

    index: Path
    page_bytes: int
    sessions: int
    failed: dict[str, str]


def write_page(
    table: TrialTable,
    board: Leaderboard,
    output: Path,
    *,
    tasks: Path | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PageWritten:
    """Write ``index.html`` and a file for each session beside it. An earlier page in the folder is replaced.

    Args:
        table: The trials; their folders must still be there.
        board: What was worked out of them.
        output: A new folder, an empty one, or that of an earlier page.
        tasks: A folder of tasks, for the texts of goals where the directory that was run is gone.
        workers: Processes that write sessions; as many as there are processors if None.
        progress: Called with the number of sessions written, and that of all.

    Raises:
        MisuseError: The folder holds something else.
    """
    index = output / INDEX
    if output.exists() and not (output.is_dir() and _is_ours(output)):
        raise MisuseError(f"{output} holds something else than a page of ours.", "Name a new folder with -o.")
    paths = table.frame["path"].tolist()
    jobs = [
        (number, path)
        for number, path in enumerate(paths)
        if isinstance(path, str) and Path(path).is_dir() and not Path(path).is_symlink()
    ]
    data = page_data(table, board, [number for number, _ in jobs])
    failed = write_sessions(output, jobs, data["key"], tasks, workers, progress)
    names = table.frame["trial"].tolist()
    text = render(script_json(data), "swe-together report")
    write_atomically(index, text)
    return PageWritten(
        index, len(text.encode()), len(jobs), {str(names[number]): why for number, why in failed.items()}
    )


def _is_ours(output: Path) -> bool:
    """Whether nothing is lost where a page is written there."""
    if {path.name for path in output.iterdir()} <= {FOLDER}:
        return True
    try:
        with (output / INDEX).open(encoding="utf-8") as file:
            return MARK in file.read(2_000)
    except (OSError, UnicodeDecodeError):
        return False


__all__ = ["FOLDER", "INDEX", "PageWritten", "write_page"]
