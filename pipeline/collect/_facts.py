"""What the rules look at: numbers of a session, and no word of it."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import sub
from typing import Any, Final

from swe_together.pipeline.sessions import Call, Human, Interrupt, Outcome, Session

PAUSE: Final = timedelta(minutes=15)
"""A gap between two events counts as work up to here."""
_ABSOLUTE: Final = re.compile(r"/|[A-Za-z]:[/\\]")
_EDITS: Final = frozenset({"edit", "write", "patch"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Facts of one session. None: not recorded."""

    format: str
    session_id: str
    same: str
    """Equal for two logs of one session, as a resumed or a copied one: it starts at one time with the same words."""
    agent: str | None
    parent: str | None
    version: str | None
    cwd: str | None
    branch: str | None
    commit: str | None
    repository: str | None
    project: str | None
    commits: list[str]
    models: list[str]
    agent_share: float | None
    started: str | None
    ended: str | None
    minutes: float | None
    active_minutes: float | None
    """Without pauses of more than 15 minutes."""
    messages: dict[str, int]
    """The person's messages by channel."""
    interrupts: int
    calls: int
    commands: int
    edits: int
    """Edits that went through, as far as is recorded."""
    files: int
    """Different files that were edited."""
    folder: str | None
    """The deepest folder that holds all edited files, where their paths are absolute."""
    originals: int
    """Edited files whose content before is recorded."""
    tokens: dict[str, int | None]
    events: int
    problems: int
    """Records that couldn't be read."""
    problem_examples: list[str] = field(default_factory=list)


def facts_of(session: Session) -> Facts:
    """The facts of a session."""
    origin = session.origin
    messages: Counter[str] = Counter()
    interrupts = commands = calls = edits = 0
    refused: set[str] = set()
    before: set[str] = set()
    edited: dict[str, Call] = {}
    first = ""
    for event in session.events:
        if isinstance(event, Call):
            calls += 1
            if event.action == "run":
                commands += 1
            elif event.action in _EDITS:
                edited[event.call_id] = event
        elif isinstance(event, Outcome):
            if event.status not in (None, "ok"):
                refused.add(event.call_id)
            if event.before is not None:
                before.add(event.call_id)
        elif isinstance(event, Human):
            messages[event.channel] += 1
            first = first or event.text
        elif isinstance(event, Interrupt):
            interrupts += 1
    made = [call for call_id, call in edited.items() if call_id not in refused]
    edits = len(made)
    started, ended, active = _times(session)
    return Facts(
        format=origin.format,
        session_id=origin.session_id,
        same=_same(origin.session_id, started, first),
        agent=origin.agent,
        parent=origin.parent,
        version=origin.version,
        cwd=origin.cwd,
        branch=origin.branch,
        commit=origin.commit,
        repository=origin.repository,
        project=origin.project,
        commits=list(origin.commits),
        models=list(origin.models),
        agent_share=origin.agent_share,
        started=started.isoformat() if started else None,
        ended=ended.isoformat() if ended else None,
        minutes=round((ended - started) / timedelta(minutes=1), 1) if started and ended else None,
        active_minutes=active,
        messages=dict(messages),
        interrupts=interrupts,
        calls=calls,
        commands=commands,
        edits=edits,
        files=len({call.path for call in made if call.path}),
        folder=_folder([call.path for call in made if call.path]),
        originals=len({call.path for call in made if call.path and call.call_id in before}),
        tokens={
            "input": session.tokens.input,
            "cached": session.tokens.cached,
            "output": session.tokens.output,
            "reasoning": session.tokens.reasoning,
        },
        events=len(session.events),
        problems=len(session.problems),
        problem_examples=[f"record {problem.record}: {problem.reason}" for problem in session.problems[:3]],
    )


def facts_from(record: Mapping[str, Any]) -> Facts:
    """Facts as they were written.

    Raises:
        TypeError: They were written in another version.
    """
    return Facts(**record)


def _times(session: Session) -> tuple[datetime | None, datetime | None, float | None]:
    times = sorted(event.at for event in session.events if event.at is not None)
    if not times:
        return None, None, None
    paused = sum((gap - PAUSE for gap in map(sub, times[1:], times) if gap > PAUSE), timedelta(0))
    return times[0], times[-1], round((times[-1] - times[0] - paused) / timedelta(minutes=1), 1)


def _folder(paths: list[str]) -> str | None:
    """Also of another system's paths, so not by ``os.path``."""
    folders = [re.split(r"[/\\]", path)[:-1] for path in paths if _ABSOLUTE.match(path)]
    if not folders:
        return None
    common = folders[0]
    for parts in folders[1:]:
        same = next((n for n, (one, other) in enumerate(zip(common, parts, strict=False)) if one != other), None)
        common = common[: min(len(common), len(parts)) if same is None else same]
    return "/".join(common) if len(common) > 1 else None


def _same(session_id: str, started: datetime | None, first: str) -> str:
    told = session_id if started is None or not first else f"{started.isoformat()}\0{first}"
    return hashlib.blake2b(told.encode(errors="replace"), digest_size=12).hexdigest()
