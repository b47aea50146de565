"""The human study: can people tell the simulated user from the real one? Imports no Harbor."""

from swe_together.report.study._prepare import LABELS, MARGIN, Prepared, prepare
from swe_together.report.study._report import StudyReport, goal_ratings, study_report
from swe_together.report.study._server import PORT, StudyServer
from swe_together.report.study._store import OpenStudy, RefusedError, read_answers, read_key, read_study
from swe_together.report.study._tables import study_tables

__all__ = [
    "LABELS",
    "MARGIN",
    "PORT",
    "OpenStudy",
    "Prepared",
    "RefusedError",
    "StudyReport",
    "StudyServer",
    "goal_ratings",
    "prepare",
    "read_answers",
    "read_key",
    "read_study",
    "study_report",
    "study_tables",
]
