"""The hooks that follow a job's trials, without Harbor: what they do when several trials fail at once."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from swe_together.adapter import watch
from swe_together.adapter.watch import JobWatch
from swe_together.report import TrialRow

type Hook = Callable[[Any], Awaitable[None]]


def ended(folder: Path, name: str) -> Any:
    config = SimpleNamespace(trial_name=name, trials_dir=folder)
    return SimpleNamespace(config=config, result=SimpleNamespace(id=name, exception_info=None))


def test_a_job_that_ends_is_interrupted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second interrupt would cut off what the trials of the first do to end: their containers would stay."""
    hooks: list[Hook] = []
    interrupts: list[int] = []
    job: Any = SimpleNamespace(
        job_dir=tmp_path,
        _remaining_trial_configs=[None] * 9,
        on_trial_started=hooks.append,
        on_trial_ended=hooks.append,
    )
    failed = TrialRow(tmp_path, "x", "codex", "environment_error", None, "no room", None, None)
    monkeypatch.setattr(watch, "_is_ours", lambda _: True)
    monkeypatch.setattr(watch, "_read", lambda _: failed)
    monkeypatch.setattr(signal, "raise_signal", interrupts.append)

    async def many_fail() -> None:
        JobWatch(job, stop_after=3)
        await asyncio.gather(*(hooks[1](ended(tmp_path, f"t{number}")) for number in range(8)))

    asyncio.run(many_fail())
    assert interrupts == [signal.SIGINT]
