"""What the goals' own commands must say of each proof: they decide their goal, and nothing but their goal."""

from collections.abc import Set

from swe_together.judge import passes
from swe_together.pipeline.check.model import StateResult, Verdict
from swe_together.pipeline.check.subject import LEAVING, Subject
from swe_together.schema import CaseKind, Judgement

_SAID_CHARS = 160


def judged_by_checks(subject: Subject, results: dict[str, StateResult]) -> Verdict:
    """What the checks judge says of every state that proves something.

    The reference and every alternative meet all that is decided; with nothing done, gates alone are met; a wrong patch
    fails the goal that it names and meets the others; a cheat stays below the threshold.
    """
    checks = [goal.id for goal in subject.goals if goal.check]
    asked = {goal.id for goal in subject.goals if not goal.gate}
    unmet: dict[str, Set[str]] = {"reference-1": set(), "nothing": asked}
    unmet |= {proof.name: set() for proof in subject.alt}
    unmet |= {proof.name: {proof.goal} for proof in subject.wrong}
    cheats = [proof.name for proof in subject.cheat]
    problems = []
    for name in [*unmet, *cheats]:
        state = results.get(name)
        if state is None or state.judgement is None:
            problems.append(f"{name} was not judged")
            continue
        decided = {goal.goal for goal in state.judgement.goals if goal.met is not None}
        problems += [f"the check of {goal} was not run on {name}" for goal in checks if goal not in decided]
        if name in unmet:
            problems += _differences(name, state.judgement, unmet[name])
        elif state.judgement.score is None or passes(state.judgement.score):
            problems.append(f"{name} scores {state.judgement.score}")
    good = f"{len(checks)} checks decide their own goals alone, in {len(unmet) + len(cheats)} states"
    return Verdict.of("checks of goals", problems, good)


def leaving_at_once(subject: Subject, results: dict[str, StateResult]) -> Verdict:
    """Code that leaves with success as soon as it is loaded earns no case and no goal, and never runs as root."""
    state = results.get(LEAVING)
    problems = []
    if state is None or state.error or state.judgement is None:
        problems.append((state and state.error) or f"{LEAVING} was not judged")
    else:
        earned = [case.id for case in state.cases if case.kind is CaseKind.F2P and case.passed]
        problems += [f"it passes {case}" for case in earned]
        problems += [f"it meets {goal.goal}" for goal in state.judgement.goals if goal.met and not goal.gate]
    return Verdict.of("leaving at once", problems, "earns no case and no goal, and never runs as root")


def _differences(name: str, judgement: Judgement, unmet: Set[str]) -> list[str]:
    """Goals that were decided otherwise than they should be: these aren't met, the others are."""
    problems = []
    for goal in judgement.goals:
        if goal.met is True and goal.goal in unmet:
            problems.append(f"{name} meets {goal.goal}")
        elif goal.met is False and goal.goal not in unmet:
            problems.append(f"{name} doesn't meet {goal.goal}: {_said(judgement, goal.goal) or goal.reason}")
    return problems


def _said(judgement: Judgement, goal: str) -> str:
    """The last line that a goal's command printed: there stands what it wanted and what it found."""
    outcomes = judgement.check_run.outcomes if judgement.check_run else []
    said = "".join(outcome.output for outcome in outcomes if outcome.goal == goal)
    last = " ".join((said.strip().splitlines() or [""])[-1].split())
    return last if len(last) <= _SAID_CHARS else f"{last[:_SAID_CHARS]}…"
