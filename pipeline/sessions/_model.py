"""A recorded session in one normal form, whatever program recorded it.

Plain slotted dataclasses and not pydantic models: an importer makes one of these for every record of gigabytes of
logs, and each is checked by the importer's own types. ``VERSION`` changes when a stored session would read differently.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

VERSION: Final = 1

Format = Literal[
    "claude-code", "codex", "pi", "opencode", "gemini-cli", "dataclaw", "entire", "release", "atif", "swe-together"
]
"""What recorded it; ``release`` is the converted layout of the paper's release, ``swe-together`` our own form."""

Channel = Literal["typed", "queued", "rejection", "approval", "answer", "command"]
"""How a person's words reached the agent.

``typed``: a message of its own. ``queued``: typed while the agent worked. ``rejection``: the reason given with a
refused tool call. ``approval``: a remark given with an allowed one. ``answer``: an answer to a question that the agent
asked by a tool. ``command``: the arguments of a slash command.
"""

ActionKind = Literal["read", "write", "edit", "patch", "run", "search", "ask", "plan", "delegate", "web", "other"]
OutcomeStatus = Literal["ok", "failed", "rejected", "aborted"]
NoticeKind = Literal[
    "summary", "reminder", "local-command", "shell", "notification", "expansion", "context", "synthetic", "other"
]
"""Text that stands where a user's would and was written by a program.

``summary``: of a compacted conversation. ``expansion``: the body of a slash command or skill. ``context``: files,
selections and instructions put before a message. ``shell``: a command that the user ran, and its output.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Human:
    """Words of the person. ``text`` is what was typed, without anything a program added; never empty."""

    record: int
    """1-based line (or index of the message) in the file it was read from."""
    at: datetime | None
    text: str
    channel: Channel = "typed"
    images: int = 0
    command: str | None = None
    """The slash command that the text was given to, with its slash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Words of the agent to the person, without its reasoning."""

    record: int
    at: datetime | None
    text: str
    model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call of the agent."""

    record: int
    at: datetime | None
    call_id: str
    tool: str
    """The tool's own name."""
    action: ActionKind
    input: Mapping[str, Any]
    """Arguments as recorded; ``{"input": text}`` where they were one text."""
    path: str | None = None
    """The file that an edit, write or read is about, as recorded."""
    command: str | None = None
    """The command line of a ``run``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a call. ``status`` is None where the record doesn't say."""

    record: int
    at: datetime | None
    call_id: str
    status: OutcomeStatus | None
    text: str
    exit_code: int | None = None
    before: str | None = None
    """The edited file's whole content before the edit, where recorded: it proves a base commit."""
    after: str | None = None
    user_modified: bool = False
    """The person changed the proposed edit before it was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupt:
    """The person stopped the agent."""

    record: int
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Text of a program in the place of a user's."""

    record: int
    at: datetime | None
    kind: NoticeKind
    text: str


Event = Human | Reply | Call | Outcome | Interrupt | Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Sums over the session, each API message counted once. None: not recorded, which is never zero."""

    input: int | None = None
    """All input tokens, cached ones included."""
    cached: int | None = None
    output: int | None = None
    """All output tokens, those of reasoning included."""
    reasoning: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A record that could not be read and was skipped."""

    record: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a session comes from, as far as it is recorded."""

    format: Format
    file: str
    """Name of the file, without its folder."""
    session_id: str
    parent: str | None = None
    """The session that started this one: then nobody typed here."""
    version: str | None = None
    """Version of the recording program."""
    cwd: str | None = None
    branch: str | None = None
    commit: str | None = None
    repository: str | None = None
    """URL or owner/name, as recorded."""
    project: str | None = None
    """A name of the project, where the record has one and no path."""
    models: tuple[str, ...] = ()
    agent: str | None = None
    """The recording program by its own name, in formats that hold sessions of several."""
    agent_share: float | None = None
    """The agent's share of a linked commit's lines, 0 to 1, of the commit where it is largest."""
    commits: tuple[str, ...] = ()
    """Commits that are linked to the session by the record itself (checkpoints), oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session, events in order of what happened."""

    version: int = VERSION
    origin: Origin
    events: tuple[Event, ...]
    tokens: Tokens = field(default_factory=Tokens)
    problems: tuple[Problem, ...] = ()

    def humans(self) -> Iterator[Human]:
        """The person's messages of every channel, in order."""
        return (event for event in self.events if isinstance(event, Human))

    @property
    def started(self) -> datetime | None:
        """The first recorded time; None where no event has one."""
        return min((event.at for event in self.events if event.at is not None), default=None)

    @property
    def ended(self) -> datetime | None:
        """The last recorded time."""
        return max((event.at for event in self.events if event.at is not None), default=None)
