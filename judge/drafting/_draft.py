"""The two conversations of a draft: one writes it, the other attacks it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from swe_together import defaults
from swe_together.errors import DraftError, EnvironmentFault
from swe_together.judge._assemble import ledger_of
from swe_together.judge._checks import outcomes_of
from swe_together.judge._conversation import ChatModel, ProviderChat
from swe_together.judge._loop import Assignment, Investigation, Limits
from swe_together.judge._seen import Seen
from swe_together.judge._settings import ModelChoice
from swe_together.judge._workspace import Workspace
from swe_together.judge.drafting._forms import CritiqueCall, DraftCall, findings_of, goals_of
from swe_together.judge.drafting._material import Material
from swe_together.judge.drafting._prompt import DUTY, author_opening, critic_opening
from swe_together.providers import Completion, Role
from swe_together.schema import DraftRubric


class DraftUnanswered(DraftError):
    """The provider gave no answer. ``tries``: what is known of the requests that failed."""

    def __init__(self, message: str, remedy: str, tries: Completion) -> None:
        super().__init__(message, remedy)
        self.tries = tries


AUTHOR: Final = Role(
    "author",
    "draft",
    DraftUnanswered,
    "Look at the provider's status and limits, then draft again.",
    "--api-key-env NAME",
)
LIMITS: Final = Limits(defaults.DRAFT_SEC, defaults.DRAFT_TURNS, defaults.JUDGE_TOKENS)
_AGAIN: Final = "Draft the rubric again."
_MORE: Final = "--seconds"


def draft_model(choice: ModelChoice) -> ChatModel:
    """The client of a model that drafts or attacks.

    Raises:
        MisuseError: The host variable with its key isn't set.
    """
    return ProviderChat(choice.provider, AUTHOR)


@dataclass(frozen=True)
class Drafting:
    """Who drafts, and with which budgets.

    Attributes:
        author: The model that writes.
        critic: The model that attacks; may be the same one, it starts afresh.
        limits: Of each of the two conversations.
        clock: Seconds, monotonic.
    """

    author: ChatModel
    critic: ChatModel
    limits: Limits = LIMITS
    clock: Callable[[], float] = time.monotonic


async def draft(drafting: Drafting, material: Material, date: str, *, root: Workspace, hands: Workspace) -> DraftRubric:
    """Draft a rubric, try its commands on the reference, attack it.

    Args:
        drafting: By whom.
        material: From what.
        date: Today's, as YYYY-MM-DD.
        root: Runs the goals' commands where the reference is applied.
        hands: The models' tools there, as a user without rights.

    Raises:
        DraftError: There is no draft, or nobody could attack it.
    """
    writing = Investigation(
        author_opening(material),
        Assignment(
            DraftCall, lambda call: goals_of(call, material), "author", "draft", DraftError, _AGAIN, _MORE, DUTY
        ),
        Seen(material.trees),
        drafting.limits,
        drafting.clock,
    )  # fmt: skip
    goals = await writing.run(drafting.author, hands)
    try:
        outcomes = await outcomes_of(goals, root)
    except EnvironmentFault as fault:
        raise DraftError(f"The author's container failed: {fault}", _AGAIN) from fault
    attacking = Investigation(
        critic_opening(material, goals, outcomes),
        Assignment(
            CritiqueCall, lambda call: findings_of(call, goals), "critic", "critique", DraftError, _AGAIN, _MORE, DUTY
        ),
        Seen(material.trees),
        drafting.limits,
        drafting.clock,
    )  # fmt: skip
    findings = await attacking.run(drafting.critic, hands)
    return DraftRubric(
        author=drafting.author.name,
        critic=drafting.critic.name,
        date=date,
        sources=material.sources,
        goals=goals,
        findings=findings,
        checks=outcomes,
        prompts=[writing.opening.digest, attacking.opening.digest],
        ledger=ledger_of([writing.ledger, attacking.ledger]),
    )
