"""Tables and statistics over job folders. Imports no Harbor."""

from swe_together.report._ledger import ledger_table
from swe_together.report._summary import Summary, summarise, summary_table
from swe_together.report._trials import TrialRow, read_trials, trial_folders

__all__ = ["Summary", "TrialRow", "ledger_table", "read_trials", "summarise", "summary_table", "trial_folders"]
