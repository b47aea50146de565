"""Reading of files, one after the other or by several processes, with bounded memory."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from typing import Final

from swe_together.errors import SessionFileError
from swe_together.pipeline.collect._facts import Facts, facts_of
from swe_together.pipeline.sessions import Place, Source, sniff_format
from swe_together.pipeline.sessions._registry import read_as

_BATCH_BYTES: Final = 8_000_000
_BATCH_FILES: Final = 64
_AHEAD: Final = 3
"""Batches that wait for each process, so that none is idle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileResult:
    """What one file held. ``format`` is None where it is of no known one, ``error`` says why nothing was read."""

    place: Place
    format: str | None
    error: str | None
    sessions: tuple[Facts, ...]


def read_files(places: Iterable[Place], jobs: int, own: int | None = None) -> Iterator[list[FileResult]]:
    """The files' results, in batches, in no certain order. A file that can't be read is a result with an error.

    ``own`` is a file descriptor that the reading processes let go: its lock would outlive this process in them.
    """
    batches = _batches(places)
    if jobs == 1:
        for batch in batches:
            yield _read_batch(batch)
        return
    yield from _by_processes(batches, jobs, own)


def read_file(place: Place) -> FileResult:
    """What the file holds."""
    name: str | None = None
    sessions: list[Facts] = []
    try:
        source: Source = place.source()
        module = sniff_format(source)
        name = module.NAME
        for session in read_as(module, source):
            sessions.append(facts_of(session))
    except SessionFileError as error:
        return FileResult(place=place, format=name, error=str(error), sessions=tuple(sessions))
    return FileResult(place=place, format=name, error=None, sessions=tuple(sessions))


def _read_batch(batch: list[Place]) -> list[FileResult]:
    # Sessions hold no cycles, and looking for them in millions of parsed objects takes a tenth of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return [read_file(place) for place in batch]
    finally:
        if collecting:
            gc.enable()


def _batches(places: Iterable[Place]) -> Iterator[list[Place]]:
    batch: list[Place] = []
    size = 0
    for place in places:
        batch.append(place)
        size += place.size
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _by_processes(batches: Iterator[list[Place]], jobs: int, own: int | None) -> Iterator[list[FileResult]]:
    # Forked where that is safe, for a start without imports: no thread runs yet when the first batch is submitted.
    forks = sys.platform == "linux"
    context = multiprocessing.get_context("fork" if forks else "spawn")
    executor = ProcessPoolExecutor(jobs, context, initializer=_start, initargs=(os.getpid(), own if forks else None))
    running: dict[Future[list[FileResult]], list[Place]] = {}
    try:
        # The first batch forks the processes, and one that an interrupt meets before `_start` would die of it: until
        # then it waits for all of them, in the processes for good.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if forks else None
        try:
            for batch in islice(batches, jobs * _AHEAD):
                running[executor.submit(_read_batch, batch)] = batch
        finally:
            if before is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                batch = running.pop(future)
                yield _result(future, batch)
                for following in islice(batches, 1):
                    running[executor.submit(_read_batch, following)] = following
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _result(future: Future[list[FileResult]], batch: list[Place]) -> list[FileResult]:
    try:
        return future.result()
    except BrokenProcessPool as error:
        names = ", ".join(place.key for place in batch[:3])
        raise SessionFileError(
            f"a process died while it read {names}{' …' if len(batch) > 3 else ''}.",
            "Look for a file too large for this machine's memory; run again to go on, with --jobs 1 to see which.",
        ) from error


def _start(parent: int, inherited: int | None) -> None:
    """Prepare a reading process: an interrupt is the parent's to handle, and it doesn't outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if inherited is not None:
        os.close(inherited)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
