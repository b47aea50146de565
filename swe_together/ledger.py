"""What a trial cost: agent, user, judge and tagger apart, read from the trial's own records. Imports no Harbor.

Unknown is None, never 0. A part that asked no model has spent nothing, and its note says so. What came to nothing
counts: decisions that failed, votes without verdicts, questions without a usable answer.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ValidationError

from swe_together.schema import (
    Behaviour,
    CheckRun,
    DecisionRecord,
    FailedVote,
    Judgement,
    Ledger,
    ModelCall,
    PartLedger,
    SessionRecord,
    TrialLedger,
    Usage,
    Vote,
)

LEDGER = Path("verifier/ledger.json")
SESSION = Path("user-agent/session.json")
DECISIONS = Path("user-agent/decisions.jsonl")
JUDGEMENT = Path("verifier/judgement.json")
JUDGED = Path("verifier/judge")
JUDGED_AGAIN = Path("judgements/parts")
BEHAVIOUR = Path("verifier/behaviour.json")


def trial_ledger(folder: Path) -> TrialLedger:
    """The ledger of a trial, whole or half-written.

    Args:
        folder: The trial's folder. A record in it that can't be read leaves its part unknown, with the reason.
    """
    return TrialLedger(
        agent=_part(lambda: _agent(folder)),
        user=_part(lambda: _user(folder)),
        judge=_part(lambda: _judge(folder / JUDGED, folder / JUDGEMENT)),
        tagger=_part(lambda: _tagger(folder)),
        judged_again=_part(lambda: _judge(folder / JUDGED_AGAIN)) if (folder / JUDGED_AGAIN).is_dir() else None,
    )


@dataclass
class _Spent:
    """A sum over entries. Its price is that of the answers; requests without one are counted beside."""

    models: set[str] = field(default_factory=set)
    answers: int = 0
    failed: int = 0
    usages: list[Usage] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, model: str, answers: int, faults: Sequence[str], usage: Usage, seconds: float) -> None:
        self.models.add(model)
        self.answers += answers
        self.failed += len(faults)
        self.seconds += seconds
        if answers:
            self.usages.append(usage)

    def part(self, note: str, seconds: float | None = None) -> PartLedger:
        """The sum; ``note`` is for where nobody was asked, ``seconds`` where the part's own were measured."""
        only_failures = self.failed > 0 and not self.answers
        return PartLedger(
            models=sorted(self.models),
            answers=self.answers,
            failed_requests=self.failed,
            usage=Usage() if only_failures else _sum(self.usages),
            seconds=self.seconds if seconds is None else seconds,
            note="no request was answered" if only_failures else "" if self.models else note,
        )


class _Unreadable(Exception):
    """A record is there and can't be read."""


def _part(read: Callable[[], PartLedger]) -> PartLedger:
    try:
        return read()
    except _Unreadable as problem:
        return PartLedger(note=str(problem))


def _agent(folder: Path) -> PartLedger:
    session = _model(folder / SESSION, SessionRecord)
    if session is None:
        return PartLedger(note="no session was held here")
    unknown = session.usage.input_tokens is None
    return PartLedger(
        models=[session.model] if session.model else [],
        usage=session.usage,
        seconds=session.agent_seconds,
        note="the agent reported no tokens for some of its turns" if unknown else "",
    )


def _user(folder: Path) -> PartLedger:
    session = _model(folder / SESSION, SessionRecord)
    path = folder / DECISIONS
    if session is None and not path.is_file():
        return PartLedger(note="no session was held here")
    spent, took = _Spent(), 0.0
    for record in _decisions(path):
        took += record.seconds
        if record.call is not None:
            spent.add(record.call.model, _answers(record.call), record.call.faults, _usage(record.call), 0.0)
    return spent.part("no model was asked", took if session is None else session.user_seconds)


def _judge(store: Path, judgement: Path | None = None) -> PartLedger:
    judged = _model(judgement, Judgement) if judgement is not None else None
    votes = {vote.key: vote for vote in [*(judged.votes if judged else []), *_all(store / "votes", Vote)]}
    checks = {run.key: run for run in [*([judged.check_run] if judged and judged.check_run else []),
                                       *_all(store / "checks", CheckRun)]}  # fmt: skip
    spent = _Spent(seconds=sum(run.seconds for run in checks.values()))
    made: list[Vote | FailedVote] = [*votes.values(), *_all(store / "failed", FailedVote)]
    for vote in made:
        _enter(spent, vote.model, vote.faults, vote.ledger)
    return spent.part("no model was asked: commands judged" if checks else "nothing was asked")


def _tagger(folder: Path) -> PartLedger:
    found = _model(folder / BEHAVIOUR, Behaviour)
    spent = _Spent()
    if found is not None:
        asked = [part.question for part in (found.tags, found.coverage) if part is not None and part.question]
        for question in [*asked, *found.failed]:
            _enter(spent, question.model, question.faults, question.ledger)
    return spent.part("nothing was asked" if found is None else "no model was asked: authored labels alone")


def _enter(spent: _Spent, model: str, faults: Sequence[str], ledger: Ledger) -> None:
    spent.add(model, ledger.requests, faults, ledger.usage, ledger.seconds)


def _answers(call: ModelCall) -> int:
    """Answers of a turn. ``retries`` counts every request but the first; without any answer ``raw`` is empty."""
    return call.retries + 1 - len(call.faults) if call.raw else 0


def _usage(call: ModelCall) -> Usage:
    return Usage(
        input_tokens=call.input_tokens,
        cached_tokens=call.cached_tokens,
        output_tokens=call.output_tokens,
        cost_usd=call.cost_usd,
    )


def _sum(usages: Sequence[Usage]) -> Usage:
    """All together; what one of them leaves unknown is unknown. Nothing asked has cost nothing."""

    def tokens(values: Iterable[int | None]) -> int | None:
        known = list(values)
        return None if None in known else sum(value for value in known if value is not None)

    costs = [usage.cost_usd for usage in usages]
    return Usage(
        input_tokens=tokens(usage.input_tokens for usage in usages),
        cached_tokens=tokens(usage.cached_tokens for usage in usages),
        output_tokens=tokens(usage.output_tokens for usage in usages),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def _decisions(path: Path) -> list[DecisionRecord]:
    lines = _bytes(path).split(b"\n") if path.is_file() else []
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found += [DecisionRecord.model_validate_json(line)] if line.strip() else []
        except ValidationError:
            raise _Unreadable(f"{path.name}: line {number} is no decision") from None
    return found


def _all[M: BaseModel](folder: Path, model: type[M]) -> list[M]:
    found = (_model(path, model) for path in sorted(folder.glob("*.json")))
    return [part for part in found if part is not None]


def _model[M: BaseModel](path: Path, model: type[M]) -> M | None:
    if not path.is_file():
        return None
    try:
        return model.model_validate(json.loads(_bytes(path)))
    except (ValidationError, ValueError):
        raise _Unreadable(f"{path.name} can't be read") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _Unreadable(f"{path.name} can't be read: {error.strerror}") from None
