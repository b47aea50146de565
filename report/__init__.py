"""Tables and statistics over job folders. Imports no Harbor."""

from swe_together.report._summary import Summary, summarise, summary_table
from swe_together.report._trials import TrialRow, read_trials

__all__ = ["Summary", "TrialRow", "read_trials", "summarise", "summary_table"]
