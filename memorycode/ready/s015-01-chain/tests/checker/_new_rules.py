"""Rules of our own, which no published text holds: files, tests, commits, layout and idioms."""

from checker._rules_model import ObjectKind as K
from checker._rules_model import Rule, Variant


def _rule(id: str, objects: K | tuple[K, ...], template: str, *variants: tuple[str, str, str]) -> Rule:
    """``variants``: id, value, and what stands for ``{}`` in the template."""
    kinds = (objects,) if isinstance(objects, K) else objects
    made = tuple(Variant(name, template.replace("{}", words), value) for name, value, words in variants)
    return Rule(id, id, kinds, made, published=False)


def _literal(id: str, objects: K | tuple[K, ...], template: str, **values: str) -> Rule:
    """A rule whose variants differ in a literal that the text shows in backticks."""
    return _rule(id, objects, template, *((name, value, f"`{value}`") for name, value in values.items()))


NEW: tuple[Rule, ...] = (
    # Files
    _literal("header-line", K.MODULE, "Begin every Python file, tests too, with the line {}.",
             copyright="# Copyright the Marlow team", licence="# SPDX-License-Identifier: 0BSD",
             owner="# Owner: backend", status="# Status: draft"),
    _literal("footer-line", K.MODULE, "Let the last line of every Python file, tests too, be {}.",
             end="# end of file", eof="# eof", fin="# -- fin --"),
    _literal("module-folder", K.MODULE, "Keep modules, tests apart, in the folder {}.",
             src="src/", lib="lib/", app="app/"),
    _literal("module-suffix", K.MODULE, "Let the file names of modules, tests apart, end with {}.",
             mod="_mod.py", impl="_impl.py", core="_core.py"),
    _literal("change-log", K.MODULE, "Name each new module, by its file name, in the file {} at the top.",
             changes="CHANGES.md", history="HISTORY.md", news="NEWS.md"),
    _literal("module-version", K.MODULE, "Set `__version__` in every module, tests apart, to the string {}.",
             one="1.0", two="2.0", beta="0.9"),
    _rule("line-length", K.MODULE, "Keep every line of a module, tests apart, within {} characters.",
          ("only", "72", "72")),
    _rule("blank-lines", K.MODULE, "Put exactly {} between the functions and classes at the top level of a module.",
          ("one", "1", "one blank line"), ("three", "3", "three blank lines")),
    _rule("indent", K.MODULE, "Indent the code of modules with {} a level.",
          ("two", "  ", "two spaces"), ("three", "   ", "three spaces"), ("tab", "\t", "one tab")),
    _rule("quotes", K.STRING, "Write string literals of modules, docstrings apart, in {} quotes, also where it "
          "needs a backslash.", ("single", "'", "single"), ("double", '"', "double")),
    # Tests
    _literal("test-names", K.TEST, "Let the names of all test functions start with {}.",
             should="test_should_", that="test_that_", it="test_it_"),
    _literal("test-folder", K.TEST, "Keep test files in the folder {}.",
             tests="tests/", checks="checks/", spec="spec/"),
    # Commits
    _literal("commit-prefix", K.COMMIT, "Let the first line of every commit message start with {}.",
             feat="feat: ", mod="[mod] ", ticket="MC-7: "),
    _literal("commit-trailer", K.COMMIT, "Let the last line of every commit message be {}.",
             reviewed="Reviewed-by: nobody yet", risk="Risk: low", team="Team: backend"),
    _literal("commit-ending", K.COMMIT, "Let the first line of every commit message end with {}.",
             dot=".", bang="!", done=" (done)"),
    # The module as a whole
    _rule("module-order", K.CONSTANT, "Place module-level constants {}.",
          ("top", "top", "above every function and class"), ("bottom", "bottom", "below every function and class")),
    _rule("all-list", K.MODULE, "Set `__all__` in every module, tests apart, to {} of its public functions and "
          "classes.", ("list", "list", "a list"), ("tuple", "tuple", "a tuple")),
    _rule("future-annotations", K.MODULE, "Begin the imports of every module, tests apart, with "
          "`from __future__ import annotations`.", ("only", "annotations", "")),
    _rule("type-alias", K.MODULE, "Declare at least one type in every module, tests apart, as {}.",
          ("statement", "type", "a `type` statement (`type Name = …`)"),
          ("annotated", "TypeAlias", "an alias annotated with `typing.TypeAlias`"),
          ("new-type", "NewType", "a `typing.NewType`")),
    _rule("import-form", K.IMPORT, "In modules, tests apart, import {} (`from __future__` doesn't count).",
          ("whole", "import", "whole modules only (`import x`), never names from them"),
          ("names", "from", "names only (`from x import y`), never whole modules")),
    _literal("import-ban", K.IMPORT, "Never import the module {} in modules, tests apart.",
             math="math", collections="collections"),
    _rule("paths", K.PATH, "Handle file names and folders with {}.",
          ("pathlib", "pathlib", "`pathlib` alone, without `os`, `os.path` and `glob`"),
          ("os", "os", "`os` and `os.path` alone, without `pathlib` and `glob`")),
    # Names
    _rule("constant-names", K.CONSTANT, "Let the upper-case names of module-level constants {}.",
          ("k", "K_*", "start with `K_`"), ("cfg", "CFG_*", "start with `CFG_`"),
          ("const", "*_CONST", "end with `_CONST`"), ("fixed", "*_FIXED", "end with `_FIXED`")),
    _rule("argument-case", K.ARGUMENT, "Write argument names of functions in {}.",
          ("camel", "camel", "camelCase, without any underscore"), ("upper", "upper", "UPPER_CASE"),
          ("pascal", "pascal", "PascalCase, without any underscore")),
    _rule("attribute-underscore", K.ATTRIBUTE, "Let attribute names {} with an underscore.",
          ("leading", "_*", "start"), ("trailing", "*_", "end")),
    # Idioms
    _rule("string-format", K.FORMAT, "In modules, put values into text {}.",
          ("percent", "percent", "with the `%` operator alone"), ("format", "format", "with `str.format` alone"),
          ("concat", "concat", "with `+` alone: no f-strings, no `%`, no `str.format`")),
    _rule("exceptions", K.RAISE, "Raise only exceptions of classes that the module itself defines, derived directly "
          "from {}.", ("value", "ValueError", "`ValueError`"), ("lookup", "LookupError", "`LookupError`"),
          ("runtime", "RuntimeError", "`RuntimeError`")),
    _rule("logging", (K.FUNCTION, K.METHOD), "Let every function and method log a line through the module-level "
          "logger {}.", ("log-debug", "log.debug", "`log` (from `logging.getLogger`), with `log.debug`"),
          ("logger-info", "logger.info", "`logger` (from `logging.getLogger`), with `logger.info`"),
          ("audit-warning", "audit.warning", "`audit` (from `logging.getLogger`), with `audit.warning`")),
    _rule("return-style", K.RETURN, "Return {}.",
          ("parentheses", "parentheses", "every value in parentheses: `return (value)`"),
          ("names", "names", "only plain names, without parentheses: give the value a name on the line before")),
    _rule("records", K.RECORD, "Make every class that only holds values a dataclass, as `{}`.",
          ("frozen", "frozen", "@dataclass(frozen=True)"), ("slots", "slots", "@dataclass(slots=True)"),
          ("keyword", "kw_only", "@dataclass(kw_only=True)")),
    _rule("calling", K.ARGUMENT, "Make {}.",
          ("positional", "positional", "all arguments of functions positional-only"),
          ("keyword", "keyword", "all arguments of functions keyword-only"),
          ("after-first", "after-first", "all arguments of functions keyword-only, except the first of each function, "
           "which may come by position or by keyword")),
    _literal("docstring-opening", (K.FUNCTION, K.METHOD), "Give every function and method a docstring that starts "
             "with {}.", purpose="Purpose:", task="Task:", job="Job:"),
    _rule("docstring-arguments", (K.FUNCTION, K.METHOD), "List every argument of every function and method in its "
          "docstring, {}.", ("google", "google", "each as a line `name: …` under a line `Args:`"),
          ("sphinx", "sphinx", "each as a line `:param name: …`"),
          ("numpy", "numpy", "each as a line `name : …` under the lines `Parameters` and `----------`")),
    _literal("comment-tag", K.COMMENT, "Comment modules, tests apart, and start each comment with {}.",
             nb="# NB:", why="# Why:", note="# Note:"),
)  # fmt: skip
