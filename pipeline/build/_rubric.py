"""Goals of a draft: what each message asked for, decided by its cases, and what had worked as a gate."""

from collections.abc import Sequence

from swe_together.gaps import gap
from swe_together.pipeline.build._plan import Cases, Plan
from swe_together.schema import Evidence, Goal, Provenance, Rubric, Tier

GATE = "what-worked"
FIRST = "first-message"


def rubric_of(plan: Plan, cases: Cases, author: str, today: str) -> Rubric:
    """One goal for each message that asks for work, with equal weights; those without cases are decided by a reader.

    Args:
        plan: The draft.
        cases: Its cases; where there are none, every goal says what is missing.
        author: Who made it.
        today: As YYYY-MM-DD.
    """
    named = {0: FIRST, **{one.anchor.source_turn: one.anchor.id for one in plan.anchors}}
    words = {turn.number: turn.text for turn in plan.turns}
    asking = sorted({*(plan.asking if not cases.asked else ()), *cases.asked})
    weights = _weights(len(asking))
    goals = [
        Goal(
            id=_free(named[turn], {GATE}), text=plan.goals.get(turn) or _text(words[turn], cases.asked.get(turn, ())),
            weight=weight, tier=Tier.CORE, evidence=Evidence.TESTS if cases.asked.get(turn) else Evidence.STATE,
            cases=list(cases.asked.get(turn, ())),
        )
        for turn, weight in zip(asking, weights, strict=True)
    ]  # fmt: skip
    if cases.kept:
        goals.append(
            Goal(
                id=GATE, text="What the repository's own tests had shown to work still works.", tier=Tier.CORE,
                evidence=Evidence.TESTS, gate=True, cases=list(cases.kept),
            )
        )  # fmt: skip
    return Rubric(provenance=Provenance(author=author, sources=["session.json"], frozen=today), goals=goals)


def _text(words: str, cases: Sequence[str]) -> str:
    line = " ".join(words.split())
    line = line if len(line) <= 280 else f"{line[:279]}…"
    return f"What the user asked for is done: {line}" if cases else gap(f"what a stranger can decide of: {line}")


def _weights(number: int) -> list[float]:
    """Equal ones that sum to one."""
    each = round(1 / number, 4)
    return [*[each] * (number - 1), round(1 - each * (number - 1), 4)]


def _free(name: str, taken: set[str]) -> str:
    return f"{name}-asked" if name in taken else name
