"""Logs of agents that keep their whole conversation in a file of their own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from tests.support.contract.said import Files, Form, Played
from tests.support.contract.streams import lines

UUID = "0b6cf1a6-62d4-4d0e-9c8d-6a6f0f1b2c3d"


def claude_code(turns: Sequence[Played]) -> Files:
    """One session log; the cost of the conversation stands in the stream of the last run."""
    rows: list[object] = []
    for turn in turns:
        call = {"type": "tool_use", "id": turn.call, "name": "Bash", "input": {"command": turn.command}}
        result = {"type": "tool_result", "tool_use_id": turn.call, "content": turn.output}
        end: dict[str, object] = {"id": f"m{turn.number}b", "content": [{"type": "text", "text": turn.reply}]}
        if turn.spent is not None:
            end["usage"] = {
                "input_tokens": turn.spent.input - turn.spent.cached,
                "cache_read_input_tokens": turn.spent.cached,
                "output_tokens": turn.spent.output,
            }
        messages = [
            ("user", {"content": turn.sent}),
            ("assistant", {"id": f"m{turn.number}a", "content": [call]}),
            ("user", {"content": [result]}),
            ("assistant", end),
        ]
        rows += [
            {
                "type": kind,
                "uuid": f"{turn.number}-{place}",
                "sessionId": UUID,
                "timestamp": f"2026-01-01T00:0{turn.number}:0{place}Z",
                "message": {"role": kind, **message},
            }
            for place, (kind, message) in enumerate(messages)
        ]
    costs = [turn.spent.cost for turn in turns if turn.spent is not None]
    total = {"total_cost_usd": sum(costs)} if costs else {}
    return {
        f"sessions/projects/-workspace/{UUID}.jsonl": lines(rows),
        "claude-code.txt": lines([{"type": "result", **total}]),
    }


def codex(turns: Sequence[Played]) -> Files:
    """One rollout; its totals are those of the whole thread."""
    rows: list[object] = [{"type": "session_meta", "payload": {"id": UUID, "cli_version": "1"}}]
    sums = [0, 0, 0]
    for turn in turns:
        call = {
            "type": "function_call",
            "call_id": turn.call,
            "name": "shell",
            "arguments": json.dumps({"command": turn.command}),
        }
        payloads: list[dict[str, object]] = [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": turn.sent}]},
            call,
            {"type": "function_call_output", "call_id": turn.call, "output": turn.output},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": turn.reply}]},
        ]
        rows += [{"type": "response_item", "payload": payload} for payload in payloads]
        if turn.spent is not None:
            last = [turn.spent.input, turn.spent.cached, turn.spent.output]
            sums = [a + b for a, b in zip(sums, last, strict=True)]
            names = ("input_tokens", "cached_input_tokens", "output_tokens")
            usage = {
                "total_token_usage": dict(zip(names, sums, strict=True)),
                "last_token_usage": dict(zip(names, last, strict=True)),
            }
            rows.append({"type": "event_msg", "payload": {"type": "token_count", "info": usage}})
    return {f"sessions/2026/01/01/rollout-2026-01-01T00-00-00-{UUID}.jsonl": lines(rows)}


def _gemini(file: str, turns: Sequence[Played]) -> Files:
    messages: list[object] = []
    for turn in turns:
        result = [{"functionResponse": {"response": {"output": turn.output}}}]
        call = {"id": turn.call, "name": "run_shell_command", "args": {"command": turn.command}, "result": result}
        end: dict[str, object] = {"type": "gemini", "content": turn.reply}
        if turn.spent is not None:
            end["tokens"] = {"input": turn.spent.input, "cached": turn.spent.cached, "output": turn.spent.output}
        messages += [
            {"type": "user", "content": turn.sent},
            {"type": "gemini", "content": "", "toolCalls": [call]},
            end,
        ]
    return {file: json.dumps({"sessionId": UUID, "messages": messages})}


gemini_cli: Form = partial(_gemini, "gemini-cli.trajectory.json")
antigravity_cli: Form = partial(_gemini, "antigravity-cli.trajectory.json")


def qwen_code(turns: Sequence[Played]) -> Files:
    """One chat log."""
    rows: list[object] = []
    for turn in turns:
        call = {"functionCall": {"id": turn.call, "name": "run_shell_command", "args": {"command": turn.command}}}
        back = {"functionResponse": {"id": turn.call, "response": {"output": turn.output}}}
        end: dict[str, object] = {"type": "assistant", "message": {"parts": [{"text": turn.reply}]}}
        if turn.spent is not None:
            end["usageMetadata"] = {
                "promptTokenCount": turn.spent.input,
                "candidatesTokenCount": turn.spent.output,
                "cachedContentTokenCount": turn.spent.cached,
            }
        stamp = {"timestamp": f"2026-01-01T00:0{turn.number}:00Z", "sessionId": UUID}
        rows += [
            {"type": "user", "message": {"parts": [{"text": turn.sent}]}, **stamp},
            {"type": "assistant", "message": {"parts": [call]}, **stamp},
            {"type": "tool_result", "message": {"parts": [back]}, **stamp},
            {**end, **stamp},
        ]
    name = UUID if len(turns) > 1 or turns[0].number == 1 else f"chat-{turns[0].number}"
    return {f"qwen-sessions/-workspace/chats/{name}.jsonl": lines(rows)}


PI_SESSION = "2026-01-01_1.jsonl"


def pi(turns: Sequence[Played]) -> Files:
    """One session log that grows, and the stream of the last run."""
    rows: list[object] = [{"type": "session", "id": UUID}]
    messages: list[dict[str, object]] = []
    for turn in turns:
        call = {"type": "toolCall", "id": turn.call, "name": "bash", "arguments": {"command": turn.command}}
        end: dict[str, object] = {"role": "assistant", "content": [{"type": "text", "text": turn.reply}]}
        if turn.spent is not None:
            spent = turn.spent
            end["usage"] = {
                "input": spent.input - spent.cached,
                "output": spent.output,
                "cacheRead": spent.cached,
                "cacheWrite": 0,
                "cost": {"total": spent.cost},
            }
        messages = [
            {"role": "user", "content": [{"type": "text", "text": turn.sent}]},
            {"role": "assistant", "content": [call]},
            {"role": "toolResult", "toolCallId": turn.call, "content": [{"type": "text", "text": turn.output}]},
            end,
        ]
        rows += [{"type": "message", "message": message} for message in messages]
    last = [{"type": "message_end", "message": message} for message in messages]
    return {f"pi/sessions/{PI_SESSION}": lines(rows), "pi.txt": lines(last)}


def muse_code(session: str, turns: Sequence[Played]) -> Files:
    """One session log that grows, below the id that Harbor gave it."""
    rows: list[object] = []

    def event(turn: Played, kind: str, **more: object) -> None:
        payload = {"kind": "run", "run_id": f"run-{turn.number}", "event": {"kind": kind, **more}}
        rows.append({"schema_version": 1, "id": f"r{len(rows)}", "stream": {"id": session}, "payload": payload})

    for turn in turns:
        event(turn, "started", prompt=turn.sent)
        event(turn, "model_response_created", response_id="a")
        arguments = json.dumps({"command": turn.command})
        event(
            turn,
            "assistant_tool_calls_committed",
            tool_calls=[{"call_id": turn.call, "name": "bash", "args": arguments}],
        )
        event(turn, "tool_result", tool_call_id=turn.call, text=turn.output)
        event(turn, "model_response_created", response_id="b")
        event(turn, "assistant_message_committed", response_id="b", text=turn.reply)
        if turn.spent is not None:
            spent = turn.spent
            usage = {
                "input_tokens": spent.input,
                "cached_tokens": spent.cached,
                "output_tokens": spent.output,
                "cost_usd": spent.cost,
            }
            event(turn, "model_completed", response_id="b", usage=usage)
        event(turn, "terminal")
    return {f"sessions/2026/01/01/{session}/session.jsonl": lines(rows)}


def hermes(turns: Sequence[Played]) -> Files:
    """The export of one session."""
    messages: list[object] = []
    for turn in turns:
        function = {"name": "terminal", "arguments": json.dumps({"command": turn.command})}
        end: dict[str, object] = {"role": "assistant", "content": turn.reply}
        if turn.spent is not None:
            end["usage"] = {"prompt_tokens": turn.spent.input, "completion_tokens": turn.spent.output}
        messages += [
            {"role": "user", "content": turn.sent},
            {"role": "assistant", "content": "", "tool_calls": [{"id": turn.call, "function": function}]},
            {"role": "tool", "tool_call_id": turn.call, "content": turn.output},
            end,
        ]
    return {"hermes-session.jsonl": json.dumps({"id": "s1", "messages": messages}) + "\n"}


def cortex_code(turns: Sequence[Played]) -> Files:
    """The whole conversation in a file, the usage of the last run in its stream."""
    history: list[object] = []
    for turn in turns:
        call = {
            "type": "tool_use",
            "tool_use": {"tool_use_id": turn.call, "name": "bash", "input": {"command": turn.command}},
        }
        back = {"type": "tool_result", "tool_result": {"tool_use_id": turn.call, "content": turn.output}}
        history += [
            {"role": "user", "content": [{"type": "text", "text": turn.sent}]},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [back]},
            {"role": "assistant", "content": [{"type": "text", "text": turn.reply}]},
        ]
    stream: list[object] = [{"type": "system", "subtype": "init", "session_id": "s1"}]
    spent = turns[-1].spent
    if spent is not None:
        usage = {
            "input_tokens": spent.input - spent.cached,
            "cache_read_input_tokens": spent.cached,
            "output_tokens": spent.output,
        }
        stream.append({"type": "result", "usage": usage})
    return {
        "cortex-code-snapshot/conversations/s1.json": json.dumps(
            {"session_id": "s1", "session_type": "main", "history": history}
        ),
        "cortex-code.txt": lines(stream),
    }


def junie(turns: Sequence[Played]) -> Files:
    """The events of one session."""
    rows: list[object] = []

    def event(**inner: object) -> None:
        rows.append({"kind": "SessionA2uxEvent", "event": {"agentEvent": inner}})

    for turn in turns:
        spent = turn.spent
        usage: dict[str, object] = {"model": "m"}
        event(kind="LlmResponseMetadataEvent", modelUsage=[{"model": "m"}])
        event(kind="TerminalBlockUpdatedEvent", stepId=turn.call, command=turn.command, output=turn.output)
        if spent is not None:
            usage |= {
                "inputTokens": spent.input,
                "outputTokens": spent.output,
                "cacheInputTokens": spent.cached,
                "cost": spent.cost,
            }
        event(kind="LlmResponseMetadataEvent", modelUsage=[usage])
        event(kind="ResultBlockUpdatedEvent", result=turn.reply)
    return {"junie/session/events.jsonl": lines(rows)}


def grok_build(session: str, turns: Sequence[Played]) -> Files:
    """The conversation under the id that Harbor gives every run, and the usage of the last run in its stream."""
    history: list[object] = []
    for turn in turns:
        call = {"id": turn.call, "name": "bash", "arguments": json.dumps({"command": turn.command})}
        history += [
            {"type": "user", "content": turn.sent},
            {"type": "assistant", "content": "", "tool_calls": [call]},
            {"type": "tool_result", "tool_call_id": turn.call, "content": turn.output},
            {"type": "assistant", "content": turn.reply},
        ]
    end: dict[str, object] = {"type": "end"}
    spent = turns[-1].spent
    if spent is not None:
        end["usage"] = {
            "input_tokens": spent.input - spent.cached,
            "output_tokens": spent.output,
            "cache_read_input_tokens": spent.cached,
        }
        end["total_cost_usd"] = spent.cost
    return {f"sessions/w/{session}/chat_history.jsonl": lines(history), "grok-build.txt": lines([end])}
