"""The whole judgement of one final state: the goals' commands, the model's votes, the score."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from swe_together.errors import JudgeError
from swe_together.judge._asked import asked_goals
from swe_together.judge._assemble import assemble
from swe_together.judge._checks import check_key, run_checks
from swe_together.judge._conversation import ChatModel, ProviderChat
from swe_together.judge._dossier import Dossier, digest
from swe_together.judge._loop import Investigation, Limits
from swe_together.judge._prompt import PROMPT_VERSION, opening_of, seen_of, shuffled
from swe_together.judge._settings import JUDGE, TAGGER, JudgeSettings, TaggerModel
from swe_together.judge._store import JudgementStore
from swe_together.judge._vote import failure, record, verdicts_on
from swe_together.judge._workspace import Workspace
from swe_together.schema import CheckOutcome, CheckRun, Goal, Judgement, Vote


def judge_model(settings: JudgeSettings) -> ChatModel | None:
    """The client of the judge's model; None where the commands alone decide.

    Raises:
        MisuseError: The host variable with its key isn't set.
    """
    return None if settings.model is None else ProviderChat(settings.model.provider, JUDGE)


def tagger_model(choice: TaggerModel) -> ChatModel:
    """The client of the model that tags messages and matches intents.

    Raises:
        MisuseError: The host variable with its key isn't set.
    """
    return ProviderChat(choice.provider, TAGGER)


@dataclass(frozen=True)
class Judge:
    """Judges final states by one set of settings.

    Attributes:
        settings: How.
        model: Who is asked; None where the commands alone decide.
        store: Where finished parts lie; None keeps none.
        clock: Seconds, monotonic.
    """

    settings: JudgeSettings
    model: ChatModel | None = None
    store: JudgementStore | None = None
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        """Settings and model must fit.

        Raises:
            ValueError: One names a model and the other doesn't.
        """
        if (self.settings.model is None) is not (self.model is None):
            raise ValueError("a judge has a model exactly where its settings name one")

    async def judge(self, dossier: Dossier, *, root: Workspace, hands: Workspace) -> Judgement:
        """Judge one final state.

        Args:
            dossier: What is judged.
            root: Runs the goals' own commands.
            hands: The model's tools, as a user without rights. Reset before each vote.

        Raises:
            JudgeError: There is no judgement. Votes that were finished are in the store.
        """
        checks, votes, cached = None, [], 0
        if self.settings.checks != "ignore":
            checks = await self._checks(dossier, root)
        asked = asked_goals(dossier, self.settings, checks)
        if self.model is not None and asked:
            for number in range(self.settings.votes):
                vote, stored = await self._vote(self.model, dossier, asked, checks, number, hands)
                votes.append(vote)
                cached += stored
        return assemble(dossier, self.settings, checks, votes, cached)

    async def _checks(self, dossier: Dossier, root: Workspace) -> CheckRun | None:
        if not any(goal.check for goal in dossier.rubric.goals):
            return None
        stored = self.store.checks(check_key(dossier)) if self.store else None
        if stored is not None:
            return stored
        run = await run_checks(dossier, root, self.clock)
        if self.store:
            self.store.keep(run)
        return run

    async def _vote(
        self,
        model: ChatModel,
        dossier: Dossier,
        asked: Sequence[Goal],
        checks: CheckRun | None,
        number: int,
        hands: Workspace,
    ) -> tuple[Vote, bool]:
        order = shuffled(asked, self.settings.seed, number)
        shown: Sequence[CheckOutcome] = checks.outcomes if checks else ()
        limits = Limits(self.settings.seconds, self.settings.turns, self.settings.tokens)
        opening = opening_of(dossier, order, shown, limits.turns, limits.seconds)
        key = vote_key(dossier, self.settings, opening.digest, number)
        stored = self.store.vote(key) if self.store else None
        if stored is not None:
            return stored, True
        seen = seen_of(dossier, order)
        voting = Investigation(opening, verdicts_on(list(asked), seen), seen, limits, self.clock)
        try:
            verdicts = await voting.run(model, hands)
        except JudgeError as error:
            if self.store:
                self.store.keep_failure(failure(voting, key, number, str(error), model))
            raise
        vote = record(voting, key, number, order, verdicts, model)
        if self.store:
            self.store.keep(vote)
        return vote, False


def vote_key(dossier: Dossier, settings: JudgeSettings, prompt: str, number: int) -> str:
    """The key of a vote: another rubric, state, dialogue, outcome, prompt, model or seed is another vote."""
    assert settings.model is not None
    return digest(
        [
            "vote",
            PROMPT_VERSION,
            dossier.rubric_digest,
            dossier.state,
            dossier.dialogue_digest,
            dossier.cases_digest,
            prompt,
            settings.model.model,
            settings.model.base_url,
            settings.model.temperature,
            settings.seed,
            number,
        ]
    )
