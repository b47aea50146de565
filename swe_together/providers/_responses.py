"""Reading LiteLLM's objects: what a provider has, what it answered, what that cost."""

from dataclasses import replace
from typing import Any

from swe_together.providers._completions import Completion, Structure, ToolCall
from swe_together.providers._settings import ProviderSettings


def structure_of(litellm: Any, settings: ProviderSettings) -> Structure:
    """What the provider has; a model that LiteLLM doesn't know is taken to have tools until it says otherwise."""
    try:
        known = litellm.get_model_info(settings.model)
    except Exception:  # noqa: BLE001 - LiteLLM raises a plain Exception for a model that it doesn't know
        return "tool"
    if known.get("supports_function_calling"):
        return "tool"
    return "schema" if known.get("supports_response_schema") else "text"


def completion_of(response: Any, cost: float | None) -> Completion:
    """The answer in our own form."""
    choices = getattr(response, "choices", None) or []
    usage = getattr(response, "usage", None)
    priced = Completion(
        input_tokens=_count(getattr(usage, "prompt_tokens", None)),
        cached_tokens=_cached(usage),
        output_tokens=_count(getattr(usage, "completion_tokens", None)),
        cost_usd=cost,
    )
    if not choices:
        return priced
    message = choices[0].message
    calls = tuple(
        ToolCall(str(call.function.name or ""), str(call.function.arguments or ""), str(call.id or ""))
        for call in getattr(message, "tool_calls", None) or []
    )
    fields = getattr(message, "provider_specific_fields", None) or {}
    refusal = getattr(message, "refusal", None) or fields.get("refusal")
    content = message.content if isinstance(message.content, str) else ""
    return replace(
        priced,
        content=content,
        calls=calls,
        refusal=str(refusal) if refusal else None,
        finish=getattr(choices[0], "finish_reason", None),
    )


def cost_of(litellm: Any, response: Any, settings: ProviderSettings) -> float | None:
    """Dollars by LiteLLM's price list; None for what it doesn't know, and for addresses with prices of their own."""
    if settings.base_url is not None:
        return None
    try:
        cost = litellm.completion_cost(completion_response=response, model=settings.model)
    except Exception:  # noqa: BLE001 - LiteLLM raises a plain Exception for a model without a price
        return None
    return float(cost) or None


def _cached(usage: Any) -> int | None:
    details = getattr(usage, "prompt_tokens_details", None)
    cached = getattr(details, "cached_tokens", None)
    return cached if isinstance(cached, int) else None


def _count(tokens: Any) -> int | None:
    """LiteLLM fills in 0 where a provider reports no usage."""
    return tokens if isinstance(tokens, int) and tokens > 0 else None
