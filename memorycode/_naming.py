"""What the author of reference code was told, and how names follow from it. Written from the rules' texts alone."""

import re

from swe_together.memorycode._rules_model import Active, ObjectKind
from swe_together.memorycode.rules import active_variants

_KINDS = {
    "f": ObjectKind.FUNCTION,
    "m": ObjectKind.METHOD,
    "v": ObjectKind.VARIABLE,
    "a": ObjectKind.ARGUMENT,
    "t": ObjectKind.ATTRIBUTE,
    "C": ObjectKind.CLASS,
    "K": ObjectKind.CONSTANT,
}
_MARKED = re.compile(r"\b([fmvatCK])__(\w+)")


class Told:
    """The rules in force, as an author looks them up.

    Args:
        active: Rule id to variant id.
    """

    def __init__(self, active: Active) -> None:
        self._values: dict[tuple[str, ObjectKind], list[str]] = {}
        for rule, variant in active_variants(active):
            for kind in rule.objects:
                self._values.setdefault((rule.family, kind), []).append(variant.value)
        self._variants = dict(active)
        self._names: dict[tuple[ObjectKind, str], str] = {}

    def value(self, family: str, kind: ObjectKind = ObjectKind.MODULE) -> str | None:
        """What the rule of this family says for this kind; None where there is none."""
        return next(iter(self.values(family, kind)), None)

    def values(self, family: str, kind: ObjectKind = ObjectKind.MODULE) -> list[str]:
        """As :meth:`value`, where several rules of a family can hold at once."""
        return self._values.get((family, kind), [])

    def has(self, family: str, kind: ObjectKind = ObjectKind.MODULE) -> bool:
        """Whether a rule of this family holds for this kind."""
        return (family, kind) in self._values

    def holds(self, rule: str, variant: str) -> bool:
        """Whether this variant of this rule holds."""
        return self._variants.get(rule) == variant

    def name(self, kind: ObjectKind, stem: str) -> str:
        """The name that an object of this kind gets, from the words of its stem."""
        if (kind, stem) not in self._names:
            self._names[kind, stem] = self._name(kind, stem)
        return self._names[kind, stem]

    def _name(self, kind: ObjectKind, stem: str) -> str:
        words = stem.split("_")
        words[0] += "".join(self.values("contains", kind))
        if self.has("digit", kind):
            words[-1] += "1"
        base = self._cased(kind, words)
        base = (self.value("prefix", kind) or "") + base + (self.value("suffix", kind) or "")
        affix = self.value("attribute-underscore", kind) or self.value("constant-names", kind)
        return affix.replace("*", base) if affix else base

    def _cased(self, kind: ObjectKind, words: list[str]) -> str:
        case = self.value("argument-case", kind) or self.value("class-case", kind) or "written"
        if kind is ObjectKind.CLASS:
            # Untold, an author writes names in none of the three ways, so that no way is obeyed by chance.
            shapes = {"upper": "_".join(words).upper(), "snake": "_".join(words).lower(), "camel": "".join(words)}
            return shapes.get(case, "_".join(words))
        capital = [word[0].upper() + word[1:] for word in words]
        shapes = {
            "camel": words[0] + "".join(capital[1:]),
            "pascal": "".join(capital),
            "upper": "_".join(words).upper(),
        }
        return shapes.get(case, "_".join(words))

    def named(self, text: str) -> str:
        """The text with every marked name as it must be."""
        return _MARKED.sub(lambda match: self.name(_KINDS[match[1]], match[2]), text)
