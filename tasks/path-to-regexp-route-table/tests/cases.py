"""Cases of path-to-regexp-route-table: lists of paths and pathnames go in, what a table finds comes out."""

import random
from typing import Any

from harness import Result, Runner, case, equal

# ``said`` makes an outcome comparable, errors too; ``ask`` builds a table and puts all questions to it.
START = r"""
const P = require('./');
const said = (act) => { try { return act(); } catch (e) { return `${e}`; } };
const ask = ([paths, urls, options]) => {
  const t = P.table(paths, options);
  return urls.map((url) => said(() => t.find(url)));
};
const number = (found) => (found ? found.route : found);
"""


def go(run: Runner, code: str, data: object = None, timeout: float = 30.0) -> Any:
    return run.node(START + code, data=data, timeout=timeout)


def routes(run: Runner, paths: list[str], urls: list[str], options: dict[str, object] | None = None) -> list[object]:
    """The numbers of the routes that are found."""
    found = go(run, "emit(ask(data));", [paths, urls, options or {}])
    assert isinstance(found, list), found
    return [one["route"] if isinstance(one, dict) else one for one in found]


def fits(path: str, route: int, **params: object) -> dict[str, object]:
    return {"path": path, "index": 0, "params": params, "route": route}


# --- 0: a table ------------------------------------------------------------------------------------------------------


@case(turn=0)
def results_are_those_of_match(run: Runner) -> None:
    paths = [
        "/:tenant/users/:id",
        "/:tenant/users/:id/photos/:no(\\d+)",
        "/help",
        "/files/(.*)",
        "/tags/:tag+",
        "/:year(\\d{4})-:month(\\d\\d)/:rest*",
        "/img/:name.:ext(png|gif)",
        "",
        "/a\\:b/c",
    ]
    asked = {
        "/acme/users/7": fits("/acme/users/7", 0, tenant="acme", id="7"),
        "/acme/users/7/": fits("/acme/users/7/", 0, tenant="acme", id="7"),
        "/b%20c/users/%C3%A9": fits("/b%20c/users/%C3%A9", 0, tenant="b c", id="é"),
        "/acme/users/7/photos/12": fits("/acme/users/7/photos/12", 1, tenant="acme", id="7", no="12"),
        "/help": fits("/help", 2),
        "/HELP/": fits("/HELP/", 2),
        "/files/x/y.txt": fits("/files/x/y.txt", 3, **{"0": "x/y.txt"}),
        "/tags/q/r/s": fits("/tags/q/r/s", 4, tag=["q", "r", "s"]),
        "/2026-12": fits("/2026-12", 5, year="2026", month="12"),
        "/2026-12/p/q": fits("/2026-12/p/q", 5, year="2026", month="12", rest=["p", "q"]),
        "/img/cat.png": fits("/img/cat.png", 6, name="cat", ext="png"),
        "": fits("", 7),
        "/A:b/c": fits("/A:b/c", 8),
    }
    equal(go(run, "emit(ask(data));", [paths, list(asked)]), list(asked.values()), "found")


@case(turn=0)
def false_where_nothing_fits(run: Runner) -> None:
    paths = ["/:tenant/users/:id", "/help", "/:tenant/bills/:no(\\d+)", "/constructor/:x"]
    urls = [
        "/help/me",
        "/acme/users",
        "/acme/users/1/2",
        "/a/bills/x",
        "help",
        "//",
        "/__proto__",
        "/users/users",
        "/a//b",
    ]
    found = go(
        run,
        "const [p, u] = data; emit([ask([p, u]), ask([p, ['/__proto__/users/toString']]), ask([[], u])]);",
        [paths, urls],
    )
    equal(found[0], [False] * len(urls), "found")
    equal(
        found[1], [fits("/__proto__/users/toString", 0, tenant="__proto__", id="toString")], "names that objects have"
    )
    equal(found[2], [False] * len(urls), "found in an empty table")


@case(turn=0)
def the_first_of_those_that_fit_alike(run: Runner) -> None:
    pairs = [
        (["/:no(\\d+)", "/:name"], "/5"),
        (["/x/:one", "/x/:some+"], "/x/y"),
        (["/x/(y|z)", "/x/:one"], "/x/y"),
        (["/:a/:b?", "/:c"], "/q"),
        (["/:a/k/:b(\\w+)", "/:a/k/:b"], "/p/k/q"),
    ]
    found = go(
        run,
        "emit(data.map(([p, u]) => [p, [...p].reverse()].map((list) => number(ask([list, [u]])[0]))));",
        pairs,
    )
    equal(found, [[0, 0]] * len(pairs), "routes of each pair, in both orders")


@case(turn=0)
def the_options_of_the_package(run: Runner) -> None:
    asked: list[tuple[dict[str, object], list[str], dict[str, object]]] = [
        ({"sensitive": True}, ["/Users/:id", "/t/:x"], {"/Users/1": 0, "/users/1": False, "/t/A": 1, "/T/A": False}),
        ({"strict": True}, ["/a/:x", "/b/c"], {"/a/1": 0, "/a/1/": False, "/b/c": 1, "/b/c/": False}),
        (
            {"end": False},
            ["/a/:x", "/b", "/c/"],
            {"/a/1/2/3": 0, "/b/x": 1, "/bx": False, "/B": 1, "/c/d": 2, "/d": False},
        ),
        ({"delimiter": "."}, [":sub.example.org", "a.b"], {"www.example.org": 0, "w.w.example.org": False, "a.b.": 1}),
        (
            {"endsWith": "?"},
            ["/t/:x/edit", "/u/:y", "/"],
            {"/t/1/edit?q=1": 0, "/u/2?z": 1, "/u/2": 1, "/?": 2, "/v?": False},
        ),
        ({"endsWith": ["?", "#"], "end": False}, ["/w", "/x/:y"], {"/w#x": 0, "/w?x": 0, "/x/1#": 1, "/wx": False}),
        ({"start": False}, ["/edit", "/:x/show"], {"/a/b/edit": 0, "/a/b/show": 1, "/edit/b": False}),
        ({"whitelist": ["/"]}, ["/a-:x/b", "/c:y"], {"/a-1/b": 0, "/c2": 1, "/a1/b": False}),
    ]
    for options, paths, wanted in asked:
        equal(routes(run, paths, list(wanted), options), list(wanted.values()), f"routes with {options}")


@case(turn=0)
def all_kinds_of_paths_and_a_decode(run: Runner) -> None:
    code = r"""
    const t = P.table([/^\/r(\d+)$/, ['/one/:a', '/two/:b'], '/three/:c*']);
    const decode = (value, key) => `${key.name}=${value}`;
    emit([...['/r12', '/one/x', '/two/y', '/four'].map((url) => t.find(url)), t.find('/three/%zz/z', { decode })]);
    """
    wanted = [
        fits("/r12", 0, **{"0": "12"}),
        fits("/one/x", 1, a="x"),
        fits("/two/y", 1, b="y"),
        False,
        fits("/three/%zz/z", 2, c=["c=%zz", "c=z"]),
    ]
    equal(go(run, code), wanted, "found")


PARTS = [
    "/a",
    "/b",
    "/AB",
    "/:x",
    "/:x(\\d+)",
    "/:x?",
    "/:x*",
    "/:x+",
    "/(.*)",
    "/a-:x",
    "/:x.b",
    "/b:x",
    ".b",
    "/v(\\d)?",
    "/a\\.b",
    "/",
]
WORDS = ["a", "b", "aB", "12", "a-1", "q.b", "bz", "v", "v7", "a.b", "b.b"]


@case(turn=0)
def no_kind_of_path_is_overlooked(run: Runner) -> None:
    # Whatever is found must be there for match() too, and false may only come where match() finds none.
    dice = random.Random(11)
    tables: list[Any] = []
    for options in [{}, {"end": False}, {"strict": True}, {"sensitive": True}, {"endsWith": "-"}] * 3:
        paths: list[str] = []
        while len(paths) < 12:
            parts = [dice.choice(PARTS) for _ in range(dice.randint(1, 4))]
            text = "".join(part.replace("x", "xyzw"[at]) for at, part in enumerate(parts))
            if text.lower() not in map(str.lower, paths):
                paths.append(text)
        urls = ["".join("/" + dice.choice(WORDS) for _ in range(dice.randint(0, 4))) for _ in range(60)]
        tables.append([paths, [url + dice.choice(["", "", "/"]) for url in urls], options])
    code = r"""
    emit(data.map(([paths, urls, options]) => {
      const seen = new Set(), own = [], all = paths.map((path) => P.match(path, options));
      paths.forEach((path) => { // one of each set of paths that mean the same
        const source = P(path, [], options).source.toLowerCase();
        if (!seen.has(source)) own.push(path);
        seen.add(source);
      });
      const one = own.map((path) => P.match(path, options));
      return [urls.map((url) => one.map((m) => m(url))), ask([own, urls, options])];
    }));
    """
    hits = 0
    for (match, found), (paths, urls, options) in zip(go(run, code, tables), tables, strict=True):
        for url, wanted, value in zip(urls, match, found, strict=True):
            where = f"{url!r} in {paths} with {options}"
            if value is False:
                equal([one for one in wanted if one], [], f"what match finds and find doesn't: {where}")
            else:
                hits += 1
                assert isinstance(value, dict) and isinstance(value.get("route"), int), f"{value!r} for {where}"
                equal(value, {**(wanted[value["route"]] or {}), "route": value["route"]}, f"found for {where}")
    assert hits > 300, f"only {hits} found"


# --- 0: many routes --------------------------------------------------------------------------------------------------

MANY = r"""
const path = (i) => '/:tenant' + [`/things${i}/:id`, `/lists/:id/part${i}`, `/fixed/text${i}`, `/n${i}/(\\d+)`][i % 4];
const url = (i, k) => `/t${k}` + [`/things${i}/${k}`, `/lists/${k}/part${i}`, `/fixed/text${i}`, `/n${i}/${k}`][i % 4];
const count = 8000, paths = Array.from({ length: count }, (_, i) => path(i));
const step = (k) => (k * 7919) % count;
"""


def in_time(done: Result, wanted: object, what: str) -> None:
    assert not done.timed_out, f"{what}: not done after {done.seconds:.1f} s"
    equal(done.json(), wanted, what)


@case(turn=0)
def thousands_of_routes(run: Runner) -> None:
    # One after another takes more than a minute, a table less than a second.
    code = """
    const t = P.table(paths);
    let right = 0;
    for (let k = 0; k < 40000; k++) right += t.find(url(step(k), k)).route === step(k);
    emit([right, t.find('/x/fixed/text2')]);
    """
    done = run.node_result(START + MANY + code, timeout=12)
    in_time(done, [40000, fits("/x/fixed/text2", 2, tenant="x")], "40000 pathnames in 8000 routes")


@case(turn=0)
def thousands_of_routes_and_nothing_fits(run: Runner) -> None:
    code = """
    const t = P.table([...paths, '/health', '/:lang?/about']);
    let right = 0;
    for (let k = 0; k < 40000; k++) right += t.find(url(step(k), k).replace('/t', '/u/t')) === false;
    emit([right, number(t.find('/health')), number(t.find('/en/about')), number(t.find('/x/n3/3'))]);
    """
    in_time(run.node_result(START + MANY + code, timeout=12), [40000, 8000, 8001, 3], "40000 that fit nothing")


# --- 1: fixed text first ---------------------------------------------------------------------------------------------


@case(turn=1)
def fixed_text_goes_first(run: Runner) -> None:
    paths = [
        "/:t/users/:id",
        "/:t/users/me",
        "/:a/:b/:c",
        "/:t/users/:id/photos",
        "/:t/users/me/:what",
        "/admin/users/:id",
    ]
    asked = {"/acme/users/me": 1, "/acme/users/7": 0, "/acme/x/me": 2, "/acme/users/me/photos": 4, "/admin/users/me": 5}
    equal(routes(run, paths, list(asked)), list(asked.values()), "routes")
    flipped = {url: 5 - route for url, route in asked.items()}
    equal(routes(run, paths[::-1], list(flipped)), list(flipped.values()), "routes of the reversed list")


@case(turn=1)
def a_way_that_ends_is_left_again(run: Runner) -> None:
    # The fixed text that fits at first may lead nowhere, several times in a row.
    paths = ["/a/b/c/x", "/a/b/:p/y", "/a/:p/c/z", "/:p/b/c/w", "/:p/:q/:r/:s(v|z)", "/a/b"]
    asked = {"/a/b/c/x": 0, "/a/b/c/y": 1, "/a/b/c/z": 2, "/a/b/c/w": 3, "/a/b/c/v": 4, "/a/b/c/u": False, "/a/b": 5}
    for order in (paths, paths[::-1]):
        wanted = [order.index(paths[at]) if at is not False else False for at in asked.values()]
        equal(routes(run, order, list(asked)), wanted, f"routes of {order}")


@case(turn=1)
def what_loses_is_not_decoded(run: Runner) -> None:
    code = r"""
    const t = P.table(['/:any', '/100%', '/:t/:rest', '/:t/50%off']);
    const seen = [];
    const decode = (value) => { seen.push(value); return value.toUpperCase(); };
    emit([said(() => t.find('/100%')), said(() => t.find('/x/50%off')), said(() => t.find('/ab', { decode })), seen]);
    """
    wanted = [fits("/100%", 1), fits("/x/50%off", 3, t="x"), fits("/ab", 0, any="AB"), ["ab"]]
    equal(go(run, code), wanted, "found")


@case(turn=1)
def from_the_left_for_any_list(run: Runner) -> None:
    dice = random.Random(5)
    tables, wanted = [], []
    for _ in range(12):
        shapes = sorted({tuple(dice.choice("ab:") for _ in range(dice.randint(1, 4))) for _ in range(25)})
        dice.shuffle(shapes)
        paths = ["".join(f"/:p{at}" if s == ":" else f"/{s}" for at, s in enumerate(shape)) for shape in shapes]
        urls = [tuple(dice.choice("abc") for _ in range(dice.randint(1, 4))) for _ in range(40)]
        tables.append([paths, ["/" + "/".join(url) for url in urls]])
        for url in urls:
            able = [
                s for s in shapes if len(s) == len(url) and all(one in (":", u) for one, u in zip(s, url, strict=True))
            ]
            best = min(able, key=lambda s: [one == ":" for one in s], default=None)
            wanted.append(shapes.index(best) if best else False)
    found = go(run, "emit(data.flatMap((one) => ask(one).map(number)));", tables)
    equal(found, wanted, "routes")


@case(turn=1)
def parts_that_are_left_out_do_not_count(run: Runner) -> None:
    # In /about the optional part has taken nothing: all of it is fixed text.
    paths = ["/:page", "/:lang?/about", "/:a/:b", "/:l?/:m/terms"]
    asked = {"/about": 1, "/en/about": 1, "/home": 0, "/x/terms": 3, "/x/y": 2, "/en/x/terms": 3}
    equal(routes(run, paths, list(asked)), list(asked.values()), "routes")
    more = ["/docs/:v?/start", "/docs/:page", "/docs/:v(\\d+)/:page"]
    equal(routes(run, more[::-1], ["/docs/start", "/docs/2/start", "/docs/2/x"]), [2, 2, 0], "routes")


@case(turn=1)
def repeated_parts_take_many(run: Runner) -> None:
    paths = ["/:dirs*/edit", "/:a/b/:c", "/:a/:b/:c/:d", "/x/(.*)"]
    asked = {"/p/b/edit": 1, "/p/q/edit": 0, "/edit": 0, "/p/q/r/edit": 0, "/p/q/r/s": 2, "/x/q/edit": 3, "/x/b/c": 3}
    for order in (paths, paths[::-1]):
        wanted = [order.index(paths[at]) for at in asked.values()]
        equal(routes(run, order, list(asked)), wanted, f"routes of {order}")


# --- 3: paths come and go --------------------------------------------------------------------------------------------


@case(turn=3)
def added_paths_are_found(run: Runner) -> None:
    code = r"""
    const t = P.table(['/:t/a', '/:t/b', '/:t/:x']);
    const c = t.add('/:t/c'), before = ['/1/a', '/1/b', '/1/c', '/1/d'].map((url) => number(t.find(url)));
    t.remove(0);
    const d = t.add('/:t/d');
    emit([c, before, ['/1/a', '/1/b', '/1/c', '/1/e'].map((url) => number(t.find(url))), t.find('/1/d').route === d]);
    """
    equal(go(run, code), [3, [0, 1, 3, 2], [2, 1, 3, 2], True], "numbers and routes")


@case(turn=3)
def removed_paths_make_room(run: Runner) -> None:
    code = r"""
    const t = P.table(['/x/:y', '/x/1', '/:z/:y(\\d)', '/:a/:b']);
    const steps = [number(t.find('/x/1'))];
    for (const gone of [1, 0, 2, 3]) { t.remove(gone); steps.push(number(t.find('/x/1'))); }
    const again = ['/x/1', '/q/q'].map((path) => t.add(path) === number(t.find(path)));
    emit([steps, again, number(t.find('/q/1'))]);
    """
    equal(go(run, code), [[1, 0, 2, 3, False], [True, True], False], "routes after each removal")


@case(turn=3)
def any_order_of_changes(run: Runner) -> None:
    # Numbers that were removed may be given again or not; every path that is there is known by its own.
    code = r"""
    const live = new Map([0, 1, 2, 3, 4].map((n) => [n, n]));
    const shape = (i) => [`/:t/s${i}`, `/:t/s${i}/:u`, `/S${i}`, `/:t/:u?/s${i}`, `/:t/s${i}/:n(\\d+)`][i % 5];
    const asked = (i) => [`/q/s${i}`, `/q/s${i}/r`, `/s${i}`, `/q/r/s${i}`, `/q/s${i}/7`][i % 5];
    const t = P.table([0, 1, 2, 3, 4].map(shape)), wrong = [];
    let seed = 3, checked = 0;
    for (let i = 5; i < 300; i++) {
      live.set(i, t.add(shape(i)));
      seed = (seed * 16807) % 2147483647;
      const keys = [...live.keys()], gone = keys[seed % keys.length];
      if (seed % 3) { t.remove(live.get(gone)); live.delete(gone); }
      for (let j = i % 7; j <= i; j += 7) {
        checked++;
        const found = number(t.find(asked(j)));
        if (found !== (live.has(j) ? live.get(j) : false)) wrong.push([i, j, found]);
      }
    }
    emit([checked, wrong.slice(0, 3), new Set(live.values()).size === live.size]);
    """
    equal(go(run, code), [6574, [], True], "checked, wrong ones, numbers differ")


@case(turn=3)
def changes_among_thousands(run: Runner) -> None:
    code = """
    const t = P.table(paths);
    let right = 0;
    for (let k = 0; k < 2000; k++) {
      const n = t.add(`/:tenant/more${k}/:x`);
      right += t.find(`/t/more${k}/1`).route === n;
      for (let j = 15 * k; j < 15 * k + 15; j++) right += t.find(url(step(j), j)).route === step(j);
      t.remove(n);
    }
    emit([right, t.find('/t/more1/1')]);
    """
    done = run.node_result(START + MANY + code, timeout=12)
    in_time(done, [32000, False], "2000 changes among 8000 routes")


# --- 4: the same pathnames twice -------------------------------------------------------------------------------------

THROWN = "const thrown = (act) => { try { act(); } catch (e) { return [e instanceof Error, e.message]; } };\n"


def names_both(found: object, one: str, other: str) -> None:
    assert isinstance(found, list) and found[0] is True, f"{other} after {one}: thrown was {found!r}"
    text = str(found[1])
    assert one in text and other in text.replace(one, "", 1), f"{text!r} doesn't name {one} and {other}"


@case(turn=4)
def twice_in_the_list(run: Runner) -> None:
    pairs = [("/users/:id", "/users/:uid"), ("/:a/x/:b(\\d+)", "/:c/x/:d(\\d+)"), ("/:p*", "/:q*"), ("/help", "/help")]
    found = go(run, THROWN + "emit(data.map(([a, b]) => thrown(() => P.table([a, '/other/:x', b]))));", pairs)
    for (one, other), error in zip(pairs, found, strict=True):
        names_both(error, one, other)


@case(turn=4)
def twice_by_adding(run: Runner) -> None:
    code = r"""
    const t = P.table(['/:t/things', '/:t/teams/:id?']);
    const first = thrown(() => t.add('/:org/things')), second = thrown(() => t.add('/:o/teams/:no?'));
    const n = t.add('/:t/lists/:x'), third = thrown(() => t.add('/:t/lists/:y'));
    t.remove(n);
    t.remove(0);
    const again = t.add('/:y/things'), more = t.add('/:t/lists/:z');
    emit([first, second, third, number(t.find('/q/things')) === again, number(t.find('/q/lists/r')) === more,
      thrown(() => t.add('/:x/things'))]);
    """
    found = go(run, THROWN + code)
    names_both(found[0], "/:t/things", "/:org/things")
    names_both(found[1], "/:t/teams/:id?", "/:o/teams/:no?")
    names_both(found[2], "/:t/lists/:x", "/:t/lists/:y")
    equal(found[3:5], [True, True], "what was removed may come back")
    names_both(found[5], "/:y/things", "/:x/things")


@case(turn=4)
def twice_in_other_letters(run: Runner) -> None:
    # No difference to the package, so none here: case, escapes that escape nothing, whether a parameter has a name.
    pairs = [
        ("/Users/:id", "/users/:id"),
        ("/a\\.b", "/A.b"),
        ("/:no(\\d+)", "/(\\d+)"),
        ("/x/:y+", "/X/:z+"),
        ("/p\\-q/:r", "/p-q/:s"),
    ]
    found = go(run, THROWN + "emit(data.map(([a, b]) => thrown(() => P.table([a]).add(b))));", pairs)
    one_case = go(
        run, THROWN + "emit(thrown(() => P.table(['/Users/:id', '/q'], { sensitive: true }).add('/Users/:no')));"
    )
    names_both(one_case, "/Users/:id", "/Users/:no")
    for (one, other), error in zip(pairs, found, strict=True):
        names_both(error, one, other)


@case(turn=4)
def a_refused_path_changes_nothing(run: Runner) -> None:
    code = r"""
    const t = P.table(['/:t/a/:x', '/:t/b']);
    const errors = ['/:u/a/:y', '/:v/B', '/:w/a/:z'].map((path) => thrown(() => t.add(path))[0]);
    const before = ['/1/a/2', '/1/b'].map((url) => t.find(url));
    t.remove(0);
    const gone = t.find('/1/a/2'), kind = typeof t.add('/:n/a/:m');
    emit([errors, before, gone, kind, t.find('/3/a/4').params, thrown(() => t.add('/:t/b'))[0]]);
    """
    before = [fits("/1/a/2", 0, t="1", x="2"), fits("/1/b", 1, t="1")]
    equal(go(run, THROWN + code), [[True] * 3, before, False, "number", {"n": "3", "m": "4"}, True], "refused, found")


@case(turn=4)
def other_patterns_are_not_the_same(run: Runner) -> None:
    paths = ["/:x(\\d+)", "/:x(\\D)", "/t/:y(\\w)", "/t/:y(\\W)", "/t/:y", "/:s(\\s)/b", "/:s(\\S)/b"]
    asked = {"/5": 0, "/f": 1, "/t/a": 2, "/t/-": 3, "/t/ab": 4, "/ /b": 5, "/c/b": 6}
    equal(routes(run, paths, list(asked)), list(asked.values()), "routes")


@case(turn=4)
def with_sensitive_case_is_a_difference(run: Runner) -> None:
    paths = ["/users/:id", "/Users/:id", "/:t/list", "/:t/LIST"]
    asked = {"/users/1": 0, "/Users/1": 1, "/q/list": 2, "/q/LIST": 3, "/q/List": False}
    equal(routes(run, paths, list(asked), {"sensitive": True}), list(asked.values()), "routes")


# --- 5: all of them --------------------------------------------------------------------------------------------------


@case(turn=5)
def all_that_fit_best_first(run: Runner) -> None:
    paths = ["/:a/:b", "/:any*", "/x/:b", "/:a/y", "/x/y", "/z", "/:a/:b(\\w)"]
    code = "const t = P.table(data); emit(['/x/y', '/x/q', '/Z', '/p/q/r', ''].map((url) => t.all(url)));"
    first, *others = go(run, code, paths)
    equal([one["route"] for one in first], [4, 2, 3, 0, 1, 6], "routes for /x/y")
    equal(first[:3], [fits("/x/y", 4), fits("/x/y", 2, b="y"), fits("/x/y", 3, a="x")], "what the best ones give")
    equal(first[3:5], [fits("/x/y", 0, a="x", b="y"), fits("/x/y", 1, any=["x", "y"])], "what the others give")
    wanted = [[2, 0, 1, 6], [5, 1], [1], [1]]
    equal([[one["route"] for one in list_] for list_ in others], wanted, "routes for the others")


@case(turn=5)
def all_of_nothing(run: Runner) -> None:
    code = "const t = P.table(['/a/:b', '/c']); t.remove(1); emit(['/a', '/c', '/a/c', '/'].map((u) => t.all(u)));"
    equal(go(run, code), [[], [], [fits("/a/c", 0, b="c")], []], "all")


@case(turn=5)
def all_after_changes(run: Runner) -> None:
    code = r"""
    const t = P.table(['/:a', '/:b(ab+)', '/c']);
    const n = t.add('/:d?'), m = t.add('/(c|d)');
    t.remove(t.add('/:gone([c-e])'));
    emit([n, m, t.all('/c'), t.all('/').map(number)]);
    """
    four = [fits("/c", 2), fits("/c", 0, a="c"), fits("/c", 3, d="c"), fits("/c", 4, **{"0": "c"})]
    equal(go(run, code), [3, 4, four, [3]], "all")


@case(turn=5)
def the_longer_one_is_better(run: Runner) -> None:
    paths = ["/users", "/users/:id", "/:t", "/users/:id/photos/:no", "/:t/:u", "/users/me"]
    asked = {"/users/me": 5, "/users/7/photos/1/big": 3, "/users/7/x": 1, "/users": 0, "/q/r/s": 4, "/q": 2}
    for order in (paths, paths[::-1]):
        wanted = [order.index(paths[at]) for at in asked.values()]
        equal(routes(run, order, list(asked), {"end": False}), wanted, f"routes of {order}")


@case(turn=5)
def all_with_the_longer_first(run: Runner) -> None:
    code = (
        "const t = P.table(data, { end: false });"
        "emit(['/a/b/c/d', '/A/', '/e/f'].map((url) => t.all(url).map((one) => [one.route, one.path])));"
    )
    wanted = [
        [[3, "/a/b/c"], [1, "/a/b"], [4, "/a/b"], [0, "/a"]],
        [[0, "/A/"]],
        [[5, "/e/f"], [2, "/e"]],
    ]
    equal(go(run, code, ["/a", "/a/b", "/e", "/a/b/:c", "/a/:b", "/e/:f"]), wanted, "routes and what they take")


# --- as before -------------------------------------------------------------------------------------------------------

PLAIN = "[^\\/]+?"
REGEXPS: dict[str, tuple[str, list[object]]] = {
    "/a/:b": ("^\\/a\\/(" + PLAIN + ")(?:\\/)?$", ["b"]),
    "/:a?/b": ("^(?:\\/(" + PLAIN + "))?\\/b(?:\\/)?$", ["a"]),
    "/:a+": ("^\\/((?:" + PLAIN + ")(?:\\/(?:" + PLAIN + "))*)(?:\\/)?$", ["a"]),
    "/(\\d+)/(.*)": ("^\\/(\\d+)\\/(.*)(?:\\/)?$", [0, 1]),
    "/a\\:b": ("^\\/a\\:b(?:\\/)?$", []),
    "/:x.:y(png)": ("^\\/(" + PLAIN + ")\\.(png)(?:\\/)?$", ["x", "y"]),
}


@case(turn=0, kind="p2p")
def regexps_and_keys_as_before(run: Runner) -> None:
    code = "let keys; emit(data.map((p) => [P(p).source, P(p).flags, P(p, keys = []) && keys.map((k) => k.name)]));"
    equal(go(run, code, list(REGEXPS)), [[source, "i", names] for source, names in REGEXPS.values()], "regexps")


@case(turn=0, kind="p2p")
def tokens_as_before(run: Runner) -> None:
    code = r"""
    const own = { sensitive: true, strict: true };
    emit([P.parse('/route/:foo/(.*)'), P.parse('x.:y', { delimiter: '.' }),
      `${P.tokensToRegExp(P.parse('/a/:b'), [], own)}`,
      P(['/a', '/:b'], []).source, P(/^x(y)$/, []).source, P('/q', [], { end: false, endsWith: '#' }).source]);
    """
    key = {"prefix": "/", "delimiter": "/", "optional": False, "repeat": False}
    wanted = [
        ["/route", {**key, "name": "foo", "pattern": PLAIN}, {**key, "name": 0, "pattern": ".*"}],
        ["x", {**key, "prefix": ".", "delimiter": ".", "name": "y", "pattern": "[^\\.]+?"}],
        "/^\\/a\\/([^\\/]+?)$/",
        "(?:^\\/a(?:\\/)?$|^\\/(" + PLAIN + ")(?:\\/)?$)",
        "^x(y)$",
        "^\\/q(?:\\/(?=#|$))?(?=\\/|#|$)",
    ]
    equal(go(run, code), wanted, "tokens and regexps")


@case(turn=0, kind="p2p")
def match_as_before(run: Runner) -> None:
    code = r"""
    const one = P.match('/user/:id'), many = P.match('/:a*', { end: false });
    const keys = [], own = P.regexpToFunction(P('/x/:y?', keys), keys);
    const decode = (value, key) => [value, key.name];
    emit([one('/USER/caf%C3%A9'), one('/invalid'), many('/q/r%2Fs'), own('/x/'), one('/user/a%b', { decode })]);
    """
    wanted = [
        {"path": "/USER/caf%C3%A9", "index": 0, "params": {"id": "café"}},
        False,
        {"path": "/q/r%2Fs", "index": 0, "params": {"a": ["q", "r/s"]}},
        {"path": "/x/", "index": 0, "params": {}},
        {"path": "/user/a%b", "index": 0, "params": {"id": ["a%b", "id"]}},
    ]
    equal(go(run, code), wanted, "matches")


@case(turn=0, kind="p2p")
def bad_escapes_as_before(run: Runner) -> None:
    code = r"""
    const keys = [], own = P.regexpToFunction(P('/:a+', keys), keys);
    emit([said(() => P.match('/:a')('/%zz')), said(() => own('/b/%')), P.match('/%zz')('/%zz')]);
    """
    wanted = ["URIError: URI malformed", "URIError: URI malformed", {"path": "/%zz", "index": 0, "params": {}}]
    equal(go(run, code), wanted, "outcomes")


@case(turn=0, kind="p2p")
def compile_as_before(run: Runner) -> None:
    code = r"""
    const to = P.compile('/user/:id(\\d+)?/:rest*');
    const all = [{}, { id: 5 }, { id: 5, rest: ['a', 'é'] }, { id: 'x' }, { rest: 'a/b' }, { id: [1] }];
    const own = P.tokensToFunction(P.parse('/a/:b'));
    emit([all.map((data) => said(() => to(data))), own({ b: ':/' }), said(() => P.compile('/:x')({}))]);
    """
    wanted = [
        [
            "/user",
            "/user/5",
            "/user/5/a/%C3%A9",
            'TypeError: Expected "id" to match "\\d+", but got "x"',
            "/user/a%2Fb",
            'TypeError: Expected "id" to not repeat, but got array',
        ],
        "/a/%3A%2F",
        'TypeError: Expected "x" to be a string',
    ]
    equal(go(run, code), wanted, "paths")


@case(turn=0, kind="p2p")
def one_function_with_its_names(run: Runner) -> None:
    names = ["match", "regexpToFunction", "parse", "compile", "tokensToFunction", "tokensToRegExp"]
    equal(
        go(run, "emit([typeof P, data.map((name) => typeof P[name])]);", names),
        ["function", ["function"] * 6],
        "exports",
    )
