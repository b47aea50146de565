"""The report for a terminal, as JSON, and as a plot."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from swe_together.memorycode._intervals import Share
from swe_together.memorycode._report import PUBLISHED_HISTORY, PUBLISHED_ISOLATED, ArmFigures, Report

if TYPE_CHECKING:
    from rich.console import RenderableType

_COLUMNS: Final = ("micro", "macro", "answers", "updates", "stale", "distractors", "works", "notes")
_COLOURS: Final = ("#1b6ca8", "#c1440e", "#2d7d46", "#7b4fa3", "#a3851b", "#4a4a4a", "#b03a76", "#2a8c8c")
_NOTE: Final = (
    "Intervals: 95 %, clustered by dialogue, t distributed; – with fewer than two dialogues. An interval without width "
    "means that no two dialogues differed, not that the figure is certain."
)
_COMPARABLE: Final = (
    "Published (their released outputs, their checker): bare models, the whole history in one prompt, one request a "
    "prompt, every answer judged by every rule in force; absent objects went unscored. Nearest of ours: arm history, "
    "column answers. Our checker is stricter, our rules are partly others, our agents see and run their own files."
)


def report_tables(report: Report) -> "RenderableType":
    """Everything for the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    def table(title: str, *columns: str) -> Table:
        made = Table(title=title, title_justify="left")
        for number, column in enumerate(columns):
            made.add_column(column, justify="left" if number < 2 else "right", no_wrap=number > 1, overflow="fold")
        return made

    main = table("memorycode: shares by agent and arm", "agent", "arm", "trials", *_COLUMNS)
    for row in report.arms:
        main.add_row(row.agent, row.arm.value, str(row.trials), *(_cell(getattr(row, name)) for name in _COLUMNS))
    sizes = sorted({size for row in report.arms for size in row.sizes})
    by_size = table("rules obeyed by number of sessions: micro / macro", "agent", "arm", *map(str, sizes))
    for row in report.arms:
        by_size.add_row(row.agent, row.arm.value, *(_both(row.sizes.get(size)) for size in sizes))
    for model, known in PUBLISHED_HISTORY.items():
        by_size.add_row(f"published: {model}", "history", *(f"{known[n]:.2f}" if n in known else "" for n in sizes))
    classes = list(dict.fromkeys(name for row in report.arms for name in row.distances))
    classes.sort(key=lambda name: int(name.rstrip("+").split("-")[0]))
    by_distance = table("rules obeyed by sessions since last told: micro / macro", "agent", "arm", *classes)
    for row in report.arms:
        by_distance.add_row(row.agent, row.arm.value, *(_both(row.distances.get(name)) for name in classes))
    gaps = table("gaps: mean difference over the same dialogues", "agent", "arms", "dialogues", "difference")
    for gap in report.gaps:
        gaps.add_row(gap.agent, f"{gap.arm} - {gap.other}", str(gap.difference.clusters), _cell(gap.difference, "+.3f"))
    lost = ", ".join(f"{count} {cause}" for cause, count in report.missing.items()) or "none"
    isolated = ", ".join(f"{model} {value:.3f}" for model, value in PUBLISHED_ISOLATED.items())
    notes = [
        f"missing trials (never counted as 0): {lost}",
        *([f"trials of other tasks, left aside: {report.others}"] if report.others else []),
        f"published, one instruction a prompt (compare the arm isolated, answers): {isolated}",
        _COMPARABLE,
        _NOTE,
    ]
    return Group(main, by_size, by_distance, gaps, *(Text(note) for note in notes))


def report_json(report: Report) -> dict[str, Any]:
    """Everything as plain values, the published figures beside it."""
    return {
        "format": 1,
        **asdict(report),
        "published": {"history": PUBLISHED_HISTORY, "isolated": PUBLISHED_ISOLATED, "comparable": _COMPARABLE},
    }


def report_svg(report: Report) -> str:
    """A plot: rules obeyed (macro) by number of sessions, a line for each agent and arm; published lines dashed."""
    published = {f"published: {model}": values for model, values in PUBLISHED_HISTORY.items()}
    ours = {f"{row.agent}, {row.arm}": _points(row) for row in report.arms}
    sizes = sorted({size for row in report.arms for size in row.sizes} | {s for v in published.values() for s in v})
    width, height, left, top, right = 960, 420, 60, 30, 330
    across = (width - left - right) / max(1, len(sizes) - 1)
    places = {size: left + across * number for number, size in enumerate(sizes)}

    def y(value: float) -> float:
        return top + (height - top - 50) * (1 - value)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="18" font-size="14">Rules obeyed (mean over dialogues) by number of sessions</text>',
    ]
    for step in range(6):
        value = step / 5
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.1f}</text>')
    parts += [f'<text x="{places[size]:.1f}" y="{height - 30}" text-anchor="middle">{size}</text>' for size in sizes]
    parts.append(f'<text x="{(left + width - right) / 2:.0f}" y="{height - 10}" text-anchor="middle">sessions</text>')
    for number, (name, values) in enumerate({**ours, **published}.items()):
        mine = name in ours
        colour = _COLOURS[number % len(_COLOURS)] if mine else "#999"
        parts += _line(values, places, y, colour, dashed=not mine)
        label = top + 16 * number
        parts.append(
            f'<line x1="{width - right + 20}" x2="{width - right + 44}" y1="{label}" y2="{label}" stroke="{colour}" '
            f'stroke-width="2"{_dash(not mine)}/>'
            f'<text x="{width - right + 50}" y="{label + 4}">{html.escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _points(row: ArmFigures) -> dict[int, Share]:
    return {size: macro for size, (_, macro) in row.sizes.items()}


def _line(values: Mapping[int, Any], places: Mapping[int, float], y: Any, colour: str, *, dashed: bool) -> list[str]:
    points: list[tuple[float, float]] = []
    parts: list[str] = []
    for size, value in sorted(values.items()):
        centre = value.value if isinstance(value, Share) else value
        if centre is None:
            continue
        points.append((places[size], y(centre)))
        parts.append(f'<circle cx="{places[size]:.1f}" cy="{y(centre):.1f}" r="3" fill="{colour}"/>')
        if isinstance(value, Share) and value.low is not None and value.high is not None:
            parts.append(
                f'<line x1="{places[size]:.1f}" x2="{places[size]:.1f}" y1="{y(value.low):.1f}" '
                f'y2="{y(value.high):.1f}" stroke="{colour}" stroke-opacity="0.5"/>'
            )
    path = " ".join(f"{x:.1f},{height:.1f}" for x, height in points)
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{_dash(dashed)}/>', *parts]


def _dash(dashed: bool) -> str:
    return ' stroke-dasharray="5 4"' if dashed else ""


def _cell(share: Share | None, form: str = ".3f") -> str:
    if share is None or share.value is None:
        return ""
    if share.low is None or share.high is None:
        return f"{share.value:{form}} –"
    return f"{share.value:{form}} [{share.low:.2f} {share.high:.2f}]"


def _both(shares: Sequence[Share] | None) -> str:
    return "" if shares is None else " / ".join("" if one.value is None else f"{one.value:.2f}" for one in shares)
