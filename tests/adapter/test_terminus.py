"""terminus-2 runs on the host: its own class plays three turns with a made-up model and terminal, in one chat."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harbor.llms.base import BaseLLM, LLMResponse
from harbor.models.agent.context import AgentContext
from harbor.models.metric.usage_info import UsageInfo

from swe_together.adapter import terminus
from swe_together.adapter.agents import wrap
from swe_together.adapter.driver import HarborDriver
from swe_together.adapter.processes import Processes
from swe_together.adapter.recorder import SessionRecorder
from swe_together.adapter.settings import Settings
from swe_together.adapter.trial import continuation_of
from swe_together.adapter.turn import Turn
from tests.support.contract.box import RecordingBox
from tests.support.contract.said import MESSAGES


class Model(BaseLLM):
    """A made-up model: in every turn it runs a command, says that it is done, and confirms."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.histories: list[int] = []

    async def call(self, prompt: str, message_history: Any = (), **more: Any) -> LLMResponse:
        self.prompts.append(prompt)
        self.histories.append(len(message_history))
        step = (len(self.prompts) - 1) % 3
        turn = (len(self.prompts) - 1) // 3 + 1
        answer = {
            "analysis": f"analysis {turn}.{step}",
            "plan": f"plan {turn}.{step}",
            "commands": [{"keystrokes": f"echo {turn}\n", "duration": 0}] if step == 0 else [],
            "task_complete": step > 0,
        }
        spent = UsageInfo(prompt_tokens=100 * turn, completion_tokens=10 * turn, cache_tokens=turn, cost_usd=turn / 64)
        return LLMResponse(content=json.dumps(answer), usage=spent)

    def get_model_context_limit(self) -> int:
        return 1_000_000

    def get_model_output_limit(self) -> int | None:
        return None


class Terminal:
    """A terminal that shows a prompt and takes any key."""

    async def get_incremental_output(self) -> str:
        return "agent@box:~$ "

    async def is_session_alive(self) -> bool:
        return True

    async def send_keys(self, *keys: Any, **more: Any) -> None:
        """Takes them."""


@pytest.mark.parametrize("asked", [None, "restated"])
async def test_three_turns(asked: Any, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    assert terminus.supported()
    logs = tmp_path / "trial" / "agent"
    logs.mkdir(parents=True)
    agent: Any = wrap("terminus-2")(logs_dir=logs, model_name="openai/made-up", api_base="http://127.0.0.1:9/v1")
    model = Model()
    agent._llm, agent._session = model, Terminal()
    box: Any = RecordingBox(tmp_path, {})
    recorder = SessionRecorder(tmp_path / "trial" / "user-agent", {}, Settings())
    driver = HarborDriver(agent, box, AgentContext(), continuation_of(agent, asked), Processes(box), recorder)
    turns: list[Turn] = [await driver.turn(message, number, 60) for number, message in enumerate(MESSAGES, 1)]
    how = asked or "native"
    assert [turn.continuation for turn in turns] == ["first", how, how]
    for number, (message, turn) in enumerate(zip(MESSAGES, turns, strict=True), 1):
        assert message in model.prompts[3 * (number - 1)]
        assert f"plan {number}.2" in turn.reply
        assert f"plan {number - 1}.2" not in turn.reply
        assert [command.command.strip() for command in turn.commands] == [f"echo {number}"]
        used = turn.usage
        spent = (used.input_tokens, used.output_tokens, used.cached_tokens, used.cost_usd)
        assert spent == pytest.approx((300 * number, 30 * number, 3 * number, 3 * number / 64))
    # One chat: every call sees all that was said before. A new one begins with nothing.
    whole = [0, 2, 4, 6, 8, 10, 12, 14, 16]
    assert model.histories == (whole if asked is None else [0, 2, 4] * 3)
    if asked is None:
        knows = ["input", "cached", "output"]
        row = {"continuation": how, "tokens": knows, "cost": "reported", "trajectory": True, "commands": True}
        record_property("agent", {"agent": "terminus-2", "how": "contract", **row})
