"""Names of persons, by the places where programs write them: commits, trailers, authors with their addresses."""

import re
from collections.abc import Iterator
from typing import Final

from swe_together.pipeline.privacy._model import Family
from swe_together.pipeline.privacy._re2 import LEAD, any_of, compile_bytes
from swe_together.pipeline.privacy._salt import is_placeholder
from swe_together.pipeline.privacy._words import COMMON

_WORD: Final = rb"[A-Z\xc3-\xf4][A-Za-z'\x80-\xff.-]{0,30}"
_FULL: Final = rb"(?:" + _WORD + rb"[ ]){0,3}" + _WORD
_TRAILER: Final = compile_bytes(
    rb"(?m:^(?:[ \t]*\d{1,6}(?:[|:\t]|\xe2\x86\x92))?[ \t+>|-]{0,12}|[\"'(])(?i:(?:co-)?author(?:ed-by)?"
    rb"|commit(?:ter|ted-by)?|signed-off-by|reviewed-by|acked-by|tested-by|reported-by|tagger"
    rb"|from):[ \t]{1,8}([^\n\r<>\"@:]{2,60}?)[ \t]*<([^<>\s]{3,120})>"
)
_CONFIG: Final = compile_bytes(
    rb"(?:user\.name|GIT_(?:AUTHOR|COMMITTER)_NAME)(?:[ \t]*=[ \t]*|[ \t]+)(?:\"([^\"\n]{2,60})\""
    rb"|'([^'\n]{2,60})'|([A-Za-z][^\s\"'$;&|,.()]{1,40}))"
)
_PAIRED: Final = compile_bytes(rb"(?:^|[^A-Za-z0-9_.@/-])(" + _FULL + rb")[ ]<([^<>\s@]{1,64}@[^<>\s@]{3,80})>")
_PREFACE: Final = re.compile(rb"(?:(?:Copyright|License\.?|Author|By|MIT|Written by|From|Cc) )*")
_PASSWD: Final = compile_bytes(
    rb"(?m)^" + LEAD + rb"[a-z_][a-z0-9_.-]{0,31}:[x*!]:\d{1,7}:\d{1,7}:([^:,\n]{3,60})[^:\n]{0,80}:/(?:home|Users)/"
)
_BLAME: Final = compile_bytes(
    rb"(?m)^"
    + LEAD
    + rb"\^?[0-9a-f]{7,40} (?:[^\s(]{1,200} {1,80})?\(([^\d(][^\d\n(]{1,50}?) {1,40}\d{4}-\d\d-\d\d \d\d:\d\d:\d"
    rb"\d [+-]\d{4} {1,8}\d{1,7}\)"
)
_NOT_PERSON: Final = re.compile(
    rb"(?i)\[bot\]|^(?:claude|copilot|codex|cursor|gemini|gpt|chatgpt|opencode|devin|aider|github|gitlab"
    rb"|dependabot|renovate|greenkeeper|"
    rb"actions?|bot|agent|swe|test|tester|testing|user|your|you|name|root|ci|automation|release|semantic-release"
    rb"|the|not committed|unknown|example|"
    rb"first|last|full|author|john|jane doe|alice|bob|foo|bar|some|someone|a u thor|c o mitter|system|admin"
    rb"|entire|dev|developer|maintainers?|web-flow|noreply|stable|cc|to|copyright|licen[sc]e|a\. ?u\. thor|jr)\b"
    rb"|\b(?:bot|agent|team|authors|contributors|inc|gmbh|llc|ltd|foundation|project|test|tester|user"
    rb"|authors?)\.?$|[{}$%<>()\[\]|=/\\]"
)
_ANY: Final = any_of((_TRAILER, _CONFIG, _PAIRED, _PASSWD, _BLAME))


def people(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    """Full names in ``data``: start, end, kind, family."""
    if _ANY.search(data) is None:
        return
    if b"<" in data:
        for match in _TRAILER.finditer(data):
            if is_person(match.group(1)):
                yield *match.span(1), "person-name", "person"
        for match in _PAIRED.finditer(data):
            start = match.start(1) + len(_PREFACE.match(match.group(1)).group())  # type: ignore[union-attr]
            if data.find(b" ", start, match.end(1)) >= 0 and is_person(data[start : match.end(1)]):
                yield start, match.end(1), "person-name", "person"
    if b"_NAME" in data or b"user.name" in data:
        for match in _CONFIG.finditer(data):
            for group in (1, 2, 3):
                value = match.group(group)
                if value and is_person(value):
                    yield *match.span(group), "person-name", "person"
    if b":/" in data:
        for match in _PASSWD.finditer(data):
            if is_person(match.group(1)):
                yield *match.span(1), "person-name", "person"
    if b" (" in data:
        for match in _BLAME.finditer(data):
            if is_person(match.group(1).strip()):
                yield match.start(1), match.start(1) + len(match.group(1).rstrip()), "person-name", "person"


def is_person(name: bytes) -> bool:
    """Whether a name in the place of an author's is a person's and not a program's or an example's."""
    clean = name.strip()
    return (
        len(clean) >= 3
        and not is_placeholder(clean)
        and _NOT_PERSON.search(clean) is None
        and (re.search(rb"[A-Z\x80-\xff]|[a-z][0-9_-]*\d", clean) is not None or b" " in clean or len(clean) >= 6)
        and clean.lower().decode("latin-1") not in COMMON
    )


def parts(name: bytes) -> tuple[bytes, ...]:
    """The words of a full name that may stand for the person alone: four letters or more, and no common word."""
    words = re.split(rb"[\s.]+", name)
    if len(words) < 2:
        return ()
    return tuple(w for w in words if len(w) >= 4 and w[:1].isupper() and w.lower().decode("latin-1") not in COMMON)
