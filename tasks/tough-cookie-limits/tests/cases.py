"""Cases of tough-cookie-limits: cookies go into a jar, and what is left in it is looked at."""

from typing import Any

from harness import Runner, case, equal

# Times are seconds after a moment in 2001, so that reading a cookie (which takes the clock) is always later.
START = """
const tough = require(tree);
const { Cookie, CookieJar, MemoryCookieStore, Store } = tough;
const T = 1e12;
const at = (seconds) => new Date(T + seconds * 1000);
const jarOf = (options, store) => new CookieJar(store, { rejectPublicSuffixes: true, ...options });
const put = (jar, text, url, seconds, more) => {
  try { return jar.setCookieSync(text, url, { now: at(seconds), ...more }) ? 'set' : 'nothing'; }
  catch (error) { return error instanceof Error ? 'refused' : 'odd'; }
};
const later = async (jar, text, url, seconds, more) => {
  try { return await jar.setCookie(text, url, { now: at(seconds), ...more }) ? 'set' : 'nothing'; }
  catch (error) { return error instanceof Error ? 'refused' : 'odd'; }
};
const alive = ({ cookies }, seconds) => cookies.map((c) => Cookie.fromJSON(c))
  .filter((c) => c.expiryTime() > T + seconds * 1000).map((c) => c.cookieString()).sort().join(' ');
const left = (jar, seconds) => alive(jar.serializeSync(), seconds ?? 100);
// A store that answers later, and is none of ours.
class SlowStore extends Store {
  constructor() { super(); this.inner = new MemoryCookieStore(); this.synchronous = false; }
}
for (const name of Object.getOwnPropertyNames(Store.prototype)) {
  if (name === 'constructor') continue;
  SlowStore.prototype[name] = function (...args) {
    const done = args.pop();
    this.inner[name](...args, (...answer) => setImmediate(() => done(...answer)));
  };
}
"""


def play(run: Runner, code: str, data: object = None) -> Any:
    """What a driver emits that has the package and some helpers."""
    return run.node(START + code, data=data)


# --- 0: names are names ----------------------------------------------------------------------------------------------

# What every object and function has, by name. Whatever was done to it is undone before anything is said.
WATCH = """
const watched = [Object.prototype, Function.prototype, Object, Object.prototype.toString, Array.prototype, String.prototype];
const kept = watched.map((object) => new Map(Reflect.ownKeys(object)
  .map((key) => [key, Object.getOwnPropertyDescriptor(object, key)])));
const changes = () => {
  const found = [];
  watched.forEach((object, i) => {
    for (const key of Reflect.ownKeys(object)) if (!kept[i].has(key)) { found.push('+' + String(key)); delete object[key]; }
    for (const [key, descriptor] of kept[i]) {
      if (!Object.getOwnPropertyDescriptor(object, key)) {
        found.push('-' + String(key)); Object.defineProperty(object, key, descriptor);
      }
    }
  });
  return found;
};
"""


@case(turn=0)
def domains_reach_no_prototype(run: Runner) -> None:
    code = (
        WATCH
        + """
    emit(data.map(([text, url]) => {
      const jar = jarOf({ rejectPublicSuffixes: false });
      const was = put(jar, text, url, 0);
      const touched = changes();
      const found = jar.getCookiesSync(url).map((c) => [c.cookieString(), c.domain, c.path]);
      const other = jar.getCookieStringSync('http://other.com/x');
      return [was, touched, found, other, changes()];
    }));
    """
    )
    jobs = [
        ["a=b; Domain=__proto__; Path=/x", "http://__proto__/x"],
        ["a=b; Path=/x", "http://__proto__/x/y"],
        ["a=b; Path=/x", "http://constructor/x"],
        ["toString=b", "https://toString/"],
        ["a=b; Domain=valueof", "http://valueOf/"],
    ]
    wanted = [
        ["a=b", "__proto__", "/x"],
        ["a=b", "__proto__", "/x"],
        ["a=b", "constructor", "/x"],
        ["toString=b", "tostring", "/"],
        ["a=b", "valueof", "/"],
    ]
    equal(play(run, code, jobs), [["set", [], [one], "", []] for one in wanted], "set, changed, found")


@case(turn=0)
def names_of_cookies_are_only_names(run: Runner) -> None:
    code = (
        WATCH
        + """
    const jar = jarOf();
    const url = 'http://ex.com/';
    const names = ['__proto__', 'constructor', 'a', 'hasOwnProperty', 'toString'];
    const set = names.map((name, i) => put(jar, name + '=' + i, url, i));
    const found = jar.getCookiesSync(url).map((c) => [c.key, c.value, c.creation instanceof Date && c.creation.getTime() - T]);
    const again = put(jar, '__proto__=9', url, 7);
    const string = jar.getCookieStringSync(url);
    jar.store.removeCookie('ex.com', '/', '__proto__', () => {});
    jar.store.removeCookie('ex.com', '/', 'constructor', () => {});
    emit([set, found, again, string, left(jar), changes()]);
    """
    )
    set_, found, again, string, rest, touched = play(run, code)
    names = ["__proto__", "constructor", "a", "hasOwnProperty", "toString"]
    equal([set_, again], [["set"] * 5, "set"], "set")
    equal(found, [[name, str(i), i * 1000] for i, name in enumerate(names)], "cookies")
    equal(string, "__proto__=9; constructor=1; a=2; hasOwnProperty=3; toString=4", "string")
    equal([rest, touched], ["a=2 hasOwnProperty=3 toString=4", []], "after two were removed")


@case(turn=0)
def emptied_jars_are_as_safe(run: Runner) -> None:
    code = (
        WATCH
        + """
    const jar = jarOf({ rejectPublicSuffixes: false });
    put(jar, 'a=1', 'http://ex.com/', 0);
    jar.removeAllCookiesSync();
    const was = [put(jar, 'b=1; Domain=__proto__; Path=/x', 'http://__proto__/x', 1), put(jar, 'c=1', 'http://constructor/', 1)];
    const touched = changes();
    put(jar, 'd=2', 'http://ex.com/', 2);
    jar.removeAllCookiesSync();
    put(jar, 'e=2', 'http://tostring/', 3);
    emit([was, touched, left(jar), jar.getCookieStringSync('http://ex.com/'), changes()]);
    """
    )
    equal(
        play(run, code),
        [["set", "set"], [], "e=2", "", []],
        "set, changed, left, found, changed",
    )


@case(turn=0)
def copies_hold_such_names(run: Runner) -> None:
    code = (
        WATCH
        + """
    const cookies = [['__proto__', '/x', 'a'], ['ex.com', '__proto__', 'b'], ['constructor', 'prototype', 'c'],
      ['ex.com', '/', '__proto__'], ['ex.com', '/', 'constructor']]
      .map(([domain, path, key], i) => ({ domain, path, key, value: String(i), creation: at(i).toISOString() }));
    const jar = CookieJar.deserializeSync(JSON.stringify({ rejectPublicSuffixes: false, cookies }));
    const first = changes();
    const copy = (await jar.clone()).cloneSync();
    emit([first, copy.serializeSync().cookies.map((c) => [c.domain, c.path, c.key, c.value]), left(jar), changes()]);
    """
    )
    first, copied, rest, last = play(run, code)
    equal([first, last], [[], []], "changed")
    equal(
        copied,
        [
            ["__proto__", "/x", "a", "0"],
            ["ex.com", "__proto__", "b", "1"],
            ["constructor", "prototype", "c", "2"],
            ["ex.com", "/", "__proto__", "3"],
            ["ex.com", "/", "constructor", "4"],
        ],
        "cookies of the copy",
    )
    equal(rest, "__proto__=3 a=0 b=1 c=2 constructor=4", "cookies of the first")


@case(turn=0)
def stores_find_and_remove_only_cookies(run: Runner) -> None:
    code = (
        WATCH
        + """
    const store = new MemoryCookieStore();
    const answer = async (name, ...args) => { const found = await store[name](...args); return found ?? null; };
    const found = [await answer('findCookie', '__proto__', 'constructor', 'name'),
      await answer('findCookie', 'constructor', 'prototype', 'toString'), await answer('findCookies', 'constructor', null),
      await answer('findCookies', '__proto__', '/')];
    await store.putCookie(new Cookie({ domain: 'ex.com', path: '/', key: 'a', value: 'b', creation: at(0) }));
    found.push(await answer('findCookie', 'ex.com', 'constructor', 'name'), await answer('findCookie', 'ex.com', '/', 'toString'));
    await store.removeCookie('constructor', 'prototype', 'propertyIsEnumerable');
    await store.removeCookies('__proto__', 'isPrototypeOf');
    await store.removeCookie('__proto__', 'constructor', 'fromEntries');
    found.push((await store.getAllCookies()).length);
    emit([found, changes()]);
    """
    )
    equal(play(run, code), [[None, None, [], [], None, None, 1], []], "found, changed")


# --- 1: limits -------------------------------------------------------------------------------------------------------


@case(turn=1)
def jars_have_a_limit(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookies: 3 });
    const seen = ['a.com', 'b.com', 'a.com', 'c.com', 'd.com', 'a.com'].map((host, i) =>
      [put(jar, `c${i}=1`, `http://${host}/`, i), left(jar)]);
    const paths = jarOf({ maxCookies: 2 });
    ['/x', '/y', '/x/z'].forEach((path, i) => put(paths, `p=${i}; Path=${path}`, 'http://a.com/', i));
    const free = jarOf();
    for (let i = 0; i < 300; i++) put(free, `c${i}=1`, 'http://a.com/', i);
    emit([seen, left(paths), free.serializeSync().cookies.length]);
    """
    seen, paths, free = play(run, code)
    equal(
        seen,
        [
            ["set", "c0=1"],
            ["set", "c0=1 c1=1"],
            ["set", "c0=1 c1=1 c2=1"],
            ["set", "c1=1 c2=1 c3=1"],
            ["set", "c2=1 c3=1 c4=1"],
            ["set", "c3=1 c4=1 c5=1"],
        ],
        "one after the other",
    )
    equal([paths, free], ["p=1 p=2", 300], "paths, no limit")


@case(turn=1)
def domains_have_a_limit(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookiesPerDomain: 2 });
    put(jar, 'k=1', 'http://other.org/', 0);
    put(jar, 'l=1', 'http://other.org/', 0);
    for (let i = 1; i < 6; i++) put(jar, `c${i}=1; Path=/${i}`, 'http://a.com/', i);
    const both = jarOf({ maxCookies: 4, maxCookiesPerDomain: 3 });
    for (let i = 0; i < 5; i++) put(both, `a${i}=1`, 'http://a.com/', 10 + i);
    for (let i = 0; i < 2; i++) put(both, `b${i}=1`, 'http://b.com/', i);
    emit([left(jar), left(both)]);
    """
    equal(play(run, code), ["c4=1 c5=1 k=1 l=1", "a2=1 a3=1 a4=1 b1=1"], "left")


@case(turn=1)
def what_was_not_accessed_for_longest_goes(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookies: 3 });
    put(jar, 'a=1; Path=/x', 'http://ex.com/', 1);
    put(jar, 'b=1; Path=/y', 'http://ex.com/', 2);
    put(jar, 'c=1', 'http://other.com/', 3);
    jar.getCookieStringSync('http://ex.com/x');
    put(jar, 'd=1', 'http://new.com/', 4);
    const read = left(jar);
    put(jar, 'c=2', 'http://other.com/', 5);
    put(jar, 'e=1', 'http://new.com/', 6);
    emit([read, left(jar)]);
    """
    equal(play(run, code), ["a=1 c=1 d=1", "a=1 c=2 e=1"], "left")


@case(turn=1)
def the_older_goes_where_access_is_the_same(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookiesPerDomain: 3 });
    const url = 'http://ex.com/';
    put(jar, 'b=1', url, 3);
    put(jar, 'a=1', url, 1);
    put(jar, 'c=1', url, 2);
    jar.getCookiesSync(url);
    put(jar, 'd=1', url, 4);
    const first = left(jar);
    const same = jarOf({ maxCookies: 2 });
    for (const name of ['z', 'y', 'x', 'w']) put(same, name + '=1', url, 5);
    emit([first, left(same)]);
    """
    equal(play(run, code), ["b=1 c=1 d=1", "w=1 x=1"], "left")


@case(turn=1)
def expired_cookies_go_first(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookies: 3 });
    put(jar, 'old=1', 'http://a.com/', 0);
    put(jar, 'short=1; Max-Age=10', 'http://b.com/', 5);
    put(jar, 'new=1', 'http://a.com/', 6);
    put(jar, 'more=1', 'http://a.com/', 60);
    const domain = jarOf({ maxCookiesPerDomain: 2 });
    put(domain, 'short=1; Max-Age=10', 'http://b.com/', 1);
    put(domain, 'old=1', 'http://a.com/', 2);
    put(domain, 'gone=1; Expires=Thu, 01 Jan 1998 00:00:00 GMT', 'http://a.com/', 3);
    put(domain, 'new=1', 'http://a.com/', 60);
    put(domain, 'x=1', 'http://a.com/', 61);
    emit([left(jar), left(domain)]);
    """
    equal(play(run, code), ["more=1 new=1 old=1", "new=1 x=1"], "left")


@case(turn=1)
def nobody_goes_for_nothing(run: Runner) -> None:
    code = """
    const full = () => {
      const jar = jarOf({ maxCookies: 4, maxCookiesPerDomain: 2 });
      put(jar, 'b1=1', 'http://b.com/', 0);
      put(jar, 'b2=1; HttpOnly', 'http://b.com/', 1);
      put(jar, 'a1=1', 'http://a.com/', 2);
      put(jar, 'a2=1', 'http://a.com/', 3);
      return jar;
    };
    emit(data.map(([text, url, more]) => {
      const jar = full();
      put(jar, text, url, 9, more);
      return left(jar);
    }));
    """
    jobs = [
        ["a1=2", "http://a.com/", {}],
        ["a3=1", "http://a.com/", {}],
        ["x=1; Domain=com", "http://a.com/", {}],
        ["x=1; Domain=a.com", "http://c.com/", {}],
        ["x=1; HttpOnly", "http://c.com/", {"http": False}],
        ["b2=5", "http://b.com/", {"http": False}],
        ["x=1; Max-Age=0", "http://a.com/", {}],
        ["x=; Expires=Thu, 01 Jan 1998 00:00:00 GMT", "http://c.com/", {}],
        ["a1=1; Max-Age=0", "http://a.com/", {}],
    ]
    same = "a1=1 a2=1 b1=1 b2=1"
    equal(
        play(run, code, jobs),
        ["a1=2 a2=1 b1=1 b2=1", "a2=1 a3=1 b1=1 b2=1", same, same, same, same, same, same, "a2=1 b1=1 b2=1"],
        "left",
    )


@case(turn=1)
def copies_keep_the_limits(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookies: 3, maxCookiesPerDomain: 2, rejectPublicSuffixes: false });
    const text = JSON.stringify(jar);
    const copies = [jar.cloneSync(), await jar.clone(), CookieJar.deserializeSync(text), await CookieJar.deserialize(text),
      CookieJar.fromJSON(jar.toJSON()), jar.cloneSync(new MemoryCookieStore()).cloneSync()];
    emit(copies.map((copy) => {
      for (let i = 0; i < 4; i++) put(copy, `a${i}=1`, 'http://a.com/', i);
      put(copy, 'b=1', 'http://b.com/', 5);
      put(copy, 'c=1', 'http://c.com/', 6);
      return left(copy);
    }));
    """
    equal(play(run, code), ["a3=1 b=1 c=1"] * 6, "left in each copy")


@case(turn=1)
def limits_hold_in_other_stores(run: Runner) -> None:
    code = """
    const store = new SlowStore();
    const jar = jarOf({ maxCookies: 3, maxCookiesPerDomain: 2 }, store);
    const said = [];
    for (let i = 0; i < 4; i++) said.push(await later(jar, `a${i}=1`, 'http://a.com/', i));
    for (let i = 0; i < 2; i++) said.push(await later(jar, `b${i}=1`, 'http://b.com/', 10 + i));
    said.push(await later(jar, 'b1=2', 'http://b.com/', 13));
    emit([said, alive(await jar.serialize(), 100)]);
    """
    equal(play(run, code), [["set"] * 7, "a3=1 b0=1 b1=2"], "answers, left")


@case(turn=1)
def secure_cookies_are_like_others(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookies: 2 });
    put(jar, 's=1; Secure', 'https://a.com/', 0);
    put(jar, 'p=1', 'http://a.com/', 1);
    emit([put(jar, 'q=1', 'http://b.com/', 2), left(jar)]);
    """
    equal(play(run, code), ["set", "p=1 q=1"], "left without protection")


# --- 2: registrable domains ------------------------------------------------------------------------------------------


@case(turn=2)
def hosts_of_a_domain_count_together(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookiesPerDomain: 3 });
    put(jar, 'k=1', 'http://good.com/', 0);
    for (let i = 1; i < 9; i++) put(jar, `c${i}=1`, `http://a${i}.b.evil.com/`, i);
    const first = left(jar);
    put(jar, 'd=1; Domain=evil.com', 'http://x.evil.com/', 10);
    put(jar, 'e=1; Domain=y.evil.com', 'http://x.y.evil.com/', 11);
    put(jar, 'f=1', 'http://evil.com/', 12);
    put(jar, 'g=1', 'http://notevil.com/', 13);
    emit([first, left(jar)]);
    """
    equal(play(run, code), ["c6=1 c7=1 c8=1 k=1", "d=1 e=1 f=1 g=1 k=1"], "left")


@case(turn=2)
def public_suffixes_part_domains(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookiesPerDomain: 1 });
    ['a.co.uk', 'b.co.uk', 'x.a.co.uk', 'one.github.io', 'two.github.io', 'y.x.a.co.uk', 'z.two.github.io']
      .forEach((host, i) => put(jar, `c${i}=1`, `http://${host}/`, i));
    emit(left(jar));
    """
    equal(play(run, code), "c1=1 c3=1 c5=1 c6=1", "left")


@case(turn=2)
def names_without_a_domain_count_alone(run: Runner) -> None:
    code = """
    const jar = jarOf({ maxCookiesPerDomain: 1, rejectPublicSuffixes: false });
    const hosts = ['10.0.0.1', '11.0.0.1', '12.0.0.1', 'localhost', 'intra', '__proto__', '[::1]', '[::2]', 'x.evil.com'];
    const said = hosts.map((host, i) => put(jar, `c${i}=1`, `http://${host}/`, i));
    hosts.slice(0, 5).forEach((host, i) => put(jar, `d${i}=1`, `http://${host}/`, 20 + i));
    put(jar, 'e=1', 'http://y.evil.com/', 30);
    const strict = jarOf({ maxCookiesPerDomain: 1, allowSpecialUseDomain: false });
    const special = ['printer.local', 'localhost', 'printer.local'].map((host, i) => put(strict, `c${i}=1`, `http://${host}/`, i));
    emit([said, left(jar), special, left(strict)]);
    """
    said, rest, special, strict = play(run, code)
    equal(said, ["set"] * 9, "set")
    equal(rest, "c5=1 c6=1 c7=1 d0=1 d1=1 d2=1 d3=1 d4=1 e=1", "left")
    equal([special, strict], [["set"] * 3, "c1=1 c2=1"], "special names")


# --- 4: Secure cookies over http -------------------------------------------------------------------------------------

GUARDED = """
const tried = ([text, url, more]) => {
  const jar = jarOf({ protectSecure: true });
  put(jar, 's=1; Secure; Path=/a', 'https://w.ex.com/', 0);
  put(jar, 'd=1; Secure; Domain=ex.com', 'https://w.ex.com/', 1);
  put(jar, 'old=1; Secure; Max-Age=10', 'https://w.ex.com/', 2);
  put(jar, 'plain=1', 'https://w.ex.com/', 3);
  return [put(jar, text, url, 60, more), left(jar)];
};
"""
BEFORE = "d=1 plain=1 s=1"


@case(turn=4)
def plain_urls_set_no_secure_cookies(run: Runner) -> None:
    jobs = [
        ["n=1; Secure", "http://w.ex.com/", {}],
        ["n=1; Secure", "ws://w.ex.com/", {}],
        ["n=1; Secure", "http://w.ex.com/", {"ignoreError": True}],
        ["n=1; Secure", "https://w.ex.com/", {"secure": False}],
        ["plain=2; Secure", "http://w.ex.com/", {}],
        ["n=1; Secure", "https://w.ex.com/", {}],
        ["n=1; Secure", "wss://w.ex.com/", {}],
        ["n=1; Secure", "http://w.ex.com/", {"secure": True}],
        ["n=1", "http://w.ex.com/", {}],
    ]
    refused, silent, fine = ["refused", BEFORE], ["nothing", BEFORE], ["set", "d=1 n=1 plain=1 s=1"]
    equal(
        play(run, GUARDED + "emit(data.map(tried));", jobs),
        [refused, refused, silent, refused, refused, fine, fine, fine, fine],
        "answers and what is left",
    )


@case(turn=4)
def secure_cookies_are_not_overwritten(run: Runner) -> None:
    jobs = [
        ["s=2; Path=/a", "http://w.ex.com/", {}],
        ["d=2; Domain=ex.com", "http://ex.com/", {}],
        ["s=; Path=/a; Max-Age=0", "http://w.ex.com/", {}],
        ["d=2; Domain=ex.com", "http://z.ex.com/", {"ignoreError": True}],
        ["s=2; Path=/a", "https://w.ex.com/", {"secure": False}],
        ["s=2; Path=/a", "https://w.ex.com/", {}],
        ["s=2; Path=/a", "http://w.ex.com/", {"secure": True}],
        ["plain=2", "http://w.ex.com/", {}],
        ["old=2", "http://w.ex.com/", {}],
    ]
    refused = ["refused", BEFORE]
    equal(
        play(run, GUARDED + "emit(data.map(tried));", jobs),
        [refused, refused, refused, ["nothing", BEFORE], refused, ["set", "d=1 plain=1 s=2"], ["set", "d=1 plain=1 s=2"],
         ["set", "d=1 plain=2 s=1"], ["set", "d=1 old=2 plain=1 s=1"]],
        "answers and what is left",
    )  # fmt: skip


@case(turn=4)
def secure_cookies_are_not_shadowed(run: Runner) -> None:
    refused = [
        ["s=2; Domain=ex.com; Path=/a/b", "http://ex.com/", {}],
        ["s=2; Path=/a", "http://x.w.ex.com/", {}],
        ["s=2", "http://ex.com/a/b/c", {}],
        ["d=2", "http://ex.com/", {}],
        ["d=2; Path=/q", "http://y.x.ex.com/", {}],
    ]
    fine = [
        ["s=2", "http://w.ex.com/", {}],
        ["s=2; Path=/ab", "http://w.ex.com/", {}],
        ["s=2; Path=/a", "http://v.ex.com/", {}],
        ["s=2; Path=/a", "http://notw.ex.com/", {}],
        ["S=2; Path=/a", "http://w.ex.com/", {}],
        ["d=2", "http://notex.com/", {}],
        ["old=2; Domain=ex.com", "http://ex.com/", {}],
        ["plain=2; Domain=ex.com", "http://ex.com/", {}],
        ["s=2; Path=/a/b", "https://w.ex.com/", {}],
    ]
    found = play(run, GUARDED + "emit(data.map(tried));", refused + fine)
    equal(found[:5], [["refused", BEFORE]] * 5, "refused")
    added = ["s=2", "s=2", "s=2", "s=2", "S=2", "d=2", "old=2", "plain=2", "s=2"]
    equal(
        [[said, sorted(rest.split())] for said, rest in found[5:]],
        [["set", sorted([*BEFORE.split(), one])] for one in added],
        "fine",
    )


@case(turn=4)
def copies_protect_too(run: Runner) -> None:
    code = """
    const jar = jarOf({ protectSecure: true });
    put(jar, 's=1; Secure', 'https://ex.com/', 0);
    const text = JSON.stringify(jar);
    const copies = [jar.cloneSync(), await jar.clone(), CookieJar.fromJSON(text), await CookieJar.deserialize(text)];
    const store = new SlowStore();
    const slow = jarOf({ protectSecure: true }, store);
    await later(slow, 's=1; Secure', 'https://ex.com/', 0);
    const said = [await later(slow, 's=2', 'http://ex.com/', 1), await later(slow, 't=2; Secure', 'http://ex.com/', 1),
      await later(slow, 's=2; Domain=ex.com', 'http://x.ex.com/', 1), await later(slow, 't=2', 'http://ex.com/', 1)];
    emit([copies.map((copy) => [put(copy, 's=2', 'http://ex.com/', 1), put(copy, 't=1; Secure', 'http://ex.com/', 1), left(copy)]),
      said, alive(await slow.serialize(), 9)]);
    """
    equal(
        play(run, code),
        [[["refused", "refused", "s=1"]] * 4, ["refused", "refused", "refused", "set"], "s=1 t=2"],
        "copies, another store",
    )


# --- 5: floods -------------------------------------------------------------------------------------------------------


@case(turn=5)
def cookies_without_secure_go_first(run: Runner) -> None:
    code = """
    const jar = jarOf({ protectSecure: true, maxCookies: 3 });
    put(jar, 's1=1; Secure', 'https://a.com/', 0);
    put(jar, 's2=1; Secure', 'https://b.com/', 1);
    put(jar, 'p=1', 'https://c.com/', 2);
    put(jar, 's3=1; Secure', 'https://d.com/', 3);
    const first = left(jar);
    put(jar, 's4=1; Secure', 'https://d.com/', 4);
    const second = left(jar);
    put(jar, 'q=1', 'https://e.com/', 5);
    const domain = jarOf({ protectSecure: true, maxCookiesPerDomain: 2 });
    put(domain, 's=1; Secure', 'https://a.com/', 0);
    put(domain, 'p=1', 'http://a.com/', 1);
    put(domain, 'q=1', 'http://a.com/', 2);
    emit([first, second, left(jar), left(domain)]);
    """
    equal(play(run, code), ["s1=1 s2=1 s3=1", "s2=1 s3=1 s4=1", "q=1 s3=1 s4=1", "q=1 s=1"], "left")


@case(turn=5)
def plain_urls_push_out_no_secure_cookies(run: Runner) -> None:
    code = """
    const jar = jarOf({ protectSecure: true, maxCookies: 2 });
    put(jar, 's=1; Secure', 'https://a.com/', 0);
    const said = [];
    for (let i = 1; i < 5; i++) said.push(put(jar, `p${i}=1`, 'http://evil.com/', i));
    const flooded = left(jar);
    said.push(put(jar, 't=1; Secure', 'https://a.com/', 6), put(jar, 'q=1', 'http://evil.com/', 7),
      put(jar, 'q=1', 'http://evil.com/', 7, { ignoreError: true }), put(jar, 'q=1', 'https://evil.com/', 7, { secure: false }));
    const full = left(jar);
    said.push(put(jar, 'r=1', 'http://evil.com/', 8, { secure: true }));
    const domain = jarOf({ protectSecure: true, maxCookiesPerDomain: 2 });
    put(domain, 's=1; Secure', 'https://a.com/', 0);
    put(domain, 't=1; Secure', 'https://a.com/', 1);
    said.push(put(domain, 'p=1', 'http://a.com/', 2), put(domain, 'p=1', 'http://b.com/', 2));
    emit([said, flooded, full, left(jar), left(domain)]);
    """
    said, flooded, full, last, domain = play(run, code)
    equal(said[:4], ["set"] * 4, "flood")
    equal([flooded, full], ["p4=1 s=1", "s=1 t=1"], "left")
    equal(said[4:9], ["set", "refused", "nothing", "refused", "set"], "answers when only Secure ones are left")
    equal([last, said[9:], domain], ["r=1 t=1", ["refused", "set"], "p=1 s=1 t=1"], "secure by option, and per domain")


@case(turn=5)
def expired_secure_cookies_still_go_first(run: Runner) -> None:
    code = """
    const jar = jarOf({ protectSecure: true, maxCookies: 3 });
    put(jar, 't=1; Secure', 'https://b.com/', 0);
    put(jar, 'p=1', 'http://a.com/', 1);
    put(jar, 's=1; Secure; Max-Age=10', 'https://b.com/', 5);
    const said = [put(jar, 'q=1', 'http://c.com/', 60)];
    const first = left(jar);
    said.push(put(jar, 'r=1', 'http://c.com/', 61));
    const only = jarOf({ protectSecure: true, maxCookiesPerDomain: 1 });
    put(only, 's=1; Secure; Max-Age=10', 'https://b.com/', 5);
    said.push(put(only, 'q=1', 'http://b.com/', 60));
    put(only, 'x=1; Max-Age=0', 'http://b.com/', 61);
    emit([said, first, left(jar), left(only)]);
    """
    equal(play(run, code), [["set"] * 3, "p=1 q=1 t=1", "q=1 r=1 t=1", "q=1"], "answers, left")


@case(turn=5)
def nobody_goes_for_a_refused_cookie(run: Runner) -> None:
    code = """
    const jar = jarOf({ protectSecure: true, maxCookies: 4, maxCookiesPerDomain: 2 });
    put(jar, 'p=1', 'http://other.com/', 0);
    put(jar, 'q=1', 'http://other.com/', 1);
    put(jar, 's=1; Secure', 'https://a.com/', 2);
    put(jar, 't=1; Secure', 'https://a.com/', 3);
    const said = [put(jar, 'x=1', 'http://a.com/', 4)];
    const first = left(jar);
    said.push(put(jar, 's=2', 'http://a.com/', 5), put(jar, 'u=1; Secure', 'http://c.com/', 6));
    emit([said, first, left(jar)]);
    """
    same = "p=1 q=1 s=1 t=1"
    equal(play(run, code), [["refused"] * 3, same, same], "answers, left")


# --- what was there before -------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def stores_are_printed_as_before(run: Runner) -> None:
    code = """
    const { inspect } = require('util');
    const jar = jarOf();
    const plain = (text) => text.replace(/\\d+ms/g, 'Nms');
    const empty = inspect(jar.store);
    put(jar, 'a=1', 'http://ex.com/', 0);
    put(jar, 'b=2; Secure; HttpOnly; Domain=ex.com', 'https://ex.com/x/y', 0);
    put(jar, 'c=[Object: null prototype] {', 'http://other.org/', 0);
    const full = plain(inspect(jar.store));
    jar.removeAllCookiesSync();
    emit([empty, full, inspect(jar.store), plain(jar.store.inspect())]);
    """
    empty, full, emptied, called = play(run, code)
    equal([empty, emptied, called], ["{ idx: {} }"] * 3, "empty")
    ages = "aAge=Nms; cAge=Nms"
    equal(
        full.split("\n"),
        [
            "{ idx: {",
            "  'ex.com': {",
            "    '/': {",
            f'      a: Cookie="a=1; Path=/; hostOnly=true; {ages}"',
            "    },",
            "    '/x': {",
            f'      b: Cookie="b=2; Domain=ex.com; Path=/x; Secure; HttpOnly; hostOnly=false; {ages}"',
            "    }",
            "  },",
            "  'other.org': {",
            "    '/': {",
            f'      c: Cookie="c=[Object: null prototype] {{; Path=/; hostOnly=true; {ages}"',
            "    }",
            "  }",
            "} }",
        ],
        "full",
    )


@case(turn=0, kind="p2p")
def jars_match_and_sort_as_before(run: Runner) -> None:
    code = """
    const jar = jarOf();
    put(jar, 'a=1; Domain=ex.com', 'http://w.ex.com/', 1);
    put(jar, 'b=1', 'http://ex.com/x/y', 2);
    put(jar, 'c=1; Secure; HttpOnly; Path=/', 'https://ex.com/', 3);
    put(jar, 'd=1; Max-Age=10', 'http://ex.com/', 4);
    put(jar, 'a=2; Domain=ex.com', 'http://ex.com/', 5);
    const refused = [put(jar, 'e=1; Domain=com', 'http://ex.com/', 6), put(jar, 'e=1; Domain=o.com', 'http://ex.com/', 6),
      put(jar, 'c=2', 'http://ex.com/', 6, { http: false }), put(jar, 'nonsense', 'http://ex.com/', 6),
      put(jar, 'nonsense', 'http://ex.com/', 6, { ignoreError: true })];
    const found = (url, more) => jar.getCookieStringSync(url, more ?? {});
    const seen = [found('http://ex.com/x/z', { expire: false }), found('http://ex.com/x/z'), found('https://ex.com/'),
      found('https://ex.com/', { http: false }), found('https://w.ex.com/x')];
    emit([refused, seen, jar.getCookiesSync('http://ex.com/')[0].creation.getTime() - T, left(jar)]);
    """
    equal(
        play(run, code),
        [
            ["refused", "refused", "refused", "refused", "nothing"],
            ["b=1; a=2; d=1", "b=1; a=2", "a=2; c=1", "a=2", "a=2"],
            1000,
            "a=2 b=1 c=1",
        ],
        "answers, strings, creation, left",
    )


@case(turn=0, kind="p2p")
def jars_without_options_protect_nothing(run: Runner) -> None:
    code = """
    const jar = jarOf();
    const said = [put(jar, 's=1; Secure', 'http://ex.com/', 0), put(jar, 's=2', 'http://ex.com/', 1),
      put(jar, 't=1; Secure', 'https://ex.com/', 2), put(jar, 't=2; Domain=ex.com', 'http://w.ex.com/', 3)];
    emit([said, left(jar)]);
    """
    equal(play(run, code), [["set"] * 4, "s=2 t=2"], "answers, left")


@case(turn=0, kind="p2p")
def jars_are_serialized_as_before(run: Runner) -> None:
    code = """
    const jar = jarOf({ looseMode: true });
    put(jar, 'a=1; Max-Age=100', 'http://ex.com/', 1);
    put(jar, 'b=1; Expires=Thu, 01 Jan 2032 00:00:00 GMT; Secure', 'https://ex.com/', 2);
    const { version, ...rest } = jar.serializeSync();
    const copy = jar.cloneSync();
    emit([version, rest, JSON.stringify(copy) === JSON.stringify(jar), copy.enableLooseMode]);
    """
    version, rest, same, loose = play(run, code)
    equal([version, same, loose], ["tough-cookie@4.1.2", True, True], "version, copy")
    common = {"domain": "ex.com", "path": "/", "hostOnly": True, "pathIsDefault": True, "value": "1"}
    times = ["2001-09-09T01:46:41.000Z", "2001-09-09T01:46:42.000Z"]
    equal(
        rest,
        {
            "storeType": "MemoryCookieStore",
            "rejectPublicSuffixes": True,
            "enableLooseMode": True,
            "allowSpecialUseDomain": True,
            "prefixSecurity": "silent",
            "cookies": [
                {**common, "key": "a", "maxAge": 100, "creation": times[0], "lastAccessed": times[0]},
                {**common, "key": "b", "secure": True, "expires": "2032-01-01T00:00:00.000Z", "creation": times[1],
                 "lastAccessed": times[1]},
            ],
        },
        "serialized",
    )  # fmt: skip


@case(turn=0, kind="p2p")
def stores_answer_as_before(run: Runner) -> None:
    code = """
    const store = new MemoryCookieStore();
    const cookie = (domain, path, key) => new Cookie({ domain, path, key, value: 'v', creation: at(0) });
    for (const one of [['ex.com', '/', 'a'], ['ex.com', '/x', 'b'], ['w.ex.com', '/', 'c'], ['o.com', '/', 'd']]) {
      await store.putCookie(cookie(...one));
    }
    const keys = (found) => found.map((c) => c.key).sort().join('');
    const seen = [keys(await store.findCookies('w.ex.com', '/x/y')), keys(await store.findCookies('w.ex.com', null)),
      keys(await store.findCookies('ex.com', '/')), (await store.findCookie('ex.com', '/x', 'b')).key,
      (await store.findCookie('ex.com', '/x', 'z')) ?? null, keys(await store.findCookies(null, '/'))];
    await store.removeCookie('ex.com', '/', 'a');
    await store.removeCookies('ex.com', '/y');
    await store.removeCookies('o.com', null);
    seen.push(keys(await store.getAllCookies()));
    class Own extends SlowStore {}
    Own.prototype.updateCookie = undefined;
    Own.prototype.removeAllCookies = Store.prototype.removeAllCookies;
    const jar = jarOf({}, new Own());
    await later(jar, 'a=1', 'http://ex.com/', 0);
    await later(jar, 'a=2', 'http://ex.com/', 1);
    seen.push(await jar.getCookieString('http://ex.com/'));
    await jar.removeAllCookies();
    seen.push((await jar.getCookies('http://ex.com/')).length);
    emit(seen);
    """
    equal(play(run, code), ["abc", "abc", "a", "b", None, "", "bc", "a=2", 0], "answers")
