"""The strict checker: no defect of the published one comes back, and what counts as an object is as decided."""

import time

import pytest

from swe_together.errors import MisuseError
from swe_together.memorycode._code import Code, read
from swe_together.memorycode._rules_model import ObjectKind, RuleResult, Submission
from swe_together.memorycode.checker import check
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.rules import RULES


def judge(code: str, rule: str, variant: str = "only", *, path: str = "shop.py") -> RuleResult:
    """One rule's result for one module, whatever its profile."""
    (result,) = check(Submission({path: code}), {rule: variant})
    return result


def met(code: str, rule: str, variant: str = "only") -> bool:
    return judge(code, rule, variant).met


# --- the twelve defects of the published checker ---------------------------------------------------------------------


def test_defect_1_no_name_takes_long() -> None:
    started = time.perf_counter()
    for tail in ("_", "-", "é"):
        code = f"class A{'a' * 5000}{tail.replace('-', '_')}: pass\n"
        assert not met(code, "p00", "camel")
    assert not met(f"def f({'aB1' * 2000}_): pass\n", "argument-case", "camel")
    assert time.perf_counter() - started < 0.2


def test_defect_2_a_suffix_and_a_digit_can_both_be_met() -> None:
    active = {"p11": "_x", "p45": "only"}
    assert contradictions(active) == []
    assert all(r.met for r in check(Submission({"m.py": "def one1_x(): pass\n"}), active))


def test_defect_3_a_single_digit_is_one_digit_anywhere() -> None:
    assert met("def fo1o(): pass", "p45") and met("def foo1(): pass", "p45")
    assert not met("def foo12(): pass", "p45") and not met("def f1oo2(): pass", "p45")


def test_defect_4_every_rule_with_variants_can_be_updated() -> None:
    assert RULES["p00"].updatable
    stale = check(Submission({"m.py": "class SHOP: pass"}), {"p00": "camel"}, introduced={"p00": ["upper", "camel"]})
    assert (stale[0].met, stale[0].stale) == (False, "upper")


@pytest.mark.parametrize(
    ("good", "bad", "rule", "variant"),
    [
        ("def f(x_a, x_b): pass", "def f(x_a, bad): pass", "p10", "x_"),
        ("def f(x_a, /, x_b, *, x_c): pass", "def f(bad, /, x_b): pass", "p10", "x_"),
        ("def f(x_a, *, x_c): pass", "def f(x_a, *, bad): pass", "p10", "x_"),
        ("def f(*x_args, **x_more): pass", "def f(x_a, *args): pass", "p10", "x_"),
        ("class A:\n def __init__(self):\n  self.q_a = self.q_b = 1", "class A:\n def __init__(self):\n"
         "  self.q_a = 1\n  self.bad = 1", "p09", "q_"),
    ],
)  # fmt: skip
def test_defect_5_all_arguments_and_attributes(good: str, bad: str, rule: str, variant: str) -> None:
    assert met(good, rule, variant)
    assert not met(bad, rule, variant)


def test_defect_6_a_function_without_arguments_breaks_no_argument_rule() -> None:
    both = judge("def f(): pass\ndef g(x_a): pass", "p10", "x_")
    assert both.met and both.objects == 1
    assert judge("def f(*, x_a): pass", "p10", "x_").met
    # Nothing to judge: the rule doesn't apply unless the query promised arguments.
    assert check(Submission({"m.py": "def f(): pass"}), {"p10": "x_"}, profile=()) == []
    assert not judge("def f(): pass", "p10", "x_").met


def test_defect_7_async_from_imports_and_nested_functions() -> None:
    assert not met("async def plain(): pass", "p06", "a_") and met("async def a_f(): pass", "p06", "a_")
    assert not met("class A:\n async def plain(self): pass", "p08", "x_")
    assert met("from secrets import token_hex", "p25") and met("import secrets as s", "p25")
    assert not met("from . import secrets", "p25") and not met("import secretsx", "p25")
    nested = judge("def a_f():\n def helper(): pass\n return helper", "p06", "a_")
    assert nested.met and nested.objects == 1
    assert not met("def a_f():\n class A:\n  def plain(self): pass", "p08", "x_")


def test_defect_8_every_way_to_bind_a_name() -> None:
    for binding in (
        "{}: int = 1", "for {} in []: pass", "with f() as {}: pass", "if ({} := 1): pass", "[1 for {} in []]",
        "x_a, *{} = 1, 2", "({}, x_a), x_b = 1", "{} += 1", "try: pass\n except E as {}: pass",
        "match x_a:\n  case [{}, *_]: pass", "{{1 for x_a, {} in []}}", "async_ = [{} for {} in []]",
    ):  # fmt: skip
        code = "def f():\n " + binding.format(*["bad"] * binding.count("{}"))
        assert not met(code, "p07", "x_"), code
        assert met(code.replace("bad", "x_bad").replace("async_", "x_async"), "p07", "x_"), code
    for binding in ("self.bad: int = 1", "self.bad += 1", "self.q_a, self.bad = 1, 2", "for self.bad in []: pass"):
        code = f"class A:\n def go(self):\n  {binding}"
        assert not met(code, "p09", "q_"), code
        assert met(code.replace("bad", "q_bad"), "p09", "q_"), code
    assert not met("class A:\n bad: int = 1", "p09", "q_")


def test_defect_9_deep_statements_count_and_a_hash_in_text_is_no_comment() -> None:
    for statement, rules in (("try: pass\n   except E: pass", ("p19", "p18")), ("assert a", ("p21", "p20"))):
        assert met(f"def f(a):\n if a:\n  with a:\n   {statement}", rules[0])
        assert not met(f"def f(a):\n  def g():\n   {statement}", rules[0])
        assert met(f"class A:\n def f(self, a):\n  if a:\n   {statement}", rules[1])
    assert not met("x = '# no comment'", "p24") and not met('"""\n# no comment\n"""', "p24")
    assert met("x = 1  # a comment", "p24") and not met("#!/usr/bin/python3\nx = 1", "p24")


def test_defect_10_every_annotation_and_where_a_decorator_comes_from() -> None:
    assert met("def f(a: int, /, b: int, *c: int, d: int, **e: int) -> None: pass", "p16")
    for bad in ("a: int, b", "a, b: int", "a: int, *b", "a: int, *, b", "a: int, **b"):
        assert not met(f"def f({bad}) -> None: pass", "p16"), bad
    assert not met("def f(a: int): pass", "p16")
    assert met("class A:\n def f(self, a: int) -> int: pass", "p17")
    assert not met("class A:\n @staticmethod\n def f(this, a: int) -> int: pass", "p17")
    for good in (
        "from pedantic import retry\n@retry", "from pedantic import retry as r\n@r(attempts=2)",
        "import pedantic\n@pedantic.retry", "import pedantic as p\n@p.retry()", "from pedantic.x import retry\n@retry",
    ):  # fmt: skip
        assert met(f"{good}\ndef f(): pass", "p31"), good
    for bad in ("@retry", "from other import retry\n@retry", "import pedantic\n@pedantic.trace", "import pedantic"):
        assert not met(f"{bad}\ndef f(): pass", "p31"), bad


def test_defect_11_absence_fails_where_the_query_promised_an_object() -> None:
    empty = Submission({"shop.py": "x = 1\n"})
    for rule in ("p06", "p16", "p19", "p21", "p23", "p31"):
        variant = RULES[rule].variants[0].id
        (result,) = check(empty, {rule: variant}, profile=[ObjectKind.FUNCTION])
        assert (result.met, result.objects) == (False, 0) and "no function" in result.reason
        assert check(empty, {rule: variant}, profile=[ObjectKind.CLASS]) == []
    assert [r.met for r in check(Submission({}), {"p24": "only", "header-line": "owner"}, profile=())] == []
    assert not any(r.met for r in check(Submission({}), {"p24": "only", "commit-prefix": "feat"}))


def test_defect_12_a_file_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    build = Code.__init__
    monkeypatch.setattr(Code, "__init__", lambda self, path, text: (parsed.append(path), build(self, path, text))[1])
    read.cache_clear()
    active = {rule.id: rule.variants[0].id for rule in RULES.values()}
    submission = Submission({"shop.py": "def once(): pass\n"})
    for _ in range(3):
        check(submission, active, introduced={rule.id: [v.id for v in rule.variants] for rule in RULES.values()})
    assert parsed == ["shop.py"]


# --- what counts -----------------------------------------------------------------------------------------------------


def test_nothing_is_executed() -> None:
    met("import sys\nsys.exit(9)\nraise SystemExit", "p24")


def test_dunders_loggers_aliases_and_constants_are_no_variables() -> None:
    code = (
        "import logging\nfrom typing import NewType, TypeAlias\n__all__ = []\nLIMIT = 3\nlog = logging.getLogger('a')\n"
        "type Row = list\nRows: TypeAlias = list\nUser = NewType('User', int)\nclass A:\n __slots__ = ()\n"
        "def f():\n x_a = _ = 1\n"
    )
    result = judge(code, "p07", "x_")
    assert result.met and result.objects == 1
    assert not met(code + "other = 2\n", "p07", "x_")
    assert not met("LIMIT = 3\ndef f():\n  BAD = 1\n", "p07", "x_")


def test_dunder_methods_are_no_methods_and_properties_are() -> None:
    code = "class A:\n def __len__(self): pass\n @property\n def {}(self): pass\n @staticmethod\n def x_b(): pass"
    assert judge(code.format("x_a"), "p08", "x_").objects == 2
    assert not met(code.format("plain"), "p08", "x_")


def test_code_under_a_condition_counts() -> None:
    assert not met("try:\n import a\nexcept E:\n def plain(): pass", "p06", "a_")
    assert not met("class A:\n if a:\n  def plain(self): pass", "p08", "x_")


def test_acronyms_are_camel_case() -> None:
    assert met("class LRUCache: pass", "p00", "camel") and met("class Aa1B: pass", "p00", "camel")
    for bad in ("Lru_Cache", "lruCache", "LRU_CACHE", "PCA2"):
        assert not met(f"class {bad}: pass", "p00", "camel"), bad


def test_code_that_does_not_parse_meets_nothing_but_commit_rules() -> None:
    broken = Submission({"a.py": "def f(:\n", "b.py": "def a_f(): pass"}, ("feat: x",))
    results = {r.rule: r for r in check(broken, {"p06": "a_", "commit-prefix": "feat", "header-line": "owner"})}
    assert "a.py doesn't parse" in results["p06"].reason and not results["header-line"].met
    assert results["commit-prefix"].met
    assert not met("(" * 5000, "p24") and not met("\0", "p24")


def test_all_modules_count_tests_are_apart() -> None:
    files = {"a.py": "def a_f(): pass", "tests/test_a.py": "def test_plain(): pass", "b_test.py": "def g(): pass"}
    assert check(Submission(files), {"p06": "a_"})[0].objects == 1
    files |= {"src/b.py": "def plain(): pass", "src/__init__.py": "", "notes.txt": "def ("}
    assert not check(Submission(files), {"p06": "a_"})[0].met


def test_stale_is_the_latest_earlier_variant_that_is_obeyed() -> None:
    answer = Submission({"m.py": "def b_f(): pass"})
    order = {"p06": ["b_", "c_", "a_"]}
    (result,) = check(answer, {"p06": "a_"}, introduced=order)
    assert (result.met, result.stale) == (False, "b_")
    assert check(answer, {"p06": "b_"}, introduced={"p06": ["a_", "b_"]})[0].stale is None
    assert check(answer, {"p06": "a_"}, introduced={"p06": ["c_", "a_"]})[0].stale is None
    mixed = Submission({"m.py": "def b_f(): pass\ndef a_g(): pass"})
    assert check(mixed, {"p06": "a_"}, introduced=order)[0].stale is None
    nothing = Submission({"m.py": "x = 1"})
    assert check(nothing, {"p06": "a_"}, introduced=order)[0].stale is None
    both = Submission({"m.py": "def f(a):\n '''D.\n\n Args:\n  a: x\n  :param a: x\n '''"})
    for first, second in (("google", "sphinx"), ("sphinx", "google")):
        told = {"docstring-arguments": [first, second, "numpy"]}
        assert check(both, {"docstring-arguments": "numpy"}, introduced=told)[0].stale == second
    with pytest.raises(MisuseError, match="no variant 'zz'"):
        check(answer, {"p06": "a_"}, introduced={"p06": ["zz", "a_"]})
