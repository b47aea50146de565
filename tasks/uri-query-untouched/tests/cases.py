"""Query parameters of URI objects: a URI and calls go in, what the calls return and the URI afterwards come out."""

import json
import secrets
from dataclasses import replace
from typing import Any

from harness import Runner, case, equal

# A string argument is a string of characters, as under "use utf8"; raw() makes one of bytes, pattern() a qr//.
DRIVER = r"""
use strict;
use warnings;
use JSON::PP ();
use Encode ();
use Scalar::Util ();
use Storable ();

my ($mark, $tree, $jobs) = @{ JSON::PP->new->utf8->decode(do { local $/; <STDIN> }) };
my $json = JSON::PP->new->ascii->allow_nonref;

sub argument {
    my $given = shift;
    return $given if !defined $given;
    return [map argument($_), @$given] if ref $given eq 'ARRAY';
    if (ref $given eq 'HASH') {
        if (exists $given->{raw}) {
            my $bytes = $given->{raw};
            utf8::downgrade($bytes);
            return $bytes;
        }
        if (exists $given->{pattern}) {
            my ($pattern, $flags) = ($given->{pattern}, $given->{flags});
            return $flags ? qr/(?$flags)$pattern/ : qr/$pattern/;
        }
        return { map { $_ => argument($given->{$_}) } keys %$given };
    }
    my $text = "$given";
    utf8::upgrade($text) if $text =~ /[^\x00-\x7f]/;
    return $text;
}

unshift @INC, "$tree/lib";
require URI;
my @done;
for my $job (@$jobs) {
    my ($uri, $default, @calls) = @$job;
    no warnings 'once';
    local $URI::DEFAULT_QUERY_FORM_DELIMITER = $default;
    my $u = URI->new($uri);
    my @results;
    for my $call (@calls) {
        my ($context, $method, @args) = @$call;
        my @given = map argument($_), @args;
        my @got = eval { $context eq 'scalar' ? scalar($u->$method(@given)) : $u->$method(@given) };
        push @results, $@ ? { died => "$@" } : \@got;
    }
    push @done, { results => \@results, uri => "$u", from => $INC{'URI.pm'} };
}
print "\n$mark", $json->encode(\@done), "\n";
"""

Call = tuple[Any, ...]


def raw(text: str) -> dict[str, str]:
    """Bytes, given by the characters of the same numbers."""
    return {"raw": text}


def pattern(text: str, flags: str = "") -> dict[str, str]:
    """A compiled pattern."""
    return {"pattern": text, "flags": flags}


def play(run: Runner, *jobs: tuple[str, list[Call]], default: str | None = None) -> list[dict[str, Any]]:
    """For each URI and its calls: the results of the calls (lists) and the URI in the end."""
    mark = secrets.token_hex(8)
    asked = [[uri, default, *calls] for uri, calls in jobs]
    done = run.command(
        ["/usr/bin/perl", "driver.pl"], files={"driver.pl": DRIVER}, stdin=json.dumps([mark, run.tree, asked])
    )
    played: list[dict[str, Any]] = replace(done, nonce=mark).json()
    assert len(played) == len(jobs), f"{len(played)} answers to {len(jobs)} questions"
    for (uri, calls), one in zip(jobs, played, strict=True):
        assert one["from"].startswith(run.tree), f"URI was loaded from {one['from']}"
        for call, result in zip(calls, one["results"], strict=True):
            assert isinstance(result, list), f"{call} on {uri}: {result}"
    return played


def becomes(run: Runner, *rows: tuple[str, Call, str], default: str | None = None) -> None:
    """Each query becomes another by one call; ... for the new one stands for a URI without query."""
    jobs = [(f"http://shop.example/p/a%2fb?{query}#top", [call]) for query, call, _ in rows]
    for (query, call, wanted), one in zip(rows, play(run, *jobs, default=default), strict=True):
        equal(one["uri"], f"http://shop.example/p/a%2fb{wanted and '?' + wanted}#top", f"?{query} after {call[1:]}")


def gives(run: Runner, *rows: tuple[str, Call, list[Any]]) -> None:
    """Each call on a query returns this."""
    jobs = [(f"http://shop.example/?{query}", [call]) for query, call, _ in rows]
    for (query, call, wanted), one in zip(rows, play(run, *jobs), strict=True):
        equal(one["results"][0], wanted, f"{call} on ?{query}")


def delete(key: Any) -> Call:
    return ("list", "query_param_delete", key)


def put(key: Any, *values: Any) -> Call:
    return ("list", "query_param", key, *values)


def append(key: Any, *values: Any) -> Call:
    return ("list", "query_param_append", key, *values)


# --- the first message: what is not deleted --------------------------------------------------------------------------


@case(turn=0)
def others_keep_their_escapes(run: Runner) -> None:
    becomes(
        run,
        ("A=%7e&utm=1&b=x%20y&c=a=b&d=%c3%a4&e=%28%29", delete("utm"), "A=%7e&b=x%20y&c=a=b&d=%c3%a4&e=%28%29"),
        ("utm=1&q=a%2Fb/c:d@e,f$", delete("utm"), "q=a%2Fb/c:d@e,f$"),
        ("q=%2b+%2B&%71=1&utm", delete("utm"), "q=%2b+%2B&%71=1"),
        ("sig=%7E%2D%5f&utm=1", delete("utm"), "sig=%7E%2D%5f"),
        ("a=%41&b=&c&utm=1&=d", delete("utm"), "a=%41&b=&c&=d"),
    )


@case(turn=0)
def broken_escapes_stay_too(run: Runner) -> None:
    becomes(
        run,
        ("a=%zz&utm=1&b=100%", delete("utm"), "a=%zz&b=100%"),
        ("%=1&utm=1&b=%e4", delete("utm"), "%=1&b=%e4"),
    )


@case(turn=0)
def keys_are_found_however_written(run: Runner) -> None:
    becomes(
        run,
        ("my+key=1&z=%7e&my%20key=2&MY%20key=3", delete("my key"), "z=%7e&MY%20key=3"),
        ("utm%5Fsource=1&z=%7e&%75tm_source=2", delete("utm_source"), "z=%7e"),
        ("a=utm&z=%7e&utm=a&utmx=1&xutm=1", delete("utm"), "a=utm&z=%7e&utmx=1&xutm=1"),
    )
    gives(run, ("my+key=1&z=%7e&my%20key=x%20y", delete("my key"), ["1", "x y"]))
    (one,) = play(run, ("ftp://u:p@h:21/x;type=a?z=%7e&a=1&b=%28#f?a=1", [delete("a"), delete("b")]))
    equal((one["results"], one["uri"]), ([["1"], ["("]], "ftp://u:p@h:21/x;type=a?z=%7e#f?a=1"))


@case(turn=0)
def delimiters_in_front_go(run: Runner) -> None:
    becomes(
        run,
        ("a=1;b=2&c=3", delete("a"), "b=2&c=3"),
        ("a=1;b=2&c=3", delete("b"), "a=1&c=3"),
        ("a=1;b=2&c=3", delete("c"), "a=1;b=2"),
        ("a=1&b=2;c=3&d=4", delete("b"), "a=1;c=3&d=4"),
    )


@case(turn=0)
def delimiters_between_several(run: Runner) -> None:
    becomes(
        run,
        ("x=1&a=1;x=2;b=2&x=3", delete("x"), "a=1;b=2"),
        ("x&x=1;a=1&x=2&b=2;c=3;x=", delete("x"), "a=1&b=2;c=3"),
        ("a=1&x=1;x=2;b=2", delete("x"), "a=1;b=2"),
    )


# --- turn 2: setting and appending -----------------------------------------------------------------------------------


@case(turn=2)
def setting_writes_one_value(run: Runner) -> None:
    becomes(
        run,
        ("A=%7e&b=x%20y&c=1;d=%28", put("c", "2"), "A=%7e&b=x%20y&c=2;d=%28"),
        ("A=%7e&c=%31&c=%32", put("c", "1", "x & y/z"), "A=%7e&c=1&c=x+%26+y%2Fz"),
        ("sig=%7E%2D%5f&page=1", put("page", 2), "sig=%7E%2D%5f&page=2"),
    )
    gives(run, ("a=%7e&b=x%20y&b=%28", put("b", "2"), ["x y", "("]))


@case(turn=2)
def setting_keeps_the_key_as_written(run: Runner) -> None:
    becomes(
        run,
        ("%71=1&z=%7e", put("q", "2"), "%71=2&z=%7e"),
        ("my%20key=1&my+key=2&z=%7e", put("my key", "3", "4"), "my%20key=3&my+key=4&z=%7e"),
        ("a=b=c&%61=1", put("a", "d=e"), "a=d%3De"),
    )


@case(turn=2)
def setting_fewer_or_more_values(run: Runner) -> None:
    becomes(
        run,
        ("x=1;a=%7e;x=2;b=%28", put("x", "5", "6", "7"), "x=5;a=%7e;x=6;x=7;b=%28"),
        ("x=1;a=%7e&x=2;b=%28", put("x", "9"), "x=9;a=%7e;b=%28"),
        ("x=1&a=%7e&x=2&b=%28", put("x", ["3", "4"], "5"), "x=3&a=%7e&x=4&x=5&b=%28"),
        ("a=%7e&x=1", put("x", []), "a=%7e"),
    )


@case(turn=2)
def setting_what_has_no_value(run: Runner) -> None:
    becomes(
        run,
        ("flag&a=%7e", put("flag", "1"), "flag=1&a=%7e"),
        ("flag=1&a=%7e", put("flag", None), "flag&a=%7e"),
        ("f=1&a=%7e&f=2", put("f", None, ""), "f&a=%7e&f="),
    )


@case(turn=2)
def setting_a_new_key(run: Runner) -> None:
    becomes(
        run,
        ("a=%7e", put("new key", "x y&z"), "a=%7e&new+key=x+y%26z"),
        ("a=%7e;b=%28", put("n", "1", "2"), "a=%7e;b=%28;n=1;n=2"),
    )


@case(turn=2)
def appending_leaves_the_rest(run: Runner) -> None:
    becomes(
        run,
        ("a=%7e;b=x%20y", append("n", "1", None, raw("\xc3\xa4")), "a=%7e;b=x%20y;n=1;n;n=%C3%A4"),
        ("a=%7e&n=%31&c", append("n", ["2", "3"]), "a=%7e&n=%31&c&n=2&n=3"),
        ("q=%2b+a=b", append("a/b", "%"), "q=%2b+a=b&a%2Fb=%25"),
    )
    becomes(run, ("a=%7e", append("n", "1"), "a=%7e;n=1"), default=";")


@case(turn=2)
def words_without_values_survive(run: Runner) -> None:
    becomes(
        run,
        ("druckansicht", append("a", "1"), "druckansicht&a=1"),
        ("druckansicht", put("a", "1"), "druckansicht&a=1"),
        ("foo+bar%7e", append("a", "1", "2"), "foo+bar%7e&a=1&a=2"),
    )


@case(turn=2)
def nothing_to_write_nothing_changed(run: Runner) -> None:
    becomes(
        run,
        ("a=%7e&b=x%20y", append("n"), "a=%7e&b=x%20y"),
        ("a=%7e&b=x%20y", append("n", []), "a=%7e&b=x%20y"),
        ("a=%7e&b=x%20y", put("n", []), "a=%7e&b=x%20y"),
        ("druckansicht", append("n", []), "druckansicht"),
    )


@case(turn=2)
def empty_places_survive_writing(run: Runner) -> None:
    becomes(
        run,
        ("a=%7e&&b=2&", put("b", "3"), "a=%7e&&b=3&"),
        ("&a=%7e&&b=2", append("c", "3"), "&a=%7e&&b=2&c=3"),
    )


# --- turn 3: patterns ------------------------------------------------------------------------------------------------


@case(turn=3)
def patterns_delete_all_they_match(run: Runner) -> None:
    becomes(
        run,
        ("utm_source=1&a=%7e&utm_medium=2&b=3&utm_x", delete(pattern("^utm_")), "a=%7e&b=3"),
        ("a=%7e&my+utm_x=1&b=utm_", delete(pattern("utm_")), "a=%7e&b=utm_"),
        ("UTM_a=1;b=%7e;utm_c=2", delete(pattern("^utm_", "i")), "b=%7e"),
        ("utm_a=1&utm_b=2", delete(pattern("^utm_[ab]$")), ""),
    )
    gives(
        run,
        ("utm_b=1&a=2&utm_a=x%20y&utm_c&utm_b=4", delete(pattern("^utm_")), ["1", "x y", None, "4"]),
        ("b=0&utm_b=1&utm_a=2", ("scalar", "query_param_delete", pattern("^utm_")), ["1"]),
    )


@case(turn=3)
def patterns_see_the_key_unescaped(run: Runner) -> None:
    becomes(
        run,
        ("utm%5Fsource=1&a=%7e", delete(pattern("^utm_")), "a=%7e"),
        ("my+key=1&a=%7e&my%20other=2", delete(pattern("^my ")), "a=%7e"),
        ("a%5Bx%5D=1&b=%7e&a%5by%5d=2", delete(pattern(r"^a\[")), "b=%7e"),
        ("a%3Db=1&a=b", delete(pattern("=")), "a=b"),
    )


@case(turn=3)
def patterns_without_match(run: Runner) -> None:
    becomes(
        run,
        ("a=%7e&b=x%20y;c=utm_", delete(pattern("^utm_")), "a=%7e&b=x%20y;c=utm_"),
        ("utm_a=1&^utm_=2", delete("^utm_"), "utm_a=1"),
        ("utm_a=1&b=2", delete(pattern("^utm_")), "b=2"),
    )
    gives(run, ("a=1", delete(pattern("b")), []), ("ab=1&a.c=2", delete(pattern("^a[.]c")), ["2"]))


# --- turn 4: characters ----------------------------------------------------------------------------------------------


@case(turn=4)
def characters_are_read(run: Runner) -> None:
    gives(
        run,
        ("gr%C3%B6%C3%9Fe=42&a=1", put("größe"), ["42"]),
        ("gr%c3%b6%c3%9fe=1&a=1&gr%C3%B6%c3%9Fe=2", put("größe"), ["1", "2"]),
        ("gr%C3%B6%C3%9Fe=1&gr%C3%B6%C3%9Fe=2", ("scalar", "query_param", "größe"), ["1"]),
        ("%E2%82%AC=5&%D0%96+x=6", put("€"), ["5"]),
        ("%E2%82%AC=5&%D0%96+x=6", put("Ж x"), ["6"]),
    )


@case(turn=4)
def characters_are_set_in_place(run: Runner) -> None:
    becomes(
        run,
        ("gr%C3%B6%C3%9Fe=42&a=1", put("größe", "7"), "gr%C3%B6%C3%9Fe=7&a=1"),
        ("gr%C3%B6%C3%9Fe=42&a=1", put("größe", "7", "8"), "gr%C3%B6%C3%9Fe=7&gr%C3%B6%C3%9Fe=8&a=1"),
        ("gr%C3%B6%C3%9Fe=1&a=1&gr%C3%B6%C3%9Fe=2", put("größe", "ä"), "gr%C3%B6%C3%9Fe=%C3%A4&a=1"),
        ("%E2%82%AC=5&a=1", put("€", []), "a=1"),
    )
    (one,) = play(run, ("http://h/?a=1", [put("größe", "1"), put("größe", "2"), put("größe")]))
    equal((one["uri"], one["results"]), ("http://h/?a=1&gr%C3%B6%C3%9Fe=2", [[], ["1"], ["2"]]))


@case(turn=4)
def characters_are_deleted(run: Runner) -> None:
    becomes(
        run,
        ("a=%7e&gr%c3%b6%C3%9Fe=42&b=1", delete("größe"), "a=%7e&b=1"),
        ("a=%7e&%E2%82%AC=5&%e2%82%ac=6", delete("€"), "a=%7e"),
    )
    gives(run, ("a=1&gr%C3%B6%C3%9Fe=42&gr%C3%B6%C3%9Fe", delete("größe"), ["42", None]))


@case(turn=4)
def patterns_see_characters(run: Runner) -> None:
    becomes(
        run,
        ("a=%7e&gr%C3%B6%C3%9Fe=42&b=1", delete(pattern("^größe$")), "a=%7e&b=1"),
        ("a=%7e&gr%c3%b6%c3%9fe=42&gross=1", delete(pattern("^gr..e$")), "a=%7e&gross=1"),
        ("a=%7e&%E2%82%AC=5&%D0%96=6", delete(pattern("^[€]$")), "a=%7e&%D0%96=6"),
        ("Gr%C3%96%C3%9Fe=1&a=%7e&gr%C3%B6%C3%9Fe=2", delete(pattern("^größe$", "i")), "a=%7e"),
    )


@case(turn=4)
def patterns_see_latin1_too(run: Runner) -> None:
    becomes(
        run,
        ("gr%F6%DFe=1&a=%7e&gr%C3%B6%C3%9Fe=2", delete(pattern("^größe$")), "a=%7e"),
        ("gr%C3%B6%C3%9Fe=2&gr%f6%dfe=1&a=%7e", delete(pattern("^gr..e$")), "a=%7e"),
    )


# --- turn 6: nothing left over ---------------------------------------------------------------------------------------


@case(turn=6)
def deleting_takes_empty_places_along(run: Runner) -> None:
    becomes(
        run,
        ("a=%7e&&utm=2&b=3", delete("utm"), "a=%7e&b=3"),
        ("&a=1&utm=2&&&b=%7e&", delete("utm"), "a=1&b=%7e"),
        (";utm=1;;a=%7e;", delete("utm"), "a=%7e"),
        ("a=%7e&&b&=c&d=&utm=1", delete("utm"), "a=%7e&b&=c&d="),
    )


@case(turn=6)
def deleting_leaves_no_mark(run: Runner) -> None:
    becomes(
        run,
        ("&utm=1&", delete("utm"), ""),
        ("utm=1&&utm=2", delete("utm"), ""),
    )


@case(turn=6)
def only_what_deletes_tidies(run: Runner) -> None:
    becomes(
        run,
        ("&&utm_a=1&a=%7e&&utm_b=2", delete(pattern("^utm_")), "a=%7e"),
        ("&&a=%7e&&b=1&", delete("utm"), "&&a=%7e&&b=1&"),
        ("&&a=%7e&&b=1&", delete(pattern("^utm_")), "&&a=%7e&&b=1&"),
    )


# --- what must stay as it was ----------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def deleting_returns_the_values(run: Runner) -> None:
    gives(
        run,
        ("a=1&b=2&a=3&a&c", delete("a"), ["1", "3", None]),
        ("a=1&b=2&a=3", ("scalar", "query_param_delete", "a"), ["1"]),
        ("a=1&b=2", delete("c"), []),
        ("a=1&b=2", ("scalar", "query_param_delete", "c"), [None]),
        ("a=x+y%2Bz&b=2", delete("a"), ["x y+z"]),
    )


@case(turn=0, kind="p2p")
def values_are_bytes(run: Runner) -> None:
    gives(
        run,
        ("a=%C3%A4&b=%E4", put("a"), ["\xc3\xa4"]),
        ("a=%C3%A4&b=%E4", put("b"), ["\xe4"]),
        ("a=%C3%A4&a=%E2%82%AC", delete("a"), ["\xc3\xa4", "\xe2\x82\xac"]),
        ("gr%C3%B6%C3%9Fe=%C3%A4", ("list", "query_form"), ["gr\xc3\xb6\xc3\x9fe", "\xc3\xa4"]),
        ("gr%C3%B6%C3%9Fe=1&b=2", ("list", "query_param"), ["gr\xc3\xb6\xc3\x9fe", "b"]),
        ("a=%C3%A4", put("a", "x"), ["\xc3\xa4"]),
    )


@case(turn=0, kind="p2p")
def parameters_as_documented(run: Runner) -> None:
    becomes(
        run,
        ("a=1&b=2&a=3&b=4&a=5", put("a", *range(11, 16)), "a=11&b=2&a=12&b=4&a=13&a=14&a=15"),
        ("a=11&b=2&a=12&b=4", put("a", "11"), "a=11&b=2&b=4"),
        ("b=2&b=4", append("a", "1", "3"), "b=2&b=4&a=1&a=3"),
        ("a=1&b=2", put("a", []), "b=2"),
        ("a=1", delete("a"), ""),
        ("", put("a", "1", "2"), "a=1&a=2"),
        ("a=1", put("b", "x y", "ä"), "a=1&b=x+y&b=%C3%A4"),
    )
    gives(
        run,
        ("b=1&a=2&b=3&c", ("list", "query_param"), ["b", "a", "c"]),
        ("b=1&a=2&b=3&c", ("scalar", "query_param"), [3]),
        ("b=1&a=2&b=3", ("scalar", "query_param", "b"), ["1"]),
        ("b=1&a=2&b=3", put("b"), ["1", "3"]),
        ("b=1&a=2", append("c", "1"), []),
    )


@case(turn=0, kind="p2p")
def words_are_no_parameters(run: Runner) -> None:
    gives(
        run,
        ("druckansicht", ("list", "query_param"), []),
        ("druckansicht", put("druckansicht"), []),
        ("druckansicht", delete("druckansicht"), []),
        ("foo+bar", ("list", "query_keywords"), ["foo", "bar"]),
    )
    becomes(run, ("druckansicht", delete("druckansicht"), "druckansicht"), ("foo+b%7ar", delete("foo"), "foo+b%7ar"))


@case(turn=0, kind="p2p")
def latin1_and_bytes_are_found(run: Runner) -> None:
    gives(
        run,
        ("gr%F6%DFe=1&a=2", put(raw("gr\xf6\xdfe")), ["1"]),
        ("gr%F6%DFe=1&a=2", put("größe"), ["1"]),
        ("gr%F6%DFe=1&a=2", delete("größe"), ["1"]),
        ("gr%C3%B6%C3%9Fe=1&a=2", put(raw("gr\xc3\xb6\xc3\x9fe")), ["1"]),
        ("gr%C3%B6%C3%9Fe=1&a=2", delete(raw("gr\xc3\xb6\xc3\x9fe")), ["1"]),
        ("gr%f6%dfe=1&a=2", put("größen"), []),
    )
    becomes(
        run,
        ("a=1", put(raw("gr\xf6\xdfe"), "1"), "a=1&gr%F6%DFe=1"),
        ("gr%F6%DFe=1&a=1", put(raw("gr\xf6\xdfe"), "2"), "gr%F6%DFe=2&a=1"),
        ("gr%F6%DFe=1&a=1", delete("größe"), "a=1"),
    )


@case(turn=0, kind="p2p")
def forms_are_written_as_ever(run: Runner) -> None:
    becomes(
        run,
        ("x=%7e", ("list", "query_form", "a b", "c+d", "e", None, "f", ["1", "~"]), "a+b=c%2Bd&e&f=1&f=~"),
        ("x=1;y=2", ("list", "query_form", ["a", "1", "b", "2"]), "a=1;b=2"),
        ("x=1", ("list", "query_form", {"b": "1", "a": ["2", "3"]}, ";"), "a=2;a=3;b=1"),
        ("a=%7e&b=x%20y&&c=a=b", ("list", "query_form_hash", {"b": "/ü"}), "b=%2F%C3%BC"),
        ("x=1", ("list", "query_form", []), ""),
        ("x=1", ("list", "query_keywords", "a b", "c"), "a%20b+c"),
    )
    gives(
        run,
        ("a=x%20y&&b=1=2;c&d=", ("list", "query_form"), ["a", "x y", "", None, "b", "1=2", "c", None, "d", ""]),
        ("a=1&b=2;a=%7e", ("list", "query_form_hash"), [{"a": ["1", "~"], "b": "2"}]),
    )


@case(turn=0, kind="p2p")
def addresses_keep_their_plus(run: Runner) -> None:
    played = play(
        run,
        ("mailto:?to=a+b@x.de&subject=hallo+du", [put("to"), put("subject"), delete("to")]),
        ("mailto:c@x.de?to=a+b@x.de", [("scalar", "query_param_delete", "to"), ("list", "to")]),
        ("mailto:c@x.de?subject=1", [put("subject", "2"), ("list", "to"), ("list", "headers")]),
    )
    equal(
        [one["results"] for one in played],
        [
            [["a+b@x.de"], ["hallo du"], ["a+b@x.de"]],
            [["a+b@x.de"], ["c@x.de"]],
            [["1"], ["c@x.de"], ["to", "c@x.de", "subject", "2"]],
        ],
    )
    equal([one["uri"] for one in played], ["mailto:?subject=hallo+du", "mailto:c@x.de", "mailto:c@x.de?subject=2"])
