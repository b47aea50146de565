"""The words that rules, queries and the checker share. Nothing here but the standard library: tasks carry a copy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ObjectKind(StrEnum):
    """What a rule speaks about. A rule is judged on every object of its kinds."""

    FUNCTION = "function"  # defined outside classes and not inside another function
    METHOD = "method"  # defined in a class, dunder methods apart
    VARIABLE = "variable"  # bound in functions and methods, or at module level unless a constant
    ATTRIBUTE = "attribute"  # bound on the instance in any method, or in the class body
    ARGUMENT = "argument"  # of functions, of every form, *args and **kwargs too
    CLASS = "class"
    IMPORT = "import"
    COMMENT = "comment"
    CONSTANT = "constant"  # module-level name in upper case
    RECORD = "record"  # class that only holds values: no methods but dunder methods, no exception
    RAISE = "raise"  # raise of a new exception
    RETURN = "return"  # return with a value
    FORMAT = "format"  # place where values are put into text
    PATH = "path"  # use of os.path, os, glob or pathlib on file names
    STRING = "string"  # string literal, docstrings apart
    MODULE = "module"  # Python file that is no test
    TEST = "test"  # test function
    COMMIT = "commit"


@dataclass(frozen=True)
class Variant:
    """One wording of a rule.

    Args:
        id: Unique within its rule.
        text: The sentence a mentor says; complete and self-contained.
        value: What the checks compare with (a prefix, a module, a folder …); its meaning belongs to the family.
    """

    id: str
    text: str
    value: str = ""


@dataclass(frozen=True)
class Rule:
    """One instruction with its variants; the variant told last is the one that holds.

    Args:
        id: For example ``p06`` (published instruction 6) or ``indent``.
        family: Rules of one family are checked alike: ``prefix``, ``decorator``, ``indent`` …
        objects: The kinds it is judged on.
        variants: In the order of telling when nothing is shuffled; two or more mean that it can be updated.
        published: Whether it is one of the 51 published instructions.
    """

    id: str
    family: str
    objects: tuple[ObjectKind, ...]
    variants: tuple[Variant, ...]
    published: bool

    @property
    def updatable(self) -> bool:
        """Whether a later session can replace one variant by another."""
        return len(self.variants) > 1

    def variant(self, id: str) -> Variant:
        """The variant with this id.

        Raises:
            KeyError: The rule has no such variant.
        """
        for variant in self.variants:
            if variant.id == id:
                return variant
        raise KeyError(f"rule {self.id} has no variant {id!r}: it has {[v.id for v in self.variants]}")


@dataclass(frozen=True)
class Query:
    """A piece of code to write, without any rule in it.

    Args:
        id: For example ``inventory``.
        text: The request, complete: names to start from, behaviour, file, tests and commit.
        profile: Kinds that a sound answer holds. A rule on one of them fails where the answer has none.
        path: File the request names, for example ``inventory.py``; rules may move or rename it.
        tests: Functional tests as plain JSON values, for :mod:`swe_together.memorycode.functional`.
    """

    id: str
    text: str
    profile: frozenset[ObjectKind]
    path: str
    tests: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Submission:
    """What was written for one query.

    Args:
        files: Relative POSIX path to text, tests and other files too.
        commits: Whole messages of the commits made for it, oldest first.
    """

    files: Mapping[str, str]
    commits: Sequence[str] = ()


type Active = Mapping[str, str]
"""Rule id to the id of the variant that holds now."""


@dataclass(frozen=True)
class RuleResult:
    """How one active rule fared.

    Args:
        rule: Rule id.
        variant: Id of the variant that holds.
        met: Whether every object obeys it, and there is one.
        objects: How many objects were judged.
        reason: Empty where met, else the first offence in words.
        stale: Id of the latest earlier variant that the whole answer obeys instead; None where there is none.
    """

    rule: str
    variant: str
    met: bool
    objects: int
    reason: str
    stale: str | None
