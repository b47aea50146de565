"""Logs of agents that leave no trajectory."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from tests.support.contract.said import Files, Played
from tests.support.contract.streams import lines


def eve(turns: Sequence[Played]) -> Files:
    """What eve's runner says at its end; Harbor fetches it itself."""
    turn = turns[-1]
    usage: dict[str, object] = {}
    if turn.spent is not None:
        usage = {
            "inputTokens": turn.spent.input,
            "outputTokens": turn.spent.output,
            "cachedTokens": turn.spent.cached,
            "costUsd": turn.spent.cost,
        }
    return {"eve-result.json": json.dumps({"status": "ok", "message": turn.reply, "usage": usage})}


def nothing(turns: Sequence[Played]) -> Files:
    """For a Harbor that reads none of an agent's logs."""
    return {}


def aider(turns: Sequence[Played]) -> Files:
    """Texts alone. The history grows over the whole trial."""
    history = "# aider chat started at 2026-01-01 00:00:00\n\n"
    for turn in turns:
        said = "\n".join(f"#### {line}" for line in turn.sent.splitlines())
        history += f"{said}\n\n{turn.reply}\n\n> Tokens: 1.0k sent, 11 received.  \n> Applied edit to a.txt  \n"
    return {"aider.chat.history.md": history, "aider.txt": f"Aider v0.86\n{turns[-1].reply}\nTokens: 1.0k sent"}


def code_puppy(turns: Sequence[Played]) -> Files:
    """A text, and the usage of one run."""
    turn = turns[-1]
    usage: dict[str, object] = {}
    if turn.spent is not None:
        usage = {
            "input_tokens": turn.spent.input,
            "output_tokens": turn.spent.output,
            "cache_read_tokens": turn.spent.cached,
            "cost_usd": turn.spent.cost,
        }
    return {"code-puppy.txt": f"{turn.reply}\n", "code-puppy-usage.json": json.dumps(usage)}


def _summary(file: str, more: Mapping[str, object], turns: Sequence[Played]) -> Files:
    usage: dict[str, object] = {}
    if (spent := turns[-1].spent) is not None:
        usage = {"input_tokens": spent.input, "output_tokens": spent.output, "cache_read_tokens": spent.cached}
    return {file: json.dumps({"usage": usage, **more})}


def langgraph(turns: Sequence[Played]) -> Files:
    """The answer as a text, and the summary of Harbor's runner."""
    return {"langgraph.txt": turns[-1].reply, **_summary("summary.json", {}, turns)}


def deerflow(turns: Sequence[Played]) -> Files:
    """The client's events, and the summary of Harbor's runner."""
    turn = turns[-1]
    messages = [{"type": "human", "content": turn.sent}, {"type": "ai", "content": turn.reply}]
    events = lines([{"type": "values", "data": {"messages": messages}}, {"type": "end", "data": {}}])
    return {"deerflow.jsonl": events, **_summary("deerflow_summary.json", {"schema_version": 1}, turns)}
