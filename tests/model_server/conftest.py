"""A running server with one known session."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.model_server.example import KEY, SCRIPT
from tests.support.model_server import FakeModelServer

# LiteLLM would fetch its price list when imported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer(seed="tests", host="127.0.0.1") as running:
        running.add(KEY, SCRIPT)
        yield running


@pytest.fixture
def url(server: FakeModelServer) -> str:
    return f"http://127.0.0.1:{server.port}"
