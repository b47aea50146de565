"""``swe-together changed``."""

import argparse
import json
import sys
from pathlib import Path

from swe_together.errors import TaskError, TogetherError

HELP = "say which tasks a range of commits changes, by digest, and check them"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("commits", metavar="BASE..HEAD", help="a range of commits, as git writes it")
    parser.add_argument("--all", action="store_true", help="every task of one commit, named instead of a range")
    parser.add_argument("--left", action="store_true", help="leave removed tasks out")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON list of objects with task, digest and status")
    form.add_argument("--names", action="store_true", help="print directories without digests")
    parser.add_argument("--check", action="store_true", help="check what was added or changed, as the commit has it")
    parser.add_argument("--static", action="store_true", help="with --check: files only, without containers")


def run(options: argparse.Namespace) -> int:
    """Print the changed tasks; with ``--check`` 1 when one of them isn't sound or isn't formatted."""
    from swe_together.pipeline.changed import all_tasks, changed_tasks, differing

    found = (all_tasks if options.all else changed_tasks)(Path.cwd(), options.commits)
    found = [one for one in found if one.digest is not None or not options.left]
    if options.json:
        print(json.dumps([{"task": one.path, "digest": one.digest, "status": one.status} for one in found]))
    else:
        for one in found:
            print(one.path if options.names else f"{one.path} {one.digest or 'removed'}")
    if not options.check:
        return 0
    sys.stdout.flush()
    commit = options.commits.rpartition("..")[2]
    if others := differing(Path.cwd(), commit):
        print(f"The working tree differs from {commit} in {', '.join(others)}; judged is {commit}.", file=sys.stderr)
    there = [one.path for one in found if one.digest is not None]
    return _check(there, commit, options.static) if there else 0


def _check(tasks: list[str], commit: str, static: bool) -> int:
    """Check tasks in a copy of their commit; what is said names them as they are called in the repository."""
    from swe_together.cli.check import check_and_print
    from swe_together.pipeline.changed import checked_out
    from swe_together.pipeline.check.run import Options, default_jobs
    from swe_together.pipeline.fmt import format_task

    unformatted = False
    with checked_out(Path.cwd(), commit) as folder:
        prefix = f"{folder}/"
        for task in tasks:
            try:
                for name in format_task(folder / task, check=True):
                    unformatted = True
                    print(f"{task}/{name}: would change, run swe-together fmt {task}")
            except TaskError as error:
                unformatted = True
                print(f"swe-together fmt: {str(error).replace(prefix, '')}", file=sys.stderr)
        settings = Options(jobs=default_jobs(), fresh=True, static=static, golden_needed=True)
        try:
            checks = check_and_print([folder / task for task in tasks], settings, prefix)
        except TogetherError as error:
            told = TogetherError(error.message.replace(prefix, ""), error.remedy)
            told.exit_code = error.exit_code
            raise told from None
    return int(unformatted or not all(check.sound for check in checks))
