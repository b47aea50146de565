"""Secrets and personal data in recorded sessions: found, replaced consistently, or nothing is given."""

from swe_together.pipeline.privacy._bodies import is_picture
from swe_together.pipeline.privacy._files import learn_file, redact_file
from swe_together.pipeline.privacy._model import Finding, Policy, PrivacyError, Problem, Redacted, Report
from swe_together.pipeline.privacy._redactor import Redactor, redact_json, redact_session, redact_text
from swe_together.pipeline.privacy._salt import Salt

__all__ = [
    "Finding",
    "Policy",
    "PrivacyError",
    "Problem",
    "Redacted",
    "Redactor",
    "Report",
    "Salt",
    "is_picture",
    "learn_file",
    "redact_file",
    "redact_json",
    "redact_session",
    "redact_text",
]
