"""A small real model takes the recorded decisions again, once with each policy, and what became of them is counted.

``python -m tests.bench.small_model`` writes ``docs/benchmarks/small-model.json``; ``setup/small-model.sh`` comes first.

A decision is *valid* where one of the model's answers, the first or one of the two after it, passed the strict reading
and every guard. It is *rescued* where no answer did and the policy has authored words for that case: of the chosen
point (``anchored``), of the persona's reply to a question (``llm``). Everything else must be a ``SimulatorError`` that
names its cause; an error with another error behind it is a defect of ours, and counts as a *crash*.
"""

import argparse
import asyncio
import json
import re
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from swe_together.defaults import MAX_ANSWERS
from swe_together.errors import SimulatorError
from swe_together.files import write_atomically
from swe_together.schema import ModelCall
from swe_together.simulator.model import LiteLLMModel, ModelSettings
from tests.simulator.model.recordings import POLICIES, Moment, moments
from tests.support import small_model

OUTPUT = small_model.ROOT / "docs" / "benchmarks" / "small-model.json"
MAX_TOKENS = 200
WANTED_DECISIONS, WANTED_VALID = 100, 0.8
Kind = Literal["valid", "rescued", "error", "crash"]


@dataclass(frozen=True)
class Taken:
    """What became of one decision.

    Attributes:
        detail: What was decided, or why nothing was.
        answers: Answers that the model gave.
        refused: Why answers before the last could not be used.
    """

    session: str
    turn: int
    kind: Kind
    detail: str
    answers: int
    refused: tuple[str, ...]
    seconds: float
    prompt_chars: int


def settings(base_url: str) -> ModelSettings:
    """The model as a user would name it."""
    return ModelSettings(f"openai/{small_model.NAME}", base_url=base_url, max_tokens=MAX_TOKENS)


async def take(moment: Moment, policy: str, told: ModelSettings) -> Taken:
    """Take one decision again."""
    user = moment.user(policy, LiteLLMModel(told))
    kind: Kind
    try:
        decision = await user.decide_again(moment.earlier, moment.record)
        detail = ", ".join(decision.anchors) or decision.action.value
        kind = "valid"
    except SimulatorError as error:
        kind, detail = ("error" if error.__cause__ is None else "crash"), error.message
    call = user.last_call
    assert call is not None, f"{moment.session}, turn {moment.record.turn}: no model was asked"
    if kind == "valid" and len(call.refused) == MAX_ANSWERS:
        kind = "rescued"
    why = tuple(cause(one.guard, one.problem) for one in call.refused)
    return Taken(
        moment.session, moment.record.turn, kind, detail, _answers(call, kind), why, call.seconds, call.prompt_chars
    )


def take_all(policy: str, told: ModelSettings, tell: Callable[[Taken], None] = lambda taken: None) -> list[Taken]:
    """Take every recorded decision again at which the policy asks its model, one after the other."""

    async def all_of_them() -> list[Taken]:
        found = []
        for moment in moments():
            if moment.asks(policy):
                found.append(await take(moment, policy, told))
                tell(found[-1])
        return found

    return asyncio.run(all_of_them())


def cause(guard: str | None, problem: str) -> str:
    """Why an answer was refused, without what is particular to it."""
    if guard is not None:
        return f"guard {guard}"
    return re.sub(r"'[^']*'|\"[^\"]*\"", "…", problem).partition(":")[0].split("; ")[0][:80]


def summary(taken: Sequence[Taken]) -> dict[str, Any]:
    """Counts, causes, seconds and characters."""
    kinds = Counter(one.kind for one in taken)
    chars = [one.prompt_chars for one in taken]
    return {
        "decisions": len(taken),
        **{kind: kinds[kind] for kind in ("valid", "rescued", "error", "crash")},
        "valid_at_once": sum(one.kind == "valid" and one.answers == 1 for one in taken),
        "silent": sum(one.kind == "valid" and one.detail == "no_op" for one in taken),
        "refused_answers": _counted(why for one in taken for why in one.refused),
        "errors_by_last_cause": _counted(
            one.refused[-1] if one.refused else one.detail for one in taken if one.kind in ("error", "crash")
        ),
        "median_seconds": round(statistics.median(one.seconds for one in taken), 2),
        "prompt_chars": {"median": int(statistics.median(chars)), "largest": max(chars)},
    }


def _answers(call: ModelCall, kind: Kind) -> int:
    return len(call.refused) + (kind == "valid")


def _counted(causes: Iterable[str]) -> dict[str, int]:
    return dict(Counter(causes).most_common())


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; exit 1 where a policy has too few valid decisions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args(arguments)
    report = {}
    with tempfile.TemporaryDirectory() as folder, small_model.served(Path(folder) / "server.log") as base_url:
        for policy in POLICIES:
            taken = take_all(policy, settings(base_url), lambda one: print(one, flush=True))
            report[policy] = summary(taken)
            print(json.dumps({policy: report[policy]}, indent=1), flush=True)
    write_atomically(options.output, json.dumps(report, indent=1) + "\n")
    good = all(one["valid"] >= WANTED_VALID * one["decisions"] and not one["crash"] for one in report.values())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
