"""A model looks at a container with its tools until it hands in what it was asked for."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from swe_together import defaults
from swe_together.errors import EnvironmentFault, TogetherError
from swe_together.judge._conversation import ChatModel, Conversation, Step, Tool
from swe_together.judge._looking import look
from swe_together.judge._seen import Seen
from swe_together.judge._tools import DUTY, SUBMIT, Look, read_calls
from swe_together.judge._workspace import Workspace
from swe_together.providers import MIN_CALL_SEC, Completion, Form, Refused, cut, strip_reasoning, total
from swe_together.schema import Ledger, RefusedAnswer

_CONTENT_CHARS = 2_000
_CHARS_PER_TOKEN = 4
"""For the budget alone, where a provider reports no tokens; the ledger says unknown then."""


@dataclass(frozen=True)
class Limits:
    """Budgets of an investigation: seconds, answers, tokens."""

    seconds: float
    turns: int
    tokens: int


@dataclass(frozen=True)
class Assignment[F: Form, Found]:
    """What an investigation is to hand in.

    Attributes:
        form: Form of the submission; the tool ``submit`` of the opening has its schema.
        accept: Reads a submission; raises ``Refused`` where it can't be used.
        who: Whose investigation it is, in the words of its errors.
        what: What is handed in, in the same.
        error: What a failure is raised as.
        again: What to do about a failure.
        more: The setting that gives it more time.
        duty: What a model is reminded of that refused to answer.
    """

    form: type[F]
    accept: Callable[[F], Found]
    who: str
    what: str
    error: type[TogetherError]
    again: str
    more: str
    duty: str = DUTY


@dataclass
class Investigation[F: Form, Found]:
    """An investigation under way.

    Attributes:
        opening: What the model starts with.
        assignment: What it is to hand in.
        seen: What it has been shown.
        limits: Its budgets.
        clock: Seconds, monotonic.
        completions: Answers so far.
        refused: Those that could not be used.
        unanswered: What is known of requests that failed at the end.
    """

    opening: Conversation
    assignment: Assignment[F, Found]
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

    async def run(self, model: ChatModel, workspace: Workspace) -> Found:
        """Ask until it is handed in.

        Raises:
            TogetherError: The assignment's error. It isn't: the provider or the container failed, a budget is spent,
                or three answers in a row, or three submissions in all, could not be used.
        """
        began = self.clock()
        deadline = began + self.limits.seconds
        try:
            await workspace.reset()
            while True:
                found = await self._turn(model, workspace, deadline)
                if found:
                    return found[0]
        except EnvironmentFault as fault:
            told = f"The {self.assignment.who}'s container failed: {fault}"
            raise self.assignment.error(told, self.assignment.again) from fault
        finally:
            self._seconds = self.clock() - began

    @property
    def ledger(self) -> Ledger:
        """What it has cost."""
        return Ledger(requests=len(self.completions), usage=total(self.completions), seconds=self._seconds)

    @property
    def faults(self) -> list[str]:
        """Errors of the provider, in order."""
        tries = [*self.completions, *([self.unanswered] if self.unanswered else [])]
        return [fault for one in tries for fault in one.faults]

    @property
    def answers(self) -> list[str]:
        """Every answer as it came, as JSON."""
        return [cut(one.raw, defaults.RAW_CHARS) for one in self.completions]

    async def _turn(self, model: ChatModel, workspace: Workspace, deadline: float) -> list[Found]:
        """One answer; a list with what was handed in, or an empty one."""
        left = deadline - self.clock()
        if left < MIN_CALL_SEC:
            told = f"The {self.assignment.who}'s time of {self.limits.seconds:g} s is spent."
            raise self.assignment.error(told, f"Give it more: {self.assignment.more}.")
        tools, budget = self._allowed(left)
        conversation = replace(self.opening, tools=tools, steps=tuple(self._steps), notes=[*budget, *self._notes])
        try:
            completion = await model.answer(conversation, left)
        except TogetherError as failure:
            self.unanswered = getattr(failure, "tries", None)
            raise
        self.completions.append(completion)
        self._spent += _tokens(conversation, completion)
        try:
            calls = read_calls(completion, tools, self.assignment.form, self.assignment.duty)
        except Refused as refusal:
            self._refuse(completion, refusal, model)
            return []
        self._malformed, self._notes = 0, []
        results = []
        for _, arguments in calls:
            if isinstance(arguments, Look):
                results.append(await self._look(workspace, arguments, deadline))
                continue
            try:
                return [self.assignment.accept(arguments)]
            except Refused as refusal:
                self._refuse_submission(completion, refusal, model)
                results.append(f"Not taken. {refusal.reason} Mend that and submit again.")
        content = cut(strip_reasoning(completion.content), _CONTENT_CHARS) if completion.calls else ""
        self._steps.append(Step(content, [call for call, _ in calls], results))
        return []

    async def _look(self, workspace: Workspace, call: Look, deadline: float) -> str:
        spare = deadline - self.clock() - self._reserve
        if spare < MIN_CALL_SEC:
            return "Not done: your time is used up."
        self._calls += 1
        return await look(workspace, self.seen, self._calls, call, spare)

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
        only = [tool for tool in self.opening.tools if tool.name == SUBMIT.name]
        return only, [f"Your {spent} used up: call submit now, with what you have found."]

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

    def _unusable(self, model: ChatModel, how_many: str) -> TogetherError:
        return self.assignment.error(
            f"The {self.assignment.who}'s model {model.name!r} gave no usable {self.assignment.what}, "
            f"{how_many} were refused: {' '.join(one.problem for one in self.refused[-defaults.MAX_ANSWERS :])}",
            f"Take a model that follows the form, or try again: {self.assignment.again}",
        )


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
