"""The fidelity audit: how true a simulated user stayed to its session, by code and, where one is asked, by a model.

Plain typed values in and out: where trials are read from is the caller's business.
"""

from swe_together.simulator.audit._asking import AUDITOR, judge_messages
from swe_together.simulator.audit._fabricated import fabricated_user
from swe_together.simulator.audit._families import family
from swe_together.simulator.audit._input import AuditedTask, AuditedTrial
from swe_together.simulator.audit._rules import LENGTH_CHARS, LENGTH_FACTOR
from swe_together.simulator.audit._summary import is_sound, make_report
from swe_together.simulator.audit._trial import audit_trial

__all__ = [
    "AUDITOR",
    "LENGTH_CHARS",
    "LENGTH_FACTOR",
    "AuditedTask",
    "AuditedTrial",
    "audit_trial",
    "fabricated_user",
    "family",
    "is_sound",
    "judge_messages",
    "make_report",
]
