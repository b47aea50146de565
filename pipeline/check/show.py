"""Tables for people: verdicts, the stage × case matrix, and the overview of all tasks."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from swe_together.pipeline.check.model import StateResult, TaskCheck

_MARK = {True: "✓", False: "·", None: "?"}


def print_check(console: Console, check: TaskCheck) -> None:
    """Print the verdicts of one task, and the matrix where states were run."""
    table = Table(title=check.task, title_justify="left", show_edge=False, pad_edge=False)
    table.add_column("item", no_wrap=True)
    table.add_column("")
    table.add_column("finding", overflow="fold")
    for verdict in check.verdicts:
        mark = "[green]pass[/]" if verdict.passed else "[red bold]FAIL[/]"
        table.add_row(escape(verdict.item), mark, escape(verdict.detail))
    console.print(table)
    columns = matrix_columns(check)
    if columns:
        matrix = Table(show_edge=False, pad_edge=False)
        matrix.add_column("case", overflow="fold")
        matrix.add_column("turn")
        for name, _ in columns:
            matrix.add_column(name, justify="center")
        for row in matrix_rows(check, columns):
            matrix.add_row(*(escape(cell) for cell in row))
        console.print()
        console.print(matrix)
    conclusion = "[green]sound[/]" if check.sound else "[red bold]not sound[/]"
    how = " as far as files tell" if check.static else ""
    console.print(f"\n{escape(check.task)} is {conclusion}{how} ({check.seconds:.0f} s)\n")


def matrix_columns(check: TaskCheck) -> list[tuple[str, StateResult]]:
    """The states that a session passes through: nothing done, then stage after stage."""
    found = [("nothing", state) for state in check.states if state.name == "nothing"]
    stages = [state for state in check.states if state.name.startswith("stage-")]
    stages.sort(key=lambda state: int(state.name.removeprefix("stage-")))
    return found + [(state.name.replace("-", " "), state) for state in stages]


def matrix_rows(check: TaskCheck, columns: list[tuple[str, StateResult]]) -> list[list[str]]:
    """One row a case, by turn; then the reward of each state."""
    rows = []
    for case in sorted(check.declared, key=lambda c: (c.kind.value == "p2p", c.turn, c.id)):
        turn = str(case.turn) if case.kind.value == "f2p" else "old"
        marks = []
        for _, state in columns:
            known = {c.id: c.passed for c in state.cases}
            marks.append(_MARK[known.get(case.id)])
        rows.append([case.id, turn, *marks])
    rewards = ["?" if state.reward is None else f"{state.reward:.2f}" for _, state in columns]
    return [*rows, ["reward", "", *rewards]]
