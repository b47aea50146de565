"""Cookies are found by where they stand, whatever they are called, and their attributes stay."""

import json
import random
from collections.abc import Callable

import pytest

from swe_together.pipeline.privacy import Redactor, Salt
from tests.pipeline.privacy.planting import ALNUM, URLSAFE, some

DICE = random.Random(20260318)
VALUE = f"{some(DICE, URLSAFE, 43)}-1773837099.325349-1.0.1.1-{some(DICE, URLSAFE, 30)}"
SHORT = "q8Zk29xQ" + some(DICE, ALNUM, 6)
WHOLE = f"_cfuvid={VALUE}; HttpOnly; SameSite=None; Secure; Path=/; Domain=api.acme.io; Max-Age=31536000"
LEFT = "; HttpOnly; SameSite=None; Secure; Path=/; Domain=api.acme.io; Max-Age=31536000"


def redacted(value: object) -> str:
    clean = Redactor(Salt(b"0123456789abcdef0123456789abcdef")).json(value).value
    return clean if isinstance(clean, str) else json.dumps(clean)


@pytest.mark.parametrize("key", ["set-cookie", "Set-Cookie", "SET-COOKIE", "cookie", "setCookie", "set_cookie"])
@pytest.mark.parametrize(
    "shape", [lambda v: v, lambda v: [v, "lang=en"], lambda v: [["x", v]]], ids=["text", "list", "deep"]
)
@pytest.mark.parametrize(
    "written", [lambda v: v, json.dumps, lambda v: json.dumps(v, indent=1), lambda v: json.dumps(str(v))]
)
def test_a_cookie_under_a_key(key: str, shape: Callable[[str], object], written: Callable[[object], object]) -> None:
    clean = redacted(written({"headers": {"server": "x", key: shape(WHOLE)}}))
    assert VALUE not in clean and VALUE[-30:] not in clean
    assert "_cfuvid=REDACTED-cookie-" in clean and LEFT in clean


@pytest.mark.parametrize(
    "value",
    [
        ["Date", "today", "Set-Cookie", WHOLE],
        [["date", "today"], ["set-cookie", WHOLE]],
        {"headers": [{"name": "Set-Cookie", "value": WHOLE}]},
        {"cookies": [{"name": "_cfuvid", "value": VALUE, "path": "/", "httpOnly": True}]},
        {"cookies": {"_cfuvid": VALUE, "lang": "en"}},
        ["tool", "--cookie", WHOLE],
        {"set-cookie": [WHOLE, f"zx={SHORT}"]},
        {"set-cookie": [f"a={SHORT}", f"b={VALUE}"]},
    ],
    ids=["flat pairs", "pairs", "named", "store", "mapping", "flag", "two", "two more"],
)
@pytest.mark.parametrize("written", [lambda v: v, lambda v: json.dumps(v, indent=2)], ids=["parsed", "text"])
def test_other_shapes(value: object, written: Callable[[object], object]) -> None:
    clean = redacted(written(value))
    assert VALUE not in clean and SHORT not in clean


@pytest.mark.parametrize(
    "text",
    [
        f"< set-cookie: {WHOLE}",
        f"Cookie: theme=dark; x1={VALUE}",
        f"* [HTTP/2] [1] [cookie: x1={VALUE}]",
        f"document.cookie = 'x1={VALUE}'",
        f"set-cookie:\n  - x1={VALUE}; Path=/",
        f"curl -b 'x1={VALUE}' https://acme.io",
        f'headers = {{"Cookie": "x1={VALUE}"}}',
        f'+  "set-cookie": [\n+    "x1={VALUE}; Path=/"\n+  ]',
        f'12:   "set-cookie": [\n13:     "lang=en",\n14:     "x1={VALUE}; Path=/"',
    ],
)
def test_a_cookie_in_text(text: str) -> None:
    clean = redacted(text)
    assert VALUE not in clean and "REDACTED-cookie-" in clean


def test_what_another_redaction_left_of_a_cookie_goes_too() -> None:
    for rest in (f"x1=REDACTED.{VALUE[20:]}", f"REDACTED.{VALUE[20:]}", f"x1={VALUE[:30]}.REDACTED"):
        clean = redacted({"set-cookie": [f"{rest}; HttpOnly; Path=/"]})
        assert VALUE[-20:] not in clean and VALUE[:20] not in clean and clean.endswith('; HttpOnly; Path=/"]}')


def test_a_cookie_goes_from_elsewhere_too() -> None:
    clean = redacted({"set-cookie": [WHOLE], "note": f"it was {VALUE}"})
    assert VALUE not in clean


@pytest.mark.parametrize(
    "cookie",
    [
        *("session=", 'session=""', "x=deleted", "session=deleted", "connect.sid=s%3Adeleted"),
        *("session_id=s%3Adeleted", "auth_token=undefined", "sid=%22%22", "session=logged_out", "session=e30%3D"),
        *(
            "_cfuvid=REDACTED.6386828-1.0.1.REDACTED",
            "REDACTED.7340508-1.0.1.REDACTED",
            "sid=REDACTED",
            "x=12.***.0291593",
        ),
        "session=0000000000000000",
    ],
)
@pytest.mark.parametrize("attributes", ["; Path=/", "; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
def test_a_cookie_without_content_stays(cookie: str, attributes: str) -> None:
    for value in ({"set-cookie": [cookie + attributes]}, {"Cookie": cookie}):
        assert redacted(value) == json.dumps(value)
    assert redacted(f"Set-Cookie: {cookie}{attributes}") == f"Set-Cookie: {cookie}{attributes}"


def test_what_a_mask_left_goes_once_it_is_more_than_a_version_and_a_time() -> None:
    for rest in ("REDACTED.d6fw-1773838160.1385615", "REDACTED.48393017263549", "ye.REDACTED.6900146-1.0.1.REDACTED"):
        assert rest[:-3] not in redacted({"set-cookie": [f"sid={rest}; Path=/"]})
