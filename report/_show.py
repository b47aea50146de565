"""A leaderboard for the terminal: every figure with its interval, and beside it how much it rests on."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from swe_together.report._columns import STATUSES, UNPLANNED
from swe_together.report._compare import PASS
from swe_together.report._leaderboard import Comparison, Entry, Figure, Leaderboard
from swe_together.report._leaderboard import Group as Grouped
from swe_together.report._metrics import BY_NAME
from swe_together.report.stats import Difference

SUCCESS: Final = (PASS, "stable", "judge_score")
TABLES: Final = {
    "the user": (
        "turns", "messages", "user_correction", "user_correction_per_opportunity", "coverage_overall",
        "coverage_recall", "coverage_precision",
    ),
    "what it took": ("output_tokens", "reasoning_tokens", "cost_usd", "agent_seconds", "rest_seconds"),
}  # fmt: skip
GROUPED: Final = (PASS, "stable", "judge_score", "user_correction", "coverage_overall", "cost_usd", "agent_seconds")
NAME: Final = "agent (model)"
_FORMS: Final = {"share": ".1f", "count": ".2f", "tokens": ",.0f", "usd": ",.3f", "seconds": ",.0f"}


def leaderboard_tables(board: Leaderboard) -> RenderableType:
    """Everything, as tables one below the other."""
    parts: list[RenderableType] = [_headline(board), _entries(board)]
    parts += [_more(board, title, names) for title, names in TABLES.items()]
    parts.append(_missing(board))
    parts += [_groups(groups) for groups in _by_name([*board.subsets, *board.splits, *board.groups]).values()]
    parts += [_comparison(one, "with a user less without one") for one in board.arms]
    parts += [_comparison(one, "compared") for one in board.compared]
    if board.band is not None:
        parts.append(_pairs(board))
    parts.append(Text("\n".join(_notes(board))))
    return Group(*parts)


def cell(figure: Figure, name: str, tasks: int | None = None) -> str:
    """``63.1``, below it ``[55.0, 70.5]``, shares in percent; what can't be told is left out, missing is a dash.

    ``n=12`` below that where it rests on fewer than the entry's ``tasks``.
    """
    metric = BY_NAME[name]
    scale, form = (100.0 if metric.unit == "share" else 1.0), _FORMS[metric.unit]
    if figure.value is None:
        return "–"
    text = f"{figure.value * scale:{form}}"
    if figure.low is not None and figure.high is not None:
        low = figure.low if metric.unit == "share" else max(figure.low, 0.0)
        text += f"\n[{low * scale:{form}}, {figure.high * scale:{form}}]"
    return text if tasks is None or figure.n == tasks else f"{text}\nn={figure.n}"


def _headline(board: Leaderboard) -> RenderableType:
    about = "; ".join(f"{what}: {', '.join(values)}" for what, values in board.about.items() if values)
    lines = [
        f"{board.planned} trials planned, {board.statuses.get('ok', 0)} with a reward",
        f"reward: the score of the {board.basis or '(none)'}; a trial passes from {board.threshold:g}; shares in %",
        f"intervals of {board.level:.0%} by task, clustered by repository",
        about,
    ]
    return Text("\n".join(line for line in lines if line))


def _entries(board: Leaderboard) -> RenderableType:
    titles = ["rank", *(BY_NAME[name].title for name in SUCCESS), "pass^k", "scored", "tasks × k"]
    table = _table("leaderboard", titles)
    for entry in board.entries:
        cells = [cell(entry.figures[name], name, entry.tasks) for name in SUCCESS]
        sizes = f"{entry.scored}/{entry.planned}", _size(entry)
        table.add_row(entry.label, _rank(entry), *cells, _pass_hat(entry), *sizes)
    return table


def _table(title: str, columns: Sequence[str]) -> Table:
    """A table whose first column names the entries; the others are numbers, which are never cut."""
    table = Table(title=title, title_justify="left", show_lines=True)
    table.add_column(NAME, overflow="fold")
    for name in columns:
        table.add_column(name, justify="right", overflow="fold")
    return table


def _rank(entry: Entry) -> str:
    if entry.best_rank is None:
        return entry.kind if entry.kind != "model" else "–"
    return str(entry.best_rank) if entry.best_rank == entry.worst_rank else f"{entry.best_rank}–{entry.worst_rank}"


def _pass_hat(entry: Entry) -> str:
    """The highest k that at least half of the entry's tasks have trials for."""
    usable = [one for one in entry.pass_hat if one.k > 1 and one.figure.n * 2 >= entry.tasks]
    if not usable:
        return "–"
    return f"k={usable[-1].k}: {cell(usable[-1].figure, PASS)}\nn={usable[-1].figure.n}"


def _size(entry: Entry) -> str:
    if entry.replicates is None:
        return "0"
    low, high = entry.replicates
    return f"{entry.tasks} × {low}" if low == high else f"{entry.tasks} × {low}–{high}"


def _more(board: Leaderboard, title: str, names: Sequence[str]) -> RenderableType:
    spending = "cost_usd" in names
    table = _table(title, [*(BY_NAME[name].title for name in names), *(["spent in all, $"] if spending else [])])
    for entry in board.entries:
        spent = "–" if entry.spent_usd is None else f"{entry.spent_usd:,.2f}"
        unknown = f" + {entry.spent_unknown} ?" if entry.spent_unknown and entry.spent_usd is not None else ""
        cells = [cell(entry.figures[name], name, entry.tasks) for name in names]
        table.add_row(entry.label, *cells, *([spent + unknown] if spending else []))
    return table


def _missing(board: Leaderboard) -> RenderableType:
    """Attrition: its denominator is what was planned, for everybody."""
    found = [status for status in STATUSES if any(status in entry.attrition for entry in board.entries)]
    table = _table("attrition", ["planned", "with a reward", *found, BY_NAME["pass_at_1_worst"].title])
    for entry in board.entries:
        counts = [str(entry.attrition.get(status, 0)) for status in found]
        worst = cell(entry.figures["pass_at_1_worst"], PASS)
        table.add_row(entry.label, str(entry.planned), str(entry.scored), *counts, worst)
    return table


def _groups(groups: Sequence[Grouped]) -> RenderableType:
    parts: list[RenderableType] = []
    for group in groups:
        title = f"{group.by}: {group.value} ({group.tasks} {'task' if group.tasks == 1 else 'tasks'})"
        table = _table(title, [*(BY_NAME[name].title for name in GROUPED), "scored"])
        for row in group.rows:
            tasks = row.figures[PASS].n
            cells = [cell(row.figures[name], name, tasks) for name in GROUPED]
            table.add_row(row.label, *cells, f"{row.scored}/{row.planned}")
        parts.append(table)
    return Group(*parts)


def _comparison(one: Comparison, what: str) -> RenderableType:
    title = f"{what}: {one.first} less {one.second}, {one.tasks} shared tasks"
    table = Table(title=title, title_justify="left")
    for name in ("figure", "difference", "p", "tasks"):
        table.add_column(name, justify="left" if name == "figure" else "right")
    for name, difference in one.differences.items():
        table.add_row(BY_NAME[name].title, _difference(difference, name), _p(difference.p), str(difference.n))
    return table


def _pairs(board: Leaderboard) -> RenderableType:
    table = Table(title="pairs by pass@1, points; p corrected after Holm", title_justify="left")
    for name in ("first", "second", "difference", "p", "p (Holm)", "tasks", ""):
        table.add_column(name, justify="left" if name in ("first", "second", "") else "right", overflow="fold")
    for pair in board.band.pairs if board.band is not None else ():
        said = "" if pair.separated else "can't be told apart"
        difference = pair.difference
        cells = [_difference(difference, PASS), _p(difference.p), _p(pair.p_holm), str(difference.n)]
        table.add_row(pair.first, pair.second, *cells, said)
    return table


def _difference(difference: Difference, name: str) -> str:
    metric = BY_NAME[name]
    scale, form = (100.0 if metric.unit == "share" else 1.0), f"+{_FORMS[metric.unit]}"
    if difference.mean is None:
        return "–"
    text = f"{difference.mean * scale:{form}}"
    if difference.low is None or difference.high is None:
        return text
    return f"{text} [{difference.low * scale:{form}}, {difference.high * scale:{form}}]"


def _p(value: float | None) -> str:
    return "–" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def _notes(board: Leaderboard) -> Iterator[str]:
    beside = [f"{board.statuses[status]} {status}" for status in UNPLANNED if board.statuses.get(status)]
    if beside:
        yield f"beside these: {', '.join(beside)}"
    if board.ignored:
        yield f"{board.ignored} folders are no trials"
    if board.problems:
        yield f"{board.problems} trials have a record that can't be read; the column `problems` says which"
    if board.mixed:
        yield f"mixed on request: {', '.join(board.mixed)}"
    seen = board.detection
    if seen is not None and seen.difference is not None:
        yield (
            f"with {seen.tasks} tasks × {seen.replicates} in {seen.clusters} repositories, a true difference of "
            f"{seen.difference * 100:.1f} points of pass@1 is found four times in five (median over {seen.pairs} pairs)"
        )
    elif seen is not None:
        yield f"what difference could have been seen isn't known: {seen.warning}"
    found = board.correlation
    if found is not None and found.r is not None:
        interval = "" if found.low is None or found.high is None else f" [{found.low:+.2f}, {found.high:+.2f}]"
        said = f"; {found.warning}" if found.warning else ""
        yield f"User Correction and pass@1 over {found.n} models: Spearman {found.r:+.2f}{interval}{said}"
    if board.subsets:
        yield board.subset_rule
    yield from board.notes
    for entry in board.entries:
        for flag in entry.flags:
            yield f"{entry.label}: {flag}"
        warning = entry.figures[PASS].warning
        if warning:
            yield f"{entry.label}: pass@1: {warning}"


def _by_name(groups: Sequence[Grouped]) -> Mapping[str, list[Grouped]]:
    found: dict[str, list[Grouped]] = {}
    for group in groups:
        found.setdefault(group.by, []).append(group)
    return found
