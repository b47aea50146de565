"""Words of a text, forwards, backwards and from both ends: texts go in, words come out.

What is right is said by the crate's own definition of a word boundary, read anew here.
"""

import base64
import collections
import functools
import io
import itertools
import random
import secrets
import tarfile
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness import Runner, case, equal

# --- programs that use the crate --------------------------------------------------------------------------------------

# Every program links this: it answers lines "ends<TAB>text" and counts what is taken from the heap meanwhile.
COMMON = r"""
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Debug;
use std::io::{stdin, BufRead};
use std::sync::atomic::{AtomicUsize, Ordering};

static TAKEN: AtomicUsize = AtomicUsize::new(0);

struct Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.fetch_add(1, Ordering::SeqCst);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        System.dealloc(place, layout)
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// How often memory is taken while `work` runs; what it gives must not be dropped as unused.
pub fn taken(work: impl FnOnce() -> usize) -> usize {
    let before = TAKEN.load(Ordering::SeqCst);
    std::hint::black_box(work());
    TAKEN.load(Ordering::SeqCst) - before
}

/// Takes items from the front (`f`) and from the back (`b`), over and over in this order, until one end has no more.
pub fn walk<I: DoubleEndedIterator>(mut items: I, ends: &str) -> Vec<I::Item> {
    let mut found = vec![];
    for end in ends.chars().cycle() {
        match if end == 'f' { items.next() } else { items.next_back() } {
            Some(item) => found.push(item),
            None => return found,
        }
    }
    found
}

pub fn tally<I: DoubleEndedIterator>(mut items: I, ends: &str) -> usize {
    let mut seen = 0;
    for end in ends.bytes().cycle() {
        if (if end == b'f' { items.next() } else { items.next_back() }).is_none() {
            break;
        }
        seen += 1;
    }
    seen
}

/// Texts, numbers and lists of these look the same in JSON.
pub fn said(parts: &[&dyn Debug]) -> String {
    format!("{:?}", parts)
}

pub fn serve(answer: fn(&str, &str) -> String) {
    let mut lines = stdin().lock().lines().map(|line| line.expect("a line"));
    let mark = lines.next().expect("a mark");
    let mut answers = vec![];
    for line in lines {
        let (ends, text) = line.split_once('\t').expect("two fields");
        answers.push(answer(ends, text));
    }
    println!("\n{}[{}]", mark, answers.join(", "));
}
"""

PROGRAMS = {
    # The words, whether all are slices of the text, and how much memory it took.
    "forward": r"""
use heck::words;
fn answer(_: &str, text: &str) -> String {
    let found: Vec<&str> = words(text).collect();
    let whole = text.as_bytes().as_ptr_range();
    let inside = found.iter().filter(|word| whole.contains(&word.as_ptr())).count();
    said(&[&found, &inside, &taken(|| words(text).map(str::len).sum())])
}
""",
    "ends": r"""
use heck::words;
fn answer(ends: &str, text: &str) -> String {
    said(&[&walk(words(text), ends), &taken(|| tally(words(text), ends))])
}
""",
    # Words of a text that is repeated: how many there are.
    "long": r"""
use heck::words;
fn answer(ends: &str, text: &str) -> String {
    let (times, unit) = text.split_once(' ').unwrap();
    let text = unit.repeat(times.parse().unwrap());
    said(&[&tally(words(&text), ends)])
}
""",
    "indices": r"""
use heck::word_indices;
fn answer(ends: &str, text: &str) -> String {
    let found: Vec<(usize, &str)> = walk(word_indices(text), ends);
    let (at, words): (Vec<usize>, Vec<&str>) = found.into_iter().unzip();
    said(&[&at, &words, &taken(|| tally(word_indices(text), ends))])
}
""",
    "digits": r"""
use heck::{word_indices, words};
fn answer(ends: &str, text: &str) -> String {
    let found: Vec<&str> = walk(words(text).digits_apart(), ends);
    let at: Vec<usize> = walk(word_indices(text).digits_apart(), ends).iter().map(|&(at, _)| at).collect();
    let memory = taken(|| tally(words(text).digits_apart(), ends) + tally(word_indices(text).digits_apart(), ends));
    said(&[&found, &at, &memory])
}
""",
    "old": r"""
use heck::*;
fn answer(_: &str, text: &str) -> String {
    let shown = vec![
        AsKebabCase(text).to_string(),
        AsLowerCamelCase(text).to_string(),
        AsShoutyKebabCase(text).to_string(),
        AsShoutySnakeCase(text).to_string(),
        AsSnakeCase(text.to_owned()).to_string(),
        AsTitleCase(text).to_string(),
        AsTrainCase(text).to_string(),
        AsPascalCase(text).to_string(),
    ];
    let made = vec![
        text.to_kebab_case(),
        text.to_lower_camel_case(),
        text.to_shouty_kebab_case(),
        text.to_shouty_snake_case(),
        text.to_snake_case(),
        text.to_title_case(),
        text.to_train_case(),
        text.to_upper_camel_case(),
    ];
    assert_eq!(text.to_pascal_case(), made[7]);
    assert_eq!(text.to_snek_case(), made[4]);
    said(&[&made, &shown])
}
""",
}

MANIFEST = """
[package]
name = "asking"
version = "1.0.0"
edition = "2021"
[dependencies.heck]
path = "{}"
[profile.dev]
opt-level = 1
strip = true
"""

# What could be built comes back as one archive, in letters.
BUILD = "cargo build --quiet --offline --examples --keep-going; cd target/debug/examples && tar -czf - {} | base64 -w 0"


@functools.cache
def built(run: Runner) -> tuple[Path, str]:
    """A folder with those programs that the crate lets build, and what the compiler said."""
    tail = '\nuse asking::*;\nfn main() { let _ = (taken(|| 0), tally(0..0, "f"), walk(0..0, "f")); serve(answer) }\n'
    sources = {f"examples/{name}.rs": text + tail for name, text in PROGRAMS.items()}
    sources |= {"Cargo.toml": MANIFEST.format(run.tree), "src/lib.rs": COMMON}
    names = " ".join(f"$(test -f {name} && echo {name})" for name in PROGRAMS)
    done = run.command(["/bin/bash", "-c", BUILD.format(names)], files=sources, timeout=300)
    folder = Path(tempfile.mkdtemp(prefix="asking-", dir="/tmp"))
    folder.chmod(0o755)
    if done.stdout:
        with tarfile.open(fileobj=io.BytesIO(base64.b64decode(done.stdout))) as archive:
            for name in PROGRAMS:
                if name in archive.getnames() and (member := archive.extractfile(name)):
                    (folder / name).write_bytes(member.read())
                    (folder / name).chmod(0o755)
    return folder, done.stderr[-1800:]


def say(run: Runner, program: str, *questions: tuple[str, str], seconds: float = 30) -> list[Any]:
    """What a program answers to pairs of ends and text: the words, and numbers."""
    folder, complaint = built(run)
    assert (folder / program).exists(), f"what uses the crate can't be built: {complaint}"
    mark = secrets.token_hex(8)
    text = "".join(f"{line}\n" for line in [mark, *("\t".join(pair) for pair in questions)])
    found = list(replace(run.command([str(folder / program)], stdin=text, timeout=seconds), nonce=mark).json())
    assert len(found) == len(questions), f"{len(questions)} questions, {len(found)} answers"
    return found


# --- what is right ----------------------------------------------------------------------------------------------------


def pieces(text: str, apart: bool = False, ascii_only: bool = False) -> list[tuple[int, str]]:
    """Where each word begins, in characters, and the word."""
    found = []
    kinds = [apart and c.isdigit() for c in text]
    inside = [c.isalnum() and (c.isascii() or not ascii_only) for c in text]
    for (part, _), run in itertools.groupby(range(len(text)), key=lambda at: (inside[at], kinds[at])):
        if not part:
            continue
        start, *rest = run
        end, seen = rest[-1] + 1 if rest else start + 1, text[start]
        for at in rest:
            cased = [c for c in seen if c.lower() != c.upper()]
            follows = text[at + 1] if at + 1 < end else " "
            if text[at].isupper() and cased and (cased[-1].islower() or follows.islower()):
                found.append((start, text[start:at]))
                start = at
            seen += text[at]
        found.append((start, text[start:end]))
    return found


def words_of(text: str, apart: bool = False) -> list[str]:
    return [word for _, word in pieces(text, apart)]


def taken_from[T](items: list[T], ends: str) -> list[T]:
    left = collections.deque(items)
    found: list[T] = []
    for end in itertools.cycle(ends):
        if not left:
            return found
        found.append(left.popleft() if end == "f" else left.pop())
    return found


ASCII = "aaabcxyzABCXYZ0199__ -.,"
WIDE = "aäößéñαдzAÄÖÉÑΩДZ09_ -"


def drawn(seed: int, count: int, letters: str, longest: int = 14) -> list[str]:
    draw = random.Random(seed)
    return ["".join(draw.choices(letters, k=draw.randint(1, longest))) for _ in range(count)]


def patterns(seed: int, count: int) -> list[str]:
    draw = random.Random(seed)
    return ["".join(draw.choices("fb", k=draw.randint(2, 6))) + "fb" for _ in range(count)]


def forward(run: Runner, wanted: dict[str, str]) -> None:
    """The words of each text, joined by bars."""
    for text, answer in zip(wanted, say(run, "forward", *(("f", text) for text in wanted)), strict=True):
        equal("|".join(answer[0]), wanted[text], f"words of {text!r}")


# --- the first message: words -----------------------------------------------------------------------------------------


@case(turn=0)
def words_of_many_styles(run: Runner) -> None:
    forward(
        run,
        {
            "XMLHttpRequest": "XML|Http|Request",
            "some_snake, kebab-case and __dunder__": "some|snake|kebab|case|and|dunder",
            "MixedUP CamelCase, with some Spaces": "Mixed|UP|Camel|Case|with|some|Spaces",
            "SHOUTY_CASE": "SHOUTY|CASE",
            "ABC123DEf456": "ABC123D|Ef456",
            "ABC123dEEf456FOO": "ABC123d|E|Ef456|FOO",
            "99BOTTLES aB A": "99BOTTLES|a|B|A",
            "A1Bc": "A1|Bc",
            "x": "x",
            "_-": "",
            "": "",
        },
    )


@case(turn=0)
def words_of_random_texts(run: Runner) -> None:
    texts = drawn(3, 400, ASCII)
    forward(run, {text: "|".join(words_of(text)) for text in texts})


@case(turn=0)
def words_take_no_memory(run: Runner) -> None:
    texts = ["XMLHttpRequest", "one two_threeFour-FIVE6", "a" * 3000, "aB" * 500, "...", *drawn(5, 30, ASCII, 60)]
    for text, (words, inside, taken) in zip(texts, say(run, "forward", *(("f", t) for t in texts)), strict=True):
        equal([inside, taken], [len(words), 0], f"slices of the text, allocations for {text[:40]!r}")


# --- turn 2: from the back --------------------------------------------------------------------------------------------


@case(turn=2)
def words_from_the_back(run: Runner) -> None:
    texts = [
        "XMLHttpRequest",
        "ABC123DEf456",
        "abc123DEF456 __x",
        "a1B2cD3",
        "1",
        "--",
        "AbcD_e",
        *drawn(7, 300, ASCII),
    ]
    for text, answer in zip(texts, say(run, "ends", *(("b", text) for text in texts)), strict=True):
        equal(answer[0], words_of(text)[::-1], f"words of {text!r} from the back")


@case(turn=2)
def words_from_both_ends(run: Runner) -> None:
    asked = [("fb", "oneTwoTHREEFour"), ("bf", "ABCDef"), ("bbf", "aBC1De-fGHi"), ("fb", "A_b"), ("bf", "X")]
    asked += zip(patterns(9, 300), drawn(11, 300, ASCII, 24), strict=True)
    for (ends, text), answer in zip(asked, say(run, "ends", *asked), strict=True):
        equal(answer[0], taken_from(words_of(text), ends), f"words of {text!r}, {ends}")


@case(turn=2)
def words_from_the_back_take_no_memory(run: Runner) -> None:
    asked = [("b", "XMLHttpRequest sent_twice"), ("fb", "aB" * 400), ("bf", "oneTwo three4FIVE")]
    equal([answer[1] for answer in say(run, "ends", *asked)], [0] * len(asked))


@case(turn=2)
def lines_of_a_megabyte(run: Runner) -> None:
    asked = [("b", "500000 aB"), ("b", "500000 Ab"), ("b", "250000 a_b."), ("b", "1000000 a"), ("b", "200000 aBC1d")]
    found = [answer[0] for answer in say(run, "long", *asked, seconds=15)]
    equal(found, [500_001, 500_000, 500_000, 1, 200_001])


# --- turn 3: letters beyond ASCII -------------------------------------------------------------------------------------


@case(turn=3)
def umlauts_belong_to_words(run: Runner) -> None:
    forward(
        run,
        {
            "größeWert": "größe|Wert",
            "straße_nr, naïve-Äpfel": "straße|nr|naïve|Äpfel",
            "año2DOS": "año2|DOS",
            "»Überhöhung« (größer)": "Überhöhung|größer",
            "снег_идёт": "снег|идёт",
        },
    )


@case(turn=3)
def other_letters_have_cases(run: Runner) -> None:
    known = {"ÄÖÜber": "ÄÖ|Über", "dieÄpfel": "die|Äpfel", "ABÉa": "AB|Éa", "ΑΒΓδε": "ΑΒ|Γδε", "éÉé": "é|Éé"}
    forward(run, known | {text: "|".join(words_of(text)) for text in drawn(13, 200, WIDE)})


@case(turn=3)
def other_letters_from_the_back(run: Runner) -> None:
    asked = [("b", "größeWertÄPFELÜber"), ("b", "éÉé-ñandúÑU"), ("b", "ß"), ("b", "…ü…")]
    asked += [("b", text) for text in drawn(17, 200, WIDE, 20)]
    for (ends, text), answer in zip(asked, say(run, "ends", *asked), strict=True):
        equal(answer[0], taken_from(words_of(text), ends), f"words of {text!r}, {ends}")


# --- turn 4: where they are -------------------------------------------------------------------------------------------


def located(text: str, apart: bool = False) -> list[tuple[int, str]]:
    return [(len(text[:at].encode()), word) for at, word in pieces(text, apart)]


def indices(run: Runner, asked: list[tuple[str, str]]) -> None:
    for (ends, text), (at, words, _) in zip(asked, say(run, "indices", *asked), strict=True):
        equal(list(zip(at, words, strict=True)), taken_from(located(text), ends), f"places in {text!r}, {ends}")


@case(turn=4)
def places_of_words(run: Runner) -> None:
    (found,) = say(run, "indices", ("f", "  fooBar, a_b "))
    equal(found[:2], [[2, 5, 10, 12], ["foo", "Bar", "a", "b"]])
    indices(run, [("f", text) for text in ["", "x", "__x", "HTTPServer2GO x", *drawn(19, 200, ASCII, 20)]])


@case(turn=4)
def places_from_both_ends(run: Runner) -> None:
    indices(run, [("fb", "oneTwo three"), *zip(patterns(21, 200), drawn(23, 200, ASCII, 24), strict=True)])


@case(turn=4)
def places_are_bytes(run: Runner) -> None:
    texts = ["größeWert über", "ÄÖÜber", "→ ñandú", *drawn(25, 100, WIDE, 20)]
    indices(run, [(ends, text) for text in texts for ends in ("f", "b")])


@case(turn=4)
def places_take_no_memory(run: Runner) -> None:
    asked = [("f", "XMLHttpRequest"), ("b", "one twoThree" * 50), ("fb", "a_b-cD" * 20)]
    equal([answer[2] for answer in say(run, "indices", *asked)], [0] * len(asked))


# --- turn 5: digits apart ---------------------------------------------------------------------------------------------


def digits(run: Runner, asked: list[tuple[str, str]]) -> None:
    for (ends, text), (words, places, _) in zip(asked, say(run, "digits", *asked), strict=True):
        wanted = taken_from(located(text, apart=True), ends)
        equal([words, places], [[word for _, word in wanted], [at for at, _ in wanted]], f"{text!r}, {ends}")


@case(turn=5)
def digits_are_words(run: Runner) -> None:
    (found,) = say(run, "digits", ("f", "abc123DEf4x v2-10"))
    wanted = ["abc", "123", "D", "Ef", "4", "x", "v", "2", "10"]
    equal(found[:2], [wanted, [0, 3, 6, 7, 9, 10, 12, 13, 15]])
    digits(
        run, [("f", text) for text in ["ABC1def", "A1Bc", "99BOTTLES", "7", "1_2", "x86_64", *drawn(27, 250, ASCII)]]
    )


@case(turn=5)
def digits_from_the_back(run: Runner) -> None:
    digits(run, [("b", text) for text in ["abc123def", "ABC1def", "A1Bc", "1.5kg", "2B2b", *drawn(29, 250, ASCII)]])


@case(turn=5)
def digits_from_both_ends(run: Runner) -> None:
    digits(run, [("fb", "abc123def"), ("bf", "A1Bc2"), *zip(patterns(31, 250), drawn(33, 250, ASCII, 20), strict=True)])


@case(turn=5)
def digits_take_no_memory(run: Runner) -> None:
    asked = [("f", "abc123def"), ("b", "x86_64" * 40), ("fb", "oneTwo3")]
    equal([answer[2] for answer in say(run, "digits", *asked)], [0] * len(asked))


# --- what must stay as it was -----------------------------------------------------------------------------------------


def converted(text: str) -> list[str]:
    """All eight conversions, alphabetically."""
    parts = [word.lower() for _, word in pieces(text, ascii_only=True)]
    capitals = [part.capitalize() for part in parts]
    kebab, snake = "-".join(parts), "_".join(parts)
    camel = "".join(parts[:1] + capitals[1:])
    return [
        kebab,
        camel,
        kebab.upper(),
        snake.upper(),
        snake,
        " ".join(capitals),
        "-".join(capitals),
        "".join(capitals),
    ]


def convert(run: Runner, texts: list[str]) -> None:
    for text, answer in zip(texts, say(run, "old", *(("", text) for text in texts)), strict=True):
        equal(answer, [converted(text)] * 2, f"conversions of {text!r}")


@case(turn=0, kind="p2p")
def conversions_as_documented(run: Runner) -> None:
    known = {
        "We carry a new world here, in our hearts.": "we_carry_a_new_world_here_in_our_hearts",
        "this-contains_ ALLKinds OfWord_Boundaries": "this_contains_all_kinds_of_word_boundaries",
        "ABC123dEEf456FOO": "abc123d_e_ef456_foo",
        "FieldNamE11": "field_nam_e11",
        "abc123DEf456": "abc123_d_ef456",
        "__a__": "a",
        "": "",
    }
    for text, answer in zip(known, say(run, "old", *(("", text) for text in known)), strict=True):
        equal(answer[0][4], known[text], text)
    convert(run, list(known))


@case(turn=0, kind="p2p")
def conversions_of_random_texts(run: Runner) -> None:
    convert(run, drawn(35, 300, ASCII, 20))


@case(turn=0, kind="p2p")
def conversions_of_digits(run: Runner) -> None:
    convert(run, ["99BOTTLES", "abc123def", "x86_64", "v2Beta", "A1Bc", *drawn(37, 100, "aBc123", 12)])


@case(turn=0, kind="p2p")
def conversions_know_ascii_alone(run: Runner) -> None:
    (answer,) = say(run, "old", ("", "größeWert"))
    equal(answer[0][4], "gr_e_wert")
    convert(run, ["größeWert", "ABÉa", "Äpfel", "naïveÜber2", "снег aB", *drawn(39, 150, WIDE)])
