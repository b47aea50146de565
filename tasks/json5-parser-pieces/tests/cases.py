"""Cases of json5-parser-pieces: texts go in, whole or in pieces; values, items and errors come out."""

from typing import Any

from harness import Runner, case, equal

# ``say`` makes any outcome comparable: numbers that JSON doesn't know, warnings, and errors with their place.
TOOLS = r"""
const JSON5 = require(tree);
let warnings = [];
console.warn = (...all) => warnings.push(all.join(' '));
const plain = (key, value) => typeof value === 'number' && (!isFinite(value) || Object.is(value, -0))
  ? '#' + (Object.is(value, -0) ? '-0' : value) : value;
function say(act) {
  warnings = [];
  let text;
  try {
    text = JSON.stringify(act(), plain);
  } catch (error) {
    text = [error instanceof SyntaxError, error.message, error.lineNumber, error.columnNumber].join(' ');
  }
  return warnings.length ? [text, ...warnings].join(' | ') : String(text);
}
function feed(pieces, options) {
  const parser = new JSON5.Parser(options);
  for (const piece of pieces) parser.write(piece);
  return parser.end();
}
// the number of the piece that throws, and what it throws; 'end' where the end does
function thrown(pieces, options) {
  const parser = new JSON5.Parser(options);
  let at = 0;
  try {
    for (; at < pieces.length; at++) parser.write(pieces[at]);
    at = 'end';
    parser.end();
  } catch (error) {
    return [at, error.message, error.lineNumber, error.columnNumber];
  }
  return [at, null];
}
// every way to cut a text in two, and in single units
function* cuts(text) {
  for (let at = 0; at <= text.length; at++) yield [text.slice(0, at), text.slice(at)];
  yield text.split('');
}
const differ = (texts) => texts.flatMap((text) => {
  const whole = say(() => JSON5.parse(text));
  const found = [...cuts(text)].map((pieces) => [text, whole, say(() => feed(pieces))]);
  return found.filter(([, a, b]) => a !== b).slice(0, 1);
});
"""


def play(run: Runner, code: str, data: object = None, timeout: float = 30.0) -> Any:
    return run.node(TOOLS + code, data=data, timeout=timeout)


VALUES = {
    "{a: 1, 'b': [2, 3.5e-1, .5, 5., +0x1F, -0], \"c\": null,}": '{"a":1,"b":[2,0.35,0.5,5,31,"#-0"],"c":null}',
    "[Infinity, -Infinity, +NaN, true, false, [], {},]": '["#Infinity","#-Infinity","#NaN",true,false,[],{}]',
    "// one\n{ /* two ** */ $_a1 /**/ : '/*', \\u0061\\u200Cb: 2 } // three": '{"$_a1":"/*","a\u200cb":2}',
    "'\\x41\\u0042\\\n\\\r\nC\\\r\\0\\'\\v\\q\"'": '"ABC\\u0000\'\\u000bq\\""',
    "\ufeff\u00a0\u2003[\r\n\t'\u2028' \v,\f1e+3]\u2029": (
        "[\"\u2028\",1000] | JSON5: '\\u2028' in strings is not valid ECMAScript; consider escaping"
    ),
    " 12.5e1 ": "125",
    "-.5": "-0.5",
    "0": "0",
    "true": "true",
    '"x"': '"x"',
}
ERRORS = {
    "": "true JSON5: invalid end of input at 1:1 1 1",
    "{a: 1, b}": "true JSON5: invalid character '}' at 1:9 1 9",
    "[1,\n  2 3]": "true JSON5: invalid character '3' at 2:5 2 5",
    "[tru]": "true JSON5: invalid character ']' at 1:5 1 5",
    "'ab\nc'": "true JSON5: invalid character '\\n' at 2:0 2 0",
    "{\\u0031a: 1}": "true JSON5: invalid identifier character at 1:2 1 2",
    "['\\x4g']": "true JSON5: invalid character 'g' at 1:6 1 6",
    "'\\01'": "true JSON5: invalid character '1' at 1:4 1 4",
    "01": "true JSON5: invalid character '1' at 1:2 1 2",
    "1 /* x": "true JSON5: invalid end of input at 1:7 1 7",
    "[1, 2": "true JSON5: invalid end of input at 1:6 1 6",
    "1e": "true JSON5: invalid end of input at 1:3 1 3",
    "0x": "true JSON5: invalid end of input at 1:3 1 3",
    "{a:1}\n//\n}": "true JSON5: invalid character '}' at 3:1 3 1",
    "/": "true JSON5: invalid end of input at 1:2 1 2",
}


# --- 0: a parser of its own ------------------------------------------------------------------------------------------


@case(turn=0)
def pieces_make_the_same_value(run: Runner) -> None:
    found = play(run, "emit([differ(data), data.map((text) => say(() => feed([text])))]);", list(VALUES))
    equal(found, [[], list(VALUES.values())], "what differs, and values of texts in one piece")


@case(turn=0)
def pieces_make_the_same_errors(run: Runner) -> None:
    found = play(run, "emit([differ(data), data.map((text) => say(() => feed([text])))]);", list(ERRORS))
    equal(found, [[], list(ERRORS.values())], "what differs, and errors of texts in one piece")


@case(turn=0)
def parsers_at_the_same_time(run: Runner) -> None:
    code = r"""
    const texts =
      ['{a: [1, 22, "x\\u0041y"], b: -Infinity}', "['one', {two: 3}, /* 4 */ 5]\n", '\n\n{"a": tru}', '1234.5'];
    const parsers = texts.map(() => new JSON5.Parser());
    const failed = {};
    for (let at = 0; at < 60; at += 3) {
      texts.forEach((text, i) => {
        if (failed[i]) return;
        try { parsers[i].write(text.slice(at, at + 3)); } catch (error) { failed[i] = error; }
      });
      JSON5.parse('[{x: 1}]');
    }
    emit(parsers.map((parser, i) => say(() => { if (failed[i]) throw failed[i]; return parser.end(); })));
    """
    equal(
        play(run, code),
        [
            '{"a":[1,22,"xAy"],"b":"#-Infinity"}',
            '["one",{"two":3},5]',
            "true JSON5: invalid character '}' at 3:10 3 10",
            "1234.5",
        ],
        "outcomes",
    )


@case(turn=0)
def a_parser_left_alone_disturbs_nobody(run: Runner) -> None:
    code = """
    const half = new JSON5.Parser();
    half.write('{a: [1, "b');
    const other = say(() => JSON5.parse('[5, "c"]')), wrong = say(() => JSON5.parse('[5, "c'));
    half.write('c", {d: 2');
    const third = say(() => feed(['{', 'e', ':', '3', '}']));
    half.write('}]}');
    emit([other, wrong, third, say(() => half.end()), say(() => feed([]))]);
    """
    wanted = ['[5,"c"]', "true JSON5: invalid end of input at 1:7 1 7", '{"e":3}', '{"a":[1,"bc",{"d":2}]}']
    equal(play(run, code), [*wanted, "true JSON5: invalid end of input at 1:1 1 1"], "outcomes")


@case(turn=0)
def halves_of_characters(run: Runner) -> None:
    code = r"""
    const texts = [
      '"a😀b"', '{𝒜𝒷: "𝒞", "😀": \'\\😀\'}', '// 😀\n["😀😀"]', '/*😀*/"\\\ud83d\ude00"', '"\ud83d"', '"\ude00\ud83d"',
    ];
    emit([differ(texts), texts.map((text) => say(() => feed(text.split(''))))]);
    """
    wanted = ['"a😀b"', '{"𝒜𝒷":"𝒞","😀":"😀"}', '["😀😀"]', '"😀"', '"\\ud83d"', '"\\ude00\\ud83d"']
    equal(play(run, code), [[], wanted], "what differs, and values of texts in single units")


@case(turn=0)
def errors_name_whole_characters(run: Runner) -> None:
    code = r"""
    const texts = ['😀', '[1, 😀]', '{a😀: 1}', '"😀', '{"😀" 😀}', '\ud83d', '[\ude00]', '"\\u😀"', '1😀'];
    emit([differ(texts), texts.map((text) => say(() => feed(text.split(''))))]);
    """
    differs, found = play(run, code)
    equal(differs, [], "what differs")
    marks = ["'😀' at 1:2", "'😀' at 1:6", "'😀' at 1:4", "end of input at 1:4", "'😀' at 1:8"]
    for text, mark in zip(found, marks, strict=False):
        assert mark in text, f"wanted {mark}, found {text}"


# --- 1: errors at once -----------------------------------------------------------------------------------------------


@case(turn=1)
def the_bad_character_throws(run: Runner) -> None:
    code = "emit(data.map((text) => thrown(text.split(''))));"
    texts = {
        "[1, 2 3, 4]": [6, "JSON5: invalid character '3' at 1:7", 1, 7],
        "{a: tru, b: 1}": [7, "JSON5: invalid character ',' at 1:8", 1, 8],
        "{a: 1, b} ": [8, "JSON5: invalid character '}' at 1:9", 1, 9],
        "['x\n', 1]": [3, "JSON5: invalid character '\\n' at 2:0", 2, 0],
        "['\\u00g0', 1]": [6, "JSON5: invalid character 'g' at 1:7", 1, 7],
        "['\\9', 1]": [3, "JSON5: invalid character '9' at 1:4", 1, 4],
        "{\\u0031a: 1}": [6, "JSON5: invalid identifier character at 1:2", 1, 2],
        "[0123]": [2, "JSON5: invalid character '1' at 1:3", 1, 3],
        "[1ex]": [3, "JSON5: invalid character 'x' at 1:4", 1, 4],
        "{} {": [3, "JSON5: invalid character '{' at 1:4", 1, 4],
        "[/x/]": [2, "JSON5: invalid character 'x' at 1:3", 1, 3],
        "]": [0, "JSON5: invalid character ']' at 1:1", 1, 1],
    }
    equal(play(run, code, list(texts)), list(texts.values()), "where it throws, and what")


@case(turn=1)
def the_bad_piece_throws(run: Runner) -> None:
    code = "emit(data.map((pieces) => thrown(pieces)));"
    pieces = [
        ["{a: 1,\n", "b: [2, ", "3 x], c", ": 4}"],
        ["[", "'ok', n", "ull, nil", "]"],
        ["[1, 2]\n\n", "// fine\n", "  ,"],
        ["1", "2", ".5", "e", "!"],
        ["{'a", "\\", "u00", "41': -", "+1}"],
    ]
    wanted = [
        [2, "JSON5: invalid character 'x' at 2:10", 2, 10],
        [2, "JSON5: invalid character 'i' at 1:15", 1, 15],
        [2, "JSON5: invalid character ',' at 4:3", 4, 3],
        [4, "JSON5: invalid character '!' at 1:6", 1, 6],
        [4, "JSON5: invalid character '+' at 1:14", 1, 14],
    ]
    equal(play(run, code, pieces), wanted, "which piece throws, and what")


@case(turn=1)
def what_may_go_on_does_not_throw(run: Runner) -> None:
    code = "emit(data.map(([pieces, end]) => [[], [end], ['?']].map((more) => thrown([...pieces, ...more])[0])));"
    data = [
        [["[1, 2", ".", "5", "e", "-"], "1]"],
        [["[fal", "s"], "e]"],
        [["['\\", "x", "4"], "1']"],
        [["{a", "b", "\\u00"], "41: 1}"],
        [["/", "/ x"], "\n1"],
        [["/", "* x *"], "/ 1"],
    ]
    found = play(run, code, data)
    equal([[end, fine] for end, fine, _ in found], [["end", "end"]] * 6, "texts that are cut off, and their whole")
    equal([at for *_, at in found], [5, 2, 3, 3, "end", "end"], "where a question mark throws")


@case(turn=1)
def long_texts_in_small_pieces(run: Runner) -> None:
    code = """
    const text = '[' + Array.from({ length: 20000 }, (_, i) => `{id: ${i}, name: 'n\\\\u0041${i}'}`).join(', ') + ']';
    const value = feed(text.split(''));
    const bad = text.replace("name: 'n\\\\u0041150'", "name: 'n' 150");
    emit([value.length, value[19999], thrown(bad.split('')), bad.indexOf("'n' 150") + 4]);
    """
    length, last, (at, *_), wanted = play(run, code)
    equal([length, last, at], [20000, {"id": 19999, "name": "nA19999"}, wanted], "length, last, which unit throws")


# --- 3: one item after the other -------------------------------------------------------------------------------------

ITEMS = r"""
// what was handed over after each piece; keys as text
function items(pieces, more = {}) {
  const seen = [], steps = [];
  const parser = new JSON5.Parser(Object.assign({ onItem: (value, key) => seen.push([String(key), value]) }, more));
  for (const piece of pieces) {
    parser.write(piece);
    steps.push(seen.splice(0));
  }
  const end = parser.end();
  return { steps, last: seen, all: [...steps.flat(), ...seen], end };
}
"""


@case(turn=3)
def items_of_lists(run: Runner) -> None:
    code = ITEMS + "emit(data.map((pieces) => JSON.parse(JSON.stringify(items(pieces).steps, plain))));"
    data = [
        ["[{a: 1}", ", [2, {b: [3]}]", ", 'four'", "]"],
        ["[1", "2, ", "tr", "ue,", "-Infinity", "]"],
        ["[", "{", "}", ",", "[", "[", "]", "]", ",", "]"],
        ["[/*x*/ null , // y\n", "'\\", "n'", "] // z"],
    ]
    wanted = [
        [[["0", {"a": 1}]], [["1", [2, {"b": [3]}]]], [["2", "four"]], []],
        [[], [["0", 12]], [], [["1", True]], [], [["2", "#-Infinity"]]],
        [[], [], [["0", {}]], [], [], [], [], [["1", [[]]]], [], []],
        [[["0", None]], [], [["1", "\n"]], []],
    ]
    found = play(run, code, data)
    # a word like true may be handed over with its last letter or with what follows it
    equal([found[0], found[2], found[3]], [wanted[0], wanted[2], wanted[3]], "items after each piece")
    equal([[i for step in found[1] for i in step], found[1][:2]], [[i for s in wanted[1] for i in s], wanted[1][:2]])


@case(turn=3)
def items_of_objects(run: Runner) -> None:
    code = ITEMS + "emit(data.map((pieces) => items(pieces).steps));"
    data = [
        ["{a: {b: 1}", ", 'c d': [{e: 2}]", ", \\u0066: 'x'", "}"],
        ["{__proto__: {x: 1}", ", a: 'one'", ", a: 'two'}", " "],
        ["{", "2: 'b', ".replace("2", "'2'"), "'1': 'a'", "}"],
    ]
    wanted = [
        [[["a", {"b": 1}]], [["c d", [{"e": 2}]]], [["f", "x"]], []],
        [[["__proto__", {"x": 1}]], [["a", "one"]], [["a", "two"]], []],
        [[], [["2", "b"]], [["1", "a"]], []],
    ]
    equal(play(run, code, data), wanted, "items after each piece")


@case(turn=3)
def items_in_any_pieces(run: Runner) -> None:
    code = (
        ITEMS
        + r"""
    const texts = [
      "[1, -.5e1, {a: ['x', {b: null}]}, [[]], '\\u0041\\\n', true, NaN, 0x1f]",
      "{a: 1, '𝒜': {c: [2]}, \\u0064: 'e', f: [],}",
      '[]', '{}', ' [ /**/ {} ] ',
    ];
    emit(texts.map((text) => {
      const value = JSON5.parse(text);
      const wanted = JSON.stringify(Object.keys(value).map((key) => [key, value[key]]), plain);
      return [...cuts(text)].filter((pieces) => JSON.stringify(items(pieces).all, plain) !== wanted).length;
    }));
    """
    )
    equal(play(run, code), [0] * 5, "cuts that give other items")


@case(turn=3)
def items_before_an_error(run: Runner) -> None:
    code = r"""
    emit(data.map((pieces) => {
      const seen = [];
      const [, message] = thrown(pieces, { onItem: (value) => seen.push(value) });
      return [seen, message];
    }));
    """
    data = [["[{a: 1}, 'b', [3], x"], ["[[1], ", "{a: tru", ", b: 2}]"], ["{a: 'x', b: {c: 2}", ", d: [3"], ["[[1]]]"]]
    wanted = [
        [[{"a": 1}, "b", [3]], "JSON5: invalid character 'x' at 1:20"],
        [[[1]], "JSON5: invalid character ',' at 1:14"],
        [["x", {"c": 2}], "JSON5: invalid end of input at 1:26"],
        [[[1]], "JSON5: invalid character ']' at 1:6"],
    ]
    equal(play(run, code, data), wanted, "items and errors")


@case(turn=3)
def parsing_inside_of_on_item(run: Runner) -> None:
    code = r"""
    const seen = [], outer = new JSON5.Parser({
      onItem(value, key) {
        const inner = [], parser = new JSON5.Parser({ onItem: (item) => inner.push(item) });
        try { parser.write(value); parser.end(); } catch (error) { inner.push(error.message); }
        seen.push([key, inner, JSON5.parse('{a: 1}').a]);
      },
    });
    "['[1, [2]]', '{a: \"b\"}', '[x', '[\"5\"]']".split('').forEach((unit) => {
      try { outer.write(unit); } catch (error) { seen.push(error.message); }
    });
    outer.end();
    emit(seen);
    """
    found = play(run, code)
    equal([found[0], found[1], found[-1]], [[0, [1, [2]], 1], [1, ["b"], 1], [3, ["5"], 1]], "what was seen")


# --- 4: broken is broken ---------------------------------------------------------------------------------------------

BROKEN = r"""
function after(pieces, more, options) {
  const parser = new JSON5.Parser(options), found = [];
  const attempt = (act) => { try { act(); found.push(null); } catch (error) { found.push(error.message); } };
  attempt(() => { for (const piece of pieces) parser.write(piece); });
  if (found[0] === null) attempt(() => parser.end());
  const first = found.find((message) => message);
  found.length = 0;
  for (const piece of more) attempt(() => parser.write(piece));
  attempt(() => parser.end());
  attempt(() => parser.end());
  return [first, found.every((message) => message === first)];
}
"""


@case(turn=4)
def after_an_error_the_same_error(run: Runner) -> None:
    code = BROKEN + "emit(data.map(([pieces, more]) => after(pieces, more)));"
    data = [
        [["[1, x"], []],
        [["[1, x"], ["2]"]],
        [["[1, ", "x", "2]"], ["]", " "]],
        [["{a: 'b\n"], ["'}"]],
        [["[tr", "ee"], ["", "ue]"]],
        [["1 ", "2"], []],
        [["{\\u0031"], [": 1}", "}"]],
    ]
    wanted = ["'x' at 1:5", "'x' at 1:5", "'x' at 1:5", "'\\n' at 2:0", "'e' at 1:4", "'2' at 1:3"]
    found = play(run, code, data)
    equal([same for _, same in found], [True] * 7, "whether all that follows throws the same")
    equal([text for text, _ in found[:6]], [f"JSON5: invalid character {mark}" for mark in wanted], "errors")


@case(turn=4)
def no_items_after_an_error(run: Runner) -> None:
    code = (
        BROKEN
        + r"""
    const texts = [['[1, x', '2, {a: 3}]'], ['{a: {b: 1}, c: }', 'd: 2}', '}'], ['["a" "b"', ', "c"]']];
    emit(texts.map(([piece, ...more]) => {
      const seen = [];
      const found = after([piece], more, { onItem: (value) => seen.push(value) });
      return [...found, seen];
    }));
    """
    )
    wanted = [["x' at 1:5", True, [1]], ["}' at 1:16", True, [{"b": 1}]], ["\\\"' at 1:6", True, ["a"]]]
    equal(play(run, code), [[f"JSON5: invalid character '{mark}", *rest] for mark, *rest in wanted], "error, items")


# --- 5: a reviver, and how many --------------------------------------------------------------------------------------

REVIVER = """
const reviver = (calls) => function (key, value) {
  calls.push([key, Array.isArray(this), JSON.stringify(value)]);
  if (value === 'gone' || key === 'secret') return undefined;
  return typeof value === 'number' ? value * 10 : value;
};
"""


@case(turn=5)
def revivers_without_items(run: Runner) -> None:
    code = (
        REVIVER
        + r"""
    const texts = [
      "{a: [1, {b: 2, secret: 3}], c: 'gone', d: [['gone', 4]]}", '5',
      "[1, 'gone', {secret: {x: 1}}]", "'gone'", 'null',
    ];
    emit(texts.map((text) => {
      const one = [], two = [];
      const whole = JSON5.parse(text, reviver(one)), pieces = feed(text.split(''), { reviver: reviver(two) });
      return [JSON.stringify(pieces) ?? 'nothing', JSON.stringify(whole) === JSON.stringify(pieces),
        JSON.stringify(one) === JSON.stringify(two), one.length > 0];
    }));
    """
    )
    values = ['{"a":[10,{"b":20}],"d":[[null,40]]}', "50", "[10,null,{}]", "nothing", "null"]
    equal(play(run, code), [[value, True, True, True] for value in values], "values, and whether calls are the same")


@case(turn=5)
def revivers_with_items(run: Runner) -> None:
    code = (
        ITEMS
        + REVIVER
        + r"""
    const texts = [
      "[1, {a: [2], secret: 3}, 'gone', ['gone', 4]]", "{a: 1, secret: [2], b: {secret: 3, c: 4}, d: 'gone', e: 'f'}",
    ];
    emit(texts.map((text) => {
      const one = [], two = [];
      JSON5.parse(text, reviver(one));
      const { all } = items(text.split(''), { reviver: reviver(two) });
      const inner = (calls) => JSON.stringify(calls.filter(([key]) => key !== '').map(([key, , text]) => [key, text]));
      return [all, inner(one) === inner(two)];
    }));
    """
    )
    wanted = [
        [["0", 10], ["1", {"a": [20]}], ["3", [None, 40]]],
        [["a", 10], ["b", {"c": 40}], ["e", "f"]],
    ]
    equal(play(run, code), [[items, True] for items in wanted], "items, and whether calls are those of parse")


@case(turn=5)
def the_end_gives_the_count(run: Runner) -> None:
    code = ITEMS + "emit(data.map((text) => [text, text.split('')].map((pieces) => items(pieces).end)));"
    data = {"[1, [2, 3], {a: 4}]": 3, "{a: 1, b: {c: 2}}": 2, "[]": 0, " {} ": 0, "['a',]": 1, "{a: 1, a: 2}": 2}
    equal(play(run, code, list(data)), [[count, count] for count in data.values()], "counts")


@case(turn=5)
def counts_without_what_is_left_out(run: Runner) -> None:
    code = (
        ITEMS
        + """
    const odd = (key, value) => typeof value === 'number' && value % 2 ? undefined : value;
    emit(['[1, 2, 3, 4, [5, 6]]', '{a: 1, b: [1]}', '[7]'].map((text) => {
      const { all, end } = items([text], { reviver: odd });
      return [all.map(([key]) => key), end];
    }));
    """
    )
    equal(play(run, code), [[["1", "3", "4"], 3], [["b"], 1], [[], 0]], "keys and counts")


# --- what was there before -------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def values_as_before(run: Runner) -> None:
    code = "emit(data.map((text) => say(() => JSON5.parse(text))));"
    equal(play(run, code, list(VALUES)), list(VALUES.values()), "values")


@case(turn=0, kind="p2p")
def errors_as_before(run: Runner) -> None:
    code = "emit(data.map((text) => say(() => JSON5.parse(text))));"
    equal(play(run, code, list(ERRORS)), list(ERRORS.values()), "errors")


@case(turn=0, kind="p2p")
def names_are_names_of_own_properties(run: Runner) -> None:
    code = r"""
    const usual = (value) => Object.getPrototypeOf(value) === Object.prototype;
    const tell = (value) => [Object.keys(value), usual(value), value.polluted === undefined];
    const one = JSON5.parse('{__proto__: {polluted: 1}, constructor: 2, "hasOwnProperty": 3, a: 1, a: 4, "": 5}');
    const two = JSON5.parse('{"__proto__": 1}', (key, value) => key === '__proto__' ? { polluted: 1 } : value);
    emit([tell(one), one.a, one[''], tell(two), Object.getOwnPropertyDescriptor(one, '__proto__')]);
    """
    wanted = [
        [["__proto__", "constructor", "hasOwnProperty", "a", ""], True, True], 4, 5, [["__proto__"], True, True],
        {"value": {"polluted": 1}, "writable": True, "enumerable": True, "configurable": True},
    ]  # fmt: skip
    equal(play(run, code), wanted, "objects")


@case(turn=0, kind="p2p")
def revivers_as_before(run: Runner) -> None:
    code = r"""
    const calls = [];
    const value = JSON5.parse('{a: [1, {b: 2}], 3: [], c: null}'.replace('3', "'3'"), function (key, value) {
      calls.push([key, Array.isArray(this) ? 'list' : Object.keys(this).length]);
      return key === '0' ? undefined : value === 2 ? JSON5.parse('[7]') : value;
    });
    emit([
      calls, JSON.stringify(value), JSON5.parse('[1]', ['a']), JSON5.parse('[1]', null), JSON5.parse(5),
      say(() => JSON5.parse()),
      JSON5.parse({ toString() { return JSON.stringify(JSON5.parse('{a: 1}')); } }),
    ]);
    """
    calls = [["3", 3], ["0", "list"], ["b", 1], ["1", "list"], ["a", 3], ["c", 3], ["", 1]]
    rest = [
        '{"3":[],"a":[null,{"b":[7]}],"c":null}',
        [1],
        [1],
        5,
        "true JSON5: invalid character 'u' at 1:1 1 1",
        {"a": 1},
    ]
    equal(play(run, code), [calls, *rest], "calls and values")


@case(turn=0, kind="p2p")
def the_other_files_as_before(run: Runner) -> None:
    code = r"""
    const { stringify } = JSON5;
    emit([require(tree + '/lib/parse')('[1]'), typeof require(tree + '/lib/stringify'),
      stringify({ a: [1, 'b\'', Infinity], 'c-d': null }, null, 2), JSON5.parse(stringify({ x: ['\u2028', -0.5] })).x]);
    """
    wanted = [
        [1],
        "function",
        "{\n  a: [\n    1,\n    \"b'\",\n    Infinity,\n  ],\n  'c-d': null,\n}",
        ["\u2028", -0.5],
    ]
    equal(play(run, code), wanted, "exports and texts")
    for text, code_, out, err in (
        ("{a: [1,], // x\n}", 0, '{"a":[1]}', ""),
        ("{a: [1,,]}", 1, "", "JSON5: invalid character ',' at 1:8\n"),
    ):
        done = run.command(["/usr/bin/node", f"{run.tree}/lib/cli.js"], stdin=text)
        equal([done.code, done.stdout, done.stderr], [code_, out, err], "the command line")
