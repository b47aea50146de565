"""Tables and statistics over job folders. Imports no Harbor.

What needs pandas or scipy is loaded when it is first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

from swe_together.report._columns import COLUMNS, STATUSES, Column
from swe_together.report._ledger import ledger_table
from swe_together.report._summary import Summary, summarise, summary_table
from swe_together.report._trials import TrialRow, read_trials, trial_folders

if TYPE_CHECKING:
    from swe_together.report._build import GROUPINGS, leaderboard
    from swe_together.report._leaderboard import Entry, Figure, Leaderboard
    from swe_together.report._metrics import METRICS, Metric
    from swe_together.report._table import JobCount, TrialTable, read_table

_LATE: Final = {
    "GROUPINGS": "_build",
    "leaderboard": "_build",
    "Entry": "_leaderboard",
    "Figure": "_leaderboard",
    "Leaderboard": "_leaderboard",
    "METRICS": "_metrics",
    "Metric": "_metrics",
    "JobCount": "_table",
    "TrialTable": "_table",
    "read_table": "_table",
}

__all__ = [
    "COLUMNS",
    "GROUPINGS",
    "METRICS",
    "STATUSES",
    "Column",
    "Entry",
    "Figure",
    "JobCount",
    "Leaderboard",
    "Metric",
    "Summary",
    "TrialRow",
    "TrialTable",
    "leaderboard",
    "ledger_table",
    "read_table",
    "read_trials",
    "summarise",
    "summary_table",
    "trial_folders",
]


def __getattr__(name: str) -> Any:
    """What is loaded late, by its name."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATE[name]}"), name)
