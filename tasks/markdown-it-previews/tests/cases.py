"""Cases of markdown-it-previews: markdown goes in, html comes out of md.excerpt and md.render."""

import re
from typing import Any

from harness import Runner, case, equal

# Every post with options of its own; a post that can't be rendered says so instead of ending them all.
EXCERPTS = """
const MarkdownIt = require(tree);
emit(data.map(([options, source, max]) => {
  try { return new MarkdownIt(options).excerpt(source, max); } catch (error) { return { thrown: String(error) }; }
}));
"""

BLOCK = r"/?(?:p|ul|ol|li|blockquote|h[1-6]|hr|pre|table|thead|tbody|tr|th|td)\b"


def squeeze(html: Any) -> str:
    """Html without the line feeds between blocks, which nobody sees."""
    assert isinstance(html, str), f"no html: {html!r}"
    return re.sub(rf"\n+(?=<{BLOCK})", "", re.sub(rf"(<{BLOCK}[^>]*>)\n+", r"\1", html)).strip("\n")


def previews(run: Runner, *posts: tuple[str, int, str], **options: Any) -> None:
    """Each post, cut after so many characters, must look as said."""
    found = run.node(EXCERPTS, data=[[options, source, most] for source, most, _ in posts])
    assert isinstance(found, list) and len(found) == len(posts), f"not an answer for each: {found!r}"
    for html, (source, most, wanted) in zip(found, posts, strict=True):
        equal(squeeze(html), wanted, f"excerpt of {source!r} with {most}")


def play(run: Runner, code: str, data: object = None, timeout: float = 30.0) -> Any:
    """What a driver emits that has the package as MarkdownIt."""
    return run.node("const MarkdownIt = require(tree);\n" + code, data=data, timeout=timeout)


# --- 0: a long line --------------------------------------------------------------------------------------------------

# A third of a second in all, if time grows with the length; minutes, if it grows with its square.
RENDER = """
const gap = ' '.repeat(300000);
emit(data.map(([before, after]) => {
  const html = new MarkdownIt({ linkify: true, typographer: true }).render(before + gap + after);
  const at = html.indexOf(gap);
  return [html.slice(0, at), html.slice(at + gap.length), html.length - gap.length];
}));
"""


@case(turn=0)
def long_line_in_a_paragraph(run: Runner) -> None:
    found = play(run, RENDER, [["a", "b  \nc"], ["a b", "*c*d     \n  e"]], 10)
    equal(
        found,
        [["<p>a", "b<br>\nc</p>\n", 16], ["<p>a b", "<em>c</em>d<br>\ne</p>\n", 28]],
        "html around the spaces",
    )


@case(turn=0)
def long_line_elsewhere(run: Runner) -> None:
    places = [["> - a", "b  \n>   c"], ["a", "b  \nc\n==="], ["[a", "b  \nc](/u)"], ["**a", "b  \nc**"]]
    found = play(run, RENDER, places, 10)
    equal(
        [squeeze(before + "|" + after) for before, after, _ in found],
        [
            "<blockquote><ul><li>a|b<br>\nc</li></ul></blockquote>",
            "<h1>a|b<br>\nc</h1>",
            '<p><a href="/u">a|b<br>\nc</a></p>',
            "<p><strong>a|b<br>\nc</strong></p>",
        ],
        "html around the spaces",
    )
    code = """
    const gap = ' '.repeat(300000);
    emit(new MarkdownIt().renderInline('a' + gap + 'b  \\nc' + gap + 'd  \\ne').split(gap));
    """
    equal(play(run, code, timeout=10), ["a", "b<br>\nc", "d<br>\ne"], "a line alone")


# --- 1: the beginning of a post --------------------------------------------------------------------------------------


@case(turn=1)
def first_characters_of_a_post(run: Runner) -> None:
    previews(
        run,
        ("one two three", 7, "<p>one two…</p>"),
        ("one two three", 3, "<p>one…</p>"),
        ("one *two* three", 7, "<p>one <em>two…</em></p>"),
        ("one *two* three four", 13, "<p>one <em>two</em> three…</p>"),
        ("# Title here\n\nbody text", 10, "<h1>Title here…</h1>"),
        ("# Title here\n\nbody text", 14, "<h1>Title here</h1><p>body…</p>"),
        ("Title here\n---\n\nbody\n\n---\n\ntext", 14, "<h2>Title here</h2><p>body…</p>"),
        ("one\n\n---\n\ntwo three", 6, "<p>one</p><hr><p>two…</p>"),
    )


@case(turn=1)
def open_tags_are_closed(run: Runner) -> None:
    nested = "> - one **two *three* four** five\n>   > six\n\nseven"
    previews(
        run,
        (nested, 13, "<blockquote><ul><li>one <strong>two <em>three…</em></strong></li></ul></blockquote>"),
        (nested, 18, "<blockquote><ul><li>one <strong>two <em>three</em> four…</strong></li></ul></blockquote>"),
        (
            nested,
            26,
            "<blockquote><ul><li>one <strong>two <em>three</em> four</strong> five"
            "<blockquote><p>six…</p></blockquote></li></ul></blockquote>",
        ),
        ("3. a b\n4. c d\n5. e", 4, '<ol start="3"><li>a b</li><li>c…</li></ol>'),
        ("- a\n\n  b c\n\n- d", 2, "<ul><li><p>a</p><p>b…</p></li></ul>"),
        ("- a\n  1. b\n     - c\n     - d\n- e", 3, "<ul><li>a<ol><li>b<ul><li>c…</li></ul></li></ol></li></ul>"),
        ("~~a *b* c~~ d", 3, "<p><s>a <em>b…</em></s></p>"),
    )


@case(turn=1)
def characters_are_those_one_sees(run: Runner) -> None:
    previews(
        run,
        ("q &amp; a is &#x41;&copy; done", 11, "<p>q &amp; a is A©…</p>"),
        ("a < b > c d", 9, "<p>a &lt; b &gt; c…</p>"),
        ("👍👍 😀 fin", 4, "<p>👍👍 😀…</p>"),
        ("\\*a\\* b", 3, "<p>*a*…</p>"),
        ("x `a b` c", 5, "<p>x <code>a b…</code></p>"),
        ("**x** ``a`b`` c", 5, "<p><strong>x</strong> <code>a`b…</code></p>"),
        ("ab\n\ncd ef", 4, "<p>ab</p><p>cd…</p>"),
        ("- ab\n- cd ef", 4, "<ul><li>ab</li><li>cd…</li></ul>"),
    )
    previews(run, ("(c) +-b c", 4, "<p>© ±b…</p>"), ('"a" b', 3, "<p>“a”…</p>"), typographer=True)


@case(turn=1)
def line_breaks_are_one_character(run: Runner) -> None:
    previews(
        run,
        ("ab\ncd ef", 5, "<p>ab\ncd…</p>"),
        ("ab  \ncd ef", 5, "<p>ab<br>\ncd…</p>"),
        ("ab\\\ncd ef", 5, "<p>ab<br>\ncd…</p>"),
        ("> ab\n> *cd* ef", 5, "<blockquote><p>ab\n<em>cd…</em></p></blockquote>"),
    )
    previews(run, ("ab\ncd ef", 5, "<p>ab<br />\ncd…</p>"), breaks=True, xhtmlOut=True)


@case(turn=1)
def posts_that_fit_are_rendered_as_always(run: Runner) -> None:
    code = """
    emit(data.map(([source, max]) => {
      const md = new MarkdownIt({ breaks: true, typographer: true });
      const found = md.excerpt(source, max);
      return [found === md.render(source), found.length > 0];
    }));
    """
    everything = (
        "# a *b*\n\n- c\n- d `e`\n  > f\n\n  g\n\n---\n\n~~~js x\ncode\n\nmore\n~~~\n\n    code\n\n"
        '| a | b |\n|---|:-:|\n| **c** |   |\n\nh  \ni\nj (c) "k" <b>\n\n1) x\n2)\n'
    )
    posts = [[everything, 1000], ["one two", 7], ["a  \nb", 3], ["- ab\n- cd", 4], ["x\n\n---", 1], ["👍 &amp;", 3]]
    equal(play(run, code, posts), [[True, True]] * len(posts), "same as rendered, and not empty")
    previews(run, ("", 5, ""), ("\n", 1, ""))


@case(turn=1)
def previews_go_through_rules_and_plugins(run: Runner) -> None:
    code = """
    const md = new MarkdownIt();
    md.renderer.rules.strong_open = () => '<b>';
    md.renderer.rules.strong_close = () => '</b>';
    md.renderer.rules.paragraph_open = (tokens, at, options, env, self) => {
      tokens[at].attrJoin('class', env.name);
      return self.renderToken(tokens, at, options);
    };
    md.use((it) => it.core.ruler.push('shout', (state) => state.tokens.forEach((token) => (token.children || [])
      .forEach((child) => { if (child.type === 'text') child.content = child.content.toUpperCase(); }))));
    const env = { name: 'x' };
    const before = md.render('a **b** c', env);
    const found = md.excerpt('a **b c** d\\n\\n[e]: /f', 3, env);
    const thrown = [];
    for (const odd of [null, 7, ['a']]) try { md.excerpt(odd, 3); } catch (error) { thrown.push(error instanceof Error); }
    emit([found, Object.keys(env.references), md.render('a **b** c', env) === before, thrown,
      new MarkdownIt('zero').excerpt('a *b* c', 5), new MarkdownIt('commonmark').excerpt('~~a~~ b c', 7)]);
    """
    found, references, same, thrown, zero, common = play(run, code)
    equal(squeeze(found), '<p class="x">A <b>B…</b></p>', "excerpt")
    equal([references, same, thrown], [["E"], True, [True] * 3], "references, rendering afterwards, what is no text")
    equal([squeeze(zero), squeeze(common)], ["<p>a *b*…</p>", "<p>~~a~~ b…</p>"], "presets")


# --- 2: whole words --------------------------------------------------------------------------------------------------


@case(turn=2)
def whole_words(run: Runner) -> None:
    post = "hello wonderful world"
    previews(
        run,
        *[(post, most, "<p>hello…</p>") for most in (5, 6, 8, 14)],
        *[(post, most, "<p>hello wonderful…</p>") for most in (15, 16, 20)],
        (post, 21, f"<p>{post}</p>"),
        ("one, two. three", 5, "<p>one,…</p>"),
        ("one two x", 8, "<p>one two…</p>"),
        ("*one* **two** three", 5, "<p><em>one…</em></p>"),
        ("a 👍👍 b", 3, "<p>a…</p>"),
    )


@case(turn=2)
def long_first_words_are_cut(run: Runner) -> None:
    previews(
        run,
        ("wonderful world", 4, "<p>wond…</p>"),
        ("wonderful", 8, "<p>wonderfu…</p>"),
        ("wonderful", 9, "<p>wonderful</p>"),
        ("- *wonderful* x", 3, "<ul><li><em>won…</em></li></ul>"),
        ("😀😀😀", 2, "<p>😀😀…</p>"),
        ("a\n\nwonderful", 4, "<p>a…</p>"),
        ("a wonderful", 4, "<p>a…</p>"),
    )


@case(turn=2)
def lines_and_blocks_end_words(run: Runner) -> None:
    previews(
        run,
        ("ab\ncd", 4, "<p>ab…</p>"),
        ("ab  \ncd", 4, "<p>ab…</p>"),
        ("ab\\\ncd", 3, "<p>ab…</p>"),
        ("- ab\n- cd", 3, "<ul><li>ab…</li></ul>"),
        ("- ab\n- cd", 2, "<ul><li>ab…</li></ul>"),
        ("# ab\n\ncd", 3, "<h1>ab…</h1>"),
        ("> ab\n\ncd ef", 5, "<blockquote><p>ab</p></blockquote><p>cd…</p>"),
        ("ab *cd*", 3, "<p>ab…</p>"),
        ("ab *cd **ef***", 6, "<p>ab <em>cd…</em></p>"),
    )


@case(turn=2)
def words_go_through_emphasis(run: Runner) -> None:
    previews(
        run,
        *[("see f**oo**bar end", most, "<p>see…</p>") for most in (5, 6, 8, 9)],
        ("see f**oo**bar end", 10, "<p>see f<strong>oo</strong>bar…</p>"),
        ("f**oo**bar x", 2, "<p>f<strong>o…</strong></p>"),
        ("un*believ*able", 9, "<p>un<em>believ</em>a…</p>"),
        ("a **b *c***d e", 3, "<p>a <strong>b…</strong></p>"),
        ("one ~~two~~s", 7, "<p>one…</p>"),
    )


@case(turn=2)
def words_go_through_code_entities_and_dots(run: Runner) -> None:
    previews(
        run,
        ("a `b`c d", 3, "<p>a…</p>"),
        ("a `b c`d e", 5, "<p>a <code>b…</code></p>"),
        ("x **y**, z", 3, "<p>x…</p>"),
        ("x **y**, z", 4, "<p>x <strong>y</strong>,…</p>"),
        ("x a&amp;b c", 4, "<p>x…</p>"),
        ("x (*yz*) c", 5, "<p>x…</p>"),
    )


# --- 4: no half code -------------------------------------------------------------------------------------------------


@case(turn=4)
def code_blocks_are_whole(run: Runner) -> None:
    fence = "see\n\n~~~\nfoo bar baz\n~~~\n\nend of it"
    previews(
        run,
        (fence, 8, "<p>see…</p>"),
        (fence, 4, "<p>see…</p>"),
        (fence, 19, "<p>see</p><pre><code>foo bar baz\n</code></pre><p>end…</p>"),
        ("see\n\n    foo bar baz\n\nx", 8, "<p>see…</p>"),
        ("see *it*\n\n~~~\nfoo bar baz\n~~~\n\nx", 12, "<p>see <em>it…</em></p>"),
        ("- see\n  ~~~\n  foo bar baz\n  ~~~\n- x", 8, "<ul><li>see…</li></ul>"),
        ("- see\n- ~~~\n  foo bar baz\n  ~~~\n\nx", 8, "<ul><li>see…</li></ul>"),
    )


@case(turn=4)
def tables_are_whole(run: Runner) -> None:
    small = (
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>foo</td><td>bar</td></tr></tbody></table>"
    )
    previews(
        run,
        ("see\n\n| a | b |\n|---|---|\n| foo bar | baz |\n\nend", 10, "<p>see…</p>"),
        ("see\n\n| a | b |\n|---|---|\n| foo | *bar* baz |\n\nend", 5, "<p>see…</p>"),
        ("see\n\na|b\n-|-\nfoo|bar\n\nend of it", 15, f"<p>see</p>{small}<p>end…</p>"),
        ("> see\n>\n> a|b\n> -|-\n> foo|bar baz boo\n", 12, "<blockquote><p>see…</p></blockquote>"),
    )


@case(turn=4)
def dots_behind_code_are_a_paragraph(run: Runner) -> None:
    code = "<pre><code>foo\n</code></pre>"
    table = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>"
    previews(
        run,
        ("~~~\nfoo\n~~~\n\nwonderful", 7, f"{code}<p>…</p>"),
        ("one\n\n    foo\n\nwonderful", 9, f"<p>one</p>{code}<p>…</p>"),
        ("a|b\n-|-\nc|d\n\nwonderful", 9, f"{table}<p>…</p>"),
        ("- ~~~\n  foo\n  ~~~\n\n  wonderful\n- x", 7, f"<ul><li>{code}<p>…</p></li></ul>"),
        ("> ~~~\n> foo\n> ~~~\n\nwonderful", 8, f"<blockquote>{code}<p>…</p></blockquote>"),
        ("~~~\nfoo\n~~~\n\n~~~\nlonger code here\n~~~", 9, f"{code}<p>…</p>"),
    )


@case(turn=4)
def nothing_in_front_is_nothing(run: Runner) -> None:
    previews(
        run,
        ("~~~\nfoo bar baz\n~~~\n\nx", 8, ""),
        ("    foo bar baz\n\nx", 3, ""),
        ("> ~~~\n> foo bar baz\n> ~~~\n\nx", 8, ""),
        ("- a|b|c\n  -|-|-\n  d|e|f\n\nx", 2, ""),
    )


@case(turn=4)
def highlighter_sees_what_is_shown(run: Runner) -> None:
    code = """
    const called = [];
    const md = new MarkdownIt({ highlight: (text, name) => { called.push(name); return '<pre>' + name + '</pre>'; } });
    emit(data.map(([source, max]) => {
      called.length = 0;
      const html = md.excerpt(source, max);
      return [html, [...called]];
    }));
    """
    post = "one\n\n~~~a\nfoo\n~~~\n\ntwo\n\n~~~b\nlong code that is here\n~~~\n\n- ~~~c\n  x\n  ~~~"
    cut, whole = play(run, code, [[post, 20], [post, 99]])
    equal([squeeze(cut[0]), cut[1]], ["<p>one</p><pre>a</pre><p>two…</p>", ["a"]], "cut")
    equal(whole[1], ["a", "b", "c"], "whole")


# --- 5: no links, no images, no html ---------------------------------------------------------------------------------


@case(turn=5)
def links_are_their_text(run: Runner) -> None:
    previews(
        run,
        ("[one two](/u) three", 7, "<p>one two…</p>"),
        ('a [b *c*][r] d\n\n[r]: /u "t"', 5, "<p>a b <em>c…</em></p>"),
        ("<http://ab.c> d e", 13, "<p>http://ab.c d…</p>"),
        ("- *[one](/u)* two\n- x", 3, "<ul><li><em>one…</em></li></ul>"),
        ("[not](javascript:x) a b", 21, "<p>[not](javascript:x) a…</p>"),
    )
    previews(run, ("see www.ab.cd/ef or", 16, "<p>see www.ab.cd/ef…</p>"), linkify=True)


@case(turn=5)
def images_are_left_out(run: Runner) -> None:
    previews(
        run,
        ("a![b c](d) e f", 3, "<p>a e…</p>"),
        ("a![long text of it](d 't') e f", 3, "<p>a e…</p>"),
        ("one\n\n![x](y)\n\ntwo three", 6, "<p>one</p><p>two…</p>"),
        ("one\n\n[![x](y)](z)\n\ntwo three", 6, "<p>one</p><p>two…</p>"),
        ("one![x][y], two three\n\n[y]: /z", 8, "<p>one, two…</p>"),
    )


@case(turn=5)
def html_is_left_out(run: Runner) -> None:
    previews(
        run,
        ("one <b>two</b> three", 7, "<p>one two…</p>"),
        ("one<br> two <i class='x'>*three*</i> four", 13, "<p>one two <em>three…</em></p>"),
        ("<div>\nx\n</div>\n\none two", 3, "<p>one…</p>"),
        ("one\n\n<script>\nx\n\ny\n</script>\n\ntwo three", 6, "<p>one</p><p>two…</p>"),
        ("o<!-- x -->ne two", 3, "<p>one…</p>"),
        html=True,
    )
    previews(run, ("a <b> c d", 7, "<p>a &lt;b&gt; c…</p>"))


@case(turn=5)
def nothing_empty_is_left(run: Runner) -> None:
    previews(
        run,
        ("- ![a](b)\n- one\n- two three", 6, "<ul><li>one</li><li>two…</li></ul>"),
        ("- ![a](b)\n- ![c](d)\n\none two", 3, "<p>one…</p>"),
        ("> ![a](b)\n\none two", 3, "<p>one…</p>"),
        ("# ![a](b)\n\none two", 3, "<p>one…</p>"),
        ("*![a](b)* one two", 3, "<p>one…</p>"),
        ("- > **[![a](b)](c)**\n\none two", 3, "<p>one…</p>"),
        ("[](/u)\n\none two", 3, "<p>one…</p>"),
        ("> <b></b>\n\n1. <!-- x -->\n\none two", 3, "<p>one…</p>"),
        html=True,
    )


@case(turn=5)
def cells_of_tables_stay(run: Runner) -> None:
    previews(
        run,
        (
            "a|b\n-|-\n![x](y)|c\nd|[![x](y)](z)\n\none two",
            8,
            "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td></td><td>c</td></tr>"
            "<tr><td>d</td><td></td></tr></tbody></table><p>one…</p>",
        ),
        (
            "![x](y)|b\n-|-\n[c](d)|e\n\none two",
            7,
            "<table><thead><tr><th></th><th>b</th></tr></thead><tbody><tr><td>c</td><td>e</td></tr></tbody></table>"
            "<p>one…</p>",
        ),
    )


@case(turn=5)
def posts_that_fit_are_stripped_too(run: Runner) -> None:
    previews(
        run,
        ("[one](/u) *two*", 99, "<p>one <em>two</em></p>"),
        ("one\n\n![x](y)\n\n- ![x](y)\n- two <http://a.b>", 99, "<p>one</p><ul><li>two http://a.b</li></ul>"),
        ("one <b>two</b>\n\n<hr>\n\nthree", 12, "<p>one two</p><p>three</p>"),
        ("![x](y)", 99, ""),
        ("<div>x</div>", 3, ""),
        html=True,
    )


@case(turn=5)
def words_go_through_what_is_left_out(run: Runner) -> None:
    previews(
        run,
        ("see f[oo](/u)bar end", 7, "<p>see…</p>"),
        ("see f[oo](/u)bar end", 10, "<p>see foobar…</p>"),
        ("see f<b>oo</b>bar end", 6, "<p>see…</p>"),
        ("see [f**oo**](/u)s end", 7, "<p>see…</p>"),
        html=True,
    )


# --- what was there before -------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def only_spaces_go_before_a_break(run: Runner) -> None:
    sources = ["a\t  \nb", "a\u00a0  \nb", "a \t\nb", "a  \t\nb"]
    found = play(run, "emit(data.map((source) => new MarkdownIt().render(source)));", sources)
    wanted = ["<p>a\t<br>\nb</p>\n", "<p>a\u00a0<br>\nb</p>\n", "<p>a \t\nb</p>\n", "<p>a  \t\nb</p>\n"]
    equal(found, wanted, "what stands before line breaks")


@case(turn=0, kind="p2p")
def line_breaks_as_before(run: Runner) -> None:
    sources = [
        "a \nb",
        "a  \nb",
        "a     \n   b",
        "a\nb  ",
        "*a*  \nb",
        "`a`   \nb",
        "a  b  \nc  d \ne",
        "a\\\nb",
        "  \na  ",
    ]
    found = play(run, "emit(data.map((source) => new MarkdownIt().render(source).slice(3, -5)));", sources)
    equal(
        found,
        ["a\nb", "a<br>\nb", "a<br>\nb", "a\nb", "<em>a</em><br>\nb", "<code>a</code><br>\nb",
         "a  b<br>\nc  d\ne", "a<br>\nb", "a"],
        "paragraphs",
    )  # fmt: skip
    code = "emit(data.map((source) => new MarkdownIt({breaks: true, xhtmlOut: true}).renderInline(source)));"
    equal(
        play(run, code, ["a \nb", "  \na", "a  \n  \nb"]), ["a<br />\nb", "<br />\na", "a<br />\n<br />\nb"], "inline"
    )


@case(turn=0, kind="p2p")
def documents_are_rendered_as_before(run: Runner) -> None:
    source = (
        '# A [b](/c "d")\n\n![e *f*](g)  \n<b>h</b> http://i.jk\n\n- l\n- [ ](m)\n\n  > n\n\n'
        "o|p\n-|:-:\nq|\n\n~~~js\nr()\n~~~\n\n<div>\ns\n</div>\n\n1. t\n\n[u][] v (c)\n\n[u]: /w\n"
    )
    found = play(run, "emit(new MarkdownIt({ html: true, linkify: true, typographer: true }).render(data));", source)
    equal(
        found.split("\n"),
        [
            '<h1>A <a href="/c" title="d">b</a></h1>',
            '<p><img src="g" alt="e f"><br>',
            '<b>h</b> <a href="http://i.jk">http://i.jk</a></p>',
            "<ul>", "<li>", "<p>l</p>", "</li>", "<li>", '<p><a href="m"> </a></p>',
            "<blockquote>", "<p>n</p>", "</blockquote>", "</li>", "</ul>",
            "<table>", "<thead>", "<tr>", "<th>o</th>", '<th style="text-align:center">p</th>', "</tr>", "</thead>",
            "<tbody>", "<tr>", "<td>q</td>", '<td style="text-align:center"></td>', "</tr>", "</tbody>", "</table>",
            '<pre><code class="language-js">r()', "</code></pre>",
            "<div>", "s", "</div>",
            "<ol>", "<li>t</li>", "</ol>",
            '<p><a href="/w">u</a> v ©</p>', "",
        ],
        "lines",
    )  # fmt: skip


@case(turn=0, kind="p2p")
def tokens_are_as_before(run: Runner) -> None:
    code = """
    const env = {};
    const show = (t) => [t.type, t.tag, t.nesting, t.level, t.map, t.content, t.hidden, t.children && t.children.map(show)];
    const tokens = new MarkdownIt({ html: true }).parse('- a [b](c)  \\n  d ![e](f)\\n\\n<hr>\\n\\n[g]: /h', env);
    emit([tokens.map(show), env.references.G.href]);
    """
    tokens, href = play(run, code)
    equal(href, "/h", "references")
    image = ["image", "img", 0, 0, None, "e", False, [["text", "", 0, 0, None, "e", False, None]]]
    children = [
        ["text", "", 0, 0, None, "a ", False, None],
        ["link_open", "a", 1, 0, None, "", False, None],
        ["text", "", 0, 1, None, "b", False, None],
        ["link_close", "a", -1, 0, None, "", False, None],
        ["hardbreak", "br", 0, 0, None, "", False, None],
        ["text", "", 0, 0, None, "d ", False, None],
        image,
    ]
    equal(
        tokens,
        [
            ["bullet_list_open", "ul", 1, 0, [0, 3], "", False, None],
            ["list_item_open", "li", 1, 1, [0, 3], "", False, None],
            ["paragraph_open", "p", 1, 2, [0, 2], "", True, None],
            ["inline", "", 0, 3, [0, 2], "a [b](c)  \nd ![e](f)", False, children],
            ["paragraph_close", "p", -1, 2, None, "", True, None],
            ["list_item_close", "li", -1, 1, None, "", False, None],
            ["bullet_list_close", "ul", -1, 0, None, "", False, None],
            ["html_block", "", 0, 0, [3, 4], "<hr>\n", False, None],
        ],
        "tokens",
    )


@case(turn=0, kind="p2p")
def highlighter_and_rules_as_before(run: Runner) -> None:
    code = """
    const calls = [];
    const md = new MarkdownIt({ langPrefix: 'x-', highlight: (...all) => { calls.push(all); return ''; } });
    md.renderer.rules.link_open = (tokens, at, options, env, self) => {
      tokens[at].attrPush(['target', '_blank']);
      return self.renderToken(tokens, at, options);
    };
    const html = md.render('~~~a b=c\\n<d>\\n~~~\\n\\n[e](/f)\\n\\n    g');
    emit([html, calls, new MarkdownIt('zero').render('*a* `b`'), new MarkdownIt('commonmark').render('~~a~~ <b>')]);
    """
    equal(
        play(run, code),
        [
            '<pre><code class="x-a">&lt;d&gt;\n</code></pre>\n<p><a href="/f" target="_blank">e</a></p>\n'
            "<pre><code>g\n</code></pre>\n",
            [["<d>\n", "a", "b=c"]],
            "<p>*a* `b`</p>\n",
            "<p>~~a~~ <b></p>\n",
        ],
        "html, calls, presets",
    )
