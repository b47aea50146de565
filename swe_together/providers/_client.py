"""A provider's model through LiteLLM: one request at a time, its faults waited out inside the time there is."""

import asyncio
import importlib
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from swe_together.defaults import CALL_SEC, MAX_FAULTS, MIN_CALL_SEC
from swe_together.errors import TogetherError
from swe_together.providers._completions import Completion, Structure
from swe_together.providers._faults import Fault, meaning, pause, rejected_parameter
from swe_together.providers._responses import completion_of, cost_of, structure_of
from swe_together.providers._settings import NO_KEY, ProviderSettings, Role, key_of

_FAULT_CHARS = 300
_NEXT: Mapping[Structure, Structure] = {"tool": "schema", "schema": "text"}

Body = Callable[[Structure], dict[str, Any]]
"""Makes the parameters of a request for what the provider has: ``messages``, and tools or a response format."""


_client: Any = None


async def load_client() -> Any:
    """LiteLLM. Importing it takes seconds, and an event loop has containers to look after."""
    global _client
    if _client is None:
        _client = await asyncio.to_thread(importlib.import_module, "litellm")
        _client.suppress_debug_info = True
    return _client


class Provider:
    """One model, asked for one purpose.

    Args:
        settings: Which model, and where its key is found.
        role: Whose model it is.
        clock: Seconds, monotonic.
        sleep: Waits between attempts.
        rng: Spreads the waiting.
        call_sec: Longest time of one request.

    Raises:
        MisuseError: The host variable with the key isn't set.
    """

    def __init__(
        self,
        settings: ProviderSettings,
        role: Role,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        rng: random.Random | None = None,
        call_sec: float = CALL_SEC,
    ) -> None:
        self.settings = settings
        self._role = role
        self._key = key_of(settings, role)
        self._clock = clock
        self._sleep = sleep
        self._rng = rng or random.Random()
        self._call_sec = call_sec
        self._dropped: list[str] = []
        self._structure = settings.structure

    @property
    def name(self) -> str:
        """LiteLLM's name of the model."""
        return self.settings.model

    @property
    def temperature(self) -> float | None:
        """The temperature that is asked for, None where the provider rejected it."""
        return None if "temperature" in self._dropped else self.settings.temperature

    async def ask(self, body: Body, seconds: float) -> Completion:
        """Answer one request.

        Args:
            body: The request's own parameters.
            seconds: All the time there is, waiting for a provider included.

        Raises:
            TogetherError: The role's error; no answer could be had.
        """
        litellm = await load_client()
        if self._structure is None:
            self._structure = structure_of(litellm, self.settings)
        deadline = self._clock() + seconds
        faults: list[str] = []
        failures = 0
        while True:
            left = deadline - self._clock()
            if left < MIN_CALL_SEC:
                raise self._failure(f"did not answer in the time that the {self._role.work} has left", faults)
            parameters = self._parameters(body)
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
                    late = f"did not answer in the time that the {self._role.work} has left"
                    raise self._failure(late, faults) from None
                await self._sleep(wait)
                continue
            return self._priced(completion_of(response, cost_of(litellm, response, self.settings)), faults)

    def system(self, text: str) -> dict[str, Any]:
        """The stable part as a message, marked for those providers that cache only what is marked."""
        content: Any = text
        if self.settings.base_url is None and "claude" in self.settings.model.lower():
            content = [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]
        return {"role": "system", "content": content}

    def _parameters(self, body: Body) -> dict[str, Any]:
        parameters: dict[str, Any] = {"max_tokens": self.settings.max_tokens}
        if self.settings.temperature is not None:
            parameters["temperature"] = self.settings.temperature
        assert self._structure is not None
        own = body(self._structure)
        messages = own.pop("messages")
        parameters |= own
        for name in self._dropped:
            parameters.pop(name, None)
        return parameters | {"messages": messages}

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

    def _failure(self, what: str, faults: list[str]) -> TogetherError:
        told = f" The last error: {faults[-1]}" if faults else ""
        return self._role.error(
            f"The {self._role.who}'s model {self.name!r} {what} ({len(faults)} failed requests).{told}",
            self._role.remedy,
            self._priced(Completion(), faults),
        )

    def _shown(self, error: Exception) -> str:
        """The error in one line, without the key that some providers repeat in theirs."""
        told = str(error) or (f"no answer within {self._call_sec:g} s" if isinstance(error, TimeoutError) else "")
        text = f"{type(error).__name__}: {told}"
        if self._key is not None and self._key != NO_KEY:
            text = text.replace(self._key, "[key]")
        text = " ".join(text.split())
        return text if len(text) <= _FAULT_CHARS else f"{text[: _FAULT_CHARS - 1]}…"
