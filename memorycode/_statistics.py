"""What generated dialogues are like, beside the published law: means per size, and how many standard errors away."""

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from swe_together.memorycode._dialogue import Dialogue, Kind
from swe_together.memorycode._laws import PER_SIZE, PUBLISHED, law

if TYPE_CHECKING:
    from rich.table import Table

NEAR: Final = 3.0
"""A figure further from the law than so many standard errors is shown as such."""


@dataclass(frozen=True)
class Figure:
    """One figure of the dialogues of one size.

    Attributes:
        mean: Of these dialogues.
        law: The published law's mean; None for sizes that weren't published.
        basis: ``parameters``: the law's mean and spread follow from its parameters; ``realised``: they are known only
            from the thirty published dialogues, so both sides have an error.
        z: Distance in standard errors; None without a law, or where a single dialogue gives no spread.
        spread: Standard deviation of single dialogues; None of a single one. That of the means of whole sets is
            smaller than independent dialogues would give it, see :mod:`swe_together.memorycode._rates`.
        law_spread: The law's; None without a law.
    """

    mean: float
    law: float | None
    basis: Literal["parameters", "realised"]
    z: float | None
    spread: float | None
    law_spread: float | None

    @property
    def far(self) -> bool:
        """Whether it is out of line with the law."""
        return self.z is not None and abs(self.z) > NEAR


@dataclass(frozen=True)
class SizeFigures:
    """The figures of all dialogues of one size, by name."""

    size: int
    dialogues: int
    figures: Mapping[str, Figure]


def sized_figures(dialogues: Iterable[Dialogue]) -> list[SizeFigures]:
    """The figures of dialogues, size by size."""
    sizes: dict[int, list[Dialogue]] = {}
    for dialogue in dialogues:
        sizes.setdefault(dialogue.size, []).append(dialogue)
    return [SizeFigures(size, len(group), _figures(size, group)) for size, group in sorted(sizes.items())]


def _figures(size: int, group: Sequence[Dialogue]) -> dict[str, Figure]:
    laws = law(size)
    known: Mapping[str, tuple[float, float]] = {
        "sessions": (float(size), 0.0),
        "with rules": laws.sessions,
        "instructions": laws.instructions,
        "small talk": laws.small_talk,
        "irrelevant": laws.irrelevant,
    }
    found = {name: _by_parameters(_COUNTS[name], group, *moments) for name, moments in known.items()}
    realised = PUBLISHED.get(size)
    for name in ("updates", "active", "words"):
        found[name] = _by_realised(_COUNTS[name], group, realised[name] if realised else None)
    return found


def _count(*kinds: Kind) -> Callable[[Dialogue], int]:
    return lambda dialogue: sum(item.kind in kinds for meeting in dialogue.sessions for item in meeting.items)


_COUNTS: Final[Mapping[str, Callable[[Dialogue], int]]] = {
    "sessions": lambda dialogue: dialogue.size,
    "with rules": lambda dialogue: sum(any(i.kind.is_rule for i in meeting.items) for meeting in dialogue.sessions),
    "instructions": _count(Kind.RULE, Kind.RULE_UPDATE),
    "updates": _count(Kind.RULE_UPDATE),
    "active": lambda dialogue: len(dialogue.active_rules),
    "small talk": _count(Kind.SMALL_TALK, Kind.SMALL_TALK_AGAIN),
    "irrelevant": _count(Kind.DISTRACTOR, Kind.DISTRACTOR_UPDATE),
    "words": lambda dialogue: sum(len(meeting.text.split()) for meeting in dialogue.sessions),
}


def _by_parameters(count: Callable[[Dialogue], int], group: Sequence[Dialogue], mean: float, spread: float) -> Figure:
    values = [count(dialogue) for dialogue in group]
    found = statistics.fmean(values)
    z = _z(found - mean, spread / math.sqrt(len(group)))
    return Figure(found, mean, "parameters", z, _spread(values), spread)


def _by_realised(
    count: Callable[[Dialogue], int], group: Sequence[Dialogue], law: tuple[float, float] | None
) -> Figure:
    values = [count(dialogue) for dialogue in group]
    found = statistics.fmean(values)
    if law is None:
        return Figure(found, None, "realised", None, _spread(values), None)
    if len(values) < 2:
        return Figure(found, law[0], "realised", None, None, law[1])
    error = math.sqrt(statistics.variance(values) / len(values) + law[1] ** 2 / PER_SIZE)
    return Figure(found, law[0], "realised", _z(found - law[0], error), _spread(values), law[1])


def _spread(values: Sequence[int]) -> float | None:
    return statistics.stdev(values) if len(values) > 1 else None


def _z(distance: float, error: float) -> float:
    if error == 0:
        return 0.0 if abs(distance) < 1e-9 else math.copysign(math.inf, distance)
    return distance / error


def figures_table(rows: Sequence[SizeFigures]) -> "Table":
    """The figures for the terminal: ours, the law's, z."""
    from rich.table import Table

    table = Table(title="mean per dialogue: ours / published (z)", title_justify="left")
    table.add_column("dialogues", justify="right")
    for name in _COUNTS:
        starred = "*" if name in ("updates", "active", "words") else ""
        table.add_column(name + starred, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(str(row.dialogues), *(_cell(row.figures[name]) for name in _COUNTS))
    table.caption = (
        "* known from the thirty published dialogues of the size alone; all else follows from the law's parameters.\n"
        "! further than three standard errors from the law"
    )
    return table


def _cell(figure: Figure) -> str:
    form = ",.0f" if figure.mean >= 200 else ".4g"
    law = "–" if figure.law is None else f"{figure.law:{form}}"
    z = "" if figure.z is None else f" ({figure.z:+.1f}{'!' if figure.far else ''})"
    return f"{figure.mean:{form}}/{law}{z}"
