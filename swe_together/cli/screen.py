"""``swe-together screen``: a model says which recorded sessions can become tasks."""

import argparse
import asyncio
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swe_together.judge import ChatModel
    from swe_together.pipeline.clearing import Clearing
    from swe_together.pipeline.screen import Failed, Page

HELP = "let a model say which recorded sessions can become tasks"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from swe_together.cli._clearing import add_clearing_arguments
    from swe_together.cli._reader import add_model_arguments

    parser.add_argument("sessions", nargs="+", type=Path, metavar="SESSION",
                        help="recorded sessions, folders of them, or the list of swe-together collect")  # fmt: skip
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="one line of JSON a session")
    parser.add_argument("-n", "--concurrent", type=int, default=4, metavar="N", help="questions at once (4)")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where answers are kept")
    add_model_arguments(parser)
    add_clearing_arguments(parser, raw=False)


def run(options: argparse.Namespace) -> int:
    """Screen: 0 where every session was answered for. Run again, only those are asked about that weren't."""
    from swe_together.cli._clearing import clearing_of
    from swe_together.cli._reader import model_of

    if options.concurrent < 1:
        raise MisuseError(f"--concurrent {options.concurrent}: at least one question must be asked at a time.")
    model = model_of(options)
    if model is None:
        raise MisuseError("sessions are screened by a model.", "Give --model MODEL.")
    pages, failed = _pages(options, clearing_of(options, options.output))
    return asyncio.run(_screen(options, model, pages, failed))


def _pages(options: argparse.Namespace, clearing: "Clearing") -> "tuple[list[Page], list[Failed]]":
    """What is shown of the sessions, one held at a time, and those of which nothing may be shown."""
    from swe_together.cli._clearing import report_lines, report_path, told
    from swe_together.cli._reader import sessions_in
    from swe_together.files import open_atomically
    from swe_together.pipeline.privacy import PrivacyError
    from swe_together.pipeline.screen import Failed, page_of

    pages: list[Page] = []
    failed: list[Failed] = []
    replaced = Counter[str]()
    with open_atomically(report_path(options.output)) as rows:
        for session, place, number in sessions_in(options.sessions):
            cleared = clearing.session(session)
            try:
                page = page_of(cleared, place, number)
            except PrivacyError as error:
                failed.append(Failed(session.origin.session_id, place, str(error)))
                continue
            pages.append(page)
            replaced.update(cleared.report.counts())
            rows.write(report_lines(cleared.report, page.session).encode())
    print(told(replaced, 0, report_path(options.output)))
    return pages, failed


async def _screen(
    options: argparse.Namespace, model: "ChatModel", pages: "Sequence[Page]", failed: "list[Failed]"
) -> int:
    from swe_together.files import write_atomically
    from swe_together.pipeline.check.cache import cache_root
    from swe_together.pipeline.screen import Answers, Failed, Screening, screen

    answers = Answers(options.cache or cache_root().parent / "screen")
    found: list[Screening] = []
    async for one in screen(pages, model, answers, options.concurrent):
        if isinstance(one, Failed):
            failed.append(one)
        else:
            found.append(one)
    for one in failed:
        print(f"{one.place.key}: session {one.session}: not screened: {one.reason}")
    order = {(page.place.key, page.number): rank for rank, page in enumerate(pages)}
    found.sort(key=lambda one: order[one.where.key, one.number])
    write_atomically(options.output, "".join(f"{one.model_dump_json()}\n" for one in found))
    chosen = sum(one.chosen for one in found)
    reasons = {
        "nothing delivered": sum(not one.deliverable for one in found),
        "not reproducible": sum(one.deliverable and not one.reproducible for one in found),
        "not guided": sum(one.deliverable and one.reproducible and not one.guided for one in found),
    }
    told = ", ".join(f"{number} {why}" for why, number in reasons.items())
    print(f"{len(found) + len(failed)} sessions: {chosen} chosen, {told}, {len(failed)} not screened")
    return 1 if failed else 0
