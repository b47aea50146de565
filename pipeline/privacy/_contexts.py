"""Values that are secret by where they stand: after a name, in a header, in a URL, behind a flag.

The value alone says little here, so each context has its own idea of what is plausible.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from swe_together.pipeline.privacy._plausible import (
    entropy,
    is_broken_up,
    is_made_up,
    is_random,
    is_reference,
    is_words,
)
from swe_together.pipeline.privacy._re2 import LEAD, compile_bytes

_NAME: Final = (
    r"(?:pass(?:word|wd|phrase|code)?|pwd|secrets?|token|credentials?|api[_-]?key|auth(?:entication"
    r"|orization)?[_-]?key"
    r"|(?:access|secret|private|encryption|signing|master|account|service|storage|deploy|admin|consumer|license"
    r"|session"
    r"|subscription|webhook|shared|app|client|jwt|cookie|hmac|ssh|role|auth)[_-]?key|connection[_-]?string|pat"
    r"|otp|pin)"
)
_SECRET_WORDS: Final = compile_bytes(
    rb"(?:.*_)?(?:[a-z0-9]*(?:password|passwd|passphrase|passcode|secrets?|token|credentials?|apikey|accesskey"
    rb"|secretkey|privatekey)"
    rb"|pwd|pass|pat|otp|pin|connection_?string"
    rb"|(?:api|access|secret|private|encryption|signing|master|account|service|storage|deploy|admin|consumer"
    rb"|license|session"
    rb"|subscription|webhook|shared|app|client|jwt|cookie|hmac|ssh|role|auth|authentication"
    rb"|authorization)_key)(?:_[a-z0-9]+)*"
)
"""Names of secrets in lower case, their words joined by ``_``."""
_NOT_SECRET: Final = re.compile(
    rb"(?:tokens|_(?:name|names|path|file|dir|url|uri|endpoint|type|length|len|size|count|limit|min|max|id|ids|hint|"
    rb"policy|version|format|field|regex|pattern|prefix|suffix|header|label|title|text|message|error|ref|arn|expiry|"
    rb"expires|in|at|ttl|budget|usage|window|index|kind|env|var|placeholder|status|state|mode|scope|issuer"
    rb"|algorithm|alg|"
    rb"manager|store|provider|generator|rotation|reset|strength|required|enabled|valid|class|seeds|account"
    rb"|accounts|mint|"
    rb"program|config|metadata|data|info|vault|ident|fields|stream|address|owner|authority|symbol|list|map|set"
    rb"|auth|override|mode|check|checks|test|tests))$"
)
_NAME_BYTES: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_LOOKUPS: Final = re.compile(
    rb"^(?:max|min|num|total|input|output|cached?|prompt|completion|next|prev|eos|bos|pad|unk|mask|sep|cls|stop"
    rb"|special|page|continuation)_"
)
_STRONG: Final = re.compile(rb"(?i)(?:pass(?:word|wd|phrase)?|pwd|pin|otp)[\"'`\]]*$")


@dataclass(frozen=True, slots=True)
class Context:
    """A pattern with groups ``name`` (may be absent) and ``value``, and what makes a value plausible there."""

    kind: str
    pattern: Any
    check: Callable[[bytes, bytes], bool]
    """Takes the name (or b"") and the value."""
    wide: bool = False
    """The name goes on to the left of what the pattern finds."""
    bare: bool = False
    """The value has no quotes, so it may be an expression: a call or a subscript is none."""

    def find(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Stretches of ``data`` that hold a secret."""
        for match in self.pattern.finditer(data):
            start, end = match.span(1)
            if self.wide:
                start = _name_start(data, start)
            called = self.bare and data[match.end(2) : match.end(2) + 1] in (b"(", b"[")
            if not called and self.check(data[start:end], match.group(2)):
                yield match.span(2)


def _name_start(data: bytes, start: int) -> int:
    """Where a name begins that goes on to the left of ``start``; at most 60 bytes are looked at."""
    left = data[max(0, start - 60) : start]
    return start - len(left) + len(left.rstrip(_NAME_BYTES)) if left else start


def is_used(value: bytes) -> bool:
    """Whether a value is neither a reference nor made up of examples."""
    return not is_reference(value) and not is_made_up(value) and not is_words(value)


@lru_cache(maxsize=65536)
def is_secret_name(name: bytes) -> bool:
    """Whether a variable or key of this name holds a secret."""
    words = _in_words(name)
    if words.endswith(b"private_key_id"):
        return True
    return _SECRET_WORDS.fullmatch(words) is not None and not _NOT_SECRET.search(words) and not _LOOKUPS.match(words)


def _in_words(name: bytes) -> bytes:
    """``clientSecret``, ``CLIENT-SECRET`` and ``client.secret`` all become ``client_secret``."""
    split = re.sub(rb"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", b"_", name)
    return re.sub(rb"[^A-Za-z0-9]+", b"_", split).strip(b"_").lower()


def is_secret_value(name: bytes, value: bytes, *, quoted: bool) -> bool:
    """Whether a value under a secret name is one.

    Args:
        name: The name it is assigned to.
        value: The value, without quotes.
        quoted: It stands in quotes or as a value of JSON, so it is a literal and no expression.
    """
    if len(value) < 6 or not is_used(value) or b" " in value.strip() or is_code(value):
        return False
    if not quoted and name.lower().endswith(b"pass") and b"_" not in name:
        return False
    shouted = name.upper() == name and b"_" in name
    if _STRONG.search(name) and (quoted or shouted):
        return len(value) >= 6 and (has_marks(value) or shouted)
    if not quoted and not shouted and (not is_random(value) or _is_identifier(value)):
        return False
    if quoted and value.isdigit():
        return len(value) >= 12
    return len(value) >= 12 and (is_random(value) or (len(value) >= 16 and has_marks(value) and entropy(value) > 3.3))


def has_marks(value: bytes) -> bool:
    """Whether a value has digits or signs that words do not have."""
    text = value.decode("latin-1")
    return any(c.isdigit() for c in text) or any(not c.isalnum() and c not in "-_." for c in text)


def is_code(value: bytes) -> bool:
    """Whether a value is a path, a URL or a qualified name of some language."""
    if value.startswith((b"/", b"./", b"../", b"~/", b"http://", b"https://", b"file:", b":", b"&", b"!")):
        return True
    return (
        b"::" in value
        or b"??" in value
        or (
            not is_broken_up(value)
            and re.fullmatch(rb"[A-Za-z_]\w*[?!]?\.[A-Za-z_]\w{0,40}(?:[?!]?\.\w+)*[;?!]?", value) is not None
        )
    )


def _is_identifier(value: bytes) -> bool:
    """Whether an unquoted value could be a name in a program: letters first, and not many digits."""
    digits = sum(48 <= byte <= 57 for byte in value)
    if digits >= 3 or re.fullmatch(rb"[A-Za-z_][\w.?!]*", value) is None:
        return False
    return len(value) < 20 or b"." in value or b"_" in value or not is_broken_up(value)


def _assigned(quoted: bool) -> Callable[[bytes, bytes], bool]:
    return lambda name, value: is_secret_name(name) and is_secret_value(name, value, quoted=quoted)


def _credential(name: bytes, value: bytes) -> bool:
    return len(value) >= 4 and is_used(value) and not (len(value) < 8 and value.isalpha() and value.islower())


def _bearer(name: bytes, value: bytes) -> bool:
    return is_used(value) and not is_code(value) and is_random(value)


def _cookie(name: bytes, value: bytes) -> bool:
    return len(value) >= 16 and is_used(value) and is_random(value)


_GAP: Final = rf"(?:[ \t]+|[ \t]*\r?\n{LEAD.decode()}[ \t]*)"
_KEY: Final = "(" + _NAME + r"[A-Za-z0-9_-]{0,30})"


def _context(kind: str, pattern: str, check: Callable[[bytes, bytes], bool]) -> Context:
    return Context(kind, compile_bytes(pattern.encode()), check)


CONTEXTS: Final[tuple[Context, ...]] = (
    Context(
        "secret",
        compile_bytes(
            (
                "(?i)" + _KEY + r"""["'`\]]{0,3}[ \t]{0,4}(?:=>|:=|==?|:)[ \t]{0,4}(?:[bfru]{0,2})"([^"\r\n]{6,})\""""
            ).encode()
        ),
        _assigned(quoted=True),
        wide=True,
    ),
    Context(
        "secret",
        compile_bytes(
            (
                "(?i)" + _KEY + r"""["'`\]]{0,3}[ \t]{0,4}(?:=>|:=|==?|:)[ \t]{0,4}(?:[bfru]{0,2})'([^'\r\n]{6,})'"""
            ).encode()
        ),
        _assigned(quoted=True),
        wide=True,
    ),
    Context(
        "secret",
        compile_bytes(
            ("(?i)" + _KEY + r"""["'`\]]{0,3}[ \t]{0,4}(?:=|:)[ \t]{0,4}([^\s"'`,;\\<>|()\[\]{}]{6,})""").encode()
        ),
        _assigned(quoted=False),
        wide=True,
        bare=True,
    ),
    Context(
        "secret", compile_bytes((r"(?i)<" + _KEY + r">([^<>\s]{6,})</").encode()), _assigned(quoted=True), wide=True
    ),
    _context("url-password", r"://([^\s:/@\"'`<>]{0,80}):([^\s/\"'`<>]{3,200})@[A-Za-z0-9\[_.-]", _credential),
    _context("url-password", r"(https?)://([A-Za-z0-9_.~%-]{16,300})@[A-Za-z0-9_.-]", _bearer),
    _context(
        "basic-auth",
        r"(?i)(authorization|basic)[\"']?[ \t]*[:=]?[ \t]*[\"']?(?:basic)?[ \t]+([A-Za-z0-9+/=_-]{8,})",
        lambda name, value: _is_basic(value),
    ),
    _context(
        "bearer-token",
        r"(?i)\b(bearer|authorization[\"']?:[ \t]*[\"']?(?:token|api-?key|key|bot|oauth))[ \t]+"
        r"([A-Za-z0-9_.~+/=-]{12,})",
        _bearer,
    ),
    _context(
        "api-key-header",
        r"(?i)\b(x-(?:[a-z0-9]{1,20}-)?(?:api-?key|auth-?token|access-?token|token|auth-?key|secret)|api-key"
        r"|apikey|private-token)[\"']?:[ \t]*[\"']?([A-Za-z0-9_.~+/=-]{12,})",
        _bearer,
    ),
    _context(
        "query-secret",
        r"(?i)[?&](access_token|api_?key|key|token|sig|signature|auth|client_secret|password|x-amz-signature"
        r"|x-amz-security-token)=([A-Za-z0-9_.~%+/-]{12,})",
        _bearer,
    ),
    _context("netrc-password", rf"\b(login{_GAP}\S{{1,80}}{_GAP}password){_GAP}(\S{{4,200}})", _credential),
    _context(
        "flag-password",
        r"(?i)[\s\"'](--?(?:password|passwd|pass|token|api-?key|secret|auth-?token|access-?token"
        r"|client-?secret))(?:=|[ \t]+)[\"']?([^\s\"'`]{6,200})",
        lambda name, value: not value.startswith(b"-") and is_secret_value(name.lstrip(b"-"), value, quoted=True),
    ),
    _context("flag-password", r"[ \t](-u|--user)[ \t=]+[\"']?[A-Za-z0-9_.@-]{1,60}:([^\s\"'`]{6,200})", _credential),
    _context(
        "flag-password",
        r"\b(PGPASSWORD=|mysql[a-z]*[ \t][^\n|;&]{0,80}-p|sshpass[ \t]+-p[ \t]*)[\"']?([^\s\"'`]{6,200})",
        _credential,
    ),
    _context(
        "aws-secret",
        r"(?i)(aws_?-?secret[a-z_-]{0,12}|secret_?-?access_?-?key)[\"']?[ \t]*(?:=>|=|:"
        r"|[ \t])[ \t]*[\"']?([A-Za-z0-9/+]{40})\b",
        _bearer,
    ),
    _context("azure-key", r"(?i)\b(AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})", _bearer),
    _context(
        "npm-token", r"(?:^|[\s:\"'])(_authToken|_auth|_password)[ \t]*=[ \t]*[\"']?([A-Za-z0-9+/=_-]{16,})", _bearer
    ),
    _context(
        "session-id",
        r"(?i)\b(PHPSESSID|JSESSIONID|ASPSESSION[A-Z]*|ASP\.NET_SessionId|connect\.sid|sessionid|laravel_session"
        r"|_session_id|session_token|__session|next-auth\.session-token)=([A-Za-z0-9_.~%+/=-]{16,})",
        _cookie,
    ),
)
"""Checked in order; all that match are taken."""


def _is_basic(value: bytes) -> bool:
    """Whether a value is a user and a password in base64."""
    import base64
    import binascii

    try:
        plain = base64.b64decode(value + b"=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    user, colon, password = plain.partition(b":")
    return bool(colon) and plain.isascii() and plain.decode("ascii").isprintable() and _credential(user, password)
