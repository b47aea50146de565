"""The verdicts of the published checker, defects included, for comparison with published figures.

Written anew from a description of what it does. Its one expression that backtracks without end is read in linear time,
with the same answer.

    python -m swe_together.memorycode.compat DIALOGUES OUTPUTS
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from swe_together.errors import MisuseError, TogetherError
from swe_together.memorycode._published_objects import code_of, objects
from swe_together.memorycode._rules_model import Active, ObjectKind, Rule, Variant
from swe_together.memorycode.rules import RULES, active_variants

type Pattern = str | bool | Sequence[str | bool]

LAST_SHORT_DIALOGUE = 210
"""Released dialogues up to this number are short histories, the others long ones."""

_CASES = {
    "upper": r"\b[A-Z][A-Z0-9_]*\b",
    "camel": r"^[A-Z][a-z0-9]*((\d|[a-z])[A-Z\d]*[a-z0-9]*)*$",
    "snake": r"^[a-z0-9_]*$",
}
# The same names as the expression above, without nested repetition: whatever follows a capital must start small.
_CAMEL = re.compile(r"[A-Z](?:[a-z\d][A-Za-z\d]*)?")


def published_form(rule: Rule, variant: Variant) -> tuple[str, Pattern]:
    """The object and pattern that the released files hold for a published instruction.

    Raises:
        MisuseError: The rule is one of ours.
    """
    if not rule.published:
        raise MisuseError(f"rule {rule.id} has no published form", "Compare published rules alone: p00 … p50.")
    (kind,) = rule.objects
    name = "function argument" if kind is ObjectKind.ARGUMENT else str(kind)
    match rule.family:
        case "class-case":
            return name, _CASES[variant.value]
        case "contains":
            return name, f".*{variant.value}.*"
        case "prefix":
            return name, f"^{variant.value}.*"
        case "suffix":
            return name, f".*{variant.value}$"
        case "digit":
            return name, r".*\d$"
        case "comment":
            return "comment", True
        case "import":
            return "import", [variant.value, True]
        case "decorator":
            return f"{name} decorator", [variant.value, True]
        case family:
            return f"{name} {family}", True


# Only these expressions are ever applied: others could take for ever.
_EXPRESSIONS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        pattern: _CAMEL if pattern == _CASES["camel"] else re.compile(pattern)
        for rule in RULES.values()
        if rule.published
        for variant in rule.variants
        if isinstance(pattern := published_form(rule, variant)[1], str)
    }
)


def _matches(pattern: str, name: str) -> bool:
    expression = _EXPRESSIONS.get(pattern)
    if expression is None:
        raise MisuseError(f"the expression {pattern!r} is of no published instruction", "Use those of topics.json.")
    return bool(expression.fullmatch(name) if expression is _CAMEL else expression.match(name))


def score(output: str, object_name: str, pattern: Pattern) -> float | None:
    """One output's score for one pair of object and pattern as the released files hold them.

    Returns:
        1.0 or 0.0; None where the output has no such object, which leaves the rule unscored.
    """
    found_objects = objects(code_of(output))
    if found_objects is None:
        return 0.0
    if object_name not in found_objects:
        raise MisuseError(f"there is no object {object_name!r}", f"Name one of {', '.join(found_objects)}.")
    found = found_objects[object_name]
    if not found and object_name not in ("comment", "import"):
        return None
    if isinstance(pattern, bool):
        return float(all(found) if pattern else not any(found))
    if isinstance(pattern, str):
        first = [_matches(pattern, words[0]) for words in found if words]
        return float(bool(first) and all(first))
    name, wanted = pattern
    if object_name == "import":
        return float(([name] in found) == wanted)
    return float(all((name in words) == wanted for words in found))


def compat_check(output: str, active: Active) -> dict[str, float | None]:
    """The published verdict for every active rule, by rule id.

    Args:
        output: What a model wrote, prose and fences included.
        active: Published rules with the variants that hold.

    Raises:
        MisuseError: A rule is unknown or one of ours.
    """
    return {rule.id: score(output, *published_form(rule, variant)) for rule, variant in active_variants(active)}


def mean(values: Iterable[float | None]) -> float:
    """Mean of what is scored; not a number where nothing is, as the published aggregation has it."""
    kept = [value for value in values if value is not None and not math.isnan(value)]
    return math.fsum(kept) / len(kept) if kept else math.nan


def dialogue_scores(dialogue: Mapping[str, Any], output: Mapping[str, Any]) -> dict[str, list[float]]:
    """Scores of every session of a released dialogue: ``history``, ``session`` and ``instruction``."""
    scores: dict[str, list[float]] = {"history": [], "session": [], "instruction": []}
    for number, session in enumerate(dialogue["sessions"]):
        outputs = output["sessions"][number] if number < len(output["sessions"]) else {}
        for kind in ("history", "session"):
            rules, answers = session[f"{kind}_regex"], outputs.get(f"{kind}_model_output")
            if rules and answers is None:
                raise TogetherError(f"session {number + 1} has rules but no {kind}_model_output", "Give its outputs.")
            every = [mean(score(answer, *rule) for rule in rules) for answer in answers or ()] if rules else []
            scores[kind].append(mean(every))
        pairs = zip(outputs.get("instruction_model_output") or (), session["session_regex"], strict=False)
        # Each answer by the rule it was asked for; more answers or rules than the other are left out, as published.
        queries = len(session["session_eval_query"])
        alone = [score(answer, *rule) for answer, rule in list(pairs)[:queries]]
        scores["instruction"].append(mean(alone) if session["session_regex"] else math.nan)
    return scores


def evaluate(dialogues: Mapping[int, Mapping[str, Any]], outputs: Mapping[int, Mapping[str, Any]]) -> dict[str, float]:
    """The published aggregates: mean over dialogues at each session's place first, then over the places.

    Args:
        dialogues: Released dialogues by number.
        outputs: One model's released outputs by number; dialogues without outputs don't count.

    Returns:
        ``short history``, ``long history``, ``session`` and ``instruction``.
    """
    kinds = ("short history", "long history", "session", "instruction")
    places: dict[str, dict[int, list[float]]] = {kind: {} for kind in kinds}
    for number, output in outputs.items():
        scores = dialogue_scores(dialogues[number], output)
        history = "short history" if number <= LAST_SHORT_DIALOGUE else "long history"
        for kind, name in ((history, "history"), ("session", "session"), ("instruction", "instruction")):
            for place, value in enumerate(scores[name]):
                places[kind].setdefault(place, []).append(value)
    return {kind: mean(map(mean, listed.values())) for kind, listed in places.items()}


def _numbered(folder: Path, start: str) -> dict[int, Any]:
    return {
        int(path.stem.removeprefix(start)): json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob(f"{start}*.json"))
    }


def main() -> int:
    """Print the published aggregates for a folder of released dialogues and one of outputs."""
    parser = argparse.ArgumentParser(description="The published aggregates of a model's released outputs.")
    parser.add_argument("dialogues", type=Path, help="folder of dialogue_N.json")
    parser.add_argument("outputs", type=Path, help="folder of output_N.json")
    options = parser.parse_args()
    dialogues, outputs = _numbered(options.dialogues, "dialogue_"), _numbered(options.outputs, "output_")
    if not dialogues or not outputs or outputs.keys() - dialogues.keys():
        print("no pairs of dialogue_N.json and output_N.json in these folders: name the released ones", file=sys.stderr)
        return 2
    for kind, value in evaluate(dialogues, outputs).items():
        print(f"{kind:14} {value:.6f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
