"""Faults, refusals, side calls, and what the record holds."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.model_server.example import KEY, SCRIPT
from tests.support.model_server import FakeModelServer, Fault, SessionScript, Usage, total

ROOT = Path(__file__).parents[2]
TOOLS = [{"name": "Bash", "input_schema": {"properties": {"command": {"type": "string"}}}}]
BODY: dict[str, Any] = {
    "model": "m",
    "tools": TOOLS,
    "messages": [{"role": "user", "content": [{"type": "text", "text": SCRIPT.turns[0].message}]}],
}


def post(url: str, body: Any = BODY, path: str = "/v1/messages", key: str = KEY) -> httpx.Response:
    return httpx.post(f"{url}{path}", json=body, headers={"x-api-key": key}, timeout=10)


def faulty(server: FakeModelServer, fault: Fault) -> None:
    server.add("faulty", SessionScript(SCRIPT.turns, (fault,)))


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limit_error"), (500, "api_error"), (529, "overloaded_error")])
def test_a_planned_status_comes_at_its_call_only(server: FakeModelServer, url: str, status: int, kind: str) -> None:
    faulty(server, Fault(call=2, status=status))
    answers = [post(url, key="faulty") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, status, 200]
    assert answers[1].json()["error"]["type"] == kind
    usages = [call.usage for call in server.ledger.calls("faulty")]
    assert [usage is None for usage in usages] == [False, True, False]


@pytest.mark.parametrize("stream", [False, True])
def test_a_cut_connection_breaks_off_and_is_not_charged(server: FakeModelServer, url: str, stream: bool) -> None:
    faulty(server, Fault(call=1, cut=True))
    with pytest.raises(httpx.RemoteProtocolError):
        post(url, {**BODY, "stream": stream}, key="faulty")
    assert post(url, {**BODY, "stream": stream}, key="faulty").status_code == 200
    assert [call.usage is None for call in server.ledger.calls("faulty")] == [True, False]


def test_a_delay_delays_its_call_only(server: FakeModelServer, url: str) -> None:
    faulty(server, Fault(call=1, delay_sec=0.4))
    started = time.monotonic()
    post(url, key="faulty")
    between = time.monotonic()
    post(url, key="faulty")
    assert between - started >= 0.4 > time.monotonic() - between


def test_side_calls_are_answered_charged_and_told_apart(server: FakeModelServer, url: str) -> None:
    title = {key: value for key, value in BODY.items() if key != "tools"}
    assert post(url, title).json()["content"][0]["type"] == "text"
    assert post(url).json()["content"][0]["type"] == "tool_use"
    assert post(url, path="/v1/messages/count_tokens").json()["input_tokens"] > 0
    side, agent, count = server.ledger.calls(KEY)
    assert (side.side, agent.side, count.side) == ("offers no shell tool", None, "counts tokens")
    assert (side.is_agent, agent.is_agent, count.usage) == (False, True, None)
    assert agent.usage is not None
    assert total([agent, count]) == agent.usage != total([side, agent, count])


GEMINI: dict[str, Any] = {
    "tools": [{"functionDeclarations": [{"name": "run_shell_command", "parameters": {"properties": {"command": {}}}}]}],
    "contents": [{"role": "user", "parts": [{"text": SCRIPT.turns[0].message}]}],
}


def test_gemini_knows_the_session_by_its_own_header_and_its_calls_have_no_ids(
    server: FakeModelServer, url: str
) -> None:
    path = "/v1beta/models/gemini-2.5-pro"
    headers = {"x-goog-api-key": KEY}
    whole = httpx.post(f"{url}{path}:generateContent", json=GEMINI, headers=headers, timeout=10).json()
    lines = httpx.post(f"{url}{path}:streamGenerateContent?alt=sse", json=GEMINI, headers=headers, timeout=10).text
    count = httpx.post(f"{url}{path}:countTokens", json=GEMINI, headers=headers, timeout=10).json()
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines.splitlines() if line]
    called = {"name": "run_shell_command", "args": {"command": "printf one > a"}}
    for answer in (whole, chunks[0]):
        assert answer["candidates"][0]["content"]["parts"] == [{"functionCall": called}]
        assert answer["modelVersion"] == "gemini-2.5-pro"
    assert [chunk["candidates"][0].get("finishReason") for chunk in chunks] == [None, "STOP"]
    assert "thoughtsTokenCount" not in chunks[0]["usageMetadata"]
    usage = server.ledger.calls(KEY)[1].usage
    assert usage is not None
    assert chunks[1]["usageMetadata"] == {
        "promptTokenCount": usage.prompt,
        "cachedContentTokenCount": usage.cache_read,
        "candidatesTokenCount": usage.output - usage.reasoning,
        "thoughtsTokenCount": usage.reasoning,
        "totalTokenCount": usage.prompt + usage.output,
    }
    assert count["totalTokens"] > 0
    assert [call.side for call in server.ledger.calls(KEY)] == [None, None, "counts tokens"]
    assert not any("goog" in name.lower() for call in server.ledger.calls(KEY) for name in call.headers)


def test_websockets_are_refused_and_models_listed(server: FakeModelServer, url: str) -> None:
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Authorization": f"Bearer {KEY}"}
    assert httpx.get(f"{url}/v1/responses", headers=upgrade).status_code == 426
    assert httpx.get(f"{url}/v1/models").json()["data"][0]["id"] == "fake-model"
    assert [call.side for call in server.ledger.calls()] == ["websocket refused", "lists models"]


def test_refusals_name_their_reason(server: FakeModelServer, url: str) -> None:
    assert post(url, key="never-added").status_code == 401
    assert post(url, path="/v1/elsewhere").status_code == 404
    assert post(url, ["no", "object"]).status_code == 400
    assert [call.side for call in server.ledger.calls()] == ["unknown key", "unknown path", "no JSON"]


def test_the_record_holds_the_request_but_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with FakeModelServer(host="127.0.0.1", jsonl=path) as server:
        server.add(KEY, SCRIPT)
        url = f"http://127.0.0.1:{server.port}"
        post(url)
        post(url, key="sk-a-real-one")
    first, second = (json.loads(line) for line in path.read_text().splitlines())
    assert (first["body"], first["session"], first["status"], first["turn"]) == (BODY, KEY, 200, 1)
    assert second["session"] == "(unknown key)"
    assert first["headers"]["Content-Type"] == "application/json"
    assert "x-api-key" not in {name.lower() for name in first["headers"]}
    assert "sk-a-real-one" not in path.read_text()


def test_usage_is_random_per_call_repeatable_per_seed_and_never_zero() -> None:
    draws = [Usage.draw(f"seed/{number}") for number in range(200)]
    assert draws == [Usage.draw(f"seed/{number}") for number in range(200)]
    for name in ("fresh", "cache_read", "cache_write", "output", "reasoning"):
        values = {getattr(usage, name) for usage in draws}
        assert len(values) > 20, name
        assert min(values) > 0, name
    assert all(usage.reasoning < usage.output for usage in draws)


def test_it_serves_a_script_by_hand(tmp_path: Path) -> None:
    script = {"turns": [{"message": SCRIPT.turns[0].message, "shell": ["ls"], "reply": "Done."}]}
    path = tmp_path / "script.json"
    path.write_text(json.dumps(script))
    command = [sys.executable, "-m", "tests.support.model_server", str(path), "--key", "by-hand"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[3].removesuffix("/v1,")
            assert post(url, key="by-hand").json()["content"][0]["input"] == {"command": "ls"}
        finally:
            process.terminate()
