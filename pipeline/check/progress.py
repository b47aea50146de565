"""Progress of a check: a bar for each task on a terminal, plain lines elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from swe_together.pipeline.check import run


class PlainProgress:
    """One line a step."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = time.monotonic()

    def plan(self, task: str, steps: int) -> None:
        """Say how much there is to do."""
        self._line(f"{task}: {steps} steps")

    def step(self, task: str, name: str, outcome: str) -> None:
        """Say what came out of a step."""
        self._line(f"{task}: {name}: {outcome}")

    def _line(self, text: str) -> None:
        self._console.print(f"{time.monotonic() - self._started:5.0f} s  {text}", markup=False, soft_wrap=True)


class BarProgress:
    """A bar for each task."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, object] = {}

    def plan(self, task: str, steps: int) -> None:
        """Add the task's bar."""
        self._tasks[task] = self._bars.add_task(escape(task), total=steps, last="building")

    def step(self, task: str, name: str, outcome: str) -> None:
        """Advance the task's bar."""
        self._bars.update(self._tasks[task], advance=1, last=escape(f"{name}: {outcome}"))  # type: ignore[arg-type]


@contextmanager
def make_progress(console: Console) -> Iterator[run.Progress]:
    """Progress that fits the console."""
    if not console.is_terminal:
        yield PlainProgress(console)
        return
    columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, TextColumn("{task.fields[last]}"), console=console) as bars:
        yield BarProgress(bars)
