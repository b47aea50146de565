"""One Python file, read once: its objects by kind. Nothing of it is ever executed.

What counts is decided here, once for all rules:

* A function stands outside classes and outside other functions; a method stands in a class and is no dunder. What is
  defined inside another function is neither, and its statements aren't that function's statements.
* Variables are bound in functions, methods and comprehensions, or at module level unless the name is a constant, a
  dunder, a type alias or a logger. ``_`` is no variable.
* Attributes are bound on the instance, in any method, or in a class body; constants and dunders are none.
"""

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

CACHED_FILES = 4096
_ALIAS_MAKERS = {"typing.NewType", "typing.TypeVar", "typing.ParamSpec", "typing_extensions.NewType"}
_ALIAS_MARKS = {"typing.TypeAlias", "typing_extensions.TypeAlias"}
# The nodes that tell something; the rest is only passed through.
_NOTED = (
    *(ast.Name, ast.Attribute, ast.Assign, ast.AnnAssign, ast.TypeAlias, ast.Import, ast.ImportFrom, ast.Raise),
    *(ast.Return, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
)
type FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Definition:
    """A function or method, with the nodes of its own body: those of nested definitions apart."""

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

    @property
    def docstring(self) -> str:
        """The docstring; empty where there is none."""
        return (ast.get_docstring(self.node) or "").strip()


@dataclass(frozen=True)
class _Scope:
    """Where a node stands: in the module, in a class, or in a function; ``definition`` owns its statements."""

    kind: str
    definition: Definition | None = None
    receiver: str | None = None


def is_dunder(name: str) -> bool:
    """Whether Python, not the author, chose the name's meaning."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_constant_name(name: str) -> bool:
    """Whether the name is in upper case."""
    return name.isupper()


class Code:
    """The objects of one file.

    Args:
        path: Relative POSIX path.
        text: The file's text.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.error = ""
        self.tree = ast.Module([], [])
        self.functions: list[Definition] = []
        self.methods: list[Definition] = []
        self.classes: list[ast.ClassDef] = []
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self.raises: list[ast.Raise] = []
        self.returns: list[ast.Return] = []
        self.handlers: set[str] = set()
        self.variables: dict[str, None] = {}
        self.attributes: dict[str, None] = {}
        self.constants: dict[str, int] = {}
        self.dunders: dict[str, ast.expr | None] = {}
        self.aliases: dict[str, str] = {}
        self.loggers: set[str] = set()
        self.nodes: list[ast.AST] = []
        self._bindings: dict[str, str] = {}
        self._names: list[ast.Name | ast.Attribute] = []
        try:
            self.tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.error = f"{path} doesn't parse: {error}"
            return
        self._walk()

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
        return ".".join([self._bindings.get(node.id, node.id), *reversed(parts)])

    @cached_property
    def uses(self) -> list[str]:
        """Full dotted names of everything that is read and comes from an import."""
        found = []
        for node in self._names:
            root = node
            while isinstance(root, ast.Attribute):
                root = root.value  # type: ignore[assignment]
            if isinstance(root, ast.Name) and root.id in self._bindings:
                found.append(self.resolve(node))
        return found

    @cached_property
    def tokens(self) -> list[tokenize.TokenInfo]:
        """All tokens; empty where the file doesn't parse."""
        if self.error:
            return []
        return list(tokenize.generate_tokens(io.StringIO(self.text).readline))

    @cached_property
    def comments(self) -> list[str]:
        """Comments as they stand, from their ``#`` on; not the line that names an interpreter."""
        return [
            token.string
            for token in self.tokens
            if token.type == tokenize.COMMENT and not (token.start == (1, 0) and token.string.startswith("#!"))
        ]

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their ends, trailing empty lines apart."""
        return self.text.rstrip().split("\n") if self.text.strip() else []

    def imported(self) -> Iterator[str]:
        """Dotted names of the modules that are imported, whole or in part."""
        for node in self.imports:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif node.module and not node.level:
                yield node.module

    def _bind_import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.imports.append(node)
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                if node.module and not node.level:
                    self._bindings[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif alias.asname:
                self._bindings[alias.asname] = alias.name
            else:
                root = alias.name.split(".")[0]
                self._bindings[root] = root

    def _walk(self) -> None:
        """Visit every node once, without recursion, in the order of the text."""
        stack: list[tuple[ast.AST, _Scope]] = [(self.tree, _Scope("module"))]
        while stack:
            node, scope = stack.pop()
            self.nodes.append(node)
            if scope.definition is not None:
                scope.definition.own.append(node)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = self._define(node, scope)
                body = set(map(id, node.body))
                stack += [(n, inner if id(n) in body else scope) for n in _children(node)]
                continue
            if isinstance(node, ast.ClassDef):
                self.classes.append(node)
                body = set(map(id, node.body))
                stack += [(n, _Scope("class") if id(n) in body else scope) for n in _children(node)]
                continue
            if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda):
                scope = _Scope("function", scope.definition, scope.receiver)
            if isinstance(node, _NOTED):
                self._note(node, scope)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                continue  # the dotted name is noted as a whole
            stack += [(n, scope) for n in _children(node)]

    def _define(self, node: FunctionNode, scope: _Scope) -> _Scope:
        definition = Definition(node, is_method=scope.kind == "class")
        if scope.kind == "module":
            self.functions.append(definition)
        elif scope.kind == "class" and not is_dunder(node.name):
            self.methods.append(definition)
        return _Scope("function", definition, definition.receiver if scope.kind == "class" else scope.receiver)

    def _note(self, node: ast.AST, scope: _Scope) -> None:
        match node:
            case ast.Name(ctx=ast.Store()):
                self._bind(node.id, node.lineno, scope)
            case ast.Name():
                self._names.append(node)
            case ast.Attribute(ctx=ast.Store(), value=ast.Name(id=owner)) if owner == scope.receiver:
                if not is_dunder(node.attr):
                    self.attributes[node.attr] = None
            case ast.Attribute():
                self._names.append(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._mark(name, value, scope)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                if self.resolve(annotation) in _ALIAS_MARKS:
                    self.aliases[name] = "TypeAlias"
                else:
                    self._mark(name, value, scope)
            case ast.TypeAlias(name=ast.Name(id=name)):
                self.aliases[name] = "type"
            case ast.Import() | ast.ImportFrom():
                self._bind_import(node)
            case ast.Raise():
                self.raises.append(node)
            case ast.Return(value=ast.expr()):
                self.returns.append(node)
            case ast.ExceptHandler(name=str(name)):
                self.handlers.add(name)
                self._bind(name, node.lineno, scope)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                self._bind(name, node.lineno, scope)

    def _mark(self, name: str, value: ast.expr | None, scope: _Scope) -> None:
        """Note what a module-level name stands for, before its target is visited."""
        if scope.kind != "module":
            return
        if is_dunder(name):
            self.dunders[name] = value
        if isinstance(value, ast.Call):
            made = self.resolve(value.func)
            if made in _ALIAS_MAKERS:
                self.aliases[name] = made.rsplit(".", 1)[1]
            elif made == "logging.getLogger":
                self.loggers.add(name)

    def _bind(self, name: str, line: int, scope: _Scope) -> None:
        if name == "_" or is_dunder(name):
            return
        if scope.kind == "function":
            self.variables[name] = None
        elif scope.kind == "class":
            if not is_constant_name(name):
                self.attributes[name] = None
        elif name in self.aliases or name in self.loggers:
            return
        elif is_constant_name(name):
            self.constants.setdefault(name, line)
        else:
            self.variables[name] = None


def _children(node: ast.AST) -> list[ast.AST]:
    """Direct children, the last first; contexts and operators, which hold nothing, are left out."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST) and value._fields:
            found.append(value)
    return found[::-1]


@lru_cache(maxsize=CACHED_FILES)
def read(path: str, text: str) -> Code:
    """The file's objects; the same file is parsed once however many rules look at it."""
    return Code(path, text)
