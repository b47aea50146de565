"""Exact remainders and fair splits of decimals: calls by method name go in, decimals come out as texts.

What is right is worked out with fractions.
"""

import base64
import functools
import gzip
import json
import os
import random
import secrets
import tempfile
from dataclasses import replace
from fractions import Fraction
from typing import Any

from harness import Runner, case, equal

# A line of input is one call, a JSON list of receiver, method and arguments. ["4", "="] sets DivisionPrecision instead.
CALLER = r"""
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"

	. "github.com/shopspring/decimal"
)

var ours = reflect.TypeOf(Decimal{})

func given(text string, as reflect.Type) reflect.Value {
	made := reflect.New(as).Elem()
	switch kind := as.Kind(); {
	case as == ours && text == "unset":
	case as == ours:
		made.Set(reflect.ValueOf(RequireFromString(text)))
	case kind >= reflect.Int && kind <= reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic(err)
		}
		made.SetInt(n)
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			panic(err)
		}
		made.SetUint(n)
	default:
		panic("an argument is of type " + as.String())
	}
	return made
}

func shown(v reflect.Value) interface{} {
	switch {
	case v.Type() == ours:
		return v.Interface().(Decimal).String()
	case v.Kind() == reflect.Slice:
		list := []interface{}{}
		for i := 0; i < v.Len(); i++ {
			list = append(list, shown(v.Index(i)))
		}
		return list
	}
	return v.Interface()
}

func call(words []string) (result map[string]interface{}) {
	defer func() {
		if why := recover(); why != nil {
			result = map[string]interface{}{"panic": fmt.Sprint(why)}
		}
	}()
	if words[1] == "=" {
		before := DivisionPrecision
		if words[0] != "" {
			DivisionPrecision = int(given(words[0], reflect.TypeOf(0)).Int())
		}
		return map[string]interface{}{"value": before}
	}
	method := given(words[0], ours).MethodByName(words[1])
	if !method.IsValid() {
		return map[string]interface{}{"panic": "there is no " + words[1]}
	}
	kind, in := method.Type(), []reflect.Value{}
	for i, word := range words[2:] {
		if last := kind.NumIn() - 1; i >= last && kind.IsVariadic() {
			in = append(in, given(word, kind.In(last).Elem()))
		} else {
			in = append(in, given(word, kind.In(i)))
		}
	}
	values := []interface{}{}
	for _, out := range method.Call(in) {
		if err, is := out.Interface().(error); is {
			return map[string]interface{}{"panic": err.Error()}
		}
		if out.Kind() != reflect.Interface {
			values = append(values, shown(out))
		}
	}
	if len(values) == 1 {
		return map[string]interface{}{"value": values[0]}
	}
	return map[string]interface{}{"value": values}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	lines.Scan()
	mark, results := lines.Text(), []interface{}{}
	for lines.Scan() {
		var words []string
		if err := json.Unmarshal(lines.Bytes(), &words); err != nil {
			panic(err)
		}
		results = append(results, call(words))
	}
	text, err := json.Marshal(results)
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString("\n" + mark + string(text) + "\n")
}
"""

MODULE = """module caller

go 1.13

require github.com/shopspring/decimal v0.0.0

replace github.com/shopspring/decimal => {}
"""

# The program comes back as text, since what the candidate's user could write root must not execute or follow.
COMPILE = "go build -trimpath -ldflags='-s -w' -o caller . >&2 && gzip -1 < caller | base64 -w 0"


@functools.cache
def caller(run: Runner) -> tuple[str, str]:
    """Where the compiled caller lies, and what the compiler said."""
    settings = {
        "GOTOOLCHAIN": "local",
        "GOPROXY": "off",
        "GOFLAGS": "-mod=mod",
        "GOCACHE": "/home/agent/.cache/go-build",
    }
    sources = {"main.go": CALLER, "go.mod": MODULE.format(run.tree)}
    done = run.command(["/bin/sh", "-c", COMPILE], files=sources, env=settings, timeout=240)
    if done.code != 0:
        return "", done.stderr[-1500:]
    handle, place = tempfile.mkstemp(prefix="caller-", dir="/tmp")
    with os.fdopen(handle, "wb") as program:
        program.write(gzip.decompress(base64.b64decode(done.stdout)))
        os.fchmod(handle, 0o755)
    return place, ""


def outcomes(run: Runner, *calls: list[str]) -> list[dict[str, Any]]:
    place, complaint = caller(run)
    assert place, f"a program that uses the package can't be built: {complaint}"
    mark = secrets.token_hex(8)
    text = "\n".join([mark, *map(json.dumps, calls)]) + "\n"
    return list(replace(run.command([place], stdin=text, timeout=60), nonce=mark).json())


def gives(run: Runner, *rows: tuple[str, object]) -> None:
    """Each call, written as its words, has this value; ... stands for any."""
    for (words, wanted), found in zip(rows, outcomes(run, *(words.split() for words, _ in rows)), strict=True):
        assert "value" in found, f"{words}: {found['panic']}"
        if wanted is not ...:
            equal(found["value"], wanted, words)


def values(run: Runner, calls: list[list[str]]) -> list[Any]:
    found = outcomes(run, *calls)
    for words, one in zip(calls, found, strict=True):
        assert "value" in one, f"{' '.join(words)}: {one['panic']}"
    return [one["value"] for one in found]


# --- what is right ----------------------------------------------------------------------------------------------------


def plain(x: Fraction) -> str:
    """The text of a decimal, without an exponent and without zeros at the end."""
    places = next(n for n in range(400) if (x * 10**n).denominator == 1)
    digits = str(abs(int(x * 10**places))).rjust(places + 1, "0")
    whole, behind = digits[: len(digits) - places], digits[len(digits) - places :]
    return ("-" if x < 0 else "") + whole + (f".{behind}" if behind else "")


def fair(d: Fraction, step: Fraction, weights: list[Fraction]) -> tuple[list[Fraction], Fraction]:
    """The parts in whole steps, and what is smaller than a step."""
    if d < 0:
        parts, rest = fair(-d, step, weights)
        return [-part for part in parts], -rest
    steps = d // step
    exact = [steps * weight / sum(weights) for weight in weights]
    counts = [int(share) for share in exact]
    order = sorted(range(len(weights)), key=lambda at: counts[at] - exact[at])
    for at in order[: int(steps) - sum(counts)]:
        counts[at] += 1
    return [count * step for count in counts], d - steps * step


def texts(parts: list[Fraction], rest: Fraction = Fraction(0), on: int = 0) -> list[str]:
    return [plain(part + rest * (at == on)) for at, part in enumerate(parts)]


def split(d: str, n: int, places: int) -> list[str]:
    return texts(*fair(Fraction(d), Fraction(10) ** -places, [Fraction(1)] * n))


# --- the first message: Mod -------------------------------------------------------------------------------------------


@case(turn=0)
def just_below_a_multiple(run: Runner) -> None:
    gives(
        run,
        ("0.99999999999999999 Mod 1", "0.99999999999999999"),
        ("7.99999999999999999999999 Mod 2", "1.99999999999999999999999"),
        ("0.29999999999999999999 Mod 0.1", "0.09999999999999999999"),
        ("899999999999999999999999 Mod 1e6", "999999"),
        ("59.9999999999999999994 Mod 12", "11.9999999999999999994"),
        ("1e-40 Mod 1", "0." + "0" * 39 + "1"),
    )


@case(turn=0)
def remainders_of_long_numbers(run: Runner) -> None:
    draw = random.Random(7)
    calls, wanted = [], []
    for _ in range(120):
        divisor = Fraction(draw.randint(1, 10 ** draw.randint(1, 12)), 10 ** draw.randint(0, 9))
        tiny = Fraction(draw.randint(1, 9), 10 ** draw.randint(18, 45))
        number = divisor * draw.randint(1, 10 ** draw.randint(1, 20)) - tiny
        calls.append([plain(number), "Mod", plain(divisor)])
        wanted.append(plain(number % divisor))
    equal(values(run, calls), wanted)


@case(turn=0)
def remainders_at_any_division_precision(run: Runner) -> None:
    gives(
        run,
        ("2 =", ...),
        ("1.999 Mod 1", "0.999"),
        ("8.4 Mod 2.11", "2.07"),
        ("0 =", ...),
        ("1.7 Mod 1", "0.7"),
        ("119 Mod 60", "59"),
    )


# --- turn 2: Split ----------------------------------------------------------------------------------------------------


@case(turn=2)
def parts_in_cents(run: Runner) -> None:
    gives(
        run,
        ("100 Split 3 2", ["33.34", "33.33", "33.33"]),
        ("10 Split 4 2", ["2.5"] * 4),
        ("0.05 Split 3 2", ["0.02", "0.02", "0.01"]),
        ("0.02 Split 4 2", ["0.01", "0.01", "0", "0"]),
        ("47.11 Split 1 2", ["47.11"]),
        ("1e3 Split 7 2", split("1000", 7, 2)),
        ("123456789012345678901234567890.12 Split 7 2", split("123456789012345678901234567890.12", 7, 2)),
    )


@case(turn=2)
def parts_of_other_places(run: Runner) -> None:
    gives(
        run,
        ("10 Split 3 0", ["4", "3", "3"]),
        ("10 Split 3 5", ["3.33334", "3.33333", "3.33333"]),
        ("1 Split 3 30", split("1", 3, 30)),
        ("1000 Split 3 -1", ["340", "330", "330"]),
        ("5e3 Split 3 -3", ["2000", "2000", "1000"]),
    )


@case(turn=2)
def nothing_to_split(run: Runner) -> None:
    gives(run, ("0 Split 3 2", ["0"] * 3), ("unset Split 2 2", ["0"] * 2), ("0.00 Split 1 0", ["0"]))


@case(turn=2)
def many_splits(run: Runner) -> None:
    draw = random.Random(11)
    calls = []
    for _ in range(150):
        places, n = draw.randint(-2, 6), draw.randint(1, 40)
        amount = draw.randint(0, 10 ** draw.randint(1, 25)) * Fraction(10) ** -places
        calls.append([plain(amount), "Split", str(n), str(places)])
    for precision in ("16", "4", "0"):
        found = values(run, [[precision, "="], *calls])[1:]
        equal(found, [split(d, int(n), int(places)) for d, _, n, places in calls], f"DivisionPrecision {precision}")


@case(turn=2)
def refunds_in_cents(run: Runner) -> None:
    gives(
        run,
        ("-100 Split 3 2", ["-33.34", "-33.33", "-33.33"]),
        ("-0.05 Split 3 2", ["-0.02", "-0.02", "-0.01"]),
        ("-0.02 Split 3 2", ["-0.01", "-0.01", "0"]),
        ("-70 Split 2 -1", ["-40", "-30"]),
        ("-8 Split 4 0", ["-2"] * 4),
    )


# --- turn 3: what is below a cent -------------------------------------------------------------------------------------


@case(turn=3)
def below_a_cent(run: Runner) -> None:
    gives(
        run,
        ("10.005 Split 3 2", ["3.345", "3.33", "3.33"]),
        ("11.009 Split 3 2", ["3.679", "3.67", "3.66"]),
        ("0.004 Split 3 2", ["0.004", "0", "0"]),
        ("9.999 Split 3 2", ["3.339", "3.33", "3.33"]),
        ("5.0000000000000000000000001 Split 2 2", ["2.5000000000000000000000001", "2.5"]),
    )


@case(turn=3)
def below_other_places(run: Runner) -> None:
    gives(
        run,
        ("1234 Split 3 -2", ["434", "400", "400"]),
        ("99 Split 4 -2", ["99", "0", "0", "0"]),
        ("7.5 Split 2 0", ["4.5", "3"]),
        ("1.23456 Split 1 2", ["1.23456"]),
    )


@case(turn=3)
def many_that_add_up(run: Runner) -> None:
    draw = random.Random(13)
    calls = []
    for _ in range(150):
        finest = draw.randint(0, 9)
        amount = Fraction(draw.randint(1, 10 ** draw.randint(2, 20)), 10**finest)
        calls.append([plain(amount), "Split", str(draw.randint(1, 15)), str(draw.randint(-3, finest))])
    found = values(run, [["4", "="], *calls])[1:]
    equal(found, [split(d, int(n), int(places)) for d, _, n, places in calls])


@case(turn=3)
def refunds_below_a_cent(run: Runner) -> None:
    gives(
        run,
        ("-10.005 Split 3 2", ["-3.345", "-3.33", "-3.33"]),
        ("-0.009 Split 2 2", ["-0.009", "0"]),
        ("-11.009 Split 3 2", ["-3.679", "-3.67", "-3.66"]),
        ("-1250 Split 2 -2", ["-650", "-600"]),
    )


# --- turn 4: SplitBy --------------------------------------------------------------------------------------------------


@case(turn=4)
def in_proportion(run: Runner) -> None:
    gives(
        run,
        ("100 SplitBy 0.01 50 30 20", ["50", "30", "20"]),
        ("12 SplitBy 0.05 0.5 1.5 1", ["2", "6", "4"]),
        ("90 SplitBy 1 1e3 2e3", ["30", "60"]),
        ("0.7 SplitBy 0.1 0.0004 0.0003", ["0.4", "0.3"]),
        ("4.25 SplitBy 0.25 7", ["4.25"]),
        ("0 SplitBy 0.05 1 2", ["0", "0"]),
        ("unset SplitBy 0.05 3 2", ["0", "0"]),
    )


@case(turn=4)
def equal_weights_are_a_split(run: Runner) -> None:
    gives(
        run,
        ("100 SplitBy 0.01 1 1 1", ["33.34", "33.33", "33.33"]),
        ("100 SplitBy 0.01 0.2 0.20 2e-1", ["33.34", "33.33", "33.33"]),
        ("10 SplitBy 0.05 7 7 7", ["3.35", "3.35", "3.3"]),
        ("50 SplitBy 12.5 1 1 1", ["25", "12.5", "12.5"]),
        ("2.1 SplitBy 0.7 3 3", ["1.4", "0.7"]),
    )


@case(turn=4)
def no_weight_gets_nothing(run: Runner) -> None:
    gives(
        run,
        ("0.01 SplitBy 0.01 0 1 1", ["0", "0.01", "0"]),
        ("10 SplitBy 0.05 0 1 0 1 1 0", ["0", "3.35", "0", "3.35", "3.3", "0"]),
        ("3 SplitBy 1 0 0 5", ["0", "0", "3"]),
        ("0.03 SplitBy 0.01 0 unset 1 0 1", ["0", "0", "0.02", "0", "0.01"]),
    )


@case(turn=4)
def refunds_by_weight(run: Runner) -> None:
    gives(
        run,
        ("-100 SplitBy 0.01 50 30 20", ["-50", "-30", "-20"]),
        ("-10 SplitBy 0.05 1 0 1 1", ["-3.35", "0", "-3.35", "-3.3"]),
        ("-100 SplitBy 0.01 1 1 1", ["-33.34", "-33.33", "-33.33"]),
    )


@case(turn=4)
def below_a_step(run: Runner) -> None:
    gives(
        run,
        ("10.02 SplitBy 0.05 1 3 1", ["2", "6.02", "2"]),
        ("100.009 SplitBy 0.01 20 30 50", ["20", "30", "50.009"]),
        ("0.049 SplitBy 0.05 0 1", ["0", "0.049"]),
        ("33 SplitBy 7.5 0 1 3", ["0", "7.5", "25.5"]),
        ("1.00000000000000000001 SplitBy 0.25 1 3", ["0.25", "0.75000000000000000001"]),
    )


@case(turn=4)
def below_a_step_of_refunds(run: Runner) -> None:
    gives(
        run,
        ("-10.02 SplitBy 0.05 1 3 1", ["-2", "-6.02", "-2"]),
        ("-0.049 SplitBy 0.05 0 1", ["0", "-0.049"]),
    )


# --- turn 5: who lost most --------------------------------------------------------------------------------------------


@case(turn=5)
def who_lost_most(run: Runner) -> None:
    gives(
        run,
        ("0.10 SplitBy 0.01 1 6", ["0.01", "0.09"]),
        ("0.10 SplitBy 0.01 5 3", ["0.06", "0.04"]),
        ("1 SplitBy 0.05 2 3 4", ["0.2", "0.35", "0.45"]),
        ("100 SplitBy 1 3.1 2.2 0 1.4", ["46", "33", "0", "21"]),
        ("7 SplitBy 1 1 2 4 3", ["1", "1", "3", "2"]),
        ("20 SplitBy 2.5 1 9 9", ["0", "10", "10"]),
    )


@case(turn=5)
def losses_that_differ_late(run: Runner) -> None:
    weights = ["1", "1.00000000000000000000000001", "0.99999999999999999999999999"]
    calls = [
        ["0.01", "SplitBy", "0.01", *weights],
        ["0.02", "SplitBy", "0.01", weights[2], *weights[:2]],
        ["1e30", "SplitBy", "1", "1", "1", "1.000000000000000000000000000000000000000000000000000001"],
        ["1000", "SplitBy", "1", "1.0000001", "1.0000002", "1.0000001"],
    ]
    thirds = [plain(Fraction(10**30 // 3))] * 2 + [plain(Fraction(10**30 // 3 + 1))]
    wanted = [["0", "0.01", "0"], ["0", "0.01", "0.01"], thirds, ["333", "334", "333"]]
    for precision in ("16", "4", "0"):
        equal(values(run, [[precision, "="], *calls])[1:], wanted, f"DivisionPrecision {precision}")


@case(turn=5)
def many_by_weight(run: Runner) -> None:
    draw = random.Random(17)
    calls: list[list[str]] = []
    wanted = []
    while len(calls) < 150:
        weights = [Fraction(draw.randint(0, 999), 10 ** draw.randint(0, 3)) for _ in range(draw.randint(2, 9))]
        step = Fraction(draw.choice([1, 2, 5, 25, 125]), 10 ** draw.randint(0, 3))
        amount = step * draw.randint(1, 10 ** draw.randint(1, 15))
        if len({amount / step * weight / sum(weights) % 1 for weight in weights}) < len(weights):
            continue  # two that lost the same
        calls.append([plain(amount), "SplitBy", plain(step), *map(plain, weights)])
        wanted.append(texts(*fair(amount, step, weights)))
    equal(values(run, [["4", "="], *calls])[1:], wanted)


@case(turn=5)
def refunds_to_who_lost_most(run: Runner) -> None:
    gives(
        run,
        ("-0.10 SplitBy 0.01 1 6", ["-0.01", "-0.09"]),
        ("-0.10 SplitBy 0.01 5 3", ["-0.06", "-0.04"]),
        ("-1 SplitBy 0.05 2 3 4", ["-0.2", "-0.35", "-0.45"]),
        ("-7 SplitBy 1 1 2 4 3", ["-1", "-1", "-3", "-2"]),
    )


# --- what must stay as it was -----------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def signs_of_remainders(run: Runner) -> None:
    gives(
        run,
        ("7 Mod 3", "1"),
        ("-7 Mod 3", "-1"),
        ("7 Mod -3", "1"),
        ("-7 Mod -3", "-1"),
        ("-6 Mod 3", "0"),
        ("-7.5 Mod 2", "-1.5"),
        ("3 Mod 7", "3"),
        ("-0.25 Mod 0.2", "-0.05"),
        ("unset Mod 3", "0"),
    )


@case(turn=0, kind="p2p")
def remainders_by_zero(run: Runner) -> None:
    calls = [["5", "Mod", "0"], ["0", "Mod", "0"], ["5", "Mod", "unset"], ["5", "Div", "0"], ["5", "QuoRem", "0", "2"]]
    equal(outcomes(run, *calls), [{"panic": "decimal division by 0"}] * len(calls))


@case(turn=0, kind="p2p")
def divisions(run: Runner) -> None:
    gives(
        run,
        ("2 Div 3", "0.6666666666666667"),
        ("-20000 Div 3", "-6666.6666666666666667"),
        ("1 Div 8", "0.125"),
        ("2 DivRound 3 5", "0.66667"),
        ("-155 DivRound 10 0", "-16"),
        ("-7.13 QuoRem 3 1", ["-2.3", "-0.23"]),
        ("1234 QuoRem 100 -1", ["10", "234"]),
        ("2 Pow -2", "0.25"),
    )


@case(turn=0, kind="p2p")
def division_precision_is_left_alone(run: Runner) -> None:
    gives(
        run,
        ("0.9 Mod 0.4", "0.1"),
        ("1 Div 3", "0.3333333333333333"),
        ("3 =", 16),
        ("10.5 Mod 4", "2.5"),
        ("2 Div 3", "0.667"),
        ("5 =", 3),
        ("2 Div 3", "0.66667"),
    )


@case(turn=0, kind="p2p")
def roundings(run: Runner) -> None:
    gives(
        run,
        ("5.45 Round 1", "5.5"),
        ("-5.45 Round 1", "-5.5"),
        ("545 Round -1", "550"),
        ("5.45 RoundBank 1", "5.4"),
        ("3.43 RoundCash 10", "3.4"),
        ("-1.111 RoundUp 2", "-1.12"),
        ("-1.119 RoundDown 2", "-1.11"),
        ("-1.111 RoundFloor 2", "-1.12"),
        ("-1.119 RoundCeil 2", "-1.11"),
        ("123.456 Truncate 2", "123.45"),
        ("-1.5 Floor", "-2"),
        ("-1.5 Ceil", "-1"),
    )


@case(turn=0, kind="p2p")
def sums_and_texts(run: Runner) -> None:
    gives(
        run,
        ("1.10 Sub 0.1", "1"),
        ("0.1 Add 0.02", "0.12"),
        ("-0.50 Mul 0.20", "-0.1"),
        ("12e3 String", "12000"),
        ("5.455 StringFixed 1", "5.5"),
        ("0 StringFixed 2", "0.00"),
        ("123.45 Shift -2", "1.2345"),
        ("-12.5 IntPart", -12),
        ("-1 Cmp 0.5", -1),
        ("2.0 Equal 2", True),
    )
