"""The conversation of ``swe-together play``: shows turns, reads what the person types, hands it to the session."""

import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from swe_together.errors import TogetherError
from swe_together.mailbox import Mailbox
from swe_together.providers import clean, cut_line
from swe_together.schema import Change, Command, PersonsTurn
from swe_together.simulator import usable
from swe_together.tasks import TaskBundle

POLL_SEC = 0.1
ASK_SEC = 60.0
SHOWN = 20
"""Files, and commands, of a turn that are listed."""
LINE_CHARS = 160
COMMANDS = ("/leave", "/help", "/diff", "/commands", "/anchors")
HELP = (
    "Type a message; a line with a single dot, or Ctrl-D on an empty line, sends it. Alone on the first line: /leave "
    "ends the session, /diff shows the turn's diff, /commands what the agent's commands printed, /anchors the recorded "
    "follow-ups, /help this."
)


@dataclass(frozen=True)
class Harbor:
    """The process that runs the session."""

    process: "subprocess.Popen[bytes]"
    job: Path

    def turn(self, number: int) -> PersonsTurn | None:
        """Wait for the end of the agent's turn; None where the session has ended instead."""
        while True:
            running = self.process.poll() is None  # asked first: what it wrote last must not be missed
            found = list(self.job.glob(f"*/user-agent/human/turn-{number}.json"))
            if found:
                return PersonsTurn.model_validate_json(found[0].read_bytes())
            if not running:
                return None
            time.sleep(POLL_SEC)

    def say(self, turn: int, message: str | None) -> None:
        """Answer the turn; None leaves.

        Raises:
            TogetherError: The session can't use it, or is gone.
        """
        (folder,) = self.job.glob("*/user-agent/human")
        body = {"turn": turn, "leave": True} if message is None else {"turn": turn, "message": message}
        Mailbox(folder).ask(body, ASK_SEC, lambda: self.process.poll() is None)


class Table:
    """What lies between the person and the session: shows, and reads.

    Args:
        console: Where things are shown.
        task: The task.
        show_points: Whether the person may see the recorded follow-ups.
        read: Reads a line; raises ``EOFError`` at the end of the input.
    """

    def __init__(
        self, console: Console, task: TaskBundle, *, show_points: bool = False, read: Callable[[str], str] = input
    ) -> None:
        self.console = console
        self._task = task
        self._show_points = show_points
        self._read = read

    def open(self) -> None:
        """Say who the person is, and what was said first."""
        self.console.rule(self._task.id)
        self.print(f"You play: {self._task.script.persona.description}")
        self.print(f"Your first message, sent already:\n\n{self._task.instruction.strip()}\n\n{HELP}")

    def show(self, turn: PersonsTurn) -> None:
        """Show a turn as the simulated user sees it."""
        seen = turn.observation
        self.console.rule(f"turn {turn.turn}: the agent worked {seen.turn_sec:.0f} s")
        self.print(seen.reply.strip() or "(it said nothing)")
        if seen.timed_out:
            self.print("\nIt ran into the turn's deadline and was stopped.")
        if seen.commands_total:
            shown = "\n".join(_ran(command) for command in seen.commands[-SHOWN:])
            self.print(f"\nCommands it ran: {seen.commands_total}\n{shown}")
        shown = "".join(f"\n{_changed(change)}" for change in seen.changes[:SHOWN])
        self.print(f"\nFiles it changed: {seen.changes_total}{shown}")

    def compose(self, turn: PersonsTurn) -> str | None:
        """Read a message, answering commands on the way; None leaves."""
        self.print(f"\nYour message ({turn.messages_left} left):")
        ends = 0
        while True:
            lines, ended = self._lines()
            ends = ends + 1 if ended and not lines else 0
            command = lines[0].strip() if len(lines) == 1 else ""
            if command == "/leave" or ends == 2:
                return None
            if command in COMMANDS:
                self.print(self._answer(command, turn))
                continue
            try:
                return usable("\n".join(lines))
            except ValueError as problem:
                again = "; Ctrl-D again leaves" if ends else ""
                self.print(f"{str(problem).capitalize()}. Type one, or /leave{again}.")

    def print(self, text: str) -> None:
        """Show text of anybody's: no code in it reaches the terminal."""
        self.console.print(clean(text), markup=False)

    def _lines(self) -> tuple[list[str], bool]:
        """The lines up to a single dot, a command or the end of the input; and whether it was the end."""
        lines: list[str] = []
        while True:
            try:
                line = self._read("> ")
            except EOFError:
                return lines, True
            if line.strip() == ".":
                return lines, False
            lines.append(line)
            if len(lines) == 1 and line.strip() in COMMANDS:
                return lines, False

    def _answer(self, command: str, turn: PersonsTurn) -> str:
        seen = turn.observation
        if command == "/diff":
            return seen.diff or "Nothing has changed."
        if command == "/commands":
            return "\n".join(f"{_ran(one)}\n{one.output}" for one in seen.commands) or "It ran nothing."
        if command == "/anchors":
            anchors = self._task.script.anchors if self._show_points else []
            return "\n".join(f"- {one.message}" for one in anchors) or "They are not shown without --show-points."
        return HELP


def converse(table: Table, harbor: Harbor, answers: Sequence[str] | None) -> None:
    """Play until the person has left or the session has ended.

    Args:
        table: Where it happens.
        harbor: The session.
        answers: What the session itself says in the person's place, turn by turn; None asks the person.

    Raises:
        TogetherError: The session is gone while it is the person's turn.
    """
    table.open()
    number = 0
    while True:
        number += 1
        with table.console.status("the agent works" if number > 1 else "the container starts, then the agent works"):
            turn = harbor.turn(number)
        if turn is None:
            return
        table.show(turn)
        if turn.end is not None:
            table.print(f"\nThe session has ended: {turn.end.value.replace('_', ' ')}.")
            return
        if answers is None:
            message = _asked(table, harbor, turn)
        else:
            message = answers[number - 1] if number <= len(answers) else None
            table.print(f"\nyou: {message}" if message is not None else "\nyou leave")
        if message is None:
            return


def _asked(table: Table, harbor: Harbor, turn: PersonsTurn) -> str | None:
    while True:
        message = table.compose(turn)
        try:
            harbor.say(turn.turn, message)
        except TogetherError as problem:
            if harbor.process.poll() is not None:
                raise
            table.print(str(problem))
        else:
            return message


def _ran(command: Command) -> str:
    outcome = "" if command.exit in (None, 0) else f"  (exit {command.exit})"
    return f"  $ {cut_line(command.command, LINE_CHARS)}{outcome}"


def _changed(change: Change) -> str:
    counts = "" if change.added is None else f"  +{change.added} -{change.removed}"
    return f"  {change.status} {cut_line(change.path, LINE_CHARS)}{counts}"
