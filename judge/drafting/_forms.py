"""What author and critic hand in, and reading it: a usable draft, usable findings, or refused with the reason."""

import re
from collections.abc import Sequence
from typing import Final

from pydantic import Field, ValidationError

from swe_together import defaults
from swe_together.judge._conversation import Tool
from swe_together.judge._tools import LOOKING, arguments_of
from swe_together.judge.drafting._material import Material
from swe_together.providers import Form, Refused
from swe_together.schema import Attack, Check, DraftGoal, Evidence, Finding, Tier

_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TEXT: Final = {"type": "string"}


class DraftedGoal(Form):
    """A goal as the author writes it; ``weight`` is relative."""

    id: str = Field(min_length=1, max_length=64)
    turns: list[int] = Field(min_length=1)
    why: str = Field(min_length=1, max_length=defaults.JUDGE_REASON_CHARS)
    text: str = Field(min_length=1, max_length=defaults.JUDGE_REASON_CHARS)
    tier: Tier
    evidence: Evidence
    gate: bool
    weight: int | None = Field(ge=1, le=100)
    check: str | None = Field(max_length=defaults.JUDGE_COMMAND_CHARS)
    cases: list[str]


class DraftCall(Form):
    """A whole draft."""

    goals: list[DraftedGoal] = Field(min_length=1, max_length=defaults.DRAFT_GOALS)


class FoundFault(Form):
    """A finding as the critic writes it."""

    goal: str | None
    kind: Attack
    problem: str = Field(min_length=1, max_length=defaults.JUDGE_REASON_CHARS)
    advice: str = Field(min_length=1, max_length=defaults.JUDGE_REASON_CHARS)
    must: bool


class CritiqueCall(Form):
    """All findings."""

    findings: list[FoundFault] = Field(max_length=defaults.DRAFT_FINDINGS)


_GOAL: Final = arguments_of(
    {
        "id": _TEXT,
        "turns": {"type": "array", "items": {"type": "integer"}},
        "why": _TEXT,
        "text": _TEXT,
        "tier": {"type": "string", "enum": [tier.value for tier in Tier]},
        "evidence": {"type": "string", "enum": [channel.value for channel in Evidence]},
        "gate": {"type": "boolean"},
        "weight": {"type": ["integer", "null"]},
        "check": {"type": ["string", "null"]},
        "cases": {"type": "array", "items": _TEXT},
    }
)
_FAULT: Final = arguments_of(
    {
        "goal": {"type": ["string", "null"]},
        "kind": {"type": "string", "enum": [kind.value for kind in Attack]},
        "problem": _TEXT,
        "advice": _TEXT,
        "must": {"type": "boolean"},
    }
)
DRAFTING: Final = (
    *LOOKING,
    Tool("submit", "Hand in the draft, once and alone.", arguments_of({"goals": {"type": "array", "items": _GOAL}})),
)
ATTACKING: Final = (
    *LOOKING,
    Tool(
        "submit",
        "Hand in all findings, once and alone; an empty list where there are none.",
        arguments_of({"findings": {"type": "array", "items": _FAULT}}),
    ),
)


def goals_of(call: DraftCall, material: Material) -> list[DraftGoal]:
    """The goals, their weights made to sum to 1.

    Raises:
        Refused: They can't be a rubric.
    """
    ids = [goal.id for goal in call.goals]
    doubled = sorted({one for one in ids if ids.count(one) > 1})
    if doubled:
        raise Refused(f"These ids stand in it twice: {', '.join(doubled)}.")
    problems = [problem for goal in call.goals for problem in _problems(goal, material)]
    if not any(goal.tier is Tier.CORE and not goal.gate for goal in call.goals):
        problems.append("No goal with a weight is core.")
    if problems:
        raise Refused(" ".join(problems[:8]))
    weights = iter(hundredths([goal.weight or 0 for goal in call.goals if not goal.gate]))
    try:
        return [_goal(goal, None if goal.gate else next(weights) / 100) for goal in call.goals]
    except ValidationError as error:
        raise Refused(f"It is no list of goals: {error.errors()[0]['msg']}.") from None


def findings_of(call: CritiqueCall, goals: Sequence[DraftGoal]) -> list[Finding]:
    """The findings.

    Raises:
        Refused: One names a goal that the draft doesn't have, or says nothing.
    """
    known = {goal.id for goal in goals}
    for fault in call.findings:
        if fault.goal is not None and fault.goal not in known:
            raise Refused(f"There is no goal {fault.goal[:64]!r} in the draft; null stands for all of it.")
        if not fault.problem.strip() or not fault.advice.strip():
            raise Refused("A finding has no problem or no advice.")
    return [Finding(**fault.model_dump()) for fault in call.findings]


def hundredths(parts: Sequence[int]) -> list[int]:
    """Relative weights as whole hundredths that sum to 100, none of them 0: the largest remainders are rounded up."""
    total = sum(parts)
    exact = [part * 100 / total for part in parts]
    shares = [max(1, int(one)) for one in exact]
    order = sorted(range(len(parts)), key=lambda at: (shares[at] - exact[at], at))
    for at in order[: max(0, 100 - sum(shares))]:
        shares[at] += 1
    while sum(shares) > 100:
        shares[shares.index(max(shares))] -= 1
    return shares


def _problems(goal: DraftedGoal, material: Material) -> list[str]:
    known_cases = {case.id for case in material.cases}
    known_turns = {turn.turn for turn in material.turns}
    name = f"Goal {goal.id[:64]}"
    rules = (
        (_SLUG.fullmatch(goal.id) is None, "its id must be lower-case words joined by hyphens"),
        (not goal.why.strip() or not goal.text.strip(), "it has no text or no reason"),
        (goal.gate and goal.weight is not None, "a gate has no weight"),
        (not goal.gate and goal.weight is None, "it needs a weight"),
        (goal.check is not None and not goal.check.strip(), "its check is empty; null stands for none"),
        (goal.evidence is Evidence.CONVERSATION and goal.check is not None, "no command sees the conversation"),
        (goal.evidence is Evidence.CONVERSATION and bool(goal.cases), "no test case sees the conversation"),
        (goal.evidence is Evidence.TESTS and not goal.cases and goal.check is None, "it has neither case nor check"),
        (not known_turns.issuperset(goal.turns), "it names a turn that the session doesn't have"),
        (not known_cases.issuperset(goal.cases), "it names a test case that there isn't"),
    )
    return [f"{name}: {problem}." for broken, problem in rules if broken]


def _goal(goal: DraftedGoal, weight: float | None) -> DraftGoal:
    return DraftGoal(
        id=goal.id,
        text=goal.text,
        weight=weight,
        tier=goal.tier,
        evidence=goal.evidence,
        gate=goal.gate,
        check=None if goal.check is None else Check(run=goal.check),
        cases=goal.cases,
        why=goal.why,
        turns=goal.turns,
    )
