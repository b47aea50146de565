"""What requirements have in common: texts of requirements in, verdicts, requirements and versions out.

What is right follows from the rules by which a requirement matches a version, tried out on all versions at which a
requirement's verdict can change.
"""

import itertools
import json
import os
import random
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from harness import Result, Runner, case, equal

# --- programs that ask the crate --------------------------------------------------------------------------------------

MAIN = r"""
use semver::{Comparator, Version, VersionReq};

fn req(text: &str) -> VersionReq { VersionReq::parse(text).unwrap() }
fn version(text: &str) -> Version { Version::parse(text).unwrap() }
fn bits(req: &VersionReq, versions: &[&str]) -> String {
    versions.iter().map(|text| if req.matches(&version(text)) { '1' } else { '0' }).collect()
}

fn main() {
    let _ = (req, version, bits, Comparator::parse);
    let lines: Vec<String> = std::io::stdin().lines().map(Result::unwrap).collect();
    let mut answers = vec![];
    for line in &lines[1..] {
        let given: Vec<&str> = line.split('\t').collect();
        answers.push(answer(&given));
    }
    println!("\n{}[{}]", lines[0], answers.join(","));
}
"""
ANSWERS = {
    "overlaps": "fn answer(given: &[&str]) -> String { req(given[0]).overlaps(&req(given[1])).to_string() }",
    "both": r"""
fn answer(given: &[&str]) -> String {
    let both: Option<VersionReq> = req(given[0]).intersection(&req(given[1]));
    match both {
        None => "null".to_string(),
        Some(both) => {
            let text = both.to_string();
            let again = VersionReq::parse(&text).map_or(false, |again| again == both);
            format!("[{:?},{},{:?},{}]", text, both.comparators.len(), bits(&both, &given[2..]), again)
        }
    }
}
""",
    "clash": r"""
fn answer(given: &[&str]) -> String {
    let reqs: Vec<VersionReq> = given.iter().filter(|text| !text.is_empty()).map(|text| req(text)).collect();
    let found: Option<Vec<usize>> = VersionReq::clash(&reqs);
    found.map_or("null".to_string(), |found| format!("{:?}", found))
}
""",
    "minimum": r"""
fn answer(given: &[&str]) -> String {
    let found: Option<Version> = req(given[0]).minimum();
    found.map_or("null".to_string(), |found| format!("{:?}", found.to_string()))
}
""",
    "old": r"""
fn answer(given: &[&str]) -> String {
    let said = |e: semver::Error| e.to_string();
    match given[0] {
        "matches" => format!("{:?}", bits(&req(given[1]), &given[2..])),
        "comparator" => {
            let one = Comparator::parse(given[1]).unwrap();
            let found: String = given[2..].iter().map(|v| if one.matches(&version(v)) { '1' } else { '0' }).collect();
            format!("{:?}", found)
        }
        "req" => format!("{:?}", VersionReq::parse(given[1]).map_or_else(said, |req| req.to_string())),
        "version" => format!("{:?}", Version::parse(given[1]).map_or_else(said, |version| version.to_string())),
        "sorted" => {
            let mut versions: Vec<Version> = given[1..].iter().map(|text| version(text)).collect();
            versions.sort();
            format!("{:?}", versions.iter().map(|version| version.to_string()).collect::<Vec<_>>())
        }
        _ => {
            let (one, two) = (version(given[1]), version(given[2]));
            format!("[{},{},\"{:?}\"]", one == two, one < two, one.cmp_precedence(&two))
        }
    }
}
""",
}
PACKAGE = """
[package]
name = "questions"
version = "0.1.0"
edition = "2021"

[dependencies]
semver = {{ path = "{}" }}

[profile.dev]
debug = false
incremental = false
"""


@cache
def compiled(run: Runner) -> tuple[Path, Result]:
    """A folder of root's with the programs that could be built on the candidate's tree; what cargo said."""
    ours = Path(tempfile.mkdtemp(prefix="compiled-", dir="/tmp"))
    ours.chmod(0o711)
    theirs = Path(tempfile.mkdtemp(prefix="outbox-", dir="/tmp"))
    os.chown(theirs, run.uid, run.gid)
    files = {f"src/bin/{name}.rs": text + MAIN for name, text in ANSWERS.items()}
    files["Cargo.toml"] = PACKAGE.format(run.tree)
    build = 'cargo build -q --offline --bins --keep-going; for n in "$@"; do mv "target/debug/$n" "$0/"; done'
    done = run.command(["/bin/sh", "-c", build, str(theirs), *ANSWERS], files=files, timeout=240)
    for name in ANSWERS:
        try:  # Never through a link: root would read what the candidate's user must not see.
            handle = os.open(theirs / name, os.O_RDONLY | os.O_NOFOLLOW)
        except OSError:
            continue
        with os.fdopen(handle, "rb") as program, (ours / name).open("wb") as copy:
            shutil.copyfileobj(program, copy)
        (ours / name).chmod(0o755)
    shutil.rmtree(theirs)
    return ours, done


def ask(run: Runner, name: str, questions: Iterable[Iterable[str]]) -> list[Any]:
    """One answer to each question, which is a row of texts."""
    folder, built = compiled(run)
    assert (folder / name).exists(), f"the program that asks can't be built: {built.stderr[-1500:]}"
    key = secrets.token_hex(8)
    rows = ["\t".join(row) for row in questions]
    done = run.command([str(folder / name)], stdin="".join(f"{row}\n" for row in [key, *rows]), timeout=60)
    answers: list[Any] = replace(done, nonce=key).json()
    assert len(answers) == len(rows), f"{len(rows)} questions, {len(answers)} answers"
    return answers


# --- the rules --------------------------------------------------------------------------------------------------------

MAX = 2**64 - 1
type Key = tuple[Any, ...]


@cache
def tag_key(tag: str) -> Key:
    """Sorts prereleases as the specification says; no tag is behind all of them."""
    if not tag:
        return (1,)
    return (0, *((0, int(part), "") if part.isdigit() else (1, 0, part) for part in tag.split(".")))


@dataclass(frozen=True)
class V:
    """A version."""

    numbers: tuple[int, int, int]
    tag: str = ""

    @property
    def key(self) -> Key:
        return (self.numbers, tag_key(self.tag))

    def __str__(self) -> str:
        return ".".join(map(str, self.numbers)) + (f"-{self.tag}" if self.tag else "")


@dataclass(frozen=True)
class C:
    """A comparator; ``numbers`` holds one to three of them."""

    op: str
    numbers: tuple[int, ...]
    tag: str

    def holds(self, v: V) -> bool:
        """Whether it lets a version through, prereleases of other versions included."""
        size = len(self.numbers)
        own, other = self.numbers, v.numbers[:size]
        mine, its = tag_key(self.tag), tag_key(v.tag)
        exact = own == other and mine == its
        greater = other > own or (size == 3 and own == other and its > mine)
        less = other < own or (size == 3 and own == other and its < mine)
        if self.op in ("=", ""):
            return exact
        if self.op in (">", ">="):
            return greater or (exact and self.op == ">=")
        if self.op in ("<", "<="):
            return less or (exact and self.op == "<=")
        if self.op == "~":
            kept = min(size, 2)
            return own[:kept] == other[:kept] and (own < other if size == 3 and own != other else its >= mine)
        if size == 1:
            return own == other
        if size == 2:
            return own == other or (own[0] > 0 and own[0] == other[0] and own < other)
        kept = next((at for at in range(3) if own[at] > 0), 2) + 1
        return own[:kept] == other[:kept] and (own < other if own != other else its >= mine)

    def invites(self, v: V) -> bool:
        return bool(self.tag) and self.numbers == v.numbers


@cache
def parse(text: str) -> tuple[C, ...]:
    if text == "*":
        return ()
    found = []
    for part in text.split(","):
        match = re.fullmatch(r" *([<>=~^]*) *([0-9.]+?)(\.\*)*(?:-([0-9A-Za-z.-]+))? *", part)
        assert match, part
        op, numbers, wild, tag = match.groups()
        found.append(C(op or ("" if wild else "^"), tuple(map(int, numbers.split("."))), tag or ""))
    return tuple(found)


def matches(text: str, v: V) -> bool:
    req = parse(text)
    return all(c.holds(v) for c in req) and (not v.tag or any(c.invites(v) for c in req))


def near(*texts: str) -> list[V]:
    """Versions at which these requirements may change their mind, in ascending order, and some between."""
    triples = {(0, 0, 0), (0, 0, 1), (MAX, MAX, MAX)}
    tags: dict[tuple[int, int, int], set[str]] = {}
    for c in itertools.chain.from_iterable(map(parse, texts)):
        low, high = filled(c.numbers, 0), filled(c.numbers, MAX)
        ends = {low, high, (low[0], MAX, MAX), (low[0], low[1], MAX)}
        triples |= ends | {step for end in ends for step in (following(end), preceding(end)) if step}
        if c.tag:
            tags.setdefault(low, {"0"}).update({c.tag, f"{c.tag}.0", f"{c.tag}a", f"{c.tag}.z"})
    found = [V(t) for t in triples] + [V(t, tag) for t, known in tags.items() for tag in known]
    found += [V(t, "0") for t in triples] + [V(t, "rc.1") for t in triples]
    return sorted({v.key: v for v in found}.values(), key=lambda v: v.key)


def filled(numbers: tuple[int, ...], rest: int) -> tuple[int, int, int]:
    major, minor, patch = (*numbers, rest, rest)[:3]
    return major, minor, patch


def following(t: tuple[int, int, int]) -> tuple[int, int, int] | None:
    a, b, c = t
    return (a, b, c + 1) if c < MAX else (a, b + 1, 0) if b < MAX else (a + 1, 0, 0) if a < MAX else None


def preceding(t: tuple[int, int, int]) -> tuple[int, int, int] | None:
    a, b, c = t
    return (a, b, c - 1) if c else (a, b - 1, MAX) if b else (a - 1, MAX, MAX) if a else None


def common(*texts: str) -> list[V]:
    """Of the versions near, those that all match, in ascending order; the first one is the lowest of all."""
    return [v for v in near(*texts) if all(matches(text, v) for text in texts)]


def within(one: str, two: str) -> bool:
    return all(matches(two, v) for v in near(one, two) if matches(one, v))


def drawn(seed: int, count: int, size: int, tags: tuple[str, ...]) -> list[list[str]]:
    """Rows of random requirements around the same few versions. Without tags, no prereleases."""
    draw = random.Random(seed)

    def comparator() -> str:
        op = draw.choice([">", ">=", "<", "<=", "~", "^", "=", ">=", "<"])
        parts = [draw.choice([0, 0, 1, 1, 2]) for _ in range(draw.choice([1, 2, 3, 3, 3]))]
        tag = draw.choice(tags) if tags and len(parts) == 3 and draw.random() < 0.6 else ""
        return op + ".".join(map(str, parts)) + (f"-{tag}" if tag else "")

    def req() -> str:
        if draw.random() < 0.08:
            return draw.choice(["*", "1.*", "0.1.*"])
        return ", ".join(comparator() for _ in range(draw.choice([1, 1, 2, 2, 3])))

    return [[req() for _ in range(size)] for _ in range(count)]


TAGS = ("a", "a.0", "b", "0", "1")


def overlap(run: Runner, wanted: dict[tuple[str, str], bool]) -> None:
    """These pairs do or do not overlap, whichever of the two is asked."""
    pairs = [*wanted, *((two, one) for one, two in wanted)]
    for pair, answer in zip(pairs, ask(run, "overlaps", pairs), strict=True):
        equal(answer, wanted.get(pair, wanted.get((pair[1], pair[0]))), f"{pair[0]!r} overlaps {pair[1]!r}")


# --- the first message: overlaps --------------------------------------------------------------------------------------


@case(turn=0)
def releases_in_common(run: Runner) -> None:
    overlap(
        run,
        {
            ("^1.2", "^1.4.5"): True,
            ("^1.2", "^2.0"): False,
            ("^0.2.3", "^0.3"): False,
            ("^0.0.3", ">=0.0.4"): False,
            ("~1.2", ">1.2.7, <=1.2.8"): True,
            ("~1.2.9", "<1.2.9"): False,
            ("*", "=7.0.0"): True,
            (">=1.0, <1.5", ">1.4.9, <3"): True,
            (">=1.0, <1.5", ">1.4, <3"): False,
            (">=1.0, <1.5", ">=1.4, <3"): True,
            ("^0", "0.9.*"): True,
        },
    )


@case(turn=0)
def versions_with_parts_left_out(run: Runner) -> None:
    overlap(
        run,
        {
            (">1.2", "1.2.*"): False,
            (">1.2", "<1.3"): False,
            (">1.2", "<=1.3"): True,
            ("<=1.2", ">1.2.1000"): True,
            ("<1.2", ">=1.1.1000"): True,
            ("<=1", "^1.9"): True,
            (">1", "^1.9"): False,
            ("=1", "1.7.*"): True,
            ("^0.0", "~0.0.9"): True,
            ("^0.0.0", "^0.0.1"): False,
            ("~1", ">=1.99"): True,
        },
    )


@case(turn=0)
def ends_of_the_numbers(run: Runner) -> None:
    m = str(MAX)
    overlap(
        run,
        {
            (f">1.2.{m}", "<1.3"): False,
            (f">1.2.{m}", "<=1.3.0"): True,
            (f">1.{m}", "<2"): False,
            (f">1.{m}", "<=2.0.0"): True,
            (f">{m}", "*"): False,
            (f">={m}", f"<={m}"): True,
            (f">{m}.{m}", "*"): False,
            (f"^1.{m}.{m}", "<2.0.0"): True,
            ("<0.0.0", "*"): False,
            ("<=0.0.0", "<0.0.1"): True,
            ("<0.0.1", ">0.0.0"): False,
        },
    )


@case(turn=0)
def requirements_that_nothing_satisfies(run: Runner) -> None:
    pairs = {(none, other): False for none in (">2, <1", "=1.2.3, =1.2.4", "<0") for other in (none, "*", "^1.2")}
    overlap(run, pairs | {("*", "*"): True})


@case(turn=0)
def random_releases(run: Runner) -> None:
    pairs = drawn(31, 250, 2, ())
    overlap(run, {(one, two): bool(common(one, two)) for one, two in pairs})


@case(turn=0)
def prereleases_that_one_does_not_let_through(run: Runner) -> None:
    overlap(
        run,
        {
            ("^1.2", "=1.3.0-rc.1"): False,
            (">=1.0.0-rc.1", "=1.0.0-rc.2"): True,
            (">=1.0.0-rc.1", "=1.0.1-rc.2"): False,
            ("^1.3.0-rc.1", "=1.3.0-rc.1"): True,
            ("~1.3.0-rc.2", "<1.3.0-rc.2, >=1.3.0-rc.1"): False,
            ("*", ">=0.1.0-a, <0.1.0-b"): False,
            ("^1", "<1.0.0-b, >0.9.9999999999999999999"): False,
            ("<2.0.0, >=2.0.0-a", "=2.0.0-b"): True,
            ("<2, >=2.0.0-a", "=2.0.0-b"): False,
            ("<=2.0.0, >=2.0.0-a", ">2.0.0-b, <2.0.0"): True,
            ("~1.2, <=1.2.0", "=1.2.0-a"): False,
        },
    )


@case(turn=0)
def prereleases_next_to_each_other(run: Runner) -> None:
    overlap(
        run,
        {
            (">=1.0.0-a", "<1.0.0-b"): True,
            (">=1.0.0-b", "<1.0.0-b"): False,
            (">=1.0.0-b", "<=1.0.0-b"): True,
            (">1.0.0-a", "<1.0.0-a.0"): False,
            (">1.0.0-a", "<=1.0.0-a.0"): True,
            (">1.0.0-a", "<1.0.0-a.1"): True,
            (">1.0.0-9", "<1.0.0-10"): True,
            (">=1.0.0-z", "<1.0.0-9"): False,
            ("<0.0.0-0", "*"): False,
            (">1.0.0-a, <1.0.0-b", "<1.0.0"): False,
            (">1.0.0-a, <1.0.0-b", "<1.0.0, >1.0.0-0"): True,
            ("<0.0.0-0", "<0.0.0-0"): False,
            ("<0.0.0-1", "<0.0.0-1"): True,
            ("^1.0.0, <1.0.0-0", "<1.0.0-0"): False,
        },
    )


@case(turn=0)
def random_prereleases(run: Runner) -> None:
    pairs = drawn(32, 300, 2, TAGS)
    overlap(run, {(one, two): bool(common(one, two)) for one, two in pairs})


# --- turn 2: intersection ---------------------------------------------------------------------------------------------


def intersect(run: Runner, given: Iterable[Iterable[str]]) -> list[tuple[str, int] | None]:
    """Text and number of comparators of each intersection, which matches what both match and nothing else."""
    pairs = [tuple(pair) for pair in given]
    versions = [near(*pair) for pair in pairs]
    found: list[tuple[str, int] | None] = []
    rows = [[*pair, *map(str, tried)] for pair, tried in zip(pairs, versions, strict=True)]
    for pair, tried, answer in zip(pairs, versions, ask(run, "both", rows), strict=True):
        what = f"{pair[0]!r} and {pair[1]!r}"
        wanted = [matches(pair[0], v) and matches(pair[1], v) for v in tried]
        if answer is None or not any(wanted):
            assert answer is None and not any(wanted), f"{what}: found {answer and answer[0]!r}"
            found.append(None)
            continue
        text, count, bits, again = answer
        wrong = [str(v) for v, bit, want in zip(tried, bits, wanted, strict=True) if (bit == "1") != want]
        assert not wrong, f"{what}: {text!r} is wrong about {', '.join(wrong[:4])}"
        assert again, f"{what}: {text!r} can't be read back"
        found.append((text, count))
    return found


@case(turn=2)
def what_both_match(run: Runner) -> None:
    pairs = [
        ("^1.2", "<1.5"),
        ("~1.2", ">1.2.4"),
        (">1.2", "<=1.4"),
        (">=0.1, <3", "<=2.2.2, >1"),
        ("^0.2", ">=0.2.7, <9"),
    ]
    for pair, found in zip(pairs, intersect(run, pairs), strict=True):
        assert found and found[1] <= 2, f"{pair}: {found}"


@case(turn=2)
def prereleases_of_both(run: Runner) -> None:
    pairs = [
        ("^1", ">=1.4.0-rc.1"),
        ("^1.4.0", ">=1.4.0-rc.1, <3"),
        (">=1.4.0-rc.1", ">=1.3.0-rc.1, <2.0.0"),
        ("<2.0.0-b", ">=1, <2.0.0-c"),
        (">=2.0.0-b", "<2.0.0-c"),
        (">=2.0.0-b", "<2.0.0, >2.0.0-a"),
        (">1.0.0-a, <2.0.0-b", ">=1.0.0-b, <2.0.0-c"),
        (">=1.0.0-a, <2", "^1.0.0-b, <=1.5"),
    ]
    for pair, found in zip(pairs, intersect(run, pairs), strict=True):
        assert found and found[1] <= 2, f"{pair}: {found}"


@case(turn=2)
def none_where_nothing_is_left(run: Runner) -> None:
    pairs = [
        ("^1.2", "^2"),
        ("^1", ">=1.4.0-rc.1, <1.4.0"),
        (">2, <1", "*"),
        (">1.0.0-a", "<1.0.0-a.0"),
        ("^1", "<1.0.0-b"),
    ]
    equal(intersect(run, [*pairs, ("^1", "<3, >1.1")])[:5], [None] * 5)


@case(turn=2)
def random_intersections(run: Runner) -> None:
    pairs = drawn(41, 200, 2, TAGS) + drawn(42, 60, 2, ())
    for (one, two), found in zip(pairs, intersect(run, pairs), strict=True):
        if found and not within(one, two) and not within(two, one):
            assert found[1] <= 2, f"{one!r} and {two!r} give {found[0]!r}, more than two comparators"


# --- turn 3: as it was written ----------------------------------------------------------------------------------------


def written(run: Runner, wanted: dict[tuple[str, str], str]) -> None:
    for pair, found in zip(wanted, intersect(run, wanted), strict=True):
        equal(found and found[0], wanted[pair], f"text of {pair[0]!r} and {pair[1]!r}")


@case(turn=3)
def one_that_says_it_all(run: Runner) -> None:
    written(
        run,
        {
            ("^1.2", "^1.4.5"): "^1.4.5",
            ("^1.4.5", "^1.2"): "^1.4.5",
            ("*", "~1.2"): "~1.2",
            ("<=1.4", "1.3.*"): "1.3.*",
            (">=1.2.0-rc.1, <5", "^1.2.0-rc.2"): "^1.2.0-rc.2",
            ("=1.2.3-a", ">=1.2.3-0, <1.2.3"): "=1.2.3-a",
            ("^0", "^0.0.7"): "^0.0.7",
        },
    )


@case(turn=3)
def longer_ones_and_equal_ones(run: Runner) -> None:
    written(
        run,
        {
            ("^1", ">=1.2, <1.9, <1.8"): ">=1.2, <1.9, <1.8",
            (">=1.2, <1.9, <1.8", "*"): ">=1.2, <1.9, <1.8",
            ("^1.2.0", ">=1.2.0, <2"): "^1.2.0",
            (">=1.2.0, <2", "^1.2.0"): ">=1.2.0, <2",
            ("~1", "^1"): "~1",
            ("1.*", "=1"): "1.*",
        },
    )


@case(turn=3)
def all_that_say_it_all(run: Runner) -> None:
    pairs = [p for p in drawn(51, 400, 2, TAGS) if common(*p) and (within(*p) or within(p[1], p[0]))]
    assert len(pairs) > 30
    for (one, two), found in zip(pairs, intersect(run, pairs), strict=True):
        text = one if within(one, two) else two
        equal(found and found[0], text, f"text of {one!r} and {two!r}")


# --- turn 4: clash ----------------------------------------------------------------------------------------------------


def clashing(reqs: list[str]) -> list[int] | None:
    if common(*reqs):
        return None
    groups = itertools.chain.from_iterable(itertools.combinations(range(len(reqs)), n) for n in range(1, len(reqs) + 1))
    return next(list(group) for group in groups if not common(*(reqs[at] for at in group)))


def clash(run: Runner, wanted: list[tuple[list[str], list[int] | None]]) -> None:
    for (reqs, group), answer in zip(wanted, ask(run, "clash", (reqs for reqs, _ in wanted)), strict=True):
        equal(answer, group, f"clash of {reqs}")


@case(turn=4)
def which_two_clash(run: Runner) -> None:
    clash(
        run,
        [
            (["^1", ">=1.2", "<1.5", "~1.6"], [2, 3]),
            (["^2", "^1", "^3", "*"], [0, 1]),
            (["*", "^1", ">=1.9", "<1.3", "^2"], [1, 4]),
            (["^1", "^1", "^1", "<1"], [0, 3]),
            ([*["^1"] * 24, "^2"], [0, 24]),
        ],
    )


@case(turn=4)
def all_go_together(run: Runner) -> None:
    clash(
        run,
        [
            (["^1", ">=1.2", "<1.5", "~1.4"], None),
            (["^1.2"], None),
            ([], None),
            ([">=1.0.0-a", "<1.0.0-c", ">1.0.0-b"], None),
            (["*"] * 40, None),
            (["^1", "^2"], [0, 1]),
        ],
    )


@case(turn=4)
def one_alone(run: Runner) -> None:
    clash(
        run,
        [
            ([">2, <1"], [0]),
            (["^1", "^2", ">2, <1", "<0.0.0-0"], [2]),
            (["^1", "^2", "*", "<0.0.0-0"], [3]),
        ],
    )


@case(turn=4)
def three_of_which_any_two_get_along(run: Runner) -> None:
    clash(
        run,
        [
            ([">=1.0.0-a", "<1.0.0-b", "*"], [0, 1, 2]),
            (["*", ">=1.0.0-a", "<2", "<1.0.0-b", "<1.0.0-c"], [0, 1, 3]),
            ([">=1.0.0-a", "<1.0.0-c", "<1.0.0-b", "<1.0.0-d", ">0.1.0"], [0, 1, 4]),
            ([">=1.0.0-a", "<1.0.0-b", ">=0.9"], [0, 1, 2]),
            ([">=1.0.0-a", "<1.0.0-b", ">=0.9.0, <1.0.0, <=1.0.0-a"], None),
        ],
    )


@case(turn=4)
def random_groups(run: Runner) -> None:
    rows = drawn(61, 80, 4, ()) + drawn(62, 120, 4, TAGS)
    draw = random.Random(63)
    for _ in range(40):
        one, two = sorted(draw.sample(["a", "a.0", "b", "c"], 2))
        row = [
            f">=1.1.0-{one}",
            f"<1.1.0-{two}",
            draw.choice(["*", "<3", ">=0.5"]),
            *drawn(draw.randint(0, 999), 1, 1, TAGS)[0],
        ]
        draw.shuffle(row)
        rows.append(row)
    clash(run, [(row, clashing(row)) for row in rows])


# --- turn 6: minimum --------------------------------------------------------------------------------------------------


def lowest(run: Runner, wanted: dict[str, str | None]) -> None:
    for text, answer in zip(wanted, ask(run, "minimum", ([text] for text in wanted)), strict=True):
        equal(answer, wanted[text], f"minimum of {text!r}")


@case(turn=6)
def lowest_release(run: Runner) -> None:
    m = str(MAX)
    lowest(
        run,
        {
            "^1.2": "1.2.0",
            "*": "0.0.0",
            "<1.5": "0.0.0",
            ">1.2": "1.3.0",
            ">1.2.3": "1.2.4",
            f">1.{m}": "2.0.0",
            f">1.2.{m}": "1.3.0",
            f">{m}": None,
            ">=1.2, ^1.1, >1.2.7": "1.2.8",
            "=3": "3.0.0",
            "0.4.*": "0.4.0",
            ">2, <1": None,
        },
    )


@case(turn=6)
def lowest_prerelease(run: Runner) -> None:
    lowest(
        run,
        {
            ">=1.2.3-rc.1": "1.2.3-rc.1",
            "^1.2.3-rc.1, <2": "1.2.3-rc.1",
            ">1.2.3-rc": "1.2.3-rc.0",
            "<1.2.3-rc": "0.0.0",
            "<0.0.0-rc": "0.0.0-0",
            "<0.0.0-0": None,
            "<1.2.3-rc, >1.2.2": "1.2.3-0",
            "^1.2, >=1.0.0-a": "1.2.0",
            "^1.2, <1.2.0-b": "1.2.0-0",
            "^1.2.0, >=1.2.0-b": "1.2.0",
            ">=1.2.3-rc.1+build": "1.2.3-rc.1",
        },
    )


@case(turn=6)
def random_minima(run: Runner) -> None:
    texts = [text for (text,) in drawn(71, 250, 1, TAGS)]
    lowest(run, {text: str(found[0]) if (found := common(text)) else None for text in texts})


# --- what must stay as it was -----------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def matching_as_before(run: Runner) -> None:
    texts = ["^1.2", "~1.2", ">1", ">=1.0.0-a", "<2.0.0-b", "1.*", "*", "^0.0.3", "=1.2.3", "<=1.2", "^1.2, >=1.2.0-b"]
    texts += [text for (text,) in drawn(81, 150, 1, TAGS)]
    rows = [(text, near(text, "^1.2.3-rc.1")) for text in texts]
    answers = ask(run, "old", (["matches", text, *map(str, versions)] for text, versions in rows))
    for (text, versions), answer in zip(rows, answers, strict=True):
        equal(
            answer, "".join(str(int(matches(text, v))) for v in versions), f"{text!r} on {[str(v) for v in versions]}"
        )


@case(turn=0, kind="p2p")
def comparators_as_before(run: Runner) -> None:
    rows = [
        ("comparator", "^1.2.3-a", "1.2.3-a", "1.2.3-0", "1.2.4-a", "1.9.0", "2.0.0"),
        ("comparator", "<1.2.3", "1.2.3-a", "1.2.2", "0.0.0", "1.2.2-b"),
        ("comparator", ">=1", "1.0.0", "1.0.0-a", "2.0.0", "0.9.9"),
    ]
    equal(ask(run, "old", rows), ["10010", "0110", "1010"])


@case(turn=0, kind="p2p")
def texts_as_before(run: Runner) -> None:
    reqs = {
        "1.2.3": "^1.2.3",
        " >= 1.2 ,<2": ">=1.2, <2",
        "1.x": "1.*",
        "X": "*",
        "~1.2.3-rc.1+ignored": "~1.2.3-rc.1",
        ">2, <1": ">2, <1",
        "": "unexpected end of input while parsing major version number",
        "1.2.3.4": "expected comma after patch version number, found '.'",
        ">1, *": "wildcard req (*) must be the only comparator in the version req",
    }
    versions = {
        "1.2.3-rc.1+b.01": "1.2.3-rc.1+b.01",
        "1.2": "unexpected end of input while parsing minor version number",
        "1.02.3": "invalid leading zero in minor version number",
        "18446744073709551616.0.0": "value of major version number exceeds u64::MAX",
    }
    equal(ask(run, "old", (["req", text] for text in reqs)), list(reqs.values()))
    equal(ask(run, "old", (["version", text] for text in versions)), list(versions.values()))


@case(turn=0, kind="p2p")
def order_as_before(run: Runner) -> None:
    order = [
        "0.9.0",
        "1.0.0-0",
        "1.0.0-9",
        "1.0.0-10",
        "1.0.0-a",
        "1.0.0-a.0",
        "1.0.0-aa",
        "1.0.0",
        "1.0.0+1",
        "1.0.0+b",
        "1.1.0",
    ]
    shuffled = random.Random(91).sample(order, len(order))
    rows = [
        ["sorted", *shuffled],
        ["two", "1.0.0+1", "1.0.0+2"],
        ["two", "1.0.0", "1.0.0"],
        ["two", "1.0.0-a", "1.0.0"],
    ]
    wanted = [order, [False, True, "Equal"], [True, False, "Equal"], [False, True, "Less"]]
    equal(json.loads(json.dumps(ask(run, "old", rows))), wanted)
