"""The answers to a client without tools: it types what the JSON of an answer says into a terminal (terminus-2)."""

from __future__ import annotations

import json

from .script import SIDE_TEXT, Conversation, Play, SessionScript, turn_of

SECONDS = 1.0
"""How long the client is told to wait for a command."""


def decide(script: SessionScript, conversation: Conversation) -> Play:
    """Choose the answer from the request alone; the step is the number of answers since the turn's message.

    When its commands are done the answer says so, and once more when the client asks whether it is sure.
    """
    found = turn_of(script, conversation)
    if found is None:
        return Play(SIDE_TEXT, side="holds no message of the script")
    turn, start = found
    planned = script.turns[turn]
    step = sum(item.kind == "assistant" for item in conversation.items[start:])
    done = step >= len(planned.steps)
    keys = [] if done else [{"keystrokes": f"{planned.steps[step].command}\n", "duration": SECONDS}]
    answer = {
        "analysis": planned.reply if done else f"Step {step + 1} is to be done.",
        "plan": planned.reply if done else "Run a command.",
        "commands": keys,
        "task_complete": done,
    }
    return Play(json.dumps(answer), turn=turn + 1, step=step + 1)
