"""What the names of a file stand for, as far as its imports say."""

import ast
import builtins
from collections.abc import Container, Iterator


class Imports:
    """The imports of a file, in the order of the text.

    Args:
        own: Names that the file itself defines; they come from no ``import *``.
    """

    def __init__(self, own: Container[str]) -> None:
        self.nodes: list[ast.Import | ast.ImportFrom] = []
        self._own = own
        self._bindings: dict[str, str] = {}
        self._whole: list[str] = []  # modules of `from … import *`

    def note(self, node: ast.Import | ast.ImportFrom) -> None:
        """Note an import."""
        self.nodes.append(node)
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                if not node.module or node.level:
                    continue
                if alias.name == "*":
                    self._whole.append(node.module)
                else:
                    self._bindings[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif alias.asname:
                self._bindings[alias.asname] = alias.name
            else:
                root = alias.name.split(".")[0]
                self._bindings[root] = root

    def rename(self, name: str, value: ast.expr | None) -> None:
        """Note ``name = value``: another name for something imported stands for the same."""
        if isinstance(value, ast.Name | ast.Attribute) and self.know(value):
            self._bindings[name] = self.resolve(value)

    def know(self, node: ast.AST) -> bool:
        """Whether what a name, an attribute or a call begins with was imported."""
        root = root_of(node)
        return root is not None and (root.id in self._bindings or "." in self._full(root.id))

    def resolve(self, node: ast.AST) -> str:
        """Full dotted name of a name, an attribute, or what a call calls; empty for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute | ast.Call):
            if isinstance(node, ast.Attribute):
                parts.append(node.attr)
                node = node.value
            elif parts:
                return ""  # something of a call's result
            else:
                node = node.func
        if not isinstance(node, ast.Name):
            return ""
        return ".".join([self._full(node.id), *reversed(parts)]).removeprefix("builtins.")

    def modules(self) -> Iterator[str]:
        """Dotted names of the modules that are imported, whole or in part."""
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif node.module and not node.level:
                yield node.module

    def _full(self, name: str) -> str:
        if name in self._bindings:
            return self._bindings[name]
        if self._whole and name not in self._own and not hasattr(builtins, name):
            return f"{self._whole[-1]}.{name}"
        return name


def root_of(node: ast.AST) -> ast.Name | None:
    """The name with which a dotted name or a call begins; None where it begins otherwise."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node if isinstance(node, ast.Name) else None
