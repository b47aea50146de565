"""The simulated user with a model: prompts, answers, guards around them, and the policies ``anchored`` and ``llm``.

``docs/simulator.md`` explains the prompts line by line.
"""

from swe_together.defaults import PROMPT_CHARS
from swe_together.providers import Completion, Refused, ToolCall
from swe_together.simulator.model._anchored import AnchoredUser
from swe_together.simulator.model._answers import SILENCE, ChosenAnswer, FreeAnswer, parse
from swe_together.simulator.model._background import Background
from swe_together.simulator.model._client import USER, LiteLLMModel
from swe_together.simulator.model._free import FreeUser
from swe_together.simulator.model._machine import ModelMachine
from swe_together.simulator.model._policy import ModelUser
from swe_together.simulator.model._prefix import prefix
from swe_together.simulator.model._prompt import Moment, request_of
from swe_together.simulator.model._requests import Model, ModelSettings, Request

__all__ = [
    "PROMPT_CHARS",
    "SILENCE",
    "USER",
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
