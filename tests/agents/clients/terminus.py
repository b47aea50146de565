"""Harbor's own agent: it asks the model from the host, and types into a terminal in the container."""

from dataclasses import replace

from tests.agents.clients.client import Client, all_but_reasoning, openai
from tests.agents.script import SCRIPT

TERMINUS = Client(
    "terminus-2",
    "openai/gpt-5.2",
    "2.0.0",
    "",
    openai(),
    {"record_terminal_session": "false"},
    sums=all_but_reasoning,
    script=replace(SCRIPT, terminal=True),
    last_calls=2,
)
