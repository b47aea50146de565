"""Answers that obey: written from the rules' texts and templates, never from the checks."""

from swe_together.errors import MisuseError
from swe_together.memorycode._author import Author, framed
from swe_together.memorycode._class_solutions import CLASS_SOLUTIONS
from swe_together.memorycode._function_solutions import FUNCTION_SOLUTIONS
from swe_together.memorycode._naming import Told
from swe_together.memorycode._rules_model import Active, ObjectKind, Query, Submission
from swe_together.memorycode._template import Template
from swe_together.memorycode.queries import QUERIES

SOLUTIONS = {**FUNCTION_SOLUTIONS, **CLASS_SOLUTIONS}


def oracle(query: Query | str, active: Active) -> Submission:
    """A whole answer that obeys every active rule; with none, the answer of an author who was told nothing.

    Args:
        query: What to write, or its id.
        active: The rules that hold; they must not contradict each other.

    Raises:
        MisuseError: No such query, rule or variant.
    """
    id = query if isinstance(query, str) else query.id
    if id not in SOLUTIONS:
        raise MisuseError(f"there is no query {id!r}", f"Choose one of {', '.join(SOLUTIONS)}.")
    told, template = Told(active), SOLUTIONS[id]
    author = Author(told, template)
    path = QUERIES[id].path
    folder = told.value("module-folder") or ""
    stem = path.removesuffix(".py")
    module = folder + stem + (told.value("module-suffix") or ".py")
    tests = (told.value("test-folder", ObjectKind.TEST) or folder) + f"test_{path}"
    files = {module: author.module(), tests: _tests(told, author, template, module)}
    if log := told.value("change-log"):
        files[log] = f"- `{module}`: {template.title}\n"
    return Submission(files, (_message(told, template.title),))


def _tests(told: Told, author: Author, template: Template, module: str) -> str:
    stems = [f"f__{r.stem}" for r in template.functions] + ([f"C__{template.main.stem}"] if template.main else [])
    used = sorted(told.named(stem) for stem in stems if any(stem in example for example in template.examples))
    lines = [f"from {module.removesuffix('.py').replace('/', '.')} import {', '.join(used)}"]
    start = told.value("test-names", ObjectKind.TEST) or "test_"
    for name, example in zip(("hold_the_first_example", "hold_the_second_example"), template.examples, strict=True):
        lines += ["", "", f"def {start}{name}():", f"    assert {author.expression(example)}"]
    return framed(told, lines)


def _message(told: Told, title: str) -> str:
    start = told.value("commit-prefix", ObjectKind.COMMIT) or ""
    end = told.value("commit-ending", ObjectKind.COMMIT) or ""
    last = told.value("commit-trailer", ObjectKind.COMMIT)
    message = f"{start}Add {title}{end}\n\nWith its tests\n"
    return f"{message}\n{last}\n" if last else message
