"""Names of accounts and machines, by the places where machines write them."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any, Final

from swe_together.pipeline.privacy._model import Family
from swe_together.pipeline.privacy._re2 import LEAD, any_of, compile_bytes
from swe_together.pipeline.privacy._salt import is_placeholder
from swe_together.pipeline.privacy._words import SHARED, STOCK

_NAME: Final = rb"[A-Za-z0-9\x80-\xff_](?:[A-Za-z0-9\x80-\xff._ -]{0,40}[A-Za-z0-9\x80-\xff_$-])?"
_SEGMENT: Final = rb"[A-Za-z0-9\x80-\xff_][A-Za-z0-9\x80-\xff._-]{0,60}"
_HOMES: Final = (
    compile_bytes(
        rb"(?:^|[^A-Za-z0-9_.-])(?:[A-Za-z]:)?(?:/private|/System/Volumes/Data|/mnt/[a-z]|/[a-z]|/var|/export"
        rb"|/usr|/host_mnt/[a-z])?/(?:home|Users)/(" + _SEGMENT + rb")"
    ),
    compile_bytes(
        rb"(?i)\b[A-Z]:[\\/]{1,16}(?:Users|Documents and Settings)[\\/]{1,16}(" + _NAME + rb")(?:[\\/\"'\r\n]|$)"
    ),
    compile_bytes(rb"(?i)\b[A-Z]:[\\/]{1,16}(?:Users|Documents and Settings)[\\/]{1,16}(" + _SEGMENT + rb")"),
    compile_bytes(
        rb"(?i)[\\/]{2,16}wsl(?:\$|\.localhost)[\\/]{1,16}[A-Za-z0-9._-]{1,40}[\\/]{1,16}home[\\/]{1,16}("
        + _SEGMENT
        + rb")"
    ),
    compile_bytes(rb"(?:^|[\s\"'=(:,])(?:/media|/run/media)/(" + _SEGMENT + rb")/"),
)
_DASHED: Final = compile_bytes(rb"(?:^|[^A-Za-z0-9])(?:[A-Za-z]-)?-(?:Users|home)-([A-Za-z0-9\x80-\xff_.]{1,60})")
_PROMPT: Final = compile_bytes(
    rb"(?:^|[\s\[(])([a-z_][a-z0-9_.-]{1,31})@([A-Za-z][A-Za-z0-9.-]{1,62})(?::[~/]| ~| /[^\s]{0,200} ?[%$#\]]"
    rb"|\]?[$#%] )"
)
_LISTED: Final = compile_bytes(
    rb"[-dlcbps][rwxsStT-]{9}[@+.]?[ \t]+\d+[ \t]+([^\s\d][^\s]{0,40})[ \t]+([^\s\d][^\s]{0,40})[ \t]+\d+[, \t]"
)
_NAMED: Final = compile_bytes(
    rb"(?:^|[^A-Za-z0-9_])(?:USER|LOGNAME|USERNAME|SUDO_USER"
    rb"|USERPROFILE_NAME)=[\"']?([A-Za-z][A-Za-z0-9._-]{1,40})|\buid=\d+\(([^)\s]{1,40})\)"
    rb"|\"(?:login|user_?[nN]ame)\"[ \t]*:[ \t]*\"([A-Za-z0-9][A-Za-z0-9-]{1,38})\""
    rb"|(?m:^author:\t)([A-Za-z0-9][A-Za-z0-9-]{1,38})(?m:$)"
    rb"|\bwhoami[ \t]*\r?\n" + LEAD + rb"[ \t]*([A-Za-z_][A-Za-z0-9._-]{1,31})[ \t]*(?:\r?\n|$)"
)
_MACHINE: Final = compile_bytes(
    rb"\b([A-Za-z0-9\x80-\xff][A-Za-z0-9\x80-\xff-]{2,40}-(?:MacBook|Mac-?mini|iMac|Mac-?Studio|Laptop|PC"
    rb"|ThinkPad|Desktop)(?:-(?:Pro|Air|Max|\d{1,3}))*|(?:DESKTOP|LAPTOP)-[A-Z0-9]{6,8})\b"
)
_GENERIC_MACHINE: Final = re.compile(
    rb"(?i)^(?:users|home)-|^(?:the|a|my|your|our|for|on|old|new|intel|apple|m\d|arm|linux|windows|android"
    rb"|mobile|non|cross|all|electron|tauri|is|x86|x64|wide|full|remote|local|multi|mid|\d+|[a-z])-(?:macbook"
    rb"|mac|imac|laptop|pc|thinkpad|desktop)"
)


_ACCOUNT: Final = re.compile(rb"[A-Za-z][A-Za-z0-9._-]{2,38}")
_HASHED: Final = re.compile(rb"(?:user|dev|u)[-_][0-9a-f]{6,40}")
"""Names that another redaction has put in."""
_PROGRAM: Final = re.compile(
    rb"(?i)(?:^|-)(?:bot|actions?|copilot|claude|codex|dependabot|renovate|ci|app|agent)(?:-|$)|^(?:string|null"
    rb"|true|false|none|undefined)$"
)
_CUT: Final = "…".encode()
"""Where a path was cut short, its owner's name ends."""
_ANY: Final = any_of((*_HOMES, _DASHED, _PROMPT, _LISTED, _NAMED, _MACHINE))


_OWN: Final = compile_bytes(
    rb"(?m:^)(?:HOME|PWD|OLDPWD)=/(?:home|Users)/([A-Za-z0-9._-]{2,40})|\buid=\d+\(([^)\s]{1,40})\)"
    rb"|\bwhoami[ \t]*\r?\n" + LEAD + rb"[ \t]*([A-Za-z_][A-Za-z0-9._-]{1,31})[ \t]*(?:\r?\n|$)"
)
_OWN_KEY: Final = re.compile(
    r"(?i)cwd|home|pwd|home_?dir|work(?:ing)?_?dir(?:ectory)?|(?:project|workspace)_?(?:path|root|dir)"
)
_OWN_HOME: Final = re.compile(rb"(?:[A-Za-z]:)?[\\/]+(?:home|Users)[\\/]+([A-Za-z0-9._-]{2,40})")


def is_stock(name: bytes) -> bool:
    """Whether a name is one of the persons of examples, such as ``alice``; so is ``alice2``."""
    low = name.lower()
    return low in STOCK or low.rstrip(b"0123456789").rstrip(b"-_") in STOCK


def is_shared(name: bytes, own: Collection[bytes] = ()) -> bool:
    """Whether an account stands for nobody in particular.

    Args:
        name: The account.
        own: Persons of examples whose name somebody in this dataset really has.
    """
    low = name.lower()
    if is_stock(low):
        return low not in own
    if low in SHARED or (low.rstrip(b"0123456789").rstrip(b"-_") in SHARED and len(low) < 16):
        return True
    return len(low) < 2 or low.isdigit() or is_placeholder(name) or _HASHED.fullmatch(low) is not None


def is_account(name: bytes, own: Collection[bytes] = ()) -> bool:
    """Whether a value in the place of a user's name is one of a person."""
    return _ACCOUNT.fullmatch(name) is not None and not is_shared(name, own) and not _PROGRAM.search(name)


@lru_cache(maxsize=4096)
def _is_own_key(key: str) -> bool:
    return _OWN_KEY.fullmatch(key) is not None


def own_names(data: bytes, key: str = "") -> Iterator[bytes]:
    """Persons of examples whose name this machine's user has: by ``HOME``, ``whoami``, or a key such as ``cwd``."""
    if b"HOME=" in data or b"PWD=" in data or b"uid=" in data or b"whoami" in data:
        for match in _OWN.finditer(data):
            yield match.group(1) or match.group(2) or match.group(3)
    if key and _is_own_key(key):
        match = _OWN_HOME.match(data)
        if match is not None:
            yield match.group(1)


def accounts(data: bytes, own: Collection[bytes] = ()) -> Iterator[tuple[int, int, str, Family]]:
    """Names of accounts and machines in ``data``: start, end, kind, family. ``own`` as for ``is_shared``."""
    if _ANY.search(data) is None:
        return
    if (
        b"home" in data
        or b"sers" in data
        or b"ettings" in data
        or b"USERS" in data
        or b"HOME" in data
        or b"media/" in data
    ):
        for pattern in _HOMES:
            yield from _named(pattern, data, "home-path", own)
        yield from _named(_DASHED, data, "home-path", own)
    if b"@" in data:
        for match in _PROMPT.finditer(data):
            if not is_shared(match.group(1), own):
                yield *match.span(1), "prompt", "account"
            if not _is_common_host(match.group(2)):
                yield *match.span(2), "host-name", "host"
    if b"rw" in data or b"r-" in data:
        for match in _LISTED.finditer(data):
            for group in (1, 2):
                if not is_shared(match.group(group), own):
                    yield *match.span(group), "file-owner", "account"
    for match in _NAMED.finditer(data):
        group = next(index for index in range(1, 6) if match.group(index))
        if not is_shared(match.group(group), own) and not _PROGRAM.search(match.group(group)):
            yield *match.span(group), "account-name", "account"
    for match in _MACHINE.finditer(data):
        if not _GENERIC_MACHINE.match(match.group(1)) and not is_placeholder(match.group(1)):
            yield *match.span(1), "host-name", "host"


def _named(pattern: Any, data: bytes, kind: str, own: Collection[bytes]) -> Iterator[tuple[int, int, str, Family]]:
    for match in pattern.finditer(data):
        start = match.start(1)
        name = match.group(1).partition(_CUT)[0].rstrip(b".-_ ")
        if _is_dots(name) or is_shared(name, own) or (b" " in name and len(name.split()) > 3):
            continue
        if data[start + len(name) : start + len(name) + 1] in (b"(", b"{", b"$", b"<", b"*"):
            continue
        yield start, start + len(name), kind, "account"


def _is_dots(name: bytes) -> bool:
    """Whether the segment is a file of a program, as ``page.tsx`` in ``app/home/page.tsx``."""
    return re.search(rb"\.(?:tsx?|jsx?|py|go|rs|rb|md|json|html?|css|vue|java|php|ya?ml|txt|sh)$", name) is not None


def _is_common_host(name: bytes) -> bool:
    low = name.lower()
    return (
        low in (b"localhost", b"host", b"github.com", b"gitlab.com", b"bitbucket.org")
        or is_placeholder(name)
        or b"." in low
        or (re.fullmatch(rb"[0-9a-f]{12}", low) is not None)
    )
