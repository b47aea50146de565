"""One vote: a model looks at the final state with its tools until it hands in its verdicts."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from swe_together import defaults
from swe_together.errors import EnvironmentFault, JudgeError
from swe_together.judge._conversation import ChatModel, Conversation, Step, Tool
from swe_together.judge._looking import look
from swe_together.judge._seen import Seen
from swe_together.judge._settings import JudgeUnanswered
from swe_together.judge._tools import SUBMIT, SubmitCall, read_calls
from swe_together.judge._verdicts import verdicts_of
from swe_together.judge._workspace import Workspace
from swe_together.providers import MIN_CALL_SEC, Completion, Refused, cut, strip_reasoning, total
from swe_together.schema import FailedVote, Goal, Ledger, RefusedAnswer, Verdict, Vote

_CONTENT_CHARS = 2_000
_CHARS_PER_TOKEN = 4
"""For the budget alone, where a provider reports no tokens; the ledger says unknown then."""


@dataclass(frozen=True)
class Limits:
    """Budgets of a vote: seconds, answers, tokens."""

    seconds: float
    turns: int
    tokens: int


@dataclass
class Investigation:
    """One vote under way.

    Attributes:
        opening: What the model starts with.
        goals: The goals to judge, in the order of the rubric.
        seen: What it has been shown.
        limits: Its budgets.
        clock: Seconds, monotonic.
        completions: Answers so far.
        refused: Those that could not be used.
        unanswered: What is known of requests that failed at the end.
    """

    opening: Conversation
    goals: Sequence[Goal]
    seen: Seen
    limits: Limits
    clock: Callable[[], float] = time.monotonic
    completions: list[Completion] = field(default_factory=list)
    refused: list[RefusedAnswer] = field(default_factory=list)
    unanswered: Completion | None = None
    _steps: list[Step] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)
    _calls: int = 0
    _malformed: int = 0
    _submitted: int = 0
    _spent: int = 0
    _seconds: float = 0.0

    async def run(self, model: ChatModel, workspace: Workspace) -> list[Verdict]:
        """Ask until the verdicts are there.

        Raises:
            JudgeError: They aren't: the provider or the container failed, a budget is spent, or three answers in a
                row, or three submissions in all, could not be used.
        """
        began = self.clock()
        deadline = began + self.limits.seconds
        try:
            await workspace.reset()
            while True:
                verdicts = await self._turn(model, workspace, deadline)
                if verdicts is not None:
                    return verdicts
        except EnvironmentFault as fault:
            raise JudgeError(f"The judge's container failed: {fault}", "Judge the trial again.") from fault
        finally:
            self._seconds = self.clock() - began

    async def _turn(self, model: ChatModel, workspace: Workspace, deadline: float) -> list[Verdict] | None:
        left = deadline - self.clock()
        if left < MIN_CALL_SEC:
            raise JudgeError(f"The judge's time of {self.limits.seconds:g} s is spent.", "Give it more: judge_seconds.")
        tools, budget = self._allowed(left)
        conversation = replace(self.opening, tools=tools, steps=tuple(self._steps), notes=[*budget, *self._notes])
        try:
            completion = await model.answer(conversation, left)
        except JudgeUnanswered as failure:
            self.unanswered = failure.tries
            raise
        self.completions.append(completion)
        self._spent += _tokens(conversation, completion)
        try:
            calls = read_calls(completion, tools)
        except Refused as refusal:
            self._refuse(completion, refusal, model)
            return None
        self._malformed, self._notes = 0, []
        results = []
        for _, arguments in calls:
            if isinstance(arguments, SubmitCall):
                try:
                    return verdicts_of(arguments, self.goals, self.seen)
                except Refused as refusal:
                    self._refuse_submission(completion, refusal, model)
                    results.append(f"Not taken. {refusal.reason} Mend that and submit again.")
                continue
            spare = deadline - self.clock() - self._reserve
            if spare < MIN_CALL_SEC:
                results.append("Not done: your time is used up.")
                continue
            self._calls += 1
            results.append(await look(workspace, self.seen, self._calls, arguments, spare))
        content = cut(strip_reasoning(completion.content), _CONTENT_CHARS) if completion.calls else ""
        self._steps.append(Step(content, [call for call, _ in calls], results))
        return None

    @property
    def _reserve(self) -> float:
        """Seconds that are kept for the submission."""
        return min(defaults.JUDGE_RESERVE_SEC, self.limits.seconds / 4)

    def _allowed(self, left: float) -> tuple[Sequence[Tool], list[str]]:
        """The tools of this turn; with a budget at its end, only the submission."""
        answers = self.limits.turns - len(self._steps)
        spent = next(
            (
                what
                for what, over in (
                    ("answers are", answers <= 1),
                    ("tokens are", self._spent >= self.limits.tokens),
                    ("time is", left <= self._reserve + MIN_CALL_SEC),
                )
                if over
            ),
            None,
        )
        if spent is None:
            return self.opening.tools, []
        return [SUBMIT], [f"Your {spent} used up: call submit now, with what you have found."]

    def _refuse(self, completion: Completion, refusal: Refused, model: ChatModel) -> None:
        self._malformed += 1
        self._keep(completion, refusal)
        if self._malformed >= defaults.MAX_ANSWERS:
            raise self._unusable(model, f"{self._malformed} answers in a row")
        self._notes.append(f"Your last answer could not be used. {cut(refusal.reason, 500)} Answer again.")

    def _refuse_submission(self, completion: Completion, refusal: Refused, model: ChatModel) -> None:
        self._submitted += 1
        self._keep(completion, refusal)
        if self._submitted >= defaults.MAX_ANSWERS:
            raise self._unusable(model, f"{self._submitted} submissions")

    def _keep(self, completion: Completion, refusal: Refused) -> None:
        self.refused.append(RefusedAnswer(raw=cut(completion.raw, defaults.RAW_CHARS), problem=refusal.reason))

    def _unusable(self, model: ChatModel, what: str) -> JudgeError:
        return JudgeError(
            f"The judge's model {model.name!r} gave no usable verdict, {what} were refused: "
            f"{' '.join(one.problem for one in self.refused[-defaults.MAX_ANSWERS :])}",
            "Take a model that follows the form, or judge again.",
        )

    def record(self, key: str, number: int, order: Sequence[Goal], verdicts: list[Verdict], model: ChatModel) -> Vote:
        """The vote for the record."""
        last = self.completions[-1]
        return Vote(
            key=key,
            number=number,
            order=[goal.id for goal in order],
            verdicts=verdicts,
            temperature=model.temperature,
            structure=last.structure,
            dropped=list(last.dropped),
            **self._facts(model),
        )

    def failure(self, key: str, number: int, error: str, model: ChatModel) -> FailedVote:
        """The same where there are no verdicts: what was spent is spent."""
        return FailedVote(key=key, number=number, error=error, **self._facts(model))

    def _facts(self, model: ChatModel) -> dict[str, Any]:
        tries = [*self.completions, *([self.unanswered] if self.unanswered else [])]
        return {
            "prompt_sha256": self.opening.digest,
            "model": model.name,
            "answers": [cut(one.raw, defaults.RAW_CHARS) for one in self.completions],
            "refused": self.refused,
            "faults": [fault for one in tries for fault in one.faults],
            "ledger": Ledger(requests=len(self.completions), usage=total(self.completions), seconds=self._seconds),
        }


def _tokens(conversation: Conversation, completion: Completion) -> int:
    asked, answered = completion.input_tokens, completion.output_tokens
    if asked is None:
        shown = [
            conversation.system,
            conversation.opening,
            *(text for step in conversation.steps for text in step.results),
        ]
        asked = sum(map(len, shown)) // _CHARS_PER_TOKEN
    return asked + (len(completion.raw) // _CHARS_PER_TOKEN if answered is None else answered)
