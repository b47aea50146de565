"""From somebody's own sessions and their repository to a private dataset."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from swe_together.errors import TogetherError
from swe_together.files import write_atomically
from swe_together.gaps import gap, review
from swe_together.judge import ChatModel
from swe_together.pipeline.base import Repository, turns_of
from swe_together.pipeline.build import (
    ARCHIVE,
    NO_CASES,
    Cases,
    DraftingError,
    Plan,
    make_plan,
    rewrite_goals,
    write_task,
)
from swe_together.pipeline.build._drafter import drafted
from swe_together.pipeline.check.model import Verdict
from swe_together.pipeline.clearing import Clearing
from swe_together.pipeline.fmt import format_task
from swe_together.pipeline.mine._find import Found
from swe_together.pipeline.mine._publish import require_publishable
from swe_together.pipeline.mine._suite import Suite, as_cases, cases_of, suite_of, write_suite
from swe_together.pipeline.privacy import Report, Salt
from swe_together.pipeline.sessions import Call, Session

LEAST_MESSAGES: Final = 2
AUTHOR: Final = "swe-together mine"

Stage = Literal["drafted", "gaps", "sound", "unsound"]


@dataclass(frozen=True)
class Wishes:
    """How to mine.

    Attributes:
        least: Messages that a session must have.
        given: The base, where the caller knows it.
        containers: Run the repository's tests and prove the tasks.
        publish: Make tasks that may leave the machine: redacted, of a public commit and an open licence.
        keep: Folder in which Harbor's trials stay.
        model: Writes what needs judgement; without it, rules do. It is sent what may leave the machine.
        clearing: How that is found. What is written is raw, unless it is published.
    """

    least: int = LEAST_MESSAGES
    given: str | None = None
    containers: bool = True
    publish: bool = False
    keep: Path | None = None
    model: ChatModel | None = None
    clearing: Clearing = field(default_factory=lambda: Clearing(Salt.fresh()))


@dataclass
class Mined:
    """What became of one session.

    Attributes:
        session: Its id.
        file: Where it was read.
        task: The task's directory; None where there is none.
        reason: Why there is none.
        tests: Where its tests come from, or why it has none.
        verdicts: Of the bar; empty where no containers were used, or gaps are left.
        left: What a person must add, and what they should read.
        report: What was replaced in what was sent or is published; None where nothing was sent or is published.
    """

    session: str
    file: str
    task: Path | None = None
    reason: str = ""
    tests: str = ""
    verdicts: Sequence[Verdict] = field(default_factory=list)
    left: Sequence[str] = field(default_factory=list)
    report: Report | None = None


def why_not(session: Session, least: int) -> str:
    """Why a session is no material; empty where it is."""
    if session.origin.parent is not None:
        return f"it was started by session {session.origin.parent}, not by a person"
    number = len(turns_of(session))
    if number < least:
        return f"it has {number} message{'' if number == 1 else 's'} of a person, at least {least} are needed"
    if not any(
        isinstance(event, Call) and event.action in ("edit", "write", "patch", "run") for event in session.events
    ):
        return "it changes nothing"
    return ""


async def mine_session(found: Found, repository: Repository, folder: Path, wishes: Wishes) -> Mined:
    """Make a task of one session.

    Args:
        found: The session.
        repository: Its repository.
        folder: Where tasks are written.
        wishes: How.

    Returns:
        What became of it; a session that is no material is no error.
    """
    result = Mined(found.session.origin.session_id, found.file)
    result.reason = why_not(found.session, wishes.least)
    if result.reason:
        return result
    try:
        return await _make(found, repository, folder, wishes, result)
    except TogetherError as error:
        result.reason = str(error)
        return result


async def _make(found: Found, repository: Repository, folder: Path, wishes: Wishes, result: Mined) -> Mined:
    cleared = wishes.clearing.keeping("code" if wishes.publish else "all").session(found.session, repository)
    task = folder / task_name(cleared.written, repository, folder)
    archive = None if wishes.publish else task / "environment" / ARCHIVE
    plan = make_plan(cleared, repository, name=task.name, given=wishes.given, archive=archive, file=Path(found.file))
    assert plan.base is not None and plan.reference is not None
    if found.way == "name" and plan.base.strength == "unproven":
        raise DraftingError(f"Only its folder's name says that it belongs to {repository.name}, and nothing proves it.")
    if wishes.publish:
        require_publishable(repository, plan.base)
    if not plan.reference.stages:
        raise DraftingError("Neither its commits nor its edits change anything of the repository.")
    if wishes.model is not None:
        plan = await drafted(plan, wishes.model)
    result.tests = await _write(task, plan, wishes)
    if wishes.publish:
        _publish(task, plan)
    result.task = task
    if wishes.publish or wishes.model is not None:
        result.report = cleared.report
    await _prove(result, wishes)
    return result


async def _write(task: Path, plan: Plan, wishes: Wishes) -> str:
    """Write the task with the tests that can be derived; hands back where they come from."""
    assert plan.repository is not None and plan.reference is not None
    suite = suite_of(plan.repository, plan.reference, plan.language)
    if isinstance(suite, str):
        told = f"written by {plan.prose.author}, since {suite}" if plan.cases else f"none: {suite}"
        write_task(task, plan, tests=f"{told}.", author=AUTHOR)
        return told
    lost = [review(f"tests/: {path} {why} and is not put over the tree") for path, why in suite.left_out.items()]
    plan = replace(plan, reviews=[*plan.reviews, *lost], cases=())
    write_task(task, plan, author=AUTHOR)
    write_suite(task, suite, [])
    if not wishes.containers:
        told = f"those of the repository ({suite.runner}) that the session changed, which were not run"
        rewrite_goals(task, plan, Cases(), f"{told}. {gap('mine again with a container engine')}", AUTHOR)
        return told
    return await _run(task, plan, suite)


async def _run(task: Path, plan: Plan, suite: Suite) -> str:
    """Run the tests in the task's container and make cases of them."""
    from swe_together.pipeline.mine._measure import measure

    assert plan.reference is not None
    turns = sorted(plan.reference.stages)
    results = await measure(task, [task / "solution" / f"turn-{turn}.patch" for turn in turns])
    cases, flaky = cases_of(turns, results)
    asked = sum(case.kind == "f2p" for case in cases)
    if not asked:
        told = f"none: of {len(results[-1])} tests of the repository ({suite.runner}) none asks for the session's work"
        write_atomically(task / "tests" / "cases.py", NO_CASES)
        rewrite_goals(task, plan, Cases(), f"{told}.", AUTHOR)
        return told
    write_suite(task, suite, cases)
    kept = sum(len(case.tests) for case in cases if case.kind == "p2p")
    told = (
        f"the repository's own ({suite.runner}), as the session left them: {asked} failed before its work and pass"
        f" after it, {kept} passed before as well"
    )
    if flaky:
        told += f"; left out, since they don't give the same twice: {', '.join(flaky[:10])}"
    rewrite_goals(task, plan, as_cases(cases), f"{told}.", AUTHOR)
    return told


async def _prove(result: Mined, wishes: Wishes) -> None:
    from swe_together.pipeline.mine._bar import left_to_a_person, prove

    assert result.task is not None
    result.left = left_to_a_person(result.task)
    if wishes.containers and not any(one.startswith("fill in") for one in result.left):
        result.verdicts = await prove(result.task, wishes.keep)


def _publish(task: Path, plan: Plan) -> None:
    """Replace what must not leave the machine; where that can't be done, nothing of the task stays."""
    from swe_together.pipeline.mine._private import make_publishable

    assert plan.repository is not None
    try:
        make_publishable(task, plan, plan.repository)
        format_task(task)
    except TogetherError:
        shutil.rmtree(task)
        raise


def task_name(session: Session, repository: Repository, folder: Path) -> str:
    """A name from the repository and the first words, that no other task has."""
    first = next(iter(session.humans())).text
    text = re.sub(r"[^a-z0-9]+", "-", f"{repository.name} {' '.join(first.split()[:5])}".casefold())
    name, number = text.strip("-")[:50].strip("-"), 2
    found = name
    while (folder / found).exists():
        found, number = f"{name}-{number}", number + 1
    return found
