"""What the user of this session asked of qs, seen from outside: queries in, results and reports out."""

from collections.abc import Callable
from functools import cache
from typing import Any

from harness import Result, Runner, case, equal

Call = list[Any]
Answer = dict[str, Any]

# Each query is parsed with a reporter and without one. The prototypes of the nested objects come along, since JSON
# doesn't show them.
PARSE = """
const qs = require(tree);
const shape = (value) => value && typeof value === 'object' && !Array.isArray(value)
    ? { own: Object.fromEntries(Object.entries(value).map(([k, v]) => ['=' + k, shape(v)])), kind: kind(value) }
    : Array.isArray(value) ? { list: Array.from(value, shape), kind: kind(value) } : value;
const kinds = new Map([[Object.prototype, 'object'], [Array.prototype, 'array'], [null, 'null']]);
const kind = (value) => kinds.get(Object.getPrototypeOf(value)) ?? 'other';
const answer = ([query, given]) => {
    const options = { ...given };
    if (options.delimiter) { options.delimiter = new RegExp(options.delimiter); }
    const calls = [];
    const onDropped = (key, value, reason) => { calls.push([key, value, reason]); };
    const result = qs.parse(query, { ...options, onDropped });
    return { calls, result, shape: shape(result), bare: shape(qs.parse(query, options)) };
};
const guarded = (asked) => { try { return answer(asked); } catch (error) { return { thrown: String(error) }; } };
emit(Object.fromEntries(Object.entries(data).map(([name, asked]) => [name, asked.map(guarded)])));
"""


type Ask = tuple[str, dict[str, Any], list[Call]]


def ask(query: str, *calls: Call, **options: Any) -> Ask:
    """A query, parsed with these options, and the calls that it must lead to."""
    return query, options, list(calls)


ASKS: dict[str, list[Ask]] = {}


@cache
def answered(run: Runner) -> Result:
    """One process parses the queries of all cases."""
    return run.node_result(PARSE, data={name: [entry[:2] for entry in asks] for name, asks in ASKS.items()})


def asking(*asks: Ask) -> Callable[[Callable[..., None]], Callable[[Runner], None]]:
    """The calls for these queries must be as said, their results the same without a reporter; then the case judges."""

    def wrap(judge: Callable[..., None]) -> Callable[[Runner], None]:
        ASKS[judge.__name__] = list(asks)

        def check(run: Runner) -> None:
            answers: list[Answer] = answered(run).json()[judge.__name__]
            for (query, options, calls), answer in zip(asks, answers, strict=True):
                assert "thrown" not in answer, f"parsing {query[:200]} throws {answer['thrown']}"
                equal(answer["calls"], calls, f"calls for {query[:200]} with {options}")
                equal(answer["shape"], answer["bare"], f"result of {query[:200]} with onDropped")
            judge(*answers)

        check.__name__ = judge.__name__
        return check

    return wrap


# --- the first message: every parameter, with key, value and reason ------------------------------------------------


@case(turn=0)
@asking(
    ask(
        "toString=1&page=2&filter[valueOf]=a+b&sort%5Bby%5D%5Bconstructor%5D=x%26y&filter[q]=ok",
        ["toString", "1", "prototype"],
        ["filter[valueOf]", "a b", "prototype"],
        ["sort[by][constructor]", "x&y", "prototype"],
    ),
)
def names_at_every_level(*answers: Answer) -> None:
    (answer,) = answers
    equal(answer["result"], {"page": "2", "filter": {"q": "ok"}})


@case(turn=0)
@asking(
    ask("user.name=x&user.toString=1", ["user.toString", "1", "prototype"], allowDots=True),
    ask("isPrototypeOf&b", ["isPrototypeOf", "", "prototype"]),
    ask("isPrototypeOf&b", ["isPrototypeOf", None, "prototype"], strictNullHandling=True),
)
def dots_and_missing_values(*answers: Answer) -> None:
    dotted, *_ = answers
    equal(dotted["result"], {"user": {"name": "x"}})


@case(turn=0)
@asking(
    ask("valueOf=1&a[toString]=2", ["valueOf", "1", "prototype"], ["a[toString]", "2", "prototype"]),
    ask("valueOf=1&a[toString]=2", allowPrototypes=True),
    ask("valueOf=1&a[toString]=2", plainObjects=True),
    ask("a[b][c][toString]=1", depth=1),
)
def silent_where_names_are_kept(*answers: Answer) -> None:
    _, allowed, plain, _ = answers
    for answer in (allowed, plain):
        equal(answer["result"], {"valueOf": "1", "a": {"toString": "2"}})


@case(turn=0)
@asking(
    ask(
        "toString=1&a=x&toString=2&toString=2",
        ["toString", "1", "prototype"],
        ["toString", "2", "prototype"],
        ["toString", "2", "prototype"],
    ),
)
def one_call_for_each_repetition(*answers: Answer) -> None:
    """The calls say it all."""


@case(turn=0)
@asking(
    ask(
        "f[valueOf]=1,2&f[valueOf]=3&f[valueOf]&f[ok]=4,5",
        ["f[valueOf]", ["1", "2"], "prototype"],
        ["f[valueOf]", "3", "prototype"],
        ["f[valueOf]", "", "prototype"],
        comma=True,
    ),
)
def repetitions_with_commas(*answers: Answer) -> None:
    """The calls say it all."""


@case(turn=0)
@asking(
    ask(
        "x[toString]=1&valueOf=2&x[toString]=3&a[b]=4&q[valueOf]=5&valueOf=6",
        ["x[toString]", "1", "prototype"],
        ["valueOf", "2", "prototype"],
        ["x[toString]", "3", "prototype"],
        ["q[valueOf]", "5", "prototype"],
        ["valueOf", "6", "prototype"],
    ),
)
def calls_in_the_order_of_the_query(*answers: Answer) -> None:
    """The calls say it all."""


@case(turn=0)
@asking(
    ask("__proto__=1&a=2", ["__proto__", "1", "prototype"]),
    ask(
        "__proto__=1,2&a=3&__proto__=4",
        ["__proto__", ["1", "2"], "prototype"],
        ["__proto__", "4", "prototype"],
        comma=True,
    ),
)
def dunder_proto_as_a_plain_key(*answers: Answer) -> None:
    """The calls say it all."""


@case(turn=0)
@asking(
    ask("a[b]=c&a=valueOf&z=1", ["a", "valueOf", "prototype"]),
    ask("x[a][b]=c&x[a]=constructor", ["x[a]", "constructor", "prototype"]),
    ask("a[b]=c&a=valueOf", allowPrototypes=True),
    ask("a[b]=c&a=__proto__", ["a", "__proto__", "prototype"], allowPrototypes=True),
    ask("a=valueOf&a[b]=c"),
)
def names_lost_while_merging(*answers: Answer) -> None:
    first, *_ = answers
    equal(first["result"], {"a": {"b": "c"}, "z": "1"})


@case(turn=0)
@asking(
    ask(
        "a[b]=c&__proto__=0&a=toString&q[valueOf]=4&x=5&toString=6",
        ["__proto__", "0", "prototype"],
        ["a", "toString", "prototype"],
        ["q[valueOf]", "4", "prototype"],
        ["toString", "6", "prototype"],
    ),
)
def order_over_all_the_ways_to_get_lost(*answers: Answer) -> None:
    """The calls say it all."""


# --- turn 2: empty keys, and empty values that give way ------------------------------------------------------------


@case(turn=2)
@asking(ask("a=1&=x%20y", ["", "x y", "empty"]))
def empty_keys(*answers: Answer) -> None:
    (answer,) = answers
    equal(answer["result"], {"a": "1"})


@case(turn=2)
@asking(
    ask("q[min]=3&q=&p=1", ["q", "", "empty"]),
    ask("ids[]=3&ids=", ["ids", "", "empty"]),
    ask("q[size][min]=3&q[size]=", ["q[size]", "", "empty"]),
    ask("q[min]=3&q", ["q", None, "empty"], strictNullHandling=True),
)
def empty_values_that_give_way(*answers: Answer) -> None:
    first, *_ = answers
    equal(first["result"], {"q": {"min": "3"}, "p": "1"})


@case(turn=2)
@asking(
    ask("=1&a=&b&c[]=&c[]=x&d=&d[e]=f", ["", "1", "empty"]),
    # Repeated empty values are kept as a list beside the nested one: neither is lost.
    ask("g[h]=1&g=&g=&=2", ["", "2", "empty"]),
)
def silent_where_empty_values_are_kept(*answers: Answer) -> None:
    """The calls say it all."""


@case(turn=2)
@asking(
    ask("&&a=1&&=2&", ["", "2", "empty"]),
    ask("utf8=%E2%9C%93&a=b&=3", ["", "3", "empty"], charsetSentinel=True),
)
def what_is_no_parameter(*answers: Answer) -> None:
    _, sentinel = answers
    equal(sentinel["result"], {"a": "b"})


# --- turn 3: one call for the limit --------------------------------------------------------------------------------


@case(turn=3)
@asking(
    ask(
        "a=1&toString=2&b=3&c=4&d=5&valueOf=6",
        ["toString", "2", "prototype"],
        [None, 3, "limit"],
        parameterLimit=3,
    ),
    ask("&".join(f"p{number}=x" for number in range(1500)), [None, 500, "limit"]),
)
def one_last_call_for_the_limit(*answers: Answer) -> None:
    few, thousand = answers
    equal(few["result"], {"a": "1", "b": "3"})
    equal(len(thousand["result"]), 1000, "keys kept")


@case(turn=3)
@asking(
    ask("a=1&b=2&&c=3&&d=4&", [None, 2, "limit"], parameterLimit=2),
    ask("a=1&b=2&&", parameterLimit=2),
)
def limit_counts_parameters_only(*answers: Answer) -> None:
    """The calls say it all."""


@case(turn=3)
@asking(
    ask("a=1;b=2,c=3;d=4", [None, 2, "limit"], parameterLimit=2, delimiter="[;,]"),
    ask("a=1;b=2,c=3;d=4", parameterLimit=4, delimiter="[;,]"),
)
def limit_with_another_delimiter(*answers: Answer) -> None:
    first, _ = answers
    equal(first["result"], {"a": "1", "b": "2"})


@case(turn=3)
def cut_parameters_are_not_decoded(run: Runner) -> None:
    found = run.node(
        """
        const qs = require(tree);
        const decoded = [], calls = [];
        qs.parse('a=1&b=2&c=3&d=4', {
            parameterLimit: 2,
            decoder(text, usual, charset) { decoded.push(text); return usual(text, usual, charset); },
            onDropped(key, value, reason) { calls.push([key, value, reason]); },
        });
        emit({ decoded, calls });
        """
    )
    equal(found, {"decoded": ["a", "1", "b", "2"], "calls": [[None, 2, "limit"]]})


# --- turn 4: a value that names an existing key --------------------------------------------------------------------


@case(turn=4)
@asking(ask("sort[name]=desc&sort=name&x=1", ["sort", "name", "conflict"]))
def nested_value_is_not_overwritten(*answers: Answer) -> None:
    (answer,) = answers
    equal(answer["result"], {"sort": {"name": "desc"}, "x": "1"})


@case(turn=4)
@asking(
    ask("q[sort][name]=a&q[sort]=name", ["q[sort]", "name", "conflict"]),
    ask("sort[by][dir]=up&sort=by", ["sort", "by", "conflict"]),
    ask("a[0]=x&a[k]=y&a=0", ["a", "0", "conflict"]),
    ask("a[toString]=x&a=toString", ["a", "toString", "conflict"], allowPrototypes=True),
)
def deeper_conflicts(*answers: Answer) -> None:
    equal(
        [answer["result"] for answer in answers],
        [
            {"q": {"sort": {"name": "a"}}},
            {"sort": {"by": {"dir": "up"}}},
            {"a": {"0": "x", "k": "y"}},
            {"a": {"toString": "x"}},
        ],
    )


@case(turn=4)
@asking(
    ask("s=name&s[name]=a&t[k]=1&t=k", ["t", "k", "conflict"]),
    ask("s[name]=a&s=age&t[k]=1&t=k", ["t", "k", "conflict"]),
    ask("s[name]=a&s[name]=b&t[k]=1&t=k", ["t", "k", "conflict"]),
)
def no_conflict_elsewhere(*answers: Answer) -> None:
    equal(
        [answer["result"]["s"] for answer in answers],
        [["name", {"name": "a"}], {"name": "a", "age": True}, {"name": ["a", "b"]}],
    )


# --- turn 5: __proto__ with allowPrototypes ------------------------------------------------------------------------


@case(turn=5)
@asking(
    ask("a[__proto__][admin]=1&a[b]=2", ["a[__proto__][admin]", "1", "prototype"], allowPrototypes=True),
    ask("a[b]=2&a[__proto__][]=1", ["a[__proto__][]", "1", "prototype"], allowPrototypes=True),
)
def prototype_is_never_replaced(*answers: Answer) -> None:
    for answer in answers:
        equal(answer["shape"], {"kind": "object", "own": {"=a": {"kind": "object", "own": {"=b": "2"}}}})


@case(turn=5)
@asking(
    ask(
        "__proto__[x]=1&a[b][__proto__]=2&c=3&c[d]=4&a.__proto__.y=6",
        ["__proto__[x]", "1", "prototype"],
        ["a[b][__proto__]", "2", "prototype"],
        ["a.__proto__.y", "6", "prototype"],
        allowPrototypes=True,
        allowDots=True,
    ),
)
def dunder_proto_anywhere_is_reported(*answers: Answer) -> None:
    """The calls say it all."""


@case(turn=5)
@asking(
    ask(
        "a[__proto__][x]=1&a[toString]=2&valueOf=3&b[c]=4&b=constructor",
        ["a[__proto__][x]", "1", "prototype"],
        allowPrototypes=True,
    ),
)
def other_names_stay_allowed(*answers: Answer) -> None:
    (answer,) = answers
    equal(answer["result"], {"a": {"toString": "2"}, "valueOf": "3", "b": {"c": "4", "constructor": True}})


# --- what must stay as it was --------------------------------------------------------------------------------------


def results(run: Runner, *expected: tuple[str, dict[str, Any], object]) -> None:
    """Compare results of parsing without a reporter."""
    code = "const qs = require(tree); emit(data.map(([query, options]) => qs.parse(query, options)));"
    found = run.node(code, data=[(query, options) for query, options, _ in expected])
    for (query, _, wanted), got in zip(expected, found, strict=True):
        equal(got, wanted, f"result of {query}")


@case(turn=0, kind="p2p")
def documented_results(run: Runner) -> None:
    results(
        run,
        ("foo[bar][baz]=x&a%5Bb%5D=c", {}, {"foo": {"bar": {"baz": "x"}}, "a": {"b": "c"}}),
        ("a[b][c][d][e][f][g][h]=j", {}, {"a": {"b": {"c": {"d": {"e": {"f": {"[g][h]": "j"}}}}}}}),
        ("a=b&c=d", {"parameterLimit": 1}, {"a": "b"}),
        ("?a=b&c=d", {"ignoreQueryPrefix": True}, {"a": "b", "c": "d"}),
        ("a[1]=c&a[0]=b", {}, {"a": ["b", "c"]}),
        ("a[1]=b&a[15]=c", {}, {"a": ["b", "c"]}),
        ("a[100]=b", {}, {"a": {"100": "b"}}),
        ("a[]=b", {"parseArrays": False}, {"a": {"0": "b"}}),
        ("a=b,c", {"comma": True}, {"a": ["b", "c"]}),
        ("a&b=", {"strictNullHandling": True}, {"a": None, "b": ""}),
        ("utf8=%26%2310003%3B&a=%F8", {"charset": "utf-8", "charsetSentinel": True}, {"a": "ø"}),
    )


@case(turn=0, kind="p2p")
def mixed_notations_merge_as_before(run: Runner) -> None:
    results(
        run,
        ("a[0]=b&a[b]=c", {}, {"a": {"0": "b", "b": "c"}}),
        ("a[b]=c&a=d", {}, {"a": {"b": "c", "d": True}}),
        ("a=d&a[b]=c", {}, {"a": ["d", {"b": "c"}]}),
        ("a[]=x&a=y", {}, {"a": ["x", "y"]}),
        ("a[b]=c&a=d&a=e", {}, {"a": {"b": "c", "0": "d", "1": "e"}}),
        ("a[b]=c&a=", {}, {"a": {"b": "c"}}),
        ("a=&a[b]=c", {}, {"a": ["", {"b": "c"}]}),
        ("5[a]=1&b=3&5=2", {}, {"5": ["2", {"a": "1"}], "b": "3"}),
    )
    found = run.node("emit(require(tree).parse({ 'user[name]': 'x', 'user[tags]': ['y', 'z'], n: 0, list: null }));")
    equal(found, {"user": {"name": "x", "tags": ["y", "z"]}, "n": 0, "list": None})


@case(turn=0, kind="p2p")
def names_of_the_object_prototype(run: Runner) -> None:
    results(
        run,
        ("a[hasOwnProperty]=b&toString=c&d=e", {}, {"d": "e"}),
        ("a[b]=c&a=toString", {}, {"a": {"b": "c"}}),
    )


@case(turn=0, kind="p2p")
def allow_prototypes_keeps_names(run: Runner) -> None:
    results(
        run,
        ("a[hasOwnProperty]=b", {"allowPrototypes": True}, {"a": {"hasOwnProperty": "b"}}),
        ("toString", {"allowPrototypes": True}, {"toString": ""}),
        ("a[b]=c&a=toString", {"allowPrototypes": True}, {"a": {"b": "c", "toString": True}}),
    )


@case(turn=0, kind="p2p")
def plain_objects_keep_every_name(run: Runner) -> None:
    shape = """
        const qs = require(tree);
        const own = (value) => Object.entries(Object.getOwnPropertyDescriptors(value)).map(([k, d]) => [k, d.value]);
        emit(data.map(([query, options]) => {
            const { a } = qs.parse(query, { ...options, plainObjects: true });
            return [Object.getPrototypeOf(a), own(a)];
        }));
    """
    found = run.node(
        shape,
        data=[
            ("a[hasOwnProperty]=b&a[__proto__]=c", {}),
            ("a[__proto__]=c", {"allowPrototypes": True}),
            ("a[b]=1&a=__proto__", {}),
        ],
    )
    equal(found[0], [None, [["hasOwnProperty", "b"], ["__proto__", "c"]]])
    equal(found[1], [None, [["__proto__", "c"]]])
    equal(found[2], [None, [["b", "1"], ["__proto__", True]]])


@case(turn=0, kind="p2p")
def decoder_sees_each_key_and_value_once(run: Runner) -> None:
    found = run.node(
        """
        const qs = require(tree);
        const seen = [];
        const decoder = (text, usual, charset, kind) => {
            seen.push([text, charset, kind]);
            return kind === 'key' ? text.toLowerCase() : usual(text, usual, charset).split('').reverse().join('');
        };
        const result = qs.parse('Page=12&TOSTRING[x]=ab&Q[A]=%20b', { decoder, onDropped() {} });
        emit({ result, seen });
        """
    )
    equal(found["result"], {"page": "21", "tostring": {"x": "ba"}, "q": {"a": "b "}})
    equal(
        found["seen"],
        [
            ["Page", "utf-8", "key"],
            ["12", "utf-8", "value"],
            ["TOSTRING[x]", "utf-8", "key"],
            ["ab", "utf-8", "value"],
            ["Q[A]", "utf-8", "key"],
            ["%20b", "utf-8", "value"],
        ],
    )


@case(turn=0, kind="p2p")
def stringify_as_before(run: Runner) -> None:
    found = run.node(
        """
        const qs = require(tree);
        emit([
            qs.stringify({ a: { b: 'c' }, d: [1, 'x y'] }),
            qs.stringify({ a: ['b', 'c'], d: null }, { arrayFormat: 'brackets', encode: false, skipNulls: true }),
            qs.stringify({ a: null, b: '', c: undefined }, { strictNullHandling: true, addQueryPrefix: true }),
            qs.stringify({ a: { b: 'c d' } }, { allowDots: true, format: 'RFC1738' }),
            qs.stringify({ a: 'b', c: 'd', e: 'f' }, { filter: ['a', 'e'] }),
            Object.keys(qs).sort(),
        ]);
        """
    )
    equal(
        found,
        [
            "a%5Bb%5D=c&d%5B0%5D=1&d%5B1%5D=x%20y",
            "a[]=b&a[]=c",
            "?a&b=",
            "a.b=c+d",
            "a=b&e=f",
            ["formats", "parse", "stringify"],
        ],
    )
