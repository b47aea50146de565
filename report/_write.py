"""Writing a report: JSON, CSV, Parquet."""

import io
import tempfile
from pathlib import Path
from typing import Any, Final

from pydantic_core import to_json

from swe_together.report._columns import COLUMNS
from swe_together.report._leaderboard import Leaderboard
from swe_together.report._table import TrialTable

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""With these a spreadsheet begins a formula, whoever wrote the text."""


def report_json(table: TrialTable, board: Leaderboard) -> str:
    """Leaderboard, jobs and trials as one JSON document; what is missing is null."""
    rows = table.frame.astype(object).where(table.frame.notna(), None).to_dict("records")
    trials = [{str(name): _plain(value) for name, value in row.items()} for row in rows]
    document = {"format": 1, "leaderboard": board, "jobs": table.jobs, "trials": trials}
    return to_json(document, indent=1, inf_nan_mode="null").decode()


def trials_csv(table: TrialTable) -> str:
    """The table of trials; what is missing is empty, and no text is a formula."""
    frame = table.frame.copy()
    for column in COLUMNS:
        if column.dtype == "string":
            frame[column.name] = frame[column.name].map(_inert, na_action="ignore")
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False, lineterminator="\n")
    return buffer.getvalue()


def write_parquet(table: TrialTable, path: Path) -> None:
    """The table of trials, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        fresh = Path(folder) / path.name
        table.frame.to_parquet(fresh, index=False, engine="pyarrow")
        fresh.replace(path)


def _inert(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
