"""The real LiteLLM against a real HTTP server that goes wrong on purpose, one fault at a time."""

import json
import logging
import random

import pytest

from swe_together import defaults
from swe_together.errors import MisuseError, SimulatorError
from swe_together.providers import Structure
from swe_together.providers._faults import Fault as Meaning
from swe_together.providers._faults import meaning, pause, rejected_parameter
from swe_together.simulator.model import ChosenAnswer, LiteLLMModel, ModelSettings, Refused, Request, parse
from swe_together.simulator.model._answers import chosen_schema
from swe_together.simulator.model._requests import closed
from tests.support.fault_server import Fault, FaultServer

FORM = chosen_schema(["abc"])
REQUEST = Request("the stable part", "this turn\n\n# You may say now\n- abc: as written above\n", FORM)
RETRIED = [
    Fault.RATE_LIMIT,
    Fault.SERVER_ERROR,
    Fault.BAD_GATEWAY,
    Fault.UNAVAILABLE,
    Fault.OVERLOADED,
    Fault.SLOW,
    Fault.CUT,
    Fault.CLOSED,
    Fault.NOT_JSON,
]
ANSWERED = [fault for fault in Fault if not fault.of_provider]


class Waits:
    """A sleep that only moves a clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waited: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds


def model(
    server: FaultServer, waits: Waits, *, name: str = "openai/fault", temperature: float | None = 0.5
) -> LiteLLMModel:
    settings = ModelSettings(name, temperature, base_url=server.base_url)
    return LiteLLMModel(settings, clock=waits.clock, sleep=waits.sleep, rng=random.Random(1), call_sec=1.0)


async def test_a_right_answer(key: str) -> None:
    with FaultServer() as server:
        completion = await model(server, Waits()).complete(REQUEST, 60)
    assert parse(completion, ChosenAnswer).choice == "abc"
    assert (completion.input_tokens, completion.cached_tokens, completion.output_tokens) == (120, 100, 30)
    assert completion.cost_usd is None, "what another address asks for a model is not known"
    assert (completion.faults, completion.dropped, completion.structure) == ((), (), "tool")
    (body,) = server.bodies
    assert server.keys == [f"Bearer {key}"]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert [message["content"] for message in body["messages"]] == [REQUEST.system, REQUEST.user]
    assert body["tools"][0]["function"]["parameters"] == FORM
    assert body["tool_choice"]["function"]["name"] == "decide"
    assert body["temperature"] == 0.5


@pytest.mark.parametrize("fault", RETRIED)
async def test_faults_that_pass_are_waited_out(fault: Fault) -> None:
    waits = Waits()
    with FaultServer({1: fault, 2: fault}) as server:
        completion = await model(server, waits).complete(REQUEST, 600)
    assert parse(completion, ChosenAnswer).choice == "abc"
    assert server.used == [fault, fault, None]
    assert len(completion.faults) == 2
    assert 0.5 <= waits.waited[0] <= 1.0
    assert 1.0 <= waits.waited[1] <= 2.0


@pytest.mark.parametrize("fault", [Fault.RATE_LIMIT, Fault.CUT])
async def test_faults_that_stay_are_a_simulator_error(fault: Fault) -> None:
    waits = Waits()
    failed = pytest.raises(SimulatorError, match=r"'openai/fault' failed 6 times")
    with FaultServer(dict.fromkeys(range(1, 20), fault)) as server, failed:
        await model(server, waits).complete(REQUEST, 10_000)
    assert len(server.used) == defaults.MAX_FAULTS


async def test_backoff_ends_with_the_sessions_time() -> None:
    waits = Waits()
    failed = pytest.raises(SimulatorError, match="in the time that the session has left")
    with FaultServer(dict.fromkeys(range(1, 20), Fault.OVERLOADED)) as server, failed:
        await model(server, waits).complete(REQUEST, 5)
    assert waits.now <= 5
    assert 2 <= len(server.used) < defaults.MAX_FAULTS


@pytest.mark.parametrize("fault", [Fault.UNAUTHORIZED])
async def test_faults_that_cannot_pass_are_not_repeated(fault: Fault) -> None:
    with FaultServer({1: fault}) as server, pytest.raises(SimulatorError, match="refused the request"):
        await model(server, Waits()).complete(REQUEST, 60)
    assert len(server.used) == 1


async def test_a_rejected_parameter_is_left_out_and_stays_out() -> None:
    with FaultServer({1: Fault.NO_TEMPERATURE}) as server:
        asked = model(server, Waits())
        first = await asked.complete(REQUEST, 60)
        second = await asked.complete(REQUEST, 60)
    assert first.dropped == second.dropped == ("temperature",)
    assert (len(first.faults), len(second.faults)) == (1, 0)
    assert ["temperature" in body for body in server.bodies] == [True, False, False]
    assert asked.temperature is None


async def test_without_tools_a_schema_is_asked_for() -> None:
    with FaultServer({1: Fault.NO_TOOLS}) as server:
        completion = await model(server, Waits()).complete(REQUEST, 60)
    assert parse(completion, ChosenAnswer).choice == "abc"
    assert (completion.structure, completion.dropped) == ("schema", ("tools",))
    assert server.bodies[1]["response_format"]["json_schema"]["schema"] == closed(FORM)


@pytest.mark.parametrize(
    ("structure", "sent"), [("tool", {"tools", "tool_choice"}), ("schema", {"response_format"}), ("text", set())]
)
async def test_a_chosen_form_and_length_are_what_is_sent(structure: Structure, sent: set[str]) -> None:
    with FaultServer() as server:
        settings = ModelSettings("openai/fault", base_url=server.base_url, structure=structure, max_tokens=300)
        completion = await LiteLLMModel(settings).complete(REQUEST, 60)
    assert parse(completion, ChosenAnswer).choice == "abc"
    assert completion.structure == structure
    assert set(server.bodies[0]) == {"model", "messages", "temperature", "max_tokens", *sent}
    assert server.bodies[0]["max_tokens"] == 300


@pytest.mark.parametrize("fault", ANSWERED)
async def test_answers_that_are_no_decision_reach_the_reader_and_are_refused(fault: Fault) -> None:
    with FaultServer({1: fault}) as server:
        completion = await model(server, Waits()).complete(REQUEST, 60)
    assert completion.faults == ()
    if fault is Fault.REASONING_LEAK:
        assert "<think>" in str(parse(completion, ChosenAnswer).words), "the guards judge what is well formed"
    else:
        with pytest.raises(Refused):
            parse(completion, ChosenAnswer)


async def test_no_choices_is_an_empty_answer() -> None:
    with FaultServer({1: Fault.NO_CHOICES}) as server:
        completion = await model(server, Waits()).complete(REQUEST, 60)
    with pytest.raises(Refused, match="empty"):
        parse(completion, ChosenAnswer)


async def test_the_key_is_nowhere_but_in_the_request(
    key: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG), FaultServer({1: Fault.SERVER_ERROR, 3: Fault.UNAUTHORIZED}) as server:
        asked = model(server, Waits())
        completion = await asked.complete(REQUEST, 60)
        with pytest.raises(SimulatorError) as caught:
            await asked.complete(REQUEST, 60)
    told = f"{completion.faults}{caught.value}{asked.settings!r}{asked!r}{caplog.text}{''.join(capfd.readouterr())}"
    assert key not in told
    assert key not in json.dumps(server.bodies)


async def test_a_key_in_the_providers_error_is_struck_out(key: str) -> None:
    asked = LiteLLMModel(ModelSettings("openai/x", base_url="http://127.0.0.1:9/v1"))
    assert asked._shown(RuntimeError(f"Incorrect API key provided: {key}.")) == (
        "RuntimeError: Incorrect API key provided: [key]."
    )


def test_the_key_comes_from_its_own_host_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SWE_TOGETHER_USER_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-agent")
    with pytest.raises(MisuseError, match=r"SWE_TOGETHER_USER_API_KEY .* is not set"):
        LiteLLMModel(ModelSettings("openai/gpt-5"))
    monkeypatch.setenv("MINE", "sk-mine")
    assert LiteLLMModel(ModelSettings("openai/gpt-5", api_key_env="MINE"))._access()["api_key"] == "sk-mine"
    assert LiteLLMModel(ModelSettings("x", base_url="http://127.0.0.1:9/v1"))._access()["api_key"] == "none"
    assert "api_key" not in LiteLLMModel(ModelSettings("vertex_ai/x", api_key_env=""))._access()


class HTTPError(Exception):
    def __init__(self, status: int | None, text: str = "", **headers: str) -> None:
        super().__init__(text)
        self.status_code = status
        self.headers = headers


@pytest.mark.parametrize("status", [None, 408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_what_may_pass(status: int | None) -> None:
    assert meaning(HTTPError(status)) is Meaning.RETRY


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_stays(status: int) -> None:
    assert meaning(HTTPError(status)) is Meaning.FATAL


SENT = ["max_tokens", "temperature", "response_format", "tools", "tool_choice"]


@pytest.mark.parametrize(
    ("status", "text", "name"),
    [
        (400, "Unsupported value: 'temperature' does not support 0.5 with this model.", "temperature"),
        (400, "`temperature` is deprecated for this model.", "temperature"),
        (400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice', "tools"),
        (500, "tools param requires --jinja flag", "tools"),
        (400, "response_format.type: json_schema is not supported", "response_format"),
        (422, "Extra inputs are not permitted: tool_choice", "tools"),
        (400, "max_tokens is too large: 8000. This model supports at most 4096 completion tokens.", "max_tokens"),
        (400, "max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens", "max_tokens"),
        (400, "you requested 8010 tokens (10 in the messages, 8000 in the completion); the maximum is 8", "max_tokens"),
        (400, "This model's maximum context length is 8192 tokens", None),
        (400, "messages: text content blocks must be non-empty", None),
        (401, "invalid api key for temperature", None),
        (429, "tools quota exceeded, not supported on free tier", None),
        (503, "tools not supported right now", None),
        (None, "temperature not supported", None),
    ],
)
def test_rejected_parameters(status: int | None, text: str, name: str | None) -> None:
    assert rejected_parameter(HTTPError(status, text), SENT) == name


def test_backoff_doubles_up_to_a_minute_and_minds_the_provider() -> None:
    rng = random.Random(3)
    waits = [pause(attempt, rng, HTTPError(429)) for attempt in range(12)]
    assert all(0.5 * min(60, 2**n) <= wait <= min(60, 2**n) for n, wait in enumerate(waits))
    assert len({wait / min(60, 2**n) for n, wait in enumerate(waits)}) == 12, "spread at random"
    assert pause(0, rng, HTTPError(429, **{"retry-after": "20"})) == 20
    assert pause(0, rng, HTTPError(429, **{"retry-after": "4000"})) == 60
    assert pause(0, rng, HTTPError(429, **{"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"})) <= 1
