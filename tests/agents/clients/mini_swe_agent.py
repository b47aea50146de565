"""mini-swe-agent, from PyPI. Harbor's class of it can't resume."""

from dataclasses import replace

from tests.agents.clients.client import Client, openai
from tests.agents.script import SCRIPT

MINI_SWE_AGENT = Client(
    "mini-swe-agent",
    "openai/gpt-5.2",
    "2.4.6",
    "mini-swe-agent --help",
    {**openai(), "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    continuation="restated",
    script=replace(SCRIPT, closing="echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
)
