"""``swe-together import``: one recorded session becomes the draft of a task."""

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from swe_together.pipeline.build import Plan
    from swe_together.pipeline.clearing import Cleared, Clearing
    from swe_together.pipeline.sessions import Session

HELP = "make the draft of a task of one recorded session"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from swe_together.cli._clearing import add_clearing_arguments

    parser.add_argument("file", type=Path, metavar="FILE", help="a recorded session of any known format")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="where the task is written")
    parser.add_argument("--session", metavar="ID", help="which one, where the file holds several")
    parser.add_argument(
        "--repo",
        type=Path,
        metavar="PATH",
        help="a clone of the session's repository; without it, "
        "the folder it was recorded in, where that is one on this machine",
    )
    parser.add_argument("--base", metavar="COMMIT", help="the commit that the session began on, where you know it")
    parser.add_argument(
        "--archive", action="store_true", help="keep the code base in the task instead of fetching a public commit"
    )
    add_clearing_arguments(parser, raw=True)


def run(options: argparse.Namespace) -> int:
    """Write the draft and say what is left to a person."""
    from swe_together.cli._clearing import RAW, clearing_of, write_report
    from swe_together.gaps import find_marks
    from swe_together.pipeline.base import BaseError

    output: Path = options.output
    if (output / "task.toml").exists():
        raise MisuseError(f"{output} is there already.", "Choose another folder, or remove it.")
    clearing = clearing_of(options, output)
    session = _session(options.file, options.session)
    folder = options.repo or _recorded_in(session)
    if folder is None and (options.base or options.archive):
        raise MisuseError("--base and --archive say something of a repository.", "Add --repo PATH.")
    try:
        cleared, plan = _write(options, session, clearing, folder)
    except BaseError as error:
        if options.repo or options.base or options.archive:
            raise
        print(f"the draft is made without {folder}: {error}")
        cleared, plan = _write(options, session, clearing, None)
    marks = find_marks(output)
    gaps = [mark for mark in marks if mark.kind == "fill in"]
    print(f"{output}: {len(plan.turns)} messages, {len(plan.anchors)} anchors")
    print(RAW if options.raw else write_report(cleared.report, plan.session.origin.session_id, output))
    for problem in plan.session.problems[:20]:
        print(f"record {problem.record} was skipped: {problem.reason}")
    if plan.base is not None:
        print(f"base {plan.base.commit.sha[:12]} ({plan.base.source}, {plan.base.strength})")
    if plan.reference is not None:
        print(f"reference: {plan.reference.fidelity}")
    told = f"{len(gaps)} gaps to fill in, {len(marks) - len(gaps)} places to read"
    print(f"{told}: grep -rnE '<<(fill in|review): ' {output}")
    for mark in gaps:
        print(f"  {mark.file.relative_to(output)}:{mark.line}: {mark.text}")
    return 0


def _write(
    options: argparse.Namespace, session: "Session", clearing: "Clearing", folder: Path | None
) -> "tuple[Cleared, Plan]":
    """Write the draft, of a clone where there is one."""
    from swe_together.pipeline.base import Repository
    from swe_together.pipeline.build import ARCHIVE, make_plan, write_task

    output: Path = options.output
    with nullcontext() if folder is None else Repository(folder) as repository:
        cleared = clearing.session(session, repository)
        archive = output / "environment" / ARCHIVE if options.archive else None
        plan = make_plan(
            cleared, repository, name=_name(output), given=options.base, archive=archive, file=options.file
        )
        write_task(output, plan)
    if options.repo is None and folder is not None:
        print(f"repository: {folder}, in which the session was recorded")
    return cleared, plan


def _recorded_in(session: "Session") -> Path | None:
    """The clone on this machine in whose folder the session was recorded."""
    cwd = Path(session.origin.cwd) if session.origin.cwd else None
    if cwd is None or not cwd.is_absolute() or not cwd.is_dir():
        return None
    return next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), None)


def _session(file: Path, wanted: str | None) -> "Session":
    from swe_together.pipeline.sessions import read_sessions

    if not file.is_file():
        raise MisuseError(f"{file}: there is no such file.", "Give the file of a recorded session.")
    sessions = list(read_sessions(file))
    if wanted is not None:
        sessions = [one for one in sessions if one.origin.session_id == wanted]
        if not sessions:
            raise MisuseError(f"{file} holds no session {wanted}.", "Leave --session out to see which there are.")
    if len(sessions) != 1:
        shown = ", ".join(one.origin.session_id for one in sessions[:20]) or "none"
        raise MisuseError(f"{file} holds {len(sessions)} sessions: {shown}.", "Say which: --session ID.")
    return sessions[0]


def _name(output: Path) -> str:
    import re

    name = re.sub(r"[^a-z0-9]+", "-", output.resolve().name.casefold()).strip("-")[:64].strip("-")
    if not name:
        raise MisuseError(f"{output}: its name can't be a task's.", "Use letters, digits and hyphens.")
    return name
