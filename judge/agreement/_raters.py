"""Which raters judgements hold, and what each of them says of every goal."""

from collections.abc import Iterable, Mapping, Sequence

from swe_together.judge.agreement._ratings import Ratings
from swe_together.schema import Judgement

CHECKS = "checks"
"""The rater that the goals' own commands are, and the cases of gates."""


def state_of(judgement: Judgement) -> str:
    """Names a final state, whatever trial it stands in: the task and the first digits of its digest."""
    return f"{judgement.task} {judgement.digests.state[:12]}"


def of_judgements(judgements: Iterable[Judgement], *, votes: bool = False) -> Ratings:
    """Who said what of which goal.

    A model's verdict is what most of its votes said; where a command decided in its place, that is the verdict of
    ``checks`` alone. Judges of one model with different settings are told apart by what differs.

    Args:
        judgements: Of several judges, on the same states.
        votes: Each vote of a model is a rater, and nobody else.

    Raises:
        TogetherError: A rater said two things of the same goal of the same state.
    """
    ratings, listed = Ratings(), list(judgements)
    names = names_of(listed)
    for judgement in listed:
        unit, name = state_of(judgement), names[judgement.digests.settings]
        by_model = judgement.judge == "model"
        for goal in judgement.goals:
            if votes:
                for number, met in enumerate(goal.votes, start=1):
                    ratings.add(unit, goal.goal, f"{name} vote {number}", met)
                continue
            ratings.add(unit, goal.goal, CHECKS, goal.check if by_model else goal.met)
            if by_model:
                ratings.add(unit, goal.goal, name, goal.model)
    return ratings


def names_of(judgements: Sequence[Judgement]) -> Mapping[str, str]:
    """A judge's name by the digest of its settings: its model, and what tells it from others of the same model."""
    told = {judgement.digests.settings: _facts(judgement) for judgement in judgements}
    names = {}
    for settings, facts in told.items():
        same = [other for other in told.values() if other["model"] == facts["model"]]
        differing = [name for name in facts if len({other[name] for other in same}) > 1]
        more = [f"{name} {facts[name]}" for name in differing]
        twins = sum(all(other[name] == facts[name] for name in facts) for other in same)
        more += [f"settings {settings[:8]}"] if twins > 1 else []
        names[settings] = f"{facts['model']} ({', '.join(more)})" if more else facts["model"]
    return names


def _facts(judgement: Judgement) -> dict[str, str]:
    if judgement.judge == "checks":
        return {"model": CHECKS}
    temperature = "the provider's" if judgement.temperature is None else f"{judgement.temperature:g}"
    return {
        "model": judgement.model or judgement.judge,
        "votes": str(len(judgement.votes)),
        "checks": judgement.checks,
        "temperature": temperature,
        "seed": str(judgement.seed),
    }
