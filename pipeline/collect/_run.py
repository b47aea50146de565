"""A whole collection: find, read what isn't known, judge, write."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from swe_together.files import open_atomically
from swe_together.pipeline.collect._candidates import Candidate, candidate_line
from swe_together.pipeline.collect._journal import Journal, candidates
from swe_together.pipeline.collect._read import FileResult, read_files
from swe_together.pipeline.collect._rules import RULES, Reason, Rule, Rules
from swe_together.pipeline.sessions import Place, find_sessions

Progress = Callable[[int, int], None]
"""Called with the files and the bytes that were read since the last call."""


@dataclass(slots=True)
class Funnel:
    """How many are left after each rule."""

    files: int = 0
    reread: int = 0
    """Files that had to be read in this run; the others were known."""
    foreign: int = 0
    """Files of no known format, found below a folder."""
    broken: list[tuple[str, str]] = field(default_factory=list)
    """Files that couldn't be read, with the reason."""
    empty: int = 0
    """Files without a session in them."""
    sessions: int = 0
    problems: int = 0
    """Records that couldn't be read, over all sessions."""
    first: Counter[Rule] = field(default_factory=Counter)
    """Sessions by the first rule that rejects them."""
    any: Counter[Rule] = field(default_factory=Counter)
    """Sessions by every rule that rejects them."""
    eligible: int = 0
    formats: Counter[str] = field(default_factory=Counter)


def rejected_path(output: Path) -> Path:
    """Where the rejected sessions of a collection are written."""
    return output.with_name(f"{output.stem}.rejected{output.suffix}")


def journal_path(output: Path) -> Path:
    """Where a collection keeps what it has read."""
    return output.with_name(f"{output.stem}.journal{output.suffix}")


_Entry = tuple[int, str, int]
"""A log of a session: its events, below zero so that the longest comes first, its place, and its number there."""


class Collection:
    """Finds the files at once; reads and judges when it is run.

    Raises:
        MisuseError: A path isn't there, or the journal is in use.
    """

    def __init__(self, paths: Iterable[Path], output: Path, rules: Rules, fresh: bool = False) -> None:
        own = {path.absolute() for path in (output, rejected_path(output), journal_path(output))}
        found: dict[str, Place] = {}
        for place in find_sessions(paths):
            if place.path not in own and (place.given or place.key not in found):
                found[place.key] = place
        self.places = [found[key] for key in sorted(found)]
        self._output = output
        self._rules = rules
        self._kept: dict[str, _Entry] = {}
        self._journal = Journal(journal_path(output), fresh)
        # The largest first: the last to end is then a small one.
        unknown = (place for place in self.places if not self._journal.knows(place))
        self.unread = sorted(unknown, key=lambda place: -place.size)

    def run(self, jobs: int, progress: Progress) -> Funnel:
        """Read, judge and write; what was read stays kept if it is interrupted."""
        with self._journal:
            for result in self._journal.results(self.places):
                self._keep(result)
            for results in read_files(self.unread, jobs, self._journal.descriptor):
                for result in results:
                    self._journal.add(result)
                    self._keep(result)
                progress(len(results), sum(result.place.size for result in results))
            return self._judge()

    def _judge(self) -> Funnel:
        funnel = Funnel(files=len(self.places), reread=len(self.unread))
        with open_atomically(self._output) as good, open_atomically(rejected_path(self._output)) as bad:
            for result in self._journal.results(self.places):
                _count_file(funnel, result)
                for candidate in candidates(result):
                    judged = self._judged(candidate)
                    _count(funnel, judged)
                    (bad if judged.reasons else good).write(candidate_line(judged))
        return funnel

    def _judged(self, candidate: Candidate) -> Candidate:
        reasons = self._rules.reasons(candidate.facts)
        for name in _names(candidate):
            kept = self._kept[name]
            if kept != _entry(candidate):
                return replace(candidate, reasons=(Reason("duplicate", f"of {_where(*kept[1:])}"), *reasons))
        return replace(candidate, reasons=reasons)

    def _keep(self, result: FileResult) -> None:
        """Of logs of one session the longest, by either of its names; of equally long ones the first by its place."""
        for candidate in candidates(result):
            entry = _entry(candidate)
            for name in _names(candidate):
                self._kept[name] = min(entry, self._kept.get(name, entry))


def default_jobs() -> int:
    """Processes for this machine."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _entry(candidate: Candidate) -> _Entry:
    return -candidate.facts.events, candidate.place.key, candidate.number


def _names(candidate: Candidate) -> tuple[str, str]:
    """What two logs of one session share: the id, or start and first words."""
    return f"id {candidate.facts.session_id}", f"same {candidate.facts.same}"


def _where(key: str, number: int) -> str:
    return f"{key}#{number}" if number else key


def _count_file(funnel: Funnel, result: FileResult) -> None:
    found_below = not result.place.given and result.place.checkpoint is None
    if result.error is not None and result.format is None and found_below:
        funnel.foreign += 1
    elif result.error is not None:
        funnel.broken.append((result.place.key, result.error))
    elif not result.sessions:
        funnel.empty += 1


def _count(funnel: Funnel, candidate: Candidate) -> None:
    funnel.sessions += 1
    funnel.problems += candidate.facts.problems
    funnel.formats[candidate.facts.format] += 1
    if not candidate.reasons:
        funnel.eligible += 1
        return
    rejecting = {reason.rule for reason in candidate.reasons}
    funnel.any.update(rejecting)
    funnel.first[next(rule for rule in RULES if rule in rejecting)] += 1


def left_over(funnel: Funnel) -> Iterator[tuple[Rule, int, int, int]]:
    """Rule, rejected by it first, rejected by it at all, and left after it; rules that rejected none are left out."""
    left = funnel.sessions
    for rule in RULES:
        if funnel.any[rule]:
            left -= funnel.first[rule]
            yield rule, funnel.first[rule], funnel.any[rule], left
