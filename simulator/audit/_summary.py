"""A job's audit in numbers. Every share says what it is made of, and nothing undefined passes for 0."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from swe_together import defaults
from swe_together.schema import (
    AuditEffect,
    AuditKind,
    AuditReport,
    AuditSummary,
    AuditTag,
    EndReason,
    OutcomeColumn,
    TrialAudit,
)
from swe_together.simulator.audit._families import family
from swe_together.simulator.audit._input import AuditedTrial
from swe_together.simulator.audit._marginals import marginals, recorded, share, simulated
from swe_together.simulator.audit._rules import LENGTH_FACTOR
from swe_together.simulator.audit._spread import spread


def make_report(trials: Sequence[AuditedTrial], audits: Sequence[TrialAudit], model: str | None) -> AuditReport:
    """The whole report.

    Args:
        trials: What was audited.
        audits: What was found, in the same order.
        model: Who judged the messages; None if nobody did.
    """
    return AuditReport(
        model=model,
        pass_threshold=defaults.PASS_THRESHOLD,
        length_factor=LENGTH_FACTOR,
        summary=_summary(trials, audits, asked=model is not None),
        trials=list(audits),
    )


def is_sound(report: AuditReport) -> bool:
    """Whether all was audited that was to be, nothing severe was found about the user, and no message hindered."""
    return not any(
        audit.state == "unreadable" or _severe(audit) or _has(audit, AuditEffect.HINDERED) or _unjudged(audit)
        for audit in report.trials
    )


def _summary(trials: Sequence[AuditedTrial], audits: Sequence[TrialAudit], *, asked: bool) -> AuditSummary:
    read = [audit for audit in audits if audit.state == "read"]
    played = [trial for trial, audit in zip(trials, audits, strict=True) if audit.state == "read"]
    errors = sum(trial.session is not None and trial.session.end is EndReason.SIMULATOR_ERROR for trial in played)
    failed = [audit for audit in read if audit.passed is False]
    at_fault = sum(_severe(audit) or _has(audit, AuditEffect.HINDERED) for audit in failed)
    known = [audit for audit in read if audit.user_models and family(audit.agent_model) is not None]
    messages = [message for audit in read for message in audit.messages if message.judged != "not_asked"]
    own = [trial.bundle.session for trial in played if trial.bundle is not None]
    return AuditSummary(
        trials=len(read),
        no_user=sum(audit.state == "no_user" for audit in audits),
        unreadable=sum(audit.state == "unreadable" for audit in audits),
        passed=_column([audit for audit in read if audit.passed is True], asked=asked),
        failed=_column(failed, asked=asked),
        no_reward=_column([audit for audit in read if audit.passed is None], asked=asked),
        simulator_errors=share(errors, len(read)),
        simulator_attributed=share(errors + at_fault, errors + len(failed)),
        same_family=share(_with(known, AuditKind.SAME_FAMILY), len(known)),
        fabricated_user=share(_with(read, AuditKind.FABRICATED_USER), len(read)),
        findings=_findings(read),
        tags=_tags(read),
        guards=_guards(played),
        judged=share(sum(message.judged == "audited" for message in messages), len(messages)),
        simulated=marginals([message for trial in played for message in simulated(trial.decided)]),
        recorded=marginals([message for session in own for message in recorded(session)]),
        provenance=_provenance(played),
        spread=spread(played),
    )


def _column(audits: Sequence[TrialAudit], *, asked: bool) -> OutcomeColumn:
    judged = [audit for audit in audits if asked and not _unjudged(audit)]
    return OutcomeColumn(
        trials=len(audits),
        severe=share(sum(map(_severe, audits)), len(audits)),
        hindering=share(sum(_has(audit, AuditEffect.HINDERED) for audit in judged), len(judged)),
        helping=share(sum(_has(audit, AuditEffect.HELPED) for audit in judged), len(judged)),
        not_audited=sum(map(_unjudged, audits)),
    )


def _severe(audit: TrialAudit) -> bool:
    return any(finding.severity == "severe" for finding in audit.findings)


def _has(audit: TrialAudit, effect: AuditEffect) -> bool:
    return any(fault.severity is effect for message in audit.messages for fault in message.tags)


def _unjudged(audit: TrialAudit) -> bool:
    return any(message.judged == "not_audited" for message in audit.messages)


def _with(audits: Sequence[TrialAudit], kind: AuditKind) -> int:
    return sum(any(finding.kind is kind for finding in audit.findings) for audit in audits)


def _findings(audits: Sequence[TrialAudit]) -> dict[AuditKind, int]:
    counts = Counter(finding.kind for audit in audits for finding in audit.findings)
    return {kind: counts[kind] for kind in AuditKind if counts[kind]}


def _tags(audits: Sequence[TrialAudit]) -> dict[AuditTag, dict[AuditEffect, int]]:
    faults = [fault for audit in audits for message in audit.messages for fault in message.tags]
    counts = Counter((fault.tag, fault.severity) for fault in faults)
    return {
        tag: {effect: counts[tag, effect] for effect in AuditEffect}
        for tag in AuditTag
        if any(counts[tag, effect] for effect in AuditEffect)
    }


def _guards(trials: Sequence[AuditedTrial]) -> dict[str, int]:
    """By name alone: what stands behind the colon belongs to one session."""
    fired = [guard.partition(":")[0] for trial in trials for one in trial.decided for guard in one.decision.guards]
    return dict(sorted(Counter(fired).items()))


def _provenance(trials: Sequence[AuditedTrial]) -> dict[Literal["authored", "recorded"], int]:
    tasks = {trial.task: trial.bundle.session.provenance for trial in trials if trial.bundle is not None}
    return dict(sorted(Counter(tasks.values()).items()))
