"""Kimi Code, from npm."""

from tests.agents.clients.client import Client, all_but_reasoning

KIMI_CODE = Client(
    "kimi-code",
    "openai/gpt-5.2",
    "2.1.0",
    "kimi --version",
    {"KIMI_MODEL_API_KEY": "{key}", "KIMI_MODEL_BASE_URL": "{server}/v1"},
    sums=all_but_reasoning,
)
