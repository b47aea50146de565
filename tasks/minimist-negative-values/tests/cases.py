"""Cases of minimist-negative-values: command lines go in, with options of minimist, and what it makes of them comes out."""

from typing import Any

from harness import Runner, case, equal

# JSON has no infinite numbers: they come back as {"number": "-Infinity"}.
PARSE = """
const parse = require(tree);
const plain = (value) => typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) }
  : Array.isArray(value) ? value.map(plain)
  : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]))
  : value;
emit(data.map(([line, given]) => {
  const heard = [];
  const options = { ...given };
  if (options.unknown) { options.unknown = (arg) => { heard.push(arg); return options.keep === true; }; }
  const found = plain(parse(line.split(' '), options));
  return options.unknown ? { found, heard } : found;
}));
"""
PLUS, MINUS = {"number": "Infinity"}, {"number": "-Infinity"}

type Line = tuple[str, dict[str, Any], dict[str, Any]]


def line(text: str, wanted: dict[str, Any], **options: Any) -> Line:
    """A command line, what it must give (``_`` is empty where it isn't said) and the options of minimist."""
    return text, {"_": [], **wanted}, options


def parsed(run: Runner, *lines: Line) -> None:
    """All lines are parsed in one process and must give what they say."""
    found = run.node(PARSE, data=[[text, options] for text, _, options in lines])
    for (text, wanted, options), got in zip(lines, found, strict=True):
        equal(got, wanted, f"{text} with {options}")


# --- the first message: negative numbers are values of the option in front ------------------------------------------


@case(turn=0)
def after_long_options(run: Runner) -> None:
    parsed(
        run,
        line("--x -5 --y 3", {"x": -5, "y": 3}),
        line("draw --left -10 --top -0.25 a.svg", {"_": ["draw", "a.svg"], "left": -10, "top": -0.25}),
        line("--scale -1e3 --zoom -2.5e-1 --turn -7.", {"scale": -1000, "zoom": -0.25, "turn": -7}),
        line("--x -5 -6", {"x": -5, "6": True}),
    )


@case(turn=0)
def aliases_get_it_too(run: Runner) -> None:
    parsed(
        run,
        line("--left -4", {"left": -4, "l": -4}, alias={"l": "left"}),
        line("--x -4 --y -2", {"x": -4, "y": -2, "z": 1}, default={"x": 9, "z": 1}),
    )


@case(turn=0)
def repeated_and_dotted_options(run: Runner) -> None:
    parsed(
        run,
        line("--p -1 --p 2 --p -3", {"p": [-1, 2, -3]}),
        line("--at.x -1 --at.y -2", {"at": {"x": -1, "y": -2}}),
    )


@case(turn=0)
def unknown_hears_of_the_option_alone(run: Runner) -> None:
    data = [["--x -5 --y -6", {"unknown": True, "keep": True, "alias": {"y": "top"}}], ["--x -5", {"unknown": True}]]
    kept, dropped = run.node(PARSE, data=data)
    equal(kept, {"found": {"_": [], "x": -5, "y": -6, "top": -6}, "heard": ["--x"]})
    equal(dropped, {"found": {"_": []}, "heard": ["--x"]})


@case(turn=0)
def numbers_that_begin_with_a_dot(run: Runner) -> None:
    parsed(run, line("--x -.5 --y -.25e2", {"x": -0.5, "y": -25}))


@case(turn=0)
def after_short_options(run: Runner) -> None:
    parsed(
        run,
        line("-x -5 -y 3", {"x": -5, "y": 3}),
        line("-x -5 file -y -1.5", {"_": ["file"], "x": -5, "y": -1.5}),
    )


@case(turn=0)
def after_a_group_of_letters(run: Runner) -> None:
    parsed(
        run,
        line("-vqx -5", {"v": True, "q": True, "x": -5}),
        line("-vx -5 a", {"_": ["a"], "v": True, "x": -5, "left": -5}, alias={"x": "left"}),
    )


@case(turn=0)
def text_for_string_options(run: Runner) -> None:
    parsed(
        run,
        line("--code -5 --y -6", {"code": "-5", "y": -6}, string="code"),
        line("--zip -007", {"zip": "-007", "postcode": "-007"}, string=["postcode"], alias={"zip": "postcode"}),
    )


# --- turn 2: infinite values ----------------------------------------------------------------------------------------


@case(turn=2)
def infinite_values(run: Runner) -> None:
    parsed(
        run,
        line("--max Infinity --min -Infinity", {"max": PLUS, "min": MINUS}),
        line("--min -Infinity -5", {"min": MINUS, "5": True}),
    )


@case(turn=2)
def infinite_values_behind_a_sign_of_equality(run: Runner) -> None:
    parsed(run, line("--max=Infinity --min=-Infinity a", {"_": ["a"], "max": PLUS, "min": MINUS}))


@case(turn=2)
def infinity_as_text(run: Runner) -> None:
    parsed(run, line("--from -Infinity --to Infinity", {"from": "-Infinity", "to": "Infinity"}, string=["from", "to"]))


# --- turn 3: what is declared stays a flag --------------------------------------------------------------------------


@case(turn=3)
def declared_booleans_stay_flags(run: Runner) -> None:
    parsed(
        run,
        line("ls --sort -1 --by -2", {"_": ["ls"], "sort": True, "1": True, "by": -2}, boolean="1"),
        line("--a -1 --b -2 --c -3", {"a": True, "1": True, "b": True, "2": True, "c": -3}, boolean=["1", "2"]),
    )


@case(turn=3)
def declared_booleans_stay_flags_before_words(run: Runner) -> None:
    parsed(run, line("--x -5 --sort -1 dir", {"_": ["dir"], "x": -5, "sort": True, "1": True}, boolean=["1"]))


@case(turn=3)
def declared_aliases_stay_flags(run: Runner) -> None:
    parsed(
        run,
        line("--sort -1 --by -2", {"sort": True, "1": True, "one": True, "by": -2}, alias={"1": "one"}),
        line("--sort -4 --by -2", {"sort": True, "4": True, "ipv4": True, "by": -2}, alias={"ipv4": ["4"]}),
    )


@case(turn=3)
def declared_strings_stay_flags(run: Runner) -> None:
    parsed(run, line("--sort -1 a --by -2", {"sort": True, "1": "a", "by": -2}, string=["1"]))


# --- turn 4: a dash and a digit begin a value -----------------------------------------------------------------------


@case(turn=4)
def units_are_values(run: Runner) -> None:
    parsed(
        run,
        line("--since -2d --until -30min log", {"_": ["log"], "since": "-2d", "until": "-30min"}),
        line("--x -5 --width -10% -3d", {"x": -5, "width": "-10%", "3": True, "d": True}),
    )


@case(turn=4)
def times_and_ranges_are_values(run: Runner) -> None:
    parsed(
        run,
        line("--tz -03:00 --rows -5..-1", {"tz": "-03:00", "rows": "-5..-1"}),
        line("--from -0044-03-15 --by -3", {"from": "-0044-03-15", "by": -3}),
    )


@case(turn=4)
def text_that_begins_with_a_digit(run: Runner) -> None:
    parsed(run, line("--since -2d --v 1", {"since": "-2d", "v": 1}, string="since"))


@case(turn=4)
def short_options_take_them_too(run: Runner) -> None:
    parsed(run, line("-t -03:00 -vs -2d", {"t": "-03:00", "v": True, "s": "-2d"}))


# --- what was there -------------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def booleans_take_no_numbers(run: Runner) -> None:
    parsed(
        run,
        line("--v -5", {"v": True, "5": True}, boolean="v"),
        line("-v -5", {"v": True, "5": True}, boolean="v"),
        line("--loud -5", {"v": True, "loud": True, "5": True}, boolean="v", alias={"v": "loud"}),
        line("--x -5", {"x": True, "5": True}, boolean=True),
        line("--no-x -5", {"x": False, "5": True}),
    )


@case(turn=0, kind="p2p")
def digits_with_no_option_in_front(run: Runner) -> None:
    parsed(
        run,
        line("head -5", {"_": ["head"], "5": True}),
        line("-123 456", {"1": True, "2": True, "3": 456}),
        line("-2 file", {"2": "file"}),
        line("-- -5 --x -6", {"_": ["-5", "--x", "-6"]}),
        line("a --x -5", {"_": ["a", "--x", "-5"]}, stopEarly=True),
    )


@case(turn=0, kind="p2p")
def numbers_in_the_same_word(run: Runner) -> None:
    parsed(
        run,
        line("-n5 -x-5 --y=-6 -z=-7", {"n": 5, "x": -5, "y": -6, "z": -7}),
        line("--name=-5", {"name": "-5"}, string="name"),
        line("--hex 0xff --big 1e7 --word 10f 12 a", {"_": [12, "a"], "hex": 255, "big": 10000000, "word": "10f"}),
    )


@case(turn=0, kind="p2p")
def options_after_options(run: Runner) -> None:
    parsed(
        run,
        line("--a -b --c -d2", {"a": True, "b": True, "c": True, "d": 2}),
        line("-a -bc --dir -", {"a": True, "b": True, "c": True, "dir": "-"}),
        line("--s --t", {"s": "", "t": True}, string="s"),
        line("-f true --g false", {"f": True, "g": False}, boolean=["f", "g"]),
    )
