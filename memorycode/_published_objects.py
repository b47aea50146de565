"""What the published checker sees in an output: its objects, with everything it overlooks left out.

Described in docs/memorycode.md. In short: a function is what stands in no class at any depth, a method what stands in
one; only the first argument or attribute of a definition is looked at; comments are found by ``#`` anywhere.
"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

_FENCES = (re.compile(r"```python\n(.*?)```", re.DOTALL), re.compile(r"```(.*?)```", re.DOTALL))
# Objects that come as one list of names for each definition.
_OF_DEFINITIONS = ("docstring", "try", "assert", "annotation", "decorator")

type Found = dict[str, list[list[str]]]


def code_of(output: str) -> str:
    """The first block fenced as Python, else what stands between the first two fences, else everything."""
    for fence in _FENCES:
        if match := fence.search(output):
            return match[1]
    return output


@lru_cache(maxsize=4096)
def objects(code: str) -> Found | None:
    """Objects by their published names, each a list of words; None where the code doesn't parse."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    kinds = [f"{owner} {part}" for owner in ("function", "method") for part in _OF_DEFINITIONS]
    kinds += ["function", "function argument", "class", "class decorator", "method", "attribute", "variable", "import"]
    found: Found = {kind: [] for kind in kinds}
    stack: list[tuple[ast.AST, bool]] = [(tree, False)]
    while stack:
        node, in_class = stack.pop()
        match node:
            case ast.ClassDef():
                in_class = True
                found["class"].append([node.name])
                found["class decorator"].append(_decorators(node.decorator_list))
            case ast.FunctionDef() if not in_class:
                found["function argument"].append([argument.arg for argument in node.args.args])
                _add_definition(found, "function", node)
            case ast.FunctionDef(name="__init__"):
                found["attribute"].append(list(_instance_attributes(node)))
            case ast.FunctionDef() if not node.name.startswith("__"):
                _add_definition(found, "method", node)
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found["variable"] += ([name] for target in targets for name in _plain_names(target))
            case ast.Import():
                found["import"] += ([alias.name] for alias in node.names)
            case _:
                pass
        stack += ((child, in_class) for child in ast.iter_child_nodes(node))
    found["comment"] = [re.findall(r"#.*", code)]
    return found


def _add_definition(found: Found, owner: str, node: ast.FunctionDef) -> None:
    found[owner].append([node.name])
    found[f"{owner} docstring"].append(["docstring"] if ast.get_docstring(node) else [])
    for part, kind in (("try", ast.Try), ("assert", ast.Assert)):
        found[f"{owner} {part}"].append([part for statement in node.body if isinstance(statement, kind)])
    annotated = [argument.arg for argument in node.args.args if argument.annotation]
    found[f"{owner} annotation"].append([*annotated, *(["return"] if node.returns else [])])
    found[f"{owner} decorator"].append(_decorators(node.decorator_list))


def _decorators(nodes: list[ast.expr]) -> list[str]:
    names = []
    for node in nodes:
        while isinstance(node, ast.Call):
            node = node.func
        if isinstance(node, ast.Name | ast.Attribute):
            names.append(node.id if isinstance(node, ast.Name) else node.attr)
    return names


def _instance_attributes(node: ast.FunctionDef) -> Iterator[str]:
    for statement in node.body:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                yield target.attr


def _plain_names(target: ast.expr) -> list[str]:
    nodes = target.elts if isinstance(target, ast.Tuple) else [target]
    return [node.id for node in nodes if isinstance(node, ast.Name)]
