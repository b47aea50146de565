"""Judging one trial: the goals of the rubric, and what the user's messages say. Writes both into ``verifier/``."""

import asyncio
import hashlib
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from swe_together import defaults
from swe_together.adapter.dialogue import read_dialogue
from swe_together.adapter.hands import Bench, Hands
from swe_together.adapter.judge_settings import JudgingSettings
from swe_together.errors import EnvironmentFault, JudgeError, TaggerError
from swe_together.files import write_atomically
from swe_together.judge import (
    TAGGER,
    ChatModel,
    Dossier,
    FailedQuestion,
    Judge,
    JudgementStore,
    ProviderChat,
    Workspace,
    intent_coverage,
    judge_model,
    tag_messages,
)
from swe_together.ledger import LEDGER, trial_ledger
from swe_together.schema import Behaviour, Case, Judgement, JudgeSummary
from swe_together.tasks import TaskBundle, load_task

STATE: Final = Path("artifacts") / defaults.STATE_DIR[1:] / defaults.STATE_FILE
"""The packed final state in a trial's folder."""
STORE: Final = Path("verifier") / "judge"
"""Finished votes and outcomes of commands, each under the digest of what it rests on."""
JUDGEMENT: Final = Path("verifier") / "judgement.json"
BEHAVIOUR: Final = Path("verifier") / "behaviour.json"


@dataclass(frozen=True)
class TrialJudging:
    """What a trial is judged from.

    Attributes:
        task: The task, in the version that was run.
        trial_dir: The trial's folder.
        cases: What the tests said.
        settings: How to judge.
    """

    task: TaskBundle
    trial_dir: Path
    cases: list[Case]
    settings: JudgingSettings

    @classmethod
    def of(cls, task_dir: Path, trial_dir: Path, cases: list[Case], settings: JudgingSettings) -> "TrialJudging":
        """Read the task.

        Raises:
            TaskError: The task is broken.
        """
        return cls(load_task(task_dir), trial_dir, cases, settings)

    def dossier(self) -> Dossier:
        """Everything that the judgement rests on.

        Raises:
            EnvironmentFault: The trial holds no final state, or its dialogue can't be read.
        """
        return Dossier(
            task=self.task.name,
            rubric=self.task.rubric,
            state=_digest(self.trial_dir / STATE),
            dialogue=read_dialogue(self.trial_dir, self.task.instruction),
            cases=self.cases,
            trees=tuple(self.task.metadata.trees),
        )

    async def judge(
        self, root: Workspace, hands: Workspace, seconds: float | None = None, store: JudgementStore | None = None
    ) -> Judgement:
        """Judge the final state.

        Args:
            root: Runs the goals' own commands.
            hands: The model's tools.
            seconds: Time for all votes together, where the caller's own clock would cut them off.
            store: Where finished parts lie; that of the trial's own run if None.

        Raises:
            JudgeError: There is no judgement.
        """
        settings = self.settings.judging
        if seconds is not None and settings.model is not None:
            share = max(seconds / settings.votes, defaults.JUDGE_RESERVE_SEC)
            settings = settings.model_copy(update={"seconds": min(settings.seconds, share)})
        if settings.model is not None:
            # The import takes seconds, and other trials share the event loop.
            await asyncio.to_thread(importlib.import_module, "litellm")
        try:
            dossier = await asyncio.to_thread(self.dossier)
            judge = Judge(settings, judge_model(settings), store or JudgementStore(self.trial_dir / STORE))
            return await judge.judge(dossier, root=root, hands=hands)
        except EnvironmentFault as fault:
            raise JudgeError(fault.message, "Judge the trial again.") from fault

    async def behaviour(self) -> Behaviour:
        """What the user's messages were, and how far they followed the task's session.

        A tagger that fails is named in the result: the reward doesn't rest on it.
        """
        dialogue = read_dialogue(self.trial_dir, self.task.instruction)
        tagger: ChatModel | None = None
        if self.settings.tagging is not None:
            tagger = ProviderChat(self.settings.tagging.provider, TAGGER)
        found = Behaviour(tagger=self.settings.tagger_model)
        failures: list[TaggerError] = []
        try:
            found = found.model_copy(update={"tags": await tag_messages(dialogue, tagger)})
        except TaggerError as error:
            failures.append(error)
        try:
            coverage = await intent_coverage(self.task.intents, self.task.script.anchors, dialogue, tagger)
            found = found.model_copy(update={"coverage": coverage})
        except TaggerError as error:
            failures.append(error)
        failed = [failure.question for failure in failures if isinstance(failure, FailedQuestion)]
        return found.model_copy(update={"errors": [str(failure) for failure in failures], "failed": failed})


def keep(trial_dir: Path, judgement: Judgement | None, behaviour: Behaviour) -> None:
    """Write both beside Harbor's own results, and what the trial has cost so far."""
    if judgement is not None:
        write_atomically(trial_dir / JUDGEMENT, judgement.model_dump_json(indent=1))
    write_atomically(trial_dir / BEHAVIOUR, behaviour.model_dump_json(indent=1))
    write_atomically(trial_dir / LEDGER, trial_ledger(trial_dir).model_dump_json(indent=1))


def summary_of(judgement: Judgement | None, error: str | None, settings: JudgingSettings) -> JudgeSummary:
    """What the reward details say of a judgement, or of why there is none."""
    in_force = settings.model_dump(mode="json")
    if judgement is None:
        return JudgeSummary(status="error", error=error, settings=in_force)
    return JudgeSummary(
        status="undecided" if judgement.score is None else "ok",
        score=judgement.score,
        decided_share=judgement.decided_share,
        failed_gates=judgement.failed_gates,
        undecided_gates=judgement.undecided_gates,
        met={goal.goal: goal.met for goal in judgement.goals},
        rubric=judgement.digests.rubric,
        settings=in_force,
    )


def hands_at(bench: Bench) -> tuple[Hands, Hands]:
    """The hands of root, for the goals' own commands, and those of a model."""
    return Hands(bench, "root"), Hands(bench, defaults.AGENT_USER)


def _digest(state: Path) -> str:
    try:
        with state.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EnvironmentFault(f"{state} can't be read: {error.strerror}.", "Run the trial again.") from error
