"""Cases of jinja2-template-paths: templates go in, the paths that they read come out."""

from typing import Any

from harness import Runner, case, equal

SRC = ["/workspace/src"]

PATHS = """
from jinja2 import Environment, meta
env = Environment(extensions=['jinja2.ext.i18n', 'jinja2.ext.do'])
env.install_null_translations()
env.globals['company'] = {'name': 'x'}
out = []
for source, options in data:
    found = meta.find_undeclared_paths(env.parse(source), **options)
    assert isinstance(found, (set, frozenset)), type(found)
    out.append(sorted(found))
emit(out)
"""

VARIABLES = """
from jinja2 import Environment, meta
env = Environment(extensions=['jinja2.ext.i18n'])
env.globals['company'] = {'name': 'x'}
out = []
for source in data:
    try:
        out.append(sorted(meta.find_undeclared_variables(env.parse(source))))
    except Exception as error:
        out.append(type(error).__name__)
emit(out)
"""


def compare(run: Runner, options: dict[str, bool], wanted: dict[str, str]) -> None:
    """Each template and its paths, blanks between them."""
    found = run.python(PATHS, path=SRC, data=[[source, options] for source in wanted])
    for (source, paths), given in zip(wanted.items(), found, strict=True):
        equal(given, sorted(paths.split()), f"{source} {options or ''}")


def paths_are(run: Runner, wanted: dict[str, str]) -> None:
    compare(run, {}, wanted)


def required_are(run: Runner, wanted: dict[str, str]) -> None:
    compare(run, {"required": True}, wanted)


def variables_are(run: Runner, wanted: dict[str, Any]) -> None:
    """Each template and what find_undeclared_variables() says: names with blanks between them, or an error."""
    found = run.python(VARIABLES, path=SRC, data=list(wanted))
    for (source, names), given in zip(wanted.items(), found, strict=True):
        equal(given, names if names.endswith("Error") else sorted(names.split()), source)


# --- the instruction: fields ---------------------------------------------------------------------


@case(turn=0)
def fields_of_fields(run: Runner) -> None:
    paths_are(
        run,
        {
            "{{ order.customer.name }} {{ order['total'] }} {{ site }}": "order.customer.name order.total site",
            "{{ a.b['c'].d['e'] }}{{ a['b'].c }}": "a.b.c.d.e a.b.c",
            "no data at all {{ 1 + 2 }}": "",
        },
    )


@case(turn=0)
def only_the_way_or_used_itself(run: Runner) -> None:
    paths_are(
        run,
        {
            "{{ order.customer.name }}{{ order.customer.mail }}": "order.customer.name order.customer.mail",
            "{{ order.customer.name }}{% if order.customer %}x{% endif %}": "order.customer.name order.customer",
            "{{ order|tojson }}{{ order.customer.name|upper }}": "order order.customer.name",
        },
    )


@case(turn=0)
def everywhere_in_a_template(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% if mail.a == mail.b %}{{ -mail.c }}{% elif mail.d is sameas mail.e %}{{ 'x' ~ mail.f }}{% endif %}": (
                "mail.a mail.b mail.c mail.d mail.e mail.f"
            ),
            "{{ [mail.a, {'k': mail.b}] }}{{ mail.c|replace(mail.d, old.e) }}": "mail.a mail.b mail.c mail.d old.e",
            "{% filter replace(mail.a, '') %}{{ mail.b }}{% endfilter %}": "mail.a mail.b",
            "{% extends site.layout %}{% block x %}{{ mail.a }}{% include mail.part %}{% endblock %}": (
                "site.layout mail.a mail.part"
            ),
            "{{ helper(mail.a, key=mail.b) }}{% do mail.c|list %}": "helper mail.a mail.b mail.c",
            "{% trans who=mail.name %}Hello {{ who }}{% endtrans %}": "mail.name",
            "{% autoescape mail.escape %}{{ mail.a }}{% endautoescape %}": "mail.escape mail.a",
        },
    )


@case(turn=0)
def names_that_are_no_data(run: Runner) -> None:
    paths_are(
        run,
        {
            "{{ range(order.count) }}{{ company.name }}{{ dict(a=order.x) }}": "order.count order.x",
            "{% block title %}{{ super() }}{{ page.title }}{% endblock %}{{ self.title() }}": "page.title",
            "{% import 'forms' as forms %}{% from 'x' import row as line %}{{ forms.input(page.a) }}{{ line.y }}": (
                "page.a"
            ),
            "{% macro hr(width) %}{{ width }}{{ varargs }}{{ site.color }}{% endmacro %}{{ hr(3) }}": "site.color",
        },
    )


@case(turn=0)
def the_tree_can_still_be_used(run: Runner) -> None:
    found = run.python(
        """
from jinja2 import Environment, meta
env = Environment()
ast = env.parse(data)
first = sorted(meta.find_undeclared_paths(ast))
second = sorted(meta.find_undeclared_paths(ast))
emit([first, second, sorted(meta.find_undeclared_variables(ast)), env.from_string(ast).render(a={'b': 1, 'c': [2]})])
""",
        path=SRC,
        data="{% macro m() %}<{{ a.b }}>{% endmacro %}{{ m() }}{% for y in a.c %}-{% endfor %}{{ -a.b }}",
    )
    equal(found, [["a.b", "a.c"], ["a.b", "a.c"], ["a"], "<1>--1"])


# --- the first redirect: loops -------------------------------------------------------------------


@case(turn=1)
def items_of_a_loop(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% for line in order.lines %}{{ line.price }}{% endfor %}": "order.lines[].price",
            "{% for x in list %}{{ x.a.b }}{{ x['c'] }}{% endfor %}": "list[].a.b list[].c",
            "{% for tag in order.tags %}{{ tag }}, {% endfor %}": "order.tags[]",
        },
    )


@case(turn=1)
def loops_in_loops(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% for o in orders %}{{ o.id }}{% for l in o.lines %}{{ l.sku }}{{ o.date }}{% endfor %}{% endfor %}": (
                "orders[].id orders[].lines[].sku orders[].date"
            ),
            "{% for row in table %}{% for cell in row %}{{ cell.text }}{% endfor %}{% endfor %}": "table[][].text",
        },
    )


@case(turn=1)
def parts_of_a_loop(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% for l in order.lines if l.active %}{{ loop.index }} {{ l.sku }}{% else %}{{ shop.empty }}{% endfor %}": (
                "order.lines[].active order.lines[].sku shop.empty"
            ),
            "{% for order in order.parts %}{{ order.id }}{% endfor %}": "order.parts[].id",
            "{{ line.a }}{% for line in order.lines %}{{ line.b }}{% endfor %}{{ line.c }}": (
                "line.a line.c order.lines[].b"
            ),
        },
    )


@case(turn=1)
def lists_that_nobody_looks_into(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% for line in order.lines %}* {{ shop.name }}{% endfor %}": "order.lines shop.name",
            "{% for line in order.lines %}{{ loop.index }}/{{ loop.length }}{% endfor %}": "order.lines",
            "{{ order.lines|length }}{% for line in order.lines %}{{ line.sku }}{% endfor %}": (
                "order.lines order.lines[].sku"
            ),
        },
    )


@case(turn=1)
def sorted_and_cut_lists(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% for l in order.lines|sort(attribute='price') %}{{ l.price }}{% endfor %}": "order.lines[].price",
            "{% for l in order.lines[:3] %}{{ l.sku }}{% endfor %}": "order.lines[].sku",
            "{% for l in (order.lines|sort)[page.start:page.end] %}{{ l.sku }}{% endfor %}": (
                "order.lines[].sku page.start page.end"
            ),
        },
    )


# --- names: set and with -------------------------------------------------------------------------


@case(turn=2)
def names_by_set(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% set c = order.customer %}{{ c.name }}": "order.customer.name",
            "{% set c = order.customer %}{% set a = c.address %}{{ a.city }}{{ c.mail }}": (
                "order.customer.address.city order.customer.mail"
            ),
            "{% set c = order.customer %}{{ c }}": "order.customer",
            "{% set ls = order.lines %}{% for l in ls %}{% set p = l.product %}{{ p.sku }}{% endfor %}": (
                "order.lines[].product.sku"
            ),
            "{% set a, b = order.from, order.to %}{{ a.city }}{{ b.zip }}": "order.from.city order.to.zip",
        },
    )


@case(turn=2)
def names_by_with(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% with c = order.customer, s = shop %}{{ c.name }}{{ s.name }}{% endwith %}": (
                "order.customer.name shop.name"
            ),
            "{% with c = order.customer %}{{ c.name }}{% endwith %}{{ c.name }}": "order.customer.name c.name",
            "{% with order = order.parent %}{% with p = order.parent %}{{ p.id }}{% endwith %}{% endwith %}": (
                "order.parent.parent.id"
            ),
        },
    )


@case(turn=2)
def names_have_their_place(run: Runner) -> None:
    paths_are(
        run,
        {
            "{{ c.name }}{% set c = order.customer %}{{ c.mail }}": "c.name order.customer.mail",
            "{% set c = order.customer %}{{ c.a }}{% set c = order.payer %}{{ c.b }}": "order.customer.a order.payer.b",
            "{% set order = order.main %}{{ order.id }}": "order.main.id",
            "{% set c = order.customer %}{% for l in order.lines %}{% set c = l.seller %}{{ c.id }}{% endfor %}{{ c.name }}": (
                "order.lines[].seller.id order.customer.name"
            ),
        },
    )


@case(turn=2)
def names_for_something_made_here(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% set c = order.customer %}{{ c.mail }}{% set c = 'nobody' %}{{ c.name }}": "order.customer.mail",
            "{% set s = order.net + order.tax %}{{ s.real }}{% set c = order.customer %}{{ c.name }}": (
                "order.net order.tax order.customer.name"
            ),
            "{% set c = order.customer %}{% set t %}{{ c.name }}{% endset %}{{ t.x }}": "order.customer.name",
        },
    )


@case(turn=2)
def set_in_both_branches(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% if gift %}{% set c = order.recipient %}{% else %}{% set c = order.customer %}{% endif %}{{ c.name }}": (
                "gift order.recipient.name order.customer.name"
            ),
            "{% if x == 1 %}{% set c = a %}{% elif x == 2 %}{% set c = b.p %}{% else %}{% set c = d %}{% endif %}{{ c.n }}": (
                "x a.n b.p.n d.n"
            ),
            "{% if x %}{% if y %}{% set c = a %}{% else %}{% set c = b %}{% endif %}{% else %}{% set c = d %}{% endif %}"
            "{% for i in c.list %}{{ i.z }}{% endfor %}": "x y a.list[].z b.list[].z d.list[].z",
        },
    )


@case(turn=2)
def set_in_one_branch(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% set c = order.customer %}{% if gift %}{% set c = order.recipient %}{% endif %}{{ c.name }}": (
                "gift order.customer.name order.recipient.name"
            ),
            "{% if gift %}{% set c = order.recipient %}{{ c.mail }}{% endif %}{{ c.name }}": (
                "gift order.recipient.mail order.recipient.name c.name"
            ),
            "{% for l in lines %}{% set p = l.old %}{% if l.new %}{% set p = l.new %}{{ p.x }}{% endif %}{{ p.y }}{% endfor %}": (
                "lines[].new lines[].new.x lines[].new.y lines[].old.y"
            ),
        },
    )


@case(turn=2)
def either_one_in_an_expression(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% set c = order.recipient if order.gift else order.customer %}{{ c.name }}": (
                "order.gift order.recipient.name order.customer.name"
            ),
            "{% with c = a.x if f else b.y if g else d %}{{ c.n }}{% endwith %}": "f g a.x.n b.y.n d.n",
        },
    )


# --- macros --------------------------------------------------------------------------------------

ROW = "{% macro row(item, unit) %}{{ item.sku }} {{ unit.name }}{% endmacro %}"


@case(turn=4)
def arguments_of_macros(run: Runner) -> None:
    paths_are(
        run,
        {
            ROW + "{{ row(order.first, shop.unit) }}": "order.first.sku shop.unit.name",
            ROW + "{% for line in order.lines %}{{ row(item=line, unit=line.unit) }}{% endfor %}": (
                "order.lines[].sku order.lines[].unit.name"
            ),
            ROW + "{% set f = order.first %}{{ row(f) }}{{ row(unit=f, item=order.last) }}": (
                "order.first.sku order.last.sku order.first.name"
            ),
        },
    )


@case(turn=4)
def arguments_that_were_left_out(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% macro m(a, cur=shop.currency) %}{{ a.x }}{{ cur.symbol }}{% endmacro %}{{ m(order) }}": (
                "order.x shop.currency.symbol"
            ),
            "{% macro m(a, b=none) %}{{ a.x }}{{ b.y }}{% endmacro %}{{ m(order.p) }}": "order.p.x",
        },
    )


@case(turn=4)
def macros_have_their_own_names(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% macro m(order) %}{{ order.sku }}{{ site.name }}{% endmacro %}{{ m(cart.first) }}{{ order.id }}": (
                "cart.first.sku site.name order.id"
            ),
            "{% macro m(x) %}{% set c = x.owner %}{{ c.name }}{% endmacro %}{{ m(order) }}{{ c.name }}": (
                "order.owner.name c.name"
            ),
            "{% macro m(x) %}{% for l in x.lines %}{{ l.sku }}{% endfor %}{% endmacro %}{{ m(a) }}{{ m(b) }}": (
                "a.lines[].sku b.lines[].sku"
            ),
        },
    )


@case(turn=4)
def macros_in_macros(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% macro price(p) %}{{ p.net }}{% endmacro %}{% macro row(i) %}{{ i.sku }}{{ price(i.price) }}{% endmacro %}"
            "{% for l in order.lines %}{{ row(l) }}{% endfor %}{{ price(order.total) }}": (
                "order.lines[].sku order.lines[].price.net order.total.net"
            ),
            "{% macro outer(x) %}{{ inner(x.a) }}{% endmacro %}{% macro inner(y) %}{{ y.b }}{% endmacro %}{{ outer(t) }}": (
                "t.a.b"
            ),
        },
    )


@case(turn=4)
def macros_that_call_themselves(run: Runner) -> None:
    tree = "{% macro tree(n) %}{{ n.title }}{% for c in n.children %}{{ tree(c) }}{% endfor %}{% endmacro %}"
    [found] = run.python(PATHS, path=SRC, data=[[tree + "{{ tree(menu.root) }}", {}]])
    assert "menu.root.title" in found, found
    assert all(path.startswith("menu.root.") for path in found), found
    assert any(path.startswith("menu.root.children") for path in found), found


@case(turn=4)
def macros_in_call_blocks(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% macro box(x) %}<h1>{{ x.title }}</h1>{{ caller() }}{% endmacro %}"
            "{% set p = mail.part %}{% call box(p.head) %}{{ p.text }}{{ order.note }}{% endcall %}": (
                "mail.part.head.title mail.part.text order.note"
            ),
        },
    )


@case(turn=4)
def what_the_caller_is_given(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% macro m(item) %}{{ caller(item.part) }}{% endmacro %}"
            "{% call(x) m(order.first) %}{{ x.name }}{{ order.note }}{% endcall %}{{ x.name }}": (
                "order.first.part.name order.note x.name"
            ),
        },
    )


@case(turn=4)
def callers_in_loops(run: Runner) -> None:
    paths_are(
        run,
        {
            "{% macro each(list) %}{% for i in list %}{{ caller(i) }}{% endfor %}{% endmacro %}"
            "{% call(line) each(order.lines) %}{{ line.sku }}{% endcall %}"
            "{% call(fee) each(order.fees) %}{{ fee.name }}{% endcall %}": "order.lines[].sku order.fees[].name",
            "{% macro each(list) %}{% for i in list %}{{ caller(i, i.price) }}{% endfor %}{% endmacro %}"
            "{% call(line, price) each(order.lines) %}{{ line.sku }}{{ price.net }}{% endcall %}": (
                "order.lines[].sku order.lines[].price.net"
            ),
        },
    )


# --- required ------------------------------------------------------------------------------------


@case(turn=6)
def used_with_a_default(run: Runner) -> None:
    required_are(
        run,
        {
            "{{ order.note|default('-') }}{{ order.id }}": "order.id",
            "{{ order.note|d(shop.note)|upper }}": "shop.note",
            "{% for l in lines %}{{ l.sku }}{{ l.discount|default(0, true) }}{% endfor %}": "lines[].sku",
        },
    )


@case(turn=6)
def used_with_and_without_a_default(run: Runner) -> None:
    required_are(
        run,
        {
            "{{ order.note|default('-') }}{{ order.note|upper }}{{ order.memo|d('') }}": "order.note",
            "{% macro m(x) %}{{ x.a|default(1) }}{{ x.b }}{% endmacro %}{{ m(order) }}": "order.b",
        },
    )


@case(turn=6)
def behind_a_check(run: Runner) -> None:
    required_are(
        run,
        {
            "{% if order.note is defined %}{{ order.note.text }}{{ order.id }}{% endif %}": "order.id",
            "{% if order.note is not defined %}-{% else %}{{ order.note }}{% endif %}{{ site }}": "site",
            "{% if order.note is undefined %}{{ shop.note }}{% elif shop.x %}{{ order.note.text }}{% endif %}": (
                "shop.note shop.x"
            ),
        },
    )


@case(turn=6)
def checked_within_an_expression(run: Runner) -> None:
    required_are(
        run,
        {
            "{{ order.note.text if order.note is defined else shop.note }}": "shop.note",
            "{% if order.note is defined and order.note.text == x %}{{ order.note.by }}{% endif %}": "x",
            "{% if not (a is defined and b is defined) %}-{% else %}{{ a.x }}{{ b.y }}{{ c }}{% endif %}": "c",
            "{{ order.note is undefined or order.note.open }}{{ z }}": "z",
        },
    )


@case(turn=6)
def checked_elsewhere_or_otherwise(run: Runner) -> None:
    required_are(
        run,
        {
            "{% if order.note is defined %}{{ order.note.a }}{% endif %}{{ order.note.b }}": "order.note.b",
            "{% if order.note is defined %}{{ order.note.a }}{% else %}{{ order.memo.b }}{% endif %}{{ order.memo.c }}": (
                "order.memo.b order.memo.c"
            ),
            "{% if a is defined or b %}{{ a.x }}{% endif %}{% if c is defined %}{{ c }}{% endif %}": "b a.x",
            "{% if order.no is defined %}{{ order.note }}{{ order.no }}{% endif %}": "order.note",
            "{% if order.note %}{{ order.note.text }}{% endif %}{% if o is defined %}{{ o.p }}{% endif %}": (
                "order.note order.note.text"
            ),
        },
    )


@case(turn=6)
def checks_of_items_and_names(run: Runner) -> None:
    required_are(
        run,
        {
            "{% for l in lines if l.price is defined %}{{ l.price.net }}{{ l.sku }}{% endfor %}": "lines[].sku",
            "{% set n = order.note %}{% if n is defined %}{{ n.text }}{% endif %}{{ order.id }}": "order.id",
            "{% macro m(x) %}{{ x.text }}{% endmacro %}{% if order.note is defined %}{{ m(order.note) }}{% endif %}": "",
        },
    )


@case(turn=6)
def number_indexes(run: Runner) -> None:
    paths_are(
        run,
        {
            "{{ order.lines[0].sku }}{{ order.lines[1].price }}": "order.lines[].sku order.lines[].price",
            "{{ order.lines[-1].sku }}{{ table[2][3] }}": "order.lines[].sku table[][]",
        },
    )


@case(turn=6)
def number_indexes_and_loops(run: Runner) -> None:
    paths_are(
        run,
        {
            "{{ order.lines[0].sku }}{% for l in order.lines %}{{ l.sku }}{% endfor %}": "order.lines[].sku",
            "{% set first = order.lines[0] %}{{ first.sku }}{% for t in order.lines[0].tags %}{{ t }}{% endfor %}": (
                "order.lines[].sku order.lines[].tags[]"
            ),
        },
    )


# --- what was there before -----------------------------------------------------------------------


@case(turn=0, kind="p2p")
def variables_of_a_template_with_mistakes(run: Runner) -> None:
    variables_are(
        run,
        {
            "{{ order.note|no_such_filter }}": "TemplateAssertionError",
            "{{ order.note is no_such_test }}": "TemplateAssertionError",
        },
    )


@case(turn=0, kind="p2p")
def variables_in_blocks(run: Runner) -> None:
    variables_are(
        run,
        {
            "{% set c = order.customer %}{% block x %}{{ c.name }}{% endblock %}": "order c",
            "{% for l in lines %}{% block x %}{{ l.name }}{{ c }}{% endblock %}{% endfor %}{% set c = 1 %}": "lines l c",
        },
    )


@case(turn=0, kind="p2p")
def variables_as_documented(run: Runner) -> None:
    variables_are(
        run,
        {
            "{% set foo = 42 %}{{ bar + foo }}": "bar",
            "{{ order.lines[0].sku }}{{ order[key] }}{{ range(n) }}{{ company.x }}": "order key n",
            "{% for l in order.lines %}{{ l.sku }}{% endfor %}{{ l }}": "order l",
            "{% if x %}{% set c = 1 %}{% endif %}{{ c }}": "x c",
            "{% macro m(a, b=site) %}{{ a }}{{ b }}{{ z }}{% endmacro %}{{ m(y) }}": "site z y",
        },
    )


@case(turn=0, kind="p2p")
def referenced_templates(run: Runner) -> None:
    found = run.python(
        "from jinja2 import Environment, meta\n"
        "emit([list(meta.find_referenced_templates(Environment().parse(s))) for s in data])",
        path=SRC,
        data=[
            '{% extends "layout.html" %}{% include helper %}{% import "a" as a %}{% from "b" import c %}',
            '{% include ["x", "y"] %}{% include order.part %}{% include ["z", order.part] %}',
        ],
    )
    equal(found, [["layout.html", None, "a", "b"], ["x", "y", None, "z", None]])


@case(turn=0, kind="p2p")
def templates_render_as_before(run: Runner) -> None:
    found = run.python(
        """
from jinja2 import Environment, StrictUndefined
env = Environment(undefined=StrictUndefined)
order = {'lines': [{'sku': 'a', 'n': 2}, {'sku': 'b', 'n': 1}], 'customer': {'name': 'Eve'}}
out = []
for source in data:
    try:
        out.append(env.from_string(source).render(order=order))
    except Exception as error:
        out.append(type(error).__name__)
emit(out)
""",
        path=SRC,
        data=[
            "{% macro row(i) %}{{ i.sku }}{% if caller is defined %}{{ caller(i) }}{% endif %}{% endmacro %}{{ row(order.lines[-1]) }}"
            "{% call(x) row(order.lines[0]) %}:{{ x.n }}{% endcall %}",
            "{% for l in order.lines[:1]|sort(attribute='n') %}{% set c = l.sku %}{{ c }}{% endfor %}",
            "{% if order.note is defined %}x{% else %}{{ order.note|default('-') }}{% endif %}",
            "{% if order.lines %}{% set c = order.customer %}{% endif %}{{ c['name'] }}",
            "{{ order.note.text }}",
        ],
    )
    equal(found, ["ba:2", "a", "-", "Eve", "UndefinedError"])
