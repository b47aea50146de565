"""Logs of agents that begin a new conversation with every run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence

from tests.support.contract.said import Files, Played
from tests.support.contract.streams import lines


def atif(turns: Sequence[Played]) -> Files:
    """Agents whose runner inside the container writes a trajectory itself."""
    turn = turns[-1]
    metrics: dict[str, object] = {}
    if turn.spent is not None:
        spent = turn.spent
        metrics = {
            "total_prompt_tokens": spent.input,
            "total_completion_tokens": spent.output,
            "total_cached_tokens": spent.cached,
            "total_cost_usd": spent.cost,
        }
    call = {"tool_call_id": turn.call, "function_name": "bash", "arguments": {"command": turn.command}}
    steps = [
        {"source": "user", "message": turn.sent},
        {
            "source": "agent",
            "message": "",
            "tool_calls": [call],
            "observation": {"results": [{"source_call_id": turn.call, "content": turn.output}]},
        },
        {"source": "agent", "message": turn.reply},
    ]
    document = {
        "schema_version": "ATIF-v1.6",
        "session_id": f"s{turn.number}",
        "agent": {"name": "runner", "version": "1"},
        "steps": [{"step_id": place, **step} for place, step in enumerate(steps, 1)],
        "final_metrics": metrics,
    }
    return {"trajectory.json": json.dumps(document)}


def _chat(turn: Played, spent: Mapping[str, object]) -> list[dict[str, object]]:
    """One turn as messages of a chat completion."""
    function = {"name": "bash", "arguments": json.dumps({"command": turn.command})}
    return [
        {"role": "user", "content": turn.sent},
        {"role": "assistant", "content": "", "tool_calls": [{"id": turn.call, "function": function}]},
        {"role": "tool", "tool_call_id": turn.call, "content": turn.output},
        {"role": "assistant", "content": turn.reply, **spent},
    ]


def mini_swe_agent(turns: Sequence[Played]) -> Files:
    """mini-swe-agent --output."""
    turn = turns[-1]
    extra: dict[str, object] = {}
    stats: dict[str, object] = {}
    if turn.spent is not None:
        usage = {
            "prompt_tokens": turn.spent.input,
            "completion_tokens": turn.spent.output,
            "prompt_tokens_details": {"cached_tokens": turn.spent.cached},
        }
        extra = {"extra": {"response": {"usage": usage}}}
        stats = {"model_stats": {"instance_cost": turn.spent.cost}}
    messages = [{"role": "system", "content": "You are mini."}, *_chat(turn, extra)]
    return {"mini-swe-agent.trajectory.json": json.dumps({"info": stats, "messages": messages})}


def openhands(turns: Sequence[Played]) -> Files:
    """A folder of events for each conversation."""
    turn = turns[-1]
    metadata = {
        "tool_call_id": turn.call,
        "function_name": "execute_bash",
        "model_response": {
            "choices": [
                {"message": {"tool_calls": [{"function": {"arguments": json.dumps({"command": turn.command})}}]}}
            ]
        },
    }
    end: dict[str, object] = {"source": "agent", "action": "finish", "message": turn.reply}
    if turn.spent is not None:
        usage = {
            "prompt_tokens": turn.spent.input,
            "completion_tokens": turn.spent.output,
            "cache_read_tokens": turn.spent.cached,
        }
        end["llm_metrics"] = {"accumulated_token_usage": usage, "accumulated_cost": turn.spent.cost}
    events: list[dict[str, object]] = [
        {"source": "user", "action": "message", "message": turn.sent},
        {"source": "agent", "action": "run", "message": "", "tool_call_metadata": metadata},
        {"source": "agent", "observation": "run", "cause": 1, "content": turn.output, "tool_call_metadata": metadata},
        end,
    ]
    folder = f"sessions/conversation-{turn.number}/events"
    stamp = {"timestamp": "2026-01-01T00:00:00"}
    return {f"{folder}/{place}.json": json.dumps({"id": place, **stamp, **one}) for place, one in enumerate(events)}


def swe_agent(turns: Sequence[Played]) -> Files:
    """One .traj for each problem statement."""
    turn = turns[-1]
    info: dict[str, object] = {}
    if turn.spent is not None:
        info = {"input_tokens": turn.spent.input, "output_tokens": turn.spent.output, "cost": turn.spent.cost}
    trajectory = [
        {"response": "", "thought": "", "action": turn.command, "observation": turn.output},
        {"response": turn.reply, "thought": "", "action": "", "observation": ""},
    ]
    name = f"swe-agent-output/problem-{turn.number}/problem-{turn.number}.traj"
    return {name: json.dumps({"trajectory": trajectory, "info": info})}


def _block_turn(turn: Played, end: Mapping[str, object]) -> list[dict[str, object]]:
    call = {"type": "tool_use", "id": turn.call, "name": "run_commands", "input": {"command": turn.command}}
    back = {"type": "tool_result", "tool_use_id": turn.call, "content": turn.output}
    return [
        {"role": "user", "content": [{"type": "text", "text": turn.sent}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [back]},
        {"role": "assistant", "content": [{"type": "text", "text": turn.reply}], **end},
    ]


def cline(turns: Sequence[Played]) -> Files:
    """A file of messages for each conversation."""
    turn = turns[-1]
    end: dict[str, object] = {}
    if turn.spent is not None:
        end["metrics"] = {
            "inputTokens": turn.spent.input,
            "outputTokens": turn.spent.output,
            "cacheReadTokens": turn.spent.cached,
            "cost": turn.spent.cost,
        }
    key = f"s{turn.number}"
    document = {"sessionId": key, "messages": _block_turn(turn, end)}
    return {f"sessions/{key}/{key}.messages.json": json.dumps(document)}


def trae_agent(turns: Sequence[Played]) -> Files:
    """trae-cli --trajectory-file."""
    turn = turns[-1]
    usage: dict[str, object] = {}
    if turn.spent is not None:
        usage = {
            "input_tokens": turn.spent.input,
            "output_tokens": turn.spent.output,
            "cache_read_input_tokens": turn.spent.cached,
        }
    call = {"call_id": turn.call, "name": "bash", "arguments": {"command": turn.command}}
    interactions = [
        {"response": {"content": "", "tool_calls": [call], "usage": {}}},
        {"response": {"content": turn.reply, "usage": usage}},
    ]
    steps = [{"tool_results": [{"call_id": turn.call, "result": turn.output}]}]
    return {"trae-trajectory.json": json.dumps({"llm_interactions": interactions, "agent_steps": steps})}


def vibe(turns: Sequence[Played]) -> Files:
    """A folder for each conversation."""
    turn = turns[-1]
    meta: dict[str, object] = {"session_id": f"s{turn.number}", "start_time": f"2026-01-01T00:0{turn.number}:00"}
    if turn.spent is not None:
        meta["stats"] = {
            "session_prompt_tokens": turn.spent.input,
            "session_completion_tokens": turn.spent.output,
            "session_cost": turn.spent.cost,
        }
    folder = f"vibe-home/logs/session/s{turn.number}"
    return {f"{folder}/messages.jsonl": lines(_chat(turn, {})), f"{folder}/meta.json": json.dumps(meta)}


def strands(turns: Sequence[Played]) -> Files:
    """Harbor's own runner of Strands."""
    turn = turns[-1]
    call = {"toolUse": {"toolUseId": turn.call, "name": "bash", "input": {"command": turn.command}}}
    back = {"toolResult": {"toolUseId": turn.call, "content": [{"text": turn.output}]}}
    messages: list[dict[str, object]] = [
        {"role": "user", "content": [{"text": turn.sent}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [back]},
        {"role": "assistant", "content": [{"text": turn.reply}]},
    ]
    result: dict[str, object] = {"output": turn.reply}
    if turn.spent is not None:
        result["usage"] = {
            "inputTokens": turn.spent.input - turn.spent.cached,
            "outputTokens": turn.spent.output,
            "cacheReadInputTokens": turn.spent.cached,
        }
    return {
        "strands-events.jsonl": lines({"kind": "message", "message": message} for message in messages),
        "strands-result.json": json.dumps(result),
    }


def openclaw(turns: Sequence[Played]) -> Files:
    """openclaw agent --json, and its session log."""
    turn = turns[-1]
    usage: dict[str, object] = {}
    if turn.spent is not None:
        spent = turn.spent
        usage = {"usage": {"input": spent.input - spent.cached, "output": spent.output, "cacheRead": spent.cached}}
    call = {"type": "toolCall", "id": turn.call, "name": "exec", "arguments": {"command": turn.command}}
    messages: list[dict[str, object]] = [
        {"role": "user", "content": turn.sent},
        {"role": "assistant", "content": [call]},
        {"role": "toolResult", "toolCallId": turn.call, "content": [{"type": "text", "text": turn.output}]},
        {"role": "assistant", "content": [{"type": "text", "text": turn.reply}]},
    ]
    envelope = {"payloads": [{"text": turn.reply}], "meta": {"agentMeta": {"sessionId": "s", **usage}}}
    return {
        "openclaw.txt": json.dumps(envelope),
        "openclaw.session.jsonl": lines({"type": "message", "message": message} for message in messages),
    }


def rovodev(turns: Sequence[Played]) -> Files:
    """The newest session of the Rovo Dev command line."""
    turn = turns[-1]
    usage: dict[str, object] = {}
    if turn.spent is not None:
        usage = {
            "input_tokens": turn.spent.input - turn.spent.cached,
            "output_tokens": turn.spent.output,
            "cache_read_tokens": turn.spent.cached,
        }
    call = {
        "part_kind": "tool-call",
        "tool_call_id": turn.call,
        "tool_name": "bash",
        "args": json.dumps({"command": turn.command}),
    }
    back = {"part_kind": "tool-return", "tool_call_id": turn.call, "tool_name": "bash", "content": turn.output}
    stamp = {"timestamp": "2026-01-01T00:00:00Z"}
    history = [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": turn.sent, **stamp}], **stamp},
        {"kind": "response", "parts": [call], **stamp},
        {"kind": "request", "parts": [{**back, **stamp}], **stamp},
        {"kind": "response", "parts": [{"part_kind": "text", "content": turn.reply}], **stamp},
    ]
    return {"rovodev_session_context.json": json.dumps({"id": "s", "message_history": history, "usage": usage})}


def devin(turns: Sequence[Played]) -> Files:
    """The command line's own database, here with one conversation for each run."""
    database = sqlite3.connect(":memory:")
    database.executescript(
        "CREATE TABLE sessions (id TEXT, main_chain_id INTEGER, last_activity_at INTEGER, metadata TEXT);"
        "CREATE TABLE message_nodes (session_id TEXT, node_id INTEGER, parent_node_id INTEGER, chat_message TEXT,"
        " created_at INTEGER);"
    )
    turn = turns[-1]
    metrics: dict[str, object] = {}
    if turn.spent is not None:
        spent = turn.spent
        usage = {
            "input_tokens": spent.input - spent.cached,
            "cache_read_tokens": spent.cached,
            "output_tokens": spent.output,
        }
        metrics = {"metadata": {"request_id": turn.call, "metrics": usage}}
    for number, message in enumerate(_chat(turn, metrics), 1):
        node = (f"s{turn.number}", number, number - 1 or None, json.dumps(message), turn.number)
        database.execute("INSERT INTO message_nodes VALUES (?, ?, ?, ?, ?)", node)
    cost = json.dumps({"total_credit_cost": turn.spent.cost} if turn.spent is not None else {})
    database.execute("INSERT INTO sessions VALUES (?, 4, ?, ?)", (f"s{turn.number}", turn.number, cost))
    database.commit()
    return {"sessions.db": database.serialize()}


def fx(turns: Sequence[Played]) -> Files:
    """The session log of this run alone: Harbor leaves those of earlier runs out."""
    turn = turns[-1]
    key = f"s{turn.number}"
    call = {"call_id": turn.call, "tool_name": "bash", "arguments_json": json.dumps({"command": turn.command})}
    back = {"call_id": turn.call, "preview": turn.output, "status": "ok"}
    rows: list[dict[str, object]] = [
        {"kind": "session_created", "id": key, "role": "root", "ts": turn.number},
        {"kind": "item", "type": "user", "data": {"text": turn.sent}},
        {"kind": "item", "type": "assistant", "data": {"text": ""}},
        {"kind": "item", "type": "tool_call", "data": call},
        {"kind": "item", "type": "tool_result", "data": back},
    ]
    if turn.spent is not None:
        usage = {
            "input_tokens": turn.spent.input,
            "output_tokens": turn.spent.output,
            "cache_read_tokens": turn.spent.cached,
        }
        rows.append({"kind": "set", "field": "usage", "key": "usage", "value": usage})
    rows.append({"kind": "item", "type": "assistant", "data": {"text": turn.reply}})
    return {f"sessions/v2/{key}/log.jsonl": lines(rows)}
