"""Users with listed answers, for the tests of both policies."""

import asyncio
from typing import Any

from swe_together.schema import Decision, SimulatorScript
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.guards import Secrets
from swe_together.simulator.model import AnchoredUser, Background, Completion, FreeUser, Request
from swe_together.simulator.model.fake import ListedModel, chosen
from tests.simulator.cases import seen

INSTRUCTION = "split() keeps the blanks around words, I want clean words only"
SECRETS = Secrets.of(
    patches=["--- a/pkg.py\n+++ b/pkg.py\n@@ -1 +1 @@\n-    old_name()\n+    _collect_groups(rows)\n"],
    cases=["longest-of-none"],
    prose=["Rows that belong to the same group are kept together even when unsorted."],
)
BACKGROUND = Background(INSTRUCTION, "They notice things late.", SECRETS)


def choice(choice: str, words: str | None = None) -> Completion:
    """An answer of ``anchored``."""
    return chosen(choice, words, "because")


def say(message: str, *points: str, action: str = "question", quote: str | None = None) -> dict[str, Any]:
    """An answer of ``llm`` that speaks."""
    return {"reason": "because", "action": action, "message": message, "points": list(points), "quote": quote}


SILENCE: dict[str, Any] = {"reason": "done", "action": "no_op", "message": None, "points": [], "quote": None}


def anchored(script: SimulatorScript, *answers: Completion | dict[str, Any]) -> AnchoredUser:
    """A user of the policy ``anchored``."""
    return AnchoredUser(script, BACKGROUND, ListedModel(answers))


def free(script: SimulatorScript, *answers: Completion | dict[str, Any]) -> FreeUser:
    """A user of the policy ``llm``."""
    return FreeUser(script, BACKGROUND, ListedModel(answers))


def decide(
    user: AnchoredUser | FreeUser, turn: int = 1, world: FakeWorld | None = None, *, yielded: bool = True, **values: Any
) -> Decision:
    """One turn."""
    return asyncio.run(user.decide(seen(turn, **values), world or FakeWorld(), yielded=yielded))


def requests(user: AnchoredUser | FreeUser) -> list[Request]:
    """What the user's model was asked."""
    model = user.model
    assert isinstance(model, ListedModel)
    return model.requests
