"""The exact prompts of author and critic. ``python -m tests.judge.drafting.goldens`` rewrites them."""

from collections.abc import Iterator
from pathlib import Path

from swe_together.judge import Conversation
from swe_together.judge.drafting._prompt import author_opening, critic_opening
from swe_together.pipeline.rubric import material_of
from swe_together.schema import CheckOutcome
from swe_together.tasks import load_unjudged
from tests.judge.drafting.cases import ROOT, drafted, material
from tests.judge.goldens import HOSTILE, text_of

FOLDER = Path(__file__).parent / "golden"


def conversations() -> Iterator[tuple[str, Conversation]]:
    """Every case by name."""
    yield "author", author_opening(material())
    goals = list(drafted().goals)
    goals[0] = goals[0].model_copy(update={"text": HOSTILE})
    red = CheckOutcome(
        goal="semicolons", met=False, exit=1, reason="its command ended with 1", output=HOSTILE, seconds=1
    )
    yield "critic", critic_opening(material(), goals, [red])
    yield "author-of-a-task", author_opening(material_of(load_unjudged(ROOT / "tasks" / "qs-dropped-params")))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, conversation in conversations():
        (FOLDER / f"{name}.txt").write_text(text_of(conversation), encoding="utf-8")
        print(name, len(text_of(conversation)))
