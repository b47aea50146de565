"""The audit for the terminal."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from swe_together.schema import (
    AuditFinding,
    AuditReport,
    AuditSummary,
    Marginals,
    MessageAudit,
    OutcomeColumn,
    Quartiles,
    Share,
    TrialAudit,
)

_STYLES = {"severe": "bold red", "hindered": "bold red", "helped": "yellow", "minor": "dim"}


def audit_table(report: AuditReport) -> RenderableType:
    """Findings, then what could not be looked at, then the numbers."""
    parts: list[RenderableType] = [_findings(report)]
    parts += [Text(line) for audit in report.trials for line in _left_out(audit)]
    parts += [_outcomes(report), _marginals(report.summary)]
    parts += [Text(line) for line in _lines(report)]
    return Group(*parts)


def shown(share: Share) -> str:
    """A share as "1/4 = 25%", or what it would be made of where it is undefined."""
    made = f"{share.numerator}/{share.denominator}"
    return f"undefined ({made})" if share.value is None else f"{made} = {share.value:.0%}"


def _findings(report: AuditReport) -> Table:
    table = Table(title="findings", title_justify="left")
    table.add_column("trial", overflow="fold", ratio=2)
    table.add_column("after turn", justify="right")
    table.add_column("finding", overflow="fold", ratio=2)
    table.add_column("severity")
    table.add_column("quote", overflow="fold", ratio=4)
    table.add_column("why", overflow="fold", ratio=4)
    for audit in report.trials:
        for finding in audit.findings:
            about = "" if finding.about == "user" else f" ({finding.about})"
            _row(table, audit, finding.turn, f"{finding.kind.value}{about}", finding.severity, _told(finding))
        for message in audit.messages:
            for fault in message.tags:
                told = (fault.quote, f"{report.model} judged")
                _row(table, audit, message.turn, fault.tag.value, fault.severity.value, told)
    if table.row_count == 0:
        table.add_row("none", "", "", "", "", "")
    return table


def _row(table: Table, audit: TrialAudit, turn: int | None, finding: str, severity: str, told: tuple[str, str]) -> None:
    place = "–" if turn is None else str(turn)
    style = _STYLES.get(severity, "")
    table.add_row(audit.trial, place, finding, Text(severity, style=style), *(Text(text) for text in told))


def _told(finding: AuditFinding) -> tuple[str, str]:
    return finding.quote, finding.detail


def _left_out(audit: TrialAudit) -> Iterator[str]:
    if audit.state != "read":
        yield f"{audit.state.replace('_', ' ')}: {audit.trial}: {audit.why}"
        return
    if audit.task_at_hand == "differs":
        yield f"another version: {audit.trial}: the task at hand has another digest than the one that was run"
    reasons: dict[str, list[str]] = {}
    for kind, reason in audit.unchecked.items():
        reasons.setdefault(reason, []).append(kind.value)
    for reason, kinds in reasons.items():
        yield f"not checked: {audit.trial}: {', '.join(kinds)}: {reason}"
    yield from (f"not audited: {audit.trial}: after turn {one.turn}: {one.error}" for one in _unjudged(audit))


def _unjudged(audit: TrialAudit) -> list[MessageAudit]:
    return [message for message in audit.messages if message.judged == "not_audited"]


def _outcomes(report: AuditReport) -> Table:
    summary = report.summary
    table = Table(title=f"trials by outcome (passed: reward ≥ {report.pass_threshold:g})", title_justify="left")
    table.add_column("")
    columns = {"passed": summary.passed, "failed": summary.failed, "no reward": summary.no_reward}
    for name in columns:
        table.add_column(name, justify="right")

    def row(name: str, *cells: str) -> None:
        table.add_row(name, *cells)

    each: list[OutcomeColumn] = list(columns.values())
    row("trials", *(str(one.trials) for one in each))
    row("with a severe finding", *(shown(one.severe) for one in each))
    row("with a hindering message", *(shown(one.hindering) for one in each))
    row("with a helping message", *(shown(one.helping) for one in each))
    row("not wholly audited", *(str(one.not_audited) for one in each))
    return table


def _marginals(summary: AuditSummary) -> Table:
    table = Table(title="messages, beside those of the tasks' own sessions", title_justify="left")
    table.add_column("")
    for name in ("simulated", "the tasks' sessions"):
        table.add_column(name, justify="right")
    both: list[Marginals] = [summary.simulated, summary.recorded]
    table.add_row("messages", *(str(one.chars.count) for one in both))
    table.add_row("characters: quartile, median, quartile", *(_quartiles(one.chars) for one in both))
    table.add_row("pushback", *(shown(one.pushback) for one in both))
    table.add_row("questions", *(shown(one.question) for one in both))
    for tag in summary.simulated.tags:
        if any(one.tags[tag].numerator for one in both):
            table.add_row(f"tag {tag.value}", *(shown(one.tags[tag]) for one in both))
    return table


def _quartiles(chars: Quartiles) -> str:
    if chars.q1 is None or chars.median is None or chars.q3 is None:
        return "undefined"
    return f"{chars.q1:g}, {chars.median:g}, {chars.q3:g}"


def _lines(report: AuditReport) -> Iterator[str]:
    summary = report.summary
    made = ", ".join(f"{count} {name}" for name, count in summary.provenance.items()) or "none at hand"
    yield f"the tasks' sessions by provenance: {made}"
    yield f"trials: {summary.trials} read, {summary.no_user} without a user, {summary.unreadable} unreadable"
    yield f"simulator errors: {shown(summary.simulator_errors)} of trials"
    attributed = shown(summary.simulator_attributed)
    yield f"failures that are the simulator's: {attributed} of failed trials and simulator errors"
    yield f"user and agent of one model family: {shown(summary.same_family)} of trials where both are known"
    yield f"user's words written by the agent: {shown(summary.fabricated_user)} of trials"
    fired = ", ".join(f"{guard} {count}" for guard, count in summary.guards.items()) or "none"
    yield f"guards that fired in the sessions: {fired}"
    if report.model is None:
        yield "no model was asked to judge messages (--model)"
    else:
        yield f"judged by {report.model}: {shown(summary.judged)} of messages and leavings"
    for one in summary.spread:
        yield (
            f"runs of {one.task} ({one.policy}): {one.runs} runs of {one.agents} agent(s) said"
            f" {one.sequences} different sequence(s) of anchors; mean edit distance {one.distance:.2f}"
        )
