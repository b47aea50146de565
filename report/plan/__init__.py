"""Planning a run: which difference it can see, and what it will take."""

from swe_together.report.plan._earlier import Earlier, Part, earlier_trials
from swe_together.report.plan._outlook import Assumption, Outlook, Wish, outlook
from swe_together.report.plan._table import outlook_table

__all__ = ["Assumption", "Earlier", "Outlook", "Part", "Wish", "earlier_trials", "outlook", "outlook_table"]
