"""Pi, from npm."""

from tests.agents.clients.client import Client, openai

PI = Client(
    "pi",
    "openai/gpt-5.2",
    "1.6.0",
    "pi --version",
    openai(),
    {"skip_install": "true", "model_api": "openai-completions"},
    cost="unknown",
)
