"""Qwen Code, from npm."""

from tests.agents.clients.client import Client, openai

QWEN_CODER = Client("qwen-coder", "openai/qwen3-coder-plus", "0.24.4", "qwen --version", openai(), cost="unknown")
