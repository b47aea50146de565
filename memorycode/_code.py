"""One Python file, read once: its objects by kind. Nothing of it is ever executed.

What counts is decided here, once for all rules:

* A function stands outside classes and outside other functions; a method stands in a class and is no dunder. What is
  defined inside another function is neither, and its statements aren't that function's statements; nor are those of
  a lambda.
* Variables are bound in functions, methods and comprehensions, or at module level unless the name is a constant, a
  dunder, a type alias or a logger. ``_`` is no variable.
* Attributes are bound on the instance, in any method, or in a class body; constants and dunders are none.
"""

import ast
from dataclasses import dataclass
from functools import cached_property, lru_cache

from swe_together.memorycode._definition import Definition, FunctionNode, is_constant_name, is_dunder
from swe_together.memorycode._imports import Imports
from swe_together.memorycode._tokens import Token, comments_in, tokens_of

CACHED_FILES = 4096
MOST_CHARACTERS = 200_000
LONGEST_LINE = 10_000
"""What is larger nobody can read: it counts as code that doesn't parse, before it can cost time or memory."""
_ALIAS_MAKERS = {"typing.NewType", "typing.TypeVar", "typing.ParamSpec", "typing_extensions.NewType"}
_ALIAS_MARKS = {"typing.TypeAlias", "typing_extensions.TypeAlias"}
# The nodes that tell something; the rest is only passed through.
_NOTED = (
    *(ast.Name, ast.Attribute, ast.Assign, ast.AnnAssign, ast.TypeAlias, ast.Import, ast.ImportFrom, ast.Raise),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
)


@dataclass(frozen=True)
class _Scope:
    """Where a node stands: in the module, in a class, or in a function; ``definition`` owns its statements."""

    kind: str
    definition: Definition | None = None
    receiver: str | None = None


class Code:
    """The objects of one file.

    Args:
        path: Relative POSIX path.
        text: The file's text.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        # As Python reads a file: without a mark of its encoding, and with one sign at the end of a line.
        self.text = text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.error = ""
        self.tree = ast.Module([], [])
        self.functions: list[Definition] = []
        self.methods: list[Definition] = []
        self.classes: list[ast.ClassDef] = []
        self.public: list[str] = []
        self.raises: list[ast.Raise] = []
        self.handlers: set[str] = set()
        self.made: dict[str, list[ast.Call]] = {}
        self.variables: dict[str, None] = {}
        self.attributes: dict[str, None] = {}
        self.constants: dict[str, int] = {}
        self.dunders: dict[str, ast.expr | None] = {}
        self.aliases: dict[str, str] = {}
        self.loggers: set[str] = set()
        self.nodes: list[ast.AST] = []
        self._defined: set[str] = set()
        self.imports = Imports(self._defined)
        self._names: list[ast.Name | ast.Attribute] = []
        if len(text) > MOST_CHARACTERS or max(map(len, text.split("\n"))) > LONGEST_LINE:
            self.error = f"{path} or a line of it is too long for anybody to read"
            return
        try:
            self.tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.error = f"{path} doesn't parse: {error}"
            return
        self._walk()

    def resolve(self, node: ast.AST) -> str:
        """Full dotted name of a name, an attribute, or what a call calls; empty for anything else."""
        return self.imports.resolve(node)

    @cached_property
    def uses(self) -> list[str]:
        """Full dotted names of everything that is read and comes from an import."""
        return [self.resolve(node) for node in self._names if self.imports.know(node)]

    @cached_property
    def tokens(self) -> list[Token]:
        """All tokens; empty where the file doesn't parse."""
        return [] if self.error else tokens_of(self.text)

    @cached_property
    def comments(self) -> list[str]:
        """Comments as they stand, from their ``#`` on; not what is said to tools."""
        return comments_in(self.tokens)

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their ends, trailing empty lines apart."""
        return self.text.rstrip().split("\n") if self.text.strip() else []

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Line and character of a place that a node gives, which counts bytes."""
        whole = self._bytes[line - 1][:column]
        return line, len(whole.decode("utf-8", "replace"))

    @cached_property
    def _bytes(self) -> list[bytes]:
        return self.text.encode("utf-8", "replace").split(b"\n")

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
                self._define_name(node.name, scope)
                body = set(map(id, node.body))
                stack += [(n, _Scope("class") if id(n) in body else scope) for n in _children(node)]
                continue
            if isinstance(node, ast.Lambda):
                scope = _Scope("function", None, scope.receiver)  # what it does is done when it is called
            if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                scope = _Scope("function", scope.definition, scope.receiver)
            if isinstance(node, _NOTED):
                self._note(node, scope)
            if isinstance(node, ast.Attribute) and _is_dotted(node):
                continue  # the dotted name is noted as a whole
            stack += [(n, scope) for n in _children(node)]

    def _define(self, node: FunctionNode, scope: _Scope) -> _Scope:
        definition = Definition(node, is_method=scope.kind == "class")
        self._define_name(node.name, scope)
        if scope.kind == "module" and not is_dunder(node.name):
            self.functions.append(definition)
        elif scope.kind == "class" and not is_dunder(node.name):
            self.methods.append(definition)
        return _Scope("function", definition, definition.receiver if scope.kind == "class" else scope.receiver)

    def _define_name(self, name: str, scope: _Scope) -> None:
        self._defined.add(name)
        if scope.kind == "module" and not name.startswith("_"):
            self.public.append(name)

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
                self.imports.note(node)
            case ast.Raise():
                self.raises.append(node)
            case ast.ExceptHandler(name=str(name)):
                self.handlers.add(name)
                self._bind(name, node.lineno, scope)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                self._bind(name, node.lineno, scope)

    def _mark(self, name: str, value: ast.expr | None, scope: _Scope) -> None:
        """Note what a module-level name stands for, before its target is visited."""
        if isinstance(value, ast.Call):
            self.made.setdefault(name, []).append(value)
        if scope.kind != "module":
            return
        self.imports.rename(name, value)
        if is_dunder(name):
            self.dunders[name] = value
        if isinstance(value, ast.Call):
            made = self.resolve(value.func)
            if made in _ALIAS_MAKERS:
                self.aliases[name] = made.rsplit(".", 1)[1]
            elif made == "logging.getLogger":
                self.loggers.add(name)

    def _bind(self, name: str, line: int, scope: _Scope) -> None:
        self._defined.add(name)
        if name == "_" or is_dunder(name) or name in self.aliases:
            return
        if scope.kind == "function":
            self.variables[name] = None
        elif scope.kind == "class":
            if not is_constant_name(name):
                self.attributes[name] = None
        elif name in self.loggers:
            return
        elif is_constant_name(name):
            self.constants.setdefault(name, line)
        else:
            self.variables[name] = None


def _is_dotted(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


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
