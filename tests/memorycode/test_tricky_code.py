"""Code that is easily misread: each case is what a rule's text says, not what a shortcut would find."""

import pytest

from swe_together.memorycode._rules_model import ObjectKind, Submission
from swe_together.memorycode.checker import check

LOG = "import logging\nlog = logging.getLogger('x')\n"
E = "class E(ValueError): pass\n"

GOOD_AND_BAD = [
    # Files as editors and tools leave them.
    ("header-line", "owner", "\ufeff# Owner: backend\r\nx = 1\r\n", "\ufeffx = 1\r\n# Owner: backend\r\n"),
    ("line-length", "only", f"x = '{'a' * 66}'\r\n", f"x = '{'a' * 67}'\r\n"),
    ("p24", "only", "x = 1\r# why\ry = 2", "x = 1  # noqa: E501\ny = 2  # type: ignore"),
    ("p24", "only", "x = 1\n\x0c\n# why", "# -*- coding: utf-8 -*-\nx = 1"),
    ("comment-tag", "nb", "# NB: why\nx = f()  # type: ignore", "# why\nx = f()  # type: ignore"),
    # Parentheses that hold a value, and those that hold a part of one.
    ("return-style", "parentheses", "def f(): return ((a), b)", "def f(): return (a), b"),
    ("return-style", "parentheses", "def f(): return (a for a in b)", "def f(): return (a)(b)"),
    ("return-style", "parentheses", "def f(): return (f'{a});')", "def f(): return (a) if b else (c)"),
    ("return-style", "parentheses", "def f():\n if é: return (a)  # (\n return", "def f(): return (a).b"),
    ("return-style", "parentheses", "def f(): return (yield a)", "def f(): return f';{a}'"),
    ("return-style", "names", "def f():\n é = 'é'; return é", "def f(): return a.b"),
    ("return-style", "names", "def f(): return a; b", "def f(): return a,"),
    # Ways to call.
    ("calling", "keyword", "def f(*, a, **b): pass", "def f(*args): pass"),
    ("calling", "positional", "def f(a, /, *b): pass", "def f(a, /, **b): pass"),
    ("calling", "after-first", "def f(a, *, b, **c): pass", "def f(a, *b, c): pass"),
    ("calling", "after-first", "def f(a): pass", "def f(*, a): pass"),
    # What a function does is done when it is called.
    ("logging", "log-debug", f"{LOG}def f():\n g = [log.debug('x') for _ in a]",
     f"{LOG}def f(): return lambda: log.debug('x')"),
    ("logging", "log-debug", f"{LOG}async def f(): log.debug('x')", f"{LOG}def f(): other.log.debug('x')"),
    # Exceptions by another way.
    ("exceptions", "value", f"{E}def f():\n error = E('x')\n raise error",
     "def f():\n error = TypeError()\n raise error"),
    ("exceptions", "value", f"{E}def f():\n error = E('x')\n raise error",
     f"{E}try: pass\nexcept E as error: pass\nerror = TypeError()\nraise error"),
    ("exceptions", "value", "class A:\n class E(ValueError): pass\n def f(self): raise self.E('x')",
     "import a\nclass E(ValueError): pass\nraise a.E"),
    ("exceptions", "value", "import builtins\nclass E(builtins.ValueError): pass\nraise E from None",
     "import a\nclass E(a.ValueError): pass\nraise E"),
    ("exceptions", "value", f"{E}try: raise E\nexcept E as e: raise e.with_traceback(None)",
     f"{E}class F(E): pass\nraise F"),
    # Records, and classes that hold no values of an instance's own.
    ("records", "frozen", "import enum\nfrom dataclasses import dataclass\nclass C(enum.Enum): A = 1\n"
     "@dataclass(frozen=True)\nclass D: a: int", "from typing import NamedTuple\nclass C(NamedTuple): a: int"),
    ("records", "slots", "from dataclasses import *\n@dataclass(slots=True)\nclass D: a: int",
     "class D:\n def __init__(self): pass"),
    # Values in text by way of names.
    ("string-format", "percent", "T = 'a %s'\nx = T % y", "T = 'a {}'\nx = T.format(y)"),
    ("string-format", "percent", "def f(n): return 'a%s' % (n % 2)", "x = '{a}'.format_map(b)"),
    ("string-format", "format", "x = '-' * 40 + '\\n' + '{}'.format(y)", "x = name + str(number)"),
    ("string-format", "format", "T: str = '{}'\nx = T.format(y)", "T: str = 'a'\nx = T + y"),
    ("string-format", "concat", "x = 'a' + b", "import a\nx = 'a' + f'{b}'"),
    # Decorators and imports under other names.
    ("p38", "only", "from pedantic import *\nclass A:\n @require_kwargs\n def f(self): pass",
     "from pedantic import *\ndef require_kwargs(f): return f\nclass A:\n @require_kwargs\n def f(self): pass"),
    ("p39", "only", "import pedantic as p\nt = p.timer\n@t\ndef f(): pass",
     "import other as p\nt = p.timer\n@t\ndef f(): pass"),
    ("import-ban", "math", "import mathematics\nfrom .math import x", "x = __import__('math').pi"),
    ("import-ban", "math", "import importlib\nimportlib.import_module(name)",
     "import importlib as i\ni.import_module('math.x')"),
    ("paths", "pathlib", "import os\nfrom pathlib import Path\nx = Path(os.environ['A'])",
     "import os\nfrom pathlib import Path\nPath('a')\nos.unlink('a')"),
    ("paths", "pathlib", "from pathlib import Path as path\npath('a').joinpath('b')",
     "import os\np = os.path\np.join('a', 'b')"),
    ("paths", "os", "from os.path import *\njoin('a', 'b')", "import pathlib\nP = pathlib.Path\nP('a')"),
    # Names that Python chose, and names of types.
    ("p06", "a_", "def __getattr__(name): pass\ndef a_f(): pass", "def __getattr__(name): pass\ndef f__(): pass"),
    ("p07", "x_", "def f():\n type Row = int\n x_a = 1", "def f():\n Row = int\n x_a = 1"),
    ("p07", "x_", "def f[T](a: T, /, *b, c=lambda d: d):\n x_a: T = a", "def f(): return [(bad := 1) for x_a in b]"),
    ("p09", "q_", "class A:\n def f(self):\n  def g(): self.q_a = 1",
     "class A:\n def f(self):\n  def g(): self.bad = 1"),
    ("p08", "x_", "class A:\n class B:\n  def x_f(self): pass", "class A:\n class B:\n  def f(self): pass"),
    # Lists of names.
    ("all-list", "list", "type N = int\n__all__ = ['N', 'f']\ndef f(): pass", "__all__ = ['N', 'f']\ndef f(): pass"),
    ("all-list", "tuple", "try:\n import a\nexcept ImportError:\n def f(): pass\n__all__ = ('f',)",
     "if a:\n class B: pass\n__all__ = ('f',)\ndef f(): pass"),
    # Docstrings.
    ("docstring-arguments", "google", "def f(a, *b, **c):\n '''D.\n\n Args:\n  a: x\n  *b: y\n  **c: z\n '''",
     "def f(a, b):\n '''D.\n\n Args:\n  a: x\n\n Returns:\n  b: y\n '''"),
    ("docstring-arguments", "numpy",
     "def f(a):\n '''D.\n\n Parameters\n ----------\n a : x\n\n Returns\n -------\n int\n '''",
     "def f(a):\n '''D.\n\n Parameters\n ----------\n\n Returns\n -------\n a : x\n '''"),
    ("quotes", "single", "class É: \"doc\"; x = 'a'", "class É: \"doc\"; x = \"a\""),
    ("quotes", "single", "def f():\n 'a' \"b\"\n return 'c'", "def f():\n 'a'\n return 'b' \"c\""),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "variant", "good", "bad"), GOOD_AND_BAD)
def test_as_the_text_says(rule: str, variant: str, good: str, bad: str) -> None:
    (obeyed,) = check(Submission({"shop.py": good}), {rule: variant})
    assert obeyed.met, obeyed.reason
    (broken,) = check(Submission({"shop.py": bad}), {rule: variant})
    assert not broken.met
    assert broken.objects or rule == "p24", broken


FILES = [
    ("change-log", "news", {"shop.py": "x = 1", "NEWS.md": "- new: src/shop.py"}, {"shop.py": "x = 1",
     "NEWS.md": "workshop.py"}),
    ("change-log", "news", {"shop.py": "x = 1", "NEWS.md": "`shop.py`."}, {"shop.py": "x = 1", "NEWS.md": "shop.pyc"}),
    ("module-suffix", "mod", {"src/__init__.py": "x = 1", "src/shop_mod.py": "x = 1"}, {"src/init.py": "x = 1"}),
    ("test-folder", "tests", {"conftest.py": "x = 1", "tests/test_a.py": "x = 1"}, {"test_a.py": "x = 1"}),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "variant", "good", "bad"), FILES)
def test_files_as_the_text_says(rule: str, variant: str, good: dict[str, str], bad: dict[str, str]) -> None:
    assert check(Submission(good), {rule: variant})[0].met
    assert not check(Submission(bad), {rule: variant})[0].met


def test_no_object_of_a_kind_is_made_up() -> None:
    """What only looks like an object leaves a rule on such objects out, unless the request calls for one."""
    for rule, variant, code in (
        ("p06", "a_", "def __getattr__(name): pass"),
        ("p06", "a_", "f = lambda x: x"),
        ("p10", "e_", "f = lambda x: x"),
        ("p10", "e_", "class A:\n def f(self, x): pass"),
        ("records", "frozen", "from enum import Enum\nclass A(Enum): B = 1"),
        ("exceptions", "value", "try: pass\nexcept E: raise"),
        ("string-format", "format", "x = a % b + c * 2 - len('a')"),
        ("return-style", "names", "def f(): return\nreturns = 'return a'  # return a"),
    ):
        submission = Submission({"shop.py": code})
        assert check(submission, {rule: variant}, profile=()) == [], code
        assert not check(submission, {rule: variant}, profile=list(ObjectKind))[0].met
