"""OpenAI's command line, from npm."""

from tests.agents.clients.client import Client, openai
from tests.support.model_server import Call


def side_call(call: Call) -> str | None:
    """It tries a websocket at the start of every turn; that is refused, costs nothing, and plain HTTP follows."""
    return "websocket attempt" if call.side == "websocket refused" else None


CODEX = Client(
    "codex",
    "openai/gpt-5.2",
    "0.171.0",
    "codex --version",
    openai(),
    side_calls={"websocket attempt": 3},
    side_call=side_call,
)
