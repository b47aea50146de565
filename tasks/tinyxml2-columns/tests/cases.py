"""Where nodes, attributes and errors of XML documents are: documents in, lines and columns out."""

import base64
import secrets
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from harness import Runner, case, equal

# Each request is a line of options and the bytes of a document. Functions that aren't there yet give -9.
DRIVER = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include "tinyxml2.h"
using namespace tinyxml2;

#define PLACE(name, function) \
    template <class T> auto name(const T &thing, int) -> decltype(int(thing.function())) { return thing.function(); } \
    template <class T> int name(const T &, long) { return -9; }
PLACE(column, GetColumn)
PLACE(endLine, GetEndLineNum)
PLACE(endColumn, GetEndColumn)
PLACE(errorColumn, ErrorColumn)
template <class T> auto setTab(T &doc, int size, int) -> decltype(doc.SetTabSize(size), 1)
{
    doc.SetTabSize(size);
    return 1;
}
template <class T> int setTab(T &, int, long) { exit(92); }

static void quote(const char *text)
{
    putchar('"');
    for (; text && *text; ++text)
    {
        if (*text == '"' || *text == '\\') putchar('\\');
        if ((unsigned char)*text < 32) printf("\\u%04x", *text); else putchar(*text);
    }
    putchar('"');
}

template <class T> void place(const char *kind, const char *name, const T &thing)
{
    printf("[\"%s\",", kind);
    quote(name);
    printf(",%d,%d,%d,%d]", thing.GetLineNum(), column(thing, 0), endLine(thing, 0), endColumn(thing, 0));
}

static void all(const XMLNode *node, bool &comma)
{
    for (; node; node = node->NextSibling())
    {
        const XMLText *text = const_cast<XMLNode *>(node)->ToText();
        const XMLElement *element = const_cast<XMLNode *>(node)->ToElement();
        if (comma) putchar(',');
        comma = true;
        place(element ? "element" : text ? (text->CData() ? "cdata" : "text") : node->ToComment() ? "comment"
            : node->ToDeclaration() ? "declaration" : "unknown", node->Value(), *node);
        for (const XMLAttribute *one = element ? element->FirstAttribute() : 0; one; one = one->Next())
        {
            putchar(',');
            place("attribute", one->Name(), *one);
        }
        all(node->FirstChild(), comma);
    }
}

static long sum(const XMLNode *node)
{
    long total = 0;
    for (; node; node = node->NextSibling())
    {
        total += column(*node, 0) + endColumn(*node, 0);
        const XMLElement *element = node->ToElement();
        for (const XMLAttribute *one = element ? element->FirstAttribute() : 0; one; one = one->Next())
            total += column(*one, 0);
        total += sum(node->FirstChild());
    }
    return total;
}

static void read(const XMLNode *node)
{
    for (; node; node = node->NextSibling())
    {
        const XMLElement *element = node->ToElement();
        node->Value();
        for (const XMLAttribute *one = element ? element->FirstAttribute() : 0; one; one = one->Next())
        {
            one->Name();
            one->Value();
        }
        read(node->FirstChild());
    }
}

static void report(XMLDocument &doc, const std::string &what)
{
    bool comma = false;
    printf("{\"id\":%d,\"line\":%d,\"column\":%d,\"text\":", doc.ErrorID(), doc.ErrorLineNum(), errorColumn(doc, 0));
    quote(doc.ErrorStr());
    if (what == "sum") printf(",\"sum\":%ld", sum(doc.FirstChild()));
    else { printf(",\"nodes\":["); all(doc.FirstChild(), comma); putchar(']'); }
    if (what == "print")
    {
        XMLPrinter printer;
        doc.Print(&printer);
        printf(",\"printed\":");
        quote(printer.CStr());
    }
    putchar('}');
}

int main()
{
    char nonce[64], what[64], mode[64];
    int tab, comma = 0;
    size_t length;
    XMLDocument kept[3] = { { true, PRESERVE_WHITESPACE }, { true, COLLAPSE_WHITESPACE },
        { true, PEDANTIC_WHITESPACE } };

    if (scanf("%63s", nonce) != 1) return 1;
    printf("\n%s[", nonce);
    while (scanf("%63s %63s %d %zu", what, mode, &tab, &length) == 4)
    {
        std::string bytes(length, '\0');
        XMLDocument &doc = kept[!strcmp(mode, "collapse") ? 1 : !strcmp(mode, "pedantic") ? 2 : 0];
        getchar();
        if (length && fread(&bytes[0], 1, length, stdin) != length) return 2;
        if (comma++) putchar(',');
        if (tab >= 0) setTab(doc, tab, 0);
        if (!strcmp(what, "made"))
        {
            XMLDocument other;
            doc.Parse(bytes.data(), bytes.size());
            XMLElement *root = doc.RootElement();
            root->DeepClone(&other);
            other.InsertEndChild(root->DeepClone(&other));
            XMLElement *child = root->InsertNewChildElement("child");
            child->SetAttribute("new", 1);
            root->SetAttribute("later", "x");
            root->InsertNewComment("made");
            root->InsertNewText("text");
            printf("[");
            report(doc, what);
            printf(",");
            report(other, what);
            printf("]");
            continue;
        }
        if (!strcmp(what, "clear")) doc.Clear();
        else if (!strcmp(what, "missing")) doc.LoadFile("no/such/file.xml");
        else if (!strcmp(what, "file"))
        {
            FILE *file = fopen("document.xml", "wb");
            fwrite(bytes.data(), 1, bytes.size(), file);
            fclose(file);
            doc.LoadFile("document.xml");
        }
        else doc.Parse(bytes.data(), bytes.size());
        if (!strcmp(what, "read")) read(doc.FirstChild());
        report(doc, what);
    }
    printf("]\n");
    return 0;
}
"""
BUILD = """
c++ -O0 -w -iquote "$0" -o driver driver.cpp $(grep -LE '\\bmain *\\(' "$0"/*.cpp) >&2 && base64 driver
"""
Place = tuple[int, int]


@cache
def driver(run: Runner) -> str:
    """The path of the driver, built with the candidate's library."""
    built = run.command(["/bin/sh", "-c", BUILD, run.tree], files={"driver.cpp": DRIVER}, timeout=150)
    folder = Path(tempfile.mkdtemp(prefix="places-", dir="/tmp"))
    folder.chmod(0o755)
    program = folder / "driver"
    program.write_bytes(base64.b64decode(built.stdout) if built.code == 0 else b"")
    program.chmod(0o755)
    return str(program) if built.code == 0 else f"! {built.stderr[-1500:]}"


def ask(
    run: Runner, *requests: tuple[str, str], mode: str = "preserve", tab: int = -1, timeout: float = 30
) -> list[Any]:
    """The driver's answers, for pairs of what to do and a document; all of one mode share one XMLDocument."""
    program = driver(run)
    assert program[0] != "!", f"the driver does not compile: {program[2:]}"
    nonce = secrets.token_hex(8)
    parts = [nonce + "\n"]
    for what, text in requests:
        parts.append(f"{what} {mode} {tab} {len(text.encode())}\n{text}\n")
    done = run.command([program], stdin="".join(parts), timeout=timeout)
    assert not done.timed_out, f"not done after {timeout} s"
    answers: list[Any] = replace(done, nonce=nonce).json()
    equal(len(answers), len(requests), "number of answers")
    return answers


def place(text: str, offset: int, tab: int = 1) -> Place:
    """Line and column of an offset, as an editor shows them."""
    line, column = 1, 1
    for character in text[:offset].removeprefix("\ufeff"):
        if character == "\n":
            line, column = line + 1, 1
        elif character == "\t":
            column += tab - (column - 1) % tab
        else:
            column += 1
    return line, column


def begins(found: dict[str, Any], text: str, wanted: list[tuple[str, str, str]], tab: int = 1) -> None:
    """The nodes and attributes begin where these texts (each there once) begin, in this order."""
    equal([found["id"], found["column"]], [0, 0], "error and its column")
    nodes = [[kind, name] for kind, name, *_ in found["nodes"]]
    equal(nodes, [[kind, name] for kind, name, _ in wanted], "nodes")
    for (kind, name, needle), node in zip(wanted, found["nodes"], strict=True):
        assert text.count(needle) == 1, needle
        equal(node[2:4], list(place(text, text.index(needle), tab)), f"line and column of {kind} {name!r}")


def ends(found: dict[str, Any], text: str, wanted: list[tuple[str, str, str]], tab: int = 1) -> None:
    """The nodes and attributes end where these texts (each there once) end."""
    nodes = [[kind, name] for kind, name, *_ in found["nodes"]]
    equal(nodes, [[kind, name] for kind, name, _ in wanted], "nodes")
    for (kind, name, needle), node in zip(wanted, found["nodes"], strict=True):
        assert text.count(needle) == 1, needle
        after = place(text, text.index(needle) + len(needle), tab)
        equal(node[4:6], list(after), f"end line and column of {kind} {name!r}")


def fails(run: Runner, wanted: list[tuple[int, str, str]]) -> None:
    """The error of each document is at the last place of the text that is named with it."""
    answers = ask(run, *(("parse", text) for _, text, _ in wanted))
    for (number, text, needle), found in zip(wanted, answers, strict=True):
        equal(found["id"], number, f"error of {text!r}")
        equal(
            [found["line"], found["column"]], list(place(text, text.rindex(needle))), f"place of the error in {text!r}"
        )


# --- the first message: columns ------------------------------------------------------------------------------------

KINDS = (
    '  <?xml version="1.0"?>\n<!DOCTYPE list>   <!-- first\n comment --><list>\n'
    "   <item/> <item>\n one</item><![CDATA[ <raw>\n ]]>  <last>two</last  >\n</list>"
)
KINDS_FOUND = [
    ("declaration", 'xml version="1.0"', "<?xml"),
    ("unknown", "DOCTYPE list", "<!DOCTYPE"),
    ("comment", " first\n comment ", "<!-- first"),
    ("element", "list", "<list>"),
    ("element", "item", "<item/>"),
    ("element", "item", "<item>"),
    ("text", "\n one", "one"),
    ("cdata", " <raw>\n ", "<![CDATA["),
    ("element", "last", "<last>"),
    ("text", "two", "two"),
]


@case(turn=0)
def nodes_of_every_kind(run: Runner) -> None:
    for what in ("parse", "file", "read"):
        (found,) = ask(run, (what, KINDS))
        begins(found, KINDS, KINDS_FOUND)


@case(turn=0)
def attributes_on_their_lines(run: Runner) -> None:
    text = '<a  b="1" c = "two\nlines" d=\'x\'\n  e="&lt;&amp;"    f="2"><g\n\n     h="3"/>   <i/></a>'
    wanted = [
        ("element", "a", "<a"),
        *(("attribute", name, f"{name}=") for name in "b"),
        ("attribute", "c", "c ="),
        *(("attribute", name, f"{name}=") for name in "def"),
        ("element", "g", "<g"),
        ("attribute", "h", "h="),
        ("element", "i", "<i"),
    ]
    for what in ("parse", "read"):
        (found,) = ask(run, (what, text))
        begins(found, text, wanted)


@case(turn=0)
def breaks_around_names(run: Runner) -> None:
    text = '<a b\n="1" c="2" d\n\n = "3"  e="4"><f\n></f\n> <g\n/>   <h/></a\n>  <!--end-->'
    wanted = [
        ("element", "a", "<a"),
        ("attribute", "b", "b\n"),
        ("attribute", "c", "c="),
        ("attribute", "d", "d\n"),
        ("attribute", "e", "e="),
        ("element", "f", "<f"),
        ("element", "g", "<g"),
        ("element", "h", "<h"),
        ("comment", "end", "<!--"),
    ]
    (found,) = ask(run, ("parse", text))
    begins(found, text, wanted)


@case(turn=0)
def text_begins_where_its_line_is(run: Runner) -> None:
    text = "<a>\n\n    one <b/>   two\n<c>\n  </c>\n three  </a>"
    wanted = [
        ("element", "a", "<a"),
        ("text", "one ", "one"),
        ("element", "b", "<b"),
        ("text", "two ", "two"),
        ("element", "c", "<c"),
        ("text", "three ", "three"),
    ]
    (found,) = ask(run, ("parse", text), mode="collapse")
    begins(found, text, [(kind, name.strip() if kind == "text" else name, needle) for kind, name, needle in wanted])
    (found,) = ask(run, ("parse", "<a>\n<b>  \n </b>\n</a>"), mode="pedantic")
    equal([node[:4] for node in found["nodes"]][-1], ["text", "  \n ", 2, 4], "white space only")


@case(turn=0)
def nothing_to_point_at(run: Runner) -> None:
    text = '<a>\n <b c="1">x</b></a>'
    ((changed, copied),) = ask(run, ("made", text))
    found = {(kind, name): node for kind, name, *node in changed["nodes"]}
    equal(found["element", "b"][:2], [2, 2], "an element that was parsed")
    for made in [("element", "child"), ("attribute", "new"), ("attribute", "later"), ("comment", "made")]:
        equal(found[made][:2], [0, 0], f"line and column of {made}")
    equal([node[2:4] for node in copied["nodes"]], [[0, 0]] * 4, "lines and columns of copies")


@case(turn=0)
def one_document_after_another(run: Runner) -> None:
    texts = ["<a>\n\n   <b/></a>", "<a>\n <b></a>", "  <c d='1'/>", "", "<e/>"]
    answers = ask(run, *(("parse", text) for text in texts), ("clear", ""), ("missing", ""), ("file", "\n <f/>"))
    equal([found["column"] for found in answers], [0, 2, 0, 0, 0, 0, 0, 0], "columns of errors")
    equal([found["id"] for found in answers], [0, 14, 0, 13, 0, 0, 3, 0], "errors")
    nodes = [[node[:4] for node in found["nodes"]] for found in (answers[2], answers[4], answers[7])]
    equal(nodes[0], [["element", "c", 1, 3], ["attribute", "d", 1, 6]], "third document")
    equal(nodes[1:], [[["element", "e", 1, 1]], [["element", "f", 2, 2]]], "last documents")


@case(turn=0)
def errors_of_elements(run: Runner) -> None:
    fails(
        run,
        [
            (14, "<a>\n   <b>\n text</c></a>", "<b>"),
            (14, '<a>\n <ok/>  <d x="1"\n y="2"></e></a>', "<d"),
            (14, "<a>\n<b/> </x>", "<a>"),
            (6, "<a>\n  <b c='1' ?></b></a>", "<b"),
            (6, "<a>\n  <b c='1'\n   ", "<b"),
            (15, "<a>\n  <b>  <c/>\n", "<b>"),
        ],
    )


@case(turn=0)
def errors_of_attributes_and_others(run: Runner) -> None:
    fails(
        run,
        [
            (7, '<a>\n <b c="1"  d="2"\n   c="3"/></a>', "c="),
            (7, "<a>\n <b  c='1'  d=2/></a>", "d="),
            (7, "<a>\n <b  c='1'  d\n='2/></a>", "d"),
            (8, "<a>\n  <b/>   \n text without end", "text"),
            (9, "<a>\n  <b/> <![CDATA[ no end\n </a>", "<![CDATA["),
            (10, "<a>\n  <b/> <!-- no end\n </a>", "<!--"),
            (12, "<a/>\n <!DOCTYPE\n", "<!DOCTYPE"),
            (11, "<a>\n  <b/> <?xml no end\n </a>", "<?xml"),
            (11, "<a>\n  <b/>\n <?xml late?> </a>", "<?xml"),
        ],
    )


# --- turn 1: characters --------------------------------------------------------------------------------------------


@case(turn=1)
def characters_and_not_bytes(run: Runner) -> None:
    text = '<!-- \u00e9t\u00e9 --> <a n="\u20ac">\U0001f600 x<b/>\n\u00df\u00df<c d="\u00e4" e=\'\'/></a>'
    wanted = [
        ("comment", " \u00e9t\u00e9 ", "<!--"),
        ("element", "a", "<a"),
        ("attribute", "n", "n="),
        ("text", "\U0001f600 x", "\U0001f600"),
        ("element", "b", "<b"),
        ("text", "\n\u00df\u00df", "\u00df\u00df"),
        ("element", "c", "<c"),
        ("attribute", "d", "d="),
        ("attribute", "e", "e="),
    ]
    for what in ("parse", "file", "read"):
        (found,) = ask(run, (what, text))
        begins(found, text, wanted)


@case(turn=1)
def names_of_many_bytes(run: Runner) -> None:
    text = (
        '<r\u00f6t gr\u00fcn="1" bl\u00e5\n="2"  \u9ed2="3"><\u767d/></r\u00f6t>\n<!--\u00e9\n\u00e9\u00e9\u00e9--><z/>'
    )
    wanted = [
        ("element", "r\u00f6t", "<r"),
        ("attribute", "gr\u00fcn", "gr"),
        ("attribute", "bl\u00e5", "bl"),
        ("attribute", "\u9ed2", "\u9ed2"),
        ("element", "\u767d", "<\u767d"),
        ("comment", "\u00e9\n\u00e9\u00e9\u00e9", "<!--"),
        ("element", "z", "<z"),
    ]
    (found,) = ask(run, ("parse", text))
    begins(found, text, wanted)


@case(turn=1)
def the_mark_at_the_beginning(run: Runner) -> None:
    text = '\ufeff<a b="1"><c/>\n <d/></a>'
    wanted = [("element", "a", "<a"), ("attribute", "b", "b="), ("element", "c", "<c"), ("element", "d", "<d")]
    first, failed, second = ask(run, ("file", text), ("parse", "\ufeff<a> <b></a>"), ("parse", text[1:]))
    begins(first, text, wanted)
    equal([failed["id"], failed["line"], failed["column"]], [14, 1, 5], "place of the error")
    begins(second, text[1:], wanted)


# --- turn 3: ends --------------------------------------------------------------------------------------------------


@case(turn=3)
def ends_of_elements(run: Runner) -> None:
    text = '<a>\n <b x="1">\n  <c/></b> <d\n e="2" /><f></f  ><g>\n\n</g\n ></a>'
    wanted = [
        ("element", "a", "</a>"),
        ("element", "b", "</b>"),
        ("attribute", "x", 'x="1"'),
        ("element", "c", "<c/>"),
        ("element", "d", ' e="2" />'),
        ("attribute", "e", 'e="2"'),
        ("element", "f", "</f  >"),
        ("element", "g", "</g\n >"),
    ]
    for what in ("parse", "file", "read"):
        (found,) = ask(run, (what, text))
        ends(found, text, wanted)


@case(turn=3)
def ends_of_other_nodes(run: Runner) -> None:
    text = '<?xml version="1.0"?> <!DOCTYPE x> <!-- one\n two --><a>\n three\n  <b/>four &lt;<![CDATA[ five\n]]>six</a>'
    wanted = [
        ("declaration", 'xml version="1.0"', '"1.0"?>'),
        ("unknown", "DOCTYPE x", "DOCTYPE x>"),
        ("comment", " one\n two ", "two -->"),
        ("element", "a", "</a>"),
        ("text", "\n three\n  ", "three\n  "),
        ("element", "b", "<b/>"),
        ("text", "four <", "four &lt;"),
        ("cdata", " five\n", "five\n]]>"),
        ("text", "six", "six"),
    ]
    for what in ("parse", "read"):
        (found,) = ask(run, (what, text))
        ends(found, text, wanted)


@case(turn=3)
def ends_of_attributes(run: Runner) -> None:
    text = '<a b = "x\ny"\r\n  c=\'&amp;\' d\n=\n"1"><e f=""/>\r\n</a>'
    wanted = [
        ("element", "a", "</a>"),
        ("attribute", "b", 'x\ny"'),
        ("attribute", "c", "c='&amp;'"),
        ("attribute", "d", '"1"'),
        ("element", "e", '""/>'),
        ("attribute", "f", 'f=""'),
    ]
    for what in ("parse", "read"):
        (found,) = ask(run, (what, text))
        ends(found, text, wanted)


@case(turn=3)
def no_end_where_no_beginning(run: Runner) -> None:
    ((changed, copied),) = ask(run, ("made", '<a>\n <b c="1">x</b></a>'))
    found = {(kind, name): node for kind, name, *node in changed["nodes"]}
    equal([found["element", "b"], found["element", "a"]], [[2, 2, 2, 16], [1, 1, 2, 20]], "elements that were parsed")
    for made in [("element", "child"), ("attribute", "new"), ("attribute", "later"), ("comment", "made")]:
        equal(found[made], [0] * 4, f"places of {made}")
    equal([node[2:] for node in copied["nodes"]], [[0] * 4] * 4, "places of copies")


# --- turn 4: long lines --------------------------------------------------------------------------------------------


def quickly(run: Runner, part: str, times: int, offsets: list[int]) -> None:
    """A long line is done within a generous deadline. In each part, columns are asked for at these offsets."""
    (found,) = ask(run, ("sum", "<list>" + part * times + "</list>"), timeout=12)
    columns = 1 + len("<list>") + times * len(part) + len("</list>") + 1
    columns += sum(1 + len("<list>") + n * len(part) + offset for n in range(times) for offset in offsets)
    equal([found["id"], found["sum"]], [0, columns], "error, sum of all columns")


@case(turn=4)
def many_elements_on_a_line(run: Runner) -> None:
    part = '<entry key="some value"/>'
    quickly(run, part, 60_000, [0, len(part), part.index("key")])


@case(turn=4)
def many_texts_on_a_line(run: Runner) -> None:
    part = "<p>some words</p><!-- n -->"
    text, comment = part.index("some"), part.index("<!--")
    quickly(run, part, 50_000, [0, comment, text, part.index("</p>"), comment, len(part)])


# --- turn 5: tabs --------------------------------------------------------------------------------------------------

TABBED = '\t<a\tb="1"\t\tc="\t2">\n  \t<d/>\tx\t<!-- \t -->\t<e/>\n\t\t</a>'
TABBED_FOUND = [
    ("element", "a", "<a"),
    ("attribute", "b", "b="),
    ("attribute", "c", "c="),
    ("element", "d", "<d"),
    ("text", "\tx\t", "x"),
    ("comment", " \t ", "<!--"),
    ("element", "e", "<e"),
]


@case(turn=5)
def tabs_lead_to_the_next_stop(run: Runner) -> None:
    for tab in (4, 8, 3):
        for what in ("parse", "file"):
            (found,) = ask(run, (what, TABBED), tab=tab)
            begins(found, TABBED, TABBED_FOUND, tab)
    assert place(TABBED, TABBED.index("<a"), 4) == (1, 5)


@case(turn=5)
def tabs_before_ends(run: Runner) -> None:
    needles = ["\t\t</a>", 'b="1"', 'c="\t2"', "<d/>", "x\t", "<!-- \t -->", "<e/>"]
    wanted = [(kind, name, needle) for (kind, name, _), needle in zip(TABBED_FOUND, needles, strict=True)]
    for tab in (4, 5):
        (found,) = ask(run, ("read", TABBED), tab=tab)
        ends(found, TABBED, wanted, tab)


@case(turn=5)
def tabs_and_errors(run: Runner) -> None:
    text = "\t<a>\n ab\t <!-- x --> <b>\t</c></a>"
    (found,) = ask(run, ("parse", text), tab=4)
    equal([found["line"], found["column"]], list(place(text, text.index("<b>"), 4)), "place of the error")
    one, four, kept, fresh = (
        ask(run, ("parse", "\t<a/>"), tab=1)
        + ask(run, ("parse", "\t<a/>"), ("clear", ""), ("parse", "\t <a/>"), tab=4)[::2]
        + ask(run, ("parse", "\t<a/>"))
    )
    columns = [found["nodes"][0][3] for found in (one, four, kept, fresh)]
    equal(columns, [2, 5, 6, 2], "columns with tab size 1, 4, 4 again, and never set")


# --- what must stay as it was --------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def lines_of_nodes(run: Runner) -> None:
    text = '\r\n<a>\r\n  <b c="1"\r\n d="x\r\ny" e="2"/>\r<f/>\n\n text <g>\n</g></a>'
    (found,) = ask(run, ("parse", text))
    lines = {name.strip(): line for _, name, line, *_ in found["nodes"]}
    equal(lines, {"a": 2, "b": 3, "c": 3, "d": 4, "e": 5, "f": 5, "text": 7, "g": 7}, "lines")
    (found,) = ask(run, ("parse", KINDS))
    wanted = [place(KINDS, KINDS.index(needle))[0] for _, _, needle in KINDS_FOUND]
    equal([node[2] for node in found["nodes"]], wanted, "lines")
    (found,) = ask(run, ("parse", "<a>\n<b>  \n </b>\n</a>"), mode="pedantic")
    equal([node[2] for node in found["nodes"]], [1, 2, 2], "lines, white space kept")


@case(turn=0, kind="p2p")
def texts_of_errors(run: Runner) -> None:
    answers = ask(
        run,
        ("parse", "<a>\n  <b></c></a>"),
        ("parse", '<a\n b="1" b="2"/>'),
        ("parse", ""),
        ("missing", ""),
        ("parse", "<a>\n <!-- "),
        ("parse", "<a/>"),
    )
    wanted = [
        "Error=XML_ERROR_MISMATCHED_ELEMENT ErrorID=14 (0xe) Line number=2: XMLElement name=b",
        "Error=XML_ERROR_PARSING_ATTRIBUTE ErrorID=7 (0x7) Line number=2: XMLElement name=a",
        "Error=XML_ERROR_EMPTY_DOCUMENT ErrorID=13 (0xd) Line number=0",
        "Error=XML_ERROR_FILE_NOT_FOUND ErrorID=3 (0x3) Line number=0: filename=no/such/file.xml",
        "Error=XML_ERROR_PARSING_COMMENT ErrorID=10 (0xa) Line number=2",
        "",
    ]
    equal([found["text"] for found in answers], wanted, "texts")
    equal([found["line"] for found in answers], [2, 2, 0, 0, 2, 0], "lines")


@case(turn=0, kind="p2p")
def documents_come_out_as_before(run: Runner) -> None:
    text = '\ufeff<?xml version="1.0"?>\n<a b="1&quot;&#65;">\n  x &lt; y\r\n <c/><![CDATA[<raw>]]><!-- no --></a>'
    wanted = {
        "preserve": '<a b="1&quot;A">\n  x &lt; y\n <c/><![CDATA[<raw>]]><!-- no --></a>\n',
        "collapse": '<a b="1&quot;A">x &lt; y<c/><![CDATA[<raw>]]><!-- no --></a>\n',
    }
    for mode, printed in wanted.items():
        (found,) = ask(run, ("print", text), mode=mode)
        equal(found["printed"], '\ufeff<?xml version="1.0"?>\n' + printed, f"printed, white space: {mode}")
    (found,) = ask(run, ("print", "<a>  <b>  </b>\n</a>"), mode="pedantic")
    equal(found["printed"], "<a>\n    <b>  </b>\n</a>\n", "printed, white space: pedantic")


@case(turn=0, kind="p2p")
def nesting_has_a_limit(run: Runner) -> None:
    deep, fine = ask(run, ("sum", "<a>" * 600 + "</a>" * 600), ("sum", "<a>" * 90 + "</a>" * 90))
    equal([deep["id"], deep["line"], fine["id"]], [18, 1, 0], "errors")


@case(turn=0, kind="p2p")
def made_nodes_have_no_line(run: Runner) -> None:
    ((changed, copied),) = ask(run, ("made", '<a>\n <b c="1">x</b></a>'))
    lines = [[kind, name, line] for kind, name, line, *_ in changed["nodes"]]
    wanted = [
        ["element", "a", 1],
        ["attribute", "later", 0],
        ["element", "b", 2],
        ["attribute", "c", 2],
        ["text", "x", 2],
        ["element", "child", 0],
        ["attribute", "new", 0],
        ["comment", "made", 0],
        ["text", "text", 0],
    ]
    equal(lines, wanted, "lines")
    equal([node[2] for node in copied["nodes"]], [0] * 4, "lines of copies")
