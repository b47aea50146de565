"""Words found in texts where one of the two is misspelt: needle, haystack and max in, byte ranges and edits out."""

import os
import random
import secrets
import shutil
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from harness import Result, Runner, case, equal

type Hit = tuple[int, int, int]
"""First byte, byte behind the last one, edits."""

ASKS = r"""
use std::io::Read;

fn text(hex: &str) -> String {
    let digits = hex.trim_start_matches('-').as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    String::from_utf8(digits.chunks(2).map(byte).collect()).unwrap()
}

fn answer(one: impl Fn(&[&str]) -> String) {
    let mut asked = String::new();
    std::io::stdin().read_to_string(&mut asked).unwrap();
    let mut lines = asked.lines();
    let mark = lines.next().unwrap();
    let answers: Vec<String> = lines.map(|line| one(&line.split(' ').collect::<Vec<_>>())).collect();
    println!("\n{}[{}]", mark, answers.join(","));
}
"""
PROGRAMS = {
    "one": """
include!("asks.rs");
fn main() {
    answer(|ask| {
        let found: Option<(std::ops::Range<usize>, usize)> =
            strsim::fuzzy_find(&text(ask[0]), &text(ask[1]), ask[2].parse::<usize>().unwrap());
        found.map_or("null".into(), |(range, edits)| format!("[{},{},{}]", range.start, range.end, edits))
    });
}
""",
    "all": """
include!("asks.rs");
fn main() {
    answer(|ask| {
        let found: Vec<(std::ops::Range<usize>, usize)> =
            strsim::fuzzy_find_all(&text(ask[0]), &text(ask[1]), ask[2].parse::<usize>().unwrap());
        let hits: Vec<_> = found.iter().map(|(r, edits)| format!("[{},{},{}]", r.start, r.end, edits)).collect();
        format!("[{}]", hits.join(","))
    });
}
""",
    "old": """
include!("asks.rs");
fn main() {
    use strsim::*;
    answer(|ask| {
        let (a, b) = (text(ask[1]), text(ask[2]));
        let (x, y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let hamming = |result: HammingResult| result.map_or_else(|e| format!("{:?}", e.to_string()), |n| n.to_string());
        match ask[0] {
            "edits" => format!("{:?}", [levenshtein(&a, &b), osa_distance(&a, &b), damerau_levenshtein(&a, &b)]),
            "generic" => format!("{:?}", [generic_levenshtein(&x, &y), generic_damerau_levenshtein(&x, &y)]),
            "shares" => format!("{:?}", [normalized_levenshtein(&a, &b), normalized_damerau_levenshtein(&a, &b)]),
            "likeness" => format!("{:?}", [
                jaro(&a, &b), jaro_winkler(&a, &b), sorensen_dice(&a, &b), generic_jaro(&x, &y),
                generic_jaro_winkler(&x, &y),
            ]),
            _ => format!("[{},{}]", hamming(hamming_of(&a, &b)), hamming(generic_hamming(&x, &y))),
        }
    });
}
fn hamming_of(a: &str, b: &str) -> strsim::HammingResult { strsim::hamming(a, b) }
""",
}
MANIFEST = """
[package]
name = "asking"
version = "0.1.0"
edition = "2021"
[dependencies]
strsim = {{ path = "{tree}" }}
[profile.release]
opt-level = 1
debug-assertions = true
overflow-checks = true
"""


@cache
def programs(run: Runner) -> tuple[dict[str, str], Result]:
    """The programs that could be built on the candidate's crate, by name, and what the compiler said."""
    shelf = Path(tempfile.mkdtemp(prefix="programs-", dir="/tmp"))
    shelf.chmod(0o711)
    drop = shelf / "drop"
    drop.mkdir()
    os.chown(drop, run.uid, run.gid)
    files = {"Cargo.toml": MANIFEST.format(tree=run.tree), "src/asks.rs": ASKS}
    files |= {f"src/bin/{name}.rs": text.replace('"asks.rs"', '"../asks.rs"') for name, text in PROGRAMS.items()}
    script = f"cargo build -q --release --offline --bins --keep-going; cp target/release/one {drop}/; "
    script += f"cp target/release/all {drop}/; cp target/release/old {drop}/"
    built = run.command(["/bin/sh", "-c", script], files=files, timeout=240)
    ready = {}
    for name in PROGRAMS:
        # From here on the candidate's processes can't touch it. A link would lead root elsewhere.
        try:
            source = os.open(drop / name, os.O_RDONLY | os.O_NOFOLLOW)
        except OSError:
            continue
        with os.fdopen(source, "rb") as built_program:
            (shelf / name).write_bytes(built_program.read())
        (shelf / name).chmod(0o755)
        ready[name] = str(shelf / name)
    shutil.rmtree(drop)
    return ready, built


def ask(run: Runner, program: str, lines: list[str], timeout: float = 30.0) -> list[Any]:
    """What a program answers, one value for each line."""
    ready, built = programs(run)
    assert program in ready, f"the program that calls it can't be built: {built.stderr[-1500:]}"
    mark = secrets.token_hex(8)
    done = run.command([ready[program]], stdin="\n".join([mark, *lines]) + "\n", timeout=timeout)
    assert not done.timed_out, f"no answer after {timeout:g} s"
    answers: list[Any] = replace(done, nonce=mark).json()
    assert len(answers) == len(lines), f"{len(answers)} answers to {len(lines)} questions"
    return answers


def coded(text: str) -> str:
    return text.encode().hex() or "-"


def found(run: Runner, asks: list[tuple[str, str, int]], program: str = "one", timeout: float = 30.0) -> list[Any]:
    """What is found for triples of needle, haystack and max."""
    lines = [f"{coded(needle)} {coded(haystack)} {limit}" for needle, haystack, limit in asks]
    return ask(run, program, lines, timeout)


# --- what is right, tried out on every part of a text ---------------------------------------------------------------


def osa(a: str, b: str) -> int:
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a):
        row = [i + 1]
        for j, y in enumerate(b):
            row.append(min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (x != y)))
            if i and j and x == b[j - 1] and y == a[i - 1]:
                row[-1] = min(row[-1], rows[i - 1][j - 1] + 1)
        rows.append(row)
    return rows[-1][-1]


def lower(text: str) -> str:
    return "".join(char.lower() for char in text)


def ranked(needle: str, haystack: str, limit: int) -> list[Hit]:
    """Every part that is close enough, in characters, the best first."""
    limit = min(limit, len(needle) // 3)
    parts = []
    for start in range(len(haystack)):
        for end in range(start, min(len(haystack), start + len(lower(needle)) + limit) + 1):
            edits = osa(lower(needle), lower(haystack[start:end]))
            if edits <= limit:
                parts.append((edits, start, -end))
    return [(start, -end, edits) for edits, start, end in sorted(parts)]


def in_bytes(haystack: str, hit: Hit) -> list[int]:
    return [len(haystack[: hit[0]].encode()), len(haystack[: hit[1]].encode()), hit[2]]


def best(needle: str, haystack: str, limit: int) -> list[int] | None:
    parts = ranked(needle, haystack, limit)
    return in_bytes(haystack, parts[0]) if parts else None


def every(needle: str, haystack: str, limit: int) -> list[list[int]]:
    taken: list[Hit] = []
    for part in ranked(needle, haystack, limit):
        if all(part[1] <= other[0] or other[1] <= part[0] for other in taken):
            taken.append(part)
    return [in_bytes(haystack, hit) for hit in sorted(taken)]


def drawn(
    seed: int, count: int, letters: str, needles: tuple[int, int], lengths: tuple[int, int]
) -> list[tuple[str, str, int]]:
    """Needles and texts of few letters, so that much is nearly found."""
    draw = random.Random(seed)
    asks = []
    for _ in range(count):
        needle = "".join(draw.choices(letters, k=draw.randint(*needles)))
        text = "".join(draw.choices(letters, k=draw.randint(*lengths)))
        asks.append((needle, text, draw.randint(0, len(needle) // 3)))
    return asks


def finds(wanted: dict[tuple[str, str, int], tuple[str, int] | None], run: Runner) -> None:
    """Each needle finds this part of the haystack, which stands there once, with so many edits."""
    for question, answer in zip(wanted, found(run, list(wanted)), strict=True):
        part = wanted[question]
        place = None
        if part is not None:
            assert question[1].count(part[0]) == 1
            place = in_bytes(question[1], ((at := question[1].index(part[0])), at + len(part[0]), part[1]))
        equal(answer, place, f"{question[0]} in {question[1]!r}, at most {question[2]}")


def finds_all(wanted: dict[tuple[str, str, int], list[list[int]]], run: Runner) -> None:
    for question, answer in zip(wanted, found(run, list(wanted), "all"), strict=True):
        equal(answer, wanted[question], f"all {question[0]} in {question[1]!r}, at most {question[2]}")


# --- the first message ----------------------------------------------------------------------------------------------


@case(turn=0)
def one_edit_of_each_kind(run: Runner) -> None:
    finds(
        {
            ("schedule", "the schedule for may", 2): ("schedule", 0),
            ("schedule", "the shedule for may", 2): ("shedule", 1),
            ("schedule", "the schhedule for may", 2): ("schhedule", 1),
            ("schedule", "the skhedule for may", 2): ("skhedule", 1),
            ("schedule", "the scehdule for may", 2): ("scehdule", 1),
            ("schedule", "the csehdule for may", 2): ("csehdule", 2),
            ("schedule", "the scehdule for may", 0): None,
        },
        run,
    )


@case(turn=0)
def fewest_edits_then_the_first(run: Runner) -> None:
    finds(
        {
            ("garden", "gxrdxn gardxn xgarden", 2): ("garden", 0),
            ("garden", "gxrdxn gxrden gardxn", 2): ("gxrden", 1),
            ("garden", "Xgxrdxn gzrdzn", 2): ("gxrdxn", 2),
            ("garden", "gaarden gardn", 2): ("gaarden", 1),
        },
        run,
    )


@case(turn=0)
def nothing_is_close_enough(run: Runner) -> None:
    finds(
        {
            ("garden", "", 2): None,
            ("garden", "nothing of the kind", 2): None,
            ("garden", "gxrdxn", 1): None,
            ("garden", "gard", 1): None,
            ("garden", "gard", 2): ("gard", 2),
            ("garden", "arden", 1): ("arden", 1),
        },
        run,
    )


@case(turn=0)
def edits_are_those_of_osa_distance(run: Runner) -> None:
    # A letter between two that were swapped: three edits for osa_distance, two for damerau_levenshtein.
    finds({("wxyzcauvwx", "wxyzabcuvwx", 3): ("wxyzabcuvwx", 3), ("wxyzcauvwx", "wxyzabcuvwx", 2): None}, run)
    asks = drawn(11, 150, "abc", (3, 9), (0, 14))
    for question, answer in zip(asks, found(run, asks), strict=True):
        wanted = best(*question)
        equal(answer and [answer[0], answer[2]], wanted and [wanted[0], wanted[2]], f"start and edits of {question}")


@case(turn=0)
def ranges_are_bytes(run: Runner) -> None:
    finds(
        {
            ("garden", "größe: garden", 0): ("garden", 0),
            ("garten", "🌱🌱 im gartten 🌱", 1): ("gartten", 1),
            ("größer", "weiße, grßöer als", 1): ("grßöer", 1),
            ("größer", "noch viel grösser", 2): ("grösser", 2),
            ("日本語学校", "その日本後学校は", 1): ("日本後学校", 1),
        },
        run,
    )


@case(turn=0)
def edits_outside_of_ascii(run: Runner) -> None:
    finds(
        {
            ("straße", "die strase dort", 1): ("strase", 1),
            ("strase", "die straße dort", 1): ("straße", 1),
            ("привет", "всем првиет", 1): ("првиет", 1),
            ("привет", "всем пиве", 2): ("пиве", 2),
            ("caféterie", "zur caéfterie", 1): ("caéfterie", 1),
        },
        run,
    )


# --- turn 1: the longest --------------------------------------------------------------------------------------------


@case(turn=1)
def the_longest_of_equals(run: Runner) -> None:
    finds(
        {
            ("color", "the colour is", 1): ("colour", 1),
            ("color", "the colo", 1): ("colo", 1),
            ("color", "the color is", 1): ("color", 0),
            ("flower", "wild flowdr there", 1): ("flowdr", 1),
            ("flower", "wild floweers there", 1): ("floweer", 1),
            ("flower", "wild flowrs there", 2): ("flowr", 1),
        },
        run,
    )


@case(turn=1)
def whole_range_of_the_best(run: Runner) -> None:
    asks = drawn(12, 200, "abc", (3, 9), (0, 16)) + drawn(13, 100, "aß", (3, 12), (0, 18))
    for question, answer in zip(asks, found(run, asks), strict=True):
        equal(answer, best(*question), f"the best of {question}")


# --- turn 2: all of them --------------------------------------------------------------------------------------------


@case(turn=2)
def all_in_the_order_of_the_text(run: Runner) -> None:
    finds_all(
        {
            ("garden", "gxrden, garden and gaarden", 1): [[0, 6, 1], [8, 14, 0], [19, 26, 1]],
            ("garden", "a gxrdxn, gardens", 2): [[2, 8, 2], [10, 16, 0]],
            ("garden", "a gxrdxn, gardens", 0): [[10, 16, 0]],
            ("größe", "die große größe", 1): [[4, 10, 1], [11, 18, 0]],
            ("garden", "nothing of the kind", 2): [],
            ("garden", "", 2): [],
        },
        run,
    )


@case(turn=2)
def the_best_keeps_its_place(run: Runner) -> None:
    finds_all(
        {
            ("foo", "foofoo", 0): [[0, 3, 0], [3, 6, 0]],
            ("aba", "ababa", 0): [[0, 3, 0]],
            ("barbar", "barbarbarbar", 0): [[0, 6, 0], [6, 12, 0]],
            ("barbar", "xarbarbar", 1): [[3, 9, 0]],
            ("stones", "stonestones", 1): [[0, 6, 0], [6, 11, 1]],
        },
        run,
    )


@case(turn=2)
def what_the_better_ones_leave(run: Runner) -> None:
    finds_all(
        {
            ("color", "colocolor", 1): [[0, 4, 1], [4, 9, 0]],
            ("flower", "floweflower", 1): [[0, 5, 1], [5, 11, 0]],
            ("monday", "mondamondaymonda", 1): [[0, 5, 1], [5, 11, 0], [11, 16, 1]],
            ("streets", "streestreets", 2): [[0, 5, 2], [5, 12, 0]],
        },
        run,
    )


@case(turn=2)
def all_of_random_texts(run: Runner) -> None:
    asks = drawn(21, 200, "abc", (3, 9), (0, 24)) + drawn(22, 100, "aß", (3, 12), (0, 30))
    for question, answer in zip(asks, found(run, asks, "all"), strict=True):
        equal(answer, every(*question), f"all of {question}")


@case(turn=2)
def a_megabyte_of_hits(run: Runner) -> None:
    times = 45_000
    line = "the colour of the wall "
    (hits,) = found(run, [("color", line * times, 1)], "all", 40)
    wanted = [[at, at + 6, 1] for at in range(4, times * len(line), len(line))]
    assert hits == wanted, f"{len(hits)} hits, {len(wanted)} wanted, first {hits[:2]}"


@case(turn=2)
def a_long_text_without_hits(run: Runner) -> None:
    text = "colonel colony column " * 20_000
    equal(found(run, [("calories", text, 1)], "all", 40), [[]])
    end = len(text)
    equal(found(run, [("calories", text + "calorie", 1)], "one", 40), [[end, end + 7, 1]])


# --- turn 4: short words --------------------------------------------------------------------------------------------


@case(turn=4)
def one_edit_for_three_characters(run: Runner) -> None:
    finds(
        {
            ("is", "one two", 2): None,
            ("is", "that it was", 1): None,
            ("is", "one two is", 2): ("is", 0),
            ("the", "she it", 2): ("she", 1),
            ("color", "a xolxr", 2): None,
            ("colors", "a xolxrs", 2): ("xolxrs", 2),
            ("colors", "a xolxrz", 3): None,
            ("öäü", "ö", 2): None,
        },
        run,
    )


@case(turn=4)
def whatever_max_says(run: Runner) -> None:
    largest = 2**64 - 1
    finds(
        {
            ("color", "a xolor", largest): ("xolor", 1),
            ("color", "a xolxr", largest): None,
            ("it", "at", largest): None,
            ("recommend", "i recomend", 10): ("recomend", 1),
        },
        run,
    )
    finds_all({("color", "xolor xolxr", largest): [[0, 5, 1]], ("it", "it at", largest): [[0, 2, 0]]}, run)


@case(turn=4)
def short_words_among_all(run: Runner) -> None:
    finds_all(
        {
            ("is", "this is it", 2): [[2, 4, 0], [5, 7, 0]],
            ("not", "now and not", 3): [[0, 3, 1], [8, 11, 0]],
            ("ab", "xyz", 2): [],
            ("color", "xolxr", 4): [],
        },
        run,
    )


# --- turn 5: upper and lower case -----------------------------------------------------------------------------------


@case(turn=5)
def case_does_not_matter(run: Runner) -> None:
    finds(
        {
            ("Garden", "in the gARDEN", 0): ("gARDEN", 0),
            ("GARDEN", "in the Gadren", 1): ("Gadren", 1),
            ("garden", "GXRDEN, gxrden, GARDEN", 1): ("GARDEN", 0),
            ("ÄRGER", "kein ärger", 0): ("ärger", 0),
            ("привет", "ВСЕМ ПРВИЕТ", 1): ("ПРВИЕТ", 1),
        },
        run,
    )


@case(turn=5)
def all_in_any_case(run: Runner) -> None:
    finds_all(
        {
            ("gaRDen", "Garden GARDN garden", 1): [[0, 6, 0], [7, 12, 1], [13, 19, 0]],
            ("ÉCOLE", "école, École", 0): [[0, 6, 0], [8, 14, 0]],
            ("color", "Color cOLORS ColOR", 1): [[0, 5, 0], [6, 11, 0], [13, 18, 0]],
        },
        run,
    )


@case(turn=5)
def ranges_of_the_haystack_itself(run: Runner) -> None:
    # In lower case the first takes more bytes, the second fewer.
    finds(
        {
            ("garden", "ȺȺȺ garden", 0): ("garden", 0),
            ("ⱥgarden", "(ȺGARDEN)", 0): ("ȺGARDEN", 0),
            ("garden", "\u212a\u212a Garden", 0): ("Garden", 0),
            ("kelvin", "20 \u212aELVIN", 0): ("\u212aELVIN", 0),
            ("kelvin", "\u212a \u212aELVN", 1): ("\u212aELVN", 1),
        },
        run,
    )
    text = "ȺȺ colour \u212a\u212a\u212a COLOR"
    finds_all({("Color", text, 1): every("color", text, 1)}, run)


@case(turn=5)
def one_character_becomes_two(run: Runner) -> None:
    # İ is two characters in lower case: i and a dot.
    finds(
        {
            ("garden", "İİİ garden", 0): ("garden", 0),
            ("istanbul", "(İstanbul)", 1): ("İstanbul", 1),
            ("İSTANBUL", "(i\u0307stanbul)", 0): ("i\u0307stanbul", 0),
            ("i\u0307stanbul", "(İSTANBUL)", 0): ("İSTANBUL", 0),
        },
        run,
    )
    text = "İzmir izmir İİ IZMIR"
    finds_all({("izmir", text, 1): every("izmir", text, 1)}, run)


# --- what must stay as it was ---------------------------------------------------------------------------------------


def stays(run: Runner, what: str, wanted: dict[tuple[str, str], list[Any]]) -> None:
    lines = [f"{what} {coded(a)} {coded(b)}" for a, b in wanted]
    for pair, answer in zip(wanted, ask(run, "old", lines), strict=True):
        for value, should in zip(answer, wanted[pair], strict=True):
            close = isinstance(should, float) and abs(value - should) < 1e-6
            assert close or value == should, f"{what} of {pair}: wanted {wanted[pair]}, found {answer}"


@case(turn=0, kind="p2p")
def old_distances(run: Runner) -> None:
    stays(
        run,
        "edits",
        {
            ("kitten", "sitting"): [3, 3, 3],
            ("ab", "bca"): [3, 3, 2],
            ("damerau", "aderuaxyz"): [6, 6, 6],
            ("Garden", "garden"): [1, 1, 1],
            ("ÄRGER", "ärger"): [5, 5, 5],
            ("öঙ香", "abc"): [3, 3, 3],
            ("", "flower"): [6, 6, 6],
            ("is", "one two"): [7, 7, 7],
        },
    )


@case(turn=0, kind="p2p")
def old_shares(run: Runner) -> None:
    stays(
        run,
        "shares",
        {
            ("kitten", "sitting"): [0.5714285714, 0.5714285714],
            ("levenshtein", "löwenbräu"): [0.2727272727, 0.2727272727],
            ("", ""): [1.0, 1.0],
            ("", "second"): [0.0, 0.0],
            ("ABC", "abc"): [0.0, 0.0],
            ("swap", "sawp"): [0.5, 0.75],
        },
    )


@case(turn=0, kind="p2p")
def old_likeness(run: Runner) -> None:
    stays(
        run,
        "likeness",
        {
            ("cheeseburger", "cheese fries"): [0.7777777777, 0.8666666666, 0.4761904761, 0.7777777777, 0.8666666666],
            ("dixon", "dicksonx"): [0.7666666666, 0.8133333333, 0.3636363636, 0.7666666666, 0.8133333333],
            ("", ""): [1.0, 1.0, 1.0, 1.0, 1.0],
            ("ABC", "abc"): [0.0, 0.0, 0.0, 0.0, 0.0],
        },
    )


@case(turn=0, kind="p2p")
def old_hamming_and_generic(run: Runner) -> None:
    unequal = "Differing length arguments provided"
    stays(
        run,
        "hamming",
        {
            ("hamming", "hammers"): [3, 3],
            ("hamming", "ham"): [unequal, unequal],
            ("Ab", "ab"): [1, 1],
            ("", ""): [0, 0],
        },
    )
    stays(run, "generic", {("ab", "bca"): [3, 2], ("Garden", "garden"): [1, 1], ("", "xyz"): [3, 3]})
