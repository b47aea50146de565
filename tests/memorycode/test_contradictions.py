"""Rules that no code can obey together are found by failing to construct a name."""

import random
import re

import pytest

from swe_together.memorycode._rules_model import ObjectKind
from swe_together.memorycode.contradictions import NAMED, contradictions, witness
from swe_together.memorycode.rules import RULES


@pytest.mark.parametrize(
    ("active", "pairs"),
    [
        ({"p11": "_x", "p45": "only"}, []),  # the digit may stand anywhere
        ({"p06": "a_", "p11": "_b", "p01": "only", "p45": "only"}, []),
        ({"p00": "upper", "p50": "only"}, []),
        ({"p10": "e_", "argument-case": "camel"}, [("p10", "argument-case")]),
        ({"p15": "_e", "argument-case": "upper", "p49": "only"}, [("p15", "argument-case")]),
        ({"p05": "only", "argument-case": "upper"}, [("p05", "argument-case")]),
        ({"p05": "only", "argument-case": "pascal", "p49": "only"}, []),
        ({"p09": "q_", "attribute-underscore": "leading"}, [("p09", "attribute-underscore")]),
        ({"p09": "q_", "attribute-underscore": "trailing"}, []),
        ({"p14": "_q", "attribute-underscore": "trailing"}, [("p14", "attribute-underscore")]),
        ({"p37": "only", "calling": "positional"}, [("p37", "calling")]),
        ({"p38": "only", "calling": "positional"}, []),  # methods, and functions
        ({"p10": "e_", "p11": "_a"}, []),  # arguments, and functions
    ],
)
def test_what_excludes_what(active: dict[str, str], pairs: list[tuple[str, str]]) -> None:
    assert contradictions(active) == pairs


def test_the_published_digit_rule_excludes_every_suffix() -> None:
    """Read as the published checker does, 239 pairs of the released dialogues can't both be met."""
    for suffix, digit in zip(range(11, 16), range(45, 50), strict=True):
        for variant in RULES[f"p{suffix}"].variants:
            active = {f"p{suffix}": variant.id, f"p{digit}": "only"}
            assert contradictions(active, published=True) == [(f"p{suffix}", f"p{digit}")]
            assert contradictions(active) == []


def _obeys(name: str, family: str, value: str) -> bool:
    """The texts once more, as plain predicates."""
    match family:
        case "prefix" | "suffix" | "contains":
            return {"prefix": name.startswith, "suffix": name.endswith, "contains": name.__contains__}[family](value)
        case "digit":
            return len(re.findall(r"\d", name)) == 1
        case "class-case" | "argument-case":
            patterns = {"upper": "[A-Z][A-Z0-9_]*", "snake": "[a-z][a-z0-9_]*", "camel": "[a-zA-Z][A-Za-z0-9]*"}
            return re.fullmatch(patterns.get(value, "[A-Z][A-Za-z0-9]*"), name) is not None
        case "constant-names" | "attribute-underscore":
            return name.startswith(value[:-1]) if value[-1] == "*" else name.endswith(value[1:])
        case _:
            raise AssertionError(family)


def test_a_witness_obeys_all_rules_on_its_kind() -> None:
    rng = random.Random(1)
    for _ in range(300):
        kind = rng.choice(NAMED)
        rules = [r for r in RULES.values() if r.objects == (kind,) and r.family in _FAMILIES]
        active = {r.id: rng.choice(r.variants).id for r in rng.sample(rules, rng.randint(0, len(rules)))}
        name = witness(active, kind)
        assert (name is None) == bool(contradictions(active))
        if name is not None:
            assert name.isidentifier()
            assert all(_obeys(name, RULES[r].family, RULES[r].variant(v).value) for r, v in active.items())


_FAMILIES = {
    "prefix", "suffix", "contains", "digit", "class-case", "argument-case", "constant-names", "attribute-underscore",
}  # fmt: skip


def test_a_kind_without_rules_has_the_shortest_name() -> None:
    assert witness({"indent": "tab"}, ObjectKind.FUNCTION) == "K"
