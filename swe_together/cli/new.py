"""``swe-together new``."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from swe_together.errors import MisuseError

HELP = "write the directory of a new task, every gap in it marked"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("id", metavar="ID", help="the task's name: lower case, digits, hyphens")
    parser.add_argument("--language", metavar="NAME", help="language of the code base")
    parser.add_argument("--category", metavar="NAME", help="bugfix, feature, refactor, performance or security")
    parser.add_argument(
        "--source",
        metavar="PIN",
        help="the code base: pypi:NAME==VERSION, npm:NAME@VERSION, debian:NAME=VERSION or git:URL@COMMIT",
    )
    parser.add_argument("--sha256", default="", metavar="HEX", help="of the file that the registry delivers")
    parser.add_argument("--license", default="", metavar="SPDX", help="licence of the code base")
    parser.add_argument("--difficulty", default="medium", metavar="NAME", help="easy, medium (the default) or hard")
    parser.add_argument("--into", type=Path, default=Path("tasks"), metavar="DIR", help="where tasks lie (tasks)")


def run(options: argparse.Namespace) -> int:
    """Write the scaffold; what wasn't said is asked for where somebody sits at a terminal."""
    from swe_together.gaps import find_gaps
    from swe_together.pipeline.new import PIN_FORMS, Wish, choices, in_order, parse_pin, write_scaffold

    language = options.language or _ask("language", choices("language"))
    category = options.category or _ask("category", choices("category"))
    source = options.source or _ask("source", PIN_FORMS)
    pin = parse_pin(source, options.sha256)
    wish = Wish(options.id, language, category, pin, options.difficulty, options.license)
    task = write_scaffold(options.into, wish)
    gaps = find_gaps(task)
    print(f"{task}: written, with {len(gaps)} gaps. Each is marked <<fill in: …>>; write them in this order:")
    for name in in_order(dict.fromkeys(Path(gap.path).relative_to(task).as_posix() for gap in gaps)):
        print(f"  {name}")
    print(f"Then: swe-together check --static {task}, and swe-together check {task}. CONTRIBUTING.md says the rest.")
    return 0


def _ask(name: str, known: Sequence[str]) -> str:
    """Ask the person at the terminal.

    Raises:
        MisuseError: There is nobody, or they said nothing.
    """
    forms = ", ".join(known)
    answer = ""
    if sys.stdin.isatty():
        try:
            answer = input(f"{name} ({forms}): ").strip()
        except EOFError:
            answer = ""
    if not answer:
        raise MisuseError(f"the {name} is missing.", f"Add --{name}, as one of: {forms}.")
    return answer
