"""Published verdicts, made by hand for every published rule, beside the strict verdict and why they differ.

A case: code; the published score (1, 0, None: unscored); the strict one (True, False, None: doesn't apply); and, where
they differ, the name of the difference as docs/memorycode.md lists it.
"""

import math
import time
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import MisuseError, TogetherError
from swe_together.memorycode import compat
from swe_together.memorycode._rules_model import Rule, Submission
from swe_together.memorycode.checker import check
from swe_together.memorycode.rules import RULES

DOCS = Path(__file__).parents[2] / "docs" / "memorycode.md"
type Case = tuple[str, float | None, bool | None, str]

NAMES = {
    "function": [
        ("def {good}(): pass", 1, True, ""),
        ("def {good}(): pass\ndef plain(): pass", 0, False, ""),
        ("class A: pass", None, None, ""),
        ("async def plain(): pass", None, False, "async"),
        ("def {good}():\n def plain(): pass", 0, True, "nested"),
        ("def {good}(): pass\ndef __getattr__(a): pass", 0, True, "dunder"),
        ("def {good}(:", 0, None, "syntax"),
    ],
    "variable": [
        ("def f():\n {good} = 1", 1, True, ""),
        ("def f():\n {good}, plain = 1, 2", 0, False, ""),
        ("def f():\n {good}: int = 1\n plain += 1", 1, False, "bindings"),
        ("for plain in []: pass", None, False, "bindings"),
        ("{good} = [plain for plain in []]", 1, False, "bindings"),
        ("LIMIT = 1\n{good} = 2", 0, True, "constants"),
        ("import logging\nlog = logging.getLogger()\n__all__ = []\n{good} = 2", 0, True, "constants"),
        ("def f():\n {good}, _ = 1, 2\n _ = 3", 0, True, "constants"),
        ("class A:\n plain = 1\n def f(self):\n  {good} = 1", 0, True, "class-body"),
        ("{good}, *plain = 1, 2", 1, False, "bindings"),
        ("try: pass\nexcept E as plain: {good} = 1", 1, False, "bindings"),
    ],
    "method": [
        ("class A:\n def {good}(self): pass", 1, True, ""),
        ("class A:\n def {good}(self): pass\n def plain(self): pass", 0, False, ""),
        ("class A:\n def __init__(self): pass", None, None, ""),
        ("class A:\n def __len__(self): pass\n def {good}(self): pass", 1, True, ""),
        ("class A:\n async def plain(self): pass", None, False, "async"),
        ("class A:\n def {good}(self):\n  def plain(): pass", 0, True, "nested"),
        ("class A:\n def __plain(self): pass", None, False, "private"),
    ],
    "attribute": [
        ("class A:\n def __init__(self):\n  self.{good} = 1", 1, True, ""),
        ("class A:\n def __init__(self):\n  self.plain = 1\n  self.{good} = 2", 0, False, ""),
        ("class A:\n def __init__(self):\n  self.{good} = 1\n  self.plain = 2", 1, False, "first"),
        ("class A:\n def __init__(self):\n  self.{good}: int = 1", 0, True, "attributes"),
        ("class A:\n def __init__(self):\n  pass", 0, None, "none"),
        ("class A:\n def f(self):\n  self.plain = 1", None, False, "attributes"),
        ("class A:\n plain = 1", None, False, "class-body"),
    ],
    "argument": [
        ("def f({good}): pass", 1, True, ""),
        ("def f(plain, {good}): pass", 0, False, ""),
        ("def f({good}, plain): pass", 1, False, "first"),
        ("def f(): pass", 0, None, "none"),
        ("def f(*, {good}): pass", 0, True, "arguments"),
        ("def f({good}, *plain): pass", 1, False, "arguments"),
        ("class A:\n def f(self, plain): pass", None, None, ""),
        ("def __getattr__(plain): pass", 0, None, "dunder"),
    ],
    "class": [
        ("class {good}: pass", 1, True, ""),
        ("class {good}: pass\nclass plain_Name: pass", 0, False, ""),
        ("def f(): pass", None, None, ""),
        ("def f():\n class {good}: pass", 1, True, ""),
    ],
}  # fmt: skip
DIGITS = {
    "function": [("def f12(): pass", 1, False, "digit"), ("def f1o(): pass", 0, True, "digit")],
    "variable": [("a12 = 1", 1, False, "digit"), ("a1b = 1", 0, True, "digit")],
    "method": [
        ("class A:\n def f12(self): pass", 1, False, "digit"),
        ("class A:\n def f1o(self): pass", 0, True, "digit"),
    ],
    "attribute": [
        ("class A:\n def __init__(self):\n  self.a12 = 1", 1, False, "digit"),
        ("class A:\n def __init__(self):\n  self.a1b = 1", 0, True, "digit"),
    ],
    "argument": [("def f(a12): pass", 1, False, "digit"), ("def f(a1b): pass", 0, True, "digit")],
    "class": [("class A12: pass", 1, False, "digit"), ("class A1b: pass", 0, True, "digit")],
}  # fmt: skip
CLASS_CASES = {
    "upper": [
        ("class SHOP_2: pass", 1, True, ""), ("class SHOp: pass", 0, False, ""), ("x = 1", None, None, ""),
        ("class A: pass", 1, True, ""),
    ],
    "camel": [
        ("class ShopItem2: pass", 1, True, ""), ("class Shop_Item: pass", 0, False, ""), ("x = 1", None, None, ""),
        ("class LRUCache: pass", 0, True, "acronyms"), ("class A: pass", 1, True, ""),
        ("class A2B: pass", 1, False, "acronyms"),
    ],
    "snake": [
        ("class shop_item: pass", 1, True, ""), ("class Shop: pass", 0, False, ""), ("x = 1", None, None, ""),
        ("class _shop: pass", 1, False, "underscores"),
    ],
}  # fmt: skip
BODIES = {
    "annotation": [
        ("def f({self}a: int) -> int: pass", 1, True, ""),
        ("def f({self}a, b): pass", 0, False, ""),
        ("def f({self}a: int, b): pass", 1, False, "annotations"),
        ("def f({self}*, a: int) -> None: pass\ndef g({self}*, a: int): pass", 0, False, ""),
        ("def f({self}) -> int: pass", 1, True, ""),
    ],
    "try": [
        ("def f({self}a):\n try: pass\n finally: pass", 1, True, ""),
        ("def f({self}a): pass", 0, False, ""),
        ("def f({self}a):\n if a:\n  try: pass\n  finally: pass", 0, True, "deep"),
        ("def f({self}a):\n try: pass\n finally: pass\ndef g({self}a): pass", 0, False, ""),
        ("def f({self}a):\n try: pass\n except* E: pass", 0, True, "group"),
    ],
    "assert": [
        ("def f({self}a):\n assert a", 1, True, ""),
        ("def f({self}a): pass", 0, False, ""),
        ("def f({self}a):\n for b in a:\n  assert b", 0, True, "deep"),
        ("def f({self}a):\n assert a\ndef g({self}a): pass", 0, False, ""),
    ],
    "docstring": [
        ("def f({self}a):\n 'Doc.'", 1, True, ""),
        ("def f({self}a): pass", 0, False, ""),
        ("def f({self}a):\n ''", 0, False, ""),
        ("def f({self}a):\n 'Doc.'\ndef g({self}a): pass", 0, False, ""),
    ],
}  # fmt: skip
COMMENTS = [
    ("x = 1  # why", 1, True, ""), ("x = 1", 0, False, ""), ("x = '# no'", 1, False, "hash"),
    ("#!/usr/bin/python3\nx = 1", 1, False, "hash"), ("", 0, None, "none"), ("x = 1  # noqa", 1, False, "hash"),
]  # fmt: skip
IMPORTS = [
    ("import {name}", 1, True, ""), ("import other", 0, False, ""), ("from {name} import a", 0, True, "from"),
    ("import {name} as x", 1, True, ""), ("import {name}.sub", 0, False, ""),
]  # fmt: skip
DECORATORS = [
    ("from pedantic import {name}\n@{name}\n{object}", 1, True, ""),
    ("from pedantic import {name}\n{object}", 0, False, ""),
    ("@{name}\n{object}", 1, False, "origin"),
    ("import pedantic\n@pedantic.{name}()\n{object}", 1, True, ""),
    ("from pedantic import {name} as d\n@d\n{object}", 0, True, "origin"),
    ("from pedantic import {name}\n@{name}\n{object}\n{object}", 0, False, ""),
]  # fmt: skip


def _in_class(code: str) -> str:
    """The definitions of a snippet as methods; lines that start otherwise stay outside."""
    lines = code.split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith(("def", "@")))
    return "\n".join([*lines[:first], "class A:", *(f" {line}" for line in lines[first:])])


def cases_of(rule: Rule, value: str) -> list[Case]:
    """The hand-made cases of one variant of a published rule."""
    (kind,) = rule.objects
    match rule.family:
        case "class-case":
            return CLASS_CASES[value]
        case "contains" | "prefix" | "suffix" | "digit":
            parts = {"contains": "a{}b", "prefix": "{}ab", "suffix": "ab{}", "digit": "ab1"}
            good = parts[rule.family].format(value)
            made = [(code.replace("{good}", good), p, s, why) for code, p, s, why in NAMES[kind]]
            return made + (DIGITS[kind] if rule.family == "digit" else [])
        case "comment":
            return COMMENTS
        case "import":
            return [(code.format(name=value), p, s, why) for code, p, s, why in IMPORTS]
        case "decorator":
            body = {"function": "def f(): pass", "method": "def f(self): pass", "class": "class A: pass"}[kind]
            made = [(code.format(name=value, object=body), p, s, why) for code, p, s, why in DECORATORS]
            made = [(_in_class(c), p, s, why) for c, p, s, why in made] if kind == "method" else made
            dunder = [("def __getattr__(a): pass", 0, None, "dunder")] if kind == "function" else []
            return [*made, *dunder, ("x = 1", None, None, "")]
        case family:
            method = kind == "method"
            made = [
                (code.replace("{self}", "self, " if method else ""), p, s, why) for code, p, s, why in BODIES[family]
            ]
            made = [(_in_class(c), p, s, why) for c, p, s, why in made] if method else made
            return [
                *made,
                ("x = 1", None, None, ""),
                *([] if method else [("async def f(a): pass", None, False, "async")]),
                *([] if method else [("def __getattr__(a): pass", 0, None, "dunder")]),
            ]


ALL = [
    pytest.param(rule, variant.id, case, id=f"{rule.id}-{variant.id}-{number}")
    for rule in RULES.values()
    if rule.published
    for variant in rule.variants
    for number, case in enumerate(cases_of(rule, variant.value))
]


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.published], ids=lambda rule: rule.id)
def test_at_least_four_cases_with_both_verdicts(rule: Rule) -> None:
    for variant in rule.variants:
        cases = cases_of(rule, variant.value)
        assert len({code for code, *_ in cases}) >= 4
        assert {1, 0} <= {published for _, published, *_ in cases}


@pytest.mark.parametrize(("rule", "variant", "case"), ALL)
def test_published_and_strict_verdict(rule: Rule, variant: str, case: Case) -> None:
    code, published, strict, why = case
    assert compat.compat_check(f"Here it is:\n```python\n{code}\n```\nDone.", {rule.id: variant}) == {
        rule.id: published
    }
    results = check(Submission({"shop.py": code} if code else {}), {rule.id: variant}, profile=())
    assert (results[0].met if results else None) == strict
    assert bool(why) == ((None if published is None else bool(published)) != strict), "a difference, and its name"


def test_the_document_lists_exactly_the_differences() -> None:
    section = DOCS.read_text(encoding="utf-8").split("### Differences to the strict checker", 1)[1].split("\n## ", 1)[0]
    listed = {line.split("`")[1] for line in section.splitlines() if line.startswith("| `")}
    assert listed == {case.values[2][3] for case in ALL} - {""}  # type: ignore[index]


# --- the rest of the published program -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("a\n```python\nx = 1\n```\n```python\ny = 2\n```", "x = 1\n"),
        ("```\nx = 1\n```", "\nx = 1\n"),
        ("```py\nx = 1\n```", "py\nx = 1\n"),
        ("```python\nx = 1", "```python\nx = 1"),
        ("```\na\n```\n```python\nb\n```", "b\n"),
        ("x = 1", "x = 1"),
    ],
)
def test_which_code_is_looked_at(output: str, code: str) -> None:
    from swe_together.memorycode._published_objects import code_of

    assert code_of(output) == code


def test_the_exponential_expression_is_linear() -> None:
    for length in (24, 5000):
        started = time.perf_counter()
        assert compat.compat_check(f"class A{'a' * length}_: pass", {"p00": "camel"}) == {"p00": 0.0}
        assert compat.compat_check(f"class A{'a' * length}B: pass", {"p00": "camel"}) == {"p00": 1.0}
        assert time.perf_counter() - started < 0.01


@pytest.mark.parametrize(
    "name", ["A", "Ab", "A1", "AB", "ABc", "AbC", "AbCD", "A1B", "a", "Ab_", "_A", "AbcDEf1", "Á", "A٣b"]
)
def test_the_linear_expression_reads_the_same_names(name: str) -> None:
    import re

    pattern = str(compat.published_form(RULES["p00"], RULES["p00"].variant("camel"))[1])
    assert compat.score(f"class {name}: pass", "class", pattern) == float(bool(re.match(pattern, name)))


def test_forms_and_misuse() -> None:
    assert compat.published_form(RULES["p10"], RULES["p10"].variant("e_")) == ("function argument", "^e_.*")
    assert compat.published_form(RULES["p38"], RULES["p38"].variant("only")) == (
        "method decorator",
        ["require_kwargs", True],
    )
    assert compat.score("def f(): pass", "function try", False) == 1.0
    assert compat.score("import a", "import", ["b", False]) == 1.0
    with pytest.raises(MisuseError, match="no published form"):
        compat.compat_check("x", {"indent": "tab"})
    with pytest.raises(MisuseError, match="of no published instruction"):
        compat.score("def f(): pass", "function", "(a+)+$")
    with pytest.raises(MisuseError, match="no object 'lambda'"):
        compat.score("def f(): pass", "lambda", True)


def _dialogue(*sessions: tuple[list[Any], list[Any]]) -> dict[str, Any]:
    return {
        "sessions": [
            {"session_regex": told, "history_regex": all_told, "session_eval_query": ["q"] * len(told)}
            for told, all_told in sessions
        ]
    }


PREFIX, DOC = ["function", "^a_.*"], ["function docstring", True]
GOOD, PLAIN, NONE = "def a_f():\n 'Doc.'", "def f():\n 'Doc.'", "x = 1"


def _outputs(*sessions: tuple[list[str], list[str], list[str]]) -> dict[str, Any]:
    keys = ("instruction_model_output", "session_model_output", "history_model_output")
    return {"sessions": [dict(zip(keys, session, strict=True)) for session in sessions]}


def test_scores_of_a_dialogue() -> None:
    dialogue = _dialogue(([], []), ([PREFIX, DOC], [PREFIX, DOC]))
    output = _outputs(([], [], []), ([GOOD, NONE], [GOOD, PLAIN], [PLAIN, NONE]))
    scores = compat.dialogue_scores(dialogue, output)
    assert all(math.isnan(scores[kind][0]) for kind in scores)
    assert scores["instruction"][1] == 1.0  # the second is unscored, and left out
    assert scores["session"][1] == pytest.approx(0.75)
    assert scores["history"][1] == pytest.approx(0.5)  # NONE has nothing to score, and is left out
    with pytest.raises(TogetherError, match="session 1 has rules but no history_model_output"):
        compat.dialogue_scores(_dialogue(([PREFIX], [PREFIX])), {"sessions": [{}]})


def test_places_are_averaged_before_the_mean() -> None:
    """Three dialogues: the second place has one dialogue and weighs as much as the first with three."""
    one, two = _dialogue(([PREFIX], [PREFIX])), _dialogue(([PREFIX], []), ([PREFIX], [PREFIX]))
    good, bad = ([GOOD], [GOOD], [GOOD]), ([PLAIN], [PLAIN], [PLAIN])
    found = compat.evaluate({1: one, 2: one, 211: two}, {1: _outputs(bad), 2: _outputs(good), 211: _outputs(bad, good)})
    assert found["session"] == pytest.approx((1 / 3 + 1) / 2)
    assert found["short history"] == pytest.approx(0.5)
    assert found["long history"] == 1.0
    assert math.isnan(compat.evaluate({1: one}, {1: _outputs(([NONE], [NONE], [NONE]))})["instruction"])


def test_the_command_prints_the_aggregates(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    import json

    monkeypatch.setattr("sys.argv", ["compat", str(tmp_path), str(tmp_path)])
    assert compat.main() == 2 and "name the released ones" in capsys.readouterr().err
    (tmp_path / "dialogue_7.json").write_text(json.dumps(_dialogue(([PREFIX], [PREFIX]))))
    (tmp_path / "output_7.json").write_text(json.dumps(_outputs(([GOOD], [PLAIN], [GOOD]))))
    assert compat.main() == 0
    printed = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert printed == {
        "short history": "1.000000",
        "long history": "nan",
        "session": "0.000000",
        "instruction": "1.000000",
    }
