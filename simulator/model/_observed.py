"""What the user sees of one turn, as text of bounded size: reply, commands, paths, and the diff parts that matter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from swe_together import defaults
from swe_together.providers import clean, cut, cut_line, fenced
from swe_together.schema import Anchor, Change, Command, Observation
from swe_together.schema import _predicates as kinds
from swe_together.simulator._globs import Glob, compile_glob
from swe_together.simulator._patterns import find
from swe_together.simulator._predicates import walk
from swe_together.simulator._settling import predicates
from swe_together.simulator.guards._text import code_pieces, content

_MATTERS = 2.0
_MARKS = {"added": "A", "modified": "M", "deleted": "D", "type_changed": "T"}


@dataclass(frozen=True)
class Interest:
    """What pending anchors would look at in a diff."""

    globs: Sequence[Glob] = ()
    patterns: Sequence[str] = ()
    pieces: frozenset[str] = field(default_factory=frozenset)
    words: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, anchors: Sequence[Anchor]) -> "Interest":
        """The interest of these anchors."""
        globs: list[Glob] = []
        patterns: list[str] = []
        for predicate in (part for anchor in anchors for _, whole in predicates(anchor) for part in walk(whole)):
            match predicate:
                case kinds.PathChanged(path_changed=glob) | kinds.PathExists(path_exists=glob):
                    globs.append(compile_glob(glob))
                case kinds.DiffMatches(diff_matches=pattern):
                    patterns.append(pattern)
                case kinds.FileMatches(file_matches=wanted):
                    patterns.append(wanted.re)
                case _:
                    pass
        texts = [f"{anchor.message} {anchor.when}" for anchor in anchors]
        pieces = frozenset(piece for text in texts for piece in code_pieces(text) if len(piece) > 2)
        return cls(globs, patterns, pieces, frozenset(word for text in texts for word in content(text)))

    def score(self, path: str, lines: str) -> float:
        """How much a part of the diff concerns them; from ``_MATTERS`` on it matters."""
        score = 4.0 if any(glob.matches(path) for glob in self.globs) else 0.0
        score += 4.0 if any(find(pattern, lines) is not None for pattern in self.patterns) else 0.0
        score += _MATTERS * sum(piece in lines for piece in self.pieces)
        return score + 0.5 * min(3, len(self.words & content(lines)))


class _Hunk(NamedTuple):
    place: int
    path: str
    text: str
    score: float


def observed(observation: Observation, interest: Interest) -> str:
    """The observation as sections of the prompt. All text of the agent and its tools stands between marks."""
    parts = ["## The agent's reply", _reply(observation)]
    if observation.commands_total:
        parts += [f"## Commands it ran: {_counted(observation)}", fenced("commands", _commands(observation.commands))]
    if observation.changes_total:
        parts += [f"## Files it changed: {observation.changes_total}", fenced("files", _paths(observation))]
        if observation.diff.strip():
            parts.append(fenced("diff", _diff(clean(observation.diff), interest)))
    else:
        parts.append("## Files it changed: none")
    return "\n".join(parts)


def _reply(observation: Observation) -> str:
    if not observation.reply.strip():
        return "It said nothing."
    return fenced("reply", cut(clean(observation.reply).strip(), defaults.REPLY_CHARS))


def _counted(observation: Observation) -> str:
    failed = sum(command.exit not in (None, 0) for command in observation.commands)
    return f"{observation.commands_total}{f', {failed} failed' if failed else ''}"


def _commands(commands: Sequence[Command]) -> str:
    """Failed commands first, then the newest, until the budget is spent; shown in the order in which they ran."""
    order = sorted(range(len(commands)), key=lambda place: (commands[place].exit in (None, 0), -place))
    shown: dict[int, str] = {}
    room = defaults.COMMANDS_CHARS
    for place in order:
        line = _command(commands[place])
        if len(line) + 1 > room:
            break
        shown[place] = line
        room -= len(line) + 1
    lines = [shown[place] for place in sorted(shown)]
    left_out = len(commands) - len(shown)
    return "\n".join([*lines, *([f"({left_out} more)"] if left_out else [])])


def _command(command: Command) -> str:
    line = f"$ {cut_line(clean(command.command), defaults.PROMPT_COMMAND_CHARS)}"
    if command.exit is not None:
        line += f" → exit {command.exit}"
    last = [row for row in clean(command.output).splitlines() if row.strip()][-2:]
    if not last:
        return line
    wanted = defaults.PROMPT_OUTPUT_CHARS if command.exit not in (None, 0) else defaults.PROMPT_OUTPUT_CHARS // 3
    return f"{line}\n  {cut_line(' / '.join(last), wanted)}"


def _paths(observation: Observation) -> str:
    lines: list[str] = []
    room = defaults.PATHS_CHARS
    for change in observation.changes:
        line = _change(change)
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    left_out = observation.changes_total - len(lines)
    return "\n".join([*lines, *([f"({left_out} more)"] if left_out > 0 else [])])


def _change(change: Change) -> str:
    counts = "" if change.added is None else f" +{change.added} -{change.removed}"
    return f"{_MARKS[change.status]} {cut_line(clean(change.path), defaults.PROMPT_COMMAND_CHARS)}{counts}"


def _diff(diff: str, interest: Interest) -> str:
    """Parts that matter to pending anchors first, then others, in the order of the diff."""
    hunks = [
        _Hunk(place, path, cut(text, defaults.HUNK_CHARS), interest.score(path, text))
        for place, (path, text) in enumerate(_split(diff))
    ]
    shown: list[_Hunk] = []
    used = 0
    for hunk in sorted(hunks, key=lambda hunk: (-hunk.score if hunk.score >= _MATTERS else 0.0, hunk.place)):
        limit = defaults.DIFF_MATCHING_CHARS if hunk.score >= _MATTERS else defaults.PROMPT_DIFF_CHARS
        size = len(hunk.text) + len(hunk.path) + 5
        if used + size > limit:
            continue
        shown.append(hunk)
        used += size
    lines: list[str] = []
    path = ""
    for hunk in sorted(shown):
        if hunk.path != path:
            path = hunk.path
            lines.append(f"--- {path}")
        lines.append(hunk.text)
    left_out = len(hunks) - len(shown)
    return "\n".join([*lines, *([f"({left_out} other parts left out)"] if left_out else [])])


def _split(diff: str) -> Iterator[tuple[str, str]]:
    """Path and text of each hunk of a diff as git writes it; what stands in no hunk is left out."""
    path, lines = "", list[str]()
    for line in diff.splitlines():
        if line.startswith("diff --git "):
            if lines:
                yield path, "\n".join(lines)
            path, lines = line.rpartition(" b/")[2], []
        elif line.startswith("@@"):
            if lines:
                yield path, "\n".join(lines)
            lines = [line]
        elif lines or (line.startswith(("+", "-")) and not line.startswith(("+++ ", "--- "))):
            lines.append(line)
    if lines:
        yield path, "\n".join(lines)
