"""Cases of werkzeug-trusted-proxies: requests with headers go in, what the application gets to see comes out."""

from typing import Any

from harness import Runner, case, equal

DRIVER = """
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.test import create_environ

KEYS = ['REMOTE_ADDR', 'wsgi.url_scheme', 'HTTP_HOST', 'SERVER_NAME', 'SERVER_PORT', 'SCRIPT_NAME']

def play(options, given):
    seen = []
    def app(environ, start_response):
        sent = {k: v for k, v in environ.items() if 'FORWARDED' in k}
        orig = environ['werkzeug.proxy_fix.orig']
        seen.append([{k: environ.get(k) for k in KEYS}, sent, {k: v for k, v in orig.items()}])
        return []
    environ = create_environ('/', 'http://app.internal:5000/')
    environ.update(given)
    ProxyFix(app, **options)(environ, None)
    [one] = seen
    return one

emit([play(*item) for item in data])
"""

NETS = ["10.0.0.0/8", "fd00::/8", "192.0.2.77"]
PLAIN = {
    "REMOTE_ADDR": None,
    "wsgi.url_scheme": "http",
    "HTTP_HOST": "app.internal:5000",
    "SERVER_NAME": "app.internal",
    "SERVER_PORT": "5000",
    "SCRIPT_NAME": "",
}
ALL = {
    "HTTP_X_FORWARDED_FOR": "203.0.113.7",
    "HTTP_X_FORWARDED_PROTO": "https",
    "HTTP_X_FORWARDED_HOST": "shop.example",
    "HTTP_X_FORWARDED_PORT": "8443",
    "HTTP_X_FORWARDED_PREFIX": "/shop",
}
EVERY = {"x_for": 1, "x_proto": 1, "x_host": 1, "x_port": 1, "x_prefix": 1}


def play(run: Runner, *requests: tuple[dict[str, Any], dict[str, str]]) -> Any:
    """Per request (options of ProxyFix, environ): what the application sees, the headers left, the originals."""
    return run.python(DRIVER, path=["/workspace/src"], data=[list(request) for request in requests])


Asked = tuple[dict[str, Any], dict[str, str], dict[str, str]]


def sees(run: Runner, *asked: Asked) -> None:
    """Per request (options, environ, what it changes): compare all that the application may go by."""
    found = play(run, *((options, environ) for options, environ, _ in asked))
    for (options, environ, changes), (seen, _, _) in zip(asked, found, strict=True):
        equal(seen, {**PLAIN, "REMOTE_ADDR": environ["REMOTE_ADDR"], **changes}, f"{options} {environ}")


def clients(options: dict[str, Any], peer: str, wanted: dict[str, str]) -> list[Asked]:
    """Per value of X-Forwarded-For the REMOTE_ADDR that comes of it."""
    return [
        (options, {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": value}, {"REMOTE_ADDR": client})
        for value, client in wanted.items()
    ]


def forwarded_is(run: Runner, peer: str, wanted: dict[str, dict[str, str]]) -> None:
    """Per Forwarded header what it changes."""
    options = {"trusted": NETS, "forwarded": True}
    sees(run, *((options, {"REMOTE_ADDR": peer, "HTTP_FORWARDED": value}, new) for value, new in wanted.items()))


def host(name: str, port: str = "5000") -> dict[str, str]:
    """What a forwarded host changes."""
    return {
        "HTTP_HOST": name if port == "5000" else f"{name}:{port}",
        "SERVER_NAME": name,
        "SERVER_PORT": port,
    }


# --- the instruction: who is believed ------------------------------------------------------------


@case(turn=0)
def direct_requests_are_not_believed(run: Runner) -> None:
    direct = ["203.0.113.50", "2001:db8::1", "11.0.0.1", "192.0.2.78"]
    sees(run, *(({**EVERY, "trusted": NETS}, {"REMOTE_ADDR": peer, **ALL}, {}) for peer in direct))


@case(turn=0)
def proxies_are_believed(run: Runner) -> None:
    changes = {
        "REMOTE_ADDR": "203.0.113.7",
        "wsgi.url_scheme": "https",
        "HTTP_HOST": "shop.example:8443",
        "SERVER_NAME": "shop.example",
        "SERVER_PORT": "8443",
        "SCRIPT_NAME": "/shop",
    }
    peers = ["10.0.0.2", "10.255.1.1", "fd00::17", "192.0.2.77"]
    some = {"REMOTE_ADDR": "203.0.113.7", "wsgi.url_scheme": "https"}
    sees(
        run,
        *(({**EVERY, "trusted": NETS}, {"REMOTE_ADDR": peer, **ALL}, changes) for peer in peers),
        ({"trusted": ["::1"]}, {"REMOTE_ADDR": "::1", **ALL}, some),
    )


@case(turn=0)
def nobody_is_trusted(run: Runner) -> None:
    sees(run, ({**EVERY, "trusted": []}, {"REMOTE_ADDR": "10.0.0.2", **ALL}, {}))


@case(turn=0)
def peers_without_an_address(run: Runner) -> None:
    peers = ["", "unix:", "localhost"]
    sees(run, *(({**EVERY, "trusted": NETS}, {"REMOTE_ADDR": peer, **ALL}, {}) for peer in peers))


@case(turn=0)
def originals_are_kept_in_any_case(run: Runner) -> None:
    peers = ["203.0.113.50", "10.0.0.2"]
    found = play(run, *(({**EVERY, "trusted": NETS}, {"REMOTE_ADDR": peer, **ALL}) for peer in peers))
    for peer, (_, _, orig) in zip(peers, found, strict=True):
        equal({key: orig.get(key) for key in PLAIN}, {**PLAIN, "REMOTE_ADDR": peer}, peer)


# --- any number of proxies -----------------------------------------------------------------------


@case(turn=1)
def any_number_of_proxies(run: Runner) -> None:
    wanted = {
        "203.0.113.7": "203.0.113.7",
        "203.0.113.7, 10.0.0.9": "203.0.113.7",
        "203.0.113.7,10.0.0.9,fd00::2,  192.0.2.77": "203.0.113.7",
        "2001:db8::7, fd00::1": "2001:db8::7",
    }
    sees(run, *clients({"trusted": NETS}, "10.0.0.2", wanted))


@case(turn=1)
def what_the_client_made_up(run: Runner) -> None:
    wanted = {
        "10.0.0.1, 6.6.6.6, 203.0.113.7, 10.0.0.9": "203.0.113.7",
        "6.6.6.6, 203.0.113.7, 10.0.0.9, 10.0.0.8": "203.0.113.7",
        "6.6.6.6, 10.0.0.4, 203.0.113.7": "203.0.113.7",
    }
    sees(run, *clients({"trusted": NETS}, "fd00::9", wanted))


@case(turn=1)
def all_of_them_are_proxies(run: Runner) -> None:
    wanted = {"10.0.0.7, 10.0.0.8, 10.0.0.9": "10.0.0.7", "192.0.2.77, fd00::1": "192.0.2.77"}
    sees(run, *clients({"trusted": NETS}, "10.0.0.2", wanted))


@case(turn=1)
def the_number_is_on_or_off(run: Runner) -> None:
    wanted = {"6.6.6.6, 203.0.113.7": "203.0.113.7", "203.0.113.7": "203.0.113.7"}
    more = {**wanted, "203.0.113.7, 10.0.0.9": "203.0.113.7"}
    asked = clients({"trusted": NETS, "x_for": 0}, "10.0.0.2", dict.fromkeys(wanted, "10.0.0.2"))
    for number in (1, 2, 3):
        asked += clients({"trusted": NETS, "x_for": number}, "10.0.0.2", more)
    sees(run, *asked)


@case(turn=2)
def proxies_with_ports(run: Runner) -> None:
    wanted = {
        "203.0.113.7, 10.0.0.9:5000": "203.0.113.7",
        "6.6.6.6, [2001:db8::5]:4711, [fd00::1]:80, 10.0.0.9:1": "2001:db8::5",
    }
    sees(run, *clients({"trusted": NETS}, "10.0.0.2", wanted))


# --- addresses -----------------------------------------------------------------------------------


@case(turn=2)
def plain_addresses(run: Runner) -> None:
    wanted = {
        "[2001:db8::5]:4711": "2001:db8::5",
        "[2001:db8::5]": "2001:db8::5",
        "203.0.113.7:4711": "203.0.113.7",
        "2001:db8::5:4711": "2001:db8::5:4711",
        "6.6.6.6, 203.0.113.8:80": "203.0.113.8",
    }
    sees(run, *clients({"trusted": NETS}, "10.0.0.2", wanted))


@case(turn=2)
def what_is_no_address(run: Runner) -> None:
    junk = [
        "unknown",
        "_hidden",
        "203.0.113",
        "203.0.113.7:http",
        "[2001:db8::5",
        "a.example",
        "203.0.113.7 x",
    ]
    wanted = dict.fromkeys(junk, "10.0.0.2") | {f"6.6.6.6, {value}": "10.0.0.2" for value in junk}
    sees(run, *clients({"trusted": NETS}, "10.0.0.2", wanted))


@case(turn=2)
def what_was_there_before_the_junk(run: Runner) -> None:
    wanted = {
        "6.6.6.6, junk, 10.0.0.9": "10.0.0.9",
        "unknown, 10.0.0.9:80": "10.0.0.9",
        "junk, 203.0.113.7:1": "203.0.113.7",
    }
    sees(run, *clients({"trusted": NETS}, "10.0.0.2", wanted))


@case(turn=2)
def dual_stack_listener(run: Runner) -> None:
    wanted = {"203.0.113.7": "203.0.113.7", "2001:db8::5": "2001:db8::5"}
    changes = {"REMOTE_ADDR": "203.0.113.7", "wsgi.url_scheme": "https"}
    sees(
        run,
        *clients({"trusted": NETS}, "::ffff:10.0.0.2", wanted),
        ({"trusted": ["192.0.2.77"]}, {"REMOTE_ADDR": "::ffff:192.0.2.77", **ALL}, changes),
    )


# --- Forwarded -----------------------------------------------------------------------------------


@case(turn=4)
def client_of_forwarded(run: Runner) -> None:
    wanted = {
        "for=203.0.113.7": {"REMOTE_ADDR": "203.0.113.7"},
        "for=6.6.6.6, for=203.0.113.7, for=10.0.0.9": {"REMOTE_ADDR": "203.0.113.7"},
        "for=10.0.0.7;by=10.0.0.8,for=10.0.0.9": {"REMOTE_ADDR": "10.0.0.7"},
        "for=203.0.113.7;proto=https;host=shop.example": {
            "REMOTE_ADDR": "203.0.113.7",
            "wsgi.url_scheme": "https",
            **host("shop.example"),
        },
        "proto=https;by=10.0.0.9;host=shop.example:8443;for=203.0.113.7": {
            "REMOTE_ADDR": "203.0.113.7",
            "wsgi.url_scheme": "https",
            **host("shop.example", "8443"),
        },
    }
    forwarded_is(run, "10.0.0.2", wanted)


@case(turn=4)
def quotes_and_letters_of_forwarded(run: Runner) -> None:
    wanted = {
        'For="[2001:db8::5]:4711";PROTO=https': {"REMOTE_ADDR": "2001:db8::5", "wsgi.url_scheme": "https"},
        'for="[2001:db8::5]"': {"REMOTE_ADDR": "2001:db8::5"},
        'FOR="203.0.113.7:80" ; Host="shop.example:8443"': {
            "REMOTE_ADDR": "203.0.113.7",
            **host("shop.example", "8443"),
        },
        'for=6.6.6.6;ext="a, for=1.1.1.1; b", for="203.0.113.7";ext="x;for=2.2.2.2", for="10.0.0.9"': {
            "REMOTE_ADDR": "203.0.113.7"
        },
    }
    forwarded_is(run, "fd00::1", wanted)


@case(turn=4)
def forwarded_without_an_address(run: Runner) -> None:
    wanted = {
        "for=unknown": {},
        'for=6.6.6.6, for="_hidden"': {},
        "for=6.6.6.6, for=_x, for=10.0.0.9": {"REMOTE_ADDR": "10.0.0.9"},
        "for=6.6.6.6, proto=https": {},
        "": {},
    }
    forwarded_is(run, "10.0.0.2", wanted)


@case(turn=4)
def only_one_kind_of_header_counts(run: Runner) -> None:
    sent = {"REMOTE_ADDR": "10.0.0.2", "HTTP_FORWARDED": "for=203.0.113.9"}
    seen = {"REMOTE_ADDR": "203.0.113.9"}
    both = {**EVERY, "trusted": NETS, "forwarded": True}
    sees(
        run,
        (both, {**ALL, **sent}, seen),
        (both, {**ALL, "REMOTE_ADDR": "10.0.0.2"}, {}),
        ({"trusted": NETS}, sent, {}),
    )


@case(turn=4)
def forwarded_needs_trusted(run: Runner) -> None:
    found = run.python(
        """
from werkzeug.middleware.proxy_fix import ProxyFix
out = []
for options in data:
    try:
        ProxyFix(lambda environ, start: [], **options)
        out.append('made')
    except Exception as error:
        out.append(type(error).__name__)
emit(out)
""",
        path=["/workspace/src"],
        data=[
            {"forwarded": True},
            {"forwarded": True, "x_for": 2},
            {"forwarded": True, "trusted": []},
            {"forwarded": False},
        ],
    )
    equal(found, ["ValueError", "ValueError", "made", "made"])


@case(turn=4)
def forwarded_of_a_direct_request(run: Runner) -> None:
    value = "for=6.6.6.6;proto=https;host=evil.example"
    options = {"trusted": NETS, "forwarded": True}
    sees(
        run,
        (options, {"REMOTE_ADDR": "203.0.113.50", "HTTP_FORWARDED": value}, {}),
        (options, {"REMOTE_ADDR": "203.0.113.50", "HTTP_FORWARDED": "for=10.0.0.9;proto=https"}, {}),
        ({**options, "trusted": []}, {"REMOTE_ADDR": "10.0.0.2", "HTTP_FORWARDED": value}, {}),
    )


@case(turn=4)
def forwarded_by_dual_stack_proxies(run: Runner) -> None:
    wanted = {
        'for=203.0.113.7, for="[::ffff:10.0.0.9]:80"': {"REMOTE_ADDR": "203.0.113.7"},
        'for=6.6.6.6, for=203.0.113.7, for="[::ffff:192.0.2.77]"': {"REMOTE_ADDR": "203.0.113.7"},
    }
    forwarded_is(run, "10.0.0.2", wanted)


@case(turn=4)
def scheme_and_host_of_the_same_element(run: Runner) -> None:
    wanted = {
        "for=203.0.113.7;proto=https;host=shop.example, for=10.0.0.9;proto=http;host=inner.example": {
            "REMOTE_ADDR": "203.0.113.7",
            "wsgi.url_scheme": "https",
            **host("shop.example"),
        },
        "for=6.6.6.6;host=evil.example, for=203.0.113.7;host=shop.example:81, for=10.0.0.8, for=10.0.0.9;proto=https": {
            "REMOTE_ADDR": "203.0.113.7",
            **host("shop.example", "81"),
        },
    }
    forwarded_is(run, "10.0.0.2", wanted)


@case(turn=4)
def elements_without_scheme_or_host(run: Runner) -> None:
    wanted = {
        "for=6.6.6.6;proto=https;host=evil.example, for=203.0.113.7, for=10.0.0.9;proto=https;host=inner.example": {
            "REMOTE_ADDR": "203.0.113.7"
        },
        "for=unknown;proto=https, for=10.0.0.8;host=shop.example, for=10.0.0.9;proto=https": {
            "REMOTE_ADDR": "10.0.0.8",
            **host("shop.example"),
        },
    }
    forwarded_is(run, "10.0.0.2", wanted)


# --- the last word: headers of direct requests ---------------------------------------------------


@case(turn=6)
def headers_of_direct_requests_are_removed(run: Runner) -> None:
    [[_, left, orig]] = play(run, ({**EVERY, "trusted": NETS}, {"REMOTE_ADDR": "203.0.113.50", **ALL}))
    equal([left, {key: orig.get(key) for key in ALL}], [{}, ALL])


@case(turn=6)
def all_of_them_are_removed(run: Runner) -> None:
    more = {**ALL, "HTTP_FORWARDED": "for=6.6.6.6", "HTTP_X_FORWARDED_SERVER": "a", "HTTP_X_FORWARDED_SSL": "on"}
    ways = [{"trusted": NETS}, {"trusted": NETS, "forwarded": True}, {"trusted": [], "x_for": 0, "x_proto": 0}]
    found = play(run, *((options, {"REMOTE_ADDR": "2001:db8::1", **more}) for options in ways))
    for options, (_, left, orig) in zip(ways, found, strict=True):
        equal([left, {key: orig.get(key) for key in more}], [{}, more], str(options))


@case(turn=6)
def headers_of_proxies_stay(run: Runner) -> None:
    sent = {**ALL, "HTTP_FORWARDED": "for=203.0.113.9"}
    options = {**EVERY, "trusted": NETS}
    found = play(
        run,
        (options, {"REMOTE_ADDR": "10.0.0.2", **sent}),
        ({"trusted": NETS, "forwarded": True}, {"REMOTE_ADDR": "10.0.0.2", **sent}),
        (options, {"REMOTE_ADDR": "203.0.113.50", **sent}),
    )
    equal([left for _, left, _ in found], [sent, sent, {}])


# --- without trusted -----------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def numbers_of_proxies(run: Runner) -> None:
    three = "203.0.113.7, 10.0.0.8, 10.0.0.9"
    asked = []
    for number, client in ((1, "10.0.0.9"), (2, "10.0.0.8"), (3, "203.0.113.7"), (4, "6.6.6.6"), (0, "6.6.6.6")):
        asked += clients({"x_for": number}, "6.6.6.6", {three: client})
    sees(run, *asked)


@case(turn=0, kind="p2p")
def headers_as_documented(run: Runner) -> None:
    changes = {"REMOTE_ADDR": "203.0.113.7", "wsgi.url_scheme": "https"}
    mixed = {"x_for": 0, "x_proto": 2, "x_host": 2, "x_prefix": 1}
    lists = {
        "REMOTE_ADDR": "6.6.6.6",
        "HTTP_X_FORWARDED_PROTO": "https,http",
        "HTTP_X_FORWARDED_HOST": "[2001:db8::a]:81, b.example",
        "HTTP_X_FORWARDED_PREFIX": "/a, /b",
    }
    bare = {"REMOTE_ADDR": "6.6.6.6", "HTTP_X_FORWARDED_HOST": "[2001:db8::a], b"}
    seen = {"wsgi.url_scheme": "https", "SCRIPT_NAME": "/b"}
    seen |= {"HTTP_HOST": "[2001:db8::a]:81", "SERVER_NAME": "[2001:db8::a]", "SERVER_PORT": "81"}
    sees(
        run,
        ({}, {"REMOTE_ADDR": "6.6.6.6", **ALL}, changes),
        ({}, {"REMOTE_ADDR": "", **ALL}, changes),
        ({}, {"REMOTE_ADDR": "6.6.6.6", "HTTP_FORWARDED": "for=203.0.113.7;proto=https;host=x"}, {}),
        (mixed, lists, seen),
        (mixed, bare, {"HTTP_HOST": "[2001:db8::a]", "SERVER_NAME": "[2001:db8::a]"}),
    )


@case(turn=0, kind="p2p")
def originals_and_headers_stay(run: Runner) -> None:
    [[_, left, orig]] = play(run, (EVERY, {"REMOTE_ADDR": "6.6.6.6", **ALL}))
    equal([left, orig], [ALL, {**PLAIN, "REMOTE_ADDR": "6.6.6.6"}])


@case(turn=0, kind="p2p")
def values_are_handed_on(run: Runner) -> None:
    values = ["[2001:db8::5]:4711", "203.0.113.7:80", "unknown", "_hidden"]
    sees(run, *clients({}, "10.0.0.2", {f"6.6.6.6, {value}": value for value in values}))


@case(turn=0, kind="p2p")
def values_behind_others_are_handed_on(run: Runner) -> None:
    wanted = {
        "junk, 10.0.0.9": "junk",
        "::ffff:10.0.0.9, unknown": "::ffff:10.0.0.9",
        "2001:DB8::0:5, x": "2001:DB8::0:5",
    }
    sees(run, *clients({"x_for": 2}, "::ffff:10.0.0.2", wanted))
