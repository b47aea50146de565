"""The real command lines: how each is run, what it reports of its usage, and which calls it makes on the side."""

from tests.agents.clients.claude_code import CLAUDE_CODE
from tests.agents.clients.client import Client, Sums
from tests.agents.clients.codex import CODEX
from tests.agents.clients.gemini_cli import GEMINI_CLI
from tests.agents.clients.kimi_code import KIMI_CODE
from tests.agents.clients.mini_swe_agent import MINI_SWE_AGENT
from tests.agents.clients.opencode import OPENCODE
from tests.agents.clients.openhands_sdk import OPENHANDS_SDK
from tests.agents.clients.pi import PI
from tests.agents.clients.qwen_coder import QWEN_CODER
from tests.agents.clients.terminus import TERMINUS

CLIENTS = {
    client.name: client
    for client in (
        *(CLAUDE_CODE, CODEX, OPENCODE, GEMINI_CLI, QWEN_CODER, PI, KIMI_CODE),
        *(MINI_SWE_AGENT, OPENHANDS_SDK, TERMINUS),
    )
}
NATIVE = sorted(name for name, client in CLIENTS.items() if client.continuation == "native")
"""Those that go on in their own conversation."""

__all__ = ["CLIENTS", "NATIVE", "Client", "Sums"]
