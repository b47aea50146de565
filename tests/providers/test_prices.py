"""What an answer cost: cached tokens at their own price, and what nobody has a price for is unknown."""

from typing import Any

import pytest

from swe_together.providers import ProviderSettings, load_client
from swe_together.providers._responses import completion_of, cost_of

KNOWN = "openai/gpt-4o-mini"


def answer(litellm: Any, model: str, cached: int) -> Any:
    return litellm.ModelResponse(
        model=model.partition("/")[2],
        choices=[{"message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}],
        usage=litellm.Usage(
            prompt_tokens=10_000, completion_tokens=100, total_tokens=10_100,
            prompt_tokens_details={"cached_tokens": cached},
        ),
    )  # fmt: skip


async def test_cached_tokens_have_their_own_price() -> None:
    litellm = await load_client()
    price = litellm.get_model_info(KNOWN)
    each = price["input_cost_per_token"], price["cache_read_input_token_cost"], price["output_cost_per_token"]
    assert each[1] < each[0]
    for cached in (0, 9_000):
        response = answer(litellm, KNOWN, cached)
        cost = cost_of(litellm, response, ProviderSettings(KNOWN))
        assert cost == pytest.approx((10_000 - cached) * each[0] + cached * each[1] + 100 * each[2])
        completion = completion_of(response, cost)
        assert (completion.input_tokens, completion.cached_tokens, completion.cost_usd) == (10_000, cached, cost)


@pytest.mark.parametrize(
    "settings",
    [ProviderSettings("openai/a-model-of-tomorrow"), ProviderSettings(KNOWN, base_url="http://127.0.0.1:1/v1")],
    ids=["no price is known", "another address"],
)
async def test_without_a_price_the_cost_is_unknown_and_not_zero(settings: ProviderSettings) -> None:
    litellm = await load_client()
    assert cost_of(litellm, answer(litellm, settings.model, 0), settings) is None
