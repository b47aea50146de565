"""OpenCode, from npm."""

import json

from tests.agents.clients.client import Client, openai
from tests.support.model_server import Call


def side_call(call: Call) -> str | None:
    """A smaller model gives the conversation a title once. It is charged, but OpenCode counts it nowhere."""
    title = call.side == "offers no shell tool" and "You are a title generator" in json.dumps(call.body)
    return "thread title" if title else None


OPENCODE = Client(
    "opencode",
    "openai/gpt-5.2",
    "1.18.33",
    "opencode --version",
    openai(),
    side_calls={"thread title": 1},
    side_call=side_call,
)
