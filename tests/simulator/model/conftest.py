"""The real LiteLLM, without a request for its price list at every start."""

from collections.abc import Iterator

import pytest

KEY = "sk-test-7f3a91"


@pytest.fixture(scope="session", autouse=True)
def _local_prices() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        patch.setenv("SWE_TOGETHER_USER_API_KEY", KEY)
        yield


@pytest.fixture
def key() -> str:
    """The key that the environment holds."""
    return KEY
