"""What the adapter can't see for itself of one agent or another. Data alone; an agent that isn't listed needs none.

Each entry says where its facts were found: a class and method of Harbor 0.26, or the agent's own source.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal


@dataclass(frozen=True)
class ReplyLog:
    """Where the last words stand of an agent that leaves no trajectory.

    Args:
        file: Path below the agent's log folder.
        after: A regular expression; the reply begins behind its last match. The whole file without.
        drop: A regular expression of lines that are no words of the agent.
        where: For a file of JSON lines: keys and values by which the line of a reply is known; the last one counts.
        text: For a file of JSON lines: the keys that lead to the words, a string or a list of text parts; ``-1`` is the
            last one of a list.
    """

    file: str
    after: str | None = None
    drop: str | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    text: tuple[str, ...] = ()


@dataclass(frozen=True)
class AgentFacts:
    """How one agent reports.

    Args:
        source: Where these facts were found.
        tokens: What the reported tokens cover: the ``steps`` of its trajectory (without those it marks as copied), the
            last ``turn`` whatever its trajectory holds, or the whole ``conversation`` however few steps it shows.
        cost: What the reported cost covers: the same as the tokens, or the agent's own ``conversation``.
        apart: Totals that leave out tokens which its steps name in ``metrics.extra``: what is added to them.
        reply: Where its last words stand if it leaves no trajectory; the end of its newest text log without.
        one_conversation: Folders below its logs that Harbor's reader wants to hold one conversation. They are put aside
            before the agent begins a new one.
    """

    source: str
    tokens: Literal["steps", "turn", "conversation"] = "steps"
    cost: Literal["as tokens", "conversation"] = "as tokens"
    apart: Mapping[str, str] = field(default_factory=dict)
    reply: ReplyLog | None = None
    one_conversation: tuple[str, ...] = ()


_OPENCODE: Final = {"input_tokens": "cache_write_tokens", "output_tokens": "reasoning_tokens"}

UNLISTED: Final = AgentFacts("nothing that its trajectory doesn't show")

AGENT_FACTS: Final[Mapping[str, AgentFacts]] = {
    "aider": AgentFacts(
        "Aider.run: only texts are left; the history has messages of the user behind '#### ' and notices behind '> '",
        reply=ReplyLog("aider.chat.history.md", after=r"(?m)^#### .*$", drop=r"^> "),
    ),
    "claude-code": AgentFacts(
        "ClaudeCode._parse_total_cost_from_stream_json: cost of the conversation, tokens of all session logs",
        cost="conversation",
    ),
    "code-puppy": AgentFacts(
        "CodePuppy._build_run_command: only a text is left, and a file of usage",
        reply=ReplyLog("code-puppy.txt"),
    ),
    "cortex-code": AgentFacts(
        "_parse_usage_from_output reads the output of one run, _convert_conversation_to_trajectory the conversation",
        tokens="turn",
    ),
    "deerflow": AgentFacts(
        "DeerFlow's own client: each `values` event holds all messages so far; its tokens stand in a summary",
        reply=ReplyLog("deerflow.jsonl", where={"type": "values"}, text=("data", "messages", "-1", "content")),
    ),
    "dspy-rlm": AgentFacts("DspyRlmAgent._save_logs", reply=ReplyLog("rlm/solution.txt")),
    "eve": AgentFacts(
        "Eve._RESULT_FILENAME, for a run without events", reply=ReplyLog("eve-result.json", text=("message",))
    ),
    "goose": AgentFacts(
        "goose 1.37 and later: `complete` adds up the session, over --resume as well; its stream shows the run alone",
        tokens="conversation",
    ),
    "grok-build": AgentFacts(
        "GrokBuild._build_run_script gives every run the same --session-id; _parse_usage_report reads that of one run",
        tokens="turn",
    ),
    "kimi-code": AgentFacts(
        "KimiCode.run: stream-json of one run; Harbor before 0.25 reads no more of it",
        reply=ReplyLog("kimi-code.txt", where={"role": "assistant"}, text=("content",)),
    ),
    "langgraph": AgentFacts("LangGraph._run_command: --output-path", reply=ReplyLog("langgraph.txt")),
    "mcode": AgentFacts(
        "MCode.run: stream-json of one run, read for its usage alone",
        reply=ReplyLog(
            "mcode.jsonl", where={"type": "message", "message.role": "assistant"}, text=("message", "content")
        ),
    ),
    "mimo": AgentFacts("Mimo reads the stream of OpenCode, of which it is a fork, in the same way", apart=_OPENCODE),
    "opencode": AgentFacts(
        "opencode 1.18: a step counts cache writes and reasoning beside input and output; Harbor's reader adds neither",
        apart=_OPENCODE,
    ),
    "opencode-v2": AgentFacts("OpenCodeV2 takes over the reader of OpenCode", apart=_OPENCODE),
    "openhands": AgentFacts(
        "OpenHands._get_session_dir asserts that there is exactly one", one_conversation=("sessions", "completions")
    ),
    "pi": AgentFacts(
        "Pi._populate_context_from_output: all that Harbor 0.23 reads",
        reply=ReplyLog(
            "pi.txt", where={"type": "message_end", "message.role": "assistant"}, text=("message", "content")
        ),
    ),
    "swe-agent": AgentFacts(
        "SweAgent._find_trajectory_file asserts that there is at most one", one_conversation=("swe-agent-output",)
    ),
}


def facts_of(agent: str) -> AgentFacts:
    """The facts of an agent by Harbor's name of it."""
    return AGENT_FACTS.get(agent, UNLISTED)
