"""What the trials of a job cost, part by part. Unknown is shown as such and never added as 0."""

from collections.abc import Callable, Sequence

from rich.table import Table

from swe_together.schema import PartLedger, TrialLedger

PARTS = ("agent", "user", "judge", "tagger", "judged_again")
_NUMBERS: Sequence[tuple[str, Callable[[PartLedger], float | None], str]] = (
    ("answers", lambda part: part.answers, ",d"),
    ("failed", lambda part: part.failed_requests, ",d"),
    ("tokens in", lambda part: part.usage.input_tokens, ",d"),
    ("cached", lambda part: part.usage.cached_tokens, ",d"),
    ("tokens out", lambda part: part.usage.output_tokens, ",d"),
    ("cost, $", lambda part: part.usage.cost_usd, ",.4f"),
    ("seconds", lambda part: part.seconds, ",.1f"),
)


def ledger_table(ledgers: Sequence[TrialLedger]) -> Table:
    """A row for each part; where some trials leave a number unknown, the sum of the others and how many those are."""
    table = Table(title=f"what {len(ledgers)} trials cost (? unknown)", title_justify="left")
    table.add_column("part", no_wrap=True)
    table.add_column("model", overflow="fold")
    for name, *_ in _NUMBERS:
        table.add_column(name, justify="right", no_wrap=True)
    for name in PARTS:
        parts = [part for ledger in ledgers if (part := getattr(ledger, name)) is not None]
        if parts:
            models = sorted({model for part in parts for model in part.models})
            cells = [cell([number(part) for part in parts], form) for _, number, form in _NUMBERS]
            table.add_row(name.replace("_", " "), ", ".join(models) or "–", *cells)
    return table


def cell(values: Sequence[float | None], form: str) -> str:
    """``12``, ``12 + 2 ?`` where two more are unknown, ``?`` where all are."""
    known = [value for value in values if value is not None]
    unknown = len(values) - len(known)
    if not known:
        return "?"
    return f"{sum(known):{form}}" + (f" + {unknown} ?" if unknown else "")
