"""Refusing to put side by side what can't be compared: other datasets, tasks, rubrics, users, judges, agents."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from swe_together.errors import MisuseError, TogetherError
from swe_together.report._measured import Row

SHOWN: Final = 3
OWN: Final = ("task", "rubric", "agent")
"""Kinds that differ from task to task, or from entry to entry."""


@dataclass(frozen=True)
class Kind:
    """Something that must be the same.

    Attributes:
        columns: What makes it up.
        within: Columns within whose values it must be the same; none for the whole table.
    """

    name: str
    what: str
    columns: tuple[str, ...]
    within: tuple[str, ...] = ()


KINDS: Final = (
    Kind("dataset", "datasets", ("dataset",)),
    Kind("dataset", "versions of a dataset", ("dataset_version",), ("dataset",)),
    Kind("task", "versions of a task", ("task_digest",), ("task",)),
    Kind("rubric", "rubrics of a task", ("rubric_digest",), ("task",)),
    Kind("simulator", "simulated users", ("policy", "user_model"), ("arm",)),
    Kind("simulator", "versions of the simulated user", ("simulator",), ("arm",)),
    Kind("basis", "scores as the reward", ("basis",)),
    Kind("judge", "judges", ("judge", "judge_model", "judge_settings")),
    Kind("agent", "versions of an agent", ("agent_version",), ("agent", "model", "agent_settings")),
)
NAMES: Final = tuple(dict.fromkeys(kind.name for kind in KINDS))


def refuse_mixed(rows: Sequence[Row], allowed: Collection[str]) -> list[str]:
    """Make sure that scored trials are of a kind.

    Args:
        rows: Planned trials.
        allowed: Kinds that may be mixed.

    Returns:
        The kinds that are mixed, with leave.

    Raises:
        MisuseError: There is no such kind.
        TogetherError: Something is mixed without leave; the message says what, and in which jobs.
    """
    for name in allowed:
        if name not in NAMES:
            raise MisuseError(f"--mix {name}: there is no such kind.", f"Kinds: {', '.join(NAMES)}.")
    mixed = []
    for kind in KINDS:
        difference = next(_differences(rows, kind), None)
        if difference is None:
            continue
        if kind.name not in allowed:
            raise TogetherError(
                f"These trials mix {kind.what}: {difference}.",
                f"Report them apart, or allow it: --mix {kind.name}.",
            )
        mixed.append(kind.name)
    return list(dict.fromkeys(mixed))


def common(rows: Sequence[Row]) -> dict[str, Sequence[str]]:
    """What scored trials have in common or are mixed of, by name of the kind; the digests of tasks left out."""
    scored = [row for row in rows if row["status"] == "ok"]
    return {kind.what: sorted(_variants(scored, kind)) for kind in KINDS if kind.name not in OWN}


def _differences(rows: Sequence[Row], kind: Kind) -> Iterator[str]:
    parts: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if row["status"] == "ok":
            parts.setdefault(tuple(row[name] or "" for name in kind.within), []).append(row)
    for key in sorted(parts):
        variants = _variants(parts[key], kind)
        if len(variants) > 1:
            name = " ".join(part for part in key if part)
            told = [f"{variant} ({_where(found)})" for variant, found in sorted(variants.items())]
            more = f"; and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
            yield f"{f'{name}: ' if name else ''}{'; '.join(told[:SHOWN])}{more}"


def _variants(scored: Sequence[Row], kind: Kind) -> dict[str, list[Row]]:
    """The trials of each variant. A trial that says nothing of it, or that nobody judged, is of none."""
    found: dict[str, list[Row]] = {}
    for row in scored:
        told = [_short(name, row[name]) for name in kind.columns if row[name] is not None]
        if told and not (kind.name == "judge" and row["judge"] == "tests"):
            found.setdefault(" ".join(told), []).append(row)
    return found


def _where(rows: Sequence[Row]) -> str:
    jobs = list(dict.fromkeys(str(row["job"]) for row in rows))
    more = f" and {len(jobs) - SHOWN} more" if len(jobs) > SHOWN else ""
    return f"{len(rows)} {'trial' if len(rows) == 1 else 'trials'} in {', '.join(jobs[:SHOWN])}{more}"


def _short(column: str, value: str) -> str:
    return f"{value[:12]}…" if column.endswith("digest") and len(value) > 12 else value
