"""Logs of agents whose command line prints one line of JSON after the other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial

from tests.support.contract.said import Files, Form, Played


def lines(rows: Iterable[object]) -> str:
    """One line of JSON each."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def _opencode(file: str, turns: Sequence[Played]) -> Files:
    rows: list[object] = []
    for turn in turns:
        state = {"input": {"command": turn.command}, "output": turn.output}
        rows += [
            {"type": "step_start", "sessionID": "s"},
            {"type": "tool_use", "part": {"type": "tool", "tool": "bash", "callID": turn.call, "state": state}},
            {"type": "step_finish", "part": {}},
            {"type": "step_start"},
            {"type": "text", "part": {"type": "text", "text": turn.reply}},
            {"type": "step_finish", "part": _opencode_usage(turn)},
        ]
    return {file: lines(rows)}


def _opencode_usage(turn: Played) -> dict[str, object]:
    if turn.spent is None:
        return {}
    cache = {"read": turn.spent.cached, "write": 0}
    tokens = {"input": turn.spent.input - turn.spent.cached, "output": turn.spent.output, "cache": cache}
    return {"tokens": tokens, "cost": turn.spent.cost}


opencode: Form = partial(_opencode, "opencode.txt")
opencode_v2: Form = partial(_opencode, "opencode-v2.txt")
mimo: Form = partial(_opencode, "mimo.txt")


def goose(turns: Sequence[Played]) -> Files:
    """The stream of the last run; its totals are those of the whole session."""
    turn = turns[-1]
    tool = {"name": "developer__shell", "arguments": {"command": turn.command}}
    result = {"value": {"content": [{"type": "text", "text": turn.output}]}}
    spent = [one.spent for one in turns if one.spent is not None]
    totals = {
        "input_tokens": sum(one.input for one in spent),
        "output_tokens": sum(one.output for one in spent),
        "cache_read_input_tokens": sum(one.cached for one in spent),
        "cost_usd": sum(one.cost for one in spent),
    }
    parts: list[tuple[str, dict[str, object]]] = [
        ("user", {"type": "text", "text": turn.sent}),
        ("assistant", {"type": "toolRequest", "id": turn.call, "toolCall": {"value": tool}}),
        ("user", {"type": "toolResponse", "id": turn.call, "toolResult": result}),
        ("assistant", {"type": "text", "text": turn.reply}),
    ]
    rows: list[object] = [
        {"type": "message", "message": {"id": f"{turn.number}-{place}", "role": role, "content": [part]}}
        for place, (role, part) in enumerate(parts)
    ]
    return {"goose.txt": lines([*rows, {"type": "complete", **(totals if spent else {})}])}


def cursor(turns: Sequence[Played]) -> Files:
    """cursor-agent --output-format=stream-json."""
    rows: list[object] = []
    for turn in turns:
        common = {"session_id": "s", "timestamp_ms": turn.number}
        rows += [
            {"type": "user", "message": _cursor_message("user", turn.sent), **common},
            *(
                {
                    "type": "tool_call",
                    "subtype": kind,
                    "call_id": turn.call,
                    "model_call_id": f"m{turn.number}",
                    "tool_call": {
                        "shellToolCall": {
                            "args": {"command": turn.command},
                            "result": {"success": {"stdout": turn.output}},
                        }
                    },
                    **common,
                }
                for kind in ("started", "completed")
            ),
            {"type": "assistant", "message": _cursor_message("assistant", turn.reply), **common},
            {
                "type": "result",
                "subtype": "success",
                "duration_ms": 1,
                "duration_api_ms": 1,
                "is_error": False,
                "result": turn.reply,
                "session_id": "s",
                **_cursor_usage(turn),
            },
        ]
    return {"cursor-cli.txt": lines(rows)}


def _cursor_message(role: str, text: str) -> dict[str, object]:
    return {"role": role, "content": [{"type": "text", "text": text}]}


def _cursor_usage(turn: Played) -> dict[str, object]:
    if turn.spent is None:
        return {}
    spent = turn.spent
    return {
        "usage": {
            "inputTokens": spent.input - spent.cached,
            "outputTokens": spent.output,
            "cacheReadTokens": spent.cached,
            "cacheWriteTokens": 0,
            "totalCost": spent.cost,
        }
    }


def copilot(turns: Sequence[Played]) -> Files:
    """copilot --output-format json, the form of its own session events; usage in a file of the whole session."""
    turn = turns[-1]
    rows: list[object] = [
        {"type": "user.message", "data": {"content": turn.sent}},
        {
            "type": "assistant.message",
            "data": {
                "content": "",
                "toolRequests": [{"toolCallId": turn.call, "name": "bash", "arguments": {"command": turn.command}}],
            },
        },
        {"type": "tool.execution_complete", "data": {"toolCallId": turn.call, "result": {"content": turn.output}}},
        {
            "type": "assistant.message",
            "data": {"content": turn.reply} | ({"outputTokens": turn.spent.output} if turn.spent else {}),
        },
    ]
    snapshots = {"copilot-usage.json": turns, "copilot-usage-baseline.json": turns[:-1]}
    usage = {name: _copilot_usage(some) for name, some in snapshots.items() if some and turn.spent is not None}
    return {"copilot-cli.jsonl": lines(rows), **usage}


def _copilot_usage(turns: Sequence[Played]) -> str:
    spent = [turn.spent for turn in turns if turn.spent is not None]
    usage = {
        "inputTokens": sum(one.input for one in spent),
        "outputTokens": sum(one.output for one in spent),
        "cacheReadTokens": sum(one.cached for one in spent),
    }
    nano = sum(one.cost for one in spent) * 100 * 1e9
    return json.dumps({"sessionStartTime": "s", "modelMetrics": {"m": {"usage": usage, "totalNanoAiu": nano}}})


def kimi_cli(turns: Sequence[Played]) -> Files:
    """Kimi's wire protocol; Harbor lets the file grow from run to run."""
    rows: list[object] = []
    for turn in turns:
        events: list[tuple[str, dict[str, object]]] = [
            ("TurnBegin", {}),
            ("StepBegin", {"n": 1}),
            (
                "ToolCall",
                {"id": turn.call, "function": {"name": "Shell", "arguments": json.dumps({"command": turn.command})}},
            ),
            ("ToolResult", {"tool_call_id": turn.call, "return_value": {"output": turn.output}}),
            ("StepBegin", {"n": 2}),
            ("ContentPart", {"type": "text", "text": turn.reply}),
        ]
        if turn.spent is not None:
            spent = turn.spent
            usage = {
                "input_other": spent.input - spent.cached,
                "output": spent.output,
                "input_cache_read": spent.cached,
            }
            events.append(("StatusUpdate", {"token_usage": usage}))
        events.append(("TurnEnd", {}))
        rows += [
            {"jsonrpc": "2.0", "method": "event", "params": {"type": kind, "payload": payload}}
            for kind, payload in events
        ]
    return {"kimi-cli.txt": lines(rows)}


def kimi_code(turns: Sequence[Played]) -> Files:
    """The session's journal, with every turn in it, and the stream of the last run."""
    rows: list[object] = [{"type": "metadata", "protocol_version": "1.5"}]
    for turn in turns:
        rows += [
            {"type": "turn.prompt", "turnId": turn.number, "input": [{"type": "text", "text": turn.sent}]},
            _kimi_event("step.begin", step=1),
            {"type": "llm.request", "model": "gpt-4o"},
            _kimi_event("tool.call", toolCallId=turn.call, name="Shell", args={"command": turn.command}),
            _kimi_event("tool.result", toolCallId=turn.call, result={"output": turn.output}),
            _kimi_event("step.end"),
            _kimi_event("step.begin", step=2),
            _kimi_event("content.part", part={"type": "text", "text": turn.reply}),
            _kimi_event("step.end", **_kimi_usage(turn)),
            {"type": "turn.ended"},
        ]
    stream = [
        {"role": "assistant", "content": turns[-1].reply},
        {"role": "meta", "type": "session.resume_hint", "session_id": "session_1"},
    ]
    return {
        ".kimi-code/sessions/w/session_1/agents/main/wire.jsonl": lines(rows),
        "kimi-code.txt": lines(stream),
    }


def _kimi_event(kind: str, **more: object) -> dict[str, object]:
    return {"type": "context.append_loop_event", "event": {"type": kind, **more}}


def _kimi_usage(turn: Played) -> dict[str, object]:
    if turn.spent is None:
        return {}
    spent = turn.spent
    usage = {"inputOther": spent.input - spent.cached, "output": spent.output, "inputCacheRead": spent.cached}
    return {"usage": usage}


def mcode(turns: Sequence[Played]) -> Files:
    """mcode --output-format stream-json; Harbor reads its usage alone."""
    rows: list[object] = []
    for turn in turns:
        message: dict[str, object] = {"role": "assistant", "content": [{"type": "text", "text": turn.reply}]}
        if turn.spent is not None:
            spent = turn.spent
            message["usage"] = {
                "inputTokens": spent.input - spent.cached,
                "cacheReadTokens": spent.cached,
                "outputTokens": spent.output,
            }
        rows += [
            {"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": turn.sent}]}},
            {"type": "message", "message": message},
            {"type": "result"},
        ]
    return {"mcode.jsonl": lines(rows)}


def acp(turns: Sequence[Played]) -> Files:
    """Harbor's own runner of the Agent Client Protocol."""
    turn = turns[-1]
    updates: list[dict[str, object]] = [
        {"sessionUpdate": "tool_call", "toolCallId": turn.call, "title": "bash", "rawInput": {"command": turn.command}},
        {"sessionUpdate": "tool_call_update", "toolCallId": turn.call, "status": "completed", "rawOutput": turn.output},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": turn.reply}},
    ]
    summary: dict[str, object] = {"instruction": turn.sent}
    if turn.spent is not None:
        spent = turn.spent
        usage = {"inputTokens": spent.input, "outputTokens": spent.output, "cachedReadTokens": spent.cached}
        summary["prompt_response"] = {"usage": usage}
        summary["latest_usage_update"] = {"cost": {"amount": spent.cost, "currency": "USD"}}
    events = [{"event_type": "session_update", "payload": {"update": update}} for update in updates]
    return {"acp-events.jsonl": lines(events), "acp-summary.json": json.dumps(summary)}
