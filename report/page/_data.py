"""What the page itself holds: the leaderboard, and of every trial what lists and charts need."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from swe_together import __version__
from swe_together.report._columns import COLUMNS, STATUSES
from swe_together.report._entries import entry_labels
from swe_together.report._leaderboard import Leaderboard
from swe_together.report._metrics import METRICS
from swe_together.report._table import TrialTable
from swe_together.report.page._script import script_json

if TYPE_CHECKING:
    import pandas as pd

SHOWN: Final = (
    "job", "trial", "task", "repository", "language", "category", "agent", "agent_version", "model", "arm", "policy",
    "user_model", "judge", "judge_model", "own_family_judge", "sealed", "continuation", "status", "cause", "problems",
    "end", "attempt", "reward", "tests", "judge_score", "decided_share", "turns", "messages", "corrections", "nudges",
    "user_correction", "coverage_overall", "output_tokens", "cost_usd", "agent_seconds", "wall_seconds",
)  # fmt: skip
"""Columns of the table of trials that the page holds. Paths stay out: they tell of the machine."""
CAUSE_CHARS: Final = 200
DIGITS: Final = 6

type Json = dict[str, Any]


def page_data(table: TrialTable, board: Leaderboard, sessions: Sequence[int]) -> Json:
    """Everything in the page, as plain values.

    Args:
        table: The trials.
        board: What was worked out of them.
        sessions: Numbers of the trials that have a side file.
    """
    frame = table.frame
    columns = {name: _column(frame[name].tolist()) for name in SHOWN}
    columns["entry"] = _column(_entries(frame, board))
    data: Json = {
        "version": __version__,
        "board": _rounded(_board(board)),
        "metrics": [
            {"name": m.name, "title": m.title, "unit": m.unit, "better": m.better, "meaning": m.meaning}
            for m in METRICS
        ],
        "statuses": STATUSES,
        "meanings": {column.name: column.meaning for column in COLUMNS if column.name in SHOWN},
        "trials": {"count": len(frame), "columns": columns},
        "sessions": list(sessions),
    }
    data["key"] = hashlib.sha256(script_json(data).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return data


def _board(board: Leaderboard) -> Json:
    told = asdict(board)
    for entry in told["entries"]:
        for figure in entry["figures"].values():
            # The method is the same for all figures of a unit and stands in the documents.
            del figure["method"]
        for point in [*entry["thresholds"], *entry["pass_hat"]]:
            figure = point["figure"]
            point["figure"] = {name: figure[name] for name in ("value", "low", "high", "n")}
    if told["band"] is not None:
        told["band"] = {"pairs": [_pair(pair) for pair in told["band"]["pairs"]]}
    # What charts and lists are made of is in the trials themselves.
    told["tasks"] = [{"task": row["task"], "solved": row["solved"], "subset": row["subset"]} for row in told["tasks"]]
    return told


def _pair(pair: Json) -> Json:
    difference = pair["difference"]
    return {
        "first": pair["first"], "second": pair["second"], "p": pair["p_holm"], "separated": pair["separated"],
        **{name: difference[name] for name in ("mean", "low", "high", "n")},
    }  # fmt: skip


def _entries(frame: "pd.DataFrame", board: Leaderboard) -> list[int | None]:
    """For each trial the number of its entry; None for what counts in none."""
    places = {entry.label: place for place, entry in enumerate(board.entries)}
    return [None if label is None else places[label] for label in entry_labels(frame)]


def _column(values: Sequence[Any]) -> Json | list[Any]:
    """Values, or where they repeat the different ones and for each row the number of its own."""
    plain = [_plain(value) for value in values]
    if not any(isinstance(value, str) for value in plain):
        return plain
    levels = list(dict.fromkeys(value for value in plain if value is not None))
    if len(levels) > len(plain) // 2:
        return plain
    places = {level: place for place, level in enumerate(levels)}
    return {"levels": levels, "rows": [None if value is None else places[value] for value in plain]}


def _plain(value: Any) -> Any:
    import pandas as pd

    if value is None or pd.isna(value):
        return None
    if isinstance(value, str):
        return value if len(value) <= CAUSE_CHARS else f"{value[: CAUSE_CHARS - 1]}…"
    return _rounded(value)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, (list, tuple)) else value
