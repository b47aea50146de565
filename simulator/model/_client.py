"""A provider's model that plays the user: one request at a time, answered by one call of one tool."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any

from swe_together.defaults import CALL_SEC
from swe_together.providers import Completion, Provider, Role, Structure
from swe_together.simulator.model._requests import TOOL, ModelSettings, NoAnswer, Request, closed, compact

USER = Role("user", "session", NoAnswer, "Look at the provider's status and limits, then run the trial again.")


class LiteLLMModel(Provider):
    """One model, asked by one session, or about one; see ``Provider``."""

    def __init__(
        self,
        settings: ModelSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        rng: random.Random | None = None,
        call_sec: float = CALL_SEC,
        role: Role = USER,
    ) -> None:
        super().__init__(settings, role, clock=clock, sleep=sleep, rng=rng, call_sec=call_sec)

    async def complete(self, request: Request, seconds: float) -> Completion:
        """Answer; see ``Model.complete``."""
        return await self.ask(lambda structure: self._body(request, structure), seconds)

    def _body(self, request: Request, structure: Structure) -> dict[str, Any]:
        text = request.text
        body: dict[str, Any] = {}
        if structure == "tool":
            function = {"name": TOOL, "description": request.purpose, "parameters": request.schema}
            body["tools"] = [{"type": "function", "function": function}]
            body["tool_choice"] = {"type": "function", "function": {"name": TOOL}}
        elif structure == "schema":
            form = {"name": TOOL, "schema": closed(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        else:
            text += f"\n\nAnswer with one JSON object of this schema and nothing else:\n{compact(request.schema)}"
        return body | {"messages": [self.system(request.system), {"role": "user", "content": text}]}
