"""Cases of jsonpatch-undo-steps: documents and patches go in, patched documents and undos come out."""

import copy
import json
import random
from typing import Any

from harness import Runner, case, equal

LOAD = """
import copy
from jsonpatch import *
from jsonpatch import JsonPatchException

def undone(patch, doc):
    try:
        return patch.undo(doc, guard=False)
    except TypeError:
        return patch.undo(doc)

def plain(patch):
    return json.loads(patch.to_string())

def told(act):
    try:
        return act()
    except JsonPatchTestFailed:
        return 'test failed'
    except (JsonPatchException, JsonPointerException) as error:
        return 'failed'
"""

type Op = dict[str, Any]


def play(run: Runner, code: str, data: object = None) -> Any:
    """Run a driver with the helpers above it."""
    return run.python(LOAD + code, data=data)


# --- what patches do, told without the package -----------------------------------------------------------------------


def parts(path: str) -> list[str]:
    """The names and indexes of a pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def joined(names: list[str]) -> str:
    """The pointer of names and indexes."""
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)


def at(doc: Any, names: list[str]) -> Any:
    """What stands at a place."""
    for name in names:
        doc = doc[int(name)] if isinstance(doc, list) else doc[name]
    return doc


def added(doc: Any, path: str, value: Any) -> Any:
    """The document with a value put there, replacing a member or moving elements up."""
    if not path:
        return value
    *above, last = parts(path)
    there = at(doc, above)
    if isinstance(there, list):
        there.insert(len(there) if last == "-" else int(last), value)
    else:
        there[last] = value
    return doc


def after(doc: Any, op: Op) -> Any:
    """The document after one operation."""
    doc, kind, names = copy.deepcopy(doc), op["op"], parts(op["path"])
    value = copy.deepcopy(op.get("value"))
    if kind in ("move", "copy"):
        value = copy.deepcopy(at(doc, parts(op["from"])))
    if kind == "test":
        equal(at(doc, names), value, f"test of {op['path']}")
    gone = {"remove": names, "move": parts(op.get("from", "")), "replace": names}.get(kind)
    if gone:
        there, last = at(doc, gone[:-1]), gone[-1]
        del there[int(last) if isinstance(there, list) else last]
    return added(doc, op["path"], value) if kind in ("add", "replace", "move", "copy") else doc


def course(doc: Any, ops: list[Op]) -> list[Any]:
    """The document, and what it is after each operation."""
    docs = [doc]
    for op in ops:
        docs.append(after(docs[-1], op))
    return docs


def places(doc: Any, names: tuple[str, ...] = ()) -> list[list[str]]:
    """Every place of a document but the whole."""
    inside = enumerate(doc) if isinstance(doc, list) else doc.items() if isinstance(doc, dict) else ()
    return [place for key, value in inside for place in ([*names, str(key)], *places(value, (*names, str(key))))]


NAMES = ["a", "b~1", "c/d", "d e", "\u00e9", ""]


def drawn(dice: random.Random, depth: int = 0) -> Any:
    """A value by chance."""
    kind = dice.randrange(7 if depth < 3 else 5)
    if kind < 5:
        return [dice.randrange(100), dice.choice("xyz") * 3, True, None, 2.5][kind]
    if kind == 5:
        return [drawn(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {name: drawn(dice, depth + 1) for name in dice.sample(NAMES, dice.randrange(1, 4))}


def operation(dice: random.Random, doc: Any) -> Op | None:
    """An operation by chance that can be applied and whose moves overwrite nothing."""
    kind = dice.choice(["add", "add", "remove", "replace", "move", "move", "copy", "test"])
    known = places(doc)
    if kind in ("remove", "replace", "test"):
        path = joined(dice.choice(known))
        value = {"replace": drawn(dice, 1), "test": at(doc, parts(path))}
        return {"op": kind, "path": path} | ({"value": value[kind]} if kind in value else {})
    source = dice.choice(known)
    base = after(doc, {"op": "remove", "path": joined(source)}) if kind == "move" else doc
    boxes = [names for names in [[], *places(base)] if isinstance(at(base, names), list | dict)]
    names = dice.choice(boxes)
    box = at(base, names)
    if isinstance(box, list):
        target = [*names, dice.choice(["-", str(dice.randrange(len(box) + 1))])]
    else:
        target = [*names, dice.choice(NAMES)]
        if kind == "move" and target[-1] in box:
            return None
    if kind == "add":
        return {"op": kind, "path": joined(target), "value": drawn(dice, 1)}
    if kind == "move" and target[: len(source)] == source:
        return None
    return {"op": kind, "from": joined(source), "path": joined(target)}


def sessions(seed: int, count: int, length: int) -> list[list[Any]]:
    """Documents by chance, each with a patch for it."""
    dice = random.Random(seed)
    found: list[list[Any]] = []
    while len(found) < count:
        doc: Any = {"list": [drawn(dice, 1) for _ in range(3)], "object": {"a": 1, "~": [2]}, "more": drawn(dice)}
        ops: list[Op] = []
        first = doc
        while len(ops) < length and places(doc):
            op = operation(dice, doc)
            if op is not None:
                ops.append(op)
                doc = after(doc, op)
        found.append([first, ops])
    return found


UNDO = """
out = []
for doc, ops in data:
    before = json.dumps([doc, ops])
    patch = JsonPatch(ops)
    undo = undone(patch, doc)
    out.append([plain(undo), undo.apply(patch.apply(doc)), json.dumps([doc, ops]) == before])
emit(out)
"""


def leads_back(run: Runner, data: list[list[Any]], *, steps: bool = False) -> None:
    """Each undo leads back, in the package's hands and by the rules; with ``steps``, past every state in between."""
    for (ops, end, unchanged), (doc, patch) in zip(play(run, UNDO, data), data, strict=True):
        docs = course(doc, patch)
        equal([end, unchanged], [doc, True], f"undo of {patch}, applied")
        back = course(docs[-1], ops)
        equal(back[-1], doc, f"undo of {patch}: {ops}")
        wanted = [text(state) for i, state in enumerate(docs) if not i or text(state) != text(docs[i - 1])]
        found = iter([text(state) for state in back])
        if steps:
            for state in reversed(wanted):
                assert state in found, f"undo of {patch}: {ops} goes past {state}"


def text(doc: Any) -> str:
    """A document as a text that is the same for equal ones."""
    return json.dumps(doc, sort_keys=True)


# --- the instruction: a patch stays as it is, and shares nothing -----------------------------------------------------


@case(turn=0)
def patches_can_be_applied_again(run: Runner) -> None:
    code = """
out = []
for doc, ops in data:
    patch = JsonPatch(ops)
    before = patch.to_string()
    first = patch.apply(doc)
    second = patch.apply(doc)
    third = patch.apply(copy.deepcopy(doc), in_place=True)
    out.append([first, second, third, patch.to_string() == before, plain(patch) == ops])
emit(out)
"""
    data: list[list[Any]] = [
        [{}, [{"op": "add", "path": "/tags", "value": []}, {"op": "add", "path": "/tags/-", "value": "x"}]],
        [
            {"a": 1},
            [
                {"op": "replace", "path": "/a", "value": {"b": [1, 2]}},
                {"op": "remove", "path": "/a/b/0"},
                {"op": "add", "path": "/a/c", "value": 3},
            ],
        ],
        [{"a": 1}, [{"op": "replace", "path": "", "value": {"l": []}}, {"op": "add", "path": "/l/0", "value": 1}]],
        [[1], [{"op": "add", "path": "/0", "value": {}}, {"op": "move", "from": "/1", "path": "/0/x"}]],
        [{"z": 1}, [{"op": "add", "path": "", "value": {"l": [0]}}, {"op": "remove", "path": "/l/0"}]],
    ]
    for found, (doc, ops) in zip(play(run, code, data), data, strict=True):
        equal(found, [course(doc, ops)[-1]] * 3 + [True, True], f"documents of {ops}")


@case(turn=0)
def documents_share_nothing_with_a_patch(run: Runner) -> None:
    code = """
out = []
for ops in data:
    patch = JsonPatch(ops)
    before = patch.to_string()
    one = patch.apply({'a': 0, 'l': []})
    two = patch.apply({'a': 0, 'l': []}, in_place=True)
    for doc in (one, two):
        doc['a']['n'].append(len(doc))
        doc['a']['new'] = 5
    out.append([patch.to_string() == before, one['a'], two['a'], patch.apply({'a': 0, 'l': []})['a']])
emit(out)
"""
    value = {"n": [1]}
    data: list[list[Any]] = [
        [{"op": "add", "path": "/a", "value": value}],
        [{"op": "replace", "path": "/a", "value": value}],
        [{"op": "add", "path": "/l/-", "value": value}, {"op": "move", "from": "/l/0", "path": "/a"}],
        [{"op": "add", "path": "", "value": {"a": value, "l": 1}}],
    ]
    changed = {"n": [1, 2], "new": 5}
    equal(play(run, code, data), [[True, changed, changed, value]] * 4, "patches and documents")


@case(turn=0)
def patches_share_nothing_with_the_documents_they_compare(run: Runner) -> None:
    code = """
old, new = data
one, two = make_patch(old, new), JsonPatch.from_diff(old, new)
before = [one.to_string(), two.to_string()]
kept = copy.deepcopy(new)
new['added']['x'].append(2)
new['changed']['y'] = 3
new['list'][1].append(4)
emit([[one.to_string(), two.to_string()] == before, one.apply(old) == kept, two.apply(old) == kept])
"""
    old = {"changed": 1, "list": [0], "same": [{}]}
    new = {"changed": {"z": 1}, "list": [0, []], "same": [{}], "added": {"x": [1]}}
    equal(play(run, code, [old, new]), [True, True, True], "patches of documents that changed later")


# --- undo ------------------------------------------------------------------------------------------------------------

EACH: list[list[Any]] = [
    [{"a": 1}, [{"op": "add", "path": "/b", "value": [1]}]],
    [{"a": 1}, [{"op": "add", "path": "/a", "value": {"x": 1}}]],
    [{"a": {"x": 1}}, [{"op": "remove", "path": "/a"}]],
    [{"a": {"x": 1}}, [{"op": "replace", "path": "/a/x", "value": 2}]],
    [{"a": {"x": 1}}, [{"op": "move", "from": "/a/x", "path": "/y"}]],
    [{"a": {"x": 1}}, [{"op": "copy", "from": "/a", "path": "/a/x"}]],
    [{"l": [1, 2, 3]}, [{"op": "add", "path": "/l/-", "value": 4}]],
    [{"l": [1, 2, 3]}, [{"op": "add", "path": "/l/1", "value": 4}]],
    [{"l": [1, 2, 3]}, [{"op": "remove", "path": "/l/2"}]],
    [{"l": [1, 2, 3]}, [{"op": "move", "from": "/l/0", "path": "/l/2"}]],
    [{"l": [1, 2, 3]}, [{"op": "move", "from": "/l/1", "path": "/l/-"}]],
    [{"l": [1, [2], 3]}, [{"op": "copy", "from": "/l/1", "path": "/l/-"}]],
    [{"-": 1, "l": []}, [{"op": "remove", "path": "/-"}, {"op": "add", "path": "/l/-", "value": 3}]],
    [{"a": 1}, [{"op": "replace", "path": "", "value": [1]}, {"op": "add", "path": "/0", "value": 2}]],
    [{"b": [1]}, [{"op": "add", "path": "", "value": {"a": 1}}]],
    [[1], [{"op": "replace", "path": "", "value": {"a": 1}}, {"op": "add", "path": "/b", "value": []}]],
    [{"a/b": {"~": 1}}, [{"op": "remove", "path": "/a~1b/~0"}, {"op": "add", "path": "/a~1b/1", "value": 2}]],
    [{"a": 1}, [{"op": "test", "path": "/a", "value": 1}, {"op": "move", "from": "/a", "path": "/a"}]],
    [{"a": 1}, []],
]


@case(turn=1)
def each_operation_can_be_undone(run: Runner) -> None:
    leads_back(run, EACH)


@case(turn=1)
def long_patches_can_be_undone(run: Runner) -> None:
    leads_back(run, sessions(11, 40, 12))


@case(turn=1)
def undos_share_nothing_and_need_a_patch_that_fits(run: Runner) -> None:
    code = """
doc, ops = data
patch = JsonPatch(ops)
undo = undone(patch, doc)
before = undo.to_string()
kept = copy.deepcopy(doc)
end = patch.apply(doc)
doc['a']['x'].append(1)
doc['b'].clear()
patch.patch[-1]['value'].append(3)
back = undo.apply(end)
back['a']['x'].append(5)
bad = [[{'op': 'remove', 'path': '/q'}], [{'op': 'test', 'path': '/a', 'value': 1}],
       [{'op': 'remove', 'path': '/a'}, {'op': 'replace', 'path': '/a/x', 'value': 1}]]
emit([type(undo).__name__, undo.to_string() == before, undo.apply(end) == kept,
      [told(lambda: undone(JsonPatch(ops), kept) and 'undone') for ops in bad]])
"""
    ops = [
        {"op": "replace", "path": "/a", "value": 1},
        {"op": "remove", "path": "/b"},
        {"op": "add", "path": "/c", "value": [2]},
    ]
    found = play(run, code, [{"a": {"x": []}, "b": {"y": 1}}, ops])
    equal(found, ["JsonPatch", True, True, ["failed", "test failed", "failed"]], "the undo")


@case(turn=1)
def what_a_move_overwrote_comes_back(run: Runner) -> None:
    data: list[list[Any]] = [
        [{"a": 1, "b": [2]}, [{"op": "move", "from": "/a", "path": "/b"}]],
        [{"a": {"b": {"c": 1}, "d": 2}}, [{"op": "move", "from": "/a/b", "path": "/a"}]],
        [{"l": [7, 8], "o": {"x": 1}}, [{"op": "move", "from": "/l/0", "path": "/o/x"}]],
    ]
    leads_back(run, data)


@case(turn=1)
def whole_documents_and_what_was_in_them(run: Runner) -> None:
    data: list[list[Any]] = [
        [{"a": {"b": 1}, "c": 2}, [{"op": "move", "from": "/a", "path": ""}]],
        [{"a": [1, 2]}, [{"op": "move", "from": "/a/0", "path": "/a"}, {"op": "add", "path": "/b", "value": 1}]],
        [{"a": [1], "b": 2}, [{"op": "copy", "from": "/a", "path": ""}, {"op": "add", "path": "/-", "value": 3}]],
        [
            {"o": {"x": {"y": 1}, "z": 2}, "p": 3},
            [{"op": "move", "from": "/p", "path": "/o/x"}, {"op": "move", "from": "/o/x", "path": "/o"}],
        ],
    ]
    leads_back(run, data)


# --- op by op --------------------------------------------------------------------------------------------------------


@case(turn=2)
def undos_go_back_op_by_op(run: Runner) -> None:
    data: list[list[Any]] = [
        [
            {"n": 0},
            [{"op": "replace", "path": "/n", "value": value} for value in (1, 2, 3)]
            + [{"op": "add", "path": "/m", "value": 1}, {"op": "remove", "path": "/n"}],
        ],
        [
            {"l": ["a", "b", "c"]},
            [
                {"op": "move", "from": "/l/2", "path": "/l/0"},
                {"op": "add", "path": "/l/-", "value": "d"},
                {"op": "remove", "path": "/l/1"},
                {"op": "copy", "from": "/l/0", "path": "/l/-"},
            ],
        ],
        [{"-": 1, "l": []}, [{"op": "add", "path": "/-", "value": 2}, {"op": "copy", "from": "/l", "path": "/-"}]],
    ]
    leads_back(run, data, steps=True)


@case(turn=2)
def long_undos_go_back_op_by_op(run: Runner) -> None:
    leads_back(run, sessions(23, 30, 10), steps=True)


@case(turn=2)
def patches_that_change_nothing_are_undone_op_by_op_too(run: Runner) -> None:
    there = [{"op": "add", "path": "/x", "value": [1]}, {"op": "move", "from": "/x", "path": "/y"}]
    back = [{"op": "move", "from": "/y", "path": "/x"}, {"op": "remove", "path": "/x"}]
    leads_back(run, [[{"a": 1}, there + back], [{"a": 1}, (there + back) * 2]], steps=True)


# --- guard -----------------------------------------------------------------------------------------------------------

GUARDED = """
out = []
for doc, ops, change, options in data:
    patch = JsonPatch(ops)
    undo = patch.undo(doc, **options)
    end = JsonPatch(change).apply(patch.apply(doc))
    text = json.dumps(end)
    out.append([told(lambda: undo.apply(end)), json.dumps(end) == text])
emit(out)
"""

WRITTEN: list[list[Any]] = [
    [{}, [{"op": "add", "path": "/a", "value": {"x": 1}}], [{"op": "replace", "path": "/a/x", "value": 2}]],
    [{"a": 1}, [{"op": "replace", "path": "/a", "value": 2}], [{"op": "replace", "path": "/a", "value": 3}]],
    [{"a": 1}, [{"op": "add", "path": "/a", "value": 2}], [{"op": "remove", "path": "/a"}]],
    [{"l": [1]}, [{"op": "add", "path": "/l/-", "value": 2}], [{"op": "replace", "path": "/l/1", "value": 9}]],
    [{"l": [1]}, [{"op": "add", "path": "/l/0", "value": 0}], [{"op": "add", "path": "/l/0", "value": 5}]],
    [{"a": [1]}, [{"op": "copy", "from": "/a", "path": "/b"}], [{"op": "add", "path": "/b/-", "value": 2}]],
    [{"a": [1]}, [{"op": "move", "from": "/a", "path": "/b"}], [{"op": "add", "path": "/b/-", "value": 2}]],
    [{"a": 1, "b": 2}, [{"op": "move", "from": "/a", "path": "/b"}], [{"op": "replace", "path": "/b", "value": 7}]],
    [{"l": [1, 2]}, [{"op": "move", "from": "/l/0", "path": "/l/1"}], [{"op": "replace", "path": "/l/1", "value": 3}]],
    [{"a": 1}, [{"op": "replace", "path": "", "value": {"b": 1}}], [{"op": "add", "path": "/c", "value": 1}]],
]


def guarded(run: Runner, data: list[list[Any]], options: Op) -> list[Any]:
    """What undos of documents make of them after somebody else's change, and whether that left them alone."""
    return list(play(run, GUARDED, [[*one, options] for one in data]))


@case(turn=4)
def guards_see_what_others_changed(run: Runner) -> None:
    found = guarded(run, WRITTEN, {"guard": True})
    equal(found, [["test failed", True]] * len(WRITTEN), "undos of documents that somebody changed")


@case(turn=4)
def guards_let_other_changes_be(run: Runner) -> None:
    data: list[list[Any]] = [
        [{"n": 1}, [{"op": "add", "path": "/a", "value": 1}], [{"op": "replace", "path": "/n", "value": 2}]],
        [{"l": [1]}, [{"op": "add", "path": "/l/0", "value": 0}], [{"op": "add", "path": "/l/-", "value": 5}]],
        [{"a": {"x": 1}}, [{"op": "replace", "path": "/a/x", "value": 2}], [{"op": "add", "path": "/a/y", "value": 3}]],
        [{"a": 1, "b": 2}, [{"op": "remove", "path": "/a"}], [{"op": "remove", "path": "/b"}]],
    ]
    wanted = [{"n": 2}, {"l": [1, 5]}, {"a": {"x": 1, "y": 3}}, {"a": 1}]
    equal(guarded(run, data, {"guard": True}), [[doc, True] for doc in wanted], "documents")


@case(turn=4)
def guarded_undos_pass_where_nobody_changed_anything(run: Runner) -> None:
    data: list[list[Any]] = [[doc, ops, []] for doc, ops in [*EACH, *sessions(31, 25, 10)]]
    twice = [{"op": "add", "path": "/l/0", "value": [1]}, {"op": "add", "path": "/l/0", "value": [2]}]
    data.append([{"l": []}, [*twice, {"op": "replace", "path": "/l/1", "value": 3}], []])
    equal(guarded(run, data, {"guard": True}), [[doc, True] for doc, *_ in data], "documents")


@case(turn=5)
def guards_are_there_unasked(run: Runner) -> None:
    equal(guarded(run, WRITTEN, {}), [["test failed", True]] * len(WRITTEN), "undos without an option")


@case(turn=5)
def undos_without_a_guard_on_request(run: Runner) -> None:
    both = [guarded(run, WRITTEN[1:4:2], {}), guarded(run, WRITTEN[1:4:2], {"guard": False})]
    equal(both, [[["test failed", True]] * 2, [[{"a": 1}, True], [{"l": [1]}, True]]], "with and without")


# --- what was there before -------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def patches_are_applied_as_before(run: Runner) -> None:
    code = "emit([[apply_patch(doc, json.dumps(ops)), told(lambda: JsonPatch(ops).apply(doc))] for doc, ops in data])"
    data = [*EACH, *sessions(47, 25, 10)]
    equal(play(run, code, data), [[course(doc, ops)[-1]] * 2 for doc, ops in data], "documents")


@case(turn=0, kind="p2p")
def failures_as_before(run: Runner) -> None:
    code = """
def named(act):
    try:
        return act()
    except Exception as error:
        said = '' if isinstance(error, JsonPointerException) else ': ' + str(error)
        return type(error).__name__ + said
emit([named(lambda: apply_patch({'a': {'b': 1}, 'l': [1]}, ops)) for ops in data])
"""
    cases = {
        "JsonPatchConflict: can't remove a non-existent object 'q'": {"op": "remove", "path": "/q"},
        "JsonPatchConflict: can't replace a non-existent object 'q'": {"op": "replace", "path": "/q", "value": 1},
        "JsonPatchConflict: can't insert outside of list": {"op": "add", "path": "/l/2", "value": 1},
        "JsonPatchConflict: can't replace outside of list": {"op": "replace", "path": "/l/1", "value": 1},
        "JsonPatchConflict: Cannot move values into their own children": {"op": "move", "from": "/a", "path": "/a/b"},
        "JsonPatchTestFailed: 1 (<class 'int'>) is not equal to tested value 2 (<class 'int'>)": {
            "op": "test",
            "path": "/a/b",
            "value": 2,
        },
        "InvalidJsonPatch: The operation does not contain a 'value' member": {"op": "add", "path": "/q"},
        "InvalidJsonPatch: Operation must have a 'path' member": {"op": "add", "value": 1},
        "InvalidJsonPatch: Unknown operation 'undo'": {"op": "undo", "path": ""},
        "JsonPointerException": {"op": "add", "path": "/a/q/r", "value": 1},
    }
    equal(play(run, code, [[op] for op in cases.values()]), list(cases), "failures")


@case(turn=0, kind="p2p")
def patches_of_two_documents_as_before(run: Runner) -> None:
    code = """
patch = make_patch(*data[0])
emit([[make_patch(old, new).apply(old) for old, new in data], plain(patch), bool(make_patch({}, {})),
      JsonPatch.from_string(patch.to_string()) == patch, len(list(patch)), plain(make_patch({'a': [1]}, {'b': [1]}))])
"""
    pairs: list[list[Any]] = [
        [{"a": 1}, {"a": True}],
        [{"l": [1, 2, 3]}, {"l": [3, 1]}],
        [{"x": {"y": [1]}}, {"z": {"y": [1, {}]}}],
    ]
    patch = [{"op": "replace", "path": "/a", "value": True}]
    wanted = [[new for _, new in pairs], patch, False, True, 1, [{"op": "move", "from": "/a", "path": "/b"}]]
    equal(play(run, code, pairs), wanted, "patches")


@case(turn=0, kind="p2p")
def patches_in_place_change_the_document(run: Runner) -> None:
    code = """
doc = {'a': {'x': 1}, 'l': [1]}
inner, items = doc['a'], doc['l']
ops = [{'op': 'add', 'path': '/a/y', 'value': 2}, {'op': 'remove', 'path': '/l/0'}]
ops.append({'op': 'replace', 'path': '/a/x', 'value': 3})
result = JsonPatch(ops).apply(doc, in_place=True)
emit([result is doc, doc, doc['a'] is inner, doc['l'] is items])
"""
    equal(play(run, code), [True, {"a": {"x": 3, "y": 2}, "l": []}, True, True], "the document")


@case(turn=0, kind="p2p")
def apply_patch_in_place_changes_the_document(run: Runner) -> None:
    code = """
doc = [{'n': 1}, {'n': 2}]
inner = doc[1]
ops = [{'op': 'replace', 'path': '/1/n', 'value': 3}, {'op': 'remove', 'path': '/0'}]
result = apply_patch(doc, ops, in_place=True)
emit([result is doc, doc, doc[0] is inner])
"""
    equal(play(run, code), [True, [{"n": 3}], True], "the document")
