"""Which active rules no code can obey together: found by constructing a name that obeys all rules on its kind.

Each rule on names is a small automaton. The shortest name that all of them accept is searched breadth-first through
their product, so an answer is exact: either there is a name, or there is none.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from swe_together.memorycode._rules_model import Active, ObjectKind, Rule, Variant
from swe_together.memorycode.rules import RULES, active_variants

NAMED = (
    ObjectKind.FUNCTION,
    ObjectKind.METHOD,
    ObjectKind.VARIABLE,
    ObjectKind.ATTRIBUTE,
    ObjectKind.ARGUMENT,
    ObjectKind.CLASS,
    ObjectKind.CONSTANT,
)
DEAD = -1


@dataclass(frozen=True)
class _Automaton:
    """Reads a name from state 0; ``step`` gives the next state or ``DEAD``, ``accepts`` whether the name may end."""

    step: Callable[[int, str], int]
    accepts: Callable[[int], bool]


def _identifier() -> _Automaton:
    """A Python name with a letter in it. States: nothing read, only underscores, a letter read."""

    def step(state: int, char: str) -> int:
        if char.isdigit():
            return DEAD if state == 0 else state
        return max(state, 1) if char == "_" else 2

    return _Automaton(step, lambda state: state == 2)


def _literal(text: str, where: str) -> _Automaton:
    """Names that start with, contain or end with ``text``; the state is the length of what matches so far."""
    full = len(text)

    @cache
    def step(state: int, char: str) -> int:
        if state == full and where != "suffix":
            return full
        if where == "prefix":
            return state + 1 if text[state] == char else DEAD
        seen = text[:state] + char
        return max(n for n in range(full + 1) if n <= len(seen) and seen.endswith(text[:n]))

    return _Automaton(step, lambda state: state == full)


def _one_digit() -> _Automaton:
    return _Automaton(lambda s, c: (s + 1 if s == 0 else DEAD) if c.isdigit() else s, lambda s: s == 1)


def _last_digit() -> _Automaton:
    return _Automaton(lambda _, c: int(c.isdigit()), lambda s: s == 1)


def _case(case: str) -> _Automaton:
    """States: nothing read, first letter read, a lower-case letter read after a first upper-case one."""

    def step(state: int, char: str) -> int:
        if state == 0:
            first = char.isupper() if case in ("upper", "pascal") else char.islower()
            return 1 if first else DEAD
        if case == "upper":
            return DEAD if char.islower() else 1
        if case == "snake":
            return DEAD if char.isupper() else 1
        return DEAD if char == "_" else max(state, 2 if char.islower() else 1)

    return _Automaton(step, lambda state: state == 2 if case == "pascal" else state >= 1)


@cache
def _automaton(family: str, value: str, published: bool) -> _Automaton | None:
    match family:
        case "prefix" | "suffix" | "contains":
            return _literal(value, family)
        case "constant-names" | "attribute-underscore":
            return _literal(value.strip("*"), "prefix" if value.endswith("*") else "suffix")
        case "digit":
            return _last_digit() if published else _one_digit()
        case "class-case":
            return _case({"camel": "pascal"}.get(value, value))
        case "argument-case":
            return _case(value)
        case _:
            return None


type _Key = tuple[tuple[str, str], ...]


@lru_cache(maxsize=65536)
def _shortest(kind: ObjectKind, constraints: _Key, published: bool) -> str | None:
    """The shortest name that obeys all (family, value) constraints; None where there is none."""
    automata = [_identifier(), *filter(None, (_automaton(*constraint, published) for constraint in constraints))]
    if kind is ObjectKind.CONSTANT:
        automata.append(_case("upper"))
    # One letter of each case, a digit and the underscore stand for all characters that no constraint names.
    alphabet = sorted({"k", "K", "1", "_", *(c for _, value in constraints for c in value if c != "*")})
    start = (0,) * len(automata)
    seen = {start}
    queue = deque([(start, "")])
    while queue:
        states, name = queue.popleft()
        if all(a.accepts(s) for a, s in zip(automata, states, strict=True)):
            return name
        for char in alphabet:
            after = tuple(a.step(s, char) for a, s in zip(automata, states, strict=True))
            if DEAD not in after and after not in seen:
                seen.add(after)
                queue.append((after, name + char))
    return None


# Kind, family and value of every variant of a rule on names.
_CONSTRAINTS: dict[tuple[str, str], tuple[ObjectKind, tuple[str, str]]] = {
    (rule.id, variant.id): (rule.objects[0], (rule.family, variant.value))
    for rule in RULES.values()
    for variant in rule.variants
    if rule.objects[0] in NAMED and _automaton(rule.family, variant.value, False)
}


def _by_kind(pairs: Sequence[tuple[Rule, Variant]]) -> dict[ObjectKind, dict[str, tuple[str, str]]]:
    """The constraints on each kind's names, by rule id."""
    found: dict[ObjectKind, dict[str, tuple[str, str]]] = {}
    for rule, variant in pairs:
        if (rule.id, variant.id) in _CONSTRAINTS:
            kind, constraint = _CONSTRAINTS[rule.id, variant.id]
            found.setdefault(kind, {})[rule.id] = constraint
    return found


def witness(active: Active, kind: ObjectKind, *, published: bool = False) -> str | None:
    """The shortest name for an object of this kind that obeys every active rule on it; None where there is none.

    Args:
        active: The rules that hold.
        kind: A kind with names.
        published: Read the digit rule as the published checker does: a name ends with a digit.
    """
    constraints = _by_kind(active_variants(active)).get(kind, {})
    return _shortest(kind, tuple(sorted(constraints.values())), published)


def contradictions(active: Active, *, published: bool = False) -> list[tuple[str, str]]:
    """Pairs of active rules that no code can obey together; empty where all can be obeyed at once.

    Args:
        active: The rules that hold.
        published: Read the digit rule as the published checker does: a name ends with a digit.
    """
    pairs = active_variants(active)
    found: list[tuple[str, str]] = []
    for kind, constraints in _by_kind(pairs).items():
        if _shortest(kind, tuple(sorted(constraints.values())), published) is not None:
            continue
        every = list(combinations(constraints, 2))
        both = [
            (a, b)
            for a, b in every
            if _shortest(kind, tuple(sorted((constraints[a], constraints[b]))), published) is None
        ]
        # Three can exclude each other though any two agree: then every pair of them is named.
        found += both or every
    return found + _calls(pairs)


def _calls(pairs: Sequence[tuple[Rule, Variant]]) -> list[tuple[str, str]]:
    """Functions that accept keywords only and positions only can't be called at all."""
    keywords = [
        r.id for r, v in pairs if r.family == "decorator" and (r.objects[0], v.value) == ("function", "require_kwargs")
    ]
    positions = [r.id for r, v in pairs if r.family == "calling" and v.value == "positional"]
    return [(one, other) for one in keywords for other in positions]
