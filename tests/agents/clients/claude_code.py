"""Anthropic's command line, from npm."""

from tests.agents.clients.client import Client

CLAUDE_CODE = Client(
    "claude-code",
    "anthropic/claude-sonnet-4-5",
    "2.1.332",
    "claude --version",
    {"ANTHROPIC_API_KEY": "{key}", "ANTHROPIC_BASE_URL": "{server}"},
)
