"""What the policies with a model have in common: the turn, the prompt, the guards, the record."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from swe_together.defaults import MIN_CALL_SEC
from swe_together.errors import SimulatorError
from swe_together.providers import Completion, Refused, cut
from swe_together.schema import Anchor, Decision, DecisionRecord, ModelCall, Observation, Settlement, SimulatorScript
from swe_together.simulator._state import AnchorStatus, Option
from swe_together.simulator._user import policy_faults
from swe_together.simulator._world import World
from swe_together.simulator.guards import Corpus, Finding, Scene, examine
from swe_together.simulator.model._asking import Exchange, Unusable
from swe_together.simulator.model._background import Background
from swe_together.simulator.model._machine import ModelMachine
from swe_together.simulator.model._prefix import Policy, prefix
from swe_together.simulator.model._prompt import Moment, request_of
from swe_together.simulator.model._requests import Model, Request

_RAW_CHARS = 500
_REPOSITORY_FILES = 20
"""Files of the reference that are looked at in the tree before a name in them counts as unknown."""


class ModelUser(ABC):
    """A user whose choices are made by a model, inside what the state machine allows.

    Args:
        script: Anchors, persona and budget of the task.
        background: Instruction, session analysis, and what must not leak.
        model: Answers the requests.
        session_sec: The session's budget where it isn't the script's.
        clock: Seconds, monotonic.

    Attributes:
        machine: The state machine.
        model: Who is asked.
        last_call: The model's part in the last decision, or in the attempt at one; None where it wasn't asked.

    Raises:
        SimulatorError: Two anchors share an id, or one names an id that isn't there.
    """

    name: ClassVar[Policy]

    def __init__(
        self,
        script: SimulatorScript,
        background: Background,
        model: Model,
        *,
        session_sec: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.machine = ModelMachine(script)
        self.last_call: ModelCall | None = None
        self._script = script
        self._background = background
        self.model = model
        self._session_sec = session_sec or script.budget.session_sec
        self._clock = clock
        self._stable = prefix(self.name, script, background)
        self._own = Corpus(text for anchor in script.anchors for text in _texts(anchor))
        self._own.add(script.persona.on_question)
        if not script.anchors:
            self._own.add(background.analysis)
        self._shown = Corpus([background.instruction])
        self._spoken = Corpus([background.instruction])
        self._looked = False

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        """What the user does now; see ``User.decide``."""
        self.last_call = None
        with policy_faults(self.name):
            began = self._clock()
            await self.machine.settle(world, observation)
            options = await self.machine.eligible(yielded=yielded)
            return await self.choose(options, observation, began, yielded=yielded)

    async def decide_again(self, earlier: Sequence[DecisionRecord], record: DecisionRecord) -> Decision:
        """Decide anew, and alone, what a recorded session decided with a model.

        Args:
            earlier: The session's decisions before that one, in order.
            record: The one to take again; it may be one that failed.

        Raises:
            SimulatorError: The model gave no usable answer, or the records don't fit the task.
        """
        with policy_faults(self.name):
            options = self.resume(earlier, record)
            return await self.choose(options, record.observation, self._clock(), yielded=True)

    def resume(self, earlier: Sequence[DecisionRecord], record: DecisionRecord) -> list[Option]:
        """Stand where a recorded session stood; see ``ModelMachine.resume``."""
        for past in earlier:
            self.see(past.observation)
            if past.decision is not None:
                self._said(past.decision)
        return self.machine.resume(earlier, record)

    def dismiss(self, reason: str) -> list[Settlement]:
        """Dismiss what is pending; see ``User.dismiss``."""
        return self.machine.dismiss(reason)

    async def choose(self, options: list[Option], observation: Observation, began: float, *, yielded: bool) -> Decision:
        """The second half of ``decide``: what is done with the options of a settled turn.

        Args:
            options: What may be said.
            observation: The turn.
            began: When the user began to think, by the clock.
            yielded: Whether the agent waits.

        Raises:
            SimulatorError: The model gave no usable answer.
        """
        self.last_call = None
        self._looked = False
        self.see(observation)
        if not self.needs_model(options):
            return self._said(self.machine.conclude(options, None, yielded=yielded))

        def seconds_left() -> float:
            return self._session_sec - observation.elapsed_sec - (self._clock() - began)

        if seconds_left() < MIN_CALL_SEC:
            return self.machine.run_out()
        exchange = Exchange(self.request(options, observation, yielded=yielded), options, self._session_sec)
        asked = self._clock()

        async def accept(completion: Completion) -> Decision:
            return await self.accept(completion, options, observation, exchange.request, yielded=yielded)

        try:
            decision = await exchange.ask(self.model, accept, seconds_left, self.machine.note)
        except Unusable as unusable:
            decision = self.give_up(unusable, options, yielded=yielded)
        finally:
            self.last_call = exchange.record(self.model, self._clock() - asked)
        return self._said(decision)

    def request(self, options: list[Option], observation: Observation, *, yielded: bool) -> Request:
        """The request of a settled turn."""
        moment = Moment(
            observation, self.machine.sent, self.machine.statuses, options, self.machine.facts, yielded,
            self._session_sec,
        )  # fmt: skip
        return request_of(self.name, self._stable, self._script, moment)

    def see(self, observation: Observation) -> None:
        """Remember what agent and repository have shown."""
        self._spoken.add(observation.reply)
        self._shown.add(observation.reply)
        self._shown.add(observation.diff)
        for command in observation.commands:
            self._shown.add(f"{command.command}\n{command.output}")
        self._shown.add("\n".join(change.path for change in observation.changes))

    @abstractmethod
    def needs_model(self, options: list[Option]) -> bool:
        """Whether there is anything to decide."""

    @abstractmethod
    async def accept(
        self,
        completion: Completion,
        options: list[Option],
        observation: Observation,
        request: Request,
        *,
        yielded: bool,
    ) -> Decision:
        """The decision that an answer makes.

        Raises:
            Refused: The answer can't be used.
        """

    @abstractmethod
    def give_up(self, unusable: Unusable, options: list[Option], *, yielded: bool) -> Decision:
        """The decision where no answer could be used.

        Raises:
            SimulatorError: There is none.
        """

    async def check(
        self, text: str, chosen: Sequence[Option], observation: Observation, *, yielded: bool, also: Sequence[str] = ()
    ) -> None:
        """Let the guards look at a message.

        Args:
            text: The message.
            chosen: The options that it expresses.
            observation: The turn.
            yielded: Whether the agent waits.
            also: Further words of the task that are allowed in it.

        Raises:
            Refused: One of them fires.
        """
        scene = self.scene(chosen, observation, yielded=yielded, also=also)
        findings = examine(text, scene)
        if any(finding.guard == "leak" for finding in findings) and not self._looked:
            await self._look_into_repository()
            findings = examine(text, scene)
        if findings:
            first: Finding = findings[0]
            raise Refused(f"The message can't be sent: {first.detail}", first.guard)

    def scene(
        self, chosen: Sequence[Option], observation: Observation, *, yielded: bool, also: Sequence[str] = ()
    ) -> Scene:
        """What a message is judged against."""
        expressed = {option.anchor.id for option in chosen}
        statuses = self.machine.statuses
        pending = [anchor for anchor in self._script.anchors if statuses[anchor.id] is AnchorStatus.PENDING]
        authored = [*(option.message for option in chosen), *also]
        return Scene(
            observation,
            language=self._script.persona.language,
            said=[self._background.instruction, *(sent.text for sent in self.machine.sent)],
            authored=authored,
            later=[
                (anchor.id, text)
                for anchor in pending
                if anchor.id not in expressed
                for text in [anchor.message, *(variant.message for variant in anchor.variants)]
            ],
            anchors=[anchor.id for anchor in self._script.anchors],
            secrets=self._background.secrets,
            own=self._own,
            shown=self._shown,
            spoken=self._spoken,
            yielded=yielded,
        )

    async def _look_into_repository(self) -> None:
        """What the files of the reference hold now, and what has changed, the agent has before its eyes."""
        self._looked = True
        view = self.machine.view
        self._shown.add((await view.diff_text()).text)
        for path in self._background.secrets.paths[:_REPOSITORY_FILES]:
            self._shown.add(await view.file_text(path) or "")

    def _said(self, decision: Decision) -> Decision:
        if decision.message is not None:
            self._spoken.add(decision.message)
            self._shown.add(decision.message)
        return decision


def unusable_error(name: str, unusable: Unusable) -> SimulatorError:
    """The end of a session whose model gave no usable answer."""
    return SimulatorError(
        f"The user's model {name!r} gave no usable answer in {len(unusable.refusals)} tries: {unusable} "
        f"The last one: {cut(unusable.raw, _RAW_CHARS)}",
        "Take a model that follows the form, or user=anchored, which asks less of it.",
    )


def _texts(anchor: Anchor) -> list[str]:
    insist = [anchor.insist.message] if anchor.insist is not None else []
    return [anchor.message, *(variant.message for variant in anchor.variants), *insist]
