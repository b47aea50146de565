"""Functions and methods of a file, and what their names say."""

import ast
from dataclasses import dataclass, field
from functools import cached_property

type FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Definition:
    """A function or method, with the nodes of its own body: those of nested definitions and lambdas apart."""

    node: FunctionNode
    is_method: bool
    own: list[ast.AST] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.name

    @property
    def receiver(self) -> str | None:
        """Name of the instance or class that a method gets; None where there is none."""
        if not self.is_method or any(
            isinstance(d, ast.Name) and d.id == "staticmethod" for d in self.node.decorator_list
        ):
            return None
        positional = [*self.node.args.posonlyargs, *self.node.args.args]
        return positional[0].arg if positional else None

    @cached_property
    def arguments(self) -> list[ast.arg]:
        """All arguments: positional-only, ordinary, ``*args``, keyword-only, ``**kwargs``; not the receiver."""
        given = self.node.args
        listed = [*given.posonlyargs, *given.args]
        if self.receiver is not None:
            listed = listed[1:]
        return [*listed, *filter(None, [given.vararg]), *given.kwonlyargs, *filter(None, [given.kwarg])]

    @cached_property
    def docstring(self) -> str:
        """The docstring; empty where there is none."""
        return (ast.get_docstring(self.node) or "").strip()


def is_dunder(name: str) -> bool:
    """Whether Python, not the author, chose the name's meaning."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_constant_name(name: str) -> bool:
    """Whether the name is in upper case."""
    return name.isupper()
