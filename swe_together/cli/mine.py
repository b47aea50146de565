"""``swe-together mine``: a private dataset from your own sessions and repository."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swe_together.pipeline.mine import Found, Mined, Unread, Wishes
    from swe_together.pipeline.sessions import Session

HELP = "make a private dataset of your own recorded sessions and your repository"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from swe_together.cli._clearing import add_clearing_arguments
    from swe_together.cli._reader import add_model_arguments

    parser.add_argument(
        "sessions", nargs="*", type=Path, metavar="SESSION", help="recorded sessions, or folders of them"
    )
    parser.add_argument("--repo", type=Path, metavar="PATH", help="your repository")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="where the tasks are written")
    parser.add_argument("--base", metavar="COMMIT", help="the commit that the session began on, where you know it")
    parser.add_argument("--least", type=int, default=2, metavar="N", help="messages that a session must have (2)")
    parser.add_argument(
        "--no-containers", action="store_true", help="derive from files alone: no test is run, nothing is proven"
    )
    parser.add_argument(
        "--publish", action="store_true", help="make tasks that may leave this machine: redacted, of a public commit"
    )
    parser.add_argument("--prove", type=Path, action="append", default=[], metavar="TASK",
                        help="only prove a mined task again, say after its gaps were filled in")  # fmt: skip
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the folders of Harbor's trials there")
    add_model_arguments(parser)
    add_clearing_arguments(parser, raw=False)


def run(options: argparse.Namespace) -> int:
    """Mine: 0 where every task that came of it is sound or waits for a person, 1 where one is unsound or none came."""
    if options.prove:
        if options.sessions or options.repo or options.output:
            raise MisuseError("--prove proves tasks that are there.", "Leave sessions, --repo and --output out.")
        return _prove(options)
    if not options.sessions or options.repo is None or options.output is None:
        raise MisuseError("sessions, --repo PATH and -o DIR are needed.", "See swe-together mine --help.")
    if options.least < 1:
        raise MisuseError(f"--least {options.least}: a session needs at least one message.")
    from swe_together.cli._clearing import clearing_of
    from swe_together.cli._reader import model_of
    from swe_together.pipeline.base import Repository
    from swe_together.pipeline.mine import Found, Wishes, sessions_of

    model, clearing = model_of(options), clearing_of(options, options.output)
    wishes = Wishes(
        options.least, options.base, not options.no_containers, options.publish, options.keep, model, clearing
    )
    with Repository(options.repo) as repository:
        everything = list(sessions_of(options.sessions, repository))
        found = [one for one in everything if isinstance(one, Found)]
        _tell_left_out([one for one in everything if not isinstance(one, Found)], repository.name)
        if not found:
            print(f"no session of {repository.path} among them")
            return 1
        mined = asyncio.run(_mine(found, options, wishes, repository))
    made = [one for one in mined if one.task is not None]
    print(f"{len(made)} tasks of {len(found)} sessions in {options.output}")
    if made:
        print(f"harbor run -p {options.output} -a AGENT -m MODEL --plugin swe-together")
    unsound = any(not verdict.passed for one in made for verdict in one.verdicts)
    return 1 if unsound or not made else 0


async def _mine(
    found: "Sequence[Found]", options: argparse.Namespace, wishes: "Wishes", repository: object
) -> "list[Mined]":
    from swe_together.pipeline.base import Repository
    from swe_together.pipeline.mine import mine_session

    assert isinstance(repository, Repository)
    mined = []
    for one in found:
        result = await mine_session(one, repository, options.output, wishes)
        _tell(result)
        mined.append(result)
    return mined


def _prove(options: argparse.Namespace) -> int:
    from swe_together.pipeline.mine._bar import left_to_a_person, prove, sound

    good = True
    for task in options.prove:
        verdicts = asyncio.run(prove(task, options.keep))
        print(task)
        for verdict in verdicts:
            print(f"  {'holds' if verdict.passed else 'FAILS'}: {verdict.item}: {verdict.detail}")
        for line in left_to_a_person(task):
            print(f"  {line}")
        good = good and sound(verdicts)
    return 0 if good else 1


def _tell_left_out(others: "Sequence[Session | Unread]", name: str) -> None:
    from swe_together.pipeline.mine import Unread

    for one in others:
        if isinstance(one, Unread):
            print(f"{one.file}: not read: {one.reason}")
        else:
            where = one.origin.cwd or one.origin.repository or "nothing says where"
            print(f"{one.origin.file}: session {one.origin.session_id} is not of {name} ({where})")


def _tell(result: "Mined") -> None:
    from swe_together.cli._clearing import write_report

    if result.task is None:
        print(f"{result.file}: session {result.session}: no task: {result.reason}")
        return
    print(f"{result.task}: from session {result.session}")
    if result.report is not None:
        print(f"  {write_report(result.report, result.session, result.task)}")
    if result.reason:
        print(f"  not finished: {result.reason}")
    print(f"  tests: {result.tests}")
    for verdict in result.verdicts:
        print(f"  {'holds' if verdict.passed else 'FAILS'}: {verdict.item}: {verdict.detail}")
    if not result.verdicts:
        print("  not proven yet: swe-together mine --prove TASK, once its gaps are filled in")
    for line in result.left:
        print(f"  {line}")
