"""Our own rules: what obeys each variant and what only looks like it."""

import pytest

from swe_together.memorycode._rules_model import Submission
from swe_together.memorycode.checker import check

F = "def f(a, b):\n    return a\n"
M = "class A:\n    def f(self, a):\n        pass\n"
LOG = "import logging\nlog = logging.getLogger('x')\n"
DATA = "from dataclasses import dataclass\n"

CASES = [
    ("header-line", "owner", "# Owner: backend\nx = 1", "x = 1\n# Owner: backend"),
    ("header-line", "owner", "# Owner: backend\nx = 1", "# Owner: backend team\nx = 1"),
    ("footer-line", "eof", "x = 1\n# eof\n\n", "x = 1\n# eof\ny = 2"),
    ("module-version", "two", "__version__ = '2.0'", "__version__ = 2.0"),
    ("line-length", "only", f"x = '{'a' * 66}'", f"x = '{'a' * 67}'"),
    ("blank-lines", "one", f"{F}\n# why\n@x\n{F}", f"{F}\n\n{F}"),
    ("blank-lines", "three", f"x = 1\n{F}\n\n\n{F}", f"{F}\n\n\n\n{F}"),
    ("indent", "two", "def f():\n  if a:\n    b = (\n        1)\n", "def f():\n  if a:\n     b = 1\n"),
    ("indent", "tab", "def f():\n\treturn 1\n", "def f():\n    return 1\n"),
    ("quotes", "single", "\"\"\"Doc.\"\"\"\ndef f():\n  \"Doc.\"\n  return 'a' f'{b[\"c\"]}'", 'x = "it\'s"'),
    ("quotes", "double", 'x = rb"a"', 'x = "a" + b\'c\''),
    ("module-order", "top", f"A = 1\n{F}", f"{F}A = 1"),
    ("module-order", "bottom", f"{F}A = 1", f"{F}A = 1\n{F}"),
    ("all-list", "list", f"__all__ = ['f']\n{F}def _g(): pass", f"__all__ = ['f', 'g']\n{F}"),
    ("all-list", "tuple", f"__all__ = ('A', 'f')\n{F}{M}", f"__all__ = ['A', 'f']\n{F}{M}"),
    ("all-list", "list", f"LIMIT = 1\n__all__ = ['LIMIT', 'f']\n{F}", f"LIMIT = 1\n__all__ = ['LIMIT']\n{F}"),
    ("future-annotations", "only", '"""Doc."""\nfrom __future__ import annotations\nimport a', "import a"),
    ("type-alias", "statement", "type A = int", "from typing import TypeAlias\nA: TypeAlias = int"),
    ("type-alias", "annotated", "import typing as t\nA: t.TypeAlias = int", "A: TypeAlias = int"),
    ("type-alias", "new-type", "from typing import NewType\nA = NewType('A', int)", "A = NewType('A', int)"),
    ("import-form", "whole", "from __future__ import annotations\nimport a.b", "import a\nfrom b import c"),
    ("import-form", "names", "from a import b", "import a\nfrom b import c"),
    ("import-ban", "collections", "import math", "from collections.abc import Iterable"),
    ("import-ban", "math", "import mathx", "def f():\n import math as m"),
    ("paths", "pathlib", "from pathlib import Path\nx = Path('.') / 'a'", "import os\nx = os.path.join('a')"),
    ("paths", "os", "import os\nx = os.listdir(os.path.join('a'))", "import os, glob\nx = os.stat(glob.glob('a')[0])"),
    ("constant-names", "k", "K_A = 1", "K_A = 1\nB = 2"),
    ("constant-names", "fixed", "A_FIXED = 1", "FIXED_A = 1"),
    ("argument-case", "camel", "def f(leftItems, x): pass", "def f(left_items, x): pass"),
    ("argument-case", "upper", "def f(LEFT_ITEMS): pass", "def f(LeftItems): pass"),
    ("argument-case", "pascal", "def f(LeftItems): pass", "def f(leftItems): pass"),
    ("attribute-underscore", "leading", "class A:\n def f(self):\n  self._a = 1", "class A:\n a = 1"),
    ("attribute-underscore", "trailing", "class A:\n def f(this):\n  this.a_ = 1", "class A:\n a: int"),
    ("string-format", "percent", "x = '%s' % a", "x = '%s' % f'{a}'"),
    ("string-format", "format", "x = 'a {}'.format(b) + 'c'.format(d)", "x = 'a' + b"),
    ("string-format", "concat", "x = 'a' + b + 'c'", "x = 'a' + '%s' % b"),
    ("exceptions", "value", "class E(ValueError): pass\ntry: raise E('a')\nexcept E as e: raise e", "raise ValueError"),
    ("exceptions", "lookup", "class E(LookupError): pass\nraise E", "class E(KeyError): pass\nraise E"),
    ("logging", "log-debug", f"{LOG}def f():\n if a: log.debug('x')", f"{LOG}def f():\n log.info('x')"),
    ("logging", "log-debug", f"{LOG}class A:\n def f(self): log.debug('x')", "def f():\n log.debug('x')"),
    ("return-style", "parentheses", "def f(): return (a)", "def f(): return (a) + (b)"),
    ("return-style", "parentheses", "def f(): return (a, b)", "def f(): return a, b"),
    ("return-style", "parentheses", "def f():\n return (\n a\n )  # (", "def f(): return g(a)"),
    ("return-style", "names", "def f(): return a\ndef g(): return", "def f(): return (a)"),
    ("return-style", "names", "def f(): return a", "def f(): return None"),
    ("records", "frozen", f"{DATA}@dataclass(frozen=True, slots=True)\nclass A:\n  a: int",
     f"{DATA}@dataclass(frozen=False)\nclass A:\n  a: int"),
    ("records", "slots", "import dataclasses as d\n@d.dataclass(slots=True)\nclass A: pass\nclass E(Exception): pass",
     "@dataclass(slots=True)\nclass A: pass"),
    ("calling", "positional", "def f(a, b, /, *c): pass", "def f(a, /, b): pass"),
    ("calling", "keyword", "def f(*, a): pass\ndef g(): pass", "def f(a, *, b): pass"),
    ("calling", "after-first", "def f(a, *, b): pass\ndef g(a): pass", "def f(a, b): pass"),
    ("docstring-opening", "task", "def f():\n  'Task: a'", "def f():\n  'A Task: a'"),
    ("docstring-arguments", "google", "def f(a):\n  '''D.\n\n  Args:\n    a: x\n  '''",
     "def f(a):\n  '''a: x\n\n  Args:\n  '''"),
    ("docstring-arguments", "sphinx", "def f(a, *b):\n  '''D.\n  :param a: x\n  :param b: y\n  '''",
     "def f(a, *b):\n  '''D.\n  :param a: x\n  '''"),
    ("docstring-arguments", "numpy", "def f(a):\n  '''D.\n\n  Parameters\n  ----------\n  a : x\n  '''",
     "def f(a):\n  '''D.\n\n  Parameters\n  a : x\n  '''"),
    ("comment-tag", "nb", "# Owner: backend\nx = 1  # NB: y", "x = 1  # NB: y\n# other"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "variant", "good", "bad"), CASES)
def test_code(rule: str, variant: str, good: str, bad: str) -> None:
    (obeyed,) = check(Submission({"shop.py": good}), {rule: variant})
    assert obeyed.met, obeyed.reason
    (broken,) = check(Submission({"shop.py": bad}), {rule: variant})
    assert not broken.met and broken.objects, broken


X, T = {"shop.py": "x = 1"}, "def test_it_is(): pass"
FILE_CASES = [
    ("module-folder", "src", {"src/shop.py": "x = 1", "tests/test_shop.py": T}, {**X, "src/a.py": "x = 1"}),
    ("module-suffix", "impl", {"a/shop_impl.py": "x = 1"}, {"shop_impl.py": "x = 1", **X}),
    ("change-log", "news", {**X, "NEWS.md": "- `shop.py`: new"}, {**X, "CHANGES.md": "- `shop.py`", "NEWS.md": "shop"}),
    ("test-names", "it", {"test_a.py": T}, {"test_a.py": T + "\ndef test_more(): pass"}),
    ("test-names", "it", {"tests/a.py": f"class TestA:\n {T}\ndef helper(): pass"}, {"tests/a.py": "def test(): pass"}),
    ("test-folder", "checks", {"checks/test_a.py": T}, {"checks/test_a.py": T, "test_b.py": T}),
    ("header-line", "status", {"a.py": "# Status: draft", "test_a.py": "# Status: draft"},
     {"a.py": "# Status: draft", "test_a.py": T}),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "variant", "good", "bad"), FILE_CASES)
def test_files(rule: str, variant: str, good: dict[str, str], bad: dict[str, str]) -> None:
    assert check(Submission(good), {rule: variant})[0].met
    assert not check(Submission(bad), {rule: variant})[0].met


@pytest.mark.parametrize(
    ("rule", "variant", "good", "bad"),
    [
        ("commit-prefix", "mod", "[mod] add a shop", "add [mod] a shop"),
        ("commit-trailer", "risk", "add a shop\n\nRisk: low\n", "Risk: low\n\nadd a shop"),
        ("commit-ending", "done", "add a shop (done)\n\nbody", "add a shop\n\nbody (done)"),
    ],
)
def test_commits(rule: str, variant: str, good: str, bad: str) -> None:
    assert check(Submission({}, (good, good)), {rule: variant})[0].met
    assert not check(Submission({}, (good, bad)), {rule: variant})[0].met
    assert not check(Submission({}, ()), {rule: variant})[0].met
