"""Which family a model belongs to, so that a user and an agent of the same one are seen."""

import re
from typing import Final

_FAMILIES: Final = (
    ("anthropic", r"claude"),
    ("openai", r"gpt|chatgpt|codex|davinci|\bo[1345](?:-|\b)"),
    ("google", r"gemini|gemma|palm|bison"),
    ("meta", r"llama"),
    ("alibaba", r"qwen|qwq|tongyi"),
    ("deepseek", r"deepseek"),
    ("mistral", r"mi[sx]tral|codestral|devstral|ministral|magistral|pixtral"),
    ("xai", r"grok"),
    ("moonshot", r"kimi|moonshot"),
    ("zhipu", r"\bglm|chatglm"),
    ("minimax", r"minimax|\babab"),
    ("cohere", r"command-|\baya\b"),
    ("microsoft", r"\bphi-?\d"),
    ("amazon", r"\bnova-|titan"),
    ("nvidia", r"nemotron"),
    ("ibm", r"granite"),
)
"""Maker by what its models are called; the first that matches counts, so that a distilled Llama is a Llama."""


def family(model: str | None) -> str | None:
    """The maker of a model by LiteLLM's name of it; its own bare name where the maker isn't known, None without one.

    A provider in front (``bedrock/``, ``openrouter/``) says who serves a model, not who made it, so that only the
    last part of the name is looked at.
    """
    if model is None or not model.strip():
        return None
    name = model.strip().lower().rpartition("/")[2]
    for maker, pattern in _FAMILIES:
        if re.search(pattern, name):
            return maker
    return name
