"""Version constraints with "||" in them: texts go in; what they allow, say and share comes out."""

import base64
import json
import secrets
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from harness import Runner, case, equal

# A constraint is asked for as a text (NewConstraint), as None (no constraints at all), or as one of these around others:
# {"append": [...]}, {"sorted": ...}, {"lock": ...} (written to JSON and read back), {"again": ...} (String, NewConstraint).
PROGRAM = r"""
package main

import (
	"encoding/json"
	"fmt"
	"io/ioutil"
	"os"
	"sort"

	"github.com/hashicorp/go-version"
)

type module struct {
	Name  string
	Wants version.Constraints
	Also  *version.Constraints
	Deps  map[string]version.Constraints
}

type question struct {
	Op       string
	Of, With json.RawMessage
	Versions []string
}

type answer struct {
	Value          interface{}
	Refused, Panic string
}

func make1(raw json.RawMessage) (version.Constraints, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] == '"' {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
		return version.NewConstraint(text)
	}
	var wrapped map[string]json.RawMessage
	if err := json.Unmarshal(raw, &wrapped); err != nil {
		return nil, err
	}
	if parts, ok := wrapped["append"]; ok {
		var list []json.RawMessage
		if err := json.Unmarshal(parts, &list); err != nil {
			return nil, err
		}
		var all version.Constraints
		for i, part := range list {
			cs, err := make1(part)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				all = cs
			} else {
				all = append(all, cs...)
			}
		}
		return all, nil
	}
	if inner, ok := wrapped["sorted"]; ok {
		cs, err := make1(inner)
		sort.Sort(cs)
		return cs, err
	}
	if inner, ok := wrapped["again"]; ok {
		cs, err := make1(inner)
		if err != nil {
			return nil, err
		}
		return version.NewConstraint(cs.String())
	}
	if inner, ok := wrapped["lock"]; ok {
		cs, err := make1(inner)
		if err != nil {
			return nil, err
		}
		file, err := json.Marshal(module{"m", cs, &cs, map[string]version.Constraints{"d": cs}})
		if err != nil {
			return nil, err
		}
		var back module
		if err := json.Unmarshal(file, &back); err != nil {
			return nil, err
		}
		if back.Also == nil {
			back.Also = &version.Constraints{}
		}
		if back.Also.String() != back.Wants.String() || back.Deps["d"].String() != back.Wants.String() {
			return nil, fmt.Errorf("fields of one value differ in %s", file)
		}
		return back.Wants, nil
	}
	return nil, fmt.Errorf("asked for %s", raw)
}

func ask(q question) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Panic: fmt.Sprint(r)}
		}
	}()
	if q.Op == "read" {
		var back module
		err := json.Unmarshal([]byte(fmt.Sprintf(`{"Wants": %s}`, q.Of)), &back)
		if err != nil {
			return answer{Refused: err.Error()}
		}
		return answer{Value: back.Wants.String()}
	}
	of, err := make1(q.Of)
	if err != nil {
		return answer{Refused: err.Error()}
	}
	with, err := make1(q.With)
	if err != nil {
		return answer{Refused: err.Error()}
	}
	switch q.Op {
	case "check":
		passed := []string{}
		for _, text := range q.Versions {
			if of.Check(version.Must(version.NewVersion(text))) {
				passed = append(passed, text)
			}
		}
		a.Value = passed
	case "string":
		a.Value = of.String()
	case "equals":
		a.Value = []bool{of.Equals(with), with.Equals(of)}
	case "overlaps":
		one, ok := interface{}(&of).(interface {
			Overlaps(version.Constraints) bool
		})
		other, also := interface{}(&with).(interface {
			Overlaps(version.Constraints) bool
		})
		if !ok || !also {
			return answer{Refused: "there is no Overlaps"}
		}
		a.Value = []bool{one.Overlaps(with), other.Overlaps(of)}
	case "write":
		file, err := json.Marshal(module{Wants: of})
		if err != nil {
			return answer{Refused: err.Error()}
		}
		var fields map[string]interface{}
		if err := json.Unmarshal(file, &fields); err != nil {
			return answer{Refused: err.Error()}
		}
		a.Value = fields["Wants"]
	case "elements":
		list := [][]interface{}{}
		for _, c := range of {
			list = append(list, []interface{}{c.String(), c.Prerelease()})
		}
		a.Value = list
	case "versions":
		var list version.Collection
		for _, text := range q.Versions {
			v, err := version.NewVersion(text)
			if err != nil {
				return answer{Refused: err.Error()}
			}
			list = append(list, v)
		}
		sort.Sort(list)
		file, err := json.Marshal(list)
		if err != nil {
			return answer{Refused: err.Error()}
		}
		var back []*version.Version
		if err := json.Unmarshal(file, &back); err != nil {
			return answer{Refused: err.Error()}
		}
		texts := []string{}
		for _, v := range back {
			texts = append(texts, v.String())
		}
		a.Value = texts
	}
	return a
}

func main() {
	text, err := ioutil.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	var asked struct {
		Mark      string
		Questions []question
	}
	if err := json.Unmarshal(text, &asked); err != nil {
		panic(err)
	}
	answers := []answer{}
	for _, q := range asked.Questions {
		answers = append(answers, ask(q))
	}
	out, err := json.Marshal(answers)
	if err != nil {
		panic(err)
	}
	fmt.Printf("\n%s%s\n", asked.Mark, out)
}
"""

type Asked = str | dict[str, Any] | None


@cache
def built(run: Runner) -> tuple[str, str]:
    """Where the program lies, built on the candidate's tree and out of its reach; or why there is none."""
    script = 'main=$PWD/main.go; cd "$0" && go build -buildvcs=false -ldflags="-s -w" -o "${main%.go}" "$main" && base64 "${main%.go}"'
    settings = {"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOCACHE": "/home/agent/.cache/go-build"}
    made = run.command(["/bin/sh", "-c", script, run.tree], files={"main.go": PROGRAM}, env=settings, timeout=240)
    if made.code != 0:
        return "", made.stderr[-1500:]
    place = Path(tempfile.mkdtemp(prefix="asks-", dir="/tmp"))
    place.chmod(0o755)
    program = place / "asks"
    program.write_bytes(base64.b64decode(made.stdout))
    program.chmod(0o755)
    return str(program), ""


def ask(run: Runner, *questions: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers: Value, or why it was Refused. A panic fails the case."""
    program, why = built(run)
    assert program, f"it does not compile: {why}"
    mark = secrets.token_hex(8)
    done = run.command([program], stdin=json.dumps({"Mark": mark, "Questions": questions}))
    answers: list[dict[str, Any]] = replace(done, nonce=mark).json()
    for question, answer in zip(questions, answers, strict=True):
        assert not answer["Panic"], f"{question} panics: {answer['Panic']}"
    return answers


def values(run: Runner, *questions: dict[str, Any]) -> list[Any]:
    """The values, none refused."""
    answers = ask(run, *questions)
    for question, answer in zip(questions, answers, strict=True):
        assert not answer["Refused"], f"{question}: {answer['Refused']}"
    return [answer["Value"] for answer in answers]


def allows(run: Runner, table: list[tuple[Asked, str, str]]) -> None:
    """Each constraint lets the first versions pass (space between them), and the second ones not."""
    questions = [{"Op": "check", "Of": of, "Versions": (good + " " + bad).split()} for of, good, bad in table]
    for (of, good, _), passed in zip(table, values(run, *questions), strict=True):
        equal(passed, good.split(), f"versions that pass {of}")


def same(run: Runner, wanted: bool, *pairs: tuple[Asked, Asked]) -> None:
    """Whether both are Equal, asked both ways."""
    found = values(run, *({"Op": "equals", "Of": one, "With": other} for one, other in pairs))
    for pair, answer in zip(pairs, found, strict=True):
        equal(answer, [wanted, wanted], f"Equals of {pair}")


def meet(run: Runner, wanted: bool, *pairs: tuple[Asked, Asked]) -> None:
    """Whether both overlap, asked both ways."""
    found = values(run, *({"Op": "overlaps", "Of": one, "With": other} for one, other in pairs))
    for pair, answer in zip(pairs, found, strict=True):
        equal(answer, [wanted, wanted], f"Overlaps of {pair}")


# --- the first message -----------------------------------------------------------------------------------------------


@case(turn=0)
def one_side_is_enough(run: Runner) -> None:
    allows(
        run,
        [
            (">= 1.0, < 1.5 || >= 2.1", "1.0 1.4.9 2.1 3", "0.9 1.5 2.0.9"),
            ("1.0||2.0||  = 3.0", "1.0.0 2 3.0", "1.1 4"),
            ("< 1 || > 2", "0.1 2.0.1", "1 1.5 2"),
            ("!= 1.0 || != 2.0", "1.0 2.0 3.0", ""),
            ("~> 1.2.3 || ~>0.9", "1.2.3 1.2.9 0.9 0.10.1", "1.2.2 1.3.0 0.8 1.0"),
        ],
    )


@case(turn=0)
def commas_bind_tighter(run: Runner) -> None:
    allows(
        run,
        [
            (">= 1, < 2 || >= 3, < 4, != 3.5 || 7", "1 1.9 3.4 7.0.0", "0.9 2 2.5 3.5 4 6"),
            ("> 5, < 4 || = 1", "1", "4 4.5 5 6"),
            ("= 1 || > 5, < 4", "1", "4 4.5 5 6"),
            ("> 1 || > 2, > 3", "1.5 2.5 3.5", "1 0"),
        ],
    )


@case(turn=0)
def prereleases_on_each_side(run: Runner) -> None:
    allows(
        run,
        [
            (">= 1.0.0-beta, < 1.0.0-rc || >= 2.0", "1.0.0-beta 1.0.0-beta2 2.0 2.1", "1.0.0-rc 1.0.0 2.1.0-beta"),
            ("~> 1.1.0-alpha || 1.0.0-rc", "1.1.0-alpha 1.1.0-beta 1.0.0-rc", "1.1.0 1.0.0"),
            ("< 1 || < 2.0.0-beta", "0.9 1.5 2.0.0-alpha", "2.0.0-rc 0.9.0-alpha 2.0"),
        ],
    )


@case(turn=0)
def sorting_changes_no_meaning(run: Runner) -> None:
    rows = [
        (">= 1.0, < 1.5 || >= 2.1", "1.0 1.4.9 2.1 3", "0.9 1.5 2.0.9"),
        ("7 || < 4, >= 3, != 3.5 || < 2, >= 1", "1 1.9 3.4 7.0.0", "0.9 2 2.5 3.5 4 6"),
        ("> 2 || < 1, > 0.5", "0.6 2.5", "0.4 1 1.5 2"),
    ]
    allows(run, [({"sorted": text}, good, bad) for text, good, bad in rows])


@case(turn=0)
def equality_looks_at_the_sides(run: Runner) -> None:
    same(
        run,
        True,
        (">= 1.0, < 1.5 || >= 2.1", "<1.5,>=1.0.0||>=2.1"),
        ("1 || 2, != 3", "= 1.0 || !=3.0.0,2"),
        ("> 1 || > 2 || > 3", ">1||>2||>3"),
    )
    same(
        run,
        False,
        ("1 || 2", "1, 2"),
        ("1 || 2", "1"),
        ("1 || 2", "1 || 2 || 3"),
        ("> 1, < 2 || > 3", "> 1 || < 2, > 3"),
        ("> 1, > 2 || > 3, > 4", "> 1, > 3 || > 2, > 4"),
        ("1 || 1", "1 || 2"),
        ("1 || 2 || 2", "1 || 1 || 2"),
        ("1 || 2", None),
    )


@case(turn=0)
def string_is_what_was_written(run: Runner) -> None:
    texts = [
        ">= 1.0, < 1.5 || >= 2.1",
        ">=1.0,<1.5||>=2.1",
        "  1 ||2.0||   =3.0,!=  4 ",
        "v1.2 || ~> 1.02.0-beta+build.7 , 5",
        "1 || 1",
    ]
    equal(values(run, *({"Op": "string", "Of": text} for text in texts)), texts)


@case(turn=0)
def string_reads_back(run: Runner) -> None:
    allows(
        run,
        [
            ({"again": ">= 1, < 2 || >= 3, < 4, != 3.5 || 7"}, "1 1.9 3.4 7.0.0", "0.9 2 2.5 3.5 4 6"),
            ({"again": {"sorted": "> 2 || < 1, > 0.5"}}, "0.6 2.5", "0.4 1 1.5 2"),
        ],
    )


# --- turn 2: the lock file -------------------------------------------------------------------------------------------


@case(turn=2)
def lock_file_holds_one_text(run: Runner) -> None:
    texts = [">= 1.0, < 2", "1", ">= 1.0, < 1.5 || >= 2.1", "1 || 2 || 3"]
    equal(values(run, *({"Op": "write", "Of": text} for text in texts)), texts)


@case(turn=2)
def lock_file_gives_sides_back(run: Runner) -> None:
    text = ">= 1, < 2 || >= 3, < 4, != 3.5 || 7"
    allows(run, [({"lock": text}, "1 1.9 3.4 7.0.0", "0.9 2 2.5 3.5 4 6")])
    same(run, True, ({"lock": text}, text), ({"lock": "~> 1.2 || 3.0.0-beta"}, "~>1.2 || 3.0.0-beta"))
    equal(values(run, {"Op": "string", "Of": {"lock": text}}), [text])


@case(turn=2)
def lock_file_gives_plain_ones_back(run: Runner) -> None:
    allows(run, [({"lock": ">= 1.0, < 2, != 1.3"}, "1.0 1.4", "0.9 1.3 2")])
    same(run, True, ({"lock": ">= 1.0, < 2"}, "<2, >=1.0.0"))
    equal(
        values(run, {"Op": "elements", "Of": {"lock": ">= 1, < 2.0.0-rc"}}), [[[">= 1", False], [" < 2.0.0-rc", True]]]
    )


@case(turn=2)
def lock_file_of_a_module_without_any(run: Runner) -> None:
    asked = [{"Op": "write", "Of": None}, {"Op": "write", "Of": "1"}, {"Op": "elements", "Of": {"lock": None}}]
    written, other, elements = values(run, *asked)
    equal((written or "", other, elements), ("", "1", []))
    allows(run, [({"lock": None}, "0 1.0 99", "")])
    same(run, True, ({"lock": None}, None))


@case(turn=2)
def lock_file_is_not_believed_blindly(run: Runner) -> None:
    asked = ['">= 1 || < 0.5"', '"1, 2"', '"one"', '"1 || two"', '">= 1 < 2"', "7"]
    answers = ask(run, *({"Op": "read", "Of": json.loads(text)} for text in asked))
    equal([bool(answer["Refused"]) for answer in answers], [False, False, True, True, True, True])


# --- turn 3: appended to each other ----------------------------------------------------------------------------------

TWO = {"append": ["< 2 || >= 3", "< 2.5"]}


@case(turn=3)
def appended_means_both(run: Runner) -> None:
    rows = [
        ({"append": ["< 2 || >= 3", "< 2.5"]}, "1 1.9", "2 2.4 3.1"),
        ({"append": ["< 2.5", "< 2 || >= 3"]}, "1 1.9", "2 2.4 3.1"),
        ({"append": [">= 1", "1.5 || 2.5, != 2.6 || 0.5", "< 2"]}, "1.5", "0.5 1 2.5"),
        ({"append": [">= 1, < 2", "!= 1.5"]}, "1 1.6", "1.5 2"),
    ]
    allows(run, rows)


@case(turn=3)
def appended_with_sides_on_both(run: Runner) -> None:
    both: Asked = {"append": ["< 2 || >= 3", "> 1, < 4 || 0.5 || 5"]}
    three: Asked = {"append": ["1 || 2 || 3", "2 || 3 || 4", "3 || 4 || 1"]}
    rows: list[tuple[Asked, str, str]] = [(both, "0.5 1.5 3 3.9 5", "0.6 1 2 2.5 4 6"), (three, "3", "1 2 4")]
    allows(run, rows + [({"sorted": of}, good, bad) for of, good, bad in rows])


@case(turn=3)
def appended_reads_back(run: Runner) -> None:
    rows: list[tuple[Asked, str, str]] = [
        (TWO, "1 1.9", "2 2.4 3.1"),
        ({"append": ["< 2.5, > 1", "< 2 || >= 3"]}, "1.1 1.9", "1 2 2.4 3.1"),
        ({"append": ["< 2 || >= 3", "> 1, < 4 || 0.5 || 5"]}, "0.5 1.5 3 3.9 5", "0.6 1 2 2.5 4 6"),
        ({"append": ["1 || 2 || 3", "2 || 3 || 4", "3 || 4 || 1"]}, "3", "1 2 4"),
    ]
    allows(run, [({"again": of}, good, bad) for of, good, bad in rows])


@case(turn=3)
def appended_goes_through_the_lock_file(run: Runner) -> None:
    allows(
        run,
        [
            ({"lock": TWO}, "1 1.9", "2 2.4 3.1"),
            ({"lock": {"append": ["1 || 2", "2 || 3", None]}}, "2", "1 3"),
            ({"append": [{"lock": "1 || 2"}, {"lock": "2 || 3"}]}, "2", "1 3"),
            ({"lock": {"append": [TWO, TWO]}}, "1 1.9", "2 2.4 3.1"),
        ],
    )


@case(turn=3)
def appended_in_any_order_is_equal(run: Runner) -> None:
    same(
        run,
        True,
        ({"append": ["< 2 || >= 3", "< 2.5"]}, {"append": ["< 2.5", "< 2 || >= 3"]}),
        ({"append": ["< 2 || >= 3", "< 2.5", "> 1"]}, {"append": ["> 1, < 2.5", "< 2 || >= 3"]}),
    )
    same(
        run,
        False,
        ({"append": ["< 2 || >= 3", "< 2.5"]}, "< 2 || >= 3"),
        ({"append": ["< 2 || >= 3", "< 2.5"]}, {"append": ["< 2 || >= 3", "< 2.6"]}),
        ({"append": ["< 2 || >= 3", "< 2.5"]}, "< 2 || >= 3, < 2.5"),
        ({"append": ["< 2 || >= 3", "< 2.5"]}, "< 2, < 2.5 || >= 3"),
    )


# --- turn 4: whether two go together ---------------------------------------------------------------------------------


@case(turn=4)
def ranges_that_meet(run: Runner) -> None:
    meet(
        run,
        True,
        (">= 1.0, < 2", ">= 1.5"),
        (">= 1.0", "<= 1.0.0"),
        ("= 1.2", ">= 1, < 2"),
        ("< 0.0.1", "< 5"),
        ("1.0", "= 1.0.0.0"),
        ("> 9223372036854775807", ">= 1"),
    )
    meet(
        run,
        False,
        ("< 1", ">= 1"),
        ("> 1.0", "<= 1.0.0"),
        ("= 1.2", "= 1.3"),
        (">= 1.0, < 2", ">= 2, < 3"),
        ("1.2", "!= 1.2.0"),
    )


@case(turn=4)
def versions_of_any_length(run: Runner) -> None:
    meet(
        run,
        True,
        ("> 1.0.0", "< 1.0.1"),
        ("> 1.2, < 1.2.0.1", "> 0"),
        ("> 1.0.0.9", "< 1.0.1"),
        ("> 0", "< 0.0.0.1"),
        ("> 1, != 1.0.0.1", "< 1.0.0.2, != 1.0.0.0.1"),
    )
    meet(run, False, ("> 1.0.0.9", "< 1.0.0.9"), ("> 1.0.0.1", "<= 1.0.0.1"))


@case(turn=4)
def what_excludes_itself(run: Runner) -> None:
    meet(
        run,
        False,
        ("< 0", ">= 0"),
        ("< 0", "< 1"),
        ("> 2, < 1", "> 0"),
        ("1, 2", None),
        ("1, != 1", "1"),
        ("< 0 || > 2, < 1", None),
        ("> 1, < 3", "< 2, > 2.5 || 3"),
    )
    meet(run, True, (None, None), (None, "> 7"), ("< 0 || 4", None))


@case(turn=4)
def pessimistic_and_excluded(run: Runner) -> None:
    meet(
        run,
        True,
        ("~> 1.2", ">= 1.9"),
        ("~> 1.2.3", "> 1.2.99"),
        ("~> 1", "> 7"),
        ("~> 1.2.3.4", "~> 1.2.3"),
        (">= 1, <= 2", "!= 1, != 2"),
        (">= 1.0, != 1.0", "!= 1.5, < 2"),
    )
    meet(
        run,
        False,
        ("~> 1.2", ">= 2"),
        ("~> 1.2", "< 1.2"),
        ("~> 1.2.3", ">= 1.3"),
        ("~> 1.2.3", "~> 1.3.0"),
        (">= 1, <= 1", "!= 1"),
        ("~> 1.2.3.4", "< 1.2.3.4 || > 1.2.4"),
    )


@case(turn=4)
def sides_that_meet(run: Runner) -> None:
    meet(
        run,
        True,
        ("1 || 2", "2 || 3"),
        ("< 1 || > 5", "> 4, < 4.5 || 6"),
        (">= 1, < 2 || >= 3, < 4", "> 1.9, < 3 || 9"),
        ("~> 1.2 || ~> 3.1", ">= 3.9"),
    )
    meet(
        run,
        False,
        ("1 || 2", "3 || 4"),
        (">= 1, < 2 || >= 3, < 4", ">= 2, < 3 || >= 4"),
        ("< 1 || > 5", "!= 6, >= 1, <= 5"),
        ("> 1, < 2 || > 3", "< 1 || < 3, > 2"),
    )


@case(turn=4)
def appended_ones_that_meet(run: Runner) -> None:
    meet(run, True, (TWO, "> 1.5"), ({"append": ["1 || 2", "2 || 3"]}, "2"), (TWO, {"append": ["> 1", "> 1.1 || 0"]}))
    meet(
        run,
        False,
        (TWO, ">= 3"),
        (TWO, ">= 2"),
        ({"append": ["1 || 2", "2 || 3"]}, "1 || 3"),
        ({"append": ["1 || 2", "3 || 4"]}, None),
    )


@case(turn=4)
def prereleases_that_meet(run: Runner) -> None:
    meet(
        run,
        True,
        (">= 1.0.0-beta", "< 1.0.0-rc"),
        ("> 1.0.0-beta", "< 1.0.0-rc"),
        ("> 1.0.0-beta.1", "< 1.0.0-beta.2"),
        (">= 1.0.0-beta", "= 1.0.0"),
        (">= 1.0.0-beta", ">= 1.1.0-beta"),
        ("< 1.0.0-beta", "< 2.0.0-beta"),
        ("!= 1.0.0", "= 1.0.0-beta"),
        ("~> 1.0.0-beta", "1.0.0-rc"),
    )
    meet(run, False, ("> 1.0.0-rc", "< 1.0.0-beta"), ("> 1.0.0-beta.2", "< 1.0.0-beta.1"))


@case(turn=4)
def prereleases_that_check_refuses(run: Runner) -> None:
    meet(
        run,
        False,
        (">= 1.0.0-beta", "< 1.0.0"),
        ("~> 1.0.0-beta", ">= 1.0.0"),
        (">= 1.0.0-beta, < 1.0.0-rc", ">= 2.0.0-beta, < 2.0.0-rc"),
        (">= 1.0.0-beta, < 1.0.0-rc", "> 0.9"),
        ("~> 1.0.0-beta", "~> 1.0.1-beta"),
        (">= 1.0.0-beta || >= 1.0.0-alpha", "> 0.9, < 1.0.0"),
        ("< 0", "0.0.0-alpha"),
    )


# --- turn 6: the first side comes first ------------------------------------------------------------------------------


@case(turn=6)
def sides_in_another_order_differ(run: Runner) -> None:
    same(
        run,
        False,
        ("1 || 2", "2 || 1"),
        (">= 2.1 || >= 1.0, < 1.5", ">= 1.0, < 1.5 || >= 2.1"),
        ("> 1 || > 2 || > 3", "> 1 || > 3 || > 2"),
        ("> 1 || > 2 || > 3", "> 2 || > 3 || > 1"),
    )
    same(run, True, (">= 2.1 || >= 1.0, < 1.5", ">=2.1 || <1.5, >=1"), ("1, 2", "2, 1"))


@case(turn=6)
def order_of_sides_outlives_sorting(run: Runner) -> None:
    texts = [">= 2.1 || >= 1.0, < 1.5", "3 || 2 || 1", "> 1, < 2 || < 1"]
    same(run, True, *(({"sorted": text}, text) for text in texts))
    same(run, False, ({"sorted": "3 || 2 || 1"}, "1 || 2 || 3"), ({"sorted": "< 1 || > 1, < 2"}, "> 1, < 2 || < 1"))


@case(turn=6)
def order_of_sides_outlives_the_lock_file(run: Runner) -> None:
    same(run, True, ({"lock": "3 || 2 || 1"}, "3 || 2 || 1"), ({"again": "> 2 || < 1, > 0"}, "> 2 || > 0, < 1"))
    same(run, False, ({"lock": "3 || 2 || 1"}, "1 || 2 || 3"), ({"again": "> 2 || < 1, > 0"}, "> 0, < 1 || > 2"))


# --- what must stay as it was ----------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def plain_constraints_check(run: Runner) -> None:
    allows(
        run,
        [
            (">= 1.0, < 1.2", "1.0 1.1.5", "0.9 1.2 1.3"),
            ("1.0", "1.0 1.0.0.0", "1.0.1"),
            ("!= 1.0", "1.0.1 0.9", "1.0 1.0.0"),
            ("<= 1.2.3.4", "1.2.3.4 1.2.3", "1.2.3.5"),
            ("> 1,<3,!= 2", "1.1 2.1", "1 2 3"),
            (None, "0 1.2.3-beta 7", ""),
        ],
    )


@case(turn=0, kind="p2p")
def pessimistic_constraints(run: Runner) -> None:
    allows(
        run,
        [
            ("~> 1.0", "1.0 1.9.9", "2.0 0.9"),
            ("~> 1.0.9", "1.0.9 1.0.10", "1.0.8 1.1"),
            ("~> 1.0.9.1", "1.0.9.1 1.0.9.7", "1.0.9 1.0.10"),
            ("~> 2", "2 3 99", "1.9"),
        ],
    )


@case(turn=0, kind="p2p")
def plain_strings_and_elements(run: Runner) -> None:
    texts = [">= 1.0, < 1.2", "1.0", "~>1.2 ,!=  1.3", " > 1.0.0-beta,<v2 "]
    equal(values(run, *({"Op": "string", "Of": text} for text in [*texts, None])), [*texts, ""])
    found = values(run, {"Op": "elements", "Of": ">= 1.0.0-rc, < 2,!=1.5"}, {"Op": "elements", "Of": "1"})
    equal(found, [[[">= 1.0.0-rc", True], [" < 2", False], ["!=1.5", False]], [["1", False]]])


@case(turn=0, kind="p2p")
def plain_equality_and_order(run: Runner) -> None:
    same(run, True, ("0.0.1", "=0.0.1"), (">= 1.0, <= 2.0", "<=2,>=1.0.0"), (None, None))
    same(run, False, (">0.1,>0.2", ">0.2"), ("1", "!=1"), ("1", None), ("1, 2", "1, 3"))
    ordered = values(run, {"Op": "string", "Of": {"sorted": "!=4,>2,<3,=1,>1"}})
    equal(ordered, ["<3,=1,>1,>2,!=4"])


@case(turn=0, kind="p2p")
def prereleases_as_documented(run: Runner) -> None:
    allows(
        run,
        [
            (">= 2.1.0-a", "2.1.0-beta 2.1.0 3.0", "2.2.0-beta 2.0.0-beta 2.0"),
            ("> 2.0", "2.1", "2.1.0-beta"),
            ("~> 2.1.0-a", "2.1.0-beta 2.1.0-a", "2.1.0 2.2.0-a 2.1.1"),
            ("1.0.0-beta.2", "1.0.0-beta.2", "1.0.0-beta.1 1.0.0"),
            ("< 1.0.0-rc.1", "1.0.0-beta 0.9", "1.0.0-rc.2 0.9.0-beta 1.0.0"),
        ],
    )


@case(turn=0, kind="p2p")
def malformed_constraints(run: Runner) -> None:
    texts = [
        "",
        " ",
        ",",
        "1,",
        ", 1",
        ">= 1.0,, < 2",
        ">=",
        "one",
        "1 2",
        "=> 1",
        "1.",
        "^1.0",
        "1 | 2",
        ">= 1 and < 2",
    ]
    answers = ask(run, *({"Op": "string", "Of": text} for text in texts))
    equal([text for text, answer in zip(texts, answers, strict=True) if not answer["Refused"]], [])


@case(turn=0, kind="p2p")
def malformed_sides(run: Runner) -> None:
    texts = [
        "||",
        "1 ||",
        "|| 1",
        "1 || || 2",
        "1 ||| 2",
        "1 |||| 2",
        "1, || 2",
        "1 || ,2",
        "1 || >=",
        "one || 2",
        "1 | | 2",
    ]
    answers = ask(run, *({"Op": "string", "Of": text} for text in texts))
    equal([text for text, answer in zip(texts, answers, strict=True) if not answer["Refused"]], [])


@case(turn=0, kind="p2p")
def versions_sort_and_read_back(run: Runner) -> None:
    texts = ["1.10", "v1.2", "1.0.0-beta.11", "1.0.0-beta.2", "1.0.0", "0.9+meta", "1.2.0.1"]
    wanted = ["0.9.0+meta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0", "1.2.0", "1.2.0.1", "1.10.0"]
    equal(values(run, {"Op": "versions", "Versions": texts}), [wanted])
