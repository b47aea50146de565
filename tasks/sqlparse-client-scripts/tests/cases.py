"""Cases of sqlparse-client-scripts: scripts go in, statements and their lines come out."""

from typing import Any

from harness import Runner, case, equal

SPLIT = "import sqlparse\nemit([sqlparse.split(sql, **options) for sql, options in data])\n"

PROCEDURE = "CREATE PROCEDURE p()\nBEGIN\n  SELECT 1;\n  SELECT 2;\nEND"
COPY = "COPY t FROM '/tmp/x.csv' WITH\nDELIMITER ',' CSV;"


def text(*lines: str) -> str:
    """Lines as a file has them."""
    return "".join(f"{line}\n" for line in lines)


def pieces(run: Runner, *scripts: str, **options: bool) -> Any:
    """What split() makes of each script."""
    return run.python(SPLIT, data=[[script, options] for script in scripts])


def split_is(run: Runner, script: str, wanted: list[Any], **options: bool) -> None:
    """Compare what split() makes of one script; tuples count as lists."""
    [found] = pieces(run, script, **options)
    equal(found, wanted, f"split({', '.join(f'{k}={v}' for k, v in options.items())})")


# --- the instruction: DELIMITER -------------------------------------------------------------------


@case(turn=0)
def procedure_is_one_statement(run: Runner) -> None:
    script = text("DELIMITER //", PROCEDURE + "//", "DELIMITER ;", "CALL p();")
    split_is(run, script, [PROCEDURE, "CALL p();"])


@case(turn=0)
def only_the_delimiter_splits(run: Runner) -> None:
    script = text(
        "SET a = 1; SET b = 2;",
        "delimiter //",
        "DROP TRIGGER IF EXISTS tr//",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW",
        "  IF NEW.a > 1 THEN SET NEW.a = 1; END IF //",
        "SELECT 1; SELECT 2 // SELECT 3",
        "//",
        "Delimiter ;",
        "INSERT INTO t VALUES ('a;b'); SELECT 4;",
        "SELECT 5",
    )
    wanted = [
        "SET a = 1;",
        "SET b = 2;",
        "DROP TRIGGER IF EXISTS tr",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW\n  IF NEW.a > 1 THEN SET NEW.a = 1; END IF",
        "SELECT 1; SELECT 2",
        "SELECT 3",
        "INSERT INTO t VALUES ('a;b');",
        "SELECT 4;",
        "SELECT 5",
    ]
    split_is(run, script, wanted)


@case(turn=0)
def other_delimiters(run: Runner) -> None:
    scripts, wanted = [], []
    for delimiter in ("$$", ";;", "//", "|", "@@"):
        for gap in ("", " ", "\n"):
            first = f"{PROCEDURE}{gap}{delimiter}"
            second = f"CREATE FUNCTION f() RETURNS INT\nRETURN 1{gap or ' '}{delimiter}"
            scripts.append(text(f"DELIMITER {delimiter}", first, "", second, "DELIMITER ;", "SELECT f();"))
            wanted.append([PROCEDURE, "CREATE FUNCTION f() RETURNS INT\nRETURN 1", "SELECT f();"])
    for script, found, expected in zip(scripts, pieces(run, *scripts), wanted, strict=True):
        equal(found, expected, f"pieces of {script!r}")


@case(turn=0)
def delimiter_changes_more_than_once(run: Runner) -> None:
    script = text(
        "SELECT 0;",
        "",
        "DELIMITER $$",
        PROCEDURE + " $$",
        "DELIMITER ;",
        "SELECT 1;",
        "DELIMITER //",
        "SELECT '$$'; SELECT 2//",
        "DELIMITER ;;",
        "SELECT 3; SELECT 4;;",
        "SELECT 5",
    )
    wanted = [
        "SELECT 0;",
        PROCEDURE,
        "SELECT 1;",
        "SELECT '$$'; SELECT 2",
        "SELECT 3; SELECT 4",
        "SELECT 5",
    ]
    split_is(run, script, wanted)


@case(turn=0)
def comment_above_the_command(run: Runner) -> None:
    scripts = [
        text("-- it's migration 12", "DELIMITER //", PROCEDURE + "//", "DELIMITER ;", "CALL p();"),
        text("SELECT 0; -- done", "/* and", "now */", "DELIMITER //", PROCEDURE + "//", "DELIMITER ;", "CALL p();"),
    ]
    for script, found in zip(scripts, pieces(run, *scripts), strict=True):
        # Where the comment goes is nobody's business; the statements are.
        joined = "\n".join(found)
        assert "DELIMITER" not in joined.upper(), f"{script!r} gives {found!r}"
        equal(found[-1], "CALL p();", f"last piece of {script!r}")
        assert found[-2].endswith(PROCEDURE), f"{script!r} gives {found!r}"
        assert sum("PROCEDURE" in piece or "CALL" in piece for piece in found) == 2, f"{script!r} gives {found!r}"


@case(turn=0)
def files_and_bytes(run: Runner) -> None:
    script = text("DELIMITER //", "SELECT 'ä'; SELECT 'ö'//", "DELIMITER ;", "SELECT 3;")
    found = run.python(
        """
import io, sqlparse
emit([
    sqlparse.split(io.StringIO(data)),
    sqlparse.split(data.encode('utf-8')),
    sqlparse.split(data.encode('cp1252'), 'cp1252'),
    sqlparse.split(data.replace('\\n', '\\r\\n')),
])
""",
        data=script,
    )
    equal(found, [["SELECT 'ä'; SELECT 'ö'", "SELECT 3;"]] * 4)


@case(turn=0)
def delimiter_in_strings(run: Runner) -> None:
    script = text(
        "DELIMITER //",
        "SELECT 'a//b', 'it''s //', 'it\\'s //', \"//\", `//` FROM t//",
        "SELECT '",
        "DELIMITER ;",
        "'//",
        "DELIMITER ;",
        "SELECT 1;",
    )
    wanted = [
        "SELECT 'a//b', 'it''s //', 'it\\'s //', \"//\", `//` FROM t",
        "SELECT '\nDELIMITER ;\n'",
        "SELECT 1;",
    ]
    split_is(run, script, wanted)


@case(turn=0)
def delimiter_in_comments(run: Runner) -> None:
    body = text("CREATE PROCEDURE q()", "BEGIN", "  -- it's a // here", "  /* and // there */", "  SELECT 1;") + "END"
    script = text("DELIMITER //", body + "//", "DELIMITER ;", "-- DELIMITER //", "SELECT 2;", "SELECT 3;")
    split_is(run, script, [body, "-- DELIMITER //\nSELECT 2;", "SELECT 3;"])


# --- line numbers ---------------------------------------------------------------------------------


@case(turn=1)
def lines_of_statements(run: Runner) -> None:
    script = text(
        "", "SELECT 1,", "  2;", "SELECT 'a", "", "b'; SELECT 3;", "", "  ", "   SELECT 4; -- four", "SELECT 5"
    )
    wanted = [
        [2, "SELECT 1,\n  2;"],
        [4, "SELECT 'a\n\nb';"],
        [6, "SELECT 3;"],
        [9, "SELECT 4; -- four"],
        [10, "SELECT 5"],
    ]
    split_is(run, script, wanted, lines=True)


@case(turn=1)
def lines_of_files_from_windows(run: Runner) -> None:
    script = text("SELECT 1;", "", "SELECT 'a", "b';", "", "SELECT 3;").replace("\n", "\r\n")
    split_is(run, script, [[1, "SELECT 1;"], [3, "SELECT 'a\r\nb';"], [6, "SELECT 3;"]], lines=True)


@case(turn=1)
def lines_around_the_command(run: Runner) -> None:
    script = text(
        "SELECT 0;",
        "",
        "DELIMITER $$",
        "",
        PROCEDURE,
        "$$",
        "SELECT 1; SELECT 2 $$ SELECT 3 $$",
        "DELIMITER ;",
        "CALL p();",
    )
    wanted = [
        [1, "SELECT 0;"],
        [5, PROCEDURE],
        [11, "SELECT 1; SELECT 2"],
        [11, "SELECT 3"],
        [13, "CALL p();"],
    ]
    split_is(run, script, wanted, lines=True)


@case(turn=1, weight=0.5)
def lines_of_a_file_object(run: Runner) -> None:
    found = run.python(
        """
import io, sqlparse
emit([
    sqlparse.split(io.StringIO(data), lines=True),
    sqlparse.split(data.encode('utf-16'), 'utf-16', lines=True),
    sqlparse.split(data, lines=False),
])
""",
        data="\nSELECT 1;\nSELECT 2;",
    )
    lines = [[2, "SELECT 1;"], [3, "SELECT 2;"]]
    equal(found, [lines, lines, ["SELECT 1;", "SELECT 2;"]])


@case(turn=3)
def line_of_code_below_comments(run: Runner) -> None:
    script = text(
        "-- adds a column",
        "-- (asked for by sales)",
        "",
        "ALTER TABLE t ADD c INT; -- same line",
        "/* now",
        "   fill it */ UPDATE t SET c = 1;",
        "-- one",
        "/* two */",
        "-- three",
        "  SELECT -- not here",
        "  1;",
    )
    wanted = [
        [4, "-- adds a column\n-- (asked for by sales)\n\nALTER TABLE t ADD c INT; -- same line"],
        [6, "/* now\n   fill it */ UPDATE t SET c = 1;"],
        [10, "-- one\n/* two */\n-- three\n  SELECT -- not here\n  1;"],
    ]
    split_is(run, script, wanted, lines=True)


@case(turn=3)
def line_of_code_in_a_delimited_block(run: Runner) -> None:
    first = "-- the first\n/* DELIMITER\n;\n*/\n" + PROCEDURE
    script = text(
        "DELIMITER //", first + "//", "", "-- the second", "SELECT 1//", "DELIMITER ;", "-- third", "SELECT 2;"
    )
    wanted = [[6, first], [13, "-- the second\nSELECT 1"], [16, "-- third\nSELECT 2;"]]
    split_is(run, script, wanted, lines=True)


# --- GO -------------------------------------------------------------------------------------------


@case(turn=4)
def go_ends_a_batch(run: Runner) -> None:
    script = text(
        "CREATE TABLE t (a INT);",
        "INSERT INTO t VALUES (1);",
        "GO",
        "CREATE PROCEDURE p AS",
        "BEGIN SELECT 1; SELECT 2; END",
        "  go\t",
        "SELECT 'no semicolon'",
        "Go",
        "SELECT 3;",
    )
    wanted = [
        "CREATE TABLE t (a INT);\nINSERT INTO t VALUES (1);",
        "CREATE PROCEDURE p AS\nBEGIN SELECT 1; SELECT 2; END",
        "SELECT 'no semicolon'",
        "SELECT 3;",
    ]
    split_is(run, script, wanted, go=True)
    split_is(run, script.replace("\n", "\r\n"), [piece.replace("\n", "\r\n") for piece in wanted], go=True)


@case(turn=4)
def go_elsewhere_is_no_command(run: Runner) -> None:
    batch = text(
        "SELECT 1 AS go, go FROM go;",
        "go_on: GOTO go_on;",
        "SELECT '",
        "GO",
        "', [go]",
        "/*",
        "GO",
        "*/",
        "-- GO",
        "GO to work",
    )
    split_is(run, batch + "GO\nSELECT 2\nGO\n", [batch.strip(), "SELECT 2"], go=True)


@case(turn=4)
def go_with_a_number_repeats(run: Runner) -> None:
    script = text("INSERT INTO t DEFAULT VALUES;", "GO 3", "SELECT 1", "go   2  ", "SELECT 2", "GO 1", "SELECT 3")
    wanted = ["INSERT INTO t DEFAULT VALUES;"] * 3 + ["SELECT 1"] * 2 + ["SELECT 2", "SELECT 3"]
    split_is(run, script, wanted, go=True)


@case(turn=4)
def lines_of_batches(run: Runner) -> None:
    script = text("", "SELECT 1;", "SELECT 2", "GO", "", "SELECT 3", "GO 2", "  SELECT 4", "GO")
    wanted = [[2, "SELECT 1;\nSELECT 2"], [6, "SELECT 3"], [6, "SELECT 3"], [8, "SELECT 4"]]
    split_is(run, script, wanted, go=True, lines=True)


@case(turn=4, weight=0.5)
def no_empty_batches(run: Runner) -> None:
    split_is(run, text("GO", "SELECT 1", "GO", "", "GO", "SELECT 2", "GO", ""), ["SELECT 1", "SELECT 2"], go=True)


# --- nothing but comments -------------------------------------------------------------------------


@case(turn=6)
def comments_alone_are_left_out(run: Runner) -> None:
    script = text(
        "SELECT 1;", "-- nothing", ";", "SELECT 2;;", "/* nothing", "either */;", "SELECT 3;", "", "-- the end"
    )
    split_is(run, script, [[1, "SELECT 1;"], [4, "SELECT 2;"], [7, "SELECT 3;"]], lines=True)


@case(turn=6)
def conditional_comments_are_statements(run: Runner) -> None:
    script = text(
        "/*!40101 SET NAMES utf8 */;",
        "/* plain */;",
        "/*!50003 CREATE TABLE t",
        "  (a INT) */;",
        ";",
        "DROP TABLE t;",
        "/*!40111 SET a = 1 */",
    )
    wanted = [
        [1, "/*!40101 SET NAMES utf8 */;"],
        [3, "/*!50003 CREATE TABLE t\n  (a INT) */;"],
        [6, "DROP TABLE t;"],
        [7, "/*!40111 SET a = 1 */"],
    ]
    split_is(run, script, wanted, lines=True)


@case(turn=6)
def comments_between_client_commands_are_left_out(run: Runner) -> None:
    mysql = text(
        "-- header",
        "DELIMITER //",
        "/* nothing */ //",
        "SELECT 1; SELECT 2//",
        "-- end of block",
        "DELIMITER ;",
        "SELECT 3;",
    )
    split_is(run, mysql, [[4, "SELECT 1; SELECT 2"], [7, "SELECT 3;"]], lines=True)
    batches = text("-- header", "GO", "SELECT 1", "GO", "/* nothing */ ;", "GO 2", "SELECT 2")
    split_is(run, batches, [[3, "SELECT 1"], [7, "SELECT 2"]], lines=True, go=True)


# --- what must stay as it is ------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def plain_scripts_are_split_as_before(run: Runner) -> None:
    script = text(
        "SELECT 1; SELECT ';'; -- tail",
        "/* head */",
        "CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; SELECT 2; $$ LANGUAGE sql;",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN UPDATE x SET a = 1; DELETE FROM y; END;",
        "SELECT (1;2);",
        ";",
        "-- the end",
    )
    wanted = [
        "SELECT 1;",
        "SELECT ';'; -- tail",
        "/* head */\nCREATE FUNCTION f() RETURNS int AS $$ SELECT 1; SELECT 2; $$ LANGUAGE sql;",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN UPDATE x SET a = 1; DELETE FROM y; END;",
        "SELECT (1;2);",
        ";",
        "-- the end",
    ]
    split_is(run, script, wanted)
    split_is(run, "SELECT 1\nGO\nSELECT 2;\nGO 5\n", ["SELECT 1\nGO\nSELECT 2;", "GO 5"])


@case(turn=0, kind="p2p")
def files_and_bytes_are_read_as_before(run: Runner) -> None:
    found = run.python(
        """
import io, sqlparse
out = [
    sqlparse.split(io.StringIO(data)),
    sqlparse.split(data.encode('cp1251'), 'cp1251'),
    sqlparse.split(sql=data.encode('utf-8'), encoding='utf-8'),
    [str(s) for s in sqlparse.parsestream(io.StringIO(data))],
    len(sqlparse.parse(data)),
]
try:
    sqlparse.split(7)
except TypeError as error:
    out.append('TypeError')
emit(out)
""",
        data="SELECT 'ж'; SELECT 2;",
    )
    two = ["SELECT 'ж';", "SELECT 2;"]
    equal(found, [two, two, two, ["SELECT 'ж'; ", "SELECT 2;"], 2, "TypeError"])


@case(turn=2, kind="p2p")
def delimiter_of_a_copy_statement(run: Runner) -> None:
    script = text("SELECT 1;", COPY, "SELECT 2;")
    split_is(run, script, ["SELECT 1;", COPY, "SELECT 2;"])
    export = "COPY t TO STDOUT\n  WITH\n  DELIMITER AS '|'\n  NULL AS '';"
    split_is(run, text(export, COPY), [export, COPY])


@case(turn=2, kind="p2p")
def delimiter_as_a_name(run: Runner) -> None:
    statements = [
        "CREATE TABLE formats (\n  name TEXT,\n  delimiter CHAR(1) NOT NULL\n);",
        "SELECT\n  delimiter AS d\nFROM formats;",
        "INSERT INTO formats (name,\ndelimiter) VALUES ('csv', ',');",
    ]
    split_is(run, text(*statements), statements)


@case(turn=5, kind="p2p")
def parse_keeps_everything(run: Runner) -> None:
    script = text("SELECT 1;", "DELIMITER //", PROCEDURE + "//", "DELIMITER ;") + "CALL p();"
    found = run.python(
        "import sqlparse\nemit([''.join(str(s) for s in sqlparse.parse(sql)) for sql in data])",
        data=[script, script.replace("//", "$$"), script.replace("\n", "\r\n")],
    )
    equal(found, [script, script.replace("//", "$$"), script.replace("\n", "\r\n")])


@case(turn=5, kind="p2p")
def format_keeps_everything(run: Runner) -> None:
    script = text("select 1;", "DELIMITER //", PROCEDURE + "//", "DELIMITER ;") + "CALL p();"
    found = run.python(
        "import sqlparse\nemit([sqlparse.format(data), sqlparse.format(data, keyword_case='lower')])", data=script
    )
    lower = script
    for word in ("CREATE", "PROCEDURE", "BEGIN", "END", "CALL", "DELIMITER", "SELECT"):
        lower = lower.replace(word, word.lower())
    equal([found[0], found[1].replace("DELIMITER", "delimiter")], [script, lower])


@case(turn=5, kind="p2p")
def command_line_keeps_everything(run: Runner) -> None:
    script = text("select 1;", "DELIMITER //", PROCEDURE + "//", "DELIMITER ;") + "CALL p();"
    found = run.command(
        ["/usr/bin/python3", "-m", "sqlparse", "script.sql"],
        files={"script.sql": script},
        env={"PYTHONPATH": run.tree},
    )
    equal([found.code, found.stdout], [0, script])
