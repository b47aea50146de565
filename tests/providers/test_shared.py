"""What user, judge and tagger share: prices that stay unknown, errors in the words of each role, one direction."""

import subprocess
import sys

import pytest

from swe_together.errors import JudgeError, SimulatorError, TaggerError
from swe_together.judge import JUDGE, TAGGER, JudgeModel, ProviderChat, TaggerModel
from swe_together.providers import Completion, Provider, ProviderSettings, load_client, total
from swe_together.simulator.model import USER
from tests.support.fault_server import Fault, FaultServer


def answer(tokens: int | None = 10, cost: float | None = 0.5) -> Completion:
    return Completion(input_tokens=tokens, cached_tokens=tokens, output_tokens=tokens, cost_usd=cost)


def test_what_one_answer_leaves_unknown_is_unknown() -> None:
    assert total([answer(), answer(5, 0.25)]).model_dump() == {
        "input_tokens": 15, "cached_tokens": 15, "output_tokens": 15, "reasoning_tokens": None, "cost_usd": 0.75,
    }  # fmt: skip
    assert total([answer(), answer(None)]).input_tokens is None
    assert total([answer(), answer(1, None)]).cost_usd is None
    assert total([]).cost_usd is None
    assert total([answer(0, 0.0)]).cost_usd == 0.0


@pytest.mark.parametrize(
    ("role", "error", "sentence"),
    [
        (USER, SimulatorError, "The user's model 'openai/x' refused the request"),
        (JUDGE, JudgeError, "The judge's model 'openai/x' refused the request"),
        (TAGGER, TaggerError, "The tagger's model 'openai/x' refused the request"),
    ],
)
async def test_every_role_fails_in_its_own_words(role: object, error: type[Exception], sentence: str) -> None:
    with FaultServer({1: Fault.UNAUTHORIZED}) as server:
        provider = Provider(ProviderSettings("openai/x", base_url=server.base_url, api_key_env="NO_SUCH_KEY"), role)  # type: ignore[arg-type]
        with pytest.raises(error, match=sentence) as caught:
            await provider.ask(lambda structure: {"messages": [{"role": "user", "content": "hi"}]}, 30)
    assert len(caught.value.tries.faults) == 1  # type: ignore[attr-defined]
    assert server.keys == ["Bearer none"]


def test_every_role_has_a_key_of_its_own() -> None:
    names = {JudgeModel(model="x").api_key_env, TaggerModel(model="x").api_key_env, "SWE_TOGETHER_USER_API_KEY"}
    assert len(names) == 3
    chat = ProviderChat(ProviderSettings("claude-x", api_key_env=""), JUDGE)
    assert chat.system("stable")["content"][0]["cache_control"] == {"type": "ephemeral"}


PURE = {
    "swe_together.providers": ("swe_together.judge", "swe_together.simulator", "swe_together.adapter", "harbor"),
    "swe_together.judge": ("swe_together.simulator", "swe_together.adapter", "swe_together.pipeline", "harbor"),
    "swe_together.judge.agreement": ("swe_together.simulator", "swe_together.adapter", "harbor"),
    "swe_together.judge.recorded": ("swe_together.simulator", "swe_together.adapter", "harbor"),
}


@pytest.mark.parametrize("package", PURE)
def test_dependencies_point_one_way_and_what_is_heavy_comes_late(package: str) -> None:
    code = f"import sys, {package}; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    for name in (*PURE[package], "litellm", "numpy", "pandas", "docker"):
        assert not {module for module in loaded if module == name or module.startswith(f"{name}.")}, name


async def test_the_client_is_imported_once_and_then_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request needs no thread: there, it would wait behind everything else that threads do."""
    first = await load_client()
    monkeypatch.setattr("asyncio.to_thread", lambda *arguments: pytest.fail("a thread was asked"))
    assert await load_client() is first
