"""The command line. Commands are modules of this package, imported only when they are called."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Any

from swe_together import __version__
from swe_together.errors import TogetherError

COMMANDS = {
    "collect": "find recorded sessions that can become tasks",
    "new": "write the directory of a new task, every gap in it marked",
    "check": "prove in real containers that tasks are sound",
    "changed": "say which tasks a range of commits changes, by digest, and check them",
    "fmt": "rewrite the generated parts of tasks",
    "images": "build the images of tasks and publish them in a registry of your own",
    "pack": "write tasks in the shape that Harbor's Hub takes, sealed if wanted",
    "demo": "run two tasks with the reference agent and show what happened",
    "summary": "summarise job folders: sessions, rewards, what is missing and why",
    "plan": "say which difference a run can see, and what it will cost",
    "report": "a leaderboard with intervals, differences and attrition, from any number of jobs",
    "submit": "bundle trials with all that they rest on, or validate a bundle",
    "external": "sit a session yourself: show its messages, hand in replies",
    "play": "be the simulated user of one session",
    "simulate": "take one recorded decision of the simulated user again, alone",
    "audit": "audit the simulated user of job folders, message by message",
    "judge": "judge finished trials again, with another model, more votes or other settings",
    "agreement": "compare judges, votes or people on the same goals",
    "study": "ask people which user is the real one, and report what they said",
    "screen": "let a model say which recorded sessions can become tasks",
    "build": "write construction tasks that let agents finish drafts, and harvest what they built",
    "import": "make the draft of a task of one recorded session",
    "mine": "make a private dataset of your own recorded sessions and your repository",
    "rubric": "draft a task's rubric with a model and freeze what a person made of it",
    "import-release": "convert tasks of the paper's release to our format, and say what each lacks",
    "redact": "write transcripts without secrets and personal data",
    "memorycode": "generate dialogues of many sessions, and report what agents still followed",
    "doctor": "say what this machine lacks and how to get it",
    "clean": "remove containers, networks and images that killed runs left",
    "schema": "write or check the JSON Schemas in docs/",
}


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The argument parser; only ``command``'s own arguments are loaded."""
    parser = argparse.ArgumentParser(
        prog="swe-together", description="Coding agents measured over whole user sessions, on stock Harbor."
    )
    parser.add_argument("--version", action="version", version=f"swe-together {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        child = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name == command:
            _module(name).configure(child)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 good, 1 found wrong, 2 misuse, 130 interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    named = next((a for a in arguments if not a.startswith("-")), None)
    options = build_parser(named).parse_args(arguments)
    try:
        return int(_module(options.command).run(options))
    except TogetherError as error:
        print(f"swe-together {options.command}: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _module(command: str) -> Any:
    """The command's module; ``import-release`` is ``import_release``."""
    return importlib.import_module(f"swe_together.cli.{command.replace('-', '_')}")
