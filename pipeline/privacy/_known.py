"""Values that were found once and are replaced wherever else they stand, without a context to give them away."""

import re
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from typing import Any, Final

from swe_together.pipeline.privacy._branches import NamedBranches, handles
from swe_together.pipeline.privacy._model import Family, Span
from swe_together.pipeline.privacy._notices import Holders
from swe_together.pipeline.privacy._paths import is_shared, is_stock
from swe_together.pipeline.privacy._people import is_person, parts
from swe_together.pipeline.privacy._re2 import compile_bytes
from swe_together.pipeline.privacy._words import COMMON

RANK: Final = 900
_GROUP: Final = 2000
"""Values in one automaton."""
_NUMBERED: Final = compile_bytes(
    rb"(?:/u/|/users?/|/avatar/|[Ii][Dd][\\\"']{0,4}[ \t]*[:=][ \t]*[\\\"']{0,4})(\d{4,12})\b"
)
"""Where an account's number stands, that elsewhere would be any number."""
_LOWERED: Final = ("account", "person", "host", "email")


@dataclass(frozen=True, slots=True)
class _Value:
    kind: str
    family: Family
    canonical: bytes
    exact: bool
    """The letters' case matters."""
    inside: bool
    """It is replaced inside longer words too."""


def canonical(family: Family, value: bytes) -> bytes:
    """The form of a value that is digested: names and addresses read the same in any case."""
    if family in _LOWERED:
        return re.sub(rb"\s+", b" ", value).lower()
    return re.sub(rb"[\s.()-]", b"", value) if family in ("phone", "bank") else value


class Known:
    """The registry of a dataset.

    Attributes:
        own: Persons of examples, such as ``alice``, whose name somebody in the dataset really has.
    """

    def __init__(self) -> None:
        self.own: set[bytes] = set()
        self._numbers: set[bytes] = set()
        self._branches = NamedBranches()
        self._holders = Holders()
        self._alone: set[bytes] = set()
        self._public: set[tuple[Family, bytes]] = set()
        self._named: set[bytes] = set()
        self._values: dict[bytes, _Value] = {}
        self._exact: dict[bytes, _Value] = {}
        self._patterns: list[Any] | None = None

    def __len__(self) -> int:
        counted: tuple[Sized, ...] = (self._values, self._exact, self.own, self._numbers, self._branches, self._public)
        return sum(map(len, counted))

    def publish(self, values: Iterable[tuple[Family, bytes]]) -> None:
        """These values, in canonical form, can be read by everybody elsewhere: they stay wherever they stand whole."""
        self._public.update(values)

    def is_public(self, family: Family, value: bytes) -> bool:
        """Whether a value stays because everybody can read it elsewhere."""
        return bool(self._public) and (family, canonical(family, value)) in self._public

    def kind_of(self, family: Family, value: bytes, kind: str) -> tuple[str, bytes]:
        """The kind and canonical form that a value goes by: those under which it was first learnt."""
        entry = self._exact.get(value) if family == "secret" else self._values.get(value.lower())
        return (entry.kind, entry.canonical) if entry and entry.family == family else (kind, canonical(family, value))

    def learn(self, kind: str, family: Family, value: bytes, *, guessed: bool = False) -> None:
        """Remember a value, if it is one that can be told from ordinary words; ``guessed`` as for branches."""
        if family in ("account", "person", "email"):
            self._learn_handles(kind, family, value, guessed)
        match family:
            case "account" if value.isdigit():
                if len(value) >= 4:
                    self._numbers.add(value)
            case "secret":
                if len(value) >= 8 and (len(value) >= 12 or not value.isalpha()) and b"\n" not in value:
                    self._add(value, _Value(kind, family, value, exact=True, inside=len(value) >= 12))
            case "account":
                low = value.lower()
                if len(low) >= 4 and not is_shared(low, self.own) and low.decode("latin-1") not in COMMON:
                    self._add(low, _Value(kind, family, low, exact=False, inside=len(low) >= 8))
            case "person":
                whole = canonical(family, value)
                if b" " in whole or len(whole) >= 6:
                    self._add(whole, _Value(kind, family, whole, exact=False, inside=False))
                for part in parts(value):
                    self._add(part, _Value(kind, family, whole, exact=True, inside=False))
            case _:
                if len(value) >= 7:
                    exact = family not in _LOWERED
                    self._add(
                        value if exact else value.lower(),
                        _Value(kind, family, canonical(family, value), exact=exact, inside=family == "host"),
                    )

    def learn_own(self, name: bytes) -> None:
        """Remember that somebody here has the name of a person of examples."""
        low = name.lower()
        if is_stock(low) and low not in self.own:
            self.own.add(low)
            self.learn("home-path", "account", low)

    def learn_branch(self, branch: bytes) -> None:
        """Remember a branch: its segments that are a known person's go."""
        before = len(self._branches)
        self._branches.add(branch)
        self._learn_named(before)

    def learn_notice(self, name: bytes) -> None:
        """Remember a name in a copyright notice: it goes where an account or a mail address gives it away."""
        person = self._holders.add_name(name) if is_person(name) else None
        if person is not None:
            self._learn_holder(name, person=person)

    def _learn_holder(self, name: bytes, *, person: bool) -> None:
        """Remember who holds a copyright. If it may be an organisation, the words of its name stay by themselves."""
        if person:
            self.learn("person-name", "person", name)
        else:
            whole = canonical("person", name)
            self._add(whole, _Value("person-name", "person", whole, exact=False, inside=False))

    def _learn_handles(self, kind: str, family: Family, value: bytes, guessed: bool) -> None:
        name = value.partition(b"@")[0] if family == "email" else value
        first = re.split(rb"[\s._+-]", name)[0]
        if family != "account":
            self.learn_own(first)
        if kind in ("account-id", "hidden-word") or is_shared(name, self.own):
            return
        if family != "person":
            certain = kind != "account-name"
            for holder in self._holders.add_account(name, person=certain):
                self._learn_holder(holder, person=certain)
        full = family == "person" or (family == "email" and len(first) < len(name))
        as_family: Family = "account" if family == "email" else family
        before = len(self._branches)
        self._alone |= {first.lower(), name.lower()}
        person = (kind, as_family, canonical(as_family, name))
        self._branches.add_person(handles(name, full=full), person, guessed=guessed)
        self._learn_named(before)

    def _learn_named(self, before: int) -> None:
        """A first name or handle that is before a branch as well is an account's: it goes wherever it stands alone.

        ``before`` is how many branches were a person's: without a new one there is nothing to learn.
        """
        if len(self._branches) == before:
            return
        for name, (kind, family, form) in self._branches.named():
            if name in self._alone and len(name) >= 4 and name.decode("latin-1") not in COMMON:
                entry = _Value(kind, family, form, exact=False, inside=False)
                if name not in self._values:
                    self._named.add(name)
                elif name in self._named and self._values[name] != entry:
                    del self._values[name]
                self._add(name, entry)

    def _add(self, value: bytes, entry: _Value) -> None:
        table = self._exact if entry.exact else self._values
        if value not in table:
            table[value] = entry
            self._patterns = None

    def spans(self, data: bytes) -> Iterator[Span]:
        """Where known values stand in ``data``."""
        for pattern in self._compiled():
            for match in pattern.finditer(data):
                start, end = match.span()
                found = match.group()
                entry = self._exact.get(found) or self._values.get(re.sub(rb"[ \t]+", b" ", found.lower()))
                if entry is None or not (entry.inside or _stands_alone(data, start, end)):
                    continue
                if (entry.family, entry.canonical) in self._public:
                    continue
                yield Span(start, end, entry.kind, entry.family, RANK, entry.canonical)
        yield from self._branches.spans(data)
        if self._numbers:
            for match in _NUMBERED.finditer(data):
                if match.group(1) in self._numbers:
                    yield Span(match.start(1), match.end(1), "account-id", "account", RANK, match.group(1))

    def secrets_in(self, data: bytes) -> bool:
        """Whether any known secret stands in ``data``."""
        return any(span.family == "secret" for span in self.spans(data))

    def _compiled(self) -> list[Any]:
        if self._patterns is None:
            self._patterns = [
                *_automata(sorted(self._exact, key=lambda v: (-len(v), v)), b""),
                *_automata(sorted(self._values, key=lambda v: (-len(v), v)), b"(?i)"),
            ]
        return self._patterns


def _automata(values: list[bytes], flags: bytes) -> Iterator[Any]:
    for start in range(0, len(values), _GROUP):
        group = values[start : start + _GROUP]
        pattern = b"|".join(_literal(value) for value in group)
        yield compile_bytes(flags + b"(?:" + pattern + b")", memory=256 << 20)


def _literal(value: bytes) -> bytes:
    import re2

    quoted: bytes = re2.escape(value)
    return re.sub(rb"\\? ", rb"[ \\t]+", quoted)


def _stands_alone(data: bytes, start: int, end: int) -> bool:
    before, after = data[max(0, start - 1) : start], data[end : end + 1]
    return not _is_letter(before) and not _is_letter(after)


def _is_letter(byte: bytes) -> bool:
    return bool(byte) and (byte.isalnum() or byte[0] >= 0xC3)
