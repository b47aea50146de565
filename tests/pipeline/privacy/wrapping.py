"""Ways a text may be wrapped inside another, and an independent look for what survived."""

import base64
import gzip
import html
import json
import re
import urllib.parse
from collections.abc import Callable, Iterable


def _diff(sign: str) -> Callable[[str], str]:
    def wrap(text: str) -> str:
        body = "\n".join(sign + line for line in text.split("\n"))
        return f"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,9 @@\n unchanged\n{body}\n unchanged"

    return wrap


def _nested(depth: int) -> Callable[[str], str]:
    def wrap(text: str) -> str:
        for _ in range(depth):
            text = json.dumps({"inner": text, "n": 1})
        return text

    return wrap


def _every_character(text: str) -> str:
    return '{"t": "' + "".join(f"\\u{ord(c):04x}" for c in text) + '"}'


def _folded(data: bytes) -> str:
    text = base64.b64encode(data).decode()
    return "\n".join(text[i : i + 76] for i in range(0, len(text), 76))


def _numbered(text: str) -> str:
    return "\n".join(f"{number:6}→{line}" for number, line in enumerate(text.split("\n"), start=1))


def _coloured(text: str) -> str:
    return re.sub(r"(\S{6})", "\x1b[01;31m\x1b[K\\1\x1b[m\x1b[K", text)


PAD = "this file holds the settings of the service, read at start\n"

WRAPPINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "in prose": lambda text: f"please have a look:\n\n{text}\n\nand tell me",
    "JSON": _nested(1),
    "JSON in JSON in JSON": _nested(3),
    "JSON, every character escaped": _every_character,
    "added in a diff": _diff("+"),
    "removed in a diff": _diff("-"),
    "context of a diff": _diff(" "),
    "diff in JSON": lambda text: json.dumps({"patch": _diff("+")(text)}),
    "line numbers": _numbered,
    "coloured": _coloured,
    "percent": lambda text: "https://host.test/?q=" + urllib.parse.quote(text, safe=""),
    "percent of JSON": lambda text: urllib.parse.quote(json.dumps({"x": text})),
    "entities": lambda text: f"<pre>{html.escape(text)}</pre>",
    "numeric entities": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "base64": lambda text: base64.b64encode((PAD + text).encode()).decode(),
    "base64 in quotes": lambda text: f'content: "{base64.b64encode((PAD + text).encode()).decode()}"',
    "base64 for URLs": lambda text: base64.urlsafe_b64encode((PAD + text).encode()).rstrip(b"=").decode(),
    "base64, folded": lambda text: _folded((PAD + text).encode()),
    "base64, folded, in JSON": lambda text: json.dumps({"body": _folded((PAD + text).encode())}),
    "base64 added in a diff": lambda text: _diff("+")(_folded((PAD + text).encode())),
    "base64 of base64": lambda text: base64.b64encode(base64.b64encode((PAD + text).encode())).decode(),
    "base64 of JSON": lambda text: base64.b64encode(json.dumps({"a": PAD, "b": text}).encode()).decode(),
    "base64 of UTF-16": lambda text: base64.b64encode((PAD + text).encode("utf-16-le")).decode(),
    "base64 of gzip": lambda text: base64.b64encode(gzip.compress((PAD + text).encode())).decode(),
    "data URL": lambda text: "data:text/plain;base64," + base64.b64encode((PAD + text).encode()).decode(),
    "data URL, percent": lambda text: "data:text/plain," + urllib.parse.quote(text),
    "hex": lambda text: (PAD + text).encode().hex(),
}


def survivors(output: str | bytes, values: Iterable[str]) -> list[str]:
    """Which of the values can still be read in the output, in any of the encodings above."""
    data = output if isinstance(output, bytes) else output.encode("utf-8", "surrogatepass")
    haystacks = list(_readings(data))
    return [value for value in values if any(value.encode() in haystack for haystack in haystacks)]


def _readings(data: bytes, depth: int = 0) -> Iterable[bytes]:
    """The output as it is and decoded in every way, by code that shares nothing with the product's."""
    yield data
    flat = re.sub(rb"\x1b\[[0-9;]*[A-Za-z]", b"", data)
    flat = re.sub(rb"\n[+ -]?(?: *\d+\xe2\x86\x92)?", b"\n", flat)
    yield flat
    yield flat.replace(b"\n", b"")
    if depth > 5:
        return
    text = data.decode("utf-8", "surrogateescape")
    deeper = {html.unescape(text), urllib.parse.unquote(text, errors="replace"), _unescaped(text)} - {text}
    for other in deeper:
        yield from _readings(other.encode("utf-8", "replace"), depth + 1)
    joined = re.sub(rb"\n[+ -]?", b"", data)
    for candidate in {*re.findall(rb"[A-Za-z0-9+/_-]{24,}", data), *re.findall(rb"[A-Za-z0-9+/_-]{24,}", joined)}:
        for start in range(4):
            run = candidate[start:].translate(bytes.maketrans(b"-_", b"+/"))
            run = run[:-1] if len(run) % 4 == 1 else run
            decoded = base64.b64decode(run + b"=" * (-len(run) % 4))
            if start == 0 and decoded[:2] == b"\x1f\x8b":
                try:
                    decoded = gzip.decompress(base64.b64decode(candidate + b"=" * (-len(candidate) % 4)))
                except (OSError, EOFError):
                    continue
            yield decoded
            yield decoded.replace(b"\0", b"")
            if start == 0 and decoded.isascii() and depth < 3:
                yield from _readings(decoded, depth + 1)
        if re.fullmatch(rb"[0-9a-f]+", candidate):
            yield bytes.fromhex(candidate[: len(candidate) // 2 * 2].decode())


def _unescaped(text: str) -> str:
    simple = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f"}

    def meaning(match: re.Match[str]) -> str:
        return chr(int(match[1], 16)) if match[1] else simple[match[2]]

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|([ntr\"\\/bf]))", meaning, text)
