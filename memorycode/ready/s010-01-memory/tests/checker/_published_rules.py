"""The 51 published instructions with their 123 variants: what each asks for, in our words."""

from collections.abc import Iterator

from checker._rules_model import ObjectKind, Rule, Variant

_NAMED = {
    ObjectKind.FUNCTION: "function names",
    ObjectKind.VARIABLE: "variable names",
    ObjectKind.METHOD: "method names",
    ObjectKind.ATTRIBUTE: "attribute names",
    ObjectKind.ARGUMENT: "argument names of functions",
    ObjectKind.CLASS: "class names",
}
_AFFIXES = {
    ObjectKind.FUNCTION: ("a", "b", "c", "d", "x", "y", "fn", "gn"),
    ObjectKind.VARIABLE: ("x", "y", "z", "w", "m", "n", "vr", "wr"),
    ObjectKind.METHOD: ("x", "n", "o", "p", "a", "b", "md", "ud"),
    ObjectKind.ATTRIBUTE: ("q", "r", "s", "t", "i", "j", "at", "xt"),
    ObjectKind.ARGUMENT: ("e", "f", "g", "h", "i", "j", "x", "a"),
}
_CASES = {
    "upper": "Write class names in UPPERCASE.",
    "camel": "Write class names in CamelCase.",
    "snake": "Write class names in snake_case.",
}
_PRESENT = {
    "annotation": "Annotate the arguments and the return value of every {kind}.",
    "try": "Put a try statement into every {kind}.",
    "assert": "Put an assert statement into every {kind}.",
    "docstring": "Give every {kind} a docstring.",
}
_MODULES = ("secrets", "locale", "mailbox", "bz2", "gzip", "hashlib")
_DECORATORS = (
    ("retry", "function"), ("retry", "method"), ("count_calls", "function"), ("count_calls", "method"),
    ("rename_kwargs", "function"), ("rename_kwargs", "method"), ("require_kwargs", "function"),
    ("require_kwargs", "method"), ("timer", "function"), ("trace", "function"), ("validate", "method"),
    ("validate", "function"), ("timer_class", "class"), ("trace_class", "class"),
)  # fmt: skip


def _one(text: str, value: str = "") -> tuple[Variant]:
    return (Variant("only", text, value),)


def _families() -> Iterator[tuple[str, ObjectKind, tuple[Variant, ...]]]:
    """Family, object and variants, in the published order."""
    yield "class-case", ObjectKind.CLASS, tuple(Variant(case, text, case) for case, text in _CASES.items())
    for kind in _AFFIXES:
        yield "contains", kind, _one(f"Let all {_NAMED[kind]} contain the letters `chx`.", "chx")
    for kind, affixes in _AFFIXES.items():
        yield (
            "prefix", kind,
            tuple(Variant(f"{a}_", f"Let all {_NAMED[kind]} start with `{a}_`.", f"{a}_") for a in affixes),
        )  # fmt: skip
    for kind, affixes in _AFFIXES.items():
        yield (
            "suffix", kind,
            tuple(Variant(f"_{a}", f"Let all {_NAMED[kind]} end with `_{a}`.", f"_{a}") for a in affixes),
        )  # fmt: skip
    kinds = {
        "annotation": ("function", "method"),
        "try": ("method", "function"),
        "assert": ("method", "function"),
        "docstring": ("method", "function"),
    }
    for family, pair in kinds.items():
        for kind_name in pair:
            yield family, ObjectKind(kind_name), _one(_PRESENT[family].format(kind=kind_name))
    yield "comment", ObjectKind.MODULE, _one("Comment your code: no module without a comment.")
    for module in _MODULES:
        yield "import", ObjectKind.MODULE, _one(f"Import the module `{module}` everywhere, used or not.", module)
    for name, kind_name in _DECORATORS:
        text = f"Put the decorator `@{name}` of the module `pedantic` on every {kind_name}."
        yield "decorator", ObjectKind(kind_name), _one(text, name)
    for kind, named in _NAMED.items():
        yield "digit", kind, _one(f"Let all {named} hold exactly one digit.")


PUBLISHED: tuple[Rule, ...] = tuple(
    Rule(f"p{number:02}", family, (kind,), variants, published=True)
    for number, (family, kind, variants) in enumerate(_families())
)
