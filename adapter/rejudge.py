"""Judging finished trials again, from what they left: no agent, no tests, no container where all is known already."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from harbor.models.trial.config import TrialConfig
from pydantic import ValidationError

from swe_together.adapter.fresh import fresh_container
from swe_together.adapter.hands import Bench, Hands
from swe_together.adapter.judge_settings import JudgingSettings
from swe_together.adapter.judging import STATE, STORE, TrialJudging
from swe_together.adapter.state import STATE_PATH
from swe_together.errors import EnvironmentFault, JudgeError
from swe_together.files import write_atomically
from swe_together.judge import Excerpt, Hits, JudgementStore, Ran, Workspace
from swe_together.schema import Judgement

FOLDER = "judgements"
"""In the trial's folder: one file for each set of settings. What Harbor's own run judged is never touched."""
PARTS = "parts"
"""In there: finished votes and outcomes of commands, so that a judging that was cut off goes on."""


@dataclass(frozen=True)
class Rejudged:
    """A trial judged again.

    Attributes:
        judgement: The new judgement.
        path: Where it stands.
        fresh: Whether it was made now; else it stood there already.
    """

    judgement: Judgement
    path: Path
    fresh: bool


async def rejudge(judging: TrialJudging) -> Rejudged:
    """Judge a finished trial by other settings, or find that it has been.

    Args:
        judging: Task, trial and settings.

    Raises:
        JudgeError: There is no judgement.
        EnvironmentFault: The trial left no final state, or no container could be had.
    """
    path = judging.trial_dir / FOLDER / f"{_name(judging)}.json"
    if path.is_file():
        return Rejudged(_kept(path), path, fresh=False)
    async with _Lazy.open(judging) as bench:
        store = JudgementStore(judging.trial_dir / FOLDER / PARTS, judging.trial_dir / STORE)
        judgement = await judging.judge(bench.hands("root"), bench.hands(judging.task.user), store=store)
    write_atomically(path, judgement.model_dump_json(indent=1))
    return Rejudged(judgement, path, fresh=True)


def _kept(path: Path) -> Judgement:
    try:
        return Judgement.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise JudgeError(f"{path} is no judgement.", "Delete it to have it made again.") from error


def _config(trial_dir: Path) -> TrialConfig:
    path = trial_dir / "config.json"
    try:
        return TrialConfig.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise EnvironmentFault(f"{path} is no configuration of a trial.", "Run the trial again.") from error


def _name(judging: TrialJudging) -> str:
    """Another rubric, state, dialogue or setting has another name."""
    dossier = judging.dossier()
    parts = (
        judging.settings.model_dump_json(exclude={name for name in JudgingSettings.model_fields if "tagger" in name}),
        dossier.rubric_digest,
        dossier.state,
        dossier.dialogue_digest,
        dossier.cases_digest,
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


class _Lazy:
    """A bench that is set up when it is first needed."""

    def __init__(self, judging: TrialJudging, stack: AsyncExitStack) -> None:
        self._judging = judging
        self._stack = stack
        self._lock = asyncio.Lock()
        self._bench: Bench | None = None

    @classmethod
    @asynccontextmanager
    async def open(cls, judging: TrialJudging) -> AsyncIterator["_Lazy"]:
        async with AsyncExitStack() as stack:
            yield cls(judging, stack)

    def hands(self, user: str) -> "_LazyHands":
        return _LazyHands(self.bench, user)

    async def bench(self) -> Bench:
        async with self._lock:
            if self._bench is None:
                self._bench = await self._set_up()
            return self._bench

    async def _set_up(self) -> Bench:
        config = _config(self._judging.trial_dir)
        fresh = fresh_container(self._judging.task.path, f"{self._judging.trial_dir.name}-judge", config.environment)
        container = await self._stack.enter_async_context(fresh)
        try:
            await container.upload_file(self._judging.trial_dir / STATE, STATE_PATH)
        except Exception as error:
            raise EnvironmentFault(f"The final state could not be carried into the container: {error}") from error
        metadata = self._judging.task.metadata
        return await Bench.of(container, metadata.trees, metadata.exclude)


class _LazyHands:
    """Hands that reach for the bench at the first call."""

    def __init__(self, bench: Callable[[], Awaitable[Bench]], user: str) -> None:
        self._bench = bench
        self._user = user

    async def _hands(self) -> Workspace:
        return Hands(await self._bench(), self._user)

    async def reset(self) -> None:
        await (await self._hands()).reset()

    async def run(self, command: str, timeout_sec: float) -> Ran:
        return await (await self._hands()).run(command, timeout_sec)

    async def run_all(self, commands: Sequence[tuple[str, float]]) -> Sequence[Ran]:
        return await (await self._hands()).run_all(commands)

    async def read(self, path: str, offset: int, limit: int) -> Excerpt:
        return await (await self._hands()).read(path, offset, limit)

    async def search(self, pattern: str, path: str) -> Hits:
        return await (await self._hands()).search(pattern, path)
