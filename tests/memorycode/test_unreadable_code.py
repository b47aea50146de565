"""Code that nobody can read: every verdict comes, in time, and what is too long fails like what doesn't parse."""

import time

import pytest

from swe_together.memorycode._code import LONGEST_LINE, MOST_CHARACTERS
from swe_together.memorycode._rules_model import Submission
from swe_together.memorycode.checker import check
from swe_together.memorycode.rules import RULES

EVERYTHING = {rule.id: rule.variants[-1].id for rule in RULES.values()}
TOLD = {rule.id: [variant.id for variant in rule.variants] for rule in RULES.values()}


@pytest.mark.parametrize(
    "code",
    [
        "(" * 100_000, "-" * 9_000 + "1", "not " * 2_000 + "x", "x" + ".a" * 4_000, "x" + "()" * 4_000,
        "lambda: " * 1_000 + "1",
        "[" * 150 + "]" * 150, "f(" * 100 + ")" * 100, "f'{" * 100 + "1" + "}'" * 100, "a if b else " * 800 + "c",
        "if a:\n pass\n" + "elif a:\n pass\n" * 9_000,
        "".join(" " * n + "if a:\n" for n in range(98)) + " " * 98 + "pass",
        "def f(", "'''", "f'{", "\\", "\0", "\ufeff\ufeff", "\x0c", "@", "match x:\n case", "type X",
        "\t\n \n\t", "async x", "٣ = 1",
        "x = 1\\", "\r", "# \udcff", "",
    ],
)  # fmt: skip
def test_anything_gets_a_verdict(code: str) -> None:
    """No code ends the checker, whatever it holds, and none of these obeys everything."""
    results = check(Submission({"shop.py": code}, ("m",)), EVERYTHING, introduced=TOLD)
    assert len(results) == len(RULES)
    assert sum(not result.met for result in results) > 60


def test_what_is_too_long_is_not_read_and_fails() -> None:
    fits, line = "x = 1\n" * 30_000 + "# why\n", f"x = '{'a' * LONGEST_LINE}'\n# why\n"
    assert check(Submission({"a.py": fits}), {"p24": "only"})[0].met
    for files in ({"a.py": fits, "b.py": fits}, {"a.py": line}, {"a.py": "# a\n" * MOST_CHARACTERS}):
        (result,) = check(Submission(files), {"p24": "only"})
        assert not result.met
        assert "anybody" in result.reason or "too many" in result.reason
    assert check(Submission({"a.py": line}, ("feat: a",)), {"commit-prefix": "feat"})[0].met


def repeated(pattern: str, size: int = MOST_CHARACTERS - 5_000) -> str:
    """Lines of the pattern with a number in place of ``#``, up to a size."""
    lines: list[str] = []
    while size > 0:
        lines.append(pattern.replace("#", str(len(lines))))
        size -= len(lines[-1])
    return "".join(lines)


LARGE = {
    "a chain of heirs": "".join(f"class A{n}(A{n + 1}): pass\n" for n in range(7_000))
    + "class A7000(ValueError): pass\n",
    "raises of variables": "class E(ValueError): pass\n" + "e = E()\n" * 6_000 + "raise e\n" * 6_000,
    "constants and functions": repeated("A#=1\ndef f#(): pass\n"),
    "arguments and their docstring": "def f(" + ",\n".join(f"a{n}" for n in range(9_000)) + "):\n '''Args:\n"
    + "".join(f"  a{n}: x\n" for n in range(8_500)) + " '''\n",
    "names in __all__": "__all__ = [\n" + repeated("'f#',\n", 90_000) + "]\n" + repeated("def f#(): 0\n", 90_000),
    "long lines": ("a;" * 4_900 + "\n") * 6,
    "long sums": ("x = " + "'a'+b+" * 150 + "1\n") * 80,
    "long dotted names": ("a" + ".a" * 180 + "\n") * 250 + "import a\n",
    "returns": "def f():\n" + " return (1)\n" * 15_000,
    "comments": "# x\n" * 45_000,
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_large_code_takes_time_in_proportion(name: str) -> None:
    """Each took minutes, or all memory, if something grew with the square of the size."""
    started = time.process_time()
    check(Submission({"shop.py": LARGE[name]}, ("m",)), EVERYTHING, introduced=TOLD)
    assert time.process_time() - started < 20


def test_no_expression_backtracks() -> None:
    names = ["A" + "a" * 5_000 + "_", "aB1" * 1_600 + "_", "A1" * 2_000 + "é", "_" * 4_000 + "a", "A" * 5_000 + "a_"]
    classes = Submission({"shop.py": "".join(f"class {name}: pass\n" for name in names)})
    arguments = Submission({"shop.py": "".join(f"def f({name}): pass\n" for name in names)})
    check(classes, {"p50": "only"}), check(arguments, {"p49": "only"})  # read once, so that the rules alone are timed
    for submission, rule in ((classes, "p00"), (classes, "p50"), (arguments, "argument-case"), (arguments, "p49")):
        for variant in RULES[rule].variants:
            started = time.process_time()
            check(submission, {rule: variant.id})
            assert time.process_time() - started < 0.01
