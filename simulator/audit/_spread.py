"""How much the user differs between runs of one task: a vague condition makes users differ by chance."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from swe_together.schema import RunSpread
from swe_together.simulator.audit._input import AuditedTrial


def spread(trials: Sequence[AuditedTrial]) -> list[RunSpread]:
    """A line for each task that was run several times under one policy: how the sequences of said anchors differ.

    Sessions that a fault cut off say less for a reason of their own and are left out.
    """
    groups: dict[tuple[str, str], list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    for trial in trials:
        session = trial.session
        if session is not None and session.end.valid and session.arm == "interactive":
            groups[trial.task, session.policy].append((trial.agent, tuple(_said(trial))))
    return [
        RunSpread(
            task=task,
            policy=policy,
            runs=len(runs),
            agents=len({agent for agent, _ in runs}),
            sequences=len({sequence for _, sequence in runs}),
            distance=_mean_distance([sequence for _, sequence in runs]),
        )
        for (task, policy), runs in sorted(groups.items())
        if len(runs) > 1
    ]


def _said(trial: AuditedTrial) -> Iterator[str]:
    for one in trial.decided:
        if one.decision.message is not None:
            kind = one.decision.kind.value if one.decision.kind else "message"
            yield from one.decision.anchors or [kind]


def _mean_distance(sequences: Sequence[Sequence[str]]) -> float:
    pairs = [_distance(one, other) for one, other in combinations(sequences, 2)]
    return sum(pairs) / len(pairs)


def _distance(one: Sequence[str], other: Sequence[str]) -> float:
    """Edit distance over the length of the longer one."""
    if not one and not other:
        return 0.0
    row = list(range(len(other) + 1))
    for place, mine in enumerate(one, start=1):
        above, row[0] = row[0], place
        for column, theirs in enumerate(other, start=1):
            above, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, above + (mine != theirs))
    return row[-1] / max(len(one), len(other))
