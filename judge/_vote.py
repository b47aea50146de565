"""One vote: an investigation of the final state that ends with a verdict on every goal."""

from collections.abc import Sequence
from typing import Any

from swe_together.errors import JudgeError
from swe_together.judge._conversation import ChatModel
from swe_together.judge._loop import Assignment, Investigation
from swe_together.judge._seen import Seen
from swe_together.judge._tools import SubmitCall
from swe_together.judge._verdicts import verdicts_of
from swe_together.schema import FailedVote, Goal, Verdict, Vote

Voting = Investigation[SubmitCall, list[Verdict]]


def verdicts_on(goals: Sequence[Goal], seen: Seen) -> Assignment[SubmitCall, list[Verdict]]:
    """What a vote is to hand in.

    Args:
        goals: The goals to judge, in the order of the rubric.
        seen: What the model has been shown.
    """
    return Assignment(
        form=SubmitCall,
        accept=lambda submitted: verdicts_of(submitted, goals, seen),
        who="judge",
        what="verdict",
        error=JudgeError,
        again="Judge the trial again.",
        more="judge_sec, or --seconds",
    )


def record(
    voting: Voting, key: str, number: int, order: Sequence[Goal], verdicts: list[Verdict], model: ChatModel
) -> Vote:
    """The vote for the record."""
    last = voting.completions[-1]
    return Vote(
        key=key,
        number=number,
        order=[goal.id for goal in order],
        verdicts=verdicts,
        temperature=model.temperature,
        structure=last.structure,
        dropped=list(last.dropped),
        **_facts(voting, model),
    )


def failure(voting: Voting, key: str, number: int, error: str, model: ChatModel) -> FailedVote:
    """The same where there are no verdicts: what was spent is spent."""
    return FailedVote(key=key, number=number, error=error, **_facts(voting, model))


def _facts(voting: Voting, model: ChatModel) -> dict[str, Any]:
    return {
        "prompt_sha256": voting.opening.digest,
        "model": model.name,
        "answers": voting.answers,
        "refused": voting.refused,
        "faults": voting.faults,
        "ledger": voting.ledger,
    }
