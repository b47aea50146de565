"""Cases of papaparse-types: columns with types, seen through Papa.parse and Papa.unparse alone."""

from typing import Any

from harness import Runner, case, equal

START = """
const Papa = require(tree + '/papaparse.js');
const show = (v) => v === undefined ? {odd: 'undefined'}
  : typeof v === 'bigint' ? {big: v.toString()}
  : v instanceof Date ? {date: v.toISOString()}
  : typeof v === 'number' && !Number.isFinite(v) ? {odd: String(v)}
  : Array.isArray(v) ? v.map(show)
  : v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, show(x)]))
  : v;
const faults = (errors) => errors.filter((e) => e.type === 'Types').map((e) => [e.code, e.row, e.field]);
"""


def play(run: Runner, code: str, data: object = None) -> Any:
    """What a driver emits."""
    return run.node(START + code, data=data)


def parse(run: Runner, *jobs: tuple[str, dict[str, Any]]) -> list[Any]:
    """The data that Papa.parse finds for each of some pairs of text and options."""
    found = play(run, "emit(data.map(([text, options]) => show(Papa.parse(text, options).data)));", jobs)
    assert isinstance(found, list) and len(found) == len(jobs), f"no data: {found!r}"
    return found


def unparse(run: Runner, *jobs: tuple[Any, dict[str, Any]]) -> list[str]:
    """What Papa.unparse writes for each of some pairs of data and options, as lines."""
    found = play(run, "emit(data.map(([value, options]) => Papa.unparse(value, options).split('\\r\\n')));", jobs)
    assert isinstance(found, list) and len(found) == len(jobs), f"no texts: {found!r}"
    return found


STOCK = {"sku": "string", "qty": "integer", "price": "number", "active": "boolean"}


# --- 0: types, and the capital E -------------------------------------------------------------------------------------


@case(turn=0)
def columns_have_types_by_name(run: Runner) -> None:
    text = "sku,qty,price,active\n007,12,1e3,TRUE\n1e5, 08 ,-.5,false\ntrue,-3,2.50,true\n 1 ,0,1E-2,FALSE"
    (found,) = parse(run, (text, {"header": True, "types": STOCK}))
    equal(
        found,
        [
            {"sku": "007", "qty": 12, "price": 1000, "active": True},
            {"sku": "1e5", "qty": 8, "price": -0.5, "active": False},
            {"sku": "true", "qty": -3, "price": 2.5, "active": True},
            {"sku": " 1 ", "qty": 0, "price": 0.01, "active": False},
        ],
        "rows",
    )


@case(turn=0)
def columns_have_types_by_number(run: Runner) -> None:
    rows, mixed, listed = parse(
        run,
        ("007,12,x\n1e5,5,y", {"types": {"0": "string", "1": "integer"}}),
        ("007,12,1.5\n1e5,5,TRUE", {"types": {"0": "string"}, "dynamicTyping": True}),
        ('"a,b",1\n"c ""d""",2', {"types": {"1": "number"}}),
    )
    equal(rows, [["007", 12, "x"], ["1e5", 5, "y"]], "types alone")
    equal(mixed, [["007", 12, 1.5], ["1e5", 5, True]], "with dynamicTyping")
    equal(listed, [["a,b", 1], ['c "d"', 2]], "quoted cells")


@case(turn=0)
def other_columns_stay_as_they_are(run: Runner) -> None:
    text = "sku,n,day,free\n007,10,2020-02-01T10:00:00Z,\n008,x,y,TRUE,9,z"
    types = {"sku": "string"}
    plain, guessed, chosen = parse(
        run,
        (text, {"header": True, "types": types}),
        (text, {"header": True, "types": types, "dynamicTyping": True}),
        (text, {"header": True, "types": types, "dynamicTyping": {"n": True, "sku": True, "__parsed_extra": True}}),
    )
    equal(
        plain,
        [
            {"sku": "007", "n": "10", "day": "2020-02-01T10:00:00Z", "free": ""},
            {"sku": "008", "n": "x", "day": "y", "free": "TRUE", "__parsed_extra": ["9", "z"]},
        ],
        "without dynamicTyping",
    )
    equal(
        guessed,
        [
            {"sku": "007", "n": 10, "day": {"date": "2020-02-01T10:00:00.000Z"}, "free": None},
            {"sku": "008", "n": "x", "day": "y", "free": True, "__parsed_extra": [9, "z"]},
        ],
        "with dynamicTyping",
    )
    equal([chosen[0]["sku"], chosen[0]["n"], chosen[1]["__parsed_extra"]], ["007", 10, [9, "z"]], "for some columns")
    code = """
    const seen = Papa.parse('a,b\\n01,2', {header: true, types: {a: 'string'}, dynamicTyping: (name) => name === 'b'});
    emit(show(seen.data));
    """
    equal(play(run, code), [{"a": "01", "b": 2}], "dynamicTyping as a function")


@case(turn=0)
def capital_e_is_an_exponent(run: Runner) -> None:
    text = "1E3,-2.5E-3,1E+2,.5E1,1e3\nE3,1E,1E3x,0xE3,1 E3"
    equal(
        parse(run, (text, {"dynamicTyping": True}))[0],
        [[1000, -0.0025, 100, 5, 1000], ["E3", "1E", "1E3x", "0xE3", "1 E3"]],
        "dynamicTyping",
    )
    some = {"header": True, "dynamicTyping": {"b": True}}
    equal(parse(run, ("a,b\n1E3,1E3", some))[0], [{"a": "1E3", "b": 1000}], "for some columns")


@case(turn=0)
def empty_cells_are_null_except_in_strings(run: Runner) -> None:
    named, numbered = parse(
        run,
        ("sku,qty,price,active,rest\n,,,,\n1,2,3,TRUE,", {"header": True, "types": STOCK}),
        (",,", {"types": {"0": "boolean", "1": "string"}}),
    )
    equal(
        named,
        [
            {"sku": "", "qty": None, "price": None, "active": None, "rest": ""},
            {"sku": "1", "qty": 2, "price": 3, "active": True, "rest": ""},
        ],
        "by name",
    )
    equal(numbered, [[None, "", ""]], "by number")


@case(turn=0)
def unknown_types_throw(run: Runner) -> None:
    code = """
    const tries = [
      ['a\\n1', {header: true, types: {a: 'int'}}],
      ['a\\n1', {header: true, types: {a: 'integer', missing: 'Number'}}],
      ['', {types: {0: 'toString'}}],
      [Papa.NODE_STREAM_INPUT, {header: true, types: {a: 'constructor'}}],
      ['a\\n1', {header: true, types: {a: 'integer'}}],
    ];
    emit(tries.map(([input, options]) => {
      try { Papa.parse(input, options); return 'nothing'; } catch (error) { return error instanceof Error; }
    }));
    """
    equal(play(run, code), [True, True, True, True, "nothing"], "thrown")
    (found,) = parse(run, ("a\n1", {"header": True, "types": {"a": "integer"}}))
    equal(found, [{"a": 1}], "a type that is known")


@case(turn=0)
def columns_called_like_members_of_objects(run: Runner) -> None:
    text = "constructor,toString,valueOf,qty\n01,02,03,04"
    plain, named = parse(
        run,
        (text, {"header": True, "types": {"qty": "integer"}}),
        (text, {"header": True, "types": {"toString": "integer", "constructor": "string"}}),
    )
    equal(plain, [{"constructor": "01", "toString": "02", "valueOf": "03", "qty": 4}], "not named")
    equal(named, [{"constructor": "01", "toString": 2, "valueOf": "03", "qty": "04"}], "named")


@case(turn=0)
def options_serve_again(run: Runner) -> None:
    code = """
    const options = {header: true, dynamicTyping: true, types: Object.freeze({sku: 'string', qty: 'integer'})};
    const first = Papa.parse('sku,qty,n\\n01,02,3', options);
    const second = Papa.parse('n,qty,sku\\n4,05,06', options);
    const renamed = Papa.parse('SKU,Qty\\n07,08', {
      header: true, types: {sku: 'string', qty: 'integer'}, transformHeader: (name) => name.toLowerCase(),
    });
    emit(show([first.data, second.data, renamed.data]));
    """
    equal(
        play(run, code),
        [[{"sku": "01", "qty": 2, "n": 3}], [{"n": 4, "qty": 5, "sku": "06"}], [{"sku": "07", "qty": 8}]],
        "rows",
    )


# --- 1: errors -------------------------------------------------------------------------------------------------------

BAD = "sku,qty,price,active\n1,1.5,x,yes\n2,2,1 2,TRUE\n3,,,\n4,four,0x10,True\n5,5,5,"
FAULTS = [
    ["InvalidInteger", 0, "qty"],
    ["InvalidNumber", 0, "price"],
    ["InvalidBoolean", 0, "active"],
    ["InvalidNumber", 1, "price"],
    ["InvalidInteger", 3, "qty"],
    ["InvalidNumber", 3, "price"],
    ["InvalidBoolean", 3, "active"],
]


@case(turn=1)
def misfits_are_errors(run: Runner) -> None:
    code = """
    const {errors} = Papa.parse(data[0], {header: true, types: data[1]});
    emit([faults(errors), errors.length]);
    """
    found, number = play(run, code, [BAD, STOCK])
    equal(sorted(found), sorted(FAULTS), "errors")
    equal(number, 7, "number of all errors")


@case(turn=1)
def misfits_of_columns_by_number(run: Runner) -> None:
    code = """
    const {errors} = Papa.parse('1,a,b\\n\\n2,3,c\\nx,4,d', {types: {0: 'integer', 1: 'number'}, skipEmptyLines: true,
      dynamicTyping: true});
    emit(faults(errors));
    """
    equal(play(run, code), [["InvalidNumber", 0, 1], ["InvalidInteger", 2, 0]], "errors")


@case(turn=1)
def rows_of_errors_count_like_those_of_mismatches(run: Runner) -> None:
    code = """
    const text = 'a,b\\n1,2\\n\\nx,2\\n3\\n4,5,6\\ny,7';
    const rows = (errors) => errors.map((e) => [e.code, e.row]).sort();
    const options = {header: true, types: {a: 'integer'}, skipEmptyLines: true, delimiter: ','};
    const whole = rows(Papa.parse(text, {...options}).errors);
    const stepped = [];
    Papa.parse(text, {...options, step: (results) => { stepped.push(...results.errors); }});
    const chunked = [];
    Papa.parse(text, {...options, chunkSize: 5, chunk: (results) => { chunked.push(...results.errors); }});
    emit([whole, rows(stepped), rows(chunked)]);
    """
    wanted = [["InvalidInteger", 1], ["InvalidInteger", 4], ["TooFewFields", 2], ["TooManyFields", 3]]
    whole, stepped, chunked = play(run, code)
    equal(whole, wanted, "the whole text")
    equal(stepped, wanted, "step by step")
    equal(chunked, wanted, "in chunks")


@case(turn=1)
def streams_have_types_and_errors(run: Runner) -> None:
    code = """
    const {Readable} = require('stream');
    const errors = [];
    const rows = [];
    await new Promise((resolve) => Papa.parse(Readable.from(['a,b\\n1', ',x\\nq', ',y\\n03,z']), {
      header: true, types: {a: 'integer'},
      step: (results) => { rows.push(results.data.b); errors.push(...results.errors); },
      complete: resolve,
    }));
    const piped = [];
    await new Promise((resolve) => Readable.from(['a,b\\n01', ',02\\n03,04'])
      .pipe(Papa.parse(Papa.NODE_STREAM_INPUT, {header: true, types: {a: 'integer'}}))
      .on('data', (row) => piped.push(row)).on('end', resolve));
    emit([rows, faults(errors), show(piped)]);
    """
    equal(
        play(run, code),
        [["x", "y", "z"], [["InvalidInteger", 1, "a"]], [{"a": 1, "b": "02"}, {"a": 3, "b": "04"}]],
        "rows and errors",
    )


# --- 3: integers that numbers can't hold -----------------------------------------------------------------------------


@case(turn=3)
def big_integers_keep_their_digits(run: Runner) -> None:
    text = "id\n9007199254740993\n-9007199254740993\n 123456789012345678901234567890 \n9007199254740991\n-12"
    code = "const r = Papa.parse(data, {header: true, types: {id: 'integer'}}); emit([show(r.data), faults(r.errors)]);"
    rows, errors = play(run, code, text)
    equal(
        [row["id"] for row in rows],
        [
            {"big": "9007199254740993"},
            {"big": "-9007199254740993"},
            {"big": "123456789012345678901234567890"},
            9007199254740991,
            -12,
        ],
        "integers",
    )
    equal(errors, [], "errors")


@case(turn=3)
def big_integers_beside_other_columns(run: Runner) -> None:
    found = parse(run, ("18014398509481985,18014398509481985,0018014398509481985\n1,2,3",
                        {"types": {"0": "integer", "2": "integer"}, "dynamicTyping": True}))[0]  # fmt: skip
    equal(
        found,
        [[{"big": "18014398509481985"}, "18014398509481985", {"big": "18014398509481985"}], [1, 2, 3]],
        "by number, beside dynamicTyping",
    )
    code = """
    const seen = [];
    const step = (results) => { seen.push(results.data); };
    Papa.parse('id\\n9007199254740995\\n7', {header: true, types: {id: 'integer'}, step});
    emit(show(seen));
    """
    equal(play(run, code), [{"id": {"big": "9007199254740995"}}, {"id": 7}], "step by step")


# --- 4: null for misfits, decimal commas -----------------------------------------------------------------------------

GERMAN = {"type": "number", "decimal": ","}


@case(turn=4)
def misfits_are_null_and_keep_their_text_in_the_error(run: Runner) -> None:
    code = """
    const {data: rows, errors} = Papa.parse(data[0], {header: true, types: data[1]});
    const stepped = [];
    Papa.parse('a\\n x', {header: true, types: {a: 'integer'},
      step: (r) => { stepped.push([r.data.a, ...r.errors.map((e) => e.value)]); }, delimiter: ','});
    emit([show(rows), show(errors.map((e) => [e.row, e.field, e.value])), show(stepped)]);
    """
    rows, errors, stepped = play(run, code, [BAD, STOCK])
    equal(rows[0], {"sku": "1", "qty": None, "price": None, "active": None}, "first row")
    equal(rows[1], {"sku": "2", "qty": 2, "price": None, "active": True}, "second row")
    equal(rows[3], {"sku": "4", "qty": None, "price": None, "active": None}, "fourth row")
    equal(
        sorted(errors),
        sorted([
            [0, "qty", "1.5"], [0, "price", "x"], [0, "active", "yes"], [1, "price", "1 2"], [3, "qty", "four"],
            [3, "price", "0x10"], [3, "active", "True"],
        ]),
        "errors",
    )  # fmt: skip
    equal(stepped, [[None, " x"]], "step by step")


@case(turn=4)
def decimal_commas(run: Runner) -> None:
    text = "p\n1.234,50\n0,5\n-12,25\n1.234.567\n1234,5\n 7 \n\n1.000.000,125\n1,5E3\n12"
    (found,) = parse(run, (text, {"header": True, "types": {"p": GERMAN}, "delimiter": ";"}))
    equal(
        [row["p"] for row in found], [1234.5, 0.5, -12.25, 1234567, 1234.5, 7, None, 1000000.125, 1500, 12], "numbers"
    )
    quoted, plain = parse(
        run,
        ('n,"1.234,5"\nm,"0,25"', {"types": {"1": GERMAN}}),
        ("a;b\n1,5;1.5", {"header": True, "types": {"a": GERMAN, "b": "number"}, "delimiter": ";"}),
    )
    equal(quoted, [["n", 1234.5], ["m", 0.25]], "quoted cells")
    equal(plain, [{"a": 1.5, "b": 1.5}], "beside a column with points")


@case(turn=4)
def dots_stand_between_groups_of_three(run: Runner) -> None:
    text = "p\n1.5\n12.34\n1.2345\n1234.567\n1.23.456,7\n1,2,3\n1,234.5\n.5\n1..234\nx"
    code = """
    const r = Papa.parse(data, {header: true, types: {p: {type: 'number', decimal: ','}}, delimiter: ';'});
    emit([r.data.filter((row) => typeof row.p === 'number').length, faults(r.errors)]);
    """
    numbers, errors = play(run, code, text)
    equal(numbers, 0, "numbers")
    equal(errors, [["InvalidNumber", row, "p"] for row in range(10)], "errors")


@case(turn=4)
def transforms_come_before_types(run: Runner) -> None:
    code = """
    const strip = (text, column) => column === 'price' ? text.replace(/ ?€/, '') : text;
    const r = Papa.parse('sku;price\\n01;1.234,50 €\\n02;€', {
      header: true, delimiter: ';', transform: strip, types: {sku: 'string', price: {type: 'number', decimal: ','}},
    });
    emit([show(r.data), r.errors.length]);
    """
    equal(play(run, code), [[{"sku": "01", "price": 1234.5}, {"sku": "02", "price": None}], 0], "rows, errors")


# --- 6: the way back -------------------------------------------------------------------------------------------------


@case(turn=6)
def unparse_writes_decimal_commas(run: Runner) -> None:
    rows = [{"sku": "007", "qty": 3, "price": 1234.5}, {"sku": "8.5", "qty": 1.5, "price": None}]
    types = {"sku": "string", "qty": "number", "price": GERMAN}
    comma, semicolon, quotes = unparse(
        run,
        (rows, {"types": types}),
        (rows, {"types": types, "delimiter": ";"}),
        (rows[:1], {"types": types, "quotes": [True, False, True], "header": False, "delimiter": ";"}),
    )
    equal(comma, ["sku,qty,price", '007,3,"1234,5"', "8.5,1.5,"], "with commas")
    equal(semicolon, ["sku;qty;price", "007;3;1234,5", "8.5;1.5;"], "with semicolons")
    equal(quotes, ['"007";3;"1234,5"'], "with quotes")


@case(turn=6)
def unparse_knows_columns_in_every_input(run: Runner) -> None:
    found = unparse(
        run,
        ({"fields": ["k", "p"], "data": [["a", 1.5], ["b", 2.25]]}, {"types": {"p": GERMAN}, "delimiter": ";"}),
        ({"fields": ["p", "k"], "data": [{"k": "a", "p": 1.5}]}, {"types": {"p": GERMAN}, "delimiter": ";"}),
        ([["a", 1.5, 1.5], ["b", 2, 2.5]], {"types": {"1": GERMAN}, "delimiter": ";"}),
        ([{"k": "a", "p": 1.5, "q": 1.5}], {"types": {"p": GERMAN}, "columns": ["q", "p"], "delimiter": ";"}),
        ('[{"p": 0.5}]', {"types": {"p": GERMAN}, "delimiter": ";"}),
    )
    equal(found[0], ["k;p", "a;1,5", "b;2,25"], "fields and rows")
    equal(found[1], ["p;k", "1,5;a"], "fields and objects")
    equal(found[2], ["a;1,5;1.5", "b;2;2.5"], "rows alone")
    equal(found[3], ["q;p", "1.5;1,5"], "chosen columns")
    equal(found[4], ["p", "0,5"], "JSON")


@case(turn=6)
def numbers_are_no_formulae(run: Runner) -> None:
    rows = [{"p": -12.5, "n": -1.5, "s": "-1"}, {"p": 3, "n": 4, "s": "=A1"}]
    options = {"types": {"p": GERMAN, "n": "number", "s": "string"}, "escapeFormulae": True, "delimiter": ";"}
    (found,) = unparse(run, (rows, options))
    equal(found, ["p;n;s", "-12,5;-1.5;'-1", "3;4;'=A1"], "lines")


@case(turn=6)
def what_was_read_comes_back(run: Runner) -> None:
    code = """
    const types = {id: 'integer', sku: 'string', price: {type: 'number', decimal: ','}, ok: 'boolean', n: 'number'};
    const options = (delimiter) => ({header: true, types, delimiter});
    const text = 'id;sku;price;ok;n\\r\\n12345;007;1234,5;true;-2.5\\r\\n-7;;-0,25;false;\\r\\n;x;;;3';
    const first = Papa.parse(text, options(';'));
    const again = Papa.unparse(first.data, {types, delimiter: ';'});
    const other = Papa.parse(Papa.unparse({fields: first.meta.fields, data: first.data}, {types}), options(','));
    const tiny = [{price: 1.5e-7, n: 2.5e-9}, {price: -1e-7, n: 123456789.125}];
    const read = Papa.parse(Papa.unparse(tiny, {types}), options(','));
    emit([again === text, show(other.data), other.errors.length, show(read.data), read.errors.length]);
    """
    same, data, errors, tiny, tiny_errors = play(run, code)
    equal(
        data,
        [
            {"id": 12345, "sku": "007", "price": 1234.5, "ok": True, "n": -2.5},
            {"id": -7, "sku": "", "price": -0.25, "ok": False, "n": None},
            {"id": None, "sku": "x", "price": None, "ok": None, "n": 3},
        ],
        "rows",
    )
    equal([same, errors, tiny_errors], [True, 0, 0], "same text, errors")
    equal(tiny, [{"price": 1.5e-7, "n": 2.5e-9}, {"price": -1e-7, "n": 123456789.125}], "small and long numbers")


# --- what was there before -------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def guesses_of_dynamic_typing(run: Runner) -> None:
    text = "007,-.5,1.,1e3, 4 ,TRUE,false,\n1.2.3,5-2,True,null,2020-01-01T00:00:00Z,+5,1 2,9007199254740993"
    equal(
        parse(run, (text, {"dynamicTyping": True}))[0],
        [
            [7, -0.5, 1, 1000, 4, True, False, None],
            ["1.2.3", "5-2", "True", "null", {"date": "2020-01-01T00:00:00.000Z"}, "+5", "1 2", "9007199254740993"],
        ],
        "rows",
    )


@case(turn=0, kind="p2p")
def guesses_for_some_columns(run: Runner) -> None:
    text = "a,b,c\n01,02,03,04\n,x,"
    named, numbered, none = parse(
        run,
        (text, {"header": True, "dynamicTyping": {"a": True, "__parsed_extra": True}}),
        ("01,02\n03,04", {"dynamicTyping": {"1": True}}),
        (text, {"header": True}),
    )
    equal(named, [{"a": 1, "b": "02", "c": "03", "__parsed_extra": [4]}, {"a": None, "b": "x", "c": ""}], "by name")
    equal(numbered, [["01", 2], ["03", 4]], "by number")
    equal(none[1], {"a": "", "b": "x", "c": ""}, "none")
    code = """
    const seen = [];
    const choose = (name) => { seen.push(name); return name === 'a'; };
    const r = Papa.parse('a,b\\n01,02\\n03,04', {header: true, dynamicTyping: choose});
    emit([show(r.data), seen]);
    """
    equal(play(run, code), [[{"a": 1, "b": "02"}, {"a": 3, "b": "04"}], ["a", "b"]], "by a function")


@case(turn=0, kind="p2p")
def errors_of_rows_are_as_before(run: Runner) -> None:
    code = """
    const r = Papa.parse('a,b\\n1\\n2,3,4\\n"x,5', {header: true, delimiter: ','});
    emit([r.data, r.errors, r.meta.fields]);
    """
    data, errors, fields = play(run, code)
    equal(data, [{"a": "1"}, {"a": "2", "b": "3", "__parsed_extra": ["4"]}, {"a": "x,5"}], "rows")
    few = {"type": "FieldMismatch", "code": "TooFewFields"}
    equal(
        errors,
        [
            {"type": "Quotes", "code": "MissingQuotes", "message": "Quoted field unterminated", "row": 3, "index": 13},
            {**few, "message": "Too few fields: expected 2 fields but parsed 1", "row": 0},
            {"type": "FieldMismatch", "code": "TooManyFields",
             "message": "Too many fields: expected 2 fields but parsed 3", "row": 1},
            {**few, "message": "Too few fields: expected 2 fields but parsed 1", "row": 2},
        ],
        "errors",
    )  # fmt: skip
    equal(fields, ["a", "b"], "fields")


@case(turn=0, kind="p2p")
def streams_and_transforms_are_as_before(run: Runner) -> None:
    code = """
    const {Readable} = require('stream');
    const stepped = [];
    Papa.parse('a,b\\n1,2\\n3,4', {header: true, dynamicTyping: true, transform: (v, f) => f === 'b' ? v + '0' : v,
      step: (r) => { stepped.push(r.data); }});
    const sizes = [];
    Papa.parse('1,2\\n3,4\\n5,6', {chunkSize: 4, dynamicTyping: true, chunk: (r) => { sizes.push(r.data); }});
    const piped = [];
    await new Promise((resolve) => Readable.from(['1,2\\n', '3,4']).pipe(Papa.parse(Papa.NODE_STREAM_INPUT, {}))
      .on('data', (row) => piped.push(row)).on('end', resolve));
    const kept = Papa.parse('x,1\\n# no\\n\\ny,2\\nz,3', {comments: true, skipEmptyLines: true, preview: 3}).data;
    emit([stepped, sizes.flat(), piped, kept]);
    """
    stepped, flat, piped, kept = play(run, code)
    equal(stepped, [{"a": 1, "b": 20}, {"a": 3, "b": 40}], "step by step")
    equal(flat, [[1, 2], [3, 4], [5, 6]], "chunks")
    equal(piped, [["1", "2"], ["3", "4"]], "pipe")
    equal(kept[0], ["x", "1"], "comments")


@case(turn=0, kind="p2p")
def unparse_writes_as_before(run: Runner) -> None:
    code = """
    const day = new Date('2018-05-04T21:08:03.269Z');
    emit([
      Papa.unparse([{a: 1.5, b: 'x,y', c: null}, {a: -2, b: true, c: day}]),
      Papa.unparse({fields: ['k', 'p'], data: [['a', -1.5], ['=b', 2]]}, {escapeFormulae: true, delimiter: ';'}),
      Papa.unparse([['a "b"', ' c'], [], [1e21, 5n]], {newline: '\\n'}),
      Papa.unparse([{a: 1, b: 2}, {b: 3}], {columns: ['b', 'a'], header: false, quotes: true}),
      Papa.unparse([{a: '', b: ''}, {a: 1, b: 2}], {skipEmptyLines: 'greedy'}),
    ]);
    """
    equal(
        play(run, code),
        [
            'a,b,c\r\n1.5,"x,y",\r\n-2,true,2018-05-04T21:08:03.269Z',
            "k;p\r\na;-1.5\r\n'=b;2",
            '"a ""b"""," c"\n\n1e+21,5',
            '"2","1"\r\n"3",',
            "a,b\r\n1,2",
        ],
        "texts",
    )
