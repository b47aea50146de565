"""Cases of tabulate-groups: `groupby` and `totals` of tabulate(), seen through its output alone."""

from typing import Any

from harness import Runner, case, equal

SALES = [
    ["North", "ann", 4, 12.5],
    ["North", "bob", 6, 3.25],
    ["South", "cid", 5, 8],
    ["East", "dee", 1, 0.5],
    ["East", "eve", 2, 100],
]
HEADERS = ["region", "who", "qty", "amount"]


def draw_all(run: Runner, *jobs: tuple[Any, dict[str, Any]]) -> list[str]:
    """What tabulate() returns for each of some pairs of rows and options."""
    code = "from tabulate import tabulate\nemit([str(tabulate(rows, **options)) for rows, options in data])"
    texts = run.python(code, data=jobs)
    assert len(texts) == len(jobs) and all(isinstance(text, str) for text in texts), f"no texts: {texts!r}"
    return [str(text) for text in texts]


def draw(run: Runner, rows: Any, **options: Any) -> str:
    """What tabulate() returns."""
    return draw_all(run, (rows, options))[0]


def body(text: str, *, headers: bool = True) -> list[list[str] | str]:
    """The rows of a `psql` table below its header as stripped cells; a line between them is `"line"`."""
    found = ["line" if line.startswith("|--") else cells(line) for line in text.split("\n")[1:-1]]
    return found[2:] if headers else found


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def normal(rows: list[list[str] | str], label: int = 0) -> list[list[str] | str]:
    """The rows that hold no sums."""
    return [row for row in rows if row != "line" and not row[label].endswith("total")]


def of_groups(rows: list[list[str] | str], label: int = 0) -> list[list[str] | str]:
    """The rows with the sums of groups."""
    return [row for row in rows if row != "line" and row[label].endswith(" total")]


def lines(*text: str) -> str:
    return "\n".join(text)


# --- 0: lines between groups -------------------------------------------------------------------------------------


@case(turn=0)
def line_in_outline_formats(run: Runner) -> None:
    equal(
        draw(run, SALES, headers=HEADERS, tablefmt="psql", groupby="region"),
        lines(
            "+----------+-------+-------+----------+",
            "| region   | who   |   qty |   amount |",
            "|----------+-------+-------+----------|",
            "| North    | ann   |     4 |    12.5  |",
            "| North    | bob   |     6 |     3.25 |",
            "|----------+-------+-------+----------|",
            "| South    | cid   |     5 |     8    |",
            "|----------+-------+-------+----------|",
            "| East     | dee   |     1 |     0.5  |",
            "| East     | eve   |     2 |   100    |",
            "+----------+-------+-------+----------+",
        ),
        "psql",
    )
    wanted = {
        "simple": "k      n;---  ---;a      1;---  ---;b      2",
        "orgtbl": "| k   |   n |;|-----+-----|;| a   |   1 |;|-----+-----|;| b   |   2 |",
        "presto": " k   |   n;-----+-----; a   |   1;-----+-----; b   |   2",
        "pretty": "+---+---+;| k | n |;+---+---+;| a | 1 |;+---+---+;| b | 2 |;+---+---+",
        "fancy_outline": "╒═════╤═════╕;│ k   │   n │;╞═════╪═════╡;│ a   │   1 │;╞═════╪═════╡;│ b   │   2 │;"
        "╘═════╧═════╛",
    }
    jobs = [([["a", 1], ["b", 2]], {"headers": ["k", "n"], "tablefmt": name, "groupby": "k"}) for name in wanted]
    for name, found in zip(wanted, draw_all(run, *jobs), strict=True):
        equal(found.split("\n"), wanted[name].split(";"), name)


@case(turn=0)
def heavier_line_takes_the_place_of_the_lighter(run: Runner) -> None:
    rows = [["a", 1], ["a", 2], ["b", 3]]
    shared = {"headers": ["k", "n"], "groupby": "k"}
    grid, fancy, wiki = draw_all(run, *[(rows, {**shared, "tablefmt": f}) for f in ("grid", "fancy_grid", "mediawiki")])
    equal(
        grid.split("\n"),
        [
            "+-----+-----+", "| k   |   n |", "+=====+=====+", "| a   |   1 |", "+-----+-----+", "| a   |   2 |",
            "+=====+=====+", "| b   |   3 |", "+-----+-----+",
        ],
        "grid",
    )  # fmt: skip
    equal(
        [fancy.split("\n")[4:7], fancy.count("\n")],
        [["├─────┼─────┤", "│ a   │   2 │", "╞═════╪═════╡"], 8],
        "lines of fancy_grid",
    )
    equal(wiki, draw(run, rows, headers=["k", "n"], tablefmt="mediawiki"), "mediawiki")


@case(turn=0)
def column_by_number_without_headers(run: Runner) -> None:
    rows = [["x", 2021], ["y", 2021], ["y", 2022]]
    wanted = lines("-  ----", "x  2021", "y  2021", "-  ----", "y  2022", "-  ----")
    equal(draw(run, rows, groupby=1), wanted, "by number")
    found = draw(run, [["x", 1], ["y", 1], ["y", 2]], headers=["1", "n"], groupby=1)
    equal(found, lines("1      n", "---  ---", "x      1", "y      1", "---  ---", "y      2"), "number, not name")


@case(turn=0)
def headers_from_the_data(run: Runner) -> None:
    wanted = lines("k      n", "---  ---", "a      1", "a      2", "---  ---", "b      3")
    table = [["k", "n"], ["a", 1], ["a", 2], ["b", 3]]
    equal(draw(run, table, headers="firstrow", groupby="k"), wanted, "firstrow")
    records = [{"k": "a", "n": 1}, {"k": "a", "n": 2}, {"k": "b", "n": 3}]
    equal(draw(run, records, headers="keys", groupby="k"), wanted, "list of dicts")
    equal(draw(run, {"k": ["a", "a", "b"], "n": [1, 2, 3]}, headers="keys", groupby="k"), wanted, "dict of columns")
    code = (
        "from collections import namedtuple\nfrom tabulate import tabulate\nRow = namedtuple('Row', 'k n')\n"
        "emit(tabulate((Row(*r) for r in data), headers='keys', groupby='k'))"
    )
    equal(run.python(code, data=table[1:]), wanted, "named tuples")


@case(turn=0)
def formats_without_such_a_line_stay(run: Runner) -> None:
    names = ("plain", "tsv", "jira", "youtrack", "moinmoin", "textile", "html", "unsafehtml")
    jobs = [(SALES, {"headers": HEADERS, "tablefmt": name}) for name in names]
    grouped = draw_all(run, *[(rows, {**options, "groupby": "region"}) for rows, options in jobs])
    for name, before, after in zip(names, draw_all(run, *jobs), grouped, strict=True):
        equal(after, before, name)
    code = "from tabulate import tabulate\nemit(tabulate(data, tablefmt='html', groupby=0)._repr_html_()[:7])"
    equal(run.python(code, data=SALES), "<table>", "html for notebooks")


@case(turn=0)
def latex_rules(run: Runner) -> None:
    wanted = {
        "latex": ("\\hline", "\\hline", "\\hline"),
        "latex_raw": ("\\hline", "\\hline", "\\hline"),
        "latex_booktabs": ("\\toprule", "\\midrule", "\\bottomrule"),
    }
    jobs = [([["a", 1], ["b", 2]], {"headers": ["k", "n"], "tablefmt": name, "groupby": "k"}) for name in wanted]
    for (name, (top, rule, bottom)), found in zip(wanted.items(), draw_all(run, *jobs), strict=True):
        equal(
            found.split("\n"),
            [
                "\\begin{tabular}{lr}", top, " k   &   n \\\\", rule, " a   &   1 \\\\", rule, " b   &   2 \\\\",
                bottom, "\\end{tabular}",
            ],
            name,
        )  # fmt: skip


@case(turn=0)
def unknown_column_is_a_value_error(run: Runner) -> None:
    code = (
        "from tabulate import tabulate\n"
        "def kind(rows, **options):\n"
        "    try:\n"
        "        tabulate(rows, **options)\n"
        "        return 'no error'\n"
        "    except Exception as error:\n"
        "        return type(error).__name__\n"
        "rows, headers = data\n"
        "emit([kind(rows, headers=headers, groupby='Region'), kind(rows, headers=headers, groupby=4),\n"
        "      kind(rows, groupby='region'),\n"
        "      kind([dict(zip(headers, r)) for r in rows], headers='keys', groupby='x'),\n"
        "      kind(rows, headers=headers, groupby='who')])"
    )
    equal(run.python(code, data=[SALES, HEADERS]), ["ValueError"] * 4 + ["no error"], "errors")


@case(turn=0)
def cells_of_several_lines(run: Runner) -> None:
    rows = [["a", "one\ntwo"], ["b", "three"]]
    equal(
        draw(run, rows, headers=["k", "note"], tablefmt="psql", groupby="k"),
        lines(
            "+-----+--------+", "| k   | note   |", "|-----+--------|", "| a   | one    |", "|     | two    |",
            "|-----+--------|", "| b   | three  |", "+-----+--------+",
        ),
        "psql",
    )  # fmt: skip
    empty = draw(run, [], headers=["k", "note"], tablefmt="psql")
    equal(draw(run, [], headers=["k", "note"], tablefmt="psql", groupby="k"), empty, "a table without rows")


# --- 1: sums of groups -------------------------------------------------------------------------------------------


@case(turn=1)
def sums_end_their_groups(run: Runner) -> None:
    rows = body(draw(run, SALES, headers=HEADERS, tablefmt="psql", groupby="region", totals=["qty", "amount"]))
    equal(
        rows[:10],
        [
            ["North", "ann", "4", "12.5"],
            ["North", "bob", "6", "3.25"],
            ["North total", "", "10", "15.75"],
            "line",
            ["South", "cid", "5", "8"],
            ["South total", "", "5", "8"],
            "line",
            ["East", "dee", "1", "0.5"],
            ["East", "eve", "2", "100"],
            ["East total", "", "3", "100.5"],
        ],
        "rows",
    )


@case(turn=1)
def columns_by_number(run: Runner) -> None:
    swapped = [[row[2], row[1], row[0], row[3]] for row in SALES]
    text, named = draw_all(
        run,
        (swapped, {"tablefmt": "psql", "groupby": 2, "totals": [0, 3]}),
        (
            [dict(zip(HEADERS, row, strict=True)) for row in SALES],
            {"headers": "keys", "tablefmt": "psql", "groupby": "region", "totals": ["amount"]},
        ),
    )
    equal(
        of_groups(body(text, headers=False), 2),
        [["10", "", "North total", "15.75"], ["5", "", "South total", "8"], ["3", "", "East total", "100.5"]],
        "sums",
    )
    equal([row[2:] for row in of_groups(body(named))], [["", "15.75"], ["", "8"], ["", "100.5"]], "only amount")


@case(turn=1)
def other_cells_hold_nothing(run: Runner) -> None:
    rows = [["North", "ann", 4, None], ["North", None, 6, 1], ["South", "cid", 5, 2], ["South", "cid", 5]]
    options = {"headers": HEADERS, "tablefmt": "psql", "groupby": "region", "totals": ["qty"], "missingval": "?"}
    text, indexed = draw_all(run, (rows, options), (rows, {**options, "showindex": "always"}))
    equal(of_groups(body(text)), [["North total", "", "10", ""], ["South total", "", "10", ""]], "sums")
    equal(normal(body(text))[:2], [["North", "ann", "4", "?"], ["North", "?", "6", "1"]], "normal rows")
    equal(
        of_groups(body(indexed), 1),
        [["", "North total", "", "10", ""], ["", "South total", "", "10", ""]],
        "beside an index",
    )


@case(turn=1)
def what_is_no_number_does_not_count(run: Runner) -> None:
    rows = [["a", 10, "7"], ["a", "n/a", " "], ["a", 5, None], ["b", "", "2.5"], ["b", 4, "\x1b[31m-4\x1b[0m"]]
    found = of_groups(body(draw(run, rows, tablefmt="psql", groupby=0, totals=[1, 2]), headers=False))
    plain = [[cell.replace("\x1b[31m", "").replace("\x1b[0m", "") for cell in row] for row in found]
    equal(plain, [["a total", "15", "7"], ["b total", "4", "-1.5"]], "sums")


@case(turn=1)
def numbers_keep_their_kind(run: Runner) -> None:
    rows = [["a", "700000", 1.5], ["a", "800001", 2], ["b", "1", 0.125]]
    text, pretty = draw_all(
        run,
        (rows, {"tablefmt": "psql", "groupby": 0, "totals": [1, 2], "floatfmt": ".2f"}),
        ([*rows[:2], ["b", "1", 4]], {"tablefmt": "pretty", "groupby": 0, "totals": [2]}),
    )
    equal(
        of_groups(body(text, headers=False)),
        [["a total", "1500001", "3.50"], ["b total", "1", "0.12"]],
        "int and float",
    )
    code = (
        "from decimal import Decimal\nfrom tabulate import tabulate\n"
        "rows = [['a', Decimal('0.10')], ['a', Decimal('0.20')], ['b', 3]]\n"
        "emit(tabulate(rows, tablefmt='psql', groupby=0, totals=[1], floatfmt='.3f'))"
    )
    equal([row[1] for row in of_groups(body(run.python(code), headers=False))], ["0.300", "3.000"], "Decimal")
    found = of_groups([cells(line) for line in pretty.split("\n")])
    equal(found, [["a total", "", "3.5"], ["b total", "", "4"]], "pretty")


@case(turn=1)
def longest_lines_hold(run: Runner) -> None:
    rows = [["Northeast", "a rather long remark", 4], ["Northeast", "short", 5], ["South", "x", 1]]
    options = {"headers": ["region", "note", "qty"], "tablefmt": "psql", "groupby": "region", "totals": ["qty"]}
    text = draw(run, rows, **options, maxcolwidths=[9, 8, None])
    found = [cells(line) for line in text.split("\n") if line.startswith("| ")]
    assert all(len(row[0]) <= 9 and len(row[1]) <= 8 for row in found), f"wider than asked for:\n{text}"
    assert ["", "", "9"] in found or ["Northeast", "", "9"] in found, f"no sum below 9 and 8 characters:\n{text}"


# --- 2: formats that can't have a line inside ----------------------------------------------------------------------


@case(turn=2)
def markdown_has_one_line(run: Runner) -> None:
    several = [["a", "x\ny"], ["b", "z"]]
    for name in ("github", "pipe"):
        sales = {"headers": HEADERS, "tablefmt": name}
        before, after, sums, plain, grouped = draw_all(
            run,
            (SALES, sales),
            (SALES, {**sales, "groupby": "region"}),
            (SALES, {**sales, "groupby": "region", "totals": ["qty"]}),
            (several, {"headers": ["k", "v"], "tablefmt": name}),
            (several, {"headers": ["k", "v"], "tablefmt": name, "groupby": "k"}),
        )
        equal(after, before, name)
        equal(grouped, plain, f"{name} with cells of several lines")
        equal([i for i, line in enumerate(sums.split("\n")) if "---" in line], [1], f"lines of {name}")
        found = of_groups([cells(line) for line in sums.split("\n")])
        equal([row[2] for row in found], ["10", "5", "3"], f"sums in {name}")


@case(turn=2)
def restructured_text_has_three_lines(run: Runner) -> None:
    equal(
        draw(run, [["a", 1], ["a", 2], ["b", 3]], headers=["k", "n"], tablefmt="rst", groupby="k"),
        lines("===  ===", "k      n", "===  ===", "a      1", "a      2", "b      3", "===  ==="),
        "rst",
    )
    text = draw(run, SALES, headers=HEADERS, tablefmt="rst", groupby="region", totals=["qty"]).split("\n")
    equal([i for i, line in enumerate(text) if "==" in line], [0, 2, len(text) - 1], "lines of rst with sums")


@case(turn=2)
def longtable_ends_its_head_once(run: Runner) -> None:
    equal(
        draw(run, [["a", 1], ["b", 2]], headers=["k", "n"], tablefmt="latex_longtable", groupby="k").split("\n"),
        [
            "\\begin{longtable}{lr}", "\\hline", " k   &   n \\\\", "\\hline", "\\endhead", " a   &   1 \\\\",
            "\\hline", " b   &   2 \\\\", "\\hline", "\\end{longtable}",
        ],
        "latex_longtable",
    )  # fmt: skip


# --- 4: rows of a group are collected ------------------------------------------------------------------------------

MIXED = [["N", "d", 4], ["S", "a", 1], ["N", "c", 2], ["E", "x", 7], ["S", "b", 5], ["N", "a", 1]]


@case(turn=4)
def groups_are_collected_in_order(run: Runner) -> None:
    code = (
        "from tabulate import tabulate\nrows = [list(r) for r in data]\n"
        "text = tabulate(rows, headers=['k', 'v', 'n'], tablefmt='psql', groupby='k', totals=['n'])\n"
        "emit([text, rows == data])"
    )
    text, untouched = run.python(code, data=MIXED)
    rows = [row for row in body(text) if row != "line"]
    wanted = [["N", "d", "4"], ["N", "c", "2"], ["N", "a", "1"], ["N total", "", "7"], ["S", "a", "1"], ["S", "b", "5"]]
    equal(rows[:9], [*wanted, ["S total", "", "6"], ["E", "x", "7"], ["E total", "", "7"]], "rows")
    equal(untouched, True, "the caller's list is as before")
    mixed = [[None, 1], ["", 2], [3, 1], [None, 4], ["x", 1], [3, 2]]
    found = body(draw(run, mixed, headers=["k", "n"], tablefmt="psql", groupby="k", missingval="-"))
    equal(found, [["-", "1"], ["-", "4"], "line", ["", "2"], "line", ["3", "1"], ["3", "2"], "line", ["x", "1"]],
          "values of several types")  # fmt: skip


@case(turn=4)
def rows_keep_their_numbers(run: Runner) -> None:
    options = {"headers": ["k", "v", "n"], "tablefmt": "psql", "groupby": "k", "totals": ["n"]}
    always, own = draw_all(
        run,
        (MIXED, {**options, "showindex": "always"}),
        (MIXED, {**options, "showindex": ["p", "q", "r", "s", "t", "u"]}),
    )
    equal([row[0] for row in normal(body(always), 1)], ["0", "2", "5", "1", "4", "3"], "always")
    found = [row[0] + row[2] for row in normal(body(own), 1)]
    equal(found, ["pd", "rc", "ua", "qa", "tb", "sx"], "the caller's own index")


@case(turn=4)
def numbers_of_columns_skip_the_index(run: Runner) -> None:
    options = {"tablefmt": "psql", "groupby": 0, "totals": [2], "showindex": True}
    for headers in ([], ["k", "v", "n"]):
        found = body(draw(run, MIXED, headers=headers, **options), headers=bool(headers))
        equal(
            [row[:4] for row in found if row != "line"][:4],
            [["0", "N", "d", "4"], ["2", "N", "c", "2"], ["5", "N", "a", "1"], ["", "N total", "", "7"]],
            f"headers {headers}",
        )


# --- 5: the sum of everything --------------------------------------------------------------------------------------


@case(turn=5)
def last_row_sums_everything(run: Runner) -> None:
    short = {"headers": ["k", "n"], "groupby": "k", "totals": ["n"]}
    text, grid = draw_all(
        run,
        (SALES, {"headers": HEADERS, "tablefmt": "psql", "groupby": "region", "totals": ["qty", "amount"]}),
        ([["a", 1], ["b", 2]], {**short, "tablefmt": "grid"}),
    )
    equal(
        body(text)[9:],
        [["East total", "", "3", "100.5"], "line", ["total", "", "18", "124.25"]],
        "end of the table",
    )
    above, last, _ = grid.split("\n")[-3:]
    equal([set(above), cells(last)] == [{"+", "="}, ["total", "3"]], True, f"end of\n{grid}\n")


@case(turn=5)
def sum_is_of_the_numbers_themselves(run: Runner) -> None:
    rows = [["a", 0.4, 1], ["a", 1, 2], ["b", 0.4, 3], ["c", 0.4, 4]]
    found = body(draw(run, rows, headers=["k", "x", "n"], tablefmt="psql", groupby="k", totals=["x"], floatfmt=".0f",
                      missingval="?", showindex="always"))  # fmt: skip
    equal(found[-1], ["", "total", "2", ""], "2.2 without decimals")


@case(turn=5)
def single_group_has_one_sum(run: Runner) -> None:
    rows = [["a", 1], ["a", 2]]
    options = {"headers": ["k", "n"], "tablefmt": "psql", "groupby": "k", "totals": ["n"]}
    one, two = draw_all(run, (rows, options), ([*rows, ["b", 5], ["b", 7]], options))
    equal(body(one), [["a", "1"], ["a", "2"], "line", ["total", "3"]], "one group")
    equal(body(two)[-3:], [["b total", "12"], "line", ["total", "15"]], "two groups")


@case(turn=5)
def totals_without_groups(run: Runner) -> None:
    options = {"headers": HEADERS, "tablefmt": "psql"}
    text, indexed = draw_all(
        run,
        (SALES, {**options, "totals": ["qty", 3]}),
        (SALES, {**options, "totals": ["qty"], "showindex": "always"}),
    )
    equal(body(text)[-3:], [["East", "eve", "2", "100"], "line", ["total", "", "18", "124.25"]], "one sum")
    equal(len(body(text)), 7, "rows")
    equal(body(indexed)[-1], ["", "total", "", "18", ""], "beside an index")


# --- 6: normal rows look as ever -------------------------------------------------------------------------------------


def look(text: str, label: int = 0) -> list[list[str]]:
    """The normal rows of a `psql` table: every cell with the side that it is flush with, and its digits."""
    found = []
    for line in text.split("\n"):
        if not line.startswith("| ") or cells(line)[label].endswith("total"):
            continue
        found.append([
            f"{'left' if cell[1] != ' ' else ''} {cell.strip()} {'right' if cell[-2:-1] != ' ' else ''}"
            for cell in line.strip("|").split("|")
        ])  # fmt: skip
    return found


def digits(text: str) -> list[list[str]]:
    return [list(row) for row in normal(body(text))]


@case(turn=6)
def years_stay_on_the_right(run: Runner) -> None:
    rows = [[2023, "a", 1], [2023, "b", 2], [2024, "c", 3]]
    options = {"headers": ["year", "what", "n"], "tablefmt": "psql", "groupby": "year"}
    found = look(draw(run, rows, **options, totals=["n"]))[1:]
    equal([row[0] for row in found], [" 2023 right", " 2023 right", " 2024 right"], "years")
    simple = draw(run, rows, headers=["year", "what", "n"], groupby=0, totals=[2]).split("\n")
    width = max(len(line.split("  ")[0]) for line in simple if "--" in line)
    years = [line[:width] for line in simple if line[:width].strip() in ("2023", "2024")]
    equal([width > 4, years], [True, [year.rjust(width) for year in ("2023", "2023", "2024")]], "simple")


@case(turn=6)
def digits_stay(run: Runner) -> None:
    rows = [[2.5, 10, 1.5, None], [2.5, 20, 2, 7], [3, 5, 3.25, 12345]]
    options = {"headers": ["rate", "what", "n", "code"], "tablefmt": "psql", "groupby": "rate", "missingval": "?"}
    for extra in ({"floatfmt": ".2f"}, {"floatfmt": (".3f", "", ".1f")}, {"numalign": "right", "stralign": "right"}):
        before, after = draw_all(run, (rows, {**options, **extra}), (rows, {**options, **extra, "totals": ["n"]}))
        equal(digits(after), digits(before), f"with {extra}")
        equal([row[2:] for row in of_groups(body(before))], [], "no sums asked for")
        assert len(of_groups(body(after))) == 2, f"no sums:\n{after}"
    found = digits(draw(run, rows, **options, floatfmt=".2f", totals=["n"]))
    equal([row[0] for row in found], ["2.50", "2.50", "3.00"], "rates")


@case(turn=6)
def group_of_numbers_beside_others(run: Runner) -> None:
    rows = [[1.5, "q", "7", 10], [1.5, "s", "9", 30], [12, "r", "8", 20]]
    options = {"headers": ["k", "word", "code", "n"], "tablefmt": "psql", "groupby": "k", "floatfmt": ".1f"}
    text = draw(run, rows, **options, totals=["n"])
    found = look(text)[1:]
    equal([row[3] for row in of_groups(body(text))], ["40", "20"], "sums")
    equal(
        [row[1:] for row in found],
        [
            ["left q ", " 7 right", " 10 right"],
            ["left s ", " 9 right", " 30 right"],
            ["left r ", " 8 right", " 20 right"],
        ],
        "other columns",
    )
    equal([row[0].split()[0] for row in found], ["1.5", "1.5", "12.0"], "groups")


# --- what was there before -------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def plain_tables_are_as_before(run: Runner) -> None:
    rows = [["spam", 41.9999, None], ["eggs", "451.0", True]]
    grid, simple, rst, pipe, empty = draw_all(
        run,
        (rows, {"headers": ["item", "qty", "ok"], "tablefmt": "grid"}),
        (rows, {"missingval": "?"}),
        ([["", 1], ["b", 2]], {"headers": ["k", "n"], "tablefmt": "rst"}),
        ([["a", 1]], {"headers": ["k", "n"], "tablefmt": "pipe", "showindex": [7]}),
        ([], {"headers": ["k"], "tablefmt": "psql"}),
    )
    equal(
        grid,
        lines(
            "+--------+----------+------+", "| item   |      qty | ok   |", "+========+==========+======+",
            "| spam   |  41.9999 |      |", "+--------+----------+------+", "| eggs   | 451      | True |",
            "+--------+----------+------+",
        ),
        "grid",
    )  # fmt: skip
    equal(
        simple,
        lines("----  --------  ----", "spam   41.9999  ?", "eggs  451       True", "----  --------  ----"),
        "simple",
    )
    equal(rst, lines("===  ===", "k      n", "===  ===", "..     1", "b      2", "===  ==="), "rst")
    equal(pipe, lines("|    | k   |   n |", "|---:|:----|----:|", "|  7 | a   |   1 |"), "pipe")
    equal(empty, lines("+-----+", "| k   |", "|-----|", "+-----+"), "empty")


@case(turn=0, kind="p2p")
def several_lines_and_widths_are_as_before(run: Runner) -> None:
    equal(
        draw(run, [["a b c d", 1], ["x\ny", 22]], headers=["k\nk", "n"], tablefmt="fancy_grid", maxcolwidths=[3, None]),
        lines(
            "╒═════╤═════╕", "│ k   │   n │", "│ k   │     │", "╞═════╪═════╡", "│ a b │   1 │", "│ c d │     │",
            "├─────┼─────┤", "│ x y │  22 │", "╘═════╧═════╛",
        ),
        "fancy_grid",
    )  # fmt: skip
    equal(draw(run, [["x\ny", "1"], ["z", "20"]], tablefmt="pretty"),
          lines("+---+----+", "| x | 1  |", "| y |    |", "| z | 20 |", "+---+----+"), "pretty")  # fmt: skip


@case(turn=0, kind="p2p")
def arguments_keep_their_places(run: Runner) -> None:
    code = (
        "from tabulate import tabulate\n"
        "emit(tabulate([['a', 1.5], ['b', None]], ['k', 'n'], 'psql', '.2f', 'left', 'right', '-', [8, 9], [0],"
        " ['right', 'left', 'center'], None))"
    )
    equal(
        run.python(code),
        lines(
            "+----+-----+------+", "|    | k   |  n   |", "|----+-----+------|", "|  8 | a   | 1.50 |",
            "|  9 | b   |  -   |", "+----+-----+------+",
        ),
        "positional arguments",
    )  # fmt: skip


@case(turn=0, kind="p2p")
def own_formats_of_eight_parts(run: Runner) -> None:
    code = (
        "from tabulate import tabulate, TableFormat, Line, DataRow, simple_separated_format\n"
        "own = TableFormat(Line('<', '-', '+', '>'), Line('<', '=', '+', '>'), None, Line('<', '_', '+', '>'),\n"
        "                  DataRow('[', '|', ']'), DataRow('(', '|', ')'), 1, ['lineabove'])\n"
        "named = TableFormat(lineabove=None, linebelowheader=lambda w, a: '~' * sum(w), linebetweenrows=None,\n"
        "                    linebelow=None, headerrow=DataRow('', ' ', ''), datarow=lambda c, w, a: '/'.join(c),\n"
        "                    padding=0, with_header_hide=None)\n"
        "rows = [['a', 1], ['b', 2]]\n"
        "emit([tabulate(rows, ['k', 'n'], own), tabulate(rows, ['k', 'n'], named),\n"
        "      tabulate(rows, tablefmt=simple_separated_format(';'))])"
    )
    equal(
        run.python(code),
        [
            "[ k   |   n ]\n<=====+=====>\n( a   |   1 )\n( b   |   2 )\n<_____+_____>",
            "k     n\n~~~~~~\na  /  1\nb  /  2",
            "a;1\nb;2",
        ],
        "own formats",
    )


@case(turn=0, kind="p2p")
def own_formats_by_parts(run: Runner) -> None:
    code = (
        "from tabulate import TableFormat, Line, DataRow\n"
        "parts = ['lineabove', 'linebelowheader', 'linebetweenrows', 'linebelow', 'headerrow', 'datarow', 'padding',\n"
        "         'with_header_hide']\n"
        "own = TableFormat(*range(8))\n"
        "emit([[getattr(own, part) for part in parts], list(own._replace(padding=3))[:8]])"
    )
    equal(run.python(code), [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 3, 7]], "parts")
