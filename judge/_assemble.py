"""Putting a judgement together: what decides each goal, the score, and what everything rests on."""

from collections.abc import Sequence

from swe_together.judge._asked import gate_by_cases
from swe_together.judge._dossier import Dossier, digest
from swe_together.judge._score import score
from swe_together.judge._settings import JudgeSettings
from swe_together.judge._votes import flip_rate, majority
from swe_together.schema import Basis, CheckRun, Digests, Evidence, Goal, GoalJudgement, Judgement, Ledger, Usage, Vote


def assemble(
    dossier: Dossier, settings: JudgeSettings, checks: CheckRun | None, votes: Sequence[Vote], cached: int
) -> Judgement:
    """The judgement.

    Args:
        dossier: What was judged.
        settings: How.
        checks: Outcomes of the goals' own commands; None where they were not run.
        votes: The model's votes, each on the same goals.
        cached: How many of them came from the store.
    """
    goals = [_goal(dossier, settings, goal, checks, votes) for goal in dossier.rubric.goals]
    scored = score(goals)
    return Judgement(
        task=dossier.task,
        judge="checks" if settings.model is None else "model",
        model=settings.model.model if settings.model else None,
        temperature=votes[0].temperature if votes else None,
        checks=settings.checks,
        seed=settings.seed,
        score=scored.value,
        decided_share=scored.decided_share,
        failed_gates=list(scored.failed_gates),
        undecided_gates=list(scored.undecided_gates),
        disagreements=[goal.goal for goal in goals if goal.disagreement],
        goals=goals,
        votes=list(votes),
        check_run=checks,
        digests=Digests(
            rubric=dossier.rubric_digest,
            state=dossier.state,
            cases=dossier.cases_digest,
            dialogue=dossier.dialogue_digest,
            settings=digest(settings),
            prompts=[vote.prompt_sha256 for vote in votes],
        ),
        ledger=ledger_of([vote.ledger for vote in votes]),
        cached_votes=cached,
    )


def ledger_of(ledgers: Sequence[Ledger]) -> Ledger:
    """Several ledgers together; what one of them leaves unknown is unknown. Nothing asked has cost nothing."""
    usages = [ledger.usage for ledger in ledgers]

    def tokens(name: str) -> int | None:
        counts = [getattr(usage, name) for usage in usages]
        return None if None in counts else sum(counts)

    costs = [usage.cost_usd for usage in usages]
    usage = Usage(
        input_tokens=tokens("input_tokens"),
        cached_tokens=tokens("cached_tokens"),
        output_tokens=tokens("output_tokens"),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
    )
    requests = sum(ledger.requests for ledger in ledgers)
    return Ledger(requests=requests, usage=usage, seconds=sum(ledger.seconds for ledger in ledgers))


def _goal(
    dossier: Dossier, settings: JudgeSettings, goal: Goal, checks: CheckRun | None, votes: Sequence[Vote]
) -> GoalJudgement:
    verdicts = [verdict for vote in votes for verdict in vote.verdicts if verdict.goal == goal.id]
    said = [verdict.met for verdict in verdicts]
    by_model = majority(said) if said else None
    outcome = next((one for one in checks.outcomes if one.goal == goal.id), None) if checks else None
    by_cases = gate_by_cases(dossier, goal) if settings.checks != "ignore" else None
    by_check = outcome.met if outcome else by_cases
    basis, met, reason = Basis.UNDECIDED, None, _undecided(dossier, goal)
    if by_model is not None and not (settings.checks == "trust" and by_check is not None):
        basis, met = Basis.MODEL, by_model
        reason = next(verdict.reason for verdict in verdicts if verdict.met is by_model)
    elif outcome is not None:
        basis, met, reason = Basis.CHECK, outcome.met, outcome.reason
    elif by_cases is not None:
        failed = [case.id for case in dossier.cases_of(goal) if not case.passed]
        basis, met = Basis.CASES, by_cases
        reason = f"its test cases failed: {', '.join(failed)}" if failed else "all its test cases passed"
    return GoalJudgement(
        goal=goal.id,
        tier=goal.tier,
        weight=goal.weight,
        gate=goal.gate,
        met=met,
        basis=basis,
        reason=reason,
        votes=said,
        flip_rate=flip_rate(said),
        check=by_check,
        model=by_model,
    )


def _undecided(dossier: Dossier, goal: Goal) -> str:
    if goal.evidence is Evidence.CONVERSATION and not dossier.replies_known:
        return "no word of the agent was recorded"
    return "no model was asked, and it has no command"
