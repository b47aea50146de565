"""Personal data that is known by its own shape: mail addresses, telephone numbers, internet addresses, accounts."""

import ipaddress
import itertools
import re
from collections.abc import Iterator
from typing import Final

from swe_together.pipeline.privacy._model import Family
from swe_together.pipeline.privacy._re2 import any_of, compile_bytes
from swe_together.pipeline.privacy._salt import is_placeholder

_EMAIL = compile_bytes(
    rb"([A-Za-z0-9_%+.\x80-\xff-]*[A-Za-z0-9_%+\x80-\xff-])@([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z"
    rb"0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\.[A-Za-z]{2,24})\b"
)
_RESERVED: Final = re.compile(
    rb"(?i)(?:^|\.)(?:example\.(?:com|org|net|edu|io|dev)|example|test|invalid|localhost)$"
    rb"|(?:^|\.)(?:foo|bar|baz|test|acme|corp|company|domain|email|mail|host|server|yourdomain|mydomain"
    rb"|yourcompany|site|some|other|x|y|a|b)\.(?:com|org|net|io|dev|co)$"
)
_NOBODY: Final = re.compile(
    rb"(?i)^(?:no-?reply|do-?not-?reply|noreply.*|git|hg|svn|root|user|users|username|nobody|postmaster"
    rb"|mailer-daemon|support|info|"
    rb"hello|contact|admin|security|help|team|sales|abuse|legal|privacy|press|you|your[._-]?(?:name|e?mail)|me"
    rb"|name|email|someone|"
    rb"somebody|test(?:er|ing|user)?\d*|foo|bar|baz|john\.?doe|jane\.?doe|opensource|maintainers?|bot|.*\[bot\]|"
    rb".*-bot|action|actions|github-actions|dependabot|renovate|copilot|claude)$"
)
_FILE_ENDS: Final = re.compile(
    rb"(?i)\.(?:png|jpe?g|gif|svg|webp|ico|css|scss|js|mjs|cjs|ts|tsx|jsx|py|rs|go|json|ya?ml|toml|md|txt|html"
    rb"|lock|sh|so|dll|exe|service|"
    rb"socket|timer|target|mount|vue|php|rb|java|kt|swift|cpp|hpp|zip|tgz|gz|tar|whl|map|log|sum|mod)$"
)
_MESSAGE_ID: Final = re.compile(rb"^\d{5,}[.\w-]*$")
_MACHINE_ACCOUNT: Final = re.compile(
    rb"(?i)^(?:\d+\+)?[a-z0-9-]*(?:\[bot\]|copilot|claude|dependabot|actions)[a-z0-9-]*$"
)


def is_mailbox(address: bytes) -> bool:
    """Whether a mail address is somebody's and no example's, role's or program's."""
    return any(start == 0 and end == len(address) for start, end, *_ in _emails(address))


def _emails(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    for match in _EMAIL.finditer(data):
        local, domain = match.group(1), match.group(2)
        end = match.end()
        # A slash or a second colon part right after it makes it a place on a machine, as git remotes have it.
        if data[end : end + 1] == b":" and local == b"git":
            continue
        if _NOBODY.match(local) or _RESERVED.search(domain) or _FILE_ENDS.search(domain):
            continue
        if domain.lower() == b"users.noreply.github.com" and _MACHINE_ACCOUNT.match(local):
            continue
        if domain.lower().endswith((b"anthropic.com", b"noreply.github.com")) and local.lower().startswith(b"noreply"):
            continue
        if _MESSAGE_ID.match(local):
            continue
        if (
            is_placeholder(match.group())
            or is_placeholder(local)
            or (data[match.start() - 1 : match.start()] in (b"/", b"@") and _is_version(domain))
        ):
            continue
        yield match.start(), end, "email", "email"


def _is_version(domain: bytes) -> bool:
    return domain[:1].isdigit()


_IPV4 = compile_bytes(rb"(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})")
_IPV6 = compile_bytes(rb"((?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4}){0,6}(?:::)?)")
_RESOLVERS: Final = frozenset(
    map(
        ipaddress.ip_address,
        (
            *("8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "1.1.1.2", "1.0.0.2", "1.1.1.3", "1.0.0.3", "9.9.9.9"),
            *("9.9.9.10", "149.112.112.112", "208.67.222.222", "208.67.220.220", "94.140.14.14", "94.140.15.15"),
            *("77.88.8.8", "77.88.8.1", "4.2.2.1", "4.2.2.2", "114.114.114.114", "223.5.5.5", "223.6.6.6"),
            *("119.29.29.29", "185.228.168.9", "185.228.169.9", "76.76.2.0", "76.76.10.0", "64.6.64.6", "64.6.65.6"),
            *("2001:4860:4860::8888", "2001:4860:4860::8844", "2606:4700:4700::1111", "2606:4700:4700::1001"),
            *("2620:fe::fe", "2620:fe::9", "2620:119:35::35", "2620:119:53::53"),
        ),
    )
)
"""Public resolvers of names."""
_DOTTED: Final = frozenset(b"0123456789.")
_VERSION_BEFORE: Final = re.compile(
    rb"(?i)(?:\bv|version[\"':= ]{0,4}|ver[.= ]{1,2}|@|==|>=|<=|~=|\^|~|-|/|_|chrome/|firefox/|release |build "
    rb"|rev(?:ision)? |oid |section )$"
)


def _addresses(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    for match in _IPV4.finditer(data):
        start, end = match.span()
        before, after = data[max(0, start - 1) : start], data[end : end + 2]
        if (before and (before[0] in _DOTTED or before.isalnum())) or after[:1].isalnum():
            continue
        if (after[:1] == b"." and after[1:2].isdigit()) or (after[:1] == b"-" and after[1:2].isalnum()):
            continue
        if not _names_host(data, start, end):
            continue
        if _is_public(match.group()):
            yield start, end, "ip-address", "address"
    if data.count(b":") >= 4:
        for match in _IPV6.finditer(data):
            start, end = match.span()
            before, after = data[max(0, start - 1) : start], data[end : end + 1]
            if before in (b":", b".") or before.isalnum() or after.isalnum() or match.group().count(b":") < 4:
                continue
            if _is_public(match.group()):
                yield start, end, "ip-address", "address"


_HOST_BEFORE: Final = re.compile(
    rb"(?i)(?:://|@|\b(?:ip|host|hostname|addr|address|server|connect(?:ed|ing)?(?: to)?|ssh|ping|curl|scp"
    rb"|remote|client|peer|gateway|dns|listen|bind|inet)\b[\w\"'`=:,\[\](> ]{0,16})$"
)
_HOST_AFTER: Final = re.compile(rb"^(?::\d{2,5}\b|/\d{1,2}\b)")


def _names_host(data: bytes, start: int, end: int) -> bool:
    """Whether four numbers with dots are an address and no version: by what stands around them."""
    before = data[max(0, start - 40) : start]
    parts = list(map(int, data[start:end].split(b".")))
    if len(set(parts)) < 3 and not before.endswith((b"://", b"@")):
        return False
    if all(part < 10 for part in parts) and not before.endswith((b"://", b"@")):
        return False
    if _HOST_AFTER.match(data[end : end + 7]) or _HOST_BEFORE.search(before):
        return True
    return _VERSION_BEFORE.search(before) is None and all(part > 9 for part in parts)


def _is_public(text: bytes) -> bool:
    try:
        address = ipaddress.ip_address(text.decode("ascii"))
    except ValueError:
        return False
    if address.version == 6 and text.lower().startswith(b"ffff"):
        return False
    return address.is_global and address not in _RESOLVERS and not _is_typed(text) and not is_placeholder(text)


def _is_typed(text: bytes) -> bool:
    """Whether an address is one that people type for an example: ``1.2.3.4``, ``11.22.33.44``, ``123.45.67.89``."""
    if b":" in text:
        return False
    numbers = [int(part) for part in text.split(b".")]
    return (
        len({b - a for a, b in itertools.pairwise(numbers)}) == 1 or text.replace(b".", b"") in b"0123456789876543210"
    )


_PHONE = compile_bytes(
    rb"(\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,5}|\(\d{3}\)[ -]?\d{3}[-. ]\d{4}"
    rb"|\b[2-9]\d{2}[-. ]\d{3}[-. ]\d{4}|\b[2-9]\d{9})"
)
_PHONE_NAME: Final = re.compile(
    rb"(?i)(?:phone|tel|mobile|cell|fax|whatsapp|call|reach|ring|text|dial|sms|handy"
    rb"|contact)[\w\"'`]{0,8}[ \t]{0,3}[:=(]{0,2}[ \t\"'(]{0,3}(?:(?:me|us|him|her|at|on|is|number"
    rb"|no\.?)[ :]{1,2}){0,3}$"
)
_FICTION: Final = re.compile(
    rb"^(?:\+?1\D?)?\(?\d{3}\D{0,2}555\D{0,2}01\d\d$|^\+?\d{0,3}\D?(\d)\1{5}|0123456|1234567|123\D?456\D?7890"
)


def _phones(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    for match in _PHONE.finditer(data):
        start, end = match.span()
        value = match.group()
        before, after = data[max(0, start - 1) : start], data[end : end + 1]
        if (
            before.isalnum()
            or before in (b".", b"-", b"_", b"/", b"+", b"=")
            or after.isalnum()
            or after in (b"_", b"/")
        ):
            continue
        named = _PHONE_NAME.search(data[max(0, start - 40) : start]) is not None
        digits = re.sub(rb"\D", b"", value)
        if not 9 <= len(digits) <= 15 or _FICTION.search(value) or is_placeholder(value):
            continue
        alone = value.startswith((b"+", b"(")) and before != b"\n"
        if not named and not alone:
            continue
        if _is_dialled(value):
            yield start, end, "phone", "phone"


def is_phone(value: bytes) -> bool:
    """Whether a value in the place of a telephone number is one of a person."""
    digits = re.sub(rb"\D", b"", value)
    return (
        re.fullmatch(rb"[+\d(][\d ().-]{6,24}", value) is not None
        and 7 <= len(digits) <= 15
        and not _FICTION.search(value)
        and not is_placeholder(value)
    )


def _is_dialled(value: bytes) -> bool:
    """Whether the numbering plans have such a number."""
    import phonenumbers

    try:
        number = phonenumbers.parse(value.decode("ascii"), None if value.startswith(b"+") else "US")
    except phonenumbers.NumberParseException:
        return False
    return bool(phonenumbers.is_valid_number(number))


_CARD = compile_bytes(
    rb"(\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}|3[47]\d{2}[ -]\d{6}[ -]\d{5}|(?:4\d{3}|5[1-5]\d{2}|6011)\d{12}|3[47]\d{13})"
)
_TEST_CARD: Final = re.compile(
    rb"^(?:424242|400000|400005|411111|401288|555555|510510|222300|520082|601111|601100|378282|371449|378734|356600|(\d)\1{5})"
)
_IBAN = compile_bytes(rb"\b([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)\b")
_IBAN_LENGTH: Final = {
    b"AT": 20, b"BE": 16, b"BG": 22, b"CH": 21, b"CY": 28, b"CZ": 24, b"DE": 22, b"DK": 18, b"EE": 20, b"ES": 24,
    b"FI": 18, b"FR": 27, b"GB": 22, b"GR": 27, b"HR": 21, b"HU": 28, b"IE": 22, b"IS": 26, b"IT": 27, b"LI": 21,
    b"LT": 20, b"LU": 20, b"LV": 21, b"MC": 27, b"MT": 31, b"NL": 18, b"NO": 15, b"PL": 28, b"PT": 25, b"RO": 24,
    b"SA": 24, b"SE": 24, b"SI": 19, b"SK": 24, b"TR": 26, b"UA": 29, b"AE": 23, b"IL": 23, b"BR": 29, b"QA": 29,
}  # fmt: skip
_TEST_IBAN: Final = frozenset({b"DE89370400440532013000", b"GB82WEST12345698765432", b"FR1420041010050500013M02606"})


def _accounts(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    for match in _CARD.finditer(data):
        start, end = match.span()
        before, after = data[max(0, start - 1) : start], data[end : end + 1]
        digits = re.sub(rb"\D", b"", match.group())
        if before.isalnum() or before in (b".", b"-", b"_") or after.isalnum() or after in (b".", b"-", b"_"):
            continue
        if not _TEST_CARD.match(digits) and _luhn(digits):
            yield start, end, "card", "bank"
    for match in _IBAN.finditer(data):
        value = match.group(1).replace(b" ", b"")
        if _IBAN_LENGTH.get(value[:2]) == len(value) and value not in _TEST_IBAN and _mod97(value):
            yield match.start(), match.end(), "iban", "bank"


def _luhn(digits: bytes) -> bool:
    total = 0
    for index, byte in enumerate(reversed(digits)):
        digit = byte - 48
        total += sum(divmod(2 * digit, 10)) if index % 2 else digit
    return total % 10 == 0


def _mod97(value: bytes) -> bool:
    return int("".join(str(int(chr(c), 36)) for c in value[4:] + value[:4])) % 97 == 1


_ANY: Final = any_of((_EMAIL, _IPV4, _IPV6, _PHONE, _CARD, _IBAN))


def shapes(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    """Stretches of ``data`` that are personal by their shape: start, end, kind, family."""
    if _ANY.search(data) is None:
        return
    yield from _emails(data)
    yield from _addresses(data)
    yield from _phones(data)
    yield from _accounts(data)
