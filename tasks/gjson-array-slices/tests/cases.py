"""Negative indexes and slices of gjson paths: documents and paths in, results out."""

import json
import os
import secrets
import shutil
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from harness import Result, Runner, case, equal

DRIVER = r"""
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/tidwall/gjson"
)

type ask struct{ Doc, Path, Under, How string }

type answer struct {
	Exists bool
	Type   string
	Raw    string
	Str    string
	Index  int
	Path   string
	Paths  []string
	Panic  string
}

func look(a ask) (out answer) {
	defer func() {
		if r := recover(); r != nil {
			out = answer{Panic: fmt.Sprint(r)}
		}
	}()
	var r gjson.Result
	switch {
	case a.Under != "":
		r = gjson.Parse(a.Doc).Get(a.Under).Get(a.Path)
	case a.How == "bytes":
		r = gjson.GetBytes([]byte(a.Doc), a.Path)
	case a.How == "many":
		r = gjson.GetMany(a.Doc, "nowhere", a.Path)[1]
	default:
		r = gjson.Get(a.Doc, a.Path)
	}
	out = answer{Exists: r.Exists(), Type: r.Type.String(), Raw: r.Raw, Str: r.Str, Index: r.Index}
	out.Path, out.Paths = r.Path(a.Doc), r.Paths(a.Doc)
	return out
}

func main() {
	var in struct {
		Nonce string
		Asks  []ask
	}
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	answers := make([]answer, len(in.Asks))
	for i, a := range in.Asks {
		answers[i] = look(a)
	}
	out, err := json.Marshal(answers)
	if err != nil {
		panic(err)
	}
	fmt.Printf("\n%s%s\n", in.Nonce, out)
}
"""

DOC = r"""{
  "shop": "north", "-1": "minus one", "1:3": "one to three",
  "orders": [
    {"id": 7, "items": ["pen", "ink \"]\\", "cup"], "total": 3.5},
    {"id": 8, "items": [], "total": 0, "-1": "inner"} ,
    {"id": 9, "items": ["mug"], "note": "a, [b], {c}"}
  ],
  "matrix": [[1, 2, 3], [4, 5], [6]],
  "none": [ ],
  "odd.key": {"list": [{"n": 1}, {"m": 2}, {"n": 3}]},
  "mixed": [null, true, "s", {"a": [1]}, [2, 3], -4.5e2 ]
}"""
LINES = '{"a": 1}\n{"a": 2, "b": [5, 6]}\n{"a": 3}\n'


@cache
def driver(run: Runner) -> str | Result:
    """The path of the driver, built on the candidate's tree; the compiler's result where it can't be built."""
    room = Path(tempfile.mkdtemp(prefix="driver-", dir="/tmp"))
    room.chmod(0o711)
    outbox = room / "out"
    outbox.mkdir()
    os.chown(outbox, run.uid, run.gid)
    built = run.command(
        ["/bin/sh", "-c", f'main=$PWD/main.go; cd {run.tree} && go build -buildvcs=false -o {outbox}/driver "$main"'],
        files={"main.go": DRIVER},
        timeout=240,
        env={
            "GOFLAGS": "-mod=vendor",
            "GOTOOLCHAIN": "local",
            "GOPROXY": "off",
            "GOCACHE": "/home/agent/.cache/go-build",
        },
    )
    if built.code != 0:
        return built
    # From here on the candidate's processes can't touch it. A link would lead root elsewhere.
    with os.fdopen(os.open(outbox / "driver", os.O_RDONLY | os.O_NOFOLLOW), "rb") as source:
        (room / "driver").write_bytes(source.read())
    (room / "driver").chmod(0o755)
    shutil.rmtree(outbox)
    return str(room / "driver")


def look(run: Runner, *asks: tuple[str, str] | dict[str, str]) -> list[dict[str, Any]]:
    """What gjson finds, for pairs of document and path."""
    program = driver(run)
    assert isinstance(program, str), f"the driver does not compile: {program.stderr[-1500:]}"
    nonce = secrets.token_hex(8)
    given = [ask if isinstance(ask, dict) else {"Doc": ask[0], "Path": ask[1]} for ask in asks]
    done = run.command([program], stdin=json.dumps({"Nonce": nonce, "Asks": given}))
    answers: list[dict[str, Any]] = replace(done, nonce=nonce).json()
    for ask, answer in zip(given, answers, strict=True):
        assert not answer["Panic"], f"{ask['Path']} panics: {answer['Panic']}"
    return answers


def finds(run: Runner, wanted: dict[str, object], doc: str = DOC) -> None:
    """Each path leads to this value; ... stands for nothing at all."""
    for path, answer in zip(wanted, look(run, *((doc, path) for path in wanted)), strict=True):
        if wanted[path] is ...:
            assert not answer["Exists"], f"{path}: wanted nothing, found {answer['Raw']!r}"
        else:
            assert answer["Exists"], f"{path}: wanted {wanted[path]!r}, found nothing"
            equal(json.loads(answer["Raw"]), wanted[path], path)


# --- the first message: counting from the end ----------------------------------------------------------------------


@case(turn=0)
def elements_from_the_end(run: Runner) -> None:
    finds(
        run,
        {
            "mixed.-1": -450.0,
            "mixed.-2": [2, 3],
            "mixed.-3": {"a": [1]},
            "mixed.-4": "s",
            "mixed.-5": True,
            "mixed.-6": None,
        },
    )
    string, number = look(run, (DOC, "orders.0.items.-2"), (' [ 1, "x" , 20 ]', "-1"))
    equal((string["Type"], string["Str"]), ("String", 'ink "]\\'))
    equal((number["Type"], number["Raw"]), ("Number", "20"))


@case(turn=0)
def in_the_middle_of_a_path(run: Runner) -> None:
    finds(
        run,
        {
            "orders.-1.id": 9,
            "orders.-3.items.-1": "cup",
            "matrix.-2.-2": 4,
            "mixed.-3.a.-1": 1,
            "orders|-2|total": 0,
            "ord*.-1.n?te": "a, [b], {c}",
        },
    )


@case(turn=0)
def beyond_the_first(run: Runner) -> None:
    finds(
        run,
        {
            "mixed.-6": None,
            "mixed.-7": ...,
            "none.-1": ...,
            "orders.-2.items.-1": ...,
            "shop.-1": ...,
            "matrix.-4.0": ...,
            "mixed.-9223372036854775809": ...,
            "mixed.-18446744073709551615": ...,
            "mixed.-": ...,
            "mixed.-x": ...,
        },
    )


@case(turn=0)
def inside_other_paths(run: Runner) -> None:
    finds(
        run,
        {
            "orders.#.items.-1": ["cup", "mug"],
            "matrix.#.-1": [3, 5, 6],
            'orders.#(items.-1=="mug").id': 9,
            "matrix.#(-1>4)#": [[4, 5], [6]],
            "[matrix.-1.0,mixed.-1,none.-1]": [6, -450.0],
            '{"last":matrix.-1,"shop":shop}': {"last": [6], "shop": "north"},
            "matrix.@reverse.-1": [1, 2, 3],
        },
    )


@case(turn=0)
def last_of_json_lines(run: Runner) -> None:
    finds(run, {"..-1": {"a": 3}, "..-2.b.-1": 6, "..-3.a": 1, "..-4": ...}, doc=LINES)
    finds(run, {"..-1.a": 3, "..-3": {"a": 1}}, doc=LINES.rstrip())


@case(turn=0)
def where_it_was_found(run: Runner) -> None:
    paths = {
        "orders.-1.id": "orders.2.id",
        "orders.-3.items.-2": "orders.0.items.1",
        "matrix.-2": "matrix.1",
        "mixed.-6": "mixed.0",
        "odd\\.key.list.-1.n": "odd\\.key.list.2.n",
    }
    for path, answer in zip(paths, look(run, *((DOC, path) for path in paths)), strict=True):
        equal(answer["Path"], paths[path], f"Path of {path}")
        raw = answer["Raw"]
        equal(DOC[answer["Index"] : answer["Index"] + len(raw)], raw, f"document at the Index of {path}")
    (below,) = look(run, {"Doc": DOC, "Under": "orders", "Path": "-3.items.-1"})
    equal(below["Path"], "orders.0.items.2", "Path from a Result")


@case(turn=0)
def by_every_way_to_ask(run: Runner) -> None:
    path = "orders.-3.items.-2"
    answers = look(
        run,
        {"Doc": DOC, "Path": path, "How": "bytes"},
        {"Doc": DOC, "Path": path, "How": "many"},
        {"Doc": DOC, "Path": "-3.items.-2", "Under": "orders"},
    )
    equal([answer["Str"] for answer in answers], ['ink "]\\'] * 3)


# --- turn 2: slices ------------------------------------------------------------------------------------------------


@case(turn=2)
def bounds_as_in_python(run: Runner) -> None:
    numbers = list(range(10, 16))
    doc = json.dumps({"n": numbers})
    ends = ["", "-9", "-6", "-2", "0", "1", "4", "6", "99", "99999999999999999999"]
    wanted: dict[str, object] = {}
    for start in ends:
        for end in ends:
            part = numbers[int(start) if start else None : int(end) if end else None]
            if part:
                wanted[f"n.{start}:{end}"] = part
    finds(run, wanted, doc=doc)


@case(turn=2)
def slices_of_any_elements(run: Runner) -> None:
    finds(
        run,
        {
            "mixed.:": [None, True, "s", {"a": [1]}, [2, 3], -450.0],
            "mixed.2:-1": ["s", {"a": [1]}, [2, 3]],
            "orders.0.items.1:": ['ink "]\\', "cup"],
            "orders.-1:": [{"id": 9, "items": ["mug"], "note": "a, [b], {c}"}],
            "orders.-3.items.:1": ["pen"],
        },
    )
    finds(run, {"1:": [2, [3]], ":-1": ["1", 2]}, doc=' ["1", 2 , [3]] ')
    (kind,) = look(run, {"Doc": DOC, "Path": "orders.0.items.:2", "How": "bytes"})
    equal((kind["Type"], json.loads(kind["Raw"])), ("JSON", ["pen", 'ink "]\\']))


@case(turn=2)
def pipes_take_the_whole_slice(run: Runner) -> None:
    finds(
        run,
        {
            "matrix.:2|1": [4, 5],
            "matrix.1:|#": 2,
            "orders.:2.id|-1": 8,
            "matrix.:2|@flatten": [1, 2, 3, 4, 5],
            "orders.1:.id|@reverse|0": 9,
        },
    )


@case(turn=2)
def slices_inside_other_paths(run: Runner) -> None:
    finds(
        run,
        {
            "matrix.#.:1": [[1], [4], [6]],
            "orders.#(id==7).items.-2:": ['ink "]\\', "cup"],
            "orders.#(total<9)#.id|1:": [8],
            '{"rows":matrix.1:}': {"rows": [[4, 5], [6]]},
            "matrix.@reverse.:2": [[6], [4, 5]],
        },
    )
    finds(run, {"..1:": [{"a": 2, "b": [5, 6]}, {"a": 3}], "..:-1.a": [1, 2], "..-2:|0.b.:1": [5]}, doc=LINES)


@case(turn=2)
def what_is_no_slice(run: Runner) -> None:
    finds(
        run,
        {
            "mixed.1:2": [True],
            "mixed.1:x": ...,
            "mixed.a:2": ...,
            "mixed.--1:": ...,
            "shop.:2": ...,
            "odd\\.key.:1": ...,
        },
    )


@case(turn=2)
def the_rest_goes_for_each_element(run: Runner) -> None:
    finds(
        run,
        {
            "orders.:2.id": [7, 8],
            "orders.-2:.items.0": ["mug"],
            "orders.1:.total": [0],
            "matrix.:2.-1": [3, 5],
            "matrix.:2.1:": [[2, 3], [5]],
            "orders.:2.items.#": [3, 0],
            'orders.:.items.#(%"*u*")': ["cup", "mug"],
        },
    )


@case(turn=2)
def the_rest_may_select_and_modify(run: Runner) -> None:
    finds(
        run,
        {
            "orders.:2.[id,total]": [[7, 3.5], [8, 0]],
            'orders.1:.{"n":id}': [{"n": 8}, {"n": 9}],
            "matrix.:2.@reverse": [[3, 2, 1], [5, 4]],
        },
    )


# --- turn 3: nothing in it is nothing at all -----------------------------------------------------------------------


@case(turn=3)
def empty_slices_do_not_exist(run: Runner) -> None:
    finds(
        run,
        {
            "mixed.5:": [-450.0],
            "mixed.6:9": ...,
            "mixed.3:1": ...,
            "mixed.2:2": ...,
            "mixed.-1:-3": ...,
            "none.:": ...,
            "orders.1.items.0:": ...,
        },
    )


@case(turn=3)
def nothing_behind_an_empty_slice(run: Runner) -> None:
    finds(
        run,
        {
            "orders.2:.id": [9],
            "orders.3:.id": ...,
            "none.:1.id": ...,
            "none.:1.#": ...,
            "matrix.7:.:": ...,
        },
    )
    finds(run, {"..2:": [{"a": 3}], "..3:": ..., "..3:.a": ...}, doc=LINES)


@case(turn=3)
def empty_slices_are_left_out(run: Runner) -> None:
    finds(
        run,
        {
            "matrix.#.2:": [[3]],
            "matrix.:.1:": [[2, 3], [5]],
            "orders.#.items.1:": [['ink "]\\', "cup"]],
            '{"some":matrix.2:,"none":none.:,"shop":shop}': {"some": [[6]], "shop": "north"},
            "matrix.#(1:)#": [[1, 2, 3], [4, 5]],
            "none.#.id": [],
        },
    )


# --- turn 4: Paths -------------------------------------------------------------------------------------------------


def leads_back(run: Runner, wanted: dict[str, list[str]], under: str = "") -> None:
    """Paths of what is found at each path."""
    asks = [{"Doc": DOC, "Path": path, "Under": under} for path in wanted]
    for path, answer in zip(wanted, look(run, *asks), strict=True):
        equal(answer["Paths"], wanted[path], f"Paths of {path}")


@case(turn=4)
def paths_of_the_elements(run: Runner) -> None:
    leads_back(
        run,
        {
            "mixed.-3:": ["mixed.3", "mixed.4", "mixed.5"],
            "mixed.:3": ["mixed.0", "mixed.1", "mixed.2"],
            "orders.0.items.1:2": ["orders.0.items.1"],
            "odd\\.key.list.1:": ["odd\\.key.list.1", "odd\\.key.list.2"],
        },
    )


@case(turn=4)
def paths_behind_a_slice(run: Runner) -> None:
    leads_back(
        run,
        {
            "orders.:.items.0": ["orders.0.items.0", "orders.2.items.0"],
            "matrix.:2.1": ["matrix.0.1", "matrix.1.1"],
            "odd\\.key.list.-2:.n": ["odd\\.key.list.2.n"],
        },
    )


@case(turn=4)
def paths_from_a_result(run: Runner) -> None:
    leads_back(run, {"list.1:": ["odd\\.key.list.1", "odd\\.key.list.2"]}, under="odd\\.key")
    leads_back(run, {"-2:.id": ["orders.1.id", "orders.2.id"], ":1": ["orders.0"]}, under="orders")


# --- turn 5: colons in brackets ------------------------------------------------------------------------------------


@case(turn=5)
def slices_in_brackets(run: Runner) -> None:
    finds(
        run,
        {
            "[matrix.0.:2,shop]": [[1, 2], "north"],
            "[orders.-2:.id,nowhere,mixed.1:2]": [[8, 9], [True]],
            "[[matrix.2:,shop],orders.0.items.-1:]": [[[[6]], "north"], ["cup"]],
            "matrix.#.[0,:1]": [[1, [1]], [4, [4]], [6, [6]]],
        },
    )


@case(turn=5)
def brackets_within_braces_and_back(run: Runner) -> None:
    finds(
        run,
        {
            '{"a":[matrix.:1,shop],"b":matrix.2:}': {"a": [[[1, 2, 3]], "north"], "b": [[6]]},
            '[{"a":matrix.0.1:,s:shop},mixed.-1:]': [{"a": [2, 3], "s": "north"}, [-450.0]],
        },
    )


# --- what must stay as it was --------------------------------------------------------------------------------------

PEOPLE = """{
  "name": {"first": "Tom", "last": "Anderson"}, "age":37, "children": ["Sara","Alex","Jack"], "fav.movie": "Deer",
  "friends": [
    {"first": "Dale", "last": "Murphy", "age": 44, "nets": ["ig", "fb", "tw"]},
    {"first": "Roger", "last": "Craig", "age": 68, "nets": ["fb", "tw"]},
    {"first": "Jane", "last": "Murphy", "age": 47, "nets": ["ig", "tw"]}
  ]
}"""


@case(turn=0, kind="p2p")
def documented_paths(run: Runner) -> None:
    finds(
        run,
        {
            "name.last": "Anderson",
            "children.#": 3,
            "children.1": "Alex",
            "children.3": ...,
            "child*.2": "Jack",
            "c?ildren.0": "Sara",
            "fav\\.movie": "Deer",
            "friends.#.first": ["Dale", "Roger", "Jane"],
            "friends.#.nope": [],
            'friends.#(last=="Murphy").first': "Dale",
            'friends.#(last=="Murphy")#.first': ["Dale", "Jane"],
            'friends.#(last=="Nobody")#': [],
            "friends.#(age>45)#.last": ["Craig", "Murphy"],
            'friends.#(nets.#(=="fb"))#.first': ["Dale", "Roger"],
        },
        doc=PEOPLE,
    )
    finds(run, {"..#": 3, "..1.a": 2, "..#.a": [1, 2, 3], "..3": ...}, doc=LINES)


@case(turn=0, kind="p2p")
def positions_of_results(run: Runner) -> None:
    several, one = look(run, (PEOPLE, 'friends.#(last=="Murphy")#.first'), (PEOPLE, "friends.1.nets.1"))
    equal(several["Paths"], ["friends.0.first", "friends.2.first"])
    equal(one["Path"], "friends.1.nets.1")
    equal(PEOPLE[one["Index"] :][:4], '"tw"')
    (counted,) = look(run, (PEOPLE, "friends.#.nets.0"))
    equal(counted["Paths"], ["friends.0.nets.0", "friends.1.nets.0", "friends.2.nets.0"])


@case(turn=0, kind="p2p")
def keys_that_look_like_indexes(run: Runner) -> None:
    finds(run, {"-1": "minus one", "1:3": "one to three", "orders.1.-1": "inner", "-*": "minus one", "-2": ...})
    doc = '{"a": {"-2": {"b": 1}, ":": {"b": 2}, "0:1": [3]}, ":2": 4}'
    finds(run, {"a.-2.b": 1, "a.:.b": 2, "a.0:1.0": 3, ":2": 4, "a.-1": ..., "a.1:": ...}, doc=doc)


@case(turn=0, kind="p2p")
def names_in_braces(run: Runner) -> None:
    finds(
        run,
        {
            '{"q1":age,name.last}': {"q1": 37, "last": "Anderson"},
            "{q1:age,n2:children.0}": {"q1": 37, "n2": "Sara"},
            '{"a.1":children.1,"x:y":age}': {"a.1": "Alex", "x:y": 37},
            'friends.1.{"f":first,"n":nets.0}': {"f": "Roger", "n": "fb"},
            '{"in":{"a9":age}}': {"in": {"a9": 37}},
        },
        doc=PEOPLE,
    )


@case(turn=0, kind="p2p")
def selectors_and_modifiers(run: Runner) -> None:
    finds(
        run,
        {
            "[children.0,age,nope]": ["Sara", 37],
            "children.@reverse": ["Jack", "Alex", "Sara"],
            "children.@reverse.0": "Jack",
            "friends.#.first|@reverse|0": "Jane",
            "friends.0.nets|1": "fb",
            'name.@pretty:{"indent":"","sortKeys":true}': {"first": "Tom", "last": "Anderson"},
            "[name.@keys,name.@values]": [["first", "last"], ["Tom", "Anderson"]],
        },
        doc=PEOPLE,
    )


@case(turn=0, kind="p2p")
def broken_documents_do_not_panic(run: Runner) -> None:
    documents = [DOC[:length] for length in range(0, len(DOC), 7)] + [
        "[",
        "[[",
        "[,",
        "[1",
        '["',
        '["\\',
        "[}",
        "[]]",
        "[:",
        "",
    ]
    paths = [
        "orders.1.id",
        "mixed.-1",
        "orders.-1.items.-1",
        "-1",
        "matrix.1:",
        ":",
        "orders.:2.items.0",
        "..-1",
        "..1:",
    ]
    look(run, *((document, path) for document in documents for path in paths))
