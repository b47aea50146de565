"""``swe-together changed``."""

import argparse
import json
import sys
from pathlib import Path

HELP = "say which tasks a range of commits changes, by digest, and check them"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("commits", metavar="BASE..HEAD", help="a range of commits, as git writes it")
    parser.add_argument("--all", action="store_true", help="every task of one commit, named instead of a range")
    parser.add_argument("--left", action="store_true", help="leave removed tasks out")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON list of objects with task, digest and status")
    form.add_argument("--names", action="store_true", help="print directories without digests")
    parser.add_argument("--check", action="store_true", help="check what was added or changed; it must be checked out")
    parser.add_argument("--static", action="store_true", help="with --check: files only, without containers")


def run(options: argparse.Namespace) -> int:
    """Print the changed tasks; with ``--check`` 1 when one of them isn't sound or isn't formatted."""
    from swe_together.pipeline.changed import all_tasks, changed_tasks

    found = (all_tasks if options.all else changed_tasks)(Path.cwd(), options.commits)
    found = [one for one in found if one.digest is not None or not options.left]
    if options.json:
        print(json.dumps([{"task": one.path, "digest": one.digest, "status": one.status} for one in found]))
    else:
        for one in found:
            print(one.path if options.names else f"{one.path} {one.digest or 'removed'}")
    there = [one.path for one in found if one.digest is not None]
    if not options.check or not there:
        return 0
    sys.stdout.flush()
    return _check(there, options.static)


def _check(paths: list[str], static: bool) -> int:
    from swe_together.cli import main

    unformatted = main(["fmt", "--check", *paths])
    unsound = main(["check", *(["--static"] if static else ["--fresh"]), *paths])
    return max(unformatted, unsound)
