"""Checking a submission: exactly the rubric's goals, a reason and seen evidence for each."""

from collections.abc import Sequence

from swe_together.judge._seen import Seen
from swe_together.judge._tools import SubmitCall
from swe_together.providers import Refused
from swe_together.schema import Citation, Goal, Verdict


def verdicts_of(submitted: SubmitCall, goals: Sequence[Goal], seen: Seen) -> list[Verdict]:
    """The verdicts in the order of the rubric.

    Args:
        submitted: What the judge handed in.
        goals: The goals that it was asked about, in the order of the rubric.
        seen: What it has seen.

    Raises:
        Refused: A goal is missing, doubled or unknown, a reason is blank, or a piece of evidence was not seen.
    """
    given = [verdict.goal for verdict in submitted.verdicts]
    ids = [goal.id for goal in goals]
    doubled = sorted({one for one in given if given.count(one) > 1})
    unknown = sorted(set(given) - set(ids))
    missing = [one for one in ids if one not in given]
    if doubled:
        raise Refused(f"These goals stand in it twice: {_list(doubled)}.")
    if unknown:
        raise Refused(f"These are no goals of the list: {_list(unknown)}.")
    if missing:
        raise Refused(f"These goals have no verdict: {_list(missing)}.")
    by_id = {verdict.goal: verdict for verdict in submitted.verdicts}
    found = []
    for goal in goals:
        one = by_id[goal.id]
        if not one.reason.strip():
            raise Refused(f"Goal {goal.id} has no reason.")
        blank = [piece for piece in one.evidence if not piece.ref.strip()]
        if blank:
            raise Refused(f"Goal {goal.id} cites nothing as its evidence.")
        evidence = [Citation(kind=piece.kind, ref=piece.ref) for piece in one.evidence]
        seen.check(goal, evidence)
        found.append(Verdict(goal=goal.id, evidence=evidence, reason=one.reason, met=one.met))
    return found


def _list(ids: Sequence[str]) -> str:
    return ", ".join(one[:64] for one in ids[:10])
