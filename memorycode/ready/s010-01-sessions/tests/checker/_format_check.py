"""How values get into text: f-strings, ``%``, ``.format`` and ``+``."""

import ast
from collections import Counter
from collections.abc import Iterator

from checker._code import Code
from checker._rules_model import Rule
from checker._work import Finding, Work, judge

_MAKERS_OF_TEXT = ("str", "repr", "chr", "format")
_METHODS_OF_TEXT = ("format", "format_map", "join")


def string_format(work: Work, _: Rule, value: str) -> Finding:
    """Every place where a value is put into text does it in one way."""
    found = [(code.path, way) for code in work.modules for way in _ways(code)]
    return judge(found, lambda pair: "" if pair[1] == value else f"{pair[0]} formats by {pair[1]}, not {value}")


def _ways(code: Code) -> Iterator[str]:
    """``fstring``, ``percent``, ``format`` or ``concat`` for each such place."""
    texts = _text_names(code)
    for node in code.nodes:
        match node:
            case ast.JoinedStr(values=values) if any(isinstance(v, ast.FormattedValue) for v in values):
                yield "fstring"
            case ast.BinOp(left=left, op=ast.Mod()) if _is_text(left, texts):
                yield "percent"
            case ast.BinOp(left=left, op=ast.Add(), right=right) if (_is_text(left, texts) and not _fixed(right)) or (
                _is_text(right, texts) and not _fixed(left)
            ):
                yield "concat"
            case ast.Call(func=ast.Attribute(value=value, attr="format" | "format_map")) if _is_text(value, texts) or (
                isinstance(value, ast.Name) and not code.imports.know(value)
            ):
                yield "format"
            case _:
                pass


def _text_names(code: Code) -> set[str]:
    """Names that stand for text wherever they are bound."""
    bound: Counter[str] = Counter()
    to_text: Counter[str] = Counter()
    for node in code.nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                bound[name] += 1
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_text(value, set()):
                to_text[name] += 1
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if _is_text(value, set()):
                to_text[name] += 1
            case _:
                pass
    return {name for name, count in to_text.items() if bound[name] == count}


def _is_text(node: ast.AST, texts: set[str]) -> bool:
    """Whether it is text without running anything: a literal, a name for one, or what is made of them."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
        if isinstance(node.op, ast.Add) and _is_plain_text(node.right, texts):
            return True
        node = node.left
    return _is_plain_text(node, texts)


def _is_plain_text(node: ast.AST, texts: set[str]) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Name(id=name):
            return name in texts
        case ast.Call(func=ast.Name(id=name)):
            return name in _MAKERS_OF_TEXT
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr=name)):
            return name in _METHODS_OF_TEXT
        case _:
            return False


def _fixed(node: ast.AST) -> bool:
    """Whether no value is put into text by adding it: literals, those that are repeated, and those that were filled."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_one_literal(node.right):
        node = node.left
    return _is_one_literal(node)


def _is_one_literal(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(left=ast.Constant(), op=ast.Mult(), right=ast.Constant()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format" | "format_map")):
            return True
        case _:
            return isinstance(node, ast.Constant)
