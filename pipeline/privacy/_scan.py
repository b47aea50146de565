"""Everything that is found in one text, and the text without it."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Final

from swe_together.pipeline.privacy._bodies import bodies
from swe_together.pipeline.privacy._branches import branches
from swe_together.pipeline.privacy._contexts import CONTEXTS
from swe_together.pipeline.privacy._cookies import ANY_COOKIE, cookies
from swe_together.pipeline.privacy._forge import beside_logins
from swe_together.pipeline.privacy._keys import private_keys
from swe_together.pipeline.privacy._known import Known
from swe_together.pipeline.privacy._library import Library, shared_library
from swe_together.pipeline.privacy._model import Family, PrivacyError, Span
from swe_together.pipeline.privacy._notices import account, joined, notices
from swe_together.pipeline.privacy._paths import accounts, is_account, own_names
from swe_together.pipeline.privacy._people import people
from swe_together.pipeline.privacy._personal import shapes
from swe_together.pipeline.privacy._re2 import any_of
from swe_together.pipeline.privacy._salt import Salt, is_placeholder
from swe_together.pipeline.privacy._settings import beside_mail
from swe_together.pipeline.privacy._tokens import ANY_TOKEN, TOKENS
from swe_together.pipeline.privacy._views import View, views

LAYERS: Final = 6
"""Bodies within bodies that are opened."""
_ROUNDS: Final = 4
"""Passes after which a text must have come to rest."""
_HOMES: Final = (b"/Users/", b"/home/", b"\\Users\\", b"-Users-", b"-home-")
_ANY_CONTEXT: Final = any_of([*(context.pattern for context in CONTEXTS), ANY_COOKIE])
"""Found wherever a context or a cookie is."""
_SHORT: Final = 200
_REMEMBERED: Final = 100_000
_PLACED: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@.-"
_BODY, _KEY, _TOKEN, _CONTEXT, _LIBRARY, _SHAPE, _ACCOUNT, _PERSON, _SETTING = 0, 1, 10, 200, 300, 400, 500, 600, 610


@dataclass(frozen=True, slots=True)
class Hit:
    """A value that was replaced; ``where`` names the encoding it was in, or is empty."""

    kind: str
    family: Family
    value: bytes
    length: int
    where: str = ""


@dataclass(slots=True)
class Scanner:
    """Finds and replaces in bytes. ``known`` grows with ``learn`` and is consulted by ``redact``.

    Names in copyright notices are remembered by both, for they go only once something else gives them away.

    Attributes:
        salt: Keys the placeholders.
        known: Values found elsewhere in the dataset.
        owners: Owners of public repositories in lower case: kept but in home paths.
        keep: Names in lower case that are never replaced.
        seconds: What the library may take for one text.
        pictures: Hashes of the bodies that were kept unread since it was last cleared.
    """

    salt: Salt
    known: Known
    owners: frozenset[bytes] = frozenset()
    keep: frozenset[bytes] = frozenset()
    seconds: float = 30.0
    library: Library = field(default_factory=shared_library)
    pictures: set[int] = field(default_factory=set)
    _learnt: set[bytes] = field(default_factory=set)
    _clean: set[bytes] = field(default_factory=set)
    _done: dict[bytes, tuple[bytes, list[Hit]]] = field(default_factory=dict)
    _clean_for: int = -1
    _public: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._public = frozenset(account(kept) for kept in self.keep | self.owners)

    def learn(self, data: bytes, layer: int = 0) -> None:
        """Remember every value in a text."""
        if len(data) <= _SHORT and len(self._learnt) < _REMEMBERED:
            if data in self._learnt:
                return
            self._learnt.add(data)
        for span in self._spans(data, layer):
            if span.plain is not None:
                self.learn(span.plain, layer + 1)
            else:
                self.known.learn(span.kind, span.family, span.value, guessed=span.rank >= _SETTING)
        for name in own_names(data):
            self.known.learn_own(name)
        if b"/" in data:
            for branch in branches(data):
                self.known.learn_branch(branch)

    def redact(self, data: bytes, layer: int = 0) -> tuple[bytes, list[Hit]]:
        """The text without what must go, and what went.

        Raises:
            PrivacyError: The text can't be looked through, or something is found in the result again and again.
        """
        short = len(data) <= _SHORT
        if short and self._is_clean(data):
            return data, []
        if short and data in self._done:
            return self._done[data]
        clean, hits = self._redacted(data, layer)
        if short and hits and len(self._done) < _REMEMBERED:
            self._done[data] = clean, hits
        return clean, hits

    def _redacted(self, data: bytes, layer: int) -> tuple[bytes, list[Hit]]:
        hits: list[Hit] = []
        for _ in range(_ROUNDS):
            spans = self._spans(data, layer)
            if not spans:
                return data, hits
            parts, last = [], 0
            for span in spans:
                new, found = self._replaced(span, layer)
                hits += found
                parts += [data[last : span.start], new]
                last = span.end
            data = b"".join([*parts, data[last:]])
        if self._spans(data, layer):
            raise PrivacyError("a text still held something after it was redacted.", "Report it.")
        return data, hits

    def hit(self, kind: str, family: Family, value: bytes) -> tuple[bytes, Hit]:
        """The placeholder of a value that a caller knows to be one, and the hit to report."""
        kind, form = self.known.kind_of(family, value, kind)
        return self.salt.placeholder(kind, family, form), Hit(kind, family, form, len(value))

    def _replaced(self, span: Span, layer: int) -> tuple[bytes, list[Hit]]:
        if span.plain is not None and span.encode is not None:
            inner, hits = self.redact(span.plain, layer + 1)
            return span.encode(inner), [Hit(h.kind, h.family, h.value, h.length, h.where or span.kind) for h in hits]
        new, hit = self.hit(span.kind, span.family, span.value)
        return new, [hit]

    def _spans(self, data: bytes, layer: int) -> list[Span]:
        """What is found, in order and without overlaps."""
        if len(data) <= _SHORT and self._is_clean(data):
            return []
        found: list[Span] = []
        pictures = len(self.pictures)
        opened: set[tuple[int, int]] = set()
        for view in views(data):
            for span in self._in_view(view, layer, opened):
                if view.joins and not any(span.start < join < span.end for join in view.joins):
                    continue
                if span.plain is None and self.known.is_public(span.family, span.value):
                    continue
                start, end = view.place(span.start, span.end)
                found.append(replace(span, start=start, end=end))
        if not found and len(data) <= _SHORT and len(self._clean) < _REMEMBERED and len(self.pictures) == pictures:
            self._clean.add(data)
        return settled(found)

    def _is_clean(self, data: bytes) -> bool:
        """Whether a short text was found clean before; transcripts repeat keys and identifiers thousands of times."""
        if self._clean_for != len(self.known):
            self._clean_for = len(self.known)
            self._clean.clear()
            self._done.clear()
        return data in self._clean

    def _in_view(self, view: View, layer: int, opened: set[tuple[int, int]]) -> Iterator[Span]:
        data = view.data
        yield from _tokens(data)
        yield from self._bodies(view, layer, opened)
        if view.joins:
            return
        for start, end in private_keys(data):
            yield Span(start, end, "private-key", "secret", _KEY, data[start:end])
        if _ANY_CONTEXT.search(data):
            for index, context in enumerate(CONTEXTS):
                for start, end in context.find(data):
                    yield Span(start, end, context.kind, "secret", _CONTEXT + index, data[start:end])
            for start, end in cookies(data):
                yield Span(start, end, "cookie", "secret", _CONTEXT + 90, data[start:end])
        for start, end, rule in self.library.find(data, self.seconds):
            yield Span(start, end, rule, "secret", _LIBRARY, data[start:end])
        for start, end, kind, family in shapes(data):
            yield Span(start, end, kind, family, _SHAPE, data[start:end])
        if b"login" in data or b"username" in data:
            for start, end, kind, family in beside_logins(data, self.goes):
                yield Span(start, end, kind, family, _ACCOUNT, data[start:end])
        for start, end, kind, family in accounts(data, self.known.own):
            if not self._is_kept(data, start, end):
                yield Span(start, end, kind, family, _ACCOUNT, data[start:end])
        persons = chain(zip(people(data), repeat(_PERSON)), zip(beside_mail(data), repeat(_SETTING)))
        for (start, end, kind, family), rank in persons:
            if not self._is_kept(data, start, end):
                yield Span(start, end, kind, family, rank, data[start:end])
        for name in notices(data):
            if not self._is_public(name):
                self.known.learn_notice(name)
        for span in self.known.spans(data):
            named = span.family in ("account", "person")
            if not (named and self._is_kept(data, span.start, span.end)) and not _in_placeholder(data, span):
                yield span

    def goes(self, login: bytes) -> bool:
        """Whether a login is one of a person that is not to be kept."""
        low = login.lower()
        return is_account(login, self.known.own) and low not in self.keep and low not in self.owners

    def _is_public(self, name: bytes) -> bool:
        """Whether a full name is kept by the policy, or is that of a public repository's owner joined."""
        return name.lower() in self.keep or not joined(name).isdisjoint(self._public)

    def _is_kept(self, data: bytes, start: int, end: int) -> bool:
        """Whether a name is to stay: by the policy, or as the owner of a public repository, unless it is a home's."""
        name = data[start:end].lower()
        return name in self.keep or (name in self.owners and not data[max(0, start - 7) : start].endswith(_HOMES))

    def _bodies(self, view: View, layer: int, opened: set[tuple[int, int]]) -> Iterator[Span]:
        for body in bodies(view.data, self._saw_picture):
            place = view.place(body.start, body.end)
            if place in opened:
                continue
            opened.add(place)
            if layer >= LAYERS:
                raise PrivacyError(f"bodies lie in bodies more than {LAYERS} deep.", "Leave the text out.")
            if self._spans(body.plain, layer + 1):
                raw = view.data[body.start : body.end]
                yield Span(body.start, body.end, body.how, "secret", _BODY, raw, body.plain, body.encode)

    def _saw_picture(self, body: bytes) -> None:
        self.pictures.add(hash(body))


def _tokens(data: bytes) -> Iterator[Span]:
    """Known tokens in ``data``."""
    if ANY_TOKEN.search(data) is None:
        return
    for index, rule in enumerate(TOKENS):
        for match in rule.pattern.finditer(data):
            start, end = match.span(1)
            if rule.bounded and data[max(0, start - 1) : start].isalnum():
                continue
            if rule.check is None or rule.check(match.group(1)):
                yield Span(start, end, rule.kind, rule.family, _TOKEN + index, match.group(1))


def _in_placeholder(data: bytes, span: Span) -> bool:
    """Whether a known value stands inside a placeholder."""
    left = data[max(0, span.start - 80) : span.start]
    start = span.start - len(left) + len(left.rstrip(_PLACED))
    right = data[span.end : span.end + 80]
    end = span.end + len(right) - len(right.lstrip(_PLACED))
    return is_placeholder(data[start:end])


def settled(spans: list[Span]) -> list[Span]:
    """The spans in order of place, without overlaps.

    The lower rank wins. Where two secrets overlap, the winner grows over both, so that no half of one stays.
    """
    taken: list[Span] = []
    starts: list[int] = []
    for span in sorted(spans, key=lambda s: (s.rank, s.start - s.end, s.start)):
        first = bisect_right(starts, span.start)
        if first and taken[first - 1].end > span.start:
            first -= 1
        last = first
        while last < len(taken) and taken[last].start < span.end:
            last += 1
        if first == last:
            taken.insert(first, span)
            starts.insert(first, span.start)
            continue
        rivals = taken[first:last]
        best = min(rivals, key=lambda s: s.rank)
        start, end = min(span.start, rivals[0].start), max(span.end, rivals[-1].end)
        # A whole URL is no half of a secret: the part of it that is one has already been found.
        grows = span.family == best.family == "secret" and best.plain is None and b"://" not in span.value
        if grows and (start, end) != (best.start, best.end):
            taken[first:last] = [replace(best, start=start, end=end)]
            starts[first:last] = [start]
    return taken
