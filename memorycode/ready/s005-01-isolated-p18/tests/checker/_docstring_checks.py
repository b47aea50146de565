"""What docstrings say: how they begin, and which arguments they list."""

import re
from collections.abc import Iterator, Sequence

from checker._definition import Definition
from checker._rules_model import Rule
from checker._work import Finding, Work, judge

# One style's heading, and how it lists an argument; stars before a name may be written out.
_HEADINGS = {"google": ("Args:",), "numpy": ("Parameters", "----------"), "sphinx": ()}
_LISTED = {
    "google": re.compile(r"(?:\\?\*){0,2}(\w+):"),
    "numpy": re.compile(r"(?:\\?\*){0,2}(\w+) :"),
    "sphinx": re.compile(r":param (?:\\?\*){0,2}(\w+):"),
}
_NEXT_SECTION = re.compile(r"(?:Returns|Return|Yields|Raises|Attributes|Notes?|Examples?|See Also|References):?")


def opening(definition: Definition, value: str) -> str:
    """The docstring starts with ``value``."""
    return "" if definition.docstring.startswith(value) else f"has no docstring that starts with {value!r}"


def documents(work: Work, rule: Rule, value: str) -> Finding:
    """Every argument stands in its definition's docstring; a definition without any has nothing to list."""
    kept = [definition for definition in work.definitions(rule.objects) if definition.arguments]

    def offence(definition: Definition) -> str:
        listed = set(_listed([line.strip() for line in definition.docstring.split("\n")], value))
        missing = next((one.arg for one in definition.arguments if one.arg not in listed), None)
        return f"{definition.name!r} doesn't list {missing!r} in its docstring in the {value} way" if missing else ""

    return judge(kept, offence)


def _listed(lines: Sequence[str], style: str) -> Iterator[str]:
    """The arguments that a docstring lists, up to the section after them."""
    heading = list(_HEADINGS[style])
    start = next((n for n in range(len(lines)) if lines[n : n + len(heading)] == heading), None)
    if start is None:
        return
    for line in lines[start + len(heading) :]:
        if heading and _NEXT_SECTION.fullmatch(line):
            return
        if match := _LISTED[style].match(line):
            yield match[1]
