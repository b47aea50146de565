"""What is needed to play each built-in agent without its command line, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from tests.support.contract import runs, sessions, streams, texts
from tests.support.contract.box import LOGS, RecordingBox
from tests.support.contract.said import Files, Form, Played

Cost = Literal["reported", "estimated", "unknown"]
HARBOR = tuple(int(part) for part in version("harbor").split(".")[:2])


@dataclass(frozen=True)
class Case:
    """One agent.

    Args:
        model: Its model. One that has a price where Harbor estimates what was spent.
        form: Its logs. None where it runs on the host, or what it needs isn't here.
        grows: Whether its log goes on from run to run: where it resumes, never, or even in new conversations.
        named: Instead of ``form``, its logs where they stand under the session id that Harbor gave it.
        knows: What of its usage Harbor learns.
        cost: Where its cost comes from.
        runs: Whether its log shows which commands it ran.
        replies: Whether its log shows what it said.
        kwargs: Its arguments.
        answers: What its commands print.
        prepare: Writes files that it needs, below the test's folder, and gives more arguments.
        set_up: A method of the agent that its own set-up would have called.
        framed: Whether it puts words of its own before what it is sent.
        only: Why nothing but its construction can be shown here.
        older: What is different before a version of Harbor.
    """

    model: str = "anthropic/claude-sonnet-4-5"
    form: Form | None = None
    grows: Literal["resumed", "never", "always"] = "never"
    named: Callable[[str, Sequence[Played]], Files] | None = None
    knows: Sequence[str] = ("input", "cached", "output")
    cost: Cost = "unknown"
    runs: bool = True
    replies: bool = True
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Callable[[RecordingBox], str]] = field(default_factory=dict)
    prepare: Callable[[Path], Mapping[str, Any]] | None = None
    set_up: str | None = None
    framed: bool = False
    only: str | None = None
    older: Mapping[tuple[int, int], Mapping[str, Any]] = field(default_factory=dict)

    def here(self) -> Case:
        """The case for the Harbor that is installed."""
        case = self
        for before in sorted(self.older, reverse=True):
            if before > HARBOR:
                case = replace(case, **self.older[before])
        return case

    def logs(self, agent: Any, turns: Sequence[Played], resumed: bool) -> Files:
        """What its command line leaves after the last of ``turns``."""
        whole = self.grows == "always" or (self.grows == "resumed" and resumed)
        shown = turns if whole else turns[-1:]
        if self.form is not None:
            return self.form(shown)
        assert self.named is not None
        return self.named(agent._session_id, shown)


def _line_counts(box: RecordingBox) -> str:
    """What `wc -l` says of the session logs."""
    found = sorted(box.inside(LOGS).rglob("*.jsonl"))
    return "".join(f"{path.read_bytes().count(b'\n')} /{path.relative_to(box.root / 'box')}\n" for path in found)


def _hermes_head(box: RecordingBox) -> str:
    box.write_pending()
    return box.inside(f"{LOGS}/hermes-session.jsonl").read_text().splitlines()[0]


def _langgraph(folder: Path) -> Mapping[str, Any]:
    folder.mkdir()
    (folder / "langgraph.json").write_text('{"dependencies": ["."], "graphs": {"agent": "./graph.py:graph"}}')
    (folder / "graph.py").write_text("graph = None\n")
    return {"project_path": str(folder)}


def _eve(folder: Path) -> Mapping[str, Any]:
    (folder / "agent").mkdir(parents=True)
    (folder / "package.json").write_text('{"name": "eve-project", "dependencies": {"eve": "1.0.0"}}')
    (folder / "agent" / "agent.ts").write_text("export default {}\n")
    return {"path": str(folder)}


def _acp(folder: Path) -> Mapping[str, Any]:
    entry = {
        "id": "made-up",
        "name": "Made up",
        "version": "1.0.0",
        "description": "An agent of the tests",
        "distribution": {"npx": {"package": "made-up@1.0.0"}},
    }
    return {"registry_entry": entry}


CODEX_USER = "CODEX_RUNTIME_ID 0 0"
SNOWFLAKE = {"SNOWFLAKE_ACCOUNT": "a", "SNOWFLAKE_USER": "u", "SNOWFLAKE_PAT": "fake-key"}
RESUMED = "resumed"

UNREAD: Mapping[str, Any] = {"form": texts.nothing, "knows": (), "cost": "unknown", "runs": False, "replies": False}
"""For a Harbor that reads none of an agent's logs."""

ALL: dict[str, Case] = {
    "acp": Case(form=streams.acp, cost="reported", prepare=_acp),
    "aider": Case(form=texts.aider, grows="always", knows=(), runs=False),
    "antigravity-cli": Case("google/gemini-2.5-pro", sessions.antigravity_cli, cost="estimated"),
    "antigravity-sdk": Case("google/gemini-2.5-pro", runs.atif, cost="reported"),
    "claude-code": Case(form=sessions.claude_code, grows=RESUMED, cost="reported"),
    "cline-cli": Case(form=runs.cline, cost="reported", older={(0, 25): {"model": "anthropic:claude-sonnet-4-5"}}),
    "code-puppy": Case(form=texts.code_puppy, cost="reported", runs=False),
    "codex": Case(
        "openai/gpt-4o",
        sessions.codex,
        RESUMED,
        cost="estimated",
        answers={r"id -u": lambda box: CODEX_USER},
    ),
    "computer-1": Case(only="its desktop: a browser in the container, driven from the host"),
    "copilot-cli": Case(
        "openai/gpt-4o",
        streams.copilot,
        RESUMED,
        cost="reported",
        older={(0, 26): {"knows": ("output",), "cost": "unknown"}},
    ),
    "cortex-code": Case("x", sessions.cortex_code, RESUMED, kwargs={"extra_env": SNOWFLAKE}),
    "cursor-cli": Case(form=streams.cursor, cost="reported", runs=True),
    "deerflow": Case(
        form=texts.deerflow,
        knows=("input", "output"),
        runs=False,
        set_up="_resolve_runtime_context",
        framed=True,
        answers={r"pwd -P": lambda box: "/workspace\n0\n0", r"wc -c": lambda box: "100"},
    ),
    "devin": Case("devin/x", runs.devin, cost="reported"),
    "dspy-rlm": Case(only="the package dspy, and a model on the host"),
    "eve": Case(form=texts.eve, cost="reported", runs=False, prepare=_eve),
    "fabric": Case(only="Harbor's extra `fabric`, without which it can't even be constructed"),
    "fx": Case("openai/gpt-4o", runs.fx, cost="estimated", older={(0, 26): UNREAD}),
    "fx-dev": Case("openai/gpt-4o", runs.fx, cost="estimated", older={(0, 26): UNREAD}),
    "gemini-cli": Case("google/gemini-2.5-pro", sessions.gemini_cli, RESUMED, cost="estimated"),
    "goose": Case(form=streams.goose, grows=RESUMED, cost="reported"),
    "grok-build": Case("xai/grok-4", named=sessions.grok_build, grows="always", cost="reported"),
    "hermes": Case(
        form=sessions.hermes, grows=RESUMED, knows=("input", "output"), answers={r"sessions export": _hermes_head}
    ),
    "junie": Case(form=sessions.junie, grows=RESUMED, cost="reported", answers={r"basename": lambda box: "session-1"}),
    "kimi-cli": Case("moonshot/kimi-k2", streams.kimi_cli, "always"),
    "kimi-code": Case(
        "openai/gpt-4o",
        streams.kimi_code,
        RESUMED,
        cost="estimated",
        older={(0, 25): {"knows": (), "cost": "unknown", "runs": False}},
    ),
    "langgraph": Case(form=texts.langgraph, runs=False, prepare=_langgraph),
    "mcode": Case("minimax/m2", streams.mcode, runs=False),
    "mimo": Case("openai/gpt-4o", streams.mimo, cost="reported"),
    "mini-swe-agent": Case(form=runs.mini_swe_agent, cost="reported"),
    "muse-code": Case(
        "meta/muse",
        named=sessions.muse_code,
        grows=RESUMED,
        cost="reported",
        answers={r"wc -l": _line_counts},
        older={(0, 24): UNREAD},
    ),
    "nemo-agent": Case(form=runs.atif, cost="reported"),
    "openclaw": Case(form=runs.openclaw),
    "opencode": Case("openai/gpt-4o", streams.opencode, cost="reported"),
    "opencode-v2": Case("openai/gpt-4o", streams.opencode_v2, cost="reported"),
    "openhands": Case(form=runs.openhands, cost="reported"),
    "openhands-sdk": Case(form=runs.atif, cost="reported"),
    "pi": Case(
        form=sessions.pi,
        grows=RESUMED,
        cost="reported",
        answers={r"wc -l": _line_counts},
        older={(0, 24): {"runs": False}},
    ),
    "qwen-coder": Case("openai/qwen3", sessions.qwen_code, RESUMED),
    "rovodev-cli": Case(form=runs.rovodev),
    "strands": Case(form=runs.strands),
    "swe-agent": Case(form=runs.swe_agent, knows=("input", "output"), cost="reported"),
    "terminus-2": Case(only="a terminal in the container, driven from the host; tests/adapter/test_terminus.py has it"),
    "trae-agent": Case(form=runs.trae_agent),
    "vibe": Case("mistral/devstral", runs.vibe, knows=("input", "output"), cost="reported"),
}

CASES = {name: case.here() for name, case in ALL.items()}
KEYS = (
    *(f"{maker}_API_KEY" for maker in ("ANTHROPIC", "OPENAI", "GEMINI", "GOOGLE", "CURSOR", "META", "XAI", "MISTRAL")),
    *(f"{maker}_API_KEY" for maker in ("MOONSHOT", "KIMI", "MINIMAX", "AI_GATEWAY", "LLM", "NVIDIA")),
    "ROVODEV_USER_EMAIL",
    "ROVODEV_USER_API_TOKEN",
)
"""Variables in which the agents look for a key."""
