"""The report of a study for the terminal. Names and texts of others are never markup."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from swe_together.judge.agreement import Agreement
from swe_together.report.stats import Estimate
from swe_together.report.study._report import StudyReport, Turing


def study_tables(report: StudyReport) -> RenderableType:
    """All tables of a report, and what is missing in it."""
    return Group(*_parts(report))


def _parts(report: StudyReport) -> Iterator[RenderableType]:
    items = ", ".join(f"{count} {kind}" for kind, count in sorted(report.items.items()))
    yield Text(f"{report.folder}: {items}; {len(report.annotators)} annotators")
    for lines, what in (
        (report.unreadable, "lines of the answers can't be read"),
        (report.foreign, "answers are to items that this study doesn't have"),
        (report.replaced, "answers were replaced by later ones of the same person"),
    ):
        if lines:
            yield Text(f"{lines} {what}")
    if report.turing is None:
        yield Text("No pair has been judged yet: there is no pass rate.")
    else:
        yield from _turing(report.turing)
    if report.annotators:
        yield _table(
            "annotators", ("name", "pairs", "passed", "chose the left", "messages", "goals"),
            [(a.name, *map(str, (a.pairs, a.passed, a.left, a.messages, a.goals))) for a in report.annotators],
        )  # fmt: skip
    if report.messages is not None:
        yield _pairs("tags of messages", report.messages)
        yield _table(
            "alpha of each tag, between annotators", ("tag", "alpha"), [(t, number(a)) for t, a in report.tags.items()]
        )
    if report.goals is not None:
        yield _pairs("goals", report.goals)
        rows = [
            (who, number(e.false_pass), str(e.not_met), number(e.false_fail), str(e.met))
            for who, e in report.goals.errors.items()
        ]
        if rows:
            yield _table("against the judge", ("annotator", "false pass", "of not met", "false fail", "of met"), rows)


def _turing(found: Turing) -> Iterator[RenderableType]:
    times = round((found.plain.mean or 0) * found.judgements)
    yield Text(
        f"Turing pass rate {number(found.plain.mean)}: in {found.judgements} judgements of {found.pairs} pairs of "
        f"{found.tasks} tasks the simulated user was taken for the real one {times} times. "
        f"At 0.5 nobody can tell them apart. {found.possible - found.judgements} judgements are missing."
    )
    yield _estimates(
        "pass rate",
        {
            "other tasks, these annotators": found.by_task,
            "other tasks, other annotators": found.crossed,
            "as if all were independent": found.plain,
        },
    )
    test = found.equivalence
    yield Text(
        f"Equivalent to 0.5 within ± {test.margin:g} (declared beforehand)? {said(test.equivalent)} for other tasks "
        f"and these annotators (p {number(test.p)}, 90 % interval {interval(test.estimate)}); "
        f"{said(found.crossed_equivalent)} for other annotators too."
    )
    yield Text(f"Chose the left session: {number(found.left.mean)} {interval(found.left)}")
    yield _estimates("by what played the user", found.by_simulator)
    if list(found.by_confidence) != ["not said"]:
        yield _estimates("by how sure they were (5 is certain)", found.by_confidence)
    yield _pairs("which session has the real user", found.agreement)


def said(value: bool | None) -> str:
    """A verdict in words; what could not be tested is neither yes nor no."""
    return "can't be tested" if value is None else "yes" if value else "not shown"


def number(value: float | None) -> str:
    """Three decimals, or a dash for what is unknown."""
    return "–" if value is None else f"{value:.3f}"


def interval(estimate: Estimate) -> str:
    """``[0.400, 0.512]``, or a dash."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"[{estimate.low:.3f}, {estimate.high:.3f}]"


def _estimates(title: str, rows: Mapping[str, Estimate]) -> Table:
    return _table(
        title, ("of", "rate", "95 % interval", "judgements", "df", "note"),
        [
            (name, number(e.mean), interval(e), str(e.n), "–" if e.df is None else f"{e.df:.1f}", e.warning)
            for name, e in rows.items()
        ],
    )  # fmt: skip


def _pairs(title: str, found: Agreement) -> Table:
    return _table(
        f"agreement: {title}; {found.units} rated, Krippendorff's alpha {number(found.alpha)}",
        ("one", "other", "by both", "agree", "Cohen's kappa"),
        [(p.one, p.other, str(p.units), number(p.raw), number(p.kappa)) for p in found.pairs],
    )


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=Text(title), title_justify="left")
    for place, column in enumerate(columns):
        words = place == 0 or column in ("other", "note", "95 % interval")
        table.add_column(column, justify="left" if words else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table
