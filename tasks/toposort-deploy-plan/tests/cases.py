"""Cases of toposort-deploy-plan: a graph goes in, an order, sets or what an error says come out."""

from itertools import pairwise

from harness import Runner, case, equal

SRC = ["/workspace/src"]
FLATTEN = """
from toposort import toposort_flatten
graph, options = data
emit(toposort_flatten({key: set(deps) for key, deps in graph.items()}, **options))
"""
LEVELS = """
from toposort import toposort
graph, options = data
emit([sorted(level) for level in toposort({key: set(deps) for key, deps in graph.items()}, **options)])
"""
STUCK = """
from toposort import toposort_flatten, CircularDependencyError
graph, options = data
try:
    emit(["no error", toposort_flatten({key: set(deps) for key, deps in graph.items()}, **options)])
except CircularDependencyError as error:
    emit([list(error.cycle), str(error)])
"""


def flatten(run: Runner, graph: dict, **options: object) -> object:
    return run.python(FLATTEN, path=SRC, data=[graph, options])


def levels(run: Runner, graph: dict, **options: object) -> object:
    return run.python(LEVELS, path=SRC, data=[graph, options])


def stuck(run: Runner, graph: dict, **options: object) -> list:
    """The circle that the error names and its message, after a look at whether it is one."""
    cycle, message = run.python(STUCK, path=SRC, data=[graph, options])
    equal(isinstance(cycle, list) and len(cycle) > 2, True, f"is {cycle!r} a closed list")
    equal(cycle[0], cycle[-1], "the last item of the circle")
    equal(len(set(cycle[1:])), len(cycle) - 1, f"different items in {cycle!r}")
    for item, needed in pairwise(cycle):
        equal(needed in graph.get(item, []), True, f"does {item!r} need {needed!r}")
    return [cycle, message]


@case(turn=0)
def lower_numbers_first(run: Runner) -> None:
    graph = {"all": ["web", "db", "cache", "mail"]}
    equal(flatten(run, graph, priority={"db": -1, "mail": 3}), ["db", "cache", "web", "mail", "all"])


@case(turn=0)
def equal_numbers_go_by_name(run: Runner) -> None:
    graph = {"e": [], "d": [], "c": [], "b": [], "a": []}
    equal(flatten(run, graph, priority={"e": -2, "b": -2, "c": 2, "a": 2}), ["b", "e", "d", "a", "c"])


@case(turn=0)
def unsorted_names_are_not_compared(run: Runner) -> None:
    code = """
from toposort import toposort_flatten
emit([str(item) for item in toposort_flatten({3: set(), "x": set(), None: set()}, False, priority={3: 1.5, None: -0.5})])
"""
    equal(run.python(code, path=SRC), ["None", "x", "3"])


@case(turn=1)
def needs_of_needs_stay(run: Runner) -> None:
    graph = {"shop": ["api"], "api": ["db", "log"], "db": ["disk"], "mail": ["smtp"], "smtp": [], "x": ["shop"]}
    equal(flatten(run, graph, only=["shop"]), ["disk", "log", "db", "api", "shop"])


@case(turn=1)
def only_for_the_levels(run: Runner) -> None:
    graph = {"a": ["b"], "b": ["c"], "c": ["d"], "e": ["f"], "f": ["g"], "z": []}
    equal(levels(run, graph, only=["a", "g"]), [["d", "g"], ["c"], ["b"], ["a"]])


@case(turn=1)
def circle_that_is_left_out(run: Runner) -> None:
    graph = {"a": ["b"], "b": ["c"], "c": ["d"], "x": ["y", "a"], "y": ["x"]}
    equal(levels(run, graph, only=["a"]), [["d"], ["c"], ["b"], ["a"]])


@case(turn=2)
def urgent_item_that_waited(run: Runner) -> None:
    graph = {"migrate": ["db"], "db": [], "mail": [], "web": ["mail"], "news": []}
    equal(flatten(run, graph, priority={"migrate": -5}), ["db", "migrate", "mail", "news", "web"])


@case(turn=2)
def late_item_that_waits_for_nothing(run: Runner) -> None:
    graph = {"docs": [], "a": [], "b": ["a"], "c": ["b"]}
    equal(flatten(run, graph, sort=False, priority={"docs": 9, "a": 1, "b": 2, "c": 3}), ["a", "b", "c", "docs"])


@case(turn=2)
def priorities_among_the_needed(run: Runner) -> None:
    graph = {"web": ["api"], "job": ["db"], "zoo": ["job"]}
    numbers = {"web": 4, "api": 1, "job": 3, "db": 2, "zoo": 0}
    equal(flatten(run, graph, priority=numbers, only=["web", "job"]), ["api", "db", "job", "web"])
    numbers = {"web": 1, "api": 2, "job": 4, "db": 3, "zoo": 0}
    equal(flatten(run, graph, priority=numbers, only=["web", "job"]), ["api", "web", "db", "job"])


@case(turn=4)
def circle_without_what_waits_for_it(run: Runner) -> None:
    stuck(run, {"tail": ["wait"], "wait": ["a"], "a": ["b"], "b": ["c"], "c": ["a", "free"], "free": []})


@case(turn=4)
def message_shows_the_circle(run: Runner) -> None:
    cycle, message = stuck(run, {"top": ["one"], "one": ["two"], "two": ["one"]})
    equal(" -> ".join(cycle) in message, True, f"are the arrows of {cycle!r} in {message!r}")


@case(turn=4)
def one_of_two_circles(run: Runner) -> None:
    stuck(run, {"w": ["a", "x"], "a": ["b"], "b": ["a", "b"], "x": ["y"], "y": ["z"], "z": ["x"]})


@case(turn=0, kind="p2p")
def levels_as_before(run: Runner) -> None:
    graph = {"k": ["k", "j"], "j": ["h"], "i": ["h"]}
    equal(levels(run, graph), [["h"], ["i", "j"], ["k"]])
    equal(levels(run, {}), [])


@case(turn=0, kind="p2p")
def flat_order_as_before(run: Runner) -> None:
    graph = {"k": ["j"], "j": ["h"], "i": ["h"], "a": []}
    equal(flatten(run, graph), ["a", "h", "i", "j", "k"])
    equal(flatten(run, graph, sort=True), ["a", "h", "i", "j", "k"])


@case(turn=0, kind="p2p")
def error_as_before(run: Runner) -> None:
    code = """
from toposort import toposort, CircularDependencyError
graph = {1: {2}, 2: {1, 3}, 4: {1}}
try:
    list(toposort(graph))
except ValueError as error:
    same = {1: {2}, 2: {1, 3}, 4: {1}} == graph
    stuck = sorted([key, sorted(deps)] for key, deps in error.data.items())
    emit([type(error).__name__, stuck, same, "Circular dependencies exist among these items: {" in str(error)])
"""
    found = run.python(code, path=SRC)
    equal(found, ["CircularDependencyError", [[1, [2]], [2, [1]], [4, [1]]], True, True])
