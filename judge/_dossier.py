"""Everything that a judgement is made from, and its digests."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from swe_together.errors import JudgeError
from swe_together.schema import Case, Dialogue, Goal, Rubric


@dataclass(frozen=True)
class Dossier:
    """One final state and what belongs to it.

    Attributes:
        task: The task's id.
        rubric: The goals.
        state: Digest of the final state.
        cases: What the tests said about it; empty where they didn't run.
        dialogue: What was said, the task's first message included.
        trees: Folders of the container that hold the state, the first of them the working directory.
    """

    task: str
    rubric: Rubric
    state: str
    dialogue: Dialogue
    cases: Sequence[Case] = ()
    trees: Sequence[str] = field(default=("/workspace",))

    def cases_of(self, goal: Goal) -> list[Case]:
        """The cases that speak for a goal, in the rubric's order.

        Raises:
            JudgeError: The tests ran, but a case of the goal isn't among theirs.
        """
        known = {case.id: case for case in self.cases}
        missing = [name for name in goal.cases if name not in known]
        if missing and known:
            raise JudgeError(
                f"Goal {goal.id} of {self.task} names the case {missing[0]}, which the tests didn't report.",
                "Judge with the rubric that the tests belong to.",
            )
        return [known[name] for name in goal.cases if name in known]

    @property
    def replies_known(self) -> bool:
        """Whether any word of the agent was recorded."""
        return any(turn.reply is not None for turn in self.dialogue.turns)

    @property
    def rubric_digest(self) -> str:
        """SHA-256 of the rubric."""
        return digest(self.rubric)

    @property
    def dialogue_digest(self) -> str:
        """SHA-256 of the dialogue."""
        return digest(self.dialogue)

    @property
    def cases_digest(self) -> str:
        """SHA-256 of what the tests said. Their times don't count: the same outcome is the same evidence."""
        return digest([case.model_dump(mode="json", exclude={"seconds"}) for case in self.cases])


def digest(value: BaseModel | Any) -> str:
    """SHA-256 of a value's canonical JSON."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
