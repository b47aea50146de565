"""Names of persons, by the places where programs write them: commits, trailers, authors with their addresses."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from swe_together.pipeline.privacy._author_keys import is_author_key, mail_role, name_role
from swe_together.pipeline.privacy._model import Family
from swe_together.pipeline.privacy._objects import GAP, Member, more_strings, objects
from swe_together.pipeline.privacy._personal import is_mailbox
from swe_together.pipeline.privacy._re2 import LEAD, any_of, compile_bytes
from swe_together.pipeline.privacy._salt import is_placeholder
from swe_together.pipeline.privacy._words import COMMON, STOCK

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
    rb"first|last|full|author|foo|bar|some|someone|a u thor|c o mitter|system|admin"
    rb"|entire|dev|developer|maintainers?|web-flow|noreply|stable|cc|to|copyright|licen[sc]e|a\. ?u\. thor|jr)\b"
    rb"|\b(?:bot|agent|team|authors|contributors|inc|gmbh|llc|ltd|foundation|project|test|tester|user"
    rb"|authors?)\.?$|[{}$%<>()\[\]|=/\\]"
)
_DOE: Final = re.compile(rb"(?i)(?:john|jane)[ ._-](?:doe|dough|roe)|max mustermann|joe bloggs")
_AUTHOR: Final = compile_bytes(
    rb"(?i:[\"'](?:author|maintainer|contributor|committer|creator|owner)s?[\"']?[ \t]*[:=]|\bauthors[ \t]*=)"
    + GAP
    + rb"(\[?)"
    + GAP
    + rb"[\"']([^\r\n\"'@<>]{2,60})<([^<>\s\"']{3,120})>[^\r\n\"']{0,120}"
)
_ENTRY: Final = re.compile(rb"([^@<>]{2,60})<([^<>\s]{3,120})>")
_MAIL: Final = compile_bytes(rb"(?i)[\"']?[a-z_-]{0,40}mail(?:_?address)?[\"']?[ \t]*[:=][ \t]*[\"']")
_PARTED: Final = re.compile(rb"\n" + LEAD + rb"[ \t]*(?:\r?\n|\[)")
"""An empty line, or one that begins a table."""
_COMMA: Final = re.compile(rb"[\"'][ \t]*,")
_MIDDLE: Final = rb"(?: (?:v[ao]n|de[nlr]?|d[aiou]s?|l[ae]|bin|al|te[nr]|zu|y|" + _WORD + rb")){0,3}"
_PERSON: Final = re.compile(_WORD + _MIDDLE + rb" " + _WORD + rb"|[\xe3-\xed][\x80-\xff]{5,20}")
"""A first and a last name, or a name in a script that has no capitals."""
_MASKED: Final = re.compile(rb"(?i)someone@example\.com|.*(?:redacted|\*{3}|\xe2\x80\xa6).*")
"""Addresses that another redaction has put in: the names beside them are real."""
_DOMAIN: Final = re.compile(rb"\S+\.[a-z]{2,12}")
_ANY: Final = any_of((_TRAILER, _CONFIG, _PAIRED, _PASSWD, _BLAME, _AUTHOR))


def people(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    """Names of persons in ``data``: start, end, kind, family."""
    if b"mail" in data and b"name" in data:
        yield from _beside_mail(data)
    if _ANY.search(data) is None:
        return
    if b"<" in data:
        for match in _TRAILER.finditer(data):
            if is_person(match.group(1), match.group(2)):
                yield *match.span(1), "person-name", "person"
        for match in _AUTHOR.finditer(data):
            yield from _author(data, match.start(2), match.end(2), match.group(3))
            if match.group(1):
                for start, end in more_strings(data, match.end()):
                    entry = _ENTRY.match(data, start, end)
                    if entry is not None:
                        yield from _author(data, entry.start(1), entry.end(1), entry.group(2))
        for match in _PAIRED.finditer(data):
            start = match.start(1) + len(_PREFACE.match(match.group(1)).group())  # type: ignore[union-attr]
            if data.find(b" ", start, match.end(1)) >= 0 and is_person(data[start : match.end(1)], match.group(2)):
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


def _author(data: bytes, start: int, end: int, mail: bytes) -> Iterator[tuple[int, int, str, Family]]:
    """The name of an author before its mail address, where it is no domain or organisation in one small word."""
    name = data[start:end].rstrip()
    spaced = b" " in name
    if is_person(name, mail) and _DOMAIN.fullmatch(name) is None and (spaced or name[:1].isupper() or name[0] >= 0xC3):
        yield start, start + len(name), "person-name", "person"


def _beside_mail(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    """Names in objects that have a mail address, in JSON that is text.

    In a program such an object is mostly a fixture, so there the address has to be somebody's.
    """
    for item in objects(data, (match.start() for match in _MAIL.finditer(data))):
        found = {member.key.lower(): member for member in item}
        name = found.get("name")
        mail = next((member for key, member in found.items() if key.startswith(("email", "e_mail", "mail"))), None)
        if name is not None and mail is not None and _is_name(data, name, mail):
            yield name.start, name.end, "person-name", "person"
        mails = {role: data[m.start : m.end] for m in item if (role := mail_role(m.key)) is not None}
        for member in item:
            if not member.quoted or member.key.lower() == "name" or name_role(member.key) is None:
                continue
            if is_beside(member.key, data[member.start : member.end], mails):
                yield member.start, member.end, "person-name", "person"


def _is_name(data: bytes, name: Member, mail: Member) -> bool:
    """Whether a ``name`` in the same object as a mail address is a person's.

    Settings have no commas. There a word is a package's unless the lines are neighbours, and another table another's.
    """
    value, address = data[name.start : name.end], data[mail.start : mail.end]
    if not is_person(value, address) or (b"@" not in address and not _MASKED.fullmatch(address)):
        return False
    if name.quoted:
        return True
    between = data[min(name.end, mail.end) : max(name.key_start, mail.key_start)]
    near = between.count(b"\n") < 2 or _COMMA.match(between) is not None
    return is_real(address) and (near or (_PARTED.search(between) is None and is_named(name.key, value, address)))


def is_beside(key: str, value: bytes, mails: Mapping[str, bytes]) -> bool:
    """Whether a value of an object is the name of a person whose mail address the object has as well.

    Args:
        key: The key of the value: a name's is ``name``, or of the address's role, as ``author_name``.
        value: The value.
        mails: The object's addresses by ``mail_role``.
    """
    role = name_role(key)
    address = None if role is None else mails.get(role, mails.get(""))
    if address is None:
        return False
    return is_person(value, address) if key == "name" else is_named(key, value, address)


def is_real(address: bytes) -> bool:
    """Whether a mail address is somebody's, also where a placeholder stands for it."""
    return is_mailbox(address) or is_placeholder(address) or _MASKED.fullmatch(address) is not None


def is_named(key: str, value: bytes, address: bytes) -> bool:
    """Whether a value under a key for names is a person's, by the mail address beside it, which has to be somebody's.

    Under ``author`` and the like one word is a name too. Elsewhere it takes a first and a last name, or an address
    made of the name: one word under ``name`` is mostly a package's.
    """
    if not is_real(address) or not is_person(value, address) or _DOMAIN.fullmatch(value):
        return False
    if _is_stock(value) and not is_mailbox(address):
        return False
    words = value.split()
    capital = value[:1].isupper() or value[0] >= 0xC3
    if is_author_key(key):
        return len(words) > 1 or capital
    local = address.lower().partition(b"@")[0]
    told = all(word.lower() in local for word in words) and (capital or len(words) > 1)
    return told or _PERSON.fullmatch(value) is not None


def is_person(name: bytes, mail: bytes | None = None) -> bool:
    """Whether a name in the place of an author's is a person's and not a program's or an example's.

    Args:
        name: The name.
        mail: The mail address beside it, if there has to be one: somebody's makes a person of an "Alice" too.
    """
    clean = name.strip()
    if len(clean) < 3 or is_placeholder(clean) or _NOT_PERSON.search(clean) or _DOE.fullmatch(clean):
        return False
    if _is_stock(clean) and not (b" " in clean if mail is None else is_real(mail)):
        return False
    shaped = re.search(rb"[A-Z\x80-\xff]|[a-z][0-9_-]*\d", clean) is not None or b" " in clean or len(clean) >= 6
    told = mail is not None and clean[:1].isupper() and is_real(mail)
    return shaped and (told or clean.lower().decode("latin-1") not in COMMON)


def _is_stock(name: bytes) -> bool:
    """Whether a name begins as that of a person of examples."""
    return re.split(rb"[\s._-]", name.lower())[0] in STOCK


def parts(name: bytes) -> tuple[bytes, ...]:
    """The words of a name that may stand for the person alone: four letters or more, and no common word."""
    words = re.split(rb"[\s.,]+", name)
    return tuple(w for w in words if len(w) >= 4 and w[:1].isupper() and w.lower().decode("latin-1") not in COMMON)
