"""Freezing what a person made of a draft: every rule at once, then the commands on the reference."""

from collections.abc import Sequence

from pydantic import ValidationError

from swe_together.errors import DraftError, EnvironmentFault
from swe_together.judge._checks import outcomes_of
from swe_together.judge._workspace import Workspace
from swe_together.judge.drafting._material import KnownCase
from swe_together.schema import DraftRubric, Evidence, Goal, Provenance, Rubric, Tier, goals_digest


def problems_of(draft: DraftRubric, cases: Sequence[KnownCase]) -> list[str]:
    """Everything that keeps a draft from being frozen, in words.

    Args:
        draft: The draft.
        cases: The task's test cases.
    """
    known = {case.id for case in cases}
    found = [
        f"finding {number} ({finding.kind.value}, {finding.goal or 'the whole'}) must be dealt with: {finding.problem} "
        "Change the goals and remove it, or answer it."
        for number, finding in enumerate(draft.findings, start=1)
        if finding.must and not (finding.answer or "").strip()
    ]
    for goal in draft.goals:
        found += [
            f"goal {goal.id} names the test case {one}, which there isn't" for one in goal.cases if one not in known
        ]
        if goal.evidence is Evidence.CONVERSATION and (goal.check or goal.cases):
            found.append(f"goal {goal.id} is about the conversation, which neither command nor test case can see")
        if goal.evidence is Evidence.TESTS and not (goal.check or goal.cases):
            found.append(f"nothing decides goal {goal.id}: it has neither test case nor check")
    if not any(goal.tier is Tier.CORE and not goal.gate for goal in draft.goals):
        found.append("no goal with a weight is core")
    try:
        freeze(draft, "nobody", draft.date)
    except DraftError as error:
        found.append(error.message)
    return found


def freeze(draft: DraftRubric, reviewer: str, date: str) -> Rubric:
    """The rubric.

    Args:
        draft: What the person made of it.
        reviewer: Who that is.
        date: Today's, as YYYY-MM-DD.

    Raises:
        DraftError: Its goals are no rubric.
    """
    goals = [Goal(**goal.model_dump(exclude={"why", "turns"})) for goal in draft.goals]
    attacked = f", attacked by {draft.critic}" if draft.critic else ""
    provenance = Provenance(
        author=f"Drafted by {draft.author}{attacked}; edited and frozen by {reviewer}.",
        sources=[f"{source.name} (sha256 {source.sha256[:12]})" for source in draft.sources],
        frozen=date,
        digest=goals_digest(goals),
    )
    try:
        return Rubric(provenance=provenance, goals=goals)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise DraftError(problem, "Edit the draft.") from None


async def red_checks(rubric: Rubric, root: Workspace) -> list[str]:
    """Commands that don't hold where the reference is applied, in words.

    Raises:
        DraftError: The container failed.
    """
    try:
        outcomes = await outcomes_of(rubric.goals, root)
    except EnvironmentFault as fault:
        raise DraftError(f"The reference's container failed: {fault}", "Freeze again.") from fault
    return [
        f"goal {one.goal} is not met by the reference: {one.reason}. {_last(one.output)}".strip()
        for one in outcomes
        if not one.met
    ]


def _last(output: str) -> str:
    return " ".join((output.strip().splitlines() or [""])[-1].split())[:200]
