"""The bar for mined tasks: builds, nothing done fails, the reference passes, a whole session of it runs."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from swe_together.errors import TogetherError
from swe_together.gaps import find_marks
from swe_together.pipeline.check import bar, dialogues, trials
from swe_together.pipeline.check.model import DialogueResult, StateResult, Verdict
from swe_together.pipeline.check.static import read_task
from swe_together.pipeline.check.subject import State, make_subject
from swe_together.schema import EndReason


async def prove(task: Path, keep: Path | None = None) -> list[Verdict]:
    """Prove a mined task in real containers.

    Args:
        task: Its directory.
        keep: Folder in which Harbor's trials stay; without it they go.

    Returns:
        A verdict for each item of the bar; where files are wrong or gaps are left, that alone.

    Raises:
        TogetherError: There is no engine that runs containers.
    """
    task = task.resolve()
    files, bundle, declared = read_task(task)
    if bundle is None:
        return [files]
    trials.require_engine([task])
    folder = keep or Path(tempfile.mkdtemp(prefix="swe-together-mine-"))
    folder.mkdir(parents=True, exist_ok=True)
    # The goals' commands, wrong patches and cheats of a published task are no part of this bar.
    subject = replace(make_subject(bundle, declared), stages={}, wrong=[], alt=[], cheat=[])
    try:
        nothing = await trials.run_state(subject, State("nothing"), folder)
        found = {"nothing": nothing}
        verdicts = [files, _builds(nothing), bar.nothing_done(subject, found)]
        if nothing.reward is None:
            return verdicts
        reference = await trials.run_state(subject, State("reference-1", oracle=True), folder)
        verdicts.append(_reference(reference))
        verdicts.append(_session(await dialogues.play(subject, "staged", folder)))
        return verdicts
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def left_to_a_person(task: Path) -> list[str]:
    """What a person must add, and what they should read, each with its place."""
    marks = sorted(find_marks(task), key=lambda one: (one.kind != "fill in", str(one.file), one.line))
    return [f"{one.kind}: {one.file.relative_to(task).as_posix()}:{one.line}: {one.text}" for one in marks]


def _builds(state: StateResult) -> Verdict:
    problems = [] if state.reward is not None else [state.error or "it has no reward"]
    return Verdict.of("builds", problems, f"its container started after {state.start_sec:.1f} s")


def _reference(state: StateResult) -> Verdict:
    problems = [state.error] if state.error else []
    if state.reward is None and not problems:
        problems.append("it has no reward")
    if state.reward is not None and state.reward != 1:
        failed = [f"{case.id} ({case.message[:160]})" for case in state.cases if not case.passed]
        problems.append(f"it earns {state.reward:g}, fails {', '.join(failed)}")
    return Verdict.of("reference is 1.0", problems, f"passes all {len(state.cases)} cases")


def _session(result: DialogueResult) -> Verdict:
    item = "whole session"
    if result.dialogue is None:
        return Verdict.of(item, [result.error or "was not played"], "")
    problems = []
    if result.dialogue.end != EndReason.ANCHORS_EXHAUSTED.value:
        problems.append(f"it ends with {result.dialogue.end}")
    if result.dialogue.reward != 1:
        problems.append(f"the reference, played turn by turn, earns {result.dialogue.reward}")
    return Verdict.of(item, problems, f"{len(result.dialogue.turns)} messages, the reference earns 1.0")


def sound(verdicts: Sequence[Verdict]) -> bool:
    """Whether the bar holds."""
    return all(verdict.passed for verdict in verdicts)


__all__ = ["TogetherError", "left_to_a_person", "prove", "sound"]
