"""``swe-together external``: sit a session yourself, or let any program sit it."""

import argparse
import json
import sys
import time
from pathlib import Path

from swe_together.errors import MisuseError, TogetherError
from swe_together.mailbox import Mailbox

HELP = "sit a session yourself: show its messages, hand in replies"
START_SEC = 600


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = (
        "Start the session with: harbor run -p TASK -a swe_together.adapter.agents:external --plugin swe-together. "
        "TRIAL is the trial's folder, or a job folder with a single trial."
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    message = actions.add_parser("message", help="wait for the next message of the user and print it")
    message.add_argument("trial", type=Path)
    message.add_argument("--turn", type=int, help="which turn; without it the newest that has no reply yet")
    message.add_argument("--wait", type=float, default=START_SEC, metavar="SEC", help="how long to wait (600)")
    run = actions.add_parser("exec", help="run a command in the container as the agent's user")
    run.add_argument("trial", type=Path)
    run.add_argument("line", metavar="COMMAND", help="a shell command; - reads it from standard input")
    run.add_argument("--timeout", type=int, default=600, metavar="SEC")
    reply = actions.add_parser("reply", help="end the turn with a reply to the user")
    reply.add_argument("trial", type=Path)
    reply.add_argument("text", help="the reply; - reads it from standard input")


def run(options: argparse.Namespace) -> int:
    """Carry out the action."""
    folder = _folder(options.trial, getattr(options, "wait", 5.0))
    if options.action == "message":
        return _message(folder, options.turn, options.wait)
    if options.action == "exec":
        line = sys.stdin.read() if options.line == "-" else options.line
        answer = Mailbox(folder).ask({"exec": line, "timeout": options.timeout}, options.timeout + 60)
        sys.stdout.write(str(answer["output"]))
        return int(str(answer["exit"]))
    text = sys.stdin.read() if options.text == "-" else options.text
    if not text.strip():
        raise MisuseError("the reply is empty.", "Say what you did.")
    answer = Mailbox(folder).ask({"reply": text}, 60)
    print(f"replied to message {answer['turn']}")
    return 0


def _folder(trial: Path, wait: float) -> Path:
    deadline = time.monotonic() + wait
    while True:
        found = [trial / "user-agent" / "external", *trial.glob("*/user-agent/external")]
        found = [folder for folder in found if folder.is_dir()]
        if len(found) == 1:
            return found[0]
        if len(found) > 1:
            raise MisuseError(f"{trial} holds {len(found)} external sessions.", "Name the trial's own folder.")
        if time.monotonic() > deadline:
            raise MisuseError(f"{trial} holds no external session.", "Start one; see swe-together external --help.")
        time.sleep(0.5)


def _message(folder: Path, turn: int | None, wait: float) -> int:
    deadline = time.monotonic() + wait
    trial = folder.parent.parent
    while True:
        replied = [
            json.loads(p.read_text())["turn"] for p in (folder / "outbox").glob("*.json") if '"turn"' in p.read_text()
        ]
        wanted = turn or max(replied, default=0) + 1
        path = folder / f"message-{wanted}.md"
        if path.is_file():
            print(path.read_text(encoding="utf-8"))
            return 0
        if (trial / "result.json").is_file() or _ended(trial):
            print("the session has ended", file=sys.stderr)
            return 1
        if time.monotonic() > deadline:
            raise TogetherError(f"no message {wanted} within {wait:.0f} s.", "Look at the trial's log.")
        time.sleep(0.2)


def _ended(trial: Path) -> bool:
    path = trial / "user-agent" / "session.json"
    try:
        record: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
        return record.get("error") != "the session was cut off before it ended"
    except (OSError, json.JSONDecodeError):
        return False
