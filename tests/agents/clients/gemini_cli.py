"""Google's command line, from npm. Its protocol gives tool calls no ids."""

from tests.agents.clients.client import Client

GEMINI_CLI = Client(
    "gemini-cli",
    "gemini/gemini-2.5-pro",
    "0.61.0",
    "gemini --version",
    {"GEMINI_API_KEY": "{key}", "GOOGLE_GEMINI_BASE_URL": "{server}"},
    cost="whole",
)
