"""A private dataset from one's own sessions and repository. Nothing leaves the machine."""

from swe_together.pipeline.mine._find import Found, Unread, belongs, sessions_of
from swe_together.pipeline.mine._mine import Mined, Wishes, mine_session, why_not
from swe_together.pipeline.mine._suite import Case, Suite, as_cases, cases_of, suite_of, write_suite

__all__ = [
    "Case",
    "Found",
    "Mined",
    "Suite",
    "Unread",
    "Wishes",
    "as_cases",
    "belongs",
    "cases_of",
    "mine_session",
    "sessions_of",
    "suite_of",
    "why_not",
    "write_suite",
]
