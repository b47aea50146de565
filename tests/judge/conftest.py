"""The real LiteLLM, without a request for its price list at every start."""

from collections.abc import Iterator

import pytest

KEY = "sk-judge-41c9d0"


@pytest.fixture(scope="session", autouse=True)
def _local_prices() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        patch.setenv("SWE_TOGETHER_JUDGE_API_KEY", KEY)
        patch.setenv("SWE_TOGETHER_TAGGER_API_KEY", "sk-tagger-88")
        yield


@pytest.fixture
def key() -> str:
    """The judge's key that the environment holds."""
    return KEY
