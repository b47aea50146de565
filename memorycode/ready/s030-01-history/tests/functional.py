"""Does the written code do what was asked? Data in, values out, with names as the author's conventions bent them.

Tasks carry a copy of this file; it needs nothing but the standard library. :data:`RUNNER` is a driver's text: it runs
as the candidate's user in a process of its own, has ``data`` and ``emit``, and judges nothing. :func:`failures` runs
as root, sees only the JSON that came back, and judges.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

TOLERANCE = 1e-9

RUNNER = r'''
import ast, functools, importlib.util, inspect, pathlib, re, shutil, sys, tempfile, types

ROOT, TESTS = pathlib.Path(data["root"]), data["tests"]


# A stand-in of the module `pedantic`: its decorators accept what the real ones accept, and keep the behaviour.
def _plain(*given, **named):
    def bare(target):
        if isinstance(target, type):
            return target
        @functools.wraps(target)
        def call(*args, **kwargs):
            return target(*args, **kwargs)
        return call
    if len(given) == 1 and not named and (inspect.isroutine(given[0]) or isinstance(given[0], type)):
        return bare(given[0])
    return bare


def _require_kwargs(*given, **named):
    def bare(target):
        self = list(inspect.signature(target).parameters)[:1] in (["self"], ["cls"])
        @functools.wraps(target)
        def call(*args, **kwargs):
            if len(args) > self:
                raise TypeError("require_kwargs: arguments by position")
            return target(*args, **kwargs)
        return call
    return bare(given[0]) if len(given) == 1 and callable(given[0]) else bare


class _Stand(types.ModuleType):
    __path__ = []
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "require_kwargs":
            return _require_kwargs
        if name[0].isupper():  # Rename, Parameter, ReturnAs …
            return type(name, (), {"__init__": lambda self, *a, **k: None})
        return _plain


for name in ("pedantic", "pedantic.decorators"):
    sys.modules[name] = _Stand(name)


def words_of(stem):
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", stem)


def fits(name, stem):
    """Whether the words of the stem stand in the name, in their order."""
    rest = name.lower()
    for word in words_of(stem):
        at = rest.find(word.lower())
        if at < 0:
            return False
        rest = rest[at + len(word):]
    return True


def pick(names, stem):
    fitting = [name for name in names if fits(name, stem)]
    return min(fitting, key=len) if fitting else None


def load(kinds, stem):
    """The function or class of this stem with the shortest name, from the first module that defines it."""
    found = []
    for file in data["files"]:
        path = ROOT / file
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (OSError, SyntaxError, ValueError):
            continue
        name = pick([node.name for node in tree.body if isinstance(node, kinds)], stem)
        found += [(len(name), len(found), path, name)] if name else []
    if not found:
        raise LookupError("no module defines " + stem)
    _, _, path, name = min(found)
    sys.path[:0] = [str(path.parent), str(ROOT)]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def call(target, args):
    """Call with the arguments in their order, each the way its parameter wants: by keyword unless it can't be."""
    positional, named = [], {}
    parameters = list(inspect.signature(target).parameters.values())
    rest = list(args)
    for parameter in parameters:
        if not rest:
            break
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional, rest = positional + rest, []
        elif parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(rest.pop(0))
        elif parameter.kind is not parameter.VAR_KEYWORD:
            named[parameter.name] = rest.pop(0)
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):  # what stands before *args must come by position too
        front = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.name in named]
        positional = [named.pop(name) for name in front] + positional
    return target(*(positional + rest), **named)


def attempt(work):
    try:
        return {"value": work()}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}


def play_function(case):
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        for name, text in case.get("files", {}).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        args = [a.replace("$FOLDER", str(folder)) if isinstance(a, str) else a for a in case["args"]]
        return attempt(lambda: call(load((ast.FunctionDef, ast.AsyncFunctionDef), TESTS["function"]), args))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def play_class(case):
    kept = []
    made = attempt(lambda: kept.append(call(load(ast.ClassDef, TESTS["class"]), case["new"])))
    if "error" in made:
        return made
    thing = kept[0]
    methods = [n for n in dir(type(thing)) if inspect.isroutine(getattr(type(thing), n)) and not n.startswith("__")]
    steps = []
    for step in case.get("steps", []):
        found = pick(methods, step["call"])
        if found is None:
            steps.append({"error": "LookupError", "message": "no method " + step["call"]})
        else:
            steps.append(attempt(lambda: call(getattr(thing, found), step["args"])))
    return {"steps": steps}


def jsonable(value):
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


emit(jsonable([(play_function if "function" in TESTS else play_class)(case) for case in TESTS["cases"]]))
'''


def driver_data(root: str, files: Sequence[str], tests: Mapping[str, Any]) -> dict[str, Any]:
    """What :data:`RUNNER` needs as ``data``.

    Args:
        root: The working tree.
        files: Paths of the Python files that were written, relative to it; test files among them are passed over.
        tests: :attr:`Query.tests`.
    """
    return {"root": root, "files": [path for path in files if not _is_test(path)], "tests": _asked(tests)}


def _is_test(path: str) -> bool:
    *folders, name = path.split("/")
    named = name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
    return named or any(folder in ("test", "tests", "check", "checks", "spec", "specs") for folder in folders)


def _asked(tests: Mapping[str, Any]) -> dict[str, Any]:
    """The tests without what is wanted: candidate code never sees the answers."""
    hidden = ("want", "raises")
    cases = []
    for case in tests["cases"]:
        kept = {key: value for key, value in case.items() if key not in hidden}
        if "steps" in kept:
            kept["steps"] = [{key: value for key, value in step.items() if key not in hidden} for step in kept["steps"]]
        cases.append(kept)
    return {**tests, "cases": cases}


def failures(emitted: Any, tests: Mapping[str, Any]) -> list[str]:
    """What went wrong, in words; empty where every case passed.

    Args:
        emitted: What :data:`RUNNER` emitted.
        tests: :attr:`Query.tests`.
    """
    cases = tests["cases"]
    if not isinstance(emitted, list) or len(emitted) != len(cases):
        return ["the driver emitted something else than one result a case"]
    found: list[str] = []
    for number, (case, got) in enumerate(zip(cases, emitted, strict=True), 1):
        if "steps" not in case:
            found += _offence(f"case {number}", case, got)
            continue
        steps = got.get("steps") if isinstance(got, dict) else None
        if not isinstance(steps, list) or len(steps) != len(case["steps"]):
            found.append(f"case {number}: no instance could be made: {json.dumps(got)[:200]}")
            continue
        for place, (step, one) in enumerate(zip(case["steps"], steps, strict=True), 1):
            found += _offence(f"case {number} step {place} {step['call']}", step, one)
    return found


def _offence(where: str, case: Mapping[str, Any], got: Any) -> list[str]:
    if not isinstance(got, dict):
        return [f"{where}: no result"]
    if "raises" in case:
        if "error" in got and case["raises"] in str(got.get("message")):
            return []
        return [f"{where}: wanted an error whose message holds {case['raises']!r}, got {json.dumps(got)[:200]}"]
    if "error" in got:
        return [f"{where}: {got['error']}: {str(got['message'])[:200]}"]
    if "want" in case and not _same(got.get("value"), case["want"]):
        return [f"{where}: wanted {case['want']!r}, got {got.get('value')!r}"]
    return []


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) and wanted.startswith("json:"):
        try:
            return bool(json.loads(found) == json.loads(wanted.removeprefix("json:")))
        except (TypeError, ValueError):
            return False
    if isinstance(wanted, bool) or isinstance(found, bool) or wanted is None:
        return found is wanted
    if isinstance(wanted, (int, float)):
        return isinstance(found, (int, float)) and math.isclose(found, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(_same, found, wanted))
    return type(found) is type(wanted) and found == wanted
