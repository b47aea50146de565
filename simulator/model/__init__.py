"""The simulated user with a model: prompts, answers, guards around them, and the policies ``anchored`` and ``llm``.

``docs/simulator.md`` explains the prompts line by line.
"""

from swe_together.simulator.model._anchored import AnchoredUser
from swe_together.simulator.model._answers import SILENCE, ChosenAnswer, FreeAnswer, Refused, parse
from swe_together.simulator.model._background import Background
from swe_together.simulator.model._client import LiteLLMModel
from swe_together.simulator.model._free import FreeUser
from swe_together.simulator.model._limits import PROMPT_CHARS
from swe_together.simulator.model._machine import ModelMachine
from swe_together.simulator.model._policy import ModelUser
from swe_together.simulator.model._prefix import prefix
from swe_together.simulator.model._prompt import Moment, request_of
from swe_together.simulator.model._requests import Completion, Model, ModelSettings, Request, ToolCall

__all__ = [
    "PROMPT_CHARS",
    "SILENCE",
    "AnchoredUser",
    "Background",
    "ChosenAnswer",
    "Completion",
    "FreeAnswer",
    "FreeUser",
    "LiteLLMModel",
    "Model",
    "ModelMachine",
    "ModelSettings",
    "ModelUser",
    "Moment",
    "Refused",
    "Request",
    "ToolCall",
    "parse",
    "prefix",
    "request_of",
]
