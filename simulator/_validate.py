"""Faults of a script that no single field shows: the graph of its anchors, its words and its budget."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from swe_together.schema import Action, Anchor, Predicate, SimulatorScript
from swe_together.schema import _predicates as kinds
from swe_together.simulator._globs import compile_glob
from swe_together.simulator._predicates import references, walk
from swe_together.simulator._settling import predicates
from swe_together.simulator._state import same_words


class Problem(NamedTuple):
    """One fault of a script.

    Attributes:
        field: Dotted path inside the front matter, list items by index: ``anchors.2.after``.
        value: What stands there.
        problem: What is wrong with it, as the middle of a sentence.
        remedy: What to write instead, as a sentence.
    """

    field: str
    value: object
    problem: str
    remedy: str


def validate_script(script: SimulatorScript, *, instruction: str | None = None) -> list[Problem]:
    """All faults of a script, in the order of its fields; empty for a sound one.

    Args:
        script: A script that the schema has accepted.
        instruction: The first user message, which no follow-up may repeat; None if it isn't known.
    """
    checks: list[Callable[[SimulatorScript], Iterator[Problem]]] = [_ids, _own_globs, _insists, _order]
    problems = [problem for check in checks for problem in check(script)]
    problems.extend(_cycles(script))
    problems.extend(_dead_expiries(script))
    problems.extend(_repetitions(script, instruction))
    problems.extend(_budget(script))
    return problems


def _ids(script: SimulatorScript) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for place, anchor in enumerate(script.anchors):
        if anchor.id in first:
            other = f"anchors.{first[anchor.id]}"
            yield Problem(f"anchors.{place}.id", anchor.id, f"{other} has this id already", "Give it another id.")
        first.setdefault(anchor.id, place)
    remedy = f"Use one of: {', '.join(first)}."
    for place, anchor in enumerate(script.anchors):
        for field, named in _named(anchor):
            if named not in first:
                yield Problem(f"anchors.{place}.{field}", named, f"no anchor {named!r} exists", remedy)
            elif named == anchor.id:
                problem = f"{anchor.id!r} refers to itself, and a settled anchor isn't looked at again"
                yield Problem(f"anchors.{place}.{field}", named, problem, "Name another anchor or leave it out.")


def _own_globs(script: SimulatorScript) -> Iterator[Problem]:
    for place, anchor in enumerate(script.anchors):
        for field, predicate in predicates(anchor):
            for part in walk(predicate):
                match part:
                    case kinds.PathChanged(path_changed=glob) | kinds.PathExists(path_exists=glob):
                        pass
                    case _:
                        continue
                try:
                    compile_glob(glob)
                except ValueError as error:
                    yield Problem(f"anchors.{place}.{field}", glob, f"not a glob: {error}", "Write src/**/*.py, say.")


def _insists(script: SimulatorScript) -> Iterator[Problem]:
    for place, anchor in enumerate(script.anchors):
        if anchor.insist is not None and anchor.insist.max > 1:
            problem = "no message is sent twice, so that an insist can be said once only"
            yield Problem(f"anchors.{place}.insist.max", anchor.insist.max, problem, "Write 1.")
        checkable = anchor.action is Action.NEW_REQUIREMENT and anchor.satisfied is not None
        if checkable and anchor.insist is None:
            problem = f"{anchor.id!r} can be checked, and people push back when they are ignored"
            yield Problem(f"anchors.{place}.insist", None, problem, "Add insist with a message, or drop satisfied.")


def _order(script: SimulatorScript) -> Iterator[Problem]:
    turns = {anchor.id: anchor.source_turn for anchor in script.anchors}
    highest = 0
    for place, anchor in enumerate(script.anchors):
        if anchor.source_turn < highest:
            problem = f"{anchor.id!r} stands behind an anchor of follow-up {highest}"
            remedy = "List anchors in the order of the session."
            yield Problem(f"anchors.{place}.source_turn", anchor.source_turn, problem, remedy)
        highest = max(highest, anchor.source_turn)
        for other in anchor.after:
            if turns.get(other, 0) > anchor.source_turn:
                problem = f"{anchor.id!r} waits for {other!r}, which came later in the session"
                yield Problem(f"anchors.{place}.after", other, problem, "Wait for earlier follow-ups only.")


def _cycles(script: SimulatorScript) -> Iterator[Problem]:
    """Anchors that wait for each other: none of them can ever be said."""
    waits = _waits(script)
    reported: set[str] = set()
    for place, anchor in enumerate(script.anchors):
        path = _path(waits, anchor.id, anchor.id)
        if path is None or anchor.id in reported or len(path) < 3:
            continue
        reported.update(path)
        field = "after" if path[1] in anchor.after else "condition"
        problem = f"anchors wait for each other and are never said: {' → '.join(path)}"
        yield Problem(f"anchors.{place}.{field}", path[1], problem, "Break the circle.")


def _dead_expiries(script: SimulatorScript) -> Iterator[Problem]:
    """An anchor that is to expire once another is said, while that other waits for it."""
    waits = _waits(script)
    for place, anchor in enumerate(script.anchors):
        if not isinstance(anchor.expires, str) or anchor.expires == anchor.id:
            continue
        path = _path(waits, anchor.expires, anchor.id)
        if path is not None:
            problem = f"{anchor.id!r} can never expire by {anchor.expires!r}, which waits for it: {' → '.join(path)}"
            yield Problem(f"anchors.{place}.expires", anchor.expires, problem, "Break the circle.")


def _repetitions(script: SimulatorScript, instruction: str | None) -> Iterator[Problem]:
    first: dict[str, tuple[str, object]] = {}
    if instruction is not None:
        first[same_words(instruction)] = ("the instruction", None)
    for owner, field, text in _messages(script):
        where, holder = first.setdefault(same_words(text), (field, owner))
        # Variants of one anchor are alternatives: at most one of them is ever sent.
        alternatives = owner is not None and owner == holder and ".insist" not in field
        if where != field and not alternatives:
            yield Problem(field, text, f"the same words as {where}", "No message is sent twice: word it differently.")


def _budget(script: SimulatorScript) -> Iterator[Problem]:
    required = sum(anchor.required for anchor in script.anchors)
    if script.message_budget < required:
        problem = f"fewer messages than the {required} required anchors need"
        remedy = f"Allow at least {required}, or leave it out."
        yield Problem("budget.messages", script.message_budget, problem, remedy)


def _messages(script: SimulatorScript) -> Iterator[tuple[int | None, str, str]]:
    """Place of the anchor (None: of no anchor), field and text of everything that can be sent."""
    yield None, "persona.on_question", script.persona.on_question
    for place, anchor in enumerate(script.anchors):
        yield place, f"anchors.{place}.message", anchor.message
        for number, variant in enumerate(anchor.variants):
            yield place, f"anchors.{place}.variants.{number}.message", variant.message
        if anchor.insist is not None:
            yield place, f"anchors.{place}.insist.message", anchor.insist.message


def _named(anchor: Anchor) -> Iterator[tuple[str, str]]:
    for other in anchor.after:
        yield "after", other
    for field, predicate in predicates(anchor):
        for other in references(predicate):
            yield field, other


def _waits(script: SimulatorScript) -> dict[str, list[str]]:
    """For each anchor those that must be settled before it can be said, by ``after`` or by its condition."""
    waits: dict[str, list[str]] = {}
    for anchor in script.anchors:
        needed = [*anchor.after, *(_needed(anchor.condition) if anchor.condition is not None else [])]
        waits.setdefault(anchor.id, []).extend(needed)
    return waits


def _needed(predicate: Predicate) -> Iterator[str]:
    """Anchors without which the predicate can't hold: those named outside ``any`` and ``not``."""
    match predicate:
        case kinds.Said(said=anchor) | kinds.Settled(settled=anchor):
            yield anchor
        case kinds.All(all=parts):
            for part in parts:
                yield from _needed(part)
        case _:
            return


def _path(waits: dict[str, list[str]], start: str, goal: str) -> list[str] | None:
    """Shortest way along at least one edge from ``start`` to ``goal``, both included."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        for other in waits.get(way[-1], []):
            if other == goal:
                return [*way, other]
            if other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return None
