"""The whole check of tasks: files first, then the image, then every state and dialogue, in parallel."""

import asyncio
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from swe_together.errors import TogetherError
from swe_together.pipeline.check import bar, dialogues, image_scan, trials
from swe_together.pipeline.check.cache import Cache, cache_root, code_digest, judge_digest, key_of
from swe_together.pipeline.check.golden import FULL_SPEC, PLAYS, read_golden, write_golden
from swe_together.pipeline.check.materials import golden_is_there
from swe_together.pipeline.check.model import DeclaredCase, DialogueResult, ImageScan, StateResult, TaskCheck, Verdict
from swe_together.pipeline.check.request import scan_request
from swe_together.pipeline.check.static import FMT_ITEMS, read_task, static_verdicts
from swe_together.pipeline.check.subject import State, Subject
from swe_together.schema import GitSource, RegistrySource, Strict
from swe_together.tasks import TaskBundle, task_digest

_LAST_WORDS_SEC = 1.0
"""After an interrupt, until commands in containers that are gone have ended."""


class Progress(Protocol):
    """Is told of every step."""

    def plan(self, task: str, steps: int) -> None:
        """So many steps of a task are about to run."""
        ...

    def step(self, task: str, name: str, outcome: str) -> None:
        """A step is done."""
        ...


@dataclass(frozen=True)
class Options:
    """How to check.

    Attributes:
        jobs: Steps at the same time.
        fresh: Use no kept result.
        static: Files only.
        golden_needed: That files alone show no dialogues written down is wrong.
        update_golden: Write the dialogues down instead of comparing them.
        cache: Where results are kept.
        keep: Folder in which Harbor's trials stay; without it they go when the check is done.
    """

    jobs: int = 1
    fresh: bool = False
    static: bool = False
    golden_needed: bool = False
    update_golden: bool = False
    cache: Path | None = None
    keep: Path | None = None


def default_jobs() -> int:
    """As many as there are cores, and two gigabytes of memory for each."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return max(1, min(len(os.sched_getaffinity(0)), int(memory / 2)))


def check(paths: list[Path], options: Options, progress: Progress) -> list[TaskCheck]:
    """Check tasks; an interrupt, or a request to end, first stops every container.

    Raises:
        MisuseError: A path isn't there.
        TogetherError: There is no engine that runs containers.
        KeyboardInterrupt: The check was interrupted.
    """

    async def main() -> list[TaskCheck]:
        task = asyncio.ensure_future(check_tasks(paths, options, progress))
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await task

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def check_tasks(paths: list[Path], options: Options, progress: Progress) -> list[TaskCheck]:
    """Check tasks.

    Raises:
        MisuseError: A path isn't there.
        TogetherError: There is no engine that runs containers.
    """
    read = [(path.resolve(), *read_task(path)) for path in paths]
    if not options.static:
        trials.require_engine([path for path, _, bundle, _ in read if bundle is not None])
    folder = options.keep or Path(tempfile.mkdtemp(prefix="swe-together-check-"))
    folder.mkdir(parents=True, exist_ok=True)
    slots = asyncio.Semaphore(options.jobs)
    try:
        async with asyncio.TaskGroup() as group:
            checks = [
                group.create_task(_Check(path, verdict, bundle, declared, options, folder, slots, progress).run())
                for path, verdict, bundle, declared in read
            ]
        return [check.result() for check in checks]
    except asyncio.CancelledError:
        await trials.stop_all()
        await asyncio.sleep(_LAST_WORDS_SEC)
        raise
    except ExceptionGroup as group:
        raise _first(group) from None
    finally:
        if options.keep is None:
            shutil.rmtree(folder, ignore_errors=True)


class _Check:
    def __init__(
        self,
        path: Path,
        files: Verdict,
        bundle: TaskBundle | None,
        declared: list[DeclaredCase],
        options: Options,
        folder: Path,
        slots: asyncio.Semaphore,
        progress: Progress,
    ) -> None:
        self._path = path
        self._files = files
        self._bundle = bundle
        self._declared = declared
        self._options = options
        self._folder = folder
        self._slots = slots
        self._progress = progress
        self._cache = Cache((options.cache or cache_root()) / path.name, options.fresh)

    async def run(self) -> TaskCheck:
        started = time.monotonic()
        verdicts = [self._files]
        if self._bundle is None:
            return self._result(verdicts, started)
        subject, static = static_verdicts(self._bundle, self._declared)
        verdicts += static
        if self._options.static:
            verdicts.append(golden_is_there(self._bundle, self._options.golden_needed))
            return self._result(verdicts, started)
        if any(not verdict.passed for verdict in static if verdict.item in FMT_ITEMS):
            verdicts.append(Verdict(item="containers", passed=False, detail="not run before swe-together fmt"))
            return self._result(verdicts, started)
        states = subject.states()
        plays = [*PLAYS, FULL_SPEC]
        self._progress.plan(subject.id, 1 + len(states) + len(plays))
        scan = await self._scan(subject, self._bundle)
        found: list[StateResult] = []
        played: list[DialogueResult] = []
        if scan.error is None:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(self._state(subject, state)) for state in states]
                playing = [group.create_task(self._play(subject, name)) for name in plays]
            found, played = [task.result() for task in running], [task.result() for task in playing]
        if self._options.update_golden:
            write_golden(self._path, played)
        golden = read_golden(self._path)
        verdicts += bar.judge(subject, scan, {state.name: state for state in found}, played, golden)
        return self._result(verdicts, started, scan, found, played)

    async def _scan(self, subject: Subject, bundle: TaskBundle) -> ImageScan:
        request = scan_request(subject, bundle.metadata.source)
        script = Path(image_scan.__file__).read_text(encoding="utf-8")
        key = self._key(script, repr(request))
        return await self._step(
            "image",
            key,
            ImageScan,
            lambda: trials.scan_image(subject, request, self._folder),
            lambda s: s.error is None,
        )

    async def _state(self, subject: Subject, state: State) -> StateResult:
        own: list[Path | str] = [*state.patches, *([state.script.read_text(encoding="utf-8")] if state.script else [])]
        if state.oracle:
            private = ("wrong-", "alt-", "cheat-", "golden.json")
            own += [p for p in sorted((self._path / "solution").iterdir()) if not p.name.startswith(private)]
        if state.judged:
            deciding = {"id", "weight", "gate", "check", "cases"}
            own += [judge_digest(), *(goal.model_dump_json(include=deciding) for goal in subject.goals)]
        return await self._step(
            state.name,
            self._key(state.name, *own),
            StateResult,
            lambda: trials.run_state(subject, state, self._folder),
            lambda s: (s.error is None or not s.applied) and (not state.oracle or s.reward == 1),
        )

    async def _play(self, subject: Subject, name: str) -> DialogueResult:
        other = ("wrong-", "alt-", "cheat-", "golden.json")
        own = [p for p in sorted(self._path.iterdir()) if p.is_file() and p.name not in ("README.md", "task.toml")]
        own += [p for p in sorted((self._path / "solution").iterdir()) if not p.name.startswith(other)]
        return await self._step(
            f"play-{name}",
            self._key(name, code_digest(), *own),
            DialogueResult,
            lambda: dialogues.play(subject, name, self._folder),
            lambda d: d.dialogue is not None,
        )

    async def _step[M: Strict](
        self, name: str, key: str, model: type[M], work: Callable[[], Awaitable[M]], keep: Callable[[M], bool]
    ) -> M:
        kept = self._cache.get(name, key, model)
        if kept is not None:
            self._progress.step(self._path.name, name, f"{_outcome(kept)} (kept)")
            return kept
        async with self._slots:
            result = await work()
        if keep(result):
            self._cache.put(name, key, result)
        self._progress.step(self._path.name, name, _outcome(result))
        return result

    def _key(self, *parts: Path | str) -> str:
        common = [self._path / name for name in ("environment", "tests", "task.toml")]
        return key_of(*common, *parts, below=self._path)

    def _result(
        self,
        verdicts: list[Verdict],
        started: float,
        scan: ImageScan | None = None,
        states: list[StateResult] | None = None,
        played: list[DialogueResult] | None = None,
    ) -> TaskCheck:
        return TaskCheck(
            task=self._path.name,
            digest=task_digest(self._path),
            static=self._options.static,
            sound=all(verdict.passed for verdict in verdicts),
            verdicts=verdicts,
            declared=self._declared,
            states=states or [],
            image=scan,
            dialogues=played or [],
            facts=_facts(self._bundle) if self._bundle else {},
            seconds=round(time.monotonic() - started, 1),
        )


def _first(group: ExceptionGroup) -> Exception:
    """The first error that a user can mend, or else whatever came first."""
    found = group.subgroup(TogetherError) or group
    first = found.exceptions[0]
    return _first(first) if isinstance(first, ExceptionGroup) else first


def _outcome(result: Strict) -> str:
    if isinstance(result, StateResult):
        if result.reward is None:
            return f"no reward: {result.error}"
        return f"{result.reward:.2f} ({len(result.passed)}/{len(result.cases)} cases) in {result.seconds:.0f} s"
    if isinstance(result, ImageScan):
        return result.error or f"{result.megabytes:.0f} MB, started after {result.build_sec:.1f} s"
    if isinstance(result, DialogueResult):
        return result.error or f"{len(result.dialogue.turns) if result.dialogue else 0} turns in {result.seconds:.0f} s"
    return ""


def _facts(bundle: TaskBundle) -> dict[str, object]:
    source = bundle.metadata.source
    if isinstance(source, RegistrySource):
        package = f"{source.package} {source.version} ({source.registry})"
    else:
        where = source.git if isinstance(source, GitSource) else source.repository
        package = f"{where} {source.commit[:12]}"
    return {
        "language": bundle.metadata.language,
        "package": package,
        "follow_ups": len(bundle.script.anchors),
        "goals": len(bundle.rubric.goals),
    }
