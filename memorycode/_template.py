"""How reference code is written down before any rule bends it: structure, with names that say what they name.

In bodies a name carries a mark for its kind: ``f__`` function, ``m__`` method, ``v__`` variable, ``a__`` argument,
``t__`` attribute, ``C__`` class, ``K__`` constant, ``i__module__name`` something imported. Strings stand in double
quotes and hold none. A line ``!raise text {} | value`` raises an error; a line that starts with ``?rule:variant`` or
``?!rule:variant`` is kept only where that variant holds, or doesn't.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Routine:
    """A function or method: stem of its name, typed arguments, result, what it does, its body."""

    stem: str
    arguments: tuple[tuple[str, str], ...]
    returns: str
    does: str
    body: str


@dataclass(frozen=True)
class ValueClass:
    """A class that only holds values: stem of its name and typed fields."""

    stem: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class MainClass:
    """A class: stem of its name, arguments and body of its constructor, methods."""

    stem: str
    arguments: tuple[tuple[str, str], ...]
    start: str
    methods: tuple[Routine, ...]


@dataclass(frozen=True)
class Template:
    """Reference code of one query.

    Args:
        title: For the commit message.
        constant: Stem and value of the module-level constant.
        functions: The function asked for first, then its helpers.
        record: The class that only holds values.
        main: The class asked for.
        examples: Conditions that hold, for the test file; in marked names.
    """

    title: str
    constant: tuple[str, str]
    functions: tuple[Routine, ...] = ()
    record: ValueClass | None = None
    main: MainClass | None = None
    examples: tuple[str, str] = ("", "")
