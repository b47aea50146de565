"""Sizes as text, there and back: texts or numbers go into a Go program, what the package makes of them comes out."""

import json
import random
import re
import secrets
from dataclasses import replace
from typing import Any

from harness import Runner, case, equal

PARSING = r"""package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"

	size "github.com/dustin/go-humanize"
)

type row struct{ Small, Big *string }

func read(text string) (r row) {
	if n, err := size.ParseBytes(text); err == nil {
		digits := strconv.FormatUint(n, 10)
		r.Small = &digits
	}
	if n, err := size.ParseBigBytes(text); err == nil {
		digits := n.String()
		r.Big = &digits
	}
	return r
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Scan()
	mark := lines.Text()
	lines.Scan()
	var texts []string
	if json.Unmarshal(lines.Bytes(), &texts) != nil {
		os.Exit(7)
	}
	rows := make([]row, 0, len(texts))
	for _, text := range texts {
		rows = append(rows, read(text))
	}
	answer, _ := json.Marshal(rows)
	os.Stdout.WriteString("\n" + mark + string(answer) + "\n")
}
"""

WRITING = r"""package main

import (
	"bufio"
	"encoding/json"
	"os"

	size "github.com/dustin/go-humanize"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	mark := lines.Text()
	lines.Scan()
	var numbers []uint64
	if json.Unmarshal(lines.Bytes(), &numbers) != nil {
		os.Exit(7)
	}
	rows := [][]interface{}{}
	for _, number := range numbers {
		text := size.ExactBytes(number)
		back, err := size.ParseBytes(text)
		rows = append(rows, []interface{}{text, err == nil && back == number})
	}
	answer, _ := json.Marshal(rows)
	os.Stdout.WriteString("\n" + mark + string(answer) + "\n")
}
"""

SHOWING = r"""package main

import (
	"bufio"
	"encoding/json"
	"math/big"
	"os"

	size "github.com/dustin/go-humanize"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Scan()
	mark := lines.Text()
	lines.Scan()
	var numbers []uint64
	if json.Unmarshal(lines.Bytes(), &numbers) != nil {
		os.Exit(7)
	}
	rows := [][]string{}
	for _, number := range numbers {
		whole := new(big.Int).SetUint64(number)
		rows = append(rows, []string{
			size.Bytes(number), size.IBytes(number), size.BigBytes(whole), size.BigIBytes(whole), size.BigComma(whole),
		})
	}
	answer, _ := json.Marshal(rows)
	os.Stdout.WriteString("\n" + mark + string(answer) + "\n")
}
"""

type Sizes = dict[str, int | None]


def ask(run: Runner, program: str, given: list[str] | list[int]) -> list[Any]:
    """What the program answers for each of the given values, compiled against the candidate's package."""
    mark = secrets.token_hex(8)
    done = run.command(
        ["/bin/sh", "-c", 'here=$PWD; cd "$0" && exec go run -buildvcs=false "$here/ask.go"', run.tree],
        files={"ask.go": program},
        stdin=f"{mark}\n{json.dumps(given)}\n",
        env={"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOENV": "off", "GOCACHE": "/home/agent/.cache/go-build"},
        timeout=240,
    )
    rows: list[Any] = replace(done, nonce=mark).json()
    equal(len(rows), len(given), "number of answers")
    return rows


def reads(run: Runner, wanted: Sizes, *, parsers: tuple[str, ...] = ("Small", "Big")) -> None:
    """Each text is this many bytes; None stands for an error."""
    for (text, size), row in zip(wanted.items(), ask(run, PARSING, list(wanted)), strict=True):
        for parser in parsers:
            name = {"Small": "ParseBytes", "Big": "ParseBigBytes"}[parser]
            equal(row[parser], None if size is None else str(size), f"{name}({text!r})")


def writes(run: Runner, wanted: dict[int, str]) -> None:
    """ExactBytes makes these texts of the numbers, and ParseBytes leads back."""
    for (number, text), row in zip(wanted.items(), ask(run, WRITING, list(wanted)), strict=True):
        equal(row, [text, True], f"ExactBytes({number}), and whether it leads back")


# --- the first message: no byte is lost -----------------------------------------------------------------------------


@case(turn=0)
def decimals_are_exact(run: Runner) -> None:
    wanted: Sizes = {
        "8.2 MB": 8200000,
        "16.4g": 16400000000,
        "1.015 kB": 1015,
        "4.35 tb": 4350000000000,
        "8.29M": 8290000,
        "1,001.001 MB": 1001001000,
        "0.7 EiB": 807045053224792883,
        "0.00000000000000000000000000000000000001 EB": 0,
        "1.152921504606846977 EB": 1152921504606846977,
    }
    reads(run, wanted, parsers=("Small",))


@case(turn=0)
def whole_numbers_are_exact(run: Runner) -> None:
    wanted: Sizes = {
        "9007199254740993": 9007199254740993,
        "9007199254740993 B": 9007199254740993,
        "9007199254740993 KiB": 9007199254740993 << 10,
        "1,000,000,000,000,000,001": 10**18 + 1,
        "18014398509481983.5 ki": 18446744073709551104,
        "12345678901234567 kb": 12345678901234567000,
    }
    reads(run, wanted, parsers=("Small",))


@case(turn=0)
def up_to_the_limit(run: Runner) -> None:
    wanted: Sizes = {
        "18446744073709551615": 2**64 - 1,
        "18446744073709551616": None,
        "18.446744073709551615 EB": 2**64 - 1,
        "18.446744073709551616 EB": None,
        "16 EiB": None,
        "15.999999 EiB": 15999999 * 2**60 // 10**6,
        "17179869183.5 GiB": 18446744073172680704,
    }
    reads(run, wanted, parsers=("Small",))


# --- turn 2: the way back -------------------------------------------------------------------------------------------


@case(turn=2)
def biggest_whole_unit(run: Runner) -> None:
    writes(
        run,
        {
            7 << 10: "7 KiB",
            3 * 10**9: "3 GB",
            1024000: "1000 KiB",
            1048576000: "1000 MiB",
            13 << 60: "13 EiB",
            18 * 10**18: "18 EB",
            29 * 10**15: "29 PB",
            3 << 50: "3 PiB",
            21 << 40: "21 TiB",
            11 * 10**12: "11 TB",
            1 << 20: "1 MiB",
            10**6: "1 MB",
            5000: "5 kB",
            1: "1 B",
            999: "999 B",
            1023: "1023 B",
        },
    )


@case(turn=2)
def what_no_unit_divides(run: Runner) -> None:
    writes(run, {n: f"{n} B" for n in (17, 1001, 1025, 1234567, 10**15 + 1, 2**63 - 1, 2**64 - 1)})


@case(turn=2)
def there_and_back(run: Runner) -> None:
    source = random.Random(20)
    numbers = [source.getrandbits(bits) for bits in range(1, 65) for _ in range(4)]
    for power in range(1, 7):
        numbers += [source.randrange(1, 16) * base**power // 4 for base in (1000, 1024) for _ in range(8)]
        numbers += [source.randrange(1, 1500) * base**power // 100 for base in (1000, 1024) for _ in range(8)]
    for number, (text, leads_back) in zip(numbers, ask(run, WRITING, numbers), strict=True):
        assert leads_back, f"ExactBytes({number}) is {text!r}, which ParseBytes reads as something else"
        shape = re.fullmatch(r"\d+(\.\d+)? (B|[kMGTPE]B|[KMGTPE]iB)", text)
        assert shape, f"ExactBytes({number}) is {text!r}, not a number with a unit as Bytes and IBytes write them"


# --- turn 3: two decimals -------------------------------------------------------------------------------------------


@case(turn=3)
def two_decimals_at_most(run: Runner) -> None:
    writes(
        run,
        {
            1610612736: "1.5 GiB",
            1280: "1.25 KiB",
            1230: "1.23 kB",
            1050: "1.05 kB",
            10100: "10.1 kB",
            2500000: "2.5 MB",
            51 << 38: "12.75 TiB",
            1234: "1234 B",
            1234567: "1234567 B",
            12345670: "12345.67 kB",
            1001000: "1001 kB",
        },
    )


@case(turn=3)
def two_decimals_of_the_biggest(run: Runner) -> None:
    writes(
        run,
        {
            5 << 58: "1.25 EiB",
            15990000000000000000: "15.99 EB",
            18440000000000000000: "18.44 EB",
            63 << 58: "15.75 EiB",
            1010000000000000000: "1.01 EB",
            1001000000000000000: "1001 PB",
            1990000000000000: "1.99 PB",
        },
    )


@case(turn=3)
def the_biggest_unit_wins(run: Runner) -> None:
    # There is a smaller unit that would do for each of them.
    writes(
        run,
        {
            2560000: "2.56 MB",
            1310720: "1.25 MiB",
            10240: "10 KiB",
            128000: "125 KiB",
            1126400: "1100 KiB",
            5120: "5 KiB",
            1536 * 10**9: "1536 GB",
        },
    )


@case(turn=3)
def nothing_below_one(run: Runner) -> None:
    writes(run, {0: "0 B", 10000: "10 kB", 50: "50 B", 512: "512 B", 256: "256 B", 768 << 10: "768 KiB", 10: "10 B"})


# --- turn 4: sums ---------------------------------------------------------------------------------------------------


@case(turn=4)
def parts_are_added(run: Runner) -> None:
    reads(
        run,
        {
            "1 GiB 512 MiB": 1536 << 20,
            "2 GB 300 MB 7 kB": 2300007000,
            "1 KiB 1 kB": 2024,
            "1.5 GiB 0.25 MiB": (1536 << 20) + (1 << 18),
            "1 GiB 24 B": (1 << 30) + 24,
            "1,024 MiB 1,000 kB 1 b": (1 << 30) + 1000001,
            "3 TB 0 GB 5 MB": 3000005000000,
            "9 pb 9007199254740993 b": 18007199254740993,
        },
    )


@case(turn=4)
def with_and_without_blanks(run: Runner) -> None:
    reads(
        run,
        {
            "1g512m": 1512000000,
            "1GiB512MiB": 1536 << 20,
            "1 gib512 MI": 1536 << 20,
            "3TB 4gb5 m": 3004005000000,
            "1  GiB   512\tMiB ": 1536 << 20,
            "2.5m0.5k": 2500500,
        },
    )


@case(turn=4)
def sums_up_to_the_limit(run: Runner) -> None:
    full = " ".join(f"1023 {unit}iB" for unit in "PTGMK")
    wanted: Sizes = {f"15 EiB {full} 1023 B": 2**64 - 1, "15 EiB 1024 PiB": None, "18 EB 447 PB": None}
    wanted[f"15 EiB {full} 1024 B"] = None
    reads(run, wanted, parsers=("Small",))
    reads(run, {"2 YiB 3 ZB 1 B": (2 << 80) + 3 * 10**21 + 1, "15 EiB 1024 PiB": 2**64}, parsers=("Big",))


@case(turn=4)
def only_from_big_to_small(run: Runner) -> None:
    wanted: Sizes = {
        "1 GiB 512 MiB": 1536 << 20,
        "512 MiB 1 GiB": None,
        "5 MB 5 MB": None,
        "1 kB 1 KiB": None,
        "1 GiB 1 MiB 1 GB": None,
        "1 B 1 kB": None,
    }
    reads(run, wanted)


@case(turn=4)
def what_is_no_sum(run: Runner) -> None:
    wanted: Sizes = {
        "1 GiB 512 MiB": 1536 << 20,
        "1 GiB, 512 MiB": None,
        "1 GiB,512 MiB": None,
        "1 GiB and 512 MiB": None,
        "1 GiB + 512 MiB": None,
        "1 GiB -512 MiB": None,
        "1 GiB 512 XB": None,
        "1 XB 512 MiB": None,
        "1 GiB 5.1.2 MiB": None,
        "1 GiB MiB": None,
    }
    reads(run, wanted)


@case(turn=4)
def no_byte_is_lost_in_a_sum(run: Runner) -> None:
    reads(
        run,
        {
            "1.0005 kB 0.5 B": 1001,
            "0.3 KiB 0.8 B": 308,
            "1.0000004 MB 0.0006 kB": 1000001,
            "1.0000003 MB 0.0001 kB": 1000000,
        },
    )


# --- turn 5: no unit only for a number alone ------------------------------------------------------------------------


@case(turn=5)
def no_exponents(run: Runner) -> None:
    wanted: Sizes = {
        "1g512m": 1512000000,
        "1e6": None,
        "2E10": None,
        "1.5e3": None,
        "1e": 10**18,
        "1e 5m": 10**18 + 5000000,
    }
    reads(run, wanted)


@case(turn=5)
def no_unit_only_alone(run: Runner) -> None:
    wanted: Sizes = {
        "1 GiB 512 B": (1 << 30) + 512,
        "1 GiB 512": None,
        "1g512": None,
        "1 GiB 512 MiB 7 ": None,
        "1 kB 0": None,
        "512": 512,
        "1,024 ": 1024,
        "7.2": 7,
    }
    reads(run, wanted)


# --- what was there before ------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def every_unit_as_before(run: Runner) -> None:
    wanted: Sizes = {"42": 42, "42 b": 42, "1,005 MB": 1005000000, "007 kB": 7000, "42.5MiB": 44564480, "5\tk ": 5000}
    for power, letter in enumerate("kmgtpe", 1):
        wanted |= {f"3 {letter}": 3 * 1000**power, f"3{letter.upper()}B": 3 * 1000**power}
        wanted |= {f"3 {letter}i": 3 * 1024**power, f".5{letter}IB": 1024**power // 2}
    reads(run, wanted)
    reads(run, {"2 ZB": 2 * 10**21, "2.5 yib": 5 << 79, "3z": 3 * 10**21, "1 Yi": 1 << 80}, parsers=("Big",))


@case(turn=0, kind="p2p")
def half_bytes_are_cut_off(run: Runner) -> None:
    reads(run, {"1.0009 kB": 1000, "0.9999 k": 999, "1.9": 1, "0.3 KiB": 307, "0.0009 kB": 0, "3.7 KiB": 3788})


@case(turn=0, kind="p2p")
def errors_as_before(run: Runner) -> None:
    reads(run, dict.fromkeys(("", "B", "84 JB", "1.2.3 MB", "-1 kB", "lots", "1 000 kB")))
    reads(run, dict.fromkeys((".", "5 MB x", "5 kB kB", "1/2 MB", "0x10 B", "1_000")))
    reads(run, {"16 EiB": None, "99999999999999999999 B": None}, parsers=("Small",))


@case(turn=0, kind="p2p")
def shown_as_before(run: Runner) -> None:
    shown = ask(run, SHOWING, [0, 9, 999999, 82854982, 1610612736])
    equal(
        shown,
        [
            ["0 B", "0 B", "0 B", "0 B", "0"],
            ["9 B", "9 B", "9 B", "9 B", "9"],
            ["1000 kB", "977 KiB", "1000 kB", "977 KiB", "999,999"],
            ["83 MB", "79 MiB", "83 MB", "79 MiB", "82,854,982"],
            ["1.6 GB", "1.5 GiB", "1.6 GB", "1.5 GiB", "1,610,612,736"],
        ],
    )
