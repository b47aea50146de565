"""Evaluation of predicates. Deterministic: equal worlds, observations and anchor states give equal facts."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Protocol

from swe_together.errors import SimulatorError
from swe_together.schema import Fact, Predicate, ProbeCommand
from swe_together.schema import _predicates as kinds
from swe_together.simulator._globs import Glob, compile_glob
from swe_together.simulator._patterns import find, middle_cut, shorten
from swe_together.simulator._turn import TurnView

FactField = Literal["condition", "satisfied", "expires", "variant"]
"""The field of an anchor that a predicate stands in."""


class AnchorStates(Protocol):
    """What predicates ask of the other anchors. Both raise ``SimulatorError`` for an id that isn't there."""

    def said(self, anchor: str) -> bool:
        """Whether the anchor has been said."""
        ...

    def settled(self, anchor: str) -> bool:
        """Whether the anchor has been said, satisfied or expired."""
        ...


class Evaluation(NamedTuple):
    """A predicate's value and the facts behind it, parts before the whole; parts not needed have no fact."""

    value: bool
    facts: list[Fact]


class _Reading(NamedTuple):
    value: bool
    detail: str


async def evaluate(
    predicate: Predicate, view: TurnView, states: AnchorStates, *, anchor: str, field: FactField
) -> Evaluation:
    """Evaluate a predicate on the turn.

    Parts of ``all`` and ``any`` are evaluated until one decides, those without a probe first.

    Args:
        predicate: What is asked.
        view: The turn, with its world.
        states: The other anchors.
        anchor: Id that the facts are recorded under.
        field: Field that the facts are recorded under.

    Raises:
        EnvironmentFault: The world could not answer.
        SimulatorError: A glob that is none, or an anchor that isn't there.
    """
    evaluator = _Evaluator(view, states, anchor, field)
    value = await evaluator.holds(predicate)
    return Evaluation(value, evaluator.facts)


def walk(predicate: Predicate) -> Iterator[Predicate]:
    """The predicate and all of its parts, at any depth."""
    yield predicate
    for part in _parts(predicate):
        yield from walk(part)


def references(predicate: Predicate) -> list[str]:
    """Ids of the anchors that the predicate's value depends on, in order of appearance."""
    found: dict[str, None] = {}
    for part in walk(predicate):
        match part:
            case kinds.Said(said=anchor) | kinds.Settled(settled=anchor):
                found[anchor] = None
            case _:
                pass
    return list(found)


def _parts(predicate: Predicate) -> Sequence[Predicate]:
    match predicate:
        case kinds.All(all=parts) | kinds.Any_(any=parts):
            return parts
        case kinds.Not(not_=part):
            return [part]
        case _:
            return []


def _probes(predicate: Predicate) -> bool:
    return any(isinstance(part, kinds.Probe) for part in walk(predicate))


class _Evaluator:
    def __init__(self, view: TurnView, states: AnchorStates, anchor: str, field: FactField) -> None:
        self.view = view
        self.states = states
        self.anchor = anchor
        self.field = field
        self.facts: list[Fact] = []

    async def holds(self, predicate: Predicate) -> bool:
        value, detail = await self._read(predicate)
        dumped = predicate.model_dump(mode="json", by_alias=True, exclude_none=True)
        self.facts.append(
            Fact(anchor=self.anchor, field=self.field, predicate=dumped, value=value, detail=middle_cut(detail))
        )
        return value

    async def _read(self, predicate: Predicate) -> _Reading:
        observation = self.view.observation
        match predicate:
            case kinds.PathChanged(path_changed=glob):
                return await self._path_changed(glob)
            case kinds.PathExists(path_exists=glob):
                _check_glob(glob)
                return _Reading(await self.view.path_exists(glob), "")
            case kinds.DiffMatches(diff_matches=pattern):
                return await self._diff_matches(pattern)
            case kinds.FileMatches(file_matches=wanted):
                return await self._file_matches(wanted)
            case kinds.ResponseMatches(response_matches=pattern):
                return _found(find(pattern, observation.reply))
            case kinds.AgentAsks(agent_asks=wanted):
                return _Reading(observation.agent_asks is wanted, "asks" if observation.agent_asks else "doesn't ask")
            case kinds.CommandRan(command_ran=pattern):
                return await self._command_ran(pattern)
            case kinds.Turn(turn=bounds):
                low, high = bounds.min or 1, bounds.max or observation.turn
                return _Reading(low <= observation.turn <= high, f"turn {observation.turn}")
            case kinds.ElapsedSec(elapsed_sec=elapsed):
                return _Reading(observation.elapsed_sec >= elapsed.min, f"{observation.elapsed_sec:g} s")
            case kinds.Said(said=anchor):
                return _Reading(self.states.said(anchor), "")
            case kinds.Settled(settled=anchor):
                return _Reading(self.states.settled(anchor), "")
            case kinds.Probe(probe=command):
                return await self._probe(command)
            case kinds.All(all=parts):
                return await self._until(parts, decisive=False)
            case kinds.Any_(any=parts):
                return await self._until(parts, decisive=True)
            case kinds.Not(not_=part):
                return _Reading(not await self.holds(part), "")
        raise SimulatorError(f"There is no evaluation for the predicate {predicate!r}.")

    async def _path_changed(self, glob: str) -> _Reading:
        matcher = _check_glob(glob)
        matching = [path for path in await self.view.changed_paths() if matcher.matches(path)]
        if not matching:
            return _Reading(False, "")
        more = f" and {len(matching) - 1} more" if len(matching) > 1 else ""
        return _Reading(True, f"{shorten(matching[0], 200)}{more}")

    async def _diff_matches(self, pattern: str) -> _Reading:
        diff = await self.view.diff_text()
        value, detail = _found(find(pattern, diff.text, within_lines=True))
        if diff.cut and not value:
            detail = "not in the part of the delta that was looked at"
        return _Reading(value, detail)

    async def _file_matches(self, wanted: kinds.FileMatch) -> _Reading:
        text = await self.view.file_text(wanted.path)
        return _Reading(False, "no such file") if text is None else _found(find(wanted.re, text))

    async def _command_ran(self, pattern: str) -> _Reading:
        for command in await self.view.commands():
            if (line := find(pattern, command)) is not None:
                return _Reading(True, line)
        return _Reading(False, "")

    async def _probe(self, command: ProbeCommand) -> _Reading:
        outcome = await self.view.probe(command)
        if outcome.timed_out:
            return _Reading(False, f"timed out after {command.timeout_sec:g} s: {outcome.output}")
        as_told = command.exit is None or outcome.exit == command.exit
        if as_told and command.output is not None:
            as_told = find(command.output, outcome.output) is not None
        return _Reading(as_told, f"exit {outcome.exit}: {outcome.output}")

    async def _until(self, parts: Sequence[Predicate], *, decisive: bool) -> _Reading:
        """Evaluate parts until one has the decisive value."""
        order = sorted(range(len(parts)), key=lambda index: _probes(parts[index]))
        for done, index in enumerate(order, start=1):
            if await self.holds(parts[index]) is decisive:
                left = sorted(order[done:])
                skipped = f", not evaluated: {', '.join(str(i + 1) for i in left)}" if left else ""
                return _Reading(decisive, f"decided by part {index + 1} of {len(parts)}{skipped}")
        return _Reading(not decisive, "")


def _found(line: str | None) -> _Reading:
    return _Reading(line is not None, line or "")


def _check_glob(glob: str) -> Glob:
    try:
        return compile_glob(glob)
    except ValueError as error:
        raise SimulatorError(f"{glob!r} is no glob: {error}.", "Correct it in simulator.md.") from error
