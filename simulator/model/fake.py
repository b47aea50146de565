"""Choosers that are no model: they answer a model's requests at random, or from a list. They measure nothing."""

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from swe_together.errors import SimulatorError
from swe_together.providers import Completion, ToolCall
from swe_together.simulator.model._answers import SILENCE
from swe_together.simulator.model._requests import TOOL, Request


class RandomChooser:
    """Picks among what may be said now, or silence, at random, for the policy ``anchored``. Knows no language.

    Args:
        seed: Equal seeds give equal choices.
        silence: How often it chooses silence.
        wild: How often it makes up words instead of leaving them as authored: harmless ones, and every kind that
            a guard must catch. Told that an answer couldn't be used, it gives the same one again every other time.
    """

    temperature = None

    def __init__(self, seed: int, *, silence: float = 0.3, wild: float = 0.0) -> None:
        self.name = f"random-chooser-{seed}"
        self._random = Random(seed)
        self._silence = silence
        self._wild = wild
        self._last: Completion | None = None

    async def complete(self, request: Request, seconds: float) -> Completion:
        """A valid answer that means nothing."""
        if self._last is None or not request.notes or self._random.random() < 0.5:
            self._last = self._answer(request)
        return self._last

    def _answer(self, request: Request) -> Completion:
        ids = list(request.choices)
        if not ids or self._random.random() < self._silence:
            return chosen(SILENCE)
        choice = self._random.choice(ids)
        wild = self._random.random() < self._wild
        return chosen(choice, self._words(request.choices, choice) if wild else None)

    def _words(self, choices: Mapping[str, str], choice: str) -> str:
        authored = choices[choice]
        other = self._random.choice(list(choices.values()))
        return self._random.choice(
            [
                authored.upper(),
                f"ok. {authored}",
                f"{authored} please",
                authored[: len(authored) // 2],
                f"{authored} and {other}",
                other,
                f"not {authored}",
                f"<think>the next anchor</think> {authored}",
                f"I've implemented that. {authored}",
                f"{authored} {' '.join(self._random.choices('abcdefgh', k=12))}",
                "continue",
                "为什么这里需要缓存",
            ]
        )


class ListedModel:
    """Answers from a list, one after the other.

    Args:
        answers: Completions, or the arguments of a tool call.
        name: What is recorded as the model.

    Attributes:
        requests: What it was asked.
    """

    temperature = None

    def __init__(self, answers: Sequence[Completion | dict[str, Any]], name: str = "listed") -> None:
        self.name = name
        self.requests: list[Request] = []
        self._answers: Iterator[Completion | dict[str, Any]] = iter(answers)

    async def complete(self, request: Request, seconds: float) -> Completion:
        """The next answer; without one the model has failed."""
        self.requests.append(request)
        answer = next(self._answers, None)
        if answer is None:
            raise SimulatorError(f"The list of {self.name!r} has no answer number {len(self.requests)}.")
        return answer if isinstance(answer, Completion) else called(answer)


def called(arguments: dict[str, Any]) -> Completion:
    """A completion that is one call of the tool."""
    return Completion(calls=(ToolCall(TOOL, json.dumps(arguments)),), finish="tool_calls")


def chosen(choice: str, words: str | None = None, reason: str = "at random") -> Completion:
    """The answer of ``anchored``."""
    return called({"reason": reason, "choice": choice, "words": words})
