"""Which goals a model is asked about, and which gates the test cases decide."""

from swe_together.judge._dossier import Dossier
from swe_together.judge._settings import JudgeSettings
from swe_together.schema import CheckRun, Evidence, Goal


def asked_goals(dossier: Dossier, settings: JudgeSettings, checks: CheckRun | None) -> list[Goal]:
    """The goals that the model is asked about, in the order of the rubric.

    Left out are goals whose command is trusted, gates that trusted test cases decide, and goals about the
    conversation where no word of the agent was recorded.
    """
    decided = {outcome.goal for outcome in checks.outcomes} if checks else set()
    trusted = settings.checks == "trust"

    def wanted(goal: Goal) -> bool:
        if goal.evidence is Evidence.CONVERSATION and not dossier.replies_known:
            return False
        return not (trusted and (goal.id in decided or gate_by_cases(dossier, goal) is not None))

    return [goal for goal in dossier.rubric.goals if wanted(goal)]


def gate_by_cases(dossier: Dossier, goal: Goal) -> bool | None:
    """What the test cases say about a gate without a command; None where they say nothing.

    A gate is what must merely stay unbroken, and its cases are all that says so. Goals with a weight are never
    decided by cases: that would count the tests twice.
    """
    if not goal.gate or goal.check is not None or goal.evidence is not Evidence.TESTS:
        return None
    cases = dossier.cases_of(goal)
    return all(case.passed for case in cases) if cases else None
