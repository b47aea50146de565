"""LFU caches: what is read and stored goes in, what had to leave comes out, and what that costs."""

import random
from collections.abc import Sequence
from typing import Any

from harness import Runner, case, equal

Step = tuple[Any, ...]


class Expected:
    """What a cache of this size holds, by the rules of the messages: slow, and nothing like an implementation."""

    def __init__(self, size: int, halve: int | None = None) -> None:
        self.size, self.halve, self.reads = size, halve, 0
        self.counts: dict[str, int] = {}

    def play(self, step: Step) -> Any:
        """What the step answers."""
        name, *given = step
        return getattr(self, name)(*given)

    def read(self, key: str) -> bool:
        if key not in self.counts:
            return False
        self.counts[key] += 1
        self.reads += 1
        if self.halve and self.reads % self.halve == 0:
            self.counts = {name: count // 2 for name, count in self.counts.items()}
        return True

    def store(self, key: str) -> list[str]:
        left = []
        if key not in self.counts:
            if len(self.counts) == self.size:
                left.append(self.evict())
            self.counts[key] = 0
        return left

    def evict(self) -> str:
        key = min(self.counts, key=lambda name: self.counts[name])
        del self.counts[key]
        return key

    def drop(self, key: str) -> bool:
        return self.counts.pop(key, None) is not None

    def uses(self, key: str) -> int | None:
        return self.counts.get(key)


PLAY = r"""
import copy, pickle
from cachetools import LFUCache

left = []

class Watched(LFUCache):
    def popitem(self):
        key, value = super().popitem()
        left.append(key)
        return key, value

def play(cache, name, key=None):
    left.clear()
    if name == "read":
        try:
            return cache[key] is not None
        except KeyError:
            return False
    if name == "store":
        cache[key] = key.upper()
        return list(left)
    if name == "evict":
        return cache.popitem()[0]
    if name == "drop":
        known = key in cache
        if known:
            del cache[key]
        return known
    if name == "uses":
        try:
            return cache.uses(key)
        except KeyError:
            return None

answers = []
for size, options, steps in data:
    cache = Watched(size, **options)
    answers.append([play(cache, *step) for step in steps] + [sorted(cache)])
emit(answers)
"""


def python(run: Runner, code: str, data: object = None) -> Any:
    """The value that the code emits."""
    return run.python(code, path=[f"{run.tree}/src"], data=data, timeout=100)


def follows(run: Runner, *games: tuple[int, dict[str, int], Sequence[Step]]) -> None:
    """A cache of this size and with these options answers each step as it should."""
    for (size, options, steps), answers in zip(games, python(run, PLAY, games), strict=True):
        rules = Expected(size, **options)
        for number, (step, answer) in enumerate(zip(steps, answers[:-1], strict=True)):
            equal(answer, rules.play(step), f"step {number} of {steps[: number + 1][-12:]} with {size}, {options}")
        equal(answers[-1], sorted(rules.counts), f"what is left of {size}, {options}")


def chance(seed: int, length: int, weights: dict[str, int], size: int, again: bool = False, **options: int) -> Any:
    """A game by the dice. Without ``again`` no key is stored that is there."""
    dice = random.Random(seed)
    rules = Expected(size, **options)
    names = [f"k{number}" for number in range(3 * size)]
    steps: list[Step] = []
    while len(steps) < length:
        name = dice.choices(list(weights), list(weights.values()))[0]
        if name == "evict":
            if not rules.counts:
                continue
            step: Step = (name,)
        else:
            pool = names
            if name in ("read", "uses") and dice.random() < 0.9:
                pool = [n for n in names if n in rules.counts]
            if name == "store" and not again:
                pool = [n for n in names if n not in rules.counts]
            if not pool:
                continue
            step = (name, dice.choice(pool))
        rules.play(step)
        steps.append(step)
    return size, options, steps


PRICE = r"""
from time import process_time  # before the tree's own code can lay hands on it
from cachetools import LFUCache

def price(size, options, prepare, work, rounds):
    # Processor time of one round, in seconds: the best of three attempts. And which item would leave next.
    best = None
    for _ in range(3):
        cache = LFUCache(size, **options)
        for number in range(size):
            cache[number] = None
        prepare(cache, size)
        for number in range(40):
            work(cache, size, number - 40)
        started = process_time()
        for number in range(rounds):
            work(cache, size, number)
        spent = (process_time() - started) / rounds
        best = spent if best is None else min(best, spent)
    return best, cache.popitem()[0]
"""
TIMES = 20


def stays_cheap(run: Runner, code: str, leaves: int) -> None:
    """The price for a cache of 100,000 is not of another order than for one of 1,000, and the right item leaves."""
    (small, one), (large, other) = python(run, PRICE + code)
    equal([one, other], [leaves, leaves], "items that leave next")
    assert large < TIMES * max(small, 1e-6), f"{large * 1e6:.1f} µs with 100,000 items, {small * 1e6:.1f} with 1,000"


# --- the first message: the price of an insert -----------------------------------------------------------------------


@case(turn=0)
def inserts_into_a_full_cache(run: Runner) -> None:
    stays_cheap(
        run,
        """
def work(cache, size, number):
    cache[size + 1000 + number] = None

emit([price(size, {}, lambda cache, size: None, work, 300) for size in (1000, 100_000)])
""",
        340,
    )


@case(turn=0)
def inserts_among_reads(run: Runner) -> None:
    stays_cheap(
        run,
        """
def prepare(cache, size):
    for number in range(0, size, 3):
        for _ in range(number % 5):
            cache[number]

def work(cache, size, number):
    cache[size + 1000 + number] = None
    cache[3]
    cache.get(6)

emit([price(size, {}, prepare, work, 300) for size in (1000, 100_000)])
""",
        [key for key in range(1000) if key % 3 or not key % 5][340],
    )


@case(turn=0)
def taking_items_out(run: Runner) -> None:
    stays_cheap(
        run,
        """
def prepare(cache, size):
    for number in range(1, size, 2):
        cache[number]

def work(cache, size, number):
    cache.popitem()

emit([price(size, {}, prepare, work, 300) for size in (1000, 100_000)])
""",
        680,
    )


# --- turn 2: halving -------------------------------------------------------------------------------------------------


@case(turn=2)
def old_favourites_leave(run: Runner) -> None:
    hot = [("read", "a")] * 6
    three = [("store", "a"), ("store", "b"), ("store", "c")]
    follows(
        run,
        (2, {"halve": 4}, [("store", "a"), ("store", "b"), *hot, *[("read", "b")] * 6, ("store", "c"), ("evict",)]),
        (2, {"halve": 2}, [("store", "a"), ("store", "b"), ("read", "b"), ("read", "a"), ("store", "c"), ("evict",)]),
        (3, {"halve": 3}, [*three, *hot[:3], ("read", "b"), ("read", "b"), ("store", "d"), ("evict",), ("evict",)]),
        (2, {"halve": 1}, [("store", "a"), ("store", "b"), *hot, ("store", "c"), ("read", "b"), ("store", "d")]),
    )


@case(turn=2)
def halving_by_the_dice(run: Runner) -> None:
    weights = {"store": 4, "read": 12, "evict": 1, "drop": 1}
    follows(
        run,
        *[
            chance(seed, 600, weights, size, halve=halve)
            for seed, (size, halve) in enumerate([(3, 2), (5, 7), (8, 5), (20, 10), (30, 64), (12, 1), (10, 1000)])
        ],
    )


@case(turn=2)
def halving_only_where_asked_for(run: Runner) -> None:
    steps = [("store", "a"), ("store", "b"), *[("read", "a")] * 3, *[("read", "b")] * 2, ("store", "c"), ("evict",)]
    follows(run, (2, {"halve": 2}, steps), (2, {}, steps), (2, {"halve": 5}, steps), (2, {"halve": 6}, steps))


@case(turn=2)
def halving_a_large_cache(run: Runner) -> None:
    stays_cheap(
        run,
        """
def work(cache, size, number):
    cache[number % 50]

emit([price(size, {"halve": 50}, lambda cache, size: None, work, 3000) for size in (1000, 100_000)])
""",
        0,
    )


@case(turn=2)
def halving_and_inserting(run: Runner) -> None:
    stays_cheap(
        run,
        """
def work(cache, size, number):
    for key in range(10):
        cache[size - 1 - key]
    cache[size + 1000 + number] = None
    for key in range(10):
        cache.get(size - 1 - key)

emit([price(size, {"halve": 20}, lambda cache, size: None, work, 40) for size in (1000, 100_000)])
""",
        80,
    )


@case(turn=2)
def leaving_is_no_use(run: Runner) -> None:
    # Evictions don't bring the next halving closer.
    inserts: list[Step] = [("store", f"n{number}") for number in range(9)]
    hot: list[Step] = [("read", "a"), ("read", "a")]
    rest: list[Step] = [("read", "b"), ("evict",), ("evict",), ("evict",)]
    follows(
        run,
        (3, {"halve": 4}, [("store", "a"), ("store", "b"), *hot, *inserts, ("store", "b"), *rest]),
        (3, {"halve": 3}, [("store", "a"), *hot, *inserts, ("store", "b"), *rest]),
        (4, {"halve": 8}, [("store", "a"), *hot, *inserts, *hot, ("store", "b"), ("read", "b"), *hot, *rest]),
    )


# --- turn 3: storing again -------------------------------------------------------------------------------------------


@case(turn=3)
def storing_again_is_no_use(run: Runner) -> None:
    again: list[Step] = [("store", "a")] * 5
    follows(
        run,
        (2, {}, [("store", "a"), ("store", "b"), *again, ("store", "c"), ("evict",)]),
        (2, {}, [("store", "a"), *again, ("store", "b"), ("read", "b"), ("read", "a"), *again, ("store", "c")]),
        (3, {}, [("store", "b"), ("store", "a"), *again, ("store", "c"), ("store", "b"), ("evict",), ("evict",)]),
    )


@case(turn=3)
def storing_again_by_the_dice(run: Runner) -> None:
    weights = {"store": 8, "read": 8, "evict": 1, "drop": 1}
    follows(
        run,
        *[chance(40 + size, 500, weights, size, again=True) for size in (2, 4, 9, 25)],
        *[chance(80 + size, 500, weights, size, again=True, halve=6) for size in (3, 7, 20)],
    )


# --- turn 4: how often -----------------------------------------------------------------------------------------------


@case(turn=4)
def uses_are_counted(run: Runner) -> None:
    found = python(
        run,
        """
from cachetools import LFUCache
cache = LFUCache(3)
cache["a"] = 1
told = [cache.uses("a")]
cache["a"], cache.get("a"), cache.setdefault("a", 2), "a" in cache, cache.get("b")
told += [cache.uses("a"), cache.uses("a")]
cache["b"] = 1
told += [cache.uses("b"), list(cache.items()) and None, len(cache)]
del cache["a"]
for key in ("a", "z"):
    try:
        told.append(cache.uses(key))
    except KeyError:
        told.append(f"{key} is gone")
cache["a"] = 1
told.append(cache.uses("a"))
emit(told)
""",
    )
    equal(found, [0, 3, 3, 0, None, 2, "a is gone", "z is gone", 0], "uses")


@case(turn=4)
def uses_are_halved(run: Runner) -> None:
    weights = {"store": 4, "read": 12, "uses": 8, "evict": 1, "drop": 1}
    two: list[Step] = [("store", "a"), ("store", "b")]
    asked: list[Step] = [("uses", "a"), ("uses", "b")]
    follows(
        run,
        (2, {"halve": 5}, [*two, *[("read", "a")] * 4, *asked, *[("read", "b"), *asked] * 7]),
        (2, {"halve": 3}, [*two, *[("read", "a"), *asked] * 10]),
        *[chance(120 + size, 400, weights, size, halve=halve) for size, halve in ((3, 2), (6, 9), (15, 30))],
        chance(150, 400, weights, 9),
    )


# --- turn 5: caches of the version before ----------------------------------------------------------------------------

# pickle.dumps of an LFUCache(4) of cachetools 5.4.0 (a to d stored; a read three times, b twice, d once, c stored
# again and read) and of an LFUCache(10, getsizeof=len) with two strings.
OLD = (
    "gAJjY2FjaGV0b29scwpMRlVDYWNoZQpxACmBcQF9cQIoWAwAAABfQ2FjaGVfX2RhdGFxA31xBChYAQAAAGFxBVgBAAAAQXEGWAEAAABicQdY"
    "AQAAAEJxCFgBAAAAY3EJWAIAAABDQ3EKWAEAAABkcQtYAQAAAERxDHVYEAAAAF9DYWNoZV9fY3VycnNpemVxDUsEWA8AAABfQ2FjaGVfX21h"
    "eHNpemVxDksEWBIAAABfTEZVQ2FjaGVfX2NvdW50ZXJxD2Njb2xsZWN0aW9ucwpDb3VudGVyCnEQfXERKGgFSvz///9oB0r9////aAlK/f//"
    "/2gLSv7///91hXESUnETdWIu"
)
OLD_SIZES = (
    "gAJjY2FjaGV0b29scwpMRlVDYWNoZQpxACmBcQF9cQIoWAkAAABnZXRzaXplb2ZxA2NfX2J1aWx0aW5fXwpsZW4KcQRYDAAAAF9DYWNoZV9f"
    "c2l6ZXEFfXEGKFgBAAAAeHEHSwRYAQAAAHlxCEsFdVgMAAAAX0NhY2hlX19kYXRhcQl9cQooaAdYBAAAAHh4eHhxC2gIWAUAAAB5eXl5eXEM"
    "dVgQAAAAX0NhY2hlX19jdXJyc2l6ZXENSwlYDwAAAF9DYWNoZV9fbWF4c2l6ZXEOSwpYEgAAAF9MRlVDYWNoZV9fY291bnRlcnEPY2NvbGxl"
    "Y3Rpb25zCkNvdW50ZXIKcRB9cREoaAdK/////2gISv7///91hXESUnETdWIu"
)
LOAD = """
import base64, pickle
cache = pickle.loads(base64.b64decode(data))
"""


@case(turn=5)
def old_pickles_keep_their_counts(run: Runner) -> None:
    found = python(
        run,
        LOAD
        + """
told = [[key, cache.uses(key)] for key in "abcd"]
cache["b"], cache["b"]
emit([told, cache.uses("b"), cache.currsize, cache.maxsize])
""",
        OLD,
    )
    equal(found, [[["a", 4], ["b", 3], ["c", 3], ["d", 2]], 5, 4, 4], "uses")


@case(turn=5)
def old_pickles_evict_as_they_would(run: Runner) -> None:
    found = python(
        run,
        LOAD
        + """
cache["e"] = "E"
told = [sorted(cache)]
for _ in range(3):
    cache["e"]
cache["f"] = "F"
told += [sorted(cache), [cache.popitem() for _ in range(len(cache))], len(cache)]
cache["g"] = 1
emit([*told, cache["g"], pickle.loads(pickle.dumps(cache)).popitem()])
""",
        OLD,
    )
    left = [["f", "F"], ["c", "CC"], ["e", "E"], ["a", "A"]]
    equal(found, [["a", "b", "c", "e"], ["a", "c", "e", "f"], left, 0, 1, ["g", 1]], "evictions")


@case(turn=5)
def old_pickles_know_their_sizes(run: Runner) -> None:
    found = python(
        run,
        LOAD
        + """
told = [cache.uses("x"), cache.uses("y"), cache.currsize]
cache["z"] = "zzz"
emit([*told, sorted(cache), cache.currsize, cache.uses("y"), cache.uses("z")])
""",
        OLD_SIZES,
    )
    equal(found, [1, 2, 9, ["y", "z"], 8, 2, 0], "sizes")


# --- what must stay as it was ----------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def the_same_ones_leave(run: Runner) -> None:
    weights = {"store": 6, "read": 10, "evict": 1, "drop": 1}
    tie: list[Step] = [("store", "a"), ("store", "b"), ("store", "c"), ("read", "c"), ("read", "a")]
    out: list[Step] = [("evict",)] * 3
    follows(
        run,
        *[chance(200 + size, 700, weights, size) for size in (1, 2, 3, 5, 8, 20, 50)],
        (3, {}, [*tie, ("read", "b"), ("store", "d"), *out]),
        (3, {}, [*tie, ("drop", "a"), ("store", "a"), ("read", "a"), ("read", "b"), *out]),
    )


@case(turn=0, kind="p2p")
def empty_caches_say_so(run: Runner) -> None:
    found = python(
        run,
        """
from cachetools import LFUCache
told = []
for used in (False, True):
    cache = LFUCache(2)
    if used:
        cache["a"] = cache["b"] = 1
        cache["a"]
        cache.clear()
    try:
        cache.popitem()
    except KeyError as error:
        told.append(["KeyError", "empty" in str(error)])
    except Exception as error:
        told.append([type(error).__name__])
    told.append([len(cache), cache.currsize])
emit(told)
""",
    )
    equal(found, [["KeyError", True], [0, 0]] * 2, "popitem")


@case(turn=0, kind="p2p")
def sizes_of_values(run: Runner) -> None:
    found = python(
        run,
        """
from cachetools import LFUCache
cache = LFUCache(10, getsizeof=len)
cache["a"] = "aaa"
cache["b"] = "bbbb"
cache["b"], cache["b"]
cache["c"] = "cc"
told = [cache.currsize]
cache["d"] = "dd"
told += [sorted(cache), cache.currsize, cache.getsizeof("1234")]
try:
    cache["e"] = "e" * 11
except ValueError as error:
    told.append(str(error))
told += [sorted(cache), cache.currsize]
other = LFUCache(5, len)
other["a"] = "aaaa"
other["a"] = "aaaaa"
told += [list(other.items()), other.currsize, other.maxsize]
del other["a"]
told += [other.currsize, list(other)]
emit(told)
""",
    )
    wanted = [9, ["b", "c", "d"], 8, 4, "value too large", ["b", "c", "d"], 8, [["a", "aaaaa"]], 5, 5, 0, []]
    equal(found, wanted, "sizes")


@case(turn=0, kind="p2p")
def mappings_as_documented(run: Runner) -> None:
    found = python(
        run,
        """
from cachetools import LFUCache

class Filled(LFUCache):
    def __missing__(self, key):
        self[key] = key * 2
        return self[key]

class Bare(LFUCache):
    def __missing__(self, key):
        return None

filled, bare = Filled(2), Bare(2)
told = [[filled[1], filled[2], filled[1], filled[3], sorted(filled)], [bare["x"], len(bare)]]
cache = LFUCache(maxsize=3)
cache.update(a=1, b=2)
told += [cache.setdefault("c", 3), cache.setdefault("c", 4), cache.get("z", 5), cache.pop("a"), cache.pop("a", 6)]
for call in (lambda: cache["a"], lambda: cache.pop("a"), lambda: cache.__delitem__("a")):
    try:
        call()
    except KeyError as error:
        told.append(error.args[0])
told += [sorted(cache.items()), "b" in cache, "a" in cache, len(cache), repr(cache)]
emit(told)
""",
    )
    shown = "LFUCache({'b': 2, 'c': 3}, maxsize=3, currsize=2)"
    told = [3, 3, 5, 1, 6, "a", "a", "a", [["b", 2], ["c", 3]], True, False, 2, shown]
    equal(found, [[2, 4, 2, 6, [1, 3]], [None, 0], *told], "answers")


@case(turn=0, kind="p2p")
def copies_go_on_alike(run: Runner) -> None:
    found = python(
        run,
        """
import copy, pickle
from cachetools import LFUCache
cache = LFUCache(4)
for key in "abcd":
    cache[key] = key
for key in "aabdd":
    cache[key]
told = []
for other in (pickle.loads(pickle.dumps(cache)), copy.deepcopy(cache), cache):
    other["b"]
    other["e"] = "e"
    told.append([other.popitem()[0] for _ in range(len(other))])
emit(told)
""",
    )
    equal(found, [["e", "a", "b", "d"]] * 3, "evictions")


@case(turn=0, kind="p2p")
def decorators_use_it(run: Runner) -> None:
    found = python(
        run,
        """
from cachetools import LFUCache, LRUCache, cached
from cachetools.func import lfu_cache

asked = []

@lfu_cache(maxsize=2)
def double(number):
    asked.append(number)
    return number * 2

for number in (1, 2, 1, 3, 1, 2):
    double(number)
info = double.cache_info()

@cached(cache=LFUCache(maxsize=2), info=True)
def half(number):
    return number / 2

for number in (4, 4, 6, 8, 4):
    half(number)
lru = LRUCache(2)
lru.update(a=1, b=2)
lru["a"], lru.popitem()
emit([asked, list(info), list(half.cache_info()), sorted(lru)])
""",
    )
    equal(found, [[1, 2, 3, 2], [2, 4, 2, 2], [2, 3, 2, 2], ["a"]], "calls")
