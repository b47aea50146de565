"""Pages of views that lack data: Ruby that renders them goes in, what was rendered or raised comes out."""

import json
import re
import secrets
from dataclasses import replace
from typing import Any

from harness import Runner, case, equal

# The lambda keeps what it knows to itself; a case's Ruby is its inner block and ends with a value.
HEAD = r"""
require 'json'

lambda do
  given = JSON.parse($stdin.read)
  $LOAD_PATH.unshift("#{given[1]}/lib")
  require 'mustache'
  require 'mustache/version'
  loaded = $LOADED_FEATURES.grep(%r{/mustache\.rb\z})
  raise "mustache comes from #{loaded}" unless loaded == ["#{given[1]}/lib/mustache.rb"]

  # What became of a page: its text, or what was missed, or another error.
  page = lambda do |&block|
    { 'text' => block.call }
  rescue Mustache::ContextMiss => e
    list = ->(name) { e.respond_to?(name) ? Array(e.public_send(name)).map(&:to_s) : nil }
    { 'names' => list[:names], 'places' => list[:places], 'said' => e.message[0, 4000] }
  rescue StandardError => e
    { 'error' => e.class.name }
  end

  # A view that finds its partials in a hash.
  view = lambda do |mode, partials = {}, parent = Mustache|
    made = Class.new(parent) { define_method(:partial) { |name| partials.fetch(name.to_s) } }.new
    made.raise_on_context_miss = mode
    made
  end
  render = ->(mode, text, data = {}, partials = {}) { page.call { view[mode, partials].render(text, data) } }

  answer = lambda do
"""
TAIL = r"""
  end.call
  $stdout.write("\n#{given[0]}#{JSON.generate(answer)}\n")
end.call
"""


def ruby(run: Runner, code: str) -> Any:
    """The value of the code."""
    mark = secrets.token_hex(8)
    done = run.command(
        ["/usr/bin/ruby", "--disable=gems", "driver.rb"],
        files={"driver.rb": HEAD + code + TAIL},
        stdin=json.dumps([mark, run.tree]),
    )
    return replace(done, nonce=mark).json()


def missed(pages: list[dict[str, Any]], *wanted: str) -> None:
    """Each page was refused, and each time the message says the name that was wanted."""
    equal(len(pages), len(wanted), "number of pages")
    for one, name in zip(pages, wanted, strict=True):
        said = re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", one.get("said", ""))
        assert said, f"wanted a ContextMiss for {name}, found {one}"


def texts(pages: list[dict[str, Any]], *wanted: str) -> None:
    """Each page was rendered, and reads so."""
    equal(pages, [{"text": text} for text in wanted], "pages")


def names(pages: list[dict[str, Any]], *wanted: list[str]) -> None:
    """Each page was refused for these names."""
    equal([one.get("names") for one in pages], list(wanted), "names")


def places(pages: list[dict[str, Any]], *wanted: list[str]) -> None:
    """Each page was refused for these places."""
    equal([one.get("places") for one in pages], list(wanted), "places")


# --- the first message: names with dots ------------------------------------------------------------------------------


@case(turn=0)
def objects_miss_as_hashes_do(run: Runner) -> None:
    missed(
        ruby(
            run,
            r"""
            client = Struct.new(:name).new('Ana')
            order = { order: { client: client }, client: client }
            strict = Class.new(Mustache)
            strict.raise_on_context_miss = true
            [
              render[true, '{{client.name}} {{client.phone}}', order],
              render[true, '{{{client.phone}}}', order],
              render[true, '{{& client.phone }}', order],
              render[true, '{{order.client.phone}}', order],
              render[true, '{{#order}}{{client.phone}}{{/order}}', order],
              page.call { strict.render('{{client.phone}}', order) },
              page.call { strict.render('{{#orders}}{{client.phone}}{{/orders}}', orders: [order]) },
            ]
            """,
        ),
        *["client.phone"] * 3,
        "order.client.phone",
        *["client.phone"] * 3,
    )


@case(turn=0)
def objects_miss_in_the_middle_too(run: Runner) -> None:
    missed(
        ruby(
            run,
            r"""
            client = Struct.new(:name).new('Ana')
            plain = Class.new { def city = 'Vigo' }.new
            [
              render[true, '{{client.address.street}}', { client: client }],
              render[true, '{{order.client.address.street}}', { order: { 'client' => client } }],
              render[true, '{{client.name.address.street}}', { client: client }],
              render[true, '{{place.city}}{{place.country.code}}', { place: plain }],
              render[true, '{{list.first.city}}{{list.first.code}}', { list: [plain] }],
            ]
            """,
        ),
        "client.address.street",
        "order.client.address.street",
        "client.name.address.street",
        "place.country.code",
        "list.first.code",
    )


@case(turn=0)
def the_whole_name_is_said(run: Runner) -> None:
    missed(
        ruby(
            run,
            r"""
            [
              render[true, '{{client.phone}}', { client: { name: 'Ana' } }],
              render[true, '{{order.client.phone}}', { order: { client: {} } }],
              render[true, '{{order.client.phone}}', { order: {} }],
              render[true, 'a {{{order.client.phone}}}', {}],
            ]
            """,
        ),
        "client.phone",
        *["order.client.phone"] * 3,
    )


# --- turn 2: sections only ask ---------------------------------------------------------------------------------------


@case(turn=2)
def sections_without_data_are_false(run: Runner) -> None:
    texts(
        ruby(
            run,
            r"""
            all = Class.new(Mustache)
            all.raise_on_context_miss = true
            [
              render[true, '{{#offer}}yes{{/offer}}{{^offer}}no{{/offer}}'],
              render[true, '{{#list}}{{#gift}}yes{{/gift}}{{^gift}}{{.}}{{/gift}}{{/list}}', { list: [1, 2] }],
              page.call { all.render('{{^a}}{{^b}}{{#c}}c{{/c}}none{{/b}}{{/a}}') },
              page.call { view[true, { 'p' => '{{^offer}}no{{/offer}}' }].render('{{> p}}') },
            ]
            """,
        ),
        "no",
        "12",
        "none",
        "no",
    )


@case(turn=2)
def dotted_sections_are_false_too(run: Runner) -> None:
    texts(
        ruby(
            run,
            r"""
            client = Struct.new(:name).new('Ana')
            data = { hash: { name: 'Ana' }, client: client, none: nil }
            text = '{{#%s}}yes{{/%s}}{{^%s}}no{{/%s}}'
            dotted = %w[hash.offer client.offer client.offer.code none.offer nobody.offer.code hash.name client.name]
            dotted.map do |name|
              render[true, text.gsub('%s', name), data]
            end
            """,
        ),
        *["no"] * 5,
        *["yes"] * 2,
    )


@case(turn=2)
def what_is_inside_still_counts(run: Runner) -> None:
    missed(
        ruby(
            run,
            r"""
            photo = Class.new(Mustache) { def photo = self[:email] }.new
            photo.raise_on_context_miss = true
            [
              render[true, '{{#gift}}{{gift_code}}{{/gift}}{{^gift}}{{code}}{{/gift}}', {}],
              render[true, '{{#gift}}x{{/gift}}{{#client}}{{client.phone}}{{/client}}', { client: { name: 'Ana' } }],
              page.call { photo.render('{{#gift}}x{{/gift}}{{#photo}}x{{/photo}}') },
            ]
            """,
        ),
        "code",
        "client.phone",
        "email",
    )


@case(turn=3)
def sections_are_not_listed(run: Runner) -> None:
    names(
        ruby(
            run,
            r"""
            client = Struct.new(:name).new('Ana')
            [
              render[:all, '{{#o}}x{{/o}}{{^o}}{{code}}{{/o}}{{#client}}{{phone}}{{/client}}', { client: client }],
              render[:all, '{{#client.offer}}x{{/client.offer}}{{^a.b.c}}{{z}}{{/a.b.c}}', { client: client }],
              render[:all, '{{#offer}}x{{/offer}}{{offer}}', {}],
            ]
            """,
        ),
        ["code", "phone"],
        ["z"],
        ["offer"],
    )


# --- turn 3: all of them at once -------------------------------------------------------------------------------------


@case(turn=3)
def every_name_once_in_order(run: Runner) -> None:
    names(
        ruby(
            run,
            r"""
            client = Struct.new(:name).new('Ana')
            lines = [{ item: 'nut', tax: 1 }, { item: 'bolt' }, { price: 2, tax: 1 }]
            [
              render[:all, '{{b}} {{a}} {{{b}}} {{c.d}} {{& a}}', {}],
              render[:all, '{{client.phone}} {{client.name}} {{client.address.street}}', { client: client }],
              render[:all, '{{#lines}}{{item}}{{price}}{{tax}}{{unit}}{{/lines}}{{total}}', { lines: lines }],
              render[:all, '{{#client}}{{name}}{{client.phone}}{{phone}}{{/client}}', { client: client }],
            ]
            """,
        ),
        ["b", "a", "c.d"],
        ["client.phone", "client.address.street"],
        ["price", "unit", "tax", "item", "total"],
        ["client.phone", "phone"],
    )


@case(turn=3)
def one_name_where_the_first_raises(run: Runner) -> None:
    names(
        ruby(
            run,
            r"""
            client = Struct.new(:name).new('Ana')
            [
              render[true, '{{a}}{{x}}{{y}}', { a: 1 }],
              render[true, '{{#client}}{{name}}{{client.address.city}}{{x}}{{/client}}', { client: client }],
              render[true, '{{client.name}}{{none.at.all}}', { client: { name: 1 } }],
            ]
            """,
        ),
        ["x"],
        ["client.address.city"],
        ["none.at.all"],
    )


@case(turn=3)
def partials_are_part_of_the_page(run: Runner) -> None:
    names(
        ruby(
            run,
            r"""
            partials = { 'head' => '{{title}}{{> logo}}', 'logo' => '{{url}}', 'foot' => "{{tax}}\n{{title}}" }
            [
              render[:all, "{{> head}}{{text}}\n  {{> foot}}\n{{last}}", {}, partials],
              render[:all, '{{#list}}{{> logo}}{{/list}}{{> foot}}', { list: [{ url: 1 }, {}], title: 't' }, partials],
            ]
            """,
        ),
        ["title", "url", "text", "tax", "last"],
        ["url", "tax"],
    )


@case(turn=3)
def classes_may_want_it_too(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        mail = Class.new(Mustache) { def who = 'Ana' }
        mail.raise_on_context_miss = :all
        mail.template = '{{who}} {{#lines}}{{item}}{{/lines}} {{x}} {{y}}'
        Mustache.raise_on_context_miss = :all
        [
          page.call { mail.render(lines: []) },
          page.call { mail.new.render(lines: [{ item: 1 }, {}], x: nil) },
          page.call { Mustache.render('{{a.b}}{{c}}', a: {}) },
          page.call { mail.render(x: 1, y: 2, lines: [{ item: '<' }]) },
          page.call { Mustache.render('{{^a}}none{{/a}}', a: false) },
        ]
        """,
    )
    names(pages[:3], ["x", "y"], ["item", "y"], ["a.b", "c"])
    texts(pages[3:], "Ana &lt; 1 2", "none")


@case(turn=3)
def the_next_page_begins_anew(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        kind = Class.new(Mustache) { def broken = raise(IOError, 'no connection') }
        mail = view[:all, {}, kind]
        [
          page.call { mail.render('{{a}}{{b}}') },
          page.call { mail.render('{{b}}{{c}}', c: 1) },
          page.call { mail.render('{{c}}{{broken}}') },
          page.call { mail.render('{{d}}') },
          page.call { mail[:d] = 4; mail.render('{{d}}') },
        ]
        """,
    )
    names([*pages[:2], pages[3]], ["a", "b"], ["b"], ["d"])
    equal([pages[2], pages[4]], [{"error": "IOError"}, {"text": "4"}], "pages")


@case(turn=3)
def lambdas_render_for_the_page(run: Runner) -> None:
    names(
        ruby(
            run,
            r"""
            kind = Class.new(Mustache) do
              def bold = ->(text) { "<b>#{render(text)}</b>" }
              def twice = ->(text) { text * 2 }
            end
            [
              page.call { view[:all, {}, kind].render('{{a}}{{#bold}}{{b}}{{c}}{{/bold}}{{d}}') },
              page.call { view[:all, {}, kind].render('{{#list}}{{#bold}}{{b}}{{/bold}}{{x}}{{/list}}', list: [1, 2]) },
              page.call do
                text = '{{#bold}}{{#twice}}{{b}}{{/twice}}{{/bold}}{{#twice}}{{c}}{{/twice}}{{d}}'
                view[:all, {}, kind].render(text)
              end,
            ]
            """,
        ),
        ["a", "b", "c", "d"],
        ["b", "x"],
        ["b", "c", "d"],
    )


@case(turn=3)
def methods_render_for_the_page(run: Runner) -> None:
    names(
        ruby(
            run,
            r"""
            kind = Class.new(Mustache) do
              def sign = render('{{role}}, {{firm}}')
              def greeting = render('Hola {{who}}', firm: 'Sol')
            end
            [
              page.call { view[:all, {}, kind].render('{{a}} {{sign}} {{b}}', firm: 'Sol') },
              page.call { view[:all, {}, kind].render('{{greeting}} {{{sign}}} {{who}}') },
            ]
            """,
        ),
        ["a", "role", "b"],
        ["who", "role", "firm"],
    )


@case(turn=3)
def methods_that_read_miss_too(run: Runner) -> None:
    names(
        ruby(
            run,
            r"""
            kind = Class.new(Mustache) do
              def greeting = "Hola #{self[:who]}"
              def gift = self[:code].to_s
            end
            [
              page.call { view[:all, {}, kind].render('{{greeting}} {{a}}') },
              page.call { view[:all, {}, kind].render('{{a}}{{#list}}{{greeting}}{{/list}}{{b}}', list: [1, 2]) },
              page.call { view[:all, {}, kind].render('{{greeting}}{{gift}}', code: 5) },
            ]
            """,
        ),
        ["who", "a"],
        ["a", "who", "b"],
        ["who"],
    )


@case(turn=3)
def methods_that_ask_miss_nothing(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        kind = Class.new(Mustache) do
          def greeting = context.has_key?(:who) ? "Hola #{self[:who]}" : 'Hola'
        end
        [
          page.call { view[:all, {}, kind].render('{{greeting}} {{a}}') },
          page.call { view[:all, {}, kind].render('{{#greeting}}{{.}}{{/greeting}}') },
          page.call { view[:all, {}, kind].render('{{greeting}}', who: 'Ana') },
        ]
        """,
    )
    names(pages[:1], ["a"])
    texts(pages[1:], "Hola", "Hola Ana")


# --- turn 4: where ---------------------------------------------------------------------------------------------------


@case(turn=4)
def places_have_lines(run: Runner) -> None:
    places(
        ruby(
            run,
            r"""
            [
              render[:all, "{{a}}\nx {{b}} {{c.d}}\n\n{{{e}}}\n  {{& f}}", {}],
              render[:all, "{{! one\ntwo }}\n{{^x}}\n{{a}}\n{{#y}}\n{{b}}\n{{/y}}\n{{/x}}\n{{c}}", { x: [], y: true }],
              render[:all, "\n\n{{=<% %>=}}\n<% a %>\n<%={{ }}=%>\r\n{{b}}\r\n", {}],
              render[:all, "{{#list}}\n{{n}} {{u}}\n{{/list}}{{s}}", { list: [{ n: 1 }, { u: 1 }] }],
            ]
            """,
        ),
        ["1:a", "2:b", "2:c.d", "4:e", "5:f"],
        ["4:a", "6:b", "9:c"],
        ["4:a", "6:b"],
        ["2:u", "2:n", "3:s"],
    )


@case(turn=4)
def every_place_once(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        [
          render[:all, "{{b}}{{a}}{{b}}\n{{a}}\n{{#list}}{{a}}{{b}}{{/list}}", { list: [1, 2, 3] }],
          render[:all, "{{#list}}{{a}}\n{{/list}}{{a}}", { list: [{ a: 1 }, {}, {}] }],
        ]
        """,
    )
    places(pages, ["1:b", "1:a", "2:a", "3:a", "3:b"], ["1:a", "2:a"])
    names(pages, ["b", "a"], ["a"])


@case(turn=4)
def the_first_miss_has_its_place(run: Runner) -> None:
    places(
        ruby(
            run,
            r"""
            client = Struct.new(:name).new('Ana')
            [
              render[true, "{{client.name}}\n{{client.phone}}\n{{x}}", { client: client }],
              render[true, "{{#client}}\n{{name}}\n {{phone}}{{/client}}", { client: client }],
            ]
            """,
        ),
        ["2:client.phone"],
        ["3:phone"],
    )


@case(turn=4)
def places_in_partials(run: Runner) -> None:
    places(
        ruby(
            run,
            r"""
            partials = { 'logo' => "\n{{url}}", 'foot' => '{{tax}}' }
            partials['mail/head'] = "{{title}}\n{{> logo}}\n{{subtitle}}"
            [
              render[:all, "{{> foot}}\n{{total}}", {}, partials],
              render[:all, "{{a}}\n{{> mail/head}}\n{{b}}\n{{> foot}}{{c}}", {}, partials],
              render[true, "{{a}}\n\n{{> mail/head}}", { a: 1, title: 2 }, partials],
            ]
            """,
        ),
        ["foot:1:tax", "2:total"],
        ["1:a", "mail/head:1:title", "logo:2:url", "mail/head:3:subtitle", "3:b", "foot:1:tax", "4:c"],
        ["logo:2:url"],
    )


@case(turn=4)
def partials_that_read_the_same(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        partials = { 'es' => '{{tax}}', 'pt' => '{{tax}}', 'both' => '{{> pt}}{{> es}}' }
        [
          render[:all, "{{> es}}{{> pt}}{{tax}}", {}, partials],
          render[:all, "{{> pt}}{{> es}}{{> pt}}", {}, partials],
          render[:all, "{{tax}}\n{{> both}}", {}, partials],
        ]
        """,
    )
    places(pages, ["es:1:tax", "pt:1:tax", "1:tax"], ["pt:1:tax", "es:1:tax"], ["1:tax", "pt:1:tax", "es:1:tax"])
    names(pages, ["tax"], ["tax"], ["tax"])


@case(turn=4)
def partials_again_and_again(run: Runner) -> None:
    places(
        ruby(
            run,
            r"""
            partials = { 'line' => "{{item}}\n{{price}}\n", 'tree' => "{{name}}{{#kids}}{{> tree}}{{/kids}}{{size}}" }
            kids = { name: 'a', size: 1, kids: [{ name: 'b', kids: [] }, { size: 1, kids: [] }] }
            [
              render[:all, "{{#list}}\n  {{> line}}\n{{/list}}{{x}}", { list: [{ item: 1 }, {}] }, partials],
              render[:all, '{{> tree}}{{y}}', kids.merge(name: 'a'), partials],
              render[:all, "{{#a}}\n{{> line}}\n{{x}}{{/a}}", { a: { item: 1 } }, partials],
            ]
            """,
        ),
        ["line:2:price", "line:1:item", "3:x"],
        ["1:y"],
        ["line:2:price", "3:x"],
    )


# --- turn 5: nothing stays behind ------------------------------------------------------------------------------------


@case(turn=5)
def lists_leave_nothing_behind(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        orders = { orders: [{ item: 'nut', price: 1 }, { item: 'bolt' }] }
        mail = view[true]
        [
          page.call { mail.render('{{#orders}}{{item}}{{price}}{{/orders}}', orders) },
          page.call { mail.render('{{item}}') },
          page.call { mail.raise_on_context_miss = false; mail.render('[{{item}}{{orders}}]') },
          page.call { mail.render('[{{item}}{{who}}]', who: 'Ana') },
        ]
        """,
    )
    missed(pages[:2], "price", "item")
    texts(pages[2:], "[]", "[Ana]")


@case(turn=5)
def objects_leave_nothing_behind(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        client = Struct.new(:name, :address).new('Ana', { city: 'Vigo' })
        mail = view[true, { 'card' => '{{#address}}{{city}}{{street}}{{/address}}' }]
        [
          page.call { mail.render('{{#client}}{{name}}{{> card}}{{/client}}', client: client) },
          page.call { mail.raise_on_context_miss = false; mail.render('[{{name}}{{city}}{{client.name}}]') },
        ]
        """,
    )
    missed(pages[:1], "street")
    texts(pages[1:], "[]")


@case(turn=5)
def other_errors_leave_nothing_behind(run: Runner) -> None:
    equal(
        ruby(
            run,
            r"""
            kind = Class.new(Mustache) do
              def broken = raise(IOError, 'no connection')
              def loud = ->(text) { render(text).upcase }
            end
            client = { name: 'Ana', lines: [{ item: 'nut' }] }
            [nil, true, :all].flat_map do |mode|
              mail = view[mode, { 'line' => '{{item}}{{broken}}' }, kind]
              [
                page.call { mail.render('{{#client}}{{#lines}}{{> line}}{{/lines}}{{/client}}', client: client) },
                page.call { mail.render('{{#client}}{{#loud}}{{name}}{{broken}}{{/loud}}{{/client}}', client: client) },
                page.call { mail.raise_on_context_miss = nil; mail.render('[{{name}}{{item}}]') },
              ]
            end
            """,
        ),
        [{"error": "IOError"}, {"error": "IOError"}, {"text": "[]"}] * 3,
        "pages",
    )


# --- what must stay as it was ----------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def nil_is_something(run: Runner) -> None:
    texts(
        ruby(
            run,
            r"""
            client = Struct.new(:name, :phone).new('Ana', nil)
            [
              render[true, '[{{client.phone}}{{phone}}]', { client: client, phone: nil }],
              render[true, '[{{client.phone}}]', { client: nil }],
              render[true, '[{{order.client.phone}}{{{order.client.address.street}}}]', { order: { client: nil } }],
              render[true, '[{{client.phone.prefix}}]', { client: client }],
              render[true, '[{{#client}}{{phone}}{{/client}}]', { client: { phone: nil }, phone: 1 }],
            ]
            """,
        ),
        *["[]"] * 5,
    )


@case(turn=0, kind="p2p")
def silence_unless_asked_for(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        client = Struct.new(:name).new('Ana')
        data = { client: client, hash: {}, none: nil }
        mail = Mustache.new
        [
          render[nil, '[{{x}}{{{y}}}{{& z}}{{client.phone}}{{client.a.b}}{{hash.a}}{{none.a}}{{x.y.z}}]', data],
          render[false, '[{{#x}}a{{/x}}{{^x}}b{{/x}}{{^client.phone}}c{{/client.phone}}{{#hash.a}}d{{/hash.a}}]', data],
          page.call { [mail[:x], mail.context[:x], mail.context.has_key?(:x)].inspect },
        ]
        """,
    )
    texts(pages, "[]", "[bc]", "[nil, nil, false]")


@case(turn=0, kind="p2p")
def values_are_found_as_ever(run: Runner) -> None:
    texts(
        ruby(
            run,
            r"""
            item = Class.new do
              def first_name = 'Ana'
              def shout(text) = text.upcase
              def to_s = 'item'
            end.new
            wrapped = Class.new { def to_hash = { 'id' => 7, sub: { id: 8 } } }.new
            lazy = Hash.new { |_, key| key == :cent ? '1c' : nil }
            data = { item: item, wrapped: wrapped, lazy: lazy, 'text' => '<&>', deep: { item: item } }
            data.update(outer: 'o', no: false)
            [
              render[true, '{{item.first-name}} {{#item}}{{first-name}}{{/item}} {{deep.item.first_name}}', data],
              render[true, '{{#item}}{{#shout}}oh!{{/shout}}{{outer}}{{/item}}', data],
              render[true, '{{wrapped.id}}{{wrapped.sub.id}}{{#wrapped}}{{sub.id}}{{/wrapped}}{{lazy.cent}}', data],
              render[true, '{{text}}{{{text}}}{{& text}}{{item}}{{no}}', data],
              render[true, '{{#list}}{{.}}{{outer}}{{#no}}x{{/no}},{{/list}}', data.merge(list: [1, nil, 'a'])],
              render[true, '{{#deep}}{{outer}}{{#item}}{{outer}}{{/item}}{{/deep}}{{#no}}x{{/no}}{{^no}}y{{/no}}',
                     data],
              render[true, '{{text.size}}{{list.size}}{{#each}}{{.}}{{/each}}',
                     data.merge(list: [1], each: [1, 2].each)],
            ]
            """,
        ),
        "Ana Ana Ana",
        "OH!o",
        "7881c",
        "&lt;&amp;&gt;<&><&>itemfalse",
        "1o,o,ao,",
        "ooy",
        "3112",
    )


@case(turn=0, kind="p2p")
def misses_that_were_raised_are(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        mail = view[true]
        lax = view[false]
        [
          render[true, '{{x}}'],
          render[true, '{{#client}}{{phone}}{{/client}}', { client: { name: 1 } }],
          page.call { mail[:phone] },
          page.call { lax.context.fetch(:phone) },
          page.call { mail.context.fetch(:phone, 1) },
          page.call { [lax.context.fetch(:phone, 1), mail.context.has_key?(:phone)].inspect },
          page.call do
            lax[:phone] = 3
            [lax.context.fetch(:phone), lax[:phone], !!lax.context.has_key?(:phone)].inspect
          end,
        ]
        """,
    )
    missed(pages[:5], "x", *["phone"] * 4)
    texts(pages[5:], "[1, false]", "[3, 3, true]")


@case(turn=0, kind="p2p")
def templates_tell_what_is_in_them(run: Runner) -> None:
    told = ruby(
        run,
        r"""
        text = "{{a}}\n{{#b}}{{c.d}}{{> e}}{{/b}}{{^f}}{{{g}}}{{/f}}"
        made = Mustache::Template.new(text)
        [made.tags, made.sections, made.partials, made.tokens]
        """,
    )
    equal(told[:3], [["a", "b.c", "f.g"], ["b", "f"], ["e"]], "tags, sections and partials")
    fetch = ["mustache", "fetch"]
    wanted = [
        "multi",
        ["mustache", "etag", [*fetch, ["a"]], [1, 2]],
        ["static", "\n"],
        [
            "mustache",
            "section",
            [*fetch, ["b"]],
            [2, 3],
            [
                "multi",
                ["mustache", "etag", [*fetch, ["c", "d"]], [2, 10]],
                ["mustache", "partial", "e", [2, 17], ""],
            ],
            "{{c.d}}{{> e}}",
            ["{{", "}}"],
        ],
        [
            "mustache",
            "inverted_section",
            [*fetch, ["f"]],
            [2, 29],
            ["multi", ["mustache", "utag", [*fetch, ["g"]], [2, 35]]],
            "{{{g}}}",
            ["{{", "}}"],
        ],
    ]
    equal(told[3], wanted, "tokens")


@case(turn=0, kind="p2p")
def tags_of_ones_own(run: Runner) -> None:
    texts(
        ruby(
            run,
            r"""
            Mustache::Parser.add_type(:'@') do |content, fetch, padding, position|
              @result << [:mustache, :loud, fetch, offset]
            end
            Mustache::Generator.class_eval { def on_loud(name, offset) = ev("(#{compile!(name)}).to_s.upcase") }
            [
              render[true, '{{@ a }} {{@ b.c }}{{#b}}{{@ c}}{{/b}}', { a: 'x', b: { c: 'y' } }],
              render[nil, '[{{@ z }}{{@ b.z }}]', { b: {} }],
            ]
            """,
        ),
        "X YY",
        "[]",
    )


@case(turn=0, kind="p2p")
def lambdas_work_as_ever(run: Runner) -> None:
    texts(
        ruby(
            run,
            r"""
            kind = Class.new(Mustache) do
              def bold = ->(text) { "<b>#{render(text)}</b>" }
              def twice = ->(text) { text * 2 }
              def link = -> { '{{who}}!' }
            end
            data = { who: 'Ana', list: [{ n: 1 }, { n: 2 }] }
            fixed = kind.new(static_lambdas: true)
            [
              page.call do
                text = '{{#bold}}{{who}}{{/bold}} {{#list}}{{#twice}}{{n}}{{/twice}}{{/list}}'
                view[true, {}, kind].render(text, data)
              end,
              page.call { view[true, {}, kind].render('{{link}} {{{link}}}{{=| |=}}|#twice||who||/twice|', data) },
              page.call { fixed.render('{{#list}}{{#twice}}{{n}}{{who}}{{/twice}}{{/list}}', data) },
            ]
            """,
        ),
        "<b>Ana</b> 1122",
        "Ana! Ana!AnaAna",
        "1Ana1Ana2Ana2Ana",
    )


@case(turn=0, kind="p2p")
def partials_come_from_files(run: Runner) -> None:
    pages = ruby(
        run,
        r"""
        require 'tmpdir'
        Dir.mktmpdir do |folder|
          File.write("#{folder}/line.mustache", "{{item}}\n{{{note}}}\n")
          File.write("#{folder}/tree.txt", '{{n}}{{#kids}}{{> tree}}{{/kids}}')
          lists = Class.new(Mustache) { self.template_path = folder }
          trees = Class.new(lists) { self.template_extension = 'txt' }
          strict = lists.new
          strict.raise_on_context_miss = true
          inline = lists.new(inline_partials_at_compile_time: true)
          [
            page.call do
              lists.render("{{#list}}\n  {{> line}}\n{{/list}}", list: [{ item: 1, note: "a\nb" }, { item: 2 }])
            end,
            page.call { trees.render('{{> tree}}', n: 1, kids: [{ n: 2, kids: [{ n: 3, kids: [] }] }]) },
            page.call { lists.render('[{{> nowhere}}]') },
            page.call { inline.render("{{#a}}\n {{> line}}\n{{/a}}", a: { item: 1, note: 2 }) },
            page.call { strict.render('[{{> nowhere}}]') },
          ]
        end
        """,
    )
    texts(pages[:4], "  1\n  a\nb\n  2\n  \n", "123", "[]", " 1\n 2\n")
    equal(pages[4], {"error": "Errno::ENOENT"}, "page")
