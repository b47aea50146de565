"""Writes a module from a template, as an author who obeys what was told. Written from the rules' texts alone."""

import re
import textwrap

from swe_together.memorycode._layout import fit, reindent
from swe_together.memorycode._naming import Told
from swe_together.memorycode._rules_model import ObjectKind as K
from swe_together.memorycode._template import MainClass, Routine, Template, ValueClass

_IMPORT = re.compile(r"\bi__(os__path|[a-z0-9]+)__(\w+)")
_STRING = re.compile(r'"([^"]*)"')
_KEYWORD = re.compile(r"\ba__\w+=(?!=)")
_CONDITION = re.compile(r"\?(!?)([\w-]+):([\w-]+) (.*)")
# Something to import from each module, for authors who import names only.
_PARTS = {
    "secrets": "token_hex", "locale": "getlocale", "mailbox": "Mailbox", "bz2": "BZ2File", "gzip": "GzipFile",
    "hashlib": "sha256",
}  # fmt: skip
# What an author imports whole by habit where nothing was told.
_WHOLE_BY_HABIT = {"math", "os", "json", "logging", "dataclasses"}
_WITH_ARGUMENTS = {"retry": "retry(attempts=1)", "rename_kwargs": "rename_kwargs()", "validate": "validate()"}
_EXCEPTION = "Input_Error"
CHUNK = 32


class Author:
    """Writes one module.

    Args:
        told: The rules in force.
        template: What to write.
    """

    def __init__(self, told: Told, template: Template) -> None:
        self.told = told
        self.template = template
        self.unit = told.value("indent") or "    "
        self.limit = int(told.value("line-length") or 0) or None
        self.exception = told.value("exceptions", K.RAISE)
        self.logger = told.value("logging", K.FUNCTION)
        self._imports: set[tuple[str, str]] = set()

    def module(self) -> str:
        """The module's text, with the lines that begin and end every file."""
        blocks = [self._record(self.template.record)] if self.template.record else []
        if self.exception:
            blocks.append(self._exception())
        if self.template.main:
            blocks.append(self._main(self.template.main))
        blocks += [self._routine(routine, 0, K.FUNCTION) for routine in self.template.functions]
        stem, value = self.template.constant
        constant = [self.told.named(f"K__{stem} = {value}")]
        place = self.told.value("module-order", K.CONSTANT)
        top = [*self._marks(), *(constant if place == "top" else [])]
        imports = self._import_lines()
        top = [*imports, *([""] if imports and top else []), *top]
        gap = [""] * int(self.told.value("blank-lines") or 2)
        lines = [*top, *gap] if top else []
        for number, block in enumerate(blocks):
            if number == 1 and place is None:
                lines += [*gap, *constant]
            lines += [*(gap if number else []), *block]
        if place == "bottom":
            lines += [*gap, *constant]
        return framed(self.told, [part for line in lines for part in fit(line, self.unit, self.limit)])

    # --- the parts ---------------------------------------------------------------------------------------------------

    def _import(self, module: str, name: str) -> str:
        """Note that ``name`` of ``module`` is needed, and say how the code calls it."""
        form = self.told.value("import-form", K.IMPORT)
        whole = form == "import" or (form is None and module.split(".")[0] in _WHOLE_BY_HABIT)
        self._imports.add((module, "" if whole else name))
        return f"{module}.{name}" if whole else name

    def _import_lines(self) -> list[str]:
        form = self.told.value("import-form", K.IMPORT)
        for module in self.told.values("import"):
            self._imports.add((module, _PARTS[module] if form == "from" else ""))
        lines = [f"import {module}" for module, name in sorted(self._imports) if not name]
        for module in sorted({module for module, name in self._imports if name}):
            names = sorted(name for of, name in self._imports if of == module and name)
            lines += [f"from {module} import {name}" for name in names]
        first = ["from __future__ import annotations"] if self.told.has("future-annotations") else []
        return first + lines

    def _marks(self) -> list[str]:
        """Logger, type, list of public names, version."""
        lines = []
        if self.logger:
            getter = self._import("logging", "getLogger")
            lines.append(f"{self.logger.split('.')[0]} = {getter}(__name__)")
        match self.told.value("type-alias"):
            case "type":
                lines.append("type Numbers = list[float]")
            case "TypeAlias":
                lines.append(f"Numbers: {self._import('typing', 'TypeAlias')} = list[float]")
            case "NewType":
                lines.append(f"Numbers = {self._import('typing', 'NewType')}({self._text('Numbers')}, list)")
            case _:
                pass
        if shape := self.told.value("all-list"):
            listed = ", ".join(self._text(name) for name in self._public())
            lines.append("__all__ = " + (f"[{listed}]" if shape == "list" else f"({listed},)"))
        if version := self.told.value("module-version"):
            lines.append(f"__version__ = {self._text(version)}")
        return lines

    def _public(self) -> list[str]:
        template = self.template
        marked = [f"f__{routine.stem}" for routine in template.functions]
        marked += [f"C__{part.stem}" for part in (template.record, template.main) if part]
        marked += [f"C__{_EXCEPTION}"] if self.exception else []
        return sorted(self.told.named(name) for name in marked)

    def _record(self, record: ValueClass) -> list[str]:
        flag = self.told.value("records", K.RECORD)
        head = self._class_head(record.stem)
        names = [self.told.name(K.ATTRIBUTE, stem) for stem, _ in record.fields]
        if flag:
            fields = [f"{self.unit}{name}: {of}" for name, (_, of) in zip(names, record.fields, strict=True)]
            return [*head[:-1], f"@{self._import('dataclasses', 'dataclass')}({flag}=True)", head[-1], *fields]
        lines = [f"{self.unit}def __init__(self, {', '.join(names)}):"]
        return [*head, *lines, *(f"{self.unit * 2}self.{name} = {name}" for name in names)]

    def _exception(self) -> list[str]:
        *decorators, head = self._class_head(_EXCEPTION)
        return [*decorators, head.replace(":", f"({self.exception}):"), f"{self.unit}pass"]

    def _class_head(self, stem: str) -> list[str]:
        return [*self._decorators(K.CLASS), f"class {self.told.name(K.CLASS, stem)}:"]

    def _decorators(self, kind: K) -> list[str]:
        lines = []
        for name in self.told.values("decorator", kind):
            called = self._import("pedantic", name)
            lines.append("@" + called.removesuffix(name) + _WITH_ARGUMENTS.get(name, name))
        return lines

    def _main(self, main: MainClass) -> list[str]:
        arguments = "".join(f", {name}" for name, _ in main.arguments)
        lines = [*self._class_head(main.stem), f"{self.unit}def __init__(self{arguments}):"]
        lines += self._body(main.start, 2)
        for method in main.methods:
            lines += ["", *self._routine(method, 1, K.METHOD)]
        return lines

    def _routine(self, routine: Routine, level: int, kind: K) -> list[str]:
        names = [f"a__{stem}" if kind is K.FUNCTION else stem for stem, _ in routine.arguments]
        names = [self.told.named(name) for name in names]
        # `__init__` apart, a method's arguments follow no rule on names.
        inner = [
            *self._docstring(routine, names, kind),
            *([f"{self.logger}({self._text('entered')})"] if self.logger else []),
            *self._comment(routine),
            *([f"assert {(names or ['self'])[0]} is not None"] if self.told.has("assert", kind) else []),
        ]
        lines = [
            *self._decorators(kind),
            f"def {self.told.name(kind, routine.stem)}({self._signature(routine, names, kind)}",
            *(reindent(line, "    ", 1) for line in inner),
        ]
        lines = [reindent(line, self.unit, level) for line in lines]
        if not self.told.has("try", kind):
            return lines + self._body(routine.body, level + 1)
        caught = [reindent("except ValueError:", self.unit, level + 1), reindent("raise", self.unit, level + 2)]
        return [*lines, self.unit * (level + 1) + "try:", *self._body(routine.body, level + 2), *caught]

    def _signature(self, routine: Routine, names: list[str], kind: K) -> str:
        annotated = self.told.has("annotation", kind)
        parts = [f"{n}: {of}" if annotated else n for n, (_, of) in zip(names, routine.arguments, strict=True)]
        way = self.told.value("calling", K.ARGUMENT) if kind is K.FUNCTION and parts else None
        if way == "positional":
            parts.append("/")
        elif way == "keyword":
            parts.insert(0, "*")
        elif way == "after-first" and len(parts) > 1:
            parts.insert(1, "*")
        listed = ", ".join(["self", *parts] if kind is K.METHOD else parts)
        return f"{listed}) -> {routine.returns}:" if annotated else f"{listed}):"

    def _docstring(self, routine: Routine, names: list[str], kind: K) -> list[str]:
        opening = self.told.value("docstring-opening", kind)
        style = self.told.value("docstring-arguments", kind)
        if not (opening or style or self.told.has("docstring", kind)):
            return []
        does = f"{opening} {routine.does}." if opening else f"{routine.does[0].upper()}{routine.does[1:]}."
        if not style or not names:
            return [f'"""{does}"""']
        heads = {"google": ["Args:"], "numpy": ["Parameters", "----------"], "sphinx": []}
        forms = {
            "google": "    {}: What is given.",
            "numpy": "{} : what is given",
            "sphinx": ":param {}: What is given.",
        }
        return [f'"""{does}', "", *heads[style], *(forms[style].format(name) for name in names), '"""']

    def _comment(self, routine: Routine) -> list[str]:
        tag = self.told.value("comment-tag", K.COMMENT)
        if tag:
            return [f"{tag} to {routine.does}"]
        return [f"# To {routine.does}."] if self.told.has("comment") else []

    # --- lines of a body ---------------------------------------------------------------------------------------------

    def _body(self, body: str, level: int) -> list[str]:
        lines = []
        for written in body.splitlines():
            line = written
            if condition := _CONDITION.fullmatch(line):
                unless, rule, variant, line = condition.groups()
                if self.told.holds(rule, variant) == bool(unless):
                    continue
            bare = line.lstrip()
            margin = line[: len(line) - len(bare)]
            if bare.startswith("!raise "):
                made = self._raise(bare.removeprefix("!raise "))
            elif bare.startswith("return "):
                made = self._return(self._quoted(bare.removeprefix("return ")))
            else:
                made = [self._quoted(bare)]
            lines += [reindent(margin + self._named(part), self.unit, level) for part in made]
        return lines

    def expression(self, marked: str) -> str:
        """An expression in marked names, as it must be written."""
        return self._named(marked)

    def _named(self, line: str) -> str:
        if self.told.holds("calling", "positional"):
            line = _KEYWORD.sub("", line)
        line = _IMPORT.sub(lambda match: self._import(match[1].replace("__", "."), match[2]), line)
        return self.told.named(line)

    def _text(self, text: str) -> str:
        quote = self.told.value("quotes", K.STRING) or '"'
        return f"{quote}{text}{quote}"

    def _quoted(self, line: str) -> str:
        return _STRING.sub(lambda match: self._text(match[1]), line)

    def _return(self, expression: str) -> list[str]:
        style = self.told.value("return-style", K.RETURN)
        if style == "parentheses":
            return [f"return ({expression})"]
        named = expression.isidentifier() and expression not in ("None", "True", "False")
        if style == "names" and not named:
            return [f"v__answer = {expression}", "return v__answer"]
        return [f"return {expression}"]

    def _raise(self, written: str) -> list[str]:
        text, value = written.split(" | ")
        text = text.removesuffix("{}")
        error = f"C__{_EXCEPTION}" if self.exception else "ValueError"
        way = self.told.value("string-format", K.FORMAT)
        if way is None and not self.told.has("quotes", K.STRING):
            # By habit: whatever quotes come to hand, and an f-string.
            return self._message(error, [f"'{part} '" for part in self._chunks(text)], f'f"{{{value}}}"', joined=True)
        quote = self.told.value("quotes", K.STRING) or '"'
        head = [self._text(f"{part} ") for part in self._chunks(text)]
        if way == "concat":
            return self._message(error, head, f"+ str({value})", joined=False)
        if way == "format":
            return self._message(error, head, f"{quote}{{}}{quote}.format({value})", joined=True)
        if way == "percent":
            return self._message(error, head, f"{quote}%s{quote} % ({value},)", joined=True)
        return self._message(error, head, f"f{quote}{{{value}}}{quote}", joined=True)

    def _chunks(self, text: str) -> list[str]:
        return [text.strip()] if self.limit is None else textwrap.wrap(text, CHUNK)

    def _message(self, error: str, head: list[str], last: str, *, joined: bool) -> list[str]:
        """A raise on one line, or on one line a piece where lines must be short."""
        if self.limit is None:
            if joined and head[-1][-1] == last.lstrip("f")[0]:  # one literal
                return [f"raise {error}({'f' if last[0] == 'f' else ''}{head[0][:-1]}{last.lstrip('f')[1:]})"]
            return [f"raise {error}({' '.join(head)} {last})"]
        return [f"raise {error}(", *(f"    {piece}" for piece in head), f"    {last}", ")"]


def framed(told: Told, lines: list[str]) -> str:
    """The lines with those that begin and end every Python file."""
    first, last = told.value("header-line"), told.value("footer-line")
    return "\n".join([*([first] if first else []), *lines, *([last] if last else [])]) + "\n"
