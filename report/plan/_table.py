"""The outlook for the terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from swe_together.report.plan._outlook import Outlook
from swe_together.report.stats import Detectable


def outlook_table(outlook: Outlook) -> RenderableType:
    """What the plan can tell, what it takes, and what that leans on; unknown is shown as such."""
    wish = outlook.wish
    clusters = len(wish.clusters) if isinstance(wish.clusters, tuple | list) else wish.clusters
    of = "" if clusters is None else f" of {clusters} repositories"
    title = f"{wish.models} models, {wish.tasks} tasks{of}, k = {wish.replicates}"
    sees = Table(title=title, title_justify="left")
    sees.add_column("it can see")
    sees.add_column("points", justify="right", no_wrap=True)
    power, sure = f"{100 * wish.power:g} % power", f"{100 * (1 - wish.alpha):g} %"
    pairs = wish.models * (wish.models - 1) // 2
    rows: list[tuple[str, Detectable | None]] = [
        (f"difference of two models on the same tasks, {power}", outlook.paired),
        (f"the same, as the first of {pairs} pairs (Holm)", outlook.strictest),
        (f"difference of two models on different tasks, {power}", outlook.unpaired),
        (f"pass@1 of one model, {sure} interval", outlook.half_width),
    ]
    for name, found in rows:
        if found is not None:
            sees.add_row(name, _points(found, "±" if found is outlook.half_width else ""))
    takes = Table(show_header=False)
    takes.add_column("it takes")
    takes.add_column("number", justify="right", no_wrap=True)
    takes.add_row("trials", f"{outlook.trials:,}")
    parallel = "one after another" if wish.parallel == 1 else f"{wish.parallel} at a time"
    takes.add_row(f"hours, {parallel}", "unknown" if outlook.hours is None else f"{outlook.hours:,.1f}")
    takes.add_row("cost, $", "unknown" if outlook.cost is None else f"{outlook.cost:,.2f}")
    leans = Table(title="it leans on", title_justify="left")
    for column in ("what", "value", "from"):
        leans.add_column(column, justify="right" if column == "value" else "left", overflow="fold")
    for one in outlook.assumptions:
        leans.add_row(one.name, "unknown" if one.value is None else f"{one.value:.3f}", one.source)
    return Group(sees, takes, leans, *(Text(f"note: {note}") for note in outlook.notes))


def _points(found: Detectable, sign: str) -> str:
    if found.value is None or found.value >= 1:
        return "none"
    return f"{sign}{100 * found.value:.1f}"
