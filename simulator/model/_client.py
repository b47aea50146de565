"""A provider's model through LiteLLM: one request at a time, its faults waited out inside the time there is."""

import asyncio
import importlib
import json
import os
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from swe_together.errors import MisuseError, SimulatorError
from swe_together.simulator.model._faults import Fault, meaning, pause, rejected_parameter
from swe_together.simulator.model._limits import CALL_SEC, MAX_FAULTS, MIN_CALL_SEC, OUTPUT_TOKENS
from swe_together.simulator.model._requests import TOOL, Completion, ModelSettings, Request, Structure, ToolCall

_FAULT_CHARS = 300
_NO_KEY = "none"
_NEXT: Mapping[Structure, Structure] = {"tool": "schema", "schema": "text"}


class LiteLLMModel:
    """One model, asked by one session.

    Args:
        settings: Which model, and where its key is found.
        clock: Seconds, monotonic.
        sleep: Waits between attempts.
        rng: Spreads the waiting.
        call_sec: Longest time of one request.

    Raises:
        MisuseError: The host variable with the key isn't set.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        rng: random.Random | None = None,
        call_sec: float = CALL_SEC,
    ) -> None:
        self.settings = settings
        self._key = _key(settings)
        self._clock = clock
        self._sleep = sleep
        self._rng = rng or random.Random()
        self._call_sec = call_sec
        self._dropped: list[str] = []
        self._structure: Structure | None = None

    @property
    def name(self) -> str:
        """LiteLLM's name of the model."""
        return self.settings.model

    @property
    def temperature(self) -> float | None:
        """The temperature that is asked for, None where the provider rejected it."""
        return None if "temperature" in self._dropped else self.settings.temperature

    async def complete(self, request: Request, seconds: float) -> Completion:
        """Answer; see ``Model.complete``."""
        # The import takes seconds, and a session's event loop has containers to look after.
        litellm: Any = await asyncio.to_thread(importlib.import_module, "litellm")
        litellm.suppress_debug_info = True
        if self._structure is None:
            self._structure = _structure(litellm, self.settings)
        deadline = self._clock() + seconds
        faults: list[str] = []
        failures = 0
        while True:
            left = deadline - self._clock()
            if left < MIN_CALL_SEC:
                raise self._failure("did not answer in the time that the session has left", faults)
            parameters = self._parameters(request)
            try:
                async with asyncio.timeout(min(left, self._call_sec)):
                    response = await litellm.acompletion(
                        **parameters, **self._access(), timeout=self._call_sec, num_retries=0, max_retries=0
                    )
            except Exception as error:  # noqa: BLE001 - whatever a provider's library raises is a fault of the provider
                faults.append(self._shown(error))
                if self._leave_out(error, parameters):
                    continue
                kind = meaning(error)
                if kind is Fault.REFUSED:
                    return self._priced(Completion(refusal="the provider's content filter"), faults)
                failures += 1
                if kind is Fault.FATAL:
                    raise self._failure("refused the request", faults) from None
                if failures >= MAX_FAULTS:
                    raise self._failure(f"failed {failures} times", faults) from None
                wait = pause(failures - 1, self._rng, error)
                if wait >= deadline - self._clock():
                    raise self._failure("did not answer in the time that the session has left", faults) from None
                await self._sleep(wait)
                continue
            return self._priced(_completion(response, _cost(litellm, response, self.settings)), faults)

    def _parameters(self, request: Request) -> dict[str, Any]:
        text = request.text
        parameters: dict[str, Any] = {"max_tokens": OUTPUT_TOKENS}
        if self.settings.temperature is not None:
            parameters["temperature"] = self.settings.temperature
        function = {"name": TOOL, "description": "What the user does now.", "parameters": request.schema}
        if self._structure == "tool":
            parameters["tools"] = [{"type": "function", "function": function}]
            parameters["tool_choice"] = {"type": "function", "function": {"name": TOOL}}
        elif self._structure == "schema":
            form = {"name": TOOL, "schema": request.schema, "strict": True}
            parameters["response_format"] = {"type": "json_schema", "json_schema": form}
        else:
            text += f"\n\nAnswer with one JSON object of this schema and nothing else:\n{json.dumps(request.schema)}"
        for name in self._dropped:
            parameters.pop(name, None)
        parameters["messages"] = [
            {"role": "system", "content": _cacheable(request.system, self.settings)},
            {"role": "user", "content": text},
        ]
        return parameters

    def _access(self) -> dict[str, Any]:
        access: dict[str, Any] = {"model": self.settings.model}
        if self._key is not None:
            access["api_key"] = self._key
        if self.settings.base_url is not None:
            access["base_url"] = self.settings.base_url
        return access

    def _leave_out(self, error: Exception, parameters: Mapping[str, Any]) -> bool:
        """Whether the provider rejected a parameter that can be done without; it is left out from now on."""
        sent = [name for name in parameters if name != "messages"]
        name = rejected_parameter(error, sorted(sent, key=lambda one: one in ("tools", "tool_choice")))
        if name is None or self._structure is None:
            return False
        if name in ("tools", "tool_choice", "response_format"):
            self._dropped.append({"tool": "tools", "schema": "response_format"}[self._structure])
            self._structure = _NEXT[self._structure]
        else:
            self._dropped.append(name)
        return True

    def _priced(self, completion: Completion, faults: list[str]) -> Completion:
        return replace(completion, faults=tuple(faults), dropped=tuple(self._dropped), structure=self._structure)

    def _failure(self, what: str, faults: list[str]) -> SimulatorError:
        told = f" The last error: {faults[-1]}" if faults else ""
        return SimulatorError(
            f"The user's model {self.name!r} {what} ({len(faults)} failed requests).{told}",
            "Look at the provider's status and limits, then run the trial again.",
        )

    def _shown(self, error: Exception) -> str:
        """The error in one line, without the key that some providers repeat in theirs."""
        told = str(error) or (f"no answer within {self._call_sec:g} s" if isinstance(error, TimeoutError) else "")
        text = f"{type(error).__name__}: {told}"
        if self._key is not None and self._key != _NO_KEY:
            text = text.replace(self._key, "[key]")
        text = " ".join(text.split())
        return text if len(text) <= _FAULT_CHARS else f"{text[: _FAULT_CHARS - 1]}…"


def _key(settings: ModelSettings) -> str | None:
    """The key from its host variable; LiteLLM would otherwise take the one that belongs to the agent."""
    if not settings.api_key_env:
        return None
    key = os.environ.get(settings.api_key_env, "")
    if key:
        return key
    if settings.base_url is not None:
        return _NO_KEY
    raise MisuseError(
        f"The host variable {settings.api_key_env} with the key of {settings.model!r} is not set.",
        "Set it, or name another one: --pk user_api_key_env=NAME; empty for the provider's own credentials.",
    )


def _structure(litellm: Any, settings: ModelSettings) -> Structure:
    """What the provider has; a model that LiteLLM doesn't know is taken to have tools until it says otherwise."""
    try:
        known = litellm.get_model_info(settings.model)
    except Exception:  # noqa: BLE001 - LiteLLM raises a plain Exception for a model that it doesn't know
        return "tool"
    if known.get("supports_function_calling"):
        return "tool"
    return "schema" if known.get("supports_response_schema") else "text"


def _cacheable(system: str, settings: ModelSettings) -> str | list[dict[str, Any]]:
    """The stable part, marked for those providers that cache only what is marked."""
    if settings.base_url is None and "claude" in settings.model.lower():
        return [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
    return system


def _completion(response: Any, cost: float | None) -> Completion:
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
    functions = [call.function for call in getattr(message, "tool_calls", None) or []]
    calls = tuple(ToolCall(str(called.name or ""), str(called.arguments or "")) for called in functions)
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


def _cached(usage: Any) -> int | None:
    details = getattr(usage, "prompt_tokens_details", None)
    cached = getattr(details, "cached_tokens", None)
    return cached if isinstance(cached, int) else None


def _count(tokens: Any) -> int | None:
    """LiteLLM fills in 0 where a provider reports no usage."""
    return tokens if isinstance(tokens, int) and tokens > 0 else None


def _cost(litellm: Any, response: Any, settings: ModelSettings) -> float | None:
    """Dollars by LiteLLM's price list; None for what it doesn't know, and for addresses with prices of their own."""
    if settings.base_url is not None:
        return None
    try:
        cost = litellm.completion_cost(completion_response=response, model=settings.model)
    except Exception:  # noqa: BLE001 - LiteLLM raises a plain Exception for a model without a price
        return None
    return float(cost) or None
