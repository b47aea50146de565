"""The SDK of OpenHands, from PyPI, run by a script of Harbor's. It can't resume there."""

from tests.agents.clients.client import Client, all_but_reasoning

OPENHANDS_SDK = Client(
    "openhands-sdk",
    "openai/gpt-5.2",
    "1.58.2",
    "/opt/openhands-sdk-venv/bin/python -c 'from importlib.metadata import version; print(version(\"openhands-sdk\"))'",
    {"LLM_API_KEY": "{key}", "LLM_BASE_URL": "{server}/v1", "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    continuation="restated",
    sums=all_but_reasoning,
    cost="whole",
)
