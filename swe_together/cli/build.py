"""``swe-together build``: recorded sessions become construction tasks, and what agents built of them tasks."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError, TogetherError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swe_together.judge import ChatModel
    from swe_together.pipeline.base import Repository
    from swe_together.pipeline.clearing import Clearing
    from swe_together.pipeline.sessions import Session

HELP = "write construction tasks that let agents finish drafts, and harvest what they built"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from swe_together.cli._clearing import add_clearing_arguments
    from swe_together.cli._reader import add_model_arguments

    parser.add_argument("sessions", nargs="*", type=Path, metavar="SESSION",
                        help="recorded sessions, or the result of swe-together screen")  # fmt: skip
    parser.add_argument(
        "--repo", type=Path, action="append", default=[], metavar="PATH", help="a clone; may be repeated"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="where tasks are written")
    parser.add_argument("--draft", action="store_true", help="write the drafts alone, not tasks that finish them")
    parser.add_argument("--harvest", type=Path, action="append", default=[], metavar="JOB",
                        help="take the tasks that agents built in this job of Harbor")  # fmt: skip
    add_model_arguments(parser)
    add_clearing_arguments(parser, raw=True)


def run(options: argparse.Namespace) -> int:
    """Write or harvest: 0 where every session or trial came to something."""
    if options.harvest:
        if options.sessions or options.repo:
            raise MisuseError("--harvest takes what is built.", "Leave sessions and --repo out.")
        return _harvest(options)
    if not options.sessions or not options.repo:
        raise MisuseError("sessions and --repo PATH are needed.", "See swe-together build --help.")
    from swe_together.cli._clearing import clearing_of
    from swe_together.cli._reader import model_of
    from swe_together.pipeline.base import Repository

    model, clearing = model_of(options), clearing_of(options, options.output)
    repositories = [Repository(path) for path in options.repo]
    try:
        return asyncio.run(_build(options, repositories, model, clearing))
    finally:
        for repository in repositories:
            repository.close()


async def _build(
    options: argparse.Namespace, repositories: "Sequence[Repository]", model: "ChatModel | None", clearing: "Clearing"
) -> int:
    from swe_together.cli._reader import sessions_in

    failed = 0
    for session, place, _ in sessions_in(options.sessions):
        try:
            print(await _one(session, place.path, repositories, model, clearing, options))
        except TogetherError as error:
            failed += 1
            print(f"{place.key}: session {session.origin.session_id}: nothing built: {error}")
    return 1 if failed else 0


async def _one(
    session: "Session", file: Path, repositories: "Sequence[Repository]", model: "ChatModel | None",
    clearing: "Clearing", options: argparse.Namespace,
) -> str:  # fmt: skip
    from swe_together.cli._clearing import RAW, write_report
    from swe_together.pipeline.build import make_plan, write_task
    from swe_together.pipeline.build._construct import write_construction
    from swe_together.pipeline.build._drafter import drafted
    from swe_together.pipeline.mine import belongs
    from swe_together.pipeline.mine._mine import task_name

    repository = next((one for one in repositories if belongs(session, one) is not None), None)
    if repository is None and len(repositories) == 1:
        repository = repositories[0]
    if repository is None:
        raise TogetherError("it belongs to none of the repositories.", "Give its own: --repo PATH.")
    cleared = clearing.session(session, repository)
    path = options.output / task_name(cleared.written, repository, options.output)
    plan = make_plan(cleared, repository, name=path.name, file=file)
    if model is not None:
        plan = await drafted(plan, model)
    if options.draft:
        write_task(path, plan)
    else:
        write_construction(path, plan)
    assert plan.base is not None
    told = RAW if options.raw else write_report(cleared.report, plan.session.origin.session_id, path)
    return f"{path}: {len(plan.anchors)} anchors, base {plan.base.commit.sha[:12]} ({plan.base.strength})\n  {told}"


def _harvest(options: argparse.Namespace) -> int:
    from swe_together.pipeline.build._harvest import harvest

    found = list(harvest(options.harvest, options.output))
    for one in found:
        if one.task is not None:
            print(f"{one.task}: from {one.trial}, {one.reviews} places still to be read")
        else:
            print(f"{one.trial}: what was built is no task yet:")
            for problem in one.problems:
                print(f"  {problem}")
    if not found:
        print("no trial left a task")
    return 0 if found and all(one.task is not None for one in found) else 1
