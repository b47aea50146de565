"""The rules of eligibility: deterministic, configurable, and each rejection with all its reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, get_args

from swe_together import defaults
from swe_together.errors import MisuseError
from swe_together.pipeline.collect._facts import Facts
from swe_together.pipeline.sessions import Channel

Rule = Literal[
    "subagent", "no-human", "single-turn", "few-messages", "no-edits", "few-files", "no-repository", "no-base",
    "human-written", "too-long", "damaged", "duplicate",
]  # fmt: skip
RULES: Final[dict[Rule, str]] = {
    "duplicate": "another log of the same session",
    "subagent": "started by an agent: nobody typed here",
    "no-human": "no message of a person",
    "single-turn": "one message of a person and no follow-up",
    "few-messages": "too few messages of a person",
    "no-edits": "nothing was edited",
    "few-files": "too few files were edited",
    "no-repository": "no repository is recorded",
    "no-base": "neither a commit nor a time is recorded, so no base commit can be found",
    "human-written": "in no linked commit enough of the lines are the agent's",
    "too-long": "more messages than a task may have",
    "damaged": "too many records couldn't be read",
}
"""Rules in the order of the funnel, with what each says."""

RepositoryRule = Literal["any", "known", "named"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a session is no candidate."""

    rule: Rule
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a candidate must have. ``None`` and 0 switch a rule off where it says so."""

    min_messages: int = defaults.COLLECT_MESSAGES
    """Messages of the person; of these channels:"""
    channels: tuple[str, ...] = ("typed", "queued", "rejection", "approval", "command")
    max_messages: int = 0
    """0: no limit."""
    min_edits: int = defaults.COLLECT_EDITS
    min_files: int = 0
    repository: RepositoryRule = "known"
    """``named``: by a URL or owner/name. ``known``: or by a folder or a project's name. ``any``: not asked for."""
    base: bool = True
    """A commit or a time must be recorded."""
    min_agent_share: float = defaults.COLLECT_AGENT_SHARE
    """Of a linked commit's lines, where it is recorded; 0 to 1."""
    max_problem_share: float = defaults.COLLECT_PROBLEM_SHARE
    """Unreadable records, as a share of all events; 0 to 1."""
    subagents: bool = False
    """Let sessions in that an agent started."""

    def reasons(self, facts: Facts) -> tuple[Reason, ...]:
        """All reasons against the session, in the funnel's order; none where it is a candidate."""
        found: dict[Rule, str] = {}
        if facts.parent is not None and not self.subagents:
            found["subagent"] = f"of {facts.parent}"
        self._messages(facts, found)
        if facts.edits < self.min_edits:
            found["no-edits"] = f"{facts.edits} of at least {self.min_edits}"
        if facts.files < self.min_files:
            found["few-files"] = f"{facts.files} of at least {self.min_files}"
        if self.repository == "named" and facts.repository is None:
            found["no-repository"] = "no URL and no owner/name"
        elif self.repository == "known" and not (facts.repository or facts.cwd or facts.project or facts.folder):
            found["no-repository"] = "no URL, folder, project or absolute path"
        if self.base and not (facts.commit or facts.commits or facts.started):
            found["no-base"] = ""
        if facts.agent_share is not None and facts.agent_share < self.min_agent_share:
            found["human-written"] = f"{facts.agent_share:.0%} at most, of at least {self.min_agent_share:.0%}"
        if facts.problems > self.max_problem_share * max(facts.events, 1):
            found["damaged"] = f"{facts.problems} records beside {facts.events} events"
        return tuple(Reason(rule, found[rule]) for rule in RULES if rule in found)

    def _messages(self, facts: Facts, found: dict[Rule, str]) -> None:
        messages = sum(count for channel, count in facts.messages.items() if channel in self.channels)
        if messages < min(self.min_messages, 1):
            found["no-human"] = ""
        elif messages < min(self.min_messages, 2):
            found["single-turn"] = ""
        elif messages < self.min_messages:
            found["few-messages"] = f"{messages} of at least {self.min_messages}"
        if self.max_messages and messages > self.max_messages:
            found["too-long"] = f"{messages} of at most {self.max_messages}"


def load_rules(path: Path | None, changes: Mapping[str, Any]) -> Rules:
    """Rules from a YAML file of their names, and ``changes`` over it.

    Raises:
        MisuseError: The file can't be read, or holds an unknown rule or a value of the wrong kind.
    """
    values: dict[str, Any] = {}
    if path is not None:
        import yaml

        try:
            loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise MisuseError(f"{path}: can't be read as YAML: {error}.", "Give a file of rules.") from error
        if not isinstance(loaded, dict):
            raise MisuseError(
                f"{path}: holds no mapping.", f"Write lines such as `min_messages: {Rules().min_messages}`."
            )
        values = {str(name): value for name, value in loaded.items()}
    where = str(path) if path else "rules"
    values |= changes
    known = {field.name: field for field in fields(Rules)}
    for name, value in values.items():
        if name not in known:
            raise MisuseError(f"{where}: {name}: no such rule.", f"Known are {', '.join(known)}.")
        _check(where, name, value)
    if isinstance(values.get("channels"), list):
        values["channels"] = tuple(values["channels"])
    return Rules(**values)


def _check(where: str, name: str, value: object) -> None:
    default = getattr(Rules(), name)
    if name == "repository":
        allowed = get_args(RepositoryRule)
        good, wanted = value in allowed, f"one of {', '.join(allowed)}"
    elif name == "channels":
        good = isinstance(value, list | tuple) and all(item in get_args(Channel) for item in value)
        wanted = f"a list of channels out of {', '.join(get_args(Channel))}"
    elif isinstance(default, bool):
        good, wanted = isinstance(value, bool), "true or false"
    elif isinstance(default, float):
        good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
        wanted = "a number from 0 to 1"
    else:
        good, wanted = isinstance(value, int) and not isinstance(value, bool) and value >= 0, "a whole number from 0"
    if not good:
        raise MisuseError(f"{where}: {name}: {value!r} is not {wanted}.", f"The default is {default!r}.")
